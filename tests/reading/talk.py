"""A conversation made by hand: two turns, a mistyped address, a correction, a refusal, and a
failure.
"""

from typing import Any

from davinci_env.records import (
    AssistantMessage,
    Json,
    Request,
    RequirementVerdict,
    RuleNamedCheck,
    StateRequirement,
    Step,
    Task,
    Trajectory,
    User,
    UserTurn,
    Verdict,
)
from tests.records import samples

WISH = {
    "tool": "renew_loan",
    "arguments": {"loan_id": "LN-00001"},
    "mentions": [["LN-00001"]],
    "answer": "declined",
    "text": "No, the other one.",
    "correct": {"argument": "loan_id", "value": {"row": {"entity": "Loan", "fields": {"t": "B"}}}},
}
REQUEST = Request(
    text="Please renew my loan.\nIt's urgent.",
    persona="hurried",
    facts={"email": "ada@example.com"},
    intents=(),
    user=User(
        known=("email",),
        plan=(
            {"mistyped": "email", "value": "adda@example.com", "text": "Sorry, ada@example.com."},
            {"wish": WISH},
            {"wish": {"tool": "pay_fine", "arguments": {"amount": 200}, "mentions": []}, "turn": 1},
            {"tell": "email", "cues": ["e-mail"], "text": "It's ada@example.com."},
        ),
        style={"channel": "chat", "patience": 3, "pair": "x"},
    ),
    turns=(
        UserTurn(text="Please renew my loan.\nIt's urgent.", checkpoint=True),
        UserTurn(text="And pay my fine.", checkpoint=True, act="wish", tools=("pay_fine",)),
    ),
)


def task(**changes: Any) -> Task:
    """The task, with a requirement of its second turn."""
    renewed, frame, due, named = samples.outcome_requirements()
    paid = StateRequirement(**{**renewed.model_dump(), "id": "state@1", "turn": 1, "text": "Paid."})
    fields: dict[str, Any] = {
        "request": REQUEST,
        "forms": ("selection", "further-wish", "correction"),
        "requirements": (renewed, frame, due, named, paid),
        "certificate": {"solvable": {"runs": 3, "calls": 1}, "honest_text": {"checked": True}},
    }
    return samples.task(**{**fields, **changes})


def said(index: int, by: str, text: str) -> Step:
    """A message."""
    return Step(index=index, by=by, type="message", result=text)  # type: ignore[arg-type]


def event(place: int, kind: str, /, **subject: Json) -> Step:
    """A user event."""
    return Step(index=place, by="user", type="event", event={"kind": kind, **subject})


def called(index: int, tool: str, result: Json, **more: Any) -> Step:
    """A call."""
    fields = {"arguments": {}, **more}
    return Step(index=index, by="agent", type="call", tool=tool, result=result, **fields)


LOANS = [
    {"loan_id": f"LN-0000{number}", "member_id": "M-1", "due_on": f"2026-04-0{number}"}
    for number in range(1, 6)
]
DUE = "2026-04-02"
REFUSED = {"error": {"code": "not_found", "message": "Nobody has that address."}}
STEPS = (
    said(0, "user", "Please renew my loan.\nIt's urgent."),
    said(1, "agent", "What is your e-mail address?"),
    event(2, "asked", fact="email"),
    said(3, "user", "It's adda@example.com."),
    event(4, "revealed", fact="email", value="adda@example.com"),
    called(
        5,
        "find_member",
        REFUSED,
        arguments={"email": "adda@example.com"},
        error_code="not_found",
    ),
    said(6, "agent", "Shall I renew LN-00001?"),
    said(7, "user", "No, the other one."),
    event(8, "declined", tool="renew_loan", arguments={"loan_id": "LN-00001"}),
    event(9, "corrected", tool="renew_loan", argument="loan_id", value=WISH["correct"]["value"]),  # type: ignore[index]
    called(10, "list_loans", {"loans": LOANS, "total": 5, "next": None}),
    called(
        11,
        "renew_loan",
        {"loan": {"loan_id": "LN-00002", "note": None}},
        arguments={"loan_id": "LN-00002"},
        changes=(
            ["loans", "LN-00002", "~", {"due_on": [DUE, "2026-05-02"], "note": [None, "x"]}],
            ["events", "new-1", "+", {"kind": "renewal", "by": None}],
        ),
        violated=("identify_first",),
    ),
    said(12, "agent", "Renewed."),
    event(13, "turn", index=1),
    said(14, "user", "And pay my fine."),
    said(15, "agent", ""),
)  # fmt: skip


def trajectory(of: Task, **changes: Any) -> Trajectory:
    """The trajectory at it, in which the second turn failed."""
    messages = (
        samples.MESSAGES[0],
        AssistantMessage(role="assistant", content="What is your e-mail address?"),
        samples.MESSAGES[2],  # the call with weight 0
        AssistantMessage(role="assistant", content="Shall I renew LN-00001?"),
        AssistantMessage(role="assistant", content="", tool_calls=(samples.call(2, "list_loans"),)),
        AssistantMessage(role="assistant", content="", tool_calls=(samples.call(3, "renew_loan"),)),
        AssistantMessage(role="assistant", content="Renewed."),
        AssistantMessage(role="assistant", content=""),
    )
    verdicts = [
        RequirementVerdict(id=one.id, passed=not isinstance(one.check, RuleNamedCheck))
        for one in of.requirements
    ]
    failed = RequirementVerdict(
        id="state@1", passed=False, evidence={"expected": {"e0": 1}, "predicate": "…"}
    )
    named = RequirementVerdict(
        id="named", passed=False, evidence={"message": "Renewed.", "reason": "no refusal"}
    )
    kept = [one for one in verdicts if one.id not in ("state@1", "named")]
    fields: dict[str, Any] = {
        "task_id": of.id,
        "kind": of.kind,
        "messages": messages,
        "steps": STEPS,
        "verdict": Verdict(passed=False, requirements=(*kept, named, failed)),
    }
    return samples.trajectory(**{**fields, **changes})
