"""What the files of a generated home folder speak of."""

from __future__ import annotations

from collections.abc import Mapping

JOBS: Mapping[str, tuple[str, ...]] = {
    "house-jobs.md": (
        "bleed the radiator in the hall", "descale the kettle",
        "fix the hinge of the bathroom door", "order a new bulb for the oven",
        "clear the gutter above the porch", "paint the skirting board in the study",
        "change the battery of the smoke alarm",
        "take the old sofa to the tip", "call somebody about the damp patch",
    ),
    "garden-jobs.md": (
        "sow the spring onions", "tie up the climbing rose", "mend the water butt",
        "turn the compost", "sharpen the shears", "thin out the carrots",
        "move the tomatoes outside", "cut back the ivy by the shed", "buy slug collars",
    ),
    "shopping.md": (
        "two lemons", "oat milk", "dishwasher salt", "a bag of basmati rice", "coffee filters",
        "wholemeal flour", "stamps", "cat litter", "washing powder", "a birthday card for Imke",
    ),
    "birthday-plans.md": (
        "book the skittle alley", "ask Theo about the cake", "borrow folding chairs from Nadia",
        "send the invitations", "make a playlist", "buy candles", "reserve the campsite",
        "find somebody to look after the dog",
    ),
    "bike-repairs.md": (
        "true the back wheel", "replace the brake pads", "oil the chain", "patch the spare tube",
        "tighten the headset", "fit the new mudguards", "look for the missing lamp bracket",
    ),
    "moving-house.md": (
        "give notice to the landlord", "hire a van for the last Saturday",
        "collect boxes from work", "read the meters", "redirect the post",
        "cancel the window cleaner", "hand over the cellar key",
        "register the children at the new school",
    ),
}  # fmt: skip
"""Lists of things to do, by file."""

MEETINGS: Mapping[str, tuple[str, ...]] = {
    "allotment-committee.md": (
        "The water rate goes up by four euros a plot.", "Plots 7 and 19 are free from July.",
        "Seeds are ordered together in January again.", "Bonfires stay forbidden until October.",
        "Marlene keeps the key of the tool shed.",
    ),
    "parents-evening.md": (
        "The class trip goes to the salt mine.", "Maths homework moves to Tuesdays.",
        "Two parents are wanted for the fruit rota.",
        "The spring concert is on a Friday this year.",
        "Lost property is given away after Easter.",
    ),
    "choir-rehearsal.md": (
        "The altos need a second reading of the Fauré.", "The concert starts at half past seven.",
        "Black folders for everybody.", "Nobody has found the missing pedal of the organ.",
        "Rehearsals move to the library while the hall is painted.",
    ),
    "street-party.md": (
        "The council closes the road from noon.", "Kofi lends his gazebo.",
        "The band plays for expenses only.", "Everybody brings one salad and one chair.",
        "The permit cost sixty-two euros.",
    ),
    "book-club.md": (
        "The next book is about a lighthouse.", "We meet at Ottilie's from now on.",
        "Nobody finished the last one.", "Short stories for the summer.",
    ),
}  # fmt: skip
"""What was decided at meetings, by file."""

AFTER_MEETINGS = (
    "send the minutes round", "ask for volunteers", "put the date in the calendar",
    "collect the money", "book the room again", "reply to the treasurer", "copy the key",
    "thank the speaker",
)  # fmt: skip
"""What whoever took the minutes has to do."""

BEFORE_TRIPS = (
    "reserve seats", "print the tickets", "tell the hotel when we arrive", "change some money",
    "renew the passport", "find somebody for the cat", "download the maps", "buy a guidebook",
)  # fmt: skip

PEOPLE = (
    "Imke Baars", "Theo Lindqvist", "Nadia Haddad", "Kofi Mensah", "Ottilie Brandt", "Rui Tavares",
    "Marlene Voss", "Priya Raman", "Tomasz Zielak", "Aoife Brennan", "Lucas Okoro", "Saskia de Wit",
)  # fmt: skip

