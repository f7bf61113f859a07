"""Words and JSON values that judge one step of a trace, or all of them."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from evaluation.extraction.lexicon import WORD_LISTS
from evaluation.types import UnreadableReason

_ERRONEOUS = WORD_LISTS["ERRONEOUS_STEP"]
_CORRECT = WORD_LISTS["CORRECT_STEP"]
# What a true under these keys says; under keys that only name a judgement it says "erroneous".
KEYS_OF_ERROR = WORD_LISTS["KEYS_OF_ERROR"]
KEYS_OF_CORRECTNESS = WORD_LISTS["KEYS_OF_CORRECTNESS"]
_KEYS_OF_VERDICT = WORD_LISTS["KEYS_OF_VERDICT"]
_KEYS_OF_NUMBER = WORD_LISTS["KEYS_OF_NUMBER"]
_LISTS_OF_ERRORS, _LISTS_OF_CORRECT = WORD_LISTS["LISTS_OF_ERRORS"], WORD_LISTS["LISTS_OF_CORRECT"]
_SAYS_YES = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}

_SPLITS = re.compile(r"[\s_-]+")
_NUMBER = re.compile(r"(?:steps?[ _-]?|第|步骤|s)?#?[ _]?([0-9]{1,4})(?: ?步)?")
# Strings are passed over whole, so that brackets inside them count for nothing.
_BRACKET = re.compile(r'"(?:[^"\\\n]|\\.)*"|[\[\]{}]')
_OPENING = {"]": "[", "}": "{"}
_DEEPEST = 4


class Verdicts(NamedTuple):
    """What one list of verdicts says.

    Attributes:
        by_step: Step, counted from 0 → whether it is erroneous.
        problem: Why it is no complete list; None where it is one.
        end: Where it ends in the text.
    """

    by_step: Mapping[int, bool]
    problem: UnreadableReason | None
    end: int


class Segment(NamedTuple):
    """A bracketed part of a text."""

    start: int
    end: int
    height: int


def word_says(word: str) -> bool | None:
    """Whether a word says that a step is erroneous; None where it says neither that nor the opposite.

    >>> word_says("Incorrect"), word_says("正确"), word_says("true")
    (True, False, None)
    """
    word = _SPLITS.sub(" ", word.strip(" \t\n.!。*_`'\"").lower())
    return True if word in _ERRONEOUS else False if word in _CORRECT else None


def number_steps(numbers: list[int], said: list[bool], n_steps: int, end: int) -> Verdicts:
    """Lay numbered verdicts out by step; the numbers count from 1 or from 0, and all must be there."""
    by_number: dict[int, bool] = {}
    problem: UnreadableReason | None = None
    for number, erroneous in zip(numbers, said, strict=True):
        if by_number.setdefault(number, erroneous) != erroneous:
            problem = "contradiction"
    first = 0 if 0 in by_number else 1
    by_step = {number - first: erroneous for number, erroneous in by_number.items()}
    if problem is None and max(by_step) >= n_steps:
        problem = "outside-options"
    if problem is None and len(by_step) < n_steps:
        problem = "ambiguous"
    return Verdicts(by_step, problem, end)


def list_steps(said: list[bool | None], n_steps: int, end: int) -> Verdicts:
    """Lay verdicts out in their order; None stands for what is no verdict."""
    known = {step: erroneous for step, erroneous in enumerate(said) if erroneous is not None}
    if len(known) < len(said) or len(said) < n_steps:
        return Verdicts({}, "ambiguous", end)
    return Verdicts(known, "outside-options" if len(said) > n_steps else None, end)


def find_segments(text: str) -> Iterator[Segment]:
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
                yield Segment(start, match.end(), height)


def parse_segment(text: str) -> Any:
    """Return the JSON value, or the Python literal, that a bracketed text is; None where it is neither."""
    for form in (text, _as_json(text)):
        try:
            return json.loads(form)
        except (ValueError, RecursionError):
            continue
    return None


def _as_json(text: str) -> str:
    """A Python literal as JSON, where it has no double quotes."""
    words = {"True": "true", "False": "false", "None": "null"}
    if '"' not in text:
        text = text.replace("'", '"')
    return re.sub(r"\b(?:True|False|None)\b", lambda match: words[match.group()], text)


def read_flat(text: str, n_steps: int, end: int, *, key: str | None = "") -> Verdicts | None:
    """Read a list without inner brackets, `[true, false]`, `["correct", "wrong"]` or `[0, 1]`; None if it is another.

    A true or a 1 says "erroneous", or what the key says that stands before the list; with no key (None) it could mean
    either. Words for booleans in quotes could mean either and are no verdicts.
    """
    values = parse_segment(text)
    if not isinstance(values, list):
        values = [_flat_value(item.strip()) for item in text[1:-1].split(",")]
    if len(values) == 1 and n_steps > 1:
        return None  # "Step 2: [correct]"
    if key is None and values and all(value in (0, 1) for value in values):
        return Verdicts({}, "ambiguous", end)
    return list_values(values, n_steps, end, key=key or "")


def _flat_value(item: str) -> Any:
    plain = {"true": True, "false": False, "0": 0, "1": 1}
    return plain[item.lower()] if item.lower() in plain else item.strip("\"'")


def list_values(values: list[Any], n_steps: int, end: int, *, key: str = "") -> Verdicts | None:
    """Read a list of values of one kind, or of objects; None where no member says anything of a step."""
    if values and all(isinstance(value, dict) for value in values):
        if all(len(value) == 1 and _NUMBER.fullmatch(next(iter(value)).lower()) for value in values):
            return _read_numbered({name: said for value in values for name, said in value.items()}, n_steps, end)
        return list_objects(values, n_steps, end)
    said = [value_says(value, key) for value in values]
    if all(erroneous is None for erroneous in said):
        return None
    mixed = len({type(value) for value in values}) > 1
    return Verdicts({}, "ambiguous", end) if mixed else list_steps(said, n_steps, end)


def value_says(value: Any, key: str = "") -> bool | None:
    """Whether a value under a key says "erroneous"; None where it says nothing."""
    polar = key in KEYS_OF_ERROR or key in KEYS_OF_CORRECTNESS
    if isinstance(value, str):
        said = _SAYS_YES.get(value.strip().lower()) if polar else None
        if said is None:
            return word_says(value)
    elif isinstance(value, bool | int) and value in (0, 1):
        said = bool(value)
    else:
        return None
    return said != (key in KEYS_OF_CORRECTNESS)


def list_objects(objects: list[dict[str, Any]], n_steps: int, end: int) -> Verdicts | None:
    """Read one object a step; None where no object has a verdict."""
    judged = [_read_object(each) for each in objects]
    said = [erroneous for _, erroneous, _ in judged]
    numbers = [number for number, _, _ in judged]
    if any(clash for _, _, clash in judged):
        return Verdicts({}, "contradiction", end)
    if all(erroneous is None for erroneous in said):
        return None
    known = [erroneous for erroneous in said if erroneous is not None]
    given = [number for number in numbers if number is not None]
    if len(known) < len(said) or 0 < len(given) < len(numbers):
        return Verdicts({}, "ambiguous", end)
    return number_steps(given, known, n_steps, end) if given else list_steps(said, n_steps, end)


def _read_object(each: dict[str, Any]) -> tuple[int | None, bool | None, bool]:
    """The step's number, whether it is erroneous, and whether two fields contradict each other."""
    number: int | None = None
    said: set[bool] = set()
    for name, value in each.items():
        key = plain_key(name)
        if key in _KEYS_OF_NUMBER:
            match = _NUMBER.fullmatch(str(value).strip().lower()) if not isinstance(value, bool) else None
            number = int(match[1]) if match else number
        elif key in _KEYS_OF_VERDICT or key in KEYS_OF_ERROR or key in KEYS_OF_CORRECTNESS:
            polar = key not in _KEYS_OF_VERDICT
            # Under "label", a 1 could mean either.
            erroneous = value_says(value, key) if polar or isinstance(value, str) else None
            said |= {erroneous} if erroneous is not None else set()
    return number, next(iter(said)) if len(said) == 1 else None, len(said) > 1


