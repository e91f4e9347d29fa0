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
    declining,
    personal,
    regrets,
    sentences,
    succeeds,
)
from davinci_env.verify.answers.naming import Field, Met
from davinci_env.verify.answers.reciting import (
    carried_on,
    mostly_told,
    pieces,
    quotes,
    recited,
    undecided,
)
from davinci_env.verify.answers.text import Place, Text
from davinci_env.verify.answers.words import in_order, one_of, stem

Concepts = Sequence[Sequence[str]]
_Region = list[Place]


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
_DENIES = re.compile(
    r"\b(?:not (?:that|because|due to|about|need)"
    r"|\w+n't (?:that|because|due to|about|need|reached|exceeded)"
    r"|no need|nothing to do with|needn't"
    r"|(?:under|below|within) (?:your|the|our|any) (?:\w+ )?(?:limit|maximum|allowance|deadline)"
    r"|(?<!not )(?<!n't )(?:ga?i?ve|given) (?:us )?enough)\b"
)
_CONCEDES = re.compile(r"\b(?:although|though|even though|despite|regardless of)\b")
# It is not because of this rule: …; The following does not apply. …; … That isn't the reason.
_NOT_WHY = re.compile(
    r"\b(?:not|never|\w+n't)(?: [\w']+){0,3} (?:reasons?|why|because|appl(?:y|ies)|rules?|relevant"
    r"|issue|problem|case|concern|matter|true|so|block\w*|stop\w*|hold\w*)\b"
)
_WHY = frozenset(
    map(
        stem,
        in_order(
            "reason why because apply rule relevant issue problem case concern matter true so block"
            " stop hold"
        ),
    )
)
_NO_MATTER = re.compile(
    r"\b(?:nothing to do with|(?:is|are|was)(?:n't| not) (?:the|a) (?:reason|issue|problem)"
    r"|irrelevant|plays? no (?:role|part)|(?:doesn't|does not) (?:matter|apply))\b"
)
# What was said before is taken back.
_ANEW = re.compile(
    r"^\W*(?:(?:no|oh|oops|sorry) (?:, )?)?(?:wait|hold on|hang on|correction|scratch that"
    r"|strike that|i misspoke|my mistake|on second thoughts?|let me correct)\b"
)
# From here to the end of the clause: not because …; it has nothing to do with the rule that …
_NOT_FOR = re.compile(
    r"\b(?:not|never|isn't|wasn't|aren't|weren't)(?: (?:just|only|really|at all|so much))?"
    r" (?:because|due to)\b|\bnothing to do with\b"
)
_AHEAD = re.compile(r"\b(?:this|these|following|below)\b")
_BACK = re.compile(
    r"^\W*(?:(?:but|however|though|and|still|yet) (?:, )?)?(?:that|this|it|none|neither"
    r"|these|which)"
)
_PARTING = one_of(", ; : — ( ) but")
_WONDERS = re.compile(
    r"^\W*(?:did you know|do you know|are you aware|is it because|could it be|is it that)\b"
)
_BECAUSE = one_of("because since as :")
_REASON_ENDS = one_of(", ; and or")
_NOT_FOR_ENDS = one_of("; — but")
_CHOICE = re.compile(
    r"\b(?:one (?:or (?:more|another|other) )?of (?:these|those|our|several"
    r"|the (?:following|above|\w+ (?:rules|reasons)|rules|reasons))"
    r"|any (?:one )?of (?:these|those|the following)|or because|or (?:maybe|perhaps|possibly|else)"
    r"|whichever|take your pick|not sure which|some of (?:these|those|the following)"
    r"|alternatively|can't (?:tell|say) which|don't know which)\b"
)
# How a rule is put.
_STATES = re.compile(
    r"\b(?:not|never|\w+n't|cannot|nobody|nothing|no|only|at most|at least|must|ha(?:s|ve) to"
    r"|needs?|before|until|unless|once|may|can|while|none|neither|less|more)\b"
)
_HEDGES = re.compile(r"\b(?:either|maybe|perhaps|possibly|might|could|may be)\b")
# How much less words say in what is declined, and inside a longer phrase; and how much of the
# rule's own weight a rival needs that shares no word with it, or where the rule is only implied.
_DECLINED = 0.1
_INSIDE = 0.5
_REASON_WORDS = one_of(
    ": ; , — . ! ? because since as due owing so given until unless without while which but"
)
_APART = 0.8
# From what weight on a sentence states a rule, and from how many others on a message recites.
_STATED = 0.9
_SEVERAL = 2
_IMPLIED = 0.7


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
    void = _void(read, lines)
    if own_text or other_texts:
        texts = {"": own_text, **other_texts}
        void = void | carried_on(read, texts, void)
        told = recited(read, texts, void)
        if told == {""} and mostly_told(read, own_text):
            return "named", refusals[0]
        told = told - {""} if told == {""} else told
        if told:
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
    reason, at = "", refusals[0]
    dim = _dimmed(read, lines, refusals, ready, where)
    for sentence in refusals if near else ():
        weighed = _weigh(read, sentence, ready, where, near, dim)
        if weighed == "named" and _heaped(read, ready, where):
            weighed = "words are heaped"
        if weighed == "named" and _enumerates(read, sentence, ready, where, near):
            weighed = "several rules are named"
        if weighed == "named" and _recites(read, lines, sentence, ready, where, near):
            weighed = "several rules are named"
        if weighed == "named":
            return weighed, sentence
        if not reason:
            reason, at = weighed, sentence
    return reason or "the rule is not named", at


