"""Wordings of questions: repeating what is wanted, missing arguments, who it is. Nothing here
knows a domain.

Each act has wordings for every manner of speaking (`any`), and some for one manner only.
"""

from __future__ import annotations

from collections.abc import Mapping

ANY = "any"

Wordings = Mapping[str, tuple[str, ...]]

CONFIRM: Wordings = {
    ANY: (
        "If my reading is accurate, you want to {what}.",
        "Down to the essentials: you want to {what}.",
        "The gist of it, I believe: you'd like to {what}.",
        "From what you've told me, I gather that you want to {what}.",
        "Let me spell it out: you'd like to {what}.",
        "My impression is that you want to {what}.",
        "I take it that you'd like to {what}.",
        "Let me outline it: you'd like to {what}.",
        "What I've jotted down: you'd like to {what}.",
        "Let's compare notes: you want to {what}.",
        "Putting it together, you'd like to {what}.",
        "Unless I'm mixing something up, you'd like to {what}.",
        "In plain words, you'd like to {what}.",
        "I'd like to rule out errors: you want to {what}.",
        "Only with your approval: you'd like to {what}.",
        "That's doable. You'd like to {what}.",
        "The request at hand: you'd like to {what}.",
        "Nothing is settled without you: you want to {what}.",
        "I'd like to be certain: you want to {what}.",
        "So there's no confusion: you'd like to {what}.",
        "Here's how I read your message: you want to {what}.",
        "Let's verify this together: you'd like to {what}.",
        "Please give this a second look: you want to {what}.",
        "I've prepared the following: you'd like to {what}.",
        "Your wish, put plainly: you want to {what}.",
        "A brief recap from my side: you'd like to {what}.",
        "As far as I've gathered, you want to {what}.",
        "Allow me to double-check: you'd like to {what}.",
        "Kindly look this over: you want to {what}.",
        "For the avoidance of doubt, you'd like to {what}.",
        "My notes say that you want to {what}.",
        "Everything at a glance: you want to {what}.",
        "To make sure that I do the right thing: you'd like to {what}.",
        "So here's the plan: you want to {what}.",
        "This is how I've understood you: you want to {what}.",
        "I'd be happy to. Just to confirm, you'd like to {what}.",
        "I have everything I need. So you want to {what}.",
        "That's possible. You'd like to {what}, if I've heard you right.",
        "Let me put it in one sentence: you want to {what}.",
        "One last check: you'd like to {what}.",
        "I'm ready to do it. You want to {what}.",
        "Could you look over this for me: you'd like to {what}.",
        "In short, you want to {what}.",
        "Here's what I have down: you'd like to {what}.",
        "Let me read it back: you want to {what}.",
        "Stop me if that's wrong: you'd like to {what}.",
        "Please read this through: you want to {what}.",
        "This is what I'd enter: you want to {what}.",
        "Here's the step in question: you want to {what}.",
        "Your request, in my words: you'd like to {what}.",
        "Allow me to summarise: you'd like to {what}.",
        "Let me verify one thing: you want to {what}.",
        "To prevent any misunderstanding, you'd like to {what}.",
        "I've understood that you want to {what}.",
        "For this step I require your explicit agreement: you want to {what}.",
        "Let me make certain: you'd like to {what}.",
        "Before anything is saved, let me check: you want to {what}.",
        "Just to be sure: you'd like to {what}.",
        "Let me go over it before I start: you'd like to {what}.",
        "As I understand it, you'd like to {what}.",
        "If I've got you right, you want to {what}.",
        "A quick check before I change anything: you want to {what}.",
        "So that we don't misunderstand each other: you'd like to {what}.",
        "You want to {what}, is how I understand it.",
        "That can be done. To recap, you'd like to {what}.",
        "The details, as I have them: you want to {what}.",
        "First I'd like your word on this: you want to {what}.",
        "I can do that. You'd like to {what}, correct me if I'm mistaken.",
        "What I still need is your consent: you'd like to {what}.",
        "You want to {what}, as far as I can tell.",
        "A short summary for you to approve: you'd like to {what}.",
        "Nothing has been done yet. You want to {what}.",
        "I need a clear yes for this: you'd like to {what}.",
        "Here is my understanding of it: you'd like to {what}.",
        "Before I do it, the details once more: you want to {what}.",
        "You'd like to {what}, unless I've misread you.",
        "Let me say it back to you: you'd like to {what}.",
        "To be thorough, let me go over it: you want to {what}.",
    ),
    "warm": (
        "Happy to do that. You'd like to {what}.",
        "No problem. To be on the safe side: you'd like to {what}.",
        "Let me make sure that I've got this right: you'd like to {what}.",
        "Gladly. Only to avoid any mix-up: you'd like to {what}.",
        "Of course, that's easily done. You want to {what}, if I follow you.",
        "Of course, I can do that. You'd like to {what}.",
        "Sure thing. Let me just read it back: you'd like to {what}.",
        "With pleasure. So you'd like to {what}.",
    ),
    "brief": (
        "You want to {what}.",
        "You'd like to {what}.",
        "So you want to {what}.",
        "To confirm: you want to {what}.",
        "In short, you'd like to {what}.",
        "Double-checking: you want to {what}.",
        "For your approval: you'd like to {what}.",
        "Before I start: you want to {what}.",
        "Let me check: you'd like to {what}.",
        "Right, you want to {what}.",
    ),
    "formal": (
        "Please check the details first: you wish to {what}.",
        "For the record, you would like to {what}.",
        "Before I proceed, let me repeat it: you wish to {what}.",
        "According to my notes, you wish to {what}.",
        "Kindly verify the following: you wish to {what}.",
        "Allow me to restate your request: you wish to {what}.",
        "Prior to any change, a word of confirmation. You wish to {what}.",
        "May I draw your attention to the particulars. You wish to {what}.",
        "I have taken down your instructions: you wish to {what}.",
        "Subject to your consent, the following: you wish to {what}.",
    ),
}
"""Repeats what is to be done."""

