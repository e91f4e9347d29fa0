"""Generated tasks of the shipped domains, drawn small for the tests of agents."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from davinci_env.agents import Agent, ScriptedUser
from davinci_env.environment import DomainEnvironment, open_environment
from davinci_env.episodes.runner import play_task
from davinci_env.records import Task, Verdict
from davinci_env.tasks.assemble import assemble
from davinci_env.tasks.kinds import DRAWS
from davinci_env.tasks.missed import NoCandidate
from davinci_env.verify import Verifier, appearing

SHIPPED = ("library_lending", "order_management", "clinic_appointments")


@dataclass(frozen=True)
class Drawn:
    """A task, and an environment at its start (with an empty log)."""

    task: Task
    environment: DomainEnvironment

    def play(self, agent: Agent) -> Verdict:
        """Let an agent play and judge it; the environment keeps what happened."""
        verifier = Verifier(self.task, self.environment)
        play_task(self.task, self.environment, agent, ScriptedUser(self.task))
        return verifier.judge(self.environment)


@cache
def _world(domain: str, seed: int) -> DomainEnvironment:
    return open_environment(domain, seed=seed)


def drawn_tasks(
    domain: str, *, kinds: Sequence[str] = tuple(DRAWS), seeds: Sequence[int]
) -> Iterator[Drawn]:
    """Tasks of these kinds, one draw a seed. Each is to be played before the next is taken."""
    for seed in seeds:
        environment = _world(domain, seed)
        people = [row.id for row in environment.world.all(environment.domain.identity)]
        for kind in kinds:
            rng = random.Random(f"{seed}{kind}")
            environment.reset()
            environment.appearing = {}
            environment.act_for(rng.choice(people))
            try:
                drafts = DRAWS[kind](environment, rng, lambda tool: 1.0)
            except NoCandidate:
                continue
            for draft in drafts:
                environment.reset()
                environment.appearing = {}
                task = assemble(draft, environment, seed)
                environment.appearing = appearing(task, environment.domain)
                yield Drawn(task, environment)
