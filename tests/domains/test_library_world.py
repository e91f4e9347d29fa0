"""The library's world and words: seed data, long walks, the policy and the words of refusals."""

import itertools
import random
import time
from datetime import date

import pytest

from davinci_env.domain import load
from davinci_env.environment import open_environment
from davinci_env.verify import rule_named
from davinci_env.verify.answers import names_rule
from tests.domains.library import broken, open_loans, owed, rows

TODAY = date(2026, 3, 16)
SEEDS = [0, 1, 2]


@pytest.fixture
def env():
    environment = open_environment("library_lending")
    yield environment
    environment.close()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("scale", [0.2, 0.25, 1.0, 4.0])
def test_a_new_world_is_in_order_and_shows_every_state(scale, seed):
    env = open_environment("library_lending", seed=seed, scale=scale)
    assert broken(env) == []
    for entity in env.domain.entities.values():
        info = entity._info
        if info.lifecycle is not None:
            seen = {getattr(row, info.state_column) for row in env.world.all(entity)}
            assert seen == set(info.lifecycle.states), entity
    number = sum(len(rows(env, name)) for name in env.domain.entities)
    assert {0.2: 240, 0.25: 240, 1.0: 500, 4.0: 1900}[scale] <= number
    assert number <= {0.2: 290, 0.25: 290, 1.0: 600, 4.0: 2400}[scale]


@pytest.mark.parametrize("seed", SEEDS)
def test_members_stand_at_and_just_below_the_limits(seed):
    env = open_environment("library_lending", seed=seed)
    members = rows(env, "Member")
    assert all(len(member.loans) >= 5 for member in members)
    assert {999 < owed(m) for m in members} == {True, False}
    assert {owed(m) for m in members} >= {0, 975, 1000}
    amounts = {f.amount for m in members for f in m.fines if f.status == "open"}
    assert amounts >= {475, 500, 525}
    counts = {(m.tier, len(open_loans(m))) for m in members}
    assert counts >= {("adult", 5), ("adult", 4), ("patron", 6), ("junior", 4), ("junior", 3)}
    holds = {(m.tier, sum(h.status in ("waiting", "ready") for h in m.holds)) for m in members}
    assert holds >= {("junior", 3), ("junior", 2), ("patron", 5), ("patron", 4), ("adult", 4)}
    assert {m.card_expires_on for m in members} >= {date(2026, 4, 15), date(2026, 4, 16)}


@pytest.mark.parametrize("seed", SEEDS)
def test_loans_of_one_copy_never_overlap_and_ids_follow_time(seed):
    env = open_environment("library_lending", seed=seed)
    for copy in rows(env, "Copy"):
        spans = sorted((x.borrowed_on, x.returned_on or date.max) for x in copy.loans)
        assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans))
    for name, column in [("Loan", "borrowed_on"), ("Fine", "raised_on"), ("Hold", "placed_on")]:
        days = [getattr(row, column) for row in rows(env, name)]
        assert days == sorted(days)
        assert all(day <= TODAY for day in days)


def test_isbns_have_a_true_check_digit_and_titles_are_editions(env):
    books = rows(env, "Book")
    for book in books:
        assert sum(int(d) * (1, 3)[n % 2] for n, d in enumerate(book.isbn)) % 10 == 0
    assert len({(b.title, b.format) for b in books}) == len(books)
    assert len({b.title for b in books}) < len(books)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_write_is_possible_for_somebody_in_a_small_world(seed):
    env = open_environment("library_lending", seed=seed, scale=0.25)
    possible = set()
    for tool in env.domain.tools.values():
        if tool.kind != "write":
            continue
        pools = [
            env.world.all(p.entity) if p.entity else p.type.choices or (200,)
            for p in tool.parameters
        ]
        names = [p.name for p in tool.parameters]
        for values in itertools.product(*pools):
            bound = dict(zip(names, values, strict=True))
            if not tool.blockers(tool.context(bound, env.world.db, [], {})):
                possible.add(tool.name)
                break
    assert possible == {t.name for t in env.domain.tools.values() if t.kind == "write"}


def test_a_large_world_is_built_quickly_and_in_order():
    start = time.process_time()
    env = open_environment("library_lending", scale=100)
    assert time.process_time() - start < 15
    assert sum(len(rows(env, name)) for name in env.domain.entities) > 50_000
    assert broken(env) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_no_walk_leads_out_of_order(seed):
    env = open_environment("library_lending", seed=seed, scale=0.25)
    rng = random.Random(seed)
    tools = [t for t in env.domain.tools.values() if t.kind == "write"]
    done = dict.fromkeys((t.name for t in tools), 0)
    for _ in range(600):
        tool = min(rng.sample(tools, 4), key=lambda t: done[t.name])
        arguments = {}
        for parameter in tool.parameters:
            pool = (
                [row.id for row in env.world.all(parameter.entity)]
                if parameter.entity
                else (parameter.type.choices or (25, 200, 500))
            )
            arguments[parameter.wire] = rng.choice(pool)
        result = env.call(tool.name, arguments)
        assert result.code != "internal_error", result
        if result.ok:
            done[tool.name] += 1
            assert broken(env) == [], (tool.name, arguments)
    assert min(done.values()) > 0


# -- the policy ----


def test_the_policy_says_it_all_in_its_own_numbers():
    domain = load("library_lending")
    policy = domain.policy()
    assert len(policy.split()) > 1500
    for text in ["$10.00", "$5.00", "$2.00", "$0.25", "$12.00", "7 days", "365 days", "30 days"]:
        assert text in policy
    flat = " ".join(policy.split())
    for rule in domain.rules.values():
        assert rule.text in flat
        assert rule.because or rule.parts
        assert rule.concepts or all(part.concepts for part in rule.parts)


