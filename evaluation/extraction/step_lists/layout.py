"""Laying out what a critic wrote: one verdict a line, bare lists in brackets, no markup around either."""

import re

from evaluation.extraction.language.normalize import strip_sentinels

_STEP_TAG = re.compile(
    r"<(?:step|步骤)[ _-]?(?:(?:id|n|number|index|no)? ?= ?[\"']?)?([0-9]{1,4})[\"']?>", re.IGNORECASE
)
_OTHER_TAG = re.compile(r"</?[a-z][a-z0-9_]{1,20}>", re.IGNORECASE)
_LATEX = re.compile(r"\\(?:f?boxed|text|textbf|mathrm) ?\{([^{}]{0,2000})\}")
_MATHS = re.compile(r"\\[()\[\]]|\$")
# A flag, or a row of them: "false, true, false", "0 1 0", or one a line.
_QUOTE = r"[\"'*`]{0,2}"
_FLAG = rf"{_QUOTE}(?:true|false|[01]){_QUOTE}"
_JOINT = r"(?: ?[,;、，|/] ?| )"
_ROW = re.compile(
    rf"(?:(?<=[:：=])|(?<=: )|(?<=：)|(?<=\bare )|(?<=\bis )|(?<=是)|^)(?:[-*•] )?[ (]*"
    rf"({_QUOTE}[01]{_QUOTE}(?:{_JOINT}{_QUOTE}[01]{_QUOTE}){{1,200}}"
    rf"|{_QUOTE}(?:true|false){_QUOTE}(?:{_JOINT}{_QUOTE}(?:true|false){_QUOTE}){{1,200}}) ?[)]?[.。]?$",
    re.IGNORECASE | re.MULTILINE,
)
_COLUMN = re.compile(
    rf"^((?:[-*•] )?{_FLAG}[,;.]?(?:\n+(?:[-*•] )?{_FLAG}[,;.]?){{1,200}})$", re.IGNORECASE | re.MULTILINE
)
_PLAIN_FLAG = re.compile(r"true|false|[01]", re.IGNORECASE)


def _write_flags(match: re.Match[str]) -> str:
    flags = _PLAIN_FLAG.findall(match.group(1))
    whole = match.group()
    lead = whole[: match.start(1) - match.start()]
    return f"{lead}[{', '.join(flags).lower()}]"


def lay_out(text: str) -> str:
    """Return a critic's text without sentinels, tags and LaTeX, with bare rows of flags in brackets."""
    if "<" in text:
        text = _STEP_TAG.sub(r"\nstep \1: ", strip_sentinels(text))
        text = _OTHER_TAG.sub("\n", text)
    if "\\" in text or "$" in text:
        text = _MATHS.sub(" ", _LATEX.sub(r"\n\1\n", text))
    if "{" not in text:
        text = _ROW.sub(_write_flags, text)
        text = _COLUMN.sub(_write_flags, text)
    return text
