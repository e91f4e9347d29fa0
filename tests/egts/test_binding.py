"""Binding: which value an argument gets, and by what way a request can carry it."""

import random
from typing import Any

import pytest

from davinci_env.egts.binding import Binder
from davinci_env.egts.experience import Experience
from davinci_env.egts.lexicon import Arg, FieldWords, Lexicon, Noun, ToolWords
from davinci_env.egts.model import Composed, Fixed, OfRow, Picked, Returned, Several, Stated
from davinci_env.egts.scene import Scene, Stuck
from davinci_env.egts.systems import SystemEnvironment
from tests.egts.little import TEXT, Little, Tool, of
from tests.egts.samples import at_start, words
from tests.egts.toy import ToySystem, small_state

SEEDS = range(40)


def scene(
    lexicon: Lexicon | None = None, environment: SystemEnvironment | None = None, seed: int = 1
) -> Scene:
    return Scene(environment or at_start(), lexicon or words(), random.Random(seed), Experience())


def changed(tool: str, **changes: Any) -> Lexicon:
    tools = {**words().tools, tool: words().tools[tool].model_copy(update=changes)}
    return words().model_copy(update={"tools": tools})


# -- rows ------------------------------------------------------------------------------------------


def test_an_id_is_looked_up_by_a_label_that_the_user_states() -> None:
    for seed in SEEDS:
        at = scene(seed=seed)
        values, origins = Binder(at).bind("remove_contact")
        (fact,) = at.facts
        assert origins == {"contact_id": of(0, "contact_id", name=fact)}
        name = {"c1": "Ada Amsel", "c2": "Hugo Dorn"}[values["contact_id"]]
        assert at.facts == {fact: name}
        (call,) = at.calls
        assert (call.tool, call.role, call.arguments) == ("list_contacts", "means", {})


def toy_with(change: Any) -> SystemEnvironment:
    state = small_state()
    change(state)
    return SystemEnvironment(ToySystem(lambda _: state), seed=1)


def adas_alone() -> SystemEnvironment:
    """The toy with the one contact about whom there are notes."""
    return toy_with(lambda state: state["contacts"].pop("c2"))


def test_what_a_list_needs_is_looked_up_first() -> None:
    given = set()
    for seed in SEEDS:
        at = scene(environment=adas_alone(), seed=seed)
        values, origins = Binder(at).bind("pin_note")
        assert [call.tool for call in at.calls] == ["list_contacts", "list_notes"]
        assert at.calls[1].origins == {"contact_id": of(0, "contact_id", name="f0")}
        facts = {"f0": "Ada Amsel"}
        if isinstance(origins["note_id"], Picked):
            assert origins["note_id"].step == 1
        else:
            assert origins["note_id"] == of(1, "note_id", text="f1")
            facts["f1"] = {"n3": "ladder", "n4": "salad"}[values["note_id"]]
        assert at.facts == facts
        given |= set(values)
        assert origins.get("pinned", Fixed(fixed=True)) == Fixed(fixed=True)
    assert given == {"note_id", "pinned"}


def test_a_list_is_looked_at_once_until_something_changes() -> None:
    at = scene()
    binder = Binder(at)
    binder.bind("remove_contact")
    binder.bind("update_contact")
    assert [call.tool for call in at.calls] == ["list_contacts"]
    at.call("add_contact", {"name": "Ines Hasel", "email": "i@example.org"}, {}, "wish")
    binder.stay = 0
    binder.bind("remove_contact")
    assert [call.tool for call in at.calls][2:] == ["list_contacts"]


def test_what_the_episode_speaks_of_is_spoken_of_again() -> None:
    same = 0
    for seed in SEEDS:
        at = scene(seed=seed)
        binder = Binder(at)
        first, _ = binder.bind("write_note")
        then, _ = binder.bind("update_contact")
        same += first["contact_id"] == then["contact_id"]
        names = [value for value in at.facts.values() if value in ("Ada Amsel", "Hugo Dorn")]
        assert len(names) == len(set(names)), "one thing is one fact"
    assert same > 0.7 * len(SEEDS)


def test_a_label_that_two_have_is_never_used() -> None:
    def twins(state: dict[str, Any]) -> None:
        state["contacts"]["c9"] = {"name": "ADA amsel", "email": "x@example.org", "city": "Graz"}

    environment = toy_with(twins)
    for seed in SEEDS:
        at = scene(environment=environment, seed=seed)
        assert Binder(at).bind("remove_contact")[0] == {"contact_id": "c2"}
        environment.reset()


def test_where_every_label_is_ambiguous_nothing_is_bound() -> None:
    def all_alike(state: dict[str, Any]) -> None:
        for row in state["contacts"].values():
            row["name"] = "Ada Amsel"

    with pytest.raises(Stuck):
        Binder(scene(environment=toy_with(all_alike))).bind("remove_contact")


