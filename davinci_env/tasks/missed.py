"""Missed draws."""

from __future__ import annotations


class NoCandidate(Exception):
    """This draw found nothing to ask for. Not a rejection: nothing was made."""
