"""Quillbox: what its tools compute, what they refuse, and what is left to the assistant."""

from datetime import date, timedelta
from functools import cache

import pytest

from davinci_env.domain import Domain, load
from davinci_env.domain.examples import failing_examples
from davinci_env.environment import DomainEnvironment, Event
from davinci_env.verify import rule_named

TODAY = date(2026, 6, 9)
AT_HAND = ("draft", "published", "archived")


@cache
def notes_domain() -> Domain:
    return load("notes_knowledge")


class Quillbox:
    """The environment, with what these tests keep saying."""

    def __init__(self, seed: int = 0, scale: float = 1.0) -> None:
        self.domain = notes_domain()
        world = self.domain.build(seed, scale)
        self.env = DomainEnvironment(self.domain, world, seed=seed, scale=scale)

    def rows(self, entity: str):
        return self.env.world.all(self.domain.entities[entity])

    def first(self, entity: str, condition):
        """The first row of a kind; its owner signs in."""
        row = next(row for row in self.rows(entity) if condition(row))
        self.env.act_for(self.domain.owner_of(row).id)
        return row

    def ok(self, tool: str, **arguments):
        result = self.env.call(tool, arguments)
        assert result.ok, f"{tool}: {result.code} {result.message}"
        assert self.broken() == []
        return result.data["data"]

    def refused(self, tool: str, **arguments) -> str:
        before = self.env.capture().state_hash
        result = self.env.call(tool, arguments)
        assert not result.ok, f"{tool} went through"
        assert self.env.capture().state_hash == before
        return result.code

    def violated(self, tool: str, **arguments):
        result = self.env.call(tool, arguments)
        assert result.ok, f"{tool}: {result.code} {result.message}"
        return list(result.violated)

    def confirm(self, tool: str, **arguments) -> None:
        self.env.observe(Event("confirmed", {"tool": tool, "arguments": arguments}))

    def broken(self):
        return [
            f"{check.__name__}({row.id})"
            for entity, check in self.domain.invariants
            for row in self.env.world.all(entity)
            if not check(row)
        ]


@pytest.fixture
def box():
    return Quillbox()


def live(note):
    return [share for share in note.shares if share.status in ("offered", "active")]


def plain(note) -> bool:
    """At hand in an open notebook of one's own, unlocked, under no retention, edited by nobody."""
    return (
        note.status in AT_HAND
        and note.notebook.role == "owner"
        and note.notebook.status == "open"
        and not note.locked
        and note.retained_until is None
        and note.edited_by is None
    )


# -- the records as they are filled ----------------------------------------------------------------


@pytest.mark.parametrize(("seed", "scale"), [(0, 1.0), (1, 1.0), (2, 0.2), (3, 3.0)])
def test_seeded_records_keep_every_invariant(seed, scale):
    assert Quillbox(seed, scale).broken() == []


def test_seed_reaches_every_state_and_keeps_its_size(box):
    entities = box.domain.entities
    assert 150 <= sum(len(box.rows(name)) for name in entities) <= 600
    for name, entity in entities.items():
        cycle = entity._info.lifecycle
        if cycle is not None:
            seen = {getattr(row, entity._info.state_column) for row in box.rows(name)}
            assert seen == set(cycle.states), name


def test_authors_are_the_first_people_and_have_look_alikes(box):
    authors = box.rows("Author")
    assert len(authors) == 24
    assert all(author.email.endswith("@example.com") for author in authors)
    assert all(len(author.notes) >= 6 for author in authors)
    collaborators = {row.email for row in box.rows("Collaborator")}
    assert collaborators.isdisjoint(author.email for author in authors)


def test_some_stand_at_and_just_below_the_limits(box):
    limits = {"free": 2, "plus": 3, "team": 4}
    free = [
        limits[author.plan] - sum(share.status in ("offered", "active") for share in author.shares)
        for author in box.rows("Author")
    ]
    assert {0, 1} <= set(free)
    left = [a.quota_kb - sum(note.size_kb for note in a.notes) for a in box.rows("Author")]
    assert 12 in left
    assert {4, 3} & {len(note.facts) for note in box.rows("Note")} == {4}


