"""What the tests of the command line share: a runner, and stand-ins for rooms behind the seams."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from davinci_env.cli.app import app

Davinci = Callable[..., Result]
Room = Callable[..., None]

SMALLEST = '''"""A shop of one table."""

from datetime import date

from davinci_env.domain import Domain, Mapped, Seeder

domain = Domain("corner_shop", version=1, category="Retail", today=date(2026, 1, 5), role="clerk")


class Person(domain.Entity, key="P-{:02d}", label="{self.name}", identity=True):
    """A customer."""

    name: Mapped[str]


domain.reads(Person, get=True)


@domain.seed
def seed(w: Seeder) -> None:
    w.add(Person, name="Ada")
'''


@pytest.fixture
def davinci() -> Davinci:
    """Run the command line in this process: `davinci("check", "tasks.jsonl")`."""
    runner = CliRunner()
    return lambda *arguments: runner.invoke(app, [str(each) for each in arguments])


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Room:
    """Put a stand-in for a room where commands import it: `room("tasks", generate_suite=…)`."""

    def put(name: str, **functions: Any) -> None:
        stand_in = ModuleType(f"davinci_env.{name}")
        vars(stand_in).update(functions)
        monkeypatch.setitem(sys.modules, f"davinci_env.{name}", stand_in)

    return put


@dataclass
class Summary:
    """What a room's function returns: `passed`, and a result for people and programs."""

    passed: bool = True
    result: dict[str, Any] = field(default_factory=lambda: {"tasks": 3})

    def to_json(self) -> dict[str, Any]:
        """Return the result."""
        return self.result
