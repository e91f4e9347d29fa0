"""What a message says and does not stand for: values supposed, told of somebody else, reported, or
taken back in a later sentence.

`claims` judges the words around a value; here it is whole clauses and what comes after.
"""

import re
from collections.abc import Sequence

from davinci_env.verify.answers.mentions import Mention
from davinci_env.verify.answers.text import Text
from davinci_env.verify.answers.words import one_of

_FILL = r"(?: (?:the|on|at|in|your|a|an|to|by|our|for|of|just|exactly|now|about|\$|#|\"))*$"
_BE = (
    r"(?:is|are|was|were|be|been|(?:it|that|this|which) 's|equals?|equalled|comes? to"
    r"|came to|amounts? to"
    r"|amounted to|stood at|stands at|owes?|owed|costs?)"
)

# ------------------------------------------------------------------ supposed
_SUPPOSING = re.compile(
    r"(?:^|[,;:.(—\"-] |\b(?:and|but|so|that|only|even|as|what) )"
    r"(?:if|suppose|supposing|imagine|assum(?:e|ing)|pretend|let 's (?:say|assume|pretend|suppose)"
    rf"|though|provided|unless)\b[^,;:—]*\b{_BE}\b[^,;:—]*$"
    r"|\blet 's (?:just )?(?:say|assume|pretend|suppose|call it)" + _FILL + r"|\blater ?$"
    r"|(?:^|[,;:.(—] |\band )(?:after (?:that|then|which|tomorrow)|from (?:then|tomorrow) on"
    r"|(?:as of|starting|from) (?:tomorrow|next \w+))\b[^;:—]*$"
    r"|^(?:were|had|should) (?:the|it|your|there|this|that)\b[^,;:—?]*$"
)
# It takes 45 minutes if …, otherwise 30.
_DEPENDS = re.compile(
    r"^[^.!?;]*\b(?:if|unless|provided|in case|when|as long as)\b[^.!?;]*"
    r"\b(?:otherwise|or else|else|if not)\b"
)
_WOULD = re.compile(r"\b(?:would|'d|could|might)(?: \w+){0,2} (?:be|come|cost|amount|owe)\b")
_IF_IT_WERE = re.compile(r"\b(?:if|had)\b[^;:]*\b(?:were|weren't|had|hadn't|was|wasn't)\b")
# You'd get $5 if we still had it, but we don't.
_WOULD_DO = re.compile(r"(?:\b(?:would|could|might)|'d)\b[^,;:—]*$")
_BUT_ISNT = re.compile(
    r"\bif\b[^;:]*[,;—] but (?:it|they|he|she|you|we|i|that|this) (?:\w+n't|cannot|\w+ not)\b"
)
_WOULD_HAVE = re.compile(
    r"\b(?:would|could|should|might)(?:n't)?(?: have|'ve) (?:\w+ )?(?:been|come|cost)\b"
)
_UNTRUE = re.compile(
    r"\b(?:following|next)(?: \w+){0,4} (?:is|are|isn't|aren't) (?:wrong|false|incorrect|untrue"
    r"|(?:not )?(?:true|right|correct))\b"
    r"|\b(?:not|isn't|never|hardly|wasn't) (?:\w+ )?(?:true|the case|right|correct|accurate)"
    r" (?:that|:|to say)"
    r"|\b(?:wrong|false|incorrect|untrue|a (?:lie|myth|rumou?r|mistake|joke)) (?:that|:|to say)"
    r"|\b(?:nobody|no one|none|no way)\b[^,;:]* (?:say|said|tell|claim|know|prove|confirm)\w*"
    r" (?:that|whether|if)\b"
    r"|\b(?:first|at first|initially|originally|earlier|before) ,? ?(?:i|we) (?:had|thought|read"
    r"|saw|noted|wrote|said)" + _FILL
)
_REPORTED = re.compile(
    r"\b(?:(?<!as )you|he|she|they|somebody|someone|people|the customer|my colleague"
    r"|(?:a|an|one|another|my|our|the) (?:\w+ )?(?:colleagues?|friends?|clerks?|neighbou?rs?|boss"
    r"|manager|person|man|woman|customer)"
    r"|the (?:web ?site|letter|e-mail|email|app|caller))(?: (?:\w+n't |not )?\w+)? "
    r"(?:say|said|says|claim(?:s|ed)?|think|thinks|thought|believe[sd]?|told|wrote|assume[sd]?"
    r"|suggest(?:s|ed)?|mentioned|show(?:s|ed|n)?|insist(?:s|ed)?|heard)\b[^,;:]*$"
)
_CONFIRMED = re.compile(r"\b(?:right|correct|true|indeed|exactly|confirm)\b")
_GUESSING = re.compile(
    r"\b(?:i|i'm|i'd|we|we're)(?: \w+)? (?:guess(?:ing)?|suppose|reckon|bet|imagine|gather)\b"
    r"[^,;:]*$|\b(?:my|a|an|wild|educated) (?:\w+ )?(?:guess|estimate)\b[^;]*$"
    r"|\bsomething like" + _FILL
)
_ELSE = (
    r"(?:another|some other|(?:a|any) different|(?:some|any|every)(?:one|body) else"
    r"|(?:the|your) (?:previous|next) (?:caller|customer|client|member|patient|person)"
    r"|(?:a|the|any) stranger|my)"
)
_OTHERS = re.compile(
    rf"\b{_ELSE}(?: \w+){{0,2}} 's(?: [\w-]+){{0,5}} (?:{_BE}|:)"
    + _FILL
    + r"|\b(?:for|of|from|belonging to|at) (?:another|some other|a different|(?:some|any)"
    r"(?:one|body)"
    rf" else)\b(?!.*\b(?:your?|you're)\b)[^;:—]*\b{_BE}"
    + _FILL
    + r"|\b(?:the|a) (?:\w+ )?(?:person|caller|customer|client|member|patient|one)"
    rf" (?:before|after|behind|next to|ahead of) (?:you|me)(?: \w+)? (?:{_BE}|has|had|got)"
    + _FILL
    + r"|(?:^|[,;:—] |\b(?:and|but|while) )(?:another|the other|a different)(?: (?:one|\w+))?"
    r" (?:was|is|were|are|has been|had been|has|had|goes|went|came|comes)\b[^,;:]*$"
    + rf"|\b(?:another|some other|a different)(?: \w+){{1,2}} {_BE}"
    + _FILL
    + r"|\b(?:some|any)(?:one|body) else (?:\w+ )?(?:is|owes?|has|had|pays?|paid)"
    + _FILL
    + rf"|\bother (?:\w+ )?(?:customers|clients|members|patients|people)(?: ')?(?: \w+){{0,4}} "
    rf"(?:{_BE}|have|pay)" + _FILL
)
_FICTION = re.compile(
    r"\b(?:sample|dummy|placeholder|fictional|hypothetical(?:ly)?|made up|invented"
    r"|for illustration|in (?:my|this|the|our) example|once upon a time)\b"
)
_VAGUELY = re.compile(
    r"\b(?:nowhere near|far from|anything but|not even close to|sometimes|at times)" + _FILL
)
_GIVE_OR_TAKE = re.compile(r"^(?:\w+ )?(?:, )?(?:give or take|plus or minus|more or less)\b")
_WISHED = re.compile(
    r"\b(?:would|'d|wish|want|wanted|like|love|tempted|able)\b[^,;:]* (?:to )?(?:say|tell|claim"
    r"|report|write|answer)\b[^,;:]*$"
)
_IF_ONLY = re.compile(
    r"^(?:had|were|should) [^;:]*\b(?:would|'d|could|might)\b"
    r"|\bif\b[^;:]*\b(?:had|hadn't|were|weren't)\b[^;:]*\b(?:would|'d|could|might)\b"
)
# Words without which nothing above holds; beside those that turn a statement (`claims`).
_TELLING = one_of(
    "you'd it'd i'd that'd if suppose supposing imagine assuming assume pretend let"
    " though provided unless were had"
    " should would could might following next true right correct case wrong false incorrect untrue"
    " myth rumor rumour lie mistake joke accurate say said says claim claims claimed think thinks"
    " thought believe believes believed told wrote assumed assumes suggest suggests suggested"
    " mentioned insist insists insisted heard show shows showed shown guess"
    " guessing reckon bet gather estimate something another other different else stranger my"
    " previous sample dummy placeholder fictional hypothetical hypothetically made invented example"
    " colleague colleagues friend clerk neighbour neighbor boss manager person man woman customer"
    " caller client member patient one after from starting later nobody no none first initially"
    " originally earlier before once nowhere far anything even sometimes times report write answer"
    " illustration"
)
_ALTERNATIVE = one_of("otherwise else not")
_TOLD_AFTER = one_of("sample dummy placeholder fictional hypothetical invented give plus less made")


