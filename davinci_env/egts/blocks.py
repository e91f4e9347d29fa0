"""Blocks: the pieces of work that a run of EGTS consists of, each done in whichever process.

A block is some episodes of one system. What earlier rounds learned travels in it as JSON, so that
what a block gives depends on nothing but the block. Opened systems are kept from block to block; a
block whose system fails is recorded as failed, and the next one opens the system anew.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

import orjson

from ..agents.openai_agent import OpenAIAgent, OpenAIChat
from ..agents.protocol import Agent
from ..errors import DavinciError
from ..records import JsonObject, Task, Trajectory, to_line
from .audit import AT_MOST, sequence_of
from .certificate import MOST_MUTANTS, MOST_OVER_MCP
from .demonstrate import Replayed, audited, rejection, replayed
from .experience import Experience, merged
from .explorer import explore
from .inference import completed
from .lexicon import Lexicon, lexicon_of
from .model import Candidate, Exploration
from .model_explorer import explore_by_model, reworded
from .propose import Rejected, propose
from .replay import Guided, brief_of, stand_at
from .scripts import perform, script_of_steps
from .systems import SystemEnvironment, SystemFailure
from .systems.registry import FAMILIES, Options, open_system

Lines = dict[str, list[bytes]]
"""Lines to be appended, by the file's name."""

ROUND = 20
"""Episodes that know the same of those before."""

BROKEN = frozenset({"hang", "crash", "flood", "tools-changed", "garbage"})
"""Reasons of a SystemFailure."""


@dataclass(frozen=True)
class Setting:
    """What all blocks of a run share: how systems are opened, and who explores.

    Attributes:
        words: files of words beside ours, by system.
        model: of an OpenAI-compatible endpoint; None: the built-in explorer and expert.
    """

    options: Options = field(default_factory=Options)
    words: Mapping[str, Path] = field(default_factory=dict)
    model: str | None = None
    base_url: str | None = None


@dataclass(frozen=True)
class Block:
    """Some episodes of one system.

    Attributes:
        seed: of the run.
        state_seed: of the initial state.
        experience: of earlier rounds, as JSON.
        stages: `run` for all four, or the one to be done.
        lines: what an earlier stage wrote, for the later stages.
    """

    system: str
    setting: Setting
    seed: int
    state_seed: int
    first: int
    count: int
    experience: str
    stages: str = "run"
    lines: tuple[bytes, ...] = ()


@dataclass
class Yield:
    """What a block gave.

    Attributes:
        lines: by file.
        learned: what it adds to the experience.
        explored: tools that were called with success.
    """

    lines: Lines = field(default_factory=dict)
    learned: Experience = field(default_factory=Experience)
    explored: set[str] = field(default_factory=set)
    rejected: Counter[str] = field(default_factory=Counter)
    episodes: int = 0
    candidates: int = 0

    def add(self, name: str, *records: Any) -> None:
        """Append records to a file."""
        self.lines.setdefault(name, []).extend(map(to_line, records))

    def reject(self, stage: str, system: str, rejected: Rejected) -> None:
        """Note what didn't become a demonstration."""
        self.rejected[rejected.reason] += 1
        row = {
            "reason": rejected.reason, "stage": stage, "system": system,
            "detail": rejected.detail, "record": rejected.record,
        }  # fmt: skip
        self.add("rejected.jsonl", row)

    def note(self) -> dict[str, Any]:
        """What later decisions, and the table at the end, depend on."""
        return {
            "learned": self.learned.to_json(),
            "explored": sorted(self.explored),
            "rejected": dict(sorted(self.rejected.items())),
            "episodes": self.episodes,
            "candidates": self.candidates,
        }


# -- systems, kept open ----------------------------------------------------------------------------


class _Open:
    """The system that this process has open."""

    key: tuple[str, Setting] | None = None
    environment: SystemEnvironment | None = None


def environment_of(system: str, setting: Setting, seed: int) -> SystemEnvironment:
    """The system at an initial state: the one that is open already, or a new one.

    Raises:
        UsageError: it can't be started.
        SystemFailure: it left its contract.
    """
    if _Open.environment is not None and _Open.key == (system, setting):
        stand_at(_Open.environment, seed)
        return _Open.environment
    close_systems()
    Finalize(None, close_systems, exitpriority=10)
    opened = open_system(system, setting.options)
    try:
        environment = SystemEnvironment(opened, seed=seed, writes=_may_write(setting))
    except BaseException:
        opened.close()
        raise
    _Open.key, _Open.environment = (system, setting), environment
    return environment


