"""What is inferred where there are no words: things, sources, phrases, and what errors tell."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from davinci_env.egts.experience import Experience, Guide, merged
from davinci_env.egts.inference import completed, enabler_named, leaves_of, mine, tokens
from davinci_env.egts.lexicon import Arg, Lexicon, ToolWords
from davinci_env.environment import ToolSpec
from tests.egts.little import TEXT, explored
from tests.egts.samples import words
from tests.egts.test_explorer import toy


def tool(name: str, *, reads: bool = False, **parameters: dict[str, Any]) -> ToolSpec:
    optional = [n for n, schema in parameters.items() if schema.pop("optional", False)]
    schema = {
        "type": "object", "properties": parameters,
        "required": [n for n in parameters if n not in optional],
    }  # fmt: skip
    return ToolSpec(name, name, name, schema, {}, {"readOnlyHint": reads})


def text() -> dict[str, Any]:
    return dict(TEXT)


TASKS = Experience(guides={
    "list_tasks": Guide(shows={"id": [1, 2], "title": ["Paint", "Sweep"], "hours": [2, 3],
                               "project_id": [7, 8]}),
})  # fmt: skip
LISTING = tool("list_tasks", reads=True)


def inferred(*tools: ToolSpec, known: Experience = TASKS, state: Any = None) -> Lexicon:
    return completed(Lexicon(), [LISTING, *tools], known, state or {})


def args_of(spec: ToolSpec, known: Experience = TASKS, state: Any = None) -> dict[str, Arg]:
    return inferred(spec, known=known, state=state).tools[spec.name].args


# -- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("getUserID", ["get", "user", "id"]), ("list_all-items", ["list", "all", "items"]),
        ("HTTPServer", ["http", "server"]), ("a.b/c d", ["a", "b", "c", "d"]), ("__", []),
    ],
)  # fmt: skip
def test_names_are_read_as_words(name: str, found: list[str]) -> None:
    assert tokens(name) == found


# -- things ----------------------------------------------------------------------------------------


def test_a_tool_that_lists_things_makes_a_noun() -> None:
    lexicon = inferred()
    assert lexicon.tools["list_tasks"] == ToolWords(rows="task", reads=True)
    noun = lexicon.nouns["task"]
    assert noun.label == ("title",)
    assert {name: (f.name, f.type) for name, f in noun.fields.items()} == {
        "hours": ("hours", "whole"),
    }  # fmt: skip


def test_one_value_makes_no_label_and_a_write_no_noun() -> None:
    one = Experience(guides={"list_tasks": Guide(shows={"id": [1], "title": ["Paint"]})})
    assert inferred(known=one).nouns == {}
    assert inferred(tool("sweep_tasks"), known=Experience(
        guides={"sweep_tasks": TASKS.guides["list_tasks"]})).nouns == {}  # fmt: skip


def test_words_that_there_are_stay() -> None:
    mine_ = Lexicon(tools={"list_tasks": ToolWords(goal=False)})
    assert completed(mine_, [LISTING], TASKS, {}) == mine_


def test_what_is_known_is_left_as_it_is() -> None:
    before = TASKS.to_json()
    inferred(tool("drop_task", task_id=text()), tool("unheard_of"))
    assert TASKS.to_json() == before


# -- sources ---------------------------------------------------------------------------------------


def test_an_argument_called_as_a_field_is_of_such_a_thing() -> None:
    assert args_of(tool("drop_task", task_id=text())) == {"task_id": Arg(of="task", field="id")}
    assert args_of(tool("drop_task", title=text())) == {"title": Arg(of="task", field="title")}


def test_an_id_is_of_its_own_kind_rather_than_of_what_refers_to_it() -> None:
    both = merged([TASKS, Experience(guides={
        "list_projects": Guide(shows={"project_id": [7, 8], "name": ["House", "Garden"]}),
    })])  # fmt: skip
    lexicon = completed(
        Lexicon(),
        [LISTING, tool("list_projects", reads=True), tool("close_task", project_id=text())],
        both, {},
    )  # fmt: skip
    assert lexicon.tools["close_task"].args == {"project_id": Arg(of="project", field="project_id")}


def test_what_is_created_is_named_anew() -> None:
    (name,) = args_of(tool("create_task", title=text())).values()
    assert isinstance(name.one_of, tuple) and not set(name.one_of) & {"Paint", "Sweep"}
    assert inferred(tool("create_task", title=text())).tools["create_task"].makes == "task"


@pytest.mark.parametrize(
    ("schema", "source"),
    [
        ({"enum": ["a", "b"]}, Arg()),
        ({"type": "string", "examples": ["x"]}, Arg(one_of=("x",))),
        ({"type": "string", "default": "y"}, Arg(one_of=("y",))),
        ({"type": "integer"}, Arg(whole=(1, 20))),
        ({"type": "integer", "minimum": 100}, Arg(whole=(100, 119))),
        ({"type": "integer", "minimum": 3, "maximum": 5}, Arg(whole=(3, 5))),
        ({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 3}, Arg(whole=(1, 2))),
        ({"type": "number", "minimum": 0.5, "maximum": 2.5}, Arg(whole=(1, 2))),
        ({"type": "integer", "maximum": -5}, Arg(whole=(-5, -5))),
        ({"type": "boolean"}, Arg(choice={"true": "yes", "false": "no"})),
    ],
)
def test_sources_by_the_schema(schema: dict[str, Any], source: Arg) -> None:
    assert args_of(tool("turn", level=dict(schema))) == {"level": source}


def test_a_limit_that_nothing_is_within_has_no_source() -> None:
    between = {"type": "number", "minimum": 0.2, "maximum": 0.4}
    assert args_of(tool("turn", level=between)) == {}


def test_free_text_is_for_arguments_that_are_text_and_for_no_id() -> None:
    assert args_of(tool("tell", message=text()))["message"].one_of
    assert args_of(tool("tell", message_id=text())) == {}


def test_without_a_source_a_tool_is_not_asked_for() -> None:
    lexicon = inferred(tool("weld", torque=text()), tool("drop_task", task_id=text()))
    assert lexicon.tools["weld"].say == ()
    assert lexicon.tools["drop_task"].say == ("drop/dropped {task_id}",)


def test_values_of_the_state_that_are_called_so() -> None:
    state = {"garage": {"spanner": "ten", "torque": "high"}}
    assert args_of(tool("weld", torque=text()), state=state) == {
        "torque": Arg(state="garage/torque")
    }
    assert leaves_of({"rows": [{"n": 1}, {"n": 2}], "by": {"a b": {"x": "y"}}, "on": True}) == {
        "rows/*/n": [1, 2], "by/*key": ["a b"], "by/*/x": ["y"],
    }  # fmt: skip


# -- phrases ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "phrase"),
    [
        (tool("add_user_to_channel", user=text(), channel=text()),
         "add/added user {user} to channel {channel}"),
        (tool("write_report", text=text()), 'write/written a report with the text "{text}"'),
        (tool("open_account"), "open/opened an account"),
        (tool("empty_bin"), "empty/emptied the bin"),
        (tool("stop_engine"), "stop/stopped the engine"),
        (tool("clean_all_rooms"), "clean/cleaned all rooms"),
        (tool("archive_task", task_id=text()), "archive/archived {task_id}"),
    ],
)  # fmt: skip
def test_phrases_out_of_names(spec: ToolSpec, phrase: str) -> None:
    examples = {"user": ["Eve"], "channel": ["general"]}
    guides = {**TASKS.guides, "add_user_to_channel": Guide(mined=dict(examples))}
    found = inferred(spec, known=Experience(guides=guides)).tools[spec.name].say
    assert found == (phrase,)


def test_what_changes_a_thing_takes_one_of_its_optional_arguments() -> None:
    spec = tool(
        "update_task", task_id=text(), hours={"type": "integer", "optional": True},
        torque={"type": "string", "optional": True},
    )  # fmt: skip
    found = inferred(spec).tools["update_task"]
    assert found.at_least == ("hours",) and found.args["hours"] == Arg(whole=(1, 20))
    assert found.say == ("update/updated {task_id}[ with the hours {hours}]",)


def test_what_a_list_is_asked_with_tells_its_things_apart() -> None:
    known = merged([TASKS, Experience(guides={
        "list_steps": Guide(shows={"step_id": [1, 2], "name": ["Sand", "Prime"]}),
    })])  # fmt: skip
    spec = tool("list_steps", reads=True, task_id=text())
    assert completed(Lexicon(), [LISTING, spec], known, {}).tools["list_steps"].scope == (
        "of {task_id}"
    )


# -- errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "found"),
    [
        ({"unit": "mile"}, "Unknown unit 'mile': use 'm' or 'km'", {"unit": ["m", "km"]}),
        ({"unit": "mile"}, 'unit must be "m", not `mile`', {"unit": ["m"]}),
        ({"unit": "mile", "n": 3}, "'mile' is none of 'm'", {"unit": ["m"]}),
        ({"id": "x"}, "Invalid name 'a'", {}),
        ({"unit": "mile"}, "No such unit 'mile'", {}),
        ({"unit": "mile"}, "Something else: 'm'", {}),
        ({"unit": "mile"}, "the argument 'unit' is wrong", {}),
    ],
)
def test_values_that_errors_offer(
    arguments: dict[str, Any], error: str, found: dict[str, list[str]]
) -> None:
    guide = Guide()
    mine(guide, arguments, error)
    assert guide.mined == found


TOOLS = ("list", "lock_doors", "start_engine", "unlock_archive", "find", "log_in")


@pytest.mark.parametrize(
    ("error", "tool_", "found"),
    [
        ("The archive is locked: call unlock_archive first.", "archive_note", "unlock_archive"),
        ("Engine has not been started", "drive", "start_engine"),
        ("All doors must be locked before starting the engine", "drive", "lock_doors"),
        ("Please log in.", "drive", "log_in"),
        ("list index out of range", "list", ""),
        ("Nothing there", "drive", ""),
        ("start_engine failed", "start_engine", ""),
    ],
)
def test_tools_that_errors_ask_for(error: str, tool_: str, found: str) -> None:
    assert enabler_named(error, tool_, TOOLS) == found


# -- experience ------------------------------------------------------------------------------------


def guide_of(numbers: list[int], names: list[str]) -> Guide:
    guide = Guide(tried=sum(numbers), done=len(numbers), wished=numbers[0])
    for number, name in zip(numbers, names, strict=False):
        guide.note_source(name, "OfRow", number % 2 == 0)
        guide.enablers[name] += number
        guide.changes[name] += 1
        guide.shows.setdefault(name, []).append(number)
        guide.mined.setdefault(name, []).append(name)
        guide.errors[name] += number
    return guide


experiences = st.builds(
    lambda tools, sequence, count: Experience(tools, count_of(sequence), count),
    st.dictionaries(
        st.sampled_from(["a", "b"]),
        st.builds(guide_of, st.lists(st.integers(1, 9), min_size=1, max_size=3),
                  st.lists(st.sampled_from(["x", "y"]), max_size=3, unique=True)),
    ),
    st.lists(st.sampled_from(["p", "q"]), max_size=3), st.integers(0, 9),
)  # fmt: skip


def count_of(names: list[str]) -> Any:
    found = Experience().sequences
    found.update(names)
    return found


@given(experiences)
def test_experience_goes_through_json(experience: Experience) -> None:
    told = json.dumps(experience.to_json())
    again = Experience.from_json(json.loads(told))
    assert again == experience and json.dumps(again.to_json()) == told


@given(experiences, experiences, experiences)
def test_experience_is_merged_in_order(a: Experience, b: Experience, c: Experience) -> None:
    whole = merged([a, b, c])
    assert whole == merged([merged([a, b]), c]) == merged([a, merged([b, c])])
    assert whole.episodes == a.episodes + b.episodes + c.episodes
    for name, guide in whole.guides.items():
        parts = [part.guides[name] for part in (a, b, c) if name in part.guides]
        assert guide.tried == sum(part.tried for part in parts)
        for field in guide.shows:
            seen = [value for part in parts for value in part.shows.get(field, [])]
            assert guide.shows[field] == list(dict.fromkeys(seen))[:6]


def test_trust_in_a_source_grows_with_success() -> None:
    guide = Guide()
    assert guide.trust("x", "OfRow") == 0.5
    guide.note_source("x", "OfRow", True)
    guide.note_source("x", "OfRow", True)
    guide.note_source("x", "Stated", False)
    assert guide.trust("x", "OfRow") == 0.75 and guide.trust("x", "Stated") == 1 / 3


# -- the whole -------------------------------------------------------------------------------------


def test_a_system_without_words_is_explored_by_what_it_shows() -> None:
    found, experience = explored(toy(), Lexicon(), range(45))
    reached = {aim.tool for run in found for aim in run.wishes}
    writes = {"add_contact", "update_contact", "remove_contact", "write_note", "pin_note",
              "unlock_archive", "archive_note"}  # fmt: skip
    assert writes <= reached and {"list_contacts", "get_contact"} <= reached
    assert sum(bool(run.wishes) for run in found) >= 35
    assert set(experience.guides) >= set(words().tools)
