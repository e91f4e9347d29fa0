"""Baselines: agents that must earn nothing, or little. What they pass shows what a verifier misses.

Each is deterministic by its seed and cheap, because certification plays most of them on every task.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..domain import Domain, Parameter, Tool
from ..environment import ToolSpec
from ..state import Entity
from ..state.keys import Counted
from .answers import Question
from .belief import BeliefRow
from .expert import Expert
from .finding import Finder
from .inquiry import Steps
from .news import Declined, News
from .protocol import Action, Call, Say, View
from .wanted import Wanted
from .ways import Read
from .wishes import Wish

SUCCESS = (
    "Everything you asked for has been done. Thank you for your patience, and have a nice day."
)
REFUSAL = "I'm sorry, but I can't do that. Our rules don't allow it."
QUESTIONS = (
    "Could you please tell me more about what you need?",
    "What exactly should I do, and shall I go ahead?",
    "Could you give me all the details once more, please?",
)

READS = 5
"""Reads of the reader."""

RANDOM_CALLS = 6
"""Calls of the random agent."""


class Noop:
    """Ends at once, without a word."""

    name = "noop"

    def act(self, view: View) -> Action:
        """Nothing."""
        return Say("")


class Talk:
    """Claims success politely."""

    name = "talk"

    def act(self, view: View) -> Action:
        """Say that all is done."""
        return Say(SUCCESS)


class Refuse:
    """Declines whatever is asked."""

    name = "refuse"

    def act(self, view: View) -> Action:
        """Say no."""
        return Say(REFUSAL)


class AskAlways:
    """Asks and asks: for every argument of what is wanted, and whether to go ahead."""

    name = "ask-always"

    def __init__(self) -> None:
        self._asked = 0

    def act(self, view: View) -> Action:
        """The next question."""
        self._asked += 1
        wanted = {i["do"] for i in view.reading.intents if "do" in i}
        specs = [s for s in view.tools() if s.name in wanted]
        names = [_spoken(name) for s in specs for name in s.parameters["properties"]]
        question = QUESTIONS[self._asked % len(QUESTIONS)]
        return Say(" ".join([question, *(f"Which {name} do you mean?" for name in names)]))


def _spoken(wire: str) -> str:
    """The name of an argument in words: `loanId`, `loan_id` -> `loan`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", wire).lower().split("_")
    return " ".join(w for w in words if w not in ("id", "ids"))


class _Browsing:
    """Remembers every value that a result showed, by field name, and fills arguments with them."""

    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)
        self.values: dict[str, dict[Any, None]] = {}
        self.tried: set[str] = set()

    def look(self, view: View) -> None:
        """Take in the facts told and the last result."""
        for name, value in view.reading.facts.items():
            self._keep(name, value)
        if view.last is not None and view.last.ok:
            self._keep("", view.last.content)

    def _keep(self, name: str, value: Any) -> None:
        if type(value) is dict:
            for key, inner in value.items():
                self._keep(key, inner)
        elif type(value) is list:
            for inner in value:
                self._keep(name, inner)
        elif value is not None:
            self.values.setdefault(name, {})[value] = None

    def fill(self, spec: ToolSpec, invent: bool) -> dict[str, Any] | None:
        """Required arguments from values seen under the same name; None where one is missing."""
        arguments = {}
        for name in spec.parameters.get("required", ()):
            schema = spec.parameters["properties"][name]
            known = list(self.values.get(name, ()))
            if known:
                value = self.rng.choice(known)
                arguments[name] = [value] if schema["type"] == "array" else value
            elif invent:
                arguments[name] = _invented(schema, self.rng)
            else:
                return None
        return arguments


class Reader(_Browsing):
    """Looks at what it can reach, then claims success and recites what it saw."""

    name = "reader"

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self._left = READS

    def act(self, view: View) -> Action:
        """The next read, or the recital."""
        self.look(view)
        specs = [s for s in view.tools() if s.annotations.get("readOnlyHint")] if self._left else []
        self.rng.shuffle(specs)
        for spec in specs:
            arguments = self.fill(spec, invent=False)
            key = f"{spec.name}{arguments}"
            if arguments is not None and key not in self.tried:
                self.tried.add(key)
                self._left -= 1
                return Call(spec.name, arguments)
        said = [
            f"{name}: {value}" for name, values in self.values.items() for value in list(values)[:2]
        ]
        return Say(f"{SUCCESS} This is what I found: {'; '.join(said[:40])}.")


class Random(_Browsing):
    """Calls random tools with plausible arguments, then claims success."""

    name = "random"

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self._left = RANDOM_CALLS

    def act(self, view: View) -> Action:
        """A random call."""
        self.look(view)
        if not self._left:
            return Say(SUCCESS)
        self._left -= 1
        spec = self.rng.choice(view.tools())
        return Call(spec.name, self.fill(spec, invent=True) or {})


