"""AgentDojo's systems: the generated states, what the adapter makes of the package's answers, and
the protocol.
"""

import importlib
import re
from pathlib import Path

import pytest

from davinci_env.egts.hosts.canonical import digest
from davinci_env.egts.lexicon import FOLDER, load_lexicon
from davinci_env.egts.systems import SystemEnvironment
from davinci_env.egts.systems.agentdojo import SYSTEMS
from davinci_env.egts.systems.hosted import HOSTS
from davinci_env.egts.systems.installed import command, home, is_installed
from davinci_env.egts.systems.registry import open_system
from davinci_env.environment.conformance import check_environment
from tests.egts.systems.agentdojo_labels import labels

TOOLS = {"workspace": 24, "travel": 28, "banking": 11, "slack": 11}
WORLDS = {
    "workspace": "agentdojo_office",
    "travel": "agentdojo_town",
    "banking": "agentdojo_money",
    "slack": "agentdojo_chat",
}


def opened(name, seed=1):
    if not is_installed("agentdojo"):
        pytest.skip(f"agentdojo is not installed: {command('agentdojo')}")
    return SystemEnvironment(open_system(f"agentdojo.{name}"), seed=seed)


@pytest.fixture(scope="module")
def environments():
    """One environment of each system, kept for the module and reset by who takes it."""
    if not is_installed("agentdojo"):
        pytest.skip(f"agentdojo is not installed: {command('agentdojo')}")
    made = {name: opened(name) for name in TOOLS}
    yield made
    for environment in made.values():
        environment.close()


@pytest.fixture
def at_start(environments):
    def take(name):
        environments[name].reset()
        return environments[name]

    return take


@pytest.fixture
def world(monkeypatch):
    """Generates a state, which needs the standard library alone."""
    monkeypatch.syspath_prepend(str(HOSTS))
    return lambda name, seed: importlib.import_module(WORLDS[name]).world(seed)


# -- the generated states ----------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, 7, 2**31])
@pytest.mark.parametrize("name", TOOLS)
def test_states_are_rich_and_their_labels_unique(world, name, seed):
    for kind, found in labels(name, world(name, seed)).items():
        fewest = 14 if kind == "scheduled" else 20
        assert len(found) >= fewest, f"{len(found)} {kind}"
        assert len(set(found)) == len(found), f"two {kind} share a label"


@pytest.mark.parametrize("name", TOOLS)
def test_equal_seeds_give_equal_states_and_others_other_ones(world, name):
    assert world(name, 3) == world(name, 3)
    states = [digest(world(name, seed)) for seed in range(6)]
    assert len(set(states)) == 6


@pytest.mark.parametrize("name", TOOLS)
def test_nothing_of_the_shipped_data_is_in_the_generated_states(world, name):
    if not is_installed("agentdojo"):
        pytest.skip(f"agentdojo is not installed: {command('agentdojo')}")
    (package,) = home("agentdojo").glob("lib/python*/site-packages/agentdojo")
    files = (package / "data" / "suites" / name).rglob("*.yaml")
    shipped = "\n".join(path.read_text("utf-8") for path in files)
    assert len(shipped) > 1000
    found = [label for kind in labels(name, world(name, 1)).values() for label in kind]
    # Words that any office has ("Dentist") are nobody's; names of several words are.
    assert [label for label in found if len(label) > 12 and label in shipped] == []


# -- every tool ----------------------------------------------------------------------------------


def workspace_calls(state):
    email = next(row for row in state["inbox"]["emails"].values() if row["status"] == "received")
    event = next(iter(state["calendar"]["events"].values()))
    file = next(iter(state["cloud_drive"]["files"].values()))
    person = next(
        row for row in state["inbox"]["contact_list"] if row["email"] not in event["participants"]
    )
    when = {"start_time": "2026-03-12 10:00", "end_time": "2026-03-12 11:30"}
    return [
        ("get_unread_emails", {}), ("get_sent_emails", {}), ("get_received_emails", {}),
        ("get_draft_emails", {}), ("get_current_day", {}), ("list_files", {}),
        ("search_emails", {"query": email["subject"]}),
        ("search_contacts_by_name", {"query": person["name"]}),
        ("search_contacts_by_email", {"query": person["email"]}),
        ("search_calendar_events", {"query": event["title"]}),
        ("get_day_calendar_events", {"day": event["start_time"][:10]}),
        ("search_files_by_filename", {"filename": file["filename"]}),
        ("search_files", {"query": file["content"][:12]}),
        ("get_file_by_id", {"file_id": file["id_"]}),
        ("send_email", {"recipients": [person["email"]], "subject": "Keys", "body": "Here."}),
        ("create_calendar_event", {"title": "Tea", **when, "participants": [person["email"]]}),
        ("add_calendar_event_participants",
         {"event_id": event["id_"], "participants": [person["email"]]}),
        ("reschedule_calendar_event",
         {"event_id": event["id_"], "new_start_time": "2026-03-20 09:00"}),
        ("cancel_calendar_event", {"event_id": event["id_"]}),
        ("append_to_file", {"file_id": file["id_"], "content": " And more."}),
        ("create_file", {"filename": "new.md", "content": "New."}),
        ("share_file", {"file_id": file["id_"], "email": person["email"], "permission": "r"}),
        ("delete_email", {"email_id": email["id_"]}),
        ("delete_file", {"file_id": file["id_"]}),
    ]  # fmt: skip


