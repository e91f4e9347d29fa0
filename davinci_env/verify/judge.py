"""Judging: the requirements of a task against the states and the one log of an episode.

Each user turn has requirements of its own, judged at its checkpoint: just before the next turn
begins, or at the episode's end. A check that can't be evaluated is a defect of the task, never
"false". Where several outcomes are accepted, one of the alternatives must satisfy all requirements
together. Verdicts and evidence never reach the agent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..environment import CallEntry, DomainEnvironment, Event, Log
from ..errors import DefectError
from ..records import FrameCheck, Requirement, RequirementVerdict, Source, Task, Verdict
from .goals import Footprint, Goal, footprint, turns_of, visit_goals
from .saying import Found
from .spoken import Spoken
from .traces import judge_trace


@dataclass(frozen=True)
class Checkpoint:
    """What was found of a turn's requirements when it ended: for each alternative, by id."""

    found: tuple[dict[str, Found], ...]
    state_hash: str
    cells: int
    """Length of the cell log then."""


class Verifier:
    """The executable requirements of one task, prepared at the start state.

    Args:
        task: the task.
        environment: stands at the task's start; it is left as it was. Where the task has several
            turns, the verifier looks on from then on, to judge each as it ends.

    Raises:
        DefectError: a goal can't be carried out, or a query fails.
    """

    def __init__(self, task: Task, environment: DomainEnvironment) -> None:
        self.task = task
        self.goals = visit_goals(task, environment)
        self.turns = turns_of(task)
        self._environment = environment
        self._passed: dict[int, Checkpoint] = {}
        self._memory: dict[Any, Any] = {}
        if self.turns > 1:
            environment.before_turn.append(self._look)

    def judge(self, environment: DomainEnvironment) -> Verdict:
        """Judge the episode so far as if it had ended. It was played on the environment that the
        verifier was prepared with.
        """
        return self.verdict(self.checkpoints(environment))

    def verdict(self, checkpoints: Sequence[Checkpoint]) -> Verdict:
        """The verdict on an episode of which this was found."""
        found = [self._together(checkpoints, number) for number in range(len(self.goals))]
        best = max(found, key=self._nearness)
        verdicts = tuple(
            RequirementVerdict(id=r.id, passed=best[r.id][0], evidence=_evidence(best[r.id]))
            for r in self.task.requirements
        )
        return Verdict(passed=all(v.passed for v in verdicts), requirements=verdicts)

    def checkpoints(self, environment: DomainEnvironment) -> list[Checkpoint]:
        """How each turn that was begun ended, or stands."""
        ended = self.ended(environment)
        return [*ended, self._look_now(environment, len(ended), ended[-1] if ended else None)]

    def judge_turn(self, environment: DomainEnvironment) -> Verdict:
        """Judge the requirements of the present turn alone."""
        now = self.checkpoints(environment)[-1]
        best = max(now.found, key=lambda found: sum(passed for passed, _ in found.values()))
        verdicts = tuple(
            RequirementVerdict(id=name, passed=found[0], evidence=_evidence(found))
            for name, found in best.items()
        )
        return Verdict(passed=all(v.passed for v in verdicts), requirements=verdicts)

    def hashes(self, environment: DomainEnvironment) -> tuple[str, ...]:
        """The state's hash at each checkpoint, the present one last."""
        ended = [checkpoint.state_hash for checkpoint in self.ended(environment)]
        return (*ended, environment.capture().state_hash)

    def ended(self, environment: DomainEnvironment) -> list[Checkpoint]:
        """How each turn that is over ended."""
        return [self._passed[place] for place in _turns(environment.log)]

    def hopeless(self, ended: Sequence[Checkpoint]) -> bool:
        """Whether no alternative can be satisfied any more, whatever the later turns bring."""
        return all(
            any(not passed for turn in ended for passed, _ in turn.found[number].values())
            for number in range(len(self.goals))
        )

    def _together(self, checkpoints: Sequence[Checkpoint], alternative: int) -> dict[str, Found]:
        found: dict[str, Found] = {}
        for checkpoint in checkpoints:
            found.update(checkpoint.found[alternative])
        for requirement in self.task.requirements:
            if requirement.id not in found:
                found[requirement.id] = (False, {"reached": f"turn {len(checkpoints)}"})
        return found

    def _nearness(self, found: Mapping[str, Found]) -> tuple[int, int]:
        """How near an episode comes to an alternative: what holds, the state before the words."""
        states = [r.id for r in self.task.requirements if r.kind == "state"]
        return sum(passed for passed, _ in found.values()), sum(found[i][0] for i in states)

    # -- checkpoints -------------------------------------------------------------------------------

    def _look(self) -> None:
        """Judge the turn that is about to end."""
        environment = self._environment
        self._passed[len(environment.log)] = self.checkpoints(environment)[-1]

    def _look_now(
        self, environment: DomainEnvironment, turn: int, before: Checkpoint | None
    ) -> Checkpoint:
        begun = environment.start_mark.log_length if before is None else before.cells
        places = _turns(environment.log)
        entries = environment.log.entries
        begin = places[-1] if places else 0
        spoken = Spoken(Log(entries[begin:]).final_message, environment, self._memory)
        changed = footprint(environment, begun)
        asked = [r for r in self.task.requirements if r.turn == turn]
        shared: dict[str, Found] = {}
        for requirement in asked:
            if requirement.kind == "policy":
                broken = sorted({c for call in environment.log.calls() for c in call.violated})
                shared[requirement.id] = not broken, {"broken": broken}
            elif requirement.kind == "trace":
                shared[requirement.id] = judge_trace(requirement.check, entries, begin)
        found = []
        for goal in self.goals if turn < self.turns else ():
            against = {
                r.id: shared[r.id]
                if r.id in shared
                else _against(r, goal[turn], changed, spoken, environment)
                for r in asked
            }
            found.append(against)
        state_hash = environment.capture().state_hash
        cells = len(environment.world.log)
        return Checkpoint(tuple(found or [{}] * len(self.goals)), state_hash, cells)


