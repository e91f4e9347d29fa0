"""Wordings of refusals: what can't be done, why, what could be, what others do, what is left alone.
Nothing here knows a domain.

Each act has wordings for every manner of speaking (`any`), and some for one manner only.
"""

from __future__ import annotations

from .wordings_asking import ANY, Wordings

CANT: Wordings = {
    ANY: (
        "Circumstances don't allow it, I'm sorry: you can't {what}",
        "I recognise your need, but you can't {what}",
        "That falls outside our guidelines, I'm sorry: you can't {what}",
        "I'm genuinely sorry, but you can't {what}",
        "Our conditions exclude it, I'm sorry: you can't {what}",
        "Under the present circumstances you can't {what}, I'm afraid",
        "I must decline, I'm sorry: you can't {what}",
        "At this stage you can't {what}, I'm afraid",
        "Regulations forbid it, I'm sorry: you can't {what}",
        "My check leaves no choice, I'm sorry: you can't {what}",
        "I can't grant that, I'm sorry: you can't {what}",
        "There's no leeway, I'm afraid: you can't {what}",
        "Regrettably you can't {what}",
        "I've studied the conditions, and I'm afraid you can't {what}",
        "This is where the rules draw a line, I'm afraid: you can't {what}",
        "I'd gladly have agreed, but you can't {what}",
        "There's an obstacle, I'm sorry: you can't {what}",
        "One condition stands against it, so you can't {what}, I'm sorry",
        "I have to disappoint you: you can't {what}",
        "That option isn't open to you, I'm sorry: you can't {what}",
        "My hands are tied, I'm sorry: you can't {what}",
        "By our rules you can't {what}",
        "That request has to be turned down, I'm sorry: you can't {what}",
        "I'm afraid the answer is no: you can't {what}",
        "Bad news, I'm sorry: you can't {what}",
        "Please forgive me, but you can't {what}",
        "I've double-checked, and sadly you can't {what}",
        "I looked for a way, but you can't {what}",
        "That's not possible, I'm sorry to say: you can't {what}",
        "I'd have liked to say yes, but you can't {what}",
        "As much as I'd like to help, it isn't possible to {what}",
        "I'm sorry, but you can't {what}",
        "I'm afraid you can't {what} at the moment",
        "Unfortunately it isn't possible to {what}",
        "I'm afraid it isn't possible to {what}",
        "I've checked, and I'm sorry, but you can't {what}",
        "As things stand, you can't {what}, I'm afraid",
        "I had a look, but unfortunately I can't let you {what}",
        "I'm afraid the rules here don't allow you to {what}",
        "I wish it were otherwise, but you can't {what}",
        "I can see why you'd want it, but it isn't possible to {what}",
        "I'm sorry to disappoint you, but I can't let you {what}",
        "Much as I'd like to say yes, I can't let you {what}",
        "That won't work, unfortunately, so I can't let you {what}",
        "Our rules get in the way here: I'm afraid it isn't possible to {what}",
        "I hate to turn you down, but you can't {what}",
        "Not this time, I'm sorry: I can't let you {what}",
    ),
    "warm": (
        "I wish I had better news, but you can't {what}",
        "I'm really sorry, but it isn't possible to {what}",
        "I'd love to help, but I can't let you {what}",
        "It pains me to say so, but you can't {what}",
    ),
    "brief": (
        "Unfortunately, you can't {what}",
        "Not permitted, sorry: you can't {what}",
        "Currently you can't {what}, sorry",
        "Apologies, but you can't {what}",
        "Sadly you can't {what}",
        "Sorry, you can't {what}",
        "I'm afraid I can't let you {what}",
        "It won't work, sorry: you can't {what}",
        "Blocked, sorry: you can't {what}",
    ),
    "formal": (
        "I regret that it is not possible to {what}",
        "I'm sorry to say that it isn't possible to {what}",
        "To my regret, I can't let you {what}",
        "I have to inform you that you can't {what}",
        "It is with regret that I must decline: you can't {what}",
        "Our policy does not permit it, so you can't {what}, I'm afraid",
    ),
}
"""Begins a refusal that says what can't be done."""

CANT_IT: Wordings = {
    ANY: (
        "I'm sorry, but I can't do that",
        "I'm afraid that isn't possible",
        "Unfortunately I can't do that for you",
        "I'm sorry, that isn't possible right now",
    ),
    "warm": ("I wish I could, but I can't do that", "I'd love to, but I can't"),
    "brief": ("Sorry, I can't do that", "I'm afraid not: that isn't possible"),
    "formal": ("I regret that this is not possible", "I'm sorry to say that I can't do this"),
}
"""Begins a refusal of what was just spoken of."""

