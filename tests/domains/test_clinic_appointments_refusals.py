"""The patient portal: refusals worded by somebody else name the rule that applies, and no other."""

import pytest

from davinci_env.verify import rule_named
from tests.domains.clinic_portal import clinic

# By rule, or rule and part: how people decline for that reason, apart from the domain's own words.
REFUSALS = {
    "contact_verified": [
        "I'm afraid I can't book it, as your contact details haven't been verified.",
        "I can't do that yet: the front desk still has to check your email and phone number.",
        "Unfortunately I can't book for you: reception hasn't verified your telephone number.",
    ],
    "no_shows_below_limit": [
        "I can't book this for you, because you missed three visits in the past year.",
        "Unfortunately online booking isn't possible after three no-shows.",
        "I'm not able to; you didn't come to three appointments in the last twelve months.",
    ],
    "balance_below_limit": [
        "I can't book that while you owe us more than 75 euros.",
        "I'm unable to go ahead: your unpaid bills add up to €84.",
        "Sorry, I cannot book a new visit, since your outstanding balance is too high.",
    ],
    "guardian_on_file": [
        "I can't book for a child without a guardian on file.",
        "Booking isn't possible because we don't have a parent registered for this minor.",
        "I'm not able to: the patient is under 18 and no legal guardian is recorded.",
    ],
    "specialty_limit": [
        "I can't book another one: you already have two dermatology visits coming up.",
        "I'm not able to, because at most two upcoming appointments per specialty are allowed.",
        "Sorry, that won't work: two cardiology visits are booked, which is the maximum.",
    ],
    "bookable_time/0": [
        "I can't book it because it starts in less than four hours.",
        "That's not possible; the portal needs at least four hours before the start.",
    ],
    "bookable_time/1": [
        "I can't book that far ahead; the calendar opens 60 days in advance.",
        "I can't do that: the slot is more than sixty days away.",
        "Sorry, that isn't possible, only visits within the next 60 days can be booked.",
    ],
    "slot_suits_visit/0": [
        "I can't do that, skin screenings are not done in Dr. Weiss's specialty.",
        "I cannot book it there: that provider works in a different specialty.",
    ],
    "slot_suits_visit/1": [
        "I can't book it, the slot is too short for a mole removal.",
        "I can't do that: the visit takes longer than the slot lasts.",
    ],
    "slot_suits_visit/2": [
        "I can't do that; this slot is reserved for a group class.",
        "I can't book a back class there, group classes have their own slots.",
    ],
    "no_overlap": [
        "I can't book that, it overlaps with your physiotherapy session.",
        "I'm not able to because you have another visit at the same time.",
        "That won't work: it would clash with your check-up.",
    ],
    "new_time_free": [
        "I can't move it there, because it would overlap with your other appointment.",
        "That isn't possible: you have another visit at that time.",
        "I can't do this, the new time clashes with your sick visit.",
    ],
    "another_slot": [
        "I can't move it, it's already in that slot.",
        "I can't do that: that's the same slot you have now.",
    ],
    "referral_matches/0": [
        "I can't book a heart consultation without a referral.",
        "I can't do it, this kind of visit requires a referral and you have none.",
    ],
    "referral_matches/1": [
        "I can't put a referral on a skin screening: it is booked without one.",
        "I can't do that, this visit is booked without a referral.",
    ],
    "referral_matches/2": [
        "I can't book it: your referral is for a different specialty.",
        "That's not possible since the referral isn't for cardiology.",
    ],
    "referral_valid_that_day": [
        "I can't book that day, since your referral expires before then.",
        "I can't do that: your referral is only valid until 20 April.",
        "I'm not able to; the referral will have run out by the day of the visit.",
    ],
    "referral_visits_left": [
        "I can't book it: all visits on your referral have been used.",
        "I can't do that, there are no visits left on the referral.",
        "I'm afraid your referral is used up, so I cannot book another session.",
    ],
    "video_possible": [
        "I can't make it a video visit, a skin screening has to be done on site.",
        "I can't do that: this kind of visit isn't offered by video.",
        "That isn't possible remotely; you need to come in person.",
    ],
    "notice_to_move": [
        "I can't move it any more: it starts in less than 24 hours.",
        "I can't reschedule it because moving a visit needs a day's notice.",
        "I'm not able to move it on such short notice.",
    ],
    "moves_left": [
        "I can't move it again: it has already been moved twice.",
        "I'm not able to reschedule it because a visit can only be moved two times.",
        "Sorry, I can't: this appointment has reached the maximum number of changes.",
    ],
    "before_cutoff": [
        "I can't cancel it: it starts in less than two hours.",
        "It's too late to cancel in the portal, since the visit begins within 2 hours.",
        "I'm not able to cancel a visit that is about to start in two hours.",
    ],
    "time_to_confirm": [
        "I can't confirm it yet; that's only possible in the seven days before the visit.",
        "I can't do that: it is too early, the visit is more than a week away.",
        "You can't confirm it more than 7 days ahead.",
    ],
    "form_received": [
        "I can't confirm it because the intake form is missing.",
        "I can't do that until we have your questionnaire.",
        "I'm not able to confirm: the form hasn't been submitted.",
    ],
    "calendar_full": [
        "I can't put you on the waitlist, because Dr. Weiss still has a free slot next week.",
        "I can't do that: there are still free appointments within 14 days.",
        "The waiting list isn't possible while seats are available in her calendar.",
    ],
    "below_queue_limit": [
        "I can't add you: you are already on two waitlists.",
        "I'm not able to; two waitlist places at a time are the maximum.",
        "Sorry, I can't, you've reached the limit of waiting lists.",
    ],
    "can_be_queued/0": [
        "I can't do that: Dr. Weiss works in another specialty.",
        "I cannot, this provider isn't in dermatology but in another department.",
    ],
    "can_be_queued/1": ["I can't: there is no waitlist for group classes."],
    "can_be_queued/2": ["I can't put a visit that needs a referral on a waitlist."],
    "offer_stands": [
        "I can't accept it, the offer has expired.",
        "I can't do that: the offer ended this morning.",
        "I'm afraid it's no longer possible, the time for accepting the offer is over.",
    ],
    "not_more_than_open": [
        "I can't take 100 euros, only 40 are still open on this invoice.",
        "I can't do that: that's more than what is due.",
        "I'm not able to charge more than the outstanding amount.",
    ],
    "no_pending_renewal": [
        "I can't request it again: a renewal is already pending.",
        "I can't do that because your earlier request is still waiting for the doctor.",
        "I'm not able to; you have already asked for that renewal.",
    ],
    "supply_nearly_out": [
        "I can't request it yet: your supply lasts until June.",
        "I can't do that, it's too early for a refill.",
        "I'm not able to because you have enough tablets for more than ten days.",
    ],
    "seen_recently": [
        "I can't request it, since Dr. Weiss has not seen you in the last 180 days.",
        "I can't do that: your last visit with the prescriber was too long ago.",
        "I'm not able to; you need to see the doctor who prescribed it first.",
    ],
    "is_minor": [
        "I can't add a guardian, the patient is an adult.",
        "I can't do that: only patients under 18 have a guardian on file.",
    ],
    "guardian_is_new": [
        "I can't add her again, she is already on file as the mother.",
        "I can't: that guardian is already registered.",
    ],
    "not_handed_over_yet": [
        "I can't hand this over again: a colleague has already been told about it.",
        "I can't do that, your request is still open with the nurse line.",
        "I can't pass it on twice; the front desk already has it.",
    ],
    "same_provider_for_follow_up": [
        "I can't book this with Dr. Weiss: follow-ups stay with the doctor who saw you last.",
        "I can't do that, a wound check has to be with the same provider as before.",
        "I'm not able to; follow-up visits go to the provider who treated you last.",
    ],
    "same_provider_when_moved": [
        "I can't move it to Dr. Weiss: visits are only moved within the same provider's calendar.",
        "I can't do that, moving to another doctor would be a new booking.",
        "I'm not able to change the provider when moving a visit.",
    ],
    "one_queue_a_specialty": [
        "I can't do that: you are already on a waitlist in dermatology.",
        "I can't add you, we offer the waitlist only once per specialty.",
        "I'm not able to, you already have a place in the queue for that specialty.",
    ],
    "oldest_invoice_first": [
        "I can't take that yet: the invoice due first has to be paid first.",
        "I can't do that while an older invoice is open.",
        "I'm not able to, the earliest bill comes first.",
    ],
    "fees_in_one_payment": [
        "I can't split a no-show fee; it has to be paid in full.",
        "I'm not able to take part of it, since a late cancellation fee is paid in one go.",
        "I can't do that: only copays are paid in portions.",
    ],
    "same_day_for_acute_trouble": [
        "I can't put a skin screening on today: same-day times are for acute trouble.",
        "That's not possible, because what is left today is kept for urgent cases.",
        "I can't book it today, those times are reserved for patients with acute problems.",
    ],
    "assessed_before_class": [
        "I can't book the back class before a physiotherapist has assessed you.",
        "I'm afraid I can't: classes are only for patients with an assessment.",
        "That isn't possible, you need a movement assessment before you join a group class.",
    ],
    "first_visit_on_site": [
        "I can't make it a video visit, because your first visit in dermatology is on site.",
        "I'm not able to: new patients have to come in person the first time, not by video.",
        "I can't do that by video, as you have not been seen in cardiology before.",
    ],
    "one_visit_of_a_kind": [
        "I can't book it, since you already have a skin screening and a second one would be a "
        "duplicate.",
        "I'm not able to give you two visits of the same kind.",
        "I can't take that seat for you: you have the same visit booked already.",
    ],
    "form_is_for_a_visit": [
        "I can't hand the form in, as you have no upcoming visit in cardiology.",
        "I can't do that yet: no appointment is planned that the form would be for, none is ahead.",
        "I'm not able to, because there is no visit coming up in that specialty.",
    ],
    "no_open_medical_question": [
        "I can't request it while your medical question is still open.",
        "I'm not able to, because the nurse line hasn't answered your question yet.",
        "I can't send a renewal before the nurse has got back to you.",
    ],
    "no_controlled_renewals": [
        "I can't renew Zolpidem here, it is a controlled substance.",
        "I can't do that: controlled medicines are not renewed in the portal.",
    ],
    "fee_looked_up": ["I can't cancel before I've told you the late cancellation fee."],
    "details_confirmed": [
        "I can't do this without your explicit confirmation.",
        "I can't go ahead until you say yes.",
    ],
    "birth_date_given": ["I can't do that before you tell me your date of birth."],
}


