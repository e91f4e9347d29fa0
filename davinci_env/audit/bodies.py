"""Static checks of what a call can run: no chance, no clock, no order of hashes, no I/O, no numbers
of its own."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator
from datetime import date, datetime
from types import ModuleType
from typing import Any

from ..domain import Domain
from ..errors import ToolError
from .report import Findings
from .source import Code, Source

ALLOWED_MODULES = frozenset(
    [
        "math",
        "re",
        "statistics",
        "itertools",
        "functools",
        "operator",
        "decimal",
        "fractions",
        "calendar",
        "datetime",
        "collections",
        "string",
        "textwrap",
        "bisect",
        "heapq",
    ]
)
"""Modules whose functions are pure."""

FORBIDDEN_BUILTINS = frozenset(
    [
        "open",
        "print",
        "input",
        "eval",
        "exec",
        "compile",
        "globals",
        "locals",
        "vars",
        "hash",
        "id",
        "__import__",
        "breakpoint",
        "setattr",
        "delattr",
        "memoryview",
        "exit",
        "quit",
    ]
)
"""Built-ins that do I/O, reach behind the rows, or depend on the process."""

ORDERLESS = frozenset(("sorted", "len", "sum", "min", "max", "any", "all", "frozenset", "set"))
"""Calls in which the order of a set makes no difference."""

WALL_CLOCK = frozenset(("now", "utcnow", "today", "fromtimestamp"))
SMALL = frozenset((-1, 0, 1, 2))
"""Numbers that need no name."""

MUTATORS = frozenset(
    [
        "append",
        "extend",
        "insert",
        "add",
        "update",
        "pop",
        "popitem",
        "remove",
        "clear",
        "setdefault",
        "discard",
        "appendleft",
    ]
)


def check_bodies(domain: Domain, source: Source, findings: Findings) -> None:
    """All checks of this module."""
    for code in source.running:
        line = code.function.__code__.co_firstlineno
        for node in code.walk():
            for text in _forbidden(code, node):
                findings.add("forbidden-call", code.name, text, getattr(node, "lineno", line))
        for node in code.walk():
            _magic(code, node, findings)
        for node, parent in _with_parents(code):
            if _is_set(code, node) and not _order_is_lost(node, parent):
                text = "depends on the order of a set"
                findings.add("forbidden-call", code.name, text, getattr(node, "lineno", line))
    _raised(domain, source, findings)


def _forbidden(code: Code, node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield "imports inside a body"
    elif isinstance(node, ast.Try):
        yield "catches errors in a body"
    elif isinstance(node, ast.Global | ast.Nonlocal):
        yield "keeps state outside the world"
    elif isinstance(node, ast.Attribute):
        if node.attr.startswith("_"):
            yield f"reaches behind a row or db ({node.attr})"
        if node.attr in WALL_CLOCK and _resolved(code, node.value) in (date, datetime):
            yield f"reads the wall clock ({node.attr})"
        if isinstance(node.ctx, ast.Store) and _is_global(code, node.value):
            yield "keeps state outside the world"
    elif isinstance(node, ast.Subscript):
        if isinstance(node.ctx, ast.Store | ast.Del) and _is_global(code, node.value):
            yield "keeps state outside the world"
    elif isinstance(node, ast.Call):
        function = node.func
        if (
            isinstance(function, ast.Attribute)
            and function.attr in MUTATORS
            and _is_global(code, function.value)
        ):
            yield "keeps state outside the world"
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield from _forbidden_name(code, node.id)


def _forbidden_name(code: Code, name: str) -> Iterator[str]:
    value = code.resolve(name)
    if value is None:
        if name in FORBIDDEN_BUILTINS and hasattr(builtins, name) and name not in code.locals:
            yield f"calls {name}"
        return
    home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    library = home.split(".")[0] if isinstance(home, str) else ""
    allowed = library.lstrip("_") in ALLOWED_MODULES or library in ("builtins", "typing")
    if library in sys.stdlib_module_names and not allowed:
        yield f"uses {name} of {home}"


def _resolved(code: Code, node: ast.AST) -> Any:
    if isinstance(node, ast.Name):
        return code.resolve(node.id)
    if isinstance(node, ast.Attribute):
        return getattr(_resolved(code, node.value), node.attr, None)
    return None


def _is_global(code: Code, node: ast.AST) -> bool:
    """Whether an expression is a module-level object (not a local, not a row)."""
    return isinstance(node, ast.Name) and code.resolve(node.id) is not None


def _magic(code: Code, node: ast.AST, findings: Findings) -> None:
    if not isinstance(node, ast.Constant) or type(node.value) not in (int, float):
        return
    if node.value not in SMALL:
        text = f"has the number {node.value!r} in its body; name it as a constant"
        findings.add("magic-number", code.name, text, node.lineno)


def _with_parents(code: Code) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    for root in code.body:
        yield root, None
        for parent in ast.walk(root):
            for child in ast.iter_child_nodes(parent):
                yield child, parent


def _is_set(code: Code, node: ast.AST) -> bool:
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    if named and code.resolve(node.func.id) is None:  # type: ignore[attr-defined]
        return node.func.id in ("set", "frozenset")  # type: ignore[attr-defined]
    return False


def _order_is_lost(node: ast.AST, parent: ast.AST | None) -> bool:
    if isinstance(parent, ast.Compare | ast.BinOp):
        return True
    return (
        isinstance(parent, ast.Call)
        and isinstance(parent.func, ast.Name)
        and parent.func.id in ORDERLESS
        and node in parent.args
    )


def _raised(domain: Domain, source: Source, findings: Findings) -> None:
    """A body raises exactly the errors that its tool declares."""
    for name, code in source.tools.items():
        tool = domain.tools[name]
        raised: dict[str, int] = {}
        for called in source.closure([code]):
            calls = [node for node in called.walk() if isinstance(node, ast.Call)]
            errors = [node for node in calls if _resolved(called, node.func) is ToolError]
            for node in errors:
                if node.args and isinstance(node.args[0], ast.Constant):
                    raised.setdefault(str(node.args[0].value), node.lineno)
        for error, line in raised.items():
            if error not in tool.errors:
                text = f"raises {error!r}, which its `errors` do not declare"
                findings.add("error-code", name, text, line)
        for error in tool.errors:
            if error not in raised:
                text = f"declares the error {error!r}, which its body never raises"
                findings.add("error-code", name, text, tool.line)
