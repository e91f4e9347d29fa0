"""The same calls give the same bytes in any process."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = """
import hashlib
from datetime import timedelta
from davinci_env.state import canonical, pack, state_hash
from tests.support.shed import shed

SHED = shed()
world = SHED.domain.build(seed=3, scale=1.5)
for number, member in enumerate(world.all(SHED.Member)):
    item = world.all(SHED.Item)[-1 - number]
    hold = world.create(SHED.Hold, member=member, item=item)
    if number % 2:
        world.delete(hold)
    world.advance(timedelta(minutes=7))
world.accept()
diff = canonical(world, world.changes())
print(hashlib.sha256(world.image.database).hexdigest())
print(world.image.hash, state_hash(world.image.hash, diff))
print(pack(world).decode())
print([row.id for row in world.all(SHED.Hold)], world.db.now)
"""


def test_ids_clock_rows_and_hashes_are_the_same_in_another_process():
    def run(seed: str) -> str:
        made = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PATH": "", "PYTHONPATH": str(ROOT)},
        )
        return made.stdout

    first = run("1")
    assert len(first.splitlines()) == 4
    assert run("2") == first
