"""What a system's file of words leaves out, inferred from its schemas and from what runs showed.

A tool that lists things makes a noun; an argument that is called as a field of such things is one
of them; a name is read as words. Strict on purpose: an argument without a source is left unbound,
so that its tool is not asked for, rather than called with a guess.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

from ..environment import ToolSpec
from .experience import Experience, Guide, remember
from .labels import speakable
from .lexicon import Arg, FieldWords, Lexicon, Noun, ToolWords

_LABELS = ("name", "title", "subject", "label", "filename", "username", "key", "value", "text")
_QUOTED = re.compile(r"'([^']{1,60})'|\"([^\"]{1,60})\"|`([^`]{1,60})`")
_LISTING = ("list", "get", "search", "find", "show", "read", "view", "fetch", "all", "the", "of")
_FREE = ("message", "content", "text", "body", "description", "note", "comment", "query")


def completed(
    lexicon: Lexicon, tools: Sequence[ToolSpec], experience: Experience, initial: Any
) -> Lexicon:
    """The lexicon with nouns, sources and wordings inferred where it has none.

    Args:
        initial: the canonical initial state: values of an argument's name in it may be stated.
    """
    words = dict(lexicon.tools)
    nouns = dict(lexicon.nouns)
    unknown = [tool for tool in tools if tool.name not in words]
    if not unknown:
        return lexicon
    leaves = leaves_of(initial)
    for tool in unknown:
        words[tool.name] = _listing(tool, experience.known(tool.name), nouns)
    for tool in unknown:
        words[tool.name] = _worded(tool, words[tool.name], nouns, experience, leaves)
    return lexicon.model_copy(update={"tools": words, "nouns": nouns})


def tokens(name: str) -> list[str]:
    """The words of a tool's or argument's name: `getUserID` is get, user, id."""
    return list(_tokens(name))


@lru_cache(4096)
def _tokens(name: str) -> tuple[str, ...]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    return tuple(word.casefold() for word in re.split(r"[\s_\-./]+", spaced) if word)


def _listing(tool: ToolSpec, guide: Guide, nouns: dict[str, Noun]) -> ToolWords:
    """Whether a tool lists things, by what its results have shown."""
    shown = guide.shows
    label = next((name for name in _LABELS if len(shown.get(name, ())) > 1), None)
    if not tool.annotations["readOnlyHint"] or label is None:
        return ToolWords()
    noun = _singular(" ".join(t for t in tokens(tool.name) if t not in _LISTING)) or "item"
    fields = {
        name: FieldWords(name=" ".join(tokens(name)), type=_type_of(values))
        for name, values in shown.items()
        if name != label and not name.casefold().endswith("id")
    }
    nouns.setdefault(noun, Noun(label=(label,), fields=fields))
    return ToolWords(rows=noun, reads=True)


def _singular(noun: str) -> str:
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun.removesuffix("s") if not noun.endswith("ss") else noun


def _type_of(values: Sequence[Any]) -> Any:
    if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return "whole"
    return "number" if all(isinstance(value, int | float) for value in values) else "text"


def leaves_of(state: Any) -> dict[str, list[Any]]:
    """Patterns of the paths to plain values in a state, with some of the values there."""
    leaves: dict[str, list[Any]] = {}

    def walk(place: Any, path: str, depth: int) -> None:
        if isinstance(place, Mapping | list) and depth < MAX_DEPTH:
            keyed = place.items() if isinstance(place, Mapping) else enumerate(place)
            inner = list(keyed)[:MAX_WIDTH]
            starred = isinstance(place, list) or _is_table(place)
            if starred and isinstance(place, Mapping):
                remember(leaves, f"{path}/*key".lstrip("/"), [str(key) for key, _ in inner])
            for key, value in inner:
                walk(value, f"{path}/{'*' if starred else key}".lstrip("/"), depth + 1)
        elif isinstance(place, str | int | float) and not isinstance(place, bool):
            remember(leaves, path, [place])

    walk(state, "", 0)
    return leaves


MAX_DEPTH, MAX_WIDTH = 6, 30
"""How deep, and how many items of each level, a state is looked through for values."""


def _is_table(place: Mapping[str, Any]) -> bool:
    """Whether an object's keys name things, rather than fields: its values are of one form."""
    values = list(place.values())
    if len(values) > 1 and all(isinstance(value, Mapping) for value in values):
        return bool(set.intersection(*map(set, values)))
    return any(not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", str(key)) for key in place)


def _worded(
    tool: ToolSpec, words: ToolWords, nouns: Mapping[str, Noun], experience: Experience,
    leaves: Mapping[str, Sequence[Any]],
) -> ToolWords:  # fmt: skip
    """Sources for the arguments of a tool, and a phrase out of its name."""
    args = {
        name: _source(tool, name, schema, nouns, experience, leaves)
        for name, schema in tool.parameters["properties"].items()
        if name in tool.parameters.get("required", ())
    }
    known = {name: arg for name, arg in args.items() if arg is not None}
    complete = len(known) == len(args) or all(
        "enum" in tool.parameters["properties"][name] for name in set(args) - set(known)
    )
    updates: dict[str, Any] = {"args": known}
    if not complete:
        updates["uncoverable"] = ""
    if words.rows:
        updates["scope"] = " ".join(_behind(name, arg) for name, arg in args.items())
    elif complete and not tool.annotations["readOnlyHint"]:
        changes = _changes(tool, experience, leaves)
        updates["args"] = {**known, **changes}
        updates["at_least"] = tuple(changes)
        updates["say"] = (_phrase(tool, args) + _optional(changes),)
        updates["makes"] = next((noun for noun in nouns if _creates(tool, noun)), "")
    return words.model_copy(update=updates)


def _changes(
    tool: ToolSpec, experience: Experience, leaves: Mapping[str, Sequence[Any]]
) -> dict[str, Arg]:
    """Sources for what a tool may change of a thing: optional arguments, one of which it needs."""
    if tokens(tool.name)[0] not in _CHANGING:
        return {}
    sources = {
        name: _own_source(tool, name, schema, experience, leaves)
        for name, schema in tool.parameters["properties"].items()
        if name not in tool.parameters.get("required", ())
    }
    return {name: arg for name, arg in sources.items() if arg is not None}


def _optional(args: Mapping[str, Arg]) -> str:
    return "".join(f"[ {_behind(name, None)}]" for name in args)


def _source(
    tool: ToolSpec, name: str, schema: Mapping[str, Any], nouns: Mapping[str, Noun],
    experience: Experience, leaves: Mapping[str, Sequence[Any]],
) -> Arg | None:  # fmt: skip
    """Where values of an argument may come from; None: nobody knows."""
    if "enum" in schema:
        return Arg()
    found = _field_called(name, tool, nouns, experience)
    if found is None:
        return _own_source(tool, name, schema, experience, leaves)
    noun, field = found
    if not _creates(tool, noun):
        return Arg(of=noun, field=field)
    if field in nouns[noun].label:
        return Arg(one_of=_PEOPLE if set(noun.split()) & set(_PERSONS) else _TITLES)
    return _own_source(tool, name, schema, experience, leaves)


def _own_source(
    tool: ToolSpec, name: str, schema: Mapping[str, Any], experience: Experience,
    leaves: Mapping[str, Sequence[Any]],
) -> Arg | None:  # fmt: skip
    """Where values that are of no known thing may come from; None: nobody knows."""
    if "enum" in schema:
        return Arg()
    examples = schema.get("examples") or ([schema["default"]] if "default" in schema else [])
    mined = experience.known(tool.name).mined.get(name)
    if mined or examples:
        return Arg(one_of=tuple(mined or examples))
    pattern = _leaf_called(name, schema, leaves)
    if pattern:
        return Arg(state=pattern)
    if schema.get("type") in ("integer", "number"):
        return _some_number(schema)
    if schema.get("type") == "boolean":
        return Arg(choice={"true": "yes", "false": "no"})
    if schema.get("type") == "string" and tokens(name)[-1:] and tokens(name)[-1] in _FREE:
        return Arg(one_of=_PLAIN_TEXTS)
    return None


def _some_number(schema: Mapping[str, Any]) -> Arg | None:
    """A small whole number within the limits of a schema, if there is one."""
    low = max(schema.get("minimum", -math.inf), schema.get("exclusiveMinimum", -math.inf) + 1)
    high = min(schema.get("maximum", math.inf), schema.get("exclusiveMaximum", math.inf) - 1)
    if math.isinf(low):
        low = min(1, high)
    first, last = math.ceil(low), math.floor(min(high, low + 19))
    return Arg(whole=(first, last)) if first <= last else None


def _creates(tool: ToolSpec, noun: str) -> bool:
    """Whether a tool makes a new thing of a kind, by its name."""
    verb, *rest = tokens(tool.name) or [""]
    return verb in _CREATING and [_singular(word) for word in rest] == noun.split()


def _leaf_called(name: str, schema: Mapping[str, Any], leaves: Mapping[str, Sequence[Any]]) -> str:
    """The place in the state where values are called as an argument is, and can be said."""
    wanted = [_singular(word) for word in tokens(name)]
    for pattern, values in leaves.items():
        parts = [part for part in pattern.split("/") if part not in ("*", "*key")]
        if not parts or not any(speakable(value) for value in values):
            continue
        if schema.get("type") == "string" and not all(isinstance(v, str) for v in values):
            continue
        path = [_singular(word) for part in parts for word in tokens(part)]
        last = [_singular(word) for word in tokens(parts[-1])]
        keys = pattern.endswith("*key")
        if wanted == last or (len(wanted) > 1 and wanted == path[-len(wanted) :]):
            return pattern
        if keys and (set(wanted) & set(last) or "path" in wanted):
            return pattern
    return ""


_PLAIN_TEXTS = (
    "The delivery arrives on Thursday morning",
    "Please bring the signed copies",
    "The figures for last month are complete",
    "We meet in the small room at ten",
    "The new keys are at the front desk",
    "Lunch is ordered for twelve people",
)


def _field_called(
    name: str, tool: ToolSpec, nouns: Mapping[str, Noun], experience: Experience
) -> tuple[str, str] | None:
    """The noun, and the field of its rows, that an argument's name means."""
    wanted, spoken = _tokens(name), _tokens(tool.name)
    best: tuple[float, str, str] = (0.0, "", "")
    for other, guide in experience.guides.items():
        noun = _singular(" ".join(t for t in tokens(other) if t not in _LISTING))
        if noun not in nouns or not guide.shows:
            continue
        for field in guide.shows:
            likeness = _likeness(wanted, _tokens(field), tuple(noun.split()), spoken)
            best = max(best, (likeness, noun, field))
    return None if best[0] < 0.75 else best[1:]


@lru_cache(4096)
def _likeness(
    wanted: tuple[str, ...], field: tuple[str, ...], noun: tuple[str, ...], tool: tuple[str, ...]
) -> float:
    """How well an argument `project_id` or `name` fits a field `id` of projects."""
    full = (*noun, *field)
    if wanted in (full, field):
        # A project's `project_id` rather than the `project_id` of one of its tasks.
        if set(noun) & set(wanted):
            return 1.0
        if set(noun) & set(tool):
            return 0.97
        if len(field) > 1:
            return 0.95
    return 0.9 * SequenceMatcher(None, " ".join(wanted), " ".join(full)).ratio()


def _phrase(tool: ToolSpec, args: Mapping[str, Arg | None]) -> str:
    """A request out of a tool's name, arguments put where the name speaks of them."""
    verb, *spoken = tokens(tool.name)
    left = list(args)
    parts: list[str] = []
    for word in spoken:
        name = next((name for name in left if word in tokens(name)), None)
        if name is None:
            parts.append(word)
            continue
        left.remove(name)
        thing = _noun_of(args[name])
        parts.append("{" + name + "}" if word in thing.split() else f"{word} {_place(name)}")
    if parts and len(left) == len(args) and not _SMALL & set(spoken) and spoken[-1][-1:] != "s":
        parts.insert(0, _article(verb, parts[0]))
    for name in left:
        parts.append("for {" + name + "}" if _noun_of(args[name]) else _behind(name, None))
    return " ".join([f"{verb}/{_past(verb)}", *parts])


def _behind(name: str, arg: Arg | None) -> str:
    """What tells, behind a list's things, what the list was asked with."""
    if _noun_of(arg):
        return "of {" + name + "}"
    return f"with the {' '.join(tokens(name))} {_place(name)}"


def _noun_of(arg: Arg | None) -> str:
    return "" if arg is None else arg.of or ""


def _place(name: str) -> str:
    """Where an argument's value stands; sentences are quoted."""
    place = "{" + name + "}"
    return f'"{place}"' if tokens(name)[-1:] and tokens(name)[-1] in _FREE else place


def _article(verb: str, noun: str) -> str:
    if verb not in _CREATING:
        return "the"
    return "an" if noun[:1] in "aeiou" else "a"


def _past(verb: str) -> str:
    """What stands behind "I've"."""
    if verb in _PAST:
        return _PAST[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    if re.fullmatch(r".*[^aeiou]y", verb):
        return f"{verb[:-1]}ied"
    short = re.fullmatch(r"[^aeiou]*[aeiou][bdgklmnprt]", verb)
    return f"{verb}{verb[-1]}ed" if short else f"{verb}ed"


_PAST = {
    "set": "set", "send": "sent", "put": "put", "make": "made", "write": "written", "run": "run",
    "get": "got", "cancel": "cancelled", "begin": "begun", "take": "taken", "give": "given",
    "let": "let", "cut": "cut", "buy": "bought", "sell": "sold", "pay": "paid", "find": "found",
    "leave": "left", "do": "done", "go": "gone", "read": "read", "reset": "reset",
    "submit": "submitted", "withdraw": "withdrawn", "undo": "undone", "rebuild": "rebuilt",
    "build": "built", "hold": "held", "keep": "kept", "bring": "brought", "choose": "chosen",
}  # fmt: skip
_CREATING = (
    "add", "create", "make", "write", "new", "insert", "register", "open", "start", "post", "send",
    "book", "schedule", "draft", "record", "submit",
)  # fmt: skip
_CHANGING = ("update", "edit", "change", "modify", "set", "adjust")
_SMALL = {"in", "out", "up", "off", "on", "to", "from", "all", "my", "a", "the", "back", "down"}
_PERSONS = ("person", "user", "contact", "customer", "member", "employee", "patient", "guest")
_PEOPLE = ("Tilda Quast", "Ulf Reh", "Vera Sommer", "Wim Tanne", "Yara Ulme", "Zeno Vogel")
_TITLES = (
    "Harbour walk", "Spring fair", "Kitchen repairs", "Reading circle", "Roof garden",
    "Winter stock", "Summer trip", "Office move",
)  # fmt: skip


# -- errors --------------------------------------------------------------------------------------


def mine(guide: Guide, arguments: Mapping[str, Any], error: str) -> None:
    """Remember what an error offers: the quoted values beside the one that it complains of."""
    quoted = ["".join(found) for found in _QUOTED.findall(error)]
    said = set(tokens(re.sub(r"[^\w\s]", " ", error)))
    for name, value in arguments.items():
        spoken = str(value) in quoted or bool(said & set(tokens(name)))
        offered = [q for q in quoted if q != str(value) and q != name]
        if spoken and offered:
            remember(guide.mined, name, offered)


def enabler_named(error: str, tool: str, tools: Sequence[str]) -> str:
    """The tool that an error asks for, by the words of its name; "" where it asks for none."""
    said = set(tokens(re.sub(r"[^\w\s]", " ", error)))
    best, chosen = (0.0, 0), ""
    for other in tools:
        if other == tool:
            continue
        named = tokens(other)
        if re.search(rf"(?<!\w){re.escape(other)}(?!\w)", error, re.IGNORECASE):
            return other
        share = sum(_is_said(word, said) for word in named) / max(1, len(named))
        if (share, len(named)) > best:
            best, chosen = (share, len(named)), other
    return chosen if best[0] == 1 else ""


def _is_said(word: str, said: set[str]) -> bool:
    """Whether a word is said in some form: `lock` in "locked"."""
    return word in said or (len(word) > 3 and any(other.startswith(word[:5]) for other in said))
