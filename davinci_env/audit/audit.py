"""The audit: static checks, walks with a check on every call, coverage, likeness, mutants."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from ..compose import Composition
from ..domain import Domain
from ..environment import DomainEnvironment
from .accounts import broken_references, orm_disagreement, stale_rows
from .agreement import Agreement
from .bodies import check_bodies
from .cases import Novelty
from .contracts import check_contracts
from .duties import check_duties
from .house import check_house, statistics_of
from .hunt import hunt
from .inputs import check_inputs
from .joined import check_alone, check_joined
from .machine import run_machine
from .remedies import check_remedies
from .report import AuditReport, Findings
from .similarity import compare
from .source import Source
from .tally import Tally
from .texts import check_texts
from .walk import Plan, Walk
from .wire import check_wire

Progress = Callable[[int, int, str], None]
Profile = Literal["quick", "full"]

QUICK = Plan(worlds=((0, 1.0), (1, 0.4)), people=8, steps=60, pushes=6, thorough=3, paths=30)
FULL = Plan(
    worlds=((0, 1.0), (1, 0.4), (2, 1.0), (3, 1.6)),
    people=14,
    steps=110,
    pushes=10,
    thorough=6,
    paths=60,
)
PLANS: dict[str, Plan] = {"quick": QUICK, "full": FULL}

SAMPLE = {"quick": 8, "full": 40}
"""How many mutants an audit samples if it is not told."""

TOP_UPS = ((101, 1.0), (102, 1.0), (103, 0.5), (104, 1.4), (105, 1.0))
"""Worlds to hunt in before something is reported as never seen: coverage depends on the path."""


def audit(
    domain: Domain,
    profile: Profile = "quick",
    *,
    seed: int = 0,
    mutants: bool | int = True,
    house: bool | None = None,
    progress: Progress | None = None,
) -> AuditReport:
    """Audit a domain.

    Args:
        domain: a finished domain.
        profile: how far to walk: "quick" takes seconds, "full" a minute and more.
        seed: what walks and the sample of mutants are drawn with; the same seed gives the same
            report.
        mutants: whether to sample mutants of the domain's file, or how many (0: none). They run in
            processes of their own, and need a domain that was loaded from a file.
        house: whether to ask for the sizes of a finished domain of the catalogue; by default of
            domains that ship.
        progress: called with (done, total, note).
    """
    plan = PLANS[profile]
    findings = Findings()
    tell = progress or (lambda done, total, note: None)
    number = SAMPLE[profile] if mutants is True else int(mutants)
    total = 3 + len(plan.worlds) + (number if domain.path else 0)
    statistics, similarity = _static(domain, domain.shipped if house is None else house, findings)
    tell(1, total, "static checks")
    walker = Walker(domain, plan, seed, findings)
    tally = walker.run(lambda n, note: tell(1 + n, total, note))
    _machine(domain, profile, seed, findings, tally)
    summary = tally.summary()
    if isinstance(domain, Composition):
        summary["calls_alone"] = check_alone(domain, seed, findings)
    tell(3 + len(plan.worlds), total, "hypothesis")
    report = AuditReport(
        domain.name, profile, seed, findings.sorted(), summary, similarity, statistics
    )
    if number and domain.path is not None:
        from .mutants import try_mutants

        known = frozenset(finding.key for finding in report.findings)
        done = 3 + len(plan.worlds)
        report.mutants = try_mutants(
            domain.path, known, number=number, seed=seed,
            tell=lambda n, note: tell(done + n, total, note),
        )  # fmt: skip
    return report


def check_statically(domain: Domain, findings: Findings) -> Source:
    """Every check for which nothing has to run. The texts of joined domains are looked at in the
    audit of each.
    """
    source = Source(domain)
    check_contracts(domain, source, findings)
    if isinstance(domain, Composition):
        check_joined(domain, findings)
    else:
        check_texts(domain, source, findings)
    check_bodies(domain, source, findings)
    check_wire(domain, findings)
    return source


def _static(
    domain: Domain, house: bool, findings: Findings
) -> tuple[dict[str, Any], dict[str, float]]:
    source = check_statically(domain, findings)
    statistics = statistics_of(domain)
    if isinstance(domain, Composition):
        return statistics, {}
    like, shared = compare(domain)
    statistics["shared_sentences"] = max(shared.values(), default=0.0)
    statistics["similarity"] = max(like.values(), default=0.0)
    if house:
        check_house(domain, source, statistics, statistics["shared_sentences"], findings)
    return statistics, like


@dataclass
class Walker:
    """Walks through the worlds of a plan, one after the other.

    `lean` leaves out what only an error of the engine could bring to light (mutants are tried so).
    """

    domain: Domain
    plan: Plan
    seed: int
    findings: Findings
    lean: bool = False
    tally: Tally = field(init=False)
    novelty: Novelty = field(default_factory=Novelty)
    blocked: Counter[tuple[str, str]] = field(default_factory=Counter)

    agreement: Agreement = field(init=False)

    def __post_init__(self) -> None:
        self.agreement = Agreement(self.domain)
        self.tally = Tally(self.domain, self.findings.known or frozenset())

    def run(self, tell: Callable[[int, str], None] = lambda n, note: None) -> Tally:
        """Walk through all worlds, hunt for what was not seen, and report what never was."""
        for number, (world_seed, scale) in enumerate(self.plan.worlds):
            self.enter(world_seed, scale, first=number == 0)
            tell(1 + number, f"world {number + 1}")
        for world_seed, scale in TOP_UPS:
            if self.tally.missing():
                self.enter(world_seed, scale, hunting=True)
                tell(len(self.plan.worlds), "hunting")
        self.agreement.report(self.findings)
        for _, finding in self.tally.missing():
            self.findings.add(finding.check, finding.subject, finding.text, finding.line)
        return self.tally

    def enter(self, seed: int, scale: float, *, first: bool = False, hunting: bool = False) -> None:
        """Build one world and walk or hunt in it."""
        seed += self.seed
        domain, findings = self.domain, self.findings
        if not _seeds(domain, seed, scale, findings, twice=not self.lean):
            return
        world = domain.build(seed, scale)
        environment = DomainEnvironment(domain, world, seed=seed, scale=scale)
        try:
            if first:
                check_inputs(environment, findings)
                check_duties(environment, findings)
                check_remedies(environment, findings)
            rng = random.Random(f"{domain.name}:{seed}:{scale}")
            walk = Walk(
                environment, findings, self.tally, self.plan, rng, self.novelty, self.blocked
            )
            walk.examiner.invariants.at_start(world, f"seed {seed} at scale {scale:g}")
            if hunting:
                hunt(walk, self.plan.paths)
            else:
                walk.run()
                self.agreement.look(environment)
            for check in () if self.lean else (stale_rows, orm_disagreement, broken_references):
                fault = check(world)
                if fault is not None:
                    findings.add("accounts", domain.name, fault)
        finally:
            environment.close()


def _seeds(domain: Domain, seed: int, scale: float, findings: Findings, *, twice: bool) -> bool:
    """Whether the seed function runs, and gives the same rows again."""
    try:
        first = domain.build(seed, scale).image
        if not twice:
            return True
        again = domain.image(seed, scale)
    except Exception as error:  # a seed that fails is a finding
        text = f"fails with {type(error).__name__} for seed {seed} at scale {scale:g}: {error}"
        findings.add("seed", domain.name, text)
        return False
    if first.hash != again.hash:
        findings.add("seed", domain.name, f"gives other rows each time (seed {seed})")
    return True


def _machine(domain: Domain, profile: str, seed: int, findings: Findings, tally: Tally) -> None:
    examples, steps = {"quick": (4, 30), "full": (16, 50)}[profile]
    run_machine(domain, findings, tally, seed=seed, examples=examples, steps=steps)
