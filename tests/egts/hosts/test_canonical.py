"""The difference of two states: whether it tells all, and nothing but, what tells them apart."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from davinci_env.egts.hosts.canonical import MAX_MATCHED, difference, digest, encode

# -- worked out by hand ----------------------------------------------------------------------------


def test_cells_of_objects_are_named_by_their_keys():
    before = {"people": {"ada": {"age": 30, "city": "Graz"}}, "a/b": {"~": 1}}
    after = {"people": {"ada": {"age": 31, "city": "Graz"}, "bo": {"age": 5}}, "a/b": {"~": 2}}
    assert difference(before, after) == [
        ["/a~1b/~0", 1, 2],
        ["/people/ada/age", 30, 31],
        ["/people/bo", None, {"age": 5}],
    ]


def test_items_with_an_identity_are_named_by_it():
    before = {"mails": [{"id": 7, "read": False}, {"id": 8, "read": False}]}
    after = {"mails": [{"id": 8, "read": True}, {"id": 9, "read": False}]}
    assert difference(before, after) == [
        ["/mails/7", {"id": 7, "read": False}, None],
        ["/mails/8/read", False, True],
        ["/mails/9", None, {"id": 9, "read": False}],
    ]


def test_items_without_one_are_named_by_position():
    assert difference(["a", "b", "c"], ["b", "c", "d"]) == [["/0", "a", None], ["/2", None, "d"]]
    assert difference([["a", 1], ["b", 2]], [["a", 1], ["b", 3]]) == [["/1/1", 2, 3]]
    assert difference([5, 6], []) == [["/0", 5, None], ["/1", 6, None]]


def test_two_items_of_one_identity_go_by_position():
    before = [{"id": 1, "n": 1}, {"id": 1, "n": 2}]
    after = [{"id": 1, "n": 1}, {"id": 1, "n": 3}]
    assert difference(before, after) == [["/1/n", 2, 3]]


def test_items_that_change_places_are_a_difference_of_the_list():
    before = [{"id": 1}, {"id": 2}, {"id": 3}]
    after = [{"id": 3}, {"id": 1}]
    assert difference(before, after) == [
        ["", ["1", "2", "3"], ["3", "1"]],
        ["/2", {"id": 2}, None],
    ]


@pytest.mark.parametrize(
    ("before", "after", "cells"),
    [
        ({"n": 1}, {"n": 1.0}, [["/n", 1, 1.0]]),
        ({"n": 1}, {"n": True}, [["/n", 1, True]]),
        ([[0]], [[False]], [["/0/0", 0, False]]),
        ({"n": None}, {}, [["/n", None, None]]),
        ({"n": {}}, {}, [["/n", {}, None]]),
        ({"n": {}}, {"n": []}, [["/n", {}, []]]),
        ([], [None], [["/0", None, None]]),
        ([{"id": 1}], [{"id": "1"}], [["/1/id", 1, "1"]]),
        ("a", "b", [["", "a", "b"]]),
    ],
)
def test_small_differences_are_told(before, after, cells):
    found = difference(before, after)
    assert repr(found) == repr(cells)  # 1 == 1.0 == True
    assert digest(before) != digest(after)


def test_what_is_no_number_equals_itself():
    nothing = float("nan")
    assert difference({"n": [nothing]}, {"n": [float("nan")]}) == []
    assert difference({"n": 0.0}, {"n": -0.0}) == [["/n", 0.0, -0.0]]


def test_a_long_list_that_changed_everywhere_takes_no_square_of_time():
    before = ["a", "b"] * MAX_MATCHED
    after = ["x", *before, "y"]
    cells = difference(before, after)
    assert len(cells) == 4 * MAX_MATCHED + 2
    assert patched(before, cells) == after


def test_equal_documents_have_equal_bytes_whatever_the_order_of_keys():
    assert encode({"b": [1], "a": "é"}) == b'{"a":"\xc3\xa9","b":[1]}'
    assert encode({"a": "é", "b": [1]}) == encode({"b": [1], "a": "é"})
    assert encode("\ud800") == b'"\xed\xa0\x80"'


# -- for any documents -----------------------------------------------------------------------------

ROWS = "rows"
"""The key under which the documents below have lists of items with identities."""

numbers = st.integers(-2, 2) | st.sampled_from([0.0, -0.0, 1.0, 2.5])
scalars = st.booleans() | numbers | st.text("ab/~", max_size=3)


def objects(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Objects whose fields may be null, with a list of identified rows now and then."""
    fields = st.dictionaries(
        st.sampled_from(["a", "b", "c/d", "~"]), st.none() | values, max_size=3
    )
    row = st.tuples(st.sampled_from([1, 2, 3, 10, "x", "y/z"]), fields)
    rows = st.lists(row, max_size=4, unique_by=lambda pair: pair[0]).map(
        lambda pairs: [{"id": key, **rest} for key, rest in pairs]
    )
    return st.tuples(fields, rows, st.booleans()).map(
        lambda parts: {**parts[0], ROWS: parts[1]} if parts[2] else parts[0]
    )