CANT_AGAIN: Wordings = {
    ANY: (
        "To repeat it, you can't {what}",
        "Nothing has changed about it, you can't {what}",
        "I can only say it again, you can't {what}",
        "As I said, you can't {what}",
        "As mentioned, it isn't possible to {what}",
        "As I told you, it isn't possible to {what}",
        "It stays as I said, you can't {what}",
    ),
    "brief": ("As said, you can't {what}",),
    "formal": ("As explained, it is not possible to {what}",),
}
"""Begins a refusal of which the person has heard already."""

WHY: Wordings = {
    ANY: (
        "; what matters here is that {why}.",
        "; the sticking point is that {why}.",
        ", the reason being that {why}.",
        ", considering that {why}.",
        "; the decisive point is that {why}.",
        "; the difficulty is that {why}.",
        ". The explanation is that {why}.",
        ". The obstacle is that {why}.",
        ". Here's the background: {why}.",
        ", seeing that {why}.",
        ": {why}.",
        ", because {why}.",
        ", since {why}.",
        ". The reason is that {why}.",
        ", as {why}.",
        ". You see, {why}.",
        ". That's because {why}.",
        ". The snag is that {why}.",
        ". What prevents it: {why}.",
    ),
    "brief": (": {why}.", ", since {why}."),
    "formal": (", since {why}.", ", because {why}.", ", given that {why}."),
}

OFFER: Wordings = {
    ANY: (
        "What remains open to you: {what}.",
        "A feasible alternative: {what}.",
        "A realistic option: {what}.",
        "A workaround: {what}.",
        "Let me recommend this: {what}.",
        "You aren't stuck, though: {what}.",
        "A practical route: {what}.",
        "Maybe a compromise: {what}.",
        "What would work: {what}.",
        "There's another way: {what}.",
        "You might consider this: {what}.",
        "Here's what you can do: {what}.",
        "There is something else, though: {what}.",
        "One way forward: {what}.",
        "What would help: {what}.",
        "There is a way, though: {what}.",
        "If you like, {what}.",
        "My suggestion: {what}.",
        "Alternatively, {what}.",
        "Here's an idea: {what}.",
        "Perhaps this suits you instead: {what}.",
        "I could propose something else: {what}.",
        "The next best thing: {what}.",
        "A possible solution: {what}.",
        "What does work: {what}.",
        "Something else is possible: {what}.",
        "You do have another option: {what}.",
        "Let me offer you another route: {what}.",
    ),
    "warm": (
        "Don't worry, there is something we can do: {what}.",
        "Let's see what we can do instead: {what}.",
    ),
    "brief": (
        "But {what}.",
        "Instead, {what}.",
        "However, {what}.",
        "Option: {what}.",
        "Tip: {what}.",
        "Alternative: {what}.",
    ),
    "formal": ("There is an alternative: {what}.", "I would suggest the following: {what}."),
}

FIRM: Wordings = {
    ANY: (
        "I'm bound by what's written, so I can't",
        "I appreciate your persistence, but I can't",
        "I take your point seriously, but I can't do it",
        "I'd be breaking a promise to everyone else, so I can't",
        "Fairness matters here, so I can't do it",
        "Even with the best will in the world, I can't",
        "My answer has to remain the same, I can't",
        "I really do understand, but it has to stay a no: I can't do it",
        "I wish I had another answer for you, but I can't",
        "I've looked again, and I still can't do it",
        "That wouldn't be right, so I can't",
        "I'm sorry to repeat it, but I can't do it",
        "Nobody here is free to decide otherwise, so I can't",
        "I know how much you want it, but I can't",
        "There's no room for an exception, I'm sorry, I can't make one",
        "I understand that this is annoying, but I can't make an exception",
        "I know it isn't what you hoped to hear, but I can't change that",
        "I see why you're asking, but I can't treat anyone differently here",
        "I'm sorry, I really can't make an exception",
        "I do understand, but my hands are tied: I can't do it",
        "Believe me, I'd rather say yes, but I can't bend that rule",
        "I get that it's frustrating, but I can't look the other way",
        "However much I sympathise, I can't decide otherwise",
        "That's fair to ask, but the answer stays the same: I can't",
        "I hear you, and still I can't override it",
        "Rules like that bind me as well, so I can't waive them",
        "It would be unfair to everybody else, so I can't do it",
        "Sorry to disappoint you twice, but I can't budge on this",
    ),
    "warm": (
        "I'd help if I could, honestly, but I can't make an exception",
        "I feel for you, truly, but I can't do it",
    ),
    "brief": (
        "Sorry, I can't make an exception",
        "I can't, I'm sorry",
        "No exceptions, sorry, I can't",
        "Understood, but I still can't",
    ),
    "formal": (
        "I appreciate your position, but I can't make an exception",
        "With all due respect, I can't depart from the rules",
    ),
}
"""Stays with a refusal."""

