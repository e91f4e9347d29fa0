"""What the tests of Quillbox share: the environment as an author sees it, and notes."""

from datetime import date
from functools import cache

from davinci_env.domain import Domain, load
from davinci_env.environment import DomainEnvironment, Event

TODAY = date(2026, 6, 9)
AT_HAND = ("draft", "published", "archived")


@cache
def notes_domain() -> Domain:
    return load("notes_knowledge")


class Quillbox:
    """The environment, with what these tests keep saying."""

    def __init__(self, seed: int = 0, scale: float = 1.0) -> None:
        self.domain = notes_domain()
        world = self.domain.build(seed, scale)
        self.env = DomainEnvironment(self.domain, world, seed=seed, scale=scale)

    def rows(self, entity: str):
        return self.env.world.all(self.domain.entities[entity])

    def first(self, entity: str, condition):
        """The first row of a kind; its owner signs in."""
        row = next(row for row in self.rows(entity) if condition(row))
        self.env.act_for(self.domain.owner_of(row).id)
        return row

    def ok(self, tool: str, **arguments):
        result = self.env.call(tool, arguments)
        assert result.ok, f"{tool}: {result.code} {result.message}"
        assert self.broken() == []
        return result.data["data"]

    def refused(self, tool: str, **arguments) -> str:
        before = self.env.capture().state_hash
        result = self.env.call(tool, arguments)
        assert not result.ok, f"{tool} went through"
        assert self.env.capture().state_hash == before
        return result.code

    def violated(self, tool: str, **arguments):
        result = self.env.call(tool, arguments)
        assert result.ok, f"{tool}: {result.code} {result.message}"
        return list(result.violated)

    def confirm(self, tool: str, **arguments) -> None:
        self.env.observe(Event("confirmed", {"tool": tool, "arguments": arguments}))

    def broken(self):
        return [
            f"{check.__name__}({row.id})"
            for entity, check in self.domain.invariants
            for row in self.env.world.all(entity)
            if not check(row)
        ]


def live(note):
    return [share for share in note.shares if share.status in ("offered", "active")]


def plain(note) -> bool:
    """At hand in an open notebook of one's own, unlocked, under no retention, edited by nobody."""
    return (
        note.status in AT_HAND
        and note.notebook.role == "owner"
        and note.notebook.status == "open"
        and not note.locked
        and note.retained_until is None
        and note.edited_by is None
    )


def mergeable(note):
    return [
        other
        for other in note.author.notes
        if other is not note
        and plain(other)
        and other.notebook is note.notebook
        and other.word_count + note.word_count <= 2400
        and len(other.facts) + len(note.facts) <= 4
        and not {f.label for f in other.facts} & {f.label for f in note.facts}
    ]
