"""Whole requests: wishes put together as a person writes them, in one message or in several."""

from __future__ import annotations

import random
from collections.abc import Sequence

from .lexicon import Lexicon
from .wishes import Worded

APART = 0.45
"""How often the next wish is a message of its own, after the answer to the first."""

OPENED = 0.2
"""How often a request begins with what it is about, where there are words for that."""

_DO = (
    "{Do}.", "Please {do}.", "Could you {do}?", "Can you {do}?", "I need you to {do}.",
    "I'd like you to {do}.", "{Do}, please.", "Could you please {do}?", "Would you {do}?",
    "Hi, could you {do}?", "Hello! Please {do}.", "Hey, can you {do}?",
    "Please go ahead and {do}.",
)  # fmt: skip
_DO_THEN = (
    "Then {do}.", "After that, {do}.", "Also {do}.", "Please also {do}.", "And then {do}.",
    "Once that's done, {do}.", "Next, {do}.",
)  # fmt: skip
_DO_LATER = (
    "Thanks. Now {do}, please.", "Great, thank you. Could you also {do}?", "Good. Please {do} too.",
    "Thank you! One more thing: {do}.", "Perfect. Can you {do} as well?", "Thanks. Next, {do}.",
    "OK. Now {do}.", "Good. I also need you to {do}.", "Right. Could you {do} next?",
    "While you're at it, {do}.", "Now please {do}.", "And could you {do}?", "Fine. {Do}.",
)  # fmt: skip
_ASK = (
    "Can you tell me {ask}?", "Could you tell me {ask}?", "I'd like to know {ask}.",
    "Please tell me {ask}.", "I need to know {ask}.", "Could you check {ask}?",
    "Can you look up {ask}?", "Do you know {ask}?", "Hi, can you find out {ask}?",
    "Could you let me know {ask}?", "I was wondering {ask}.",
)  # fmt: skip
_ASK_THEN = (
    "Then tell me {ask}.", "Also tell me {ask}.", "And let me know {ask}.",
    "After that, tell me {ask}.", "I also want to know {ask}.", "Please also check {ask}.",
)  # fmt: skip
_ASK_LATER = (
    "Thanks. And can you tell me {ask}?", "OK. Could you also check {ask}?",
    "Great. I'd also like to know {ask}.", "Thank you. One more question: can you tell me {ask}?",
    "Good to know. And can you tell me {ask}?", "Also, do you know {ask}?", "Now tell me {ask}.",
    "All right. I'm also wondering {ask}.", "And could you find out {ask}?",
    "OK, and tell me {ask}.",
)  # fmt: skip


def compose(
    worded: Sequence[Worded], lexicon: Lexicon, rng: random.Random
) -> tuple[list[str], list[int]]:
    """The user's messages, and of each wish the number of the message that it stands in."""
    opened = bool(lexicon.openers) and rng.random() < OPENED
    turns: list[list[str]] = []
    of_turn: list[int] = []
    said: dict[str, str] = {}
    used: set[str] = set()
    for number, piece in enumerate(worded):
        said.update(piece.said)
        first = not turns
        later = not first and rng.random() < APART
        if first or later:
            turns.append([])
        of_turn.append(len(turns) - 1)
        forms = _forms(piece.kind == "do", first, later)
        unfit: tuple[str, ...] = _GREETINGS if opened else ()
        if not first:
            unfit = _AFTER_CHANGES if worded[number - 1].kind == "ask" else _AFTER_ANSWERS
        forms = tuple(form for form in forms if not form.startswith(unfit))
        clause = piece.clause.format_map(said)
        fit = _fit(forms, clause)
        form = rng.choice([form for form in fit if form not in used] or fit)
        used.add(form)
        turns[-1].append(_put(form, clause))
    if opened:
        turns[0].insert(0, rng.choice(lexicon.openers))
    return [" ".join(sentences) for sentences in turns], of_turn


_GREETINGS = ("Hi", "Hello", "Hey")
_AFTER_CHANGES, _AFTER_ANSWERS = ("Once that's done",), ("Good to know",)
"""How forms begin that fit only behind a change, or only behind an answer."""


def _forms(do: bool, first: bool, later: bool) -> tuple[str, ...]:
    if first:
        return _DO if do else _ASK
    if later:
        return _DO_LATER if do else _ASK_LATER
    return _DO_THEN if do else _ASK_THEN


LONG = 45
"""From so many characters on nothing is said behind a clause: no "please", no "as well"."""


def _fit(forms: Sequence[str], clause: str) -> Sequence[str]:
    """The forms that a clause reads well in: a closed one stands at the end of a statement."""
    if _is_closed(clause):
        return [form for form in forms if form.endswith("}.")]
    if len(clause) > LONG or clause.endswith('"'):
        return [form for form in forms if form.endswith(("}.", "}?"))]
    return forms


def _is_closed(clause: str) -> bool:
    """Whether a clause ends with a full stop or the like: of a quoted text, or an abbreviation."""
    return clause.rstrip("\"'”’").endswith((".", "!", "?"))


def _put(form: str, clause: str) -> str:
    """A clause in its form; what ends with its own full stop gets no second one."""
    if _is_closed(clause):
        form = form.removesuffix(".")
    return form.format(ask=clause, do=clause, Do=clause[:1].upper() + clause[1:])
