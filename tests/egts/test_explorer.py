"""Exploration without a model: what it is after, learns, takes back and keeps."""

import json
import os
import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from davinci_env.egts.experience import Experience
from davinci_env.egts.explorer import explore, inventory
from davinci_env.egts.lexicon import FieldWords, Lexicon, Noun, ToolWords
from davinci_env.egts.model import Exploration
from davinci_env.egts.scene import Scene
from davinci_env.egts.systems import Answer, SystemEnvironment, SystemFailure
from tests.egts.little import Little, Refused, Tool, explored
from tests.egts.samples import at_start, words
from tests.egts.toy import ToySystem


def toy() -> SystemEnvironment:
    return SystemEnvironment(ToySystem(), seed=3)


def with_tool(lexicon: Lexicon, tool: str, **changes: Any) -> Lexicon:
    changed = lexicon.tools[tool].model_copy(update=changes)
    return lexicon.model_copy(update={"tools": {**lexicon.tools, tool: changed}})


def only(lexicon: Lexicon, *goals: str) -> Lexicon:
    """The words with these tools alone as goals; others still serve as means."""
    tools = {
        name: tool if name in goals else tool.model_copy(update={"goal": False})
        for name, tool in lexicon.tools.items()
    }
    nouns = {n: noun.model_copy(update={"fields": {}, "plural": ""})
             for n, noun in lexicon.nouns.items()}  # fmt: skip
    return lexicon.model_copy(update={"tools": tools, "nouns": nouns})


# -- the inventory ---------------------------------------------------------------------------------


def aimed_at(episodes: int) -> set[str]:
    scene = Scene(at_start(), words(), random.Random(1), Experience(episodes=episodes))
    return {target.tool for target in inventory(scene)}


def test_the_inventory_grows_from_tools_that_need_little() -> None:
    # Six tools at first: list_contacts and unlock_archive need nothing; add_contact takes two
    # arguments, each of the others one that has to be looked up; then by name. Unlocking is none.
    first = {"list_contacts", "add_contact", "get_contact", "get_note", "list_notes"}
    assert aimed_at(0) == first
    assert aimed_at(1) == first | {"pin_note"}
    assert aimed_at(3) == first | {"pin_note", "remove_contact", "update_contact"}
    assert aimed_at(4) == aimed_at(3) | {"write_note"}
    assert aimed_at(5) == aimed_at(4) | {"archive_note"} == aimed_at(500)


def test_a_tool_that_shows_one_thing_makes_questions_about_it_alone() -> None:
    scene = Scene(at_start(), words(), random.Random(1), Experience(episodes=50))
    kinds: dict[str, set[str]] = {}
    for target in inventory(scene):
        kinds.setdefault(target.tool, set()).add(target.kind)
    assert kinds["get_note"] == {"field"}
    assert kinds["list_notes"] == {"field", "pick", "count"}
    assert kinds["list_contacts"] == {"field", "count"}
    assert kinds["pin_note"] == {"do"}
    assert "print_note" not in kinds


def test_nothing_to_do() -> None:
    gone = {name: tool.model_copy(update={"uncoverable": "gone"})
            for name, tool in words().tools.items()}  # fmt: skip
    exploration, _ = explore(
        at_start(), words().model_copy(update={"tools": gone}), Experience(), seed=1, episode=0
    )
    assert exploration.failure == "nothing-to-do"
    assert exploration.wishes == () and exploration.terminal == exploration.initial


# -- what it is after ------------------------------------------------------------------------------


def test_under_used_tools_are_preferred() -> None:
    def first_wishes(rare: str) -> list[str]:
        environment, found = toy(), []
        for episode in range(24):
            known = Experience(episodes=100)
            for tool in words().tools:
                known.guide(tool).wished = 1 if tool == rare else 60
            exploration, _ = explore(environment, words(), known, seed=5, episode=episode)
            found += [exploration.wishes[0].tool] if exploration.wishes else []
        return found

    for rare in ("archive_note", "add_contact"):
        found = first_wishes(rare)
        assert found.count(rare) > len(found) / 2, found


def test_what_is_always_refused_is_tried_ever_less_but_never_given_up() -> None:
    def refused(data: Any) -> None:
        raise Refused("no")

    def vain(data: Any) -> None:
        return None

    def count(data: Any) -> None:
        data["n"] += 1

    system = Little({"refuse": Tool(refused), "idle": Tool(vain), "count": Tool(count)}, {"n": 0})
    lexicon = Lexicon(tools={
        "refuse": ToolWords(say=("refuse it",)), "idle": ToolWords(say=("idle about",)),
        "count": ToolWords(say=("count/counted on",)),
    })  # fmt: skip
    _, early = explored(SystemEnvironment(system), lexicon, range(40))
    _, late = explored(
        SystemEnvironment(system), lexicon, range(40, 80), known=Experience.from_json(
            json.loads(json.dumps(early.to_json()))
        ),
    )  # fmt: skip
    for tool in ("refuse", "idle"):
        first = early.guides[tool].tried
        assert 0 < late.guides[tool].tried - first < first
    assert late.guides["count"].wished > 2 * 40


