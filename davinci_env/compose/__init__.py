"""Compositions: audited domains joined in one world, through shared people, links and rules."""

from .catalogue import catalogue, load, load_path
from .composition import Composition
from .links import Link
from .transfers import Transfer

__all__ = ["Composition", "Link", "Transfer", "catalogue", "load", "load_path"]
