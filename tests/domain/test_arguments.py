"""Arguments: what agents may send, what bodies get, and that the published schema says the same."""

import math
from datetime import date, datetime, time
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from davinci_env.domain.binding import Binder
from davinci_env.errors import ToolError
from tests.support.shed import DIALECTS, shed


def binder(tool: str, dialect: str = "plain") -> Binder:
    return shed(dialect).domain.tools[tool].binder


def problem(tool: str, arguments: Any, dialect: str = "plain") -> str:
    with pytest.raises(ToolError) as caught:
        binder(tool, dialect).read(arguments)
    assert caught.value.code == "invalid_arguments"
    caught.value.message.encode()
    assert len(caught.value.message) < 300
    return caught.value.message


HOURS = {"item_id": "it_1", "slot": 30}


def test_values_arrive_as_python_values():
    read = binder("set_hours").read(
        {
            "item_id": "it_1",
            "slot": 45,
            "opens_at": "08:30",
            "electric": True,
            "weight": 2,
            "checked": ["2026-01-02", "2026-02-28"],
            "label": "ok",
            "at": "2026-03-16T09:30",
        }
    )
    assert read == {
        "item": "it_1",
        "slot": 45,
        "opens_at": time(8, 30),
        "electric": True,
        "weight": 2.0,
        "checked": [date(2026, 1, 2), date(2026, 2, 28)],
        "label": "ok",
        "at": datetime(2026, 3, 16, 9, 30),
    }
    assert type(read["weight"]) is float


def test_what_is_left_out_has_its_default():
    assert binder("set_hours").read(HOURS) == {
        "item": "it_1", "slot": 30, "opens_at": None, "electric": False, "weight": 1.0,
        "checked": None, "label": "none", "at": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("dialect", "arguments", "expected"),
    [
        ("plain", {"amount": 1250}, 1250),
        ("shop", {"amount": "12.50"}, 1250),
        ("club", {"amount": 12.5}, 1250),
        ("club", {"amount": 12}, 1200),
        ("club", {"amount": 0.29}, 29),
    ],
)
def test_money_in_each_dialect(dialect, arguments, expected):
    key = "memberId" if dialect != "plain" else "member_id"
    assert binder("pay", dialect).read({key: "M-1", **arguments})["amount"] == expected


@pytest.mark.parametrize(
    ("dialect", "slot", "day"),
    [
        ("plain", 90, "2026-03-16"),
        ("shop", "PT1H30M", "03/16/2026"),
        ("club", "1:30", "16.03.2026"),
        ("desk", 90, "16.03.2026"),
    ],
)
def test_durations_and_days_in_each_dialect(dialect, slot, day):
    key = shed(dialect).domain.dialect.key("item_id")
    read = binder("set_hours", dialect).read({key: "x", "slot": slot, "checked": [day]})
    assert read["slot"] == 90
    assert read["checked"] == [date(2026, 3, 16)]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"item_id": None}, "item_id should be a text"),
        ({"item_id": 7}, "item_id should be a text"),
        ({"item_id": ["x"]}, "item_id should be a text"),
        ({"item_id": "x" * 101}, "at most 100 characters"),
        ({"item_id": "a\0b"}, "not allowed"),
        ({"item_id": "\ud800"}, "not allowed"),
        ({"slot": None}, "slot should be a whole number"),
        ({"slot": "30"}, "slot should be a whole number"),
        ({"slot": 30.0}, "slot should be a whole number"),
        ({"slot": True}, "slot should be a whole number"),
        ({"slot": 2**60}, "out of range"),
        ({"slot": 10**400}, "out of range"),
        ({"weight": "1"}, "weight should be a number"),
        ({"weight": True}, "weight should be a number"),
        ({"weight": math.nan}, "out of range"),
        ({"weight": math.inf}, "out of range"),
        ({"weight": 0.4}, "at least 0.5"),
        ({"weight": 100}, "at most 99.5"),
        ({"electric": 1}, "electric should be true or false"),
        ({"electric": "true"}, "electric should be true or false"),
        ({"opens_at": "8:30"}, "should look like 09:30"),
        ({"opens_at": "24:00"}, "should look like 09:30"),
        ({"opens_at": "08:30\n"}, "should look like 09:30"),
        ({"opens_at": "٠٨:٣٠"}, "should look like 09:30"),
        ({"at": "2026-03-16"}, "should look like 2026-03-16T09:30"),
        ({"checked": "2026-03-16"}, "should be a list"),
        ({"checked": []}, "from 1 to 50"),
        ({"checked": ["2026-01-01"] * 51}, "from 1 to 50"),
        ({"checked": ["2026-02-30"]}, "checked"),
        ({"checked": [["2026-02-03"]]}, "should look like"),
        ({"checked": {"0": "2026-02-03"}}, "should be a list"),
        ({"label": "x"}, "at least 2 characters"),
        ({"label": "x" * 13}, "at most 12 characters"),
        ({"colour": "red"}, "no argument 'colour'"),
        ({"colour" * 100: "red"}, "no argument"),
        ({"\ud800": "red"}, "no argument"),
    ],
)
def test_wrong_arguments_are_named(change, words):
    assert words in problem("set_hours", {**HOURS, **change})


