"""The address book's business, seen through the public environment: 9 June 2026 is its day."""

from datetime import date, timedelta
from pathlib import Path

import pytest

from davinci_env.domain import load
from tests.domains.address_book import TODAY, UNSURE, Book


@pytest.fixture
def book():
    return Book(UNSURE)


# -- sharing ----


def able_to_share(number: int = 3):
    """A book with an entry that could be shared, and the handle of somebody to share it with."""
    book = Book(number)
    entry = book.entry("colleague")
    for card in book.holder.shared_cards:
        if card.status == "live":
            book.ok("revoke_share", shared_card_id=card.id)
    other = book.rows("Holder")[0]
    return book, entry, {"contact_id": entry.id, "recipient_handle": other.handle, "days": 30}


def test_a_card_is_shared_for_so_many_days():
    book, _, arguments = able_to_share()
    book.tell_safe_word()
    book.confirm("share_card", **arguments)
    assert book.violated("share_card", **arguments) == set()
    card = book.holder.shared_cards[-1]
    assert (card.status, card.shared_on) == ("live", TODAY)
    assert card.expires_on == TODAY + timedelta(days=30)
    assert book.refused("share_card", **arguments) == "somebody_new"
    late = {"shared_card_id": card.id, "days": 61}
    assert book.refused("extend_share", **late) == "share_term"
    assert book.ok("extend_share", shared_card_id=card.id, days=60)["expires_on"] == "07.09.2026"


def test_what_a_share_needs():
    book, entry, arguments = able_to_share()
    assert book.refused("share_card", **{**arguments, "recipient_handle": "@nobody"}) == (
        "recipient_unknown"
    )
    own = {**arguments, "recipient_handle": book.holder.handle}
    assert book.refused("share_card", **own) == "somebody_new"
    assert book.violated("share_card", **arguments) == {"safe_word_given", "details_confirmed"}
    book.set(entry, verified=False)
    assert book.refused("share_card", **arguments) == "entry_verified"
    book, entry, arguments = able_to_share()
    for consent in entry.consents:
        if consent.purpose == "card_sharing":
            book.ok("withdraw_consent", consent_id=consent.id)
    assert book.refused("share_card", **arguments) == "sharing_agreed"


@pytest.mark.parametrize("number", [0, 1, 3, 6])
def test_the_plan_limits_shared_cards(number):
    book, _, arguments = able_to_share(number)
    limit = {"personal": 2, "plus": 3, "studio": 4}[book.holder.plan]
    others = [h for h in book.rows("Holder") if h is not book.holder]
    for other in others[:limit]:
        book.ok("share_card", **{**arguments, "recipient_handle": other.handle})
    more = {**arguments, "recipient_handle": others[limit].handle}
    assert book.refused("share_card", **more) == "shares_left"


@pytest.mark.parametrize(("days", "broken"), [(14, set()), (15, {"private_cards_briefly"})])
def test_private_cards_are_shared_briefly(days, broken):
    book, _, arguments = able_to_share()
    arguments |= {"contact_id": book.entry("doctor").id, "days": days}
    book.tell_safe_word()
    book.confirm("share_card", **arguments)
    assert book.violated("share_card", **arguments) == broken


def test_no_card_for_somebody_who_is_blocked():
    book, _, arguments = able_to_share()
    blocked = book.mine(lambda c: c.status == "blocked")[0]
    arguments["recipient_handle"] = blocked.aliases[0].spelling
    book.tell_safe_word()
    book.confirm("share_card", **arguments)
    assert book.violated("share_card", **arguments) == {"recipient_not_blocked"}


def test_an_entry_is_verified_by_its_code_word(book):
    client, family = book.entry("client"), book.entry("family")
    wrong = {"contact_id": client.id, "code_word": "wrong word"}
    assert book.refused("verify_contact", **wrong) == "code_word_fits"
    old = {"contact_id": family.id, "code_word": family.code_word}
    assert book.refused("verify_contact", **old) == "code_word_fits"  # sent more than 10 days ago
    right = {"contact_id": client.id, "code_word": client.code_word}
    book.ok("verify_contact", **right)
    assert (client.verified, client.code_word, client.code_sent_on) == (True, None, None)
    assert book.refused("verify_contact", **right) == "code_word_fits"


# -- groups, favourites, exports ----


