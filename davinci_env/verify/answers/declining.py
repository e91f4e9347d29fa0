"""Which sentences of a message decline something, and whether the message does it all the same.

Why it declines is not decided here (`refusals`).
"""

import re
from collections.abc import Sequence

from davinci_env.verify.answers.claims import asked
from davinci_env.verify.answers.text import Text

# Says outright that something isn't done.
DECLINES = re.compile(
    r"\b(?:(?:can't|cannot|can not|could not|couldn't|won't|will not|not going to)"
    r"(?! (?:you|we|i|they|it|there|your|my|our|somebody|someone|anybody|anyone)\b)"
    r"(?! (?:(?:possibly |really )?(?:refuse|decline|deny|say no|reject|complain|wait|thank|agree"
    r" more|help but)|(?:see|find|think of) (?:why|any|a|no)\b))"
    r"|unable to|not able to|\w+n't (?:been )?able to|not been able to|no can do"
    r"|not allowed|not permitted"
    r"|may not|mayn't|must not|mustn't|not authori[sz]ed|not eligible|ineligible"
    r"|not in a position|no longer|impossible|not possible|only possible"
    r"|(?<!n't )(?<!not )(?<!cannot )(?<!reason to )(?<!never )"
    r"(?<!like to )(?<!want to )(?<!wanted to )(?<!love to )(?<!wish to )"
    r"(?:declin\w+|refus\w+|reject\w*|den(?:y|ied)|say no\b)"
    r"|turn\w* (?:\w+ )?down|rul(?:es|ed|ing) (?:\w+ )?out|out of my hands"
    r"|(?<!nearly )(?<!almost )too late"
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
    r"|\b(?<!nearly )(?<!almost )too (?:soon|early|late|close|little|much|small|big|large|high"
    r"|short|many)\b"
    r"|\bthere (?:is|'s|are|will be|can be)(?: \w+)? no (?!problem|need|reason|rush|fee|charge"
    r"|hurry|doubt|rule|objection|obstacle|limit)"
    r"|\b(?:nothing|none|nobody|no one)\b(?: \w+){0,5} (?:can|may|could|will) be \w+"
    r"|\bwe (?:never|don't|do not|no longer) \w+"
    r"|\b(?:need|needs|have to|has to|must)\b(?: [\w']+){1,9}? (?:first|before|until)\b"
    r"|\b(?:stays?|remains?) (?:suspended|blocked|closed|locked|frozen|where it is|as it is)\b"
    r"|\bhas? to (?:wait|stay|remain|come back|be (?:returned|brought))\b"
    r"|\b(?:is|are|was|were|been) (?:\w+ )?(?:blocked|barred|off limits|ruled out)\b"
    r"|\bonly (?:\w+ ){1,3}(?:is|are) (?:allowed|permitted|possible)\b"
    r"|\bnot (?:for )?(?:this|that|the \w+) one(?: yet)?\b|\bno (?:go|way)\b"
    r"|\b(?:limit|maximum|cap|quota)\b(?: \w+){0,4} (?:reached|exceeded|used up|hit)\b"
    r"|\bhave to (?:ask|insist|stick)\b"
)
_REGRETS = re.compile(
    r"\b(?:sorry|afraid|unfortunately|regret\w*|(?<!to )apologi[sz]e|apologies)\b"
    r"|\bi(?: understand| know| see| appreciate|'d| would love| wish)\b.*\b(?:but|however)\b"
)
# The refusal of this request, where a rule's text ("… can no longer be accepted") is one of many.
_PERSONAL = re.compile(
    r"\b(?:i|i'm|i've|i'd|we|we're|we've|you|your|you're|you've|sorry|afraid|unfortunately)\b"
    r"|^\W*(?:so |and |but )?(?:this|that|it|it 's|that 's)\b"
)
_IF = re.compile(
    r"\b(?:if|in case|unless|when|whenever) (?:\w+ ){0,3}$"
    r"|^(?:were|had|should) (?:it|the|this|that|your)\b"
)
_NOT_TRUE = re.compile(
    r"(?:n't|\bnot|\bnever) (?:\w+ ){0,2}(?:true|case|so|right|correct|believe|mean|say|said)"
    r"(?: that)?(?: \w+){0,2} $"
    r"|\b(?:false|untrue|wrong|a lie|a myth|refuse to believe)(?: that)?(?: \w+){0,2} $"
)
# Of all that follows in the clause: it isn't true that …
_UNTRUE_THAT = re.compile(
    r"^\W*(?:(?:and|but|so|no|well) (?:, )?)?(?:it|that|this)(?: 's|'s| is)?(?:n't| not)?(?: \w+)?"
    r" (?:(?<=n't )|(?<=not ))(?:true|the case|so|right|correct) that\b[^;]*$"
    r"|^\W*(?:it|that)(?: 's| is| was) (?:\w+ )?(?:false|untrue|wrong|a (?:myth|lie|rumou?r))"
    r" that\b[^;]*$"
)
_SUPPOSED = re.compile(
    r"\b(?:some|others|many|people|another|a|one|you|somebody|someone)"
    r"(?: (?:agent|colleague|assistant|person|people|clerk|might|may|would|could|will))*"
    r" (?:say|think|claim|argue|tell you|object|believe|assume)s?\b"
    r"|\b(?:normally|usually|ordinarily|in theory|strictly speaking|on paper|officially)\b.*"
    r"\b(?:but|yet|however|still)\b(?!.*\b(?:can't|cannot|won't|unable)\b)"
)

