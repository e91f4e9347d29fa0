"""Asking: a question of any sort, and the scene in which it is asked by itself."""

from __future__ import annotations

from ..records import Say
from . import identity
from . import requirements as req
from .bench import Bench
from .drafts import Scene
from .missed import NoCandidate
from .questions import Question, asked_value, picked_question, plain_question, told_question
from .totals import count_question, sum_question


def draw_question(bench: Bench) -> Question:
    """Draw a question about the actor's records. Raises NoCandidate."""
    makers = [
        plain_question, picked_question, picked_question, count_question,
        sum_question, sum_question, told_question,
    ]  # fmt: skip
    bench.rng.shuffle(makers)
    for maker in makers:
        question = maker(bench)
        if question is not None:
            return question
    raise NoCandidate("question")


def ask_scene(bench: Bench, question: Question) -> Scene:
    """A question by itself. Raises NoCandidate for one that was asked before."""
    asked = (question.slot.expected, question.spec.attribute)
    if asked in bench.asked:
        raise NoCandidate("asked before")
    if question.call is not None:
        tool = bench.domain.tools[question.call.tool]
        near = bench.domain.identity_of(tool)
        tools = [tool, *bench.reading_tools(near)]
    else:
        tools = bench.reading_tools(question.about)
    attributes, reads = bench.reads(tools, question.told, question.needed, question.places)
    if question.call is not None:
        reads.append(question.call)
    value = asked_value(bench, (), question)
    bench.asked.add(asked)
    text = bench.speaker.report([question.news(value)])
    bench.speaker.said()
    looked = [req.looked_up_requirement(question.places)] if question.places else []
    return Scene(
        points=[question.ask],
        intents=[question.intent],
        requirements=[
            req.answer_requirement([question.slot], "The answer is told."),
            *looked,
            req.frame_requirement("nothing"),
        ],
        solution=[*reads, Say(say=text)],
        facts=identity.facts_of(bench.domain, bench.person, attributes),
        attributes=attributes,
        told=question.told,
        needed=question.needed,
        forms=set(question.forms),
        focus=question.row,
    )