def supposed(text: Text, m: Mention) -> str:
    """How a value is said without being asserted: supposed, reported …; "" where it is."""
    first, last = text.around(m.start)
    last = min(last, m.end + _NEAR)
    following = text.lows[m.end : last]
    if not _ALTERNATIVE.isdisjoint(following) and _DEPENDS.search(" ".join(following)):
        return "only supposed"
    if " follow " in text.stems and _UNTRUE.search(text.low(max(0, first - 10), first)):
        return "denied"  # The following is wrong. …
    near = max(first, m.start - _NEAR)
    if not _TOLD_AFTER.isdisjoint(following):
        after = " ".join(following)
        if _FICTION.search(after) or _GIVE_OR_TAKE.search(after):
            return "only supposed"
    if _TELLING.isdisjoint(text.lows[near : m.start]):
        return ""
    before = text.low(near, m.start)
    if _FICTION.search(before) or _IF_ONLY.search(before) or _WISHED.search(before):
        return "only supposed"
    if _VAGUELY.search(before):
        return "denied"
    if _SUPPOSING.search(before) or _WOULD_HAVE.search(before):
        return "only supposed"
    if _UNTRUE.search(before):
        return "denied"
    if _OTHERS.search(before):
        return "somebody else's"
    if _GUESSING.search(before):
        return "only guessed"
    after = text.low(m.end, last)
    if _REPORTED.search(before) and not _CONFIRMED.search(after):
        return "only reported"
    if _WOULD.search(before) and _IF_IT_WERE.search(after):
        return "only supposed"
    if _BUT_ISNT.search(after) and _WOULD_DO.search(before):
        return "only supposed"
    return ""


