"""Certificates: a verifier is guilty until proven sound.

Each claim of the house's list is shown by executing something on the task's own world; nothing is
taken from the generator. A task that fails a claim is rejected with the claim's reason code.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

import orjson

from ..agents import make_agent
from ..agents.oracle import Oracle
from ..agents.users import ScriptedUser
from ..environment import DomainEnvironment, Message
from ..episodes.runner import play_task
from ..errors import DefectError
from ..records import Call, LookedUpCheck, NotCalledCheck, Source, Task, Verdict
from ..verify import Verifier, appearing
from ..verify.goals import Goal
from .answers import answer_variants, slots_of
from .guesses import guessed_ids
from .honesty import dishonesty
from .mutants import Mutant, Mutator
from .replay import Named, Replay
from .scripts import GOLDEN, Do, Key, Script, meanings_of, outcome_key, perform, script_of

BASELINES = ("noop", "talk", "reader", "refuse", "ask-always", "guess")
MIN_OUTCOMES = 8
MIN_OPERATORS = 5
MAX_DEEDS = 18
MORE_DEEDS = 6
"""Deeds that are tried at a time where those were not enough."""


class Rejected(Exception):
    """A task fails a claim."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason, self.detail = reason, detail


@dataclass
class _Trial:
    """What the claims share: the verifier, the golden script and what all mutants did."""

    task: Task
    environment: DomainEnvironment
    verifier: Verifier
    start: Any
    golden: Script = field(default_factory=lambda: Script(()))
    accepted: set[Key] = field(default_factory=set)
    golden_key: Key = ()
    alone: set[str] = field(default_factory=set)

    def judge_all(self, scripts: Iterable[Named]) -> Iterator[tuple[str, Script, Verdict, Key]]:
        """Play scripts from the start, in an order of their own, and judge them. One that is lost
        is not played on.
        """
        replay = Replay(self.golden, self.environment, self.start, self._lost)
        for name, script in replay.play_all(scripts):
            yield name, script, *self.judge(script)

    def judge(self, script: Script) -> tuple[Verdict, Key]:
        """Judge a script that was played."""
        checkpoints = self.verifier.checkpoints(self.environment)
        hashes = tuple(checkpoint.state_hash for checkpoint in checkpoints)
        key = outcome_key(self.task, script, self.environment, hashes)
        return self.verifier.verdict(checkpoints), key

    def _lost(self) -> bool:
        """Whether the turns that are over fail, in other states than any accepted outcome has."""
        ended = self.verifier.ended(self.environment)
        hashes = tuple(checkpoint.state_hash for checkpoint in ended)
        if any(key[0][: len(hashes)] == hashes for key in self.accepted):
            return False
        return self.verifier.hopeless(ended)

    def meaning(self, script: Script) -> Key:
        """The golden outcome, but for what the script's messages mean."""
        golden = self.golden_key
        return (*golden[:2], meanings_of(script), *golden[3:])

    def telling(self, verdict: Verdict) -> list[str]:
        """The requirements that fail in the first turn in which some do: what fails later may only
        follow from it.
        """
        turns = {r.id: r.turn for r in self.task.requirements}
        failed = [v.id for v in verdict.requirements if not v.passed]
        first = min((turns[name] for name in failed), default=0)
        return [name for name in failed if turns[name] == first]

    def key(self, script: Script) -> Key:
        """What the script came to, as it was performed."""
        hashes = self.verifier.hashes(self.environment)
        return outcome_key(self.task, script, self.environment, hashes)


def certify(task: Task, environment: DomainEnvironment) -> dict[str, Any]:
    """Show every claim for a task and return the certificate.

    Args:
        environment: stands at the task's start; it is left as it was.

    Raises:
        Rejected: a claim doesn't hold; with its reason code.
        DefectError: a check or a goal can't be evaluated.
    """
    start = environment.snapshot()
    before, environment.appearing = environment.appearing, appearing(task, environment.domain)
    try:
        trial = _Trial(task, environment, Verifier(task, environment), start)
        solvable = _solvable(trial)  # first: it makes the golden script
        certificate = {
            "not_already_true": _not_already_true(trial),
            "solvable": solvable,
            "not_vacuous": _not_vacuous(trial),
            "sound": _sound(trial),
            "needed": _needed(trial),
            "complete": _complete(trial),
            "honest_text": _honest_text(trial),
        }
    finally:
        environment.restore(start)
        environment.release(start)
        environment.appearing = before
        environment.before_turn.clear()
    return certificate


