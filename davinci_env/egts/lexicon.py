"""A family's file of words: how people speak of its tools, and where arguments come from.

One TOML file a system under `words/`, `words/<system name>.toml`; all of it is optional. What a
file leaves out is inferred from the tools' schemas (`davinci_env.egts.inference`), so a system of
the user's needs none.

    [values]                        # vocabularies of free text, written by us
    errand = ["the dentist's bill", "a new tyre"]

    [nouns.payment]                 # a kind of thing that results show, one row each
    plural = "payments"             # (default: the noun with an s)
    label = ["subject"]             # fields by which people name one: the first that tells it apart
    said = "the payment for {subject}"          # (default: 'the payment "{label}"')
    who = false                     # whether it is a person (named without an article)
    [nouns.payment.fields]          # what may be asked about one, or picked by
    amount = { name = "amount", type = "money", most = "largest", least = "smallest" }
    date = { name = "date", type = "date", most = "latest", least = "earliest" }

    [tools.get_scheduled_transactions]
    rows = "payment"                # its result lists rows of this noun
    scope = "scheduled"             # said before the noun; behind it: "in {city}", "… on file"

    [tools.update_scheduled_transaction]
    say = ["change/changed {id}[ to {amount}][ so that it goes to {recipient}]"]
    at_least = ["amount", "recipient"]          # one of these optional arguments has to be given
    [tools.update_scheduled_transaction.args]
    id = { of = "payment", field = "id" }     # the id of one, named by its label
    amount = { money = [5, 900] }
    recipient = { state = "bank_account/transactions/*/recipient" }

    [tools.get_balance]
    ask = ["what my balance is", "how much money I have"]
    tell = "Your balance is {result}."
    answer = { result = "money" }   # slots of the answer: path in the result = type

    [tools.add_notes.args]          # an argument that is an object, or a list of one: property by
    "notes.about" = { of = "person", field = "name" }   # property; one noun means the same row

`say` is a request in the imperative, the verb also as it stands in a report ("take/taken": "I've
taken …"); `ask` an indirect question ("tell me …"). `{argument}` stands for how the value of an
argument is said, `[…]` is left out with its arguments. Several wordings make a list.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ..errors import RecordError

Kind = Literal[
    "money", "number", "whole", "date", "datetime", "time", "text", "name", "yesno", "list"
]
"""Types of answers and fields; `whole` is a number without decimals."""

FOLDER = Path(__file__).parent / "words"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class FieldWords(_Part):
    """A field of a noun's rows: what it is called and how a row is picked by it."""

    name: str
    type: Kind = "text"
    most: str = ""
    """"largest", "latest": the row where it is greatest ("" where people don't pick by it)."""
    least: str = ""
    unit: str = ""
    """What follows a number: "minutes"."""
    ask: str = ""
    """An indirect question about it: "when {row} begins" (default: "what the name of {row} is")."""
    tell: str = ""
    """The answer: "{row} begins at {value}." (default: "The name of {row} is {value}.")."""


class Noun(_Part):
    """A kind of thing that results show."""

    plural: str = ""
    label: tuple[str, ...] = ()
    said: str = ""
    who: bool = False
    fields: dict[str, FieldWords] = Field(default_factory=dict)
    same: tuple[str, ...] = ()
    """Nouns whose rows are of this kind too: a `file` will do where a `document` is wanted."""


