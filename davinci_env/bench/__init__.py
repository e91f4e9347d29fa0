"""Speed: the product against a hand-written floor, measured in one run, as ratios of CPU time."""

from .measures import MEASURES, Measure, run

__all__ = ["MEASURES", "Measure", "run"]
