"""Tools: a body with its contract, compiled for calling.

A call goes through `bind` (arguments to rows and values), `refusal` (lifecycle and rules, in the
declared order), the body, and `shape.render`. What each step needs is prepared once, when the
domain is finished.
"""

from __future__ import annotations

import inspect
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ..errors import ContractError, ToolError
from ..state import Db, Entity, Row
from .binding import Binder
from .conditions import Conditions, Precondition, compile_conditions
from .dialect import Dialect
from .frames import Frame, Moves, entity_at
from .log import CallLog
from .outcomes import Outcome
from .ownership import Ownership
from .parameters import Parameter
from .results import Offset, Shape
from .rules import Rule

Bound = dict[str, Any]

_CURSOR = re.compile(r"c[0-9a-f]{1,8}")


@dataclass
class Tool:
    """One tool of a domain.

    `derived` says how it was made: get, find, search, list, or None for an author's body. `home` is
    the domain that it comes from, where several are joined, and `names` what tools of that domain
    are called there, if not by their own names.
    """

    name: str
    kind: Literal["read", "write"]
    body: Callable[..., Any]
    parameters: list[Parameter]
    text: str
    requires: tuple[Rule, ...] = ()
    frame: tuple[Frame, ...] = ()
    ask: tuple[str, ...] = ()
    asks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tells: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    returns: Any = None
    public: bool = False
    handover: bool = False
    idempotent: bool = False
    destructive: bool | None = None
    outcome: Outcome = field(default_factory=Outcome)
    derived: Literal["get", "find", "search", "list"] | None = None
    about: Entity | None = None
    line: int = 0
    home: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    shape: Shape = field(init=False)
    binder: Binder = field(init=False)
    preconditions: tuple[Precondition, ...] = field(init=False, default=())
    enforced: tuple[tuple[str, Callable[[Bound], bool], Rule], ...] = field(init=False, default=())
    advisory: tuple[tuple[str, Callable[[Bound], bool], Rule], ...] = field(init=False, default=())
    free: frozenset[str] = field(init=False, default=frozenset())
    guarded: bool = field(init=False, default=False)
    asks_log: bool = field(init=False, default=False)
    _conditions: Conditions = field(init=False)
    _pick: Callable[[Bound], Any] | None = field(init=False, default=None)
    _companions: Mapping[str, tuple[str, ...]] = field(init=False, default_factory=dict)
    ownership: Ownership | None = field(init=False, default=None)
    propagate: Callable[[Db, int], None] | None = field(init=False, default=None)
    known: Callable[[Row], Row | None] | None = field(init=False, default=None)
    _owned: tuple[tuple[str, str], ...] = field(init=False, default=())

    # -- preparation -------------------------------------------------------------------------------

    def finish(self, dialect: Dialect, shape: Shape) -> None:
        """Compile the contract. Raises ContractError where it contradicts itself."""
        self.shape = shape
        self.dialect = dialect
        self.binder = Binder(self.parameters, dialect)
        self.preconditions = tuple(self._precondition(m) for m in self._single_moves())
        compiled = [(r.code, r.compiled(), r) for r in self.requires]
        self.enforced = tuple(c for c in compiled if c[2].by == "tool")
        self.advisory = tuple(c for c in compiled if c[2].by == "agent")
        self._conditions = compile_conditions(
            self.name,
            self.preconditions,
            [rule for _, _, rule in self.enforced],
            [rule for _, _, rule in self.advisory],
        )
        self.guarded = bool(self.requires or self.preconditions)
        self.asks_log = any("log" in rule.arguments for rule in self.requires)
        self.free = frozenset(p.wire for p in self.parameters if p.is_free_text)
        self._companions = {name: self._followed(name) for name, _ in self.binder.rows}
        names = [p.name for p in self.parameters]
        reserved = {"db", "log", "name"} & set(names)
        if reserved:
            raise ContractError(f"{self.name} can't call an argument {reserved.pop()!r}.")
        if len(names) == 1:
            (only,) = names
            self._pick = lambda bound: (bound[only],)
        elif names:
            self._pick = operator.itemgetter(*names)
        for rule in self.requires:
            unknown = rule.roots() - set(names)
            if unknown:
                raise ContractError(
                    f"{self.name} requires {rule.code}, which needs {', '.join(sorted(unknown))}: "
                    f"{self.name} has no such argument; write {rule.code}.on(...)."
                )

    def _followed(self, argument: str) -> tuple[str, ...]:
        """The single references that the call is going to follow from an argument: those that its
        conditions name, and those that its result shows of the row.
        """
        entities = self.entities
        paths = [rule.paths.get(name, name) for rule in self.requires for name in rule.arguments]
        paths += [condition.path for condition in self.preconditions]
        if self.shape.entity is entities[argument] and not self.shape.paged:
            shown = entities[argument]._info.shows.values()
            paths += [f"{argument}.{path.rpartition('.')[0]}" for path in shown]
        found = [
            _references(entities[argument], path)
            for path in paths
            if path.startswith(f"{argument}.")
        ]
        return tuple(sorted({path for path in found if path}))

    def protect(self, ownership: Ownership) -> None:
        """Refuse other people's rows in self-service."""
        self.ownership = ownership
        self._owned = tuple(
            (parameter.name, entity._info.noun)
            for parameter in self.parameters
            if (entity := parameter.entity) is not None
            and not parameter.implicit
            and (entity._info.owner is not None or entity._info.identity)
        )

    @property
    def entities(self) -> dict[str, Entity]:
        """The entity of each argument that names rows."""
        return {p.name: p.entity for p in self.parameters if p.entity is not None}

    def _single_moves(self) -> list[Moves]:
        return [
            m
            for m in self.frame
            if isinstance(m, Moves)
            and entity_at(self.entities, m.path)[1]
            and not self._parameter(m.path.split(".")[0]).type.many
        ]

    def _parameter(self, name: str) -> Parameter:
        return next(p for p in self.parameters if p.name == name)

    def _precondition(self, move: Moves) -> Precondition:
        entity, _ = entity_at(self.entities, move.path)
        info = entity._info
        if info.state_column is None or info.lifecycle is None:
            raise ContractError(f"{self.name}: {info.name} at {move.path!r} has no lifecycle.")
        unknown = {*move.source, *move.target} - set(info.lifecycle.states)
        if unknown:
            raise ContractError(
                f"{self.name}: {info.name} has no state {', '.join(sorted(unknown))}."
            )
        head, _, rest = move.path.partition(".")
        follow = _follow(rest)
        code = f"{info.noun}_not_{'_or_'.join(sorted(move.source))}"
        return Precondition(
            move.path, frozenset(move.source), code, info.state_column,
            info.noun.replace("_", " "), lambda bound: follow(bound[head]),
        )  # fmt: skip

    def own_db(self, db: Any) -> Any:
        """The `db` of the domain that the tool comes from, whose actor it knows by a row of its
        own; `known` gives that row where several domains are joined.
        """
        return db if self.known is None else db.known_by(self.known)

    # -- one call ----------------------------------------------------------------------------------

    def bind(self, db: Db, arguments: Any, actor: Row | None) -> Bound:
        """Validate and resolve arguments.

        Raises ToolError: invalid_arguments, `<entity>_not_found`, access_denied.
        """
        binder = self.binder
        bound = binder.read(arguments)
        get, get_with, companions = db.get, db.get_with, self._companions
        for name, entity in binder.rows:
            key = bound[name]
            if key is not None:
                paths = companions.get(name)
                row = get_with(entity, key, paths) if paths else get(entity, key)
                bound[name] = row
                if row is None:
                    raise self._not_found(entity, key)
        for name, entity in binder.row_lists:
            if bound[name] is not None:
                bound[name] = [self._row(db, entity, key) for key in bound[name]]
        for name, entity in binder.implicit:
            bound[name] = self._actor_as(entity, actor, name)
        if self._owned:
            self._check_owner(bound, actor)
        if self.shape.paged and "page" in bound:
            self._bind_page(bound)
        return bound

    def _actor_as(self, entity: Entity, actor: Row | None, name: str) -> Row:
        """The actor, as this tool knows people."""
        own = self.ownership
        row = actor if actor is None or own is None else own.as_known_in(entity, actor)
        if row is None:
            raise ToolError("access_denied", self.dialect.error("access_denied", entity=name))
        return row

    def _row(self, db: Db, entity: Entity, key: str) -> Row:
        row = db.get(entity, key)
        if row is None:
            raise self._not_found(entity, key)
        return row

    def _bind_page(self, bound: Bound) -> None:
        paging, value = self.dialect.paging, bound["page"]
        if paging == "offset":
            bound["page"] = Offset(value)
        elif paging == "cursor":
            if value is not None and not _CURSOR.fullmatch(value):
                raise self.binder.invalid("cursor is none that an earlier page gave")
            bound["page"] = Offset(0 if value is None else int(value[1:], 16))

    def _check_owner(self, bound: Bound, actor: Row | None) -> None:
        assert self.ownership is not None
        owner_of = self.ownership.owner_of
        for name, noun in self._owned:
            value = bound[name]
            for row in value if isinstance(value, list) else [value]:
                owner = None if row is None else owner_of(row)
                if owner is not None and owner is not actor:
                    message = self.dialect.error("access_denied", entity=noun.replace("_", " "))
                    raise ToolError("access_denied", message)

    def _not_found(self, entity: Entity, key: str) -> ToolError:
        noun = entity._info.noun
        message = self.dialect.error("not_found", entity=noun.replace("_", " "), id=key)
        return ToolError(f"{noun}_not_found", message)

    def refusal(self, bound: Bound) -> ToolError | None:
        """The first lifecycle precondition or enforced rule that forbids the call, as the error the
        agent gets.
        """
        number = self._conditions.first(bound)
        if number < 0:
            return None
        if number < len(self.preconditions):
            return self._wrong_state(self.preconditions[number], bound)
        code, _, rule = self.enforced[number - len(self.preconditions)]
        return ToolError(code, rule.text)

    def blockers(self, bound: Bound) -> list[str]:
        """Every code that forbids the call: failing lifecycle preconditions, or else failing
        enforced rules.
        """
        return self._conditions.blockers(bound)

    def _wrong_state(self, condition: Precondition, bound: Bound) -> ToolError:
        row: Row = condition.row(bound)
        state = str(getattr(row, condition.column)).replace("_", " ")
        wanted = " or ".join(s.replace("_", " ") for s in sorted(condition.states))
        message = self.dialect.error(
            "wrong_state", entity=condition.noun, state=state, wanted=wanted, id=row.id
        )
        return ToolError(condition.code, message)

    def violations(self, bound: Bound) -> tuple[str, ...]:
        """Codes of the agent's own rules that this call breaks."""
        return self._conditions.broken(bound)

    def run(self, db: Db, bound: Bound) -> Any:
        """Run the body, and then what its changes bring about in other domains.

        Raises ToolError for a declared refusal, with the contract's message.
        """
        db = self.own_db(db)
        before = len(db._world.log)
        try:
            value = self.body(db) if self._pick is None else self.body(db, *self._pick(bound))
            if self.propagate is not None:
                self.propagate(db, before)
            return value
        except ToolError as error:
            if not error.message:
                error.message = self.errors.get(error.code, "")
            raise

    # -- descriptions ------------------------------------------------------------------------------

    @property
    def codes(self) -> frozenset[str]:
        """Every error code of the contract, beside those common to all tools."""
        missing = {f"{p.entity._info.noun}_not_found" for p in self.parameters if p.entity}
        if self.derived == "find" and self.about is not None:
            missing.add(f"{self.about._info.noun}_not_found")
        denied = {"access_denied"} if self._owned else set()
        conditions = {c.code for c in self.preconditions}
        rules = {code for code, _, _ in self.enforced}
        return frozenset(
            missing | denied | conditions | rules | set(self.errors) | {"invalid_arguments"}
        )

    @property
    def confirmation(self) -> Rule | None:
        """The rule that demands the user's explicit confirmation, if one does."""
        return next((r for r in self.requires if r.kind == "confirmation"), None)

    @property
    def identification(self) -> Rule | None:
        """The rule that demands the user's identification, if one does."""
        return next((r for r in self.requires if r.kind == "identification"), None)

    def context(
        self, bound: Mapping[str, Any], db: Db, entries: list[Any], arguments: Mapping[str, Any]
    ) -> Bound:
        """The bound arguments with `db` and `log`, as rules want them."""
        log = CallLog(entries, self.name, arguments, self.free, self.names)
        return {**bound, "db": self.own_db(db), "log": log}


def _follow(path: str) -> Callable[[Any], Row | None]:
    """Follow single references, passing an absent optional one."""
    if not path:
        return lambda row: row
    steps = path.split(".")

    def follow(row: Any) -> Row | None:
        for step in steps:
            if row is None:
                return None
            row = getattr(row, step)
        return row

    return follow


def _references(entity: Entity, path: str) -> str:
    """The single references with which a path continues after its first step."""
    steps: list[str] = []
    for step in path.split(".")[1:]:
        reference = entity._info.refs.get(step)
        if reference is None:
            break
        steps.append(step)
        entity = reference.target
    return ".".join(steps)


def body_line(body: Callable[..., Any]) -> int:
    """The line at which a body is written, for error messages."""
    line: int = inspect.unwrap(body).__code__.co_firstlineno
    return line
