"""The syntax trees of a domain's functions, and which of them a call can run."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

from ..domain import Domain

_Place = tuple[str, int, tuple[str, ...]]


@dataclass(frozen=True)
class Code:
    """One function of a domain's file: the function and its tree."""

    name: str
    function: FunctionType
    node: ast.FunctionDef | ast.Lambda

    @property
    def body(self) -> list[ast.AST]:
        """What it runs, without decorators, defaults and docstring."""
        if isinstance(self.node, ast.Lambda):
            return [self.node.body]
        return list(self.node.body[1:] if ast.get_docstring(self.node) else self.node.body)

    def walk(self) -> Iterator[ast.AST]:
        """Every node of the body."""
        for statement in self.body:
            yield from ast.walk(statement)

    @cached_property
    def locals(self) -> frozenset[str]:
        """Names that the function binds itself, in comprehensions and nested functions too."""
        names = {node.arg for node in ast.walk(self.node) if isinstance(node, ast.arg)}
        for node in self.walk():
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
        return frozenset(names)

    def resolve(self, name: str) -> Any:
        """What a global name means to the function; None where it is local or unknown."""
        return None if name in self.locals else self.function.__globals__.get(name)


class Source:
    """The functions of a domain that its declarations reach."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self._indices: dict[str, dict[_Place, ast.FunctionDef | ast.Lambda]] = {}

    @cached_property
    def tools(self) -> dict[str, Code]:
        """Authored bodies by tool name."""
        tools = {n: t for n, t in self.domain.tools.items() if t.derived is None}
        return {name: code for name, tool in tools.items() if (code := self._code(tool.body))}

    @cached_property
    def rules(self) -> dict[str, Code]:
        """Predicates by rule code."""
        found = {code: self._code(rule.predicate) for code, rule in self.domain.rules.items()}
        return {name: code for name, code in found.items() if code}

    @cached_property
    def parts(self) -> dict[str, Code]:
        """Predicates of parts by `rule.part`."""
        found = {
            f"{rule.code}.{part.name}": self._code(part.holds)
            for rule in self.domain.rules.values()
            for part in rule.parts
        }
        return {name: code for name, code in found.items() if code}

    @cached_property
    def helpers(self) -> dict[str, Code]:
        """Helpers by name."""
        found = {name: self._code(f) for name, f in self.domain.helpers.items()}
        return {name: code for name, code in found.items() if code}

    @cached_property
    def invariants(self) -> dict[str, Code]:
        """Invariants by name."""
        found = {f.__name__: self._code(f) for _, f in self.domain.invariants}
        return {name: code for name, code in found.items() if code}

    @cached_property
    def running(self) -> list[Code]:
        """Everything that a call can run: bodies, rules, parts, helpers, and the functions that
        these call."""
        roots = [*self.tools.values(), *self.rules.values(), *self.parts.values()]
        roots += [code for event in self.domain.happenings if (code := self._code(event))]
        return self.closure([*roots, *self.helpers.values()])

    @cached_property
    def checking(self) -> list[Code]:
        """Invariants and what they call."""
        return self.closure(self.invariants.values())

    def closure(self, roots: Iterable[Code]) -> list[Code]:
        """The given functions and those of the same file that they name, each once."""
        queue = list(roots)
        done: dict[Any, Code] = {}
        while queue:
            code = queue.pop(0)
            if code.function.__code__ in done:
                continue
            done[code.function.__code__] = code
            for called in self._called(code):
                if called.function.__code__ not in done:
                    queue.append(called)
        return list(done.values())

    def _called(self, code: Code) -> Iterator[Code]:
        for node in code.walk():
            if isinstance(node, ast.Name):
                value = code.resolve(node.id)
                value = getattr(value, "predicate", value)
                if isinstance(value, FunctionType):
                    found = self._code(value)
                    if found is not None and _file(value) == _file(code.function):
                        yield found

    def _code(self, function: Callable[..., Any]) -> Code | None:
        """The tree of a function, found by its name and first line; None where the source is not at
        hand."""
        plain = inspect.unwrap(function)
        if not isinstance(plain, FunctionType):
            return None
        names = plain.__code__.co_varnames[: plain.__code__.co_argcount]
        place = plain.__name__, plain.__code__.co_firstlineno, names
        node = self._index(_file(plain)).get(place)
        return None if node is None else Code(plain.__name__, plain, node)

    def _index(self, file: str) -> dict[_Place, ast.FunctionDef | ast.Lambda]:
        """The functions of a file by name, first line and arguments."""
        if file not in self._indices:
            index: dict[_Place, ast.FunctionDef | ast.Lambda] = {}
            try:
                tree = ast.parse(Path(file).read_text(encoding="utf-8"))
            except (OSError, SyntaxError, ValueError):
                tree = ast.Module([], [])
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef | ast.Lambda):
                    index.setdefault(_place(node), node)
            self._indices[file] = index
        return self._indices[file]


def _place(node: ast.FunctionDef | ast.Lambda) -> _Place:
    names = tuple(argument.arg for argument in node.args.args)
    if isinstance(node, ast.Lambda):
        return "<lambda>", node.lineno, names
    return node.name, min([node.lineno, *[d.lineno for d in node.decorator_list]]), names


def _file(function: FunctionType) -> str:
    return function.__code__.co_filename
