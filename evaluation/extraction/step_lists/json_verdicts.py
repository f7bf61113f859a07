"""JSON values that judge the steps of a trace."""

import re
from typing import Any, NamedTuple

from evaluation.extraction.critic.accounts import Verdicts, list_steps, number_steps
from evaluation.extraction.critic.critic_phrases import (
    judge_phrase,
    list_of_key,
    names_number,
    names_verdict,
    plain_key,
    polarity_of_key,
    read_flag,
)
from evaluation.extraction.critic.numbers import CHINESE_NUMBERS, ORDINAL, SPELLED, list_numbers
from evaluation.extraction.step_lists.bracketed_text import COMMENT, FLAGS_IN_TEXT, parse_segment
from evaluation.extraction.step_lists.named_steps import (
    names_error,
    names_error_type,
    read_all,
    read_first_error,
    read_later_errors,
    read_probabilities,
    read_types,
    split_step_fields,
)

_NUMBER = re.compile(
    rf"(?:the )?(?:(?:reasoning )?steps?[ _-]?|第|步骤|s)?[#_ ]{{0,2}}"
    rf"([0-9]{{1,4}}|[{CHINESE_NUMBERS}]|{ORDINAL}|{SPELLED})"
    r"(?:[ _-]?(?:步骤?|step))?",
    re.IGNORECASE,
)
_NUMBERS = re.compile(
    r"(?:steps? |第|步骤)?[0-9]{1,4}(?:步| ?(?:,|and|、|&|;) ?(?:steps? )?[0-9]{1,4}){0,40}", re.IGNORECASE
)
# An index may count from 0.
_NUMBERED = re.compile(r"(?:steps? ?#?|步骤|第)([0-9]{1,3})步? ?(?:[:,(]|-|is )", re.IGNORECASE)
_HIGHEST = 9_999
_INDEX = re.compile("ind(?:ex|ices)")
_YES = frozenset({"yes", "y", "是"})
_COMMA = re.compile("[,;、]")
_SAYS_NONE = frozenset({"none", "nothing", "no", "no errors", "n/a", "无", "没有", ""})


class _Judged(NamedTuple):
    """What an object says of one step."""

    number: int | None
    erroneous: bool | None
    is_contradictory: bool


def read_flat(text: str, n_steps: int, *, key: str | None = "") -> Verdicts | None:
    """Read a list without inner brackets, `[true, false]`, `["correct", "wrong"]` or `[0, 1]`; None if it is another.

    A true or a 1 says "erroneous", or what the key says that stands before the list; with no key (None) it could mean
    either.
    """
    values = parse_segment(text)
    if not isinstance(values, list):
        plain = COMMENT.sub(lambda match: match[1] or "", text[1:-1]) if "//" in text else text[1:-1]
        values = [_flat_value(item.strip()) for item in _COMMA.split(plain)]
    if len(values) == 1 and n_steps > 1:
        return None  # "Step 2: [correct]"
    if key is None and values and all(value in (0, 1) for value in values):
        perhaps = list_values(values, n_steps)
        return Verdicts(perhaps.by_step if perhaps and perhaps.problem is None else {}, "ambiguous")
    return list_values(values, n_steps, key=key or "")


def _flat_value(item: str) -> Any:
    plain = {"true": True, "false": False, "0": 0, "1": 1}
    return plain[item.lower()] if item.lower() in plain else item.strip("\"'")


def list_values(values: list[Any], n_steps: int, *, key: str = "") -> Verdicts | None:
    """Read a list of values of one kind, or of objects; None where no member says anything of a step."""
    if values and all(isinstance(value, dict) for value in values):
        if all(len(value) == 1 and _NUMBER.fullmatch(next(iter(value))) for value in values):
            return _read_numbered({name: said for value in values for name, said in value.items()}, n_steps)
        return list_objects(values, n_steps)
    if values and all(isinstance(value, list) and len(value) == 2 for value in values):
        return _read_numbered({str(name): said for name, said in values}, n_steps) if _differ(values) else None
    if values and all(isinstance(value, str) and _NUMBERED.match(value) for value in values):
        parts = [_NUMBERED.split(value, maxsplit=1) for value in values]
        return _read_numbered({number: text.strip(" )") for _, number, text in parts}, n_steps, key=key)
    if any(isinstance(value, int) and value > 1 for value in values):
        # Numbers of steps, from 1 on: what stands before the list says what they are.
        return Verdicts({}, "ambiguous") if 0 in values else None
    said: list[bool | None] = [*(_read_flags(values, key) or read_types(values) or ())]
    said = said or [value_says(value, key) for value in values]
    if all(erroneous is None for erroneous in said):
        return None
    mixed = len({type(value) for value in values}) > 1
    return Verdicts({}, "ambiguous") if mixed else list_steps(said, n_steps)


def _differ(pairs: list[Any]) -> bool:
    return len({str(name) for name, _ in pairs}) == len(pairs)


