"""Requirements: what must hold for a task to be solved, each of one kind, with its check.

The forms only: what a check means, and how it is run, belongs to `davinci_env.verify`.
"""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag

from davinci_env.records.base import Json, JsonObject, Key, Model


class Call(Model):
    """A tool with its arguments."""

    tool: str
    arguments: JsonObject
    turn: int = Field(default=0, ge=0, exclude_if=lambda turn: turn == 0)
    """Of a goal's writes: the user turn that it belongs to, counted from 0."""


def _absent(value: Any) -> bool:
    """Whether an optional field is left out of the record."""
    return value is None or value == ""


class Source(Model):
    """Where an expected value comes from: a query, never a literal, because the world may move.

    Either one `SELECT`, or one of the world's own reads and the field of its result. Only systems
    written by others can't be asked; of them, a run was recorded, and `value` is what it showed.
    """

    over: Literal["goal", "ref", "record"]
    """`ref`: the start with what the world itself changed; `goal`: that with the goal's writes;
    `record`: the run that the task was made of."""
    query: str = Field(default="", exclude_if=_absent)
    """One `SELECT`."""
    call: Call | None = Field(default=None, exclude_if=_absent)
    """A read."""
    field: str = Field(default="", exclude_if=_absent)
    """The field of the read's result, by the domain's own name for it."""
    value: Json = Field(default=None, exclude_if=_absent)
    """Recorded evidence: of decoys, a list."""

    def __hash__(self) -> int:
        return hash((self.over, self.query, self.field, self.call and self.call.tool))


class StateCheck(Model):
    """A predicate over the terminal state."""

    sql: str
    """One boolean SQL expression, with the names of `expected` as parameters (`:e0`)."""
    expected: dict[str, Source]


class TerminalCheck(Model):
    """The whole terminal state is the recorded one: of a system written by others."""

    terminal: str
    """SHA-256 of the canonical state."""


class FrameCheck(Model):
    """Nothing may have changed but what is allowed."""

    allow: Literal["goal", "nothing"]
    """`goal`: what the goal changes; `nothing`: no cell at all."""
    cells: tuple[tuple[str, Key, str], ...]
    """Cells allowed besides, as (table, primary key, column)."""


class Slot(Model):
    """One fact that the final message has to convey."""

    name: str
    type: Literal[
        "number",
        "money",
        "date",
        "datetime",
        "time",
        "span",
        "enum",
        "id",
        "name",
        "list",
        "yesno",
        "text",
    ]
    expected: Source
    decoys: Source | None = None
    """Values of the same slot in rows that were not asked for: stating one fails the slot."""
    cues: tuple[str, ...] = ()
    """Words by which a value in the message is recognised as this slot's."""
    choices: tuple[str, ...] = ()
    """All values that an enum can have."""


class SlotsCheck(Model):
    """The final message states these facts."""

    slots: tuple[Slot, ...]


class RuleNamedCheck(Model):
    """The final message names the rule that blocks the request."""

    rule: str
    """The rule's code."""
    concepts: tuple[tuple[str, ...], ...]
    """The rule is named when the message holds a word of each group."""


class DeclinedCheck(Model):
    """The final message says that a certain thing can't be done, whatever the reason."""

    declines: Literal[True] = True
    concepts: tuple[tuple[str, ...], ...] = ()
    """It says what can't be done when it holds a word of each group."""


class LookedUpCheck(Model):
    """The agent saw these rows, or was refused with this code."""

    must: Literal["looked_up"]
    rows: tuple[tuple[str, Key], ...]
    """(table, primary key)."""
    or_refused: str | None = None
    refused: Call | None = None
    """The call that has to be refused with that code; null: any. Arguments that are not listed may
    have any value."""


class AskedCheck(Model):
    """The agent asked for this fact before its first write."""

    must: Literal["asked"]
    fact: str
    before: Literal["writes"]


class ProposedCheck(Model):
    """The agent proposed this call to the user, who answered so."""

    must: Literal["proposed"]
    tool: str
    arguments: JsonObject
    answer: Literal["confirmed", "declined"]


class OrderCheck(Model):
    """These calls succeeded in this order; other calls may stand between them."""

    must: Literal["order"]
    calls: tuple[Call, ...]
    """Arguments that are not listed may have any value."""


class NotCalledCheck(Model):
    """None of these tools was called with success."""

    must_not: Literal["called"]
    tools: tuple[str, ...]


class PolicyCheck(Model):
    """No rule that is the agent's own to keep was broken."""

    violated: Literal["none"]


def _field(value: Any, name: str) -> Any:
    """Read a field from a check, whether it is still JSON or a model already."""
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


def _state_form(value: Any) -> str:
    """Tell the state checks apart."""
    return "sql" if _field(value, "terminal") is None else "terminal"


def _answer_form(value: Any) -> str:
    """Tell the answer checks apart by the field that only one of them has."""
    for form in ("rule", "declines"):
        if _field(value, form) is not None:
            return form
    return "slots"


def _trace_form(value: Any) -> str | None:
    """Tell the trace checks apart by what they say must, or must not, be."""
    form = _field(value, "must") or _field(value, "must_not")
    return form if isinstance(form, str) else None


AnyStateCheck: TypeAlias = Annotated[
    Annotated[StateCheck, Tag("sql")] | Annotated[TerminalCheck, Tag("terminal")],
    Discriminator(_state_form),
]

AnswerCheck: TypeAlias = Annotated[
    Annotated[SlotsCheck, Tag("slots")]
    | Annotated[RuleNamedCheck, Tag("rule")]
    | Annotated[DeclinedCheck, Tag("declines")],
    Discriminator(_answer_form),
]

TraceCheck: TypeAlias = Annotated[
    Annotated[LookedUpCheck, Tag("looked_up")]
    | Annotated[AskedCheck, Tag("asked")]
    | Annotated[ProposedCheck, Tag("proposed")]
    | Annotated[OrderCheck, Tag("order")]
    | Annotated[NotCalledCheck, Tag("called")],
    Discriminator(
        _trace_form,
        custom_error_type="trace_form",
        custom_error_message=(
            "a trace check says 'must' (looked_up, asked, proposed, order) or 'must_not'"
        ),
    ),
]


class _Requirement(Model):
    """What requirements of every kind have."""

    id: str
    """Unique in its task."""
    turn: int = Field(ge=0)
    """The user turn whose checkpoint judges it, counted from 0."""
    text: str
    """One sentence for people."""


class StateRequirement(_Requirement):
    """The terminal state satisfies a predicate."""

    kind: Literal["state"]
    check: AnyStateCheck


class FrameRequirement(_Requirement):
    """Nothing changed but what is allowed."""

    kind: Literal["frame"]
    check: FrameCheck


class AnswerRequirement(_Requirement):
    """The final message conveys the right facts, or names the right rule."""

    kind: Literal["answer"]
    check: AnswerCheck


class TraceRequirement(_Requirement):
    """The log respects order, must and must-not."""

    kind: Literal["trace"]
    check: TraceCheck


class PolicyRequirement(_Requirement):
    """The agent kept its own rules."""

    kind: Literal["policy"]
    check: PolicyCheck


Requirement: TypeAlias = Annotated[
    StateRequirement | FrameRequirement | AnswerRequirement | TraceRequirement | PolicyRequirement,
    Field(discriminator="kind"),
]
