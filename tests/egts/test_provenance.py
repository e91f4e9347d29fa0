"""Where values of a model's calls came from, told from the values alone."""

import random
from typing import Any

from davinci_env.egts.experience import Experience
from davinci_env.egts.lexicon import Arg, Lexicon, Noun, ToolWords
from davinci_env.egts.model import Composed, Fixed, Returned, Several, Stated
from davinci_env.egts.provenance import origins_of
from davinci_env.egts.scene import Scene
from davinci_env.egts.systems import SystemEnvironment
from tests.egts.little import Little, Tool, of
from tests.egts.samples import at_start, words

KEY = "123e4567-e89b-12d3-a456-426614174000"
SYSTEM = Little(
    {
        "list_users": Tool(lambda data: [{"id": 3, "name": "Ada"}, {"id": 4, "name": "Hugo"}]),
        "list_notes": Tool(lambda data: [{"id": 3, "title": "Tent"}, {"id": 5, "title": "Roof"}]),
        "sign_in": Tool(lambda data: {"session": {"token": KEY, "a/b": "f" * 40}, "ok": True}),
        "twice": Tool(lambda data: {"a": "e" * 40, "b": "e" * 40}),
    },
    {},
)
WORDS = Lexicon(
    nouns={"user": Noun(label=("name",)), "note": Noun(label=("title",))},
    tools={
        "list_users": ToolWords(rows="user"), "list_notes": ToolWords(rows="note"),
        "send": ToolWords(args={"urgent": Arg(value=True)}),
    },
)  # fmt: skip


def scene(*calls: str) -> Scene:
    at = Scene(SystemEnvironment(SYSTEM), WORDS, random.Random(1), Experience())
    for tool in calls:
        at.call(tool, {}, {}, "means")
    return at


def origin(at: Scene, name: str, value: Any) -> Any:
    return origins_of(at, "send", {name: value})[name]


def test_an_id_is_found_through_the_label_of_what_the_argument_is_called_after() -> None:
    at = scene("list_users", "list_notes")
    assert origin(at, "user_id", 3) == of(0, "id", name="f0")
    assert origin(at, "note_id", 3) == of(1, "id", title="f1")
    assert at.facts == {"f0": "Ada", "f1": "Tent"}


def test_an_id_that_two_kinds_have_is_of_neither_where_nothing_tells() -> None:
    at = scene("list_users", "list_notes")
    assert origin(at, "target_id", 3) == Stated(fact="f0") and at.facts == {"f0": 3}
    assert origin(at, "target_id", 5) == of(1, "id", title="f1")


def test_the_latest_look_counts() -> None:
    at = scene("list_users", "list_notes", "list_users")
    assert origin(at, "user_id", 4) == of(2, "id", name="f0")


def test_a_value_that_only_looks_equal_is_another() -> None:
    at = scene("list_users")
    assert origin(at, "user_id", "3") == Stated(fact="f0")
    assert origin(at, "user_id", 3.0) == Stated(fact="f1")
    assert origin(at, "age", 3) == Stated(fact="f2")


def test_what_nobody_would_say_is_taken_from_the_one_place_that_has_it() -> None:
    at = scene("sign_in", "twice")
    assert origin(at, "key", KEY) == Returned(step=0, path="session/token")
    assert origin(at, "key", "e" * 40) == Stated(fact="f0")  # two places
    assert origin(at, "key", "f" * 40) == Stated(fact="f1")  # no path leads there
    assert origin(at, "pinned", True) == Stated(fact="f2")


def test_the_same_words_are_one_fact_and_equal_numbers_are_not() -> None:
    at = scene()
    assert origin(at, "to", "Ada") == origin(at, "copy", "Ada") == Stated(fact="f0")
    assert origin(at, "pages", 2) == Stated(fact="f1")
    assert origin(at, "copies", 2) == Stated(fact="f2")


def test_what_the_words_hold_as_always_the_same_is_no_fact() -> None:
    at = scene()
    assert origin(at, "urgent", True) == Fixed(fixed=True)
    assert origin(at, "urgent", False) == Stated(fact="f0")


def test_lists_and_objects_are_told_item_by_item() -> None:
    at = scene("list_users")
    found = origin(at, "user_ids", [{"user_id": 4, "note": "hello"}])
    inner = Composed(parts={"user_id": of(0, "id", name="f0"), "note": Stated(fact="f1")})
    assert found == Several(items=(inner,))
    assert at.facts == {"f0": "Hugo", "f1": "hello"}


def test_a_label_that_two_have_leads_nowhere() -> None:
    twins = Little({"list_users": Tool(lambda data: [
        {"id": 3, "name": "Ada"}, {"id": 4, "name": "ada"}])}, {})  # fmt: skip
    at = Scene(SystemEnvironment(twins), WORDS, random.Random(1), Experience())
    at.call("list_users", {}, {}, "means")
    assert origin(at, "user_id", 3) == Stated(fact="f0")


def test_values_of_the_toy() -> None:
    at = Scene(at_start(), words(), random.Random(1), Experience())
    at.call("list_contacts", {}, {}, "means")
    found = origins_of(at, "write_note", {"contact_id": "c2", "text": "brings the tent"})
    assert found == {"contact_id": of(0, "contact_id", name="f0"), "text": Stated(fact="f1")}
    assert at.facts == {"f0": "Hugo Dorn", "f1": "brings the tent"}
