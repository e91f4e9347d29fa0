"""What built-in agents say: confirmations, questions, outcomes, refusals. Plain words over the
domain's own phrases.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..domain import Domain, Parameter, Row, Rule, Tool
from ..state import ColumnInfo, EntityInfo
from ..verify import rule_named
from .speech import follow, say_argument, say_choice, say_value, says

_PLACE = re.compile(r"\{([a-z_][\w.]*)\}")
_SECOND = (
    (r"\bI'm\b", "you're"),
    (r"\bI am\b", "you are"),
    (r"\bI've\b", "you've"),
    (r"\bI\b", "you"),
    (r"\bmy\b", "your"),
    (r"\bMy\b", "Your"),
    (r"\bme\b", "you"),
    (r"\bmine\b", "yours"),
)

NameRow = Callable[[Row], str]
"""How a row is called in a message."""


def second_person(text: str) -> str:
    """Turn what a person says of themselves to what is said to them; quoted titles stay as they
    are.
    """
    parts = re.split(r'("[^"]*")', text)
    for i in range(0, len(parts), 2):
        for pattern, other in _SECOND:
            parts[i] = re.sub(pattern, other, parts[i])
    return "".join(parts)


def with_id(row: Row) -> str:
    """A row's label with its id: exact, and readable."""
    label = str(row)
    return label if row.id in label else f"{label} ({row.id})"


def describe_call(
    domain: Domain,
    tool: Tool,
    values: Mapping[str, Any],
    *,
    name_row: NameRow = with_id,
    given: frozenset[str] | None = None,
) -> str:
    """What a call does, said to the user: the domain's ask phrase with every argument named.

    Args:
        values: rows and values by argument name.
        name_row: how a row is called.
        given: the arguments to name (default: those with a value that is not the default).
    """
    names = (
        given
        if given is not None
        else frozenset(
            p.name
            for p in tool.parameters
            if not p.implicit
            and values.get(p.name) is not None
            and (p.required or values[p.name] != p.default)
        )
    )
    phrase = _fullest(tool, names)
    text = _PLACE.sub(lambda m: _place(domain, tool, values, m[1], name_row), phrase)
    said = {path for path in _PLACE.findall(phrase) if "." not in path}
    hinted = {path.split(".")[0] for path in _PLACE.findall(phrase)}
    more = []
    for parameter in tool.parameters:
        name = parameter.name
        if name not in names - said or parameter.entity is domain.identity:
            continue
        if name in hinted and parameter.entity is not None and not parameter.type.many:
            more.append(values[name].id)  # the phrase describes the row; the id makes it exact
        else:
            said_so = say_one(domain, parameter, values[name], name_row)
            more.append(f"{says(tool, parameter)}: {said_so}")
    return second_person(text) + (f" ({', '.join(more)})" if more else "")


def _fullest(tool: Tool, names: frozenset[str]) -> str:
    """The ask phrase that names most arguments themselves, and none that is not given."""
    if not tool.ask:
        return tool.name.replace("_", " ")

    def score(phrase: str) -> tuple[bool, int]:
        paths = _PLACE.findall(phrase)
        return all(p.split(".")[0] in names for p in paths), sum("." not in p for p in paths)

    best = max(tool.ask, key=score)
    return best if score(best)[0] else tool.name.replace("_", " ")


def _place(
    domain: Domain, tool: Tool, values: Mapping[str, Any], path: str, name_row: NameRow
) -> str:
    name, _, rest = path.partition(".")
    parameter = next(p for p in tool.parameters if p.name == name)
    value = values.get(name)
    if parameter.entity is None or not rest:
        return say_one(domain, parameter, value, name_row)
    found = follow(value, rest)
    if found is None:
        return "nothing"
    if hasattr(type(found), "_info"):
        return str(found)
    assert value is not None
    return say_of(domain, column_at(value._info, rest), found)


def say_one(domain: Domain, parameter: Parameter, value: Any, name_row: NameRow) -> str:
    """One argument in words."""
    if parameter.entity is not None:
        rows = value if parameter.type.many else [value]
        return join([name_row(row) for row in rows])
    if parameter.is_free_text:
        return f'"{value}"'
    return say_argument(domain, parameter, value)


def join(items: Sequence[str], last: str = " and ") -> str:
    """`a, b and c`."""
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + last + items[-1]