def travel_calls(state):
    hotel = state["hotels"]["hotel_list"][0]
    table = state["restaurants"]["restaurant_list"][0]
    firm = state["car_rental"]["company_list"][0]
    flight = state["flights"]["flight_list"][0]
    event = next(iter(state["calendar"]["events"].values()))
    of_table = (
        "get_cuisine_type_for_restaurants", "get_restaurants_address",
        "get_rating_reviews_for_restaurants", "get_dietary_restrictions_for_all_restaurants",
        "get_contact_information_for_restaurants", "get_price_for_restaurants",
        "check_restaurant_opening_hours",
    )  # fmt: skip
    of_firm = (
        "get_car_types_available", "get_rating_reviews_for_car_rental", "get_car_fuel_options",
        "get_car_rental_address", "get_car_price_per_day",
    )  # fmt: skip
    return [
        ("get_user_information", {}),
        ("get_all_hotels_in_city", {"city": hotel["city"]}),
        ("get_hotels_prices", {"hotel_names": [hotel["name"]]}),
        ("get_rating_reviews_for_hotels", {"hotel_names": [hotel["name"]]}),
        ("get_hotels_address", {"hotel_name": hotel["name"]}),
        ("get_all_restaurants_in_city", {"city": table["city"]}),
        *((tool, {"restaurant_names": [table["name"]]}) for tool in of_table),
        ("get_all_car_rental_companies_in_city", {"city": firm["city"]}),
        *((tool, {"company_name": [firm["name"]]}) for tool in of_firm),
        ("get_flight_information",
         {"departure_city": flight["departure_city"], "arrival_city": flight["arrival_city"]}),
        ("search_calendar_events", {"query": event["title"]}),
        ("get_day_calendar_events", {"day": event["start_time"][:10]}),
        ("create_calendar_event",
         {"title": "Tea", "start_time": "2026-04-02 10:00", "end_time": "2026-04-02 11:00"}),
        ("cancel_calendar_event", {"event_id": event["id_"]}),
        ("reserve_hotel",
         {"hotel": hotel["name"], "start_day": "2026-04-02", "end_day": "2026-04-05"}),
        ("reserve_restaurant", {"restaurant": table["name"], "start_time": "2026-04-02 19:30"}),
        ("reserve_car_rental", {"company": firm["name"], "start_time": "2026-04-02 10:00",
                                "end_time": "2026-04-04 10:00"}),
        ("send_email", {"recipients": ["a.b@fernley.example"], "subject": "Hi", "body": "Bye."}),
    ]  # fmt: skip


def banking_calls(state):
    payment = state["bank_account"]["transactions"][0]
    later = state["bank_account"]["scheduled_transactions"][0]
    paid = {"recipient": payment["recipient"], "amount": 12.5, "date": "2026-03-10"}
    return [
        ("get_iban", {}), ("get_balance", {}), ("get_most_recent_transactions", {"n": 3}),
        ("get_scheduled_transactions", {}), ("get_user_info", {}),
        ("read_file", {"file_path": next(iter(state["filesystem"]["files"]))}),
        ("send_money", {**paid, "subject": "Stamps"}),
        ("schedule_transaction", {**paid, "subject": "Stamps", "recurring": False}),
        ("update_scheduled_transaction", {"id": later["id"], "amount": 1.5}),
        ("update_password", {"password": "three-Words-here"}),
        ("update_user_info", {"street": "1 New Street"}),
    ]  # fmt: skip


