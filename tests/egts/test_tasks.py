"""Tasks of systems: what makes a request more than a plain wish."""

from davinci_env.egts.model import Picked, Returned, Stated, Step
from davinci_env.egts.tasks import forms_of
from tests.egts.samples import moved_then_asked, note_written, pages_asked


def test_a_plain_wish_has_no_form() -> None:
    assert forms_of(note_written()) == forms_of(pages_asked()) == ()


def test_a_later_message_brings_a_further_wish() -> None:
    assert forms_of(moved_then_asked()) == ("further-wish",)


def test_a_row_picked_by_comparison_is_a_selection() -> None:
    asked = pages_asked()
    wish = asked.wishes[0]
    longest = Picked(step=1, greatest=True, of="pages", field="text")
    slots = (wish.slots[0].model_copy(update={"origin": longest}),)
    told = wish.model_copy(update={"slots": slots})
    assert forms_of(asked.model_copy(update={"wishes": (told,)})) == ("selection",)


def test_a_number_of_rows_is_an_aggregate() -> None:
    asked = pages_asked()
    wish = asked.wishes[0]
    counted = wish.model_copy(update={"slots": (wish.slots[0].model_copy(update={"count": True}),)})
    assert forms_of(asked.model_copy(update={"wishes": (counted,)})) == ("aggregate",)


def test_what_builds_on_what_was_made_is_dependent() -> None:
    asked = note_written()
    pinned = Step(
        tool="pin_note",
        arguments={"note_id": Returned(step=1, path="note_id"), "pinned": Stated(fact="text")},
        wish=0,
    )
    changed = asked.model_copy(update={"guidance": (*asked.guidance, pinned)})
    assert forms_of(changed) == ("dependent",)