# What somebody did that is no deed of the kind a customer asks for.
_NO_DEED = (
    "need|looked|checked|found|searched|tried|reviewed|verified|noticed|received|wanted|needed"
    "|asked"
    "|seen|had|been|listed|identified|located|read|explained|mentioned|understood|learned|loved"
    "|liked|feared|wished|managed|considered"
)
_DEED = (
    rf"(?!(?:{_NO_DEED})\b)(?:\w{{2,}}ed|sent|made|put|taken|given|set|lent|done|paid|let|brought)"
)
_SUBJECT = r"\b(?:i've|i have|we've|we have|i|we)"
_AT_ONCE = (
    r"(?:(?:now|just|already|also|successfully|nevertheless|nonetheless|still|simply|therefore"
    r"|gone ahead and|went ahead and) )*"
)
_I_DID = re.compile(rf"{_SUBJECT} {_AT_ONCE}{_DEED}\b")
_DONE = re.compile(
    r"(?:^|[.!] )done\b|\b(?:all set|all done|is done|are done|successfully|went through"
    r"|gone through|taken care of|made an exception|was able to)\b"
)
_BECAME = re.compile(
    r"\b(?:your|the|this|that|it) (?:[^.]{0,60} )?(?:is|are|has been|have been) (?:now )?"
    rf"{_DEED}\b(?! by\b)"
)
_FOR_YOU = re.compile(r"\b(?:now|for you|as you (?:asked|wished|wanted)|as requested)\b")