def test_every_worked_example_holds():
    assert failing_examples(notes_domain().helpers) == []


# -- facts, the lines that other people's systems want to know -------------------------------------


def test_a_date_learnt_elsewhere_becomes_a_fact(box):
    note = box.first("Note", lambda n: plain(n) and not n.facts)
    fact = box.ok("record_date", noteId=note.id, label="viewing", onDate="2026-06-20")
    assert (fact["kind"], fact["onDate"], fact["noteTitle"]) == ("date", "2026-06-20", note.title)
    listed = box.ok("facts_in_note", noteId=note.id)
    assert [item["label"] for item in listed] == ["viewing"]


def test_amounts_and_lines_are_written_down(box):
    note = box.first("Note", lambda n: plain(n) and len(n.facts) <= 1)
    money = box.ok("record_amount", noteId=note.id, label="advance", amount=120.5)
    assert (money["kind"], money["amount"]) == ("amount", 120.5)
    line = box.ok("record_line", noteId=note.id, label="gate", wording="B 12")
    assert (line["kind"], line["wording"]) == ("text", "B 12")


def test_a_note_holds_four_facts_and_striking_one_makes_room(box):
    note = box.first("Note", lambda n: plain(n) and len(n.facts) == 4)
    new = {"noteId": note.id, "label": "gate", "wording": "B 12"}
    assert box.refused("record_line", **new) == "facts_left"
    box.ok("strike_fact", noteFactId=note.facts[0].id)
    box.ok("record_line", **new)


def test_a_label_is_used_once(box):
    note = box.first("Note", lambda n: plain(n) and len(n.facts) == 1)
    label = note.facts[0].label
    assert box.refused("record_line", noteId=note.id, label=label, wording="x") == "label_free"


def test_dates_are_changed_to_another_day(box):
    dated = box.first("NoteFact", lambda f: f.kind == "date" and plain(f.note))
    day = (dated.on_date + timedelta(days=3)).isoformat()
    assert box.ok("change_date", noteFactId=dated.id, onDate=day)["onDate"] == day
    assert box.refused("change_date", noteFactId=dated.id, onDate=day) == "same_date"
    other = box.first("NoteFact", lambda f: f.kind == "amount" and plain(f.note))
    assert box.refused("change_date", noteFactId=other.id, onDate=day) == "holds_no_date"


def test_retention_forbids_changing_but_not_adding(box):
    fact = box.first(
        "NoteFact",
        lambda f: (f.note.retained_until or TODAY) > TODAY and f.note.notebook.role == "owner",
    )
    assert box.refused("strike_fact", noteFactId=fact.id) == "not_retained"
    box.ok("record_line", noteId=fact.note.id, label="gate", wording="B 12")


def test_a_retention_that_is_over_forbids_nothing(box):
    fact = box.first("NoteFact", lambda f: f.note.retained_until and f.note.retained_until < TODAY)
    box.ok("strike_fact", noteFactId=fact.id)


def test_revoking_the_share_closes_a_note_that_is_being_edited(box):
    note = box.first("Note", lambda n: n.edited_by and len(n.facts) < 4)
    new = {"noteId": note.id, "label": "gate", "wording": "B 12"}
    assert box.refused("record_line", **new) == "nobody_editing"
    share = next(s for s in live(note) if s.collaborator.name == note.edited_by)
    assert box.ok("revoke_share", shareId=share.id)["status"] == "revoked"
    assert note.edited_by is None
    box.ok("record_line", **new)


def test_viewers_change_nothing(box):
    note = box.first(
        "Note", lambda n: n.notebook.role == "viewer" and n.status in AT_HAND and len(n.facts) < 4
    )
    new = {"noteId": note.id, "label": "gate", "wording": "B 12"}
    assert box.refused("record_line", **new) == "may_edit"
    assert box.refused("trash_notes", noteIds=[note.id]) == "may_be_trashed"


