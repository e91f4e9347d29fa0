"""Toy shelf: a shelf without rules, so that nothing can be denied."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from davinci_env.domain import Domain, Mapped, Seeder, column, ref, sets

domain = Domain(
    "toy_shelf",
    version=1,
    category="Tests",
    today=datetime(2026, 3, 16, 9, 30),
    role="keeper of a shelf",
    access="staff",
    intro="Everybody keeps boxes on the shelf.",
)


class Owner(domain.Entity, key="O-{:02d}", identity=True, label="{self.name}"):
    """Somebody with boxes."""

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")


class Box(domain.Entity, key="X-{:02d}", label="the {self.colour} box"):
    """One box."""

    owner: Mapped[Owner] = ref(owner=True)
    colour: Mapped[str]
    marbles: Mapped[int] = column(0, ge=0)


domain.reads(Owner, find="email")
domain.reads(Box, list_of="owner")


@domain.write(changes=[sets("box", Box.marbles)], ask=["have {marbles} marbles in {box}"])
def fill_box(db, box: Box, marbles: Annotated[int, Field(ge=0, le=9)]) -> Box:
    """Put so many marbles into a box.

    Args:
        marbles: How many
    """
    box.marbles = marbles
    return box


@domain.seed
def seed(w: Seeder) -> None:
    """Two people with two boxes each."""
    for person in w.people(2):
        owner = w.add(Owner, name=person.name, email=person.email)
        for colour in ("red", "blue"):
            w.add(Box, owner=owner, colour=colour)
