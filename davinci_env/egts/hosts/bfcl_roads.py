"""A traveller's bookings and a car, generated from a seed for BFCL's classes."""

from __future__ import annotations

import random
from typing import Any

# Routes that the class itself sells, from airport to airport.
_ROUTES = (
    ("SFO", "LAX"), ("SFO", "JFK"), ("SFO", "ORD"), ("SFO", "BOS"), ("LAX", "JFK"), ("LAX", "SFO"),
    ("LAX", "HND"), ("JFK", "HND"), ("JFK", "PEK"), ("JFK", "BOS"), ("JFK", "LAX"), ("ORD", "LAX"),
    ("ORD", "BOS"), ("RMS", "JFK"), ("RMS", "BOS"), ("LHR", "CDG"), ("SFO", "CIA"), ("CRH", "HKG"),
)  # fmt: skip
_CARDS = (
    "Travel Visa", "Business Mastercard", "Family Visa", "Savings Mastercard", "Airline Card",
    "Company Visa", "Platinum Mastercard", "Everyday Visa",
)  # fmt: skip


def journeys(rng: random.Random) -> dict[str, Any]:
    """An account with three to five cards and 8 to 12 bookings, each on a day of its own."""
    cards = {
        name: {
            "card_number": f"{rng.choice((4, 5))}{rng.randrange(10**15):015d}",
            "expiration_date": f"{rng.randint(1, 12):02d}/{rng.randint(2028, 2032)}",
            "cardholder_name": "Mara Holt",
            "card_verification_number": rng.randint(100, 999),
            "balance": float(rng.randint(3000, 30000)),
        }
        for name in rng.sample(_CARDS, rng.randint(3, 5))
    }
    year = [f"2027-{month:02d}-{day:02d}" for month in range(1, 13) for day in range(1, 29)]
    bookings = {}
    for day in sorted(rng.sample(year, rng.randint(8, 12))):
        start, end = rng.choice(_ROUTES)
        bookings[str(rng.randint(1000000, 9999999))] = {
            "card_id": rng.choice(sorted(cards)),
            "travel_date": day,
            "travel_from": start,
            "travel_to": end,
            "travel_class": rng.choice(("economy", "economy", "business", "first")),
            "travel_cost": float(rng.randint(100, 2400)),
            "transaction_id": str(rng.randint(10000000, 99999999)),
        }
    return {
        "random_seed": rng.randrange(10**6),
        "credit_card_list": cards,
        "booking_record": bookings,
        "access_token": None,
        "token_type": None,
        "token_expires_in": None,
        "token_scope": None,
        "user_first_name": None,
        "user_last_name": None,
        "budget_limit": None,
    }


def car(rng: random.Random) -> dict[str, Any]:
    """A parked car: some fuel, some doors open, the engine off."""
    doors = ("driver", "passenger", "rear_left", "rear_right")
    engaged, braking = rng.random() < 0.3, rng.random() < 0.4
    return {
        "random_seed": rng.randrange(10**6),
        "fuelLevel": float(rng.randint(4, 38)),
        "batteryVoltage": round(rng.uniform(11.6, 13.2), 1),
        "engineState": "stopped",
        "doorStatus": {door: rng.choice(("locked", "unlocked")) for door in doors},
        "acTemperature": float(rng.randint(17, 27)),
        "fanSpeed": rng.choice((20, 30, 40, 50, 60, 70)),
        "acMode": rng.choice(("auto", "cool", "heat", "defrost")),
        "humidityLevel": float(rng.randint(30, 65)),
        "headLightStatus": rng.choice(("on", "off")),
        "parkingBrakeStatus": "engaged" if engaged else "released",
        "parkingBrakeForce": 500.0 if engaged else 0.0,
        "slopeAngle": float(rng.randint(0, 8)),
        "brakePedalStatus": "pressed" if braking else "released",
        "brakePedalForce": 500.0 if braking else 0.0,
        "distanceToNextVehicle": float(rng.randint(20, 90)),
        "cruiseStatus": "inactive",
        "destination": "None",
        "frontLeftTirePressure": float(rng.randint(26, 36)),
        "frontRightTirePressure": float(rng.randint(26, 36)),
        "rearLeftTirePressure": float(rng.randint(26, 36)),
        "rearRightTirePressure": float(rng.randint(26, 36)),
    }