def _holds_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(member, dict) for member in value)


def read_mapping(each: dict[str, Any], n_steps: int, end: int) -> Verdicts | None:
    """Read an object that holds all verdicts: under one key as a list, or under the number of each step."""
    found: list[Verdicts] = []
    for name, value in each.items():
        key = plain_key(name)
        listed = _read_list_of_numbers(key, value, n_steps, end)
        if listed is not None:
            found.append(listed)
            continue
        named = key in _KEYS_OF_VERDICT or key in KEYS_OF_ERROR or key in KEYS_OF_CORRECTNESS
        if named or key in _KEYS_OF_NUMBER or _holds_objects(value):
            inner = read_value(value, n_steps, end, key=key)
            found += [inner] if inner else []
    if not found:
        return _read_numbered(each, n_steps, end)
    complete = [verdicts for verdicts in found if verdicts.problem is None]
    if any(verdicts.by_step != complete[0].by_step for verdicts in complete):
        return Verdicts({}, "contradiction", end)
    return (complete or found)[-1]


def _read_list_of_numbers(key: str, value: Any, n_steps: int, end: int) -> Verdicts | None:
    """Read `"erroneous_steps": [2]`, a list of all steps of one kind; None where it is no such list.

    With as many members as the trace has steps, 0 and 1 alone are verdicts where one of them repeats; else a 0 could be
    a verdict as well as a number that counts from 0, so nothing is read.
    """
    of_errors = key in _LISTS_OF_ERRORS
    if not isinstance(value, list) or not (of_errors or key in _LISTS_OF_CORRECT):
        return None
    if not value and not key.endswith(("steps", "errors", "mistakes", "步骤")):
        return None
    numbers: list[int] = []
    for member in value:
        match = _NUMBER.fullmatch(str(member).strip().lower()) if not isinstance(member, bool) else None
        if match is None:
            return None
        numbers.append(int(match[1]))
    flags = len(numbers) == n_steps and set(numbers) <= {0, 1}
    if flags and (len(set(numbers)) < n_steps or key in KEYS_OF_ERROR or key in KEYS_OF_CORRECTNESS):
        return None
    if 0 in numbers or len(set(numbers)) < len(numbers):
        return Verdicts({}, "ambiguous", end)
    if any(number > n_steps for number in numbers):
        return Verdicts({}, "outside-options", end)
    return Verdicts({step: (step + 1 in numbers) == of_errors for step in range(n_steps)}, None, end)


