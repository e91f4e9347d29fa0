"""The one registry of export formats."""

from collections.abc import Mapping
from difflib import get_close_matches

from davinci_env.corpus.converter import Converter
from davinci_env.corpus.openai import OPENAI
from davinci_env.corpus.trl import TRL
from davinci_env.errors import UsageError

__all__ = ["FORMATS", "Converter", "converter_for"]

#: Every format by its name, the default first.
FORMATS: Mapping[str, Converter] = {converter.name: converter for converter in (TRL, OPENAI)}


def converter_for(name: str) -> Converter:
    """Find a format.

    Raises:
        UsageError: there is none of that name.
    """
    if name in FORMATS:
        return FORMATS[name]
    near = get_close_matches(name.lower(), FORMATS, n=1)
    known = f"choose {near[0]!r}" if near else f"choose one of {', '.join(FORMATS)}"
    raise UsageError(f"there is no export format {name!r}", known)
