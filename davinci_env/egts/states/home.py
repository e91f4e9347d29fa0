"""A private person's home folder: notes, letters, tables, recipes, projects."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from .home_words import (
    AFTER_MEETINGS,
    BEFORE_TRIPS,
    CITIES,
    EXPENSES,
    JOBS,
    LETTERS,
    MEETINGS,
    PACKED,
    PEOPLE,
    PROJECTS,
    RECIPES,
    SUBSCRIPTIONS,
)

NOW = datetime(2025, 6, 16, 9, 0, tzinfo=UTC)
"""The moment at which an agent sees the home folder: a Monday."""

FOLDERS = (
    "Archive", "Documents", "Documents/finance", "Documents/letters", "Documents/travel",
    "Downloads", "Notes", "Pictures", "Projects", "Recipes",
)  # fmt: skip
"""Folders of every home; the projects have one each besides."""

LISTS = ("house-jobs.md", "garden-jobs.md", "shopping.md")
"""Lists of things to do that every home has in its notes."""

MONTHS = ("january", "february", "march", "april", "may")


@dataclass(frozen=True)
class HomeFile:
    """A file: its bytes and when it was last changed."""

    data: bytes
    modified: datetime


@dataclass(frozen=True)
class Home:
    """A folder's content, by path from the top, with "/" between."""

    folders: tuple[str, ...]
    files: dict[str, HomeFile]


def make_home(seed: int) -> Home:
    """The home folder of a seed: thirty files in a dozen folders, no file name twice."""
    rng = random.Random(f"home {seed}")
    texts: dict[str, str] = {}
    others = sorted(set(JOBS) - set(LISTS))
    for name in [*LISTS, rng.choice(others)]:
        texts[f"Notes/{name}"] = _jobs(rng, name)
    for name in rng.sample(sorted(MEETINGS), 3):
        texts[f"Notes/{name}"] = _meeting(rng, name)
    for name in rng.sample(sorted(LETTERS), 3):
        texts[f"Documents/letters/{name}"] = _letter(rng, name)
    for month in rng.sample(MONTHS, 2):
        texts[f"Documents/finance/budget-{month}.csv"] = _budget(rng)
    texts["Documents/finance/subscriptions.csv"] = _subscriptions(rng)
    for city in rng.sample(sorted(CITIES), 2):
        texts[f"Documents/travel/trip-to-{city}.txt"] = _trip(rng, city)
    texts["Documents/travel/packing-list.md"] = _packing(rng)
    for name in rng.sample(sorted(RECIPES), 3):
        texts[f"Recipes/{name}"] = _recipe(name)
    projects = rng.sample(sorted(PROJECTS), 2)
    for project in projects:
        texts.update(_project(rng, project))
    texts[f"Downloads/invoice-{rng.randrange(4000, 9999)}.txt"] = _invoice(rng)
    texts["Downloads/guest-list.csv"] = _guests(rng)
    texts["Archive/old-addresses.csv"] = _addresses(rng)
    contents = {path: text.encode() for path, text in texts.items()}
    contents["Pictures/balcony-plan.svg"] = _drawing(rng).encode()
    contents["Pictures/colour-sample.png"] = _picture(rng)
    files = {path: HomeFile(data, _changed(rng)) for path, data in sorted(contents.items())}
    return Home(tuple(sorted([*FOLDERS, *(f"Projects/{project}" for project in projects)])), files)


def _changed(rng: random.Random) -> datetime:
    """A minute of the last two weeks': later than all that files speak of."""
    day = NOW - timedelta(days=rng.randrange(1, 15))
    return day.replace(hour=rng.randrange(7, 22), minute=rng.randrange(60))


def _day(rng: random.Random) -> str:
    return (NOW - timedelta(days=rng.randrange(16, 150))).strftime("%Y-%m-%d")


def _later(rng: random.Random) -> str:
    return (NOW + timedelta(days=rng.randrange(3, 200))).strftime("%Y-%m-%d")


def _lines(*lines: str) -> str:
    return "\n".join(lines)


def _table(head: str, rows: Sequence[Sequence[object]]) -> str:
    return _lines(head, *(",".join(map(str, row)) for row in rows))


def _title(name: str) -> str:
    return name.rpartition(".")[0].replace("-", " ").capitalize()


def _jobs(rng: random.Random, name: str) -> str:
    jobs = rng.sample(JOBS[name], 6)
    done = rng.sample(range(6), 2)
    return _lines(
        f"# {_title(name)}",
        "",
        *(f"- [{'x' if n in done else ' '}] {job}" for n, job in enumerate(jobs)),
    )


