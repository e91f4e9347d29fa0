"""Wordings of news: what was done, what joins and what closes a message. Nothing here knows a
domain.

Each act has wordings for every manner of speaking (`any`), and some for one manner only.
"""

from __future__ import annotations

from .wordings_asking import ANY, Wordings

OPEN: Wordings = {
    ANY: (
        "Hello.",
        "Good morning.",
        "Thanks for waiting.",
        "Thank you for coming to us.",
        "Hi there.",
        "Thanks for getting in touch.",
        "Good to hear from you.",
        "Let me take a look.",
        "I've just gone through your account.",
        "Right, I've found you.",
        "Thank you, I have your details now.",
        "Sorry to keep you.",
        "I've checked that for you.",
        "Let's see.",
        "I appreciate your patience.",
        "I've got your case open.",
        "Very good, I'm with you.",
    ),
    "warm": ("Hello, and thanks for asking!", "Hi, nice to hear from you!"),
    "formal": ("Good day.", "Thank you for contacting us."),
    "brief": ("Hi.", "Hello."),
}
"""Opens the first message, now and then."""

GOOD: Wordings = {
    ANY: (
        "Done.",
        "All set.",
        "That's done.",
        "Right, that's taken care of.",
        "There you go.",
        "That went through without a hitch.",
        "It's all arranged.",
        "Sorted.",
        "Consider it settled.",
        "That worked.",
        "Everything is in place now.",
        "The change has been saved.",
        "I've entered it in the system.",
        "No trouble at all, that's through.",
        "That didn't take long.",
        "Ticked off.",
        "The records are up to date again.",
        "Job done.",
        "Problem solved.",
        "A moment's work, and it's complete.",
        "That request is fulfilled.",
        "Perfect, it was accepted.",
        "Nothing left for you to do.",
        "I've pushed that through.",
        "Finished.",
        "You can relax, it's handled.",
        "Confirmed and stored.",
        "Smooth as could be.",
        "No sooner said than done.",
        "Everything clicked into place.",
        "That's squared away.",
        "I managed to fix it up.",
        "Handled, with nothing pending.",
        "Success.",
        "It all went according to plan.",
    ),
    "warm": (
        "Good news: that worked.",
        "All done for you.",
        "Lovely, that's sorted.",
        "My pleasure, it's all taken care of.",
        "Wonderful, everything went smoothly.",
        "Hooray, that's through!",
        "Brilliant, no hiccups at all.",
        "Happy to say that it's all in order.",
    ),
    "brief": (
        "Done.",
        "OK, done.",
        "Sorted.",
        "Settled.",
        "Updated.",
        "Saved.",
        "All good.",
        "Completed.",
        "It's in.",
        "No problem.",
    ),
    "formal": (
        "This has been done.",
        "Your request has been carried out.",
        "The matter has been attended to.",
        "I am pleased to report success.",
        "Everything has been arranged according to your instructions.",
        "The necessary steps have been taken.",
    ),
}
"""Opens good news."""

NEUTRAL: Wordings = {
    ANY: (
        "Right, that's done.",
        "OK, that's done.",
        "That's been done.",
        "All right, done.",
        "OK, I've seen to that.",
        "Very well, that's through.",
        "As you wished.",
        "The system has taken it.",
        "I've made a note of that.",
        "Your account shows it already.",
        "Fine, that's entered.",
        "That's out of the way.",
        "The paperwork is finished.",
        "Good, one thing less to think about.",
        "The entry has been amended.",
        "Noted and processed.",
        "Your instruction has been followed.",
        "Alright, the update is live.",
        "That's reflected on your side as well.",
    ),
    "brief": (
        "Done.",
        "OK.",
        "Entered.",
        "Processed.",
        "Noted.",
        "Recorded.",
        "As asked.",
        "Through.",
    ),
    "formal": ("This has been done.", "I have attended to it."),
}

BAD: Wordings = {
    ANY: (
        "That's on record now, I'm sorry it came to this.",
        "I've done that, though I'm sorry it comes at a price.",
        "That's done, I'm sorry about the circumstances.",
        "All right. I'm sorry that it had to be this way.",
        "It's a pity, but that's settled now.",
        "I've put that through. What a shame, though.",
        "Unfortunate as it is, that's taken care of.",
        "I wish the occasion were happier, but it's filed.",
        "There, that's entered, and I feel for you.",
        "These things happen, so please don't blame yourself.",
        "Not the outcome anybody hopes for, but it's dealt with.",
    ),
    "brief": ("That's done, I'm sorry.", "Done, sorry about that."),
    "formal": (
        "This has been recorded, with our regrets.",
        "It is done, much as we regret the occasion.",
    ),
}

SEVERAL: Wordings = {
    ANY: (
        "That's everything done.",
        "Right, I've been through the list.",
        "I've taken care of all of it.",
        "Every point on your list is dealt with.",
        "One after the other, then:",
        "Here's how it all turned out.",
        "Let me tell you what came of each.",
        "Each item went through.",
        "Step by step, it's all completed.",
        "A full report, then.",
        "Quite a list, but I've managed it.",
        "In the order you named them:",
    ),
    "warm": ("Good, that's all of it taken care of.", "Great, I got through everything."),
    "brief": ("All done.",),
    "formal": (
        "All of your requests have been carried out.",
        "I can report the following.",
    ),
}

CARRIED_OUT: Wordings = {
    ANY: (
        "Your request to {what} has gone through.",
        "It has gone through: you wanted to {what}.",
        "You wanted to {what}, and that has been done.",
        "As you wished to {what}, I've seen to that.",
    ),
    "brief": ("Done as you asked: {what}.",),
    "formal": ("Your request to {what} has been carried out.",),
}
"""Reports a write for which a domain has no words of its own."""