# -- notebooks and notes ---------------------------------------------------------------------------


@pytest.mark.parametrize(("template", "size"), [("blank", 5), ("minutes", 20), ("journal", 35)])
def test_a_template_decides_the_size(box, template, size):
    book = box.first(
        "Notebook",
        lambda b: (
            b.role == "owner"
            and b.status == "open"
            and sum(n.size_kb for n in b.author.notes) + 40 < b.author.quota_kb
        ),
    )
    note = box.ok("start_note", notebookId=book.id, template=template, title="Moths")
    assert (note["sizeKb"], note["status"], note["wordCount"]) == (size, "draft", 0)
    again = {"notebookId": book.id, "template": "blank", "title": "Moths"}
    assert box.refused("start_note", **again) == "title_free"


def test_purging_makes_room_in_a_full_storage(box):
    full = box.first(
        "Author", lambda a: a.quota_kb - sum(n.size_kb for n in a.notes) == 12 and a.plan == "free"
    )
    book = next(b for b in full.notebooks if b.status == "open" and b.role == "owner")
    wish = {"notebookId": book.id, "template": "minutes", "title": "Moths"}
    assert box.refused("start_note", **wish) == "within_quota"
    trashed = next(n for n in full.notes if n.status == "trashed")
    report = box.ok("storage_report")
    assert (report["leftKb"], report["trashKb"]) == (12, trashed.size_kb)
    gone = box.ok("purge_note", noteId=trashed.id)
    assert (gone["status"], gone["sizeKb"], gone["wordCount"]) == ("purged", 0, 0)
    box.ok("start_note", **wish)


def test_eighty_words_are_enough_to_publish(box):
    short = box.first("Note", lambda n: n.status == "draft" and n.word_count == 79 and plain(n))
    assert box.refused("publish_note", noteId=short.id) == "long_enough"
    assert box.refused("archive_note", noteId=short.id) == "note_not_published"
    note = box.first("Note", lambda n: n.status == "draft" and n.word_count == 80 and plain(n))
    assert box.ok("publish_note", noteId=note.id)["status"] == "published"


def test_trash_keeps_notes_for_thirty_days_and_gives_them_back(box):
    notes = [box.first("Note", lambda n: plain(n) and n.pinned and not live(n))]
    notes += [n for n in notes[0].author.notes if plain(n) and not live(n) and n is not notes[0]]
    told = box.ok("trash_notes", noteIds=[note.id for note in notes])
    assert told == {"count": len(notes), "purgeOn": "2026-07-09"}
    assert {(n.status, n.pinned, n.purge_on) for n in notes} == {
        ("trashed", False, date(2026, 7, 9))
    }
    assert box.refused("trash_notes", noteIds=[notes[0].id]) == "may_be_trashed"
    back = box.ok("restore_note", noteId=notes[0].id)
    assert (back["status"], back["purgeOn"]) == ("draft", None)


def test_shared_notes_and_notes_under_retention_are_not_thrown_away(box):
    shared = box.first("Note", lambda n: plain(n) and live(n))
    assert box.refused("trash_notes", noteIds=[shared.id]) == "nobody_reads_on"
    for share in live(shared):
        box.ok("revoke_share", shareId=share.id)
    box.ok("trash_notes", noteIds=[shared.id])
    kept = box.first("Note", lambda n: (n.retained_until or TODAY) > TODAY)
    assert box.refused("trash_notes", noteIds=[kept.id]) == "may_be_trashed"


