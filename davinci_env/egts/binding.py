"""Binding: every argument of a call gets a value with an origin that a request can carry.

A value is stated by the user, or found through a label that the user states, or picked by
comparison, or returned by an earlier call. What has to be looked up is looked up here, by calls of
its own (the means). Nothing is taken from anywhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .evidence import Row, Unfound, at, comparable, field_of, fits, fitted, in_order, picked
from .lexicon import Arg
from .model import Composed, Fixed, OfRow, Origin, Picked, Returned, Several, Stated
from .scene import Focus, Scene, Stuck
from .sources import draw, drawable, spoken_of
from .templates import sayable

MAX_DEPTH = 4
"""How many calls deep looking up may go."""

STAY = 0.8
"""How often a wish is about what the episode speaks of already, where it can be."""

PICK = 0.3
"""How often a row is picked by comparison, where people do that."""

MOST_CHOICES = 8
"""How often the optional arguments of a call are chosen anew, for lack of words."""

_ANY = Arg()


class Binder:
    """Binds the arguments of one scene's calls."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.stay = STAY
        self._same: dict[str, Focus] | None = None
        """While an object is bound: of which row its properties are, by noun."""

    def bind(self, tool: str, depth: int = 0) -> tuple[dict[str, Any], dict[str, Origin]]:
        """Arguments for a tool, with their origins; calls what is needed for them.

        Raises:
            Stuck: some argument can't be had.
        """
        if depth > MAX_DEPTH:
            raise Stuck("too-deep", tool)
        outer, self._same = self._same, None
        try:
            self.enable(tool, depth)
            return self._bound(tool, depth)
        finally:
            self._same = outer

    def _bound(self, tool: str, depth: int) -> tuple[dict[str, Any], dict[str, Origin]]:
        parameters = self.scene.tools[tool].parameters
        values: dict[str, Any] = {}
        origins: dict[str, Origin] = {}
        for name in self._order(tool, self._wanted(tool, parameters)):
            schema = parameters["properties"][name]
            arg = self.scene.arg(tool, name)
            value, origins[name] = self._value(tool, name, arg, schema, values, depth)
            values[name] = fitted(value, schema)
        return values, origins

    def enable(self, tool: str, depth: int) -> None:
        """Call what the tool needs to have been called before."""
        for needed in self.scene.words(tool).needs:
            if needed not in self.scene.tools:
                continue
            if not any(seen.tool == needed for seen in self.scene.calls):
                values, origins = self.bind(needed, depth + 1)
                self.scene.call(needed, values, origins, "means")

    def _wanted(self, tool: str, parameters: Mapping[str, Any]) -> list[str]:
        """The required arguments, and some of the others, such that there are words for them."""
        for _ in range(MOST_CHOICES):
            wanted = self._some(tool, parameters)
            if sayable(self.scene.words(tool), wanted):
                break
        return wanted

    def _some(self, tool: str, parameters: Mapping[str, Any]) -> list[str]:
        words, rng = self.scene.words(tool), self.scene.rng
        required = parameters.get("required", ())
        wanted = [
            name
            for name in parameters["properties"]
            if name in required or (name in words.args and rng.random() < words.args[name].often)
        ]
        if words.at_least and not set(words.at_least) & set(wanted):
            wanted.append(rng.choice(words.at_least))
        return wanted

    def _order(self, tool: str, names: Sequence[str]) -> list[str]:
        """Objects and rows first, then what is drawn; what speaks of others comes after these."""

        def rank(name: str) -> int:
            arg = self.scene.arg(tool, name)
            if self._is_object(tool, name):
                return -1  # what it belongs to may then be what its rows were found in
            return 3 if arg.after else 0 if arg.of else 2 if arg.one_of is not None else 1

        ordered: list[str] = []

        def put(name: str, within: tuple[str, ...]) -> None:
            if name in names and name not in (*ordered, *within):
                for other in sorted(spoken_of(self.scene.arg(tool, name), self.scene.lexicon)):
                    put(other, (*within, name))
                ordered.append(name)

        for name in sorted(names, key=rank):
            put(name, ())
        return ordered

    def _value(
        self, tool: str, name: str, arg: Arg, schema: Mapping[str, Any],
        bound: Mapping[str, Any], depth: int,
    ) -> tuple[Any, Origin]:  # fmt: skip
        if self._is_object(tool, name):
            return self._object(tool, name, schema, bound, depth)
        if arg.value is not None:
            return arg.value, Fixed(fixed=arg.value)
        if arg.result is not None:
            return self._returned(arg.result, depth)
        if arg.many is not None:
            return self._several(tool, name, arg, schema, bound, depth)
        if arg.of is not None:
            return self._row_field(tool, name, arg, depth)
        if not drawable(arg, schema):
            raise Stuck("no-source", f"{tool}.{name}")
        spoken = {**self._labels(), **bound}
        try:
            value = draw(arg, schema, self.scene.lexicon, self.scene.environment.initial_state,
                         self.scene.rng, spoken, self.scene.facts.values())  # fmt: skip
        except LookupError as error:
            raise Stuck("no-value", f"{tool}.{name}: {error}") from error
        value = fitted(value, schema)
        return value, Stated(fact=self.scene.state_fact(value))

    def _is_object(self, tool: str, name: str) -> bool:
        """Whether the properties of an argument have sources of their own."""
        return any(known.startswith(f"{name}.") for known in self.scene.words(tool).args)

    def _object(
        self, tool: str, name: str, schema: Mapping[str, Any], bound: Mapping[str, Any], depth: int
    ) -> tuple[Any, Origin]:
        """An object, or a list of one, whose properties have sources of their own. Those that are
        of one noun are of the same row.
        """
        properties = schema.get("items", schema)["properties"]
        known = self.scene.words(tool).args
        parts = [f"{name}.{part}" for part in properties if f"{name}.{part}" in known]
        values: dict[str, Any] = {}
        origins: dict[str, Origin] = {}
        self._same = {}
        try:
            for part in self._order(tool, parts):
                inner = properties[part.removeprefix(f"{name}.")]
                arg, spoken = self.scene.arg(tool, part), {**bound, **values}
                value, origins[part] = self._value(tool, part, arg, inner, spoken, depth)
                values[part] = fitted(value, inner)
        finally:
            self._same = None
        made = {part.removeprefix(f"{name}."): value for part, value in values.items()}
        origin = Composed(parts={p.removeprefix(f"{name}."): o for p, o in origins.items()})
        return ([made], Several(items=(origin,))) if "items" in schema else (made, origin)

    def _labels(self) -> dict[str, Any]:
        """The labels of what the episode speaks of, by noun."""
        labels: dict[str, Any] = {}
        for focus in self.scene.focus:
            if len(focus.by) == 1:
                labels[focus.noun] = self.scene.facts[next(iter(focus.by.values()))]
        return labels

    def _several(
        self, tool: str, name: str, arg: Arg, schema: Mapping[str, Any],
        bound: Mapping[str, Any], depth: int,
    ) -> tuple[Any, Origin]:  # fmt: skip
        assert arg.many is not None
        one = arg.model_copy(update={"many": None})
        items: list[tuple[Any, Origin]] = []
        seen: dict[str, Any] = dict(bound)
        wanted = self.scene.rng.randint(*arg.many)
        for number in range(3 * wanted):  # the same may come again
            if len(items) == wanted:
                break
            try:
                value, origin = self._value(tool, name, one, schema.get("items", {}), seen, depth)
            except Stuck:
                if not items:
                    raise
                break
            if all(value != known for known, _ in items):
                items.append((value, origin))
                seen[f"#{number}"] = value
        if len(items) < arg.many[0]:
            raise Stuck("no-value", f"{tool}.{name}: {len(items)} are too few")
        return [value for value, _ in items], Several(items=tuple(origin for _, origin in items))

    def _returned(self, place: str, depth: int) -> tuple[Any, Origin]:
        """What a call returned. What is looked up by something that the user states is looked up
        for this argument; what else reading gave holds until something is changed, and what a
        change gave, such as a token, from then on.
        """
        tool, _, path = place.partition("/")
        reads, made = self.scene.reads(tool), reversed(range(len(self.scene.calls)))
        asked = self.scene.tools[tool].parameters.get("required", ())
        spoken = reads and any(not self.scene.arg(tool, name).silent for name in asked)
        known = () if spoken else self.scene.steps_since_write() if reads else made
        found = (number for number in known if self.scene.calls[number].tool == tool)
        number = next(found, None)
        if number is None:
            number = self.look_up(tool, depth)
        try:
            return at(self.scene.calls[number].result, path), Returned(step=number, path=path)
        except Unfound as error:
            raise Stuck("no-value", str(error)) from error

    # -- rows --------------------------------------------------------------------------------------

    def look_up(self, tool: str, depth: int) -> int:
        """Call a reading tool as a means; the place of the call."""
        values, origins = self.bind(tool, depth + 1)
        for number in self.scene.steps_since_write():
            seen = self.scene.calls[number]
            if seen.tool == tool and seen.arguments == values:
                return number
        self.scene.call(tool, values, origins, "means")
        return len(self.scene.calls) - 1

    def _row_field(self, tool: str, name: str, arg: Arg, depth: int) -> tuple[Any, Origin]:
        noun = arg.of or ""
        field = arg.field or next(iter(self.scene.noun(noun).label), "value")
        taken = (tool, name)
        if self._same is not None and noun in self._same:
            found = self._of_focus(self._same[noun], field, depth)
            if found is None:
                raise Stuck("no-value", f"{tool}.{name}")
            return found
        for focus in reversed(self.scene.focus):
            fresh = (focus.noun, *taken, *sorted(focus.by.values()))
            known = focus.noun == noun or focus.noun in self._kinds(noun)
            known = known and fits(focus.row, arg.where, arg.field, arg.like)
            stays = arg.along or self.scene.rng.random() < self.stay
            if known and stays and (arg.along or fresh not in self.scene.used):
                found = self._of_focus(focus, field, depth)
                if found is not None:
                    self.scene.used.add(fresh)
                    self.scene.focus.append(focus)  # texts speak of the last
                    self._bound_to(noun)
                    return found
        number, row = self.some_row(noun, field, depth, arg)
        found = self.lead_to(noun, number, row, field, arg)
        given = self.scene.focus[-1]
        self.scene.used.add((given.noun, *taken, *sorted(given.by.values())))
        self._bound_to(noun)
        return found

    def _bound_to(self, noun: str) -> None:
        """What was bound last is what other properties of the same object are of."""
        if self._same is not None:
            self._same[noun] = self.scene.focus[-1]

    def _kinds(self, noun: str) -> set[str]:
        nouns = self.scene.lexicon.nouns
        return {noun, *(n for n, words in nouns.items() if noun in words.same)}

    def _of_focus(self, focus: Focus, field: str, depth: int) -> tuple[Any, Origin] | None:
        """A field of what the episode speaks of; None where it can't be had."""
        if field in focus.by:
            fact = focus.by[field]
            return self.scene.facts[fact], Stated(fact=fact)
        value = field_of(focus.row, field)
        if value is not None and focus.call is not None:
            if focus.made:
                path = self._path(focus.call, field)
                return None if path is None else (value, Returned(step=focus.call, path=path))
            if focus.by:
                return value, OfRow(step=focus.call, by=dict(focus.by), field=field)
        return self._found_again(focus, field, depth) if focus.by else None

    def _path(self, call: int, field: str) -> str | None:
        """Where the one row that a call's result is has a field."""
        words = self.scene.words(self.scene.calls[call].tool)
        for path in (f"{words.at}/{field}".strip("/"), field, f"result/{field}"):
            try:
                at(self.scene.calls[call].result, path)
            except Unfound:
                continue
            return path
        return None

    def _found_again(self, focus: Focus, field: str, depth: int) -> tuple[Any, Origin] | None:
        """Look for a thing of which only the label is known."""
        label = {name: self.scene.facts[fact] for name, fact in focus.by.items()}
        for tool in self.scene.suppliers(focus.noun):
            try:
                number = self.look_up(tool, depth)
            except Stuck:
                continue
            rows = self.scene.rows(number)
            found = [r for r in rows if all(field_of(r, n) == v for n, v in label.items())]
            if len(found) == 1 and field_of(found[0], field) is not None:
                origin = OfRow(step=number, by=dict(focus.by), field=field)
                return field_of(found[0], field), origin
        return None

    def some_row(self, noun: str, field: str, depth: int, arg: Arg) -> tuple[int, Row]:
        """A row of a noun that has a field and fits an argument, and the place of the call that
        shows it.
        """
        rng, trust = self.scene.rng, self.scene.experience
        tools = [t for t in self.scene.suppliers(noun) if self.scene.words(t).rows]
        rng.shuffle(tools)
        tools.sort(key=lambda t: trust.known(t).done - 3 * trust.known(t).errors.total())
        reason = Stuck("no-supplier", noun)
        for tool in tools if rng.random() < 0.5 else reversed(tools):
            try:
                number = self.look_up(tool, depth)
            except Stuck as stuck:
                reason = stuck
                continue
            rows = [
                row
                for row in self.scene.rows(number)
                if field_of(row, field) is not None and fits(row, arg.where, arg.field, arg.like)
            ]
            rng.shuffle(rows)
            for row in rows:
                if self.scene.label_of(noun, self.scene.rows(number), row) is not None:
                    return number, row
        raise reason

    def lead_to(
        self, noun: str, number: int, row: Row, field: str, arg: Arg = _ANY
    ) -> tuple[Any, Origin]:
        """A field of a row, with an origin: by a comparison or by the row's label, which the user
        then states. The row becomes what the episode speaks of.
        """
        rows = self.scene.rows(number)
        pick = None if self.scene.is_part(number) else self._comparison(noun, rows)
        if pick is not None and self.scene.rng.random() < PICK:
            of, greatest = pick
            chosen = picked(rows, of, greatest)
            if field_of(chosen, field) is not None and fits(chosen, arg.where, arg.field, arg.like):
                row = chosen
                origin = Picked(step=number, greatest=greatest, of=of, field=field)
                self.scene.focus.append(Focus(noun, {}, row, number))
                return field_of(row, field), origin
        label = self.scene.label_of(noun, rows, row)
        if label is None:
            raise Stuck("ambiguous-label", noun)
        by = {
            name: self._searched_by(number, value) or self._fact(noun, name, value)
            for name, value in label.items()
        }
        self.scene.focus.append(Focus(noun, by, row, number))
        if field in by:
            return label[field], Stated(fact=by[field])
        return field_of(row, field), OfRow(step=number, by=by, field=field)

    def _searched_by(self, number: int, value: Any) -> str | None:
        """The fact by which a call looked for just this label."""
        for origin in self.scene.calls[number].origins.values():
            if isinstance(origin, Stated) and self.scene.facts[origin.fact] == value:
                return origin.fact
        return None

    def _fact(self, noun: str, name: str, value: Any) -> str:
        """The fact that states a label: the same for the same thing."""
        for focus in self.scene.focus:
            known = focus.by.get(name) if focus.noun == noun else None
            if known is not None and self.scene.facts[known] == value:
                return known
        return self.scene.state_fact(value)

    def _comparison(self, noun: str, rows: Sequence[Row]) -> tuple[str, bool] | None:
        """A field by which people pick one of these rows."""
        ways = [
            (name, greatest)
            for name, words in self.scene.noun(noun).fields.items()
            for greatest, word in ((True, words.most), (False, words.least))
            if word and in_order(rows, name, words.type)
        ]
        self.scene.rng.shuffle(ways)
        for name, greatest in ways:
            try:
                row = picked(rows, name, greatest)
            except Unfound:
                continue
            if comparable(field_of(row, name)) and len(rows) > 2:
                return name, greatest
        return None
