"""What the tests of the order desk share: an environment with shorthands, and views of its rows."""

from datetime import date

from davinci_env.environment import DomainEnvironment, Event, open_environment

TODAY = date(2026, 5, 12)
RETURN_DAYS = {"basic": 30, "silver": 45, "gold": 60}
LABEL_FEE = {"basic": 695, "silver": 395, "gold": 0}


def cents(text: str) -> int:
    """The wire writes amounts as decimal strings."""
    return round(float(text) * 100)


class Desk:
    """An environment with what these tests keep saying."""

    def __init__(self, seed: int = 0, scale: float = 1.0) -> None:
        self.env: DomainEnvironment = open_environment("order_management", seed=seed, scale=scale)
        self.entities = self.env.domain.entities
        request = next(tool for tool in self.env.tools() if tool.name == "request_return")
        self.lines_key = next(k for k in request.parameters["properties"] if k.startswith("line"))

    def rows(self, entity: str):
        return self.env.world.all(self.entities[entity])

    def find(self, entity: str, condition):
        return next(row for row in self.rows(entity) if condition(row))

    def ok(self, tool: str, **arguments):
        result = self.env.call(tool, arguments)
        assert result.ok, f"{tool}: {result.code} {result.message}"
        return result.data["data"]

    def refused(self, tool: str, **arguments) -> str:
        before = self.env.capture()
        result = self.env.call(tool, arguments)
        assert not result.ok, f"{tool} went through"
        assert self.env.capture().state_hash == before.state_hash
        return result.code

    def violated(self, tool: str, **arguments) -> tuple[str, ...]:
        result = self.env.call(tool, arguments)
        assert result.ok, f"{tool}: {result.code} {result.message}"
        return result.violated

    def reveal(self, **facts: str) -> None:
        for fact, value in facts.items():
            self.env.observe(Event("revealed", {"fact": fact, "value": value}))

    def return_arguments(self, order, lines, method, reason="change_of_mind"):
        return {
            "order_id": order.id,
            self.lines_key: [line.id for line in lines],
            "reason": reason,
            "payment_method_id": method.id,
        }


def kept(order):
    return [line for line in order.lines if line.status == "ordered"]


def quiet(order) -> bool:
    """Nothing is being returned or exchanged."""
    return not any(r.status == "requested" for r in order.returns) and not any(
        x.status == "open" for x in order.exchanges
    )


def returnable(order) -> bool:
    return (
        order.status == "delivered"
        and quiet(order)
        and order.discount == 0
        and len(kept(order)) > 1
        and (TODAY - order.delivered_on).days <= RETURN_DAYS[order.customer.tier]
    )


def wallet(customer, kind: str, in_date: bool = True):
    return next(
        m
        for m in customer.payment_methods
        if m.kind == kind and (m.expires_on is None or (m.expires_on >= TODAY) == in_date)
    )
