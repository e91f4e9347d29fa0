"""Values: what a slot expects, and what words stand for, in one canonical form for each type.

| type | canonical form |
| --- | --- |
| number | float |
| money | int, cents |
| span | int, minutes |
| date, datetime, time | `date`, `datetime`, `time` (whole minutes) |
| id | str of upper-case letters and digits |
| enum, name, text | str in lower case, words apart by one space |
| yesno | bool |

`canonical` reads values as domains and SQL give them (ISO text for dates). The readers read the
words matched by the grammar of `finding`; where words allow several readings, they give them all.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

from davinci_env.errors import DefectError
from davinci_env.verify.answers.words import Word, literal

Value = float | int | str | bool | date | datetime | time
Readings = tuple[Value, ...]


def canonical(type_: str, value: Any) -> Value:
    """Bring an expected value or decoy into its type's canonical form.

    Raises:
        DefectError: the value is not of the type, which is the task's fault and never the answer's.
    """
    try:
        return _CANONICAL[type_](value)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise DefectError(
            f"{value!r} is not a value of the answer type {type_!r}",
            "let the requirement's query return values of that type",
        ) from error


def _number(value: Any) -> float:
    if isinstance(value, bool):
        raise TypeError("a truth value is no number")
    return float(value)


def _whole(value: Any) -> int:
    if isinstance(value, timedelta):
        value = value.total_seconds() / 60
    if isinstance(value, bool) or int(value) != float(value):
        raise TypeError("not whole")
    return int(value)


def _date(value: Any) -> date:
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else date.fromisoformat(value[:10])


def _moment(value: Any) -> datetime:
    moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return moment.replace(second=0, microsecond=0, tzinfo=None)


def _time(value: Any) -> time:
    clock = value if isinstance(value, time) else time.fromisoformat(value)
    return clock.replace(second=0, microsecond=0, tzinfo=None)


def _yesno(value: Any) -> bool:
    if isinstance(value, str):
        return {"yes": True, "true": True, "no": False, "false": False}[value.lower()]
    if value not in (0, 1):
        raise ValueError("neither yes nor no")
    return bool(value)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not (key := literal(value.replace("_", " "))[0].strip()):
        raise TypeError("no words")
    return key


def _id(value: Any) -> str:
    key = re.sub(r"[\W_]", "", str(value)).upper()
    if not key:
        raise ValueError("no letters or digits")
    return key


_CANONICAL: dict[str, Callable[[Any], Value]] = {
    "number": _number, "money": _whole, "span": _whole, "date": _date, "datetime": _moment,
    "time": _time, "yesno": _yesno, "enum": _text, "name": _text, "text": _text, "id": _id,
}  # fmt: skip

TYPES = frozenset(_CANONICAL)


_WRITTEN = (
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?"), "datetime"),
    (re.compile(r"\d{4}-\d\d-\d\d"), "date"),
    (re.compile(r"\d\d:\d\d(?::\d\d)?"), "time"),
    (re.compile(r"#?(?=\S*\d)[\w-]+"), "id"),
)


def type_of(value: Any) -> str:
    """The type that a value of an untyped list looks like; whole amounts look like numbers."""
    for of, name in ((datetime, "datetime"), (date, "date"), (time, "time")):
        if isinstance(value, of):
            return name
    if not isinstance(value, str):
        return "number"
    return next((name for form, name in _WRITTEN if form.fullmatch(value)), "name")


def numeric(values: Iterable[Value]) -> list[float]:
    """Those of some values that are numbers."""
    return [x for x in values if isinstance(x, int | float)]


# ---------------------------------------------------------------------- words to numbers
def cardinal(words: Sequence[Word]) -> float:
    """Value of a number in digits or words, e.g. one thousand two hundred and forty-nine."""
    total = part = 0.0
    for w in words:
        if w.kind == "K":
            total, part = total + (part or 1) * 1000, 0
        elif w.kind == "H":
            part = (part or 1) * 100
        elif w.kind in "nyuto":
            part += w.value
    return total + part


def _split(words: Sequence[Word], kinds: str) -> tuple[Sequence[Word], Sequence[Word]]:
    """Cut at the first word of one of these kinds, which belongs to the left part."""
    for i, w in enumerate(words):
        if w.kind in kinds:
            return words[: i + 1], words[i + 1 :]
    return words, ()


def read_number(words: Sequence[Word], today: date) -> Readings:
    """12; twelve; a dozen; two dozen."""
    if words[-1].kind == "z":
        return ((cardinal(words[:-1]) or 1) * 12,)
    return (cardinal(words),)


def read_money(words: Sequence[Word], today: date) -> Readings:
    """$2.50; 2.50 USD; 250 cents; two dollars and fifty cents; thirteen dollars seventy-five."""
    cents = 0.0
    dollars = False
    while words:
        part, words = _split(words, "Cc")
        unit = part[-1].kind
        amount = cardinal(part) or (1.0 if part[0].kind == "a" else 0.0)
        if unit == "c" or (dollars and unit != "C"):
            if unit != "n" or len(part[-1].low) == 2:  # 23 dollars 50, but 5 dollars 3 times
                cents += amount
        elif len(part) > 1 or unit != "C":  # a currency alone leads the amount: USD 5
            cents += 100 * amount
            dollars = True
    return (round(cents),)


def read_price(words: Sequence[Word], today: date) -> Readings:
    """Forty-two fifty: dollars and cents without a word for either."""
    cut = max(i for i, w in enumerate(words) if w.kind == "t")
    return (round(100 * cardinal(words[:cut]) + cardinal(words[cut:])),)


_MINUTES = {"m": 1, "j": 60, "J": 60, "d": 1440, "w": 10080}


def read_span(words: Sequence[Word], today: date) -> Readings:
    """30 minutes; half an hour; an hour and a half; 1 h 30 min; three quarters of an hour."""
    minutes = 0.0
    kinds = {w.kind for w in words}
    unit = 1
    while words:
        part, words = _split(words, "mjJdw")
        if part[-1].kind not in _MINUTES:  # what follows the last unit: "and a half", 30 of "1h30"
            half = "h" in {w.kind for w in part}
            minutes += unit / 2 if half else cardinal(part)
            break
        unit = _MINUTES[part[-1].kind]
        count = cardinal(part)
        if "q" in kinds:
            count = (count or 1) / 4
        elif "h" in {w.kind for w in part}:
            count += 0.5
        elif count == 0 and part[0].kind == "a":
            count = 1
        minutes += count * unit
    return (round(minutes),)


def read_quarters(words: Sequence[Word], today: date) -> Readings:
    """An hour and a quarter; two and three quarter hours."""
    whole, rest = _split(words, "A")
    unit = next(_MINUTES[w.kind] for w in words if w.kind in _MINUTES)
    count = cardinal([w for w in whole if w.kind not in (*_MINUTES, "A")]) or 1
    quarters = cardinal([w for w in rest if w.kind not in ("q", *_MINUTES)]) or 1
    return (round(unit * (count + quarters / 4)),)


_DURATION = re.compile(r"p(?:(\d+)w)?(?:(\d+)d)?(?:t(?:(\d+)h)?(?:(\d+)m)?(?:\d+s)?)?")


def read_duration(words: Sequence[Word], today: date) -> Readings:
    """PT1H30M."""
    found = _DURATION.fullmatch(words[0].low)
    if found is None:
        return ()
    weeks, days, hours, minutes = (int(g or 0) for g in found.groups())
    return (weeks * 10080 + days * 1440 + hours * 60 + minutes,)


# ---------------------------------------------------------------------- clock
def _clocks(hour: int, minute: int, words: Sequence[Word], both: bool) -> Readings:
    """Times of day of an hour as written, given am, pm or a part of the day among the words."""
    if hour > 23 or minute > 59:
        return ()
    for w in words:
        mark = w.low.replace(".", "") if w.kind == "p" else w.low if w.kind == "Q" else ""
        if mark and 1 <= hour <= 12:
            late = mark in ("pm", "afternoon", "evening") or (mark == "night" and hour > 5)
            return (time(hour % 12 + 12 * late, minute),)
    if both and 1 <= hour <= 12:
        return (time(hour % 12, minute), time(hour % 12 + 12, minute))
    return (time(hour, minute),)


def read_clock(words: Sequence[Word], today: date) -> Readings:
    """14:30; 2:30 pm; 2.30 p.m.; nine o'clock. Without am or pm, 2:30 is either; 02:30 is not."""
    low = words[0].low
    if words[0].kind == ":":
        hour, minute = (int(part) for part in low.split(":")[:2])
        return _clocks(hour, minute, words[1:], both=low[0] != "0")
    if "." in low:
        hour, minute = (int(part) for part in low.split(".")[:2])
        return _clocks(hour, minute, words[1:], both=True) if len(low.split(".")[1]) == 2 else ()
    number = cardinal([w for w in words if w.kind in "nut"])
    return _clocks(int(number), 0, words[1:], both=True) if number == int(number) else ()


