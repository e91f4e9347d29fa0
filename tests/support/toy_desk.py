"""Hand-built tasks on the toy rental (`toys/toy_rental.py`), whose rows no seed changes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from davinci_env.domain import Domain, load
from davinci_env.environment import DomainEnvironment, Event, Message
from davinci_env.records import (
    AnswerRequirement,
    Call,
    Difficulty,
    FrameCheck,
    FrameRequirement,
    PolicyCheck,
    PolicyRequirement,
    Provenance,
    Request,
    Requirement,
    Say,
    Source,
    StateCheck,
    StateRequirement,
    Task,
    TraceRequirement,
    User,
    UserTurn,
    Verdict,
    World,
    task_id,
)
from davinci_env.verify import Verifier

TOYS = Path(__file__).parent / "toys"
ADA = Event("revealed", {"fact": "email", "value": "ada@example.com"})


def toy_domain() -> Domain:
    """The domain, loaded once a process."""
    return load("toy_rental", paths=[TOYS], trust=True)


def desk(actor: str = "P-01", **more: Any) -> DomainEnvironment:
    """A new environment; Ada Berg (P-01) stands at the counter."""
    domain = toy_domain()
    return DomainEnvironment(domain, domain.build(0), actor, **more)


def call(tool: str, **arguments: Any) -> Call:
    """A step."""
    return Call(tool=tool, arguments=arguments)


def confirmed(step: Call) -> Event:
    """The user's yes to a call."""
    return Event("confirmed", {"tool": step.tool, "arguments": dict(step.arguments)})


def state(sql: str, **expected: str) -> Requirement:
    """A predicate whose parameters are queries over the goal (`ref_…`: over the start)."""
    sources = {
        name: Source(over="ref" if name.startswith("ref_") else "goal", query=query)
        for name, query in expected.items()
    }
    check = StateCheck(sql=sql, expected=sources)
    return StateRequirement(
        id="state", turn=0, text="The records are right.", kind="state", check=check
    )


def frame(allow: Any = "goal", cells: Sequence[tuple[str, str, str]] = ()) -> Requirement:
    """Nothing else changed."""
    check = FrameCheck(allow=allow, cells=tuple(cells))
    return FrameRequirement(id="frame", turn=0, text="Nothing else.", kind="frame", check=check)


def policy() -> Requirement:
    """No rule of the agent's was broken."""
    check = PolicyCheck(violated="none")
    return PolicyRequirement(id="policy", turn=0, text="Obeyed.", kind="policy", check=check)


def trace(check: Any, name: str = "trace") -> Requirement:
    """A requirement on the log."""
    return TraceRequirement(id=name, turn=0, text="In order.", kind="trace", check=check)


def answer(check: Any, name: str = "answer") -> Requirement:
    """A requirement on the final message."""
    return AnswerRequirement(id=name, turn=0, text="It is said.", kind="answer", check=check)


def task_of(
    environment: DomainEnvironment,
    *requirements: Requirement,
    goals: Sequence[Sequence[Call]] = ((),),
    kind: str = "act",
    solution: Sequence[Call | Say] = (),
    request: Request | None = None,
    start_changes: bytes | None = None,
) -> Task:
    """A task that starts where the environment stands."""
    meta = environment.metadata
    world = World(
        name=meta.name, kind=meta.kind, version=meta.version, content_hash=meta.content_hash,
        seed=meta.seed, scale=meta.scale,
        start_changes=None if start_changes is None else orjson.loads(start_changes),
        snapshot=environment.capture().state_hash,
    )  # fmt: skip
    request = request or request_of("Hello.")
    goals = tuple(tuple(goal) for goal in goals)
    name = task_id(
        world=world, actor=environment.actor, kind=kind, request=request,  # type: ignore[arg-type]
        requirements=requirements, goals=goals,
    )  # fmt: skip
    return Task.model_validate(
        {
            "schema": "davinci/task@1", "id": name, "source": "ees-single", "kind": kind,
            "actor": environment.actor, "benchmark": None, "world": world, "request": request,
            "tools": tuple(spec.name for spec in environment.tools()),
            "requirements": requirements, "solution": tuple(solution), "goals": goals,
            "answer": None, "certificate": None,
            "difficulty": Difficulty(
                calls=0, writes=0, reads=0, rule_chain=0, domains=1, transitions=0
            ),
            "provenance": Provenance(generator="by hand", version="1", seed=0),
        }
    )  # fmt: skip


def request_of(text: str, **more: Any) -> Request:
    """A request; `facts`, `intents`, `known` and `plan` as given."""
    user = User(known=tuple(more.get("known", ())), plan=tuple(more.get("plan", ())))
    return Request(
        text=text, persona="plain", facts=more.get("facts", {}),
        intents=tuple(more.get("intents", ())), user=user,
        turns=(UserTurn(text=text, checkpoint=True),),
    )  # fmt: skip


def play(environment: DomainEnvironment, *entries: Any) -> None:
    """Carry out calls, and observe everything else; a text is what the assistant says."""
    for entry in entries:
        if isinstance(entry, Call):
            environment.call(entry.tool, entry.arguments)
        else:
            environment.observe(Message("assistant", entry) if isinstance(entry, str) else entry)


def judged(task: Task, *entries: Any, actor: str = "P-01") -> Verdict:
    """The verdict on an episode of these entries, from a fresh start."""
    environment = desk(actor)
    try:
        verifier = Verifier(task, environment)
        play(environment, *entries)
        return verifier.judge(environment)
    finally:
        environment.close()


def failed(verdict: Verdict) -> list[str]:
    """The ids of the requirements that don't hold."""
    return [r.id for r in verdict.requirements if not r.passed]


def evidence(verdict: Verdict, name: str) -> Any:
    """The evidence beside a requirement."""
    return next(r.evidence for r in verdict.requirements if r.id == name)
