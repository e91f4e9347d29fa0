"""Compositions that can't be: refused when they are loaded, with file, line and remedy."""

from pathlib import Path

import pytest

from davinci_env.compose import load
from davinci_env.errors import ContractError, UnknownDomain, UntrustedDomain
from tests.compose.worlds import FOLDER, changed, written

RULE = """
    return all(pair.tab.status == "paid" for pair in locker.locker_tabs)
"""


def refusal(folder: Path, path: Path) -> ContractError:
    with pytest.raises(ContractError) as caught:
        load(path.stem, paths=[folder, FOLDER], trust=True)
    assert caught.value.path == path
    return caught.value


@pytest.mark.parametrize(
    ("old", "new", "said", "remedy", "near"),
    [
        (
            '["swim_hall", "snack_bar"]',
            '["swim_hall", "snak_bar"]',
            "there is no domain 'snak_bar' to join",
            "did you mean snack_bar?",
            "composition = Composition(",
        ),
        (
            '["swim_hall", "snack_bar"]',
            '["swim_hall"]',
            "joins swim_hall",
            "name from 2 to 4 different domains",
            "composition = Composition(",
        ),
        (
            '["swim_hall", "snack_bar"]',
            '["swim_hall", "clinic_appointments"]',
            "the domains can't be reached in one way",
            "join domains that all serve any person",
            "composition = Composition(",
        ),
        (
            "    bar.Tab,\n    said",
            "    hall.Voucher,\n    said",
            "link LockerTab stays within swim_hall",
            "link records of two domains",
            "composition.link(",
        ),
        (
            "    bar.Tab,\n    said",
            "    bar.Guest,\n    said",
            "link LockerTab can't match Guest: its records belong to nobody",
            "link records that each belong to a person",
            "composition.link(",
        ),
        (
            RULE,
            "\n    return locker.swimmer.secret == ''\n",
            "rule tab_is_paid reads secret, which is hidden from the agent",
            "rest it on records that the joined domains show",
            "@composition.cross_rule(\n    [",
        ),
        (
            RULE,
            "\n    return locker._world is not None\n",
            "rule tab_is_paid reads _world, which is private",
            "rest it on records",
            "@composition.cross_rule(\n    [",
        ),
        (
            RULE,
            "\n    return locker.status in bar.OPEN_STATES\n",
            "rule tab_is_paid reads bar.OPEN_STATES, which that domain does not have",
            "rest it on records",
            "@composition.cross_rule(\n    [",
        ),
        (
            RULE,
            "\n    return bar.Tab is not None and locker.status in bar.OPEN_STATES\n",
            "rule tab_is_paid reads bar.OPEN_STATES, which that domain does not have",
            "rest it on records",
            "@composition.cross_rule(\n    [",
        ),
        (
            '["empty_locker"],',
            '["empty_lockers"],',
            "rule tab_is_paid governs 'empty_lockers', which is no tool of the joined domains",
            "use its name in the composition",
            "@composition.cross_rule(\n    [",
        ),
        (
            'hall.Locker, "emptied", changes',
            'hall.Locker, "drained", changes',
            "an event waits for locker 'drained', which is no state",
            "name a state of its lifecycle",
            "@composition.on(",
        ),
        (
            '[sets("locker.locker_tabs.tab", bar.Tab.tip)]',
            '[sets("locker", hall.Locker.fee)]',
            "the event on locker 'emptied' changes no other domain",
            "which records of the other domain it changes",
            "@composition.on(",
        ),
        (
            'hall.Locker, "fee", said',
            'hall.Locker, "days", said',
            "would put a int where a money belongs",
            "take a column of the argument's kind",
            "",
        ),
        (
            'hall.Locker, "fee", said',
            'hall.Swimmer, "secret", said',
            "takes 'secret', which nobody can see",
            "name a visible column of Swimmer",
            "",
        ),
    ],
)
def test_a_composition_that_cannot_be_is_refused(
    tmp_path: Path, old: str, new: str, said: str, remedy: str, near: str
) -> None:
    path = changed(tmp_path, (old, new), ('"day_out",', '"odd_day",'), name="odd_day")
    error = refusal(tmp_path, path)
    assert said in str(error)
    assert remedy in str(error)
    if near:
        text = path.read_text(encoding="utf-8")
        line = text[: text.index(near)].count("\n") + 1
        assert error.line is not None
        assert line <= error.line <= line + 10


def test_a_name_that_stands_behind_a_domain_by_chance_is_no_attribute_of_it(
    tmp_path: Path,
) -> None:
    path = changed(
        tmp_path,
        (RULE, "\n    return locker.domain or bar.domain is not None or locker.status\n"),
        ('"day_out",', '"odd_day",'),
        name="odd_day",
    )
    assert "tab_is_paid" in load("odd_day", paths=[path.parent, FOLDER], trust=True).rules


def test_events_in_a_circle_are_refused(tmp_path: Path) -> None:
    more = '''

@composition.on(
    bar.Tab, "paid", changes=[moves("tab.locker_tabs.locker", "rented", to="emptied")]
)
def empties(db, tab) -> None:
    """When a tab is paid, the locker is emptied."""


@composition.on(
    hall.Locker, "emptied", changes=[moves("locker.locker_tabs.tab", "open", to="paid")]
)
def pays(db, locker) -> None:
    """When a locker is emptied, the tab is paid."""
'''
    path = changed(
        tmp_path,
        ('"day_out",', '"odd_day",'),
        ("import sets", "import moves, sets"),
        ("composition.transfer(", f"{more}\n\ncomposition.transfer("),
        name="odd_day",
    )
    error = refusal(tmp_path, path)
    assert "events bring each other about in a circle: " in str(error)
    assert "locker emptied" in str(error)
    assert "tab paid" in str(error)
    assert "let one of them move its rows to another state" in str(error)


def test_an_event_that_no_tool_brings_about_is_refused(tmp_path: Path) -> None:
    path = changed(
        tmp_path,
        ('"day_out",', '"odd_day",'),
        ('hall.Locker, "emptied", changes', 'hall.Locker, "rented", changes'),
        name="odd_day",
    )
    assert "no tool moves a locker to 'rented'" in str(refusal(tmp_path, path))


def test_a_composition_runs_only_when_trusted_and_unknown_names_are_told() -> None:
    with pytest.raises(UntrustedDomain):
        load("day_out", paths=[FOLDER])
    with pytest.raises(UnknownDomain) as caught:
        load("day_outt", paths=[FOLDER], trust=True)
    assert "day_out" in caught.value.near


def test_a_file_that_fails_is_told_with_its_line(tmp_path: Path) -> None:
    text = (FOLDER / "day_out.py").read_text(encoding="utf-8").replace('"day_out"', '"odd_day"')
    path = written(tmp_path, "odd_day", text + "\nraise RuntimeError('no')\n")
    with pytest.raises(Exception, match="RuntimeError: no") as caught:
        load("odd_day", paths=[tmp_path, FOLDER], trust=True)
    assert f"{path}:{text.count(chr(10)) + 2}" in str(caught.value)
