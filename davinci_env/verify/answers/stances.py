"""When and how surely the answer holds: a value that was, is to be, would have been, or is thought.

Read off the clause around a value, not off the few words beside it.
"""

import re
from collections.abc import Sequence

from davinci_env.verify.answers.mentions import Mention
from davinci_env.verify.answers.text import Text
from davinci_env.verify.answers.words import one_of

_FILL = r"(?: (?:the|on|at|in|your|a|an|to|by|our|for|of|just|exactly|\$|#|\"))*$"
_START = r"(?:^|[,;.:—(] |\b(?:and|but|so|as) )"
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
# You'd have got $5 (if …); it would have been ready.
_WOULD_HAVE = re.compile(
    r"(?:\b(?:would|could|might)(?:n't| not)?(?: (?:still|then|normally|even|also))?|'d|\w'd)"
    r"(?: (?:still|then|normally|even|also))? (?:have|'ve)"
    r" (?:\w+ed|\w+en|got|had|cost|come|paid|made|gone|won|left|kept|lost|sent|held|put|read)\b"
    r"(?:(?!\bbut\b)[^;:—])*$"
)
_IF_NOT_FOR = re.compile(
    r"^(?:would|could|might|'d)\b[^;]*\b(?:if|were|had)\b[^;]*\b(?:weren't|hadn't|didn't|had|were"
    r"|wasn't)\b"
)
# Earlier it showed …; last year it was …; it was meant to be …
_WHEN_WAS = (
    r"(?:(?:the )?(?:last|previous) (?:year|month|week|time|spring|summer|autumn|fall|winter)"
    r"|earlier"
    r"|previously|formerly|in the past|back then|originally|initially|at first|until recently"
    rf"|before (?:the|that|this|it|we|you)\b[^,;:]*|(?:until|up to) (?!now|it|you|we)[^,;:]*"
    rf"|(?:back )?in (?:{_MONTHS})|yesterday)"
)
_WAS_ONCE = re.compile(
    rf"{_START}{_WHEN_WAS} ?,? ?(?:it|that|this|there|the \w+|your \w+|we|i)"
    r" (?:was|were|showed|read|had|stood|came|cost|said|listed|named)\b[^,;:—]*$"
    r"|\b(?:it|that|this) had been"
    + _FILL
    + r"|\bthe (?:old|former) (?:[\w']+ ){1,8}?(?:was|were)"
    + _FILL
    + r"|\bup to (?:last \w+|yesterday) ,"
    + _FILL
    + r"|\b(?:was|were) (?:\w+ )?(?:meant|supposed|going|intended|planned) to"
    r" (?:be|come|go|cost|take|end)\b[^,;:—]*$"
)
# Next month it will be …; we're planning on …
_LATER = (
    r"(?:next (?:week|month|year|time|\w+day)|soon|eventually|in (?:the )?future|some day"
    r"|from (?:next|then|there|tomorrow|the)\b[^,;:]*)"
)
_TO_BE = re.compile(
    rf"{_START}{_LATER} ?,? ?(?:\w+ ){{1,3}}?(?:will|is going to|are going to)\b[^,;:—]*$"
    rf"|{_START}{_LATER} ?,? ?\w+'ll\b[^,;:—]*$"
)
_WILL_BE = re.compile(r"(?:'ll|\bwill|\bgoing to) be" + _FILL)
_SOON = re.compile(
    r"^(?:soon|shortly|eventually|next (?:month|year|week)|from (?:next|tomorrow))\b"
)
_INTENDED = re.compile(
    r"\b(?:i|we|i'm|we're|i am|we are) (?:\w+ )?(?:plan|aim|hop|bet|shoot|target)\w* (?:on|for|at)"
    + _FILL
    # Once it's updated, it'll be …; I can change it to …
    + r"|\b(?:once|as soon as|after|when) (?:it|that|this|the (?:change|update|correction|new"
    r" \w+))\b[^,;]*"
    r",? (?:it|that|this)(?:'ll| will| would|'d) be"
    + _FILL
    + r"|\b(?:can|could)(?: gladly| happily| also| always| then| still)* (?:change|set|switch"
    r"|make|raise|lower"
    r"|update|correct|redirect)\b[^,;:—]*$"
)
_REQUESTED = re.compile(
    r"\b(?:requested|asked for|applied for|suggested|proposed|entered a request for)" + _FILL
)
_BEFORE_NOW = re.compile(
    r"^before (?:it|that|this|they|we) (?:\w+ )?(?:got|was|were|had|moved|changed)\b"
    r"|^(?:before|once|earlier|at first|originally|previously|in the past|back then|until"
    r" (?:yesterday|recently"
    r"|last \w+|then|now)) ?[.,;:)!]"
)
_WAS = re.compile(r"\b(?:was|were|had|used to be|read|showed)\b[^,;:—]*$")
_SOMEBODYS = re.compile(
    r"\b(?:a|an|another|some|any|one|the (?:previous|former|next|last|other)) (?:\w+ )?(?:friend"
    r"|neighbou?r"
    r"|customer|member|colleague|owner|holder|tenant|patient|reader|person|user"
    r"|relative)s?\b[^,;:—]*"
    r"\b(?:has|had|have|got|pays?|paid|owes?|owed|uses?|used|goes|went|is|was)" + _FILL
)
_TOLD_BY_YOU = re.compile(
    r"\byour (?:message|e ?- ?mail|email|mail|note|request|letter) (?:\w+ )?(?:says|said|reads"
    r"|mentions"
    r"|mentioned|states)\b[^,;:—]*$|\bthanks? (?:you )?for (?:telling|letting|saying"
    r"|pointing)\b[^,;:—]*$"
    r"|\byou(?:'re| are) (?:saying|telling me|claiming|suggesting)\b[^,;:—]*$"
)
# Normally it is …, but for you it is …
_NORMALLY = re.compile(
    r"\b(?:normally|usually|ordinarily|generally|typically|by default|as a rule|in general)\b"
    r"[^;:—]*$"
)
_BUT_HERE = re.compile(
    r"\b(?:but|however|though|yet|for you|in your case|this time|in this case)\b"
)
# I think it's …; if I remember rightly, it's …
_THOUGHT = re.compile(
    r"\b(?:i|we)(?: (?:\w+ )?)?(?:think|thought|believe|presume|suspect|assume|hope|fear)\b"
    r"(?! (?:you|that you|we|your)\b)[^,;:—]*$"
    r"|\b(?:if (?:i|we) (?:\w+ )?(?:remember|recall|understand)\b[^;:—]*"
    r"|if i'm not mistaken\b[^;:—]*|if memory serves\b[^;:—]*|from memory\b[^;:—]*"
    r"|(?:i'd|i would|let 's|let me) say\b[^,;:—]*|as far as i (?:remember|recall)\b[^;:—]*"
    r"|(?:i|you|one)(?:'d| might| would| may)? (?:was |were )?expect(?:ed|ing)?\b[^,;:—]*"
    r"|(?:i|we) doubt\b[^,;:—]*|(?:i|we) (?:do not|don't) (?:think|believe|suppose)\b[^,;:—]*"
    r"|(?:maybe|perhaps|possibly|probably|potentially)\b[^,;:—]*"
    r"|hopefully|ideally|with (?:any |some |a bit of )?luck|(?:i'm|we're|i am) (?:assuming"
    r"|guessing)"
    r"|apparently|supposedly|allegedly|presumably|seemingly|in all likelihood|(?:most |very"
    r" )?likely"
    r"|unless (?:i'm|i am|we're)\b[^;:—]*|(?:the )?(?:chances|odds) are|ought to be)[^;:—]*$"
    r"|\b(?:i'm|i am|we're) (?:fairly|pretty|quite|almost|not|reasonably|relatively|90 %)"
    r" (?:\w+ )?(?:sure|certain|confident|positive)\b[^;:—]*$"
    r"|\b(?:other|most|many|some|certain) \w+s (?:are|were|have|had|go|went|cost|get|got|take)\b"
    r"[^,;:—]*$|\b(?:a|some|any|every|the) (?:\w+ )?(?:chance|possibility|hope|risk|prospect"
    r"|likelihood)"
    r" (?:of|that|it 's|it's|for)\b[^,;:—]*$"
    r"|\b(?:i|we) (?:\w+ )?(?:seem to |vaguely |dimly )?(?:recall|remember)\b[^,;:—]*$"
    r"|\blet 's (?:go with|take|make it|settle on|put)"
    + _FILL
    + r"|\b(?:other|most|many|some) (?:people|customers|members|patients|readers|users)\b[^,;:—]*$"
    + r"|\b(?:it|that|this|there) (?:seems|appears|looks|sounds) (?:to be|like|as if)"
    + _FILL
)
# You might get $5; it could cost $5.
_MIGHT = re.compile(
    r"\b(?:might (?!want|wish|like|prefer|remember|know|recall|notice|surprise|interest|help|wonder"
    r"|as well|have (?:seen|noticed|heard|guessed))"
    r"|(?:could|may) (?:cost|take|come to|amount to|owe)\b|(?:might|may|could) (?:\w+ )?be that\b)"
    r"(?:(?!\b(?:that|but|and|because|so|if)\b)[^,;:—])*$"
)
_COULD_BE = re.compile(r"\bcould (?:\w+ )?be (?:\w+ed|paid|sent|made)\b[^,;:—]*$")
# I wish it were …; it must be …; it's about to become …
_UNREAL = re.compile(
    r"\b(?:it|that|this) were"
    + _FILL
    + r"|\b(?:must|supposed to) (?:\w+ )?be"
    + _FILL
    + r"|\bbecome"
    + _FILL
    + r"|(?:^|[,;:—(] )(?:assuming|supposing|presuming)\b[^;:—]*$"
)
_UPCOMING = re.compile(
    r"(?:'ll|\bwill) soon be"
    + _FILL
    + r"|\b(?:might|may|could) (?:well |still )?turn out to be"
    + _FILL
    + r"|'ve been"
    + _FILL
    + r"|\b(?:bound to|meant to|scheduled to|about to|going to|due to) (?:\w+ )?be"
    + _FILL
)
_PROMISED = re.compile(
    r"\b(?:i'll|i will|we'll|we will|i promise|we promise|let me)(?: \w+)? (?:make sure|see to it"
    r"|ensure|get it"
    r"|have it|turn it|promise|try)\b[^,;:—]*$|\b(?:i|we) promise\b[^,;:—]*$"
    r"|\bplease (?:confirm|check|verify|tell me|say)\b[^,;:—]*$"
)
_TAG = re.compile(
    r"^[^.!?]{0,40}, (?:right|correct|yes|no|ok|okay|am i right|is it not|\w+n't (?:it|that|you"
    r"|they|there)) \?"
)
_IN_TIME = re.compile(r"^in (?:a |\w+ )?(?:few |couple of )?(?:days?|weeks?|months?|hours?)\b")
_THOUGHT_AFTER = re.compile(
    r"^(?:\w+ ){0,2}(?:, |\( |— )?(?:or )?(?:i'd say|i would say|sounds? (?:about )?right"
    r"|seems? right|i (?:think|guess|suppose|assume|presume)|if i (?:\w+ )?"
    r"(?:remember|recall)|if i'm not mistaken|if memory serves|or so\b|or thereabouts|probably"
    r"|perhaps"
    r"|maybe|possibly|presumably|(?:though |but )?i'm not (?:\w+ )?(?:sure|certain|positive)"
    r"|(?:though |but )?don't (?:quote|hold) me|at best\b|as far as i (?:remember|recall))"
)
_UNSETTLED_AFTER = re.compile(
    r"\b(?:but|though|although) (?:nothing|it|that|this)(?: 's| is)?(?:n't| not)? (?:\w+ )?"
    r"(?:confirmed|fixed|final|certain|decided|settled|sure)\b"
    r"|\bif (?:they|he|she|it|that|this|the \w+|my \w+) (?:\w+ )?(?:approves?|agrees?|accepts?"
    r"|allows?|confirms?|goes through|works out|is (?:approved|accepted|confirmed|granted))\b"
    r"|[,;] (?:but|though) (?:please |you should |do )?(?:check|verify|double ?- ?check|confirm)"
    r" (?:that|it|this|with)\b"
)
_WRONG_AFTER = re.compile(
    r"^(?:was|were) (?:the |your |an? )?(?:old|previous|former)\b"
    r"|^(?:would|could|should) have been\b|^(?:was|were) (?:meant|supposed|intended) to\b"
    r"|^(?:is|was|'s) (?:\w+ )?too (?:long|much|many|late|early|high|low|short|soon)\b"
    r"|^(?:is|was) (?:where|when) (?:it|that|this|they) (?:was|were|used)\b"
    r"|\bbut (?:they|it|those|that|all|both)\b[^.;]* (?:gone|taken|sold|lapsed|expired)\b"
    r"|^(?:(?:\w+ )?[,(—] ?(?:but |and"
    r" )?(?:which|that|this|it) )?(?:(?:is|was|turned out to be)(?: (?!not )\w+)?"
    r" (?:wrong|mistaken|incorrect|outdated|out of date|stale|obsolete|superseded|false|untrue"
    r"|a mistake|an error)"
    r"|(?:isn't|wasn't|is not|was not|is no longer)(?: \w+)? (?:right|true|correct|current|valid"
    r"|accurate|up to date))\b"
)
_ASKED_IF = re.compile(
    r"\b(?:find out|look up|check|ask\w*|see|know|wonder\w*|tell|confirm|verify|sure|clarify"
    r"|determine"
    r"|say|unclear|doubtful|idea|question|matter)(?: \w+)?(?: \w+)? (?:if|whether)\b[^,;:—]*$"
)
# The rules for what stands before a value, each with words without one of which it can't hold, and
# the kinds of values that it is for.
_ANY, _UNDATED = "any", "no days"
_RULES: tuple[tuple[str, re.Pattern[str], str, str], ...] = (
    (
        "only supposed", _WOULD_HAVE, _ANY,
        "would could might you'd it'd i'd that'd we'd they'd he'd she'd",
    ),
    ("only supposed", _UNREAL, _ANY, "were must supposed become assuming supposing presuming"),
    (
        "only planned", _UPCOMING, _UNDATED,
        "bound meant scheduled about going due soon turn would've could've should've might've",
    ),
    (
        "only guessed", _THOUGHT, _ANY,
        "hopefully ideally luck assuming guessing think thought believe presume suspect assume"
        " hope fear memory say remember recall"
        " apparently"
        " supposedly allegedly presumably seemingly seems appears looks sounds mistaken"
        " some most many certain other likelihood likely chance possibility risk prospect"
        " chances odds sure certain confident positive unless ought let people customers members"
        " patients"
        " readers users doubt expect expected expecting maybe perhaps possibly probably"
        " potentially",
    ),
    ("only guessed", _MIGHT, _ANY, "might could may"),
    ("only planned", _COULD_BE, _UNDATED, "could"),
    ("asked about", _ASKED_IF, _ANY, "if whether"),
    (
        "what was once",
        _WAS_ONCE,
        _ANY,
        "was were had showed read stood came cost said listed named yesterday last",
    ),
    ("only planned", _PROMISED, _ANY, "i'll we'll will promise let please"),
    (
        "only planned", _INTENDED, _ANY,
        "plan planning aim aiming hope hoping bet betting shoot shooting target targeting once"
        " soon after"
        " when can could",
    ),
    ("somebody else's", _SOMEBODYS, _ANY,
     "friend neighbour neighbor customer member colleague owner holder tenant patient reader"
     " person user"
     " relative friends customers members patients readers users neighbours neighbors colleagues"),
    (
        "only reported", _TOLD_BY_YOU, _ANY,
        "message mail email note request letter thanks thank saying telling claiming suggesting",
    ),
    ("only planned", _TO_BE, _UNDATED, "next soon eventually future tomorrow"),
)  # fmt: skip
_TRIGGERS: dict[str, int] = {}
_BESIDE_OTHERS = (
    "be requested asked applied suggested proposed request normally usually ordinarily generally"
    " typically default rule general"
)
for _number, _words in enumerate([*(rule[3] for rule in _RULES), _BESIDE_OTHERS]):
    for _word in _words.split():
        _TRIGGERS[_word] = _TRIGGERS.get(_word, 0) | 1 << _number