def confirmation(calls: Sequence[str], irreversible: bool, rng: random.Random) -> str:
    """Ask for an explicit yes to described calls."""
    what = "; and to ".join(calls)
    opening = rng.choice(
        (
            "Let me make sure I have this right: you would like to",
            "Before I change anything, please confirm that you want to",
            "Just to confirm, you want to",
        )
    )
    final = " This can't be undone." if irreversible else ""
    asking = rng.choice(("Shall I go ahead?", "May I go ahead?", "Shall I proceed?"))
    return f"{opening} {what}.{final} {asking}"


def done(calls: Sequence[str], facts: Sequence[str], rng: random.Random) -> str:
    """Report carried-out calls and what follows from them. Asks nothing."""
    opening = rng.choice(
        (
            "Done, I was able to",
            "That's taken care of: I was able to",
            "All set, I was able to",
            "Good, that worked. I was able to",
        )
    )
    text = f"{opening} {join(calls, ', and ')}."
    return " ".join([text, *facts])


def question(tool: Tool, parameter: Parameter, rng: random.Random) -> str:
    """Ask for a missing argument."""
    what = says(tool, parameter)
    if parameter.entity is not None:
        plural = parameter.entity._info.plural.replace("_", " ")
        return rng.choice(
            (f"Which {what} do you mean?", f"Which of the {plural} would that be, which {what}?")
        )
    return rng.choice((f"What {what} should it be?", f"Could you tell me the {what}, please?"))


def cues(tool: Tool, parameter: Parameter) -> list[str]:
    """Words by which a question about an argument is recognised."""
    words = {says(tool, parameter), parameter.name.replace("_", " ")}
    if parameter.entity is not None:
        info = parameter.entity._info
        words |= {info.noun.replace("_", " "), info.plural.replace("_", " ")}
    return sorted(words)


def refusal(
    domain: Domain,
    what: str,
    rule: Rule,
    because: str,
    rng: random.Random,
    concepts: Sequence[Sequence[str]] = (),
) -> str:
    """Decline a request, naming the rule and no other. Asks nothing.

    Args:
        concepts: of the part of the rule that applies; the first wording in which the rule is
            recognised is taken.
    """
    openings = ["I'm sorry, but I can't", "Unfortunately I'm not able to", "I'm afraid I can't"]
    rng.shuffle(openings)
    tails = [f"{what}. {rule.text}", f"{what}. {rule.text.split('. ')[0].rstrip('.')}."]
    if because:
        tails = [
            f"{what}: {because}. {rule.text}",
            f"{what}: {because}.",
            *tails,
            f"do that: {because}.",
        ]
    wordings = [f"{opening} {tail}" for tail in tails for opening in openings]
    if not concepts:
        return wordings[0]
    named = (w for w in wordings if rule_named(domain, rule.code, concepts, w).passed)
    return next(named, wordings[0])


def because_of(rule: Rule, bound: Mapping[str, Any], domain: Domain, rng: random.Random) -> str:
    """A wording of why a rule forbids a call, with the values of the case ("" where the domain
    gives none).
    """
    failing = [p for p in rule.parts if not _part_holds(p.holds, rule, bound)]
    wordings = list(failing[0].because if failing else rule.because)
    rng.shuffle(wordings)
    for wording in wordings:
        filled = _fill(wording, rule, bound, domain)
        if filled is not None:
            return filled
    return ""


def concepts_of(rule: Rule, bound: Mapping[str, Any]) -> list[list[str]]:
    """The concept groups of the part of a rule that fails (or of the rule)."""
    failing = [p for p in rule.parts if not _part_holds(p.holds, rule, bound)]
    groups = failing[0].concepts if failing and failing[0].concepts else rule.concepts
    return [list(g) for g in groups]


def _part_holds(holds: Callable[..., bool], rule: Rule, bound: Mapping[str, Any]) -> bool:
    import inspect

    arguments = {**rule.arguments_of(bound), "db": bound.get("db"), "log": bound.get("log")}
    names = list(inspect.signature(holds).parameters)
    if any(n not in arguments for n in names):  # a part may name its argument as it likes
        given = [v for k, v in rule.arguments_of(bound).items() if k not in ("db", "log")]
        return bool(holds(*given[: len(names)]))
    return bool(holds(**{n: arguments[n] for n in names}))


def _fill(wording: str, rule: Rule, bound: Mapping[str, Any], domain: Domain) -> str | None:
    arguments = {**bound, **rule.arguments_of(bound)}
    failed = False

    def place(match: re.Match[str]) -> str:
        nonlocal failed
        name, _, rest = match[1].partition(".")
        value = arguments.get(name)
        if value is None or not rest or not hasattr(type(value), "_info"):
            failed = True
            return ""
        owner = follow(value, rest.rpartition(".")[0]) if "." in rest else value
        spec = getattr(owner, "_info", None) and owner._info.columns.get(rest.rpartition(".")[2])
        found = follow(value, rest)
        if spec is None:
            failed = failed or found is None
            return str(found)
        return say_choice(found) if spec.choices else say_value(domain, spec.kind, found)

    text = _PLACE.sub(place, domain.render_constants(wording))
    return None if failed else text