def _read_flags(values: list[Any], key: str) -> list[bool | None] | None:
    """Read truth values in quotes, or by number: true means erroneous, as the prompt asks, or what a key says.

    A yes may also say that the step is right; without a key, it is read only where it is rarer than a no.
    """
    polarity = polarity_of_key(key) if key else None
    flags = [
        read_flag(value, is_polar=polarity is not None or not value.isdigit()) if isinstance(value, str) else None
        for value in values
    ]
    known = [flag for flag in flags if flag is not None]
    if not known or len(known) < len(flags):
        return None
    if polarity is not None:
        return [flag == polarity for flag in known]
    says_yes = any(str(value).strip().lower() in _YES for value in values)
    return list(known) if not says_yes or 2 * sum(known) <= len(known) else None


def value_says(value: Any, key: str = "") -> bool | None:
    """Whether a value under a key says "erroneous"; None where it says nothing."""
    polarity = polarity_of_key(key) if key else None
    if isinstance(value, str):
        flag = read_flag(value, is_polar=True) if polarity is not None else None
        if flag is None:
            return judge_phrase(value)
        return flag == polarity
    if isinstance(value, bool | int) and value in (0, 1):
        return bool(value) != (polarity is False)
    return None


def list_objects(objects: list[dict[str, Any]], n_steps: int) -> Verdicts | None:
    """Read one object a step; None where no object has a verdict."""
    judged = [_read_object(each) for each in objects]
    said = [each.erroneous for each in judged]
    if any(each.is_contradictory for each in judged):
        return Verdicts({}, "contradiction")
    if all(erroneous is None for erroneous in said) and not (said := _read_labels(objects)):
        return None
    known = [erroneous for erroneous in said if erroneous is not None]
    given = [each.number for each in judged if each.number is not None]
    if len(known) < len(said) or 0 < len(given) < len(judged):
        return Verdicts({}, "ambiguous")
    return number_steps(given, known, n_steps) if given else list_steps(said, n_steps)


