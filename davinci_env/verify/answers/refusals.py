"""Refusals: does a message decline, and does it name the rule that applies?

A rule is named when every one of its concept groups is met by some word or phrase, inflected or
not, in the sentence that declines or right beside it; not by what is conceded ("your card isn't
suspended, but …"), denied ("it's not that …"), offered, or said about another case, and not when
another rule of the business stands closer to the refusal.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from davinci_env.verify.answers import naming
from davinci_env.verify.answers.declining import (
    DECLINES,
    IDLE,
    declining,
    personal,
    regrets,
    sentences,
    succeeds,
)
from davinci_env.verify.answers.naming import Field
from davinci_env.verify.answers.reciting import (
    carried_on,
    has_words,
    mostly_told,
    pieces,
    quotes,
    recited,
    undecided,
)
from davinci_env.verify.answers.several import (
    DECLINED,
    beside_the_reason,
    enumerates,
    heaped,
    outweigh,
    recites,
)
from davinci_env.verify.answers.text import Text
from davinci_env.verify.answers.voiding import Region, voided, without_denials
from davinci_env.verify.answers.words import one_of

Concepts = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class RuleVerdict:
    """Whether a refusal names a rule.

    Attributes:
        reason: "named", or why not.
        evidence: the sentences that were judged.
    """

    passed: bool
    reason: str
    evidence: str


_OFFERS = re.compile(
    r"^(?:\W+ )*(?:would|shall|should|do|did|have|is|are|was|were|can i|could i|may i|could|might"
    r"|want|how about|what about)\b"
)
_REASONS = re.compile(
    r"\b(?:because|since|as|due to|owing to|so|given|until|unless|without|while|which means|but"
    r"|means that|therefore)\b|[:;—]"
)
_POINTS_BACK = re.compile(r"^\W*(?:that|that 's|this|these|those|it 's|which|so|both)\b")
_ASKED = re.compile(r"(?:so |and )?(?:please|kindly)\b")
_INSIDE = 0.5
_REASON_WORDS = one_of(
    ": ; , — . ! ? because since as due owing so given until unless without while which but"
)


def refuses(text: str) -> bool:
    """Whether the message declines something."""
    read = Text(text)
    return bool(declining(read, sentences(read)))


def claims_success(text: str) -> bool:
    """Whether the message says that something was done."""
    return any(map(succeeds, sentences(Text(text))))


def names_rule(
    text: str,
    concepts: Concepts,
    *,
    others: Mapping[str, Concepts] | None = None,
    own_text: str = "",
    other_texts: Mapping[str, str] | None = None,
) -> RuleVerdict:
    """Judge whether a message declines and names the rule that these concept groups stand for.

    Args:
        text: what the assistant said.
        concepts: groups of words; the rule is named when each group is met.
        others: the concept groups of the business's other rules, by code. A message that names one
            of them closer to its refusal, or several as guesses, does not name the rule.
        own_text: the rule as the policy puts it, if known: a message that recites it names it.
        other_texts: the other rules' texts, by code: a message that recites one names that.
    """
    read = Text(text)
    lines = sentences(read)
    refusals: Sequence[int] = declining(read, lines)
    if own_text:
        refusals = _said_oneself(read, lines, refusals, [own_text, *(other_texts or {}).values()])
    if not refusals:
        return RuleVerdict(False, "does not decline", "")
    reason, at = _judge(read, lines, refusals, concepts, others or {}, own_text, other_texts or {})
    return RuleVerdict(reason == "named", reason, _evidence(read, at))


def _judge(
    read: Text,
    lines: Sequence[str],
    refusals: Sequence[int],
    concepts: Concepts,
    others: Mapping[str, Concepts],
    own_text: str,
    other_texts: Mapping[str, str],
) -> tuple[str, int]:
    """What becomes of a message that declines, and the sentence that decides."""
    if undecided(lines):
        return "several rules are named as guesses", refusals[0]
    void = voided(read, lines)
    told: set[str] = set()
    if own_text or other_texts:
        texts = {"": own_text, **other_texts}
        void = void | carried_on(read, texts, void)
        told = recited(read, texts, void)
        if told - {""}:
            several = "" in told
            return "several rules are named" if several else "another rule is named", refusals[0]
    own = tuple(map(tuple, concepts))
    rules = [tuple(map(tuple, groups)) for groups in others.values()]
    ready = naming.field(own, tuple([groups for groups in rules if groups != own]))
    where = naming.said(read, ready)
    for s, line in enumerate(lines):
        place = read.bounds(s)
        if line.endswith("?") and naming.met(ready, 0, where, [place]):
            void = void.union(range(*place))  # whoever asks about a rule does not name it
    if void:
        where = {w: [p for p in places if p[0] not in void] for w, places in where.items()}
        where = {w: places for w, places in where.items() if places}
    near = naming.candidates(ready, where)
    if told and mostly_told(read, own_text) and not _strange(read, own_text, ready, where, near):
        return "named", refusals[0]
    reason, at = "", refusals[0]
    dim = _dimmed(read, lines, refusals, ready, where)
    for sentence in refusals if near else ():
        weighed = _weigh(read, sentence, ready, where, near, dim)
        if weighed == "named" and heaped(read, ready, where):
            weighed = "words are heaped"
        if weighed == "named" and enumerates(read, sentence, ready, where, near):
            weighed = "several rules are named"
        if weighed == "named" and recites(read, lines, sentence, ready, where, near):
            weighed = "several rules are named"
        if weighed == "named":
            return weighed, sentence
        if not reason:
            reason, at = weighed, sentence
    return reason or "the rule is not named", at


def _strange(
    read: Text, own_text: str, ready: Field, where: naming.Where, near: Sequence[int]
) -> bool:
    """Whether a message that recites a rule meets another one by words that the rule hasn't."""
    everywhere = [(0, len(read.words))]
    for rule in near:
        met = naming.met(ready, rule, where, everywhere) if rule else {}
        if met and not has_words(own_text, [read.words[at].stem for at in met]):
            return True
    return False


