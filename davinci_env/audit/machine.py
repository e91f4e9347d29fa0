"""The hypothesis machine: rules drawn by swarm testing, with arbitrary and adversarial arguments.

It runs beside the walk, not instead of it: on a small budget swarm testing leaves tools uncalled.
Findings are collected, so there is nothing to shrink, and nothing is kept between runs.
"""

from __future__ import annotations

import random
from typing import Any

from ..domain import Domain
from ..environment import DomainEnvironment
from .cases import Drawer, Novelty
from .examine import Examiner
from .report import Findings
from .tally import Tally


def run_machine(
    domain: Domain, findings: Findings, tally: Tally, *, seed: int, examples: int, steps: int
) -> None:
    """Run a state machine over the domain's tools: one hypothesis rule for each."""
    from hypothesis import HealthCheck, Phase, settings
    from hypothesis.stateful import run_state_machine_as_test

    machine = _machine(domain, findings, tally, seed)
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, derandomize=True, database=None,
            deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip


def _machine(domain: Domain, findings: Findings, tally: Tally, seed: int) -> Any:
    from hypothesis import strategies as st
    from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

    people = len(domain.regulars(domain.build(seed)))

    class Machine(RuleBasedStateMachine):
        """One world for each example."""

        @initialize(person=st.integers(0, max(0, people - 1)), draw=st.integers(0, 2**16))
        def start(self, person: int, draw: int) -> None:
            world = domain.build(seed)
            keys = [row.id for row in domain.regulars(world)]
            self.environment = DomainEnvironment(domain, world, keys[person % len(keys)])
            self.examiner = Examiner(self.environment, findings, tally, thorough=1)
            self.drawer = Drawer(self.environment, random.Random(draw), Novelty())

        def teardown(self) -> None:
            if hasattr(self, "environment"):
                self.environment.close()

    def make(name: str) -> Any:
        tool = domain.tools[name]

        def run(self: Any, how: str, pick: int) -> None:
            drawer: Drawer = self.drawer
            drawer.rng.seed(pick)
            if how == "malformed":
                cases = list(drawer.malformed(tool))
                case = cases[pick % len(cases)] if cases else None
            elif how == "free":
                case = drawer.free(tool, drawer.survey())
            else:
                case = drawer.wide(tool)
            if case is not None:
                self.examiner.call(case)

        run.__name__ = name
        ways = st.sampled_from(["free", "free", "wide", "malformed"])
        return rule(how=ways, pick=st.integers(0, 2**16))(run)

    for name in domain.tools:
        setattr(Machine, f"call_{name}", make(name))
    return Machine