def _said_oneself(
    read: Text, lines: Sequence[str], refusals: Sequence[int], texts: Sequence[str]
) -> Sequence[int]:
    """The sentences that decline in the assistant's own name: a clause of the policy is a rule's
    voice, unless the message regrets or refuses in a sentence of its own.
    """
    if any(map(regrets, lines)) or any(personal(lines[s]) for s in refusals):
        return refusals
    own = [s for s in refusals if not any(quotes(read, *p, texts) for p in pieces(read, s))]
    return refusals if own else ()


_HEAP = 3
_MOSTLY_CONCEPTS = 0.6


def _heaped(read: Text, ready: Field, where: naming.Where) -> bool:
    """Whether a sentence is no sentence, but a heap of words for the same."""
    for s in range(len(read.ends)):
        first, last = read.bounds(s)
        inside = {w: p for w, places in where.items() for p in places if first <= p[0] < last}
        most = max((len(group & inside.keys()) for group in ready.rules[0]), default=0)
        if most < _HEAP:
            continue
        own = frozenset().union(*ready.rules[0])
        covered = {i for w, p in inside.items() if w in own for i in range(*p)}
        if len(covered) >= _MOSTLY_CONCEPTS * sum(1 for w in read.words[first:last] if w.stem):
            return True
    return False


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
        if own and _beside_the_reason(read, sentence, own, dim):
            return "another reason is given"
        if own:
            return _outweigh(read, region, ready, own, list(found.values()), dim)
        if found:
            return "another rule is named"
    return "the rule is not named"


_GIVES_A_REASON = re.compile(r"\b(?:because|since|as|due to|owing to)\b|[:;—]")
_CONCLUDING = re.compile(r"\w[^;:—]*[,;—-] (?:so|therefore|hence|which is why)\b")
_HAS_A_REASON = re.compile(r"\b(?:because|since|as|due to|so|therefore)\b|:")


def _beside_the_reason(read: Text, sentence: int, own: Met, dim: Mapping[int, float]) -> bool:
    """Whether the rule's words stand only in what is declined, or conceded, beside a reason.

    "I can't make it a video visit since that time is taken"; "a guardian is on file, but no seat is
    left, so I can't book".
    """
    first, last = read.bounds(sentence)
    here = [at for at in own if first <= at < last]
    if not here or len(here) < len(own):
        return False
    if all(dim.get(at, 1.0) <= _DECLINED for at in here):
        after, before = read.low(max(here) + 1, last), read.low(first, min(here))
        return bool(_GIVES_A_REASON.search(after) or _CONCLUDING.search(before))
    parts = [i for i in range(first, last) if read.words[i].low == "but"]
    start = max((i for i in parts if DECLINES.search(read.low(i, last))), default=0)
    conceded = start and all(at < start for at in here)
    return bool(conceded and _HAS_A_REASON.search(read.low(start, last)))


def _outweigh(
    read: Text,
    region: _Region,
    ready: Field,
    met: Met,
    others: Sequence[Met],
    dim: Mapping[int, float],
) -> str:
    own = naming.weight(ready, met, dim)
    least = own * (_IMPLIED if naming.only_implied(ready, 0, met) else 1)
    guesses, stronger = 0, False
    for m in others:
        if m.keys() <= met.keys():  # says nothing that the rule doesn't
            continue
        # Rules that share words do not compete by them; what says all of another rule beside this
        # one needs less to count.
        theirs = naming.weight(ready, m, dim)
        stronger |= theirs > least * (_APART if m.keys().isdisjoint(met) else 1)
        its = naming.weight(ready, {at: word for at, word in m.items() if at not in met}, dim)
        guesses += its >= own / 3
    lines = [read.low(a, b) for a, b in region] if guesses else []
    chosen = any(map(_CHOICE.search, lines)) or any(_or_between(read, met, m) for m in others)
    if chosen or guesses > 2 or (guesses > 1 and any(map(_HEDGES.search, lines))):
        return "several rules are named as guesses"
    return "another rule is named" if stronger else "named"


def _or_between(read: Text, own: Met, other: Met) -> bool:
    """Whether "or" stands between the words of two rules: "no free seat, or no guardian"."""
    theirs = [at for at in other if at not in own]
    if not theirs or other.keys() <= own.keys():
        return False
    for at in own:
        for there in theirs:
            low, high = sorted((at, there))
            near = high - low <= _NEAR_OR and any(w.low == "or" for w in read.words[low:high])
            if near and at not in other:
                return True
    return False


