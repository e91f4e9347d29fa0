"""The seeded bugs are what they say, and the audit notices all of them but one."""

import functools
import tempfile
from pathlib import Path

import pytest

from davinci_env.audit import Finding
from davinci_env.audit.audit import PLANS, Walker, check_statically
from davinci_env.audit.report import Findings, Found
from davinci_env.domain import load_file
from davinci_env.environment import DomainEnvironment
from tests.audit.seeded_bugs import BUGS, EXPECTED, MISSED, seeded, source, write

LEAST_NOTICED = 19

CHECKS = {
    "01 missing guard (an invariant stands behind it)": {"unused-rule", "governs", "invariant"},
    "01b missing guard (no invariant, used elsewhere)": {"governs"},
    "02 wrong status transition": {"frame", "lifecycle", "end-state", "invariant"},
    "03 off-by-one fee in the helper": {"doctest"},
    "03b off-by-one fee in the tool": {"invariant"},
    "04 no write": {"no-change", "change-coverage"},
    "05 write to a wrong row": {"frame"},
    "06 partial commit on error": {"forbidden-call", "atomicity"},
    "07 leak of other people's data": {"leak"},
    "08 policy text contradicts the code (number)": {"literal-number"},
    "09 unreachable tool (a guard is never true)": {"never-succeeds", "rule-coverage"},
    "09b unreachable tool (no read reveals the id)": {"unrevealed-id", "hidden-input"},
    "10 non-determinism": {"forbidden-call", "determinism"},
    "11 missing check of a foreign key": {"crash"},
    "12 wrong error": {"error-code"},
    "13 wrong pagination": {"pages"},
    "14 mutation in a read tool": {"read-changes", "crash"},
    "15 schema and description differ": {"undescribed", "phantom-argument"},
    "16 forgotten side effect": {"end-state", "invariant"},
    "17 extra write outside the frame": {"frame"},
}
"""By which checks a bug is noticed; the audit stops at the first of them."""


@functools.cache
def noticed(bug: str) -> Finding | None:
    """The first finding of an audit of the domain with one bug."""
    findings = Findings(known=frozenset())
    with tempfile.TemporaryDirectory() as folder:
        domain = load_file(write(bug, Path(folder)))
        try:
            check_statically(domain, findings)
            Walker(domain, PLANS["quick"], 0, findings, lean=True).run()
        except Found as found:
            return found.finding
    return None


def test_there_are_twenty_one_and_each_has_its_note() -> None:
    assert len(BUGS) == 21
    assert set(BUGS) == set(EXPECTED)
    assert set(BUGS) == set(CHECKS) | MISSED


@pytest.mark.parametrize("bug", BUGS)
def test_each_substitution_applies_and_the_domain_still_builds(bug: str, tmp_path: Path) -> None:
    text = seeded(bug)
    assert text != source()
    domain = load_file(write(bug, tmp_path))
    environment = DomainEnvironment(domain, domain.build(0, 0.25))
    assert environment.call("browse_books", {}).ok
    environment.close()


@pytest.mark.parametrize("bug", CHECKS)
def test_the_audit_notices_it(bug: str) -> None:
    finding = noticed(bug)
    assert finding is not None
    assert finding.check in CHECKS[bug]


def test_the_missed_ones_are_listed() -> None:
    missed = {bug for bug in BUGS if noticed(bug) is None}
    assert missed == MISSED
    assert len(BUGS) - len(missed) >= LEAST_NOTICED
