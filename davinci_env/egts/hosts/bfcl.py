"""The eight API classes of BFCL v4 multi-turn, for `serve.py`: one at a time from a state that we
generate, or all of a shipped task's together (`all`), for its ground truth.

Runs in an environment that has `bfcl_eval`; imports that and the standard library alone.
"""

from __future__ import annotations

import copy
import hashlib
import importlib
import importlib.metadata
import inspect
import random
from collections.abc import Collection, Mapping
from typing import Any

import bfcl_shipped as shipped  # type: ignore[import-not-found]
import bfcl_worlds as worlds  # type: ignore[import-not-found]
from bfcl_values import Unsayable, plain, tree_of  # type: ignore[import-not-found]

CLASSES: Mapping[str, str] = {
    "filesystem": "GorillaFileSystem",
    "math": "MathAPI",
    "message": "MessageAPI",
    "twitter": "TwitterAPI",
    "ticket": "TicketAPI",
    "trading": "TradingBot",
    "travel": "TravelAPI",
    "vehicle": "VehicleControlAPI",
}

ALL = "all"
"""The system that holds the classes of a shipped task."""

VOLATILE = {"TravelAPI": ("_flight_cost_lookup",), "VehicleControlAPI": ("_random",)}
"""Left out of the state, but for shipped tasks, where every attribute counts: a cache that is
filled anew before each use, and the generator of which the car only draws what its sensors read
next."""

READS = {
    "pwd", "ls", "cat", "find", "wc", "sort", "grep", "du", "tail", "diff", "list_users",
    "get_user_id", "message_get_login_status", "view_messages_sent", "search_messages",
    "get_message_stats", "posting_get_login_status", "list_all_following", "get_tweet",
    "get_user_tweets", "search_tweets", "get_tweet_comments", "get_user_stats", "get_ticket",
    "ticket_get_login_status", "get_user_tickets", "get_current_time", "get_symbol_by_name",
    "get_stock_info", "get_order_details", "get_account_info", "trading_get_login_status",
    "get_watchlist", "get_order_history", "get_transaction_history", "get_available_stocks",
    "filter_stocks_by_price", "notify_price_change", "travel_get_login_status",
    "get_budget_fiscal_year", "get_flight_cost", "get_credit_card_balance", "retrieve_invoice",
    "get_booking_history", "list_all_airports", "compute_exchange_rate",
    "verify_traveler_information", "get_nearest_airport_by_city", "contact_customer_support",
    "get_all_credit_cards", "get_current_speed", "get_outside_temperature_from_google",
    "get_outside_temperature_from_weather_com", "displayCarStatus", "display_log",
    "estimate_drive_feasibility_by_mileage", "liter_to_gallon", "gallon_to_liter",
    "estimate_distance", "get_zipcode_based_on_city", "check_tire_pressure",
    "find_nearest_tire_shop",
}  # fmt: skip
"""Tools that leave the state as it is; so do all of the calculator's."""

REFUSALS: Mapping[str, tuple[str, Any]] = {
    "message_login": ("login_status", False),
    "authenticate_twitter": ("authentication_status", False),
    "follow_user": ("follow_status", False),
    "unfollow_user": ("unfollow_status", False),
    "retweet": ("retweet_status", "Already retweeted"),
    "ticket_login": ("success", False),
    "logout": ("success", False),
    "trading_logout": ("status", "No user is currently logged in"),
    "get_symbol_by_name": ("symbol", "Stock not found"),
    "get_nearest_airport_by_city": ("nearest_airport", "Unknown"),
    "get_zipcode_based_on_city": ("zipcode", "00000"),
    "verify_traveler_information": ("verification_status", False),
}
"""Tools that report failure without an `error`: in which field of the result, and as what."""


