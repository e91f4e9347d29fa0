"""Assembly: a draft in its world becomes a task record, named by what it asks."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, get_args

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
from ..records.task import Form
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
    first = draft.scenes[0]
    style: dict[str, object] = {"patience": PATIENCE, **draft.style}
    if draft.pair is not None:
        style["pair"] = draft.pair
    request = Request(
        text=draft.text, persona=draft.persona, facts=_facts(draft), intents=tuple(first.intents),
        user=User(
            known=_known(draft), unknown=(), plan=tuple(draft.plan), style=style,  # type: ignore[arg-type]
        ),
        turns=tuple(_turn(draft, number) for number in range(len(draft.scenes))),
    )  # fmt: skip
    requirements = tuple(draft.requirements)
    goals = (tuple(draft.goal),)
    name = task_id(
        world=world, actor=environment.actor, kind=draft.kind, request=request,  # type: ignore[arg-type]
        requirements=requirements, goals=goals,
    )  # fmt: skip
    return Task.model_validate(
        {
            "schema": "davinci/task@1",
            "id": name,
            "source": "ees-cross" if environment.domain.homes else "ees-single",
            "kind": draft.kind,
            "forms": _forms(draft),
            "actor": environment.actor,
            "benchmark": meta.benchmark,
            "world": world,
            "request": request,
            "tools": tuple(s.name for s in environment.tools() if s.name not in draft.hidden),
            "requirements": requirements,
            "solution": tuple(draft.solution),
            "goals": goals,
            "answer": first.answer,
            "certificate": None,
            "difficulty": _difficulty(draft, environment),
            "provenance": Provenance(
                generator="davinci_env.tasks", version=__version__, seed=seed, model=None
            ),
        }
    )


def _facts(draft: Draft) -> dict[str, Any]:
    return {name: value for scene in draft.scenes for name, value in scene.facts.items()}


def _known(draft: Draft) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for scene in draft.scenes for name in scene.known))


def _turn(draft: Draft, number: int) -> UserTurn:
    scene = draft.scenes[number]
    if not number:
        return UserTurn(text=draft.text, checkpoint=True)
    return UserTurn(
        text=scene.text, checkpoint=True, act=scene.act, intents=tuple(scene.intents),
        tools=scene.tools,
    )  # fmt: skip


def _forms(draft: Draft) -> tuple[Form, ...]:
    found = {form for scene in draft.scenes for form in scene.forms}
    return tuple(form for form in get_args(Form) if form in found)


def _difficulty(draft: Draft, environment: DomainEnvironment) -> Difficulty:
    calls = [s for s in draft.solution if isinstance(s, Call)]
    tools = environment.domain.tools
    writes = sum(tools[c.tool].kind == "write" for c in calls)
    homes = [tools[c.tool].home for c in calls]
    return Difficulty(
        calls=len(calls),
        writes=writes,
        reads=len(calls) - writes,
        rule_chain=max(scene.chain for scene in draft.scenes),
        domains=max(1, len(set(homes))),
        transitions=sum(a != b for a, b in pairwise(homes)),
        turns=len(draft.scenes),
        lookalikes=max(scene.lookalikes for scene in draft.scenes),
    )