CONFIRM_INSTEAD: Wordings = {
    ANY: (
        "The fallback that you mentioned, then: you'd like to {what}.",
        "Next on your list was this: you'd like to {what}.",
        "As an alternative you suggested this: you'd like to {what}.",
        "Failing that, you said, you'd like to {what}.",
        "In that case you'd like to {what}.",
        "So instead you'd like to {what}, as you said.",
        "That leaves your second choice: you'd like to {what}.",
        "For that case you told me that you'd like to {what}.",
        "Then what you named second: you'd like to {what}.",
    ),
    "brief": ("Then you'd like to {what}.",),
    "formal": ("In that event you wish to {what}.",),
}
"""Repeats what is to be done instead of what was just refused."""

CONFIRM_SEVERAL: Wordings = {
    ANY: (
        "Point by point, you'd like to {what}.",
        "Together these are {number} steps: {what}.",
        "The complete list: {what}.",
        "Gathering everything, you'd like to {what}.",
        "To take all of it at once, you'd like to {what}.",
        "An overview first: you'd like to {what}.",
        "Here's what I'd do: {what}.",
        "To sum up, you'd like to {what}.",
        "So that's {number} things: {what}.",
        "Let me go through it once: you'd like to {what}.",
        "All in one go, you'd like to {what}.",
    ),
    "brief": ("To confirm: {what}.", "You'd like to {what}."),
    "formal": (
        "For the record, you would like to {what}.",
        "To summarise, you wish to {what}.",
    ),
}

WHAT: Wordings = {
    ANY: (
        "Which {what} would you like?",
        "What {what} should it be?",
        "Could you tell me the {what}, please?",
        "I still need the {what}: what should it be?",
        "One detail is missing: what shall I put for the {what}?",
        "And the {what}? What do you have in mind?",
    ),
    "warm": ("Sure! Which {what} would you like?", "I'd love to help. What {what} would suit you?"),
    "formal": ("Could you please tell me the {what}?", "May I ask for the {what}?"),
}
"""Asks for a value."""