_NEAR_OR = 8


def _enumerates(
    read: Text, sentence: int, ready: Field, where: naming.Where, near: Sequence[int]
) -> bool:
    """Whether a sentence gives several reasons, clause by clause, of which one is the rule's."""
    first, last = read.bounds(sentence)
    begins = next((i for i in range(first, last) if read.words[i].low in _BECAUSE), None)
    if begins is None:
        return False
    others, start = 0, begins + 1
    for at in range(begins + 1, last):
        if read.words[at].low not in _REASON_ENDS and at + 1 < last:
            continue
        clause = [(start, at + 1)]
        if not naming.met(ready, 0, where, clause):
            others += any(naming.met(ready, rule, where, clause) for rule in near if rule)
        start = at + 1
    return others >= _SEVERAL


def _recites(
    read: Text,
    lines: Sequence[str],
    sentence: int,
    ready: Field,
    where: naming.Where,
    near: Sequence[int],
) -> bool:
    """Whether a message states several other rules as well, each in a sentence of its own."""
    others: set[int] = set()
    for s, line in enumerate(lines):
        if s == sentence or not _STATES.search(line):
            continue
        place = [read.bounds(s)]
        best, most = 0, 0.0
        for rule in near:
            found = naming.met(ready, rule, where, place)
            said = naming.weight(ready, found, {}) if found else 0.0
            if said > most:
                best, most = rule, said
        if best and most >= _STATED:
            others.add(best)
    return len(others) >= _SEVERAL


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
            dim.update(dict.fromkeys(range(start, end), _DECLINED))
    for word, places in where.items():
        if ready.words[word].size > 1 and ready.literal[word]:
            for start, end in places:
                for at in range(start, end):
                    if at != start:
                        dim[at] = dim.get(at, 1.0) * _INSIDE
    return dim


def _regions(read: Text, sentence: int) -> Iterator[_Region]:
    """Where the reason may stand, nearest first: core of the refusal, sentence, context.

    A sentence that only declines ("I can't put you on a second one.") has its reason beside it; one
    that points back ("That's as many as …") is read with the sentence before it.
    """
    first, last = read.bounds(sentence)
    line = read.low(first, last)
    near = _without_denials(read, first, last)
    if _REASONS.search(line):
        said = list(near)
        if _POINTS_BACK.search(line) and sentence:
            said += _without_denials(read, *read.bounds(sentence - 1))
        said = [p for p in said if not _ASKED.match(read.low(*p))]
        parts = [i for i in range(first, last) if read.words[i].low == "but"]
        start = max((i for i in parts if DECLINES.search(read.low(i, last))), default=0)
        if start:
            yield [p for p in said if p[0] >= start]
        yield said
    wide = list(near)
    for s in range(max(0, sentence - 1), min(len(read.ends), sentence + 3)):
        beside = read.low(*read.bounds(s))
        if s != sentence and not (beside.endswith("?") and _OFFERS.search(beside)):
            wide += _without_denials(read, *read.bounds(s))
    yield wide


def _void(read: Text, lines: Sequence[str]) -> frozenset[int]:
    """Words of what a message says not to be the reason, in the clause or sentence beside that."""
    void: set[int] = set()
    for s, line in enumerate(lines):
        if _ANEW.search(line):
            void.update(range(read.bounds(s)[0]))
        if _WONDERS.search(line):
            void.update(range(*read.bounds(s)))
        if said := _NOT_FOR.search(line):
            first, last = read.bounds(s)
            start = first + line.count(" ", 0, said.start())
            stops = (i for i in range(start, last) if read.words[i].low in _NOT_FOR_ENDS)
            void.update(range(start, next(stops, last)))
        if said := _NO_MATTER.search(line):
            first = read.bounds(s)[0]
            void.update(range(first, first + line.count(" ", 0, said.start())))
    if _WHY.isdisjoint(read.stem_set):
        return frozenset(void)
    for s, line in enumerate(lines):
        said = _NOT_WHY.search(line)
        if said is None:
            continue
        first, last = read.bounds(s)
        colon = line.find(" : ", said.start())
        if colon >= 0 and _AHEAD.search(line[:colon]):
            void.update(range(first + line.count(" ", 0, colon) + 1, last))
        elif "following" in line and s + 1 < len(lines):
            void.update(range(*read.bounds(s + 1)))
        elif _BACK.search(line) and s and " but " not in line[said.end() :]:
            void.update(range(read.bounds(s - 1)[0], first + 1))
    return frozenset(void)


def _without_denials(read: Text, start: int, end: int) -> _Region:
    """The parts of a stretch that are neither denied nor conceded, clause by clause."""
    parts: _Region = []
    at = start
    for i in range(start, end + 1):
        if i < end and read.words[i].low not in _PARTING:
            continue
        clause = read.low(at, i)
        m = _DENIES.search(clause) or _CONCEDES.search(clause)
        if m is None:
            parts.append((at, i))
        else:
            parts.append((at, at + clause.count(" ", 0, m.start())))
        at = i + 1
    return parts
