"""Whether a message says yes or no to the question that a yes-or-no slot stands for."""

import re
from collections.abc import Sequence
from functools import lru_cache

from davinci_env.verify.answers.claims import asked
from davinci_env.verify.answers.text import Place, Text
from davinci_env.verify.answers.words import one_of, phrase, spoken

# At the head of a sentence, or alone at its end: "… renewed twice, so no".
_HEAD = r"^(?:(?:oh|well|hi|hello|sorry|unfortunately|i'm (?:so )?sorry|i'm afraid)(?: ,)? )?"
# It can indeed! You may. No more than that: the rest of the question is understood.
_IT = r"(?:so |and |but |then |indeed |that )?(?:it|that|this|you|they|there|we)(?: \w+ly| indeed)?"
_TAIL = r"[,;:—-] (?:so |and |then |therefore |the answer is |it's a )*"
_SHORTLY = (
    rf"(?:{_HEAD}{_IT} (?:does|do|is|are|will|has|have|can|may)|{_TAIL}{_IT} (?:can|may|does))"
    r"(?: (?:indeed|still|too|\w+ly))*(?= [.!;—]|$| , (?:no problem|of course|yes|sure|gladly)\b)"
)
_SHORTLY_NOT = (
    rf"(?:{_HEAD}|{_TAIL}){_IT} (?:cannot|can not|may not|(?:ca|wo|is|are|does|do|has|may|must)n't)"
    r"(?: (?:\w+ly|, sorry|, i'm afraid))*(?= [.!;—]|$)"
)
_ANSWER = r"\banswer(?: to that)?(?: is| 's)(?: a)?(?: clear)? "
# A yes that says no more than that the question was heard.
_HEARD = re.compile(
    _HEAD + r"(?:yes|yeah|yep|yup|sure|certainly|of course|absolutely|indeed|no problem)(?: thing)?"
    r" [,.!—-] (?:(?:so|and|well) )?(?:let me|i(?: can|'ll|'ve|'m| will| have)?"
    r" (?:\w+ )?(?:understand|understood|see|hear|know|get|looked|look|checked|check|found|find)\b)"
)
_YES = re.compile(
    _HEAD + r"(?:yes|yeah|yep|yup|sure|certainly|of course|absolutely|definitely|indeed|correct"
    r"|that's (?:right|correct)|you can(?!')(?! no| not| only)|no problem)\b"
    rf"|{_TAIL}(?:yes|yeah)(?= [.!,:;—]|$)|{_ANSWER}(?:yes|yeah)\b|{_SHORTLY}"
)
_NO = re.compile(
    _HEAD + r"(?:no|nope|not|certainly not|of course not|absolutely not)\b"
    r"(?! (?:problem|worries|need to worry))"
    rf"|{_TAIL}(?:no|nope)(?= [.!,:;—]|$)|{_ANSWER}(?:no|nope)\b|{_SHORTLY_NOT}"
)
_UNSURE = re.compile(
    r"\b(?:yes and no|if only|i wish|depends|(?:don't|do not|not|n't) (?:know|sure|certain)"
    r"|whether|might|maybe"
    r"|perhaps|possibly|(?:couldn't|could not|can't|cannot) (?:find|make|work) (?:it |that )?out"
    r"|look into|could check|can't (?:say|tell)|let me (?:know|check|look|see)"
    r"|if you'd like me to (?:check|look)|used to (?:be|have)"
    r"|(?:if|unless|provided)\b.*\b(?:otherwise|or else|if not)"
    r"|(?:find out|check|see|tell|know|ask) if)\b"
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
# What may be, or may not, said without the words of the question.
_MAY = re.compile(
    rf"\b(?:can|may|could|able to|works?|offered|offer|get|gets|is|are|does|do|'s)\b|{_FIT}|\bto"
    rf" be had\b"
)
_DOABLE = re.compile(
    r"\b(?:it|that|this|you|they) qualif(?:y|ies)\b"
    r"|\b(?:it|that|this) 's something (?:i|we) can\b"
    r"|\b(?:it|that|this|you|we|they) (?:can|may|could)(?: still)?(?: (?:be )?(?:done|arranged|made"
    r"|held)| do (?:it|that|this)| have (?:it|that|this))\b"
)
_UNDOABLE = re.compile(
    r"\b(?:can't|cannot|can not|couldn't|can no longer|may not)(?: (?:be )?(?:done|arranged|made"
    r"|held"
    r"|offered)| do (?:it|that|this)| (?:have|offer) (?:it|that|this))\b"
)
_ONLY = re.compile(
    r"\b(?:can|may|is|are)(?: be)? only\b|\bonly (?:possible|allowed|offered|held|done)\b"
)
_TOLD = re.compile(r"\b(?:been|was|were|already)\b")
_FORM = one_of(
    "whether if can could may might be been being is are was were the a an your you it i we do does"
    " still any to for on of in by at get have has with this that or and possible allowed"
)
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
    predicate, row = _asked_words(tuple(cues))
    loose: list[tuple[bool, int]] = []
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
        if not here:
            loose += [(fits, sentence) for fits in _loosely(text, first, last, predicate, row)]
        if _NO.search(line):
            opened.add(False)
        elif _YES.search(line) and not _HEARD.search(line) and said != {False}:
            opened |= {True, False} if not here and _UNFIT.search(line) else {True}
        elif not here and (_UNFIT.search(line) or _FITS.search(line)):
            general.append((not _UNFIT.search(line), sentence))
        if where is None and (said or opened):
            where = sentence
    answers = opened or (stated if len(stated) == 1 or not binding else binding)
    binding |= {fits for fits, _ in loose}
    if not answers and loose:
        answers, where = {fits for fits, _ in loose}, loose[0][1]
    if not answers and general:
        answers, where = {fits for fits, _ in general}, general[0][1]
    if len(answers) != 1:
        return None, where
    answer = next(iter(answers))
    return (None if opened and binding == {not answer} else answer), where


@lru_cache(maxsize=1 << 10)
def _asked_words(cues: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of what is asked, and of what it is asked of."""
    first = {w.stem for w in spoken(cues[0]) if w.low not in _FORM} if cues else set()
    rest = {w.stem for cue in cues[1:] for w in spoken(cue) if w.low not in _FORM}
    return frozenset(first), frozenset(rest - first)


def _loosely(
    text: Text, first: int, last: int, predicate: frozenset[str], row: frozenset[str]
) -> list[bool]:
    """What the clauses of a sentence say of the thing in other forms of the question's words."""
    found, at = [], first
    for end in range(first, last + 1):
        if end < last and text.words[end].low not in _OPENERS:
            continue
        stems = {w.stem for w in text.words[at:end]}
        said = text.apart_from_titles(at, end)
        at = end + 1
        if _TOLD.search(said) and not _NEGATIVE.search(said):
            continue
        if not predicate.isdisjoint(stems):
            unfit = _UNFIT.search(said) or _denies(said)
            if unfit or _MAY.search(said):
                found.append(not unfit)
        elif _UNDOABLE.search(said) or (_ONLY.search(said) and not row.isdisjoint(stems)):
            found.append(False)
        elif _DOABLE.search(said):
            found.append(True)
    return found


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
