"""Crossing: wishes in one domain that rest on another, where domains are joined.

A row is named by what it goes with there ("the parcel of my last order"), or an argument takes its
value from there ("at the time of my appointment"): who carries it out has to look it up.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..compose import Composition, Link, Transfer
from ..domain import Parameter, Row, Rule, Tool
from ..planning.goals import Plan, Step, Wanted, sound
from .acts import Extra, act_scene
from .asking import ask_scene, draw_question
from .bench import Bench
from .drafts import Scene
from .followups import FollowUp
from .forms import Form, any_tool, chain, plain_writes, selection
from .mentions import Mention, typed
from .missed import NoCandidate
from .questions import Question, attribute_question, worth_asking

QUESTIONS = 8
"""Questions that are drawn until one is about another domain."""

LOOK_AT = 40
"""Calls that are looked at for one that is free."""

ROWS = 6
"""Records of the other domain that are tried."""


def joined(bench: Bench) -> Composition:
    """The composition. Raises NoCandidate where a domain stands alone."""
    if not isinstance(bench.domain, Composition):
        raise NoCandidate("no domains are joined")
    return bench.domain


# -- values that come from elsewhere ---------------------------------------------------------------


def transferred(bench: Bench, wanted: Wanted) -> Scene:
    """A write with a value of a record in another domain."""
    transfers = [t for t in joined(bench).transfers if _is_wanted(bench, t.tool, wanted)]
    bench.rng.shuffle(transfers)
    for transfer in transfers:
        rows = bench.survey.rows(transfer.source)
        for row in bench.rng.sample(rows, min(ROWS, len(rows))):
            scene = _with_value(bench, transfer, row)
            if scene is not None:
                return scene
    raise NoCandidate("no value to take over")


def _is_wanted(bench: Bench, name: str, wanted: Wanted) -> bool:
    tool = bench.domain.tools[name]
    return tool.name not in bench.environment.appearing and wanted(tool) > 0


def _with_value(bench: Bench, transfer: Transfer, row: Row) -> Scene | None:
    value = transfer.value_of(row)
    tool = bench.domain.tools[transfer.tool]
    if value is None or bench.domain.owner_of(row) is None:
        return None
    step = _free(bench, tool, {transfer.argument: value})
    if step is None or any(v is row for v in step.binding.values.values()):
        return None
    mention = bench.words.named(row, avoid={transfer.column})
    spec: dict[str, Any] = {
        "of": bench.words.row_spec(row, mention),
        "column": transfer.column,
    }
    if transfer.at is not None:
        spec["at"] = transfer.at.isoformat("minutes")
    said = bench.rng.choice(list(transfer.said)).format(it=mention.said + mention.addition)
    extra = Extra(forms={"transfer"}, places=[(row._info.table, row.id)], told=typed(row, mention))
    try:
        wish = bench.words.wish(step, mentions={transfer.argument: Mention(said=said, spec=spec)})
        return act_scene(bench, Plan((step,)), [wish], extra)
    except NoCandidate:
        return None


# -- rows that go with others ----------------------------------------------------------------------


def linked(bench: Bench, wanted: Wanted) -> Scene:
    """A write about a record that is named by what it goes with in another domain."""
    for link, tool, parameter in _linked_arguments(bench, wanted):
        rows = [r for r in bench.words.candidates(tool, parameter) if link.partner(r) is not None]
        for row in bench.rng.sample(rows, min(ROWS, len(rows))):
            scene = _by_partner(bench, link, tool, parameter, row)
            if scene is not None:
                return scene
    raise NoCandidate("nothing goes with another")


def _linked_arguments(bench: Bench, wanted: Wanted) -> Iterator[tuple[Link, Tool, Parameter]]:
    found = [
        (link, tool, parameter)
        for link in joined(bench).links
        for tool in bench.survey.writes()
        if wanted(tool) > 0
        for parameter in tool.parameters
        if not parameter.type.many
        and not parameter.implicit
        and (parameter.entity is link.right or (parameter.entity is link.left and bool(link.back)))
    ]
    bench.rng.shuffle(found)
    return iter(found)


def _by_partner(
    bench: Bench, link: Link, tool: Tool, parameter: Parameter, row: Row
) -> Scene | None:
    step = _free(bench, tool, {parameter.name: row})
    if step is None:
        return None
    mention, extra = named_by_partner(bench, link, row)
    try:
        wish = bench.words.wish(step, mentions={parameter.name: mention})
        return act_scene(bench, Plan((step,)), [wish], extra)
    except NoCandidate:
        return None


def named_by_partner(bench: Bench, link: Link, row: Row) -> tuple[Mention, Extra]:
    """A record by what it goes with, and what the solution has to look at for that."""
    partner = link.partner(row)
    assert partner is not None
    over = bench.words.named(partner)
    texts = link.said if row.entity is link.right else link.back
    said = bench.rng.choice(list(texts)).format(it=over.said + over.addition)
    spec = {
        "row": {
            "entity": row._info.name,
            "fields": {},
            "id": None,
            "mine": True,
            "partner": bench.words.row_spec(partner, over),
        }
    }
    (pair,) = getattr(row, link.pairs_of(row.entity))
    extra = Extra(
        forms={"transfer"},
        places=[(pair._info.table, pair.id)],
        told=typed(partner, over),
    )
    return Mention(said=said, spec=spec, row=row), extra


def _free(bench: Bench, tool: Tool, given: dict[str, Any]) -> Step | None:
    """A free call with these arguments."""
    carried = frozenset(given)
    for number, binding in enumerate(bench.survey.bindings(tool, given, carried=carried)):
        if not binding.blocked:
            return sound(bench.environment, binding)
        if number > LOOK_AT:
            return None
    return None


# -- both at once ----------------------------------------------------------------------------------


def joint(bench: Bench, wanted: Wanted) -> Scene:
    """Writes of two domains in one request."""
    homes = list(joined(bench).homes)
    bench.rng.shuffle(homes)
    steps = (_free_in(bench, homes[0], wanted), _free_in(bench, homes[1], any_tool))
    return act_scene(bench, Plan(steps), bench.words.wishes(steps), Extra(forms={"joint"}))


def _free_in(bench: Bench, home: str, wanted: Wanted) -> Step:
    """A free write of one domain. Raises NoCandidate."""
    tools = [t for t in bench.survey.writes() if t.home == home and wanted(t) > 0]
    bench.rng.shuffle(tools)
    for tool in tools:
        step = _free(bench, tool, {})
        if step is not None:
            return step
    raise NoCandidate("no free write")


def cross_chain(bench: Bench, wanted: Wanted) -> Scene:
    """A write that another domain forbids until something is done there."""
    composition = joined(bench)
    governed = {
        name for code in composition.cross_rules for name in composition.rules[code].governs
    }

    def guarded(item: Tool | Rule) -> float:
        return float(isinstance(item, Tool) and item.name in governed)

    scene = chain(bench, guarded)
    if len({step.tool.home for step in scene.steps}) < 2:
        raise NoCandidate("the block is lifted in the same domain")
    scene.forms.add("cross-chain")
    return scene


CROSS_FORMS: dict[str, Form] = {
    "transfer": transferred,
    "link": linked,
    "cross-chain": cross_chain,
    "joint": joint,
}
"""Wishes that need more than one domain."""


CROSS_TURNS = (
    "transfer", "link", "cross-chain", "link", "transfer", "joint", "link", "cross-chain",
)  # fmt: skip
"""How they take turns, so that more than half of all conversations carry something over."""


def cross_forms(number: int) -> list[Form]:
    """All of them, from the one whose turn it is."""
    turn = number % len(CROSS_TURNS)
    return [CROSS_FORMS[n] for n in dict.fromkeys([*CROSS_TURNS[turn:], *CROSS_TURNS[:turn]])]


def elsewhere(form: Form, used: frozenset[str]) -> Form:
    """The same form, in a domain that was not dealt with yet."""

    def draw(bench: Bench, wanted: Wanted) -> Scene:
        return form(bench, functools.partial(_outside, used))

    return draw


def _outside(used: frozenset[str], item: Tool | Rule) -> float:
    return float(isinstance(item, Tool) and item.home not in used)


ELSEWHERE: Sequence[Callable[[Bench, Wanted], Scene]] = (
    transferred, linked, chain, selection, lambda bench, wanted: plain_writes(bench, wanted, 1),
)  # fmt: skip
"""Wishes that can be had in a domain that was not dealt with yet, the best first."""


# -- questions -------------------------------------------------------------------------------------


def question_elsewhere(used: frozenset[str]) -> FollowUp:
    """A question about a domain that was not asked about yet."""

    def draw(bench: Bench, before: Scene) -> Scene:
        composition = joined(bench)
        for _ in range(QUESTIONS):
            question = linked_question(bench, used) or draw_question(bench)
            about = question.about
            if question.call is not None:
                home = composition.tools[question.call.tool].home
            elif about is not None:
                home = composition.home_of(about)
            else:
                continue
            if home in used and "transfer" not in question.forms:
                continue
            scene = ask_scene(bench, question)
            scene.act, scene.text = "wish", bench.talk.further(scene.points)
            scene.forms.add("further-wish")
            return scene
        raise NoCandidate("nothing to ask elsewhere")

    return draw


def linked_question(bench: Bench, used: frozenset[str]) -> Question | None:
    """A question about a record that is named by what it goes with in another domain."""
    links = list(joined(bench).links)
    bench.rng.shuffle(links)
    for link in links:
        rows = [r for r in bench.survey.rows(link.right) if link.partner(r) is not None]
        bench.rng.shuffle(rows)
        for row in rows[:ROWS]:
            column = worth_asking(bench, row)
            if column is not None:
                mention, extra = named_by_partner(bench, link, row)
                question = attribute_question(bench, row, column, mention=mention)
                question.places = [*question.places, *extra.places]
                question.told, question.forms = list(extra.told), set(extra.forms)
                return question
    return None
