"""The composition: audited domains in one world, with what joins them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import cached_property, partial
from typing import Any, Literal

from ..domain.declarations import at_line
from ..domain.dialect import Dialect
from ..domain.domain import Domain
from ..domain.frames import Frame
from ..domain.hashing import joint_hash
from ..domain.rules import Rule
from ..domain.setting import Setting, as_moment, joined
from ..domain.tools import Tool
from ..domain.views import Views
from ..errors import ContractError, UsageError
from ..state import Entity, Mapped, Row, Schema, StartImage, World, ref
from . import policy
from .building import joint_image
from .checks import (
    check_events,
    check_link,
    check_parts,
    check_rule,
    check_transfers,
    deals_with_money,
)
from .events import Event, extend, refuse_cycles
from .joining import fill_constants, filled, rename
from .links import Link, Matches, Note
from .names import Renaming, entities_of, renamings, tell_entities_apart, unambiguous
from .people import SharedPeople
from .sources import current_sources, declare_part, taken_from
from .transfers import Transfer

Path = str | Mapping[str, str]
"""The path from a tool's arguments to a rule's first argument, or to each argument by name."""


class Composition(Domain):
    """Several domains joined in one world.

    It is a domain itself: what takes one takes the other. A person is known by their record in the
    first domain; their records elsewhere are those with the same value of `shared`.

    Args:
        name: snake-case name; the file is called the same.
        version: counts the author's changes.
        domains: names of the domains, two to four.
        today: the one clock.
        role: whom the agent plays, as a noun phrase.
        intro: opening paragraphs of the policy, on what the domains have to do with each other.
        roles: what a person is called in each domain, by its name, for the policy.
        shared: the column by which the same person is recognised.
        dialect: the wire style of the composition's own tools.

    Raises:
        ContractError: the domains can't be joined. UnknownDomain: there is no such domain.
    """

    def __init__(
        self,
        name: str,
        *,
        version: int,
        domains: Sequence[str],
        today: datetime | date,
        role: str,
        intro: str = "",
        roles: Mapping[str, str] | None = None,
        shared: str = "email",
        dialect: Dialect | None = None,
    ) -> None:
        setting = Setting(as_moment(today))
        self._sources = current_sources()
        with joined(setting):
            modules = [declare_part(name, domain) for domain in domains]
        self.parts: list[Domain] = [module.domain for module in modules]
        check_parts(name, self.parts, shared)
        categories = dict.fromkeys(part.category for part in self.parts)
        access: Literal["staff", "self_service"] = self.parts[0].access
        with joined(setting):
            super().__init__(
                name, version=version, category=" + ".join(categories), today=today, role=role,
                access=access, intro=intro, dialect=dialect or _spoken(self.parts),
            )  # fmt: skip
        self.modules: list[Any] = modules
        self.roles, self.shared = dict(roles or {}), shared
        tell_entities_apart(self.parts)
        identities = [part.identity for part in self.parts]
        self.ownership = SharedPeople(access, identities)
        self.links: list[Link] = []
        self.transfers: list[Transfer] = []
        self.events: list[Event] = []
        self.cross_rules: frozenset[str] = frozenset()
        self._governed: dict[str, Mapping[str, Path]] = {}

    # -- authoring ---------------------------------------------------------------------------------

    def cross_rule(
        self, governs: Mapping[str, Path] | Sequence[str], **options: Any
    ) -> Callable[[Callable[..., bool]], Rule]:
        """Declare a clause over several domains that guards tools: enforced, or the agent's own.

        Args:
            governs: the tools; where their arguments are called otherwise than the rule's, for each
                the path to the rule's first argument, or to each argument by name.
            options: as of `rule`.
        """
        paths = dict(governs) if isinstance(governs, Mapping) else {name: {} for name in governs}

        def declare(predicate: Callable[..., bool]) -> Rule:
            made: Rule = self.rule(predicate, governs=tuple(paths), **options)
            self._governed[made.code] = paths
            return made

        return declare

    def link(
        self,
        name: str,
        left: Entity,
        right: Entity,
        *,
        said: Sequence[str],
        back: Sequence[str] = (),
        matches: Matches | None = None,
        note: Note | None = None,
    ) -> Link:
        """Declare a table of pairs: which record of one domain goes with which of another.

        Two reads are derived: what goes with a left record, and what with a right one.

        Args:
            name: of the table's entity, in camel case.
            said: how a person speaks of the right one, with the left one at `{it}`.
            back: how a person speaks of the left one, with the right one at `{it}`.
            matches: whether two records of the same person can be a pair.
            note: makes the records of a new pair agree, where one quotes the other.
        """
        check_link(name, left, right, self.parts)
        nouns = self._nouns(left, right)
        said_left, said_right = (noun.replace("_", " ") for noun in nouns)
        body = {
            "__doc__": f"Says which {said_right} goes with which {said_left}.",
            "__module__": __name__,
            "__annotations__": {nouns[0]: Mapped[left], nouns[1]: Mapped[right]},  # type: ignore[valid-type]
            nouns[0]: ref(owner=True),
            nouns[1]: ref(),
        }
        label = "the pair of {self." + nouns[0] + "} and {self." + nouns[1] + "}"
        key = "".join(letter for letter in name if letter.isupper()) + "-{:04d}"
        entity = type(self.Entity)(name, (self.Entity,), body, key=key, label=label)
        readers = {}
        for (noun, other), side in zip((nouns, nouns[::-1]), (left, right), strict=True):
            readers[side] = f"{other}_of_{noun}"
            self.reads(
                entity, list_of=noun, names={"list": readers[side]},
                docs={"list": f"Tell which {other} goes with a {noun}.".replace("_", " ")},
            )  # fmt: skip
        made = Link(entity, left, right, tuple(said), tuple(back), matches, note, readers)
        self.links.append(made)
        return made

    def _nouns(self, left: Entity, right: Entity) -> list[str]:
        """What the two records of a pair are called; after their domain where that is the same."""
        nouns = [str(entity._info.noun) for entity in (left, right)]
        if nouns[0] != nouns[1]:
            return nouns
        homes = (self.home_of(left), self.home_of(right))
        return [f"{home.split('_')[0]}_{noun}" for home, noun in zip(homes, nouns, strict=True)]

    def transfer(
        self,
        tool: str,
        argument: str,
        source: Entity,
        column: str,
        *,
        said: Sequence[str],
        at: Any = None,
    ) -> None:
        """Declare that people want a value of one domain's records used by another's tool.

        Args:
            said: how a person says the value, with the record at `{it}`: "the day {it} is due".
            at: for a date that becomes a moment, the time of that day.
        """
        self.transfers.append(Transfer(tool, argument, source, column, tuple(said), at))

    def on(
        self, entity: Entity, state: str, *, changes: Sequence[Frame]
    ) -> Callable[[Callable[..., None]], Callable[..., None]]:
        """Declare what happens in other domains when a row comes into a state.

        The function is given `db` and the row; its docstring is a clause of the policy.
        """

        def declare(body: Callable[..., None]) -> Callable[..., None]:
            text = " ".join(inspect.cleandoc(body.__doc__ or "").split())
            line = body.__code__.co_firstlineno
            self.events.append(Event(entity, state, text, tuple(changes), body, line))
            return body

        return declare

    # -- what follows from it ----------------------------------------------------------------------

    @property
    def identity(self) -> Entity:
        """The person entity of the first domain."""
        return self.parts[0].identity

    @property
    def people(self) -> list[Entity]:
        """The person entity of each domain."""
        return [part.identity for part in self.parts]

    @property
    def happenings(self) -> list[Callable[..., Any]]:
        """What runs in consequence of a call, beside the body of its tool."""
        return [event.body for event in self.events]

    @property
    def homes(self) -> tuple[str, ...]:
        """The names of the domains that are joined in it."""
        return tuple(part.name for part in self.parts)

    def regulars(self, world: World) -> list[Row]:
        """The persons whom every domain knows."""
        return [
            row
            for row in world.all(self.identity)
            if all(self.as_known_in(entity, row) is not None for entity in self.people)
        ]

    def first_person(self, world: World) -> Row | None:
        """The person on whose behalf calls are made where nobody says for whom."""
        return next(iter(self.regulars(world)), None)

    def home_of(self, entity: Entity) -> str:
        """The domain that an entity comes from; a table of pairs counts to its left side."""
        for link in self.links:
            if link.entity is entity:
                return self.home_of(link.left)
        return next(part.name for part in self.parts if entity in part.entities.values())

    @property
    def affected(self) -> frozenset[str]:
        """The names of tools and rules that behave otherwise than in their domain alone: what rules
        that cross guard, what brings events about, and what the composition adds.
        """
        guarded = {name for code in self.cross_rules for name in self.rules[code].governs}
        moving = {name for name, tool in self.tools.items() if tool.propagate is not None}
        reading = {name for link in self.links for name in link.readers.values()}
        return frozenset({*self.cross_rules, *guarded, *moving, *reading})

    def link_between(self, one: Entity, other: Entity) -> Link:
        """The table of pairs of two entities. Raises UsageError where there is none."""
        for link in self.links:
            if {link.left, link.right} == {one, other}:
                return link
        raise UsageError(f"nothing links {one.__name__} with {other.__name__}")

    def identity_of(self, tool: Tool) -> Entity:
        """The person entity of the domain that a tool comes from."""
        return next(part.identity for part in self.parts if part.name == tool.home)

    def identity_beside(self, entity: Entity) -> Entity:
        """The person entity of the domain that an entity comes from."""
        home = self.home_of(entity)
        return next(part.identity for part in self.parts if part.name == home)

    def alone(self, number: int) -> Domain:
        """One of the domains by itself, with the clock of the composition and ids of the same
        form: how it behaves where nothing joins it.
        """
        part = self.parts[number]
        with taken_from(self._sources), joined(Setting(self.now)):
            domain: Domain = declare_part(f"{self.name}.alone", part.name).domain
        for mine, its in zip(domain.entities.values(), part.entities.values(), strict=True):
            mine._info.key = its._info.key
        domain.finish()
        return domain

    def finish(self) -> None:
        """Join everything once.

        Raises ContractError where declarations contradict each other.
        """
        if self._finished:
            return
        own = {code: self._filled(rule) for code, rule in self.rules.items()}
        own = self._join_names(own)
        with at_line(self.path, 1):
            self._guard(own)
            refuse_cycles(self.events)
            tools = {name: tool for part in self.parts for name, tool in part._tools.items()}
            check_events(self.events, self.home_of)
            extend(tools, self.events)
            check_transfers(self.transfers, tools)
        self.schema = Schema(self.name, {**entities_of(self.parts), **self.entities})
        for part in self.parts:
            part.ownership = self.ownership
            part.compile()
            known = partial(self.as_known_in, part.identity)
            for tool in part._tools.values():
                tool.known = known
        self._compile_own()
        self._gather(own)
        self._finished = True

    def _filled(self, rule: Rule) -> Rule:
        return filled(rule.rendered(self.render), self.render_constants)

    def _join_names(self, rules: Mapping[str, Rule]) -> dict[str, Rule]:
        """Give everything its name in the composition; returns its own rules, which speak of tools
        by them.
        """
        changes = renamings(self.parts, self._tools, self._sources.prefixes)
        for part, names in zip(self.parts, changes, strict=True):
            rename(part, names)
            fill_constants(part)
        names = Renaming(unambiguous(changes))
        self.transfers = [replace(t, tool=names.tools.get(t.tool, t.tool)) for t in self.transfers]
        self._governed = {
            code: {names.tools.get(tool, tool): path for tool, path in paths.items()}
            for code, paths in self._governed.items()
        }
        return {code: names.rule(rule) for code, rule in rules.items()}

    def _guard(self, rules: Mapping[str, Rule]) -> None:
        """Put the composition's rules before the tools that they govern."""
        for code, rule in rules.items():
            check_rule(rule, self)
            for name, path in self._governed.get(code, {}).items():
                tool = next((p._tools[name] for p in self.parts if name in p._tools), None)
                if tool is None:
                    raise ContractError(
                        f"rule {code} governs {name!r}, which is no tool of the joined domains",
                        "use its name in the composition",
                        line=rule.line,
                    )
                there = rule.on(path) if isinstance(path, str) else rule.on(**path)
                tool.requires = (*tool.requires, there)

    def _compile_own(self) -> None:
        self.views = Views(self.entities, self.dialect, self.visible)
        for part in self.parts:
            self.views.by_entity.update(part.views.by_entity)
        for tool in self._tools.values():
            tool.home = self.home_of(tool.parameters[0].entity or self.identity)
            self._finish_tool(tool)
            if self.access == "self_service":
                tool.protect(self.ownership)

    def _gather(self, own_rules: Mapping[str, Rule]) -> None:
        """Take over what the domains declare."""
        own_tools, self._tools, self.rules = self._tools, {}, {}
        for part in self.parts:
            self._tools |= part._tools
            self.rules |= part.rules
            self.helpers |= part.helpers
            self.invariants += part.invariants
            self.situations += part.situations
            self.second_thoughts += part.second_thoughts
            self.concerns += part.concerns
        self._tools |= own_tools
        self.rules |= own_rules
        self.cross_rules = frozenset(own_rules)
        self.entities = {**entities_of(self.parts), **self.entities}

    @cached_property
    def _document(self) -> str:
        return policy.document(self)

    @cached_property
    def content_hash(self) -> str:
        """16 hexadecimal digits for the composition's file and those of its domains."""
        return joint_hash([p for p in (self.path, *(part.path for part in self.parts)) if p])

    def image(self, seed: int, scale: float) -> StartImage:
        """Run the seeds of all domains, then join records, and return the start image."""
        return joint_image(self, seed, scale)


def _spoken(parts: Sequence[Domain]) -> Dialect:
    """The dialect of the first domain that deals with money, else of the first one."""
    paying = [p for p in parts if deals_with_money(p)]
    return (paying or list(parts))[0].dialect