class Bfcl:
    """Instances of API classes as one system."""

    benchmark = "BFCL v4 multi-turn"

    def __init__(self, name: str) -> None:
        self.version = importlib.metadata.version("bfcl-eval")
        self.name = name
        self.context = worlds.context_of(name)
        self.instances: dict[str, Any] = {}
        classes = list(CLASSES.values()) if name == ALL else [CLASSES[name]]
        listed = {c: shipped.tools_of(c, READS) for c in classes}
        self._owners = {tool["name"]: c for c, tools in listed.items() for tool in tools}
        tools = [tool for found in listed.values() for tool in found]
        self._tools = [shipped.as_shipped(tool) for tool in tools] if name == ALL else tools

    def tools(self) -> list[dict[str, Any]]:
        """The tools of the class, or of all of them."""
        return self._tools

    def open(self, seed: int) -> None:
        """Load the configuration that we generate for a seed."""
        self.context = worlds.context_of(self.name)
        self._load({CLASSES[self.name]: worlds.world_of(self.name, seed)}, long_context=False)

    def open_shipped(self, task: str) -> None:
        """Load the configurations of a shipped task."""
        found = shipped.task_of(task)
        given = found["initial_config"]
        self._load({c: given.get(c, {}) for c in found["involved_classes"]}, "long_context" in task)

    def _load(self, configurations: Mapping[str, Any], long_context: bool) -> None:
        self.instances = {}
        for name, configuration in configurations.items():
            instance = shipped.class_of(name)()
            if hasattr(instance, "_load_scenario"):
                instance._load_scenario(copy.deepcopy(configuration), long_context=long_context)
            # A long context puts tables of the module into the instance, which then changes them.
            vars(instance).update(copy.deepcopy(vars(instance)))
            self.instances[name] = instance

    def call(self, tool: str, arguments: Mapping[str, Any]) -> tuple[bool, Any]:
        """Call a method. What a class reports as a failure in a result is one."""
        instance = self.instances.get(self._owners.get(tool, ""))
        if instance is None:
            return False, f"There is no tool {tool!r} here."
        method = getattr(instance, tool)
        bound = inspect.signature(method).bind(**arguments)
        bound.apply_defaults()
        # Classes keep what they are given, lists that stand as defaults included.
        bound.arguments.update(copy.deepcopy(bound.arguments))
        try:
            content = plain(method(*bound.args, **bound.kwargs))
        except Unsayable as error:
            return False, str(error)
        problem = problem_of(tool, content)
        return (True, content) if problem is None else (False, problem)

    def state(self) -> Any:
        """All attributes of all instances."""
        if self.name == ALL:
            return {name: _state_of(instance, ()) for name, instance in self.instances.items()}
        name = CLASSES[self.name]
        return _state_of(self.instances[name], VOLATILE.get(name, ()))

    def snapshot(self) -> Any:
        """Copies of the instances, shared parts included."""
        return copy.deepcopy(self.instances)

    def restore(self, kept: Any) -> None:
        """Stand at copies of kept instances, which stay as they are."""
        self.instances = copy.deepcopy(kept)

    def about(self, what: Any) -> Any:
        """What the ground truth is checked with: the shipped tasks, the reference solution of one,
        and the package's own verdict on the present state.
        """
        if what == "tasks":
            return shipped.task_ids()
        if "truth" in what:
            return {"calls": shipped.calls_of(what["truth"]), "output": ""}
        return shipped.verdict_on(what["judge"], self.instances, called=bool(what["calls"]))


def problem_of(tool: str, content: Any) -> str | None:
    """The failure that a result reports; None where it reports none."""
    first = content[0] if isinstance(content, list) and content else content
    if isinstance(first, dict) and "error" in first:
        return str(first["error"])
    if isinstance(first, str) and first.startswith("Error: "):
        return first.removeprefix("Error: ")
    name, value = REFUSALS.get(tool, ("", None))
    if name and isinstance(content, dict) and content.get(name) == value:
        said = content.get("message") or content.get("verification_failure")
        return str(said or f"The answer was {name}: {value}.")
    return None


def _state_of(instance: Any, without: Collection[str]) -> dict[str, Any]:
    left_out = {"_api_description", *without}
    attributes = {k: v for k, v in vars(instance).items() if k not in left_out}
    if "_current_dir" in attributes:
        del attributes["_current_dir"]
        return {**attributes, **tree_of(instance.root, instance._current_dir)}
    return {name: _canonical(value) for name, value in attributes.items()}


def _canonical(value: Any) -> Any:
    if isinstance(value, random.Random):
        return hashlib.sha256(repr(value.getstate()).encode()).hexdigest()[:16]
    return plain(value)


def make(name: str) -> Bfcl:
    """The system of a name."""
    return Bfcl(name)
