"""The customers and stores of a building-services firm, generated from a seed."""

from __future__ import annotations

import datetime as dt
import json
import random
import sqlite3

NOW = dt.datetime(2025, 5, 14, 9, 30)
"""The moment at which every episode stands: a Wednesday morning."""

_PEOPLE = (
    "Adam Novak", "Beatrice Lang", "Carlos Mendez", "Dina Farah", "Edwin Clarke", "Farida Aziz",
    "George Papas", "Helen Sorensen", "Ivan Petrov", "Joana Reis", "Kenji Mori", "Leila Amari",
    "Martin Vogel", "Nadia Karim", "Oscar Lindqvist", "Paula Conti", "Quentin Roy", "Rosa Delgado",
    "Samir Bashir", "Tessa Morgan", "Umar Siddiqui", "Vera Kovacs", "Walter Huber", "Yara Haddad",
    "Zoe Andersen", "Anil Mehta", "Birgit Olsen", "Cyrus Daver", "Elif Demir", "Hugo Martins",
)  # fmt: skip
_COMPANIES = (
    "Seaview Apartments", "Falcon Gym", "Cedar Clinic", "Golden Spoon Restaurants", "Metro Schools",
    "Palm Court Hotel", "Northgate Offices", "Bright Smile Dental", "Harbour Warehousing",
    "Lotus Spa", "Crescent Bank Branches", "Tower Nine", "Oasis Supermarkets",
    "Blue Line Logistics", "Sapphire Towers", "Green Court Villas",
)  # fmt: skip
_CITIES = ("Dubai", "Sharjah", "Abu Dhabi", "Ajman", "Al Ain", "Fujairah")
OWNERS = ("hamza", "sana", "ali")
"""To whom tasks can be given: the server takes no others."""
_TAGS = ("referral", "key account", "new", "slow payer", "tender", "residential", "seasonal")
STAGES = ("new", "qualified", "proposal", "negotiation", "won", "lost")
_DEALS = (
    "Lift maintenance, two years", "Roof waterproofing", "Chiller replacement",
    "Fire alarm upgrade", "Weekly office cleaning", "Swimming pool care", "Lobby repainting",
    "Generator service", "Solar water heaters", "Kitchen exhaust cleaning",
    "Access control for the car park", "Facade cleaning in autumn",
    "LED lighting for the corridors", "Pest control contract", "Water tank disinfection",
    "Bathroom refits, ten flats", "Garden and irrigation", "CCTV renewal", "Air duct cleaning",
    "Emergency call-out cover", "Floor polishing", "Boiler inspection",
)  # fmt: skip
_TASKS = (
    "Send the corrected quote", "Book the site visit", "Collect the signed contract",
    "Measure the plant room", "Chase the unpaid invoice", "Order the spare filters",
    "Return the borrowed ladder", "Explain the warranty terms", "Prepare the handover papers",
    "Ask for the floor plans", "Check the parking permits", "Renew the access cards",
    "Test the emergency lights", "Report on the water damage", "Confirm the crane for Saturday",
    "Update the maintenance calendar", "Arrange a second technician", "Photograph the roof",
    "Invite them to the spring event", "Clarify the night surcharge", "Replace the pump seal",
    "Call back about the complaint", "Get the insurance papers", "Draft the service agreement",
    "Hand over the keys", "Schedule the yearly inspection", "Verify the meter readings",
    "Send the safety data sheets", "Find a quieter compressor", "Discuss the payment plan",
)  # fmt: skip
_NOTES = (
    "Only reachable after four.", "Wants two quotes side by side.", "Pays within ten days.",
    "The caretaker has the keys.", "Asked about weekend rates.", "Very happy with the last visit.",
    "Building closes in August.", "Prefers to write rather than call.",
    "Invoice goes to head office.", "The old contract ends in June.",
    "Parking only behind the building.", "Has a second site in the next street.",
    "New facility manager since March.", "Will decide after the board meeting.",
)  # fmt: skip
_STOCK = (
    ("FLT-G4", "Panel filter G4", 38.0), ("FLT-F7", "Bag filter F7", 96.0),
    ("BLT-A42", "Fan belt A42", 24.5), ("PMP-075", "Circulation pump 0.75 kW", 940.0),
    ("VLV-DN25", "Ball valve DN25", 62.0), ("THM-RM1", "Room thermostat", 185.0),
    ("REF-R32", "Refrigerant R32 (9 kg)", 410.0), ("LMP-LED18", "LED tube 18 W", 29.0),
    ("SNS-SMK", "Smoke detector", 74.0), ("CBL-3X25", "Cable 3 x 2.5 (100 m)", 330.0),
    ("CHM-DSC", "Descaler (20 l)", 155.0), ("GLV-NIT", "Nitrile gloves (box)", 21.0),
    ("LCK-MAG", "Magnetic lock", 265.0), ("CAM-DOM", "Dome camera", 395.0),
    ("PNT-WHT", "White wall paint (18 l)", 210.0), ("SLC-CLR", "Clear silicone (carton)", 88.0),
    ("MTR-FAN", "Fan motor", 520.0), ("HSE-FLX", "Flexible hose", 34.0),
)  # fmt: skip
_SUPPLIERS = ("Gulf Air Parts", "Emirates Electric", "Delta Tools", "CleanPro", "Marina Hardware")


