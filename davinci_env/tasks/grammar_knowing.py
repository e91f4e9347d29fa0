"""How people ask for what they want to know, first and after something else. Nothing here knows a
domain.
"""

from __future__ import annotations

from .grammar_phrases import Table

KNOW: Table = {
    "any": (
        "I'd like to be told {what}.",
        "I need a bit of information, namely {what}.",
        "I'd be interested to hear {what}.",
        "Could you verify {what}?",
        "I'm not certain {what}.",
        "I'd like confirmation of {what}.",
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
        "I've lost track of {what}.",
        "I forgot to write down {what}.",
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
        "Incidentally, do you know {what}?",
        "Additionally, please tell me {what}.",
        "It would help me to know {what}.",
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
