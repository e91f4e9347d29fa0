"""Typed values in free text, with their places: a small grammar over the shape of a message.

A pattern of the grammar is a regular expression over one-letter word kinds (`words`), so a whole
message is read in one pass of some microseconds. Which value answers which slot is not decided
here.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import NamedTuple

from davinci_env.verify.answers import values as v
from davinci_env.verify.answers.text import Lazy, Text
from davinci_env.verify.answers.words import Word, one_of


class Finding(NamedTuple):
    """A value said in the text.

    Attributes:
        kind: number, money, span, date, time, moment (a date joined with a time; one that is
            written as one is a date), or zero, said by absence.
        readings: what it may mean, canonical; empty where the words contradict themselves
            ("Friday, March 16").
        start, end: its first word and the one after its last.
    """

    kind: str
    readings: v.Readings
    start: int
    end: int


Reader = Callable[[Sequence[Word], date], v.Readings]

_HUNDRED = "(?:(?:(?:t-?u|t|u|a)H(?:A?(?:t-?u|t|u))?)|t-?u|t|u)"
_CARD = f"(?:(?:(?:n|{_HUNDRED}|a)K(?:A?{_HUNDRED})?)|n|{_HUNDRED})"
_COUNT = "ntua"  # what a cardinal may start with
_TENS = "(?:n|t-?u|t|u)"
_CENTS = "(?:t(?:-?u)?|n)(?![mjdwcCHK$])"  # five dollars seventy-five
_MDAY = "(?:ns|n|t-?o|o)"
_BARE = "(?![mjdwC])"
_PARTING = "(?:,?IEQ|I?Q)?"  # in the afternoon

# Name, kind of value, shape, letters that it may start with, reader. At each place the first that
# fits wins.
_GRAMMAR: tuple[tuple[str, str, str, str, Reader], ...] = (
    ("iso", "date", "[DT]", "DT", v.read_iso),
    ("figures", "date", "(?:[WV],?)?X", "WVX", v.read_figures),
    ("md", "date", rf"(?:[WV][,.]?E?)?M\.?E?{_MDAY}(?:,?y)?", "WVM", v.read_calendar),
    ("dm", "date", rf"(?:[WV][,.]?E?|E)?{_MDAY}v?M(?:,?y)?", "WVEnto", v.read_calendar),
    ("nth", "date", "E?[lo]W[vI]E?M(?:,?y)?", "Elo", v.read_nth_weekday),
    ("end", "date", "E?ZvM(?:,?y)?", "EZ", v.read_month_end),
    ("after", "date", "E?dfR", "Ed", v.read_relative),
    ("from", "date", f"I?(?:{_CARD}|a)[dw]FR", f"I{_COUNT}", v.read_relative),
    ("week_from", "date", "awFi?W", "a", v.read_week_from),
    ("ago", "date", f"(?:{_CARD}|a)[dw]g", _COUNT, v.read_relative),
    ("in", "date", f"I(?:{_CARD}|a)[dw](?!g)", "I", v.read_relative),
    ("dom", "date", "(?:W,?E?|E)ns", "WE", v.read_day_of_month),
    ("weekday", "date", "[xli]?W(?:xw)?", "xliW", v.read_weekday),
    ("today", "date", "R", "R", v.read_relative),
    ("sign", "money", r"\$n", "$", v.read_money),
    ("code", "money", "Cn", "C", v.read_money),
    ("dollars", "money", f"{_CARD}-?[C$](?:A?{_CARD}c|{_CENTS})?|aC", _COUNT, v.read_money),
    ("cents", "money", f"{_CARD}-?c", _COUNT, v.read_money),
    ("spoken", "time", f"(?:h|a?q|{_TENS}m?)b[nu](?:p|{_PARTING})", "haqntu", v.read_spoken_clock),
    ("to", "time", f"(?:a?q|{_TENS}m)e[nu](?:p|{_PARTING}){_BARE}", "aqntu", v.read_spoken_clock),
    ("just_to", "time", "(?:t-?u|t|u)e[nu](?:p|,?IEQ|I?Q)", "tu", v.read_spoken_clock),
    ("clock", "time", f":(?:p|{_PARTING})", ":", v.read_clock),
    ("hour", "time", f"np|(?:n|u)kp?{_PARTING}|(?:n|u)(?:IEQ)", "nu", v.read_clock),
    ("noon", "time", "N", "N", v.read_noon),
    ("duration", "span", "P", "P", v.read_duration),
    ("half", "span", "a?ha?-?j|a?h-j", "ah", v.read_span),
    ("quarters", "span", f"(?:{_CARD}|a)?qva?j", f"q{_COUNT}", v.read_span),
    (
        "and_quarter", "span", f"(?:{_CARD}|a)[jdw]A(?:a|u)?q(?![be])|{_CARD}A(?:a|u)?qj",
        _COUNT, v.read_quarters,
    ),
    ("and_half", "span", f"(?:{_CARD})A?a?h[jdw]|(?:{_CARD}|a)[jdw]Aah", _COUNT, v.read_span),
    ("glued", "span", "nJ(?:nm?)?|nJ,?A?nm", "n", v.read_span),
    ("units", "span", f"(?:{_CARD}|a)-?[mjdwJ](?:,?A?{_CARD}-?m)?", _COUNT, v.read_span),
    ("price", "money", "(?:t-?u|u)-?t(?:-?u)?(?![mjdwcCHK-])", "tu", v.read_price),
    ("dozen", "number", f"(?:{_CARD}|a)z", _COUNT, v.read_number),
    ("number", "number", f"{_CARD}|y", f"y{_COUNT}", v.read_number),
    ("place", "number", "o", "o", v.read_number),
)  # fmt: skip
_READERS = {name: (kind, reader) for name, kind, _, _, reader in _GRAMMAR}
# Where a value may start at all; common words ("the", "a", "in") only before what they introduce.
_START = re.compile(
    r"[$:CDMNPRTVWXZnoqtuy]|E(?=[WZdlnto])|I(?=[antu])|a(?=[CHJKdhjmqwz-])|h(?=[abj-])|d(?=f)|[ilox](?=W)"
)


@cache
def _patterns(letter: str) -> re.Pattern[str]:
    """The patterns that may start with a letter, as one, compiled on first use."""
    fitting = (f"(?P<{name}>{shape})" for name, _, shape, starts, _ in _GRAMMAR if letter in starts)
    return re.compile("|".join(fitting))


# "one" and "no" count only where a thing is counted: "the glass one", "no longer" do not.
_PRO_ONE = one_of("the this that which another other each every no any first second")
_NOT_ONE = one_of(
    "of is was are were has will would can i we you could that which isn't wasn't moment second sec"
    " thing way"
)
_HAS = one_of("have has had used missed got only just exactly there's")
_TIMES = one_of(", . ! ? ; ) and but so already before in since this last within during until")
_IN_ORDER = one_of("line queue list row")
_HOLDS_A_PLACE = one_of("you're are is it's number ranked currently now still")
_ANY = one_of("any anything anyone anybody")
_AT_EASE = frozenset(("feel", "feeling", "felt"))
_NOT_ZERO = one_of(
    "longer later sooner earlier fewer less more problem worries worry doubt need reason matter way"
    " secret trouble bother wonder surprise"
)


class Message(Text):
    """A text and the values that it says.

    Args:
        text: the message.
        today: the day to which "tomorrow" and dates without a year refer.
        now: the moment to which "in half an hour" refers, if known.
    """

    def __init__(self, text: str, today: date, now: datetime | None = None) -> None:
        super().__init__(text)
        self.today = today
        self.now = now

    @Lazy
    def findings(self) -> list[Finding]:
        """All values, in the order of the text; none overlap."""
        found = []
        shape, at = self.shape, 0
        while (start := _START.search(shape, at)) is not None:
            at = start.start()
            m = _patterns(shape[at]).match(shape, at)
            if m is None or m.lastgroup is None:
                at += 1
                continue
            kind, reader = _READERS[m.lastgroup]
            end = m.end()
            if kind == "number" and end == at + 1 and self._numbers_a_line(at):
                at = end
                continue
            if kind == "date" and self._runs_on(end):
                at = end
                continue
            counts = self._is_place(at) if m.lastgroup == "place" else self._counts(at)
            if kind != "number" or end - at > 1 or counts:
                found.append(Finding(kind, reader(self.words[at:end], self.today), at, end))
            at = end
        return found

    def _numbers_a_line(self, at: int) -> bool:
        """Whether a figure only numbers the line that it begins: 1. …"""
        if (at and self.shape[at - 1] != "\n") or not self.words[at].low.isdigit():
            return False
        if "\n" not in self.shape and self.words[at].low != "1":
            return False
        after = self.words[at + 1 : at + 3]
        return len(after) == 2 and after[0].low in (".", ")") and after[1].low != "\n"

    def _runs_on(self, end: int) -> bool:
        """Whether a figure that is no year follows a date as its year would: March 16, 20269."""
        if self.shape[end : end + 2] != ",n":
            return False
        return self.words[end - 1].kind != "y" and self.words[end + 1].value >= 10_000

    def _after(self, at: int) -> str:
        return self.words[at + 1].low if at + 1 < len(self.words) else "."

    def _counts(self, at: int) -> bool:
        """Whether a lone "one" is a number and no pronoun, "once" a number and no conjunction."""
        word = self.words[at].low
        if word not in ("one", "once"):
            return True
        after = self._after(at)
        before = self.words[at - 1].low if at else ""
        if word == "one" and before in _HAS and after in (".", ",", ";"):
            return True
        if word == "once":
            return after in _TIMES and before not in ("at", "all", "this")
        if {"another", "other"} & {w.low for w in self.words[at + 2 : at + 12]}:
            return False  # one colleague says …, another …
        if before == ":" and not after.isalpha():
            return True
        if after in ("is", "are") and before in ("and", "but", ","):  # three are out, one is in
            return any(w.kind in "nut" for w in self.words[max(0, at - 6) : at])
        return after[0].isalpha() and after not in _NOT_ONE and before not in _PRO_ONE

    def _is_place(self, at: int) -> bool:
        """Whether an ordinal tells somebody's place: second in line; you're third."""
        words = [w.low for w in self.words[at + 1 : at + 4]]
        if words[:1] in (["in"], ["on"]) and not _IN_ORDER.isdisjoint(words):
            return True
        ends = not words or not words[0][0].isalpha()
        return ends and at > 0 and self.words[at - 1].low in _HOLDS_A_PLACE

    def zeros(self) -> list[Finding]:
        """The places that say "none": no loans, nothing, free; you don't owe anything."""
        found = []
        for at, w in enumerate(self.words):
            if w.kind == "0":
                after = self._after(at)
                said = w.low != "no" or (after[0].isalpha() and after not in _NOT_ZERO)
                said = said and not (w.low == "free" and at and self.words[at - 1].low in _AT_EASE)
            else:
                said = w.low in _ANY and "not" in [x.stem for x in self.words[max(0, at - 4) : at]]
            if said:
                found.append(Finding("zero", (0,), at, at + 1))
        return found

    def moments(self) -> list[Finding]:
        """Dates joined with times: a time goes with the nearest date, be it in another sentence."""
        dates = [f for f in self.findings if f.kind == "date"]
        found = [f for f in dates if any(isinstance(r, datetime) for r in f.readings)]
        for clock in self.findings:
            clock = self._as_clock(clock, dates)
            if clock.kind == "time" and dates:
                found.append(self._join(min(dates, key=lambda d: self._apart(clock, d)), clock))
            elif clock.kind == "span" and self.now and self.words[clock.start - 1].kind == "I":
                found.append(self._from_now(clock, self.now))
        return sorted(found, key=lambda f: f.start)

    def _as_clock(self, found: Finding, dates: Sequence[Finding]) -> Finding:
        """A number beside a date as the time that it may be: "24/3, 14.30"."""
        word = self.words[found.start]
        beside = any(0 <= found.start - d.end < 2 for d in dates)
        if found.kind != "number" or not beside or len(word.low.partition(".")[2]) != 2:
            return found
        return Finding("time", v.read_clock([word], self.today), found.start, found.end)

    def _apart(self, clock: Finding, day: Finding) -> int:
        if day.start >= clock.end:
            return self.reach[day.start] - self.reach[clock.end]
        return self.reach[clock.start] - self.reach[day.end]

    def _join(self, day: Finding, clock: Finding) -> Finding:
        joined = tuple(
            datetime.combine(d, t)
            for d in day.readings
            for t in clock.readings
            if isinstance(d, date) and isinstance(t, time)
        )
        start, end = min(day.start, clock.start), max(day.end, clock.end)
        if self.sentence(start) == self.sentence(end - 1) and end - start < 12:
            return Finding("moment", joined, start, end)
        return Finding("moment", joined, clock.start, clock.end)

    @staticmethod
    def _from_now(span: Finding, now: datetime) -> Finding:
        """In half an hour."""
        then = [now + timedelta(minutes=m) for m in v.numeric(span.readings)]
        readings = tuple(t.replace(second=0, microsecond=0) for t in then)
        return Finding("moment", readings, span.start, span.end)
