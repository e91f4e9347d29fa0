"""The grammar of what users say: greetings, introductions, motives, wishes, questions, and what
they say in later turns.

`Words` gives the content (what a wish or a question is about, with its reading), `Talk` makes
sentences and messages of it, in one person's manner and on one channel. Nothing here adds a fact.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..agents.speech import join, say_spoken
from ..domain import Domain, Parameter, Row
from . import grammar_greetings as greet
from . import grammar_introductions as who
from . import grammar_knowing as know
from . import grammar_phrases as p
from . import grammar_replies as r
from .grammar_questions import Ask
from .identity import record_with
from .words import Wish

__all__ = ["Ask", "Persona", "Talk", "draw_persona"]

Point = Wish | Ask

_MOTIVE = {
    "terse": 0.25, "hurried": 0.4, "plain": 0.65, "formal": 0.6, "polite": 0.65, "informal": 0.65,
    "chatty": 0.95,
}  # fmt: skip
"""How often a person tells what brings them here."""

_PATIENCE = {"terse": 2, "hurried": 2, "formal": 4, "polite": 4, "chatty": 4}
_JOINED = 0.35
"""How often two wishes share a sentence."""
_DIRECT = 0.45
"""How often a question is asked directly."""

TALES, FORGOTTEN = 0.4, 0.3
"""How often a wish without a motive is told with a little tale, and how often somebody who asks for
something of their own has forgotten it.
"""

_LED = re.compile(r"(?:so|ok|oh|yeah|not sure|basically|long story)\b|[^.?!]*:\s", re.IGNORECASE)
"""A sentence that opens with a lead of its own, which takes no other one."""

_INTERJECTS = re.compile(r"(?:hang on|wait|oh|actually|hm|no|sorry)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Persona:
    """How a person speaks, and where."""

    channel: str
    manner: str

    @property
    def style(self) -> dict[str, Any]:
        """For a task's record."""
        patience = _PATIENCE.get(self.manner, 3)
        return {"channel": self.channel, "manner": self.manner, "patience": patience}


def draw_persona(rng: random.Random) -> Persona:
    """A channel and a manner; most people chat."""
    channel = rng.choice(("chat", "chat", "chat", "email", "phone"))
    return Persona(channel, rng.choice(p.MANNERS))


