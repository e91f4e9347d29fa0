"""Rows and values out of results, and what leads to them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from davinci_env.egts.evidence import (
    Unfound,
    at,
    field_of,
    fits,
    fitted,
    in_order,
    is_part,
    labelled,
    picked,
    resolve,
    rows_of,
    values_at,
)
from davinci_env.egts.lexicon import ToolWords
from davinci_env.egts.model import Composed, Fixed, OfRow, Picked, Returned, Several, Stated

ADA, HUGO = {"id": 1, "name": "Ada", "city": "Graz"}, {"id": 2, "name": "Hugo", "city": "Graz"}

keys = st.text("abc", min_size=1, max_size=3)
documents = st.recursive(
    st.integers() | st.text(max_size=4) | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=12,
)


def places(document: Any, path: str = "") -> list[tuple[str, Any]]:
    found = [(path, document)]
    keyed: Any = ()
    if isinstance(document, dict):
        keyed = document.items()
    elif isinstance(document, list):
        keyed = enumerate(document)
    for key, value in keyed:
        found += places(value, f"{path}/{key}".lstrip("/"))
    return found


@given(documents)
def test_every_place_is_found_by_its_path_and_by_no_longer_one(document: Any) -> None:
    for path, value in places(document):
        assert at(document, path) is value
        assert values_at(document, path) == [value]
        with pytest.raises(Unfound):
            at(document, f"{path}/zzz".lstrip("/"))


@given(st.dictionaries(keys, st.dictionaries(keys, st.integers(), max_size=3), max_size=4))
def test_stars_give_all_values_and_keys_in_order(document: dict[str, dict[str, int]]) -> None:
    assert values_at(document, "*key") == list(document)
    assert values_at(document, "*/*") == [v for row in document.values() for v in row.values()]


def test_values_of_one_field_of_a_list() -> None:
    document = {"rows": [{"to": "A"}, {"from": "B"}, {"to": "C"}, 7]}
    assert values_at(document, "rows/*/to") == ["A", "C"]
    assert values_at(document, "rows/1/from") == ["B"]
    assert values_at(document, "rows/9/from") == values_at(document, "none/*") == []


def test_a_field_may_lie_within_another() -> None:
    row = {"price": {"amount": 3}, "a/b": 4}
    assert field_of(row, "price/amount") == 3
    assert field_of(row, "a/b") == 4
    assert field_of(row, "price/currency") is None


@pytest.mark.parametrize(
    ("words", "content", "rows"),
    [
        (ToolWords(), {"result": [ADA, HUGO]}, [ADA, HUGO]),
        (ToolWords(), {"result": ["a", 2]}, [{"value": "a"}, {"value": 2}]),
        (ToolWords(at="page/items"), {"page": {"items": [ADA]}, "total": 9}, [ADA]),
        (ToolWords(at="page/items"), {"page": {}}, []),
        (ToolWords(), {"x": {"n": 1}, "y": {"n": 2}}, [{"key": "x", "n": 1}, {"key": "y", "n": 2}]),
        (ToolWords(key="code"), {"x": {"n": 1}}, [{"code": "x", "n": 1}]),
        (ToolWords(key="unit"), {"m": 1, "km": 2},
         [{"unit": "m", "value": 1}, {"unit": "km", "value": 2}]),
        (ToolWords(), ADA, [ADA]),
        (ToolWords(), {}, []),
        (ToolWords(), {"result": "no rows"}, []),
        (ToolWords(), {"result": 3}, []),
        (ToolWords(pattern=r"^- (?P<n>\d+) (?P<name>.+?)(?: \((?P<note>.*)\))?$"),
         {"result": "Found:\n- 12 tea\n- 007 milk (cold)"},
         [{"n": 12, "name": "tea"}, {"n": "007", "name": "milk", "note": "cold"}]),
        (ToolWords(pattern=r"costs (?P<price>[\d.]+)"), {"result": "it costs 4.50"},
         [{"price": 4.5}]),
        (ToolWords(each="tags"), {"result": [{"id": 1, "tags": ["a", "b"]}, {"id": 2}]},
         [{"id": 1, "tags": "a"}, {"id": 1, "tags": "b"}]),
    ],
)  # fmt: skip
def test_rows_of_results(words: ToolWords, content: Any, rows: list[Any]) -> None:
    assert rows_of(words, content) == rows


def test_labels_are_compared_without_regard_to_case_and_truth_is_no_number() -> None:
    assert labelled([ADA, HUGO], {"name": " aDA "}) == [ADA]
    assert labelled([ADA, HUGO], {"city": "graz", "name": "Hugo"}) == [HUGO]
    assert labelled([{"n": True}], {"n": 1}) == []


def test_the_greatest_and_the_least() -> None:
    rows = [{"n": 3, "d": "2026-05-04"}, {"n": 1, "d": "2026-06-01"}, {"n": None}]
    assert picked(rows, "n", True) is rows[0]
    assert picked(rows, "n", False) is rows[1]
    assert picked(rows, "d", True) is rows[1]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([{"n": 1}], "nothing-to-compare"),
        ([{"n": 1}, {"n": True}], "nothing-to-compare"),
        ([{"n": 1}, {"n": "2"}], "nothing-to-compare"),
        ([{"n": 2}, {"n": 2}, {"n": 1}], "label-ambiguous"),
    ],
)
def test_what_can_not_be_compared(rows: list[dict[str, Any]], reason: str) -> None:
    with pytest.raises(Unfound) as raised:
        picked(rows, "n", True)
    assert raised.value.reason == reason


RESULTS: list[Any] = [{"result": [ADA, HUGO]}, {"token": "t9", "list": [4, 5]}]
FACTS = {"who": "hugo", "where": "Graz", "text": "hello"}


def led_to(origin: Any) -> Any:
    return resolve(
        origin, FACTS, RESULTS.__getitem__, lambda step: rows_of(ToolWords(), RESULTS[step])
    )


def test_what_origins_lead_to() -> None:
    assert led_to(Stated(fact="text")) == "hello"
    assert led_to(OfRow(step=0, by={"name": "who"}, field="id")) == 2
    assert led_to(OfRow(step=0, by={"name": "who", "city": "where"}, field="id")) == 2
    assert led_to(Picked(step=0, greatest=False, of="id", field="name")) == "Ada"
    assert led_to(Returned(step=1, path="list/1")) == 5
    assert led_to(Fixed(fixed=[1])) == [1]
    several = Several(items=(Stated(fact="text"), Fixed(fixed=7)))
    assert led_to(several) == ["hello", 7]
    assert led_to(Composed(parts={"a": Stated(fact="who"), "b": several})) == {
        "a": "hugo", "b": ["hello", 7],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("origin", "reason"),
    [
        (Stated(fact="none"), "fact-missing"),
        (OfRow(step=0, by={"name": "none"}, field="id"), "fact-missing"),
        (OfRow(step=0, by={"name": "text"}, field="id"), "label-not-found"),
        (OfRow(step=0, by={"name": "who"}, field="age"), "label-not-found"),
        (OfRow(step=0, by={"city": "where"}, field="id"), "label-ambiguous"),
        (Returned(step=1, path="list/2"), "path-missing"),
        (Picked(step=0, greatest=True, of="city", field="id"), "label-ambiguous"),
        (Picked(step=0, greatest=True, of="age", field="id"), "nothing-to-compare"),
    ],
)
def test_what_origins_do_not_lead_to(origin: Any, reason: str) -> None:
    with pytest.raises(Unfound) as raised:
        led_to(origin)
    assert raised.value.reason == reason


def test_rows_of_one_label_that_agree_on_the_field_are_no_ambiguity() -> None:
    assert led_to(OfRow(step=0, by={"city": "where"}, field="city")) == "Graz"


@pytest.mark.parametrize(
    ("value", "kind", "found"),
    [
        (3.0, "integer", 3), (2.6, "integer", 3), ("2.5", "number", 2.5), ("x", "number", "x"),
        (7, "string", "7"), (True, "string", True), ("a", "string", "a"), (5, "number", 5),
        ([1], "array", [1]),
    ],
)  # fmt: skip
def test_values_are_fitted_to_the_schema(value: Any, kind: str, found: Any) -> None:
    fit = fitted(value, {"type": kind})
    assert fit == found and type(fit) is type(found)


@pytest.mark.parametrize(
    ("kind", "values", "true"),
    [
        ("money", [9.0, 10], True),
        ("money", ["9.00", "10.00"], False),
        ("number", [9, "10"], False),
        ("name", ["9", "10"], False),
        ("name", ["Ada", "10"], False),
        ("name", ["Ada", "Hugo"], True),
        ("date", ["2026-05-04", "2026-06-01"], True),
        ("date", ["May 4, 2026", "June 1, 2026"], False),
        ("date", ["04/05/2026"], False),
        ("datetime", ["2026-05-04 09:00", "2026-05-04T10:00:00"], True),
        ("datetime", [1714557600, 1714557700], True),
        ("time", ["09:30", "10:00"], True),
        ("time", ["9:30", "10:00"], False),
        ("yesno", ["yes", "no"], False),
    ],
)
def test_texts_are_compared_only_where_their_order_means_what_people_mean(
    kind: str, values: list[Any], true: bool
) -> None:
    assert in_order([{"f": value} for value in [*values, None]], "f", kind) is true


def test_a_page_of_a_list_is_only_a_part() -> None:
    rows = [{"title": "one"}, {"title": "two"}]
    for more in (
        {"total": 60},
        {"pages": 3},
        {"nextCursor": "abc"},
        {"has_more": True},
        {"paging": {"total": 3}},
    ):
        assert is_part({"items": rows, **more}, rows), more
    for whole in ({"total": 2}, {"pages": 1}, {"next": None}, {"has_more": False}, {"page": 1}):
        assert not is_part({"items": rows, **whole}, rows), whole
    assert not is_part(rows, rows)


def test_what_lists_and_objects_hold_is_fitted_too() -> None:
    item = {"type": "object", "properties": {"id": {"type": "string"}, "n": {"type": "integer"}}}
    schema = {"type": "array", "items": item}
    assert fitted([{"id": 3, "n": 2.0, "else": 1}], schema) == [{"id": "3", "n": 2, "else": 1}]
    assert fitted([1, 2], {"type": "array", "items": {"type": "string"}}) == ["1", "2"]
    assert fitted([1], {"type": "array"}) == [1]


def test_rows_that_an_argument_wants() -> None:
    row = {"name": "plan.txt", "kind": "file"}
    assert fits(row, {}) and fits(row, {"kind": "file"}) and fits(row, {"kind": ["file", "link"]})
    assert not fits(row, {"kind": "folder"})
    assert fits(row, {"kind": "file"}, "name", r"\.txt$")
    assert not fits(row, {}, "name", r"\.md$")
    assert not fits(row, {"kind": "folder"}, "name", r"\.txt$")
