"""What passes from stage to stage: explorations, candidates, and the guidance for a replay.

An exploration is a run with its recorded values. A candidate is what of it can be asked for: the
words of the user, what these words state, and steps without values. Only the audit sees both.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag

from ..records import Json, JsonObject
from ..records.base import Model
from .lexicon import Kind

EXPLORATION_SCHEMA: Final = "davinci/exploration@1"
CANDIDATE_SCHEMA: Final = "davinci/candidate@1"


class Stated(Model):
    """A value that the user's words state, under the fact's name."""

    fact: str


class OfRow(Model):
    """A field of the row, among those that an earlier step's result shows, that has the label which
    the user's words state.
    """

    step: int
    by: dict[str, str]
    """Field of the row to name of a fact."""
    field: str


class Picked(Model):
    """A field of the row in which another field is greatest, or least."""

    step: int
    greatest: bool
    of: str
    """The field that is compared."""
    field: str


class Returned(Model):
    """What an earlier step's result holds at a path."""

    step: int
    path: str


class Fixed(Model):
    """Always the same, and no part of what anybody asks: a page size, the user's own account."""

    fixed: Json


class Several(Model):
    """A list of such values."""

    items: tuple[Origin, ...]


class Composed(Model):
    """An object, each property from its own origin."""

    parts: dict[str, Origin]


def _form(value: object) -> str:
    """Tell the origins apart by a field that only one of them has."""
    given = value if isinstance(value, dict) else value.__dict__
    for name in ("fact", "by", "greatest", "path", "items", "parts"):
        if name in given:
            return name
    return "fixed"


Origin: TypeAlias = Annotated[
    Annotated[Stated, Tag("fact")]
    | Annotated[OfRow, Tag("by")]
    | Annotated[Picked, Tag("greatest")]
    | Annotated[Returned, Tag("path")]
    | Annotated[Several, Tag("items")]
    | Annotated[Composed, Tag("parts")]
    | Annotated[Fixed, Tag("fixed")],
    Discriminator(_form),
]
"""Where an argument's value comes from. Steps are counted from 0 in the list they stand in."""


class Step(Model):
    """One call of the guidance: a tool, and where each argument comes from; never a value."""

    tool: str
    arguments: dict[str, Origin]
    wish: int
    """Which wish it serves."""


class Fact(Model):
    """What the user's words state: the value as a tool takes it, and as it was said."""

    value: Json
    said: str
    """Occurs in the words of the turn."""
    turn: int = 0


class Slot(Model):
    """One value of an answer: where it is found in a replay, and what it was when explored."""

    name: str
    type: Kind
    origin: Origin
    """Of the guidance's steps; `Counted` values have `count`."""
    count: bool = False
    """The number of rows that the step's result shows."""
    value: Json
    """As recorded: for the verifier, not for the replay."""
    unit: str = ""
    """What stands before an amount of money: "€"."""
    others: tuple[Json, ...] = ()
    """The same field of the other rows: saying one of them fails."""
    cues: tuple[str, ...] = ()
    """Words by which the value is recognised as this one: what it is called, and of what."""


class Wish(Model):
    """One thing that the user asks for."""

    kind: Literal["do", "ask"]
    turn: int
    tool: str
    """The tool that does it, or shows it."""
    step: int
    """Its step in the guidance."""
    report: str
    """How the agent reports it, with `{fact}` and `{slot}` for values, which it fills from the
    words it heard and the results it got."""
    otherwise: str = ""
    """How it is reported where the wish's first yes-or-no value is no, if in other words."""
    slots: tuple[Slot, ...] = ()


class Candidate(Model):
    """A request made of an exploration (`davinci/candidate@1`; paper B.1.2)."""

    schema_id: Literal["davinci/candidate@1"] = Field(default=CANDIDATE_SCHEMA, alias="schema")
    id: str
    system: str
    version: str
    seed: int
    """Of the initial state."""
    episode: int
    benchmark: str | None
    initial: str
    """Hash of the initial state."""
    terminal: str
    """Hash of the state that the wishes, and nothing besides, lead to."""
    changes: tuple[Json, ...]
    """The canonical difference between the two: cells of path, before, after."""
    turns: tuple[str, ...]
    """The user's messages."""
    facts: dict[str, Fact]
    wishes: tuple[Wish, ...]
    guidance: tuple[Step, ...]
    calls: tuple[JsonObject, ...]
    """The recorded calls, `{"tool", "arguments"}`, one for each step: for the audit alone."""
    model: str | None = None
    """The model that explored or worded it."""


class Seen(Model):
    """A call of an exploration with what it gave."""

    tool: str
    arguments: JsonObject
    ok: bool
    result: Json
    origins: dict[str, Origin] = Field(default_factory=dict)
    """Where the values came from, by places in this list."""
    role: Literal["orientation", "means", "wish"]
    wish: int = -1
    """The wish that it served; -1: none."""


class Aim(Model):
    """What a wish of an exploration is about."""

    kind: Literal["do", "ask", "field", "pick", "count"]
    """A change; a question that the tool's words have; one about a field of a row, about the row
    where a field is greatest or least, about the number of rows."""
    tool: str
    call: int
    """Place of the call that does or shows it."""
    row: Origin | None = None
    """Leads to the row that a question is about."""
    field: str = ""
    """The field asked about."""


class Exploration(Model):
    """One episode of exploration (`davinci/exploration@1`; paper B.1.1)."""

    schema_id: Literal["davinci/exploration@1"] = Field(default=EXPLORATION_SCHEMA, alias="schema")
    system: str
    version: str
    seed: int
    episode: int
    difficulty: int
    benchmark: str | None
    initial: str
    terminal: str
    changes: tuple[Json, ...]
    calls: tuple[Seen, ...]
    """The executable prefix: calls that succeeded and were not taken back."""
    failures: tuple[Seen, ...] = ()
    """Calls that failed, and changed nothing."""
    facts: dict[str, Json]
    """Values that the user has to state, by name."""
    wishes: tuple[Aim, ...]
    """What the episode was after and reached, in order."""
    failure: str = ""
    """Why it ended early: the reason code of a SystemFailure, or "stuck"."""
    model: str | None = None
