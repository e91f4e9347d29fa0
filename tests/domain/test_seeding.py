"""Seeds: everything comes from the seed, and people are unlike each other."""

import time

import pytest

from davinci_env.domain import Seeder, World
from davinci_env.state import StartImage
from tests.support.shed import TODAY, shed

SCHEMA = shed().domain.schema


@pytest.fixture
def seeder():
    world = World(SCHEMA, StartImage(SCHEMA, None, {}, TODAY))
    yield Seeder(world, "tool_shed", 7, 1.0)
    world.close()


def people(seed, n):
    world = World(SCHEMA, StartImage(SCHEMA, None, {}, TODAY))
    found = Seeder(world, "any", seed, 1.0).people(n)
    world.close()
    return found


def test_twenty_thousand_people_differ_in_name_address_and_phone_and_are_made_quickly():
    start = time.thread_time()
    found = people(0, 20_000)
    assert time.thread_time() - start < 5
    for attribute in ("name", "email", "phone"):
        assert len({getattr(p, attribute) for p in found}) == 20_000


def test_people_of_a_seed_are_the_same_in_every_domain_and_number():
    assert people(3, 50) == people(3, 200)[:50]
    assert people(3, 50) != people(4, 50)
    person = people(0, 1)[0]
    first, last = person.name.split()
    assert person.email.startswith(f"{first}.{last}".lower())
    assert person.email.endswith("@example.com")
    assert 1938 <= person.birth_date.year <= 2006


def test_counts_scale_and_never_vanish():
    world = World(SCHEMA, StartImage(SCHEMA, None, {}, TODAY))
    assert [Seeder(world, "x", 0, s).scaled(6) for s in (0.01, 0.5, 1, 2.5)] == [1, 3, 6, 15]
    world.close()


def test_days_and_moments_stay_in_their_span(seeder):
    days = {(seeder.day(-2, 2) - seeder.today).days for _ in range(200)}
    assert days == {-2, -1, 0, 1, 2}
    for _ in range(200):
        moment = seeder.moment(1, 3)
        assert 1 <= (moment.date() - seeder.today).days <= 3
        assert 8 <= moment.hour < 18
        assert moment.minute % 15 == 0
    assert seeder.pick(["only"]) == "only"


def test_a_seed_and_a_scale_give_the_same_bytes():
    domain = shed().domain
    one, two = domain.build(5, 2.0), shed("shop").domain.build(5, 2.0)
    assert one.image.database == two.image.database
    assert one.image.hash == two.image.hash
    other = domain.build(6, 2.0)
    assert other.image.hash != one.image.hash
    assert domain.build(5, 2.0).image is one.image
    for world in (one, two, other):
        world.close()


def test_the_seeded_world_is_the_start_state():
    world = shed().domain.build()
    assert world.changes() == []
    assert world.counters[shed().Loan] == len(world.all(shed().Loan))
    world.close()
