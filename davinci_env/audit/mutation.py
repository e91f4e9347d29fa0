"""Mutants of a domain: its file with one small change in what a call runs or in what a tool
declares.

Rules, their parts, bodies, helpers and the functions that these call are changed, and the lists
`requires` and `changes`. What states the domain a second time is left alone: invariants, examples,
texts, constants, the seed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ..domain import Domain
from .operators import Change, changes_in
from .source import Source


@dataclass(frozen=True)
class Mutant:
    """One change of a domain's file.

    Attributes:
        operator: what kind of change it is.
        function: the function or declaration that is changed.
        line: the first changed line, counted from 1.
        before, after: the changed text.
        span: first byte of the changed text, and the one after its last.
        replacement: `after`, with as many lines as `before`.
    """

    operator: str
    function: str
    line: int
    before: str
    after: str
    span: tuple[int, int]
    replacement: str

    @property
    def change(self) -> str:
        """Old and new text, each on one line."""
        return f"{' '.join(self.before.split())} -> {' '.join(self.after.split())}"

    def applied(self, text: str) -> str | None:
        """The sound file's text with the change; None where that is no Python."""
        whole, (first, last) = text.encode(), self.span
        changed = (whole[:first] + self.replacement.encode() + whole[last:]).decode()
        try:
            ast.parse(changed)
        except SyntaxError:
            return None
        return changed


def mutants_of(domain: Domain) -> list[Mutant]:
    """Every mutant of a domain that was loaded from a file, in the order of the file."""
    assert domain.path is not None
    text = domain.path.read_text(encoding="utf-8")
    maker = _Maker(text)
    source = Source(domain)
    states = _states(domain)
    bodies = {id(c.node) for c in source.closure(source.tools.values())}
    for code in source.running:
        if code.function.__code__.co_filename != str(domain.path):
            continue  # another file's: that of a joined domain
        for change in changes_in(code, states, domain, in_body=id(code.node) in bodies):
            maker.add(code.name, change)
    for name, change in _declarations(ast.parse(text)):
        maker.add(name, change)
    return sorted(maker.found.values(), key=lambda m: (m.line, m.operator, m.span, m.after))


def _states(domain: Domain) -> dict[str, str]:
    """For every state or choice the one that stands after it."""
    after: dict[str, str] = {}
    for entity in domain.entities.values():
        for spec in entity._info.columns.values():
            words = [c for c in spec.choices if isinstance(c, str)]
            for word, following in zip(words, [*words[1:], *words[:1]], strict=True):
                if word != following:
                    after.setdefault(word, following)
    return after


class _Maker:
    """Makes mutants of one file, each once."""

    def __init__(self, text: str) -> None:
        self.starts = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line.encode()))
        self.bytes = text.encode()
        self.found: dict[tuple[tuple[int, int], str], Mutant] = {}

    def add(self, name: str, change: Change) -> None:
        """Make the mutant of one change."""
        node, text = change.node, change.text
        assert node.end_lineno is not None and node.end_col_offset is not None
        first = self.starts[node.lineno - 1] + node.col_offset
        last = self.starts[node.end_lineno - 1] + node.end_col_offset
        before = self.bytes[first:last].decode()
        lost = before.count("\n") - text.count("\n")
        padded = f"({text}" + "\n" * lost + ")"
        if isinstance(node, ast.stmt):
            padded = text + "\n" * lost
        place = (first, last)
        if text != before:
            mutant = Mutant(change.operator, name, node.lineno, before, text, place, padded)
            self.found.setdefault((place, text), mutant)


# -- declarations ----------------------------------------------------------------------------------


def _declarations(tree: ast.Module) -> Iterator[tuple[str, Change]]:
    """Dropped guards and dropped pieces of frames."""
    named = _named_lists(tree)
    for statement in tree.body:
        calls: list[tuple[str, ast.Call]] = []
        if isinstance(statement, ast.FunctionDef):
            decorators = [d for d in statement.decorator_list if isinstance(d, ast.Call)]
            calls = [(statement.name, call) for call in decorators]
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            calls = [(ast.unparse(statement.value.func), statement.value)]
        for name, call in calls:
            for keyword in call.keywords:
                if keyword.arg == "requires":
                    for change in _dropped(keyword.value, named, "drop-guard"):
                        yield name, change
                elif keyword.arg == "changes":
                    for change in _frames(keyword.value, named):
                        yield name, change


def _named_lists(tree: ast.Module) -> dict[str, ast.expr]:
    """Module-level names of lists and functions that return a list."""
    named: dict[str, ast.expr] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            named[statement.targets[0].id] = statement.value
        elif isinstance(statement, ast.FunctionDef) and isinstance(statement.body[-1], ast.Return):
            value = statement.body[-1].value
            if isinstance(value, ast.List):
                named[statement.name] = value
    return named


def _dropped(node: ast.expr, named: dict[str, ast.expr], operator: str) -> Iterator[Change]:
    """Each element of a list dropped, also of lists that are unpacked into it."""
    if isinstance(node, ast.List | ast.Tuple):
        for number, element in enumerate(node.elts):
            rest = [e for n, e in enumerate(node.elts) if n != number]
            shorter = type(node)(elts=rest, ctx=ast.Load())
            yield Change(operator, node, ast.unparse(shorter))
            if isinstance(element, ast.Starred):
                yield from _dropped(element.value, named, operator)
    elif isinstance(node, ast.Name) and node.id in named:
        yield from _dropped(named[node.id], named, operator)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in named:
        yield from _dropped(named[node.func.id], named, operator)
    elif isinstance(node, ast.ListComp):
        yield from _dropped(node.generators[0].iter, named, operator)


def _frames(node: ast.expr, named: dict[str, ast.expr]) -> Iterator[Change]:
    yield from _dropped(node, named, "drop-frame")
    queue: list[ast.expr] = [node]
    done: set[int] = set()
    while queue:
        item = queue.pop()
        if id(item) in done:
            continue
        done.add(id(item))
        if isinstance(item, ast.List):
            queue += [e.value if isinstance(e, ast.Starred) else e for e in item.elts]
        elif isinstance(item, ast.Name) and item.id in named:
            queue.append(named[item.id])
        elif isinstance(item, ast.Call) and isinstance(item.func, ast.Name):
            if item.func.id in named:
                queue.append(named[item.func.id])
            else:
                yield from _shorter(item)


def _shorter(call: ast.Call) -> Iterator[Change]:
    """One column of `sets`, one state of `moves` and `stays` dropped."""
    if isinstance(call.func, ast.Name) and call.func.id == "sets" and len(call.args) > 2:
        for number in range(1, len(call.args)):
            rest = [a for n, a in enumerate(call.args) if n != number]
            fewer = ast.Call(func=call.func, args=rest, keywords=call.keywords)
            yield Change("drop-frame", call, ast.unparse(fewer))
    for value in [*call.args, *[k.value for k in call.keywords]]:
        if isinstance(value, ast.List) and len(value.elts) > 1:
            yield from _dropped(value, {}, "drop-frame")
