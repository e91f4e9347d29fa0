"""A home folder for BFCL's file system, from a seed. Everything in it is ours."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

Node = dict[str, Any]

_NAMES = (
    "Ines", "Tomas", "Greta", "Omar", "Petra", "Luis", "Hanna", "Viktor", "Noor", "Emil", "Carla",
    "Jonas", "Mina", "Pavel", "Rosa", "Anton", "Leila", "Felix", "Dora", "Samir",
)  # fmt: skip
_TASKS = (
    "book the dentist", "renew the library card", "pay the gas bill", "call the landlord",
    "water the tomatoes", "return the drill", "order printer ink", "send Greta the photos",
    "fix the bicycle light", "pick up the parcel", "buy a birthday card", "back up the laptop",
    "sign the lease", "clean the balcony", "find the spare key", "cancel the old phone contract",
    "reserve a table for Friday", "descale the kettle", "oil the hinges", "hand in the timesheet",
)  # fmt: skip
_GOODS = (
    "tea lights", "olive oil", "rye flour", "coffee filters", "lemons", "batteries", "dish soap",
    "oat milk", "brown rice", "tomato paste", "garlic", "bin bags", "butter", "red onions",
    "yeast", "paper towels", "apples", "chickpeas", "mustard", "black pepper",
)  # fmt: skip
_SHOPS = (
    "hardware store", "corner bakery", "train tickets", "pharmacy", "book shop", "garden centre",
    "fuel", "swimming pool", "electricity", "phone bill", "market hall", "shoe repair",
)  # fmt: skip
_TOPICS = (
    "moving the release to the second week", "a quieter meeting room", "the new invoice template",
    "who answers the phone on Fridays", "the trip to the supplier", "training for new colleagues",
    "the broken coffee machine", "numbers for the second quarter", "a shared calendar",
    "the photo wall in the hall", "fewer status meetings", "the summer party",
)  # fmt: skip
_DISHES = (
    "lentil soup", "plum cake", "potato salad", "mushroom risotto", "apple crumble", "fish pie",
    "pumpkin curry", "bean stew", "onion tart", "carrot bread", "walnut biscuits", "pea soup",
)  # fmt: skip
_STEPS = (
    "Chop the onions finely.", "Heat the oil in a wide pan.", "Stir until it smells sweet.",
    "Add a pinch of salt.", "Let it rest for half an hour.", "Bake until golden.",
    "Simmer on a low flame.", "Season with pepper and lemon.", "Fold in the flour.",
    "Serve with fresh bread.", "Pour in the stock.", "Cover and wait.",
)  # fmt: skip
_SERVICES = ("billing", "search", "mailer", "gateway", "scheduler", "catalogue", "sync", "login")
_EVENTS = (
    ("INFO", "started in 312 ms"), ("INFO", "finished the nightly run"),
    ("WARN", "queue is filling up"),
    ("ERROR", "could not reach the database"), ("INFO", "cache refreshed"),
    ("ERROR", "certificate has expired"), ("WARN", "retrying after a timeout"),
    ("INFO", "configuration reloaded"), ("ERROR", "disk is almost full"),
    ("WARN", "slow answer from the mail server"),
)  # fmt: skip
_TITLES = (
    "The Salt Road", "Winter Harbour", "A Field of Glass", "Nine Small Boats", "The Clockmaker",
    "Letters from Tarn", "Under the Viaduct", "The Paper Orchard", "Slow Trains", "Blue Hour",
)  # fmt: skip
_PLACES = ("Lisbon", "Ghent", "Bergen", "Trieste", "Porto", "Utrecht", "Graz", "Malmo", "Bilbao")
_KIT = (
    "rain jacket", "passport", "head torch", "sun cream", "walking shoes", "charger", "notebook",
    "water bottle", "first aid kit", "swimsuit", "wool socks", "ear plugs", "maps", "sandwiches",
)  # fmt: skip
_LYRICS = (
    "the lamps come on along the quay", "and nobody counts the hours", "a kettle sings in the hall",
    "we left our coats by the door", "the last tram hums to itself", "rain writes on the window",
    "I kept your postcard from the sea", "the moon is late again tonight",
)  # fmt: skip
_RULES = (
    "Quiet after ten in the evening.", "Bicycles go into the cellar.", "Shut the front door.",
    "Glass goes into the green bin.", "No shoes in the stairwell.",
    "The laundry is free on Sundays.", "Tell the neighbours before a party.",
    "The last one out turns off the light.",
)  # fmt: skip
_SEEDS = (
    "radish", "lettuce", "parsley", "sunflower", "pumpkin", "runner beans", "spinach", "marigold",
    "beetroot", "dill", "leek", "sweet peas", "kale", "chives",
)  # fmt: skip
_POINTS = (
    "test the import with last year's data", "agree on the names of the fields",
    "write the help page", "ask the supplier for a date", "find a room for the training",
    "translate the welcome mail",
    "move the old accounts", "show the draft to the works council", "decide who is on call",
    "order the second server",
)  # fmt: skip
_BEDS = (
    "two rows of radishes", "beans along the fence", "a corner for the herbs",
    "leeks next to carrots", "one pumpkin by the compost", "marigolds at the edge",
    "a net over the kale", "straw under the berries",
)  # fmt: skip
_WATERING = (
    "tomatoes every evening", "herbs on Mondays and Thursdays", "lemon tree once a week",
    "beans when the soil is dry", "lawn not at all", "window boxes every other day",
    "the rose by the gate on Sundays", "seedlings twice a day",
)  # fmt: skip


def _lines(pool: tuple[str, ...], fewest: int, most: int) -> Callable[[random.Random], str]:
    def write(rng: random.Random) -> str:
        return "\n".join(rng.sample(pool, rng.randint(fewest, most)))

    return write


def _todo(rng: random.Random) -> str:
    return "\n".join(f"- {task}" for task in rng.sample(_TASKS, rng.randint(3, 6)))


def _expenses(rng: random.Random) -> str:
    rows = [
        f"2026-{rng.randint(1, 9):02d}-{rng.randint(1, 28):02d},{shop},{rng.randint(3, 99)}.50"
        for shop in rng.sample(_SHOPS, rng.randint(4, 8))
    ]
    return "\n".join(["date,where,amount", *rows])


def _minutes(rng: random.Random) -> str:
    there = rng.sample(_NAMES, 4)
    topics = rng.sample(_TOPICS, rng.randint(2, 4))
    said = [f"{rng.choice(there)} spoke about {topic}." for topic in topics[1:]]
    agreed = f"Agreed: {rng.choice(there)} looks into {topics[0]}."
    return "\n".join([f"Present: {', '.join(there)}", *said, agreed])


def _recipe(rng: random.Random) -> str:
    needs = [f"{rng.randint(1, 5)} x {goods}" for goods in rng.sample(_GOODS, 3)]
    steps = rng.sample(_STEPS, rng.randint(2, 4))
    return "\n".join([f"Recipe: {rng.choice(_DISHES)}", *needs, *steps])


def _journal(rng: random.Random) -> str:
    lines = []
    for hour in sorted(rng.sample(range(24), rng.randint(3, 9))):
        level, event = rng.choice(_EVENTS)
        lines.append(f"{hour:02d}:{rng.randint(0, 59):02d} {level} {rng.choice(_SERVICES)} {event}")
    return "\n".join(lines)


def _ferries(rng: random.Random) -> str:
    hours = sorted(rng.sample(range(6, 22), rng.randint(3, 6)))
    return "\n".join(f"{hour:02d}:{rng.choice((5, 20, 35, 50)):02d} {_to(rng)}" for hour in hours)


def _to(rng: random.Random) -> str:
    return rng.choice(("to the island", "to the harbour", "to the lighthouse"))


def _people(rng: random.Random) -> str:
    return "\n".join(
        f"{name}: 555-01{rng.randint(0, 99):02d}" for name in rng.sample(_NAMES, rng.randint(4, 8))
    )


def _draft(rng: random.Random) -> str:
    who, place = rng.choice(_NAMES), rng.choice(_PLACES)
    lines = [
        f"I still think about {rng.choice(_TOPICS)}.",
        f"Please {rng.choice(_TASKS)}.",
        "Let us talk soon.",
    ]
    kept = rng.sample(lines, rng.randint(1, 3))
    return "\n".join([f"Dear {who},", f"thank you for the days in {place}.", *kept])


def _settings(rng: random.Random) -> str:
    return "\n".join(
        [
            f"language={rng.choice(('en', 'de', 'pt', 'nl'))}",
            f"font_size={rng.randint(10, 16)}",
            f"autosave={rng.choice(('on', 'off'))}",
            f"theme={rng.choice(('light', 'dark', 'paper'))}",
        ]
    )


_packing, _shopping, _reading = _lines(_KIT, 4, 7), _lines(_GOODS, 4, 8), _lines(_TITLES, 3, 6)
_song, _rules, _seeds = _lines(_LYRICS, 3, 5), _lines(_RULES, 3, 5), _lines(_SEEDS, 4, 8)
_points = _lines(_POINTS, 3, 6)
_bed, _watering = _lines(_BEDS, 3, 5), _lines(_WATERING, 3, 5)

_FILES: dict[str, tuple[tuple[str, Callable[[random.Random], str]], ...]] = {
    "documents": (
        ("cover-letter.txt", _draft), ("thank-you-note.txt", _draft), ("phone-list.txt", _people),
        ("minutes-march.txt", _minutes), ("minutes-april.txt", _minutes),
        ("reading-list.txt", _reading),
        ("house-rules.txt", _rules), ("letter-to-landlord.txt", _draft),
        ("insurance-notes.txt", _minutes),
    ),
    "projects": (
        ("kickoff-notes.md", _minutes), ("open-points.md", _points), ("team.txt", _people),
        ("build-monday.log", _journal), ("build-friday.log", _journal), ("costs.csv", _expenses),
        ("risks.md", _minutes), ("release-plan.md", _points),
    ),
    "finance": (
        ("expenses-spring.csv", _expenses), ("expenses-summer.csv", _expenses),
        ("tax-notes.txt", _todo),
        ("budget-draft.csv", _expenses), ("budget-final.csv", _expenses),
        ("bank-contacts.txt", _people),
    ),
    "recipes": (
        ("soup.txt", _recipe), ("sunday-cake.txt", _recipe), ("quick-dinner.txt", _recipe),
        ("shopping.txt", _shopping), ("party-menu.txt", _recipe), ("winter-stew.txt", _recipe),
    ),
    "travel": (
        ("packing-summer.txt", _packing), ("packing-winter.txt", _packing),
        ("addresses.txt", _people),
        ("postcard.txt", _draft), ("trip-costs.csv", _expenses), ("ferry-times.txt", _ferries),
    ),
    "music": (
        ("song-one.txt", _song), ("song-two.txt", _song), ("band-contacts.txt", _people),
        ("rehearsal-notes.txt", _minutes), ("setlist.txt", _reading), ("gear.txt", _packing),
    ),
    "logs": (
        ("server-north.log", _journal), ("server-south.log", _journal), ("mailer.log", _journal),
        ("backup.log", _journal), ("door-system.log", _journal), ("incidents.txt", _minutes),
    ),
    "garden": (
        ("seed-list.txt", _seeds), ("watering.txt", _watering), ("plan-north-bed.txt", _bed),
        ("plan-south-bed.txt", _bed), ("tool-costs.csv", _expenses), ("neighbours.txt", _people),
    ),
}  # fmt: skip
_AT_ROOT: tuple[tuple[str, Callable[[random.Random], str]], ...] = (
    ("todo.txt", _todo), ("groceries.txt", _shopping), ("ideas.txt", _minutes),
    ("diary.txt", _draft),
    ("contacts.txt", _people), ("expenses.csv", _expenses), ("session.log", _journal),
    ("books.txt", _reading), ("weekend.txt", _todo), ("speech.txt", _draft),
    ("todo-later.txt", _todo), ("groceries-party.txt", _shopping), ("router.log", _journal),
    ("errands.txt", _todo), ("reminders.txt", _todo), ("next-week.txt", _todo),
)  # fmt: skip
_INNER = (
    "drafts", "final", "old-versions", "shared", "inbox", "to-sort", "attachments", "signed",
)  # fmt: skip
_EMPTY = ("scratch", "outbox", "to-print", "for-later")
_USERS = ("irina", "marco", "selma", "jakob", "alma", "henrik", "nadia", "oskar", "bruno", "tilda")


def _file(content: str) -> Node:
    return {"type": "file", "content": content}


def _directory(contents: Node) -> Node:
    return {"type": "directory", "contents": contents}


def home(rng: random.Random) -> Node:
    """A configuration: about ten directories and 25 to 40 files, some of each folder alike enough
    to be compared.
    """
    contents: Node = {}
    for name in rng.sample(sorted(_FILES), 4):
        contents[name] = _directory(_folder(rng, name))
    for name in rng.sample(_EMPTY, 2):
        contents[name] = _directory({})
    for name, write in rng.sample(_AT_ROOT, 8):
        contents[name] = _file(write(rng))
    contents[".settings"] = _file(_settings(rng))
    return {"root": {rng.choice(_USERS): _directory(contents)}}


def _folder(rng: random.Random, name: str) -> Node:
    known = _FILES[name]
    contents: Node = {file: _file(write(rng)) for file, write in rng.sample(known, len(known) - 1)}
    first, second = rng.sample(_INNER, 2)
    file, write = rng.choice(known)
    contents[first] = _directory({f"first-{file}": _file(write(rng))})
    if rng.random() < 0.5:
        contents[second] = _directory({})
    return contents