# ------------------------------------------------------- doing it all the same
_PASSED_ON = (
    "passed|handed|forwarded|told|noted|informed|notified|escalated|reported|transferred|logged"
    "|flagged|added a note|sent|recorded|documented"
)
_AGAINST = "suspended|blocked|expired|closed|locked|frozen|used|reached|exceeded|limited|denied"
_IT = r"(?:it|that|this|so|them|these|everything|all of it|your (?:request|wish))"
_DID_IT = re.compile(
    rf"{_SUBJECT} {_AT_ONCE}(?!(?:{_PASSED_ON})\b){_DEED} (?:out |through )?{_IT}\b"
    r"|\b(?:gone|went) ahead (?:with|anyway|and)\b"
    rf"|{_SUBJECT} {_AT_ONCE}(?:taken care of|seen to|dealt with|looked after|did|do) {_IT}\b"
    r"|\b(?:made|making|make) (?:you )?an exception\b"
    r"|\b(?:let|letting) it (?:slide|pass|through)\b"
    r"|\b(?:overrid|overrul|bypass|waived? the rule|bent the rule|bend(?:ing)? the rule)\w*"
)
_IS_DONE = re.compile(
    r"^\W*(?:(?:ok|okay|well|but|and|so|great|good news) (?:[,!:] )?)*"
    r"(?:done|all done|all set|approved|granted|booked|sorted|consider it done)\b"
    r"|\b(?:it|it 's|that|that 's|this|everything|everything 's)(?: (?:is|has|been|now|all|already"
    r"|just))* (?:done|taken care of|gone through|arranged|sorted(?: out)?|set up|completed)\b"
    r"|\b(?:went through|gone through|(?:is|are|it 's) through|it worked)\b"
    rf"|^\W*(?:all |now )?(?!(?:{_PASSED_ON}|{_AGAINST})\b){_DEED}(?: now| already)? [.!]"
    rf"|\b(?:it|that|this)(?: is| has been| 's) (?!(?:{_PASSED_ON}|{_AGAINST})\b){_DEED} now\b"
    r"|\b(?:for you|this time|in your case)(?: ,)? i (?:just |now )?(?:did|do|have|will|can)\b"
    r"|\b(?:request|wish|exception)(?: is| has been| 's)? (?:now )?(?:approved|granted)\b"
    r"|\b(?:it|that|this|everything|request|wish|order) (?:has been|have been|was|is|went)"
    r"(?: (?!not\b)\w+)? (?:successful(?:ly)?|carried out|fulfilled|executed|performed"
    r"|put through)\b"
)
_DONE_ANYWAY = re.compile(
    rf"\b(?:it|it 's|that|that 's|this|your [\w ]{{1,40}}|the [\w ]{{1,40}}) (?:is|are|has been"
    rf"|have been|was|were|'s)? ?(?:now |already )?(?!(?:{_PASSED_ON}|{_AGAINST})\b){_DEED}"
    r" (?:\w+ )?(?:anyway|for you|as (?:you )?(?:asked|wished|wanted|requested)|all the same"
    r"|nonetheless|nevertheless|after all)\b"
)
_ANYWAY = (
    "anyway", "for you", "asked", "wished", "wanted", "requested", "the same", "nonetheless",
    "nevertheless", "after all",
)  # fmt: skip
_READY = (
    "done", "all set", "care of", "through", "arranged", "sorted", "set up", "completed",
    "approved", "granted", "booked", "worked", "successful", "carried", "fulfilled", "performed",
    "for you", "this time", "your case", " now",
)  # fmt: skip
_CURT = 5
_PROMISES = re.compile(
    r"\b(?:i'll|i will|we'll|we will|i'm going to|i am going to|we're going to|let me|i'm|i am"
    r"|we're) (?:\w+ )?(?:tak\w+ care of|see\w* to|arrang\w+|sort\w*|handl\w+|do|doing|book\w*"
    r"|process\w*|mak\w+|cancel\w*|renew\w*|mov\w+|plac\w+|chang\w+|waiv\w+|refund\w*|pay\w*"
    r"|carry\w* out|get\w*|go\w* ahead|proceed\w*|push\w*|put\w*|issu\w+|send\w*)"
    r" (?:[\w']+ ){0,6}?(?:right away|now|immediately|anyway|at once|straight away|shortly"
    r"|in a (?:moment|minute|second)|nonetheless|nevertheless|all the same|as you wish"
    r"|just this once|this time|today)\b"
    r"|\b(?:i'll|i will|we'll|we will) (?:\w+ )?(?:take care of|see to|go ahead with|do|handle) "
    rf"{_IT}(?: for you| then)? [.!]"
    r"|\b(?:it|that|this)(?:'ll| will) be (?:done|taken care of|arranged|ready)\b"
)
_ONLY_THEN = re.compile(
    r"\b(?:if|once|when|whenever|as soon as|unless|until|then|after(?:wards)?|first|would|could)\b"
)
_NOT_SO = re.compile(r"\b(?:not|never|cannot|\w+n't|no|nobody|none|unable|nothing)\b")
_ELSEWHERE = re.compile(
    r"\b(?:colleagues?|desk|team|nurse|hand(?:ed|ing)?|pass(?:ed|ing)?(?: \w+){0,3} (?:on|along|to)"
    r"|notes?)\b"
)
_AGREES = re.compile(
    r"^\W*(?:sure|certainly|absolutely|gladly|with pleasure|no problem|happily|my pleasure"
    r"|of course)\b(?! (?:i|we|that|you))"
    r"|(?:n't|\bnot|\bcannot) (?:possibly |really )?(?:refuse|say no|deny|decline)\b"
)


