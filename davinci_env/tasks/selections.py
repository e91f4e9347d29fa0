"""Selections: rows named by what they are like ("the loan that's due first"), all at once, or by
what was said before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..agents.sets import condition, is_phrase, rows_in_words
from ..agents.speech import say_choice
from ..domain import Row
from ..state import Entity, EntityInfo
from .mentions import Also, Mention, Mentions, belonging, like

_PAST = re.compile(r"that (?:was \w+ed|I \w+ed|was made|came|I took out) first$")
"""A clause about how a row came to be."""
_HAPPENS = re.compile(r"that (?:takes place|comes up|happens|starts|is on) (?:first|last)$")
"""A clause about when a row is to be."""


class Selections(Mentions):
    """Names rows without naming their values."""

    # -- by what they are like ---------------------------------------------------------------------

    def pickable(self, entity: Entity) -> list[tuple[str, str]]:
        """The columns by which one row of an entity can be picked, with "least" or "most"."""
        info: EntityInfo = entity._info
        return [(c, order) for c in info.superlatives for order in ("least", "most")]

    def picked(
        self,
        row: Row,
        column: str,
        order: str,
        fields: Mapping[str, Any] | None = None,
        where: Also = (),
    ) -> Mention:
        """The row with the least or most of a column: "the loan that's due first"."""
        info: EntityInfo = row._info
        phrase = info.superlatives[column][order == "most"]
        noun = info.noun.replace("_", " ")
        kept = dict(fields or {})
        before = "".join(f"{say_choice(v)} " for v in kept.values() if not is_phrase(v))
        limits = "".join(f" {say_choice(v)}" for v in kept.values() if is_phrase(v))
        limits += "".join(
            f" {condition(self.domain, info, info.columns[c], op, v)}" for c, op, v in where
        )
        whose = info.plural.replace("_", " ")
        options = [f"the {before}{noun}{limits} {phrase}"]
        loosely = ""
        if info.owner is not None:
            verb = phrase if phrase.startswith("that") else f"that's {phrase}"
            options.append(f"my {before}{noun}{limits} {phrase}")
            loosely = f"whichever of my {before}{whose}{limits} {_asked(verb)}"
        rank = self._rank(row, column, order)
        if rank:
            mine = "my" if info.owner is not None else "the"
            options, loosely = [f"{mine} {rank} {before}{noun}{limits}"], ""
            if rank in ("first", "last"):
                options = [f"the {rank} of {mine} {before}{whose}{limits}"]
        spec: dict[str, Any] = {
            "entity": info.name,
            "fields": kept,
            "id": None,
            "mine": self.domain.owner_of(row) is not None,
            "pick": {"column": column, "order": order},
        }
        if where:
            spec["where"] = [list(w) for w in where]
        said = self.rng.choice(options)
        return Mention(kept, said=said, spec={"row": spec}, row=row, loosely=loosely)

    def _rank(self, row: Row, column: str, order: str) -> str:
        """One word for what comes first or last: "latest" for "that was placed last"; "" where
        there is none that means the same.
        """
        info: EntityInfo = row._info
        phrase = info.superlatives[column][order == "most"]
        if match := re.fullmatch(r"that(?:'s| is| was) (\w+est)", phrase):
            return match[1]
        if not phrase.endswith((" first", " last")):
            return ""
        past = [c for c, pair in info.superlatives.items() if _PAST.match(pair[0])]
        if past[:1] == [column]:
            return "latest" if order == "most" else "oldest"
        if not _HAPPENS.match(phrase):
            return ""
        ahead = getattr(row, column) >= (
            self.domain.now if info.columns[column].kind == "datetime" else self.domain.now.date()
        )
        return "last" if order == "most" else "next" if ahead else "first"

    def every(
        self, entity: Entity, where: Mapping[str, Any] | None = None, also: Also = ()
    ) -> Mention:
        """All rows of the person's (or of nobody's) that meet conditions: "all my open loans that
        are due by Friday".
        """
        info: EntityInfo = entity._info
        mine = info.owner is not None
        rows = rows_in_words(self.domain, info, dict(where or {}), also)
        noun = info.plural.replace("_", " ")
        tail = rows.partition(noun)[2]
        whose = "my " if mine else "the "
        options = [f"all {whose}{rows}", f"every one of {whose}{rows}"]
        if tail and not where:
            options += [f"all {whose}{noun}{tail}", f"each of {whose}{noun}{tail}"]
            options += [f"the {noun} of mine{tail}, all of them"] if mine else []
        spec: dict[str, Any] = {
            "entity": info.name,
            "fields": dict(where or {}),
            "id": None,
            "mine": mine,
        }
        if also:
            spec["where"] = [list(c) for c in also]
        return Mention(
            dict(where or {}), said=self.rng.choice(options), spec={"every": spec}, plural=True
        )

    def reference(self, entity: Entity, ref: str) -> Mention:
        """A row that the conversation has led to: "made" by the agent's last call, or "last" spoken
        of.
        """
        noun = entity._info.noun.replace("_", " ")
        options = (
            ["it", "it", "that"] if ref == "last" else [f"that {noun}", f"the new {noun}", "it"]
        )
        spec = {"row": {"entity": entity._info.name, "ref": ref}}
        return Mention(said=self.rng.choice(options), spec=spec)

    def that(self, row: Row, said: Sequence[Mention]) -> Mention | None:
        """ "that order", where something was named by the order that it belongs to."""
        for mention in said:
            owner = None if mention.row is None else mention.row._info.owner
            if owner is None or getattr(mention.row, owner) is not row:
                continue
            start = f"{owner}."
            fields = {
                p.removeprefix(start): v for p, v in mention.fields.items() if p.startswith(start)
            }
            if fields and len(like(row, self.survey.rows(row.entity), fields)) == 1:
                return Mention(fields, said=f"that {row._info.noun.replace('_', ' ')}", row=row)
        return None

    def of_that(self, row: Row, among: Sequence[Row], said: Sequence[Mention]) -> Mention | None:
        """A row by its own name, where the order that it belongs to was named."""
        owner = row._info.owner
        above = None if owner is None else getattr(row, owner)
        if owner is None or above is None or above._info.identity:
            return None
        over = next((m for m in said if m.row is above and m.fields), None)
        if over is None:
            return None
        beside = [other for other in among if getattr(other, owner) is above]
        mention = self.named(row, beside, above=owner)
        if len(like(row, among, mention.fields)) > 1:
            mention.addition += f" from that {above._info.noun.replace('_', ' ')}"
        return belonging(mention, owner, over)

    def same(self, mention: Mention) -> Mention:
        """The second mention of what was spoken of just before: "it", with the same reading."""
        spec = mention.spec
        if spec is None and mention.row is not None:
            spec = {"row": self.row_spec(mention.row, mention)}
        said = "them" if mention.plural else "it"
        return Mention(mention.fields, mention.id, "", said, spec, mention.row, mention.plural)


def _asked(verb: str) -> str:
    """A relative clause after "whichever of …": "that's due first" → "is due first"."""
    for start, other in (
        ("that's been ", "has been "),
        ("that's ", "is "),
        ("that is ", "is "),
        ("that ", ""),
    ):
        if verb.startswith(start):
            return other + verb.removeprefix(start)
    return verb
