"""The operators: what a mutant changes in a function."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..domain import Domain
from .source import Code

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_SWAPS = {"any": "all", "all": "any", "min": "max", "max": "min"}


@dataclass(frozen=True)
class Change:
    """A node and the text that takes its place."""

    operator: str
    node: ast.expr | ast.stmt
    text: str


def changes_in(
    code: Code, states: Mapping[str, str], domain: Domain, *, in_body: bool
) -> Iterator[Change]:
    """Every change of one function.

    Args:
        code: the function.
        states: for every state or choice another one.
        domain: its domain.
        in_body: whether a tool's body runs it (then its statements can be skipped).
    """
    for node in code.walk():
        if isinstance(node, ast.Compare):
            yield from _comparison(node)
        elif isinstance(node, ast.BoolOp):
            yield from _bool(node)
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            yield Change("negate", node.test, f"not ({ast.unparse(node.test)})")
        elif isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp):
            yield from _filters(node)
        elif isinstance(node, ast.Constant):
            yield from _constant(node, states)
        elif isinstance(node, ast.Name | ast.Subscript):
            yield from _named_constant(code, node)
        elif isinstance(node, ast.BinOp | ast.AugAssign):
            yield from _arithmetic(node)
        elif isinstance(node, ast.Call):
            yield from _call(node)
        elif isinstance(node, ast.Attribute) and node.attr == "days":
            yield Change("shift-date", node, f"({ast.unparse(node)} + 1)")
        elif isinstance(node, ast.Return) and code.name in domain.rules and node.value is not None:
            yield Change("negate", node.value, f"not ({ast.unparse(node.value)})")
        if in_body and isinstance(node, ast.stmt):
            yield from _statement(code, node, domain)


def _comparison(node: ast.Compare) -> Iterator[Change]:
    for number, operator in enumerate(node.ops):
        other = _COMPARISONS.get(type(operator))
        if other is not None:
            changed = copy.deepcopy(node)
            changed.ops[number] = other()
            yield Change("comparison", node, ast.unparse(changed))


def _bool(node: ast.BoolOp) -> Iterator[Change]:
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield Change("and-or", node, ast.unparse(ast.BoolOp(op=other, values=node.values)))
    for number in range(len(node.values)):
        rest = [v for n, v in enumerate(node.values) if n != number]
        fewer = rest[0] if len(rest) == 1 else ast.BoolOp(op=node.op, values=rest)
        yield Change("drop-condition", node, ast.unparse(fewer))


def _filters(
    node: ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp,
) -> Iterator[Change]:
    for number, generator in enumerate(node.generators):
        for index, condition in enumerate(generator.ifs):
            changed = copy.deepcopy(node)
            del changed.generators[number].ifs[index]
            yield Change("widen-query", node, ast.unparse(changed))
            yield Change("negate", condition, f"not ({ast.unparse(condition)})")


def _constant(node: ast.Constant, states: Mapping[str, str]) -> Iterator[Change]:
    if type(node.value) is int:
        yield Change("constant", node, str(node.value + 1))
    elif isinstance(node.value, str) and node.value in states:
        yield Change("swap-state", node, repr(states[node.value]))
    elif isinstance(node.value, bool):
        yield Change("constant", node, repr(not node.value))


def _named_constant(code: Code, node: ast.Name | ast.Subscript) -> Iterator[Change]:
    """`MAX_LOANS` and `MAX_LOANS[tier]` one larger, where they are used."""
    value: Any = None
    if isinstance(node, ast.Name) and node.id.isupper():
        value = code.resolve(node.id)
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        table = code.resolve(node.value.id) if node.value.id.isupper() else None
        value = next(iter(table.values()), None) if isinstance(table, dict) else None
    if type(value) is int and isinstance(node.ctx, ast.Load):
        yield Change("constant", node, f"({ast.unparse(node)} + 1)")


def _arithmetic(node: ast.BinOp | ast.AugAssign) -> Iterator[Change]:
    other: ast.operator | None = None
    if isinstance(node.op, ast.Add):
        other = ast.Sub()
    elif isinstance(node.op, ast.Sub):
        other = ast.Add()
    operands = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.value]
    texts = (ast.List, ast.Tuple, ast.JoinedStr)
    if other is None or any(isinstance(o, texts) for o in operands):
        return
    changed = copy.deepcopy(node)
    changed.op = other
    yield Change("flip-sign", node, ast.unparse(changed))


def _call(node: ast.Call) -> Iterator[Change]:
    function = node.func
    if isinstance(function, ast.Name) and function.id in _SWAPS:
        changed = copy.deepcopy(node)
        changed.func = ast.Name(id=_SWAPS[function.id], ctx=ast.Load())
        yield Change("any-all", node, ast.unparse(changed))
    if isinstance(function, ast.Name) and function.id == "timedelta":
        for keyword in node.keywords:
            yield Change("shift-date", keyword.value, f"({ast.unparse(keyword.value)}) + 1")
    if isinstance(function, ast.Attribute) and function.attr in ("create", "all", "one"):
        operator = "drop-field" if function.attr == "create" else "widen-query"
        for number in range(len(node.keywords)):
            changed = copy.deepcopy(node)
            del changed.keywords[number]
            yield Change(operator, node, ast.unparse(changed))


def _statement(code: Code, node: ast.stmt, domain: Domain) -> Iterator[Change]:
    """A write that is skipped, an error that is not raised, a write to another row."""
    if isinstance(node, ast.Assign):
        yield from _assignment(node)
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute):
        yield Change("skip-write", node, "pass")
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield Change("skip-write", node, "pass")
    if isinstance(node, ast.Raise):
        yield Change("skip-error", node, "pass")
    if isinstance(node, ast.Assign | ast.AugAssign):
        yield from _wrong_row(code, node, domain)


def _assignment(node: ast.Assign) -> Iterator[Change]:
    targets = [t for t in node.targets if _writes(t)]
    if not targets:
        return
    if len(node.targets) == 1 and not isinstance(node.targets[0], ast.Tuple):
        yield Change("skip-write", node, "pass")
        return
    for number, target in enumerate(node.targets):
        if len(node.targets) > 1:
            rest = [t for n, t in enumerate(node.targets) if n != number]
            yield Change("skip-write", node, ast.unparse(_assign(rest, node.value)))
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            for index, part in enumerate(target.elts):
                if isinstance(part, ast.Attribute):
                    left = [e for n, e in enumerate(target.elts) if n != index]
                    right = [e for n, e in enumerate(node.value.elts) if n != index]
                    fewer = _assign([_tuple(left, ast.Store())], _tuple(right, ast.Load()))
                    yield Change("skip-write", node, ast.unparse(fewer))


def _assign(targets: list[ast.expr], value: ast.expr) -> ast.Assign:
    return ast.Assign(targets=targets, value=value, lineno=1)


def _tuple(parts: list[ast.expr], context: ast.expr_context) -> ast.expr:
    return parts[0] if len(parts) == 1 else ast.Tuple(elts=parts, ctx=context)


def _writes(target: ast.expr) -> bool:
    return any(isinstance(n, ast.Attribute) for n in ast.walk(target))


def _wrong_row(code: Code, node: ast.Assign | ast.AugAssign, domain: Domain) -> Iterator[Change]:
    """`loan.due_on = …` written to the first loan of all."""
    if isinstance(code.node, ast.Lambda):
        return
    arguments = {a.arg: a.annotation for a in code.node.args.args}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        for part in target.elts if isinstance(target, ast.Tuple) else [target]:
            base = part.value if isinstance(part, ast.Attribute) else None
            if not isinstance(base, ast.Name) or "db" not in arguments:
                continue
            annotation = arguments.get(base.id)
            name = ast.unparse(annotation).strip("'\"") if annotation is not None else ""
            if name in domain.entities:
                yield Change("wrong-row", base, f"db.all({name})[0]")