def _may_write(setting: Setting) -> bool:
    """Whether tools may be called that aren't known to read only: in systems that users bring, only
    where they allow it.
    """
    return setting.options.servers is None or setting.options.allow_writes


def close_systems() -> None:
    """Stop the system that this process has open."""
    environment, _Open.environment, _Open.key = _Open.environment, None, None
    if environment is not None:
        with suppress(SystemFailure):
            environment.close()


def mutants_for(system: str, setting: Setting) -> int:
    """How many mutants are tried: fewer where each call goes over MCP."""
    family = system.partition(".")[0]
    own = setting.options.servers is None and FAMILIES.get(family) != "mcp_families"
    return MOST_MUTANTS if own else MOST_OVER_MCP


def lexicon_for(environment: SystemEnvironment, setting: Setting) -> Lexicon:
    """The words of a system."""
    info = environment.system.info
    return lexicon_of(info.name, info.family, setting.words)


# -- doing a block ---------------------------------------------------------------------------------


def work(block: Block) -> Yield:
    """Do a block; what its system does wrong is recorded, never raised."""
    done = Yield()
    if block.setting.base_url is not None:
        os.environ["OPENAI_BASE_URL"] = block.setting.base_url
    try:
        environment = environment_of(block.system, block.setting, block.state_seed)
        _Work(block, environment, done).do()
    except SystemFailure as failure:
        close_systems()
        record: JsonObject = {"first": block.first, "count": block.count}
        reason = f"system-{failure.reason}"
        done.reject("block", block.system, Rejected(reason, str(failure), record))
    return done