def concepts_of(key: str) -> list[list[str]]:
    code, _, number = key.partition("/")
    rule = clinic().rules[code]
    groups = rule.parts[int(number)].concepts if number else rule.concepts
    return [list(group) for group in groups]


def test_every_rule_and_part_is_declined_here():
    clinic().finish()
    keys = {
        key
        for code, rule in clinic().rules.items()
        for key in ([f"{code}/{n}" for n in range(len(rule.parts))] or [code])
    }
    assert set(REFUSALS) == keys


@pytest.mark.parametrize("key", REFUSALS)
def test_refusals_name_no_other_rule(key):
    domain = clinic()
    rule = domain.rules[key.partition("/")[0]]
    guarded = [t for t in domain.tools.values() if any(r.code == rule.code for r in t.requires)]
    others = {r.code for t in guarded for r in t.requires if r.code != rule.code and r.concepts}
    for text in REFUSALS[key]:
        for code in others:
            assert not rule_named(domain, code, domain.rules[code].concepts, text).passed, code


def test_refusals_name_their_rule():
    """In free words, at most one in fifty is not recognised (docs/verifiers.md)."""
    domain = clinic()
    domain.finish()
    missed = [
        text
        for key, texts in REFUSALS.items()
        for text in texts
        if not rule_named(domain, key.partition("/")[0], concepts_of(key), text).passed
    ]
    total = sum(map(len, REFUSALS.values()))
    assert total > 100
    assert len(missed) <= 0.02 * total, missed