def test_missing_and_shapeless_arguments():
    assert "item_id is missing" in problem("set_hours", {})
    assert "slot is missing" in problem("set_hours", {"item_id": "x"})
    for shapeless in (None, [], "x", 3, [("item_id", "x")]):
        assert "object" in problem("set_hours", shapeless)
    assert "no argument 'int'" in problem("set_hours", {**HOURS, 5: 6})


def test_deep_nesting_is_only_a_wrong_type():
    deep: Any = "x"
    for _ in range(100_000):
        deep = [deep]
    assert "should be a text" in problem("set_hours", {**HOURS, "item_id": deep})
    assert "should look like" in problem("set_hours", {**HOURS, "checked": [deep]})


def test_huge_texts_are_refused_without_being_quoted():
    message = problem("place_hold", {"member_id": "M", "item_id": "i", "note": "x" * 3_000_000})
    assert "at most 2000 characters" in message


def test_choices_are_of_one_type():
    arguments = {"member_id": "M", "item_id": "i"}
    for wrong in ("other", None, 1, ["complaint"], {"complaint": 1}):
        assert "one of complaint, unclear" in problem("hand_over", {**arguments, "reason": wrong})


def test_lists_of_rows_name_each_row_once():
    arguments = {"item_ids": ["a", "b", "a"], "slug": "wood"}
    assert "same ID twice" in problem("move_items", arguments)
    assert binder("move_items").read({**arguments, "item_ids": ["a", "b"]})["items"] == ["a", "b"]


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (0, "at least 0.01"),
        (500.01, "at most 500"),
        (1.005, "two decimals"),
        ("5", "should be a number"),
        (1e15, "at most 500"),
        (1e300, "out of range"),
    ],
)
def test_amounts_as_numbers(amount, words):
    assert words in problem("pay", {"memberId": "M", "amount": amount}, "club")


@pytest.mark.parametrize("amount", ["5", "5.5", "-5.00", "5,00", " 5.00", "5.001", "٥.00", 5])
def test_amounts_as_decimal_texts(amount):
    assert "should look like 12.50" in problem("pay", {"memberId": "M", "amount": amount}, "shop")


def test_bounds_of_decimal_amounts_hold_too():
    assert "at least 0.01" in problem("pay", {"memberId": "M", "amount": "0.00"}, "shop")
    assert "at most 500.00" in problem("pay", {"memberId": "M", "amount": "500.01"}, "shop")


def test_a_dialect_words_its_refusal():
    assert problem("pay", {}).startswith("Invalid arguments: member_id is missing")


