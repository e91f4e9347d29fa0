"""Phrases of users for later turns and for replies, by manner. Nothing here knows a domain."""

from __future__ import annotations

from .grammar_phrases import Table

FURTHER: Table = {
    "any": (
        "A follow-up: {what}",
        "Let me add this: {what}",
        "I nearly left this out: {what}",
        "There's a remaining issue: {what}",
        "My list goes on: {what}",
        "Fine. And here's another thing: {what}",
        "Thanks. There's also this: {what}",
        "Thanks, that helps. And something else: {what}",
        "Good. I'm not quite done yet: {what}",
        "And one more, if I may: {what}",
        "Thanks a lot. Then there's another thing: {what}",
        "Now that you're here: {what}",
        "All right. There was one more thing: {what}",
        "I have something else for you: {what}",
        "Another thing came to mind just now: {what}",
        "Thank you so far. Now this: {what}",
        "Quick addition: {what}",
        "Thanks for that. Another point: {what}",
        "All right, on to the next: {what}",
        "Thank you. Something more: {what}",
        "Thanks. While I'm here: {what}",
        "All right, thanks. And then there's this: {what}",
        "Fine, thank you. Now for something else: {what}",
        "OK. Can we do one more thing? {What}",
        "Since we're in touch anyway: {what}",
        "I've just remembered something: {what}",
        "One more thing: {what}",
        "While I have you: {what}",
        "Now something else: {what}",
        "OK. And there's something else: {what}",
        "Right. Next: {what}",
        "Before I go: {what}",
        "That reminds me: {what}",
        "Thanks. I have a second point: {what}",
        "Oh, and what I also meant to say: {what}",
        "OK, noted. I've got one more: {what}",
        "Good to know. Another thing: {what}",
        "I've got another request: {what}",
        "And before I forget it: {what}",
        "OK, thanks. A different matter: {what}",
        "Sorry, this isn't all: {what}",
    ),
    "terse": (
        "Next: {what}",
        "Also this: {what}",
    ),
    "chatty": (
        "Oh, I nearly forgot: {what}",
        "Oh, while I think of it: {what}",
        "You know what, there's something else: {what}",
        "Before it slips my mind: {what}",
    ),
    "polite": (
        "If I may trouble you with something else: {what}",
        "I hope you don't mind if I add something: {what}",
        "Would you bear with me a little longer? {What}",
        "Thank you for your patience. There's something more: {what}",
        "May I come to another matter? {What}",
    ),
    "hurried": (
        "One more, quickly: {what}",
        "Before I have to run: {what}",
        "I've got a minute left, so: {what}",
        "OK, moving on: {what}",
        "There's another point, sorry: {what}",
    ),
    "formal": (
        "I have one further request: {what}",
        "Permit me to raise a further matter: {what}",
        "There is another subject that I wish to mention: {what}",
        "May I turn to a separate concern? {What}",
        "Allow me to continue with the following: {what}",
    ),
    "informal": (
        "Oh yeah, one more thing: {what}",
        "Okay, next up: {what}",
        "Actually, while we're at it: {what}",
        "Forgot to say: {what}",
        "Right, so there's this as well: {what}",
    ),
}

REMEDY: Table = {
    "any": (
        "All right, then I'd like to {first}, and after that {then}.",
        "OK, in that case I want to {first} first, and then {then} after all.",
        "I see. Then let me {first}, and once that's done, {then}.",
        "Fair enough. I'll {first}, then, and after that I still want to {then}.",
    ),
    "terse": ("Then I'll {first} first, and then {then}.",),
    "polite": ("I understand. May I {first} first, and then {then}?",),
    "formal": ("Very well. I shall {first} first, and then wish to {then}.",),
    "informal": ("OK then, I'll {first}, and then can I {then}?",),
}
REMEDY_ONLY: Table = {
    "any": (
        "All right, then I'd like to {first}.",
        "OK, in that case I want to {first}.",
        "I see. Then let me {first}.",
    ),
    "formal": ("Very well, then I wish to {first}.",),
}
AGAIN: Table = {
    "any": (
        "Good. Could you try again what I asked for at first?",
        "And now please try once more what I first asked for.",
        "So can we go back to my first request now?",
        "Does that mean that my original request works now? Then I'd still like that.",
    ),
}
AGAIN_WHAT: Table = {
    "any": (
        "Good. So can I {what} now?",
        "And now I'd still like to {what}.",
        "Then let's try that again: I want to {what}.",
    ),
}

UNDO: Table = {
    "any": (
        "I've got to {what}, then.",
        "So please let me {what}.",
        "Would it be possible to {what}, then?",
        "I'd better {what}, then.",
        "Then I'll have to {what}, I'm afraid.",
        "I'd like to {what}, then.",
        "I'm sorry, but I have to {what}.",
        "Can I {what}, then?",
        "Is it too late to {what}?",
        "That means I now want to {what}.",
    ),
    "formal": ("I must therefore ask to {what}.",),
    "informal": ("So, um, can I {what}?",),
}
UNDO_YOU: Table = {
    "any": ("So could you {what}, please?", "I'm sorry, but I need you to {what}, then."),
}
SORRY: Table = {
    "any": ("Oh, wait.", "Hang on.", "Sorry, I've changed my mind.", "Hm, on second thoughts.", ""),
    "terse": ("Wait.", ""),
    "formal": ("I beg your pardon, but something has come up.", "I must correct myself."),
    "informal": ("Oh no, hold on.", "Argh, wait."),
}