# Sentences that neither decline nor give a reason: I've checked your account; all stays as it is.
IDLE = re.compile(
    r"\W*(?:(?:hi|hello|hey|ok|okay|so|thanks|sure)(?: \w+)?(?: [,!.])? )?(?:i|i've|i have|we"
    r"|we've|we have)"
    r"(?: just| now)? (?:checked|looked|had a look|reviewed|gone through|went through|pulled up"
    r"|opened)\b"
    r"[^,;:—]*$"
    r"|\W*(?:so |for now ,? ?)?(?:everything|all|nothing|the rest|it all)(?: else)? (?:stays"
    r"|remains"
    r"|(?:has|was|is) (?:been )?(?:changed|unchanged|touched))\b[^,;:—]*$"
    r"|\W*(?:so )?(?:i|we|i've|we've) (?:haven't|have not|didn't|have) (?:changed|touched|done)"
    r" (?:anything|nothing)\b[^,;:—]*$"
)


def sentences(read: Text) -> list[str]:
    """The sentences in lower case."""
    return [read.low(*read.bounds(s)) for s in range(len(read.ends))]


def succeeds(line: str) -> bool:
    """Whether a sentence says that something was done."""
    if _I_DID.search(line) or _DONE.search(line):
        return True
    became = _BECAME.search(line)
    return became is not None and bool(_FOR_YOU.search(line) or line.startswith("your "))


def declining(read: Text, lines: Sequence[str]) -> list[int]:
    """Sentences that decline; none where the message does, or promises, the thing all the same.

    By inability first; by a limit or a regret where there is none and nothing was done.
    """
    if any(map(_does_it, lines)):
        return []
    plain = [s for s in range(len(lines)) if not asked(read, read.bounds(s)[0])]
    found = [s for s in plain if _declines(lines[s])]
    if found and all(personal(lines[s]) for s in found):
        return found
    glad = any(_AGREES.search(x) or (_succeeds_for(x) and not _declines(x)) for x in lines)
    if glad:
        return [s for s in found if personal(lines[s])]
    if not found:
        found = [s for s in plain if _LIMITS.search(lines[s]) and not IDLE.match(lines[s])]
    return found or [s for s in plain if _REGRETS.search(lines[s])]


def _declines(line: str) -> bool:
    said = DECLINES.search(line)
    if said is None or _IF.search(line[: said.start()]):
        return False
    if said[0].startswith("refus") and line[said.end() :].startswith(" to believe"):
        return False
    if _NOT_TRUE.search(line[: said.start()]) or _UNTRUE_THAT.search(line[: said.start()]):
        return False
    return not _SUPPOSED.search(line)


def personal(line: str) -> bool:
    """Whether a sentence declines this request, and does not just tell a rule."""
    said = DECLINES.search(line)
    return said is not None and bool(_PERSONAL.search(re.split("[;:,]", line[: said.end()])[-1]))


def regrets(line: str) -> bool:
    """Whether a sentence regrets something."""
    return _REGRETS.search(line) is not None


def _succeeds_for(line: str) -> bool:
    """Whether something was done for the customer, and not just found or passed on."""
    if not succeeds(line) or re.search(rf"\b(?:{_PASSED_ON}|{_AGAINST})\b", line):
        return False
    return not (_NOT_SO.search(line) or _ONLY_THEN.search(line))


def _does_it(line: str) -> bool:
    """Whether a sentence says that what was asked for is done, or is going to be."""
    patterns = [_DID_IT, _PROMISES]
    if line.count(" ") < _CURT or any(word in line for word in _READY):
        patterns.append(_IS_DONE)
    if any(word in line for word in _ANYWAY):
        patterns.append(_DONE_ANYWAY)
    return any(_holds(line, found) for said in patterns for found in said.finditer(line))


def _holds(line: str, found: re.Match[str]) -> bool:
    """Whether a match is neither denied, nor conditional, nor about what a colleague will do."""
    before = re.split(r"[;:—(.!]| but ", line[: found.start()])[-1]
    after = re.split(r"[;:—(.!]| but ", line[found.end() :])[0]
    if _ONLY_THEN.search(before) or _ONLY_THEN.search(after):
        return False
    near = re.split(r",| and ", before)[-1]
    return not (_NOT_SO.search(near) or _ELSEWHERE.search(f"{near} {found[0]} {after}"))