documents = st.recursive(
    scalars, lambda inner: objects(inner) | st.lists(inner, max_size=4), max_leaves=12
)
states = objects(documents)


@settings(max_examples=300, deadline=None)
@given(states, states)
def test_there_is_no_difference_just_where_digests_are_equal(before, after):
    assert (difference(before, after) == []) == (digest(before) == digest(after))
    assert difference(before, before) == []


@settings(max_examples=500, deadline=None)
@given(states, states)
def test_the_cells_make_one_state_of_the_other(before, after):
    cells = difference(before, after)
    assert encode(plain(patched(before, cells))) == encode(plain(after))
    assert [cell[0] for cell in cells] == sorted(cell[0] for cell in cells)


@settings(max_examples=200, deadline=None)
@given(states, states, st.integers(0, 99))
def test_the_order_of_keys_is_of_no_account(before, after, seed):
    shuffled = with_keys_shuffled(before, random.Random(seed))
    assert digest(shuffled) == digest(before)
    assert encode(difference(shuffled, after)) == encode(difference(before, after))


# -- the way back, written apart from the code under test ------------------------------------------


def patched(before: Any, cells: list[list[Any]]) -> Any:
    """A document after its cells were applied."""
    return _patched(before, [([_key(k) for k in p.split("/")[1:]], b, a) for p, b, a in cells], "")


def _key(text: str) -> str:
    return text.replace("~1", "/").replace("~0", "~")


def _patched(node: Any, cells: list[tuple[list[str], Any, Any]], name: str) -> Any:
    whole = [after for path, _, after in cells if not path]
    if whole and not (isinstance(node, list) and isinstance(whole[0], list)):
        return whole[0]
    cells = [cell for cell in cells if cell[0]]
    if isinstance(node, dict):
        return _object(node, cells)
    if name == ROWS:
        rows = {str(row["id"]): row for row in node}
        return list(_object(rows, cells).values())
    return _list(node, cells) if cells else node


def _object(node: dict[str, Any], cells: list[tuple[list[str], Any, Any]]) -> dict[str, Any]:
    made = dict(node)
    for key in dict.fromkeys(path[0] for path, _, _ in cells):
        inner = [(path[1:], b, a) for path, b, a in cells if path[0] == key]
        value = _patched(made.get(key), inner, key)
        if value is None:
            made.pop(key, None)
        else:
            made[key] = value
    return made


def _list(node: list[Any], cells: list[tuple[list[str], Any, Any]]) -> list[Any]:
    here = [(int(path[0]), b, a) for path, b, a in cells if len(path) == 1]
    gone = {place for place, _, after in here if after is None}
    made = [item for place, item in enumerate(node) if place not in gone]
    for place, _, after in sorted((c for c in here if c[1] is None), key=lambda c: c[0]):
        made.insert(place, after)
    rest = [c for c in cells if len(c[0]) > 1 or (c[1] is not None and c[2] is not None)]
    for place in dict.fromkeys(int(path[0]) for path, _, _ in rest):
        inner = [(path[1:], b, a) for path, b, a in rest if int(path[0]) == place]
        made[place] = _patched(made[place], inner, "")
    return made


def plain(node: Any) -> Any:
    """Without fields that are null, and with identified rows in an order of their own: the cells
    don't say where a new row stands.
    """
    if isinstance(node, dict):
        fields = {key: plain(value) for key, value in node.items() if value is not None}
        if isinstance(fields.get(ROWS), list):
            fields[ROWS] = sorted(fields[ROWS], key=encode)
        return fields
    return [plain(item) for item in node] if isinstance(node, list) else node


def with_keys_shuffled(node: Any, rng: random.Random) -> Any:
    """The same document with its keys in another order."""
    if isinstance(node, dict):
        keys = list(node)
        rng.shuffle(keys)
        return {key: with_keys_shuffled(node[key], rng) for key in keys}
    return [with_keys_shuffled(item, rng) for item in node] if isinstance(node, list) else node
