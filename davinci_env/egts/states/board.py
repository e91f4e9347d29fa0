"""The boards of a small software shop, generated from a seed: what a kanban server starts with."""

from __future__ import annotations

import datetime as dt
import hashlib
import random
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field

NOW = dt.datetime(2025, 5, 14, 9, 30)
"""The moment at which every episode stands: a Wednesday morning."""

FOLDER = "/home/user/projects"

_TYPES = {"issue": 1, "todo": 2, "feature": 3, "diary": 4, "epic": 5, "question": 6}
_STATUSES = {"backlog": 1, "todo": 2, "in_progress": 3, "review": 4, "done": 5, "closed": 6}
_WORKFLOWS = {
    "issue": ("backlog", "todo", "in_progress", "review", "done", "closed"),
    "todo": ("backlog", "todo", "in_progress", "done"),
    "feature": ("backlog", "todo", "in_progress", "review", "done", "closed"),
    "epic": ("backlog", "todo", "in_progress", "review", "done", "closed"),
    "question": ("backlog", "review", "closed"),
    "diary": ("done",),
}

# Project: epic, and what belongs to it; "" for what belongs to none. The sign before a title is its
# type: ! issue, + feature, - todo, ? question.
PLANS: dict[str, dict[str, tuple[str, ...]]] = {
    "webshop": {
        "Checkout revamp": (
            "!Basket total ignores the voucher", "!Card payment hangs on slow connections",
            "+Guest checkout", "+Several delivery addresses",
            "-Rewrite the order confirmation mail", "!Postcode field rejects spaces",
            "+Pay by invoice",
        ),
        "Search overhaul": (
            "+Suggestions while typing", "!Search finds nothing for plurals",
            "+Filter by brand and colour", "-Move the search index to the new server",
            "!Sold-out articles come first", "+Remember recent searches",
        ),
        "Accessibility pass": (
            "!Contrast of the sale banner is too low", "-Label the icons for screen readers",
            "+Keyboard control of the image gallery", "!Focus jumps to the footer",
        ),
        "Loyalty programme": (
            "+Points for reviews", "+Birthday voucher", "-Write the terms of the programme",
            "?Do points expire?",
        ),
        "Next release": ("!Product photos load twice", "-Renew the TLS certificate"),
        "": (
            "?Which carrier takes large parcels?", "!Newsletter form accepts any text",
            "-Archive last year's campaigns", "+Size guide on the product page",
        ),
    },
    "warehouse": {
        "Barcode scanning": (
            "!Scanner beeps twice", "+Scan several parcels at once",
            "-Order spare scanner batteries", "!Codes with a leading zero are cut",
            "+Scan with the phone's camera",
        ),
        "Stock count": (
            "+Cycle count by shelf", "!Count sheet prints a blank page", "-Train the night shift",
            "?Who signs off corrections?", "+Photo of damaged goods",
        ),
        "Packing stations": (
            "+Suggest a box size", "!Scale shows the last parcel's weight",
            "-Label the new packing tables", "+Print the return slip with the invoice",
        ),
        "Next release": ("!Pick list sorts by article number", "-Clean up the location names"),
        "": ("?Do we keep the old label format?", "+Alarm when a shelf runs empty"),
    },
    "mobile-app": {
        "Offline mode": (
            "+Read saved articles offline", "!Offline basket is lost on update",
            "-Measure the size of the cache", "+Queue orders until there is a network",
        ),
        "Push notifications": (
            "+Tell when an order ships", "!Notifications arrive twice", "+Quiet hours",
            "-Ask for consent again after the update", "?Who may send campaigns?",
        ),
        "New start screen": (
            "+Tiles in an order of one's own", "!Start screen flickers in dark mode",
            "-Draw the empty states", "+Shortcut to the last order",
        ),
        "Next release": ("!Login loops after a password change", "-Publish the beta"),
        "": (
            "!App crashes when the phone is turned", "?Do we drop support for old phones?",
            "+Dark theme",
        ),
    },
}  # fmt: skip

_SIGNS = {"!": "issue", "+": "feature", "-": "todo", "?": "question"}

