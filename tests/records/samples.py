"""Records to test with: one small world, one person who wants a loan renewed."""

from typing import Any

from davinci_env.records import (
    AgentInfo,
    AnswerRequirement,
    AskedCheck,
    AssistantMessage,
    Call,
    Candidate,
    Difficulty,
    Fork,
    FrameCheck,
    FrameRequirement,
    Function,
    FunctionCall,
    FunctionTool,
    Initial,
    LookedUpCheck,
    NotCalledCheck,
    OrderCheck,
    PolicyCheck,
    PolicyRequirement,
    Preference,
    Provenance,
    Request,
    Requirement,
    RequirementVerdict,
    RuleNamedCheck,
    Say,
    Slot,
    SlotsCheck,
    Source,
    StateCheck,
    StateRequirement,
    Step,
    SystemMessage,
    Task,
    Terminal,
    ToolCall,
    ToolMessage,
    TraceRequirement,
    Trajectory,
    User,
    UserMessage,
    UserTurn,
    Verdict,
    World,
    task_id,
)

DUE = Source(over="goal", query="SELECT due_on FROM loans WHERE loan_id = 'LN-00001'")

TOOLS = (
    FunctionTool(
        function=Function(
            name="renew_loan",
            description="Renew an open loan.",
            parameters={
                "type": "object",
                "properties": {"loan_id": {"type": "string"}},
                "required": ["loan_id"],
            },
        )
    ),
    FunctionTool(
        function=Function(
            name="find_member",
            description="Find a member.",
            parameters={"type": "object", "properties": {"email": {"type": "string"}}},
        )
    ),
)


def world(**changes: Any) -> World:
    fields: dict[str, Any] = {
        "name": "library_lending",
        "kind": "domain",
        "version": 1,
        "content_hash": "c0ffee",
        "seed": 3,
        "scale": 1.0,
        "start_changes": None,
        "snapshot": "5a" * 32,
    }
    return World(**{**fields, **changes})


def requirements() -> tuple[Requirement, ...]:
    """One of each form of check."""
    return (*outcome_requirements(), *trace_requirements())


def outcome_requirements() -> tuple[Requirement, ...]:
    """What is judged by the end: state, frame, answers."""
    expected = Source(over="ref", query="SELECT 1")
    return (
        StateRequirement(
            id="renewed",
            turn=0,
            text="The loan is renewed.",
            kind="state",
            check=StateCheck(sql="(SELECT renewals FROM loans) = :e0", expected={"e0": expected}),
        ),
        FrameRequirement(
            id="frame",
            turn=0,
            text="Nothing else changed.",
            kind="frame",
            check=FrameCheck(allow="goal", cells=(("loans", "LN-00001", "note"),)),
        ),
        AnswerRequirement(
            id="due",
            turn=0,
            text="The new due date is told.",
            kind="answer",
            check=SlotsCheck(
                slots=(Slot(name="due_on", type="date", expected=DUE, cues=("due", "until")),)
            ),
        ),
        AnswerRequirement(
            id="named",
            turn=0,
            text="The rule is named.",
            kind="answer",
            check=RuleNamedCheck(rule="renewals_left", concepts=(("renew", "extend"), ("limit",))),
        ),
    )


def trace_requirements() -> tuple[Requirement, ...]:
    """What is judged by the log."""
    return (
        TraceRequirement(
            id="looked",
            turn=0,
            text="The loan was looked up.",
            kind="trace",
            check=LookedUpCheck(must="looked_up", rows=(("loans", "LN-00001"), ("books", 7))),
        ),
        TraceRequirement(
            id="asked",
            turn=0,
            text="The e-mail address was asked for.",
            kind="trace",
            check=AskedCheck(must="asked", fact="email", before="writes"),
        ),
        TraceRequirement(
            id="order",
            turn=0,
            text="The member was found first.",
            kind="trace",
            check=OrderCheck(
                must="order", calls=(Call(tool="find_member", arguments={"email": "a@b.example"}),)
            ),
        ),
        TraceRequirement(
            id="not",
            turn=0,
            text="Nothing was returned.",
            kind="trace",
            check=NotCalledCheck(must_not="called", tools=("return_copy",)),
        ),
        PolicyRequirement(
            id="policy",
            turn=0,
            text="No rule was broken.",
            kind="policy",
            check=PolicyCheck(violated="none"),
        ),
    )


