"""Agents (make decisions) and users (simulated persons)."""

from __future__ import annotations

from .protocol import Action, Agent, Call, Reading, Say, Turn, User, View, chat
from .registry import AGENTS, check_agent, make_agent
from .users import ScriptedUser

__all__ = [
    "AGENTS",
    "Action",
    "Agent",
    "Call",
    "Reading",
    "Say",
    "ScriptedUser",
    "Turn",
    "User",
    "View",
    "chat",
    "check_agent",
    "make_agent",
]
