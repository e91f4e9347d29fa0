"""BFCL's eight classes as systems: their seam, the states that we generate, the traps of each, and
the package's own solutions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from davinci_env.egts.experience import Experience
from davinci_env.egts.explorer import explore
from davinci_env.egts.ground_truth import judge_all
from davinci_env.egts.lexicon import lexicon_of
from davinci_env.egts.propose import propose
from davinci_env.egts.replay import replay
from davinci_env.egts.systems import SystemEnvironment, installed
from davinci_env.egts.systems.bfcl import GROUND_TRUTH, SYSTEMS, open_system
from davinci_env.egts.systems.hosted import HostedSystem
from davinci_env.egts.systems.registry import Options
from davinci_env.environment.conformance import check_environment


@pytest.fixture(autouse=True)
def _needs_the_package() -> None:
    if not installed.is_installed("bfcl"):
        pytest.skip("bfcl is not installed: python -m davinci_env.egts install bfcl")


def stand(name: str, seed: int = 1) -> SystemEnvironment:
    return SystemEnvironment(open_system(f"bfcl.{name}", Options()), seed=seed)


@pytest.fixture
def at() -> Iterator[Any]:
    """Opens environments by a system's short name; they are closed afterwards."""
    opened: list[SystemEnvironment] = []

    def open_one(name: str, seed: int = 1) -> SystemEnvironment:
        opened.append(stand(name, seed))
        return opened[-1]

    yield open_one
    for environment in opened:
        environment.close()


def done(environment: SystemEnvironment, tool: str, **arguments: Any) -> Any:
    """What a call that must go well gives."""
    result = environment.call(tool, arguments)
    assert result.ok, result.message
    return result.content


# -- the seam ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SYSTEMS)
def test_they_conform(name: str) -> None:
    short = name.partition(".")[2]
    assert check_environment(lambda: stand(short)) == []


@pytest.mark.parametrize(
    ("name", "number"),
    list(zip(SYSTEMS, (18, 17, 10, 14, 9, 20, 18, 22), strict=True)),
)
def test_all_tools_are_listed_and_have_words(at: Any, name: str, number: int) -> None:
    environment = at(name.partition(".")[2])
    listed = {tool.name for tool in environment.tools()}
    assert len(listed) == number
    assert set(lexicon_of(name, "bfcl").tools) == listed
    assert environment.metadata.benchmark is None


def test_schemas_are_plain_json_schemas(at: Any) -> None:
    tickets = {tool.name: tool.parameters["properties"] for tool in at("ticket").tools()}
    assert tickets["edit_ticket"]["updates"]["type"] == "object"
    assert "default" not in tickets["get_user_tickets"]["status"]
    car = {tool.name: tool.parameters["properties"] for tool in at("vehicle").tools()}
    assert car["setHeadlights"]["mode"]["enum"] == ["on", "off", "auto"]
    assert car["lockDoors"]["door"]["items"]["enum"][0] == "driver"
    assert car["fillFuelTank"]["fuelAmount"]["type"] == "number"


# -- states that we generate ---------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in SYSTEMS if name != "bfcl.math"])
def test_seeds_make_states(at: Any, name: str) -> None:
    short = name.partition(".")[2]
    first, again, other = at(short, 5), at(short, 5), at(short, 6)
    assert first.initial_state == again.initial_state
    assert first.initial_state != other.initial_state


def test_states_are_rich(at: Any) -> None:
    files = list(_texts(at("filesystem").initial_state["root"]))
    assert len(files) >= 25
    people = at("message").initial_state
    assert len(people["user_map"]) >= 10
    assert len(people["inbox"]) >= 14
    assert len(at("twitter").initial_state["tweets"]) >= 20
    tickets = at("ticket").initial_state["ticket_queue"]
    assert len({ticket["title"] for ticket in tickets}) == len(tickets) >= 18
    account = at("trading").initial_state
    assert len(account["stocks"]) == 15
    assert len(account["orders"]) >= 10
    traveller = at("travel").initial_state
    assert len(traveller["booking_record"]) >= 8
    assert len(traveller["credit_card_list"]) >= 3


def test_nothing_of_the_shipped_tasks_is_in_them(at: Any) -> None:
    shipped: set[str] = set()
    system = open_system(*GROUND_TRUTH, Options())
    try:
        for task in system.about("tasks")[:200]:
            system.open_shipped(task)
            assert system.info.benchmark
            shipped |= set(_texts(system.state()))
    finally:
        system.close()
    ours = [text for name in SYSTEMS for text in _texts(at(name.partition(".")[2]).initial_state)]
    assert {text for text in ours if len(text) > 15} & shipped == set()


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


# -- traps ---------------------------------------------------------------------------------------


def test_where_a_file_system_stands_is_state(at: Any) -> None:
    home = at("filesystem")
    folder = next(n for n in done(home, "ls")["current_directory_content"] if "." not in n)
    done(home, "ls")
    assert home.capture().diff == []
    done(home, "cd", folder=folder)
    start = home.initial_state["current"]
    assert home.capture().diff == [["/current", start, f"{start}/{folder}"]]


def test_a_directory_in_itself_is_survived(at: Any) -> None:
    home = at("filesystem")
    kept = home.snapshot()
    done(home, "mkdir", dir_name="ring")
    done(home, "cp", source="ring", destination="ring")
    (tree,) = home.state["root"].values()
    assert tree["ring"] == {"ring": {"ring": ["ring", "/ring/ring"]}}
    before = home.capture()
    assert "recursed" in home.call("find", {}).message
    assert home.capture() == before
    home.restore(kept)
    assert home.capture().diff == []