def test_a_second_label_is_used_where_the_first_tells_nothing_apart() -> None:
    noun = words().nouns["contact"].model_copy(update={"label": ("city", "name"), "said": ""})
    lexicon = words().model_copy(update={"nouns": {**words().nouns, "contact": noun}})

    def one_city(state: dict[str, Any]) -> None:
        state["contacts"]["c2"]["city"] = "Graz"

    at = scene(lexicon, toy_with(one_city))
    _, origins = Binder(at).bind("remove_contact")
    assert list(origins["contact_id"].by) == ["name"]  # type: ignore[union-attr]


def test_a_label_of_two_fields() -> None:
    noun = words().nouns["contact"].model_copy(update={"label": ("name+city",)})
    lexicon = words().model_copy(update={"nouns": {**words().nouns, "contact": noun}})
    at = scene(lexicon)
    _, origins = Binder(at).bind("remove_contact")
    by = origins["contact_id"].by  # type: ignore[union-attr]
    assert list(by) == ["name", "city"] and set(by.values()) == set(at.facts)


def test_an_argument_that_is_the_label_itself_is_stated() -> None:
    lexicon = changed("get_contact", args={"contact_id": Arg(of="contact", field="name")})
    at = scene(lexicon)
    values, origins = Binder(at).bind("get_contact")
    (fact,) = at.facts
    assert origins == {"contact_id": Stated(fact=fact)} and values["contact_id"] == at.facts[fact]


PRICES = Little(
    {
        "list_items": Tool(lambda data: data["items"], reads=True),
        "sell": Tool(lambda data, item: data["items"].pop(), {"item": {"type": "integer"}}),
    },
    {"items": [{"id": n, "name": f"item {n}", "price": p, "text": str(p)}
               for n, p in ((1, 9.5), (2, 10.0), (3, 0.5))]},
)  # fmt: skip


def shop(**fields: FieldWords) -> Lexicon:
    return Lexicon(
        nouns={"item": Noun(label=("name",), fields=fields)},
        tools={"list_items": ToolWords(rows="item"),
               "sell": ToolWords(say=("sell {item}",), args={"item": Arg(of="item", field="id")})},
    )  # fmt: skip


def sold(lexicon: Lexicon) -> list[tuple[dict[str, Any], Any]]:
    found = []
    for seed in SEEDS:
        at = scene(lexicon, SystemEnvironment(PRICES), seed)
        values, origins = Binder(at).bind("sell")
        found.append((values, origins["item"]))
    return found


def test_rows_are_picked_by_comparison_where_people_do_that() -> None:
    price = FieldWords(name="price", type="money", most="dearest", least="cheapest")
    picks = [(v["item"], o) for v, o in sold(shop(price=price)) if isinstance(o, Picked)]
    assert 0 < len(picks) < len(SEEDS)
    dearest = Picked(step=0, greatest=True, of="price", field="id")
    cheapest = dearest.model_copy(update={"greatest": False})
    assert {(item, o.greatest) for item, o in picks} == {(2, True), (3, False)}
    assert all(o in (dearest, cheapest) for _, o in picks)


def test_amounts_that_are_written_as_text_are_not_compared() -> None:
    wrong = FieldWords(name="price", type="money", most="dearest", least="cheapest")
    assert all(isinstance(o, OfRow) for _, o in sold(shop(text=wrong)))


def test_only_rows_that_fit() -> None:
    lexicon = shop()
    lexicon.tools["sell"].args["item"] = Arg(of="item", field="id", where={"price": [9.5, 0.5]})
    assert {v["item"] for v, _ in sold(lexicon)} == {1, 3}


def test_nothing_shows_such_things() -> None:
    lexicon = shop()
    blind = lexicon.model_copy(update={"tools": {"sell": lexicon.tools["sell"]}})
    with pytest.raises(Stuck) as raised:
        Binder(scene(blind, SystemEnvironment(PRICES))).bind("sell")
    assert raised.value.reason == "no-supplier"


# -- values ----------------------------------------------------------------------------------------


def sends(**args: Arg) -> tuple[Lexicon, SystemEnvironment]:
    kinds: dict[str, Any] = {
        "count": {"type": "integer"},
        "names": {"type": "array", "items": TEXT},
    }
    tools = {
        "send": Tool(lambda data, **_: None, {name: kinds.get(name, TEXT) for name in args},
                     ("extra",)),
        "sign_in": Tool(lambda data: {"session": {"token": "t1"}}),
    }  # fmt: skip
    lexicon = Lexicon(tools={"send": ToolWords(say=("send",), args=args), "sign_in": ToolWords()})
    return lexicon, SystemEnvironment(Little(tools, {}))


def sent(seed: int = 1, **args: Arg) -> tuple[dict[str, Any], dict[str, Any], Scene]:
    at = scene(*sends(**args), seed=seed)
    values, origins = Binder(at).bind("send")
    return values, origins, at


def test_drawn_values_are_stated_as_the_tool_takes_them() -> None:
    values, origins, at = sent(count=Arg(one_of=("3",)), to=Arg(one_of=(7,)))
    assert values == {"count": "3", "to": "7"}
    assert {name: at.facts[o.fact] for name, o in origins.items()} == values


