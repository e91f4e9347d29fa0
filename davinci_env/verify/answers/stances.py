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
_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
)
# You'd have got $5 (if …); it would have been ready.
_WOULD_HAVE = re.compile(
    r"(?:\b(?:would|could|might)(?:n't| not)?(?: (?:still|then|normally|even|also))?|'d|\w'd)"
    r"(?: (?:still|then|normally|even|also))? (?:have|'ve)"
    r" (?:\w+ed|\w+en|got|had|cost|come|paid|made|gone|won|left|kept|lost|sent|held|put|read)\b"
    r"[^;:—]*$"
)
_IF_NOT_FOR = re.compile(
    r"^(?:would|could|might|'d)\b[^;]*\b(?:if|were|had)\b[^;]*\b(?:weren't|hadn't|didn't|had|were|wasn't)\b"
)
# Earlier it showed …; last year it was …; it was meant to be …
_WHEN_WAS = (
    r"(?:(?:the )?(?:last|previous) (?:year|month|week|time|spring|summer|autumn|fall|winter)|earlier"
    r"|previously|formerly|in the past|back then|originally|initially|at first|until recently"
    rf"|before (?:the|that|this|it|we|you)\b[^,;:]*|(?:back )?in (?:{_MONTHS})|yesterday)"
)
_WAS_ONCE = re.compile(
    rf"{_START}{_WHEN_WAS} ?,? ?(?:it|that|this|there|the \w+|your \w+|we|i)"
    r" (?:was|were|showed|read|had|stood|came|cost|said|listed|named)\b[^,;:—]*$"
    r"|\b(?:was|were) (?:\w+ )?(?:meant|supposed|going|intended|planned) to"
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
_SOON = re.compile(r"^(?:soon|shortly|eventually|next (?:month|year|week)|from (?:next|tomorrow))\b")
_INTENDED = re.compile(
    r"\b(?:i|we|i'm|we're|i am|we are) (?:\w+ )?(?:plan|aim|hop|bet|shoot|target)\w* (?:on|for|at)" + _FILL
    # Once it's updated, it'll be …; I can change it to …
    + r"|\b(?:once|as soon as|after|when) (?:it|that|this|the (?:change|update|correction|new \w+))\b[^,;]*"
    r",? (?:it|that|this)(?:'ll| will| would|'d) be" + _FILL
    + r"|\b(?:can|could)(?: gladly| happily| also| always| then| still)* (?:change|set|switch|make|raise|lower"
    r"|update|correct|redirect)\b[^,;:—]*$"
)
_REQUESTED = re.compile(
    r"\b(?:requested|asked for|applied for|suggested|proposed|entered a request for)" + _FILL
)
_BEFORE_NOW = re.compile(
    r"^(?:before|earlier|at first|originally|previously|in the past|back then|until (?:yesterday|recently"
    r"|last \w+|then|now)) ?[.,;:)!]"
)
_WAS = re.compile(r"\b(?:was|were|had|used to be|read|showed)\b[^,;:—]*$")
_SOMEBODYS = re.compile(
    r"\b(?:a|an|another|some|any|one|the (?:previous|former|next|last|other)) (?:\w+ )?(?:friend|neighbou?r"
    r"|customer|member|colleague|owner|holder|tenant|patient|reader|person|user|relative)s?\b[^,;:—]*"
    r"\b(?:has|had|have|got|pays?|paid|owes?|owed|uses?|used|goes|went|is|was)" + _FILL
)
_TOLD_BY_YOU = re.compile(
    r"\byour (?:message|e ?- ?mail|email|mail|note|request|letter) (?:\w+ )?(?:says|said|reads|mentions"
    r"|mentioned|states)\b[^,;:—]*$|\bthanks? (?:you )?for (?:telling|letting|saying|pointing)\b[^,;:—]*$"
    r"|\byou(?:'re| are) (?:saying|telling me|claiming|suggesting)\b[^,;:—]*$"
)
# Normally it is …, but for you it is …
_NORMALLY = re.compile(
    r"\b(?:normally|usually|ordinarily|generally|typically|by default|as a rule|in general)\b"
    r"[^;:—]*$"
)
_BUT_HERE = re.compile(r"\b(?:but|however|though|yet|for you|in your case|this time|in this case)\b")
# I think it's …; if I remember rightly, it's …
_THOUGHT = re.compile(
    r"\b(?:i|we)(?: (?:\w+ )?)?(?:think|thought|believe|presume|suspect|assume|hope|fear)\b"
    r"(?! (?:you|that you|we|your)\b)[^,;:—]*$"
    r"|\b(?:if (?:i|we) (?:\w+ )?(?:remember|recall|understand)\b[^;:—]*"
    r"|if i'm not mistaken\b[^;:—]*|if memory serves\b[^;:—]*|from memory\b[^;:—]*"
    r"|(?:i'd|i would|let 's|let me) say\b[^,;:—]*|as far as i (?:remember|recall)\b[^;:—]*"
    r"|apparently|supposedly|allegedly|presumably|seemingly|in all likelihood|(?:most |very )?likely"
    r"|unless (?:i'm|i am|we're)\b[^;:—]*|(?:the )?(?:chances|odds) are|ought to be)[^;:—]*$"
    r"|\b(?:i'm|i am|we're) (?:fairly|pretty|quite|almost|not|reasonably|relatively|90 %)"
    r" (?:\w+ )?(?:sure|certain|confident|positive)\b[^;:—]*$"
    r"|\b(?:i|we) (?:\w+ )?(?:seem to |vaguely |dimly )?(?:recall|remember)\b[^,;:—]*$"
    r"|\blet 's (?:go with|take|make it|settle on|put)" + _FILL
    + r"|\b(?:other|most|many|some) (?:people|customers|members|patients|readers|users)\b[^,;:—]*$"
    + r"|\b(?:it|that|this|there) (?:seems|appears|looks|sounds) (?:to be|like|as if)" + _FILL
)
_THOUGHT_AFTER = re.compile(
    r"^(?:\w+ )?(?:, |\( |— )?(?:i'd say|i would say|sounds? (?:about )?right|seems? right|i (?:think|guess|suppose|assume|presume)|if i (?:\w+ )?"
    r"(?:remember|recall)|if i'm not mistaken|if memory serves|or so\b|or thereabouts|probably|perhaps"
    r"|maybe|possibly|presumably|(?:though |but )?i'm not (?:\w+ )?(?:sure|certain|positive)"
    r"|(?:though |but )?don't (?:quote|hold) me|as far as i (?:remember|recall))"
)
_UNSETTLED_AFTER = re.compile(
    r"\b(?:but|though|although) (?:nothing|it|that|this)(?: 's| is)?(?:n't| not)? (?:\w+ )?"
    r"(?:confirmed|fixed|final|certain|decided|settled|sure)\b"
    r"|[,;] (?:but|though) (?:please |you should |do )?(?:check|verify|double ?- ?check|confirm)"
    r" (?:that|it|this|with)\b"
)
_WRONG_AFTER = re.compile(
    r"^(?:(?:\w+ )?[,(—] ?(?:but |and )?(?:which|that|this|it) )?(?:is|was|turned out to be|isn't|wasn't)"
    r"(?: \w+)? (?:wrong|mistaken|incorrect|outdated|out of date|false|untrue|a mistake|an error|right|true|correct)\b"
)
_RIGHT_AFTER = re.compile(r"(?<!n't )(?<!not )\b(?:is|was)(?: \w+)? (?:right|true|correct)\b")
_ASKED_IF = re.compile(
    r"\b(?:find out|look up|check|ask\w*|see|know|wonder\w*|tell|confirm|verify|sure|clarify|determine"
    r"|say|unclear|doubtful)(?: \w+)?(?: \w+)? (?:if|whether)\b[^,;:—]*$"
)
# Words without one of which nothing above holds.
_BEFORE = one_of(
    "would could might you'd it'd i'd that'd we'd they'd he'd she'd if earlier previously formerly"
    " past then originally initially first recently before last previous yesterday meant supposed"
    " going intended planned next soon eventually future will it'll that'll planning aiming"
    " hoping betting shooting normally usually ordinarily generally typically default rule general"
    " think thought believe presume suspect assume hope fear memory say remember recall apparently"
    " supposedly allegedly presumably seemingly seems appears looks sounds whether mistaken"
    " likelihood likely chances odds sure certain confident positive unless ought let people customers"
    " members patients readers users plan aim hope bet target once soon after when can could requested"
    " asked applied suggested proposed friend neighbour neighbor customer member colleague owner holder"
    " patient reader person user relative message mail email note request letter thanks thank"
    " saying telling claiming suggesting tomorrow january february march april may june july august september october november"
    " december"
)
_AFTER = one_of(
    "would could might 'd soon shortly eventually next from think guess suppose assume presume"
    " check verify confirm double i'd sounds sound seems seem right before earlier first originally previously past then until"
    " remember recall mistaken memory so thereabouts probably perhaps maybe possibly presumably sure"
    " certain positive don't confirmed fixed final decided settled wrong incorrect outdated false"
    " untrue mistake error right true correct"
)
_NEAR = 40
_DAYS = ("date", "datetime")


def unsettled(text: Text, m: Mention, mentions: Sequence[Mention], kind: str) -> str:
    """How the answer is said of another time or with doubt; "" where it is said to hold."""
    first, last = text.around(m.start)
    near, far = max(first, m.start - _NEAR), min(last, m.end + _NEAR)
    after = ""
    if not _AFTER.isdisjoint([w.low for w in text.words[m.end : far]]):
        after = text.low(m.end, far)
        if _THOUGHT_AFTER.search(after) or _UNSETTLED_AFTER.search(after):
            return "only guessed"
        if _IF_NOT_FOR.search(after):
            return "only supposed"
        if _WRONG_AFTER.search(after) and not _RIGHT_AFTER.search(after):
            return "denied"
        if kind != "span" and _BEFORE_NOW.match(after) and _WAS.search(text.low(near, m.start)):
            return "what was once"
    if _BEFORE.isdisjoint([w.low for w in text.words[near : m.start]]):
        return ""
    before = text.low(near, m.start)
    if _WOULD_HAVE.search(before):
        return "only supposed"
    if _THOUGHT.search(before):
        return "only guessed"
    if _ASKED_IF.search(before):
        return "asked about"
    if _WAS_ONCE.search(before):
        return "what was once"
    if _INTENDED.search(before) or (_REQUESTED.search(before) and any(x.wrong for x in mentions)):
        return "only planned"
    if _SOMEBODYS.search(before):
        return "somebody else's"
    if _TOLD_BY_YOU.search(before):
        return "only reported"
    if kind not in _DAYS:
        if _TO_BE.search(before) or (_WILL_BE.search(before) and _SOON.match(after)):
            return "only planned"
    elif _TO_BE.search(before) and any(x.wrong for x in mentions):
        return "only planned"
    if _NORMALLY.search(before) and _otherwise(text, m, mentions):
        return "only in general"
    return ""


def _otherwise(text: Text, m: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether another value follows, in place of the one that holds in general."""
    return any(
        not x.right and x.start >= m.end and _BUT_HERE.search(text.low(m.end, x.start))
        for x in mentions
    )
