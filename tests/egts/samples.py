"""Candidates over the toy's small state, made by hand: what they ask for and lead to is known."""

from __future__ import annotations

from typing import Any

from davinci_env.egts.hosts.canonical import difference, digest
from davinci_env.egts.lexicon import Lexicon, lexicon_of
from davinci_env.egts.model import Candidate
from davinci_env.egts.systems import SystemEnvironment
from tests.egts.toy import WORDS, ToySystem, small_toy

TODAY = "2026-05-04"


def words() -> Lexicon:
    """The toy's words."""
    return lexicon_of("toy", "toy", {"toy": WORDS})


def at_start(system: ToySystem | None = None) -> SystemEnvironment:
    """The toy at its small state."""
    return SystemEnvironment(system or small_toy(), seed=7)


def of_row(step: int, field: str, **by: str) -> dict[str, Any]:
    """The field of the row that has stated labels."""
    return {"step": step, "by": by, "field": field}


def made(parts: dict[str, Any]) -> Candidate:
    """A candidate with its evidence recorded: what its calls lead to."""
    environment = at_start()
    try:
        for call in parts["calls"]:
            assert environment.call(call["tool"], call["arguments"]).ok, call
        whole = {
            "schema": "davinci/candidate@1", "id": "0" * 32, "system": "toy", "version": "1.0",
            "seed": 7, "episode": 3, "benchmark": None,
            "initial": environment.start_hash, "terminal": digest(environment.state),
            "changes": difference(environment.initial_state, environment.state),
        }  # fmt: skip
        return Candidate.model_validate({**whole, **parts})
    finally:
        environment.close()


def note_written() -> Candidate:
    """A note about Hugo: the contact's id is found by the name."""
    return made(
        {
            "turns": ["Please note that Hugo Dorn brings the tent, in the folder family."],
            "facts": {
                "contact": {"value": "Hugo Dorn", "said": "Hugo Dorn"},
                "text": {"value": "brings the tent", "said": "brings the tent"},
                "folder": {"value": "family", "said": "family"},
            },
            "wishes": [
                {
                    "kind": "do", "turn": 0, "tool": "write_note", "step": 1,
                    "report": "I have noted that {contact} {text}, in the folder {folder}.",
                }
            ],
            "guidance": [
                {"tool": "list_contacts", "arguments": {}, "wish": 0},
                {
                    "tool": "write_note", "wish": 0,
                    "arguments": {
                        "contact_id": of_row(0, "contact_id", name="contact"),
                        "text": {"fact": "text"},
                        "folder": {"fact": "folder"},
                    },
                },
            ],
            "calls": [
                {"tool": "list_contacts", "arguments": {}},
                {
                    "tool": "write_note",
                    "arguments": {
                        "contact_id": "c2", "text": "brings the tent", "folder": "family"
                    },
                },
            ],
        }
    )  # fmt: skip


def pages_asked() -> Candidate:
    """How many pages a note has, which stands three reads away from its text."""
    return made(
        {
            "turns": ['How many pages does the note "salad" about Ada Amsel have?'],
            "facts": {
                "contact": {"value": "Ada Amsel", "said": "Ada Amsel"},
                "note": {"value": "salad", "said": "salad"},
            },
            "wishes": [
                {
                    "kind": "ask", "turn": 0, "tool": "get_note", "step": 2,
                    "report": 'the number of pages of the note "{note}" is {pages}.',
                    "slots": [
                        {
                            "name": "pages", "type": "whole", "value": 2, "others": [1],
                            "origin": {"step": 2, "path": "pages"},
                            "cues": ["pages", "salad"],
                        }
                    ],
                }
            ],
            "guidance": [
                {"tool": "list_contacts", "arguments": {}, "wish": 0},
                {
                    "tool": "list_notes", "wish": 0,
                    "arguments": {"contact_id": of_row(0, "contact_id", name="contact")},
                },
                {
                    "tool": "get_note", "wish": 0,
                    "arguments": {"note_id": of_row(1, "note_id", text="note")},
                },
            ],
            "calls": [
                {"tool": "list_contacts", "arguments": {}},
                {"tool": "list_notes", "arguments": {"contact_id": "c1"}},
                {"tool": "get_note", "arguments": {"note_id": "n4"}},
            ],
        }
    )  # fmt: skip


def moved_then_asked() -> Candidate:
    """Two turns: a contact moves, then the user asks for the email address."""
    return made(
        {
            "turns": [
                "Change Ada Amsel's details: the city is Porto now.",
                "Thanks. And what is Hugo Dorn's email address?",
            ],
            "facts": {
                "ada": {"value": "Ada Amsel", "said": "Ada Amsel"},
                "city": {"value": "Porto", "said": "Porto"},
                "hugo": {"value": "Hugo Dorn", "said": "Hugo Dorn", "turn": 1},
            },
            "wishes": [
                {
                    "kind": "do", "turn": 0, "tool": "update_contact", "step": 1,
                    "report": "I have changed {ada}'s details: the city is {city} now.",
                },
                {
                    "kind": "ask", "turn": 1, "tool": "get_contact", "step": 2,
                    "report": "{hugo}'s email address is {email}.",
                    "slots": [
                        {
                            "name": "email", "type": "text", "value": "hugo@example.org",
                            "others": ["ada@example.org"],
                            "origin": {"step": 2, "path": "email"},
                            "cues": ["email address", "Hugo Dorn"],
                        }
                    ],
                },
            ],
            "guidance": [
                {"tool": "list_contacts", "arguments": {}, "wish": 0},
                {
                    "tool": "update_contact", "wish": 0,
                    "arguments": {
                        "contact_id": of_row(0, "contact_id", name="ada"),
                        "city": {"fact": "city"},
                    },
                },
                {
                    "tool": "get_contact", "wish": 1,
                    "arguments": {"contact_id": of_row(0, "contact_id", name="hugo")},
                },
            ],
            "calls": [
                {"tool": "list_contacts", "arguments": {}},
                {"tool": "update_contact", "arguments": {"contact_id": "c1", "city": "Porto"}},
                {"tool": "get_contact", "arguments": {"contact_id": "c2"}},
            ],
        }
    )  # fmt: skip
