"""People who write to each other: a workspace's messages, a microblogging account, a helpdesk's
tickets, generated from a seed for BFCL's classes. Names and texts are ours.
"""

from __future__ import annotations

import random
from typing import Any

FIRST_NAMES = (
    "Ines", "Tomas", "Greta", "Omar", "Petra", "Luis", "Hanna", "Viktor", "Noor", "Emil", "Carla",
    "Jonas", "Mina", "Pavel", "Rosa", "Anton", "Leila", "Felix", "Dora", "Samir", "Edda", "Marek",
    "Yara", "Bruno", "Signe", "Tariq", "Wilma", "Ivo", "Naomi", "Casper",
)  # fmt: skip
_MESSAGES = (
    "The keys are in the top drawer.", "Can we move the call to three?",
    "The courier comes at noon.",
    "I left the contract on your desk.", "Please bring the projector on Monday.",
    "The client liked the second draft.", "Lunch is on me tomorrow.",
    "The lift is out of order again.",
    "Could you check the invoice from the printers?", "Thanks for covering my shift.",
    "The training room is booked until four.", "I have sent you the slides.",
    "Who has the spare badge?", "The heating will be off on Thursday.",
    "My train is late, start without me.", "The new chairs have arrived.",
    "Do you still need the sample box?", "The figures for April are in the shared folder.",
    "Remember the fire drill at ten.", "I am at home today, call me any time.",
    "The caterer asks how many we are.", "Your parcel is at the front desk.",
    "We need two more people for the stand.", "The parking permit has been renewed.",
)  # fmt: skip
_HANDLES = (
    "tidepoolanna", "slowbread", "jonascycles", "themaproom", "kettleandfern", "nightbus44",
    "orchardkeeper", "paperkites", "rosaruns", "quietstatic", "harbourlight", "mondaysoup",
    "fieldnotesed", "velvetabacus", "gretaglazes", "tinroofradio", "chalkandmoss",
)  # fmt: skip
_POSTS = (
    ("Finally finished the long loop around the lake", ("#running", "#spring")),
    ("The sourdough rose twice its size overnight", ("#baking",)),
    ("Our street has a new little library", ("#books", "#neighbours")),
    ("First tomatoes of the year on the balcony", ("#garden",)),
    ("Repaired my grandfather's radio and it hums again", ("#repair",)),
    ("The night train to the coast is worth every hour", ("#trains", "#travel")),
    ("Nothing but fog and then the whole valley", ("#hiking",)),
    ("Learning to throw bowls, most of them lean", ("#pottery",)),
    ("The choir has a new room and needs tenors", ("#music", "#neighbours")),
    ("A heron stood in the fountain and nobody dared to move", ("#birds",)),
    ("Half price on seeds at the market hall", ("#garden", "#market")),
    ("My bicycle has outlived three of its chains", ("#cycling", "#repair")),
    ("Reading the same novel for the fourth winter", ("#books",)),
    ("The bakery by the bridge opens before the buses run", ("#baking", "#market")),
    ("Lost a grey scarf on the tram, please shout", ("#lost",)),
    ("Someone planted sunflowers along the whole canal", ("#garden", "#birds")),
    ("The film club shows silent comedies with a live piano", ("#film",)),
    ("Cold water swimming is mostly about the tea after", ("#swimming",)),
    ("We measured the old oak and three of us could not span it", ("#trees",)),
    ("New strings on the cello and the cat left the room", ("#music",)),
    ("The ferry was full of school classes and sandwiches", ("#travel",)),
    ("Three jars of plum jam and a very sticky kitchen", ("#baking", "#garden")),
    ("Chess in the park again, boards are there", ("#chess", "#neighbours")),
    ("The stars were so clear that we forgot the time", ("#astronomy",)),
    ("Mended the tent with a scrap of sail", ("#hiking", "#repair")),
    ("Our allotment has a resident hedgehog now", ("#garden",)),
)  # fmt: skip
_REPLIES = (
    "This made my morning.", "Where exactly is that?", "Count me in next time.",
    "I had no idea, thank you.", "Same here, only slower.", "Please post a picture.",
    "We should do this together.", "Wonderful news.", "How long did it take you?",
)  # fmt: skip
_PROBLEMS = (
    ("Printer on the second floor jams", "Every second page is caught in the rear tray."),
    ("Laptop does not wake from sleep", "The screen stays black until it is switched off."),
    ("No access to the shared calendar", "Since the move to the new team it shows nothing."),
    ("Badge does not open the side door", "The reader blinks red and beeps twice."),
    ("Video calls drop in the middle", "It happens in every room on the east side."),
    ("New monitor flickers", "The picture shakes at full brightness."),
    ("Invoice export is empty", "The file has a heading and no rows."),
    ("Password reset mail never arrives", "Tried three times, also from home."),
    ("Headset for the new colleague", "She needs one with a cable."),
    ("Heating in room 214 is stuck", "It cannot be turned below the highest step."),
    ("Slow network in the archive", "Opening a scan takes very long."),
    ("Phone line forwards to the wrong desk", "Calls for sales ring at the reception."),
    ("Spreadsheet macro stopped working", "It worked before the last update."),
    ("Projector bulb is nearly dead", "The picture is yellow and very dim."),
    ("Request for a second mouse", "For the standing desk by the window."),
    ("Backup of the design drive failed", "The nightly report names it again and again."),
    ("Wrong name on the visitor list", "The guest from the supplier is spelled with a K."),
    ("Coffee machine shows error 12", "It asks for a service key."),
    ("Time sheet rejects overtime", "It says that the field is locked."),
    ("License for the drawing program", "The trial is nearly over."),
    ("Scanner sends upside-down pages", "All documents arrive turned round."),
    ("Mail attachments are blocked", "Even small pictures are refused."),
    ("Door bell of the loading bay is silent", "Drivers have to call the front desk."),
    ("Meeting room display is a day behind", "The bookings on it are the ones before."),
)  # fmt: skip
_RESOLUTIONS = (
    "The part was replaced.", "Access was granted again.", "It works after a restart.",
    "The vendor sent a new one.", "The setting was corrected.", "A newer version was installed.",
)  # fmt: skip

