"""Refusals and questions: does a message decline, does it name the rule that applies, does it ask?

A rule is named when every one of its concept groups is met by some word or phrase, inflected or
not, in the sentence that declines or right beside it; not by what is conceded ("your card isn't
suspended, but …"), denied ("it's not that …"), offered, or said about another case, and not when
another rule of the business stands closer to the refusal.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from davinci_env.verify.answers.claims import asked
from davinci_env.verify.answers.rings import IMPLIED, widened
from davinci_env.verify.answers.text import Place, Text
from davinci_env.verify.answers.words import Phrase, concept, one_of

Concepts = Sequence[Sequence[str]]
_Region = list[Place]
_Groups = list[list[tuple[str, list[Place]]]]
_Met = dict[int, set[str]]


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


# Says outright that something isn't done.
_DECLINES = re.compile(
    r"\b(?:can't|cannot|can not|could not|couldn't|unable to|not able to|not allowed|not permitted"
    r"|may not|mayn't|must not|mustn't|won't|will not|not authori[sz]ed|not eligible|ineligible"
    r"|not in a position|not going to|no longer|impossible|not possible|only possible|declin\w+"
    r"|refus\w+|reject\w*|den(?:y|ied)|say no\b|turn\w* (?:\w+ )?down|out of my hands|too late"
    r"|too close|off the table"
    r"|(?:is|are|was|were)(?:n't| not| no longer) (?:\w+ )?(?:possible|available|allowed|permitted"
    r"|something|an option)"
    r"|(?:no|only) (?:\w+ ){1,4}(?:is|are|be) possible"
    r"|do(?:es)?(?:n't| not) (?:allow|permit|qualify|accept|offer|work))\b"
)
# Declines only where nothing of the like was done.
_LIMITS = re.compile(
    r"\b(?:can|may|could|able to|allowed to|permitted to) only\b"
    r"|\bonly (?:able|allowed|permitted)\b"
    r"|\bhave to (?:ask|insist|stick)\b"
)
_REGRETS = re.compile(
    r"\b(?:sorry|afraid|unfortunately|regret\w*|apologi[sz]e|apologies)\b"
    r"|\bi(?: understand| know| see| appreciate|'d| would love| wish)\b.*\b(?:but|however)\b"
)
_IF = re.compile(r"\b(?:if|in case|unless|when|whenever) (?:\w+ ){0,3}$")

# What somebody did that is no deed of the kind a customer asks for.
_NO_DEED = (
    "looked|checked|found|searched|tried|reviewed|verified|noticed|received|wanted|needed|asked"
    "|seen|had|been|listed|identified|located|read|explained|mentioned|understood|learned|loved"
    "|liked|feared|wished|managed|considered"
)
_DEED = (
    rf"(?!(?:{_NO_DEED})\b)(?:\w{{2,}}ed|sent|made|put|taken|given|set|lent|done|paid|let|brought)"
)
_I_DID = re.compile(
    r"\b(?:i've|i have|we've|we have|i|we) (?:(?:now|just|already|also|successfully|gone ahead and"
    rf"|went ahead and) )*{_DEED}\b"
)
_DONE = re.compile(
    r"(?:^|[.!] )done\b|\b(?:all set|all done|is done|are done|successfully|went through"
    r"|gone through|taken care of|made an exception|was able to)\b"
)
_BECAME = re.compile(
    r"\b(?:your|the|this|that|it) (?:[^.]{0,60} )?(?:is|are|has been|have been) (?:now )?"
    rf"{_DEED}\b(?! by\b)"
)
_FOR_YOU = re.compile(r"\b(?:now|for you|as you (?:asked|wished|wanted)|as requested)\b")
_ANYWAY = re.compile(
    r"\b(?:anyway|exception|nevertheless|nonetheless|all the same|even so|still)\b"
)

_OFFERS = re.compile(
    r"^(?:\W+ )*(?:would|shall|should|do|did|have|is there|can i|could i|may i|are you|want"
    r"|how about|what about)\b"
)
_REASONS = re.compile(
    r"\b(?:because|since|as|due to|owing to|so|given|until|unless|without|while|which means|but"
    r"|means that|therefore)\b|[:;—]"
)
_POINTS_BACK = re.compile(r"^\W*(?:that|that's|this|these|those|it's|which|so|both)\b")
_ASKED = re.compile(r"(?:so |and )?(?:please|kindly)\b")
_DENIES = re.compile(
    r"\b(?:not (?:that|because|due to|about|need)"
    r"|\w+n't (?:that|because|due to|about|need|reached|exceeded)"
    r"|no need|nothing to do with|needn't)\b"
)
_CONCEDES = re.compile(r"\b(?:although|though|even though|despite|regardless of)\b")
_PARTING = one_of(", ; : — ( ) but")
_SUBJECTS = one_of("i you he she it we they that this the your our a an all")
_HEDGES = re.compile(r"\b(?:either|maybe|perhaps|possibly|might|could|may be)\b")
_CLEARLY = 1.25  # by how much a rival has to weigh more


def refuses(text: str) -> bool:
    """Whether the message declines something."""
    return bool(_refusals(Text(text)))


def claims_success(text: str) -> bool:
    """Whether the message says that something was done."""
    read = Text(text)
    return any(_succeeds(read.low(*read.bounds(s))) for s in range(len(read.ends)))


def names_rule(
    text: str, concepts: Concepts, *, others: Mapping[str, Concepts] | None = None
) -> RuleVerdict:
    """Judge whether a message declines and names the rule that these concept groups stand for.

    Args:
        text: what the assistant said.
        concepts: groups of words; the rule is named when each group is met.
        others: the concept groups of the business's other rules, by code. A message that names one
            of them closer to its refusal, or several as guesses, does not name the rule.
    """
    read = Text(text)
    refusals = _refusals(read)
    if not refusals:
        return RuleVerdict(False, "does not decline", "")
    rules = [concepts, *(others or {}).values()]
    right = _said(read, [widened(tuple(group)) for group in concepts])
    rivals = [said for groups in rules[1:] if (said := _said(read, groups))]
    reason, where = "", refusals[0]
    for sentence in refusals if right or rivals else ():
        weighed = _weigh(read, sentence, rules, right, rivals)
        if weighed == "named":
            return RuleVerdict(True, weighed, _evidence(read, sentence))
        if not reason:
            reason, where = weighed, sentence
    return RuleVerdict(False, reason or "the rule is not named", _evidence(read, where))


def _evidence(read: Text, sentence: int) -> str:
    near = range(max(0, sentence - 1), min(len(read.ends), sentence + 2))
    return " ".join(read.quote(s) for s in near)


def _succeeds(line: str) -> bool:
    if _I_DID.search(line) or _DONE.search(line):
        return True
    became = _BECAME.search(line)
    return became is not None and bool(_FOR_YOU.search(line) or line.startswith("your "))


def _refusals(read: Text) -> list[int]:
    """Sentences that decline and are not taken back.

    By inability first; by a limit or a regret where there is none and nothing was done.
    """
    lines = [read.low(*read.bounds(s)) for s in range(len(read.ends))]
    plain = [s for s in range(len(lines)) if not asked(read, read.bounds(s)[0])]
    found = [s for s in plain if _declines(lines[s])]
    if not found:
        found = [s for s in plain if _LIMITS.search(lines[s]) and not _succeeds(lines[s])]
    if not found and not any(map(_succeeds, lines)):
        found = [s for s in plain if _REGRETS.search(lines[s])]
    return [s for s in found if not _taken_back(lines, s)]


def _declines(line: str) -> bool:
    said = _DECLINES.search(line)
    return said is not None and not _IF.search(line[: said.start()])


def _taken_back(lines: Sequence[str], sentence: int) -> bool:
    line = lines[sentence]
    declines = _DECLINES.search(line)
    after = line[declines.end() :] if declines else ""
    if " but " in after and _succeeds(after.split(" but ", 1)[1]):
        return True
    rest = lines[sentence + 1 : sentence + 3]
    return any(_ANYWAY.search(later) and _succeeds(later) for later in rest)


def _weigh(
    read: Text, sentence: int, rules: Sequence[Concepts], right: _Groups, rivals: Sequence[_Groups]
) -> str:
    """Compare the rule with its rivals ever farther off: core of the refusal, sentence, context."""
    for region in _regions(read, sentence):
        met = _met(region, right)
        others = [m for groups in rivals if (m := _met(region, groups))]
        if met:
            return _outweigh(read, region, _weights(rules, [met, *others]), met, others)
        if others:
            return "another rule is named"
    return "the rule is not named"


def _outweigh(
    read: Text, region: _Region, weights: Mapping[str, float], met: _Met, others: Sequence[_Met]
) -> str:
    own = _weight(met, weights)
    guesses = 0
    for m in others:
        # Rules that share words do not compete by them; what says all of another rule beside this
        # one needs less to count.
        apart = m.keys().isdisjoint(met)
        if _weight(m, weights) > own * (1 if apart else _CLEARLY):
            return "another rule is named"
        its = _weight({at: words for at, words in m.items() if at not in met}, weights)
        guesses += its >= own / 3
    if guesses > 1 and (guesses > 2 or any(_HEDGES.search(read.low(a, b)) for a, b in region)):
        return "several rules are named as guesses"
    return "named"


def _weights(rules: Sequence[Concepts], met: Sequence[_Met]) -> dict[str, float]:
    """A word counts by how few groups declare it; less where it is only implied, phrases more."""
    said = {word for places in met for words in places.values() for word in words}
    if len(met) == 1:  # nothing to compare
        return dict.fromkeys(said, 1.0)
    plain = {word.removeprefix(IMPLIED) for word in said}
    declared = [plain.intersection(group) for groups in rules for group in groups]
    count = {word: max(1, sum(word in words for words in declared)) for word in plain}
    return {word: _strength(word) / count[word.removeprefix(IMPLIED)] for word in said}


def _strength(word: str) -> float:
    """How much a word says by its kind: an amount more than a phrase, and that more than a word."""
    if word.startswith(IMPLIED):
        return 0.5
    return 2 if any(c.isdigit() for c in word) else 1.5 if " " in word else 1


def _weight(met: _Met, weights: Mapping[str, float]) -> float:
    return sum(max(weights[word] for word in words) for words in met.values())


def _regions(read: Text, sentence: int) -> list[_Region]:
    """Where the reason may stand, nearest first.

    A sentence that only declines ("I can't put you on a second one.") has its reason beside it; one
    that points back ("That's as many as …") is read with the sentence before it.
    """
    first, last = read.bounds(sentence)
    line = read.low(first, last)
    near = _without_denials(read, first, last)
    wide = list(near)
    for s in range(max(0, sentence - 1), min(len(read.ends), sentence + 3)):
        beside = read.low(*read.bounds(s))
        if s != sentence and not (beside.endswith("?") and _OFFERS.search(beside)):
            wide += _without_denials(read, *read.bounds(s))
    if not _REASONS.search(line):
        return [wide]
    if _POINTS_BACK.search(line) and sentence:
        near += _without_denials(read, *read.bounds(sentence - 1))
    said = [p for p in near if not _ASKED.match(read.low(*p))]
    declined = [i for i in range(first, last) if read.words[i].low == "but"]
    start = max((i for i in declined if _DECLINES.search(read.low(i, last))), default=0)
    return [[p for p in said if p[0] >= start], said, wide]


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


class _Group(NamedTuple):
    """A concept group made ready; most groups are ruled out by one look at a message's stems."""

    words: tuple[tuple[str, Phrase], ...]
    first: frozenset[str]
    cut: tuple[str, ...]