def _read_numbered(each: dict[str, Any], n_steps: int, end: int) -> Verdicts | None:
    """Read `{"1": "correct", "step 2": "wrong"}`."""
    numbers = [match and int(match[1]) for match in map(_NUMBER.fullmatch, map(str.lower, each))]
    values = [
        _read_object(value)[1] if isinstance(value, dict) else value_says(value) if isinstance(value, str) else None
        for value in each.values()
    ]
    given = [number for number in numbers if number is not None]
    known = [erroneous for erroneous in values if erroneous is not None]
    if len(given) < len(numbers) or not known:
        return None
    return number_steps(given, known, n_steps, end) if len(known) == len(given) else Verdicts({}, "ambiguous", end)


def read_value(value: Any, n_steps: int, end: int, *, key: str = "") -> Verdicts | None:
    """Read a JSON value that holds all verdicts; None where it says nothing of the steps."""
    if isinstance(value, list):
        return list_values(value, n_steps, end, key=key)
    return read_mapping(value, n_steps, end) if isinstance(value, dict) else None


def plain_key(name: str) -> str:
    """The name of a field as the word lists have it: lower case, words apart."""
    return _SPLITS.sub(" ", name.strip().lower())


def is_single(value: Any) -> bool:
    """Whether an object judges one step and says which."""
    if not isinstance(value, dict):
        return False
    number, erroneous, clash = _read_object(value)
    return number is not None and (erroneous is not None or clash)
