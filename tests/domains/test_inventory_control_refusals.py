"""Refusals of the stock desk in a colleague's words, each recognised as its rule."""

import pytest

from davinci_env.domain import Domain, Rule, load
from davinci_env.verify import rule_named

REFUSALS = [
    ("in_whole_packs", "I can't do seven, as we only give out full packs."),
    ("in_whole_packs", "Sorry, these come in packs of six and I'm not able to split one."),
    ("enough_to_promise", "I can't reserve ten, there aren't enough left at the Mill Road store."),
    ("enough_to_promise", "Not possible, only three of them are available there."),
    ("enough_for_more", "I can't raise it, the store doesn't have enough free stock for that."),
    (
        "within_quota",
        "That isn't possible: a standard account may have at most 12 pieces set aside.",
    ),
    ("within_quota", "I can't, you'd go over your quota."),
    (
        "resized_within_quota",
        "I can't make it larger, your account's limit on pieces would be exceeded.",
    ),
    ("extensions_left", "I can't extend it again, it has been extended twice already."),
    (
        "within_horizon",
        "I can't keep it that long on your kind of account, the date is too far ahead.",
    ),
    (
        "nothing_under_way",
        "I can't release it, a transfer is already drafted and must be cancelled first.",
    ),
    ("nothing_under_way", "Not now: the goods are in transit and have to be received first."),
    ("has_a_counter", "I can't put it out, it's in a warehouse, and there is no counter there."),
    ("room_at_counter", "I'm sorry, the counter at that store is full."),
    (
        "goes_to_a_store",
        "I can't send it there, that's a warehouse and transfers only go to stores.",
    ),
    ("carried_there", "I can't move it there, the store doesn't carry that article."),
    ("has_arrived", "I can't book it in, the van isn't due before Thursday."),
    ("below_watch_limit", "I can't add one, you have three watches and that's the limit."),
    ("not_watched_yet", "You're already watching that article, so I can't add a second watch."),
    ("free_on_shelf", "I can't take out that many, only four pieces on the shelf are unreserved."),
    ("not_recalled", "I can't put it back on sale, it has been recalled and never goes back."),
    ("small_write_off", "I can't write that off, it's above the $300.00 limit."),
    ("covers_promises", "I can't approve it: more pieces are reserved there than were counted."),
    ("no_open_count", "I can't request one, a count of that shelf is already open."),
    ("is_colleague", "I'm afraid I can't, only colleagues may have a shelf counted."),
    ("location_open", "I can't arrange that, the Lake Lane store is closed for now."),
    ("not_reserved_there", "I can't, you already have a reservation of it at that store."),
    ("not_lapsed_lately", "I can't, you let a reservation of it lapse five days ago."),
    ("near_its_end", "It's too early to extend it, its last day is May 19."),
    ("arrives_in_time", "I can't send it, it would arrive after your reservation has run out."),
    ("sold_out", "I can't set a watch, since it's in stock at the Quayside warehouse."),
    ("not_counted_lately", "I can't, that shelf was counted only a few days ago."),
    ("small_difference", "I can't approve it, the difference is worth more than $400.00."),
    ("inspected", "I can't clear it yet, it's still under inspection."),
    (
        "within_write_off_total",
        "I can't write it off, the store's total of $600.00 would be exceeded.",
    ),
]


def desk() -> Domain:
    return load("inventory_control")


def named(domain: Domain, rule: Rule, text: str) -> bool:
    """Whether a message names a rule, or one of its parts."""
    groups = [said.concepts for said in (*rule.parts, rule) if said.concepts]
    return any(rule_named(domain, rule.code, concepts, text).passed for concepts in groups)


@pytest.mark.parametrize(("code", "text"), REFUSALS)
def test_a_refusal_in_other_words_names_its_rule(code: str, text: str) -> None:
    domain = desk()
    assert named(domain, domain.rules[code], text)


def test_each_rule_that_can_be_told_is_refused_here() -> None:
    told = {code for code, rule in desk().rules.items() if rule.kind is None}
    assert {code for code, _ in REFUSALS} >= told