# ------------------------------------------------------------------ taken back
_WITHDRAWS = re.compile(
    r"(?:(?:^|[.!?] )(?:oh |oops )?(?:, )?sorry , (?:that 's|that is|that was|i (?:looked|was"
    r"|read|meant"
    r"|mixed|had))\b"
    r"|\b(?:no|oh|oops|but|hang on|hold on) , wait\b|\b(?:oh|oops) wait\b"
    r"|\bno wait(?= [:!—-])"
    r"|(?:^|[.!?,] )wait(?= [,:!;—-])"
    r"|\b(?:scratch|strike|undo) (?:that|what i)\b|\btake (?:that|it|this) back\b"
    r"|\bi (?:misspoke|misread|mistyped|miscounted|miscalculated|was (?:wrong|mistaken)"
    r"|made (?:a|an) (?:\w+ )?(?:mistake|error|slip)|got (?:that|it|this) wrong"
    r"|made (?:that|it|this) up|mixed|confused)\b"
    r"|\b(?:my|that was a|that is a|that 's a|that was an|that 's an)"
    r" (?:mistake|error|bad|slip|typo)\b"
    r"|\b(?:ignore|disregard|forget|never mind) (?:that|this|what|the above|my|all)\b"
    r"|\b(?:that|this|it|all of it|(?:the|that|this) (?:above|former|figure|number|amount|date|sum"
    r"|entry|record|value|line))(?: (?:\w+ )?(?:is|was)| 's)(?: (?!not )\w+)? "
    r"(?:wrong|incorrect|untrue|false|outdated|a lie|a joke|invalid|out of date|stale|obsolete"
    r"|no longer (?:current|valid|true|right|correct|accurate|up to date)"
    r"|not (?:right|true|correct|so))\b"
    r"|\b(?:that 's|it 's) (?:\w+ )?(?:wrong|incorrect|untrue|false|a lie|a joke"
    r"|not (?:right|true))\b"
    r"|\b(?:that|this|it|which) (?:isn't|wasn't|is not|was not) (?:\w+ )?(?:right|true|correct"
    r"|accurate|so|the case|yours)\b"
    r"|\b(?:just|only|i'm) (?:kidding|joking)\b|\bcorrection\b|\blet me correct\b"
    r"|\bi stand corrected\b"
    r"|\bon second thoughts?\b|\b(?:or )?not really\b|\boops\b"
    r"|(?:^|[.!?] )not [.!]"
    r"|\bbut i(?:'m not (?:\w+ )?sure| can't (?:confirm|verify|check|see|guarantee)"
    r" (?:it|that|this))\b"
    r"|\b(?:it|that|this) (?:isn't|is not|'s not|doesn't|does not) (?:\w+ )?(?:any more|any"
    r" longer)\b"
    r"|\bthat 's what it was\b|\bdon't (?:rely|count|bank) on\b|\bi was thinking of\b"
    r"|\bdon't (?:quote me|take my word|believe (?:me|that|it)|trust (?:me|that|it|this))\b"
    r"|\b(?:belongs|belonged|applies|applied|relates|refers?|was|is)"
    r" (?:only )?(?:to|for)"
    r" (?:another|a different|some other|someone else|somebody else)\b)"
)
_UNLESS = re.compile(r"\b(?:if|unless|in case|should|whether|when|don't)(?: [\w']+){0,4} ?$")
_CORRECTS = re.compile(
    r"(?:^|[.!?,;:—(-] |\b(?:but|or|and|well|no) )(?:actually|rather|sorry ,|i mean|i meant|in fact"
    r"|make (?:that|it)|to be (?:precise|exact)"
    r"|unless|yours|your own|in your case|and sometimes|better|(?:more )?precisely"
    r"|i should say|should (?:be|read)|no [,:—-])"
    r"(?! (?:you|we|i) (?:can|could|may|also))"
)
_LEAVES = re.compile(r"[,;:—-] (?:so|which leaves|leaving|leaves?|hence|therefore|net)" + _FILL)
_IT_IS = re.compile(
    rf"(?:{_BE}|make (?:that|it)|meant|mean|rather|actually|sorry|exact|precise|say|read"
    r"|precisely|no|sometimes|[,:—-])" + _FILL
)


