"""Phrases of users for their first message, by manner. Nothing here knows a domain.

Each table has wordings for every manner (`any`) and some for one manner only.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

MANNERS = ("plain", "terse", "chatty", "polite", "hurried", "formal", "informal")
CHANNELS = ("chat", "email", "phone")

Table = Mapping[str, tuple[str, ...]]

GREETING: Table = {
    "any": (
        "Hello.",
        "Hi.",
        "Hi there.",
        "Good morning.",
        "Hello there.",
        "Hello, can you help me?",
        "Hi, I've got a request.",
        "Hello, me again.",
        "Morning!",
        "Hi, I hope this is the right place.",
        "Hello, a small matter.",
        "Hi, it's me with a favour to ask.",
        "Good day.",
        "Hello, hope you can sort this out.",
    ),
    "terse": ("", "", "Hi."),
    "chatty": (
        "Hi there!",
        "Hello! I hope you're well.",
        "Hey, good morning!",
        "Hi, how are you?",
        "Hello, lovely day, isn't it?",
        "Hi! Busy morning, I guess?",
    ),
    "polite": (
        "Good morning.",
        "Hello, I hope you can help me.",
        "Good day to you.",
        "Sorry to bother you.",
        "Excuse me, might you have a minute?",
    ),
    "hurried": ("Hi, quick one.", "Hello, I'm a bit pressed for time.", "", "Hi."),
    "formal": ("Good morning.", "Good day.", "Good morning to you."),
    "informal": ("Hey.", "Hey there.", "Hiya.", "Hi!"),
}
GREETING_EMAIL: Table = {
    "any": (
        "Hello,",
        "Dear team,",
        "Good morning,",
        "Hello everyone,",
        "To whom it may concern,",
        "Dear colleagues,",
        "Hi there,",
        "Greetings,",
    ),
    "terse": ("Hello,", "Hi,"),
    "chatty": ("Hi everyone,", "Hello and good morning,"),
    "formal": ("Dear Sir or Madam,", "Dear all,"),
    "polite": ("Dear team,", "Dear all,"),
    "informal": ("Hi,", "Hi all,"),
}
GREETING_PHONE: Table = {
    "any": (
        "Yes, hello.",
        "Hello, good morning.",
        "Hi, thanks for picking up.",
        "Oh, hello.",
        "Hello, can you hear me?",
        "Ah, good, somebody's there.",
        "Hi, I've been on hold for ages.",
        "Good morning, am I through to the right department?",
    ),
    "terse": ("Hello.",),
    "chatty": ("Oh, hello, finally somebody real!", "Hi, good morning, lovely to get through."),
    "formal": ("Good morning.", "Good day."),
    "informal": ("Hi, yeah, hello.",),
}
CLOSING: Table = {
    "any": (
        "Thanks.",
        "Thank you.",
        "Thanks a lot.",
        "Thanks for your help.",
        "I'd appreciate it.",
        "Hope that's possible.",
        "Looking forward to your answer.",
        "Let me know, please.",
        "I'd be grateful.",
        "That would be great.",
        "Thanks for looking into it.",
        "Sorry for the bother.",
        "That'd be a relief.",
        "Appreciate your time.",
        "Awaiting your reply.",
        "No rush, by the way.",
        "Fingers crossed.",
        "That's all for now.",
        "",
        "",
        "",
    ),
    "terse": ("", "", "", "Thanks."),
    "chatty": ("Thanks so much!", "You're a star, thank you!", "Thanks a million."),
    "polite": ("Thank you very much.", "Many thanks in advance.", "I'd be much obliged."),
    "hurried": ("Thanks, got to run.", "Thanks.", ""),
    "formal": ("Thank you for your trouble.", "I thank you in advance.", "With many thanks."),
    "informal": ("Cheers.", "Thanks!", ""),
}
CLOSING_EMAIL: Table = {
    "any": (
        "Best wishes",
        "Kind regards",
        "Many thanks",
        "Thanks and regards",
        "Sincerely",
        "Warm regards",
        "With best wishes and thanks in advance",
        "Yours",
        "Take care",
        "",
    ),
    "terse": ("Regards", ""),
    "formal": ("Yours faithfully", "With kind regards"),
    "informal": ("Cheers", "Thanks!"),
    "chatty": ("All the best", "Have a lovely day!"),
}

WANT: Table = {
    "any": (
        "I'd like to {what}.",
        "I want to {what}.",
        "I need to {what}.",
        "I was hoping to {what}.",
        "Can I {what}?",
        "Could I {what}?",
        "Is it possible to {what}?",
        "I'm trying to {what}.",
        "I have to {what}.",
        "I wanted to {what}.",
        "I'm hoping to {what}.",
        "My plan is to {what}.",
        "It's time for me to {what}.",
        "I've decided to {what}.",
        "The reason I'm here: I want to {what}.",
        "Today I'd like to {what}.",
        "Please arrange for me to {what}.",
        "There's something I want: to {what}.",
        "Is there a chance to {what}?",
        "I'm keen to {what}.",
        "What I have in mind is to {what}.",
        "My aim is to {what}.",
        "It would suit me to {what}.",
        "I've been meaning to {what}.",
        "If you can manage it, I'd like to {what}.",
        "Better late than never: I need to {what}.",
    ),
    "plain": (
        "I'd like help to {what}.",
        "Here's what I'm after: I want to {what}.",
        "This is about something simple: I'd like to {what}.",
        "I'd prefer to {what}.",
        "Kindly help me to {what}.",
        "We've talked about it at home, and I want to {what}.",
        "I intend to {what}.",
        "Would it work for me to {what}?",
        "I'd rather not wait any longer and {what}.",
    ),
    "terse": (
        "I want to {what}.",
        "Goal: to {what}.",
        "Would like to {what}.",
        "Just one thing: I want to {what}.",
        "Task for you: I need to {what}.",
        "Can I {what}, yes or no?",
        "I need to {what}.",
        "Need to {what}.",
        "Want to {what}, please.",
    ),
    "chatty": (
        "I'd love to {what}.",
        "So I thought I'd {what}, if that's all right.",
        "What I'd really like is to {what}.",
        "I've made up my mind to {what}.",
        "You know, it would be great to {what}.",
        "Long story short, I'd like to {what}.",
        "I've been thinking, and I'd love to {what}.",
        "Guess what, I finally want to {what}.",
        "So here's the story: I'd like to {what}.",
        "Don't laugh, but I'd like to {what}.",
        "It's been a crazy week, and now I want to {what}.",
    ),
    "polite": (
        "Would it be possible to {what}?",
        "May I {what}, please?",
        "I'd be grateful if I could {what}.",
        "I wonder whether I could {what}.",
        "If it isn't any trouble, I'd like to {what}.",
        "Would you allow me to {what}?",
        "It would be very kind if I could {what}.",
        "Might I ask for a little assistance? I'd like to {what}.",
        "I hope it isn't asking too much: I'd like to {what}.",
        "With your permission, I'd like to {what}.",
        "Whenever you find the time, I'd like to {what}.",
    ),
    "hurried": (
        "I just need to {what}.",
        "I quickly want to {what}.",
        "All I need is to {what}.",
        "Can I {what} right now?",
        "Quickly, before my break is over: I need to {what}.",
        "No time to explain, I need to {what}.",
        "I'm on the train and about to lose my connection, so: I want to {what}.",
        "In two words: I must {what}.",
        "Got five minutes between meetings and want to {what}.",
    ),
    "formal": (
        "I should like to {what}.",
        "I wish to {what}.",
        "I would ask to be allowed to {what}.",
        "It is my wish to {what}.",
        "I hereby ask to {what}.",
        "I would appreciate being able to {what}.",
        "My request is to {what}.",
        "I am turning to you in order to {what}.",
        "May I put the following to you: I wish to {what}.",
        "It would oblige me greatly to {what}.",
        "Having given it some thought, I wish to {what}.",
    ),
    "informal": (
        "Any chance I could {what}?",
        "Mind if I {what}?",
        "I'm looking to {what}.",
        "Could I maybe {what}?",
        "Think I could {what}?",
        "So I kinda need to {what}.",
        "OK so, I want to {what}.",
        "Yeah, so, I'd like to {what}.",
        "Basically I just want to {what}.",
        "Right, listen, I need to {what}.",
        "Not sure how this works, but I want to {what}.",
    ),
}
"""What a person wants to do themselves, or to have done."""

WANT_EMAIL = ("I'm writing to {what}.", "I'm getting in touch because I want to {what}.")
WANT_PHONE = ("I'm calling because I want to {what}.", "I'm ringing up because I need to {what}.")

WANT_YOU: Table = {
    "any": (
        "Could you {what}?",
        "Can you {what}, please?",
        "I'd like you to {what}.",
        "Please {what}.",
        "I need you to {what}.",
        "Would you {what}?",
    ),
    "terse": ("Please {what}.", "Can you {what}?"),
    "chatty": ("Would you be so kind and {what}?", "Could you do me a favour and {what}?"),
    "polite": ("Would you mind helping me: could you {what}?", "Could you kindly {what}?"),
    "formal": ("I would ask you to {what}.", "Would you be so good as to {what}?"),
    "informal": ("Can you {what} for me?",),
}
"""What a person wants the other side to do."""

THEN_WANT: Table = {
    "any": (
        "I'd also like to {what}.",
        "And I want to {what}.",
        "After that, I need to {what}.",
        "Then I'd like to {what}.",
        "Besides that, I want to {what}.",
        "And could I {what} as well?",
        "On top of that, I'd like to {what}.",
        "The other thing: I need to {what}.",
        "Apart from that, I'm keen to {what}.",
        "Next on my list, I'd like to {what}.",
        "While you're in there, I want to {what}.",
        "And if possible, I'd also like to {what}.",
        "Second, I want to {what}.",
        "To round it off, I'd like to {what}.",
        "It would also make sense to {what}.",
        "I'd be glad to {what} too.",
    ),
    "terse": ("Also need to {what}.", "Then I need to {what}."),
    "chatty": ("Oh, and I'd love to {what} too.", "And while I'm at it, I'd like to {what}."),
    "polite": (
        "And may I also {what}?",
        "If it isn't too much trouble, I'd like to {what} as well.",
    ),
    "hurried": ("And then quickly {what}, if I can.", "Plus I need to {what}."),
    "formal": ("Furthermore, I should like to {what}.", "In addition, I wish to {what}."),
    "informal": ("Oh, and can I {what}?", "And I'd like to {what} while we're at it."),
}
THEN_WANT_YOU: Table = {
    "any": ("And please {what}.", "Then could you {what}?", "Also, I'd like you to {what}."),
    "formal": ("Furthermore, I would ask you to {what}.",),
    "informal": ("Oh, and can you {what}?",),
}

IF_NOT: Table = {
    "any": (
        "If that can't be done, I'd like to {what} instead.",
        "If that isn't possible, I want to {what}.",
        "Should that not work, I'd rather {what}.",
        "Failing that, I'd like to {what}.",
        "If it turns out that I can't, then I'd like to {what}.",
        "And if you say no to that, I'll have to {what}.",
        "Otherwise I'd want to {what}.",
        "Plan B would be to {what}.",
        "In case you have to refuse, I'd prefer to {what}.",
    ),
    "terse": ("If not, I want to {what}.", "If that's a no, I'll {what}."),
    "chatty": ("And if that's not on, never mind, then I'd just {what}.",),
    "polite": ("If that can't be arranged, perhaps I could {what} instead?",),
    "hurried": ("If that's a problem, I'll just {what}.",),
    "formal": ("Should this prove impossible, I should like to {what} instead.",),
    "informal": ("And if that's a no-go, I'd just {what}.",),
}
IF_NOT_YOU: Table = {
    "any": (
        "If that can't be done, please {what} instead.",
        "If that isn't possible, could you {what}?",
        "Failing that, I'd like you to {what}.",
    ),
}

KNOW: Table = {
    "any": (
        "Could you tell me {what}?",
        "I'd like to know {what}.",
        "Can you look up {what}?",
        "Please tell me {what}.",
        "Do you know {what}?",
        "I wanted to ask {what}.",
        "I can't remember {what}.",
        "Can you see {what}?",
        "I'm not sure any more {what}.",
        "Would you check {what}?",
        "I've forgotten {what}.",
        "What I'd like to find out is {what}.",
        "Remind me {what}, please.",
        "My question is {what}.",
        "I'm curious {what}.",
        "I need some information, namely {what}.",
        "Somebody asked me {what}.",
        "My notes don't say {what}.",
        "I never wrote down {what}.",
        "It slipped my mind {what}.",
    ),
    "terse": ("I need to know {what}.", "Tell me {what}, please."),
    "chatty": ("I've been wondering {what}.", "I was just wondering {what}, out of curiosity."),
    "polite": ("Would you mind telling me {what}?", "Might I ask {what}?"),
    "hurried": ("Quick question: I need to know {what}.", "Just tell me {what}, please."),
    "formal": ("I should like to know {what}.", "Kindly let me know {what}."),
    "informal": ("Any idea {what}?", "Can you check {what}?"),
}
THEN_KNOW: Table = {
    "any": (
        "And could you tell me {what}?",
        "I'd also like to know {what}.",
        "Also, can you look up {what}?",
        "And I was wondering {what}.",
        "Afterwards I need to know {what}.",
        "Incidentally, I'd be interested in hearing {what}.",
        "And please let me know {what}.",
        "There's also the question {what}.",
    ),
    "terse": ("And tell me {what}.",),
    "formal": ("I should also like to know {what}.",),
    "informal": ("Oh, and any idea {what}?",),
}
THEN_DIRECT: Table = {
    "any": ("And {what}", "Also, {what}", "And another thing: {what}", "By the way, {what}"),
    "formal": ("A further question: {what}",),
}


def draw(table: Table, manner: str, rng: random.Random) -> str:
    """One wording: of the manner's own as often as of everybody's."""
    own, shared = table.get(manner, ()), table["any"]
    pool = own if own and rng.random() < 0.55 else shared
    return rng.choice(pool)
