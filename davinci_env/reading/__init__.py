"""The reading room: a task or a trajectory as a person wants to read it.

`finding` finds records by id or place, `view` turns one into a conversation in plain words,
`terminal` and `page` show that. Everything comes from the records alone: no domain is loaded and no
world is built, so that also what somebody else made can be read.
"""

from davinci_env.reading.finding import (
    Attempt,
    Found,
    Shelf,
    files_of,
    genuine,
    schema_in,
    suites,
)
from davinci_env.reading.page import page
from davinci_env.reading.terminal import render
from davinci_env.reading.view import Conversation, conversation

__all__ = [
    "Attempt",
    "Conversation",
    "Found",
    "Shelf",
    "conversation",
    "files_of",
    "genuine",
    "page",
    "render",
    "schema_in",
    "suites",
]
