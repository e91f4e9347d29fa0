"""Every system behind the seam holds the environment protocol: the kit finds nothing.

Families that aren't installed are skipped by name, with the command that installs them.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from davinci_env.egts.hosts.canonical import digest
from davinci_env.egts.systems import SystemEnvironment, installed
from davinci_env.egts.systems.registry import open_system, system_names
from davinci_env.environment import ToolSpec, check_environment
from davinci_env.environment.probing import good_calls
from davinci_env.errors import UsageError
from tests.egts.toy import ToySystem, small_toy

NAMES = system_names()


def opened(name: str, seed: int = 3) -> SystemEnvironment:
    """A system's environment; skips where its family isn't installed."""
    family = name.partition(".")[0]
    if family != "davinci" and not installed.is_installed(family):
        pytest.skip(f"{family} is not installed: {installed.command(family)}")
    return SystemEnvironment(open_system(name), seed=seed)


def checks_of(findings: Any) -> set[str]:
    """The checks that found something."""
    return {finding.check for finding in findings}


# -- every system ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_kit_finds_nothing(name: str) -> None:
    opened(name).close()
    assert check_environment(lambda: opened(name)) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_call_that_fails_leaves_the_state_as_it_was(name: str) -> None:
    environment = opened(name)
    try:
        assert failing_calls(environment) > 0
    finally:
        environment.close()


def failing_calls(environment: SystemEnvironment) -> int:
    """How many calls failed, each without a trace: with values that nobody has heard of, and with
    values that other calls took.
    """
    known: dict[str, list[Any]] = {}
    for _, arguments in good_calls(environment):
        for name, value in arguments.items():
            known.setdefault(name, []).append(value)
    failed = 0
    for tool in environment.tools():
        for arguments in attempts(tool, known):
            before = digest(environment.system.state())
            if not environment.call(tool.name, arguments).ok:
                failed += 1
                assert digest(environment.system.state()) == before, (tool.name, arguments)
            environment.reset()
    return failed


def attempts(tool: ToolSpec, known: Mapping[str, list[Any]]) -> Iterator[dict[str, Any]]:
    """Arguments that the schema allows: made up ones, and those with known values among them."""
    properties = tool.parameters["properties"]
    made_up = {name: _made_up(properties[name]) for name in tool.parameters["required"]}
    yield made_up
    for number in range(2):
        values = {name: known[name][number:] for name in made_up if name in known}
        found = {name: rest[0] for name, rest in values.items() if rest}
        if found:
            yield {**made_up, **found}


def _made_up(schema: Mapping[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][-1]
    kind = schema.get("type", "string")
    if kind == "array":
        return [_made_up(schema.get("items", {}))]
    if kind == "object":
        inner = schema.get("properties", {})
        return {name: _made_up(inner[name]) for name in schema.get("required", ())}
    values = {"string": "no-such-thing", "integer": 7301, "number": 7301.5, "boolean": True}
    return values.get(kind)


# -- the toy: what the environment itself adds -----------------------------------------------------


@pytest.mark.parametrize("make", [ToySystem, small_toy])
def test_the_toy_conforms(make: Any) -> None:
    assert check_environment(lambda: SystemEnvironment(make(), seed=7)) == []
    assert failing_calls(SystemEnvironment(make(), seed=7)) >= 6


def test_calls_are_found_for_most_tools_of_the_toy() -> None:
    found = {name for name, _ in good_calls(SystemEnvironment(ToySystem(), seed=7))}
    assert {"get_note", "write_note", "update_contact", "pin_note", "unlock_archive"} <= found
    assert "print_note" not in found


def test_only_tools_that_are_known_to_read_are_offered_where_writes_are_not_allowed() -> None:
    assert check_environment(lambda: SystemEnvironment(small_toy(), writes=False)) == []
    environment = SystemEnvironment(small_toy(), writes=False)
    offered = [tool.name for tool in environment.tools()]
    assert offered == ["list_contacts", "get_contact", "list_notes", "get_note"]
    assert environment.call("remove_contact", {"contact_id": "c2"}).code == "unknown_tool"
    # `print_note` does not say what it does, so it isn't offered either.
    assert environment.call("print_note", {"note_id": "n3"}).code == "unknown_tool"


def test_a_volatile_field_in_the_state_is_found() -> None:
    findings = check_environment(lambda: SystemEnvironment(small_toy(show_volatile=True)))
    assert {"reads", "deterministic"} <= checks_of(findings)


def test_an_adapter_that_takes_nothing_back_is_found() -> None:
    with pytest.raises(AssertionError, match="remove_contact"):
        failing_calls(SystemEnvironment(small_toy(take_back=False)))


def test_refusals_have_codes_and_errors_in_words() -> None:
    environment = SystemEnvironment(small_toy())
    told = [
        environment.call("sing", {}),
        environment.call("get_note", {"note_id": 3}),
        environment.call("get_note", {"note_id": "n9"}),
        environment.call("pin_note", {"note_id": "n3"}),
    ]
    assert [(r.ok, r.code, r.message) for r in told] == [
        (False, "unknown_tool", "There is no tool 'sing'."),
        (False, "invalid_arguments", "Invalid arguments: note_id: 3 is not of type 'string'."),
        (False, "tool_error", "No note 'n9'"),
        (False, "tool_error", "The note is so already."),
    ]
    assert environment.capture().diff == []


def test_a_list_is_a_result_and_the_log_knows_what_wrote() -> None:
    environment = SystemEnvironment(small_toy())
    listed = environment.call("list_notes", {"contact_id": "c1"})
    assert listed.data == {
        "result": [{"note_id": "n3", "text": "ladder"}, {"note_id": "n4", "text": "salad"}]
    }
    environment.call("pin_note", {"note_id": "n4"})
    environment.call("pin_note", {"note_id": "n4"})
    assert [(c.tool, c.ok, c.writes) for c in environment.log.calls()] == [
        ("list_notes", True, False),
        ("pin_note", True, True),
        ("pin_note", False, False),
    ]


def test_the_outcome_is_the_difference_from_the_start() -> None:
    environment = SystemEnvironment(small_toy())
    kept = environment.snapshot()
    environment.call("unlock_archive", {})
    environment.call("archive_note", {"note_id": "n3"})
    outcome = environment.capture()
    assert [cell[0] for cell in outcome.diff] == ["/archive/0", "/notes/n3", "/unlocked"]
    assert outcome.state_hash == digest(environment.state) != environment.start_hash
    environment.restore(kept)
    assert environment.capture().state_hash == environment.start_hash
    environment.call("get_note", {"note_id": "n3"})  # changes when it was opened, which is volatile
    assert environment.capture().diff == []


def test_another_seed_is_another_start() -> None:
    environment = SystemEnvironment(ToySystem(), seed=1)
    first = environment.start_hash
    kept = environment.snapshot()
    environment.call("unlock_archive", {})
    environment.start_at(2)
    assert environment.start_hash != first
    assert (environment.metadata.seed, len(environment.log)) == (2, 0)
    with pytest.raises(UsageError, match="snapshot"):
        environment.restore(kept)
    environment.start_at(1)
    assert environment.start_hash == first


def test_closing_stops_the_system() -> None:
    system = small_toy()
    environment = SystemEnvironment(system)
    environment.close()
    environment.close()
    assert system.closed