OWN_ID, OWN_HANDLE, OWN_LOGIN = "USR001", "maraholt", "mholt"


def workspace(rng: random.Random) -> dict[str, Any]:
    """A workspace of 10 to 15 people and the messages that the user has sent to most of them."""
    names = ["Mara", *rng.sample(FIRST_NAMES, rng.randint(9, 14))]
    ids = [f"USR{number:03d}" for number in range(1, len(names) + 1)]
    others = rng.sample(ids[1:], len(ids) - 3)
    texts = rng.sample(_MESSAGES, rng.randint(14, 20))
    inbox = [{rng.choice(others): text} for text in texts]
    return {
        "random_seed": rng.randrange(10**6),
        "generated_ids": set(),
        "user_count": len(names),
        "user_map": dict(zip(names, ids, strict=True)),
        "inbox": inbox,
        "message_count": len(inbox),
        "current_user": None,
    }


def forum(rng: random.Random) -> dict[str, Any]:
    """An account that follows people, and 20 or more posts by it and by others."""
    handles = rng.sample(_HANDLES, 9)
    tweets: dict[int, dict[str, Any]] = {}
    number = rng.randint(100, 900)
    for content, tags in rng.sample(_POSTS, rng.randint(20, 24)):
        author = OWN_HANDLE if rng.random() < 0.3 else rng.choice(handles)
        others = [handle for handle in handles if handle != author]
        mentions = [f"@{rng.choice(others)}"] if rng.random() < 0.3 else []
        tweets[number] = {
            "id": number,
            "username": author,
            "content": content,
            "tags": list(tags),
            "mentions": mentions,
        }
        number += 1
    comments = {
        tweet: [
            {"username": rng.choice(handles), "content": reply}
            for reply in rng.sample(_REPLIES, rng.randint(1, 3))
        ]
        for tweet in rng.sample(sorted(tweets), len(tweets) // 2)
    }
    foreign = [tweet for tweet, content in tweets.items() if content["username"] != OWN_HANDLE]
    return {
        "username": OWN_HANDLE,
        "password": "teal-anchor-52",
        "authenticated": False,
        "tweets": tweets,
        "comments": comments,
        "retweets": {
            OWN_HANDLE: rng.sample(foreign, 3),
            **{handle: rng.sample(foreign, 2) for handle in handles[:4]},
        },
        "following_list": rng.sample(handles, 5),
        "tweet_counter": number,
    }


def helpdesk(rng: random.Random) -> dict[str, Any]:
    """A queue of 18 to 22 tickets, most of them the user's."""
    number = rng.randint(1001, 4999)
    queue = []
    for title, description in rng.sample(_PROBLEMS, rng.randint(18, 22)):
        ticket = {
            "id": number,
            "title": title,
            "description": description,
            "status": rng.choice(("Open", "Open", "Open", "In Progress", "Resolved", "Closed")),
            "priority": rng.randint(1, 5),
            "created_by": OWN_LOGIN if rng.random() < 0.75 else rng.choice(FIRST_NAMES).lower(),
        }
        if ticket["status"] == "Resolved":
            ticket["resolution"] = rng.choice(_RESOLUTIONS)
        queue.append(ticket)
        number += rng.randint(1, 4)
    return {"ticket_queue": queue, "ticket_counter": number, "current_user": None}
