"""Whose fault an exception is: what comes out of a domain's own code is its author's to mend."""

from __future__ import annotations

import traceback

from ..errors import DefectError

DOMAIN_MODULES = "davinci_domains"
"""Under this name the loader executes domain files."""


def blame(error: BaseException) -> DefectError | None:
    """The exception as a defect of the domain whose code it came through, with file and line.

    None where no domain's code took part: then it is a bug of ours.
    """
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        if str(frame.f_globals.get("__name__")).startswith(f"{DOMAIN_MODULES}."):
            said = " ".join(f"{type(error).__name__}: {error}".split())
            function = frame.f_code.co_qualname.partition(".")[0]  # not "<genexpr>"
            return DefectError(
                f"{function} fails with {said[:200].removesuffix(': ')}",
                "mend it",
                path=frame.f_code.co_filename,
                line=line,
            )
    return None
