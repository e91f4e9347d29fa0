"""Static checks of what people and agents read: descriptions, numbers in texts, places, words of
rules and requests."""

from __future__ import annotations

import ast
import inspect
import re
import string
from collections.abc import Iterable, Iterator

from ..domain import Domain, Rule, Tool
from ..domain.parameters import split_docstring
from ..domain.results import RecordShape
from ..state import Entity
from .report import Findings
from .source import Source
from .spoken import check_spoken, offered

SHORTEST = 15
"""Characters below which a description describes nothing."""

_PLACE = re.compile(r"\{[^{}]*\}")
_EXAMPLE = re.compile(r"(e\.g\.|for example|such as)[^;()]*", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_NUMBER_WORD = re.compile(
    r"\b(three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|"
    r"sixty|ninety|hundred|thousand)\b",
    re.IGNORECASE,
)


def check_texts(domain: Domain, source: Source, findings: Findings) -> None:
    """All checks of this module."""
    _descriptions(domain, findings)
    _numbers(domain, source, findings)
    for rule in domain.rules.values():
        _words(domain, rule, findings)
    for tool in domain.tools.values():
        _requests(tool, findings)
        _quotes(tool, findings)
        for code, text in tool.errors.items():
            if not text.strip():
                findings.add("undescribed", tool.name, f"the error {code} has no text", tool.line)
    _clauses(domain, source, findings)
    check_spoken(domain, findings)


def _descriptions(domain: Domain, findings: Findings) -> None:
    for entity in domain.entities.values():
        if len(entity._info.doc) < SHORTEST or entity.__doc__ is None:
            findings.add("undescribed", entity._info.name, "the record has no description")
    for tool in domain.tools.values():
        if len(tool.text) < SHORTEST:
            findings.add("undescribed", tool.name, "the tool has no description", tool.line)
        for parameter in tool.parameters:
            if not parameter.implicit and not parameter.doc.strip():
                text = f"the argument {parameter.wire} has no description"
                findings.add("undescribed", tool.name, text, tool.line)
        if tool.derived is None:
            names = {p.name for p in tool.parameters} | {p.wire for p in tool.parameters}
            for name in split_docstring(tool.body.__doc__ or "")[1]:
                if name not in names:
                    text = f"describes an argument {name}, which does not exist"
                    findings.add("phantom-argument", tool.name, text, tool.line)


def _numbers(domain: Domain, source: Source, findings: Findings) -> None:
    """A number in a text must come from a constant, or it will contradict the code one day."""
    texts: list[tuple[str, str, int | None]] = [(domain.name, domain.intro, None)]
    for rule in domain.rules.values():
        texts.append((rule.code, inspect.getdoc(rule.predicate) or "", rule.line))
        said = [*rule.because, *[b for part in rule.parts for b in part.because]]
        texts += [(rule.code, text, rule.line) for text in said]
    texts += offered(domain.rules.values())
    for tool in domain.tools.values():
        if tool.derived is None:
            described, arguments = split_docstring(tool.body.__doc__ or "")
            texts.append((tool.name, described, tool.line))
            texts += [(tool.name, text, tool.line) for text in arguments.values()]
        texts += [(tool.name, text, tool.line) for text in _written_errors(source, tool.name)]
    for name, function in domain.helpers.items():
        texts.append((name, (inspect.getdoc(function) or "").split(">>>")[0], None))
    for entity in domain.entities.values():
        texts.append((entity._info.name, entity._info.doc, None))
    for subject, text, line in texts:
        plain = _EXAMPLE.sub("", _PLACE.sub("", text))
        if _DIGIT.search(plain):
            found = _DIGIT.search(plain)
            assert found is not None
            near = plain[max(0, found.start() - 20) : found.end() + 10].strip()
            text = f"says a number that comes from no constant: …{' '.join(near.split())}…"
            findings.add("literal-number", subject, text, line)
        if (word := _NUMBER_WORD.search(plain)) is not None:
            text = f"says {word[0]!r}, which comes from no constant"
            findings.add("literal-number", subject, text, line)


def _written_errors(source: Source, tool: str) -> list[str]:
    """The texts of a tool's `errors` as they stand in the file, before constants were filled in."""
    code = source.tools.get(tool)
    decorators = code.node.decorator_list if code and isinstance(code.node, ast.FunctionDef) else []
    return [
        value.value
        for call in decorators
        if isinstance(call, ast.Call)
        for keyword in call.keywords
        if keyword.arg == "errors" and isinstance(keyword.value, ast.Dict)
        for value in keyword.value.values
        if isinstance(value, ast.Constant) and isinstance(value.value, str)
    ]


def _words(domain: Domain, rule: Rule, findings: Findings) -> None:
    """A person may hear of every rule, so each needs wordings, and words by which it is
    recognised."""
    because = [*rule.because, *[b for part in rule.parts for b in part.because]]
    spoken = all(part.because and part.concepts for part in rule.parts) if rule.parts else False
    if not (rule.because and rule.concepts) and not spoken:
        text = "has no `because` and `concepts`, so that nobody can quote or recognise it"
        findings.add("unquotable", rule.code, text, rule.line)
    if any(not group for group in rule.concepts):
        findings.add("unquotable", rule.code, "has an empty group of concepts", rule.line)
    remedies = [rule.remedy, *[part.remedy for part in rule.parts]]
    for remedy in remedies:
        if remedy is not None and remedy not in domain.tools:
            text = f"names {remedy!r} as remedy, which is no tool"
            findings.add("remedy", rule.code, text, rule.line)
    users = [t for t in domain.tools.values() if any(r.code == rule.code for r in t.requires)]
    for text in because:
        for place in _places(text):
            head = place.split(".")[0].split("[")[0]
            bound = head in rule.arguments or any(
                head in {p.name for p in tool.parameters} for tool in users
            )
            if not bound and not head.isupper():
                said = f"quotes {{{place}}}, which is neither an argument nor a constant"
                findings.add("because", rule.code, said, rule.line)


def _requests(tool: Tool, findings: Findings) -> None:
    """A write has words to ask for it; every place in them, and in those of reads, is known."""
    if tool.kind == "write" and not tool.ask:
        findings.add("ask", tool.name, "has no `ask`: nobody can ask for it", tool.line)
    fields = tool.shape.fields if isinstance(tool.shape, RecordShape) else _shown(tool)
    for field in tool.tells:
        if field not in fields:
            text = f"tells {field!r}, which its result does not have"
            findings.add("tells", tool.name, text, tool.line)
    entities = tool.entities
    names = {p.name for p in tool.parameters}
    for phrase in [*tool.ask, *[clause for clauses in tool.tells.values() for clause in clauses]]:
        for place in _places(phrase):
            head, *path = place.split(".")
            if head not in names:
                text = f"asks with {{{place}}}, but has no argument {head}"
                findings.add("ask", tool.name, text, tool.line)
            elif path and not (head in entities and _leads(entities[head], path)):
                text = f"asks with {{{place}}}, which leads nowhere"
                findings.add("ask", tool.name, text, tool.line)


def _leads(entity: Entity, path: list[str]) -> bool:
    """Whether a dotted path leads from a row to a row or a cell."""
    for number, step in enumerate(path):
        info = entity._info
        if step in info.refs:
            entity = info.refs[step].target
        elif step in info.columns:
            return number == len(path) - 1
        else:
            return False
    return True


def _shown(tool: Tool) -> set[str]:
    """What the rows of a result show: columns, `shows`, included lists, names of references."""
    entity = tool.shape.entity
    if entity is None:
        return set()
    info = entity._info
    included = getattr(tool.shape, "include", ())
    return {*info.columns, *info.shows, *included, *info.refs}


def _quotes(tool: Tool, findings: Findings) -> None:
    """What an outcome quotes must stand in the result."""
    known = tool.shape.fields if isinstance(tool.shape, RecordShape) else _shown(tool)
    for name in tool.outcome.quotes:
        if name not in known and name not in tool.outcome.differences:
            text = f"quotes {name!r}, which its result does not have"
            findings.add("outcome", tool.name, text, tool.line)


def _clauses(domain: Domain, source: Source, findings: Findings) -> None:
    """A constant that the policy speaks of must decide something: a clause without a rule binds
    nobody."""
    used = {
        name
        for code in [*source.running, *source.checking]
        for name in code.function.__code__.co_names
    }
    used |= _nested_names(source)
    for subject, text, line in _clause_texts(domain):
        for place in _places(text):
            name = re.split(r"[\[.:]", place)[0]
            if name.isupper() and name not in used and not _bounds_with(domain, name):
                said = f"speaks of {{{name}}}, on which nothing in the domain depends"
                findings.add("clause", subject, said, line)


def _clause_texts(domain: Domain) -> Iterator[tuple[str, str, int | None]]:
    yield domain.name, domain.intro, None
    for rule in domain.rules.values():
        yield rule.code, inspect.getdoc(rule.predicate) or "", rule.line
    for tool in domain.tools.values():
        if tool.derived is None:
            yield tool.name, tool.body.__doc__ or "", tool.line
    for name, function in domain.helpers.items():
        yield name, inspect.getdoc(function) or "", None


def _nested_names(source: Source) -> set[str]:
    """Global names inside comprehensions and lambdas, which have code objects of their own."""
    return {
        node.id
        for code in [*source.running, *source.checking]
        for node in code.walk()
        if isinstance(node, ast.Name)
    }


def _bounds_with(domain: Domain, name: str) -> bool:
    """Whether a constant limits an argument: `Field(le=MAX_DAYS)`."""
    value = _constant(domain, name)
    return value is not None and any(
        value in parameter.bounds().values()
        for tool in domain.tools.values()
        for parameter in tool.parameters
    )


def _constant(domain: Domain, name: str) -> object:
    functions = [t.body for t in domain.tools.values() if t.derived is None]
    functions += [rule.predicate for rule in domain.rules.values()]
    scopes = (f.__globals__ for f in functions)
    return next((scope[name] for scope in scopes if name in scope), None)


def _places(text: str) -> Iterable[str]:
    """The places of a template: `{loan.due_on}` -> `loan.due_on`."""
    try:
        return [field for _, field, _, _ in string.Formatter().parse(text) if field]
    except ValueError:
        return []