def test_an_archived_notebook_has_to_be_reopened_by_its_keeper(box):
    book = box.first("Notebook", lambda b: b.status == "archived" and b.kept_by is None)
    note = next(n for n in book.author.notes if plain(n) and n.notebook is not book)
    move = {"noteId": note.id, "notebookId": book.id}
    assert box.refused("move_note", **move) == "notebook_open"
    assert box.ok("reopen_notebook", notebookId=book.id)["status"] == "open"
    assert box.ok("move_note", **move)["notebookTitle"] == book.title
    assert box.refused("move_note", **move) == "another_notebook"
    other = box.first("Notebook", lambda b: b.status == "archived" and b.kept_by)
    assert box.refused("reopen_notebook", notebookId=other.id) == "keeps_notebook"


def mergeable(note):
    return [
        other
        for other in note.author.notes
        if other is not note
        and plain(other)
        and other.notebook is note.notebook
        and other.word_count + note.word_count <= 2400
        and len(other.facts) + len(note.facts) <= 4
        and not {f.label for f in other.facts} & {f.label for f in note.facts}
    ]


def test_merging_adds_up_and_keeps_the_former_version(box):
    note = box.first("Note", lambda n: plain(n) and not live(n) and n.facts and mergeable(n))
    into = mergeable(note)[0]
    words, size = note.word_count + into.word_count, note.size_kb + into.size_kb
    before, facts = into.word_count, len(note.facts) + len(into.facts)
    preview = box.ok("preview_merge", sourceId=note.id, intoId=into.id)
    assert preview == {"words": words, "facts": facts, "reading": f"0:{-(-words // 200):02d}"}
    versions = len(into.revisions)
    merged = box.ok("merge_notes", sourceId=note.id, intoId=into.id)
    assert (merged["wordCount"], merged["sizeKb"], len(into.facts)) == (words, size, facts)
    assert (note.status, note.size_kb, note.word_count) == ("purged", 0, 0)
    kept = max(into.revisions, key=lambda r: r.number)
    assert (len(into.revisions), kept.word_count, kept.saved_on) == (versions + 1, before, TODAY)
    assert kept.number == versions + 1 and kept.past_title == into.title


def test_merging_is_refused_part_by_part(box):
    long = box.first(
        "Note",
        lambda n: (
            n.word_count == 1990
            and plain(n)
            and any(x.word_count > 410 and x.notebook is n.notebook for x in n.author.notes)
        ),
    )
    other = next(
        x for x in long.author.notes if x.word_count > 410 and x.notebook is long.notebook
        and x is not long
    )  # fmt: skip
    assert box.refused("merge_notes", sourceId=long.id, intoId=other.id) == "can_be_one"
    assert box.refused("merge_notes", sourceId=long.id, intoId=long.id) == "can_be_one"
    assert box.refused("preview_merge", sourceId=long.id, intoId=long.id) == "one_note"
    shared = box.first("Note", lambda n: plain(n) and live(n) and mergeable(n))
    into = mergeable(shared)[0]
    assert box.refused("merge_notes", sourceId=shared.id, intoId=into.id) == "nobody_loses_it"


def test_two_pins_are_all(box):
    author = box.first("Author", lambda a: sum(n.pinned for n in a.notes) == 2)
    note = next(n for n in author.notes if n.status in AT_HAND and not n.pinned)
    assert box.refused("pin_note", noteId=note.id) == "pins_left"
    assert box.refused("unpin_note", noteId=note.id) == "no_pin"
    pinned = next(n for n in author.notes if n.pinned)
    box.ok("unpin_note", noteId=pinned.id)
    assert box.ok("pin_note", noteId=note.id)["pinned"] is True
    assert box.ok("sharing_report")["pins"] == 2


def test_three_tags_are_all(box):
    note = box.first("Note", lambda n: len(n.note_tags) == 3)
    tag = next(t for t in note.author.tags if all(x.tag is not t for x in note.note_tags))
    assert box.refused("tag_note", noteId=note.id, tagId=tag.id) == "tags_left"
    box.ok("untag_note", noteTagId=note.note_tags[0].id)
    assert box.ok("tag_note", noteId=note.id, tagId=tag.id)["word"] == tag.word
    other = box.first("Note", lambda n: len(n.note_tags) == 1 and n.status in AT_HAND)
    mine = other.note_tags[0].tag
    assert box.refused("tag_note", noteId=other.id, tagId=mine.id) == "not_tagged"


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


