"""Make the frozen suites anew: certified tasks of each shipped domain and composition, stratified.

    python scripts/freeze_suites.py                        # all of them
    python scripts/freeze_suites.py library_lending --n 60

A suite is chosen out of a larger number of generated tasks: 60 of a domain, 30 of a composition. It
names the version and the content hash of its domain; `make suites` certifies all of them again.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from davinci_env.compose import catalogue
from davinci_env.episodes.place import replacing
from davinci_env.errors import DavinciError
from davinci_env.records import Task, read_jsonl, to_line
from davinci_env.tasks import generate_suite
from davinci_env.tasks.strata import band, stratified

OF_DOMAIN, OF_COMPOSITION = 60, 30
"""Tasks in a suite."""

SUITES = Path(__file__).resolve().parent.parent / "verifiers"


def freeze(name: str, n: int, pool: int, seed: int, jobs: int, out: Path) -> list[Task]:
    """Generate `pool` tasks of a domain for each that is wanted, and write the suite."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "pool.jsonl")
        generate_suite([name], n * pool, file, seed, jobs, progress=_told(name))
        tasks = read_jsonl(file, Task).records
    chosen = stratified(tasks, n)
    if len(chosen) < n:
        raise DavinciError(
            f"{name} gives only {len(chosen)} tasks of {n} that are spread over the kinds",
            "generate more of them with --pool",
        )
    with replacing(out / f"{name}.jsonl") as suite:
        suite.writelines(map(to_line, chosen))
    return chosen


def _told(name: str) -> Callable[[int, int, str], None]:
    """Progress as lines, a few for each domain."""

    def step(done: int, total: int, _: str) -> None:
        if done % 50 == 0 or done == total:
            print(f"{name}: {done}/{total}", file=sys.stderr)

    return step


def _spread(tasks: list[Task]) -> str:
    """How a suite is spread."""
    kinds = Counter(task.kind for task in tasks)
    bands = Counter(map(band, tasks))
    return ", ".join(f"{what} {count}" for what, count in [*kinds.items(), *bands.items()])


def main() -> None:
    """Freeze the suites that the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="domains, compositions; all that ship by default")
    parser.add_argument("--n", type=int, help="tasks in a suite")
    parser.add_argument("--pool", type=int, default=4, help="tasks generated for each in a suite")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=SUITES, help="folder of the suites")
    options = parser.parse_args()
    joined = {entry.name: bool(entry.domains) for entry in catalogue() if entry.shipped}
    for name in options.names or joined:
        number = options.n or (OF_COMPOSITION if joined.get(name) else OF_DOMAIN)
        try:
            tasks = freeze(name, number, options.pool, options.seed, options.jobs, options.out)
        except DavinciError as error:
            sys.exit(f"freeze_suites: {error}")
        print(f"{options.out / name}.jsonl: {len(tasks)} tasks ({_spread(tasks)})")


if __name__ == "__main__":
    main()
