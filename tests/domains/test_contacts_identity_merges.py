"""Merges of the address book, and entries that are put aside: 9 June 2026 is the day."""

from datetime import timedelta

import pytest

from tests.domains.address_book import LATE, SETTLED, TODAY, UNSURE, Book


@pytest.fixture
def book():
    return Book(UNSURE)


# -- merges ----


def test_the_score_adds_up_what_agrees(book):
    scores = {m.keep.relationship: m.score for m in book.holder.merge_requests}
    assert scores["doctor"] == 65  # 30 for the name and 35 for the number
    assert scores["family"] == 75  # 30 for the name and 45 for the address
    client = book.entry("client")
    twin = book.mine(lambda c: c.display_name == f"{client.display_name} (old)")[0]
    told = book.ok("propose_merge", keep_id=client.id, other_id=twin.id)
    assert (told["score"], told["proposed_on"], told["status"]) == (100, "09.06.2026", "proposed")
    # 30 + 45 + 35 would be 110
    assert book.refused("propose_merge", keep_id=client.id, other_id=twin.id) == (
        "not_in_another_merge"
    )


def test_a_pair_below_fifty_points_is_not_proposed(book):
    client, friend = book.entry("client"), book.entry("colleague")
    arguments = {"keep_id": client.id, "other_id": friend.id}
    assert book.refused("propose_merge", **arguments) == "alike_enough"
    assert book.refused("propose_merge", keep_id=client.id, other_id=client.id) == "alike_enough"
    same = {"display_name": client.display_name, "email": None, "phone": None, "birthday": None}
    book.set(friend, **same, organisation=client.organisation)
    assert book.refused("propose_merge", **arguments) == "alike_enough"  # 30 + 10
    book.set(friend, birthday=client.birthday)
    assert book.ok("propose_merge", **arguments)["score"] == 55


def test_a_merge_fills_gaps_moves_aliases_and_can_be_undone(book):
    request = next(m for m in book.holder.merge_requests if m.keep.relationship == "friend")
    keep, other = request.keep, request.other
    lacking = [
        c for c in ("city", "email", "phone", "birthday", "organisation") if not getattr(keep, c)
    ]
    own, moved = [a.id for a in keep.aliases], [a.id for a in other.aliases]
    assert lacking and moved
    preview = book.ok("preview_merge", merge_request_id=request.id)
    assert preview["aliases_moving"] == len(moved)
    assert preview["details_filled"] == len(lacking)
    assert (preview["undo_until"], preview["score"]) == ("23.06.2026", request.score)
    book.confirm("approve_merge", merge_request_id=request.id)
    assert book.violated("approve_merge", merge_request_id=request.id) == set()
    assert (request.status, other.status) == ("approved", "merged")
    assert request.undo_until == TODAY + timedelta(days=14)
    assert request.filled == ", ".join(
        c for c in ("organisation", "city", "email", "phone", "birthday") if c in lacking
    )
    assert all(getattr(keep, c) == getattr(other, c) for c in lacking)
    assert {a.id for a in keep.aliases} == {*own, *moved} and not other.aliases
    assert all(a.came_from is other for a in keep.aliases if a.id in moved)
    assert book.refused("preview_merge", merge_request_id=request.id) == "not_to_be_decided"
    book.confirm("undo_merge", merge_request_id=request.id)
    assert book.violated("undo_merge", merge_request_id=request.id) == set()
    assert (request.status, other.status) == ("undone", "active")
    assert all(getattr(keep, c) is None for c in lacking)
    assert [a.id for a in keep.aliases] == own
    assert [(a.id, a.came_from) for a in other.aliases] == [(key, None) for key in moved]


def test_unsure_and_contradictory_pairs_are_not_the_assistant_s(book):
    unsure = next(m for m in book.holder.merge_requests if m.keep.relationship == "doctor")
    book.confirm("approve_merge", merge_request_id=unsure.id)
    assert book.violated("approve_merge", merge_request_id=unsure.id) == {"sure_of_the_match"}
    clash = next(m for m in book.holder.merge_requests if m.keep.relationship == "family")
    book.confirm("approve_merge", merge_request_id=clash.id)
    assert book.violated("approve_merge", merge_request_id=clash.id) == {"birthdays_agree"}


def test_without_a_yes_the_merge_breaks_the_policy(book):
    request = next(m for m in book.holder.merge_requests if m.keep.relationship == "friend")
    assert book.violated("approve_merge", merge_request_id=request.id) == {"details_confirmed"}


def test_the_folded_entry_has_to_be_free(book):
    request = next(m for m in book.holder.merge_requests if m.keep.relationship == "friend")
    book.set(request.other, favourite=True)
    assert book.refused("approve_merge", merge_request_id=request.id) == "not_a_favourite"


