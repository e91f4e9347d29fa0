"""The log: what a rule may ask of it."""

from davinci_env.domain import CallEntry, Event, Message
from davinci_env.domain.log import CallLog, Log
from tests.support.opened import opened

RENEW = {"loan_id": "#00100", "until": "2026-05-01"}


def log(*entries, arguments=RENEW, free=frozenset()):
    return CallLog(list(entries), "renew_loan", arguments, free, {})


def confirmed(arguments, kind="confirmed", tool="renew_loan"):
    return Event(kind, {"tool": tool, "arguments": arguments})


def called(arguments, ok=True, tool="renew_loan", seen=()):
    return CallEntry(tool, arguments, ok, None if ok else "x", (), seen, True)


def test_exactly_this_call_must_be_confirmed():
    assert not log().confirmed()
    assert log(confirmed(dict(RENEW))).confirmed()
    assert not log(confirmed({**RENEW, "until": "2026-05-02"})).confirmed()
    assert not log(confirmed({"loan_id": "#00100"})).confirmed()
    assert not log(confirmed(RENEW, tool="borrow")).confirmed()
    assert not log(confirmed(RENEW, kind="proposed")).confirmed()


def test_a_confirmation_is_used_up_and_can_be_taken_back():
    assert not log(confirmed(RENEW), called(RENEW)).confirmed()
    assert log(confirmed(RENEW), called(RENEW, ok=False)).confirmed()
    assert log(confirmed(RENEW), called({"loan_id": "other"})).confirmed()
    assert not log(confirmed(RENEW), confirmed(RENEW, kind="declined")).confirmed()
    assert log(confirmed(RENEW, kind="declined"), confirmed(RENEW)).confirmed()
    assert log(confirmed(RENEW), called(RENEW), confirmed(RENEW)).confirmed()


def test_free_texts_need_not_be_confirmed():
    entries = [confirmed({"loan_id": "#00100"})]
    assert not log(*entries).confirmed()
    assert log(*entries, free=frozenset(["until"])).confirmed()


def test_identification_wants_every_attribute_s_true_value():
    env = opened()
    member = env.row("members", "M-0004")

    def revealed(*values):
        events = [Event("revealed", {"fact": "x", "value": value}) for value in values]
        return log(*events)

    assert not revealed().identified(member, "email")
    assert revealed(member.email).identified(member, "email")
    assert revealed(f" {member.email.upper()} ").identified(member, "email")
    assert not revealed("someone@else").identified(member, "email")
    assert not revealed(member.email).identified(member, "email", "born_on")
    assert revealed(member.email, member.born_on.isoformat()).identified(member, "email", "born_on")
    asked = Event("asked", {"fact": "x", "value": member.email})
    assert not log(asked).identified(member, "email")


def test_what_was_called_and_seen():
    env = opened()
    loan = env.row("loans", "#00100")
    entries = [called(RENEW, seen=(("loans", "#00100"),)), called({}, ok=False, tool="borrow")]
    assert log(*entries).called("renew_loan")
    assert not log(*entries).called("borrow")
    assert log(*entries).seen(loan)
    assert not log(*entries).seen(loan.member)


def test_the_log_in_order_by_kind():
    entries = [Message("user", "hi"), confirmed(RENEW), called(RENEW), Message("assistant", "done")]
    whole = Log(list(entries))
    assert list(whole) == entries
    assert len(whole) == 4
    assert list(whole.calls()) == entries[2:3]
    assert list(whole.events()) == entries[1:2]
    assert list(whole.events("asked")) == []
    assert whole.final_message == "done"
    assert Log().final_message == ""
    assert Log([Message("user", "x")]).final_message == ""