def read_noon(words: Sequence[Word], today: date) -> Readings:
    """Noon; midnight."""
    return (time(int(words[0].value)),)


def read_spoken_clock(words: Sequence[Word], today: date) -> Readings:
    """Half past two in the afternoon; a quarter to ten; ten minutes past nine."""
    before, after = _split(words, "be")
    minute = {"h": 30, "q": 15}.get(next((w.kind for w in before if w.kind in "hq"), ""))
    minute = int(cardinal(before)) if minute is None else minute
    hour = int(cardinal([w for w in after if w.kind in "nut"]))
    if before[-1].kind == "e":
        hour, minute = hour - 1 or 12, 60 - minute
    return _clocks(hour, minute, after, both=True)


# ---------------------------------------------------------------------- calendar
def _day(year: int, month: int, day: int) -> tuple[date, ...]:
    try:
        return (date(year, month, day),)
    except ValueError:
        return ()


def _nearest(month: int, day: int, today: date) -> tuple[date, ...]:
    """The day of that name nearest to today, where no year is said."""
    near = _day(today.year, month, day)
    if near and abs((near[0] - today).days) < 183:
        return near
    near += _day(today.year - 1, month, day) + _day(today.year + 1, month, day)
    return (min(near, key=lambda d: abs((d - today).days)),) if near else ()


