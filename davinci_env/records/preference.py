"""The preference: two ways to go on from one prefix, of which one led to success."""

from typing import Final, Literal

from pydantic import Field

from davinci_env.records.base import Model
from davinci_env.records.messages import AssistantMessage, ChatMessage, FunctionTool
from davinci_env.records.task import Kind, Origin, Provenance, World

PREFERENCE_SCHEMA: Final = "davinci/preference@1"


class Candidate(Model):
    """One way to go on, and how it ended."""

    message: AssistantMessage
    draw: Literal["greedy", "sampled"]
    passed: bool
    terminal_hash: str


class Fork(Model):
    """Where the candidates part."""

    index: int = Field(ge=0)
    """Position in the log of the prefix's episode."""
    state_hash: str
    candidates: tuple[Candidate, ...]


class Preference(Model):
    """A better and a worse assistant message after the same prefix (`davinci/preference@1`)."""

    schema_id: Literal["davinci/preference@1"] = Field(default=PREFERENCE_SCHEMA, alias="schema")
    id: str = Field(min_length=16)
    task_id: str
    source: Origin
    kind: Kind
    benchmark: str | None
    world: World
    prefix: tuple[ChatMessage, ...]
    tools: tuple[FunctionTool, ...]
    chosen: AssistantMessage
    rejected: AssistantMessage
    margin: float
    """Difference of the two rewards."""
    fork: Fork
    provenance: Provenance