WHICH: Wordings = {
    ANY: (
        "Which {what} do you mean?",
        "Which of the {plural} would that be, which {what}?",
        "There's more than one possibility: which {what} is it?",
        "Could you tell me which {what} you have in mind?",
        "I see several {plural} here. Which {what} are you thinking of?",
        "To pick the right one: which {what} is this about?",
        "Help me narrow it down, please: which {what} did you have in mind?",
    ),
    "warm": ("Gladly! Which {what} do you mean?",),
    "formal": ("Could you please specify which {what} you mean?",),
}
"""Asks for a row."""

IDENTITY: Wordings = {
    ANY: (
        "Whose account are we talking about? Could you tell me {what}?",
        "To match you with our files, could you supply {what}?",
        "Only the holder may hear what's on an account, so could you give me {what}?",
        "Let me locate your account: could you share {what}?",
        "I don't yet know whom I'm helping: what's {what}?",
        "An identity check comes first: could you state {what}?",
        "Which account is yours? Could you tell me {what}?",
        "I need to recognise you first: what's {what}?",
        "Could you share {what}, so that I open the right account?",
        "Everything personal is locked until I know you. What's {what}?",
        "Data protection obliges me to ask: could you tell me {what}?",
        "Let's find your account first. What's {what}?",
        "A formality beforehand: could you give me {what}?",
        "I'd need one detail to recognise you: could you tell me {what}?",
        "To avoid a mix-up with somebody else, could you give me {what}?",
        "In order to protect your data, could I ask for {what}?",
        "To open your account, could you provide {what}?",
        "Please help me identify you: what's {what}?",
        "Could you give me {what}, so that I can find your account?",
        "First I need to know who you are: could you tell me {what}?",
        "To find your record, could you please tell me {what}?",
        "What's {what}, please?",
        "Sure, I'll find you. Could I have {what}?",
        "I'll need to pull up your file first. Would you give me {what}?",
        "Before we start, may I have {what}?",
        "For security, would you mind telling me {what}?",
        "I'd like to look you up. Would you tell me {what}?",
        "So I don't end up in the wrong person's file, could you give me {what}?",
        "Privacy comes first here, so could you identify yourself with {what}?",
        "Could I have {what}, so that I can look you up?",
        "I have to verify that it's you. Would you mind giving me {what}?",
        "So that I can look into your records, could you tell me {what}?",
    ),
    "warm": (
        "Hello, happy to help with that! Could you give me {what}?",
        "Of course. So that I can find you: what's {what}?",
        "Nice to hear from you! Would you let me have {what}?",
    ),
    "brief": (
        "Could I have {what}, please?",
        "First of all, what is {what}?",
        "May I have {what}?",
        "Quick identification first: could you give me {what}?",
        "What would {what} be?",
    ),
    "formal": (
        "Good day. Could you please state {what}?",
        "May I ask for {what}?",
        "Might I trouble you for {what}?",
    ),
}

IDENTITY_AGAIN: Wordings = {
    ANY: (
        "I can't find anybody with that. Is there perhaps a slip in it? "
        "Could you give me {what} once more?",
        "That doesn't match any record, I'm afraid. Could you check {what} again for me?",
        "I've searched, but no account matches that. Would you give me {what} again?",
        "I can find no record under that. Did something slip in {what}? Could I have it again?",
        "I can't find a match for that. Are you sure of {what}?",
        "I can't find anything under that, I'm afraid. Would you double-check {what}?",
        "Hmm, nothing comes up under that. Could there be a typo in {what}?",
        "There's no match for that here. Could a letter be off in {what}?",
    ),
    "warm": (
        "Oh dear, I can't find you with that. It happens easily, so could you repeat {what}?",
    ),
    "brief": (
        "No match. Could you give me {what} again?",
        "Not found. Can you repeat {what}?",
        "There's no record under that. Is {what} right?",
    ),
    "formal": (
        "I'm afraid I can't find a record under that. Could you please repeat {what}?",
        "Regrettably, no record matches. Would you kindly verify {what}?",
    ),
}
