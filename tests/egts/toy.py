"""A toy system for tests: somebody's contacts and the notes kept about them, all in memory.

It has what makes foreign systems hard, in small: ids that only a list tells, writes that need what
a read shows, an error that comes after the change, a failure inside a success, a tool that another
one enables, a tool that can't work, and a field that changes with every look.

Values worked out by hand in tests count on `small_state()`; `open(seed)` makes a bigger one.
"""

import copy
import random
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from davinci_env.egts.systems import Answer, SystemInfo, SystemTool

WORDS = Path(__file__).with_name("toy.toml")
"""How people speak of it, for `lexicon_of("toy", "toy", {"toy": WORDS})`."""

FIRST = (
    "Ada", "Bruno", "Celia", "Dario", "Edda", "Felix", "Greta", "Hugo", "Ines", "Jonas", "Karla",
    "Leo", "Mira", "Nils", "Olga", "Paul", "Rosa", "Sven",
)  # fmt: skip
LAST = ("Amsel", "Birke", "Corvi", "Dorn", "Esche", "Falk", "Ginster", "Hasel", "Imker")
CITIES = ("Bremen", "Graz", "Lyon", "Porto", "Turin")
FOLDERS = ("family", "garden", "work")
SUBJECTS = (
    "asked for the ladder back", "sends the plans on Monday", "moves house in spring",
    "knows a good baker", "wants the blue paint", "is allergic to nuts", "lends us the trailer",
    "plays the cello", "has our spare key", "prefers to be called at noon", "likes orange tea",
    "needs the invoice twice", "found the lost glove", "grows tall beans", "paid for the tickets",
    "keeps bees", "will bring a salad", "is afraid of dogs",
)  # fmt: skip


class Refused(Exception):
    """What the toy raises; it knows nothing of ours."""


class Toy:
    """The foreign part: a class with methods, as if somebody else had written it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def list_contacts(self, city: str | None = None) -> list[dict[str, Any]]:
        """List all contacts, or those of a city, with their ids."""
        return [
            {"contact_id": key, "name": row["name"], "city": row["city"]}
            for key, row in self.data["contacts"].items()
            if city in (None, row["city"])
        ]

    def get_contact(self, contact_id: str) -> dict[str, Any]:
        """Show a contact's details."""
        return {"contact_id": contact_id, **self._contact(contact_id)}

    def add_contact(self, name: str, email: str, city: str = "Graz") -> dict[str, Any]:
        """Add a contact. The city must be one that is known."""
        if city not in CITIES:
            raise Refused(f"Unknown city '{city}'. Known: {', '.join(CITIES)}")
        self.data["number"] += 1
        key = f"c{self.data['number']}"
        self.data["contacts"][key] = {"name": name, "email": email, "city": city}
        return {"contact_id": key}

    def update_contact(
        self, contact_id: str, email: str | None = None, city: str | None = None
    ) -> dict[str, Any]:
        """Change a contact's email or city."""
        row = self._contact(contact_id)
        row.update({k: v for k, v in (("email", email), ("city", city)) if v is not None})
        return {"contact_id": contact_id, **row}

    def remove_contact(self, contact_id: str) -> dict[str, Any]:
        """Remove a contact. One with notes can't be removed."""
        self._contact(contact_id)
        del self.data["contacts"][contact_id]  # too early: the check comes after the change
        notes = [key for key, row in self.data["notes"].items() if row["contact_id"] == contact_id]
        if notes:
            raise Refused(f"There are notes about this contact: {', '.join(notes)}")
        return {"removed": contact_id}

    def list_notes(self, contact_id: str) -> list[dict[str, Any]]:
        """List the notes about a contact."""
        self._contact(contact_id)
        return [
            {"note_id": key, "text": row["text"]}
            for key, row in self.data["notes"].items()
            if row["contact_id"] == contact_id
        ]

    def get_note(self, note_id: str) -> dict[str, Any]:
        """Show a note. Notes when it was opened last."""
        row = self._note(note_id)
        row["opened"] = time.perf_counter_ns()
        return {"note_id": note_id, **{k: v for k, v in row.items() if k != "opened"}}

    def write_note(
        self, contact_id: str, text: str, folder: str = "work", pages: int = 1
    ) -> dict[str, Any]:
        """Write a note about a contact."""
        self._contact(contact_id)
        self.data["number"] += 1
        key = f"n{self.data['number']}"
        self.data["notes"][key] = {
            "contact_id": contact_id, "text": text, "folder": folder, "pages": pages,
            "pinned": False, "opened": time.perf_counter_ns(),
        }  # fmt: skip
        return {"note_id": key}

    def pin_note(self, note_id: str, pinned: bool = True) -> dict[str, Any]:
        """Pin a note, or take the pin off."""
        row = self._note(note_id)
        if row["pinned"] == pinned:
            return {"success": False, "error": "The note is so already."}
        row["pinned"] = pinned
        return {"success": True}

    def unlock_archive(self) -> dict[str, Any]:
        """Unlock the archive for this session."""
        self.data["unlocked"] = True
        return {"archive": "unlocked"}

    def archive_note(self, note_id: str) -> dict[str, Any]:
        """Move a note to the archive, which has to be unlocked."""
        if not self.data["unlocked"]:
            raise Refused("The archive is locked: call unlock_archive first.")
        self.data["archive"].append(self._note(note_id)["text"])
        del self.data["notes"][note_id]
        return {"archived": note_id}

    def print_note(self, note_id: str) -> dict[str, Any]:
        """Print a note on the printer."""
        self._note(note_id)
        raise Refused("There is no printer here.")

    def _contact(self, key: str) -> dict[str, Any]:
        if key not in self.data["contacts"]:
            raise Refused(f"No contact '{key}'")
        return self.data["contacts"][key]

    def _note(self, key: str) -> dict[str, Any]:
        if key not in self.data["notes"]:
            raise Refused(f"No note '{key}'")
        return self.data["notes"][key]