@lru_cache(maxsize=1 << 12)
def _group(words: tuple[str, ...]) -> _Group:
    ready = tuple((word, concept(word.removeprefix(IMPLIED))) for word in words)
    whole = frozenset(p.key.split()[0] for _, p in ready if p.key.endswith(" ") and p.size)
    return _Group(ready, whole, tuple(p.key for _, p in ready if not p.key.endswith(" ")))


def _said(read: Text, concepts: Concepts) -> _Groups:
    """Which words of each group the message says, and where they begin and end; all or nothing."""
    found: _Groups = []
    for words in concepts:
        group = _group(tuple(words))
        if group.first.isdisjoint(read.stem_set) and not any(k in read.stems for k in group.cut):
            return []
        said = [(word, at) for word, ready in group.words if (at := _places(read, word, ready))]
        if not said:
            return []
        found.append(said)
    return found


def _places(read: Text, word: str, ready: Phrase) -> list[Place]:
    places = read.places(ready)
    if word == "once":
        return [p for p in places if not _begins_clause(read, p[1])]
    if ready.key == " not ":  # "can't" is what declines, and no part of the reason
        return [p for p in places if not _DECLINES.search(read.low(p[0], p[1] + 1))]
    return places


def _met(region: _Region, groups: _Groups) -> _Met:
    """Which words of the groups a region says where; empty unless each group is met in it."""
    found: _Met = {}
    for group in groups:
        here = [(p[0], word) for word, places in group for p in places if _within(p, region)]
        if not here:
            return {}
        for at, word in here:
            found.setdefault(at, set()).add(word)
    return found


