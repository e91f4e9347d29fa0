"""The SQLite world: typed rows, snapshot / restore / fork / park, change capture, canonical
difference, hash, clock, ids.
"""

from .change import CREATED, DELETED, UPDATED, Change, plain
from .changes import canonical, state_hash
from .connection import register_helpers
from .db import Db
from .entity import (
    ColumnInfo,
    Entity,
    EntityInfo,
    Lifecycle,
    Mapped,
    Reference,
    column,
    entity_base,
    lifecycle,
    ref,
)
from .image import StartImage
from .keys import counted, hashed, natural
from .naming import singular_of
from .parking import apply, fork, pack, parse_cell, parse_value, unpack
from .rows import Row, world_of
from .schema import Schema
from .types import Meaning, Minutes, Money, TypeInfo, read_annotation
from .witness import TriggerWitness
from .world import Mark, World

__all__ = [
    "CREATED",
    "DELETED",
    "UPDATED",
    "Change",
    "ColumnInfo",
    "Db",
    "Entity",
    "EntityInfo",
    "Lifecycle",
    "Mapped",
    "Mark",
    "Meaning",
    "Minutes",
    "Money",
    "Reference",
    "Row",
    "Schema",
    "StartImage",
    "TriggerWitness",
    "TypeInfo",
    "World",
    "apply",
    "canonical",
    "column",
    "counted",
    "entity_base",
    "fork",
    "hashed",
    "lifecycle",
    "natural",
    "pack",
    "parse_cell",
    "parse_value",
    "plain",
    "read_annotation",
    "ref",
    "register_helpers",
    "singular_of",
    "state_hash",
    "unpack",
    "world_of",
]
