"""Clauses: the answer to "how much I owe" in a whole sentence.

Clauses are what domains declare people to ask with (`tells`). A handful of forms cover most; where
none fits, the clause itself is put before the value.
"""

from __future__ import annotations

import re
from typing import Any

from ..state import singular_of

_PARTICIPLE = r"\w+(?:ed|en|one|ade|aid|ad|ent|put|old)\b"
_AUXILIARY = (
    r"(?:would|will|could|can|may|might|must|should|still|have to|had to|still have to|already"
    rf"|(?:have|has|had)(?= {_PARTICIPLE}))"
)
_VERB = rf"(?:{_AUXILIARY} )*(?:be )?[\w']+"
_WHO = r"(?:you|we|it|they)"
_NO_PRONOUN = r"(?!(?:you|we|it|they|there|that)\b)"
_NOUN = rf"(?P<noun>{_NO_PRONOUN}\w+(?: {_NO_PRONOUN}\w+){{0,3}}?)"
_OBJECT = r"(?: (?:you|us|back|up|off|(?<=owe )the \w+))?"
_COSTS = (
    r"(?:takes|lasts|costs|comes to|amounts to|is worth"
    r"|would (?:take|cost|bring|come to|be worth|be)(?: you)?)"
)
_FORMS = tuple(
    (re.compile(pattern), form)
    for pattern, form in (
        # how many people are ahead of you …
        (rf"how many {_NOUN} (?P<rest>(?:are|were) .+)", "{said} {noun} {rest}"),
        # how many copies there are of …
        (rf"how many {_NOUN} there are\b(?P<rest>.*)", "there {are} {said} {noun}{rest}"),
        # how many books you may have on loan …
        (
            rf"how many {_NOUN} (?P<start>{_WHO} {_VERB})\b(?P<rest>.*)",
            "{start} {said} {noun}{rest}",
        ),
        # how much credit there is on …
        (rf"how much {_NOUN} there is\b(?P<rest>.*)", "there is {said} of {noun}{rest}"),
        # how much you owe …, how much it would cost you …, what you would have to pay …
        (
            rf"(?:how much|what) (?P<start>{_WHO} {_VERB}{_OBJECT})\b(?P<rest>.*)",
            "{start} {said}{rest}",
        ),
        # how long a check-up takes, what returning it would bring you, what the queue comes to
        (
            rf"(?:how much|how long|what) (?P<start>\S.*? {_COSTS})\b(?P<rest>.*)",
            "{start} {said}{rest}",
        ),
        # how much the practice charges for …
        (r"how much (?P<start>(?:the|our|your) \w+ \w+s)\b(?P<rest>.*)", "{start} {said}{rest}"),
        # how often you have ordered since …
        (r"how (?:often|many times) (?P<start>.+?)(?P<rest> since .+)?", "{start} {times}{rest}"),
        # what is still to be paid …, what remains …
        (r"(?:how much|what) (?P<rest>(?:is|remains|is left)\b.*)", "{said} {rest}"),
        # when it has to be back, by when you have to decide if …
        (
            r"(?:(?P<link>until|by|since) )?when (?P<start>.+?)(?P<rest> if .+)?",
            "{start} {on} {said}{rest}",
        ),
        # what your number in line is
        (r"what (?P<start>(?:the|our|your) .+) is", "{start} is {said}"),
    )
)


def answer_to(clause: str, said: str, value: Any) -> list[str]:
    """Sentences (without the full stop) that answer a clause in the second person: "how much you
    owe in all" → "you owe $7.50 in all". The last one fits every clause.

    Args:
        said: the value in words.
        value: the value, with which the sentence agrees in number.
    """
    for pattern, form in _FORMS:
        match = pattern.fullmatch(clause)
        if match is not None:
            return [_filled(form, match, said, value), f"{clause}: {said}"]
    return [f"{clause}: {said}"]


def _filled(form: str, match: re.Match[str], said: str, value: Any) -> str:
    found = match.groupdict()
    noun, rest = found.get("noun") or "", found.get("rest") or ""
    if value == 1:
        noun = _one_of(noun)
        rest = re.sub(r"^( that)?( ?)are\b", r"\1\2is", rest)
    return form.format(
        said=said,
        noun=noun,
        rest=rest,
        start=found.get("start") or "",
        are="is" if value == 1 else "are",
        on=found.get("link") or "on",
        times={1: "once", 2: "twice"}.get(value, f"{said} times"),
    )


def _one_of(plural: str) -> str:
    head, _, last = plural.rpartition(" ")
    return f"{head} {'person' if last == 'people' else singular_of(last)}".strip()
