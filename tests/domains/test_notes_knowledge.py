"""Quillbox: facts, notes, notebooks, reviews and revisions."""

from datetime import date, timedelta

import pytest

from tests.domains.quillbox import AT_HAND, TODAY, Quillbox, live, mergeable, plain


@pytest.fixture
def box():
    return Quillbox()


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
