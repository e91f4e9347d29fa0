"""Successes of AgentDojo's tools that are none: what isn't there, and what would make no sense.

The package answers many a wrong name with an empty success that repeats the name, and books a hotel
that doesn't exist. Each function here gives the error in words, or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_NAMED = {
    "hotel": ("hotels", "hotel_list"),
    "restaurant": ("restaurants", "restaurant_list"),
    "company": ("car_rental", "company_list"),
}
_KINDS = {
    "hotel_name": "hotel",
    "hotel_names": "hotel",
    "restaurant_names": "restaurant",
    "company_name": "car rental company",
}
_IN_TOWN = {
    "get_all_hotels_in_city": ("hotels", "hotel_list", "hotels"),
    "get_all_restaurants_in_city": ("restaurants", "restaurant_list", "restaurants"),
    "get_all_car_rental_companies_in_city": (
        "car_rental",
        "company_list",
        "car rental companies",
    ),
}


def before(environment: Any, tool: str, given: Mapping[str, Any]) -> str:
    """Why a call would make no sense in this state."""
    if tool.startswith("reserve_"):
        kind = next((kind for kind in _NAMED if kind in given), "hotel")
        owner, table = _NAMED[kind]
        rows = getattr(getattr(environment, owner), table)
        if all(row.name != given.get(kind) for row in rows):
            return f"There is no {kind} called {given.get(kind)!r}."
    if tool == "add_user_to_channel":
        joined = environment.slack.user_channels.get(given.get("user"), ())
        if given.get("channel") in joined:
            return f"{given['user']} is in the channel {given['channel']} already."
    if "event_id" in given:
        event = environment.calendar.events.get(given["event_id"])
        if event is not None and event.status == "canceled":
            return f"The event {event.title!r} has been canceled."
    if tool == "add_calendar_event_participants":
        there = [p for p in given.get("participants", ()) if event and p in event.participants]
        if there:
            return f"{there[0]} takes part already."
    if tool == "update_user_info" and not any(given.values()):
        return "Nothing was given to be changed."
    if tool == "get_most_recent_transactions" and given.get("n", 1) < 1:
        return "n must be at least 1."
    return ""


def after(environment: Any, tool: str, given: Mapping[str, Any], result: Any) -> str:
    """Why a call that was reported as a success is none."""
    if tool in _IN_TOWN:
        owner, table, what = _IN_TOWN[tool]
        rows = getattr(getattr(environment, owner), table)
        if all(row.city != given.get("city") for row in rows):
            return f"There are no {what} in {given.get('city')!r}."
    if tool == "get_flight_information" and not result:
        return f"There are no flights from {given['departure_city']} to {given['arrival_city']}."
    if tool == "get_webpage" and result == "404 Not Found":
        return f"There is no page at {given['url']!r}."
    if tool == "read_file" and given.get("file_path") not in environment.filesystem.files:
        return f"There is no file at {given.get('file_path')!r}."
    if tool == "update_scheduled_transaction":
        return _left_as_it_was(environment, given)
    if result == {}:
        asked = next((name for name in _KINDS if name in given), None)
        if asked is not None:
            return f"There is no {_KINDS[asked]} called {given[asked]!r}."
    return ""


def _left_as_it_was(environment: Any, given: Mapping[str, Any]) -> str:
    """The package takes no empty value, no zero and no false for a change, and says "updated"."""
    rows = environment.bank_account.scheduled_transactions
    row = next((row for row in rows if row.id == given["id"]), None)
    asked = {name: value for name, value in given.items() if name != "id"}
    if not any(value is not None for value in asked.values()):
        return "Nothing was given to be changed."
    for name, value in asked.items():
        if value is not None and getattr(row, name) != value:
            return f"{name} can't be set to {value!r}."
    return ""
