"""Mentions: how a request speaks of rows, and what its structured reading then holds of them.

A row is named by what its entity declares (`called`, the label), such that no other row in the
person's scope is named so; else an attribute is added, else the id. Words never call tools.
"""

from __future__ import annotations

import itertools
import random
import re
import string
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..agents.sets import condition
from ..agents.speech import (
    column_at,
    follow,
    label_paths,
    plain_at,
    say_argument,
    say_choice,
    say_spoken,
    ways_to_say,
)
from ..domain import Domain, Parameter, Row, Tool
from ..planning import Survey
from ..state import EntityInfo, plain
from .missed import NoCandidate

Told = tuple[str, Any]
Also = Sequence[Sequence[Any]]

# "the A Winter in Haapsalu that I borrowed", "on yesterday"
_ARTICLES = re.compile(r"\b[Tt]he (\"?(?:The|A|An) [A-Z])")
_ON = re.compile(r"\bon (today|tomorrow|yesterday|this \w+day)\b")
_ARTICLE = re.compile(r"^(?:the|an?) ", re.IGNORECASE)

MOST_TOLD = 4
"""How many values it may take to tell a row apart in words."""


@dataclass
class Mention:
    """How a text names a row (or rows).

    Attributes:
        fields: the values that it quotes, by path from the row.
        id: the row's id, where the text gives it.
        addition: words for more, behind the name.
        said: a whole noun phrase, where it isn't the row's label or the value at a place.
        spec: the argument as the reading gives it, where it isn't the row by its fields.
        row: the row, if it is one.
        plural: whether it names several rows.
        loosely: another noun phrase that goes well with a wish, but in no question.
    """

    fields: dict[str, Any] = field(default_factory=dict)
    id: str | None = None
    addition: str = ""
    said: str = ""
    spec: dict[str, Any] | None = None
    row: Row | None = None
    plural: bool = False
    loosely: str = ""


