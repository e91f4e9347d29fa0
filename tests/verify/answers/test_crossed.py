"""Sentence patterns, right and wrong, each said of slots of several types.

`crossed.jsonl` holds the patterns: how a value is attributed, denied, hedged, timed, corrected,
promised, listed, said of another thing. They were written to find faults of the checker, most of
them found some, and what is kept here guards what was mended.
"""

import json
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from davinci_env.verify.answers import SlotSpec, judge_answer

MONDAY = date(2026, 4, 13)
PATTERNS = [
    json.loads(line) for line in (Path(__file__).parent / "crossed.jsonl").read_text().splitlines()
]


class Case(NamedTuple):
    """A slot; how its attribute, its row and another row are called; its value and wrong ones."""

    slot: SlotSpec
    attr: str
    subj: str
    other: str
    v: str
    w: str
    x: str


CASES = (
    Case(
        SlotSpec(
            "fine", "money", 440, [860, 1300], ["open amount", 'The late fine for "The Salt Road"']
        ),
        "late fine", "The Salt Road", "Winter Orchard", "$4.40", "$8.60", "$13.00",
    ),
    Case(
        SlotSpec(
            "due", "date", "2026-04-27", ["2026-03-13", "2026-05-06"],
            ["due date", 'The due date of "Night Ferry"'],
        ),
        "due date", "Night Ferry", "Glass Harbour", "April 27", "March 13", "May 6",
    ),
    Case(
        SlotSpec(
            "copay", "money", 2500, [4000],
            ["copay", "The back class with Darius Laurent on April 28 at 16:30"],
        ),
        "copay", "the back class with Darius Laurent", "the skin check with Dr. Vos", "€25.00",
        "€40.00", "€12.50",
    ),
    Case(
        SlotSpec(
            "left", "number", 4, [6, 2],
            ["visits left", "The visits left on your referral for physiotherapy"],
        ),
        "number of visits left", "your physiotherapy referral", "your dermatology referral", "four",
        "six", "two",
    ),
    Case(
        SlotSpec(
            "visit", "datetime", "2026-04-21T11:40", ["2026-04-21T09:10", "2026-04-28T11:40"],
            ["start of the visit", "Your next visit with Dr. Helga Ruiz"],
        ),
        "start", "your next visit with Dr. Ruiz", "the visit with Dr. Okafor",
        "April 21 at 11:40", "April 21 at 9:10", "April 28 at 11:40",
    ),
    Case(
        SlotSpec(
            "hold", "id", "HD-00412", ["HD-00421"],
            ["hold number", 'The number of your hold on "Copper Sky"'],
        ),
        "hold number", "Copper Sky", "Marble", "HD-00412", "HD-00421", "HD-00421",
    ),
    Case(
        SlotSpec(
            "branch", "name", "Quayside", ["Hill Street", "Millgate"],
            ["branch", 'The branch where a copy of "Red Kites" is available'],
        ),
        "branch", "Red Kites", "Tidewater", "Quayside", "Hill Street", "Millgate",
    ),
    Case(
        SlotSpec(
            "status", "enum", "shipped", [], ["status", "The status of order #W7712040"],
            ["pending", "processing", "shipped", "delivered", "cancelled"],
        ),
        "status", "order #W7712040", "order #W7712051", "shipped", "pending", "delivered",
    ),
    Case(
        SlotSpec(
            "address", "text", "22 Cedar Row, Ashby", ["5 Foundry Lane, Ashby"],
            ["delivery address", "The address that order #W7712040 goes to"],
        ),
        "delivery address", "order #W7712040", "order #W7712051", "22 Cedar Row, Ashby",
        "5 Foundry Lane, Ashby", "5 Foundry Lane, Ashby",
    ),
)  # fmt: skip


def up(text: str) -> str:
    return text[0].upper() + text[1:]


def said(pattern: str, case: Case) -> str:
    small = {name: getattr(case, name) for name in ("attr", "subj", "other", "v", "w", "x")}
    text = pattern.format(**small, **{up(name): up(value) for name, value in small.items()})
    return text if pattern.startswith("{v}") else up(text)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.slot.name)
@pytest.mark.parametrize("accept", [True, False], ids=["right", "wrong"])
def test_patterns(case: Case, accept: bool) -> None:
    misjudged = [
        text
        for pattern in PATTERNS
        if pattern["accept"] == accept
        for text in [said(pattern["text"], case)]
        if judge_answer(text, [case.slot], today=MONDAY)[0].passed != accept
    ]
    assert not misjudged
