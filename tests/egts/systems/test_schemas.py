"""Foreign schemas made plain, or refused in one sentence that names the tool."""

from typing import Any

import pytest

from davinci_env.egts.systems import plain_schema
from davinci_env.egts.systems.schemas import problem_of
from davinci_env.errors import UsageError


def made(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The plain properties of a tool with these."""
    schema = {"type": "object", "properties": properties, **more}
    found = plain_schema("send", schema)["properties"]
    assert isinstance(found, dict)
    return found


def refused(schema: Any) -> str:
    """The sentence with which a schema is refused."""
    with pytest.raises(UsageError) as caught:
        plain_schema("send", schema)
    return str(caught.value)


def test_a_plain_schema_stays_as_it_is():
    schema = {
        "type": "object",
        "properties": {"to": {"type": "string", "description": "Who", "examples": ["Ada"]}},
        "required": ["to"],
        "additionalProperties": False,
    }
    assert plain_schema("send", schema) == schema


def test_what_is_left_unsaid_is_filled_in():
    nothing = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    assert plain_schema("send", {}) == nothing
    assert plain_schema("send", {"type": "object", "additionalProperties": True}) == nothing
    assert plain_schema("send", {"properties": {"a": {}}, "required": ["a", "b"]})["required"] == [
        "a"
    ]


def test_references_are_put_in_place():
    address = {"$ref": "#/$defs/a~1b%20c"}
    person = {"title": "Person", "type": "object", "properties": {"at": address}}
    found = made(
        {
            "who": {"$ref": "#/$defs/Person", "description": "the recipient"},
            "also": {"type": "array", "items": {"$ref": "#/$defs/Person"}},
            "by_name": {"type": "object", "additionalProperties": address},
        },
        **{"$defs": {"Person": person, "a/b c": {"type": "string"}}},
    )
    plain = {"type": "object", "properties": {"at": {"type": "string"}}}
    assert found == {
        "who": {**plain, "description": "the recipient"},
        "also": {"type": "array", "items": plain},
        "by_name": {"type": "object", "additionalProperties": {"type": "string"}},
    }


def test_a_reference_may_lead_into_a_list_and_be_used_twice():
    choices = {"anyOf": [{"type": "integer"}, {"type": "string"}]}
    assert made(
        {"n": {"$ref": "#/$defs/n/anyOf/1"}, "m": {"$ref": "#/$defs/n/anyOf/1"}},
        **{"$defs": {"n": choices}},
    ) == {"n": {"type": "string"}, "m": {"type": "string"}}


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ({"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}, {"type": "string"}),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, {"type": "integer"}),
        ({"type": ["null", "number"], "default": 2}, {"type": "number", "default": 2}),
        ({"type": ["string", "null"], "enum": ["a", None]}, {"type": "string", "enum": ["a"]}),
        ({"anyOf": [{"type": "null"}]}, {}),
        ({"type": "null"}, {"type": "null"}),
    ],
)
def test_what_may_be_null_becomes_what_it_is_else(given, plain):
    assert made({"n": given}) == {"n": plain}


def test_of_alternatives_the_first_is_taken_and_of_constants_all():
    blue = {"enum": ["blue"], "type": "string"}
    found = made(
        {
            "n": {"oneOf": [{"type": "integer"}, {"type": "string"}], "description": "how many"},
            "c": {"anyOf": [{"const": "red", "type": "string"}, blue]},
            "m": {"anyOf": [{"const": 1}, {"const": "one"}, {"const": None}]},
        }
    )
    assert found == {
        "n": {"type": "integer", "description": "how many"},
        "c": {"type": "string", "enum": ["red", "blue"]},
        "m": {"enum": [1, "one"]},
    }


def test_what_parts_say_together_is_joined():
    schema = {
        "allOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"properties": {"b": {"type": "integer"}}, "required": ["b"]},
        ],
        "properties": {"b": {"type": "number"}},
    }
    assert plain_schema("send", schema) == {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "number"}},
        "required": ["a", "b"],
        "additionalProperties": False,
    }


def test_conditions_and_foreign_patterns_are_left_to_the_system():
    name = {"type": "string", "pattern": "^(?<first>\\p{L}+)$", "not": {"const": "x"}}
    year = {"type": "string", "pattern": "^[0-9]{4}$"}
    assert made({"name": name, "year": year}) == {"name": {"type": "string"}, "year": year}
    named = {"type": "object", "patternProperties": {"^\\p{L}": {}, "^x-": {"$ref": "#/$defs/x"}}}
    assert made({"named": named}, **{"$defs": {"x": {"type": "string"}}}) == {
        "named": {"type": "object", "patternProperties": {"^x-": {"type": "string"}}}
    }


def test_schemas_of_an_older_draft_are_read_as_such():
    draft = "http://json-schema.org/draft-07/schema#"
    pair = {"type": "array", "items": [{"type": "string"}, {"type": "integer"}]}
    found = made({"pair": pair}, **{"$schema": draft})
    assert found["pair"]["prefixItems"] == [{"type": "string"}, {"type": "integer"}]
    assert "items" not in found["pair"]


def test_properties_may_be_called_like_words_of_the_language():
    names = ("title", "$ref", "anyOf", "not", "items", "properties")
    assert list(made({name: {"type": "string"} for name in names})) == list(names)


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (None, "the tool 'send' has no schema for its parameters."),
        ([], "the tool 'send' has no schema for its parameters."),
        ({"type": "string"}, "the parameters of the tool 'send' are no object."),
        (
            {"type": "object", "properties": {"a": {"$ref": "#/$defs/Gone"}}},
            "the schema of the tool 'send' refers to '#/$defs/Gone', which isn't there.",
        ),
        (
            {"type": "object", "properties": {"a": {"$ref": "https://a.org/b.json"}}},
            "the schema of the tool 'send' refers to 'https://a.org/b.json', which isn't there.",
        ),
        (
            {"type": "object", "properties": {"a": {"$ref": "#"}}},
            "the schema of the tool 'send' refers to itself.",
        ),
    ],
)
def test_what_is_no_schema_of_parameters_is_refused_by_name(schema, words):
    assert refused(schema) == words


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "objekt"},
        {"type": "object", "properties": {"a": {"type": "integer", "minimum": "low"}}},
        {"type": "object", "properties": []},
        {
            "$schema": "http://json-schema.org/draft-04/schema#",
            "type": "object",
            "properties": {"a": {"type": "integer", "minimum": 0, "exclusiveMinimum": True}},
        },
    ],
)
def test_invalid_schemas_are_refused(schema):
    assert refused(schema).startswith("the schema of the tool 'send' is invalid (")


def test_schemas_that_never_end_are_refused():
    tree = {
        "type": "object",
        "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/T"}}},
    }
    itself = {"type": "object", "properties": {"tree": {"$ref": "#/$defs/T"}}, "$defs": {"T": tree}}
    assert refused(itself) == "the schema of the tool 'send' refers to itself."
    # Each of twenty refers twice to the next: a million copies of the last.
    laughs: dict[str, Any] = {
        f"d{n}": {"properties": {key: {"$ref": f"#/$defs/d{n + 1}"} for key in ("a", "b")}}
        for n in range(20)
    }
    laughs["d20"] = {"type": "string"}
    big = {"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": laughs}
    assert refused(big) == "the schema of the tool 'send' is too big."
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(5_000):
        deep = {"type": "array", "items": deep}
    assert refused({"type": "object", "properties": {"a": deep}}) == (
        "the schema of the tool 'send' is nested too deeply."
    )


def test_deep_schemas_that_end_are_no_recursion():
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(20):
        deep = {"type": "array", "items": deep}
    assert made({"a": deep}) == {"a": deep}


def test_the_schema_that_was_given_stays_as_it_was():
    schema = {
        "properties": {"a": {"type": ["string", "null"], "enum": ["x", None], "default": None}}
    }
    plain_schema("send", schema)
    assert schema == {
        "properties": {"a": {"type": ["string", "null"], "enum": ["x", None], "default": None}}
    }


def test_problems_with_arguments_are_told_in_one_phrase():
    copies = {"type": "array", "items": {"type": "integer"}}
    properties = {"to": {"type": "string"}, "copies": copies}
    schema = plain_schema("send", {"properties": properties, "required": ["to"]})
    assert problem_of(schema, {"to": "Ada", "copies": [1]}) is None
    assert problem_of(schema, {}) == "arguments: 'to' is a required property"
    assert problem_of(schema, {"to": None}) == "to: None is not of type 'string'"
    assert (
        problem_of(schema, {"to": "Ada", "copies": [1, "x"]})
        == "copies.1: 'x' is not of type 'integer'"
    )
    assert problem_of(schema, ["Ada"]) == "arguments: ['Ada'] is not of type 'object'"
    assert "surplus" in str(problem_of(schema, {"to": "Ada", "surplus": 1}))
    assert len(str(problem_of(schema, {"to": "x" * 9, "copies": "x" * 5_000}))) < 250
