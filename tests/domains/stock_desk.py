"""What the tests of the stock desk share: a ledger that asks it, offers and sums."""

from datetime import date

from davinci_env.environment import DomainEnvironment, open_environment

TODAY = date(2026, 5, 12)
QUOTA = {"standard": 12, "trade": 40, "colleague": 20}


class Ledger:
    """An environment with what these tests keep saying."""

    def __init__(self, seed: int = 0, scale: float = 1.0) -> None:
        self.env: DomainEnvironment = open_environment("inventory_control", seed=seed, scale=scale)
        self.entities = self.env.domain.entities

    def rows(self, entity: str):
        return self.env.world.all(self.entities[entity])

    def find(self, entity: str, condition):
        return next(row for row in self.rows(entity) if condition(row))

    def ok(self, tool: str, **arguments):
        result = self.env.call(tool, arguments)
        assert result.ok, f"{tool}: {result.code} {result.message}"
        return result.data["result"]

    def refused(self, tool: str, **arguments) -> str:
        before = self.env.capture()
        result = self.env.call(tool, arguments)
        assert not result.ok, f"{tool} went through"
        assert self.env.capture().state_hash == before.state_hash
        return result.code

    def violated(self, tool: str, **arguments) -> set[str]:
        result = self.env.call(tool, arguments)
        assert result.ok, f"{tool}: {result.code} {result.message}"
        return set(result.violated) - {"identified", "agreed"}

    def broken(self) -> list[str]:
        return [
            f"{check.__name__}({row.id})"
            for entity, check in self.env.domain.invariants
            for row in self.env.world.all(entity)
            if not check(row)
        ]

    def free(self, level) -> int:
        kept = level.reserved + level.quarantined + level.sku.safety_stock
        return max(0, level.on_hand - kept)

    def level(self, sku, location):
        return self.find("StockLevel", lambda x: x.sku is sku and x.location is location)

    def room(self, requester) -> int:
        live = [x for x in requester.reservations if x.status in ("held", "ready")]
        return QUOTA[requester.tier] - sum(x.quantity for x in live)

    def open_offer(self, packs: int = 1):
        """Somebody with room in the quota and a stock level of an article new to them."""
        for requester in self.rows("Requester"):
            known = [x.sku.id for x in requester.reservations]
            for level in self.rows("StockLevel"):
                pieces = packs * level.sku.pack_size
                if (
                    level.sku.id not in known
                    and level.location.status == "open"
                    and self.free(level) >= pieces
                    and self.room(requester) >= pieces
                ):
                    return requester, level, pieces
        raise AssertionError("nobody can reserve anything")


def offer(requester, level, quantity: int) -> dict:
    return {
        "requesterId": requester.id,
        "skuCode": level.sku.id,
        "locationCode": level.location.id,
        "quantity": quantity,
    }


def cents(text: str) -> int:
    return round(float(text) * 100)
