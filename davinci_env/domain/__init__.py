"""The authoring form: what a domain file imports, and what loads it."""

from ..errors import ToolError
from ..state import (
    Mapped,
    Minutes,
    Money,
    Row,
    World,
    column,
    counted,
    hashed,
    lifecycle,
    natural,
    ref,
)
from .dialect import Dialect
from .domain import Domain
from .frames import creates, deletes, moves, sets, stays
from .loader import Entry, catalogue, load, load_file
from .log import CallEntry, Event, Message
from .log import CallLog as Log
from .outcomes import outcome
from .parameters import Parameter, drawn
from .results import Page, page_of
from .rules import Part, Rule, part
from .seeding import Person, Seeder
from .texts import say_minutes
from .tools import Bound, Tool

__all__ = [
    "Bound",
    "CallEntry",
    "Dialect",
    "Domain",
    "Entry",
    "Event",
    "Log",
    "Mapped",
    "Message",
    "Minutes",
    "Money",
    "Page",
    "Parameter",
    "Part",
    "Person",
    "Row",
    "Rule",
    "Seeder",
    "Tool",
    "ToolError",
    "World",
    "catalogue",
    "column",
    "counted",
    "creates",
    "deletes",
    "drawn",
    "hashed",
    "lifecycle",
    "load",
    "load_file",
    "moves",
    "natural",
    "outcome",
    "page_of",
    "part",
    "ref",
    "say_minutes",
    "sets",
    "stays",
]
