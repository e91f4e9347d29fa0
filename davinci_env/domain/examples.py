"""Worked examples: a helper's doctest, run on its own."""

from __future__ import annotations

import doctest
from collections.abc import Callable, Mapping
from typing import Any


def failing_examples(helpers: Mapping[str, Callable[..., Any]]) -> list[str]:
    """Names of helpers whose worked example fails or is missing."""
    failed = []
    for name, function in helpers.items():
        runner = doctest.DocTestRunner(verbose=False)
        finder = doctest.DocTestFinder(recurse=False)
        tests = finder.find(function, name, globs=dict(function.__globals__))
        for test in tests:
            runner.run(test, out=lambda text: None)
        if runner.failures or not any(test.examples for test in tests):
            failed.append(name)
    return failed
