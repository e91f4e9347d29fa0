"""From a candidate to a demonstration: replay, verdict, audit, certificate, or why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..agents.protocol import Agent
from ..episodes.trajectories import trajectory as recorded
from ..errors import DefectError
from ..records import AgentInfo, Task, Trajectory
from .audit import fault_of
from .certificate import MOST_MUTANTS, Uncertified, certify
from .evidence import Unfound
from .judging import Judge
from .lexicon import Lexicon
from .model import Candidate
from .propose import Rejected
from .replay import Stopped, replay
from .systems import SystemEnvironment, SystemFailure
from .tasks import task_of


@dataclass(frozen=True)
class Replayed:
    """A replay that was carried out to its end, judged but not audited."""

    candidate: Candidate
    task: Task
    trajectory: Trajectory


def replayed(
    candidate: Candidate,
    environment: SystemEnvironment,
    lexicon: Lexicon,
    agent: Agent | None = None,
) -> Replayed | Rejected:
    """Carry out a candidate's request anew and judge it.

    Args:
        environment: of its system; it is left as the replay ended.
        lexicon: the system's words, completed.
        agent: in place of the built-in expert.
    """
    try:
        episode = replay(candidate, environment, lexicon, agent)
        task = task_of(candidate, environment)
        verdict = Judge(task, environment.metadata.policy).judge(environment)
        who = _who(agent)
        record = recorded(task, environment, episode, verdict, who)
    except (Stopped, Unfound) as stopped:
        return rejection(candidate, stopped.reason, str(stopped))
    except SystemFailure as failure:
        return rejection(candidate, f"system-{failure.reason}", str(failure))
    except DefectError as defect:
        return rejection(candidate, "unjudgeable", str(defect))
    return Replayed(candidate, task, record)


def _who(agent: Agent | None) -> AgentInfo:
    if agent is None:
        return AgentInfo(name="expert")
    model = getattr(agent, "model", None)
    return AgentInfo(name=agent.name, model=model, parameters=getattr(agent, "parameters", {}))


def audited(
    replay: Replayed,
    environment: SystemEnvironment,
    lexicon: Lexicon,
    *,
    most: int = MOST_MUTANTS,
) -> Replayed | Rejected:
    """Look for faults and certify the task.

    Args:
        environment: as the replay ended; it stands anywhere afterwards.
        most: mutants that are tried.
    """
    candidate, task = replay.candidate, replay.task
    fault = fault_of(candidate, replay.trajectory, environment, lexicon)
    if fault is not None:
        return rejection(candidate, *fault)
    try:
        certificate = certify(task, candidate, environment, lexicon, most=most)
    except Uncertified as failed:
        return rejection(candidate, *failed.fault)
    except SystemFailure as failure:
        return rejection(candidate, f"system-{failure.reason}", str(failure))
    certified = task.model_copy(update={"certificate": certificate})
    return Replayed(candidate, certified, replay.trajectory)


def rejection(candidate: Candidate, reason: str, detail: str) -> Rejected:
    """A candidate that is kept outside the corpus."""
    record: dict[str, Any] = candidate.model_dump(by_alias=True)
    return Rejected(reason, detail, record)