def small_state() -> dict[str, Any]:
    """Two contacts, and two notes about the first."""
    rows = [("ladder", "garden", 1, True), ("salad", "family", 2, False)]
    return {
        "number": 4,
        "contacts": {
            "c1": {"name": "Ada Amsel", "email": "ada@example.org", "city": "Graz"},
            "c2": {"name": "Hugo Dorn", "email": "hugo@example.org", "city": "Lyon"},
        },
        "notes": {
            f"n{number}": {
                "contact_id": "c1", "text": text, "folder": folder, "pages": pages,
                "pinned": pinned, "opened": 0,
            }
            for number, (text, folder, pages, pinned) in enumerate(rows, start=3)
        },
        "archive": [],
        "unlocked": False,
    }  # fmt: skip


def state_of(seed: int) -> dict[str, Any]:
    """Eighteen contacts and as many notes about some of them."""
    rng = random.Random(seed)
    lasts = [rng.choice(LAST) for _ in FIRST]
    contacts = {
        f"c{number}": {
            "name": f"{first} {last}",
            "email": f"{first.lower()}@example.org",
            "city": rng.choice(CITIES),
        }
        for number, (first, last) in enumerate(zip(FIRST, lasts, strict=True), start=1)
    }
    notes = {
        f"n{number}": {
            "contact_id": rng.choice(list(contacts)[:12]), "text": text,
            "folder": rng.choice(FOLDERS), "pages": rng.randint(1, 9),
            "pinned": rng.random() < 0.3, "opened": 0,
        }
        for number, text in enumerate(rng.sample(SUBJECTS, len(SUBJECTS)), start=19)
    }  # fmt: skip
    return {
        "number": 36, "contacts": contacts, "notes": notes, "archive": [], "unlocked": False,
    }  # fmt: skip


_TEXT = {"type": "string"}
_ID: dict[str, Any] = {"contact_id": _TEXT}
_NOTE: dict[str, Any] = {"note_id": _TEXT}
_CITY = {"type": "string", "enum": list(CITIES)}
_TOOLS: tuple[tuple[str, bool | None, dict[str, Any], int], ...] = (
    ("list_contacts", True, {"city": _CITY}, 0),
    ("get_contact", True, _ID, 1),
    ("add_contact", False, {"name": _TEXT, "email": _TEXT, "city": _TEXT}, 2),
    ("update_contact", False, {**_ID, "email": _TEXT, "city": _CITY}, 1),
    ("remove_contact", False, _ID, 1),
    ("list_notes", True, _ID, 1),
    ("get_note", True, _NOTE, 1),
    (
        "write_note",
        False,
        {
            **_ID,
            "text": _TEXT,
            "folder": {"type": "string", "enum": list(FOLDERS)},
            "pages": {"type": "integer", "minimum": 1, "maximum": 9},
        },
        2,
    ),
    ("pin_note", False, {**_NOTE, "pinned": {"type": "boolean"}}, 1),
    ("unlock_archive", False, {}, 0),
    ("archive_note", False, _NOTE, 1),
    ("print_note", None, _NOTE, 1),
)
"""Name, whether it only reads, its parameters, and how many of them are required."""


class ToySystem:
    """The adapter.

    Args:
        make: what the initial state is made with.
        take_back: undo what the toy did before it failed, as an adapter has to.
        show_volatile: leave the field that changes with every look in the state.
    """

    def __init__(
        self,
        make: Callable[[int], dict[str, Any]] = state_of,
        *,
        take_back: bool = True,
        show_volatile: bool = False,
    ) -> None:
        self.info = SystemInfo(
            "toy", "toy", "1.0", "Apache-2.0", "these tests", None,
            "You keep somebody's contacts and the notes about them. Today is 4 May 2026.",
        )  # fmt: skip
        self.closed = False
        self._make = make
        self._take_back = take_back
        self._show_volatile = show_volatile
        self._toy = Toy({})

    def open(self, seed: int) -> None:
        """Stand at the initial state of a seed."""
        self._toy = Toy(self._make(seed))

    def tools(self) -> list[SystemTool]:
        """Its tools."""
        return [
            SystemTool(
                name,
                str(getattr(Toy, name).__doc__),
                {
                    "type": "object",
                    "properties": copy.deepcopy(properties),
                    "required": list(properties)[:required],
                    "additionalProperties": False,
                },
                reads,
            )
            for name, reads, properties, required in _TOOLS
        ]

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool; what failed is undone."""
        before = copy.deepcopy(self._toy.data)
        try:
            content = copy.deepcopy(getattr(self._toy, tool)(**arguments))
            if isinstance(content, dict) and content.get("success") is False:
                raise Refused(content["error"])
        except Refused as error:
            if self._take_back:
                self._toy.data = before
            return Answer(False, error=str(error))
        return Answer(True, content)

    def state(self) -> Any:
        """All of it, but for when a note was opened last."""
        data = copy.deepcopy(self._toy.data)
        if not self._show_volatile:
            for row in data["notes"].values():
                del row["opened"]
        return data

    def snapshot(self) -> Any:
        """A copy."""
        return copy.deepcopy(self._toy.data)

    def restore(self, kept: Any) -> None:
        """Bring a copy back."""
        self._toy.data = copy.deepcopy(kept)

    def forget(self, kept: Any) -> None:
        """Copies free themselves."""

    def close(self) -> None:
        """Note that it was closed."""
        self.closed = True


def small_toy(**how: bool) -> ToySystem:
    """The toy with the small state, whatever the seed."""
    return ToySystem(lambda _: small_state(), **how)
