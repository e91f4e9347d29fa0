"""Plain words for requests: a shared grammar over what the domain declares (ask phrases, labels,
`says`).

Every fact in the text stands in the structured reading too, and nothing else does, so that request
and solvability can't disagree. Words never call tools.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..agents.phrases import column_at, say_of
from ..agents.speech import (
    follow,
    label_paths,
    plain_at,
    say_argument,
    say_choice,
    say_value,
    says,
)
from ..domain import Domain, Parameter, Row, Tool
from ..planning import Survey
from ..planning.goals import Step
from ..state import EntityInfo, plain

_PLACE = re.compile(r"\{([a-z_][\w.]*)\}")
Told = tuple[str, Any]


class NoPhrase(Exception):
    """No ask phrase of a tool can be used as wanted."""


@dataclass
class Mention:
    """How a text names a row: the fields it quotes, its id where the text gives it, and words for
    more.
    """

    fields: dict[str, Any] = field(default_factory=dict)
    id: str | None = None
    addition: str = ""


@dataclass
class Wish:
    """One wish in words. `mentions` are groups of texts, one of each group must stand in a
    confirmation.
    """

    text: str
    intent: dict[str, Any]
    mentions: list[list[str]]
    told: list[Told]


class Words:
    """Renders wishes and questions for one actor.

    Args:
        survey: of the state in which the request is made.
        rng: chooses among wordings.
    """

    def __init__(self, survey: Survey, rng: random.Random) -> None:
        self.survey, self.rng = survey, rng
        self.domain: Domain = survey.domain

    def wish(self, step: Step, phrase: str | None = None, leave_out: str | None = None) -> Wish:
        """Word a write. `leave_out` names an argument that the text keeps silent about (to be asked
        for).
        """
        tool, values = step.tool, step.binding.values
        spoken = [
            p
            for p in tool.parameters
            if not p.implicit and p.wire in step.arguments and p.name != leave_out
        ]
        chosen = phrase or self.phrase(tool, leave_out)
        mentions = {
            p.name: self._mention(tool, p, values[p.name], chosen) for p in spoken if p.entity
        }
        text = self._fill(tool, chosen, values, mentions)
        text += self._additions(tool, chosen, spoken, values, mentions)
        arguments = {p.wire: self._spec(p, step, mentions) for p in spoken}
        if leave_out is not None:
            missing = next(p for p in tool.parameters if p.name == leave_out)
            arguments[missing.wire] = {"missing": missing.wire}
        return Wish(
            text,
            {"do": tool.name, "arguments": arguments},
            self._confirmables(tool, step, spoken, mentions),
            self._told(tool, spoken, values, mentions),
        )

    def phrase(self, tool: Tool, leave_out: str | None = None) -> str:
        """Choose an ask phrase, without the places of an argument that is left out."""
        phrases = [p for p in tool.ask if leave_out not in _roots(p)]
        if not phrases:  # hint at it once: "one of my loans"
            once = [p for p in tool.ask if _places(p).count(str(leave_out)) == 1]
            phrases = [_without(p, str(leave_out), tool) for p in once]
        if not phrases:
            raise NoPhrase(f"no phrase of {tool.name} does without {leave_out}")
        return phrases[self.rng.randrange(len(phrases))]

    # -- rows --------------------------------------------------------------------------------------

    def _mention(self, tool: Tool, parameter: Parameter, value: Any, phrase: str) -> list[Mention]:
        rows = value if parameter.type.many else [value]
        places = [p for p in _PLACE.findall(phrase) if p.split(".")[0] == parameter.name]
        if parameter.entity is self.domain.identity and not places:
            return [Mention()]
        return [
            self.describe(row, self._candidates(tool, parameter), places or [parameter.name])
            for row in rows
        ]

    def _candidates(self, tool: Tool, parameter: Parameter) -> list[Row]:
        """The rows among which a description must be unique: in scope, and in a state that the tool
        accepts.
        """
        assert parameter.entity is not None
        conditions = [c for c in tool.preconditions if c.path.split(".")[0] == parameter.name]
        rows = self.survey.rows(parameter.entity)
        if not conditions or parameter.type.many:
            return rows

        def fits(row: Row) -> bool:
            for condition in conditions:
                found = condition.row({parameter.name: row})
                if found is not None and getattr(found, condition.column) not in condition.states:
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
        same = _like(row, candidates, fields)
        if len(same) <= 1:
            return Mention(fields)
        extra = self._distinguishing(row, same, avoid)
        if extra is not None:
            spec = row._info.columns[extra]
            value = getattr(row, extra)
            said = say_choice(value) if spec.choices else say_value(self.domain, spec.kind, value)
            return Mention({**fields, extra: plain(value)}, None, f" ({spec.says} {said})")
        return Mention(fields, row.id, f" ({row.id})")

    def _distinguishing(self, row: Row, same: Sequence[Row], avoid: Collection[str]) -> str | None:
        """A visible column whose value no other candidate has."""
        info: EntityInfo = row._info
        columns = [
            c
            for c, spec in info.columns.items()
            if spec.target is None
            and c != info.pk
            and c not in avoid
            and not (spec.hidden or spec.volatile)
            and spec.kind in ("date", "datetime", "money", "str")
        ]
        for column in columns:
            value = getattr(row, column)
            if value is not None and sum(getattr(r, column) == value for r in same) == 1:
                return column
        return None

    # -- text --------------------------------------------------------------------------------------

    def _fill(
        self,
        tool: Tool,
        phrase: str,
        values: Mapping[str, Any],
        mentions: Mapping[str, list[Mention]],
    ) -> str:
        added: set[str] = set()

        def place(match: re.Match[str]) -> str:
            path = match[1]
            name, _, rest = path.partition(".")
            parameter = next(p for p in tool.parameters if p.name == name)
            value = values.get(name)
            if parameter.entity is None:
                return say_argument(self.domain, parameter, value)
            rows = list(value or ()) if parameter.type.many else [value]
            said = [self.say(row, rest) for row in rows]
            if name not in added and name in mentions:
                added.add(name)
                said = [s + m.addition for s, m in zip(said, mentions[name], strict=True)]
            return _join(said)

        return _PLACE.sub(place, phrase)

    def say(self, row: Row, path: str = "") -> str:
        """The label of a row, or the value at a path from it."""
        found = follow(row, path) if path else row
        if found is None:
            return "nothing"
        if hasattr(type(found), "_info"):
            return str(found)
        return say_of(self.domain, column_at(row._info, path), found)

    def _additions(
        self,
        tool: Tool,
        phrase: str,
        spoken: Sequence[Parameter],
        values: Mapping[str, Any],
        mentions: Mapping[str, list[Mention]],
    ) -> str:
        """Arguments that the phrase has no place for, said after it."""
        said = _roots(phrase)
        parts = []
        for parameter in spoken:
            if parameter.name in said or parameter.entity is self.domain.identity:
                continue  # the person speaking has introduced themselves
            value = values[parameter.name]
            if parameter.entity is not None:
                rows = value if parameter.type.many else [value]
                pairs = zip(rows, mentions[parameter.name], strict=True)
                text = _join([str(r) + m.addition for r, m in pairs])
            elif parameter.is_free_text:
                text = f'"{value}"'
            else:
                text = say_argument(self.domain, parameter, value)
            parts.append(f"{says(tool, parameter)}: {text}")
        return f" ({', '.join(parts)})" if parts else ""

    # -- structure ---------------------------------------------------------------------------------

    def _spec(
        self, parameter: Parameter, step: Step, mentions: Mapping[str, list[Mention]]
    ) -> dict[str, Any]:
        if parameter.entity is None:
            return {"value": step.arguments[parameter.wire]}
        value = step.binding.values[parameter.name]
        rows = value if parameter.type.many else [value]
        specs = [self.row_spec(r, m) for r, m in zip(rows, mentions[parameter.name], strict=True)]
        return {"rows": specs} if parameter.type.many else {"row": specs[0]}

    def row_spec(self, row: Row, mention: Mention) -> dict[str, Any]:
        """A row as the structured reading gives it."""
        owner = self.domain.owner_of(row)
        return {
            "entity": row._info.name,
            "fields": mention.fields,
            "id": mention.id,
            "mine": owner is not None,
        }

    def argument(self, step: Step, name: str) -> tuple[str, dict[str, Any], list[Told]]:
        """The words, the structured value and the told facts of one argument by itself (an answer
        to a question).
        """
        parameter = next(p for p in step.tool.parameters if p.name == name)
        value = step.binding.values[name]
        if parameter.entity is None:
            said = say_argument(self.domain, parameter, value)
            return said, {"value": step.arguments[parameter.wire]}, []
        mention = self.describe(value, self._candidates(step.tool, parameter))
        text = str(value) + mention.addition
        told = [*_typed(value, mention)]
        return text, {"row": self.row_spec(value, mention)}, told

    def _confirmables(
        self,
        tool: Tool,
        step: Step,
        spoken: Sequence[Parameter],
        mentions: Mapping[str, list[Mention]],
    ) -> list[list[str]]:
        """What a confirmation must name: each row by id or by what it is called, each value in some
        form.
        """
        groups: list[list[str]] = []
        for parameter in tool.parameters:
            if parameter.implicit or parameter.wire not in step.arguments or parameter.is_free_text:
                continue
            value = step.binding.values[parameter.name]
            if parameter.entity is self.domain.identity:
                continue
            if parameter.entity is not None:
                for row in value if parameter.type.many else [value]:
                    groups.append(self.names_of(row))
            else:
                wire = step.arguments[parameter.wire]
                said = say_argument(self.domain, parameter, value)
                groups.append(list(dict.fromkeys([said, str(wire), str(value)])))
        return groups

    def names_of(self, row: Row) -> list[str]:
        """The texts by which a message may name a row: its id, its label, what its label quotes."""
        quoted = [plain_at(row, path) for path in label_paths(row._info)]
        texts = [row.id, str(row), *[q for q in quoted if isinstance(q, str) and len(q) > 3]]
        unique = [t for t in texts if self._tells_apart(t, row)]
        return list(dict.fromkeys(unique or [row.id]))

    def _tells_apart(self, text: str, row: Row) -> bool:
        """Whether no other row in scope would be named by the same text."""
        if text == row.id:
            return True
        return not any(
            text == str(other) or text in (plain_at(other, p) for p in label_paths(other._info))
            for other in self.survey.rows(row.entity)
            if other is not row
        )

    def _told(
        self,
        tool: Tool,
        spoken: Sequence[Parameter],
        values: Mapping[str, Any],
        mentions: Mapping[str, list[Mention]],
    ) -> list[Told]:
        told: list[Told] = []
        for parameter in spoken:
            if parameter.entity is not None:
                value = values[parameter.name]
                rows = value if parameter.type.many else [value]
                for row, mention in zip(rows, mentions[parameter.name], strict=True):
                    told += _typed(row, mention)
        return told


def _typed(row: Row, mention: Mention) -> list[Told]:
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


def _like(row: Row, candidates: Sequence[Row], fields: Mapping[str, Any]) -> list[Row]:
    return [
        other
        for other in candidates
        if all(plain_at(other, path) == value for path, value in fields.items())
    ]


def _roots(phrase: str) -> set[str]:
    return set(_places(phrase))


def _places(phrase: str) -> list[str]:
    return [path.split(".")[0] for path in _PLACE.findall(phrase)]


def _without(phrase: str, name: str, tool: Tool) -> str:
    """A phrase in which an argument is only hinted at: "one of my loans"."""
    parameter = next(p for p in tool.parameters if p.name == name)
    if parameter.entity is not None:
        info = parameter.entity._info
        whose = "my" if info.owner is not None else "the"
        hint = f"one of {whose} {info.plural.replace('_', ' ')}"
    else:
        hint = "some " + says(tool, parameter)
    return _PLACE.sub(lambda m: hint if m[1].split(".")[0] == name else m[0], phrase)


def _join(items: Sequence[str]) -> str:
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + " and " + items[-1]
