"""Fields that name a step: the first error, "first_error": 3, and one field a step, "step_2_erroneous": true."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from evaluation.extraction.critic.accounts import Verdicts
from evaluation.extraction.critic.critic_phrases import (
    judge_phrase,
    list_of_key,
    names_verdict,
    plain_key,
    polarity_of_key,
)

_PLACE = "step|steps|index|idx|id|number|no|position|location|paragraph|at|in"
_WRONG = "errors?|erroneous|incorrect|wrong|mistakes?|faulty|flawed|invalid|bad"
_FIRST_KEY = re.compile(
    rf"(?:(?:{_PLACE}|of|the) ){{0,3}}(?:first|earliest) (?:{_WRONG})(?: (?:{_PLACE})){{0,2}}"
    r"|(?:第一个|首个|最早的?)(?:错误|出错)(?:的)?(?:步骤|步)?(?:编号|序号)?"
)
_LATER_KEY = re.compile(
    rf"(?:later|other|others|additional|further|subsequent|remaining|more)(?: (?:{_WRONG}))?(?: (?:{_PLACE}))?"
    r"|(?:其他|其余|后续|之后的?)错误(?:的)?(?:步骤|步)?"
)
_NO_STEP = frozenset({"none", "null", "-1", "n/a", "no error", "no errors", "nothing", "", "无", "没有"})
_STEP_FIELD = re.compile(
    r"(?:step|s|步骤) ?([0-9]{1,3}) ([a-z][a-z ]{1,30})|([a-z][a-z ]{1,30}?)(?: step)? ?([0-9]{1,3})"
)
_ALL_KEY = re.compile(
    r"all (?:steps )?(?:are )?(?:correct|valid|right|supported|ok)|(?:全部|都|所有步骤)?(?:全部|都)正确"
)
_ANY_KEY = re.compile(
    "(?:has|contains|any|num|number of|n|total)? ?(?:errors?|mistakes|error steps|erroneous steps|incorrect steps)"
    "(?: (?:found|present|count|exists?|detected))?"
)
_TYPE_KEY = re.compile("(?:error|mistake|issue) (?:type|category|kind|class)|type of error|错误类型|错误类别")
_KIND = re.compile(
    "(?:(?:existence|semantic|temporal|acoustic[ -]attribute|attribute|cross[ -]modal[ -]binding|binding|reasoning"
    "|logical|factual|perception|perceptual|hallucination|timing)(?: (?:error|mistake|issue))?|error|错误"
    "|(?:存在性|语义|时间|时序|声学属性|属性|跨模态绑定|绑定|推理|逻辑|事实)错误)"
)
_PROBABILITY_KEY = re.compile(
    "(?:(?P<error>errors?|erroneous|incorrect|mistake|wrong)|correct|correctness|validity)"
    " (?:probability|probabilities|likelihoods?|probs?)"
)
_LOW, _HIGH = 0.2, 0.8
_NUMBER = re.compile(r"(?:step |第)?([0-9]{1,4})步?")


def read_first_error(key: str, value: Any, n_steps: int) -> Verdicts | None:
    """Read the field of the first error; None for any other field.

    All steps are known only where there is no error, or where the first is in the last step.
    """
    if not _FIRST_KEY.fullmatch(key) or isinstance(value, bool | list | dict):
        return None
    text = "none" if value is None else str(value).strip().lower()
    if text in _NO_STEP:
        return Verdicts(dict.fromkeys(range(n_steps), False))
    number = _NUMBER.fullmatch(text)
    if number is None:
        return None
    if int(number[1]) == n_steps:
        return Verdicts({step: step == n_steps - 1 for step in range(n_steps)})
    return Verdicts({}, "outside-options" if int(number[1]) > n_steps else "ambiguous")


def read_later_errors(each: Mapping[str, Any], n_steps: int) -> Verdicts | None:
    """Read the first error with a list of all others, {"first_error": 2, "later_errors": [4]}; None for any other."""
    first = [value for name, value in each.items() if _FIRST_KEY.fullmatch(plain_key(name)) and type(value) is int]
    later = [value for name, value in each.items() if _LATER_KEY.fullmatch(plain_key(name)) and isinstance(value, list)]
    if len(first) != 1 or len(later) != 1 or not all(type(step) is int for step in later[0]):
        return None
    steps = {*first, *later[0]}
    if min(steps) < 1 or max(steps) > n_steps:
        return Verdicts({}, "outside-options")
    return Verdicts({step: step + 1 in steps for step in range(n_steps)})


def read_all(key: str, value: Any, n_steps: int) -> Verdicts | None:
    """Read "all_correct": true and "errors_found": 0; None for any other field or value."""
    all_right = value is True and _ALL_KEY.fullmatch(key)
    if all_right or (isinstance(value, int) and value == 0 and _ANY_KEY.fullmatch(key)):
        return Verdicts(dict.fromkeys(range(n_steps), False))
    return None


def read_probabilities(key: str, values: list[Any]) -> list[bool | None] | None:
    """Read "error_probability": [0.03, 0.95]; None for another list, or where one of them is neither low nor high."""
    named = _PROBABILITY_KEY.fullmatch(key) if values and all(isinstance(value, float) for value in values) else None
    if named is None or not all(0 <= value <= _LOW or _HIGH <= value <= 1 for value in values):
        return None
    return [(value >= _HIGH) == (named["error"] is not None) for value in values]


@lru_cache(maxsize=1024)
def names_error_type(key: str) -> bool:
    """Whether a key names the kind of an error, "error_type"."""
    return _TYPE_KEY.fullmatch(key) is not None


def names_error(key: str) -> bool:
    """Whether a key names the error of a step, where a step without one has none."""
    return key in {"error", "errors", "mistake", "issue", "problem", "错误"}


def read_types(values: list[Any]) -> list[bool] | None:
    """Read kinds of errors, ["none", "temporal error", "none"]; None where one value is neither a kind nor none.

    Where no value speaks of an error, none of them can be told from a remark.
    """
    says_none = [value is None or (isinstance(value, str) and value.strip().lower() in _NO_STEP) for value in values]
    others = [value for value, none in zip(values, says_none, strict=True) if not none]
    if not any(says_none) or not all(isinstance(value, str) for value in others):
        return None
    return [not none for none in says_none] if all(_speaks_of_error(value) for value in others) else None


def _speaks_of_error(text: str) -> bool:
    return judge_phrase(text) is True or _KIND.fullmatch(text.strip().lower()) is not None


def count_from_one(value: Any) -> Any:
    """Return an object whose lists of steps count from 0 as one that counts from 1."""
    if not isinstance(value, dict):
        return value
    lists = {name: inner for name, inner in value.items() if isinstance(inner, list) and list_of_key(plain_key(name))}
    shifted = {
        re.sub("ind(?:ex|ices|exes)", "steps", name): [n + 1 if isinstance(n, int) else n for n in inner]
        for name, inner in lists.items()
    }
    return {**{name: inner for name, inner in value.items() if name not in lists}, **shifted}


def find_sentence(value: Any) -> str | None:
    """Return the one text of an object that judges steps in words: {"answer": "Only step 2 is erroneous."}."""
    if not isinstance(value, dict):
        return None
    texts = [inner for name, inner in value.items() if isinstance(inner, str) and names_verdict(plain_key(name))]
    return texts[0] if len(texts) == 1 and "{" not in texts[0] else None


def spell_labels(value: Any, *, true_is_wrong: bool) -> Any:
    """Return a value whose labels 0 and 1 are the words that a legend gives them: "1 = erroneous, 0 = correct"."""
    if isinstance(value, list):
        return [spell_labels(member, true_is_wrong=true_is_wrong) for member in value]
    if not isinstance(value, dict):
        return value
    words = ("correct", "erroneous") if true_is_wrong else ("erroneous", "correct")
    return {
        name: words[inner]
        if isinstance(inner, int) and inner in (0, 1) and names_verdict(plain_key(name))
        else spell_labels(inner, true_is_wrong=true_is_wrong)
        for name, inner in value.items()
    }


def split_step_fields(fields: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """Return what fields such as "step_2_erroneous" say of the steps: the common name, and number → value.

    Returns:
        None where not at least two fields, all with one name, are of that kind.
    """
    names: set[str] = set()
    values: dict[str, Any] = {}
    for key, value in fields.items():
        if match := _STEP_FIELD.fullmatch(key):
            name = match[2] or match[3]
            if match[3] and not (names_verdict(name) or names_verdict(f"{name}s") or polarity_of_key(name) is not None):
                return None
            names.add(name)
            values[match[1] or match[4]] = value
    return (names.pop(), values) if len(names) == 1 and len(values) > 1 else None