def _on_weekday(days: tuple[date, ...], weekday: int | None) -> tuple[date, ...]:
    """Keep the days that fall on the weekday said: "Friday, March 16" may be no day at all."""
    return days if weekday is None else tuple(d for d in days if d.weekday() == weekday)


def read_calendar(words: Sequence[Word], today: date) -> Readings:
    """March 16; Monday, 16 March 2026; the 16th of March."""
    month = day = year = 0
    weekday = None
    for w in words:
        match w.kind:
            case "M":
                month = int(w.value)
            case "n" | "o" | "t":
                day += int(w.value)
            case "y":
                year = int(w.value)
            case "W" | "V":
                weekday = int(w.value)
    days = _day(year, month, day) if year else _nearest(month, day, today)
    return _on_weekday(days, weekday)


def read_iso(words: Sequence[Word], today: date) -> Readings:
    """2026-03-16; 2026-03-16T09:30 (the only reading that is a moment)."""
    text = words[0].low.upper()
    try:
        return (datetime.fromisoformat(text) if ":" in text else date.fromisoformat(text),)
    except ValueError:
        return ()


def read_figures(words: Sequence[Word], today: date) -> Readings:
    """03/16/2026 (month first); 16.03.2026 (day first); the other way round if only that fits."""
    text = words[-1].low
    weekday = int(words[0].value) if len(words) > 1 else None
    parts = [int(part) for part in re.split(r"[./]", text)]
    month, day = (parts[0], parts[1]) if "/" in text else (parts[1], parts[0])
    if len(parts) == 2:
        days = _nearest(month, day, today) or _nearest(day, month, today)
    else:
        year = parts[2] + 2000 if parts[2] < 100 else parts[2]
        days = _day(year, month, day) or _day(year, day, month)
    return _on_weekday(days, weekday)


def read_nth_weekday(words: Sequence[Word], today: date) -> Readings:
    """The last Friday of February; the second Monday in May."""
    which = next(w for w in words if w.kind in "lo")
    weekday = next(int(w.value) for w in words if w.kind == "W")
    named = [w for w in words if w.kind in "My"]
    days = [
        found[0]
        for day in range(1, 32)
        if (found := read_calendar([*named, replace(which, kind="n", value=day)], today))
        and isinstance(found[0], date)
        and found[0].weekday() == weekday
    ]
    return tuple(days[-1:] if which.kind == "l" else days[int(which.value) - 1 :][:1])


def read_month_end(words: Sequence[Word], today: date) -> Readings:
    """The end of April: its last day."""
    for day in (31, 30, 29, 28):
        named = [w for w in words if w.kind in "My"]
        last = replace(words[-1], kind="n", value=day)
        if days := read_calendar([*named, last], today):
            return days
    return ()


def read_relative(words: Sequence[Word], today: date) -> Readings:
    """Tomorrow; the day after tomorrow; in three days; two weeks ago; four weeks from tomorrow."""
    start = next((int(w.value) for w in words if w.kind == "R"), 0)
    unit = next((w.kind for w in words if w.kind in "dw"), "")
    if not unit:
        return (today + timedelta(start),)
    count = cardinal(words) or 1
    if "f" in {w.kind for w in words}:  # the day after tomorrow
        return (today + timedelta(start + 1),)
    days = count * (7 if unit == "w" else 1) * (-1 if words[-1].kind == "g" else 1)
    return (today + timedelta(start + int(days)),) if days < 10_000 else ()


def read_weekday(words: Sequence[Word], today: date) -> Readings:
    """This Thursday; last Thursday; Thursday (either); next Thursday (of the week after this)."""
    if words[-1].kind == "w":  # Tuesday next week
        day = next(int(w.value) for w in words if w.kind == "W")
        return (today + timedelta(7 - today.weekday() + day),)
    ahead = (int(words[-1].value) - today.weekday()) % 7
    match words[0].kind:
        case "x":
            return (today + timedelta(7 - today.weekday() + int(words[-1].value)),)
        case "l":
            return (today + timedelta((ahead or 7) - 7 if ahead else -7),)
        case "i":
            return (today + timedelta(ahead),)
    return (today + timedelta(ahead), today + timedelta(ahead - 7))


def read_week_from(words: Sequence[Word], today: date) -> Readings:
    """A week from (this) Friday."""
    ahead = (int(words[-1].value) - today.weekday()) % 7
    return (today + timedelta(ahead + 7),)


def read_day_of_month(words: Sequence[Word], today: date) -> Readings:
    """The 26th; Thursday the 26th: of last month, this one or the next."""
    day = int(cardinal([w for w in words if w.kind == "n"]))
    first = today.replace(day=1)
    months = ((first - timedelta(1)), first, (first + timedelta(32)))
    weekday = next((int(w.value) for w in words if w.kind == "W"), None)
    return _on_weekday(tuple(d for m in months for d in _day(m.year, m.month, day)), weekday)
