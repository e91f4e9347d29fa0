"""Declaring entities: what the engine derives, and what it refuses."""

import itertools
from datetime import date
from typing import Annotated, Literal

import pytest

from davinci_env.errors import ContractError
from davinci_env.state import (
    Mapped,
    Meaning,
    Minutes,
    Money,
    Schema,
    column,
    counted,
    entity_base,
    hashed,
    lifecycle,
    natural,
    read_annotation,
    ref,
    singular_of,
)
from tests.support.shed import shed

SHED = shed()


def base():
    return entity_base({})


def test_the_schema_has_keys_references_and_an_index_on_each():
    ddl = SHED.domain.schema.ddl
    assert ddl.count("WITHOUT ROWID") == 5
    for table, columns in {
        "loans": ["member_id", "item_id", "buddy_id"],
        "items": ["category_id"],
        "categories": ["parent_id"],
        "holds": ["member_id", "item_id", "after_id"],
    }.items():
        for name in columns:
            assert f"CREATE INDEX ix_{table}_{name} ON {table} ({name})" in ddl
    assert "FOREIGN KEY(parent_id) REFERENCES categories (slug)" in ddl
    assert "UNIQUE (email)" in ddl


def test_what_is_known_of_an_entity():
    info = SHED.Loan._info
    assert (info.table, info.pk, info.noun, info.owner) == ("loans", "loan_id", "loan", "member")
    assert info.lifecycle.states == ("open", "returned", "lost")
    assert info.refs["buddy"].optional
    assert info.refs["buddy"].back == "helped"
    assert info.columns["renewals"].default == 0
    assert info.columns["kind"].choices == ("day", "week")
    assert not SHED.Category._info.has_generated_key
    item = SHED.Item._info
    assert ("out", "retired") in item.lifecycle.arcs
    assert item.lifecycle.outside == {("out", "retired")}
    assert item.doc == "One tool."
    assert SHED.domain.schema.compared["items"] == {
        "category_id": "categories", "title": None, "price": None, "slot": None, "weight": None,
        "electric": None, "opens_at": None, "status": None,
    }  # fmt: skip


def test_outside_arcs_that_tools_move_too_are_not_outside():
    cycle = lifecycle({"a": ["b"], "b": []}, outside={"a": ["b", "c"]}).lifecycle
    assert cycle.start == "a"
    assert cycle.states == ("a", "b", "c")
    assert cycle.outside == {("a", "c")}


@pytest.mark.parametrize("name", ["entity", "id", "metadata", "registry", "_hidden"])
def test_names_that_rows_need_themselves_are_refused(name):
    members = {"__annotations__": {name: Mapped[str]}, "__module__": __name__}
    with pytest.raises(ContractError, match=name):
        type("Thing", (base(),), members)


def test_annotations_that_are_no_columns_are_refused():
    with pytest.raises(ContractError, match=r"Mapped\[...\]"):

        class A(base()):
            size: int

    with pytest.raises(ContractError, match="not a column"):

        class B(base()):
            size: Mapped[complex]

    with pytest.raises(ContractError, match="not a list"):

        class C(base()):
            sizes: Mapped[list[int]]

    with pytest.raises(ContractError, match="Unknown"):

        class D(base()):
            other: Mapped["Unknown"] = ref()  # noqa: F821

    with pytest.raises(ContractError, match="not an entity"):

        class E(base()):
            other: Mapped[str] = ref()


def test_natural_keys_are_text_columns_of_the_entity():
    with pytest.raises(ContractError, match="code"):

        class A(base(), key=natural("code")):
            title: Mapped[str]

    with pytest.raises(ContractError, match="code"):

        class B(base(), key=natural("code")):
            code: Mapped[int]


