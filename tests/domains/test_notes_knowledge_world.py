"""Quillbox: its records as they are filled, and its refusals in plain words."""

import pytest

from davinci_env.domain.examples import failing_examples
from davinci_env.verify import rule_named
from tests.domains.quillbox import Quillbox, notes_domain


@pytest.fixture
def box():
    return Quillbox()


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