@pytest.mark.parametrize("number", [0, 1, 4, 7])
def test_a_group_fills_up(number):
    book = Book(number)
    limit = {"personal": 3, "plus": 4, "studio": 5}[book.holder.plan]
    group = book.holder.contact_groups[0]
    inside = [p.contact for p in group.group_members]
    more = book.mine(lambda c: c.status == "active", lambda c: c not in inside)
    many = [c.id for c in more[: limit - group.size + 1]]
    arguments = {"contact_group_id": group.id, "contact_ids": many}
    assert book.refused("add_to_group", **arguments) == "room_in_group"
    place = group.group_members[0]
    told = book.ok("remove_from_group", group_member_id=place.id)
    size = told["size"]
    assert size == len(inside) - 1
    told = book.ok("add_to_group", **arguments)
    assert told["size"] == limit and {p.contact.id for p in group.group_members} >= set(many)
    assert group.group_members[-1].joined_on == TODAY
    twice = {"contact_group_id": group.id, "contact_ids": many[:1]}
    assert book.refused("add_to_group", **twice) == "fit_for_group"


def test_favourites_are_few(book):
    limit = {"personal": 2, "plus": 3, "studio": 4}[book.holder.plan]
    starred = book.mine(lambda c: c.favourite)
    plain = book.mine(lambda c: not c.favourite, lambda c: c.status == "active")
    assert book.refused("mark_favourite", contact_id=starred[0].id) == "no_star_yet"
    for entry in plain[: limit - len(starred)]:
        book.ok("mark_favourite", contact_id=entry.id)
    last = plain[limit - len(starred)]
    assert book.refused("mark_favourite", contact_id=last.id) == "favourites_left"
    assert book.ok("read_my_allowance")["favourites_left"] == 0


def test_exports_count_for_thirty_days():
    book = Book(1)
    group = book.holder.contact_groups[0]
    limit = {"personal": 1, "plus": 2, "studio": 3}[book.holder.plan]
    assert "everybody_agreed" in book.violated("export_group", contact_group_id=group.id)
    for _ in range(limit - 1):
        assert book.ok("export_group", contact_group_id=group.id)["cards"] == group.size
    assert book.refused("export_group", contact_group_id=group.id) == "exports_left"
    assert book.ok("read_my_allowance")["exports_left"] == 0
    export = book.holder.card_exports[-1]
    book.set(export, made_on=TODAY - timedelta(days=29))
    assert book.refused("export_group", contact_group_id=group.id) == "exports_left"
    book.set(export, made_on=TODAY - timedelta(days=30))
    for place in list(group.group_members):
        book.ok("remove_from_group", group_member_id=place.id)
    assert book.refused("export_group", contact_group_id=group.id) == "group_not_empty"
    agreed = book.entry("colleague")
    book.ok("add_to_group", contact_group_id=group.id, contact_ids=[agreed.id])
    book.tell_safe_word()
    book.confirm("export_group", contact_group_id=group.id)
    assert book.violated("export_group", contact_group_id=group.id) == set()


# -- consents ----


def test_a_consent_is_recorded_once_and_opens_the_way(book):
    client = book.entry("client")
    asked = {"contact_id": client.id, "channel": "email", "purpose": "personal_notes"}
    assert book.refused("write_to_contact", **asked) == "has_consent"
    told = book.ok("record_consent", **asked, evidence="spoken")
    assert (told["given_on"], told["runs_out_on"]) == ("09.06.2026", "09.06.2027")
    assert book.refused("record_consent", **asked, evidence="spoken") == "consent_is_new"
    book.confirm("write_to_contact", **asked)
    assert book.violated("write_to_contact", **asked) == set()
    mailing = client.mailings[-1]
    assert (mailing.sent_on, mailing.purpose) == (TODAY, "personal_notes")
    assert book.refused("write_to_contact", **asked) == "not_too_often"
    book.set(mailing, sent_on=TODAY - timedelta(days=6))
    assert book.refused("write_to_contact", **asked) == "not_too_often"
    book.set(mailing, sent_on=TODAY - timedelta(days=7))
    book.ok("write_to_contact", **asked)
    book.set(client.consents[-1], runs_out_on=TODAY - timedelta(days=1))
    book.set(client.mailings[-1], sent_on=TODAY - timedelta(days=20))
    assert book.refused("write_to_contact", **asked) == "has_consent"


def test_a_channel_needs_a_detail(book):
    client = book.entry("client")
    book.set(client, phone=None)
    asked = {"contact_id": client.id, "channel": "phone", "purpose": "personal_notes"}
    assert book.refused("record_consent", **asked, evidence="spoken") == "can_be_reached"
    assert book.refused("write_to_contact", **asked) == "can_be_reached"
    book.set(client, phone="555-100-2000", city=None)
    book.ok("record_consent", **asked, evidence="spoken")
    asked["channel"] = "post"
    assert book.refused("record_consent", **asked, evidence="spoken") == "can_be_reached"