def test_wishes_are_about_the_same_thing_where_they_can_be() -> None:
    pair = ("pin_note", "archive_note")
    lexicon = only(words(), *pair).model_copy(update={"follow": (pair,)})
    found, _ = explored(toy(), lexicon, range(40, 70), known=Experience(episodes=100))
    same = [
        e.calls[first.call].arguments["note_id"] == e.calls[then.call].arguments["note_id"]
        for e in found
        for first, then in pairwise(e.wishes)
        if (first.tool, then.tool) == ("pin_note", "archive_note")
    ]
    assert len(same) >= 5 and sum(same) > len(same) / 2


def test_nobody_changes_a_thing_twice_unless_one_change_follows_the_other() -> None:
    lexicon = only(words(), "pin_note", "archive_note").model_copy(update={"follow": ()})
    found, _ = explored(toy(), lexicon, range(40, 70), known=Experience(episodes=100))
    notes = [[e.calls[aim.call].arguments["note_id"] for aim in e.wishes] for e in found]
    assert any(len(changed) > 1 for changed in notes)
    assert all(len(set(changed)) == len(changed) for changed in notes)


def test_answers_that_nobody_would_say_are_not_asked_for() -> None:
    system = Little(
        {
            "list_all": Tool(lambda data: {"names": ["x"] * 30}, reads=True),
            "tell": Tool(lambda data: {"name": "Ada"}, reads=True),
            "list_letters": Tool(lambda data: [
                {"title": title, "text": "word " * 90, "from": "Hugo"} for title in ("one", "two")
            ], reads=True),
        },
        {},
    )  # fmt: skip
    letter = Noun(label=("title",), fields={
        "text": FieldWords(name="text"), "from": FieldWords(name="sender", type="name"),
    })  # fmt: skip
    lexicon = Lexicon(nouns={"letter": letter}, tools={
        "list_all": ToolWords(ask=("all",), tell="{names}.", answer={"names": "list"}),
        "tell": ToolWords(ask=("who",), tell="{name}.", answer={"name": "name"}),
        "list_letters": ToolWords(rows="letter"),
    })  # fmt: skip
    found, _ = explored(SystemEnvironment(system), lexicon, range(20))
    asked = {(aim.tool, aim.field) for run in found for aim in run.wishes}
    assert asked == {("tell", ""), ("list_letters", "from")}


# -- what it learns --------------------------------------------------------------------------------


def test_an_enabler_is_learned_from_an_error_and_called_first() -> None:
    lexicon = with_tool(only(words(), "archive_note"), "archive_note", needs=())
    environment = toy()
    (exploration,), experience = explored(environment, lexicon, [2], known=Experience(episodes=100))
    assert experience.guides["archive_note"].enablers == {"unlock_archive": 1}
    assert [f.tool for f in exploration.failures] == ["archive_note"]
    tools = [call.tool for call in exploration.calls]
    assert tools.index("unlock_archive") < tools.index("archive_note")
    assert exploration.calls[tools.index("unlock_archive")].role == "means"


def test_values_are_mined_from_errors_and_used_in_the_next_episode() -> None:
    def convert(data: Any, unit: str) -> dict[str, Any]:
        if unit not in ("m", "km"):
            raise Refused(f"Unknown unit '{unit}': use 'm' or 'km'")
        data["last"] = unit
        return {"unit": unit}

    unit = {"type": "string", "examples": ["mile"]}
    system = Little({"set_unit": Tool(convert, {"unit": unit})}, {"last": "mile"})
    (first, second), experience = explored(SystemEnvironment(system), Lexicon(), [0, 1])
    assert first.wishes == () and first.failures[0].arguments == {"unit": "mile"}
    assert experience.guides["set_unit"].mined == {"unit": ["m", "km"]}
    assert {call.arguments["unit"] for call in second.calls} <= {"m", "km"}
    assert second.wishes


def test_what_earlier_episodes_learned_is_left_as_it_is() -> None:
    environment, known = toy(), Experience()
    for episode in range(3):
        before = json.dumps(known.to_json())
        _, learned = explore(environment, words(), known, seed=1, episode=episode)
        assert json.dumps(known.to_json()) == before
        known.add(learned)
    assert known.episodes == 3
    assert "Turin" in known.guides["list_contacts"].shows["city"]


