"""Tasks: drawn from a domain's states, worded, certified, kept in suites."""

from .generate import SuiteSummary, generate_suite

__all__ = ["SuiteSummary", "generate_suite"]
