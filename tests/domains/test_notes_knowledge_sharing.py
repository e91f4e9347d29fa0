"""Quillbox: what is shared, and what is left to the assistant."""

import pytest

from tests.domains.quillbox import TODAY, Quillbox, live, mergeable, plain


@pytest.fixture
def box():
    return Quillbox()


# -- sharing ---------------------------------------------------------------------------------------


def shareable(author, affiliation):
    """A published note and a person who has no share of it."""
    people = [c for c in author.collaborators if c.affiliation == affiliation]
    return [
        (note, person)
        for note in author.notes
        for person in people
        if plain(note) and note.status == "published"
        if all(share.collaborator is not person for share in live(note))
    ]


def free_shares(author) -> int:
    used = sum(share.status in ("offered", "active") for share in author.shares)
    return {"free": 2, "plus": 3, "team": 4}[author.plan] - used


def test_colleagues_get_an_offer_without_an_end(box):
    author = box.first("Author", lambda a: free_shares(a) == 1 and shareable(a, "team"))
    note, person = shareable(author, "team")[0]
    wish = {"noteId": note.id, "collaboratorId": person.id, "permission": "edit"}
    share = box.ok("share_note", **wish)
    assert (share["status"], share["expiresOn"], share["offeredOn"]) == (
        "offered",
        None,
        "2026-06-09",
    )
    assert box.refused("share_note", **wish) == "shares_left"
    report = box.ok("sharing_report")
    assert report["liveShares"] == report["shareLimit"]
    box.ok("revoke_share", shareId=share["shareId"])
    box.ok("share_note", **wish)


def test_one_share_of_a_note_is_enough_for_a_person(box):
    share = box.first(
        "Share",
        lambda s: (
            s.status == "active"
            and s.collaborator.affiliation == "team"
            and free_shares(s.author) > 0
        ),
    )
    wish = {"noteId": share.note.id, "collaboratorId": share.collaborator.id, "permission": "view"}
    assert box.refused("share_note", **wish) == "not_shared_yet"


def test_guests_come_from_outside_and_leave_in_time(box):
    author = box.first("Author", lambda a: free_shares(a) > 1 and shareable(a, "outside"))
    note, guest = shareable(author, "outside")[0]
    wish = {"noteId": note.id, "collaboratorId": guest.id, "permission": "view"}
    assert box.refused("share_note", **wish) == "in_team"
    late = {**wish, "expiresOn": "2026-07-25"}
    assert box.refused("invite_guest", **late) == "guest_leaves_in_time"
    assert box.refused("invite_guest", **{**wish, "expiresOn": "2026-06-09"}) == (
        "guest_leaves_in_time"
    )
    colleague = next(c for c in author.collaborators if c.affiliation == "team")
    team = {**wish, "collaboratorId": colleague.id, "expiresOn": "2026-07-24"}
    assert box.refused("invite_guest", **team) in ("from_outside", "not_shared_yet")
    assert box.ok("invite_guest", **wish, expiresOn="2026-07-24")["expiresOn"] == "2026-07-24"


# -- what is left to the assistant -----------------------------------------------------------------


def test_a_purge_takes_a_yes_and_the_address(box):
    note = box.first("Note", lambda n: n.status == "trashed" and n.notebook.role == "owner")
    assert set(box.violated("purge_note", noteId=note.id)) == {"approved", "account_proved"}


def test_a_confirmed_merge_breaks_no_duty(box):
    note = box.first("Note", lambda n: plain(n) and not live(n) and mergeable(n))
    wish = {"sourceId": note.id, "intoId": mergeable(note)[0].id}
    box.confirm("merge_notes", **wish)
    assert box.violated("merge_notes", **wish) == []


def test_locked_notes_are_left_alone(box):
    note = box.first("Note", lambda n: n.locked and n.status == "published")
    new = {"noteId": note.id, "label": "gate", "wording": "B 12"}
    assert box.violated("record_line", **new) == ["locked_left_alone"]
    assert box.ok("unlock_note", noteId=note.id)["locked"] is False
    assert box.violated("record_line", **{**new, "label": "bay"}) == []
    assert box.refused("unlock_note", noteId=note.id) == "not_locked"


def test_a_locked_note_stays_out_of_shared_notebooks(box):
    note = box.first("Note", lambda n: n.locked and n.notebook.access == "private")
    book = next(
        b for b in note.author.notebooks if b.access == "shared" and b.role == "owner"
    )  # fmt: skip
    assert box.violated("move_note", noteId=note.id, notebookId=book.id) == ["locked_stays_private"]


def test_days_that_are_over_are_not_written_down(box):
    note = box.first("Note", lambda n: plain(n) and not n.facts)
    wish = {"noteId": note.id, "label": "viewing"}
    assert box.violated("record_date", **wish, onDate="2026-06-08") == ["day_not_over"]
    today = {"noteId": note.id, "label": "handover", "onDate": "2026-06-09"}
    assert box.violated("record_date", **today) == []


def test_a_due_review_comes_before_the_archive(box):
    note = box.first(
        "Note",
        lambda n: plain(n) and n.status == "published" and n.review_on and n.review_on <= TODAY,
    )
    assert box.violated("archive_note", noteId=note.id) == ["reviewed_before_archive"]


def test_amounts_are_not_for_guests_and_drafts_for_nobody(box):
    author = box.first(
        "Author",
        lambda a: (
            free_shares(a) > 0
            and any(any(f.kind == "amount" for f in n.facts) for n, _ in shareable(a, "outside"))
        ),
    )
    note, guest = next(
        (n, c) for n, c in shareable(author, "outside") if any(f.kind == "amount" for f in n.facts)
    )
    wish = {"noteId": note.id, "collaboratorId": guest.id, "permission": "view"}
    box.confirm("invite_guest", **wish, expiresOn="2026-06-30")
    assert box.violated("invite_guest", **wish, expiresOn="2026-06-30") == ["no_amounts_for_guests"]
    draft = box.first(
        "Note", lambda n: plain(n) and n.status == "draft" and free_shares(n.author) > 0
    )
    other = draft.author
    colleague = next(c for c in other.collaborators if c.affiliation == "team")
    share = {"noteId": draft.id, "collaboratorId": colleague.id, "permission": "view"}
    assert box.violated("share_note", **share) == ["published_first"]


def test_nobody_sees_what_belongs_to_others(box):
    mine = box.first("Note", lambda n: True)
    other = next(n for n in box.rows("Note") if n.author is not mine.author)
    assert box.refused("open_note", noteId=other.id) == "access_denied"
    listed = box.ok("notes_of_mine")
    assert {item["authorId"] for item in listed} == {mine.author.id}


def test_the_support_gets_a_case(box):
    box.first("Author", lambda a: True)
    before = len(box.rows("NotesEscalation"))
    assert box.ok("ask_support", reason="billing")["reason"] == "billing"
    assert len(box.rows("NotesEscalation")) == before + 1