class Talk:
    """One person's way of putting things.

    Args:
        domain: its situations and second thoughts give the motives.
        rng: chooses among wordings.
        persona: drawn if not given.

    Attributes:
        is_grave: what the first message is about is no matter for pleasantries.
    """

    def __init__(self, domain: Domain, rng: random.Random, persona: Persona | None = None) -> None:
        self.domain, self.rng = domain, rng
        self.persona = persona or draw_persona(rng)
        self._used: set[str] = set()
        self._may_tell = True
        self.is_grave = False

    def _say(self, table: p.Table, avoid: str = "", **parts: str) -> str:
        """One wording, another than those used before where there is one, without some mark."""
        for _ in range(8):
            form = p.draw(table, self.persona.manner, self.rng)
            if form not in self._used and not (avoid and avoid in form):
                break
        if form:
            self._used.add(form)
        return _put(form, parts)

    # -- the first message -------------------------------------------------------------------------

    def introduction(self, person: Row | None, attributes: Sequence[str]) -> str:
        """Tell what identifies the person; "" where that isn't needed."""
        if person is None or not attributes:
            return ""
        pairs = [self._attribute(person, a) for a in attributes]
        names = [said for says, said in pairs if says == "name"]
        rest = [pair for pair in pairs if pair[0] != "name"]
        records = {a: record_with(self.domain, person, a) for a in attributes if a != "id"}
        unique = any(row._info.columns[a].unique for a, row in records.items())
        opening = _put(self.rng.choice(who.NAMES), {"said": names[0]}) if names else ""
        return " ".join(s for s in (opening, self._identified(rest, unique)) if s)

    def _attribute(self, person: Row, attribute: str) -> tuple[str, str]:
        person = record_with(self.domain, person, attribute)
        info = person._info
        spec = info.columns[info.pk if attribute == "id" else attribute]
        is_key = spec.attribute == info.pk and spec.says == info.noun.replace("_", " ")
        says = f"{spec.says} number" if is_key else spec.says
        return says, say_spoken(self.domain, spec.kind, getattr(person, spec.attribute), self.rng)

    def _identified(self, pairs: Sequence[tuple[str, str]], unique: bool) -> str:
        if not pairs:
            return ""
        (says, said), *more = pairs
        parts = {"says": says, "said": said}
        if not more:
            plain = unique and self.rng.random() < 0.5
            return _put(self.rng.choice(who.ONE_PLAIN_FACT if plain else who.ONE_FACT), parts)
        parts["listed"] = join([f"my {a} {b}" for a, b in more])
        parts["plain"] = ", ".join(f"{a} {b}" for a, b in more)
        return _put(self.rng.choice(who.SEVERAL_FACTS), parts)

    def situation(self, tools: Sequence[str]) -> str:
        """What brings a person to one of these tools; "" where nothing is declared."""
        options = [
            s.text
            for s in self.domain.situations
            if set(s.leads_to) & set(tools) and s.text not in self._used
        ]
        return self._declared(options)

    def second_thought(self, tools: Sequence[str]) -> str:
        """Why what one of these tools does isn't wanted any more; "" where nothing is declared."""
        thoughts = self.domain.second_thoughts
        fitting = [t.text for t in thoughts if set(t.about) & set(tools)]
        return self._declared([text for text in fitting if text not in self._used] or fitting)

    def _declared(self, options: Sequence[str]) -> str:
        if not options:
            return ""
        text = self.rng.choice(options)
        self._used.add(text)
        return _ended(text)

    def sentences(self, points: Sequence[Point]) -> list[str]:
        """Motive, wishes and questions, with one lead: further points are joined to it."""
        out: list[str] = []
        wishes = [w for w in points if isinstance(w, Wish) and w.tool is not None]
        motive = ""
        last = wishes[-1] if wishes else None
        told = self.rng.random() < _MOTIVE[self.persona.manner]
        if last is not None and last.tool is not None and not last.is_for_many:
            sad = last.tool.outcome.mood == "bad"  # nobody asks for it without a reason
            motive = self.situation([last.tool.name]) if told or sad else ""
        rest = list(points)
        self._may_tell = not motive
        first = True
        while rest:
            said, rest = self._next(rest, first, first)
            if motive and not any(point is last for point in rest):
                out.append(motive)  # what all of it is for comes last
                motive = ""
            out.append(said)
            first = False
        return out

    def _next(
        self, points: list[Point], first: bool, opens: bool = False
    ) -> tuple[str, list[Point]]:
        """The next sentence, and the points that it leaves."""
        point, *rest = points
        if isinstance(point, Ask):
            return self._question(point, first, opens), rest
        together = [point]
        while rest and len(together) < 3 and self._joins(together[-1], rest[0]):
            together.append(rest.pop(0))  # type: ignore[arg-type]
        what = join([wish.text for wish in together], self.rng.choice((" and ", " and then ")))
        said = self._wish(what, point.by_you, first, opens)
        if together[-1].fallback is not None:
            said = f"{said} {self._fallback(together[-1].fallback)}"
        return said, rest

    def _joins(self, wish: Wish, other: Point) -> bool:
        if not isinstance(other, Wish) or wish.by_you != other.by_you or wish.fallback is not None:
            return False
        return len(wish.text) + len(other.text) < 140 and self.rng.random() < _JOINED

    def _wish(self, what: str, by_you: bool, first: bool, opens: bool = False) -> str:
        if by_you:
            table = p.WANT_YOU if first else p.THEN_WANT_YOU
            return self._say(table, " me" if re.search(r"\bme\b", what) else "", what=what)
        if not first:
            return self._say(p.THEN_WANT, what=what)
        if opens and self.rng.random() < 0.2:
            on = {"email": p.WANT_EMAIL, "phone": p.WANT_PHONE, "chat": p.WANT_CHAT}
            return self.rng.choice(on[self.persona.channel]).format(what=what)
        if opens and self._may_tell and self.rng.random() < TALES:
            return self._say(p.TALE, what=what)
        return self._say(p.WANT, "" if opens else ":", what=what)

    def _fallback(self, other: Wish) -> str:
        said = self._say(p.IF_NOT_YOU if other.by_you else p.IF_NOT, what=other.text)
        return re.sub(r"\binstead(.*) instead\b", r"instead\1", said)

    def _question(self, ask: Ask, first: bool, opens: bool = False) -> str:
        if ask.direct and self.rng.random() < _DIRECT:
            return ask.direct if first else self._say(know.THEN_DIRECT, what=_lower(ask.direct))
        if first and ask.knew and self.rng.random() < FORGOTTEN:
            return self._say(know.KNEW, what=ask.clause)
        return self._say(
            know.KNOW if first else know.THEN_KNOW, "" if opens else ":", what=ask.clause
        )

    def opening(self, introduction: str, sentences: Sequence[str]) -> str:
        """The whole first message: greeting, who it is, what it is about, courtesy."""
        channel = self.persona.channel
        tables = {"email": greet.GREETING_EMAIL, "phone": greet.GREETING_PHONE}
        usual = greet.GREETING_GRAVE if self.is_grave else greet.GREETING
        greeting = self._say(tables.get(channel, usual))
        parts = list(sentences)
        if introduction:
            parts.insert(self.rng.choice((0, 0, len(parts), len(parts))), introduction)
        if channel == "email":
            closing = self._say(greet.SIGNED_GRAVE if self.is_grave else greet.CLOSING_EMAIL)
            return "\n\n".join(part for part in (greeting, " ".join(parts), closing) if part)
        closing = self._say(greet.CLOSING_GRAVE if self.is_grave else greet.CLOSING)
        return " ".join(part for part in (greeting, *parts, closing) if part)

    # -- later turns -------------------------------------------------------------------------------

    def further(self, points: Sequence[Point]) -> str:
        """A further wish or question, once the first is settled."""
        said, rest = self._next(list(points), True)
        tools = [w.tool.name for w in points[:1] if isinstance(w, Wish) and w.tool is not None]
        plural = any(isinstance(w, Wish) and w.is_for_many for w in points[:1])
        motive = self.situation(tools) if not plural and self.rng.random() < 0.5 else ""
        whole = f"{motive} {said}".strip()
        led = motive or not _LED.match(whole)
        text = self._say(r.FURTHER, what=_lower(whole)) if led else whole
        while rest:
            said, rest = self._next(rest, False)
            text += f" {said}"
        return text

    def remedy(self, remedy: Wish, wish: Wish | None = None) -> str:
        """What a person then does about a refusal, and what they still want."""
        if wish is None or remedy.by_you or wish.by_you or "," in remedy.text:
            first = self._say(r.REMEDY_ONLY, first=_mine(remedy))
            return first if wish is None else f"{first} {self._wish(wish.text, wish.by_you, False)}"
        return self._say(r.REMEDY, first=remedy.text, then=wish.text)

    def again(self, wish: Wish | None = None) -> str:
        """Ask once more for what could not be done before."""
        if wish is None or wish.by_you:
            return self._say(r.AGAIN)
        return self._say(r.AGAIN_WHAT, what=wish.text)

    def undo(self, wish: Wish, reason: str = "") -> str:
        """Take back what was just done, for a reason."""
        start = "" if _INTERJECTS.match(reason) else self._say(r.SORRY)
        table = r.UNDO_YOU if wish.by_you else r.UNDO
        return " ".join(s for s in (start, reason, self._say(table, what=wish.text)) if s)

    def push_back(self) -> str:
        """Protest against a refusal."""
        return self._say(r.PUSH_BACK)

    # -- replies -----------------------------------------------------------------------------------

    def yes(self) -> str:
        """Agree to what is proposed."""
        return self._say(r.YES)

    def decline(self, reason: str = "") -> str:
        """Turn down what is proposed, for a reason if there is one."""
        if not reason:
            return self._say(r.NO)
        if _INTERJECTS.match(reason):
            return f"{reason} {self._say(r.SO_NO)}"
        return self._say(r.NO_SINCE, why=reason, why_lower=_lower(reason))

    def correction(self, said: str) -> str:
        """Turn down what is proposed, since something else was meant."""
        return self._say(r.CORRECTION, what=said)

    def reply(self, said: str, parameter: Parameter) -> str:
        """Answer a question about an argument."""
        return self._say(r.REPLY if parameter.entity is None else r.REPLY_ROW, what=said)

    def identify(self, person: Row, attributes: Sequence[str]) -> str:
        """Answer a question about who it is."""
        if len(attributes) > 1 or self.rng.random() < 0.4:
            return self.introduction(person, attributes)
        says, said = self._attribute(person, attributes[0])
        forms = ("Sure, {said}.", "It's {said}.", "{said}.", "Of course: {said}.", "That's {said}.")
        return _put(self.rng.choice(forms), {"says": says, "said": said})

    def put_right(self, attribute: str, said: str) -> str:
        """Correct a fact that was mistyped."""
        phone = self.persona.channel == "phone"
        return self._say(r.PUT_RIGHT_PHONE if phone else r.PUT_RIGHT, what=said)

    def mistype(self, value: str) -> str:
        """A value with two neighbours swapped, or a letter doubled where none differ."""
        end = value.find("@") if "@" in value else len(value)
        swaps = [
            i
            for i in range(1, end - 1)
            if value[i] != value[i + 1] and value[i].isalnum() and value[i + 1].isalnum()
        ]
        if not swaps:
            return value + value[-1:]
        i = self.rng.choice(swaps)
        return value[:i] + value[i + 1] + value[i] + value[i + 2 :]


def _mine(wish: Wish) -> str:
    return f"ask you to {wish.text}" if wish.by_you else wish.text


def _put(form: str, parts: dict[str, str]) -> str:
    """Fill a form; a place that begins with a capital begins a sentence."""

    def said(match: re.Match[str]) -> str:
        name = match[1]
        if name in parts:
            return parts[name]
        text = parts[name[:1].lower() + name[1:]]
        return text[:1].upper() + text[1:]

    text = re.sub(r"\{(\w+)\}", said, form)
    return re.sub(r"([.?!])\.(?=$|\s)", r"\1", text)


def _ended(text: str) -> str:
    return text if text[-1:] in ".!?" else f"{text}."


def _lower(text: str) -> str:
    """A sentence to stand behind a colon or a comma."""
    word = re.match(r"[\w']+", text)
    if word is None or word[0] == "I" or word[0].startswith("I'"):
        return text
    if word[0] != "A" and not word[0][1:].islower():
        return text
    return text[:1].lower() + text[1:]