# -- reviews and revisions -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("recall", "step", "day"),
    [("well", 2, "2026-06-16"), ("partly", 1, "2026-06-12"), ("badly", 0, "2026-06-10")],
)
def test_the_schedule_follows_the_recall(box, recall, step, day):
    note = box.first(
        "Note", lambda n: n.review_step == 1 and n.status == "published" and n.review_on <= TODAY
    )
    assert note.id in [item["noteId"] for item in box.ok("reviews_due")]
    assert box.ok("preview_review", noteId=note.id, recall=recall) == {"nextOn": day}
    done = box.ok("mark_reviewed", noteId=note.id, recall=recall)
    assert (done["reviewStep"], done["reviewOn"]) == (step, day)
    assert box.refused("mark_reviewed", noteId=note.id, recall=recall) == "review_is_due"


def test_reviews_due_come_in_their_order(box):
    author = box.first(
        "Author",
        lambda a: sum(bool(n.review_on and n.review_on <= TODAY) for n in a.notes) > 1,
    )
    days = [item["reviewOn"] for item in box.ok("reviews_due")]
    assert len(days) > 1 and days == sorted(days) and days[-1] <= "2026-06-09"
    unplanned = next(n for n in author.notes if n.review_on is None and n.status == "draft")
    assert box.refused("preview_review", noteId=unplanned.id, recall="well") == "no_schedule"


def test_a_revision_comes_back_within_the_days_of_the_plan(box):
    reach = {"free": 7, "plus": 30, "team": 90}
    young = box.first(
        "Revision",
        lambda r: plain(r.note) and (TODAY - r.saved_on).days <= reach[r.note.author.plan],
    )
    note, words, versions = young.note, young.note.word_count, len(young.note.revisions)
    back = box.ok("restore_revision", revisionId=young.id)
    assert (back["wordCount"], back["title"]) == (young.word_count, young.past_title)
    kept = max(note.revisions, key=lambda r: r.number)
    assert (kept.number, kept.word_count) == (versions + 1, words)
    old = box.first(
        "Revision",
        lambda r: plain(r.note) and (TODAY - r.saved_on).days > reach[r.note.author.plan],
    )
    assert box.refused("restore_revision", revisionId=old.id) == "revision_in_reach"


def test_an_outline_counts_what_is_at_hand(box):
    book = box.first("Notebook", lambda b: any(n.status == "trashed" for n in b.notes))
    here = [note for note in book.notes if note.status in AT_HAND]
    words = sum(note.word_count for note in here)
    told = box.ok("notebook_outline", notebookId=book.id)
    assert (told["notes"], told["words"]) == (len(here), words)
    assert told["reading"] == f"0:{-(-words // 200):02d}"
    assert told["underReview"] == sum(note.review_on is not None for note in here)


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


# -- words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("may_edit", "I can't change it, because you only have viewing rights in that notebook."),
        ("facts_left", "I can't add it: the note has its 4 facts, which is the maximum."),
        ("within_quota", "I can't start it, your storage has no room left for that."),
        ("pins_left", "I can't pin it, since 2 pins are the maximum."),
        ("not_retained", "I can't strike it, the note is still under retention."),
        ("locked_left_alone", "I can't share it, as the note is locked."),
        ("long_enough", "I can't publish it: a note needs at least 80 words."),
        ("in_team", "I can't share it, she is from outside your team."),
    ],
)
def test_refusals_are_recognised(rule, said):
    domain = notes_domain()
    found = domain.rules[rule]
    groups = [part.concepts for part in (*found.parts, found) if part.concepts]
    assert any(rule_named(domain, rule, concepts, said).passed for concepts in groups)
