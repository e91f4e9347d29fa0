"""How people begin a message, and how they end one."""

from __future__ import annotations

from .grammar_phrases import Table

GREETING: Table = {
    "any": (
        "Hello, I have a question for you.",
        "Hi, could somebody assist me?",
        "Hello.",
        "Hi.",
        "Hi there.",
        "Good morning.",
        "Hello there.",
        "Hello, can you help me?",
        "Hello, could you help me with something?",
        "Hi, have you got a moment?",
        "Hello, one thing, please.",
        "Morning!",
        "Hi, I hope this is the right place.",
        "Hi, I hope you can help me.",
        "Good day.",
        "Hello, I hope you can sort this out.",
        "Hello, I could do with some help.",
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
        "Hi there,",
        "Good day,",
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
        "Hi, thanks for taking my call.",
        "Good morning, am I through to the right department?",
    ),
    "terse": ("Hello.",),
    "chatty": ("Oh, hello, finally somebody real!", "Hi, good morning, lovely to get through."),
    "formal": ("Good morning.", "Good day."),
    "informal": ("Hi, yeah, hello.",),
}
CLOSING: Table = {
    "any": (
        "Thank you for your support.",
        "Your help is much appreciated.",
        "Thanks.",
        "Thank you.",
        "Thanks a lot.",
        "Thanks for your help.",
        "I'd appreciate it.",
        "Thanks in advance.",
        "Many thanks.",
        "Thanks for your time.",
        "That would help me a lot.",
        "Thanks, I appreciate it.",
        "Thank you for taking care of it.",
        "I'd be grateful.",
        "Thanks for looking into it.",
        "Sorry for the bother.",
        "I appreciate your time.",
        "Thank you for your help.",
        "",
        "",
        "",
    ),
    "terse": ("", "", "", "Thanks."),
    "chatty": ("Thanks so much!", "You're a star, thank you!", "Thanks a million."),
    "polite": ("Thank you very much.", "Many thanks in advance.", "I'd be much obliged."),
    "hurried": ("Thanks, got to run.", "Thanks.", ""),
    "formal": ("Thank you for your help.", "With many thanks.", "Thank you in advance."),
    "informal": ("Cheers.", "Thanks!", ""),
}
GREETING_GRAVE: Table = {"any": ("Hello.", "Hi.", "Good morning.", "Hello there.", "")}
CLOSING_GRAVE: Table = {"any": ("", "", "", "Can somebody help me?", "What happens now?")}
SIGNED_GRAVE: Table = {"any": ("Regards", "Kind regards", "Yours sincerely", "")}
"""Around a concern, to which pleasantries would not do."""

CLOSING_EMAIL: Table = {
    "any": (
        "Yours truly",
        "Cordially",
        "Respectfully",
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
