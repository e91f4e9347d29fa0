"""Whether a message says yes or no to the question that a yes-or-no slot stands for."""

import re
from collections.abc import Sequence

from davinci_env.verify.answers.claims import asked
from davinci_env.verify.answers.text import Place, Text
from davinci_env.verify.answers.words import one_of, phrase

# At the head of a sentence, or alone at its end: "… renewed twice, so no".
_HEAD = r"^(?:(?:oh|well|hi|hello|sorry|unfortunately|i'm afraid)(?: ,)? )?"
_TAIL = r"[,;:—-] (?:so |then |therefore |the answer is |it's a )?"
_YES = re.compile(
    _HEAD + r"(?:yes|yeah|yep|yup|sure|certainly|of course|absolutely|definitely|indeed|correct"
    r"|that's (?:right|correct)|you can|no problem)\b"
    rf"|{_TAIL}(?:yes|yeah)(?= [.!,]|$)"
)
_NO = re.compile(
    _HEAD + r"(?:no|nope|not|certainly not|of course not|absolutely not)\b"
    r"(?! (?:problem|worries|need to worry))"
    rf"|{_TAIL}(?:no|nope)(?= [.!,]|$)"
)
_UNSURE = re.compile(
    r"\b(?:yes and no|depends|(?:don't|do not|not|n't) (?:know|sure|certain)|whether|might|maybe"
    r"|perhaps|possibly|(?:couldn't|could not|can't|cannot) (?:find|make|work) (?:it |that )?out"
    r"|look into|could check|can't (?:say|tell)|let me (?:know|check|look|see)"
    r"|if you'd like me to (?:check|look))\b"
)
_PROVIDED = re.compile(r"^(?:\w+ )?(?:if|unless|provided|as long as|in case|when)\b")
_NEGATIVE = re.compile(
    r"\b(?:not|never|cannot|\w+n't|no|nor|neither|without|unable|impossible|no longer|none|refuse"
    r"|declin\w+|denied)\b"
)
# Two negatives that affirm: nothing stands in the way; I don't see any reason why not.
_AFFIRMS = re.compile(
    r"\b(?:nothing|nobody|no one|no rule|none)\b.*\b(?:stand|speak|prevent|stop|block|against)"
    r"|\b(?:no|not|\w+n't|cannot|nothing)\b.*\b(?:reason|objection|obstacle|problem|without)s?\b"
)
# What is said of any thing that may or may not be, without naming it.
_FIT = r"(?:qualif\w+|possible|eligible|allowed|permitted|an option|in order|doable|appl(?:y|ies))"
_FITS = re.compile(
    rf"\b(?:it|that|this|you|they|which|one) (?:does|do|is|are|can be|'s|would be|will be|'d be)"
    rf"(?: \w+)? {_FIT}\b|\b(?:it|that|this) 's {_FIT}\b|\bthat one (?:does|is) {_FIT}\b"
)
_UNFIT = re.compile(
    rf"(?:n't|\bnot|\bcannot|\bnever|\bno longer)(?: \w+){{0,2}} {_FIT}\b|\bineligible\b"
    r"|\bimpossible\b|\bout of the question\b|\btoo late\b"
)
_TOLD = re.compile(r"\b(?:been|was|were|already)\b")
_OPENERS = one_of(", ; : — but although though while whereas because since as so and ( )")


def polarity(text: Text, cues: Sequence[str]) -> tuple[bool | None, int | None]:
    """Read the answer and the sentence that gives it: True, False, or None for neither.

    A sentence that opens with yes or no decides, unless what is said of the thing contradicts it;
    else the clauses that name the thing decide, by being denied or not. Questions say nothing, and
    "I don't know whether" is no answer.
    """
    places = [place for cue in cues for place in text.places(phrase(cue))]
    opened: set[bool] = set()
    stated: set[bool] = set()
    binding: set[bool] = set()  # what is stated of now, and not told of what has happened
    general: list[tuple[bool, int]] = []
    where: int | None = None
    for sentence in range(len(text.ends)):
        first, last = text.bounds(sentence)
        line = text.apart_from_titles(first, last).strip()
        if not line or asked(text, first):
            continue
        here = [p for p in places if first <= p[0] < last and not asked(text, p[0])]
        if _UNSURE.search(line):
            if here or not places:
                return None, sentence
            continue
        if here and _PROVIDED.search(line):
            return None, sentence
        clauses = [_clause(text, p, first, last) for p in here]
        said = {not _denies(clause) for clause in clauses}
        stated |= said
        binding |= {not _denies(clause) for clause in clauses if not _TOLD.search(clause)}
        if _NO.search(line):
            opened.add(False)
        elif _YES.search(line) and said != {False}:
            opened |= {True, False} if not here and _UNFIT.search(line) else {True}
        elif not here and (_UNFIT.search(line) or _FITS.search(line)):
            general.append((not _UNFIT.search(line), sentence))
        if where is None and (said or opened):
            where = sentence
    answers = opened or stated
    if not answers and general:
        answers, where = {fits for fits, _ in general}, general[0][1]
    if len(answers) != 1:
        return None, where
    answer = next(iter(answers))
    return (None if opened and binding == {not answer} else answer), where


def _clause(text: Text, place: Place, first: int, last: int) -> str:
    """The clause around a cue."""
    start, end = place
    while start > first and text.words[start - 1].low not in _OPENERS:
        start -= 1
    while end < last and text.words[end].low not in _OPENERS:
        end += 1
    return text.apart_from_titles(start, end)


def _denies(clause: str) -> bool:
    return bool(_NEGATIVE.search(clause)) and not _AFFIRMS.search(clause)
