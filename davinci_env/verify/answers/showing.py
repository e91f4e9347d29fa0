"""What of a message a person gets to see and is spoken to with.

Comments, struck-out text and characters without width are not read; what is written for a machine
(an object of JSON, a note to whoever checks the answer) is said to nobody.
"""

import re
import unicodedata

_HIDDEN = re.compile(
    r"<!--.*?(?:-->|$)|^\s*\[[^\]\n]*\]:\s*#.*$|<(\w+)[^>]*\b(?:hidden|display:\s*none)[^>]*>.*?"
    r"(?:</\1>|$)",
    re.DOTALL | re.MULTILINE,
)
_STRUCK = re.compile(r"~~.*?~~|<(?:s|del|strike)>.*?</(?:s|del|strike)>", re.DOTALL)
_STRUCK_THROUGH = re.compile("(?:[^\u0335-\u0338][\u0335-\u0338])+")
# From an override of the direction of writing on, what is seen is not what is written.
_TURNED = re.compile("[\u202d\u202e].*?(?:[\u202c\n]|$)")
_OBJECT = re.compile(r"""\{\s*["']?[\w.@-]+["']?\s*:[^{}]*\}""")
_TO_A_MACHINE = re.compile(
    r"==|\bassert\b|\[/?(?:system|inst)\]|<\|?(?:system|im_start)"
    r"|\b(?:expected|verdict|passed|score|reward)\b[\"']? ?="
    r"|\b(?:dear|attention|(?:note|message|hint) (?:to|for)),? (?:the |our |automatic |automated )*"
    r"(?:grader|checker|verifier|evaluator|judge)\b"
    r"|\bmark (?:this|the|my) (?:answer|message|reply|response|task)\b"
    r"|\brequirements? (?:is|are) (?:met|fulfilled|satisfied)\b"
)
# Without one of these nothing above holds.
_TELLING = (
    "=", "[", "<|", "assert", "grader", "checker", "verifier", "evaluator", "judge", "mark t",
    "mark my", "requirement",
)  # fmt: skip


def shown(text: str) -> str:
    """A message as a person reads it; "" where it is written for a machine."""
    if not text.isascii():
        text = _STRUCK_THROUGH.sub(" ", _TURNED.sub(" ", text))
        text = "".join([c for c in text if unicodedata.category(c) != "Cf"])
    if "<" in text or "]:" in text:
        text = _HIDDEN.sub(" ", text)
    if "~~" in text or "<" in text:
        text = _STRUCK.sub(" ", text)
    if "{" in text and _OBJECT.search(text):
        return ""
    low = text.lower()
    for word in _TELLING:
        if word in low:
            return "" if _TO_A_MACHINE.search(low) else text
    return text