SAME_FOR: Wordings = {
    ANY: (
        "The same goes for {what}.",
        "The same is true of {what}.",
        "Likewise for {what}.",
        "I've treated {what} the same way.",
        "It's no different with {what}.",
    ),
}
"""Adds rows to a report; the names stand last or in the middle, the mark is always at the end."""

AND: Wordings = {
    ANY: (
        "Also, {what}",
        "And {what}",
        "On top of that, {what}",
        "As for the rest: {what}",
        "Besides, {what}",
        "Next, {what}",
        "Moreover, {what}",
        "What's more, {what}",
        "To continue, {what}",
        "Another thing: {what}",
        "Likewise on the list, {what}",
        "Turning to the remainder, {what}",
        "There's more: {what}",
        "And secondly, {what}",
    ),
    "brief": ("And {what}", "Plus, {what}", "Also, {what}", "Next, {what}"),
    "formal": ("In addition, {what}", "Furthermore, {what}"),
}
"""Joins a further piece of news."""

TO_QUESTION: Wordings = {
    ANY: (
        "As for your question, {what}",
        "And to answer your question, {what}",
        "And about what you asked: {what}",
        "On your question, {what}",
        "Since you wanted to know: {what}",
        "You were also wondering about something: {what}",
        "Now for the information that you asked for: {what}",
        "I've looked that up too: {what}",
        "The answer to the other point: {what}",
        "According to our records, {what}",
        "You'll also be curious about this: {what}",
        "The figure or date you wanted: {what}",
        "I haven't forgotten what you asked: {what}",
        "For your information, {what}",
    ),
    "brief": ("{what}", "As asked, {what}", "Your question: {what}"),
    "formal": ("Regarding your question, {what}", "With regard to your question, {what}"),
}

CLOSE: Wordings = {
    ANY: (
        "I'm here if you need anything else.",
        "If there's anything else, just say so.",
        "Feel free to come back to me any time.",
        "That should be everything for now.",
        "Thanks for bearing with me.",
        "Don't hesitate to ask again.",
        "You know where to find me.",
        "Let me leave it at that for the moment.",
        "Should there be more on your mind, I'm listening.",
        "I'll be around all day in case something comes up.",
        "Come back whenever it suits you.",
        "Always at your service.",
        "Good luck with everything.",
        "Until next time.",
        "It was no bother.",
        "Wishing you well.",
        "Our door is always open.",
        "I'm glad we could settle this.",
        "Anything further, and I'm at hand.",
        "Thanks for your trust.",
        "That concludes it from my end.",
        "Have a pleasant day.",
        "Cheers.",
        "Come by again soon.",
        "I'll close the ticket now.",
        "Hope to see you again.",
        "Nothing further is needed from you.",
        "The details are stored in your history.",
        "I've double-checked the outcome.",
        "You'll manage the rest without me, I trust.",
        "May everything turn out as planned.",
        "Greetings from the team.",
        "Happy to have been useful.",
        "I'm signing off for now.",
        "All the best to you.",
        "Speak soon.",
    ),
    "warm": (
        "I hope that helps!",
        "Have a lovely day!",
        "Glad to help.",
        "Take care!",
        "Enjoy the rest of your day!",
        "You're always welcome.",
        "Pleasure talking to you!",
        "Wishing you a relaxed afternoon!",
    ),
    "formal": ("I remain at your disposal.", "It was a pleasure to be of service."),
    "brief": ("That's it.", "Any time.", "Bye for now.", "Thanks.", "Over to you."),
}
"""Ends a message, now and then."""

CLOSE_BAD: Wordings = {
    ANY: (
        "I realise that's disappointing.",
        "Thanks for understanding.",
        "I wish I could do more.",
        "Please accept my apologies.",
        "It's nothing personal, I assure you.",
        "I know how inconvenient that is.",
        "Perhaps luck is on your side next time.",
        "I hope you don't mind too much.",
        "Bear with us, please.",
        "Sorry for the letdown.",
        "I'd have preferred to give you happier tidings.",
        "Better to hear it early than late.",
        "We make no difference between customers in this.",
        "Hopefully that makes sense.",
        "It isn't my favourite part of the job.",
    ),
    "warm": (
        "Chin up, and thanks for being so kind about it.",
        "I feel awful about it.",
        "Big apologies from all of us.",
    ),
    "formal": (
        "We regret any inconvenience.",
        "I thank you for your forbearance.",
        "Your understanding is much appreciated.",
    ),
    "brief": ("Sorry again.", "Apologies.", "Pity, I know."),
}
"""Ends a message with bad news, now and then."""

ANSWER: Wordings = {
    ANY: (
        "I've looked it up.",
        "Here's what I find.",
        "That's on file.",
        "Easily answered.",
        "I had to dig a little, but here it is.",
        "The computer is quite clear about it.",
        "Straight from your records:",
        "A quick search gives the following.",
        "I can see it right in front of me.",
        "Certainly, that's no secret.",
        "Glad you ask.",
        "The entry reads as follows.",
        "To the best of my knowledge:",
        "I've gone back through the data.",
        "Sure, I can tell you that.",
        "You're lucky, it's noted down.",
        "In short:",
        "I've worked it out.",
        "Checked and verified:",
        "Without further ado:",
    ),
    "warm": ("Of course, happy to tell you.", "With pleasure.", "Sure thing, no trouble at all."),
    "brief": ("Here:", "Found it.", "Sure.", "On file:"),
    "formal": (
        "I can inform you as follows.",
        "Our register contains this information.",
        "Having consulted the archive, I can answer that.",
    ),
}
"""Opens an answer, now and then."""