def column_at(info: EntityInfo, path: str) -> ColumnInfo:
    """The column at a path of references: `copy.book.title`."""
    *steps, last = path.split(".")
    for step in steps:
        info = info.refs[step].target._info
    return info.columns[last]


def say_of(domain: Domain, spec: ColumnInfo, value: Any) -> str:
    """A column's value in words."""
    return say_choice(value) if spec.choices else say_value(domain, spec.kind, value)


def answer_attribute(domain: Domain, row: str, spec: ColumnInfo, value: Any) -> str:
    """Tell one attribute of a row: "The due date of the loan … is March 20, 2026."."""
    said = say_of(domain, spec, value)
    if spec.kind == "bool":
        return f"{said.capitalize()}: the {spec.says} of {second_person(row)} is {said}."
    return f"The {spec.says} of {second_person(row)} {is_are(spec.says)} {said}."


def is_are(noun: str) -> str:
    """The verb that goes with a noun phrase: "the fees are", "the status is"."""
    head = noun.split(" of ", maxsplit=1)[0].rsplit(" ", 1)[-1]
    return "are" if head.endswith("s") and not head.endswith(("ss", "us", "is")) else "is"


def answer_count(what: str, count: int) -> str:
    """Tell how many there are: "You have 3 open loans."."""
    return f"You have {count} {what}."


def answer_sum(domain: Domain, spec: ColumnInfo, what: str, total: int) -> str:
    """Tell a total: "The total amount of your open fines is $7.50."."""
    return f"The total {spec.says} of your {what} is {say_value(domain, spec.kind, total)}."


def answer_clause(domain: Domain, clause: str, kind: str, value: Any) -> str:
    """Tell what a person asked for in a clause: "What you would owe if …: $25.00."."""
    text = second_person(clause)
    return f"{text[:1].upper()}{text[1:]}: {say_value(domain, kind, value)}."


def fill_clause(
    domain: Domain, tool: Tool, values: Mapping[str, Any], clause: str, name_row: NameRow = with_id
) -> str:
    """A clause of a read with its arguments named."""
    return _PLACE.sub(lambda m: _place(domain, tool, values, m[1], name_row), clause)


def what_rows(info: EntityInfo, where: Mapping[str, Any]) -> str:
    """The rows of a count or sum in words: "open loans"."""
    states = " ".join(say_choice(v) for v in where.values())
    plural = info.plural.replace("_", " ")
    return f"{states} {plural}".strip()


def quoted(
    domain: Domain, tool: Tool, data: Mapping[str, Any], *, named: bool = False
) -> list[str]:
    """Sentences for the result fields that the domain says to quote: "The due date is April 6,
    2026.".

    Args:
        named: say of which row, by its id (where several calls are reported together).
    """
    entity = tool.shape.entity
    if entity is None or not tool.outcome.quotes:
        return []
    info, view = entity._info, domain.views.by_entity[entity]
    for found, item in tool.shape.rows(data):
        if found is not entity:
            continue
        values = view.read(item)
        of = f" of {info.noun.replace('_', ' ')} {values[info.pk]}" if named else ""
        sentences = []
        for name in tool.outcome.quotes:
            spec = info.columns.get(name)
            if spec is not None and values.get(name) not in (None, 0):
                said = (
                    say_choice(values[name])
                    if spec.choices
                    else say_value(domain, spec.kind, values[name])
                )
                sentences.append(f"The {spec.says}{of} {is_are(spec.says)} {said}.")
            elif name in info.shows and item.get(domain.dialect.key(name)) is not None:
                shown = column_at(info, info.shows[name])
                codec = domain.dialect.codec(shown.kind)
                wire = item[domain.dialect.key(name)]
                said = say_of(domain, shown, codec.read(wire) if codec.read else wire)
                called = name.replace("_", " ")
                if shown.says not in called.split() and shown.says != shown.attribute:
                    called = shown.says
                sentences.append(f"The {called}{of} {is_are(called)} {said}.")
        return sentences
    return []


def latest(facts: Sequence[str]) -> list[str]:
    """Sentences of which each says something else: a later value of the same thing replaces it."""
    by_subject = {re.split(r" (?:is|are) ", fact)[0]: fact for fact in facts}
    return list(by_subject.values())
