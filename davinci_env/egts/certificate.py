"""Certificates of tasks in systems that can be restored: what is shown of a verifier by executing.

The claims have the names that they have for domains (`davinci_env.certify`), so that whoever reads
records finds one form. A task that fails a claim is rejected with the claim's reason code.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..environment import Log
from ..records import AnswerRequirement, StateRequirement, Task, Verdict
from .audit import Fault
from .judging import Judge
from .lexicon import Lexicon
from .model import Candidate, Slot
from .mutants import NOTHING, Mutator, in_place
from .scripts import (
    Do,
    Hear,
    Script,
    Tell,
    final_of,
    log_of,
    perform,
    put,
    script_of,
    trace_of,
)
from .systems import SystemEnvironment
from .tasks import asked_slots
from .values import formats, say

MOST_MUTANTS = 12
MOST_OVER_MCP = 6
"""Mutants that are tried; as many again where they come to too few different outcomes."""

MIN_OUTCOMES = 4
MIN_OPERATORS = 3
"""Half of what a domain's task has to show; less only where there is nothing more to try."""

RUNS = 3

Key = tuple[str, tuple[Any, ...]]
"""What an episode comes to: the state it leads to, and what other things it says."""


class Uncertified(Exception):
    """A task fails a claim."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.fault = Fault(reason, detail)


@dataclass
class _Trial:
    task: Task
    candidate: Candidate
    environment: SystemEnvironment
    lexicon: Lexicon
    judge: Judge
    script: Script
    log: Log
    state_hash: str
    most: int

    @property
    def silent(self) -> Log:
        """The user's messages, and nothing done or said."""
        return log_of(entry for entry in self.script if isinstance(entry, Hear))

    def say(self, script: Script) -> Verdict:
        """Judge other words after the same deeds."""
        return self.judge.verdict(self.state_hash, log_of(script, self.log))

    def play(self, script: Script) -> tuple[Verdict, str]:
        """Play a script from the start and judge it."""
        self.environment.reset()
        perform(script, self.environment)
        verdict = self.judge.judge(self.environment)
        return verdict, self.environment.state_hash


def certify(
    task: Task,
    candidate: Candidate,
    environment: SystemEnvironment,
    lexicon: Lexicon,
    *,
    most: int = MOST_MUTANTS,
) -> dict[str, Any]:
    """Show every claim for a task, of which a replay has just been played.

    Args:
        environment: as the replay ended; it stands anywhere afterwards.
        most: mutants that are tried.

    Raises:
        Uncertified: a claim doesn't hold.
        SystemFailure: the system left its contract.
    """
    trial = _Trial(
        task, candidate, environment, lexicon, Judge(task, environment.metadata.policy),
        script_of(environment.log), Log(list(environment.log.entries)),
        environment.state_hash, most,
    )  # fmt: skip
    return {
        "not_already_true": _not_already_true(trial),
        "solvable": _solvable(trial, trace_of(environment)),
        "not_vacuous": _not_vacuous(trial),
        "sound": _sound(trial),
        "complete": _complete(trial),
    }


def _not_already_true(trial: _Trial) -> dict[str, Any]:
    """Every state and answer requirement is false where nothing was done."""
    kinds = (StateRequirement, AnswerRequirement)
    wanted = [r.id for r in trial.task.requirements if isinstance(r, kinds)]
    verdict = trial.judge.verdict(trial.environment.start_hash, trial.silent)
    already = [v.id for v in verdict.requirements if v.id in wanted and v.passed]
    if already or not wanted:
        raise Uncertified("already-true", ", ".join(already) or "nothing is required")
    return {"requirements": wanted}


def _solvable(trial: _Trial, trace: bytes) -> dict[str, Any]:
    """The replay passes and gives the same bytes each time."""
    for _ in range(RUNS - 1):
        verdict, _ = trial.play(trial.script)
        if trace_of(trial.environment) != trace:
            raise Uncertified("not-deterministic")
        if not verdict.passed:
            raise Uncertified("golden-fails", ", ".join(_failed(verdict)))
    calls = sum(isinstance(entry, Do) for entry in trial.script)
    return {"runs": RUNS, "calls": calls}


def _failed(verdict: Verdict) -> list[str]:
    return [v.id for v in verdict.requirements if not v.passed]


def _not_vacuous(trial: _Trial) -> dict[str, Any]:
    """Who does nothing, only talks, or only reads, earns nothing."""
    start = trial.environment.start_hash
    tools = {t.name: t.annotations["readOnlyHint"] for t in trial.environment.tools()}
    talk = log_of(e for e in _unknowing(trial) if not isinstance(e, Do))
    reader = tuple(
        Tell(NOTHING) if isinstance(e, Tell) else e
        for e in trial.script
        if not isinstance(e, Do) or tools.get(e.tool)
    )
    verdicts = {
        "noop": trial.judge.verdict(start, trial.silent),
        "talk": trial.judge.verdict(start, talk),
        "reader": trial.play(reader)[0],
    }
    for name, verdict in verdicts.items():
        if verdict.passed:
            raise Uncertified("baseline-passes", name)
    return {"baselines": list(verdicts)}