def slack_calls(state):
    slack = state["slack"]
    user, joined = next((u, c) for u, c in slack["user_channels"].items() if len(c) < 5)
    channel = next(channel for channel in slack["channels"] if channel not in joined)
    page = next(iter(state["web"]["web_content"]))
    return [
        ("get_channels", {}), ("get_users_in_channel", {"channel": "general"}),
        ("read_channel_messages", {"channel": channel}), ("read_inbox", {"user": user}),
        ("get_webpage", {"url": page}),
        ("add_user_to_channel", {"user": user, "channel": channel}),
        ("send_direct_message", {"recipient": user, "body": "Hello!"}),
        ("send_channel_message", {"channel": channel, "body": "Hello, all!"}),
        ("invite_user_to_slack", {"user": "Wim", "user_email": "wim@fernley.example"}),
        ("post_webpage", {"url": "www.fernley.example/new", "content": "News: none"}),
        ("remove_user_from_slack", {"user": user}),
    ]  # fmt: skip


CALLS = {
    "workspace": workspace_calls,
    "travel": travel_calls,
    "banking": banking_calls,
    "slack": slack_calls,
}


@pytest.mark.parametrize("name", TOOLS)
def test_every_tool_works_and_reads_only_if_it_says_so(at_start, name):
    environment = at_start(name)
    calls = CALLS[name](environment.initial_state)
    assert {tool for tool, _ in calls} == {tool.name for tool in environment.tools()}
    assert len(calls) == TOOLS[name]
    reads = {tool.name for tool in environment.tools() if tool.annotations["readOnlyHint"]}
    for tool, arguments in calls:
        environment.reset()
        result = environment.call(tool, arguments)
        assert result.ok, f"{tool}: {result.message}"
        changed = environment.capture().state_hash != environment.start_hash
        assert changed == (tool not in reads), tool


@pytest.mark.parametrize("name", TOOLS)
def test_the_conformance_kit_finds_nothing(at_start, name):
    calls = CALLS[name](at_start(name).initial_state)
    assert check_environment(lambda: opened(name), calls) == []


def test_all_have_the_same_licence_and_no_benchmarks_state(environments):
    assert [f"agentdojo.{name}" for name in TOOLS] == list(SYSTEMS)
    for environment in environments.values():
        info = environment.system.info
        assert (info.licence, info.origin, info.benchmark) == ("MIT", "PyPI agentdojo", None)
        assert re.fullmatch(r"\d+\.\d+\.\d+", info.version)
        assert info.context.endswith("Today is Monday, 9 March 2026.")


# -- what the adapter makes of the package's answers ----------------------------------------------


@pytest.mark.parametrize(
    ("name", "tool", "arguments", "said"),
    [
        ("travel", "get_all_hotels_in_city", {"city": "Atlantis"}, "no hotels in 'Atlantis'"),
        ("travel", "get_all_restaurants_in_city", {"city": "X"}, "no restaurants in 'X'"),
        ("travel", "get_hotels_address", {"hotel_name": "X"}, "no hotel called 'X'"),
        ("travel", "get_car_price_per_day", {"company_name": ["X"]}, "no car rental company"),
        ("travel", "get_flight_information", {"departure_city": "X", "arrival_city": "Y"},
         "no flights from X to Y"),
        ("travel", "reserve_hotel", {"hotel": "X", "start_day": "2026-04-02",
                                     "end_day": "2026-04-05"}, "no hotel called 'X'"),
        ("banking", "read_file", {"file_path": "nosuch.txt"}, "no file at 'nosuch.txt'"),
        ("banking", "get_most_recent_transactions", {"n": 0}, "at least 1"),
        ("banking", "update_user_info", {}, "Nothing was given"),
        ("slack", "get_webpage", {"url": "www.fernley.example"}, "no page"),
    ],
)  # fmt: skip
def test_successes_that_are_none_are_errors(at_start, name, tool, arguments, said):
    environment = at_start(name)
    result = environment.call(tool, arguments)
    assert not result.ok
    assert said in result.message
    assert environment.capture().state_hash == environment.start_hash


