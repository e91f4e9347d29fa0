"""Each check of what is said aloud finds what it is about, and nothing else."""

from pathlib import Path

import pytest

from davinci_env.audit.report import Findings
from davinci_env.audit.spoken import check_spoken
from davinci_env.domain import load_file
from tests.support import boats

SOURCE = Path(boats.__file__).read_text(encoding="utf-8")

BROKEN = {
    "a name with a place that leads nowhere": (
        '"my {boat.name} booking"',
        '"my {boat.title} booking"',
        ("called", "Booking"),
    ),
    "superlatives of no column": (
        '"price": ("that costs least"',
        '"prize": ("that costs least"',
        ("called", "Booking"),
    ),
    "a question where a clause is wanted": (
        '"when {it} takes place"',
        '"when does {it} take place?"',
        ("asks", "Booking.day"),
    ),
    "an answer without its value": (
        'told=["{it} is for {value}"]',
        'told=["{it} is soon"]',
        ("told", "Booking.day"),
    ),
    "an answer with a full stop": (
        'told=["{it} is for {value}"]',
        'told=["{it} is for {value}."]',
        ("told", "Booking.day"),
    ),
    "an offer that asks": (
        '"you could move it to another day"',
        '"would another day do?"',
        ("offers", "cancellable"),
    ),
    "an offer that quotes what nobody knows": (
        '"you could cancel it and book anew"',
        '"you could take the {boat}"',
        ("offers", "moves_left"),
    ),
    "a report with a place that leads nowhere": (
        "{booking} is off; a fee of {amount} is due.",
        "{booking} is off; a fee of {amount} is due by {day}.",
        ("says", "cancel_booking"),
    ),
    "a report that leaves out what is to be quoted": (
        "{booking} is off; a fee of {amount} is due.",
        "{booking} is off.",
        ("says", "cancel_booking"),
    ),
    "a report that is no sentence": (
        "{booking} is off; a fee of {amount} is due.",
        "{booking} is off; a fee of {amount} is due",
        ("says", "cancel_booking"),
    ),
    "a question for an argument that does not exist": (
        'asks={"day": [',
        'asks={"date": [',
        ("asks", "move_booking"),
    ),
    "a question that asks nothing": (
        "What date would suit you?",
        "Please name a date.",
        ("asks", "move_booking"),
    ),
    "a motive that is no sentence": (
        '"The forecast is dreadful."',
        '"because of the forecast"',
        ("motive", "boat_hire"),
    ),
    "a second thought about no tool": (
        'about=["cancel_booking"]',
        'about=["cancel"]',
        ("motive", "boat_hire"),
    ),
    "a concern for no reason to hand over": (
        'domain.concern("other", ',
        'domain.concern("lessons", ',
        ("motive", "boat_hire"),
    ),
    "a concern with a place that leads nowhere": (
        "The seat of the {boat.name} was wet.",
        "The seat of the {boat.seat} was wet.",
        ("motive", "boat_hire"),
    ),
}


def findings(tmp_path: Path, source: str) -> set[tuple[str, str]]:
    path = tmp_path / "boat_hire.py"
    path.write_text(source, encoding="utf-8")
    found = Findings()
    check_spoken(load_file(path), found)
    return {(finding.check, finding.subject) for finding in found.sorted()}


def test_a_sound_domain_has_no_finding(tmp_path: Path) -> None:
    assert findings(tmp_path, SOURCE) == set()


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_domain_has_exactly_this_finding(name: str, tmp_path: Path) -> None:
    old, new, finding = BROKEN[name]
    assert SOURCE.count(old) >= 1
    assert findings(tmp_path, SOURCE.replace(old, new)) == {finding}
