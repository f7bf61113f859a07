"""Bracketed parts of a text, rows of flags and simple YAML, and the values that they hold."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from evaluation.extraction.step_lists.legends import read_legend

# Strings are passed over whole, so that brackets inside them count for nothing.
_BRACKET = re.compile(r'"(?:[^"\\\n]|\\.)*"|[\[\]{}]')
_OPENING = {"]": "[", "}": "{"}
_DEEPEST = 4
COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|(?://|#)[^\n]*')
_NUMBER_KEY = re.compile(r"([{,]\s{0,8})([0-9]{1,3}) ?:")
_LAST_COMMA = re.compile(r",\s*(?=[\]}])")
_VALUE = r"[\"']?(?:true|false|yes|no|是|否|[01])[\"']?"
_BRACKETED_ROW = re.compile(rf"[{{<] ?({_VALUE}(?: ?[,;、] ?{_VALUE}){{1,200}}) ?[}}>]", re.IGNORECASE)
FLAGS_IN_TEXT = re.compile(rf"\s*\[?{_VALUE}(?: ?[,;、] ?{_VALUE}){{1,200}}\]?\s*", re.IGNORECASE)
_ROW_OF_ANSWERS = re.compile(
    r"\s*(?:[a-z ]{1,20}: ?|答案[是为:]? ?:?)?"
    r"\[?((?:yes|no|[tfyn是否真假])(?:(?: ?[,;、/|] ?|\s+)(?:yes|no|[tfyn是否真假])){1,200})\]?[.。]?\s*",
    re.IGNORECASE,
)
_ANSWER = re.compile("yes|no|[tfyn是否真假]", re.IGNORECASE)
_TRUTHS = {"真": "true", "假": "false"}
_STARTS_WITH_FLAG = re.compile(r"\s*(?:true|false) ?[(,]", re.IGNORECASE)
_REASON = re.compile(r" ?\([^()]*\)")
_FEWEST_LINES = 2
_LONGEST_KEY = 60
_KEY = re.compile(r"[\"']?[\w -]{1,40}[\"']? ?[:=] ?\Z")
_YAML_FENCE = re.compile(r"```(?:ya?ml)?\n(.*?)```", re.IGNORECASE | re.DOTALL)
_FIELD = re.compile(
    r"(?P<indent> *)(?P<dash>- +)?(?:[\"']?(?P<key>[\w #-]{1,40}?)[\"']? ?:(?: +|$))?(?P<value>[^\[\]{}\n]*)"
)


class BracketedText(NamedTuple):
    """A bracketed part of a text."""

    start: int
    end: int
    height: int


def find_segments(text: str) -> Iterator[BracketedText]:
    """Yield the bracketed parts of a text that are not deep, inner ones first, each in time linear in its length."""
    stack: list[tuple[str, int]] = []
    heights: list[int] = [0]
    for match in _BRACKET.finditer(text):
        sign = match.group()
        if sign in "[{":
            stack.append((sign, match.start()))
            heights.append(0)
        elif sign in "]}":
            if not stack or stack[-1][0] != _OPENING[sign]:
                stack, heights = [], [0]
                continue
            height = heights.pop() + 1
            heights[-1] = max(heights[-1], height)
            start = stack.pop()[1]
            if height <= _DEEPEST:
                yield BracketedText(start, match.end(), height)


def drop_cut_list(text: str) -> str:
    """Return a text without a list at its end that breaks off, and without the key before it.

    >>> drop_cut_list('{"erroneous": [false, tru'), drop_cut_list("[false, true] and [false, tr")
    ('{', '[false, true] and ')
    """
    start = text.rfind("[")
    tail = text[start + 1 :]
    if start < 0 or "]" in tail or any(len(item.split()) > 1 for item in tail.split(",")):
        return text
    key = _KEY.search(text, max(0, start - _LONGEST_KEY), start)
    return text[: key.start() if key else start] if key or "," in tail else text


def bracket_rows(text: str) -> str:
    """Return a text with rows of flags in the brackets of a list: "{false, true}", "<0, 1>", "否、是、否"."""
    if "{" in text or "<" in text:
        text = _BRACKETED_ROW.sub(lambda match: f"[{match[1]}]", text)
    if "(" in text and _STARTS_WITH_FLAG.match(text) and read_legend(text) == "":
        bare = _REASON.sub("", text)
        text = f"[{bare.strip(' .')}]" if FLAGS_IN_TEXT.fullmatch(bare.strip(" .\n")) else text
    row = _ROW_OF_ANSWERS.fullmatch(text)
    if row is None:
        return text
    return f"[{', '.join(_TRUTHS.get(answer, answer) for answer in _ANSWER.findall(row[1]))}]"


def parse_yaml(text: str) -> Any:
    r"""Return the value of a text in the simple YAML in which critics answer, with one level of nesting below a list.

    Returns:
        None where a line is neither a field nor a member of a list.

    >>> parse_yaml("steps:\n  - id: 1\n    erroneous: true")
    [{'id': 1, 'erroneous': True}]
    """
    fence = _YAML_FENCE.search(text)
    lines = [line for line in (fence[1] if fence else text).split("\n") if line.strip() and line.strip() != "---"]
    if len(lines) < _FEWEST_LINES:
        return None
    root: dict[str, Any] = {}
    members: list[Any] = []
    within: dict[str, Any] | None = None
    name = ""
    for line in lines:
        field = _FIELD.fullmatch(line)
        if field is None:
            return None
        if field["dash"]:
            within = {} if field["key"] else None
            members.append(_scalar(field["value"]) if within is None else within)
        elif not field["key"]:
            return None
        elif not field["indent"]:
            name = field["key"]
            within = None if members or field["value"] else {}
            root[name] = _scalar(field["value"]) if field["value"] else within
            continue
        if field["key"]:
            if within is None:
                return None
            within[field["key"]] = _scalar(field["value"])
    if members and len(root) <= 1:
        return {name: members} if root and not all(isinstance(member, dict) for member in members) else members
    return root if root and not members else None


def _scalar(text: str) -> Any:
    """The value that a field has: a number, a truth value or a text."""
    plain = text.strip("\"'")
    if plain.isdigit():
        return int(plain)
    return {"true": True, "false": False}.get(plain.lower(), plain)


def parse_segment(text: str) -> Any:
    """Return the JSON value, or the Python literal, that a bracketed text is; None where it is neither."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return json.loads(_as_json(text))
    except (ValueError, RecursionError):
        return None


def _as_json(text: str) -> str:
    """A Python literal, or JSON with comments or a comma too many, as JSON."""
    words = {"True": "true", "False": "false", "None": "null"}
    if '"' not in text:
        text = text.replace("'", '"')
    text = _NUMBER_KEY.sub(r'\1"\2":', text)
    text = _LAST_COMMA.sub("", COMMENT.sub(lambda match: match[1] or "", text))
    return re.sub(r"\b(?:True|False|None)\b", lambda match: words[match.group()], text)
