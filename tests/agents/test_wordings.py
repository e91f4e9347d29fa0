"""Wordings are understood by whoever has to: the person in the script, the judge."""

import pytest

from davinci_env.agents import users
from davinci_env.agents import wordings_agreeing as agree
from davinci_env.agents import wordings_asking as ask
from davinci_env.agents import wordings_declining as decline
from davinci_env.verify.answers import refuses

WANTED = (
    "get your card working again",
    "do without the seat offered through your place on the list",
    "have your work address used for your order for $211.00",
    'fetch "Otto at Sea" at Saltmarsh rather than where it goes now',
)


def every(*tables: ask.Wordings) -> list[str]:
    return [text for table in tables for texts in table.values() for text in texts]


@pytest.mark.parametrize("text", every(decline.MISSING, decline.CANT, decline.CANT_AGAIN))
def test_a_refusal_is_read_as_one(text: str) -> None:
    for what in WANTED:
        assert refuses(text.format(what=what).rstrip(".") + ".")


@pytest.mark.parametrize("text", every(ask.IDENTITY_AGAIN))
def test_whoever_is_not_found_notices_it(text: str) -> None:
    assert users._NOT_FOUND.search(text)


@pytest.mark.parametrize("text", every(agree.GO))
def test_a_question_for_a_yes_is_heard_as_one(text: str) -> None:
    assert users._CONFIRM.search(text)
