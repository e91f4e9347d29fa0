"""What a message says and takes out again: denied, conceded, asked, told to be no reason."""

import re
from collections.abc import Sequence

from davinci_env.verify.answers.text import Place, Text
from davinci_env.verify.answers.words import in_order, one_of, stem

Region = list[Place]
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
    r"^\W*(?:(?:no|oh|oops|sorry|actually|but|well) (?:, )?)*(?:wait|that(?: 's| is| was) (?:\w+ )?"
    r"(?:wrong|incorrect|not right|not true|not correct|a mistake|an error|outdated)|that"
    r" (?:isn't|wasn't)"
    r" (?:right|true|correct)|hold on|hang on|correction|scratch that"
    r"|strike that|i misspoke|my mistake|on second thoughts?|let me correct)\b"
)
# From here to the end of the clause: not because …; it has nothing to do with the rule that …
_NOT_FOR = re.compile(
    r"\b(?:not|never|isn't|wasn't|aren't|weren't)(?: (?:just|only|really|at all|so much))?"
    r" (?:because|due to)\b|\bnothing to do with\b"
)
# Whatever was said before is no reason: that's not why; that rule doesn't apply to you.
_OTHERWISE = re.compile(
    r"^\W*(?:(?:but|however|though|and|still|yet) (?:, )?)*(?:that|this|it|none of (?:that|this))\b"
    r"[^,;:]*(?:n't|\bnot|\bnever)(?: [\w']+){0,3} (?:why i|why we|the reasons?|appl(?:y|ies)"
    r" (?:to|here|in))\b"
    r"(?!.*[;:]| but\b)"
    r"|\b(?:real|actual|true) (?:reason|problem|issue)(?: \w+)? (?:is|was) (?:another|a different"
    r"|something"
    r"|different)\b"
)
# A condition that is met: its expiry date is fine; the window is no problem.
_FINE = re.compile(
    r"(?:\b(?:is|are|was|were|looks?|seems?)|'s)(?: (?:\w+ly|all|quite|still))? (?:fine|ok|okay|in"
    r" order|alright"
    r"|right|no (?:problem|issue|obstacle|concern|hindrance)|(?:well )?within (?:the|our|your)"
    r" \w+)\b"
    r"(?! (?:until|for|as long|if|to|with|before|by)\b)"
)
# It isn't true that …
_UNTRUE = re.compile(
    r"\W*(?:(?:and|but|so|no|well) (?:, )?)?(?:it|that|this) (?:isn't|wasn't|is not|was not|'s"
    r" not|is wrong"
    r"|is false|is untrue|'s untrue|'s wrong|'s false)(?: \w+)?(?: (?:true|the case|so|right"
    r"|correct))? that\b"
    r"(?:(?! but\b)[^;:—])*"
)
_PREVENTS = re.compile(r"\b(?:can't|cannot|won't|unable|but|not)\b")
_AHEAD = re.compile(r"\b(?:this|these|following|below)\b")
_BACK = re.compile(
    r"^\W*(?:(?:but|however|though|and|still|yet) (?:, )?)?(?:that|this|it|none|neither"
    r"|these|which)"
)
_PARTING = one_of(", ; : — ( ) but")
_WONDERS = re.compile(
    r"^\W*(?:did you know|do you know|are you aware|is it because|could it be|is it that)\b"
)
_NOT_FOR_ENDS = one_of("; — but")


def voided(read: Text, lines: Sequence[str]) -> frozenset[int]:
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
        if said := _UNTRUE.match(line):
            start = read.bounds(s)[0]
            void.update(range(start, start + line.count(" ", 0, said.end()) + 1))
        if _OTHERWISE.search(line):
            void.update(range(read.bounds(s)[0]))
        if (said := _FINE.search(line)) and not _PREVENTS.search(line, said.end()):
            first = read.bounds(s)[0]
            void.update(range(first, first + line.count(" ", 0, said.start())))
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


def without_denials(read: Text, start: int, end: int) -> Region:
    """The parts of a stretch that are neither denied nor conceded, clause by clause."""
    parts: Region = []
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
