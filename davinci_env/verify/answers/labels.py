"""What a mentioned value is about: which label of the message it goes with.

A slot has cues ("due", "Small Numbers"), a decoy has the labels of its row. A value goes with the
label nearest to it, where commas, "and" and other values count as distance, and a row's name counts
more than an attribute's ("Grandmother's Atlas is due on April 13").
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from davinci_env.verify.answers.mentions import Mention
from davinci_env.verify.answers.text import Place, Text
from davinci_env.verify.answers.words import phrase

FAR = 40  # at least one sentence end in between
_NAME_COUNTS = 5
_PASSING_A_VALUE = 6
_RESPECTIVELY = phrase("respectively")


@dataclass(slots=True)
class Labels:
    """Where a message says the labels of one slot, and those of everything else of its type."""

    own: list[Place] = field(default_factory=list)
    own_names: list[Place] = field(default_factory=list)
    alien: list[Place] = field(default_factory=list)
    alien_names: list[Place] = field(default_factory=list)


def find_labels(
    text: Text, own: Iterable[str], alien: Iterable[str], rows: Iterable[str]
) -> Labels:
    """Find a slot's cues, those of other slots of its type, and the labels of its decoys' rows."""
    found = Labels()
    mine = {cue.lower() for cue in own}
    for cue in own:
        ready = phrase(cue)
        (found.own_names if ready.proper else found.own).extend(text.places(ready))
    for cue in alien:
        if cue.lower() not in mine:
            ready = phrase(cue)
            (found.alien_names if ready.proper else found.alien).extend(text.places(ready))
    for label in rows:
        if label.lower() not in mine:
            found.alien_names.extend(text.places(phrase(label)))
    return found


def _cost(text: Text, place: Place, mention: Mention, mentions: Sequence[Mention]) -> int:
    start, end = place
    if end <= mention.start:
        low, high = end, mention.start
    elif mention.end <= start:
        low, high = mention.end, start
    else:
        return 0
    cost = text.reach[high] - text.reach[low]
    if cost < FAR and len(mentions) > 1:
        for m in mentions:
            if low <= m.start and m.end <= high:
                cost += _PASSING_A_VALUE
    return cost


def attach(text: Text, labels: Labels, mentions: Sequence[Mention]) -> None:
    """Mark each mention as alien or not, and as bound or not."""
    if labels.alien or labels.alien_names:
        for m in mentions:
            alien = _nearest(text, labels.alien, labels.alien_names, m, mentions)
            own = _nearest(text, labels.own, labels.own_names, m, mentions) if alien < FAR else 0
            m.alien = alien < own
        if _RESPECTIVELY.key in text.stems:
            _respectively(text, labels, mentions)
    free = [m for m in mentions if not m.alien]
    for place in (*labels.own, *labels.own_names):
        least, nearby = FAR, None
        for m in free:  # of two equally near, the one that follows the label
            cost = _cost(text, place, m, mentions)
            if cost < least or (cost == least and nearby is not None and nearby.start < place[0]):
                least, nearby = cost, m
        if nearby is not None:
            nearby.bound = True


def _nearest(
    text: Text,
    attributes: Sequence[Place],
    names: Sequence[Place],
    mention: Mention,
    mentions: Sequence[Mention],
) -> int:
    """Distance of the nearest label, where a name counts as nearer than it is."""
    costs = [_cost(text, place, mention, mentions) for place in attributes]
    costs += [_cost(text, place, mention, mentions) - _NAME_COUNTS for place in names]
    return min(costs, default=10 * FAR)


def _respectively(text: Text, labels: Labels, mentions: Sequence[Mention]) -> None:
    """A and B are due on March 20 and March 27, respectively."""
    for at, _ in text.places(_RESPECTIVELY):
        first, last = text.around(at)
        own = [(p, False) for p in labels.own_names or labels.own]
        alien = [(p, True) for p in labels.alien_names or labels.alien]
        rows = sorted(p for p in own + alien if first <= p[0][0] < last)
        said = [m for m in mentions if first <= m.start < last]
        if len(rows) == len(said):
            for (_, is_alien), mention in zip(rows, said, strict=True):
                mention.alien = is_alien
