"""Our own domains as systems: their tables as state, marks, refusals, and who may be named."""

from pathlib import Path

import pytest

from davinci_env.egts.hosts.canonical import difference, digest
from davinci_env.egts.systems import Answer, SystemEnvironment
from davinci_env.egts.systems.registry import Options, open_system
from davinci_env.errors import UnknownDomain, UntrustedDomain, UsageError

TOYS = Path(__file__).parents[2] / "support" / "toys"


@pytest.fixture
def toy():
    """The toy rental of the other tests, whose rows no seed changes."""
    system = open_system("davinci.toy_rental", Options(path=TOYS, trust=True))
    system.open(0)
    yield system
    system.close()


def test_the_state_is_every_table_without_volatile_columns(toy):
    state = toy.state()
    assert list(state) == ["persons", "toys", "parcels", "items", "rentals", "bills", "handovers"]
    assert state["persons"]["P-01"] == {
        "name": "Ada Berg", "email": "ada@example.com", "status": "active",
    }  # fmt: skip
    # Sixteenth of March and four days; `packed_at` of the parcel is volatile.
    assert state["rentals"]["R-01"]["due_on"] == "2026-03-20"
    assert state["parcels"]["PA-01"] == {"person_id": "P-01", "street": "Elm Street"}
    assert state["handovers"] == {}


def test_a_write_changes_its_cells_and_leaves_the_initial_state_as_it_was(toy):
    before = toy.state()
    assert toy.call("extend_rental", {"rental_id": "R-01", "until": "2026-03-27"}).ok
    assert difference(before, toy.state()) == [
        ["/rentals/R-01/due_on", "2026-03-20", "2026-03-27"],
        ["/rentals/R-01/extensions", 0, 1],
    ]
    assert toy.call("stop_parcel", {"parcel_id": "PA-01"}).content == {"toys": 3}
    assert toy.state()["items"] == {}
    assert list(before["items"]) == ["IT-01", "IT-02"]


def test_rows_go_by_names_that_no_order_decides(toy):
    start = toy.snapshot()
    posts = [
        {"person_id": "P-02", "toy_id": "T-07", "street": street}
        for street in ("Mill Road", "Oak Lane")
    ]
    states = []
    for order in (posts, posts[::-1]):
        toy.restore(start)
        for arguments in order:
            assert toy.call("post_toy", arguments).ok
        states.append(toy.state())
    assert digest(states[0]) == digest(states[1])
    assert {"new-1", "new-2"} < set(states[0]["parcels"])


def test_a_refusal_is_told_in_words_and_changes_nothing(toy):
    before = toy.state()
    answer = toy.call("extend_rental", {"rental_id": "R-02", "until": "2026-03-27"})
    assert answer == Answer(False, None, "A rental is extended at most 2 times.")
    assert toy.state() == before
    assert not toy.call("pay_bill", {"bill_id": "B-99", "amount": 1}).ok


def test_duties_of_the_agent_alone_are_not_enforced(toy):
    # Paying wants identification and a yes, neither of which the tool can see.
    assert toy.call("pay_bill", {"bill_id": "B-02", "amount": 200}).content["paid"] == 200


def test_several_states_can_be_kept_and_freed_in_any_order(toy):
    def street() -> str:
        return str(toy.state()["parcels"]["PA-01"]["street"])

    kept = {}
    for name in ("Oak Lane", "Mill Road", "Elm Street"):
        assert toy.call("redirect_parcel", {"parcel_id": "PA-01", "street": name}).ok
        kept[name] = toy.snapshot()
    toy.forget(kept["Mill Road"])
    toy.restore(kept["Elm Street"])
    assert street() == "Elm Street"
    toy.restore(kept["Oak Lane"])
    assert street() == "Oak Lane"
    toy.restore(kept["Oak Lane"])
    assert street() == "Oak Lane"
    with pytest.raises(UsageError, match="snapshot"):
        toy.restore(kept["Elm Street"])
    toy.forget(kept["Elm Street"])
    toy.forget(kept["Oak Lane"])
    toy.forget(kept["Oak Lane"])
    assert street() == "Oak Lane"


def test_keeping_and_freeing_leaves_no_savepoint_behind(toy):
    depth = len(toy.environment.world._marks)
    older = toy.snapshot()
    for _ in range(3):
        younger = toy.snapshot()
        toy.forget(older)
        older = younger
    toy.forget(older)
    assert len(toy.environment.world._marks) == depth


def test_the_seed_varies_the_world_and_decides_it():
    system = open_system("davinci.library_lending")
    digests = []
    for seed in (1, 2, 1):
        system.open(seed)
        digests.append(digest(system.state()))
    system.close()
    assert digests[0] == digests[2] != digests[1]


def test_it_says_what_it_is():
    environment = SystemEnvironment(open_system("davinci.library_lending"), seed=5)
    info, data = environment.system.info, environment.metadata
    assert (info.name, info.family, info.licence) == (
        "davinci.library_lending", "davinci", "Apache-2.0",
    )  # fmt: skip
    assert (data.kind, data.access, data.benchmark, data.seed) == ("system", "staff", None, 5)
    assert data.policy.startswith("# Library lending: policy")
    reads = {t.name for t in environment.system.tools() if t.read_only}
    assert "browse_books" in reads
    assert "place_hold" not in reads
    environment.close()
    environment.close()


def test_only_domains_that_are_there_and_trusted_can_be_named():
    with pytest.raises(UnknownDomain, match="'library_lending'"):
        open_system("davinci.library_lendin")
    with pytest.raises(UsageError, match="name one, such as 'davinci"):
        open_system("davinci")
    with pytest.raises(UntrustedDomain):
        open_system("davinci.toy_rental", Options(path=TOYS))
