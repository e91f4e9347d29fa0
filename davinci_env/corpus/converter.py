"""What an export format is: two functions from a record to a row."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from davinci_env.records import Preference, Trajectory

#: One line of an export, as a JSON object with its keys in order.
Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Converter:
    """A format that some trainer reads as it is.

    Attributes:
        name: what `--format` calls it.
        consumer: who reads it.
        sft: makes a row for supervised fine-tuning.
        preference: makes a row for preference training.
    """

    name: str
    consumer: str
    sft: Callable[[Trajectory], Row]
    preference: Callable[[Preference], Row]