_DETAILS = {
    "issue": (
        "Reported by two customers this month.", "Seen since the last release.",
        "Happens on tablets only.", "Support has a workaround.", "Can't be reproduced every time.",
    ),
    "feature": (
        "Asked for in the customer survey.", "Sales would like it before the summer.",
        "The design is ready.", "Needs a word with the legal department.",
    ),
    "todo": ("Half a day's work.", "Can wait until next month.", "Ask Jonas for the access data."),
    "question": ("To be settled in the next meeting.", "Marta knows more about it."),
    "epic": ("Goal of the second quarter.", "Agreed with the board.", "To be split further."),
}  # fmt: skip

_TAGS = (
    "urgent", "customer", "design", "backend", "frontend", "quick win", "needs testing", "legal",
    "regression", "performance", "documentation", "waiting",
)  # fmt: skip

_COLORS = ("#d73a4a", "#0e8a16", "#1d76db", "#fbca04", "#5319e7", "#0052cc", "#e99695", "#006b75")

_DECISIONS = (
    ("Build it ourselves", "Buying the module of the supplier", "The module can't be adapted"),
    ("Roll it out to a tenth of the customers first", "Releasing it to everybody at once", ""),
    (
        "Keep the old behaviour behind a switch",
        "Removing the old code now",
        "Two clients need it",
    ),
    ("Store the data for ninety days", "Keeping it for a year", "Data protection asked for it"),
    ("Use the design of the spring workshop", "", "Everybody had agreed on it"),
    ("Postpone it until after the sale", "Shipping it this week", "Too risky before the sale"),
    ("Test it on real devices", "Relying on the simulator", "The simulator hides the problem"),
    ("One team does it from start to end", "Splitting it between two teams", ""),
)

_FILES = {
    "webshop": (
        "src/basket/total.py", "src/basket/voucher.py", "src/payment/card.py",
        "src/search/index.py", "src/search/ranking.py", "src/mail/confirmation.html",
        "docs/terms.md", "tests/test_checkout.py", "config/carriers.yaml",
        "src/product/gallery.js", "src/account/addresses.py", "docs/release-notes.md",
    ),
    "warehouse": (
        "src/scanner/reader.c", "src/scanner/beep.c", "src/count/sheet.py", "src/count/shelves.py",
        "src/packing/boxes.py", "src/packing/scale.c", "docs/night-shift.md", "docs/labels.md",
        "tests/test_count.py", "config/printers.yaml", "src/pick/list.py", "docs/release-notes.md",
    ),
    "mobile-app": (
        "src/app/start_screen.kt", "src/app/notifications.kt", "src/app/cache.kt",
        "src/app/login.kt", "src/app/theme.kt", "docs/beta.md", "docs/consent.md",
        "tests/test_offline.kt", "config/quiet_hours.yaml", "src/app/tiles.kt",
        "src/app/orders.kt", "docs/release-notes.md",
    ),
}  # fmt: skip

_NEWS = (
    "The review of {item} is done, only small remarks.",
    "{item} waits for an answer of the supplier.",
    "Started with {item}; the first half is on the test system.",
    "Talked with support about {item}: it can wait a week.",
    "{item} took longer than planned because of the old library.",
    "Demo of {item} on Friday at two.", "The tests for {item} are green now.",
)  # fmt: skip

_GENERAL_NEWS = (
    "The release is planned for the end of the month.", "Code freeze from Thursday noon.",
    "Anna is on holiday until the twentieth.", "The test system was down yesterday afternoon.",
)  # fmt: skip


@dataclass
class _Item:
    number: int
    project: str
    kind: str
    title: str
    parent: int | None
    status: str
    changes: list[tuple[str | None, str, dt.datetime]] = field(default_factory=list)

    @property
    def over(self) -> bool:
        return self.status in ("done", "closed")


def folder_of(project: str) -> str:
    """The directory of a project, which is how the server knows it."""
    return f"{FOLDER}/{project}"


def project_id(project: str) -> str:
    """The id that the server gives a project: the beginning of its directory's SHA-256."""
    return hashlib.sha256(folder_of(project).encode()).hexdigest()[:16]


def current_project(seed: int) -> str:
    """The project that the episode is about."""
    return random.Random(f"kanban project {seed}").choice(sorted(PLANS))


