"""What all records share: frozen models without unknown fields, ids that are hashes of content."""

import hashlib
import json
from typing import TYPE_CHECKING, Any, TypeAlias

import orjson
from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from pydantic import JsonValue

    Json: TypeAlias = JsonValue
else:
    # A line holds nothing but JSON, so there is nothing to validate; and pydantic's `JsonValue`
    # would walk every tool result and schema at four times the cost of writing it.
    Json = Any

JsonObject: TypeAlias = dict[str, Json]

#: A row's primary key as JSON carries it.
Key: TypeAlias = str | int

#: How many hex digits of the SHA-256 make an id: 128 bits, so that no two records of a corpus ever
#: share one.
_ID_DIGITS = 32

#: A date or a dataclass in a record is a bug, not something to be written in some form or other.
_STRICT = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS


class Model(BaseModel):
    """Base of every record and of every part of one.

    Attributes cannot be rebound, unknown fields are refused, and validators are built on first use,
    so that importing the room stays cheap.
    """

    # What a field is for stands as its docstring, and goes from there into the published JSON
    # Schema.
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        defer_build=True,
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
    )


def encode(value: Any, *, canonical: bool = False) -> bytes:
    """Write a JSON value as compact UTF-8, keys in the order given, or sorted where `canonical`.

    An agent may send what has no exact place in ordinary JSON: integers beyond 64 bits are written
        in full, and
    half of a surrogate pair, which UTF-8 cannot hold, becomes `?`.

    Raises:
        TypeError: the value holds something that is not JSON.
        ValueError: the value holds a number that is not finite beside such an integer.
    """
    try:
        return orjson.dumps(value, option=_STRICT | (orjson.OPT_SORT_KEYS if canonical else 0))
    except orjson.JSONEncodeError:
        text = json.dumps(
            value,
            ensure_ascii=False,
            allow_nan=False,
            separators=(",", ":"),
            sort_keys=canonical,
        )
        return text.encode("utf-8", "replace")


def content_id(value: Json) -> str:
    """Name a JSON value by its content: 32 hex digits, the same whatever the order of keys."""
    return hashlib.sha256(encode(value, canonical=True)).hexdigest()[:_ID_DIGITS]