def test_a_text_comes_after_what_it_speaks_of_wherever_that_stands() -> None:
    for seed in SEEDS:
        values, _, _ = sent(
            seed,
            text=Arg(one_of=("{who} comes on {day}",)),
            who=Arg(one_of=("{title} Dorn",)),
            title=Arg(one_of=("Mr", "Dr")),
            day=Arg(date=("2026-05-05", "2026-05-06"), after="begin"),
            begin=Arg(date=("2026-05-04", "2026-05-04")),
        )
        assert values["who"] == f"{values['title']} Dorn"
        assert values["begin"] == "2026-05-04" < values["day"]
        assert values["text"] == f"{values['who']} comes on {values['day']}"


def test_texts_that_speak_of_each_other_end() -> None:
    with pytest.raises(Stuck) as raised:
        sent(a=Arg(one_of=("{b}",)), b=Arg(one_of=("{a}",)))
    assert raised.value.reason == "no-value"


def test_an_argument_without_a_source() -> None:
    with pytest.raises(Stuck) as raised:
        sent(to=Arg())
    assert raised.value.reason == "no-source"


def test_optional_arguments_are_given_as_often_as_the_words_say() -> None:
    often = Arg(one_of=("x",), often=1)
    assert "extra" in sent(extra=often)[0]
    assert "extra" not in sent(extra=often.model_copy(update={"often": 0}))[0]


def test_one_of_those_that_are_needed_is_given() -> None:
    lexicon = changed("update_contact", args={
        **words().tools["update_contact"].args,
        "email": Arg(one_of=("a@example.org",), often=0), "city": Arg(often=0),
    })  # fmt: skip
    given = set()
    for seed in SEEDS:
        values, _ = Binder(scene(lexicon, seed=seed)).bind("update_contact")
        assert len(values) == 2
        given |= set(values)
    assert given == {"contact_id", "email", "city"}


def test_several_values_are_different_and_enough() -> None:
    for seed in SEEDS:
        values, origins, at = sent(seed, names=Arg(one_of=("a", "b", "c"), many=(2, 3)))
        assert 2 <= len(values["names"]) == len(set(values["names"])) <= 3
        assert isinstance(origins["names"], Several)
        assert [at.facts[o.fact] for o in origins["names"].items] == values["names"]  # type: ignore[union-attr]
    with pytest.raises(Stuck) as raised:
        sent(names=Arg(one_of=("a",), many=(2, 3)))
    assert raised.value.reason == "no-value"


def test_what_an_earlier_call_returned() -> None:
    values, origins, at = sent(token=Arg(result="sign_in/session/token"))
    assert values == {"token": "t1"}
    assert origins == {"token": Returned(step=0, path="session/token")}
    assert [(call.tool, call.role) for call in at.calls] == [("sign_in", "means")]
    assert Binder(at).bind("send") == (values, origins) and len(at.calls) == 1
    with pytest.raises(Stuck):
        sent(token=Arg(result="sign_in/nothing"))


def test_what_a_tool_needs_is_called_once_before_it() -> None:
    at = scene(environment=adas_alone())
    Binder(at).bind("archive_note")
    Binder(at).bind("archive_note")
    assert [call.tool for call in at.calls].count("unlock_archive") == 1
    assert at.calls[0].tool == "unlock_archive"


def test_looking_up_ends() -> None:
    lexicon = changed("list_contacts", args={"city": Arg(of="contact", field="city", often=1)})
    with pytest.raises(Stuck):
        Binder(scene(lexicon)).bind("remove_contact")


def test_the_properties_of_an_object_are_of_one_row() -> None:
    item = {"type": "object", "properties": {"id": {"type": "integer"}, "name": TEXT, "to": TEXT}}
    tools = {
        "list_items": Tool(lambda data: data["items"], reads=True),
        "pack": Tool(lambda data, what: None, {"what": item}),
    }
    system = Little(tools, {"items": [{"id": n, "name": f"item {n}"} for n in range(1, 9)]})
    lexicon = Lexicon(
        nouns={"item": Noun(label=("name",))},
        tools={
            "list_items": ToolWords(rows="item"),
            "pack": ToolWords(args={
                "what.id": Arg(of="item", field="id"), "what.name": Arg(of="item", field="name"),
                "what.to": Arg(one_of=("Ada",)),
            }),
        },
    )  # fmt: skip
    for seed in SEEDS:
        values, origins = Binder(scene(lexicon, SystemEnvironment(system), seed)).bind("pack")
        what = values["what"]
        assert what == {"id": what["id"], "name": f"item {what['id']}", "to": "Ada"}
        assert isinstance(origins["what"], Composed)
        assert set(origins["what"].parts) == {"id", "name", "to"}


def test_optional_arguments_are_chosen_such_that_there_are_words_for_them() -> None:
    lexicon = changed(
        "update_contact",
        say=("change {contact_id}'s address to {email}", "move {contact_id} to {city}"),
    )
    given = set()
    for seed in SEEDS:
        values, _ = Binder(scene(lexicon, seed=seed)).bind("update_contact")
        given.add(tuple(sorted(values)))
    assert given == {("contact_id", "email"), ("city", "contact_id")}
