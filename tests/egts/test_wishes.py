"""Words for single wishes: what is asked, how it is reported, which values an answer has."""

import random
from typing import Any

import pytest

from davinci_env.egts.lexicon import Arg, FieldWords, Lexicon, Noun, ToolWords
from davinci_env.egts.mentions import Speaker, Unworded
from davinci_env.egts.model import Aim, Fixed, Picked, Returned
from davinci_env.egts.surfaces import Style
from davinci_env.egts.systems import SystemEnvironment
from davinci_env.egts.wishes import Worded, checked, word
from tests.egts.little import TEXT, Little, Tool, carried_out, do, fact, of

ITEMS = [
    {"id": 1, "name": "tea", "price": 4.5, "box": "b1"},
    {"id": 2, "name": "milk", "price": 1.2, "box": "b1"},
    {"id": 3, "name": "salt", "price": 0.8, "box": "b2"},
]
NUMBER = {"type": "integer"}
SYSTEM = Little(
    {
        "list_items": Tool(lambda data: data["items"], reads=True),
        "list_boxes": Tool(lambda data: [{"box": "b1", "name": "red"}], reads=True),
        "list_box": Tool(lambda data, box: [r for r in data["items"] if r["box"] == box],
                         {"box": TEXT}, reads=True),
        "get_item": Tool(lambda data, box, item: data["items"][item - 1],
                         {"box": TEXT, "item": NUMBER}, reads=True),
        "sell": Tool(lambda data, item, note="", times=1: data.update(sold=[item, note, times]),
                     {"item": NUMBER, "note": TEXT, "times": NUMBER}, ("note", "times")),
        "sum_up": Tool(lambda data: {"total": 6.5, "names": ["tea", "milk"], "none": ""},
                       reads=True),
    },
    {"items": ITEMS, "sold": []},
)  # fmt: skip
ITEM = Arg(of="item", field="id")
BOX = Arg(of="box", field="box")
WORDS = Lexicon(
    currency="€",
    nouns={
        "item": Noun(plural="items", label=("name",), fields={
            "price": FieldWords(name="price", type="money", most="dearest", least="cheapest"),
            "box": FieldWords(name="box", type="name", ask="where {row} lies",
                              tell="{row} lies in {value}."),
        }),
        "box": Noun(label=("name",)),
    },
    tools={
        "list_items": ToolWords(rows="item", scope="in store"),
        "list_boxes": ToolWords(rows="box"),
        "list_box": ToolWords(rows="item", scope="in {box}", args={"box": BOX}),
        "get_item": ToolWords(rows="item", args={"box": BOX, "item": ITEM}),
        "sell": ToolWords(say=("sell/sold {item}[, and write {note}][ {times} times]",),
                          args={"item": ITEM, "times": Arg(value=1)}),
        "sum_up": ToolWords(ask=("what my things cost",), tell="Your things cost {total}.",
                            answer={"total": "money"}),
    },
)  # fmt: skip
FACTS = {"tea": "tea", "red": "red", "note": "a {gift}"}
LIST: tuple[str, dict[str, Any]] = ("list_items", {})
IN_RED = ("list_box", {"box": of(0, "box", name="red")})


def worded(
    *calls: tuple[str, dict[str, Any]], aim: Aim, lexicon: Lexicon = WORDS, number: int = 0
) -> Worded:
    run = carried_out(SystemEnvironment(SYSTEM), lexicon, FACTS, calls, [aim])
    return word(Speaker(run, lexicon, Style("uk", "24", "€")), aim, random.Random(1), number)


def changed(tool: str, **changes: Any) -> Lexicon:
    tools = {**WORDS.tools, tool: WORDS.tools[tool].model_copy(update=changes)}
    return WORDS.model_copy(update={"tools": tools})


def sold(**origins: Any) -> tuple[str, dict[str, Any]]:
    return "sell", {"item": of(0, "id", name="tea"), **origins}


# -- changes ---------------------------------------------------------------------------------------


def test_a_change_and_its_report() -> None:
    piece = worded(LIST, sold(note=fact("note")), aim=do(1, "sell"))
    assert piece.clause == 'sell the item "{tea}", and write {note}'
    assert piece.report == 'I\'ve sold the item "{tea}", and write {note}.'
    assert piece.said == {"tea": "tea", "note": "a {gift}"}
    assert piece.slots == ()


def test_what_is_always_the_same_is_not_said() -> None:
    piece = worded(LIST, sold(times=Fixed(fixed=1)), aim=do(1, "sell"))
    assert piece.clause == 'sell the item "{tea}"'


def test_a_wording_has_to_speak_of_all_that_is_given() -> None:
    mute = changed("sell", say=("sell/sold {item}",))
    with pytest.raises(Unworded, match="no wording of sell has just item, note"):
        worded(LIST, sold(note=fact("note")), aim=do(1, "sell"), lexicon=mute)
    with pytest.raises(Unworded, match="no wording"):
        worded(
            LIST, sold(), aim=do(1, "sell"), lexicon=changed("sell", say=("sell {item} {note}",))
        )


def test_the_report_of_a_change_may_have_words_of_its_own() -> None:
    piece = worded(LIST, sold(), aim=do(1, "sell"), lexicon=changed("sell", done="it is gone"))
    assert piece.report == "It is gone."