def fill(database: sqlite3.Connection, seed: int) -> None:
    """Write the records of a seed into the server's empty tables."""
    dice = random.Random(f"operations {seed}")
    contacts = [f"C-{1001 + n}" for n in range(24)]
    database.execute("BEGIN")
    _write_contacts(database, dice, contacts)
    for number, title in enumerate(dice.sample(_DEALS, 18)):
        closes = NOW.date() + dt.timedelta(days=dice.randint(-20, 80))
        _insert(database, "deals", (
            f"D-{2001 + number}", dice.choice(contacts[:16]), title, dice.choice(STAGES),
            dice.randint(6, 180) * 500.0, closes.isoformat(), _moment(dice, 40),
        ))  # fmt: skip
    for number, title in enumerate(dice.sample(_TASKS, 24)):
        done = dice.random() < 0.3
        due = NOW.date() + dt.timedelta(days=dice.randint(-6, 25))
        _insert(database, "tasks", (
            f"T-{3001 + number}", dice.choice(contacts), title, due.isoformat(),
            dice.choice(OWNERS), "done" if done else "open", _moment(dice, 60, 20),
            _moment(dice, 15) if done else None,
        ))  # fmt: skip
    for number in range(30):
        _insert(database, "notes", (
            f"N-{4001 + number}", dice.choice(contacts), dice.choice(_NOTES), dice.choice(OWNERS),
            _moment(dice, 90),
        ))  # fmt: skip
    stock = dice.sample(_STOCK, 14)
    for sku, name, price in sorted(stock):
        level = dice.choice((5, 10, 20, 30))
        amount = dice.randint(0, level) if dice.random() < 0.3 else level + dice.randint(1, 90)
        _insert(database, "inventory", (sku, name, amount, level, price, dice.choice(_SUPPLIERS)))
    for number in range(16):
        sku, _, price = dice.choice(stock)
        amount = dice.randint(1, 12)
        _insert(database, "orders", (
            f"SO-{5001 + number}", dice.choice(contacts), sku, amount, round(price * amount, 2),
            dice.choice(("confirmed", "shipped", "delivered")), _moment(dice, 45),
        ))  # fmt: skip
    database.execute("COMMIT")


def _write_contacts(database: sqlite3.Connection, dice: random.Random, contacts: list[str]) -> None:
    for contact, name in zip(contacts, dice.sample(_PEOPLE, len(contacts)), strict=True):
        first, last = name.lower().split()
        company = dice.choice(_COMPANIES)
        host = "".join(letter for letter in company.lower() if letter.isalpha())
        made = NOW.date() - dt.timedelta(days=dice.randint(20, 700))
        tags = json.dumps(dice.sample(_TAGS, dice.randint(0, 2)))
        _insert(database, "contacts", (
            contact, name, company, f"{first}.{last}@{host}.example",
            f"+97150{dice.randint(1000000, 9999999)}", dice.choice(_CITIES), dice.choice(OWNERS),
            tags, made.isoformat(),
        ))  # fmt: skip


def _insert(database: sqlite3.Connection, table: str, row: tuple[object, ...]) -> None:
    database.execute(f"INSERT INTO {table} VALUES ({', '.join('?' for _ in row)})", row)


def _moment(dice: random.Random, days: int, least: int = 1) -> str:
    """A moment so many days ago at most, as the server writes them."""
    minutes = dice.randint(least * 1440, days * 1440)
    return (NOW - dt.timedelta(minutes=minutes)).isoformat(timespec="seconds") + "Z"