def _not_already_true(trial: _Trial) -> dict[str, Any]:
    """Every state, answer and must-trace requirement is false when its turn begins."""
    wanted: list[str] = []
    already: list[str] = []
    for turn, begin in enumerate((0, *trial.golden.turns[:-1])):
        must = _must_come_true(trial.task, turn)
        trial.environment.restore(trial.start)
        perform(Script(trial.golden.entries[: begin + 1] if turn else ()), trial.environment)
        verdict = trial.verifier.judge(trial.environment)
        already += [v.id for v in verdict.requirements if v.id in must and v.passed]
        wanted += must
    if already or not wanted:
        raise Rejected("already-true", ", ".join(already) or "nothing is required")
    return {"requirements": wanted}


def _must_come_true(task: Task, turn: int) -> list[str]:
    """The state, answer and must-trace requirements of a turn but for look-ups, which an earlier
    turn may have made; what must not be is true at the start.
    """
    return [
        r.id
        for r in task.requirements
        if r.turn == turn
        and r.kind in ("state", "answer", "trace")
        and not isinstance(r.check, NotCalledCheck)
        and not (turn and isinstance(r.check, LookedUpCheck))
    ]


def _solvable(trial: _Trial) -> dict[str, Any]:
    """The golden solution passes three times with equal bytes, from revealed facts only."""
    task, environment = trial.task, trial.environment
    seen: set[bytes] = set()
    for _ in range(3):
        environment.restore(trial.start)
        play_task(task, environment, Oracle(task), ScriptedUser(task))
        verdict = trial.verifier.judge(environment)
        if not verdict.passed:
            failed = [r.id for r in verdict.requirements if not r.passed]
            raise Rejected("golden-fails", ", ".join(failed))
        seen.add(
            orjson.dumps(
                [environment.capture().diff, [c.result.text for c in environment.log.calls()]]
            )
        )
    if len(seen) != 1:
        raise Rejected("not-deterministic")
    guessed = guessed_ids(environment)
    if guessed:
        raise Rejected("guessed-id", ", ".join(guessed))
    trial.golden = script_of(environment.log)
    key = trial.key(trial.golden)
    trial.golden_key = key
    alternatives = [tuple(turn.state_hash for turn in goal) for goal in trial.verifier.goals]
    trial.accepted |= {key, *((hashes, *key[1:]) for hashes in alternatives)}
    return {"runs": 3, "calls": sum(isinstance(s, Call) for s in task.solution)}


def _not_vacuous(trial: _Trial) -> dict[str, Any]:
    """Agents that don't do the work earn nothing."""
    environment, task = trial.environment, trial.task
    for name in BASELINES:
        environment.restore(trial.start)
        agent = make_agent(name, task, environment.domain)
        play_task(task, environment, agent, ScriptedUser(task), max_steps=20)
        if trial.verifier.judge(environment).passed:
            raise Rejected("baseline-passes", name)
    return {"baselines": list(BASELINES)}


def _sound(trial: _Trial) -> dict[str, Any]:
    """Every mutant that comes to another outcome fails."""
    trial.environment.restore(trial.start)
    mutator = Mutator(
        trial.task, trial.golden, trial.environment, expected_values(trial.verifier),
        random.Random(trial.task.id),
    )  # fmt: skip
    outcomes: dict[Key, str] = {}
    operators: set[str] = set()
    made = equivalent = deeds = 0
    for is_deed, mutant, verdict, key in _tried(trial, mutator):
        made += 1
        deeds += is_deed
        if key in trial.accepted:
            equivalent += 1
        else:
            if verdict.passed:
                raise Rejected("mutant-passes", f"{mutant.operator}: {mutant.script.final()}")
            outcomes[key] = mutant.operator
            operators.add(mutant.operator)
            telling = trial.telling(verdict)
            if len(telling) == 1:
                trial.alone.add(telling[0])
        if deeds >= MAX_DEEDS and _enough(outcomes, operators, trial):
            break
    if len(outcomes) < MIN_OUTCOMES:
        raise Rejected("few-outcomes", f"{len(outcomes)} of {MIN_OUTCOMES}")
    if len(operators) < MIN_OPERATORS:
        raise Rejected("few-operators", f"{len(operators)} of {MIN_OPERATORS}")
    return {
        "mutants": made, "equivalent": equivalent, "outcomes": len(outcomes),
        "operators": sorted(operators),
    }  # fmt: skip


def _tried(trial: _Trial, mutator: Mutator) -> Iterator[tuple[bool, Mutant, Verdict, Key]]:
    """Whether it is a deed, the mutant, its verdict and outcome: first all words, said at the end
    of a turn, then the deeds, by the batch.
    """
    yield from _tried_words(trial, mutator)
    deeds = mutator.deeds()
    for size in itertools.chain([MAX_DEEDS], itertools.repeat(MORE_DEEDS)):
        batch = [(mutant.operator, mutant.script) for mutant in itertools.islice(deeds, size)]
        if not batch:
            return
        for operator, script, verdict, key in trial.judge_all(batch):
            yield True, Mutant(operator, script), verdict, key