# -- what it takes back, and keeps -----------------------------------------------------------------


@pytest.mark.parametrize("lexicon", [words(), Lexicon()], ids=["words", "no words"])
def test_what_stands_of_an_episode_can_be_carried_out_from_the_start(lexicon: Lexicon) -> None:
    environment = toy()
    found, _ = explored(environment, lexicon, range(45))
    assert sum(bool(e.failures) for e in found) > 5, (
        "nothing was taken back: the test shows nothing"
    )
    assert sum(bool(e.wishes) for e in found) > 25
    for exploration in found:
        environment.reset()
        for call in exploration.calls:
            result = environment.call(call.tool, call.arguments)
            assert result.ok and result.content == call.result
        outcome = environment.capture()
        assert outcome.state_hash == exploration.terminal
        assert tuple(outcome.diff) == exploration.changes
        assert all(not failed.ok for failed in exploration.failures)
        assert all(call.wish < len(exploration.wishes) for call in exploration.calls)
        assert Exploration.model_validate_json(exploration.model_dump_json(by_alias=True)) == (
            exploration
        )


class Fragile(ToySystem):
    """The toy, which hangs at a call of one tool from the nth on."""

    def __init__(self, tool: str, nth: int) -> None:
        super().__init__()
        self._fatal, self._left = tool, nth

    def call(self, tool: str, arguments: Any) -> Answer:
        """Call, or hang."""
        if tool == self._fatal:
            self._left -= 1
            if self._left < 0:
                raise SystemFailure("hang", "no answer")
        return super().call(tool, arguments)


def test_an_episode_that_breaks_keeps_what_it_reached() -> None:
    healthy = toy()
    kept = 0
    for episode in range(30, 50):
        broken = SystemEnvironment(Fragile("write_note", 0), seed=3)
        known = Experience(episodes=100)
        exploration, learned = explore(broken, words(), known, seed=1, episode=episode)
        assert learned.episodes == 1
        if exploration.failure != "hang":
            continue
        healthy.reset()
        for call in exploration.calls:
            assert healthy.call(call.tool, call.arguments).content == call.result
        assert healthy.capture().state_hash == exploration.terminal
        assert all(aim.call < len(exploration.calls) for aim in exploration.wishes)
        assert {call.wish for call in exploration.calls} == set(range(len(exploration.wishes)))
        kept += bool(exploration.wishes)
    assert kept >= 3


def test_looking_round_leaves_no_trace() -> None:
    def look(data: Any) -> dict[str, Any]:
        data["looks"] += 1
        return {"looks": data["looks"]}

    system = Little({"look": Tool(look, reads=True)}, {"looks": 0})
    exploration, learned = explore(
        SystemEnvironment(system), Lexicon(), Experience(), seed=1, episode=0
    )
    assert learned.guides["look"].done == 1 and learned.guides["look"].shows == {"looks": [1]}
    assert exploration.calls == () and system.data == {"looks": 0}


# -- determinism -----------------------------------------------------------------------------------

_SCRIPT = """
import hashlib, sys
from davinci_env.egts.lexicon import Lexicon
from davinci_env.egts.propose import propose
from tests.egts.little import explored
from tests.egts.samples import words
from tests.egts.test_explorer import toy
whole = hashlib.sha256()
for lexicon in (words(), Lexicon()):
    environment = toy()
    found, experience = explored(environment, lexicon, range(12))
    for exploration in found:
        whole.update(exploration.model_dump_json(by_alias=True).encode())
        for candidate in propose(exploration, environment, lexicon, experience)[0]:
            whole.update(candidate.model_dump_json(by_alias=True).encode())
print(whole.hexdigest())
"""


def test_the_same_seed_gives_the_same_bytes_in_any_process() -> None:
    root = Path(__file__).parents[2]
    told = {
        subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": hashing, "PYTHONPATH": str(root)},
            cwd=root, capture_output=True, text=True, check=True, timeout=120,
        ).stdout
        for hashing in ("0", "1", "77")
    }  # fmt: skip
    assert len(told) == 1 and len(told.pop().strip()) == 64


def test_another_seed_or_episode_gives_another_run() -> None:
    runs = {
        explored(toy(), words(), [episode], seed=seed)[0][0].model_copy(update={"episode": 0})
        .model_dump_json()
        for seed, episode in ((1, 0), (2, 0), (1, 3))
    }  # fmt: skip
    assert len(runs) == 3
