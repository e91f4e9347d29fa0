"""Results as tables for people: what stands where, with figures worked out by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from davinci_env.cli import results
from tests.cli.samples import (
    AUDIT,
    CHECKED,
    CORPUS,
    EPISODES,
    EXPORT,
    GENERATION,
    PROBLEM,
    REPORT,
)

Printed = Callable[..., list[str]]


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Printed:
    """Print a result and return its lines, without rules, and with single blanks."""

    def run(printer: Callable[..., None], *arguments: Any) -> list[str]:
        printer(*arguments)
        found = capsys.readouterr().out.splitlines()
        return [" ".join(line.split()) for line in found if line.strip(" ─")]

    return run


def test_a_corpus_is_a_table_by_domain_and_kind_with_both_sums(printed: Printed) -> None:
    assert printed(results.corpus, CORPUS) == [
        "Verified trajectories in here",
        "domain act ask act+ask deny all",
        "clinic 2 0 0 1 3",
        "library 0 1 1 1 3",
        "all 2 1 1 2 6",
        "solved by the expert 6 of 7 (85.7 %)",
        "tasks certified 7 of 8 asked for",
        "of kind act 3, ask 1, act+ask 1, deny 2",
        "candidates rejected 3 (30 %): baseline-passes 2, few-outcomes 1",
        "draws without a candidate 5: no free write 5",
    ]


def test_one_domain_needs_no_sum_over_domains(printed: Printed) -> None:
    one = {**CORPUS, "verified": {"clinic": {"act": 2, "deny": 1}}}
    assert printed(results.corpus, one)[1:4] == [
        "domain act deny all",
        "clinic 2 1 3",
        "solved by the expert 6 of 7 (85.7 %)",
    ]


def test_a_corpus_of_nothing_is_no_table(printed: Printed) -> None:
    nothing = {
        **GENERATION,
        "tasks": 0,
        "kinds": {},
        "domains": {},
        "rejected": {},
        "rejection_rate": 0.0,
        "verified_trajectories": 0,
        "expert_pass_rate": 0.0,
        "verified": {},
    }
    assert printed(results.corpus, nothing) == [
        "No verified trajectory in here",
        "tasks certified 0 of 8 asked for",
        "draws without a candidate 5: no free write 5",
    ]


def test_a_suite_says_what_it_holds(printed: Printed) -> None:
    assert printed(results.suite, GENERATION) == [
        "Tasks in here",
        "tasks certified 7 of 8 asked for",
        "of domain clinic 3, library 4",
        "of kind act 3, ask 1, act+ask 1, deny 2",
        "candidates rejected 3 (30 %): baseline-passes 2, few-outcomes 1",
        "draws without a candidate 5: no free write 5",
    ]


def test_certificates_and_what_does_not_hold(printed: Printed) -> None:
    failed = [{"task": "ab12", "kind": "ask", "reason": "golden-fails: answer"}]
    result = {**CHECKED, "certified": 1, "failed": failed, "problems": [PROBLEM], "updated": True}
    assert printed(results.certificates, result, "tasks.jsonl") == [
        "Certificates of tasks.jsonl",
        "certificates that hold 1 of 2",
        "of kind act 1, ask 1",
        "rewritten for the domains' present versions yes",
        "task kind why it does not hold",
        "ab12 ask golden-fails: answer",
        "line problem",
        "3 The file breaks off in the middle.",
    ]


def test_episodes_by_kind_with_their_sum(printed: Printed) -> None:
    assert printed(results.episodes, EPISODES, "runs") == [
        "Episodes of guess in runs",
        "kind passed failed rate",
        "act 0 3 0 %",
        "deny 1 2 33.3 %",
        "all 1 5 16.7 %",
    ]


def test_a_report_by_kind_domain_and_calls(printed: Printed) -> None:
    assert printed(results.report, REPORT, "runs") == [
        "Report on runs",
        "episodes 6",
        "tasks 3",
        "pass@1 16.7 %",
        "pass^2 0 %",
        "by pass@1",
        "kind act 0 %",
        "ask 99.9 %",
        "act+ask 50 %",
        "domain library 16.7 %",
        "calls 0 to 3 calls 16.7 %",
        "failed requirement episodes",
        "deny: answer 2",
    ]


def test_an_export_says_what_it_left_out(printed: Printed) -> None:
    assert printed(results.export, EXPORT) == [
        "Export in sft.jsonl",
        "rows 4",
        "read from runs/trajectories.jsonl",
        "format trl, for fine-tuning",
        "messages not to be learned 1",
        "left out not-passed 2",
    ]


def test_an_audit_with_findings_and_survivors(printed: Printed) -> None:
    assert printed(results.audit, AUDIT) == [
        "Audit of library (quick)",
        "findings 1",
        "calls 2,189",
        "tools succeeded 27 of 27",
        "size 8 tables, 6 agent rules",
        "most like clinic, 12.3 %",
        "mutants noticed 11 of 12 (91.7 %), drawn from 354 with seed 0",
        "mutants that change nothing 1",
        "Findings",
        "check about finding line",
        "frame renew_loan changes Loan.fee 120",
        "Not noticed",
        "operator line change what differs",
        "flip 9 < -> <= f() answers 1",
    ]


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0 %"),
        (0.00001, "0.1 %"),
        (0.2, "20 %"),
        (2 / 3, "66.7 %"),
        (0.9999, "99.9 %"),
        (1.0, "100 %"),
    ],
)
def test_only_none_and_all_are_nought_and_a_hundred(share: float, text: str) -> None:
    assert results.percent(share) == text