def fill(connection: sqlite3.Connection, seed: int) -> None:
    """Write the boards of a seed into the server's empty tables."""
    dice = random.Random(f"kanban {seed}")
    current = current_project(seed)
    connection.execute("BEGIN")
    items: list[_Item] = []
    for project in sorted(PLANS):
        connection.execute(
            "INSERT INTO projects (id, directory_path, name, created_at) VALUES (?, ?, ?, ?)",
            (project_id(project), folder_of(project), project, "2025-01-13 08:15:00"),
        )
        items += _planned(dice, project, 24 if project == current else 7, len(items))
    for item in items:
        _write_item(connection, dice, item)
    _write_history(connection, items)
    for project in sorted(PLANS):
        own = [item for item in items if item.project == project]
        _write_tags(connection, dice, own, 8 if project == current else 3)
        _write_around(connection, dice, own, 1 if project == current else 3)
        _write_news(connection, dice, own, 7 if project == current else 2)
    connection.execute("COMMIT")


def _planned(dice: random.Random, project: str, most: int, before: int) -> list[_Item]:
    """Epics first, then so many of what belongs to them."""
    plan = PLANS[project]
    epics = {title: before + n + 1 for n, title in enumerate(title for title in plan if title)}
    items = [
        _Item(number, project, "epic", title, None, _status(dice, "epic"))
        for title, number in epics.items()
    ]
    leaves = [(epic, title) for epic, titles in plan.items() for title in titles]
    dice.shuffle(leaves)
    for epic, title in leaves[:most]:
        kind, number = _SIGNS[title[0]], before + len(items) + 1
        parent = epics.get(epic) if kind != "question" else None
        items.append(_Item(number, project, kind, title[1:], parent, _status(dice, kind)))
    # Some issue always waits: people ask how many.
    waiting = next((item for item in items if item.kind == "issue"), None)
    if waiting is not None:
        waiting.status = "backlog"
    for whole in items[: len(epics)]:
        # An epic is over only when all that belongs to it is.
        if whole.over and any(i.parent == whole.number and not i.over for i in items):
            whole.status = "in_progress"
    for item in items:
        item.changes = _changes(dice, item)
    return items


def _status(dice: random.Random, kind: str) -> str:
    flow = _WORKFLOWS[kind]
    weights = [5, 4, 4, 3, 2, 2][: len(flow)]
    return dice.choices(flow, weights)[0]


def _changes(dice: random.Random, item: _Item) -> list[tuple[str | None, str, dt.datetime]]:
    """How an item came to its status: one step of its workflow after the other."""
    flow = _WORKFLOWS[item.kind]
    steps = flow[: flow.index(item.status) + 1]
    begun = dt.datetime(2025, 3, 3, 8) + dt.timedelta(minutes=15 * dice.randrange(0, 4000))
    span = (NOW - dt.timedelta(hours=12) - begun) / len(steps)
    found: list[tuple[str | None, str, dt.datetime]] = []
    for number, status in enumerate(steps):
        waited = number - dice.random() / 2 if number else 0
        moment = (begun + span * waited).replace(microsecond=0)
        found.append((steps[number - 1] if number else None, status, moment))
    return found


def _write_item(connection: sqlite3.Connection, dice: random.Random, item: _Item) -> None:
    details = dice.choice(_DETAILS[item.kind]) if dice.random() < 0.6 else None
    complexity = dice.randint(1, 5) if item.kind != "question" and dice.random() < 0.7 else None
    connection.execute(
        "INSERT INTO items (id, project_id, type_id, status_id, title, description, priority,"
        " created_at, updated_at, closed_at, complexity, parent_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            item.number, project_id(item.project), _TYPES[item.kind], _STATUSES[item.status],
            item.title, details, dice.choice((1, 2, 2, 3, 3, 3, 4, 5)), _stamp(item.changes[0][2]),
            _stamp(item.changes[-1][2]), _stamp(item.changes[-1][2]) if item.over else None,
            complexity, item.parent,
        ),
    )  # fmt: skip


