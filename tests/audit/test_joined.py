"""The audit of joined domains finds what only joining can break."""

from pathlib import Path

import pytest

from davinci_env.audit import audit
from davinci_env.audit.joined import check_alone, check_joined
from davinci_env.audit.report import Findings
from davinci_env.compose import Composition, load
from davinci_env.state import Row

FOLDER = Path(__file__).parents[1] / "support" / "joined"


def changed(folder: Path, *changes: tuple[str, str]) -> Composition:
    """The day out with these texts replaced."""
    text = (FOLDER / "day_out.py").read_text(encoding="utf-8").replace('"day_out"', '"odd_day"')
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    (folder / "odd_day.py").write_text(text, encoding="utf-8")
    found = load("odd_day", paths=[folder, FOLDER], trust=True)
    assert isinstance(found, Composition)
    return found


def found(composition: Composition) -> set[tuple[str, str]]:
    report = audit(composition, mutants=0)
    return {(finding.check, finding.subject) for finding in report.findings}


def test_an_event_that_breaks_another_domains_invariant_is_found(tmp_path: Path) -> None:
    composition = changed(
        tmp_path,
        ('hall.Locker, "emptied", changes=[sets("locker.locker_tabs.tab", bar.Tab.tip)]',
         'bar.Tab, "paid", changes=[sets("tab.locker_tabs.locker", hall.Locker.days)]'),
        ("def tips_end(db, locker)", "def tips_end(db, tab)"),
        ("    for pair in locker.locker_tabs:\n        pair.tab.tip = 0\n",
         "    for pair in tab.locker_tabs:\n        pair.locker.days = 99\n"),
    )  # fmt: skip
    assert ("invariant", "pay_tab") in found(composition)


def test_an_event_that_changes_more_than_it_says_is_found(tmp_path: Path) -> None:
    composition = changed(
        tmp_path, ("        pair.tab.tip = 0\n", "        pair.tab.total = pair.tab.total + 1\n")
    )
    assert ("frame", "empty_locker") in found(composition)


def test_an_event_that_never_does_anything_is_found(tmp_path: Path) -> None:
    composition = changed(tmp_path, ("        pair.tab.tip = 0\n", "        pass\n"))
    assert ("change-coverage", "empty_locker") in found(composition)


def test_a_rule_that_never_blocks_is_found(tmp_path: Path) -> None:
    composition = changed(
        tmp_path,
        ('all(pair.tab.status == "paid" for pair in locker.locker_tabs)',
         'all(pair.tab.status in ("open", "paid") for pair in locker.locker_tabs)'),
    )  # fmt: skip
    assert any(subject == "tab_is_paid" for _, subject in found(composition)) or (
        "code-coverage", "empty_locker",
    ) in found(composition)  # fmt: skip


def test_a_link_that_pairs_nothing_and_a_plain_number_are_found(tmp_path: Path) -> None:
    composition = changed(
        tmp_path,
        ('tab.status == "open",\n)', 'tab.status == "lost",\n)'),
        (
            "A locker is emptied only once the tab",
            "A locker is emptied within 2 hours once the tab",
        ),
    )
    findings = Findings()
    check_joined(composition, findings)
    checks = {(f.check, f.subject) for f in findings.sorted()}
    assert {("link", "LockerTab"), ("literal-number", "tab_is_paid")} <= checks


def test_a_composition_that_joins_nothing_is_found(tmp_path: Path) -> None:
    text = (FOLDER / "day_out.py").read_text(encoding="utf-8")
    head = text[: text.index("composition.link(")].replace('"day_out"', '"odd_day"')
    (tmp_path / "odd_day.py").write_text(head, encoding="utf-8")
    composition = load("odd_day", paths=[tmp_path, FOLDER], trust=True)
    assert isinstance(composition, Composition)
    findings = Findings()
    check_joined(composition, findings)
    texts = {f.text for f in findings.sorted() if f.check == "house"}
    assert texts == {
        "has no rule that crosses",
        "has no link",
        "has no value that is taken over, or event",
        "joins swim_hall, whose records go with nothing elsewhere",
        "joins snack_bar, whose records go with nothing elsewhere",
    }


def test_each_domain_behaves_as_it_does_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    composition = load("day_out", paths=[FOLDER], trust=True)
    assert isinstance(composition, Composition)
    findings = Findings()
    assert check_alone(composition, 0, findings) > 100
    assert findings.sorted() == []

    tool = composition.tools["keep_locker"]
    sound = tool.body

    def dearer(db: object, locker: Row) -> Row:
        kept = sound(db, locker)
        kept.fee = kept.fee + 1
        return kept

    monkeypatch.setattr(tool, "body", dearer)
    check_alone(composition, 0, findings)
    (finding,) = findings.sorted()
    assert (finding.check, finding.subject) == ("alone", "keep_locker")