PUSH_BACK: Table = {
    "any": (
        "That's a shame. Is there no other way?",
        "I'd hoped for more from you. Can't you make it work somehow?",
        "Surely there's somebody who can allow it?",
        "It would mean a lot to me. Could you try again?",
        "Are you quite sure? Could you check again, please?",
        "And if I ask very nicely?",
        "Could you not turn a blind eye this once?",
        "Surely your supervisor could allow it?",
        "This puts me in an awkward position. Could you help me out, please?",
        "Can't you make an exception, just this once?",
        "Is there really nothing you can do?",
        "Come on, surely there's a way around that?",
        "That seems awfully strict. Couldn't you let it pass this one time?",
        "I don't think that's fair. Please make an exception for me.",
        "But it's only a small thing. Can't you do it anyway?",
        "Nobody would mind, surely. Won't you let it slide?",
        "Couldn't your manager sign it off for me?",
        "That can't be the last word. Please have another look.",
        "You're joking. What harm would it do?",
        "I really depend on this. Is there no flexibility at all?",
        "Other places would do it without a fuss. Why won't you?",
        "You must have some leeway. Couldn't you use it here?",
    ),
    "terse": ("Can't you just do it anyway?", "Really? Do it anyway, please."),
    "chatty": ("Oh no, that's a real shame! Couldn't you bend the rules a tiny bit?",),
    "polite": ("I do understand, but might you be able to make an exception?",),
    "hurried": ("I haven't got time for this. Just do it, please?",),
    "formal": ("I find that hard to accept. I would ask you to reconsider.",),
    "informal": ("Oh come on. Who's going to know? Just do it?",),
}

YES: Table = {
    "any": (
        "Yes, do it, please.",
        "Yes, that's it.",
        "That's fine, go ahead.",
        "Correct, thank you.",
        "Yes, please go ahead.",
        "Yes, that's right, go ahead.",
        "That's correct, please do.",
        "Yes, please.",
        "Yes, exactly.",
        "Right, that's what I want.",
    ),
    "terse": ("Yes.", "Yes, go ahead."),
    "chatty": ("Yes, lovely, go ahead!", "Perfect, yes please!"),
    "polite": ("Yes, please, that would be kind.",),
    "hurried": ("Yes, yes, go ahead.",),
    "formal": ("Yes, that is correct. Please proceed.", "I agree to that."),
    "informal": ("Yep, go for it.", "Yeah, please do."),
}
NO: Table = {
    "any": (
        "No, please leave it.",
        "No, don't do that after all.",
        "Hm, no, I'd rather not, then.",
        "Actually no, let's leave it as it is.",
        "In that case no, thank you.",
        "Stop, please, I don't want that any more.",
        "Let me sleep on it, so not now.",
        "I've thought better of it, so no.",
    ),
    "terse": ("No, leave it.",),
    "formal": ("No, I would rather you did not.",),
    "informal": ("Nah, leave it.",),
}
NO_SINCE: Table = {
    "any": (
        "Wait, no. {why} So please leave it as it is.",
        "{why} So no, don't do it after all.",
        "No, sorry. {why} Let's leave it.",
        "Actually, {why_lower} So I'd rather not, thanks.",
    ),
    "terse": ("No. {why}",),
    "formal": ("I'm afraid not. {why} Please leave everything as it is.",),
}
SO_NO: Table = {
    "any": ("So please leave it as it is.", "So no, don't do it.", "Let's leave it, then."),
    "formal": ("Please leave everything as it is.",),
    "informal": ("So let's not.",),
}
CORRECTION: Table = {
    "any": (
        "Oh, I named the wrong one: I meant {what}.",
        "Stop, that's not it. It's {what}.",
        "Sorry, let me start again: {what}, please.",
        "I should have been clearer: {what} is what I want.",
        "Wait, I got that mixed up. {What}, please.",
        "No, sorry, I meant {what}.",
        "Sorry, wrong one: {what}, please.",
        "No, not that. {What}, please.",
        "Ah, no, my mistake. It should be {what}.",
        "Hold on, I mixed something up: I mean {what}.",
        "That's the wrong one, sorry. I was talking about {what}.",
        "Oh dear, I got confused. {What} is what I meant.",
    ),
    "terse": ("No: {what}.",),
    "polite": ("I'm so sorry, I should have said {what}.",),
    "formal": ("I beg your pardon, I meant {what}.",),
    "informal": ("Oops, no, {what}.",),
}
REPLY: Table = {
    "any": (
        "{What}, please.",
        "It's {what}.",
        "Let's say {what}.",
        "{What}.",
        "I'd go for {what}.",
    ),
    "terse": ("{What}.",),
    "polite": ("{What}, if you please.",),
    "formal": ("That would be {what}.",),
    "informal": ("{What} then.",),
}
REPLY_ROW: Table = {
    "any": ("I mean {what}.", "It's {what}.", "{What}, please."),
    "terse": ("{What}.",),
    "formal": ("I mean {what}.", "That would be {what}."),
}
PUT_RIGHT_PHONE: Table = {
    "any": (
        "Sorry, I misread that. It's {what}.",
        "Oh, I said that wrong: {what}.",
        "Let me put on my glasses. {what}, that's it.",
        "My mistake, it should be {what}.",
    ),
    "formal": ("I beg your pardon, the correct one is {what}.",),
}
PUT_RIGHT: Table = {
    "any": (
        "Sorry, I mistyped that. It's {what}.",
        "Oh, a typo of mine: {what}.",
        "Ah, I swapped something. The right one is {what}.",
        "My mistake, it should be {what}.",
        "Hm, let me check. {what} is what it says here.",
    ),
    "terse": ("Typo, sorry: {what}.",),
    "formal": ("I beg your pardon, the correct one is {what}.",),
}
