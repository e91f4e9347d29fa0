"""Wordings of news: what was done, what joins and what closes a message. Nothing here knows a
domain.

Each act has wordings for every manner of speaking (`any`), and some for one manner only.
"""

from __future__ import annotations

from .wordings_asking import ANY, Wordings

OPEN: Wordings = {
    ANY: (
        "Greetings.",
        "Good day to you.",
        "Nice to meet you.",
        "Hello, good to have you here.",
        "Hi, happy to help.",
        "Hello, let's see.",
        "Good to have you with us.",
        "Hello and welcome.",
        "Thank you for your enquiry.",
        "Hello.",
        "Good morning.",
        "Hello there.",
        "Hi there.",
        "Thanks for getting in touch.",
        "Good to hear from you.",
        "Hello, I'm glad to help.",
    ),
    "warm": ("Hello, nice to hear from you!", "Hi, good to hear from you!"),
    "formal": ("Good day.", "Thank you for contacting us."),
    "brief": ("Hi.", "Hello."),
}
"""Opens the first message, now and then."""

GOOD: Wordings = {
    ANY: (
        "I've executed your request.",
        "The update is live.",
        "It's been registered.",
        "It's been entered successfully.",
        "Your wish is fulfilled.",
        "I've completed the step.",
        "That's accomplished.",
        "Everything fell into place.",
        "Smoothly done.",
        "Nothing got in the way, it's done.",
        "Consider it done.",
        "It's official now.",
        "Wonderful, that's finished.",
        "Perfect, it worked.",
        "Ticked off the list.",
        "Wrapped up.",
        "One click, and it was done.",
        "The paperwork is done.",
        "It's all arranged.",
        "Happy to say that it's done.",
        "You're all set.",
        "That's in place now.",
        "I've taken care of it.",
        "It's been taken care of.",
        "That's settled.",
        "I've done that for you.",
        "Here you are, it's done.",
        "It's in order now.",
        "Good, that's done.",
        "I've sorted that out for you.",
        "Finished without problems.",
        "That went smoothly.",
        "I've processed that.",
        "That step is complete.",
        "The system has accepted it.",
        "That has been recorded as requested.",
        "I was able to do that straight away.",
        "As requested, I've handled that.",
        "Done.",
        "All set.",
        "That's done.",
        "Right, that's taken care of.",
        "There you go.",
        "That went through without a hitch.",
        "Sorted.",
        "That worked.",
        "The change has been saved.",
        "I've entered it in the system.",
        "No trouble at all, that's through.",
        "That didn't take long.",
        "I've just done that.",
        "That's in the system now.",
        "I've put that through for you.",
        "Your request has gone through.",
        "Right, done.",
        "It has gone through.",
        "That was quickly done.",
        "No sooner said than done.",
        "I've seen to it.",
        "That's squared away.",
        "As you asked:",
        "All done.",
        "Right, that's entered.",
        "Good, that has worked.",
        "That's been carried out.",
        "I've made that change.",
        "OK, that has been taken care of.",
    ),
    "warm": (
        "Good news: that worked.",
        "All done for you.",
        "Lovely, that's sorted.",
        "My pleasure, that's taken care of.",
        "Great, that went through.",
        "I was glad to do that.",
        "Good, that worked straight away.",
        "With pleasure, that's done.",
    ),
    "brief": (
        "Done.",
        "OK, done.",
        "Sorted.",
        "Updated.",
        "Saved.",
        "Completed.",
        "It's in.",
        "No problem, done.",
        "Entered.",
    ),
    "formal": (
        "This has been done.",
        "Your request has been carried out.",
        "The matter has been attended to.",
        "I can confirm the following.",
        "This has been arranged as you asked.",
        "The necessary steps have been taken.",
    ),
}
"""Opens good news."""

