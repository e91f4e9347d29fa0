"""Phrases of users for their first message, by manner. Nothing here knows a domain.

Each table has wordings for every manner (`any`) and some for one manner only.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

MANNERS = ("plain", "terse", "chatty", "polite", "hurried", "formal", "informal")
CHANNELS = ("chat", "email", "phone")

Table = Mapping[str, tuple[str, ...]]

WANT: Table = {
    "any": (
        "Could you please help me {what}?",
        "I was wondering if I could {what}.",
        "I'd like to know if I can {what}.",
        "Please could I {what}?",
        "My plan is to {what}.",
        "All I want is to {what}.",
        "I thought I'd ask you to help me {what}.",
        "Is it all right if I {what}?",
        "Would it be OK for me to {what}?",
        "Let me {what}, please.",
        "I think it's best to {what}.",
        "I'd like to go ahead and {what}.",
        "I'm trying to {what}.",
        "I'd like to {what}.",
        "I want to {what}.",
        "Could you help me to {what}?",
        "Would it be possible for me to {what}?",
        "I need to {what}.",
        "I was hoping to {what}.",
        "Can I {what}?",
        "Could I {what}?",
        "Is it possible to {what}?",
        "I wanted to {what}.",
        "I'm hoping to {what}.",
        "I've decided to {what}.",
        "Today I'd like to {what}.",
        "If you can manage it, I'd like to {what}.",
        "If possible, I'd like to {what}.",
        "I'd be glad to {what}.",
        "If that's all right, I'd like to {what}.",
        "Please help me to {what}.",
    ),
    "plain": (
        "I'd like to {what}, please.",
        "I want to {what}, please.",
        "Could I please {what}?",
        "I'm asking to {what}.",
        "I'd simply like to {what}.",
        "I'd like help to {what}.",
        "Here's what I'm after: I want to {what}.",
    ),
    "terse": (
        "Please help me {what}.",
        "I have to {what}.",
        "Simply want to {what}.",
        "One request: I'd like to {what}.",
        "I want to {what}.",
        "I'd like to {what}.",
        "Would like to {what}.",
        "Just one thing: I want to {what}.",
        "Can I {what}?",
        "I need to {what}.",
        "Need to {what}.",
        "Want to {what}, please.",
    ),
    "chatty": (
        "Do you think I could {what}?",
        "I was thinking that I might {what}.",
        "You'd do me a favour if I could {what}.",
        "I'd be so happy if I could {what}.",
        "I'd love to {what}.",
        "So I thought I'd {what}, if that's all right.",
        "What I'd really like is to {what}.",
        "You know, it would be great to {what}.",
        "Long story short, I'd like to {what}.",
        "So here's the thing: I'd like to {what}.",
    ),
    "polite": (
        "Might I {what}, please?",
        "Would you be so kind as to help me {what}?",
        "I'd be thankful if I could {what}.",
        "Could I possibly {what}?",
        "Excuse me, could I {what}?",
        "I'd very much appreciate it if I could {what}.",
        "Would it be possible to {what}?",
        "May I {what}, please?",
        "I'd be grateful if I could {what}.",
        "I wonder whether I could {what}.",
        "If it isn't any trouble, I'd like to {what}.",
        "Would you allow me to {what}?",
        "Might I ask for a little assistance? I'd like to {what}.",
        "I hope it isn't asking too much: I'd like to {what}.",
        "With your permission, I'd like to {what}.",
        "Whenever you find the time, I'd like to {what}.",
    ),
    "hurried": (
        "I need to {what}, and quickly, please.",
        "Can I {what}? It should be quick.",
        "Could I just {what}, please?",
        "I just need to {what}.",
        "Can I {what}, please? I'm in a bit of a rush.",
        "All I need is to {what}.",
        "Can I {what} right now?",
        "I haven't got long. I need to {what}.",
        "In short: I need to {what}.",
    ),
    "formal": (
        "I should be grateful for your help: I wish to {what}.",
        "I would like to {what}, if I may.",
        "I would be grateful to be able to {what}.",
        "May I ask for your assistance? I wish to {what}.",
        "I would like to {what}.",
        "I should like to {what}.",
        "I wish to {what}.",
        "It is my wish to {what}.",
        "I would appreciate being able to {what}.",
        "My request is to {what}.",
        "I am turning to you in order to {what}.",
        "May I put the following to you: I wish to {what}.",
        "I would be obliged if I could {what}.",
    ),
    "informal": (
        "Can I just {what}?",
        "I wanna {what}, if that's OK.",
        "OK if I {what}?",
        "Can you help me {what}?",
        "Hoping I can {what}.",
        "Just wondering if I could {what}.",
        "Any chance I could {what}?",
        "Mind if I {what}?",
        "I'm looking to {what}.",
        "Could I maybe {what}?",
        "Think I could {what}?",
        "OK so, I want to {what}.",
        "Basically I just want to {what}.",
        "I kind of need to {what}.",
        "Not sure how this works, but I want to {what}.",
    ),
}
"""What a person wants to do themselves, or to have done."""

TALE: Table = {
    "any": (
        "I'm working through my to-do list, and I'd like to {what}.",
        "I wrote myself a sticky note about this: I want to {what}.",
        "My phone has been reminding me all week: I need to {what}.",
        "While the kettle boils: I'd like to {what}.",
        "I remembered it on the way home: I'd like to {what}.",
        "Before I forget it again: I'd like to {what}.",
        "My calendar says that I should {what}, so here I am.",
        "I promised myself to {what} today.",
        "I've had this on my list for a while: I'd like to {what}.",
        "I finally found a minute for it: I'd like to {what}.",
        "I talked it over at home, and I'd like to {what}.",
        "I slept on it, and I'd like to {what}.",
        "After thinking about it for a while, I'd like to {what}.",
        "I've been meaning to do this for days: I'd like to {what}.",
        "I've been meaning to {what}.",
        "Now that I've got a moment, I'd like to {what}.",
    ),
    "plain": ("I've thought about it, and I want to {what}.",),
    "chatty": (
        "The dog is asleep, so I've got a minute: I'd like to {what}.",
        "Over breakfast I decided to {what}.",
        "I've poured myself a coffee and thought I'd {what}.",
        "It took me ages to make up my mind, but I'd love to {what}.",
        "I was just sitting here with my tea, thinking that I should {what}.",
        "I've been putting it off, but now I'd like to {what}.",
        "I've made up my mind to {what}.",
        "I've been thinking, and I'd love to {what}.",
        "It's been a busy week, and now I want to {what}.",
    ),
    "hurried": (
        "I'm standing at the bus stop and need to {what}.",
        "The children are waiting in the car, so quickly: I need to {what}.",
        "My battery is almost empty, so quickly: I need to {what}.",
        "I'm between two meetings and need to {what}.",
        "My train leaves in ten minutes. I need to {what}.",
        "Quickly, before my break is over: I need to {what}.",
        "I've got five minutes between meetings and want to {what}.",
    ),
    "formal": (
        "After consulting my family, I wish to {what}.",
        "Having reviewed my affairs, I wish to {what}.",
        "Following careful consideration, I should like to {what}.",
        "Having given it some thought, I wish to {what}.",
    ),
}
"""The same with a little tale, where no other motive is told."""

WANT_CHAT = (
    "I'm here to {what}.",
    "I'm contacting you because I'd like to {what}.",
    "I'm getting in touch to {what}.",
    "The reason I'm here: I want to {what}.",
)
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
        "I'd like to {what} while we're at it.",
        "There's one more thing I want to do, and that's to {what}.",
        "And please help me {what}.",
        "My other wish is to {what}.",
        "Could I then {what}?",
        "And is it all right if I {what}?",
        "I also want to {what}.",
        "Plus, I'd like to {what}.",
        "At the same time, I'd like to {what}.",
        "Something else as well: I want to {what}.",
        "I'd also like to {what}.",
        "And I want to {what}.",
        "And could you help me to {what}?",
        "While I'm at it, I want to {what}.",
        "I'd like to {what}, too.",
        "After that, I need to {what}.",
        "Then I'd like to {what}.",
        "Besides that, I want to {what}.",
        "And could I {what} as well?",
        "The other thing: I need to {what}.",
        "Apart from that, I want to {what}.",
        "Next, I'd like to {what}.",
        "And if possible, I'd also like to {what}.",
        "Second, I want to {what}.",
        "Also, I need to {what}.",
        "And then I'd like to {what}.",
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
        "If you have to say no to that, I'd like to {what}.",
        "Otherwise I'd want to {what}.",
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
        "I'm tidying my desk, and I'd like to know {what}.",
        "Somebody at home asked me {what}.",
        "I'm planning the coming weeks: could you tell me {what}?",
        "I'm going over my notes, and I'd like to know {what}.",
        "A little help with my memory, please: can you tell me {what}?",
        "Please could you tell me {what}?",
        "I'd love to know {what}.",
        "I have to know {what}.",
        "Help me out, please: I need to know {what}.",
        "I'm curious {what}.",
        "Can I ask you {what}?",
        "Would you let me know {what}?",
        "I'm unsure {what}.",
        "Perhaps you can tell me {what}.",
        "I'm trying to work out {what}.",
        "Would you be able to tell me {what}?",
        "Could you let me know {what}?",
        "Could you find out {what}?",
        "Could you tell me {what}?",
        "I'd like to know {what}.",
        "Can you look up {what}?",
        "Please tell me {what}.",
        "Do you know {what}?",
        "I wanted to ask {what}.",
        "Can you see {what}?",
        "Would you check {what}?",
        "What I'd like to find out is {what}.",
        "My question is {what}.",
        "I need to find out {what}.",
        "Can you tell me {what}?",
    ),
    "terse": ("I need to know {what}.", "Tell me {what}, please."),
    "chatty": ("I've been wondering {what}.", "I was just wondering {what}."),
    "polite": ("Would you mind telling me {what}?", "Might I ask {what}?"),
    "hurried": ("Quick question: I need to know {what}.", "Just tell me {what}, please."),
    "formal": ("I should like to know {what}.", "Kindly let me know {what}."),
    "informal": ("Any idea {what}?", "Can you check {what}?"),
}
KNEW: Table = {
    "any": (
        "I can't seem to recall {what}.",
        "I really ought to know {what}, but I don't.",
        "I didn't note down {what}.",
        "I keep forgetting {what}.",
        "I can't remember {what}.",
        "I'm not sure any more {what}.",
        "I've forgotten {what}.",
        "Remind me {what}, please.",
        "I never wrote down {what}.",
        "It has slipped my mind {what}.",
        "I'm afraid I no longer know {what}.",
    ),
}
"""The same of what the person knew once."""

THEN_KNOW: Table = {
    "any": (
        "Then I'd like to know {what}.",
        "And may I ask {what}?",
        "And I'd be glad to know {what}.",
        "Please also tell me {what}.",
        "Can you also tell me {what}?",
        "While you're looking, could you tell me {what}?",
        "I'd appreciate it if you also told me {what}.",
        "And could you tell me {what}?",
        "I'd also like to know {what}.",
        "Also, can you look up {what}?",
        "And I was wondering {what}.",
        "And can you see {what}?",
        "Could you tell me {what}, too?",
        "I also need to know {what}.",
        "And please let me know {what}.",
        "And do you know {what}?",
        "Could you also check {what}?",
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
