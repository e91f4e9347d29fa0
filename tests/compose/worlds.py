"""The joined worlds of these tests: a swim hall and its snack bar."""

from pathlib import Path
from typing import Any

from davinci_env.compose import Composition, load
from davinci_env.environment import DomainEnvironment, Event

FOLDER = Path(__file__).parents[1] / "support" / "joined"


def day_out(**options: Any) -> Composition:
    found = load("day_out", paths=[FOLDER], trust=True, **options)
    assert isinstance(found, Composition)
    return found


def opened(actor: str | None = None, **options: Any) -> DomainEnvironment:
    composition = day_out(**options)
    return DomainEnvironment(composition, composition.build(1), actor)


def told(environment: DomainEnvironment, **facts: str) -> None:
    """The person tells these facts of themselves."""
    for name, value in facts.items():
        environment.observe(Event("revealed", {"fact": name, "value": value}))


def written(folder: Path, name: str, text: str) -> Path:
    """A file of another composition of the same domains, changed in one place."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return path


def changed(folder: Path, *changes: tuple[str, str], name: str = "day_out") -> Path:
    """The day out with these texts replaced, as a file of its own."""
    text = (FOLDER / "day_out.py").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return written(folder, name, text)