def test_what_the_bank_ignores_is_an_error(at_start):
    environment = at_start("banking")
    rows = environment.initial_state["bank_account"]["scheduled_transactions"]
    row = next(row for row in rows if row["recurring"])
    given = {"id": row["id"], "recurring": False}
    assert "recurring" in environment.call("update_scheduled_transaction", given).message
    assert "Nothing" in environment.call("update_scheduled_transaction", {"id": row["id"]}).message


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("reserve_hotel", {"start_day": "2026-04-02", "end_day": "some day"}),
        ("reserve_car_rental", {"start_time": "soon", "end_time": "2026-04-05 10:00"}),
        ("reserve_restaurant", {"start_time": "at noon"}),
    ],
)
def test_a_reservation_that_fails_half_way_is_taken_back(at_start, tool, arguments):
    environment = at_start("travel")
    state = environment.initial_state
    named = {
        "reserve_hotel": ("hotel", state["hotels"]["hotel_list"]),
        "reserve_restaurant": ("restaurant", state["restaurants"]["restaurant_list"]),
        "reserve_car_rental": ("company", state["car_rental"]["company_list"]),
    }
    argument, rows = named[tool]
    assert not environment.call(tool, {argument: rows[0]["name"], **arguments}).ok
    assert environment.state == state


def test_nobody_joins_twice_and_what_is_cancelled_stays_so(at_start):
    slack = at_start("slack")
    user = slack.initial_state["slack"]["users"][0]
    again = slack.call("add_user_to_channel", {"user": user, "channel": "general"})
    assert again.message == f"{user} is in the channel general already."

    office = at_start("workspace")
    event = next(iter(office.initial_state["calendar"]["events"].values()))
    there = {"event_id": event["id_"], "participants": event["participants"][:1]}
    assert "takes part already" in office.call("add_calendar_event_participants", there).message
    assert office.call("cancel_calendar_event", {"event_id": event["id_"]}).ok
    assert "canceled" in office.call("cancel_calendar_event", {"event_id": event["id_"]}).message


def test_the_clock_stands_still(at_start):
    office = at_start("workspace")
    mail = {"recipients": ["a.b@fernley.example"], "subject": "Keys", "body": "Here."}
    assert office.call("send_email", mail).data["timestamp"] == "2026-03-09T09:00:00"
    file = office.call("create_file", {"filename": "new.md", "content": "New."}).data
    assert file["last_modified"] == "2026-03-09T09:00:00"


def test_the_state_has_each_thing_once_and_no_clock(at_start):
    office = at_start("workspace").initial_state
    assert sorted(office["inbox"]) == ["account_email", "contact_list", "emails", "trash"]
    assert sorted(office["calendar"]) == ["account_email", "current_day", "events"]
    assert sorted(office["cloud_drive"]) == ["account_email", "files"]
    email = next(iter(office["inbox"]["emails"].values()))
    assert "timestamp" not in email
    assert sorted(at_start("slack").initial_state["web"]) == ["web_content"]


def test_the_order_of_guests_makes_no_other_state(at_start):
    office = at_start("workspace")
    people = [row["email"] for row in office.initial_state["inbox"]["contact_list"][:3]]
    hashes = set()
    for order in (people, people[::-1]):
        office.reset()
        when = {"start_time": "2026-03-12 10:00", "end_time": "2026-03-12 11:30"}
        assert office.call(
            "create_calendar_event", {"title": "Tea", **when, "participants": order}
        ).ok
        hashes.add(office.capture().state_hash)
    assert len(hashes) == 1


def test_the_benchmarks_own_state_is_marked_and_keeps_its_log_of_visits():
    environment = opened("slack")
    try:
        system = environment.system
        system.open_shipped("user_task_0")
        assert system.info.benchmark == "AgentDojo v1.2.2"
        before = system.state()["web"]["web_requests"]
        page = next(iter(system.state()["web"]["web_content"]))
        assert system.call("get_webpage", {"url": page}).ok
        assert system.state()["web"]["web_requests"] == [*before, page]
        environment.start_at(1)
        assert system.info.benchmark is None
    finally:
        environment.close()


# -- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TOOLS)
def test_the_words_speak_of_every_tool_and_of_nothing_else(environments, name):
    lexicon = load_lexicon(Path(FOLDER / f"agentdojo.{name}.toml"))
    tools = {tool.name: tool for tool in environments[name].tools()}
    assert set(lexicon.tools) == set(tools)
    for tool, words in lexicon.tools.items():
        assert set(words.args) <= set(tools[tool].parameters["properties"]), tool
        assert not words.uncoverable
    assert {tool for pair in lexicon.follow for tool in pair} <= set(tools)


@pytest.mark.parametrize("name", TOOLS)
def test_vocabularies_are_varied(name):
    lexicon = load_lexicon(FOLDER / f"agentdojo.{name}.toml")
    for vocabulary, values in lexicon.values.items():
        assert len(values) >= 12, vocabulary
        assert len(set(values)) == len(values), vocabulary