def test_what_was_picked_is_named_in_the_report() -> None:
    pick = Picked(step=0, greatest=True, of="price", field="id")
    piece = worded(LIST, ("sell", {"item": pick}), aim=do(1, "sell"), number=2)
    assert piece.clause == "sell the dearest in store item"
    assert piece.report == "I've sold the dearest in store item ({s2_0})."
    (slot,) = piece.slots
    assert (slot.name, slot.type, slot.value) == ("s2_0", "name", "tea")
    assert slot.origin == pick.model_copy(update={"field": "name"})


# -- questions -------------------------------------------------------------------------------------


def test_a_question_that_a_tool_answers() -> None:
    piece = worded(("sum_up", {}), aim=Aim(kind="ask", tool="sum_up", call=0))
    assert piece.clause == "what my things cost"
    assert piece.report == "Your things cost {s0_0}."
    (slot,) = piece.slots
    assert (slot.type, slot.value, slot.unit) == ("money", 6.5, "€")
    assert slot.origin == Returned(step=0, path="total")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"tell": ""}, "unworded"),
        ({"tell": "It is {total} of {all}."}, "unworded"),
        ({"ask": ()}, "unworded"),
        ({"answer": {"gone": "money"}}, "empty-answer"),
        ({"answer": {"none": "text"}}, "empty-answer"),
        ({"answer": {"names": "money"}}, "empty-answer"),
        ({"answer": {"names": "text"}}, "long-answer"),
    ],
)
def test_answers_that_are_none(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(Unworded) as raised:
        worded(
            ("sum_up", {}), aim=Aim(kind="ask", tool="sum_up", call=0),
            lexicon=changed("sum_up", **changes),
        )  # fmt: skip
    assert raised.value.reason == reason


def test_a_question_about_a_field_has_the_other_rows_as_decoys() -> None:
    aim = Aim(kind="field", tool="list_items", call=0, row=of(0, "price", name="tea"),
              field="price")  # fmt: skip
    piece = worded(LIST, aim=aim)
    assert piece.clause == 'what the price of the item "{tea}" is'
    assert piece.report == 'The price of the item "{tea}" is {s0}.'
    (slot,) = piece.slots
    assert (slot.value, slot.unit, slot.others) == (4.5, "€", (1.2, 0.8))
    assert slot.cues == ("price", "tea")


def test_a_field_may_have_a_question_of_its_own() -> None:
    aim = Aim(kind="field", tool="list_items", call=0, row=of(0, "box", name="tea"), field="box")
    piece = worded(LIST, aim=aim)
    assert piece.clause == 'where the item "{tea}" lies'
    assert piece.report == 'The item "{tea}" lies in {s0}.'


def test_what_a_tool_shows_of_one_thing_is_asked_of_that_thing() -> None:
    calls = [
        ("list_boxes", {}),
        ("list_box", {"box": of(0, "box", name="red")}),
        ("get_item", {"box": of(0, "box", name="red"), "item": of(1, "id", name="tea")}),
    ]
    aim = Aim(kind="field", tool="get_item", call=2, row=of(2, "price"), field="price")
    piece = worded(*calls, aim=aim)
    assert piece.clause == 'what the price of the item "{tea}" in the box "{red}" is'
    unnamed = changed("get_item", args={"box": BOX})
    with pytest.raises(Unworded, match="which item get_item shows"):
        worded(*calls, aim=aim, lexicon=unnamed)


def test_which_is_the_most() -> None:
    row = Picked(step=1, greatest=False, of="price", field="name")
    aim = Aim(kind="pick", tool="list_box", call=1, row=row, field="name")
    piece = worded(("list_boxes", {}), IN_RED, aim=aim)
    assert piece.clause == 'which item in the box "{red}" is the cheapest'
    assert piece.report == 'The cheapest item in the box "{red}" is {s0}.'
    (slot,) = piece.slots
    assert (slot.value, slot.others, slot.cues) == ("milk", ("tea",), ("cheapest",))


def test_how_many_there_are() -> None:
    piece = worded(LIST, aim=Aim(kind="count", tool="list_items", call=0), number=1)
    assert piece.clause == "how many in store items there are"
    assert piece.report == "There are {s1} in store items."
    (slot,) = piece.slots
    assert slot.count and slot.value == 3 and slot.cues == ("items",)


# -- answers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "kind"),
    [(0, "whole"), (4.5, "money"), (False, "yesno"), ("x" * 160, "text"), (["a"] * 6, "list")],
)
def test_values_that_can_be_said(value: Any, kind: Any) -> None:
    assert checked(value, kind) == value


@pytest.mark.parametrize(
    ("value", "kind", "reason"),
    [
        (None, "text", "empty-answer"), ("", "text", "empty-answer"), ([], "list", "empty-answer"),
        ("4", "whole", "empty-answer"), (True, "number", "empty-answer"),
        ("x" * 161, "text", "long-answer"), ({"a": 1}, "text", "long-answer"),
        (["a"] * 7, "list", "long-answer"), ([["a"]], "list", "long-answer"),
        ("a", "list", "long-answer"),
    ],
)  # fmt: skip
def test_values_that_nobody_would_say(value: Any, kind: Any, reason: str) -> None:
    with pytest.raises(Unworded) as raised:
        checked(value, kind)
    assert raised.value.reason == reason
