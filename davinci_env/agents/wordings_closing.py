"""Wordings that close a message, and those that open an answer."""

from __future__ import annotations

from .wordings_asking import ANY, Wordings

CLOSE: Wordings = {
    ANY: (
        "Nobody here minds an extra question.",
        "Even small questions are fine.",
        "In case of doubt, simply write back.",
        "Tell me whether that covers it.",
        "Please mention anything that I've overlooked.",
        "Feel free to raise any other matter.",
        "Let me know if another question occurs to you.",
        "If you notice a mistake, please point it out.",
        "Should that leave any doubts, I can explain it in more detail.",
        "Tell me if I should clarify any part of it.",
        "If I misunderstood something, please correct me.",
        "We're always pleased to assist.",
        "If it raises another question, get back to us.",
        "Please don't worry about asking twice.",
        "If you'd prefer more detail, I'll gladly provide it.",
        "I appreciate that you reached out.",
        "I'm here if you need anything else.",
        "If there's anything else, just say so.",
        "Feel free to come back to me any time.",
        "Don't hesitate to ask again.",
        "Just ask if anything is unclear.",
        "Should there be more on your mind, I'm listening.",
        "Come back whenever it suits you.",
        "I'll gladly help with anything further.",
        "Do come back to me if something comes up later.",
        "I hope that's what you needed.",
        "I hope this is of use to you.",
    ),
    "warm": (
        "I hope that helps!",
        "Glad to help.",
        "You're always welcome.",
        "Always happy to help!",
        "I'm glad that you asked!",
        "Just ask, any time!",
        "Happy to help with more!",
    ),
    "formal": (
        "Should you require assistance with other requests, kindly inform me.",
        "We value your enquiry.",
        "I remain at your disposal.",
        "Please do not hesitate to ask further questions.",
        "I am at your service for anything further.",
    ),
    "brief": (
        "Questions are welcome.",
        "Any time.",
        "Just ask if there's more.",
        "I'm here for more.",
        "Anything else, just say.",
        "Happy to help.",
    ),
}
"""Ends a message, now and then."""

CLOSE_REFUSED: Wordings = {
    ANY: (
        "My apologies for having to turn this down.",
        "I regret that this isn't the answer you were after.",
        "I realise that's disappointing.",
        "I'm aware that this must be frustrating.",
        "I wish I could do more.",
        "I know how inconvenient that is.",
        "I'm sorry that I can't do more here.",
        "I do understand if you're disappointed.",
        "I'd have preferred to give you better news.",
        "I know that this isn't what you hoped for.",
        "I'm sorry about the inconvenience.",
        "I do see that it matters to you.",
        "I understand that this is annoying.",
        "I'd have liked to help with that.",
    ),
    "warm": (
        "I'm really sorry about it.",
        "I'm sorry, I know that's a let-down.",
    ),
    "formal": (
        "We regret any inconvenience.",
        "Your understanding is much appreciated.",
    ),
    "brief": ("Sorry about that.", "I'm sorry."),
}
"""Ends a message that refuses something, now and then."""

CLOSE_MISSING: Wordings = {
    ANY: (
        "I'm sorry about the inconvenience.",
        "I'm sorry that you have to wait for it.",
        "I'd have liked to do it myself.",
        "I know how inconvenient that is.",
        "Please excuse the delay.",
    ),
    "formal": ("We regret any inconvenience.",),
    "brief": ("Sorry about that.",),
}
"""Ends a message that tells of a missing function, now and then."""

CLOSE_REGRET: Wordings = {
    ANY: (
        "I'm here if you need anything else.",
        "If there's anything else, just say so.",
        "Do come back to me if something comes up later.",
        "Don't hesitate to ask again.",
        "Just ask if anything is unclear.",
    ),
    "formal": ("I remain at your disposal.",),
    "brief": ("Anything else, just say.",),
}
"""Ends a message that reports something sad, now and then."""

ANSWER: Wordings = {
    ANY: (
        "To be precise:",
        "That's simple to answer.",
        "This is what I can see:",
        "I've looked it up.",
        "Here's what I find.",
        "I've looked into your records.",
        "I've just checked.",
        "I can see it here.",
        "I've gone through your records.",
        "I can tell you that.",
        "In short:",
        "I've checked that for you.",
        "Here's the answer:",
        "This is what our records say:",
        "I've found it.",
        "Our records say the following.",
        "As far as our records go:",
        "Going by your records:",
        "Here's what the system says:",
    ),
    "warm": (
        "Happy to tell you.",
        "With pleasure.",
        "I'm happy to look that up.",
    ),
    "brief": (
        "Here:",
        "Found it.",
        "Checked:",
        "From your records:",
    ),
    "formal": (
        "I can inform you as follows.",
        "Having consulted our records, I can answer that.",
    ),
}
"""Opens an answer, now and then."""

ANSWER_PLAIN: Wordings = {
    ANY: (
        "I've looked it up.",
        "Here's what I find.",
        "I've just checked.",
        "I can tell you that.",
        "In short:",
        "I've checked that for you.",
        "Here's the answer:",
        "I've found it.",
    ),
    "warm": ("Happy to tell you.", "I'm happy to look that up."),
    "brief": ("Here:", "Found it.", "Checked:"),
    "formal": ("I can inform you as follows.",),
}
"""Opens an answer that isn't an entry of the person's own records."""