def _read_number(value: Any) -> int | None:
    """The number of a step; None where a value is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if 0 <= value <= _HIGHEST else None
    match = _NUMBER.fullmatch(value.strip()) if isinstance(value, str) else None
    numbers = list_numbers(match[1].lower()) if match else ()
    return numbers[0] if numbers and numbers[0] >= 0 else None


def _read_object(each: dict[str, Any]) -> _Judged:
    number: int | None = None
    said: set[bool] = set()
    for name, value in each.items():
        key = plain_key(name)
        if names_error_type(key):
            types = read_types([value, "error", None])
            said |= {types[0]} if types else set()
        elif names_error(key) and not isinstance(value, bool | int) and (types := read_types([value, "error", None])):
            said.add(types[0])
        elif names_number(key):
            given = _read_number(value)
            number = number if given is None else given
        elif isinstance(value, dict) and names_verdict(key):
            within = _read_object(value)
            said |= {within.erroneous} if within.erroneous is not None and within.number is None else set()
        elif (polar := polarity_of_key(key) is not None) or names_verdict(key):
            # Under "label", a 1 could mean either.
            erroneous = value_says(value, key) if polar or isinstance(value, str) else None
            said |= {erroneous} if erroneous is not None else set()
    return _Judged(number, next(iter(said)) if len(said) == 1 else None, len(said) > 1)


def _read_label(each: dict[str, Any]) -> bool | None:
    """Whether an object labels its step 1, as the prompt asks for an erroneous one; None where a remark differs."""
    labels = {
        str(value)
        for name, value in each.items()
        if not isinstance(value, bool) and names_verdict(plain_key(name)) and polarity_of_key(plain_key(name)) is None
    }
    remarks = {judge_phrase(value) for value in each.values() if isinstance(value, str)} - {None}
    if len(labels) != 1 or not labels <= {"0", "1"}:
        return None
    erroneous = labels == {"1"}
    return erroneous if remarks <= {erroneous} else None


def _read_labels(objects: list[dict[str, Any]]) -> list[bool | None]:
    """The labels of objects, one a step; none where one is unclear."""
    said = [*map(_read_label, objects)]
    # Of labels that call most steps erroneous, a 1 may mean a right step.
    return [] if None in said or 2 * sum(map(bool, said)) > len(said) else said


def _holds_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(member, dict) for member in value)


def read_mapping(each: dict[str, Any], n_steps: int, *, key: str = "") -> Verdicts | None:
    """Read an object that holds all verdicts: under one key as a list, or under the number of each step."""
    within = key
    found: list[Verdicts] = []
    if (spread := read_later_errors(each, n_steps)) is not None:
        return spread
    for name, value in each.items():
        key = plain_key(name)
        listed = (
            read_first_error(key, value, n_steps)
            or read_all(key, value, n_steps)
            or _read_list_of_numbers(key, value, n_steps)
            or _read_probable(key, value, n_steps)
        )
        if listed is not None:
            found.append(listed)
            continue
        named = names_verdict(key) or polarity_of_key(key) is not None or names_number(key)
        if named or _holds_objects(value) or (isinstance(value, dict) and _read_number(key) is None):
            inner = read_value(value, n_steps, key=within if within and polarity_of_key(key) is None else key)
            found += [inner] if inner else []
    if not found and (split := split_step_fields({plain_key(name): value for name, value in each.items()})):
        within, each = split
    if not found:
        return _read_numbered(each, n_steps, key=within)
    complete = [verdicts for verdicts in found if verdicts.problem is None]
    if any(verdicts.by_step != complete[0].by_step for verdicts in complete):
        return Verdicts({}, "contradiction")
    return (complete or found)[-1]


def _read_probable(key: str, value: Any, n_steps: int) -> Verdicts | None:
    probable = read_probabilities(key, value) if isinstance(value, list) else None
    return None if probable is None else list_steps(probable, n_steps)


def _list_numbers(value: Any, key: str) -> list[int] | None:
    """The numbers of steps that a value lists: members, objects with a number, keys, or a string."""
    if isinstance(value, dict):
        told = any(read_flag(said) is not None or judge_phrase(str(said)) is not None for said in value.values())
        value = None if told or any(_read_number(name) is None for name in value) else list(value)
    elif value is None or (isinstance(value, str) and value.strip().lower() in _SAYS_NONE):
        value = []
    elif isinstance(value, str):
        value = list(list_numbers(value.lower())) if _NUMBERS.fullmatch(value.strip()) else None
    elif isinstance(value, int) and not isinstance(value, bool) and key.endswith(("step", "steps", "步骤")):
        value = [value]
    if not isinstance(value, list) or (not value and not key.endswith(("steps", "errors", "mistakes", "步骤", "错误"))):
        return None
    members = [_number_within(member) if isinstance(member, dict) else _read_numbered_text(member) for member in value]
    numbers = [number for number in members if number is not None]
    return numbers if len(numbers) == len(members) else None


def _read_numbered_text(member: Any) -> int | None:
    """The number of a step, alone or before what is said of it: "step 2: no dog"."""
    match = _NUMBERED.match(member) if isinstance(member, str) else None
    return int(match[1]) if match else _read_number(member)


def _number_within(member: dict[str, Any]) -> int | None:
    """The number of the step that an object describes, where it says nothing else of it."""
    judged = _read_object(member)
    return judged.number if judged.erroneous is not False and not judged.is_contradictory else None


def _read_list_of_numbers(key: str, value: Any, n_steps: int) -> Verdicts | None:
    """Read `"erroneous_steps": [2]`, a list of all steps of one kind; None where it is no such list.

    With as many members as the trace has steps, 0 and 1 alone are verdicts where one of them repeats; else a 0 could be
    a verdict as well as a number that counts from 0, so nothing is read.
    """
    of_errors = list_of_key(key)
    numbers = _list_numbers(value, key) if of_errors is not None else None
    if numbers is None:
        return None
    flags = len(numbers) == n_steps and set(numbers) <= {0, 1}
    if flags and (len(set(numbers)) < n_steps or polarity_of_key(key) is not None):
        return None
    by_index = _INDEX.search(key) is not None and n_steps not in numbers and bool(numbers)
    if by_index or 0 in numbers or len(set(numbers)) < len(numbers):
        return Verdicts({}, "ambiguous")
    if any(number > n_steps for number in numbers):
        return Verdicts({}, "outside-options")
    return Verdicts({step: (step + 1 in numbers) == of_errors for step in range(n_steps)})


def _read_numbered(each: dict[str, Any], n_steps: int, *, key: str = "") -> Verdicts | None:
    """Read `{"1": "correct", "step 2": "wrong"}`; fields without a number are remarks."""
    by_number = {number: value for name, value in each.items() if (number := _read_number(name)) is not None}
    values = list(by_number.values())
    # Without a key, 1 is what the prompt calls it: erroneous.
    all_bits = len(values) > 1 and all(not isinstance(value, bool) and value in (0, 1) for value in values)
    is_polar = polarity_of_key(key) is not None or (not key and all_bits)
    flags = _read_flags(
        [str(bool(value)) if isinstance(value, bool) or (is_polar and value in (0, 1)) else value for value in values],
        key,
    )
    said = flags or [
        _read_object(value).erroneous
        if isinstance(value, dict)
        else judge_phrase(value)
        if isinstance(value, str)
        else None
        for value in values
    ]
    if values and all(isinstance(value, dict) for value in values) and set(said) == {None}:
        said = _read_labels(values)
    known = [erroneous for erroneous in said if erroneous is not None]
    if not known:
        return None
    return number_steps(list(by_number), known, n_steps) if len(known) == len(by_number) else Verdicts({}, "ambiguous")


def read_value(value: Any, n_steps: int, *, key: str = "") -> Verdicts | None:
    """Read a JSON value that holds all verdicts; None where it says nothing of the steps."""
    if isinstance(value, list):
        return list_values(value, n_steps, key=key)
    if isinstance(value, str) and (FLAGS_IN_TEXT.fullmatch(value) or value.count(",") == n_steps - 1 > 0):
        return read_flat(f"[{value.strip(' []')}]", n_steps, key=key)
    return read_mapping(value, n_steps, key=key) if isinstance(value, dict) else None


def is_single(value: Any) -> bool:
    """Whether an object judges one step and says which."""
    if not isinstance(value, dict):
        return False
    judged = _read_object(value)
    return judged.number is not None and (judged.erroneous is not None or judged.is_contradictory)
