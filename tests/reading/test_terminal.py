"""How a conversation looks in a terminal: who speaks, what changed, what failed; any width."""

import io

import pytest
from rich.console import Console

from davinci_env.reading import conversation, render
from tests.reading import talk


def drawn(width: int = 80, *, full: bool = False, alone: bool = False, color: bool = False) -> str:
    """The conversation as a terminal of this width shows it."""
    task = talk.task()
    told = conversation(task) if alone else conversation(task, talk.trajectory(task))
    out = Console(
        file=io.StringIO(),
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
    )
    out.print(render(told, full=full))
    assert isinstance(out.file, io.StringIO)
    return "\n".join(line.rstrip() for line in out.file.getvalue().splitlines())


def test_a_dialogue_is_told_beside_who_speaks() -> None:
    shown = drawn()
    assert shown.startswith("act+ask in library_lending · failed\n  kind ")
    for block in (
        "user    Please renew my loan.\n        It's urgent.\n\n"
        "agent   What is your e-mail address?\n        · asked email\n",
        'agent   → find_member(email="adda@example.com")  [not to be learned]\n'
        "          ✗ not_found: Nobody has that address.\n",
        "agent   → list_loans()\n          total 5\n          loans: 5, all member_id M-1\n",
        "          ~ loans LN-00002: due_on 2026-04-02 → 2026-05-02, note – → x\n"
        "          + events new-1: kind renewal\n"
        "          ✗ breaks identify_first\n\n        Renewed.\n",
        "agent   (says nothing)\n",
    ):
        assert block in shown, block
    assert "turn 1, further wish, now with pay_fine ───" in shown


def test_failures_show_their_evidence() -> None:
    shown = drawn()
    assert "  ✓  state   The loan is renewed.\n" in shown
    assert "  ✗  answer  The rule is named.\n" in shown
    assert "             reason: no refusal\n" in shown
    assert "  of turn 1\n  ✗  state   Paid.\n" in shown


def test_a_task_alone_has_its_golden_solution() -> None:
    shown = drawn(alone=True)
    assert shown.startswith("act+ask in library_lending\n")
    assert "what the user does when asked ───" in shown
    assert 'agent   → renew_loan(loan_id="LN-00001")\n\n        It is due on April 6.' in shown
    assert "  ·  state   The loan is renewed." in shown
    assert "✓" not in shown


def test_full_shows_results_and_checks_whole() -> None:
    short, full = drawn(), drawn(full=True)
    assert '"loan_id": "LN-00005"' in full
    assert "LN-00005" not in short
    assert "… 2 more" in short
    assert '"sql": "(SELECT renewals FROM loans) = :e0"' in full


@pytest.mark.parametrize("width", [40, 80, 120])
def test_every_line_fits(width: int) -> None:
    for full in (False, True):
        assert max(map(len, drawn(width, full=full).splitlines())) <= width


def test_refusals_are_of_another_colour() -> None:
    lines = drawn(color=True).splitlines()
    (refusal,) = [line for line in lines if "not_found" in line]
    assert "\x1b[1;31m" in refusal
    (call,) = [line for line in lines if "→ find_member" in line]
    assert "\x1b[34m" in call
