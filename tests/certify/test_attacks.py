"""No hostile script passes: 60 generated tasks over the three domains, beyond the mutators."""

import functools
import itertools
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from davinci_env.agents import ScriptedUser, make_agent
from davinci_env.agents.oracle import Oracle
from davinci_env.certify.certificate import expected_values
from davinci_env.certify.mutants import Mutator
from davinci_env.certify.scripts import Key, Script, outcome_key, perform, script_of
from davinci_env.environment import DomainEnvironment
from davinci_env.episodes import play_task
from davinci_env.records import LookedUpCheck, Requirement, Task
from davinci_env.tasks.units import CYCLE, Order, make
from davinci_env.verify import Verifier, open_task
from tests.certify.attacks import Attack, Attacker, Hostile

SHIPPED = ("clinic_appointments", "library_lending", "order_management")
PER_DOMAIN = 20


@functools.cache
def tasks_of(domain: str) -> tuple[Task, ...]:
    """Certified tasks of all kinds, from small worlds."""
    found: list[Task] = []
    index = 0
    while len(found) < PER_DOMAIN:
        order = Order(domain, CYCLE[index % len(CYCLE)], index, seed=77, scale=0.25)
        found += make(order).tasks
        index += 1
    return tuple(found[:PER_DOMAIN])


def outcome(task: Task, environment: DomainEnvironment, verifier: Verifier) -> Key:
    """What an episode came to, but for the words."""
    hashes = verifier.hashes(environment)
    key = outcome_key(task, script_of(environment.log), environment, hashes)
    return (*key[:2], *key[3:])


def attempts(task: Task) -> list[tuple[Attack, bool]]:
    """The attacks on a task that are wrong by outcome, and whether each passed."""
    environment = open_task(task)
    verifier = Verifier(task, environment)
    start = environment.snapshot()
    play_task(task, environment, Oracle(task), ScriptedUser(task))
    golden = outcome(task, environment, verifier)
    assert verifier.judge(environment).passed
    environment.restore(start)
    tried = []
    for attack in list(Attacker(task, environment, verifier).all()):
        environment.restore(start)
        play_task(task, environment, Hostile(attack), ScriptedUser(task), max_steps=200)
        if not attack.deed or outcome(task, environment, verifier) != golden:
            tried.append((attack, verifier.judge(environment).passed))
    environment.close()
    return tried


@pytest.mark.parametrize("domain", SHIPPED)
def test_no_attack_passes(domain: str) -> None:
    made: Counter[str] = Counter()
    through = []
    for task in tasks_of(domain):
        for attack, passed in attempts(task):
            made[attack.name] += 1
            if passed:
                through.append((attack.name, task.kind, task.request.text, attack.steps[-1:]))
    assert through == []
    assert made.total() >= 150
    assert {"claims-it", "refuses", "all-rows", "policy", "or", "never-asks"} <= set(made)


@pytest.mark.parametrize("domain", SHIPPED)
def test_a_refuser_gains_nothing_on_pairs(domain: str) -> None:
    """Whoever reads and then names some rule passes a denial or its twin, never both."""
    pairs: dict[str, list[bool]] = {}
    for task in tasks_of(domain):
        pair = str(task.request.user.style.get("pair"))
        if not pair.startswith("deny"):
            continue
        environment = open_task(task)
        verifier = Verifier(task, environment)
        agent = make_agent("refuse-after-reading", task)
        play_task(task, environment, agent, ScriptedUser(task))
        pairs.setdefault(pair, []).append(verifier.judge(environment).passed)
        environment.close()
    whole = [passed for passed in pairs.values() if len(passed) == 2]
    assert len(whole) >= 3
    assert not any(all(passed) for passed in whole)


def test_first_match_passes_at_most_half() -> None:
    """Whoever takes the first of several candidates is wrong often enough."""
    passed = played = 0
    for task in (task for domain in SHIPPED for task in tasks_of(domain)):
        environment = open_task(task)
        verifier = Verifier(task, environment)
        play_task(task, environment, make_agent("first-match", task), ScriptedUser(task))
        passed += verifier.judge(environment).passed
        played += 1
        environment.close()
    assert played == 60
    assert passed <= played / 2


def mutants(task: Task, environment: DomainEnvironment) -> Iterator[Script]:
    """The certificate's own mutants that come to another outcome than the golden script."""
    verifier = Verifier(task, environment)
    start = environment.snapshot()
    play_task(task, environment, Oracle(task), ScriptedUser(task))
    golden = script_of(environment.log)
    accepted = outcome_key(task, golden, environment, verifier.hashes(environment))
    environment.restore(start)
    values = expected_values(verifier)
    mutator = Mutator(task, golden, environment, values, random.Random(1))
    words = [mutator.words(turn) for turn in range(len(golden.turns))]
    for mutant in itertools.chain(*words, mutator.deeds()):
        perform(mutant.script, environment)
        hashes = verifier.hashes(environment)
        other = outcome_key(task, mutant.script, environment, hashes) != accepted
        environment.restore(start)
        if other:
            yield mutant.script
            environment.restore(start)


@pytest.mark.parametrize("domain", SHIPPED)
def test_no_requirement_can_be_dropped(domain: str) -> None:
    """Verifier mutation: without any one of state, frame, answer and trace, some mutant passes the
    turn; look-ups apart, which the rest often implies.
    """
    for task in tasks_of(domain)[:8]:
        environment = open_task(task)
        left = {
            r.id: Verifier(without(task, r), environment)
            for r in task.requirements
            if r.kind != "policy" and not isinstance(r.check, LookedUpCheck)
        }
        whole = Verifier(task, environment)
        for script in mutants(task, environment):
            perform(script, environment)
            assert not whole.judge(environment).passed
            left = {name: v for name, v in left.items() if not v.judge(environment).passed}
        assert not left, (task.kind, list(left))
        environment.close()


def without(task: Task, dropped: Requirement) -> Task:
    """The task up to one requirement's turn, with that requirement less: what fails later may only
    follow from it.
    """
    rest = tuple(r for r in task.requirements if r.turn <= dropped.turn and r.id != dropped.id)
    return task.model_copy(update={"requirements": rest})
