"""Who and what a generated memory knows of."""

from __future__ import annotations

from collections.abc import Mapping

PEOPLE: Mapping[str, tuple[str, ...]] = {
    "Ines Okafor": ("is allergic to walnuts", "prefers to be phoned after six", "plays the viola"),
    "Bruno Castellani": ("drives a red camper van", "is vegetarian", "collects railway tickets"),
    "Hanne Solberg": ("speaks Norwegian and German", "is on leave until August", "runs marathons"),
    "Dmitri Volkov": ("repairs old radios", "has two daughters", "answers e-mails at night"),
    "Leila Farouk": ("wears size 38 shoes", "is learning to sail", "dislikes coriander"),
    "Gareth Pugh": ("coaches the under-twelves", "has a ladder to lend", "hates video calls"),
    "Yuki Tanabe": ("makes pottery", "was born in Sapporo", "takes tea with lemon"),
    "Marisol Vega": ("has a spare key to the flat", "turns forty in October", "teaches chemistry"),
    "Piet Janssen": ("is afraid of dogs", "grows dahlias", "only takes cash"),
    "Chidi Nwosu": ("works on Saturdays", "is a notary", "cycles to work"),
    "Frieda Lang": ("is moving house in spring", "knows the mayor", "keeps bees"),
    "Samir Haddad": ("cooks for the street party", "has a season ticket", "is left-handed"),
    "Rosa Lindgren": ("broke an ankle in March", "writes crime novels", "likes window seats"),
    "Owen Driscoll": ("is the landlord's brother", "fixes boilers", "talks for hours on the phone"),
}

ORGANISATIONS: Mapping[str, tuple[str, ...]] = {
    "Brightwater Clinic": ("closes at noon on Wednesdays", "has parking behind the building"),
    "Nordlicht Print": ("needs three days for posters", "delivers on Fridays"),
    "Fenwick Primary School": ("has its fair in June", "wants forms back by Monday"),
    "Calder & Roe Solicitors": ("charges by the quarter hour", "keeps the will"),
    "Tern Street Bakery": ("opens at half past five", "takes cake orders by phone"),
    "Voltaro Energy": ("raised its prices in January", "sends bills in March and September"),
    "Harbour Rowing Club": ("meets on Tuesday evenings", "rents out double kayaks"),
}

PLACES: Mapping[str, tuple[str, ...]] = {
    "Lisbon": ("is an hour behind", "is hot in July"),
    "Tromsø": ("has no night in June", "needs warm shoes"),
    "Galway": ("has a race week in August", "is windy"),
    "Leipzig": ("has a book fair in March", "is an hour away by train"),
    "Zadar": ("has the sea organ", "is reached by ferry"),
    "Ghent": ("has a flower market on Sundays", "allows no cars in the centre"),
}

PROJECTS: Mapping[str, tuple[str, ...]] = {
    "the new playground": ("has a budget of 9,500 euros", "starts when the swings are there"),
    "the choir tour": ("needs a second bus", "ends with a concert in the cathedral"),
    "the family cookbook": ("lacks Grandmother's dumplings", "is to be printed before Christmas"),
    "the website relaunch": ("is three weeks late", "waits for the photographs"),
    "the neighbourhood library": ("has 412 books", "looks for a drier cupboard"),
}

EVENTS: Mapping[str, tuple[str, ...]] = {
    "the silver wedding": ("is on 14 September", "has 60 guests"),
    "the school reunion": ("is on 5 July", "costs 30 euros each"),
    "the regatta": ("is on 23 August", "starts at the old pier"),
    "the quiz night": ("is on 27 June", "needs teams of five"),
    "the farewell party": ("is on 11 July", "is a secret until the day"),
    "the open day": ("is on 13 September", "has tours every hour"),
    "the flea market": ("is on the first Sunday in October", "opens at eight"),
}

PETS: Mapping[str, tuple[str, ...]] = {
    "Pepper": ("is a tortoise", "hibernates in the cellar"),
    "Biscuit": ("is a lurcher", "gets tablets twice a day"),
    "Moomin": ("is a grey cat", "may not have milk"),
}
