"""What the tests of the address book share: one built environment, and a holder's view of it."""

from datetime import date
from functools import cache

from davinci_env.environment import Event, open_environment

TODAY = date(2026, 6, 9)
UNSURE, LATE, SETTLED = 12, 6, 13  # books of which each has a situation of its own


@cache
def opened():
    """The environment, built once, and its start."""
    environment = open_environment("contacts_identity")
    return environment, environment.snapshot()


class Book:
    """The environment as one holder sees it, with what these tests keep saying."""

    def __init__(self, number: int) -> None:
        self.env, start = opened()
        self.env.restore(start)
        self.domain = self.env.domain
        self.holder = self.rows("Holder")[number]
        self.env.act_for(self.holder.id)

    def rows(self, entity: str):
        return self.env.world.all(self.domain.entities[entity])

    def mine(self, *conditions):
        return [c for c in self.holder.contacts if all(true(c) for true in conditions)]

    def call(self, tool: str, **arguments):
        return self.env.call(tool, arguments)

    def ok(self, tool: str, **arguments):
        result = self.call(tool, **arguments)
        assert result.ok, f"{tool}: {result.code} {result.message} {result.details}"
        return result.data

    def refused(self, tool: str, **arguments) -> str:
        before = self.env.capture().state_hash
        result = self.call(tool, **arguments)
        assert not result.ok, f"{tool} went through"
        assert self.env.capture().state_hash == before
        return result.code

    def violated(self, tool: str, **arguments):
        result = self.call(tool, **arguments)
        assert result.ok, f"{tool}: {result.code} {result.message}"
        return set(result.violated)

    def confirm(self, tool: str, **arguments) -> None:
        self.env.observe(Event("confirmed", {"tool": tool, "arguments": arguments}))

    def tell_safe_word(self) -> None:
        word = self.holder.safe_word
        self.env.observe(Event("revealed", {"fact": "safe_word", "value": word}))

    def set(self, row, **values) -> None:
        for column, value in values.items():
            setattr(row, column, value)
        self.env.world.flush()

    def merge(self, **states):
        return next(
            m
            for m in self.holder.merge_requests
            if all(getattr(m, name) == value for name, value in states.items())
        )

    def entry(self, relationship: str):
        return self.mine(lambda c: c.relationship == relationship, lambda c: c.status == "active")[
            0
        ]
