"""What the tests of the pharmacy share: the environment as a client sees it, and stock."""

from datetime import date, timedelta
from functools import cache

from davinci_env.domain import load
from davinci_env.environment import DomainEnvironment

TODAY = date(2026, 4, 13)


@cache
def domain():
    return load("pharmacy_dispensing")


class Desk:
    """The environment, with what these tests keep saying."""

    def __init__(self, seed: int = 0, scale: float = 1.0) -> None:
        self.env = DomainEnvironment(domain(), domain().build(seed, scale), seed=seed, scale=scale)

    def rows(self, entity: str, *conditions):
        found = self.env.world.all(domain().entities[entity])
        return [x for x in found if all(c(x) for c in conditions)]

    def blocked(self, tool: str, row, **arguments) -> list[str]:
        self.env.act_for(self.client_of(row).id)
        return domain().tools[tool].blockers(self.env.bind(tool, arguments))

    def client_of(self, row):
        return row if row._info.noun == "client" else row.client

    def call(self, tool: str, row, **arguments):
        self.env.act_for(self.client_of(row).id)
        return self.env.call(tool, arguments)

    def ok(self, tool: str, row, **arguments):
        result = self.call(tool, row, **arguments)
        assert result.ok, f"{tool}: {result.code} {result.message}"
        assert not self.broken()
        return result.data["data"] if set(result.data) == {"data"} else result.data

    def refused(self, tool: str, row, **arguments) -> str:
        before = self.env.capture().state_hash
        result = self.call(tool, row, **arguments)
        assert not result.ok, f"{tool} went through"
        assert self.env.capture().state_hash == before
        return result.code

    def violated(self, tool: str, row, **arguments):
        result = self.call(tool, row, **arguments)
        assert result.ok, f"{tool}: {result.code}"
        return result.violated

    def fillable(self, *conditions):
        """A prescription of which a whole fill can be ordered."""
        for rx in self.rows("Prescription", lambda x: x.status == "active", *conditions):
            if not self.blocked("request_fill", rx, prescription_id=rx.id):
                return rx
        raise AssertionError("no prescription can be filled")

    def alone(self, tool: str, code: str, argument: str, rows):
        """A row for which this rule alone forbids the call."""
        for row in rows:
            if self.blocked(tool, row, **{argument: row.id}) == [code]:
                return row
        raise AssertionError(f"nothing is blocked by {code} alone")

    def broken(self):
        world = self.env.world
        return [
            f"{check.__name__}({row.id})"
            for entity, check in domain().invariants
            for row in world.all(entity)
            if not check(row)
        ]


def controlled(rx) -> bool:
    return rx.medicine.schedule == "controlled"


def in_stock(medicine) -> int:
    last = TODAY + timedelta(days=30)
    return sum(lot.packs for lot in medicine.lots if lot.expires_on >= last)