class _Work:
    """One block's work on an opened system."""

    def __init__(self, block: Block, environment: SystemEnvironment, done: Yield) -> None:
        self.block, self.environment, self.done = block, environment, done
        self.experience = Experience.from_json(orjson.loads(block.experience))
        self.lexicon = lexicon_for(environment, block.setting)
        self.words = completed(
            self.lexicon, environment.tools(), self.experience, environment.initial_state
        )
        self.full = {s for s, n in self.experience.sequences.items() if n >= AT_MOST}
        self.most = mutants_for(block.system, block.setting)
        model = block.setting.model
        self.chat = None if model is None else OpenAIChat(model)

    def do(self) -> None:
        """All stages for new episodes, or one stage for what an earlier one wrote."""
        block = self.block
        if block.stages in ("run", "explore"):
            if block.first % ROUND == 0:
                row = {"system": block.system, "first": block.first}
                self.done.add("experience.jsonl", {**row, "experience": self.experience.to_json()})
            for episode in range(block.first, block.first + block.count):
                exploration = self.explore(episode)
                if block.stages == "run":
                    self.after_exploring(exploration)
            return
        rows = [orjson.loads(line) for line in block.lines]
        for row in rows:
            if block.stages == "propose":
                self.propose(Exploration.model_validate(row))
            elif block.stages == "replay":
                self.replay(Candidate.model_validate(row))
            else:
                self.audit_again(row)

    def after_exploring(self, exploration: Exploration) -> None:
        """Propose, replay and audit."""
        for candidate in self.propose(exploration):
            replay = self.replay(candidate)
            if replay is not None:
                self.audit(replay)

    def explore(self, episode: int) -> Exploration:
        """One episode; a system that broke stands at its initial state again."""
        block, known = self.block, self.experience
        if self.chat is None:
            exploration, learned = explore(
                self.environment, self.lexicon, known, seed=block.seed, episode=episode
            )
        else:
            exploration, learned = explore_by_model(
                self.environment, self.lexicon, known, self.chat, seed=block.seed, episode=episode
            )
        self.done.learned = merged([self.done.learned, learned])
        self.done.explored |= {call.tool for call in exploration.calls}
        self.done.explored |= {tool for tool, guide in learned.guides.items() if guide.done}
        self.done.episodes += 1
        self.done.add("explorations.jsonl", exploration)
        if exploration.failure in BROKEN:
            self.environment.start_at(block.state_seed)
        return exploration

    def propose(self, exploration: Exploration) -> list[Candidate]:
        """Candidates of an exploration, reworded where there is a model."""
        try:
            found, unfit = propose(exploration, self.environment, self.lexicon, self.experience)
        except SystemFailure as failure:
            self.environment.start_at(self.block.state_seed)
            record = exploration.model_dump(by_alias=True)
            found, unfit = [], [Rejected(f"system-{failure.reason}", str(failure), record)]
        for rejected in unfit:
            self.done.reject("propose", self.block.system, rejected)
        if self.chat is not None:
            found = [reworded(candidate, self.chat) for candidate in found]
        self.done.candidates += len(found)
        self.done.add("candidates.jsonl", *found)
        return found

    def replay(self, candidate: Candidate) -> Replayed | None:
        """A replay that came to its end; one stage alone writes it down."""
        found = replayed(candidate, self.environment, self.words, self._agent(candidate))
        kept = self._kept("replay", found)
        if kept is not None and self.block.stages == "replay":
            row = {
                "candidate": candidate.model_dump(by_alias=True),
                "task": kept.task.model_dump(by_alias=True),
                "trajectory": kept.trajectory.model_dump(by_alias=True),
            }
            self.done.add("replays.jsonl", row)
        return kept

    def _agent(self, candidate: Candidate) -> Agent | None:
        model = self.block.setting.model
        return None if model is None else Guided(OpenAIAgent(model), brief_of(candidate))

    def audit(self, replay: Replayed) -> None:
        """Keep what has no fault; there are enough of some sequences of tools already."""
        sequence = sequence_of(replay.trajectory)
        if sequence in self.full:
            enough = rejection(replay.candidate, "sequence-full", sequence)
            self.done.reject("audit", self.block.system, enough)
            return
        found = audited(replay, self.environment, self.words, most=self.most)
        kept = self._kept("audit", found)
        if kept is not None:
            self.done.learned.sequences[sequence] += 1
            task = kept.task.model_dump(by_alias=True)
            trajectory = kept.trajectory.model_dump(by_alias=True)
            self.done.add("accepted.jsonl", {"task": task, "trajectory": trajectory})

    def audit_again(self, row: Mapping[str, Any]) -> None:
        """Audit a replay from its record: what it did is done again first."""
        trajectory = Trajectory.model_validate_json(orjson.dumps(row["trajectory"]))
        candidate = Candidate.model_validate(row["candidate"])
        try:
            stand_at(self.environment, candidate.seed)
            perform(script_of_steps(trajectory.steps), self.environment)
            shown = [call.result.content for call in self.environment.log.calls()]
        except SystemFailure as failure:
            found = rejection(candidate, f"system-{failure.reason}", str(failure))
            self._kept("audit", found)
            return
        if shown != [step.result for step in trajectory.steps if step.type == "call"]:
            self._kept("audit", rejection(candidate, "not-deterministic", "other results"))
            return
        task = Task.model_validate_json(orjson.dumps(row["task"]))
        self.audit(Replayed(candidate, task, trajectory))

    def _kept(self, stage: str, found: Replayed | Rejected) -> Replayed | None:
        if isinstance(found, Replayed):
            return found
        self.done.reject(stage, self.block.system, found)
        if found.reason.startswith("system-"):
            self.environment.start_at(self.block.state_seed)
        return None


@dataclass(frozen=True)
class Inventory:
    """What a system is, looked up before a run.

    Attributes:
        tools: all that may be called.
        uncoverable: tools that can't be called with success here, with the reason.
        start: hash of the initial state: a user may change what a server starts from.
    """

    name: str
    version: str
    licence: str
    origin: str
    benchmark: str | None
    tools: tuple[str, ...]
    uncoverable: Mapping[str, str]
    start: str


def inventory_of(system: str, setting: Setting, seed: int) -> Inventory:
    """Open a system, look what it is, and close it.

    Raises:
        DavinciError: it can't be opened; says why in one sentence.
    """
    try:
        environment = environment_of(system, setting, seed)
        info, words = environment.system.info, lexicon_for(environment, setting).tools
    except SystemFailure as failure:
        raise DavinciError(f"{system} can't be used ({failure.message})") from failure
    finally:
        close_systems()
    tools = tuple(tool.name for tool in environment.tools())
    reasons = {tool: words[tool].uncoverable for tool in tools if tool in words}
    return Inventory(
        info.name, info.version, info.licence, info.origin, info.benchmark, tools,
        {tool: reason for tool, reason in reasons.items() if reason}, environment.start_hash,
    )  # fmt: skip
