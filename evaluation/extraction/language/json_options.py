"""JSON objects that judge options one by one: `{"id": "A", "keep": true}`, `"A": {"rejected": false}`.

Each is written as a line of a review, "(A): true". A field that speaks against an option turns its value. An object
whose fields judge nothing, such as scores, chooses no option and is left out.
"""

import re

_OBJECT = re.compile(r"\{([^{}]{0,8000})\} ?,?")
_NESTED = re.compile(
    r"[\"'](?:option|choice|statement|选项)?[ _]?([A-Za-z])[\"'] ?: ?\{([^{}]{0,2000})\} ?,?", re.IGNORECASE
)
_FIELD = re.compile(
    r"[\"']([^\"'{}\[\]:]{1,40})[\"'] ?: ?"
    r"(?:\"((?:[^\"\\]|\\.){0,2000})\"|'([^'\n]{0,2000})'|\[[^\]]{0,4000}\]|([\w.-]{1,20}))"
)
# Names of fields: the letter of an option, what says no more of it, and what speaks for or against it.
_WRITTEN_OF_OPTION = "option choice letter id label option_id option_letter name key 选项 字母"
_KEYS_OF_OPTION = frozenset(_WRITTEN_OF_OPTION.split())
_WRITTEN_OF_WORDS = (
    "text statement content option_text description reason reasoning explanation evidence note comment "
    "rationale justification 理由 原因 内容 依据 说明 解释"
)
_KEYS_OF_WORDS = frozenset(_WRITTEN_OF_WORDS.split())
_WRITTEN_FOR = (
    "verdict judgment judgement is_correct correct correctness is_true true valid is_valid supported "
    "is_supported holds applies matches fits present consistent is_consistent chosen selected is_selected "
    "select label answer result status decision conclusion keep kept retain retained include included "
    "accept accepted plausible reasonable inferable inferred can_be_inferred can_infer entailed "
    "true_or_false value "
    "判断 结果 结论 正确 是否正确 成立 是否成立 符合 是否符合 保留 是否保留 入选 是否入选 选择 是否选择 选 可推断 "
    "是否可推断 能否推断 合理 是否合理"
)
_KEYS_FOR = frozenset(_WRITTEN_FOR.split())
_WRITTEN_AGAINST = (
    "reject rejected exclude excluded eliminate eliminated discard discarded drop dropped wrong is_wrong "
    "incorrect is_incorrect false is_false contradicted contradictory unsupported ruled_out error 排除 是否排除 "
    "错误 不成立 不符合"
)
_KEYS_AGAINST = frozenset(_WRITTEN_AGAINST.split())
_KEYS_OF_ANSWERS = frozenset({"answer", "label", "result", "choice", "value"})
_AFFIRMED, _DENIED = frozenset({"true", "yes", "1", "是", "y"}), frozenset({"false", "no", "0", "否", "n"})
_FENCE = re.compile("```[a-z]{0,10}", re.IGNORECASE)
_NO_OPTION = "xx"
_WORDS = re.compile(r"[\w ✓✔✅✗✘❌×√-]{1,24}")
_LISTED = re.compile(r"[\"'](?:options|choices|labels|statements|选项)[\"'] ?: ?\[ ?\{", re.IGNORECASE)


def write_option_objects(text: str) -> str:
    r"""Write the objects of a text that judge options as lines of a review.

    >>> write_option_objects('[{"id": "A", "keep": true}, {"id": "B", "rejected": true}]')
    '[\n(A): true\n \n(B): wrong\n]'
    """
    written = _write_flat_objects(
        _NESTED.sub(lambda match: _write_line(match[1], _judge(_list_fields(match[2]))), text)
    )
    # Objects that judge nothing are an answer all the same: "no option named" is the reason, not "empty".
    is_left_out = written != text and not any(map(str.isalnum, _FENCE.sub("", written)))
    return _NO_OPTION if is_left_out else written


def _write_flat_objects(text: str) -> str:
    """Write the objects that name an option in one of their fields."""
    objects = [fields for match in _OBJECT.finditer(text) if _find_option(fields := _list_fields(match[1]))]
    if not objects:
        return text
    are_judged = any(map(_judge, objects))
    # A single object may be the answer: `{"option": "B", "confidence": 0.9}`.
    if not are_judged and len(objects) < 2:
        return text
    are_echoed = _LISTED.search(text) is not None

    def write_one(match: re.Match[str]) -> str:
        fields = _list_fields(match[1])
        letter = _find_option(fields)
        if not letter:
            return match.group()
        verdict = _judge(fields)
        rated = any(key not in _KEYS_OF_WORDS | _KEYS_OF_OPTION for key, _ in fields)
        return _write_line(letter, verdict) if verdict or are_judged or are_echoed or rated else match.group()

    return _OBJECT.sub(write_one, text)


def _write_line(letter: str, verdict: str) -> str:
    return f"\n({letter}): {verdict}\n" if verdict else ""


def _list_fields(written: str) -> list[tuple[str, str]]:
    """The fields of an object and their values in words."""
    return [
        (match[1].strip().lower().replace(" ", "_").replace("-", "_"), match[2] or match[3] or match[4] or "")
        for match in _FIELD.finditer(written)
    ]


def _find_option(fields: list[tuple[str, str]]) -> str:
    """The letter of the option that an object is about; "" where it is about none."""
    return next((value for key, value in fields if key in _KEYS_OF_OPTION and len(value) == 1 and value.isalpha()), "")


def _judge(fields: list[tuple[str, str]]) -> str:
    """The verdict that an object has; "" where it has none."""
    for key, value in fields:
        said = value.strip().lower()
        if key in _KEYS_AGAINST and said in _AFFIRMED | _DENIED:
            return "wrong" if said in _AFFIRMED else "correct"
        is_number = said.replace(".", "").isdigit() and said not in _AFFIRMED | _DENIED
        is_letter = len(said) == 1 and "a" <= said <= "z" and (key in _KEYS_OF_ANSWERS or said not in "yntf")
        if key in _KEYS_FOR and _WORDS.fullmatch(value) and not is_number and not is_letter:
            return value
    return ""
