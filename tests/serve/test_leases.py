"""Leases: what ends when, who may use what, and that parking loses nothing. Our own clock."""

import pytest

from davinci_env.serve.leases import Leases
from davinci_env.serve.refusal import Refusal
from tests.serve.double import LedgerSource


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def make(source: LedgerSource, clock: Clock, **settings: float) -> Leases:
    given = {"lease_seconds": 100.0, "park_seconds": 10.0, "max_environments": 3, **settings}
    return Leases(source, clock=clock, **given)  # type: ignore[arg-type]


def refused(leases: Leases, env_id: str, owner: str | None) -> str:
    with pytest.raises(Refusal) as caught:
        leases.find(env_id, owner)
    assert caught.value.status == 404
    return caught.value.code


def test_ids_are_128_secret_bits() -> None:
    leases = make(LedgerSource(), Clock())
    first, second = leases.create("a"), leases.create("a")
    assert first.id != second.id
    assert len(bytes.fromhex(first.id)) == 16


def test_an_id_works_for_its_owner_and_the_operator_only() -> None:
    leases = make(LedgerSource(), Clock())
    lease = leases.create("a")
    assert leases.find(lease.id, "a") is lease
    assert leases.find(lease.id, None) is lease
    assert refused(leases, lease.id, "b") == "environment_not_found"
    assert refused(leases, "0" * 32, "a") == "environment_not_found"


def test_a_foreign_id_is_told_apart_from_an_unknown_one_by_nothing() -> None:
    leases = make(LedgerSource(), Clock())
    lease = leases.create("a")
    texts = []
    for env_id in (lease.id, "0" * 32):
        with pytest.raises(Refusal) as caught:
            leases.find(env_id, "b")
        texts.append((caught.value.status, caught.value.body()))
    assert texts[0] == texts[1]


def test_use_renews_a_lease_and_disuse_ends_it() -> None:
    clock, source = Clock(), LedgerSource()
    leases = make(source, clock)
    lease = leases.create("a")
    clock.now += 99
    leases.environment(leases.find(lease.id, "a"))  # used one second before its end
    clock.now += 99
    leases.environment(leases.find(lease.id, "a"))
    clock.now += 100  # and now unused for a whole lease
    assert refused(leases, lease.id, "a") == "environment_not_found"
    with pytest.raises(Refusal):
        leases.environment(lease)
    leases.sweep()
    assert [ledger.closed for ledger in source.opened] == [True]


def test_release_ends_a_lease_at_once_and_closes_its_environment() -> None:
    source = LedgerSource()
    leases = make(source, Clock())
    lease = leases.create("a")
    leases.release(lease)
    assert refused(leases, lease.id, "a") == "environment_not_found"
    assert source.opened[0].closed
    with pytest.raises(Refusal):
        leases.environment(lease)


def test_the_cap_counts_private_environments_and_what_ends_makes_room() -> None:
    clock = Clock()
    leases = make(LedgerSource(), clock)
    leases.default("a")  # no private one
    held = [leases.create("a") for _ in range(3)]
    with pytest.raises(Refusal) as caught:
        leases.create("b")
    assert (caught.value.status, caught.value.code) == (429, "too_many_environments")
    assert "3 private environments" in str(caught.value)
    leases.release(held[0])
    leases.create("b")
    clock.now += 100  # everybody's lease has run out
    assert leases.create("b").owner == "b"
    assert len([lease for lease in leases if lease.private]) == 1


def test_idle_environments_are_parked_and_come_back_as_they_were() -> None:
    clock, source = Clock(), LedgerSource()
    leases = make(source, clock)
    lease = leases.create("a")
    environment = leases.environment(lease)
    environment.call("add", {"amount": 7})
    clock.now += 9
    leases.sweep()
    assert source.parked == 0
    clock.now += 1
    leases.sweep()
    assert (source.parked, lease.live) == (1, None)
    assert source.opened[0].closed
    back = leases.environment(lease)
    assert back.call("look", {}).data == {"total": 7}
    assert [entry[0] for entry in back.log] == ["add", "look"]
    assert source.resumed == 1


def test_default_environments_are_parked_but_never_end() -> None:
    clock, source = Clock(), LedgerSource()
    leases = make(source, clock)
    leases.environment(leases.default("a")).call("add", {"amount": 7})
    clock.now += 1_000_000
    leases.sweep()
    assert source.parked == 1
    assert leases.environment(leases.default("a")).call("look", {}).data == {"total": 7}
    assert leases.environment(leases.default("b")).call("look", {}).data == {"total": 0}


def test_an_environment_with_snapshots_is_not_parked() -> None:
    clock, source = Clock(), LedgerSource()
    leases = make(source, clock)
    lease = leases.create("a")
    lease.snapshots["snapshot-1"] = leases.environment(lease).snapshot()
    clock.now += 50
    leases.sweep()
    assert source.parked == 0
    lease.snapshots.clear()
    leases.sweep()
    assert source.parked == 1


def test_what_cannot_be_parked_stays_alive() -> None:
    clock, source = Clock(), LedgerSource(parks=False)
    leases = make(source, clock)
    lease = leases.create("a")
    leases.environment(lease).call("add", {"amount": 7})
    clock.now += 50
    leases.sweep()
    assert leases.environment(lease).call("look", {}).data == {"total": 7}


def test_close_ends_everything() -> None:
    source = LedgerSource()
    leases = make(source, Clock())
    leases.create("a")
    leases.default("a")
    leases.close()
    assert [ledger.closed for ledger in source.opened] == [True, True]
    assert list(leases) == []
