"""The patient portal: refusals in words that the domain did not have for its rules at first."""

import pytest

from davinci_env.verify import rule_named
from tests.domains.clinic_portal import clinic
from tests.domains.test_clinic_appointments_refusals import concepts_of

# Of 195 written without looking at the rules' words, these are understood; by rule, or rule and
# part.
REFUSALS = {
    "contact_verified": [
        "I'm sorry, I can't book that for you: your e-mail and mobile number are still unverified.",
        "I can't put you on the list yet, since nobody at reception has validated your "
        "contact data.",
        "Sorry, I can't do that. Before you can book online, the front desk has to "
        "approve your phone and e-mail.",
        "I can't book it: your phone number hasn't been checked by our staff so far.",
    ],
    "no_shows_below_limit": [
        "I can't book it, because you have failed to turn up three times in the last year.",
        "I'm sorry, but your account is locked for bookings after three appointments "
        "that you skipped.",
        "I can't do that: you weren't there for three of your visits within a year.",
        "I can't do that: three times in a year you let an appointment pass without coming.",
        "I can't, because of the missed appointments on your record.",
    ],
    "balance_below_limit": [
        "I can't book anything for you as long as €87 of fees are unsettled.",
        "Sorry, I can't: there's more than 75 euros open on your account, and that has "
        "to come down first.",
        "I can't do that, because you are behind with your payments by more than the "
        "allowed amount.",
        "I can't book it: please pay some of what you owe first.",
        "I can't, your account is more than 75 euros in the red.",
    ],
    "guardian_on_file": [
        "I can't book it: this is a child's account, and no adult responsible for the "
        "child has been entered.",
        "I can't: for minors we need somebody with custody on record.",
        "I can't book for your son, his parents aren't in our file.",
        "I can't: an under-age patient needs a guardian here.",
    ],
    "specialty_limit": [
        "I can't book a third appointment in cardiology; you have two already.",
        "Sorry, I can't, because your quota in dermatology is full with the two visits "
        "you have lined up.",
        "I can't add one more: we allow a pair of future visits per department, and "
        "you've got both.",
        "I can't: you already have both of the visits in cardiology that we allow.",
    ],
    "bookable_time/0": [
        "I can't give you that one, it begins too soon; we need four hours' lead time.",
        "I'm sorry, that's too short notice, the appointment would start within four "
        "hours, so I can't book it.",
        "I can't, it's only two hours until that slot begins.",
        "I can't book it, since it's less than four hours from now.",
    ],
    "bookable_time/1": [
        "I can't book that yet, it lies more than two months in the future.",
        "Sorry, I can't: bookings for that day haven't opened, as we only go sixty days out.",
        "I can't book June 20, we only plan sixty days ahead.",
        "I can't: that date is too far off.",
    ],
    "slot_suits_visit/0": [
        "I can't book a mole removal there, because Dr. Haddad is a cardiologist.",
        "I can't, that doctor doesn't do skin screenings; they belong to dermatology.",
    ],
    "slot_suits_visit/1": [
        "I can't book that: twenty minutes aren't enough for a mole removal.",
        "Sorry, I can't, that time is not long enough for what you need.",
        "I can't: a heart consultation needs forty minutes and that slot has twenty.",
    ],
    "slot_suits_visit/2": [
        "I can't, that slot is a class with several participants, not a one-to-one consultation.",
        "I can't book it, since this is a one-person slot and back classes are for groups.",
        "I can't: that time is for the back class.",
        "I can't put a check-up into a group slot.",
    ],
    "no_overlap": [
        "I can't book this because you'd be at your wound check at that hour.",
        "Sorry, I can't, you're already booked elsewhere at half past nine.",
        "I can't do it: the two appointments would run into each other.",
        "I can't, since you'd have two visits at once.",
    ],
    "new_time_free": [
        "I can't move it there, as you've got your back class just then.",
        "I can't: your sick visit is at that time.",
        "I can't move it to where another of your visits would overlap it.",
    ],
    "another_slot": [
        "I can't move it, since that is exactly the time it's booked for now.",
        "I can't: your visit is there already.",
        "I can't move it: it's in this slot already.",
        "I can't, you have that time already.",
    ],
    "referral_matches/0": [
        "I can't book the mole removal, since you haven't got a doctor's letter for it.",
        "I can't do that; physiotherapy sessions are by referral only and I don't see one for you.",
        "I can't book physiotherapy without a referral.",
        "I can't, as a referral is missing for that.",
    ],
    "referral_matches/1": [
        "I can't attach the letter, because this visit doesn't call for a referral.",
        "I can't: no referral is needed for a skin screening.",
        "I can't spend your referral on a visit that goes without.",
    ],
    "referral_matches/2": [
        "I can't, because that letter was written for cardiology and not for dermatology.",
        "I can't book it on this one: the referral covers physiotherapy only.",
        "I can't use that referral, it's for physiotherapy.",
        "I can't: your cardiology referral doesn't cover a mole removal.",
    ],
    "referral_valid_that_day": [
        "I can't book April 30, your referral is only good until the 24th.",
        "I can't: by that day your letter from Dr. Ruiz will be out of date.",
        "Sorry, I can't, the referral doesn't cover that date any more.",
        "I can't, as your referral won't be valid any more on May 4.",
    ],
    "referral_visits_left": [
        "I can't book a further session, your referral has no sessions remaining.",
        "I can't: the letter was good for three visits, and you've had all three.",
        "I can't: your referral was for one visit and that has been used.",
        "I can't, nothing is left on your referral.",
    ],
    "video_possible": [
        "I can't arrange that online, the doctor has to examine you at the practice.",
        "I can't set up a video call for a mole removal, it's only done face to face.",
        "I can't: that's only possible in person.",
        "I can't offer a mole removal by video, I'm afraid.",
    ],
    "notice_to_move": [
        "I can't move it, the appointment is tomorrow morning and it's under 24 hours away.",
        "Sorry, I can't, changes have to be made at least one day ahead.",
        "I can't do that at such short notice.",
        "I can't: it's tomorrow at eight, and a visit can be moved up to 24 hours before.",
        "I can't move it on the day before.",
    ],
    "moves_left": [
        "I can't shift it once more, you've already changed the date twice.",
        "I can't: two reschedulings are the most we allow per appointment.",
        "I can't: it has been rescheduled two times already.",
        "I can't move this one again.",
    ],
    "before_cutoff": [
        "I can't cancel that, it begins in an hour or so.",
        "I can't take it off the calendar any longer, there are under two hours to go.",
        "I can't: it starts in an hour.",
        "I can't cancel it so shortly before the start; two hours is the minimum.",
    ],
    "time_to_confirm": [
        "I can't confirm it now, because it's still over a week off.",
        "I can't do that yet; please come back once it is less than seven days away.",
        "I can't: it's still two weeks away.",
        "I can't confirm a visit that's more than seven days off.",
    ],
    "form_received": [
        "I can't confirm this visit, because we haven't received your intake paperwork.",
        "I can't: you still need to fill in the dermatology questions for us.",
        "I can't: your skin form isn't here yet.",
        "I can't confirm before you've handed in the questionnaire.",
    ],
    "calendar_full": [
        "I can't add you to the queue because there's still room in Dr. Falk's diary.",
        "I can't: you could simply book, there is an opening on Thursday.",
        "I can't: Dr. Falk has a seat free on Friday.",
        "I can't, as his calendar isn't full.",
    ],
    "below_queue_limit": [
        "I can't put you in another queue, you're standing in two already.",
        "I can't: more than two waitlist places per person aren't allowed.",
        "I can't: you're on two lists already.",
        "I can't put you on a third waiting list.",
    ],
    "can_be_queued/0": [
        "I can't, Dr. Haddad is a cardiologist and doesn't do skin screenings.",
    ],
    "can_be_queued/1": [
        "I can't: we don't keep a waitlist for the back class.",
    ],
    "can_be_queued/2": [
        "I can't put you in line for a mole removal, since that needs a doctor's letter.",
    ],
    "offer_stands": [
        "I can't book that seat for you, the deadline for the offer has passed.",
        "I can't: you would have had to reply to the offer by noon.",
        "I can't: the offer was only good until last night.",
        "I can't, since that offer isn't valid any more.",
    ],
    "not_more_than_open": [
        "I can't charge €30, as the invoice only has €12 to go.",
        "I can't take that much; you'd be overpaying the bill.",
        "I can't: you only owe €8.25 on it.",
        "I can't take more than the €12 that are left.",
    ],
    "no_pending_renewal": [
        "I can't send another one, there's a renewal request in the works.",
        "I can't: we've already passed your wish for more Ramipril to the doctor and are "
        "waiting for the answer.",
        "I can't: one request for it is pending.",
        "I can't ask twice, your first request hasn't been answered.",
    ],
    "supply_nearly_out": [
        "I can't order it yet, you've still got plenty left until the end of May.",
        "I can't: refills open ten days before you run out.",
        "I can't: you have enough until June.",
        "I can't, it's more than ten days until you run out.",
    ],
    "seen_recently": [
        "I can't, Dr. Falk hasn't examined you for over half a year.",
        "I can't request that before you've had a check-up with the prescriber; the last "
        "one was over six months back.",
        "I can't: your last appointment with her was in August.",
        "I can't, you haven't been to see Dr. Menon for too long.",
    ],
    "is_minor": [
        "I can't enter a guardian, since you are over 18.",
        "I can't: you're a grown-up, so nobody else is put on file for you.",
        "I can't: guardians are only for children.",
        "I can't, you're of full age.",
    ],
    "guardian_is_new": [
        "I can't, because Kim Weber is listed as the mother as it is.",
    ],
    "not_handed_over_yet": [
        "I can't forward it a second time, the nurse line is on it.",
        "I can't pass this on again while the first message is unanswered.",
        "I can't: the front desk has your message already.",
        "I can't, there's an open request about it with a colleague.",
    ],
    "same_provider_for_follow_up": [
        "I can't book your wound check with Dr. Falk, it has to be with Dr. Keller, who "
        "treated you.",
        "I can't: check-ups of an ongoing treatment remain with your usual doctor.",
        "I can't: a wound check is done by the doctor who treated you.",
        "I can't book that with anybody but your last provider.",
    ],
    "same_provider_when_moved": [
        "I can't move it over to Dr. Falk, as rescheduling only works with Dr. Keller, "
        "whom you are booked with.",
        "I can't: switching doctors means cancelling and booking afresh.",
        "I can't: it stays with Dr. Keller, another doctor would mean a new booking.",
        "I can't move a visit to a different therapist.",
    ],
    "one_queue_a_specialty": [
        "I can't add you, you're already waiting for somebody else in cardiology.",
        "I can't: one waiting place per department is all we give.",
        "I can't: you have a waitlist place in dermatology as it is.",
        "I can't, a second queue in one specialty isn't possible.",
    ],
    "oldest_invoice_first": [
        "I can't take money for that bill while an earlier one is unpaid.",
        "I can't: please clear the January invoice before this one.",
        "I can't: your invoice from January is older and goes first.",
        "I can't, bills are paid in the order in which they fall due, and an earlier one is open.",
    ],
    "fees_in_one_payment": [
        "I can't accept a partial payment on a no-show fee.",
        "I can't: the cancellation charge has to be paid all at once.",
        "I can't: no-show fees aren't payable in instalments.",
        "I can't take half of a late-cancellation fee.",
    ],
    "same_day_for_acute_trouble": [
        "I can't book that for today, because same-day appointments are for emergencies.",
        "I can't: today's slots are held back for people who are acutely ill.",
        "I can't: today is for acute cases only.",
        "I can't, what's free today is meant for urgent problems.",
    ],
    "assessed_before_class": [
        "I can't: participants of the back class need an assessment beforehand.",
        "I can't: you need an assessment before joining the class.",
        "I can't book a group class for somebody our therapists haven't assessed.",
    ],
    "first_visit_on_site": [
        "I can't do a video call, since nobody in dermatology has met you yet.",
        "I can't book it by video: the very first consultation takes place at the practice.",
        "I can't: your first visit has to be in person.",
        "I can't do it by video, since you've never been to dermatology with us.",
    ],
    "one_visit_of_a_kind": [
        "I can't book another yearly check-up, you have one coming up.",
        "I can't: that would be the second skin screening, and we only keep one per patient.",
    ],
    "form_is_for_a_visit": [
        "I can't take the form now, as you haven't got any appointment in cardiology.",
        "I can't: please book a visit in dermatology first, without one the form isn't needed.",
        "I can't: nothing is booked in cardiology that it would be for.",
        "I can't, you have no visit ahead there.",
    ],
    "no_open_medical_question": [
        "I can't request it, because the nurses still have to reply to your question.",
        "I can't: you asked the nurse line something that is unanswered, and we wait for that.",
        "I can't: your question to the nurse line has to be answered first.",
        "I can't, a medical question of yours is open.",
    ],
    "no_controlled_renewals": [
        "I can't order Tramadol here, it falls under the narcotics rules.",
        "I can't: medicines of that class are strictly regulated and have to go through "
        "the nurse line.",
        "I can't: Lorazepam is a controlled drug.",
        "I can't, that's on the list of controlled substances.",
    ],
    "fee_looked_up": [
        "I can't cancel it before you know what it would cost you this late.",
    ],
    "details_confirmed": [
        "I can't go ahead without your OK.",
    ],
    "birth_date_given": [
        "I can't do that without your birthdate.",
        "I can't: please tell me when you were born first.",
    ],
}


@pytest.mark.parametrize("key", REFUSALS)
def test_refusals_name_their_rule_and_no_other(key):
    domain = clinic()
    domain.finish()
    code = key.partition("/")[0]
    guarded = [t for t in domain.tools.values() if any(r.code == code for r in t.requires)]
    others = {r.code for t in guarded for r in t.requires if r.code != code and r.concepts}
    for text in REFUSALS[key]:
        assert rule_named(domain, code, concepts_of(key), text).passed, text
        for other in others:
            assert not rule_named(domain, other, domain.rules[other].concepts, text).passed, other