def test_newsletters_are_for_business_and_in_writing(book):
    client, family = book.entry("client"), book.entry("family")
    asked = {"channel": "phone", "purpose": "newsletters"}
    spoken = {"contact_id": client.id, **asked, "evidence": "spoken"}
    assert book.violated("record_consent", **spoken) == {"newsletters_in_writing"}
    book.ok("record_consent", contact_id=family.id, **asked, evidence="spoken")
    book.confirm("write_to_contact", contact_id=family.id, **asked)
    broken = book.violated("write_to_contact", contact_id=family.id, **asked)
    assert broken == {"no_newsletters_to_family"}


# -- aliases and names ----


def test_one_alias_means_one_person(book):
    client, colleague = book.entry("client"), book.entry("colleague")
    taken = next(a for a in client.aliases if a.status == "confirmed")
    asked = next(a for a in colleague.aliases if a.status == "suggested")
    assert taken.spelling == asked.spelling
    assert book.refused("confirm_alias", alias_id=asked.id) == "alias_is_free"
    book.ok("reject_alias", alias_id=taken.id)
    told = book.ok("confirm_alias", alias_id=asked.id)
    assert (told["status"], told["confidence"]) == ("confirmed", 100)


@pytest.mark.parametrize(("confidence", "broken"), [(40, set()), (39, {"alias_not_weak"})])
def test_a_weak_alias_is_left(book, confidence, broken):
    alias = next(a for c in book.mine() for a in c.aliases if a.status == "suggested"
                 and a.kind == "handle")  # fmt: skip
    book.set(alias, confidence=confidence)
    assert book.violated("confirm_alias", alias_id=alias.id) == broken


def test_who_is_meant(book):
    client, colleague = book.entry("client"), book.entry("colleague")
    nick = next(a for a in colleague.aliases if a.kind == "nickname")
    found = book.ok("resolve_person", spoken=nick.spelling.upper())
    assert found["contact"]["contact_id"] == client.id  # 100 against what is only suggested
    assert (found["certainty"], found["rivals"]) == (100 - nick.confidence // 2, 1)
    alone = book.ok("resolve_person", spoken=colleague.email)
    assert (alone["certainty"], alone["rivals"]) == (100, 0)
    assert alone["contact"]["contact_id"] == colleague.id
    assert book.refused("resolve_person", spoken="Zebedee Zorn") == "nobody_like_that"


def test_birthdays_ahead(book):
    client, doctor = book.entry("client"), book.entry("doctor")
    book.set(client, birthday=date(1980, 6, 12))
    book.set(doctor, birthday=date(1970, 6, 9))
    told = book.ok("read_next_birthday", contact_id=client.id)
    assert told == {"next_on": "12.06.2026", "days_left": 3, "turns": 46}
    ahead = [c["contact_id"] for c in book.ok("list_birthdays_ahead", days=3)["items"]]
    assert ahead[0] == doctor.id and client.id in ahead
    sooner = [c["contact_id"] for c in book.ok("list_birthdays_ahead", days=2)["items"]]
    assert client.id not in sooner
    book.set(client, birthday=None)
    assert book.refused("read_next_birthday", contact_id=client.id) == "no_birthday"


# -- people and the calendar ----


@pytest.mark.parametrize(
    ("reason", "desk"),
    [
        ("unsure_match", "identity_desk"),
        ("fraud_block", "safety_desk"),
        ("removal_wish", "privacy_desk"),
        ("app_fault", "support"),
    ],
)
def test_each_reason_has_its_desk(book, reason, desk):
    told = book.ok("hand_over", reason=reason)
    assert (told["desk"], told["status"], told["opened_on"]) == (desk, "open", "09.06.2026")
    assert book.refused("hand_over", reason=reason) == "not_handed_over_yet"


def test_other_books_stay_closed(book):
    stranger = next(c for c in book.rows("Contact") if c.holder is not book.holder)
    assert book.refused("read_contact", contact_id=stranger.id) == "access_denied"
    listed = book.ok("list_my_contacts")
    assert listed["total"] == len(book.mine())


@pytest.mark.parametrize(
    "day", ["2026, 1, 2", "2026, 5, 29", "2027, 2, 26", "2026, 8, 31", "2028, 2, 29"]
)
def test_any_day_will_do(tmp_path, day):
    source = Path(load("contacts_identity").path).read_text()
    assert "datetime(2026, 6, 9, 9, 10)" in source
    source = source.replace("datetime(2026, 6, 9, 9, 10)", f"datetime({day}, 9, 10)")
    source = source.replace('"contacts_identity",', '"contacts_any_day",')
    (tmp_path / "contacts_any_day.py").write_text(source)
    domain = load("contacts_any_day", paths=[tmp_path], trust=True)
    assert domain.now.date() != TODAY
    world = domain.build(0, 1.0)
    for entity, holds in domain.invariants:
        assert all(holds(row) for row in world.all(entity)), holds.__name__
