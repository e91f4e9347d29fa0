"""What an audit says: findings, coverage, likeness to other domains, statistics, mutants."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong.

    Attributes:
        check: short name of the check that noticed it.
        subject: the tool, rule, entity or helper that it is about.
        text: what is wrong, as a clause of a sentence.
        line: the line in the domain's file, where one is known.
    """

    check: str
    subject: str
    text: str
    line: int | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells two findings apart: everything but the line."""
        return self.check, self.subject, self.text

    def __str__(self) -> str:
        place = "" if self.line is None else f" (line {self.line})"
        return f"{self.check}: {self.subject} {self.text}{place}"


class Found(Exception):
    """The audit was to stop at the first finding, and this is it."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(str(finding))
        self.finding = finding


class Findings:
    """Collects findings, each once.

    Args:
        known: keys of findings that don't count, or None to collect everything. With known ones
            given, the first other finding raises Found.
    """

    def __init__(self, known: frozenset[tuple[str, str, str]] | None = None) -> None:
        self.known = known
        self.found: dict[tuple[str, str, str], Finding] = {}

    def add(self, check: str, subject: str, text: str, line: int | None = None) -> None:
        """Note a finding. Raises Found where the first one is to end the audit."""
        finding = Finding(check, subject, text, line)
        if self.known is not None:
            if finding.key in self.known:
                return
            raise Found(finding)
        self.found.setdefault(finding.key, finding)

    def sorted(self) -> list[Finding]:
        """All findings, by check and place."""
        return sorted(self.found.values(), key=lambda f: (f.check, f.subject, f.text))


@dataclass(frozen=True)
class Survivor:
    """A mutant that no check noticed, although it behaves differently.

    Attributes:
        operator: how the domain was changed.
        line: the changed line of the domain's file.
        change: old text -> new text.
        reason: the first difference from the sound domain that a differential run saw.
    """

    operator: str
    line: int
    change: str
    reason: str

    def __str__(self) -> str:
        return f"{self.operator}, line {self.line}: {self.change}; {self.reason}"


@dataclass
class MutantReport:
    """How many of a domain's mutants the audit notices.

    Attributes:
        killed: mutants with a finding that the sound domain does not have.
        total: mutants that behave differently from the sound domain.
        equivalent: mutants in which a long differential run saw no difference; not part of `total`.
        generated: mutants that the operators make of this domain; the others are a sample of them.
        seed: what the sample was drawn with.
        survivors: what was missed.
        by_check: how many were noticed by which check first.
    """

    killed: int = 0
    total: int = 0
    equivalent: int = 0
    generated: int = 0
    seed: int = 0
    survivors: list[Survivor] = field(default_factory=list)
    by_check: dict[str, int] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Share of the mutants that behave differently and are noticed."""
        return self.killed / self.total if self.total else 1.0

    def to_json(self) -> dict[str, Any]:
        """The report as JSON."""
        return {**asdict(self), "rate": round(self.rate, 4)}


@dataclass
class AuditReport:
    """All that an audit found out.

    Attributes:
        domain: name of the domain.
        profile: "quick" or "full".
        seed: what the walks were drawn with.
        findings: what is wrong.
        coverage: how far the walks saw: calls, and of tools, codes, rules, changes and states how
            many of how many.
        similarity: likeness to each other domain of the catalogue, 0 to 1.
        statistics: sizes of the domain.
        mutants: how many mutants are noticed, if that was asked for.
    """

    domain: str
    profile: str
    seed: int
    findings: list[Finding] = field(default_factory=list)
    coverage: dict[str, Any] = field(default_factory=dict)
    similarity: dict[str, float] = field(default_factory=dict)
    statistics: dict[str, Any] = field(default_factory=dict)
    mutants: MutantReport | None = None

    @property
    def passed(self) -> bool:
        """Whether there is no finding."""
        return not self.findings

    def to_json(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "domain": self.domain,
            "profile": self.profile,
            "seed": self.seed,
            "passed": self.passed,
            "findings": [asdict(finding) for finding in self.findings],
            "coverage": self.coverage,
            "similarity": self.similarity,
            "statistics": self.statistics,
            "mutants": None if self.mutants is None else self.mutants.to_json(),
        }
