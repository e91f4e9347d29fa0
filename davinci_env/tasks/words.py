"""Plain words for requests: wishes and questions over what the domain declares, with the structured
reading of each.

Every fact in the text stands in the reading too, and nothing else does, so that request and
solvability can't disagree. Words never call tools. How sentences and messages are made of them is
the business of `grammar`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..agents.referents import PLACE
from ..agents.speech import follow, ways_of_argument
from ..agents.tool_phrases import acts_for_you, fillable
from ..domain import Parameter, Row, Tool
from ..domain.motives import Concern
from ..planning.goals import Step
from ..state import plain
from .filling import Filling, places_of, roots_of, takes_any, without
from .grammar_questions import Ask, Questions
from .mentions import Mention, Told, belonging, typed
from .missed import NoCandidate

__all__ = ["Ask", "Mention", "NoPhrase", "Told", "Wish", "Words"]


class NoPhrase(NoCandidate):
    """No ask phrase of a tool can be used as wanted: this draw has no words."""


@dataclass
class Wish:
    """One wish in words.

    Attributes:
        text: an infinitive without "to", in the first person: "renew my loan of …".
        intent: the structured reading.
        mentions: groups of texts, one of each group must stand in a confirmation.
        told: the facts that the text tells.
        tool: the tool that it is about.
        fallback: what to do instead, if this can't be done.
        by_argument: how its rows are spoken of.
        by_you: it is said to the one who is to do it ("take me off …"), not of the person.
    """

    text: str
    intent: dict[str, Any]
    mentions: list[list[str]]
    told: list[Told]
    tool: Tool | None = None
    fallback: Wish | None = None
    by_argument: dict[str, list[Mention]] = field(default_factory=dict)
    by_you: bool = False

    @property
    def is_for_many(self) -> bool:
        """Whether it is about all rows of some kind."""
        return any(m.plural for ms in self.by_argument.values() for m in ms)


class Words(Questions):
    """Renders wishes and questions for one actor."""

    def wish(
        self,
        step: Step,
        phrase: str | None = None,
        leave_out: str | None = None,
        *,
        mentions: Mapping[str, Mention] | None = None,
    ) -> Wish:
        """Word a write.

        Args:
            phrase: the ask phrase to use.
            leave_out: an argument that the text keeps silent about (to be asked for).
            mentions: how arguments are spoken of, where it isn't by their names.
        """
        tool, values = step.tool, step.binding.values
        given = dict(mentions or {})
        spoken = self._spoken_of(step, leave_out)
        names = frozenset(p.name for p in spoken)
        chosen = phrase if phrase and fillable(phrase, values) else None
        chosen = chosen or self.phrase(tool, leave_out, given, names, values)
        by_argument = self._mentions(tool, spoken, values, given, chosen)
        arguments = {p.wire: self._spec(p, step, by_argument) for p in spoken}
        if leave_out is not None:
            missing = next(p for p in tool.parameters if p.name == leave_out)
            arguments[missing.wire] = {"missing": missing.wire}
        said = Filling(self, tool, values, by_argument)
        text = said.filled(chosen) + said.rest(chosen, spoken)
        told = [
            fact
            for ms in by_argument.values()
            for m in ms
            if m.row is not None
            for fact in typed(m.row, m)
        ]
        intent = {"do": tool.name, "arguments": arguments}
        groups = self.confirmables(step)
        return Wish(text, intent, groups, told, tool, None, by_argument, acts_for_you(chosen))

    def wishes(self, steps: Sequence[Step]) -> list[Wish]:
        """Word the writes of one message: a row of which the one before spoke is "it", and what
        belongs together is called by one name.
        """
        out: list[Wish] = []
        for step in steps:
            known = self._related(out, step)
            if out:
                known |= self._known_from(out[-1], step)
            try:
                out.append(self.wish(step, mentions=known))
            except NoPhrase:
                out.append(self.wish(step))
        return out

    def _known_from(self, before: Wish, step: Step) -> dict[str, Mention]:
        """The argument of a step that was the only row of the person's in the wish before."""
        own = [
            m
            for ms in before.by_argument.values()
            for m in ms
            if m.row is not None and m.row._info.owner is not None
        ]
        if len(own) != 1:
            return {}
        return {
            p.name: self.same(own[0])
            for p in step.tool.parameters
            if p.entity is not None and step.binding.values.get(p.name) is own[0].row
        }

    def _related(self, before: Sequence[Wish], step: Step) -> dict[str, Mention]:
        """The arguments of a step of which the wishes before have named what they belong to, or
        what belongs to them.
        """
        said = [m for wish in before for ms in wish.by_argument.values() for m in ms]
        said = [m for m in said if m.row is not None and m.spec is None]
        found = {}
        for parameter in step.tool.parameters:
            row = step.binding.values.get(parameter.name)
            if parameter.entity is None or parameter.type.many or row is None:
                continue
            among = self.candidates(step.tool, parameter)
            mention = self.that(row, said) or self.of_that(row, among, said)
            if mention is not None:
                found[parameter.name] = mention
        return found

    def with_fallback(self, wish: Wish, other: Wish) -> Wish:
        """A wish with what to do instead if it can't be done."""
        intent = {**wish.intent, "else": [other.intent]}
        told = [*wish.told, *other.told]
        return replace(wish, intent=intent, told=told, fallback=other)

    def phrase(
        self,
        tool: Tool,
        leave_out: str | None = None,
        mentions: Mapping[str, Mention] | None = None,
        names: frozenset[str] | None = None,
        values: Mapping[str, Any] | None = None,
    ) -> str:
        """Choose an ask phrase, without the places of an argument that is left out. Raises
        NoPhrase.

        Args:
            names: the arguments that are given (by default those that must be); phrases that have
                places for all of them, and for no other, come first.
            values: of the arguments; no place of the phrase leads to nothing there.
        """
        phrases = [p for p in tool.ask if leave_out not in roots_of(p)]
        if not phrases:  # hint at it once: "one of my loans"
            once = [p for p in tool.ask if places_of(p).count(str(leave_out)) == 1]
            phrases = [without(p, str(leave_out), tool) for p in once]
        if values is not None:
            phrases = [p for p in phrases if fillable(p, values)]
        if mentions:
            phrases = [p for p in phrases if takes_any(tool, p, frozenset(mentions))]
        if not phrases:
            raise NoPhrase(f"no phrase of {tool.name} can be used")
        phrases = self._fullest(tool, phrases, names, leave_out)
        return phrases[self.rng.randrange(len(phrases))]

    def _fullest(
        self, tool: Tool, phrases: list[str], names: frozenset[str] | None, leave_out: str | None
    ) -> list[str]:
        """The phrases that name most of the given arguments and none beside them, if any do."""
        given = names or frozenset(p.name for p in tool.parameters if p.required)
        fitting = [p for p in phrases if roots_of(p) <= given | {leave_out}]
        most = max((len(roots_of(p) - {leave_out}) for p in fitting), default=0)
        return [p for p in fitting if len(roots_of(p) - {leave_out}) == most] or phrases

    # -- arguments ---------------------------------------------------------------------------------

    def _spoken_of(self, step: Step, leave_out: str | None) -> list[Parameter]:
        return [
            p
            for p in step.tool.parameters
            if not p.implicit and p.wire in step.arguments and p.name != leave_out
        ]

    def _mentions(
        self,
        tool: Tool,
        spoken: Sequence[Parameter],
        values: Mapping[str, Any],
        given: Mapping[str, Mention],
        phrase: str,
    ) -> dict[str, list[Mention]]:
        """How each row is spoken of; what belongs to another one is named without it."""
        found: dict[str, list[Mention]] = {
            p.name: [given[p.name]] for p in spoken if p.name in given
        }
        left = [p for p in spoken if p.entity is not None and p.name not in given]
        while left:
            parameter = next((p for p in left if _owner_in(p, left) is None), left[0])
            left.remove(parameter)
            above = _owner_in(parameter, spoken)
            mentions = found.get(above.name, []) if above is not None else []
            over = mentions[0] if len(mentions) == 1 and mentions[0].spec is None else None
            value = values[parameter.name]
            found[parameter.name] = self._mention(tool, parameter, value, phrase, over)
        return {p.name: found[p.name] for p in spoken if p.name in found}

    def _mention(
        self,
        tool: Tool,
        parameter: Parameter,
        value: Any,
        phrase: str,
        over: Mention | None = None,
    ) -> list[Mention]:
        rows = value if parameter.type.many else [value]
        places = [a or b for a, b in PLACE.findall(phrase)]
        places = [p for p in places if p.split(".")[0] == parameter.name]
        if parameter.is_person and not places:
            return [Mention()]
        among = self.candidates(tool, parameter)
        owner = str(parameter.entity._info.owner or "") if parameter.entity is not None else ""
        if over is not None:
            among = [row for row in among if getattr(row, owner) is over.row]
        above = owner if over is not None else ""
        paths = [p.partition(".")[2] for p in places] or [""]
        if len(set(paths)) == 1 and self._leads_to_row(rows[0], paths[0]):
            found = [self.named(row, among, paths[0], above=above) for row in rows]
        else:
            found = [self.describe(row, among, places or [parameter.name]) for row in rows]
        return found if over is None else [belonging(m, owner, over) for m in found]

    def _leads_to_row(self, row: Row, path: str) -> bool:
        found = follow(row, path) if path else row
        return hasattr(type(found), "_info")

    def _spec(
        self, parameter: Parameter, step: Step, mentions: Mapping[str, list[Mention]]
    ) -> dict[str, Any]:
        if parameter.entity is None and parameter.name not in mentions:
            return {"value": step.arguments[parameter.wire]}
        said = mentions[parameter.name]
        if len(said) == 1 and said[0].spec is not None:
            return said[0].spec
        value = step.binding.values[parameter.name]
        rows = value if parameter.type.many else [value]
        specs = [self.row_spec(r, m) for r, m in zip(rows, said, strict=True)]
        return {"rows": specs} if parameter.type.many else {"row": specs[0]}

    def argument(self, step: Step, name: str) -> tuple[str, dict[str, Any], list[Told]]:
        """The words, the structured value and the told facts of one argument by itself (an answer
        to a question).
        """
        parameter = next(p for p in step.tool.parameters if p.name == name)
        value = step.binding.values[name]
        if parameter.entity is None:
            return self.value(parameter, value), {"value": step.arguments[parameter.wire]}, []
        mention = self.named(value, self.candidates(step.tool, parameter))
        text = mention.said + mention.addition
        return text, {"row": self.row_spec(value, mention)}, typed(value, mention)

    # -- confirmations -----------------------------------------------------------------------------

    def confirmables(self, step: Step) -> list[list[str]]:
        """What a confirmation of a call must name: each row by id or by what it is called, each
        value in some form.
        """
        groups: list[list[str]] = []
        for parameter in step.tool.parameters:
            if parameter.implicit or parameter.wire not in step.arguments or parameter.is_free_text:
                continue
            value = step.binding.values[parameter.name]
            if parameter.is_person:
                continue
            if parameter.entity is not None:
                among = self.candidates(step.tool, parameter)
                for row in value if parameter.type.many else [value]:
                    groups += self.naming_groups(row, among)
            else:
                said = ways_of_argument(self.domain, parameter, value)
                wire = step.arguments[parameter.wire]
                groups.append(list(dict.fromkeys([*said, str(wire), str(value)])))
        return groups

    # -- concerns ----------------------------------------------------------------------------------

    def concern(self, concern: Concern) -> tuple[str, dict[str, Any], Row | None] | None:
        """A sentence that calls for the hand-over for a reason, with its reading and its row; None
        where it would have to speak of a row that the person doesn't have.
        """
        texts = list(concern.texts)
        self.rng.shuffle(texts)
        if concern.about is None:
            return texts[0], {**_reading(concern), "row": None}, None
        rows = [
            row
            for row in self.survey.rows(concern.about)
            if all(getattr(row, c) == v for c, v in concern.where.items())
        ]
        if not rows:
            return None
        row = self.rng.choice(rows)
        among = rows if concern.where else self.survey.rows(concern.about)
        found = None
        for text in texts:
            for mention in self._by_phrase(row, "", text):
                unique = self._made_unique(mention, among, ())
                if not unique.addition or found is None:
                    found = unique
                if not unique.addition:
                    break
        if found is None or found.addition:
            return None
        spec = {
            **self.row_spec(row, found),
            "where": [[c, "=", plain(v)] for c, v in concern.where.items()],
        }
        return found.said, {**_reading(concern), "row": spec}, row


def _reading(concern: Concern) -> dict[str, Any]:
    """What is understood of a concern, but for the row that it is about."""
    return {"concern": concern.reason, **({"home": concern.home} if concern.home else {})}


def _owner_in(parameter: Parameter, others: Sequence[Parameter]) -> Parameter | None:
    """Of other arguments, the one row to which the rows of an argument belong."""
    info = parameter.entity._info if parameter.entity is not None else None
    if info is None or info.owner is None or info.refs[info.owner].target._info.identity:
        return None
    target = info.refs[info.owner].target
    fitting = [p for p in others if p.entity is target and not p.type.many and p is not parameter]
    return fitting[0] if len(fitting) == 1 else None
