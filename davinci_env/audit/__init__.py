"""The audit of a domain: what is wrong with it, how far that was looked for, and how good the
looking is."""

from .audit import audit
from .report import AuditReport, Finding, MutantReport, Survivor

__all__ = ["AuditReport", "Finding", "MutantReport", "Survivor", "audit"]