LETTERS: Mapping[str, tuple[str, str]] = {
    "letter-to-landlord.txt": (
        "Dear Mr Abendroth",
        "the boiler has failed for the third time this winter. Please send a plumber within the "
        "week, and let me know when somebody has to be at home.",
    ),
    "letter-to-insurance.txt": (
        "Dear Sir or Madam",
        "I enclose the estimate for the broken windscreen. The claim was reported by telephone, "
        "and I have not had a number for it yet.",
    ),
    "letter-to-school.txt": (
        "Dear Mrs Falk",
        "Jonas has a hospital appointment and will miss the first two lessons. He will bring the "
        "form with him.",
    ),
    "letter-to-council.txt": (
        "Dear Parking Office",
        "our resident permit came with the wrong number plate. Please tell me whether I may park "
        "with it until the new one arrives.",
    ),
    "cancel-gym.txt": (
        "To the membership desk",
        "I cancel my membership at the next possible date. Please confirm in writing and stop "
        "collecting the fee.",
    ),
}
"""Salutation and body of letters, by file."""

RECIPES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "plum-cake.md": (
        ("1 kg plums", "300 g flour", "150 g butter", "120 g sugar", "2 eggs", "cinnamon"),
        "Bake for 45 minutes at 180 degrees.",
    ),
    "lentil-soup.md": (
        ("250 g red lentils", "2 carrots", "1 onion", "1 tin of tomatoes", "cumin", "lemon juice"),
        "Simmer for 25 minutes and blend half of it.",
    ),
    "mushroom-risotto.md": (
        ("300 g risotto rice", "400 g mushrooms", "1 litre of stock", "80 g parmesan", "thyme"),
        "Stir in the stock one ladle at a time.",
    ),
    "rye-bread.md": (
        ("500 g rye flour", "400 ml water", "100 g sourdough", "12 g salt", "caraway"),
        "Leave to rise overnight, then bake for an hour.",
    ),
    "fish-stew.md": (
        ("600 g cod", "1 fennel bulb", "3 potatoes", "saffron", "1 glass of white wine"),
        "Add the fish last and let it stand for five minutes.",
    ),
}  # fmt: skip
"""Ingredients and the one hint of recipes, by file."""

CITIES: Mapping[str, tuple[str, str]] = {
    "ghent": ("Hotel Waterzicht", "the belfry"),
    "porto": ("Casa Miragaia", "the tram museum"),
    "trieste": ("Pensione Bora", "the castle of Miramare"),
    "bergen": ("Fjellgata Guesthouse", "the funicular"),
    "valencia": ("Hostal Turia", "the covered market"),
}
"""Where the traveller sleeps and what is to be seen, by city."""

PACKED = (
    "rain jacket", "adapter plug", "walking boots", "swimming things", "travel cards", "sun hat",
    "first-aid kit", "library book", "headphones", "water bottle",
)  # fmt: skip

PROJECTS: Mapping[str, tuple[str, str, tuple[int, int], tuple[str, ...]]] = {
    "weather-station": (
        "Reads three sensors on the balcony and keeps a year of measurements.",
        "pressure",
        (984, 1038),
        (
            "solder the second board",
            "write down the calibration",
            "test the rain gauge in a bucket",
        ),
    ),
    "family-archive": (
        "Scans of letters and photographs, with a list of who is on them.",
        "pages",
        (4, 60),
        ("scan the wedding album", "ask Aunt Grete about 1961", "number the boxes in the attic"),
    ),
    "beehive-log": (
        "What was seen at the two hives, week by week.",
        "frames",
        (6, 22),
        ("order new frames", "treat against mites in August", "label the honey jars"),
    ),
    "canoe-build": (
        "Plans, costs and progress of a cedar strip canoe.",
        "strips",
        (2, 15),
        ("glue the last strips", "sand the inside", "choose a varnish"),
    ),
}
"""What a project is, what it counts, between which numbers, and what is to be done, by folder."""

EXPENSES: Mapping[str, int] = {
    "rent": 890, "groceries": 320, "electricity": 70, "phone": 25, "train tickets": 85,
    "eating out": 110, "clothes": 60, "gifts": 40, "pharmacy": 20, "savings": 200,
}  # fmt: skip
"""What a month costs at least."""

SUBSCRIPTIONS = (
    "Kinothek streaming", "Daily Courier", "Cloudkeep storage", "Bikeshare", "City library",
    "Language course", "Running app", "Veg box",
)  # fmt: skip