def _write_history(connection: sqlite3.Connection, items: Sequence[_Item]) -> None:
    changes = [(moment, i.number, old, new) for i in items for old, new, moment in i.changes]
    for moment, number, old, new in sorted(changes, key=lambda change: change[:2]):
        connection.execute(
            "INSERT INTO status_history"
            " (item_id, old_status_id, new_status_id, change_type, changed_at)"
            " VALUES (?, ?, ?, ?, ?)",
            (
                number, _STATUSES.get(old or ""), _STATUSES[new], "advance" if old else "create",
                _stamp(moment),
            ),
        )  # fmt: skip


def _write_tags(
    connection: sqlite3.Connection, dice: random.Random, items: Sequence[_Item], count: int
) -> None:
    for name in sorted(dice.sample(_TAGS, count)):
        made = connection.execute(
            "INSERT INTO tags (project_id, name, color, created_at) VALUES (?, ?, ?, ?)",
            (project_id(items[0].project), name, dice.choice(_COLORS), "2025-03-01 09:00:00"),
        )
        for item in sorted(dice.sample(list(items), dice.randint(1, 4)), key=lambda i: i.number):
            connection.execute(
                "INSERT INTO item_tags (item_id, tag_id, created_at) VALUES (?, ?, ?)",
                (item.number, made.lastrowid, _later(dice, item)),
            )


def _write_around(
    connection: sqlite3.Connection, dice: random.Random, items: Sequence[_Item], every: int
) -> None:
    """Relationships, decisions and files of a project; `every` second or third item has some."""
    leaves = [item for item in items if item.kind != "epic"]
    pairs = {tuple(sorted(dice.sample(range(len(leaves)), 2))) for _ in range(14 // every)}
    for first, second in sorted(pairs):
        kind = dice.choice(("blocks", "blocks", "depends_on", "relates_to", "duplicates"))
        source, target = leaves[first], leaves[second]
        if kind in ("blocks", "depends_on") and (source.over or target.over):
            kind = "relates_to"
        connection.execute(
            "INSERT INTO item_relationships"
            " (source_item_id, target_item_id, relationship_type, created_at) VALUES (?, ?, ?, ?)",
            (source.number, target.number, kind, _later(dice, target)),
        )
    for choice, rejected, why in dice.sample(_DECISIONS, 8 // every):
        item = dice.choice(items)
        connection.execute(
            "INSERT INTO item_decisions"
            " (item_id, choice, rejected_alternatives, rationale, created_at)"
            " VALUES (?, ?, ?, ?, ?)",
            (item.number, choice, rejected or None, why or None, _later(dice, item)),
        )
    for path in dice.sample(_FILES[items[0].project], 12 // every):
        item = dice.choice(leaves)
        first_line = dice.choice((None, None, None, None, dice.randint(1, 240)))
        last_line = first_line and first_line + dice.randint(3, 40)
        connection.execute(
            "INSERT INTO item_files (item_id, file_path, line_start, line_end, created_at)"
            " VALUES (?, ?, ?, ?, ?)",
            (item.number, path, first_line, last_line, _later(dice, item)),
        )


def _write_news(
    connection: sqlite3.Connection, dice: random.Random, items: Sequence[_Item], count: int
) -> None:
    told: list[tuple[str, str, _Item | None]] = []
    work = [item for item in items if item.kind not in ("epic", "question")]
    for item, news in zip(dice.sample(work, count - 1), dice.sample(_NEWS, count - 1),
                          strict=True):  # fmt: skip
        told.append((_later(dice, item), news.replace("{item}", item.title), item))
    told.append((_later(dice, items[0]), dice.choice(_GENERAL_NEWS), None))
    for moment, text, about in sorted(told, key=lambda news: news[:2]):
        made = connection.execute(
            "INSERT INTO updates (project_id, content, created_at) VALUES (?, ?, ?)",
            (project_id(items[0].project), text, moment),
        )
        if about is not None:
            connection.execute(
                "INSERT INTO update_items (update_id, item_id) VALUES (?, ?)",
                (made.lastrowid, about.number),
            )


def _later(dice: random.Random, item: _Item) -> str:
    """A moment between an item's making and yesterday."""
    begun = item.changes[0][2]
    return _stamp(begun + (NOW - dt.timedelta(hours=12) - begun) * dice.random())


def _stamp(moment: dt.datetime) -> str:
    return moment.replace(microsecond=0).isoformat(" ")