def _invented(schema: Mapping[str, Any], rng: random.Random) -> Any:
    """A value of a schema, out of nothing."""
    if "enum" in schema:
        return rng.choice(list(schema["enum"]))
    kind = schema["type"]
    if kind == "array":
        return [_invented(schema["items"], rng)]
    if kind == "boolean":
        return rng.random() < 0.5
    if kind in ("integer", "number"):
        low = int(schema.get("minimum", 1))
        return rng.randint(low, int(schema.get("maximum", low + 20)))
    return str((schema.get("examples") or [f"{rng.randrange(100_000):05d}"])[0])


class Guess:
    """Calls the tools that are asked for with made-up ids and values, then claims success."""

    name = "guess"

    def __init__(self, domain: Domain, seed: str) -> None:
        self.domain, self.rng = domain, random.Random(seed)
        self._calls: Iterator[Call] = iter(())
        self._turn = -1

    def act(self, view: View) -> Action:
        """The next guess."""
        if view.reading.turn != self._turn:
            self._turn = view.reading.turn
            self._calls = self._guesses(view.reading.intents)
        return next(self._calls, Say(SUCCESS))

    def _guesses(self, intents: Sequence[Mapping[str, Any]]) -> Iterator[Call]:
        for intent in intents:
            if "do" in intent:
                yield self._guess(self.domain.tools[intent["do"]], intent["arguments"])
            elif "concern" in intent:
                for tool in self.domain.tools.values():
                    if tool.handover:
                        yield self._guess(tool, {})

    def _guess(self, tool: Tool, spoken: Mapping[str, Any]) -> Call:
        names = [p for p in tool.parameters if not p.implicit]
        given = [p for p in names if p.required or p.wire in spoken]
        return Call(tool.name, {p.wire: self._value(tool, p) for p in given})

    def _value(self, tool: Tool, parameter: Parameter) -> Any:
        if parameter.entity is not None:
            key = self._key(parameter.entity)
            return [key] if parameter.type.many else key
        schema = tool.binder.schema["properties"][parameter.wire]
        return _invented(schema, self.rng)

    def _key(self, entity: Entity) -> str:
        """An id of the right form."""
        key = entity._info.key
        if isinstance(key, Counted):
            return str(key.make(self.rng.randrange(40), entity._info.plural))
        return "".join(self.rng.choice("0123456789abcdef") for _ in range(10))


class _FirstFinder(Finder):
    """Takes the first row of the right kind that it sees."""

    def _find(self, wanted: Wanted, depth: int, whole: bool) -> Steps[tuple[list[BeliefRow], bool]]:
        """One row, whatever was said of it, even where all are wanted."""
        if wanted.key is not None or (wanted.entity._info.identity and wanted.mine):
            return (yield from super()._find(wanted, depth, whole))
        for tool, narrowed in self._routes(wanted):
            bindings, _ = yield from self._bindings(tool, wanted, narrowed, depth, False)
            for bound in bindings:
                rows = yield from self.inquiry.read(Read(tool, bound))
                first = next((r for r in rows or () if r.entity is wanted.entity), None)
                if first is not None:
                    return [first], True
        return [], False


class FirstMatch(Expert):
    """The expert, but for look-alikes: it takes the first candidate."""

    name = "first-match"
    finds = _FirstFinder


class RefuseAfterReading(Expert):
    """Reads like the expert, then declines, naming one of the rules of what was asked for."""

    name = "refuse-after-reading"

    def _conversation(self, intents: Sequence[Mapping[str, Any]]) -> Steps[None]:
        for entity in self.spoken_to([i for i in map(self.open_item, intents) if i is not None]):
            yield from self.inquiry.person(entity)
        news: list[News] = []
        for intent in intents:
            item = self.open_item(intent)
            if isinstance(item, Question):
                yield from self.answers.answer(item)
            elif item is not None:
                news.append((yield from self._declined(item)))
        said = (yield from self.talking.report(news)) if news else REFUSAL
        yield Say(said)

    def _declined(self, wish: Wish) -> Steps[News]:
        known = all("missing" not in spec for spec in wish.specs.values())
        if known:
            (wish, *_) = yield from self.understanding.spread(wish, last=True)
            yield from self.understanding.bind(wish, last=False)
        if wish.bound is None:
            return Declined(wish.tool, {}, frozenset(), None, {}, (), REFUSAL)
        yield from self.judgement.obstacle(wish)
        rules = [r for r in wish.tool.requires if r.kind is None]
        context = self.judgement.context(wish.tool, wish.bound)
        rule = self.rng.choice(rules) if rules else None
        concepts = () if rule is None else rule.concepts
        return Declined(wish.tool, wish.bound, wish.spoken, rule, context, concepts, "")


__all__ = [
    "AskAlways",
    "FirstMatch",
    "Guess",
    "Noop",
    "Random",
    "Reader",
    "Refuse",
    "RefuseAfterReading",
    "Talk",
]
