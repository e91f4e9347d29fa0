"""Referents: how rows are called in a message, by their full name first and then by a pronoun."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ..domain import Domain, Parameter, Row, Tool
from ..state import Entity, world_of
from .belief import BeliefRow, Unread
from .speech import (
    column_at,
    entity_at,
    follow,
    join,
    label_of,
    label_paths,
    say_argument,
    say_of,
    stands_for,
)

PLACE = re.compile(r'"\{([a-z_][\w.]*)\}"|\{([a-z_][\w.]*)\}')
"""A place in a text; quotation marks around it belong to it."""

_SECOND = (
    (
        r"\b(to|with|from|for|at|of|by|on|ask|give|owe|tell|paid|pay|let|have|want|need|show|send"
        r"|reach|notify|inform|bring|hand|help|leave)"
        r" you\b",
        r"\1 us",
    ),
    (r"\byou're\b", "we're"),
    (r"\byou've\b", "we've"),
    (r"\byou\b", "we"),
    (r"\byour\b", "our"),
    (r"\bI'm\b", "you're"),
    (r"\bI am\b", "you are"),
    (r"\bI was\b", "you were"),
    (r"\bI've\b", "you've"),
    (r"\bI'd\b", "you'd"),
    (r"\bI'll\b", "you'll"),
    (r"\bI\b", "you"),
    (r"\bmyself\b", "yourself"),
    (r"\bmine\b", "yours"),
    (r"\bmy\b", "your"),
    (r"\bMy\b", "Your"),
    (r"\bme\b", "you"),
)
_TWICE = re.compile(r"\b(your|my|the|an?|our|its) (?:the|your|my|an?) ", re.IGNORECASE)

DAYS = frozenset(("date", "datetime"))
"""Kinds whose values can be taken for each other."""


class Unsaid(Exception):
    """A place of a text has nothing to be filled with."""


def _alike(kind: str) -> frozenset[str]:
    return DAYS if kind in DAYS else frozenset((kind,))


def second_person(text: str) -> str:
    """Turn what a person says of themselves to what is said to them; quoted titles stay."""
    parts = re.split(r'("[^"]*")', text)
    for i in range(0, len(parts), 2):
        for pattern, other in _SECOND:
            parts[i] = re.sub(pattern, other, parts[i])
    return "".join(parts)


def sentence(text: str) -> str:
    """A text with a capital at its beginning and a mark at its end."""
    text = text.strip()
    if (text and text[-1] not in '.!?"') or (text.endswith('"') and text[-2:-1] not in ".!?"):
        text += "."
    return text[:1].upper() + text[1:]


def tidy(text: str, *, figures: bool = False) -> str:
    """Repair what filling places leaves behind: two articles, "1 times", doubled marks.

    Args:
        figures: say "2 times", not "twice".
    """
    text = _TWICE.sub(lambda m: f"{m[1]} ", text)
    text = re.sub(r"\b1 times\b", "1 time" if figures else "once", text)
    if not figures:
        text = re.sub(r"\b2 times\b", "twice", text)
    text = re.sub(r"\s+([,.;:])", r"\1", text)
    return re.sub(r"([.!?])\.(?!\.)", r"\1", re.sub(r" {2,}", " ", text))


def paths_in(text: str) -> list[str]:
    """The paths that stand at a text's places."""
    return [a or b for a, b in PLACE.findall(text)]


def key_of(row: Row) -> Any:
    """What tells a row from others within a conversation."""
    try:
        return (row._info.name, row.id)
    except Unread:
        return id(row)