FIRM_WHY: Wordings = {
    ANY: (
        ": {why}.",
        ". It's still the case that {why}.",
        ", because {why}.",
        ", since {why}.",
        ". The fact remains that {why}.",
        ", as {why}.",
    ),
}

MISSING: Wordings = {
    ANY: (
        "I'm sorry, but the function to {what} isn't available to me.",
        "I'm afraid it isn't possible to {what} with the functions that I have here.",
        "You wanted to {what}, but the function for that isn't available to me, I'm afraid.",
        "With the tools on my screen it isn't possible to {what}, I'm sorry.",
        "I'm sorry, I can't let you {what} without a function that is missing here today.",
        "I'm sorry, but I lack the function to {what} at present.",
        "At present I have no function to {what}, I'm afraid.",
    ),
    "brief": (
        "Sorry, the function to {what} isn't available to me.",
        "I'm afraid I can't let you {what} from here.",
    ),
    "formal": (
        "I regret that the function to {what} is not available to me.",
        "I'm sorry to say that it is not possible to {what} with the means at my disposal.",
    ),
}
"""Names an operation that isn't there; it gives no reason beside that."""

MISSING_HANDED: Wordings = {
    ANY: (
        "Somebody with the proper access will deal with it, as I've handed it on.",
        "I've put it on a colleague's desk, and they're able to do it.",
        "My team has been informed, and someone will handle it for you.",
        "A colleague will see to it instead.",
        "I've passed it on to a colleague who can.",
        "So I've asked a colleague to take it from here.",
        "One of my colleagues has the right tools and will get to it.",
        "I've forwarded it to a colleague with access to it.",
        "So that it isn't forgotten, it's with a colleague now.",
    ),
}

NOTED: Wordings = {
    ANY: (
        "I've logged {what}.",
        "I've documented {what}.",
        "I've entered {what}.",
        "I've noted {what}.",
        "I've taken down {what}.",
        "I've put on record {what}.",
        "I've written down {what}.",
    ),
}
"""Before a hand-over is told: what was taken down of it."""

HANDED: Wordings = {
    ANY: (
        "I've passed this on to a colleague, who will get back to you.",
        "I've handed this over to a colleague, since that's something for them to decide.",
        "A colleague will take it from here and be in touch with you.",
        "This is now with a colleague, who has everything in front of them.",
        "That needs a human eye, so I've forwarded it, and you'll be contacted.",
    ),
    "warm": ("I've asked a colleague to look after this personally, and they'll be in touch.",),
    "brief": ("I've passed it on to a colleague.",),
    "formal": ("Your matter has been passed on to a colleague, who will contact you.",),
}

LEFT: Wordings = {
    ANY: (
        "Noted, {it} continues as before.",
        "As you like, I've kept my hands off {it}.",
        "Certainly, there's no change to {it}.",
        "Agreed, {it} is preserved as it stands.",
        "Message received, {it} remains in place.",
        "Right, {it} stays just as it was.",
        "Sure, I haven't done anything to {it}.",
        "OK, I've kept {it} as it was.",
        "That's all right, {it} stays untouched.",
        "All right, then I'll leave {it} as it is. Nothing has been changed.",
        "No problem, I've left {it} alone.",
        "That's fine, nothing has been done about {it}.",
        "OK, {it} stays as it is.",
        "Understood, I won't touch {it}.",
        "Fair enough, {it} remains the way it was.",
        "Never mind, then, {it} is just as before.",
    ),
    "warm": (
        "Of course, that's your decision. I've left {it} as it was.",
        "No worries at all, {it} hasn't been touched.",
    ),
    "brief": ("OK, nothing changed.", "Right, {it} stays as it is."),
    "formal": ("Very well, {it} remains unchanged.", "As you prefer, {it} is left untouched."),
}

LEFT_ALL: Wordings = {
    ANY: (
        "All right, then nothing is changed.",
        "No problem, I haven't done anything about it.",
        "That's fine, everything stays as it was.",
        "Understood, I'll leave things as they are.",
        "Fair enough, I've dropped the idea.",
        "Good to know, I've stopped right there.",
    ),
    "brief": ("OK, nothing changed.",),
    "formal": ("Very well, everything remains unchanged.",),
}
