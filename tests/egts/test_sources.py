"""Values that are drawn: within what the words allow, of the type that the tool takes."""

import random
from datetime import date, datetime, time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from davinci_env.egts.lexicon import Arg, Lexicon
from davinci_env.egts.sources import draw, drawable, parse_moment

seeds = st.integers(0, 2**32).map(random.Random)


def drawn(
    arg: Arg, schema: dict[str, Any] | None = None, seed: int | random.Random = 1, **bound: Any
) -> Any:
    rng = seed if isinstance(seed, random.Random) else random.Random(seed)
    words = Lexicon(values={"remark": ("says {name} hello", "waves")})
    state = {"people": [{"name": "Ada"}, {"name": "Hugo"}, {"name": ""}, {"name": ["x"]}]}
    return draw(arg, schema or {}, words, state, rng, bound)


@pytest.mark.parametrize(
    ("choices", "schema", "values"),
    [
        ({"true": "on", "false": "off"}, {"type": "boolean"}, {True, False}),
        ({"True": "on", "False": "off"}, {"type": "boolean"}, {True, False}),
        ({"1": "low", "3": "high"}, {"type": "integer"}, {1, 3}),
        ({"1": "low", "3": "high"}, {"enum": [1, 2, 3]}, {1, 3}),
        ({"0.5": "half"}, {"type": "number"}, {0.5}),
        ({"1": "one"}, {"type": "string"}, {"1"}),
    ],
)
def test_choices_have_the_type_that_the_tool_takes(
    choices: dict[str, str], schema: dict[str, Any], values: set[Any]
) -> None:
    found = {drawn(Arg(choice=choices), schema, seed) for seed in range(40)}
    assert found == values
    assert {type(value) for value in found} == {type(value) for value in values}


@pytest.mark.parametrize("kind", ["boolean", "integer", "number"])
def test_a_choice_of_another_type_is_no_value(kind: str) -> None:
    with pytest.raises(LookupError, match="maybe"):
        drawn(Arg(choice={"maybe": "perhaps"}), {"type": kind})


def test_texts_speak_only_of_what_is_known() -> None:
    arg = Arg(one_of="remark")
    assert {drawn(arg, seed=seed) for seed in range(20)} == {"waves"}
    assert {drawn(arg, seed=seed, name="Ada") for seed in range(20)} == {
        "says Ada hello", "waves",
    }  # fmt: skip
    with pytest.raises(LookupError):
        drawn(Arg(one_of=("only {other}",)), name="Ada")
    assert drawn(Arg(one_of=("the {board game}",)), **{"board game": "Go"}) == "the Go"


@pytest.mark.parametrize("text", ['{"a": 1}', "a { b", "}{", "f(x) {}", "{0}"])
def test_braces_that_speak_of_nothing_stay(text: str) -> None:
    assert drawn(Arg(one_of=(text,))) == text


@given(st.text())
def test_what_a_text_speaks_of_is_put_in_as_it_is(value: str) -> None:
    assert drawn(Arg(one_of=("<{name}>",)), name=value) == f"<{value}>"


def test_values_of_the_state_are_plain_and_others_than_those_spoken_of() -> None:
    arg = Arg(state="people/*/name")
    assert {drawn(arg, seed=seed) for seed in range(20)} == {"Ada", "Hugo"}
    assert {drawn(arg, seed=seed, who="Ada") for seed in range(20)} == {"Hugo"}
    with pytest.raises(LookupError):
        drawn(Arg(state="people/*/age"))


@given(seeds, st.floats(0.01, 1e4), st.floats(0, 1e4))
def test_money_is_within_its_limits_to_the_cent(
    rng: random.Random, low: float, more: float
) -> None:
    low, high = round(low, 2), round(low + more, 2)
    amount = drawn(Arg(money=(low, high)), seed=rng)
    assert low <= amount <= high
    assert amount == round(amount, 2)


@given(seeds, st.integers(-50, 50), st.integers(0, 50))
def test_numbers_are_within_their_limits(rng: random.Random, low: int, more: int) -> None:
    assert low / 8 <= drawn(Arg(number=(low / 8, (low + more) / 8)), seed=rng) <= (low + more) / 8
    whole = drawn(Arg(whole=(low, low + more)), seed=rng)
    assert isinstance(whole, int) and low <= whole <= low + more


@given(seeds)
def test_days_and_times_are_within_their_limits_and_people_meet_by_day(rng: random.Random) -> None:
    day = drawn(Arg(date=("2026-05-04", "2026-05-06")), seed=rng)
    assert date(2026, 5, 4) <= date.fromisoformat(day) <= date(2026, 5, 6)
    written = drawn(Arg(datetime=("2026-05-04T00:00", "2026-05-06T00:00")), seed=rng)
    moment = datetime.fromisoformat(written)
    assert date(2026, 5, 4) <= moment.date() <= date(2026, 5, 6)
    assert time(9) <= moment.time() < time(17) and moment.minute in (0, 30)


@given(seeds)
def test_an_end_comes_after_its_begin(rng: random.Random) -> None:
    end = Arg(datetime=("2026-05-04", "2026-05-06"), after="begin", format="%d.%m.%Y %H:%M")
    begun = "04.05.2026 16:30"
    assert (
        datetime(2026, 5, 4, 17)
        <= datetime.strptime(drawn(end, seed=rng, begin=begun), "%d.%m.%Y %H:%M")
        <= datetime(2026, 5, 4, 18, 30)
    )
    back = Arg(date=("2026-05-04", "2026-05-06"), after="out")
    assert "2026-05-05" <= drawn(back, seed=rng, out="2026-05-04") <= "2026-05-10"


def test_an_end_after_something_written_otherwise_is_no_value() -> None:
    end = Arg(date=("2026-05-04", "2026-05-06"), after="begin")
    with pytest.raises(LookupError, match="begin"):
        drawn(end, begin="next Monday")


@pytest.mark.parametrize(
    ("text", "format", "moment"),
    [
        ("2026-05-04", "", date(2026, 5, 4)),
        ("2026-05-04T09:30", "", datetime(2026, 5, 4, 9, 30)),
        ("04/05/2026", "%d/%m/%Y", date(2026, 5, 4)),
        ("04/05/2026 09:30", "%d/%m/%Y %H:%M", datetime(2026, 5, 4, 9, 30)),
    ],
)
def test_moments_are_read_as_they_are_written(text: str, format: str, moment: Any) -> None:
    found = parse_moment(text, format)
    assert found == moment and type(found) is type(moment)


def test_what_can_be_drawn() -> None:
    assert drawable(Arg(), {"enum": ["a"]})
    assert drawable(Arg(whole=(0, 0)), {})
    assert not drawable(Arg(), {"type": "string"})
    assert not drawable(Arg(of="note"), {})
    assert drawn(Arg(), {"enum": ["a"]}) == "a"