def _turns(log: Log) -> list[int]:
    """Where later turns begin in a log."""
    return [i for i, e in enumerate(log) if isinstance(e, Event) and e.kind == "turn"]


def _evidence(found: Found) -> Any:
    passed, evidence = found
    return None if passed else evidence


def _against(
    requirement: Requirement,
    goal: Goal,
    changed: Footprint,
    spoken: Spoken,
    environment: DomainEnvironment,
) -> Found:
    check: Any = requirement.check
    if requirement.kind == "state":
        return _state(requirement, goal, environment)
    if isinstance(check, FrameCheck):
        return _frame(check, goal, changed)
    return spoken.judge(check, goal)


def _state(requirement: Requirement, goal: Goal, environment: DomainEnvironment) -> Found:
    check: Any = requirement.check
    expected = {name: _scalar(goal, source) for name, source in check.expected.items()}
    rows = environment.query(f"SELECT ({check.sql})", expected)
    if len(rows) != 1 or rows[0][0] not in (0, 1):
        raise DefectError(f"requirement {requirement.id} is no boolean: it gives {rows[:3]!r}")
    return bool(rows[0][0]), {"expected": expected, "predicate": check.sql}


def _scalar(goal: Goal, source: Source) -> Any:
    rows = goal.values[source]
    return rows[0][0] if rows else None


def _frame(check: FrameCheck, goal: Goal, changed: Footprint) -> Found:
    """Nothing else is changed, and nothing else was on the way: not even to be put right again, nor
    to and fro.
    """
    besides = frozenset((table, str(key), column) for table, key, column in check.cells)
    allowed = goal.footprint if check.allow == "goal" else _NOTHING
    outside = sorted(changed.cells - allowed.cells - besides)
    passing = sorted(
        cell
        for cell, times in changed.touched.items()
        if times > allowed.touched.get(cell, 0) and cell not in besides
    )
    surplus = {t: n for t, n in changed.made.items() if n > allowed.made.get(t, 0)}
    found = {
        "changed": [list(c) for c in outside],
        "created": surplus,
        "written": [list(c) for c in passing],
    }
    return not (outside or surplus or passing), found


_NOTHING = Footprint(frozenset(), {}, {}, {})


def judge(task: Task, environment: DomainEnvironment) -> Verdict:
    """Judge an episode on the environment it ran in, which is left as it is; one of several turns
    is played again, to see how each ended.
    """
    twin = environment.fresh()
    try:
        verifier = Verifier(task, twin)
        if verifier.turns == 1:
            return verifier.judge(environment)
        for entry in environment.log:
            if isinstance(entry, CallEntry):
                twin.call(entry.tool, entry.arguments)
            else:
                twin.observe(entry)
        return verifier.judge(twin)
    finally:
        twin.close()
