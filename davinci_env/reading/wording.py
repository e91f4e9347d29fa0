"""Pieces of records in plain words: calls, values, results, changes, checks, evidence.

Everything comes out as text without control characters: what a model said may hold any, and neither
a terminal nor a page may obey it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from davinci_env.records import (
    AskedCheck,
    DeclinedCheck,
    FrameCheck,
    LookedUpCheck,
    NotCalledCheck,
    OrderCheck,
    PolicyCheck,
    ProposedCheck,
    RuleNamedCheck,
    SlotsCheck,
    StateCheck,
    TerminalCheck,
)

ROWS: Final = 3
"""Rows of a list that a shortened result shows."""

ITEMS: Final = 8
"""Names that a list in one line shows."""

_UNSHOWN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters, escape codes among them
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # reversals of the direction of writing
    "\u2028\u2029\ufeff\ud800-\udfff]"  # other line ends, byte order marks, halves of pairs
)


def clean(text: str) -> str:
    """Replace every character that would do something instead of being seen."""
    return _UNSHOWN.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def value(given: Any) -> str:
    """A value in one line: texts as they are, – for nothing, the rest as JSON."""
    if given is None:
        return "–"
    if isinstance(given, str):
        return clean(" ".join(given.split())) or '""'
    return clean(json.dumps(given, ensure_ascii=False))


def call(tool: str, arguments: Mapping[str, Any]) -> str:
    """A call as programmers write it: `pay_fine(fine_id="FN-00028", amount=200)`."""
    said = ", ".join(
        f"{name}={json.dumps(given, ensure_ascii=False)}" for name, given in arguments.items()
    )
    return clean(f"{tool}({said})")


def listed(names: Sequence[str]) -> str:
    """Names in one line, the first of many."""
    more = f" and {len(names) - ITEMS} more" if len(names) > ITEMS else ""
    return ", ".join(map(value, names[:ITEMS])) + more


def described(given: Any) -> str:
    """A fact, or the value of a correction: a row by what people say of it, others as they are."""
    match given:
        case {"row": {"entity": entity, "partner": partner}}:
            return f"{clean(str(entity))} that goes with {described({'row': partner})}"
        case {"of": row, "column": column}:
            return f"{clean(str(column))} of {described({'row': row})}"
        case {"row": {"entity": entity, "fields": fields}}:
            said = ", ".join(map(value, fields.values()))
            return f"{clean(entity)} ({said})" if said else clean(entity)
        case {"rows": list(rows)}:
            return ", ".join(described({"row": row}) for row in rows)
        case {"every": row}:
            return f"every {described({'row': row})}"
        case {"value": inner}:
            return value(inner)
    return value(given)


# -- results ---------------------------------------------------------------------------------------


def outline(result: Any) -> list[str]:
    """A result in a few lines: its plain fields, then each list with its first rows."""
    if not isinstance(result, Mapping):
        return [value(result)]
    plain = {k: v for k, v in result.items() if v is not None and not _nested(v)}
    lines = [_fields(plain)] if plain else []
    for name, inner in result.items():
        if isinstance(inner, Mapping):
            lines.append(f"{clean(name)}: {_fields(inner)}")
        elif _nested(inner):
            lines += _rows(clean(name), inner)
    return lines or ["nothing"]


def whole(result: Any) -> str:
    """A result as indented JSON."""
    return clean(json.dumps(result, indent=2, ensure_ascii=False))


def _nested(inner: Any) -> bool:
    """Whether a value is a record, or a list of records."""
    if isinstance(inner, Mapping):
        return True
    return isinstance(inner, list) and any(isinstance(item, Mapping) for item in inner)


def _rows(name: str, rows: list[Any]) -> Iterator[str]:
    """A list: its length and what all its rows share, then the first rows with the rest."""
    records = [row for row in rows if isinstance(row, Mapping)]
    shared = _shared(records) if len(records) == len(rows) > 1 else {}
    yield f"{name}: {len(rows)}" + (f", all {_fields(shared)}" if shared else "")
    for row in rows[:ROWS]:
        own = {k: v for k, v in row.items() if k not in shared} if row in records else row
        yield f"  {_fields(own) if isinstance(own, Mapping) else value(own)}"
    if len(rows) > ROWS:
        yield f"  … {len(rows) - ROWS} more"


def _shared(rows: list[Mapping[str, Any]]) -> dict[str, Any]:
    """The fields that have the same value in every row."""
    first, *others = rows
    return {
        name: told
        for name, told in first.items()
        if told is not None and all(name in row and row[name] == told for row in others)
    }


def _fields(row: Mapping[str, Any]) -> str:
    """The fields of a record that have a value."""
    told = [f"{clean(name)} {value(v)}" for name, v in row.items() if v is not None]
    return " · ".join(told) or "nothing"


# -- changes ---------------------------------------------------------------------------------------


def change(changed: Any) -> tuple[str, str]:
    """One changed row: `~`, `+` or `−` with its table and key; and its cells, before → after.

    Args:
        changed: `[table, key, op, cells]`, as steps and final states have it.
    """
    table, key, op, cells = changed
    sign = {"+": "+", "-": "−"}.get(op, "~")
    if op == "~":
        told = [f"{column} {value(old)} → {value(new)}" for column, (old, new) in cells.items()]
    else:
        told = [f"{column} {value(v)}" for column, v in cells.items() if v is not None]
    return f"{sign} {value(table)} {value(key)}", clean(", ".join(told))


# -- checks and evidence ---------------------------------------------------------------------------


def check(form: Any) -> str:
    """What a requirement looks at, in one line."""
    match form:
        case StateCheck():
            count = len(form.expected)
            return f"{count} value{'s' if count != 1 else ''} of the final state against the goal"
        case TerminalCheck():
            return f"the whole final state is the recorded one, {form.terminal[:12]}"
        case FrameCheck(allow="goal"):
            return "no cell may differ but those that the goal changes"
        case FrameCheck():
            return "no cell may differ"
        case SlotsCheck():
            return listed([f"{slot.name} ({slot.type})" for slot in form.slots])
        case RuleNamedCheck():
            return f"rule {form.rule}: {_groups(form.concepts)}"
        case DeclinedCheck():
            return f"says no: {_groups(form.concepts)}" if form.concepts else "says no"
        case LookedUpCheck():
            seen = listed([f"{table} {key}" for table, key in form.rows])
            refused = f", or refused with {form.or_refused}" if form.or_refused else ""
            return f"seen: {seen}{refused}"
        case AskedCheck():
            return f"asked for {form.fact} before the first write"
        case ProposedCheck():
            return f"{form.answer}: {call(form.tool, form.arguments)}"
        case OrderCheck():
            return " then ".join(call(one.tool, one.arguments) for one in form.calls)
        case NotCalledCheck():
            return f"never {listed(form.tools)}"
        case PolicyCheck():
            return "no rule of the agent's own broken"
    raise AssertionError(form)


def _groups(concepts: tuple[tuple[str, ...], ...]) -> str:
    """Groups of words of which one each has to be met."""
    return " and ".join(" / ".join(group[:ITEMS]) for group in concepts)


def evidence(form: Any, found: Any) -> list[str]:
    """What a verdict shows of a failure, in lines; the message itself is not said again."""
    if not isinstance(found, Mapping):
        return [] if found is None else [value(found)]
    if isinstance(form, StateCheck) and isinstance(found.get("expected"), Mapping):
        return [
            f"expected {value(wanted)} from {_source(form, name)}"
            for name, wanted in found["expected"].items()
        ]
    lines = []
    for name, inner in found.items():
        if name == "message" or inner is None or inner in ([], {}, ""):
            continue
        if _nested(inner) and isinstance(inner, list):
            lines += [f"{name}: {_fields(row)}" for row in inner]
        elif isinstance(inner, Mapping):
            lines.append(f"{name}: {_fields(inner)}")
        else:
            lines.append(f"{name}: {value(inner)}")
    return lines


def _source(form: StateCheck, name: str) -> str:
    """Where an expected value comes from."""
    source = form.expected.get(name)
    if source is None:
        return name
    return value(source.query.replace('"', "")) if source.call is None else source.call.tool


def figures(shown: Any) -> str:
    """What a claim of a certificate rests on: counts and names."""
    if not isinstance(shown, Mapping):
        return value(shown)
    told = []
    for name, inner in shown.items():
        if isinstance(inner, list):
            many = f"{len(inner)} " if len(inner) > ITEMS else ""
            told += [f"{many}{clean(name)}: {listed(list(map(str, inner)))}"] if inner else []
        elif inner is not True:
            told.append(f"{clean(name)} {value(inner)}")
    return "; ".join(told) or "shown"