def test_what_an_error_did_is_taken_back(at: Any) -> None:
    car = at("vehicle")
    done(car, "lockDoors", unlock=False, door=["driver", "passenger", "rear_left", "rear_right"])
    done(car, "pressBrakePedal", pedalPosition=1.0)
    done(car, "startEngine", ignitionMode="START")
    stopped = car.call("startEngine", {"ignitionMode": "STOP"})
    assert (stopped.code, stopped.message) == ("tool_error", "Invalid ignition mode.")
    assert done(car, "displayCarStatus", option="engine") == {"engineState": "running"}


@pytest.mark.parametrize(
    ("name", "tool", "arguments", "message"),
    [
        ("message", "get_user_id", {"user": "Nobody"}, "User 'Nobody' not found in the workspace."),
        ("ticket", "get_user_tickets", {},
         "User not authenticated. Please log in to view tickets."),
        ("trading", "get_symbol_by_name", {"name": "No Such"},
         "The answer was symbol: Stock not found."),
        ("trading", "get_watchlist", {},
         "User not authenticated. Please log in to view the watchlist."),
        ("twitter", "authenticate_twitter", {"username": "a", "password": "b"},
         "The answer was authentication_status: False."),
        ("vehicle", "get_outside_temperature_from_weather_com", {}, "404"),
        ("math", "divide", {"a": 1, "b": 0}, "Cannot divide by zero"),
        ("math", "power", {"base": -8, "exponent": 0.5},
         "The result is no plain value but a complex."),
        ("math", "power", {"base": 10, "exponent": 400}, "The result is too large."),
    ],
)  # fmt: skip
def test_failures_inside_successes_are_failures(
    at: Any, name: str, tool: str, arguments: dict[str, Any], message: str
) -> None:
    result = at(name).call(tool, arguments)
    assert (result.ok, result.code, result.message) == (False, "tool_error", message)


def test_numbers_of_other_kinds_become_plain(at: Any) -> None:
    calculator = at("math")
    assert done(calculator, "square_root", number=2, precision=5) == {"result": 1.4142}
    logarithm = done(calculator, "logarithm", value=8, base=2, precision=10)
    assert logarithm["result"] == pytest.approx(3)
    assert done(calculator, "power", base=2, exponent=64) == {"result": float(2**64)}


def test_lists_that_stand_as_defaults_are_not_shared(at: Any) -> None:
    forum = at("twitter")
    done(forum, "authenticate_twitter", username="maraholt", password="teal-anchor-52")
    first, second = (done(forum, "post_tweet", content=text)["id"] for text in ("one", "two"))
    done(forum, "mention", tweet_id=first, mentioned_usernames=["paperkites"])
    assert done(forum, "get_tweet", tweet_id=second)["mentions"] == []
    forum.reset()
    done(forum, "authenticate_twitter", username="maraholt", password="teal-anchor-52")
    assert done(forum, "post_tweet", content="three")["mentions"] == []


def test_tokens_are_the_same_for_the_same_seed(at: Any) -> None:
    facts = {
        "client_id": "holt-travel-desk", "client_secret": "quiet-harbour-90",
        "refresh_token": "rt-5521-kestrel", "grant_type": "read_write",
        "user_first_name": "Mara", "user_last_name": "Holt",
    }  # fmt: skip
    first, again = at("travel"), at("travel")
    for fact in facts.values():
        assert fact in first.metadata.policy or fact in ("Mara", "Holt")
    token = done(first, "authenticate_travel", **facts)["access_token"]
    assert done(again, "authenticate_travel", **facts)["access_token"] == token
    # Asking for a price fills a cache that decides nothing.
    state = first.capture()
    done(first, "get_flight_cost", travel_from="SFO", travel_to="LAX", travel_date="2027-03-01",
         travel_class="economy")  # fmt: skip
    assert first.capture() == state


# -- requests ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SYSTEMS)
def test_requests_come_of_them(at: Any, name: str) -> None:
    environment, words = at(name.partition(".")[2]), lexicon_of(name, "bfcl")
    experience = Experience()
    carried_out = 0
    for episode in range(25):
        found, learned = explore(environment, words, experience, seed=3, episode=episode)
        experience.add(learned)
        for candidate in propose(found, environment, words, experience)[0]:
            replay(candidate, environment, words)
            assert environment.capture().state_hash == candidate.terminal
            carried_out += 1
    assert carried_out >= 12


# -- the package's own solutions -----------------------------------------------------------------


class Few(HostedSystem):
    """All classes, with one task of every forty."""

    def about(self, what: Any) -> Any:
        told = super().about(what)
        return told[::40] if what == "tasks" else told


def test_solutions_of_shipped_tasks_hold() -> None:
    (name,) = GROUND_TRUTH
    system = Few(name, "bfcl", "bfcl", licence="Apache-2.0", origin="PyPI bfcl-eval")
    try:
        found = judge_all(system)
    finally:
        system.close()
    assert len(found) == 20
    assert all(task.deterministic and task.solved for task in found)
    assert all(task.rejected for task in found if task.changed)
    assert sum(task.changed for task in found) >= 15
    assert not any(task.solved_at_start for task in found)


def test_arguments_without_names_get_those_of_the_schema() -> None:
    (name,) = GROUND_TRUTH
    system = open_system(name, Options())
    try:
        tasks = system.about("tasks")
        truths = [system.about({"truth": task})["calls"] for task in tasks[::10]]
        known = {tool.name: set(tool.parameters["properties"]) for tool in system.tools()}
    finally:
        system.close()
    assert len(tasks) == 800
    assert all(set(given) <= known[tool] for calls in truths for tool, given in calls)
