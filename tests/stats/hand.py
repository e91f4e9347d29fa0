"""Small records to count by hand."""

from typing import Any

from davinci_env.records import (
    AnswerRequirement,
    AssistantMessage,
    Call,
    FunctionCall,
    Request,
    RuleNamedCheck,
    Step,
    Task,
    ToolCall,
    Trajectory,
    User,
    UserTurn,
    Verdict,
)
from tests.reading.talk import called, event, said
from tests.records import samples

RENEW = Call(tool="renew_loan", arguments={"loan_id": "LN-1"})


def task(number: int, *forms: str, turns: tuple[str, ...] = (), **changes: Any) -> Task:
    """A task of these forms, whose later turns are these acts."""
    first = UserTurn(text=f"Wish {number}.", checkpoint=True)
    later = [UserTurn(text=f"And {act}.", checkpoint=True, act=act) for act in turns]  # type: ignore[arg-type]
    request = Request(
        text=first.text,
        persona="plain",
        facts={},
        intents=(),
        user=User(),
        turns=(first, *later),
    )
    return samples.task(**{"kind": "act", "forms": forms, "request": request, **changes})


def named(rule: str, turn: int = 0) -> AnswerRequirement:
    """A requirement that this rule is named."""
    return AnswerRequirement(
        id=f"rule@{turn}",
        turn=turn,
        text="The rule is named.",
        kind="answer",
        check=RuleNamedCheck(rule=rule, concepts=(("no",),)),
    )


def trajectory(
    of: Task, *steps: Step, passed: bool = True, weights: tuple[Any, ...] = ()
) -> Trajectory:
    """An episode with these steps; `weights` are those of its messages. A mistake is a call."""
    mistake = ToolCall(id="call_1", function=FunctionCall(name="look", arguments={}))
    messages = [
        AssistantMessage(role="assistant", content="", weight=0, tool_calls=(mistake,))
        if weight == 0
        else AssistantMessage(role="assistant", content=f"Message {n}.", weight=weight)
        for n, weight in enumerate(weights)
    ]
    return samples.trajectory(
        task_id=of.id,
        kind=of.kind,
        steps=steps,
        messages=tuple(messages),
        verdict=Verdict(passed=passed, requirements=()),
    )


__all__ = ["RENEW", "called", "event", "named", "said", "task", "trajectory"]