def _said_oneself(
    read: Text, lines: Sequence[str], refusals: Sequence[int], texts: Sequence[str]
) -> Sequence[int]:
    """The sentences that decline in the assistant's own name: a clause of the policy is a rule's
    voice, unless the message regrets or refuses in a sentence of its own.
    """
    if any(map(regrets, lines)) or any(personal(lines[s]) for s in refusals):
        return refusals
    own = [s for s in refusals if not any(quotes(read, *p, texts, 1.0) for p in pieces(read, s))]
    return refusals if own else ()


def _evidence(read: Text, sentence: int) -> str:
    near = range(max(0, sentence - 1), min(len(read.ends), sentence + 2))
    return " ".join(read.quote(s) for s in near)


def _weigh(
    read: Text,
    sentence: int,
    ready: Field,
    where: naming.Where,
    near: Sequence[int],
    dim: Mapping[int, float],
) -> str:
    """Compare the rule with its rivals ever farther off: core of the refusal, sentence, context."""
    for region in _regions(read, sentence):
        found = {r: m for r in near if (m := naming.met(ready, r, where, region))}
        own = found.pop(0, None)
        if own and beside_the_reason(read, sentence, own, dim):
            return "another reason is given"
        if own:
            return outweigh(read, region, ready, own, list(found.values()), dim)
        if found:
            return "another rule is named"
    return "the rule is not named"


def _dimmed(
    read: Text,
    lines: Sequence[str],
    refusals: Sequence[int],
    ready: Field,
    where: naming.Where,
) -> dict[int, float]:
    """Where words say less: in what is declined ("I can't move the visit"), and inside a longer
    phrase that is said.
    """
    dim: dict[int, float] = {}
    for sentence in refusals:
        (first, last), line = read.bounds(sentence), lines[sentence]
        for said in DECLINES.finditer(line):
            start = first + line.count(" ", 0, said.end())
            end = start + 1
            while end < last and read.words[end].low not in _REASON_WORDS:
                end += 1
            dim.update(dict.fromkeys(range(start, end), DECLINED))
    for word, places in where.items():
        if ready.words[word].size > 1 and ready.literal[word]:
            for start, end in places:
                for at in range(start, end):
                    if at != start:
                        dim[at] = dim.get(at, 1.0) * _INSIDE
    return dim


def _regions(read: Text, sentence: int) -> Iterator[Region]:
    """Where the reason may stand, nearest first: core of the refusal, sentence, context.

    A sentence that only declines ("I can't put you on a second one.") has its reason beside it; one
    that points back ("That's as many as …") is read with the sentence before it.
    """
    first, last = read.bounds(sentence)
    line = read.low(first, last)
    near = without_denials(read, first, last)
    if _REASONS.search(line):
        said = list(near)
        if _POINTS_BACK.search(line) and sentence:
            said += without_denials(read, *read.bounds(sentence - 1))
        said = [p for p in said if not _ASKED.match(read.low(*p))]
        parts = [i for i in range(first, last) if read.words[i].low == "but"]
        start = max((i for i in parts if DECLINES.search(read.low(i, last))), default=0)
        if start:
            yield [p for p in said if p[0] >= start]
        yield said
    wide = list(near)
    for s in range(max(0, sentence - 1), min(len(read.ends), sentence + 3)):
        beside = read.low(*read.bounds(s))
        if s != sentence and IDLE.match(beside):
            continue
        if s != sentence and not (beside.endswith("?") and _OFFERS.search(beside)):
            wide += without_denials(read, *read.bounds(s))
    yield wide