def _tried_words(trial: _Trial, mutator: Mutator) -> Iterator[tuple[bool, Mutant, Verdict, Key]]:
    """Other final messages in one golden episode."""
    environment, golden, verifier = trial.environment, trial.golden, trial.verifier
    last, played = len(golden.turns) - 1, 0
    for turn in range(last + 1):
        head, _ = golden.split(turn)
        perform(Script(head[played:]), environment)
        played, before = len(head), environment.snapshot()
        for mutant in mutator.words(turn):
            environment.observe(Message("assistant", mutant.script.final(turn)))
            if turn == last:
                found = trial.judge(mutant.script)
            else:  # nothing but this turn becomes another
                found = verifier.judge_turn(environment), trial.meaning(mutant.script)
            environment.restore(before)
            yield False, mutant, *found
    environment.restore(trial.start)


def _enough(outcomes: dict[Key, str], operators: set[str], trial: _Trial) -> bool:
    enough = len(outcomes) >= MIN_OUTCOMES and len(operators) >= MIN_OPERATORS
    return enough and set(_must_be_needed(trial.task)) <= trial.alone


def _must_be_needed(task: Task) -> list[str]:
    """The state, answer and trace requirements but for look-ups, which the rest often implies."""
    return [
        r.id
        for r in task.requirements
        if r.kind in ("state", "answer", "trace") and not isinstance(r.check, LookedUpCheck)
    ]


def _needed(trial: _Trial) -> dict[str, Any]:
    """Without any one requirement, some mutant would pass."""
    needed = _must_be_needed(trial.task)
    redundant = [name for name in needed if name not in trial.alone]
    if redundant:
        raise Rejected("redundant", ", ".join(redundant))
    exempt = [r.id for r in trial.task.requirements if isinstance(r.check, LookedUpCheck)]
    return {"requirements": needed, "exempt": exempt}


def _complete(trial: _Trial) -> dict[str, Any]:
    """Other right ways pass: independent writes in another order, more reads, other formats of the
    answer.
    """
    passed: list[str] = []
    for name, _, verdict, key in trial.judge_all(_variants(trial)):
        if key not in trial.accepted:
            continue  # not equivalent: no claim is made of it
        if not verdict.passed:
            failed = [v.id for v in verdict.requirements if not v.passed]
            raise Rejected("variant-fails", f"{name}: {', '.join(failed)}")
        passed.append(name)
    return {"variants": passed}


def _variants(trial: _Trial) -> Iterable[tuple[str, Script]]:
    golden, tools = trial.golden, trial.environment.domain.tools
    reads = [e for e in golden.entries if isinstance(e, Do) and tools[e.tool].kind == "read"]
    if reads:
        yield "reads-again", golden.insert_before_end(*reads)
    free = [t for t in tools.values() if t.kind == "read" and t.public and not t.identification]
    browsed = [Do(t.name, {}) for t in free if not t.binder.schema.get("required")]
    if browsed:
        yield "extra-reads", golden.insert_before_end(*browsed[:2])
    writes = [
        i
        for i, e in enumerate(golden.entries)
        if isinstance(e, Do) and tools[e.tool].kind == "write"
    ]
    turns = golden.turns
    for a, b in itertools.pairwise(writes):
        if any(a < turn < b for turn in turns):
            continue
        entries = list(golden.entries)
        entries[a], entries[b] = entries[b], entries[a]
        yield "reordered", replace(golden, entries=tuple(entries))
    values, domain = expected_values(trial.verifier), trial.environment.domain
    for turn in range(len(turns)):
        for text in answer_variants(trial.task, turn, golden.final(turn), values, domain):
            yield "other-format", golden.saying(text, GOLDEN, turn)


def _honest_text(trial: _Trial) -> dict[str, Any]:
    """The request says what its requirements use, and doesn't give the answer away."""
    domain = trial.environment.domain
    found = dishonesty(trial.task, domain, expected_values(trial.verifier))
    if found is not None:
        raise Rejected(*found)
    return {"checked": True}


_READERS: dict[str, Any] = {
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "yesno": bool,
}


def expected_values(verifier: Verifier) -> dict[str, Any]:
    """Expected and decoy values of the answer slots, typed, by `<slot>` and `<slot>:decoys`."""
    values: dict[str, Any] = {}

    def read(goal: Goal, source: Source, kind: str) -> list[Any]:
        convert = _READERS.get(kind, lambda v: v)
        return [convert(row[0]) for row in goal.values[source] if row[0] is not None]

    asked = [
        (goal, slot)
        for turn, goal in enumerate(verifier.goals[0])
        for slot in slots_of(verifier.task, turn)
    ]
    for goal, slot in asked:
        expected = read(goal, slot.expected, slot.type)
        if not expected:
            raise DefectError(f"the expected value of {slot.name} is empty")
        values[slot.name] = expected[0]
        values[f"{slot.name}:decoys"] = read(goal, slot.decoys, slot.type) if slot.decoys else []
    return values
