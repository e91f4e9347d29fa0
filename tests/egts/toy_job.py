"""A run over the toy, as a program: `python -m tests.egts.toy_job OUT JOBS EPISODES [KILL_AFTER]`.

The toy is named among the families when this is the main module, and so in worker processes too,
which import the main module again; a test names it by the fixture `named`.
"""

import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from davinci_env.corpus.systems import run_systems
from davinci_env.egts import blocks
from davinci_env.egts.blocks import Setting
from davinci_env.egts.systems import SystemFailure, registry
from tests.egts.toy import WORDS, ToySystem

SETTING = Setting(words={"toy": WORDS})


class BreakingToy(ToySystem):
    """Breaks for good at the first look into a note."""

    def __init__(self) -> None:
        super().__init__()
        self.info = replace(self.info, name="toy.breaking")
        self.broken = False

    def call(self, tool: str, arguments: Any) -> Any:
        """Break, or answer."""
        if self.broken or tool == "get_note":
            self.broken = True
            raise SystemFailure("crash", "the toy fell to pieces")
        return super().call(tool, arguments)

    def restore(self, kept: Any) -> None:
        """What is broken can't be brought back."""
        if self.broken:
            raise SystemFailure("crash", "the toy lies in pieces")
        super().restore(kept)

    def open(self, seed: int) -> None:
        """Mended."""
        self.broken = False
        super().open(seed)


@pytest.fixture(autouse=True)
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a test: the toy has a name, and loses it afterwards."""
    for place, name in ((registry, "FAMILIES"), (blocks, "FAMILIES")):
        monkeypatch.setattr(place, name, dict(registry.FAMILIES))
    monkeypatch.setitem(sys.modules, "davinci_env.egts.systems.toy", ModuleType("toy"))
    name_the_toy()


def name_the_toy() -> None:
    """Let `toy` and `toy.breaking` be opened by name."""
    family = ModuleType("davinci_env.egts.systems.toy")
    systems = {"toy": ToySystem, "toy.breaking": BreakingToy}
    vars(family).update(SYSTEMS=tuple(systems), open_system=lambda name, options: systems[name]())
    sys.modules[family.__name__] = family
    registry.FAMILIES = {**registry.FAMILIES, "toy": "toy"}


if __name__ in ("__main__", "__mp_main__"):  # the run, or a worker of it
    name_the_toy()


def main(out: str, jobs: str, episodes: str, kill_after: str = "") -> None:
    """Run, and die in the middle where that is wanted."""

    def step(done: int, total: int, note: str) -> None:
        if kill_after and done == int(kill_after):
            os.kill(os.getpid(), signal.SIGKILL)

    run_systems(
        ["toy"], int(episodes), Path(out), 3, int(jobs), setting=SETTING, progress=step
    )  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:])
