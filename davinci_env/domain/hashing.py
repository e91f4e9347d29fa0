"""The content hash of a domain: what its records were made from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from types import CodeType
from typing import Any

DIGITS = 16
"""Hexadecimal digits kept of the sha256."""


def file_hash(path: Path) -> str:
    """Hash of a domain's source file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:DIGITS]


def joint_hash(paths: Iterable[Path]) -> str:
    """Hash of several source files together."""
    return hashlib.sha256("".join(map(file_hash, paths)).encode()).hexdigest()[:DIGITS]


def code_hash(name: str, functions: Iterable[Callable[..., Any]]) -> str:
    """Hash of compiled functions, for a domain that was declared without a file of its own."""
    digest = hashlib.sha256(name.encode())
    for function in functions:
        digest.update(repr(_parts(function.__code__)).encode())
    return digest.hexdigest()[:DIGITS]


def _parts(code: CodeType) -> tuple[Any, ...]:
    """What a function does, without addresses and places in a file."""
    constants = tuple(_parts(c) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.co_name, code.co_code, code.co_names, code.co_varnames, constants
