"""What a person reads of a task and of a trajectory, told from records made by hand."""

import pytest

from davinci_env.reading import Attempt, conversation, wording
from davinci_env.reading.view import Called, Happened, Said, Turn
from tests.reading import talk
from tests.records import samples


def test_a_trajectory_is_told_in_the_order_of_its_log() -> None:
    task = talk.task()
    told = conversation(task, talk.trajectory(task)).entries
    assert [type(entry).__name__ for entry in told] == [
        "Turn", "Said", "Said", "Happened", "Said", "Happened", "Called", "Said", "Said",
        "Happened", "Happened", "Called", "Called", "Said", "Turn", "Said", "Said",
    ]  # fmt: skip
    assert told[0] == Turn(0, "request")
    assert told[1] == Said("user", "Please renew my loan.\nIt's urgent.")
    assert told[3] == Happened("asked", "email")
    assert told[5] == Happened("revealed", "email adda@example.com")
    assert told[9] == Happened("declined", 'renew_loan(loan_id="LN-00001")')
    assert told[10] == Happened("corrected", "loan_id should be Loan (B)")
    assert told[14] == Turn(1, "further wish", ("pay_fine",))
    assert told[16] == Said("agent", "")


def test_a_call_says_what_came_of_it_and_whether_it_is_to_be_learned() -> None:
    task = talk.task()
    calls = [e for e in conversation(task, talk.trajectory(task)).entries if isinstance(e, Called)]
    refused, read, write = calls
    assert refused.call == 'find_member(email="adda@example.com")'
    assert refused.refusal == "not_found: Nobody has that address."
    assert [one.learned for one in calls] == [False, True, True]
    assert (read.refusal, read.changes, read.violated) == ("", (), ())
    assert write.changes == (
        ("~ loans LN-00002", "due_on 2026-04-02 → 2026-05-02, note – → x"),
        ("+ events new-1", "kind renewal"),
    )
    assert write.violated == ("identify_first",)


def test_requirements_come_with_how_they_came_out_and_why() -> None:
    task = talk.task()
    told = conversation(task, talk.trajectory(task))
    assert told.passed is False
    by_id = {demand.id: demand for demand in told.demands}
    assert by_id["renewed"].passed is True
    assert by_id["renewed"].check == "1 value of the final state against the goal"
    assert by_id["due"].check == "due_on (date)"
    assert by_id["named"].check == "rule renewals_left: renew / extend and limit"
    assert by_id["named"].evidence == ("reason: no refusal",)
    assert (by_id["state@1"].turn, by_id["state@1"].passed) == (1, False)
    assert by_id["state@1"].evidence == ("expected 1 from SELECT 1",)


def test_it_is_said_who_asks_and_for_what() -> None:
    task = talk.task()
    facts = dict(conversation(task, talk.trajectory(task)).facts)
    assert facts["kind"] == "act+ask: selection, further-wish, correction"
    assert facts["world"] == "library_lending 1, seed 3"
    assert facts["user"] == "MEM-0001, hurried, channel chat, patience 3"
    assert facts["knows"] == "email ada@example.com (tells when asked)"
    assert facts["takes"] == "calls 1, writes 1, turns 1"
    assert facts["agent"] == "expert; calls 3; ended: done"
    assert "benchmark" not in facts


def test_a_task_alone_shows_turns_script_and_golden_solution() -> None:
    task = talk.task()
    told = conversation(task, attempts=[Attempt("f" * 32, "guess", False)])
    assert told.passed is None
    assert told.entries == (
        Turn(0, "request"),
        Said("user", "Please renew my loan.\nIt's urgent."),
        Turn(1, "further wish", ("pay_fine",)),
        Said("user", "And pay my fine."),
    )
    assert told.script == (
        "gives adda@example.com as email first, then “Sorry, ada@example.com.”",
        'declines renew_loan(loan_id="LN-00001"), says “No, the other one.” (wants Loan (B))',
        "turn 1: confirms pay_fine(amount=200)",
        "asked for email, says “It's ada@example.com.”",
    )
    assert told.solution == (
        Called('renew_loan(loan_id="LN-00001")'),
        Said("agent", "It is due on April 6."),
    )
    assert {demand.passed for demand in told.demands} == {None}
    assert told.certificate == (("solvable", "runs 3; calls 1"), ("honest text", "shown"))
    assert ("attempt", f"{'f' * 32} guess, failed") in told.facts


