"""Identifiers: how a domain's ids look, made from a counter so that the same calls give the same
ids.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from ..errors import ContractError


@dataclass(frozen=True)
class Counted:
    """`LN-00017`, `#W5490111`, `004711`: a counter in a format.

    Widths are padded, so text order is creation order.
    """

    pattern: str
    start: int = 1
    step: int = 1

    def make(self, n: int, table: str) -> str:
        """Return the id of the n-th row (n counts from 0)."""
        return self.pattern.format(self.start + n * self.step, n=self.start + n * self.step)


@dataclass(frozen=True)
class Hashed:
    """Ids that look random and never collide: a bijection of the counter in `length` hexadecimal
    digits.
    """

    prefix: str
    length: int = 8
    uuid: bool = False

    def make(self, n: int, table: str) -> str:
        """Return the id of the n-th row (n counts from 0)."""
        bits = 4 * self.length
        mask = (1 << bits) - 1
        seed = int.from_bytes(hashlib.sha256(table.encode()).digest(), "big")
        value = (n + seed) & mask
        for shift in (bits // 2, bits // 3 or 1):
            value = (value * ((seed | 1) & mask)) & mask
            value ^= value >> shift
        digits = f"{value:0{self.length}x}"
        if self.uuid:
            digits = "-".join(
                (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:32])
            )
        return self.prefix + digits


@dataclass(frozen=True)
class Natural:
    """The row's own column is its key (an ISBN, a SKU); the author gives it at creation."""

    column: str


Key = Counted | Hashed | Natural


def counted(pattern: str, start: int = 1, step: int = 1) -> Counted:
    """Ids from a counter: `counted("#W{:07d}", start=5490100, step=7)`."""
    return Counted(pattern, start, step)


def hashed(prefix: str = "", length: int = 8, uuid: bool = False) -> Hashed:
    """Ids that look random: `hashed("appt_", 8)`, `hashed(uuid=True)` for the 8-4-4-4-12 form."""
    return Hashed(prefix, 32 if uuid else length, uuid)


def natural(column: str) -> Natural:
    """The primary key is the author's own column."""
    return Natural(column)


def as_key(key: str | Key) -> Key:
    """Read the `key=` of an entity: a plain prefix `"LN"` means `LN-00001`.

    Raises ContractError for a format that makes no id of a counter.
    """
    made = Counted(key if "{" in key else key + "-{:05d}") if isinstance(key, str) else key
    if isinstance(made, Counted):
        try:
            made.make(0, "")
        except (ValueError, LookupError):
            raise ContractError(
                f"the key {made.pattern!r} makes no id of a number", 'write it like "LN-{:05d}"'
            ) from None
    return made


def is_sequential(key: Key) -> bool:
    """Whether new ids sort after all older ones, so that an ordered list may grow at its end."""
    return not isinstance(key, Hashed | Natural)