class Mentions:
    """Names rows for one actor.

    Args:
        survey: of the state in which the request is made.
        rng: chooses among wordings.
    """

    def __init__(self, survey: Survey, rng: random.Random) -> None:
        self.survey, self.rng = survey, rng
        self.domain: Domain = survey.domain

    # -- by label and places -----------------------------------------------------------------------

    def candidates(self, tool: Tool, parameter: Parameter) -> list[Row]:
        """The rows among which a description must be unique: in scope, and in a state that the tool
        accepts.
        """
        assert parameter.entity is not None
        states = [c for c in tool.preconditions if c.path.split(".")[0] == parameter.name]
        rows = self.survey.rows(parameter.entity)
        if not states or parameter.type.many:
            return rows

        def fits(row: Row) -> bool:
            for state in states:
                found = state.row({parameter.name: row})
                if found is not None and getattr(found, state.column) not in state.states:
                    return False
            return True

        return [row for row in rows if fits(row)]

    def describe(
        self,
        row: Row,
        candidates: Sequence[Row],
        places: Sequence[str] = (),
        avoid: Collection[str] = (),
    ) -> Mention:
        """Describe a row by the fields that the places quote, adding an attribute or the id until
        it is unique.
        """
        fields: dict[str, Any] = {}
        for place in places or ("",):
            path = place.partition(".")[2]
            target = follow(row, path) if path else row
            prefix = f"{path}." if path else ""
            if hasattr(type(target), "_info"):
                for inner in label_paths(target._info):
                    fields[prefix + inner] = plain_at(row, prefix + inner)
            else:
                fields[path] = plain_at(row, path)
        return self._made_unique(Mention(fields, row=row), candidates, avoid)

    def _made_unique(
        self, mention: Mention, candidates: Sequence[Row], avoid: Collection[str]
    ) -> Mention:
        row = mention.row
        assert row is not None
        same = like(row, candidates, mention.fields)
        if len(same) <= 1:
            return mention
        extra = self._distinguishing(row, same, avoid)
        if extra is None:
            if not has_spoken_key(row._info):
                raise NoCandidate("a row that nobody can name")
            mention.id, mention.addition = row.id, f" ({row.id})"
            return mention
        spec = row._info.columns[extra]
        value = getattr(row, extra)
        mention.fields[extra] = plain(value)
        if spec.kind in ("date", "datetime", "money"):
            said = condition(self.domain, row._info, spec, "=", plain(value))
            mention.addition = f", the one {said}"
        else:
            said = say_choice(value) if spec.choices else str(value)
            mention.addition = f" ({spec.says} {said})"
        return mention

    def _distinguishing(self, row: Row, same: Sequence[Row], avoid: Collection[str]) -> str | None:
        """A visible column whose value no other candidate has."""
        info: EntityInfo = row._info
        for column, spec in info.columns.items():
            if spec.target is not None or column == info.pk or column in avoid:
                continue
            if spec.lifecycle is not None:  # how the desk sees it, not the person
                continue
            if (
                spec.hidden
                or spec.volatile
                or spec.kind not in ("date", "datetime", "money", "str")
            ):
                continue
            value = getattr(row, column)
            if value is not None and sum(getattr(r, column) == value for r in same) == 1:
                return column
        return None

    # -- by what people call them ------------------------------------------------------------------

    def named(
        self,
        row: Row,
        candidates: Sequence[Row] | None = None,
        path: str = "",
        avoid: Collection[str] = (),
        above: str = "",
    ) -> Mention:
        """Name a row as a person would, uniquely among candidates (by default all in scope).

        Args:
            path: where to from the row the words point: the book of a loan stands for the loan.
            avoid: columns that must not be told.
            above: the reference to what is spoken of in the same breath, which the name leaves out.
        """
        among = self.survey.rows(row.entity) if candidates is None else candidates
        options = [m for m in self._options(row, path) if not set(m.fields) & set(avoid)]
        if above:
            options = [m for m in options if not any(f.split(".")[0] == above for f in m.fields)]
        self.rng.shuffle(options)
        for mention in options:
            if len(like(row, among, mention.fields)) <= 1:
                return mention
        best = options[0] if options else Mention({}, said=self.label(row, path), row=row)
        return self._made_unique(best, among, avoid)

    def _options(self, row: Row, path: str) -> list[Mention]:
        """Ways of naming a row: its own, and those of what a path leads to."""
        target = follow(row, path) if path else row
        if target is None:
            return []
        found = [self._by_label(row, path)]
        if hasattr(type(target), "_info"):
            for text in target._info.called:
                found += self._by_phrase(row, path, text)
        if path:
            for text in row._info.called:
                found += self._by_phrase(row, "", text)
        return found

    def _by_label(self, row: Row, path: str) -> Mention:
        target = follow(row, path) if path else row
        prefix = f"{path}." if path else ""
        if not hasattr(type(target), "_info"):
            return Mention({path: plain_at(row, path)}, said=self.label(row, path), row=row)
        paths = [prefix + inner for inner in label_paths(target._info)]
        return Mention({p: plain_at(row, p) for p in paths}, said=self.label(row, path), row=row)

    def _by_phrase(self, row: Row, prefix: str, text: str) -> Iterable[Mention]:
        """A `called` phrase with its places filled; nothing where one is absent or said vaguely."""
        target = follow(row, prefix) if prefix else row
        start = f"{prefix}." if prefix else ""
        fields: dict[str, Any] = {}
        parts: list[str] = []
        for before, name, form, _ in string.Formatter().parse(text):
            parts.append(before)
            if not name:
                continue
            inner = name.removeprefix("self.")
            value = follow(target, inner)
            if value is None:
                return
            if hasattr(type(value), "_info"):
                parts.append(str(value))
                deeper = label_paths(value._info)
                fields |= {f"{start}{inner}.{p}": plain_at(target, f"{inner}.{p}") for p in deeper}
                continue
            spec = column_at(target._info, inner)
            said = format(value, form) if form else self._spoken(spec, value)
            if form and said not in ways_to_say(self.domain, spec.kind, value):
                return
            parts.append(said)
            fields[start + inner] = plain(value)
        said = _ARTICLES.sub(r"\1", _ON.sub(r"\1", "".join(parts)))
        yield Mention(fields, said=said, row=row)

    def _spoken(self, spec: Any, value: Any) -> str:
        if spec.choices:
            return say_choice(value)
        return say_spoken(self.domain, spec.kind, value, self.rng)

    def label(self, row: Row, path: str = "") -> str:
        """The label of a row, in the words of the person whose it is; titles often unquoted."""
        target = follow(row, path) if path else row
        if not hasattr(type(target), "_info"):
            said = "" if target is None else self._spoken(column_at(row._info, path), target)
        else:
            said = str(target)
            if target._info.owner is not None and not said.startswith('"'):
                said = "my " + _ARTICLE.sub("", said)
        return said.replace('"', "") if self.rng.random() < 0.5 else said

    def value(self, parameter: Parameter, value: Any) -> str:
        """The value of an argument that names no row, as a person says it."""
        if parameter.is_free_text:
            return f'"{value}"'
        if parameter.type.many or parameter.type.choices:
            return say_argument(self.domain, parameter, value)
        return say_spoken(self.domain, str(parameter.type.kind), value, self.rng)

    def say(self, row: Row, path: str = "") -> str:
        """The label of a row, or the value at a path from it."""
        return self.label(row, path) or "nothing"

    # -- structure ---------------------------------------------------------------------------------

    def row_spec(self, row: Row, mention: Mention) -> dict[str, Any]:
        """A row as the structured reading gives it."""
        if mention.spec is not None and "row" in mention.spec:
            return dict(mention.spec["row"])
        owner = self.domain.owner_of(row)
        return {
            "entity": row._info.name,
            "fields": mention.fields,
            "id": mention.id,
            "mine": owner is not None,
        }

    def names_of(self, row: Row, candidates: Sequence[Row] | None = None) -> list[str]:
        """The texts by which a message may name a row: its id, its label with or without its
        article, what its label quotes; only those that no candidate shares.
        """
        label = str(row)
        quoted = [plain_at(row, path) for path in label_paths(row._info)]
        texts = [label, _ARTICLE.sub("", label)]
        texts += [q for q in quoted if isinstance(q, str) and len(q) > 3]
        among = self.survey.rows(row.entity) if candidates is None else candidates
        others = [other for other in among if other is not row]
        unique = [t for t in texts if not any(_is_named(t, other) for other in others)]
        return list(dict.fromkeys([row.id, *unique]))

    def naming_groups(self, row: Row, candidates: Sequence[Row]) -> list[list[str]]:
        """What a message must say to name a row and no other candidate: of each group one text.

        The id says it all; else any values that tell the row apart, of those that its label quotes
        or the label of what it belongs to.
        """
        enough = self._telling(row, candidates)
        if not enough:
            if not has_spoken_key(row._info):
                raise NoCandidate("a row that nobody can name")
            return [[row.id]]
        # (a and b) or (b and c) is (a or b) and b and (b or c) and (a or c): of each one is said
        clauses = {frozenset(chosen) for chosen in itertools.product(*enough)}
        least = [c for c in clauses if not any(other < c for other in clauses)]
        groups = [[row.id, *(w for p in sorted(c) for w in self._ways(row, p))] for c in least]
        return sorted(list(dict.fromkeys(group)) for group in groups)

    def _telling(self, row: Row, candidates: Sequence[Row]) -> list[tuple[str, ...]]:
        """The least sets of paths whose values no other candidate shares."""
        info = row._info
        paths = label_paths(info)
        if info.owner is not None and not info.refs[info.owner].target._info.identity:
            above = info.refs[info.owner].target._info
            paths = [*paths, *(f"{info.owner}.{p}" for p in label_paths(above))]
        paths = [p for p in paths if follow(row, p) is not None]
        found: list[tuple[str, ...]] = []
        for number in range(1, min(len(paths), MOST_TOLD) + 1):
            for chosen in itertools.combinations(paths, number):
                if any(set(less) <= set(chosen) for less in found):
                    continue
                fields = {path: plain_at(row, path) for path in chosen}
                if len(like(row, candidates, fields)) <= 1:
                    found.append(chosen)
        return found

    def _ways(self, row: Row, path: str) -> list[str]:
        spec = column_at(row._info, path)
        return ways_to_say(self.domain, spec.kind, follow(row, path))