# -- the schema says the same ----------------------------------------------------------------------

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False, width=32).filter(lambda v: v % 1 != 0)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=15),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=2)
    ),
    max_leaves=4,
)  # fmt: skip


def value_for(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Mostly values that a schema allows, at times ones at its limits or beyond."""
    kind = schema["type"]
    if kind == "array":
        size = st.integers(0, 4)
        return size.flatmap(lambda n: st.lists(value_for(schema["items"]), min_size=n, max_size=n))
    if "enum" in schema:
        fit: st.SearchStrategy[Any] = st.sampled_from(schema["enum"])
    elif "pattern" in schema:
        fit = st.from_regex(schema["pattern"], fullmatch=True) | st.sampled_from(schema["examples"])
    elif kind == "string":
        fit = st.text("ab Ω", min_size=schema.get("minLength", 0), max_size=14)
    elif kind == "boolean":
        fit = st.booleans()
    else:
        low, high = schema.get("minimum", -5), schema.get("maximum", 5)
        fit = st.integers(math.ceil(low) - 1, math.floor(high) + 1) | st.sampled_from([low, high])
    return st.one_of(fit, fit, fit, json_values)


def arguments_for(schema: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    required = set(schema.get("required", ()))
    fields = {name: value_for(spec) for name, spec in schema["properties"].items()}
    complete = st.fixed_dictionaries(
        {n: f for n, f in fields.items() if n in required},
        optional={n: f for n, f in fields.items() if n not in required},
    )
    less = complete.map(lambda d: dict(list(d.items())[1:]))
    more = complete.map(lambda d: {**d, "surplus": 1})
    return st.one_of(complete, complete, complete, less, more)


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(
    max_examples=120, derandomize=True, deadline=None, database=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
@given(data=st.data())
def test_the_published_schema_and_the_validator_agree(dialect, data):
    tools = shed(dialect).domain.tools
    tool = tools[data.draw(st.sampled_from(sorted(tools)))]
    schema = tool.binder.schema
    arguments = data.draw(arguments_for(schema))
    valid = jsonschema.Draft202012Validator(schema).is_valid(arguments)
    try:
        tool.binder.read(arguments)
    except ToolError as error:
        # A schema can't say that a day exists, that an amount ends with its cents, or how large a
        # decimal text is; such arguments are refused in words of their own.
        unsayable = ("day", "month", "decimals", "at least", "at most", "year", "out of range")
        assert not valid or any(word in error.message for word in unsayable), error
        assert not valid or any(c in str(schema) for c in ("pattern", "number")), error
    else:
        assert valid


@pytest.mark.parametrize("access", ["staff", "self_service"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_schemas_are_what_every_client_accepts(dialect, access):
    for tool in shed(dialect, access).domain.tools.values():
        schema = tool.binder.schema
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        assert not ({"oneOf", "anyOf", "allOf", "$ref", "$defs"} & set(keys_of(schema)))
        assert "name" not in schema["properties"]
        for wire, spec in schema["properties"].items():
            assert isinstance(spec["type"], str), (tool.name, wire)
            assert spec["description"], (tool.name, wire)
            for example in spec.get("examples", ()):
                jsonschema.validate(example, spec)
            if "default" in spec:
                jsonschema.validate(spec["default"], spec)


def keys_of(schema: Any) -> list[str]:
    if isinstance(schema, dict):
        return [*schema, *[k for value in schema.values() for k in keys_of(value)]]
    return [k for item in schema for k in keys_of(item)] if isinstance(schema, list) else []


def test_the_actor_is_no_argument_in_self_service():
    mine, all_ = shed("plain", "self_service").domain.tools, shed("plain").domain.tools
    assert "member_id" in all_["pay"].binder.schema["properties"]
    assert "member_id" not in mine["pay"].binder.schema["properties"]
    assert list(mine["list_member_loans"].binder.schema["properties"]) == [
        "status",
        "due_on",
        "page",
    ]
    assert "buddy_id" not in mine["borrow"].binder.schema["properties"]