class Referents:
    """What a message has spoken of so far.

    Args:
        domain: its labels name rows.

    Attributes:
        focus: what "it" means.
        without: kinds of values that names may not tell.
        choose: picks one of the names of a row; its label it is, where none is given.
    """

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.focus: Any = None
        self.without: frozenset[str] = frozenset()
        self.choose: Callable[[list[str]], str] | None = None
        self._named: list[Row] = []

    # -- sentences ---------------------------------------------------------------------------------

    def fill(self, text: str, say: Callable[[str, bool], str]) -> str:
        """Fill a text's places by path; `say` is told whether quotation marks stand around."""
        self._named = []
        filled = PLACE.sub(lambda m: say(m[1] or m[2], m[1] is not None), text)
        self._move_focus()
        return tidy(filled)

    def _move_focus(self) -> None:
        """After a sentence "it" means the person's own thing of which it spoke, else its first."""
        own = [row for row in self._named if row._info.owner is not None]
        rows = own or self._named
        keys = list(dict.fromkeys(key_of(row) for row in rows))
        if keys:
            self.focus = keys[0] if len(keys) == 1 else None

    # -- names -------------------------------------------------------------------------------------

    def name(self, row: Row, path: str = "", *, quoted: bool = False) -> str:
        """A row, or what a path from it leads to, in words."""
        found = follow(row, path) if path else row
        if found is None:
            raise Unsaid(path)
        if not hasattr(type(found), "_info"):
            return self._value(row, path, found, quoted)
        if self._is_in_focus(row, path):
            return "it"
        self._note(row, path)
        return self.full(row, path)

    def _value(self, row: Row, path: str, found: Any, quoted: bool) -> str:
        """A value at a path; a title in quotation marks stands for the row itself."""
        said = say_of(self.domain, column_at(row._info, path), found)
        if not quoted:
            self._note(row, path)
            return said
        if self._is_in_focus(row, path):
            return "it"
        self._note(row, path)
        return f'"{said}"'

    def _note(self, row: Row, path: str) -> None:
        if stands_for(row._info, path):
            self._named.append(row)

    def _is_in_focus(self, row: Row, path: str) -> bool:
        """Whether "it" means a row: the only one of this sentence, or else of the one before."""
        if not stands_for(row._info, path):
            return False
        if self._named:
            return all(other is row for other in self._named)
        return self.focus is not None and self.focus == key_of(row)

    def full(self, row: Row, path: str = "") -> str:
        """The full name of a row, or of the row at a path from it."""
        return self.called(follow(row, path) if path else row)

    @contextmanager
    def naming_without(self, *kinds: str) -> Iterator[None]:
        """Meanwhile name rows without values of some kinds, where people call them so: an answer
        is not to be taken for a part of the name.
        """
        before, self.without = self.without, frozenset().union(*map(_alike, kinds))
        try:
            yield
        finally:
            self.without = before

    def called(self, row: Row) -> str:
        """A row's label, said to its owner; another name where the label tells too much, or a
        shorter one will do.
        """
        if isinstance(row, BeliefRow) and row.is_spoken:
            return self._as_spoken(row)
        quoted = label_paths(row._info)
        if self.without and self._quotes(row, quoted):
            shorter = self._other_names(row, len(quoted))
            if shorter:
                return shorter[0]
        elif self.choose is not None and len(quoted) > 1 and row._info.owner is not None:
            return self.choose([*self._other_names(row, len(quoted)), self._by_label(row)])
        return self._by_label(row)

    def _as_spoken(self, row: BeliefRow) -> str:
        """What the person called a row, of which nothing but their words is known."""
        found: list[tuple[int, str]] = []
        for text in row._info.called:
            try:
                said = PLACE.sub(lambda m: self._plainly(row, m[1] or m[2]), text)
            except Unread:
                continue
            if "{" not in said:
                found.append((len(paths_in(text)), second_person(said)))
        return max(found)[1] if found else self._by_label(row)

    def _other_names(self, row: Row, places: int) -> list[str]:
        """What the owner calls a row with fewer values than its label has, and none that may not
        be told; no other row of the same kind goes by it.
        """
        found = []
        for text in row._info.called:
            paths = paths_in(text)
            if (
                len(paths) < places
                and not self._quotes(row, paths)
                and "{" not in PLACE.sub("", text)
                and all(follow(row, path) is not None for path in paths)
                and not self._has_double(row, paths, in_any_state=True)
            ):
                said = PLACE.sub(lambda m: self._plainly(row, m[1] or m[2]), text)
                found.append(second_person(said))
        return found

    def _by_label(self, row: Row) -> str:
        label = label_of(row)
        if row._info.owner is None or row._info.identity or label.startswith('"'):
            return label
        bare = re.sub(r"^(the|an?) ", "", label, flags=re.IGNORECASE)
        return f"your {bare}"

    def _quotes(self, row: Row, paths: Sequence[str]) -> bool:
        """Whether a name quotes a value of a kind that isn't to be told."""
        kinds = {column_at(row._info, p).kind for p in paths if entity_at(row._info, p) is None}
        return bool(kinds & self.without)

    def _plainly(self, row: Row, path: str) -> str:
        found = follow(row, path)
        if hasattr(type(found), "_info"):
            return label_of(found)
        return say_of(self.domain, column_at(row._info, path), found)

    def to_be_exact(
        self, row: Row, paths: Sequence[str], beside: Sequence[Row], within: bool = False
    ) -> str:
        """What to add where a text has named a row by these paths, so that no other row that is
        known, of the same kind and state, can be meant: its label, what it belongs to, or else its
        id.

        Args:
            beside: the other rows that the text names.
            within: the person told it apart by what it belongs to.
        """
        said = [inner for path in paths for inner in self._conveyed(row, path)]
        whole, owner = label_paths(row._info), self.owner_of(row)
        if within and owner is not None:
            above = follow(row, owner)
            return "" if any(above is other for other in beside) else self._by_label(above)
        if not self._has_double(row, said):
            return ""
        if owner is not None:
            values = self._conveyed(row, owner)
            named = any(follow(row, owner) is other for other in beside)
            if named and not self._has_double(row, [*said, *values]):
                return ""
        if not self._has_double(row, whole):
            return label_of(row)
        if owner is not None and not self._has_double(row, [*whole, *values]):
            return label_of(follow(row, owner))
        return str(row.id)

    def owner_of(self, row: Row) -> str | None:
        """The reference to what a row belongs to, where that isn't the person."""
        owner: str | None = row._info.owner
        if owner is None or row._info.refs[owner].target._info.identity:
            return None
        return owner

    def _conveyed(self, row: Row, path: str) -> list[str]:
        """The paths of the values that a place conveys."""
        found = follow(row, path) if path else row
        if not hasattr(type(found), "_info"):
            return [path]
        prefix = f"{path}." if path else ""
        return [prefix + inner for inner in label_paths(found._info)]

    def _has_double(self, row: Row, paths: Sequence[str], *, in_any_state: bool = False) -> bool:
        state = None if in_any_state else row._info.state_column
        values = [follow(row, path) for path in paths]
        for other in _known_like(self.domain, row):
            try:
                same = [follow(other, path) for path in paths] == values
                if same and (state is None or getattr(other, state) == getattr(row, state)):
                    return True
            except Unread:
                continue
        return False

    # -- arguments ---------------------------------------------------------------------------------

    def argument(self, tool: Tool, parameter: Parameter, value: Any) -> str:
        """One argument of a call in words."""
        if parameter.entity is not None:
            return self._names(rows_of(value), "", False)
        if value is None:
            raise Unsaid(parameter.name)
        return (
            f'"{value}"' if parameter.is_free_text else say_argument(self.domain, parameter, value)
        )

    def place(self, tool: Tool, values: Mapping[str, Any], path: str, quoted: bool) -> str:
        """What stands at a place of a phrase about a call."""
        name, _, rest = path.partition(".")
        parameter = next((p for p in tool.parameters if p.name == name), None)
        value = values.get(name)
        if parameter is None or value is None:
            raise Unsaid(path)
        if parameter.entity is None:
            said = self.argument(tool, parameter, value)
            return f'"{said}"' if quoted and not said.startswith('"') else said
        return self._names(rows_of(value), rest, quoted)

    def _names(self, rows: list[Row], path: str, quoted: bool) -> str:
        """Rows by name; several are a list, of which none is "it"."""
        if len(rows) == 1:
            return self.name(rows[0], path, quoted=quoted)
        known, self.focus = self.focus, None
        before, self._named = self._named, []
        said = []
        for row in rows:
            said.append(self.name(row, path, quoted=quoted))
            before, self._named = [*before, *self._named], []
        self._named, self.focus = before, known
        return join(list(dict.fromkeys(said)))  # one card of several orders is named once


def rows_of(value: Any) -> list[Row]:
    """One row or several as a list."""
    return list(value) if isinstance(value, list | tuple) else [value]


def _known_like(domain: Domain, row: Row) -> list[Row]:
    """The other rows of a kind that are known: of the same owner, or nobody's."""
    entity: Entity = row.entity
    if isinstance(row, BeliefRow):
        return [other for other in row._beliefs.rows(entity) if other is not row]
    owner = domain.owner_of(row)
    return [
        other
        for other in world_of(row).db.all(entity)
        if other is not row and domain.owner_of(other) is owner
    ]
