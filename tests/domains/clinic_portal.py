"""What the tests of the patient portal share: shorthands and views of its rows."""

from datetime import datetime, timedelta
from functools import cache

from davinci_env.domain import Domain, load
from davinci_env.environment import DomainEnvironment, Event

NOW = datetime(2026, 4, 13, 8, 45)
UPCOMING = ("unconfirmed", "confirmed")
NOTICE = timedelta(hours=24)


@cache
def clinic() -> Domain:
    return load("clinic_appointments")


class Portal:
    """The environment, with what these tests keep saying."""

    def __init__(self, seed: int = 0, scale: float = 1.0) -> None:
        self.domain = clinic()
        world = self.domain.build(seed, scale)
        self.env = DomainEnvironment(self.domain, world, seed=seed, scale=scale)

    def rows(self, entity: str):
        return self.env.world.all(self.domain.entities[entity])

    def visits(self, *conditions):
        return [a for a in self.rows("Appointment") if all(c(a) for c in conditions)]

    def sign_in(self, patient):
        self.env.act_for(patient.id)
        return patient

    def ok(self, tool: str, **arguments):
        result = self.env.call(tool, arguments)
        assert result.ok, f"{tool}: {result.code} {result.message} {result.details}"
        return next(iter(result.data.values())) if len(result.data) == 1 else result.data

    def refused(self, tool: str, **arguments) -> str:
        before = self.env.capture().state_hash
        result = self.env.call(tool, arguments)
        assert not result.ok, f"{tool} went through"
        assert self.env.capture().state_hash == before
        return result.code

    def violated(self, tool: str, **arguments):
        result = self.env.call(tool, arguments)
        assert result.ok, f"{tool}: {result.code} {result.message}"
        return result.violated

    def blockers(self, tool: str, **arguments):
        return self.env.domain.tools[tool].blockers(self.env.bind(tool, arguments))

    def confirm(self, tool: str, **arguments) -> None:
        self.env.observe(Event("confirmed", {"tool": tool, "arguments": arguments}))

    def broken(self):
        return [
            (check.__name__, row.id)
            for entity, check in self.domain.invariants
            for row in self.env.world.all(entity)
            if not check(row)
        ]

    def bookings(self, patient):
        """Arguments of book_appointment, without and with each referral of the patient."""
        self.sign_in(patient)
        for slot in self.rows("Slot"):
            if slot.starts_at <= NOW or slot.free == 0:
                continue
            for kind in self.rows("VisitType"):
                base = {"visitTypeCode": kind.id, "slotId": slot.id}
                yield base
                for referral in patient.referrals if kind.needs_referral else ():
                    yield {**base, "referralId": referral.id}

    def blocked_booking(self, code: str, condition=lambda patient: True):
        """A patient, and a booking that only this rule forbids."""
        for patient in self.rows("Patient"):
            if condition(patient):
                for booking in self.bookings(patient):
                    if self.blockers("book_appointment", **booking) == [code]:
                        return patient, booking
        raise LookupError(code)


def upcoming(a):
    return a.status in UPCOMING


def ahead(a):
    return a.slot.starts_at - NOW


def balance(patient):
    return sum(i.amount - i.paid for i in patient.invoices if i.status == "open")


def first_in_line(slot, leaving):
    waiting = [e for e in slot.provider.queue if e.status == "current"]
    waiting = [e for e in waiting if e.patient is not leaving]
    return min(waiting, key=lambda e: (e.joined_at, e.id), default=None)
