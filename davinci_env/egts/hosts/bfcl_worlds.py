"""Initial configurations for BFCL's API classes, generated from a seed, and what the agent is told
of each beforehand. Names, texts and numbers are ours.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

import bfcl_files  # type: ignore[import-not-found]
from bfcl_markets import TODAY as MARKET_DAY  # type: ignore[import-not-found]
from bfcl_markets import brokerage
from bfcl_people import forum, helpdesk, workspace  # type: ignore[import-not-found]
from bfcl_roads import car, journeys  # type: ignore[import-not-found]

_WORLDS: Mapping[str, Callable[[random.Random], dict[str, Any]]] = {
    "filesystem": bfcl_files.home,
    "math": lambda rng: {},
    "message": workspace,
    "twitter": forum,
    "ticket": helpdesk,
    "trading": brokerage,
    "travel": journeys,
    "vehicle": car,
}

_CONTEXTS: Mapping[str, str] = {
    "filesystem": (
        "You work in the user's home folder through shell-like tools. File tools act on the "
        "current directory alone, take names and no paths, and `cd` goes one level at a time. You "
        "start in the home folder."
    ),
    "math": "You compute for the user, with the calculator's tools and never in your head.",
    "message": (
        "You write and look after messages in the user's workspace. People are known by user ids, "
        "which are found by name. The user's own id is USR001; sign in with it first."
    ),
    "twitter": (
        "You look after the user's account on a microblogging service. The account's username is "
        "maraholt and the password is teal-anchor-52; sign in with them first."
    ),
    "ticket": (
        "You look after the user's tickets in the company's ticket system. The user's name there "
        "is mholt and the password is grey-lantern-18; sign in with them first. Priorities go from "
        "1 (lowest) to 5 (highest)."
    ),
    "trading": (
        "You trade and look after the user's brokerage account. The username is mara.holt and the "
        f"password is amber-field-77; sign in with them first. Today is {MARKET_DAY}."
    ),
    "travel": (
        "You book flights and look after the user's bookings. The user is Mara Holt, born on "
        "1988-04-12, with the passport US8841207. Sign in first, with the client id "
        "holt-travel-desk, the client secret quiet-harbour-90, the refresh token rt-5521-kestrel "
        "and the grant type read_write; the other tools need the access token that this gives."
    ),
    "vehicle": (
        "You operate the user's car. Its engine starts only with all doors locked and the brake "
        "pedal pressed fully."
    ),
}  # fmt: skip


def world_of(name: str, seed: int) -> dict[str, Any]:
    """The configuration of a seed."""
    return _WORLDS[name](random.Random(f"{name}/{seed}"))


def context_of(name: str) -> str:
    """What the agent is told, facts of the user's that nobody would repeat included."""
    return _CONTEXTS.get(name, "")