def has_spoken_key(info: EntityInfo) -> bool:
    """Whether people know the key of such a row: it stands in its label, or in what they call
    it.
    """
    texts = (info.label, *info.called)
    return any(f"{name}}}" in text for text in texts for name in (info.pk, "self.id"))


def belonging(mention: Mention, reference: str, above: Mention) -> Mention:
    """A mention of a row that belongs to what was spoken of in the same breath."""
    told = {f"{reference}.{path}": value for path, value in above.fields.items()}
    if above.id is not None and above.row is not None:
        told[f"{reference}.{above.row._info.pk}"] = above.id
    return replace(mention, fields={**mention.fields, **told})


def _is_named(text: str, row: Row) -> bool:
    """Whether a text that names another row would name this one as well."""
    label = str(row)
    return text in (label, _ARTICLE.sub("", label)) or any(
        text == plain_at(row, path) for path in label_paths(row._info)
    )


def like(row: Row, candidates: Sequence[Row], fields: Mapping[str, Any]) -> list[Row]:
    """The candidates that share these fields."""
    return [
        other
        for other in candidates
        if all(plain_at(other, path) == value for path, value in fields.items())
    ]


def typed(row: Row, mention: Mention) -> list[Told]:
    """The facts of a mention as the solver knows them: ("Book.title", "…"), or the id itself."""
    told: list[Told] = [(row._info.name, mention.id)] if mention.id is not None else []
    for path, value in mention.fields.items():
        before, _, last = path.rpartition(".")
        owner = follow(row, before) if before else row
        if owner is None or value is None:
            continue
        info = owner._info
        if last in info.refs:
            told.append((info.refs[last].target._info.name, value))
        else:
            told.append((f"{info.name}.{last}", value))
            if last in (info.pk, "id"):
                told.append((info.name, value))
    return told