def test_nothing_may_be_declared_twice():
    entities = base()

    class Owner(entities):
        title: Mapped[str]

    with pytest.raises(ContractError, match="twice"):

        class Pet(entities):
            owner_id: Mapped[str]
            owner: Mapped[Owner] = ref()

    class Cat(entities):
        owner: Mapped[Owner] = ref(back="pets")

    with pytest.raises(ContractError, match="pets"):

        class Dog(entities):
            owner: Mapped[Owner] = ref(back="pets")

    assert Owner._info.backs["pets"].child is Cat


def test_two_references_to_one_entity_need_two_back_lists():
    entities = {}
    made = entity_base(entities)

    class Place(made):
        title: Mapped[str]

    class Trip(made):
        start: Mapped[Place] = ref(back="departures")
        end: Mapped[Place] = ref(back="arrivals")

    assert set(Place._info.backs) == {"departures", "arrivals"}
    Schema("trips", entities)


@pytest.mark.parametrize(
    ("annotation", "kind", "optional", "choices", "many"),
    [
        (str, "str", False, (), False),
        (int | None, "int", True, (), False),
        (Money, "money", False, (), False),
        (Minutes | None, "minutes", True, (), False),
        (list[Money], "money", False, (), True),
        (list[date] | None, "date", True, (), True),
        (Literal["a", "b"], "str", False, ("a", "b"), False),
        (Annotated[Literal[1, 2], "x"] | None, "int", True, (1, 2), False),
        (Annotated[int, Meaning("money")], "money", False, (), False),
        (Annotated[Money, "marker"], "money", False, (), False),
    ],
)
def test_annotations(annotation, kind, optional, choices, many):
    typed = read_annotation(annotation)
    assert (typed.kind, typed.optional, typed.choices, typed.many) == (
        kind, optional, choices, many,
    )  # fmt: skip


@pytest.mark.parametrize("annotation", [complex, dict[str, int], int | str, None])
def test_annotations_that_no_column_has(annotation):
    with pytest.raises(TypeError):
        read_annotation(annotation)


def test_counted_keys_sort_as_they_count():
    key = counted("LN-{:05d}", start=1, step=1)
    ids = [key.make(n, "loans") for n in (0, 1, 9, 99, 99_998)]
    assert ids == ["LN-00001", "LN-00002", "LN-00010", "LN-00100", "LN-99999"]
    assert ids == sorted(ids)
    assert counted("#W{:07d}", start=5490100, step=7).make(2, "x") == "#W5490114"


def test_hashed_keys_never_collide_and_differ_between_tables():
    key = hashed("a_", 4)
    ids = [key.make(n, "t") for n in range(16**4)]
    assert len(set(ids)) == 16**4
    assert {len(i) for i in ids} == {6}
    assert key.make(0, "other") != ids[0]
    assert ids[:50] != sorted(ids[:50])
    uuid = hashed(uuid=True).make(3, "t")
    assert [len(p) for p in uuid.split("-")] == [8, 4, 4, 4, 12]


def test_plurals_and_singulars():
    for singular, plural in {
        "loan": "loans", "copy": "copies", "day": "days", "box": "boxes", "batch": "batches",
        "order_line": "order_lines",
    }.items():  # fmt: skip
        assert singular_of(plural) == singular
    assert singular_of("staff") == "staff"
    assert singular_of("address") == "address"
    made = entity_base(entities := {})
    for name in ("Copy", "Day", "Box", "OrderLine"):
        type(name, (made,), {"__annotations__": {"a": Mapped[str]}, "__module__": __name__})
    assert [e._info.table for e in entities.values()] == ["copies", "days", "boxes", "order_lines"]


def test_columns_may_be_described():
    class Thing(base()):
        """A thing
        of two lines."""

        size: Mapped[int] = column(3, ge=1, le=9, says="how big it is", doc="in metres")

    spec = Thing._info.columns["size"]
    assert (spec.says, spec.doc, spec.ge, spec.le) == ("how big it is", "in metres", 1, 9)
    assert Thing._info.doc == "A thing of two lines."
    assert list(itertools.islice(Thing._info.columns, 1)) == ["thing_id"]