def test_a_late_merge_stays_and_the_last_one_goes_first():
    late = Book(LATE)
    old = next(m for m in late.holder.merge_requests if m.undo_until and m.undo_until < TODAY)
    assert late.refused("undo_merge", merge_request_id=old.id) == "undo_in_time"
    late.set(old, decided_on=TODAY - timedelta(days=14), undo_until=TODAY)
    late.confirm("undo_merge", merge_request_id=old.id)
    assert late.violated("undo_merge", merge_request_id=old.id) == set()
    settled = Book(SETTLED)
    first, last = sorted(
        (m for m in settled.holder.merge_requests if m.status == "approved"),
        key=lambda m: m.decided_on,
    )
    assert settled.refused("undo_merge", merge_request_id=first.id) == "last_merge_first"
    settled.ok("undo_merge", merge_request_id=last.id)
    settled.ok("undo_merge", merge_request_id=first.id)
    waiting = Book(1)
    approved = next(
        m
        for m in waiting.holder.merge_requests
        if m.status == "approved" and m.keep.relationship == "colleague"
    )
    assert waiting.refused("undo_merge", merge_request_id=approved.id) == "kept_entry_settled"
    waiting.ok("decline_merge", merge_request_id=waiting.merge(status="proposed").id)
    waiting.ok("undo_merge", merge_request_id=approved.id)


def test_an_entry_that_took_one_in_is_only_kept():
    book = Book(SETTLED)
    keep = book.merge(status="approved").keep
    twin = book.mine(
        lambda c: c.display_name == f"{keep.display_name} (mobile)", lambda c: c.status == "active"
    )[0]
    assert book.refused("propose_merge", keep_id=twin.id, other_id=keep.id) == "nothing_folded_in"
    assert book.ok("propose_merge", keep_id=keep.id, other_id=twin.id)["score"] == 65


@pytest.mark.parametrize("turned", [False, True])
def test_a_declined_pair_rests(book, turned):
    request = next(m for m in book.holder.merge_requests if m.keep.relationship == "friend")
    pair = [request.keep.id, request.other.id]
    book.ok("decline_merge", merge_request_id=request.id)
    assert request.decided_on == TODAY
    keep, other = pair[::-1] if turned else pair
    arguments = {"keep_id": keep, "other_id": other}
    assert book.violated("propose_merge", **arguments) == {"not_declined_lately"}


# -- putting aside ----


def test_what_keeps_an_entry_from_the_archive(book):
    client = book.entry("client")
    arguments = {"contact_id": client.id, "why": "job_done"}
    book.set(client, favourite=True)
    for place in list(client.group_places):
        book.ok("remove_from_group", group_member_id=place.id)
    assert book.refused("archive_contact", **arguments) == "not_a_favourite"
    book.ok("unmark_favourite", contact_id=client.id)
    assert book.refused("unmark_favourite", contact_id=client.id) == "has_a_star"
    told = book.ok("archive_contact", **arguments)
    assert (told["status"], told["archived_on"]) == ("archived", "09.06.2026")
    assert client.archived_for == "job_done"
    book.ok("restore_contact", contact_id=client.id)
    assert (client.status, client.archived_on, client.archived_for) == ("active", None, None)


def test_groups_shares_and_proposals_come_first():
    book = Book(UNSURE)
    placed = next(c for c in book.mine() if c.group_places and not c.favourite)
    code = book.refused("block_contact", contact_id=placed.id, cause="fraud")
    assert code == "in_no_group"
    shared = next(s.contact for s in book.holder.shared_cards if s.status == "live")
    book.set(shared, favourite=False)
    for place in list(shared.group_places):
        book.ok("remove_from_group", group_member_id=place.id)
    code = book.refused("archive_contact", contact_id=shared.id, why="retired")
    assert code == "card_not_out"
    twin = next(m for m in book.holder.merge_requests if m.keep.relationship == "doctor").other
    code = book.refused("archive_contact", contact_id=twin.id, why="retired")
    assert code == "no_open_merge"


@pytest.mark.parametrize(("days", "goes"), [(365, True), (366, False)])
def test_the_archive_is_sealed_after_a_year(days, goes):
    book = Book(1)
    entry = book.mine(lambda c: c.status == "archived")[0]
    book.set(entry, archived_on=TODAY - timedelta(days=days))
    if goes:
        book.ok("restore_contact", contact_id=entry.id)
    else:
        assert book.refused("restore_contact", contact_id=entry.id) == "restore_in_time"


def test_fraud_is_not_unblocked_and_others_take_the_safe_word():
    book = Book(LATE)
    fraud = book.mine(lambda c: c.blocked_for == "fraud")[0]
    assert book.refused("unblock_contact", contact_id=fraud.id) == "no_fraud"
    other = book.mine(lambda c: c.status == "blocked", lambda c: c is not fraud)[0]
    assert book.refused("read_next_birthday", contact_id=other.id) == "not_blocked"
    assert book.violated("unblock_contact", contact_id=other.id) == {"safe_word_given"}
    assert (other.status, other.blocked_for) == ("active", None)
    again = {"contact_id": other.id, "cause": "harassment"}
    book.confirm("block_contact", **again)
    assert book.violated("block_contact", **again) == set()
    assert other.blocked_for == "harassment"