def test_a_record_of_another_generator_is_read_as_well() -> None:
    bare = samples.task(certificate=None)
    told = conversation(bare, samples.trajectory(task_id=bare.id))
    assert told.script == told.certificate == ()
    assert told.entries[-1] == Called(
        'renew_loan(loan_id="LN-00010")',
        {"error": {"code": "loan_not_found"}},
        "loan_not_found",
        learned=False,
    )
    assert conversation(bare).script == ('{"act": "thank"}',)


def test_every_form_of_check_has_words() -> None:
    said = [wording.check(one.check) for one in samples.requirements()]
    assert said == [
        "1 value of the final state against the goal",
        "no cell may differ but those that the goal changes",
        "due_on (date)",
        "rule renewals_left: renew / extend and limit",
        "seen: loans LN-00001, books 7",
        "asked for email before the first write",
        'find_member(email="a@b.example")',
        "never return_copy",
        "no rule of the agent's own broken",
    ]


@pytest.mark.parametrize(
    ("result", "lines"),
    [
        ({"total": 0, "next": None}, ["total 0"]),
        ({"loan": {"id": "L-1", "note": None}}, ["loan: id L-1"]),
        ({}, ["nothing"]),
        ("plain", ["plain"]),
        ({"names": ["a", "b"], "rows": []}, ['names ["a", "b"] · rows []']),
        (
            {"loans": talk.LOANS, "total": 5},
            [
                "total 5",
                "loans: 5, all member_id M-1",
                "  loan_id LN-00001 · due_on 2026-04-01",
                "  loan_id LN-00002 · due_on 2026-04-02",
                "  loan_id LN-00003 · due_on 2026-04-03",
                "  … 2 more",
            ],
        ),
        ({"rows": [{"a": 1}, {"a": 1}]}, ["rows: 2, all a 1", "  nothing", "  nothing"]),
        ({"rows": [{"a": 1}, 7]}, ["rows: 2", "  a 1", "  7"]),
    ],
)
def test_a_result_is_shortened_to_what_tells_rows_apart(result: object, lines: list[str]) -> None:
    assert wording.outline(result) == lines


def test_nothing_that_a_model_says_reaches_a_terminal_as_a_command() -> None:
    hostile = "\x1b[2Jgone\x07 \u202eevil\u2069\r\nnext\ttab 👩‍👧"
    assert wording.clean(hostile) == "�[2Jgone� �evil�\nnext\ttab 👩‍👧"
    task = talk.task()
    steps = (talk.said(0, "agent", hostile), talk.called(1, "a\x1b[1m", {"b\x1b": "\x9b"}))
    told = conversation(task, talk.trajectory(task, steps=steps))
    entry = told.entries[2]
    assert isinstance(entry, Called)
    assert "\x1b" not in entry.call + "".join(wording.outline(entry.result))
    assert "\x9b" not in wording.whole(entry.result)
    assert told.entries[1] == Said("agent", wording.clean(hostile))


@pytest.mark.parametrize(
    ("found", "lines"),
    [
        (None, []),
        ({"message": "Hello", "reason": "nothing was said"}, ["reason: nothing was said"]),
        ({"changed": [["loans", "L-1"]], "created": {}}, ['changed: [["loans", "L-1"]]']),
        (
            {"failed": [{"slot": "due", "expected": ["2026-04-06"], "found": []}]},
            ['failed: slot due · expected ["2026-04-06"] · found []'],
        ),
        ({"reached": "turn 1"}, ["reached: turn 1"]),
    ],
)
def test_evidence_is_told_in_lines(found: object, lines: list[str]) -> None:
    form = samples.requirements()[2].check
    assert wording.evidence(form, found) == lines