class Arg(_Part):
    """Where an argument's values come from. One of the sources is given, else it is inferred."""

    of: str | None = None
    """A noun: the value is `field` of one of its rows, said by the row's label."""
    field: str = ""
    along: bool = False
    """Whether it is of the same row as another argument of the call where there is one: the sum and
    the account of one bill."""
    where: dict[str, Any] = Field(default_factory=dict)
    """Only rows with these values, by field; a list holds all that will do."""
    like: str = ""
    """A regular expression that the field has to match: what is listed together with other things,
    such as folders among files."""
    one_of: tuple[Any, ...] | str | None = None
    """Values to choose from, or the name of a vocabulary. A text may hold "{argument}" of the same
    call, or "{noun}" of a row that the episode speaks of."""
    state: str | None = None
    """Values at a path of the initial state, with * for any key."""
    money: tuple[float, float] | None = None
    number: tuple[float, float] | None = None
    whole: tuple[int, int] | None = None
    date: tuple[str, str] | None = None
    """First and last day, ISO."""
    datetime: tuple[str, str] | None = None
    """First and last minute, ISO; every half hour between nine and five."""
    format: str = ""
    """How a date or time is written in the argument, for `strftime` (default ISO)."""
    choice: dict[str, str] | None = None
    """Value (as text, an object or list as JSON) to how it is said: `{ "true" = "urgent" }`."""
    value: Any = None
    """Always this, and never said: how many to list, which account is the user's own."""
    result: str | None = None
    """"tool/path": what an earlier call of that tool returned there. A wording may speak of it, by
    what it was looked up with: the id of a person by the person's name."""
    many: tuple[int, int] | None = None
    """The argument is a list of so many of these."""
    often: float = Field(default=0.5, ge=0, le=1)
    """How often an optional argument is given."""
    said: str = ""
    """How a value is said, with {} in its place."""
    after: str = ""
    """For dates and times: an argument of the same call that this one is later than."""

    @property
    def silent(self) -> bool:
        """Whether the value is never said."""
        return self.value is not None or self.result is not None


class ToolWords(_Part):
    """How people speak of a tool."""

    say: tuple[str, ...] = ()
    done: str = ""
    """The report of it, where the past of `say` won't do: "{title} is in the calendar now"."""
    ask: tuple[str, ...] = ()
    tell: str = ""
    tell_no: str = ""
    """What is told where the first yes-or-no value of the answer is no: "You aren't signed in."."""
    answer: dict[str, Kind] = Field(default_factory=dict)
    rows: str = ""
    at: str = ""
    """Path of the rows in the result, where it holds other things too."""
    pattern: str = ""
    """A regular expression with named groups by which rows (or the answer's slots) are read from a
    text result, line by line."""
    each: str = ""
    """A field of the rows that is a list: each of its items makes a row of its own."""
    key: str = ""
    """What a row's key is called, where rows are the values of an object ("key" by default)."""
    scope: str = ""
    args: dict[str, Arg] = Field(default_factory=dict)
    at_least: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    """Tools that have to be called first (enablers)."""
    goal: bool = True
    """Whether somebody would ask for it: signing in and looking up is only a means."""
    reads: bool | None = None
    """Whether it only reads, where the system doesn't say or says it wrongly."""
    makes: str = ""
    """The noun of what its result describes as new."""
    uncoverable: str = ""
    """Why it can't be called with success here."""

    @field_validator("say", "ask", mode="before")
    @classmethod
    def _several(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str) else value


class Lexicon(_Part):
    """A whole file."""

    currency: str = "$"
    """What stands before amounts of money."""
    values: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    nouns: dict[str, Noun] = Field(default_factory=dict)
    tools: dict[str, ToolWords] = Field(default_factory=dict)
    openers: tuple[str, ...] = ()
    """Sentences with which people begin: what they are about. They state nothing that matters."""
    follow: tuple[tuple[str, str], ...] = ()
    """Pairs of tools of which the second is what people want next, about the same thing."""

    @model_validator(mode="after")
    def _names_are_known(self) -> Self:
        for tool, words in self.tools.items():
            if words.rows and words.rows not in self.nouns:
                raise ValueError(f"{tool} lists rows of {words.rows!r}, which is no noun here")
            for name, arg in words.args.items():
                if arg.of is not None and arg.of not in self.nouns:
                    raise ValueError(f"{tool}.{name} is of {arg.of!r}, which is no noun here")
                if isinstance(arg.one_of, str) and arg.one_of not in self.values:
                    raise ValueError(f"{tool}.{name}: there is no vocabulary {arg.one_of!r}")
        return self


def load_lexicon(path: Path) -> Lexicon:
    """Read a file of words.

    Raises:
        RecordError: it is no such file; names the place.
    """
    try:
        return Lexicon.model_validate(tomllib.loads(path.read_text("utf-8")))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RecordError(f"can't be read ({error})", path=path) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise RecordError(f"{place}: {first['msg']}", path=path) from error


def lexicon_of(system: str, family: str, extra: Mapping[str, Path] | None = None) -> Lexicon:
    """The words of a system by name: its own file, else its family's, else none."""
    for name in (system, family):
        path = (extra or {}).get(name, FOLDER / f"{name}.toml")
        if path.exists():
            return load_lexicon(path)
    return Lexicon()
