"""The view: a task, alone or with a trajectory, as what a person reads. How it looks is decided
elsewhere.

Texts are free of control characters; results are kept whole, and shortened by whoever shows them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from davinci_env.reading import wording
from davinci_env.reading.finding import Attempt
from davinci_env.records import (
    AssistantMessage,
    Call,
    Json,
    Requirement,
    Step,
    Task,
    Trajectory,
    Verdict,
)

ACTS: Final[Mapping[str, str]] = {
    "request": "request",
    "wish": "further wish",
    "correction": "correction",
    "push-back": "push-back",
}
"""What a user does with a turn, in words."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a turn of the user's own begins."""

    index: int
    act: str
    tools: tuple[str, ...] = ()
    """Tools that appear with it."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message."""

    by: Literal["user", "agent"]
    text: str
    learned: bool = True
    """False: a mistake, not to be learned."""


@dataclass(frozen=True, slots=True)
class Called:
    """A call; what came of it is unknown in a golden solution."""

    call: str
    result: Json = None
    refusal: str = ""
    """Code and message, where it was refused."""
    changes: tuple[tuple[str, str], ...] = ()
    """Each changed row: sign, table and key; then its cells."""
    violated: tuple[str, ...] = ()
    learned: bool = True


@dataclass(frozen=True, slots=True)
class Happened:
    """What a message meant to the user."""

    kind: str
    text: str


Entry: TypeAlias = Turn | Said | Called | Happened


@dataclass(frozen=True, slots=True)
class Demand:
    """A requirement, and how it came out; `passed` is None where nobody tried."""

    id: str
    turn: int
    kind: str
    text: str
    check: str
    form: str
    """The check as the record has it."""
    passed: bool | None = None
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """All that a person reads of a task, or of a trajectory at it."""

    id: str
    title: str
    summary: str
    """The beginning of the request, for a list."""
    passed: bool | None
    facts: tuple[tuple[str, str], ...]
    entries: tuple[Entry, ...]
    script: tuple[str, ...]
    """What the user will do when asked; only without a trajectory."""
    solution: tuple[Entry, ...]
    """The golden solution; only without a trajectory."""
    demands: tuple[Demand, ...]
    certificate: tuple[tuple[str, str], ...]


def conversation(
    task: Task, trajectory: Trajectory | None = None, attempts: Sequence[Attempt] = ()
) -> Conversation:
    """Make what is read of a task, or of a trajectory at it.

    Args:
        attempts: trajectories that are known of the task, to be named where none is shown.
    """
    verdict = None if trajectory is None else trajectory.verdict
    return Conversation(
        id=task.id if trajectory is None else trajectory.id,
        title=f"{task.kind} in {task.world.name}",
        summary=wording.value(task.request.text),
        passed=None if verdict is None else verdict.passed,
        facts=tuple(_facts(task, trajectory, attempts)),
        entries=tuple(_asked(task) if trajectory is None else _happened(task, trajectory)),
        script=tuple(_script(task)) if trajectory is None else (),
        solution=tuple(_solution(task)) if trajectory is None else (),
        demands=tuple(_demand(one, verdict) for one in task.requirements),
        certificate=tuple(_certificate(task)),
    )


# -- who asks, and for what ------------------------------------------------------------------------


def _facts(
    task: Task, trajectory: Trajectory | None, attempts: Sequence[Attempt]
) -> Iterator[tuple[str, str]]:
    yield "kind", task.kind + (f": {', '.join(task.forms)}" if task.forms else "")
    yield "world", f"{task.world.name} {task.world.version}, seed {task.world.seed}"
    yield "user", _person(task)
    knows = [
        f"{wording.clean(name)} {wording.described(fact)}"
        + (" (tells when asked)" if name in task.request.user.known else "")
        for name, fact in task.request.facts.items()
    ]
    if knows:
        yield "knows", "; ".join(knows)
    yield "takes", _measure(task)
    if task.benchmark is not None:
        yield "benchmark", wording.value(task.benchmark)
    yield "task", task.id
    if trajectory is not None:
        yield "trajectory", trajectory.id
        yield "agent", _agent(trajectory)
    for attempt in attempts:
        yield "attempt", f"{attempt.id} {attempt.agent}, {_outcome(attempt.passed)}"


def _person(task: Task) -> str:
    """Who the user is: key, persona, and what of their style the persona does not say."""
    persona = task.request.persona
    style = [
        f"{name} {wording.value(given)}"
        for name, given in task.request.user.style.items()
        if name != "pair" and given not in persona.split()
    ]
    who = task.actor if task.actor is not None else "nobody in the records"
    return wording.clean(", ".join([who, persona, *style]))


def _measure(task: Task) -> str:
    """How much a task takes."""
    sizes = {k: v for k, v in task.difficulty.model_dump().items() if v and k != "domains"}
    return ", ".join(f"{name.replace('_', ' ')} {size}" for name, size in sizes.items())


def _agent(trajectory: Trajectory) -> str:
    used = ", ".join(f"{name} {count}" for name, count in trajectory.usage.items())
    model = f" ({trajectory.agent.model})" if trajectory.agent.model else ""
    name = f"{trajectory.agent.name}{model}"
    return wording.clean(f"{name}; {used or 'nothing counted'}; ended: {trajectory.finish_reason}")


