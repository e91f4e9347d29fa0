"""Changes asked for: writes, with a question for a value that they change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..planning.goals import Wanted
from ..state import UPDATED, Change
from .acts import Extra, act_scene, carry_out
from .bench import Bench
from .drafts import Scene
from .forms import any_tool, chain_plan, plain_plan
from .missed import NoCandidate
from .questions import Question, askable_columns, attribute_question
from .words import Wish

CHAINED = 0.8
"""How often the writes before a question are a chain."""


def changed_and_asked(bench: Bench, wanted: Wanted, chained: bool) -> Scene:
    """Writes with a question for what they change; only chains if so, else whatever is found."""
    for attempt in range(3):
        if chained or (not attempt and bench.rng.random() < CHAINED):
            plan = chain_plan(bench, any_tool)
        else:
            plan = plain_plan(bench, wanted, bench.rng.choice((1, 2)))
        changes, _ = carry_out(bench.environment, plan.steps)
        given = {
            v for s in plan.steps for v in s.binding.values.values() if not isinstance(v, list)
        }
        wishes = bench.words.wishes(plan.steps)
        question = _changed_question(bench, changes, given, wishes[-1])
        if question is not None:
            return act_scene(bench, plan, wishes, Extra(question=question))
    raise NoCandidate("no changed value to ask for")


def _changed_question(
    bench: Bench, changes: Sequence[Change], given: set[Any], wish: Wish
) -> Question | None:
    """A question for a changed cell of a row that the actor owns, whose new value the request
    doesn't give. A row of which the last wish spoke is "it".
    """
    options = []
    for change in changes:
        info = bench.environment.world.schema.by_table[change.table]._info
        if change.op != UPDATED:
            continue
        row = bench.environment.world.get(info.cls, change.key)
        if row is None or bench.domain.owner_of(row) is not bench.person or info.identity:
            continue
        columns = [
            c for c in askable_columns(info) if c in change.cells and change.cells[c][1] is not None
        ]
        today = str(bench.survey.db.today)
        options += [
            (row, c)
            for c in columns
            if not info.columns[c].choices
            and change.cells[c][1] not in given
            and str(change.cells[c][1])[:10] != today  # nobody asks when they did it just now
        ]
    if not options:
        return None
    row, column = bench.rng.choice(options)
    spoken = [m for mentions in wish.by_argument.values() for m in mentions if m.row is row]
    mention = bench.words.same(spoken[0]) if len(spoken) == 1 else None
    return attribute_question(bench, row, column, stale=True, mention=mention)