def task(**changes: Any) -> Task:
    asked: dict[str, Any] = {
        "world": world(),
        "actor": "MEM-0001",
        "kind": "act+ask",
        "request": Request(
            text="Could you renew “Ordinary Magnets”, and tell me until when?",
            persona="in a hurry",
            facts={"email": "a@b.example", "loan": {"title": "Ordinary Magnets"}},
            intents=({"tool": "renew_loan", "loan": "LN-00001"},),
            user=User(known=("email",), plan=({"act": "thank"},), style={"patience": 3}),
            turns=(UserTurn(text="Could you renew it?", checkpoint=True),),
        ),
        "requirements": requirements(),
        "goals": ((Call(tool="renew_loan", arguments={"loan_id": "LN-00001"}),),),
    }
    asked |= {name: changes.pop(name) for name in list(changes) if name in asked}
    fields: dict[str, Any] = {
        "id": task_id(**asked),
        "source": "ees-single",
        "benchmark": None,
        "tools": ("renew_loan", "find_member"),
        "solution": (
            Call(tool="renew_loan", arguments={"loan_id": "LN-00001"}),
            Say(say="It is due on April 6."),
        ),
        "answer": {"due_on": "2026-04-06"},
        "certificate": None,
        "difficulty": Difficulty(
            calls=1, writes=1, reads=0, rule_chain=0, domains=1, transitions=0
        ),
        "provenance": Provenance(generator="davinci-env", version="0.1.0", seed=0),
    }
    return Task(**{**fields, **asked, **changes})


def call(number: int, name: str, **arguments: Any) -> ToolCall:
    return ToolCall(id=f"call_{number}", function=FunctionCall(name=name, arguments=arguments))


MESSAGES = (
    SystemMessage(role="system", content="Policy: be kind."),
    UserMessage(role="user", content="Please renew my loan – “Ordinary Magnets”."),
    AssistantMessage(
        role="assistant",
        content="",
        tool_calls=(call(1, "renew_loan", loan_id="LN-00010"),),
        weight=0,
    ),
    ToolMessage(
        role="tool",
        tool_call_id="call_1",
        name="renew_loan",
        content='{"error":{"code":"loan_not_found","message":"No loan LN-00010."}}',
    ),
    AssistantMessage(
        role="assistant",
        content="Let me look.",
        reasoning_content="The id was a guess.",
        tool_calls=(
            call(2, "find_member", email="a@b.example"),
            call(3, "renew_loan", loan_id="LN-00001", days=14, notify=None),
        ),
    ),
    ToolMessage(
        role="tool", tool_call_id="call_2", name="find_member", content='{"id":"MEM-0001"}'
    ),
    ToolMessage(role="tool", tool_call_id="call_3", name="renew_loan", content='{"ok":true}'),
    AssistantMessage(role="assistant", content="Renewed until April 6."),
)


def trajectory(**changes: Any) -> Trajectory:
    """A run with a mistaken first call, from which the agent recovers."""
    fields: dict[str, Any] = {
        "id": "1" * 32,
        "task_id": "0" * 32,
        "source": "ees-single",
        "kind": "act",
        "benchmark": None,
        "world": world(),
        "agent": AgentInfo(name="expert"),
        "messages": MESSAGES,
        "tools": TOOLS,
        "steps": (
            Step(
                index=0,
                by="agent",
                type="call",
                tool="renew_loan",
                arguments={"loan_id": "LN-00010"},
                result={"error": {"code": "loan_not_found"}},
                error_code="loan_not_found",
            ),
        ),
        "initial": Initial(snapshot="5a" * 32, hash="a1" * 32),
        "terminal": Terminal(hash="b2" * 32, diff=(["loans", "LN-00001", {"renewals": [0, 1]}],)),
        "verdict": Verdict(
            passed=True, requirements=(RequirementVerdict(id="renewed", passed=True),)
        ),
        "usage": {"calls": 3},
        "finish_reason": "done",
    }
    return Trajectory(**{**fields, **changes})


def preference(**changes: Any) -> Preference:
    good = AssistantMessage(
        role="assistant", content="", tool_calls=(call(2, "find_member", email="a@b.example"),)
    )
    bad = AssistantMessage(role="assistant", content="I cannot do that.")
    fields: dict[str, Any] = {
        "id": "2" * 32,
        "task_id": "0" * 32,
        "source": "ees-single",
        "kind": "act",
        "benchmark": None,
        "world": world(),
        "prefix": trajectory().messages[:4],
        "tools": TOOLS,
        "chosen": good,
        "rejected": bad,
        "margin": 1.0,
        "fork": Fork(
            index=1,
            state_hash="a1" * 32,
            candidates=(
                Candidate(message=good, draw="sampled", passed=True, terminal_hash="b2" * 32),
                Candidate(message=bad, draw="greedy", passed=False, terminal_hash="a1" * 32),
            ),
        ),
        "provenance": Provenance(generator="davinci-env", version="0.1.0", seed=0, model="m"),
    }
    return Preference(**{**fields, **changes})
