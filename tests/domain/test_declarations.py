"""Slips of an author: told with their line and the remedy before anything is derived from them."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from davinci_env.domain import (
    Dialect,
    Domain,
    counted,
    lifecycle,
    load_file,
)
from davinci_env.domain.blame import blame
from davinci_env.errors import ContractError, DefectError

HEADER: dict[str, Any] = {"version": 1, "category": "x", "today": date(2026, 3, 16), "role": "r"}


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("Small Shop", {}, "'Small Shop' is no name of a domain: use snake case"),
        ("shop", {"version": 0}, "version=0 counts nothing"),
        ("shop", {"version": True}, "version=True counts nothing"),
        ("shop", {"version": "one"}, "version='one' counts nothing"),
        ("shop", {"today": "2026-03-16"}, "today='2026-03-16' is no time"),
        ("shop", {"access": "stuff"}, "no access='stuff': choose from staff, self_service"),
        ("shop", {"dialect": Dialect(money="pennies")}, "choose from cents, decimal, number"),  # type: ignore[arg-type]
        ("shop", {"dialect": Dialect(paging=3)}, "choose from page, offset, cursor"),  # type: ignore[arg-type]
    ],
)
def test_the_header_is_checked(name: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(ContractError, match=said):
        Domain(name, **{**HEADER, **options})


def test_every_option_of_a_dialect_can_be_chosen() -> None:
    dialect = Dialect("camel", "entity", "cursor", "decimal", "eu", "clock", "€")
    assert Domain("shop", **HEADER, dialect=dialect).dialect is dialect


def test_a_key_makes_ids_of_numbers() -> None:
    domain = Domain("shop", **HEADER)
    for key in ("BK-{:03q}", "{name}", counted("{:q}")):
        with pytest.raises(ContractError, match="makes no id of a number"):
            type("Bike", (domain.Entity,), {"__annotations__": {}, "__module__": __name__}, key=key)


def test_a_lifecycle_has_a_state() -> None:
    with pytest.raises(ContractError, match="a lifecycle has no state"):
        lifecycle({})


SHOP = '''"""A shop."""

from datetime import date

from davinci_env.domain import Domain, Mapped, creates, ref

domain = Domain("shop", version=1, category="x", today=date(2026, 3, 16), role="clerk")


class Person(domain.Entity, identity=True, label="{name}"):
    """Somebody."""

    name: Mapped[str]


class Basket(domain.Entity, label="the basket of {self.person.name}"):
    """What somebody buys."""

    person: Mapped[Person] = ref(owner=True)


@domain.rule(governs=["take"])
def named(person: Person) -> bool:
    """A person has a name."""
    return person.name != ""


@domain.write(requires=[named.on("basket.person")], changes=[creates(Basket)])
def take(db, basket: Basket) -> Basket:
    """Take another basket."""
    return db.create(Basket, person=basket.person)
'''


@pytest.mark.parametrize(
    ("old", "new", "said", "at"),
    [
        ('label="{name}"', 'label="{nam}"', "label of Person quotes {nam}", "class Person("),
        (
            "{self.person.name}",
            "{self.person.colour}",
            "label of Basket quotes {self.person.colour}, which leads nowhere",
            "class Basket(",
        ),
        (
            'on("basket.person")',
            'on("basket.owner")',
            "take requires named on 'basket.owner', which leads nowhere",
            "@domain.write(",
        ),
        (
            'governs=["take"]',
            'governs=["give"]',
            "governs 'give', which is no tool",
            "@domain.rule(",
        ),
    ],
)
def test_paths_and_names_lead_somewhere(
    tmp_path: Path, old: str, new: str, said: str, at: str
) -> None:
    file = tmp_path / "shop.py"
    file.write_text(SHOP)
    assert load_file(file).tools.keys() == {"take"}
    assert old in SHOP
    wrong = tmp_path / "wrong.py"
    wrong.write_text(SHOP.replace(old, new))
    with pytest.raises(ContractError) as caught:
        load_file(wrong)
    assert said in str(caught.value)
    lines = wrong.read_text().splitlines()
    assert caught.value.path == wrong
    assert caught.value.line is not None
    assert lines[caught.value.line - 1].startswith(at)


def test_what_a_domains_code_raises_is_its_authors(tmp_path: Path) -> None:
    file = tmp_path / "shop.py"
    seed = "\n\n@domain.seed\ndef seed(w):\n    [w.nothing(n) for n in range(3)]\n"
    file.write_text(SHOP + seed)
    with pytest.raises(AttributeError) as caught:
        load_file(file).build()
    defect = blame(caught.value)
    assert isinstance(defect, DefectError)
    assert (defect.path, defect.line) == (file, len(file.read_text().splitlines()))
    assert "seed fails with AttributeError: 'Seeder' object has no attribute" in str(defect)


def test_what_ours_raises_is_not() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        _ = 1 // 0
    assert blame(caught.value) is None