EXAMPLES = {
    "{loan.renewals}": "2",
    "{loan.due_on}": "March 8",
    "{member.card_expires_on}": "March 4",
    "{branch.name}": "Mill Street",
    "{hold.branch.name}": "Northgate",
    "{copy.book.title}": "The Salt Road",
    "{book.title}": "The Salt Road",
    "{book.price}": "$31.50",
    "{fine.amount}": "$7.25",
    "{fine.paid}": "$2.25",
    "{fine.raised_on}": "February 3",
}
LEADS = ["I'm sorry, I can't do that: {}.", "Unfortunately that isn't possible, because {}."]


def filled(domain, text: str) -> str:
    for place, example in EXAMPLES.items():
        text = text.replace(place, example)
    return domain.render(text)


@pytest.mark.parametrize("lead", LEADS)
def test_every_wording_of_a_refusal_names_its_rule_with_and_without_its_offers(lead):
    domain = load("library_lending")
    domain.finish()
    for rule in domain.rules.values():
        for said in [rule, *rule.parts]:
            assert not said.because or len(said.because) >= 4, rule.code
            for text in said.because:
                for offer in ["", *[f" If you like, {x}." for x in said.offers]]:
                    message = lead.format(filled(domain, text)) + filled(domain, offer)
                    verdict = rule_named(domain, rule.code, said.concepts, message)
                    assert verdict.passed, (rule.code, message, verdict.reason)


# How somebody else might refuse, written without a look at the concepts.
REFUSALS = [
    ("card_not_suspended", "I can't check this out to you while your card is blocked."),
    ("card_not_suspended", "Sorry, your account has been suspended, so a renewal won't work."),
    ("card_not_expired", "Your library card expired on March 4, so I'm unable to lend you this."),
    ("card_not_expired", "I can't place that hold because your membership has lapsed."),
    ("below_loan_limit", "I can't lend you a fifth book, four loans are the maximum on this card."),
    ("below_loan_limit", "You've reached your borrowing limit, so I can't check it out."),
    ("below_fine_block", "I'm unable to renew it: you owe more than ten dollars, that's too much."),
    ("below_fine_block", "Your outstanding fines come to $10.00, so borrowing isn't possible."),
    ("copy_free_for", "I can't give you that copy, it has been set aside for another reader."),
    ("renewals_left", "It can't be extended again, you've used up both renewals."),
    ("renewals_left", "Two renewals are the limit, so I can't extend it a third time."),
    ("nobody_waiting", "I can't renew it, because someone else has placed a hold on it."),
    ("nobody_waiting", "Another reader is waiting for this title, so I can't extend your loan."),
    ("not_long_overdue", "I can't renew a book that is more than a week overdue."),
    ("below_hold_limit", "I can't add that hold, you've reached the maximum of three."),
    ("nothing_on_shelf", "No hold is possible while there is a copy available at Northgate."),
    ("not_borrowed", "I can't put you in the queue, you already have this one on loan."),
    ("not_queued", "You're already in the queue for it, so I can't add a second hold."),
    ("within_open_amount", "I can't take that: the payment would exceed what is open."),
    ("owes_nothing", "I can't reinstate it until the outstanding fine has been settled."),
    ("card_near_expiry", "It's too early: the card can't be renewed before April."),
    ("room_in_van", "I can't send it, three copies are in transit to Saltmarsh, the limit."),
    ("one_waiver", "I can't waive another one, because you've had your waiver once before."),
    ("branch_open", "Mill Street can't be chosen, that branch is closed right now."),
    ("large_enough_part", "I can't accept that, a part payment has to be at least $2.00."),
    ("no_second_copy", "I can't lend you a second copy of the same title."),
    ("nothing_long_overdue", "I can't check it out until your overdue book has been returned."),
    ("nothing_long_overdue", "Another loan on your card is far too late, bring it back first."),
    ("renewal_open", "I can't extend it yet, that's too early: renewals open on Wednesday."),
    ("recent_enough", "I can't waive it, the fine is older than 28 days."),
    ("recent_enough", "Sorry, it's too late for a waiver of that fine."),
    ("suits_card", "I can't lend this to you: its price is too high for a junior card."),
    ("one_edition", "I can't add a hold while you're in the queue for the other edition."),
    ("not_next_in_line", "I can't change the branch any more, you're first in the queue for it."),
    ("none_there", "I can't send it there, another copy is on the shelf at that branch."),
    ("lost_in_one_sum", "I can't take an instalment, a lost book is paid for as a whole."),
    ("identified", "I can't discuss that account before the holder has identified themselves."),
]


@pytest.mark.parametrize(("code", "text"), REFUSALS)
def test_refusals_in_other_words_are_recognised(code, text):
    rules = load("library_lending").rules
    others = {c: rule.concepts for c, rule in rules.items() if c != code and rule.concepts}
    verdict = names_rule(text, rules[code].concepts, others=others)
    assert verdict.passed, verdict.reason


@pytest.mark.parametrize(("code", "text"), REFUSALS)
def test_no_other_rule_is_taken_for_the_one_that_is_named(code, text):
    rules = load("library_lending").rules
    for wrong, rule in rules.items():
        if wrong != code and rule.concepts:
            others = {c: r.concepts for c, r in rules.items() if c != wrong and r.concepts}
            assert not names_rule(text, rule.concepts, others=others).passed, wrong