def _meeting(rng: random.Random, name: str) -> str:
    said = rng.sample(MEETINGS[name], 3)
    there = rng.sample(PEOPLE, 4)
    return _lines(
        f"# {_title(name)}, {_day(rng)}",
        "",
        f"Present: {', '.join(there)}",
        "",
        *(f"* {line}" for line in said),
        "",
        *(f"- [ ] {job}" for job in rng.sample(AFTER_MEETINGS, 2)),
        "",
        f"Minutes by {there[0]}.",
    )


def _letter(rng: random.Random, name: str) -> str:
    greeting, body = LETTERS[name]
    return _lines(_day(rng), "", f"{greeting},", "", body, "", "Kind regards", "Mara Ellwood")


def _budget(rng: random.Random) -> str:
    rows = []
    for expense in rng.sample(sorted(EXPENSES), 6):
        planned = EXPENSES[expense] + rng.randrange(8) * 5
        rows.append((expense, planned, f"{planned * rng.uniform(0.6, 1.3):.2f}"))
    return _table("category,planned,spent", rows)


def _subscriptions(rng: random.Random) -> str:
    chosen = rng.sample(SUBSCRIPTIONS, 5)
    return _table(
        "service,monthly price,cancel by",
        [(s, f"{rng.randrange(3, 30)}.{rng.choice((50, 90, 99))}", _later(rng)) for s in chosen],
    )


def _trip(rng: random.Random, city: str) -> str:
    hotel, sight = CITIES[city]
    leave = rng.randrange(6, 12)
    return _lines(
        f"Trip to {city.capitalize()}",
        f"Train: leaves at {leave:02}:{rng.choice((4, 17, 32, 48)):02} from platform "
        f"{rng.randrange(1, 15)}",
        f"Hotel: {hotel}, {rng.randrange(2, 6)} nights, {rng.randrange(68, 140)} euros a night",
        f"To see: {sight}",
        f"With: {rng.choice(PEOPLE)}",
        *(f"- [ ] {job}" for job in rng.sample(BEFORE_TRIPS, 3)),
    )


def _packing(rng: random.Random) -> str:
    packed = rng.sample(PACKED, 6)
    return _lines("# Packing list", "", *(f"- [ ] {thing}" for thing in packed))


def _recipe(name: str) -> str:
    things, hint = RECIPES[name]
    return _lines(f"# {_title(name)}", "", *(f"* {thing}" for thing in things), "", hint)


def _project(rng: random.Random, project: str) -> dict[str, str]:
    """A project's folder: what it is, its settings, its log."""
    what, counted, (low, high), to_do = PROJECTS[project]
    folder, short = f"Projects/{project}", project.partition("-")[0]
    days = sorted({_day(rng) for _ in range(6)})
    return {
        f"{folder}/{short}-readme.md": _lines(
            f"# {_title(project + '.')}", "", what, "", "Still to do:", "",
            *(f"- [ ] {job}" for job in to_do),
        ),
        f"{folder}/{short}-settings.ini": _lines(
            "[general]", f"owner = {rng.choice(PEOPLE)}", "language = en",
            f"backup = {rng.choice(('daily', 'weekly', 'never'))}",
            "", "[report]", f"every = {rng.choice((7, 14, 30))} days", "format = csv",
        ),
        f"{folder}/{short}-log.csv": _table(
            f"date,{counted}", [(day, rng.randrange(low, high)) for day in days]
        ),
    }  # fmt: skip


def _invoice(rng: random.Random) -> str:
    net = rng.randrange(40, 420)
    return _lines(
        f"Invoice of {_day(rng)}",
        f"For: {rng.choice(('roof repair', 'piano tuning', 'dental cleaning', 'tyre change'))}",
        f"Net: {net}.00 EUR",
        f"Tax: {net * 0.19:.2f} EUR",
        f"Total: {net * 1.19:.2f} EUR",
        "Payable within 14 days.",
    )


def _guests(rng: random.Random) -> str:
    diets = ("anything", "vegetarian", "vegan", "no nuts")
    rows = [(who, rng.choice(diets), rng.choice(("yes", "no"))) for who in rng.sample(PEOPLE, 7)]
    return _table("name,diet,coming", rows)


def _addresses(rng: random.Random) -> str:
    streets = ("Mill Lane", "Harbour Street", "Station Road", "Kirchweg", "Rue du Moulin")
    rows = [(who, f"{rng.choice(streets)} {rng.randrange(1, 90)}") for who in rng.sample(PEOPLE, 6)]
    return _table("name,address", rows)


def _drawing(rng: random.Random) -> str:
    wide, deep = rng.randrange(30, 60) * 10, rng.randrange(12, 24) * 10
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{deep}">'
        f'<rect width="{wide}" height="{deep}" fill="none" stroke="black"/></svg>'
    )


def _picture(rng: random.Random) -> bytes:
    """A PNG of one pixel."""
    colour = bytes(rng.randrange(256) for _ in range(3))
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(b"\0" + colour, 0)),
        (b"IEND", b""),
    )
    chunks = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
