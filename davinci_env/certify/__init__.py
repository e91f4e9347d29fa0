"""Certificates: mutants, variants, baselines, verifier mutation; and making them again from the
records.
"""

from .certificate import BASELINES, Rejected, certify
from .check import CheckSummary, check_suite

__all__ = ["BASELINES", "CheckSummary", "Rejected", "certify", "check_suite"]