_TRIGGERING = frozenset(_TRIGGERS)
_AFTER = one_of(
    "if should too meant supposed intended where when gone taken sold lapsed expired"
    " date would could might 'd think guess suppose assume presume old best check verify"
    " confirm"
    " double i'd sounds sound seems seem right remember recall mistaken memory so thereabouts"
    " probably"
    " perhaps maybe possibly presumably sure certain positive don't confirmed fixed final decided"
    " settled wrong incorrect outdated stale obsolete superseded false untrue mistake error true"
    " correct current valid accurate mistaken"
)
_PAST_AFTER = one_of("before once earlier at originally previously in back until")
_CLOCK = re.compile(r"(?<=\d):(?=\d)")  # the colon of a time parts no clauses
_NEAR = 40
_DAYS = ("date", "datetime")


def unsettled(text: Text, m: Mention, mentions: Sequence[Mention], kind: str) -> str:
    """How the answer is said of another time or with doubt; "" where it is said to hold."""
    first, last = text.around(m.start)
    near, far = max(first, m.start - _NEAR), min(last, m.end + _NEAR)
    after = text.lows[m.end : far]
    if after and after[0] in _PAST_AFTER and kind != "span":
        then = _BEFORE_NOW.match(" ".join(after))
        if then and _WAS.search(text.low(near, m.start)):
            return "what was once"
    if after and after[-1] == "?" and _TAG.search(" ".join(after)):
        return "asked about"
    follows = not _AFTER.isdisjoint(after)
    if follows and (how := _by_what_follows(" ".join(after))):
        return how
    telling = _TRIGGERING.intersection(text.lows[near : m.start])
    if not telling:
        return ""
    flags = 0
    for low in telling:
        flags |= _TRIGGERS[low]
    before = _CLOCK.sub(".", text.low(near, m.start))
    for number, (how, said, for_kinds, _) in enumerate(_RULES):
        if flags >> number & 1 and said.search(before) and (for_kinds == _ANY or kind not in _DAYS):
            return how
    if flags >> len(_RULES):
        return _in_view_of_others(text, m, mentions, before, kind)
    return ""


def _by_what_follows(after: str) -> str:
    if _THOUGHT_AFTER.search(after) or _UNSETTLED_AFTER.search(after):
        return "only guessed"
    if _IF_NOT_FOR.search(after):
        return "only supposed"
    if _WRONG_AFTER.search(after):
        return "denied"
    return ""


def _in_view_of_others(
    text: Text, m: Mention, mentions: Sequence[Mention], before: str, kind: str
) -> str:
    """What holds only if another value is said as well, or a time follows."""
    if kind not in _DAYS and _WILL_BE.search(before):
        after = text.low(m.end, m.end + 6)
        if _SOON.match(after) or (kind != "span" and _IN_TIME.match(after)):
            return "only planned"
    if any(x.wrong for x in mentions) and _REQUESTED.search(before):
        return "only planned"
    others = [x for x in mentions if not x.right and x.start >= m.end]
    turned = any(_BUT_HERE.search(text.low(m.end, x.start)) for x in others)
    return "only in general" if turned and _NORMALLY.search(before) else ""