NEUTRAL: Wordings = {
    ANY: (
        "I've executed your request.",
        "It's been registered.",
        "I've completed the step.",
        "That's accomplished.",
        "The update is live.",
        "I've sorted that out.",
        "That's settled, then.",
        "It's done, then.",
        "All right, it's arranged.",
        "I've dealt with it.",
        "OK, that's all done.",
        "That has been processed.",
        "As requested, it's done.",
        "I've handled that.",
        "That step is complete.",
        "Right, that's done.",
        "OK, that's done.",
        "That's been done.",
        "All right, done.",
        "OK, I've seen to that.",
        "Very well, that's through.",
        "As you wished.",
        "The system has taken it.",
        "OK, that's in the system.",
        "Fine, that's entered.",
        "All right, that has gone through.",
        "That has been recorded.",
        "I've done that for you.",
        "Right, I've taken care of that.",
        "I've carried that out.",
        "OK, as you asked:",
    ),
    "brief": (
        "Done.",
        "OK.",
        "Entered.",
        "Processed.",
        "Recorded.",
        "As asked.",
        "OK, done.",
    ),
    "formal": ("This has been done.", "I have attended to it."),
}

BAD: Wordings = {
    ANY: (
        "My sympathy, it's recorded now.",
        "That's unfortunate, but it's recorded now.",
        "I understand how annoying that is. It's entered.",
        "That's on record now, I'm sorry.",
        "That's done, I'm sorry about the circumstances.",
        "All right. I'm sorry that it had to be this way.",
        "It's a pity, but that's done now.",
        "I've put that through. What a shame, though.",
        "I've recorded that, and I'm sorry.",
        "I'm sorry about that. I've entered it.",
        "These things happen, so please don't blame yourself.",
        "I'm sorry to hear it. That's been recorded.",
    ),
    "brief": ("That's done, I'm sorry.", "Done, sorry about that."),
    "formal": (
        "This has been recorded, with our regrets.",
        "It is done, much as we regret the occasion.",
    ),
}

SEVERAL: Wordings = {
    ANY: (
        "Each item has been dealt with.",
        "Every point is settled.",
        "The whole list is finished.",
        "Step by step, it all worked.",
        "That's all done.",
        "Right, I've been through the list.",
        "I've taken care of all of it.",
        "One after the other, then:",
        "Here's how it all turned out.",
        "All of that has gone through.",
        "Here's what I've done.",
        "I've done all of these.",
        "This is what has been done:",
        "Right, all of that is done.",
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
    ),
}
"""Adds rows to a report; the names stand last or in the middle, the mark is always at the end."""

INSTEAD: Wordings = {
    ANY: (
        "Instead, {what}",
        "So, as you wanted in that case, {what}",
        "I've gone by your second choice: {what}",
        "As you wished in that case, {what}",
    ),
}
"""Leads from a refusal to what was done in its place."""

AND: Wordings = {
    ANY: (
        "Moreover, {what}",
        "Beyond that, {what}",
        "In the same go, {what}",
        "Together with that, {what}",
        "Another piece of news: {what}",
        "As well as that, {what}",
        "And then, {what}",
        "Finally, {what}",
        "Also, {what}",
        "And {what}",
        "On top of that, {what}",
        "Besides, {what}",
        "Next, {what}",
        "What's more, {what}",
        "Another thing: {what}",
        "Apart from that, {what}",
        "And secondly, {what}",
    ),
    "brief": ("And {what}", "Plus, {what}", "Also, {what}", "Next, {what}"),
    "formal": ("In addition, {what}", "Furthermore, {what}"),
}
"""Joins a further piece of news."""

TO_QUESTION: Wordings = {
    ANY: (
        "As to what you asked, {what}",
        "To your question: {what}",
        "You also wanted to know something: {what}",
        "And as for what you wanted to know, {what}",
        "Here's the answer to your question: {what}",
        "You asked me something as well: {what}",
        "Coming to your question, {what}",
        "As for your question, {what}",
        "And to answer your question, {what}",
        "And about what you asked: {what}",
        "On your question, {what}",
        "I haven't forgotten your question: {what}",
        "And here's what you wanted to know: {what}",
        "Now to what you asked: {what}",
    ),
    "brief": ("{what}", "As asked, {what}", "Your question: {what}"),
    "formal": ("Regarding your question, {what}", "With regard to your question, {what}"),
}