# Words without which nothing is withdrawn.
_TURNING_BACK = one_of(
    "rely count bank thinking what stale obsolete outdated out"
    " more longer sorry wait scratch strike undo take misspoke misread mistyped miscounted"
    " miscalculated wrong"
    " mistaken mistake error slip mixed confused bad typo ignore disregard forget never"
    " incorrect untrue false lie joke invalid right true correct accurate yours kidding"
    " joking correction corrected thought thoughts really oops sure confirm verify check"
    " guarantee quote believe trust another different someone somebody made"
)
_NEAR = 40


def taken_back(text: Text, held: Sequence[Mention], mentions: Sequence[Mention]) -> int | None:
    """A word where the last of the values held is taken back or corrected to another one."""
    last = held[-1]
    rest = text.lows[last.end :]
    if not _TURNING_BACK.isdisjoint(rest):
        for at, word in enumerate(rest, last.end):
            if word in _TURNING_BACK and _withdraws(text, max(last.end, at - 6), at + 5):
                return at
    for m in mentions:
        if m.start < last.end or m.right or m.alien or m.start - last.end > _NEAR:
            continue
        between = text.low(last.end, m.start)
        if m.wrong and _LEAVES.search(between):
            return m.start
        said = next(reversed(list(_CORRECTS.finditer(between))), None)
        if said is None or between.count(" ", said.end()) > 10:
            continue
        if _IT_IS.search(between[said.start() :]):
            return m.start
    return None


def _withdraws(text: Text, start: int, end: int) -> bool:
    near = text.low(start, end)
    for said in _WITHDRAWS.finditer(near):
        clause = re.split(r"[,;:.!?—]", near[: said.start()])[-1]
        if not _UNLESS.search(clause):
            return True
    return False
