"""Tasks for tests of whole episodes: as the generator gives them, the same in every run.

To take frozen suites instead, read their files in `suite`.
"""

import tempfile
from functools import cache
from pathlib import Path

from davinci_env.records import Task, read_jsonl
from davinci_env.tasks.generate import generate_suite

DOMAINS = ("clinic_appointments", "library_lending", "order_management")


SCALE = 0.5
"""Size of the worlds: smaller ones are faster, and full enough of look-alikes."""


@cache
def suite(n: int, seed: int = 0) -> tuple[Task, ...]:
    """`n` certified tasks of each shipped domain, those of one world side by side."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "suite.jsonl"
        generate_suite(DOMAINS, n, out, seed=seed, scale=SCALE)
        tasks = read_jsonl(out, Task).records
    return tuple(sorted(tasks, key=lambda task: (task.world.name, task.world.seed, task.id)))
