"""Joined domains are one world: one state, one clock, names that mean one thing each."""

from tests.compose.worlds import day_out, opened, told

HALL, BAR = "swim_hall", "snack_bar"


def test_names_that_clash_are_told_apart_and_others_stay() -> None:
    tools = day_out().tools
    assert {"swim_hall__hand_over", "snack_bar__hand_over"} <= set(tools)
    assert {"keep_locker", "pay_tab", "get_locker", "tab_of_locker", "locker_of_tab"} <= set(tools)
    assert "hand_over" not in tools
    assert all(len(name) <= 40 for name in tools)


def test_rules_and_helpers_that_clash_are_told_apart() -> None:
    composition = day_out()
    assert {"swim_hall__identified", "snack_bar__identified", "short_enough"} <= set(
        composition.rules
    )
    assert set(composition.helpers) == {"swim_hall__fee_for", "snack_bar__fee_for"}


def test_a_caller_can_have_prefixes_everywhere() -> None:
    tools = day_out(prefixes=True).tools
    own = {"tab_of_locker", "locker_of_tab"}
    assert all(name.startswith((f"{HALL}__", f"{BAR}__")) for name in set(tools) - own)
    assert {"swim_hall__keep_locker", "snack_bar__pay_tab"} <= set(tools)


def test_entities_and_ids_of_the_same_form_are_told_apart() -> None:
    composition = day_out()
    assert {"SwimHallVoucher", "SnackBarVoucher"} <= set(composition.entities)
    world = composition.build(1)
    ids = [row.id for entity in composition.entities.values() for row in world.all(entity)]
    assert len(ids) == len(set(ids))
    assert world.all(composition.entities["SwimHallVoucher"])[0].id == "SH-VO-001"
    assert world.all(composition.entities["SnackBarVoucher"])[0].id == "SB-VO-001"
    assert world.all(composition.entities["Locker"])[0].id == "LK-001"


def test_each_domain_has_tables_of_its_own_name() -> None:
    tables = set(day_out().schema.by_table)
    assert {"swim_hall__lockers", "snack_bar__tabs", "day_out__locker_tabs"} <= tables


def test_there_is_one_clock() -> None:
    composition = day_out()
    environment = opened()
    assert str(environment.world.db.now) == "2026-06-08 11:00:00"
    assert [str(part.now) for part in composition.parts] == ["2026-06-08 11:00:00"] * 2
    tab = environment.world.all(composition.entities["Tab"])[0]
    assert 0 <= (environment.world.db.today - tab.opened_on).days <= 9


def test_the_same_person_is_known_by_the_same_address() -> None:
    composition = day_out()
    world = composition.build(1)
    swimmers = world.all(composition.entities["Swimmer"])
    assert len(swimmers) == 8
    known = composition.regulars(world)
    assert [row.id for row in known] == [row.id for row in swimmers[:6]]  # the bar has six guests
    guest = composition.as_known_in(composition.entities["Guest"], swimmers[0])
    assert guest is not None
    assert guest.email == swimmers[0].email
    assert composition.as_known_in(composition.entities["Guest"], swimmers[7]) is None
    tab = world.all(composition.entities["Tab"])[0]
    assert composition.owner_of(tab) is composition.as_known_in(
        composition.entities["Swimmer"], tab.guest
    )


def test_each_domain_speaks_its_own_dialect() -> None:
    environment = opened()
    locker = environment.call("get_locker", {"locker_id": "LK-001"}).data
    tab = environment.call("get_tab", {"tabId": "TB-001"}).data
    assert locker is not None
    assert isinstance(locker["fee"], int)
    assert tab is not None
    assert tab["data"]["total"].endswith(".00")
    assert "/2026" in tab["data"]["openedOn"]


def test_pairs_are_of_one_person_and_each_record_is_in_one_at_most() -> None:
    composition = day_out()
    world = composition.build(1)
    (link,) = composition.links
    pairs = world.all(link.entity)
    assert pairs
    assert all(composition.owner_of(p.locker) is composition.owner_of(p.tab) for p in pairs)
    assert len({p.locker_id for p in pairs}) == len({p.tab_id for p in pairs}) == len(pairs)
    pair = pairs[0]
    assert link.partner(pair.locker) is pair.tab
    assert link.partner(pair.tab) is pair.locker
    assert pair.tab_id in opened().call("tab_of_locker", {"locker_id": pair.locker_id}).text


def test_the_same_seed_gives_the_same_world_and_another_one_another() -> None:
    composition = day_out()
    assert composition.image(1, 1.0).hash == composition.image(1, 1.0).hash
    assert composition.image(1, 1.0).hash != composition.image(2, 1.0).hash


def test_a_restore_covers_all_domains() -> None:
    environment = opened()
    pair = environment.world.all(day_out().links[0].entity)[0]
    start, before = environment.snapshot(), environment.capture().state_hash
    told(environment, email=pair.tab.guest.email, postcode=pair.tab.guest.postcode)
    assert environment.call("pay_tab", {"tabId": pair.tab_id}).ok
    assert environment.call("empty_locker", {"locker_id": pair.locker_id}).ok
    changed = {cell[0] for cell in environment.capture().diff}
    assert changed == {"swim_hall__lockers", "snack_bar__tabs"}
    environment.restore(start)
    assert environment.capture().state_hash == before
    assert environment.capture().diff == []