def _within(place: Place, region: _Region) -> bool:
    return any(a <= place[0] and place[1] <= b for a, b in region)


def _begins_clause(read: Text, at: int) -> bool:
    """Whether the word before `at` is the conjunction "once" (you've paid) and not a count."""
    return at < len(read.words) and read.words[at].low in _SUBJECTS


# ---------------------------------------------------------------------- questions
_REQUESTS = re.compile(
    r"\b(?:please|kindly|just) (?:tell|give|let|provide|confirm|send|share|specify|state|choose"
    r"|pick)\b"
    r"|\b(?:let me know|tell me|could you|can you|may i (?:have|ask)|i'd like to know|what i need"
    r"|which of)\b"
    r"|\bi(?:'ll| will|'d| would)? (?:first |still |also )?need (?:to know|your|the)\b"
)
_COURTESY = re.compile(
    r"\b(?:anything else|something else|help you with|any other questions?|further questions?)\b"
)


def asks(text: str) -> bool:
    """Whether the message asks for something; "Anything else?" does not count."""
    return bool(_questions(Text(text)))


def asks_about(text: str, cues: Sequence[str]) -> bool:
    """Whether one of the message's questions is about a thing called by one of these cues."""
    read = Text(text)
    spans = [read.bounds(s) for s in _questions(read)]
    return any(_within(place, spans) for cue in cues for place in read.places(concept(cue)))


def _questions(read: Text) -> list[int]:
    found = []
    for s in range(len(read.ends)):
        line = read.low(*read.bounds(s))
        if (line.endswith("?") or _REQUESTS.search(line)) and not _COURTESY.search(line):
            found.append(s)
    return found
