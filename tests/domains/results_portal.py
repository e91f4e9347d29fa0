"""What the tests of the results portal share: the portal as a person sees it, and orders."""

from datetime import datetime

from davinci_env.environment import DomainEnvironment, Event, open_environment

NOW = datetime(2026, 4, 13, 10, 5)


class Portal:
    """The environment, with what these tests keep saying."""

    def __init__(self, seed: int = 0) -> None:
        self.env: DomainEnvironment = open_environment("lab_orders", seed=seed)
        self.entities = self.env.domain.entities

    def rows(self, entity):
        return self.env.world.all(self.entities[entity])

    def find(self, entity, condition):
        """The first row that is so; its owner is signed in."""
        row = next(row for row in self.rows(entity) if condition(row))
        owner = row if entity == "Subject" else getattr(row, "subject", None)
        if owner is not None:
            self.env.act_for(owner.id)
        return row

    def ok(self, tool, **arguments):
        result = self.env.call(tool, arguments)
        assert result.ok, f"{tool}: {result.code} {result.message}"
        return result.data

    def refused(self, tool, **arguments):
        before = self.env.capture().state_hash
        result = self.env.call(tool, arguments)
        assert not result.ok, f"{tool} went through"
        assert self.env.capture().state_hash == before
        return result.code

    def violated(self, tool, **arguments):
        result = self.env.call(tool, arguments)
        assert result.ok, f"{tool}: {result.code} {result.message}"
        return result.violated

    def confirm(self, tool, **arguments):
        self.env.observe(Event("confirmed", {"tool": tool, "arguments": arguments}))

    def broken(self):
        return [
            (check.__name__, row.id)
            for entity, check in self.env.domain.invariants
            for row in self.env.world.all(entity)
            if not check(row)
        ]


def active(order):
    return [t for t in order.ordered_tests if t.status != "dropped"]
