"""Assembly: a draft in its world becomes a task record, named by what it asks."""

from __future__ import annotations

from .. import __version__
from ..environment import DomainEnvironment
from ..records import (
    Call,
    Difficulty,
    Provenance,
    Request,
    Task,
    User,
    UserTurn,
    World,
    task_id,
)
from .drafts import Draft

PATIENCE = 3
"""Questions that lead nowhere before the user gives up."""


def assemble(draft: Draft, environment: DomainEnvironment, seed: int) -> Task:
    """Make the record of a draft. The environment stands at the task's start."""
    meta = environment.metadata
    world = World(
        name=meta.name, kind=meta.kind, version=meta.version, content_hash=meta.content_hash,
        seed=meta.seed, scale=meta.scale, start_changes=None,
        snapshot=environment.capture().state_hash,
    )  # fmt: skip
    style: dict[str, object] = {"patience": PATIENCE}
    if draft.pair is not None:
        style["pair"] = draft.pair
    request = Request(
        text=draft.text, persona="plain", facts=draft.facts, intents=tuple(draft.intents),
        user=User(
            known=tuple(draft.known), unknown=(), plan=tuple(draft.plan), style=style,  # type: ignore[arg-type]
        ),
        turns=(UserTurn(text=draft.text, checkpoint=True),),
    )  # fmt: skip
    requirements, goals = tuple(draft.requirements), (tuple(draft.goal),)
    name = task_id(
        world=world, actor=environment.actor, kind=draft.kind, request=request,  # type: ignore[arg-type]
        requirements=requirements, goals=goals,
    )  # fmt: skip
    return Task.model_validate(
        {
            "schema": "davinci/task@1",
            "id": name,
            "source": "ees-single",
            "kind": draft.kind,
            "actor": environment.actor,
            "benchmark": meta.benchmark,
            "world": world,
            "request": request,
            "tools": tuple(spec.name for spec in environment.tools()),
            "requirements": requirements,
            "solution": tuple(draft.solution),
            "goals": goals,
            "answer": draft.answer,
            "certificate": None,
            "difficulty": _difficulty(draft, environment),
            "provenance": Provenance(
                generator="davinci_env.tasks", version=__version__, seed=seed, model=None
            ),
        }
    )


def _difficulty(draft: Draft, environment: DomainEnvironment) -> Difficulty:
    calls = [s for s in draft.solution if isinstance(s, Call)]
    tools = environment.domain.tools
    writes = sum(tools[c.tool].kind == "write" for c in calls)
    return Difficulty(
        calls=len(calls),
        writes=writes,
        reads=len(calls) - writes,
        rule_chain=draft.chain,
        domains=1,
        transitions=0,
    )