def _unknowing(trial: _Trial) -> Script:
    """The golden words of somebody who has not looked: without the values that were asked for."""
    script = trial.script
    for turn in range(len(trial.candidate.turns)):
        place, text = final_of(script, turn)
        for slot in _slots(trial, turn):
            text = in_place(text, slot, "what you asked for")
        if place >= 0:
            script = put(script, place, Tell(text))
    return script


def _slots(trial: _Trial, turn: int) -> list[Slot]:
    return [slot for _, slot in asked_slots(trial.candidate, turn)]


def _sound(trial: _Trial) -> dict[str, Any]:
    """Every mutant that comes to another outcome fails."""
    mutator = Mutator(
        trial.candidate, trial.script, trial.log, trial.environment.tools(), trial.lexicon,
        trial.environment.initial_state,
    )  # fmt: skip
    golden: Key = (trial.state_hash, ())
    outcomes: dict[Key, str] = {}
    operators: set[str] = set()
    made = equivalent = 0
    mutants = mutator.mutants()
    for mutant in mutants:
        made += 1
        if mutant.operator.endswith(("answer", "answers")):
            verdict, state_hash = trial.say(mutant.script), trial.state_hash
        else:
            verdict, state_hash = trial.play(mutant.script)
        key: Key = (state_hash, mutant.said or ())
        if key == golden and mutant.operator == "dropped-write":
            raise Uncertified("needless-write", "without one of the changes it comes to the same")
        if key == golden:
            equivalent += 1
        elif verdict.passed:
            raise Uncertified("mutant-passes", mutant.operator)
        else:
            outcomes.setdefault(key, mutant.operator)
        operators = set(outcomes.values())
        enough = len(outcomes) >= MIN_OUTCOMES and len(operators) >= MIN_OPERATORS
        if made >= (trial.most if enough else 2 * trial.most):
            break
    exhausted = next(mutants, None) is None
    if not outcomes or (not exhausted and len(outcomes) < MIN_OUTCOMES):
        raise Uncertified("few-outcomes", f"{len(outcomes)} of {MIN_OUTCOMES}")
    if not exhausted and len(operators) < MIN_OPERATORS:
        raise Uncertified("few-operators", f"{len(operators)} of {MIN_OPERATORS}")
    return {
        "mutants": made, "equivalent": equivalent, "outcomes": len(outcomes),
        "operators": sorted(operators),
    }  # fmt: skip


def _complete(trial: _Trial) -> dict[str, Any]:
    """Other right ways pass: more reads, the answer in another form."""
    passed: list[str] = []
    for name, script in _more_reads(trial):
        verdict, state_hash = trial.play(script)
        if state_hash != trial.state_hash:
            continue  # the read left a trace: no claim is made of it
        if not verdict.passed:
            raise Uncertified("variant-fails", f"{name}: {', '.join(_failed(verdict))}")
        passed.append(name)
    for script in _other_formats(trial):
        verdict = trial.say(script)
        if not verdict.passed:
            raise Uncertified("variant-fails", f"other-format: {', '.join(_failed(verdict))}")
        passed.append("other-format")
    return {"variants": passed}


def _more_reads(trial: _Trial) -> Iterator[tuple[str, Script]]:
    last, _ = final_of(trial.script, len(trial.candidate.turns) - 1)
    if last < 0:
        return
    tell = trial.script[last]
    tools = trial.environment.tools()
    reads = [t for t in tools if t.annotations["readOnlyHint"]]
    names = {t.name for t in reads}
    again = [e for e in trial.script if isinstance(e, Do) and e.tool in names][:1]
    if again:
        yield "reads-again", put(trial.script, last, *again, tell)
    free = [t.name for t in reads if not t.parameters.get("required")]
    unused = [name for name in free if all(name != getattr(e, "tool", "") for e in trial.script)]
    if unused:
        yield "extra-reads", put(trial.script, last, Do(unused[0], {}), tell)


def _other_formats(trial: _Trial) -> Iterator[Script]:
    for turn in range(len(trial.candidate.turns)):
        place, text = final_of(trial.script, turn)
        for slot in _slots(trial, turn):
            usual = say(slot.type, slot.value, slot.unit)
            for other in formats(slot.type, slot.value):
                if other != usual and text.count(usual) == 1:
                    yield put(trial.script, place, Tell(text.replace(usual, other)))