def _outcome(passed: bool) -> str:
    return "passed" if passed else "failed"


# -- what was said and done ------------------------------------------------------------------------


def _happened(task: Task, trajectory: Trajectory) -> Iterator[Entry]:
    """The log of a trajectory as entries."""
    said, called = _learned(trajectory)
    yield _turn(task, 0)
    for step in trajectory.steps:
        if step.type == "call":
            yield _called(step, next(called, True))
        elif step.type == "event":
            yield _event(task, step.event or {})
        elif step.by == "user":
            yield Said("user", wording.clean(str(step.result)))
        else:
            yield Said("agent", wording.clean(str(step.result)), next(said, True))


def _learned(trajectory: Trajectory) -> tuple[Iterator[bool], Iterator[bool]]:
    """Whether each thing that the agent said, and each call, is to be learned."""
    said, called = [], []
    for message in trajectory.messages:
        if isinstance(message, AssistantMessage):
            learned = message.weight is None
            called += [learned for _ in message.tool_calls or ()]
            said += [learned] if message.content or not message.tool_calls else []
    return iter(said), iter(called)


def _turn(task: Task, index: int) -> Turn:
    turns = task.request.turns
    if not 0 <= index < len(turns):
        return Turn(index, ACTS["request"])
    return Turn(index, ACTS[turns[index].act], turns[index].tools)


def _called(step: Step, learned: bool) -> Called:
    refusal = ""
    if step.error_code is not None:
        refusal = _refusal(step.error_code, step.result)
    return Called(
        call=wording.call(step.tool or "?", step.arguments or {}),
        result=step.result,
        refusal=refusal,
        changes=tuple(wording.change(changed) for changed in step.changes),
        violated=step.violated,
        learned=learned,
    )


def _refusal(code: str, result: Json) -> str:
    """A refusal's code and message."""
    error = result.get("error") if isinstance(result, dict) else None
    message = error.get("message") if isinstance(error, dict) else None
    return wording.clean(f"{code}: {wording.value(message)}" if message else code)


def _event(task: Task, event: Mapping[str, Any]) -> Entry:
    """A user event in words; the beginning of a turn is a mark of its own."""
    kind = str(event.get("kind"))
    if kind == "turn":
        return _turn(task, int(event.get("index", 0)))
    if "fact" in event:
        told = f" {wording.described(event['value'])}" if "value" in event else ""
        return Happened(kind, wording.clean(f"{event['fact']}{told}"))
    if kind == "corrected":
        new = wording.described(event.get("value"))
        return Happened(kind, wording.clean(f"{event.get('argument')} should be {new}"))
    if event.get("tool"):
        return Happened(kind, wording.call(str(event["tool"]), event.get("arguments") or {}))
    return Happened(kind, "")


# -- a task alone ----------------------------------------------------------------------------------


def _asked(task: Task) -> Iterator[Entry]:
    """What the user says of their own accord, turn by turn."""
    if not task.request.turns:
        yield _turn(task, 0)
        yield Said("user", wording.clean(task.request.text))
    for index, turn in enumerate(task.request.turns):
        yield _turn(task, index)
        yield Said("user", wording.clean(turn.text))


def _script(task: Task) -> Iterator[str]:
    """What the user will do besides, one line for each item of the plan."""
    for item in task.request.user.plan:
        turn = f"turn {item['turn']}: " if item.get("turn") else ""
        yield wording.clean(turn + _deed(item))


def _deed(item: Mapping[str, Any]) -> str:
    """One item of the user's plan."""
    wish, text = item.get("wish"), f"“{item.get('text')}”"
    if "tell" in item:
        return f"asked for {item['tell']}, says {text}"
    if "mistyped" in item:
        return f"gives {wording.value(item.get('value'))} as {item['mistyped']} first, then {text}"
    if not isinstance(wish, Mapping):
        return wording.value(dict(item))
    call = wording.call(str(wish.get("tool")), wish.get("arguments") or {})
    if wish.get("answer") != "declined":
        return f"confirms {call}"
    correct = wish.get("correct")
    better = f" (wants {wording.described(correct.get('value'))})" if correct else ""
    return f"declines {call}, says “{wish.get('text')}”{better}"


def _solution(task: Task) -> Iterator[Entry]:
    for step in task.solution:
        if isinstance(step, Call):
            yield Called(wording.call(step.tool, step.arguments))
        else:
            yield Said("agent", wording.clean(step.say))


# -- what is required, and what was proven ---------------------------------------------------------


def _demand(requirement: Requirement, verdict: Verdict | None) -> Demand:
    found = {one.id: one for one in verdict.requirements} if verdict is not None else {}
    one = found.get(requirement.id)
    return Demand(
        id=requirement.id,
        turn=requirement.turn,
        kind=requirement.kind,
        text=wording.clean(requirement.text),
        check=wording.clean(wording.check(requirement.check)),
        form=wording.whole(requirement.check.model_dump()),
        passed=None if one is None else one.passed,
        evidence=tuple(wording.evidence(requirement.check, one.evidence)) if one else (),
    )


def _certificate(task: Task) -> Iterator[tuple[str, str]]:
    """Each claim that was shown, with its figures."""
    for claim, shown in (task.certificate or {}).items():
        yield wording.clean(claim.replace("_", " ")), wording.figures(shown)
