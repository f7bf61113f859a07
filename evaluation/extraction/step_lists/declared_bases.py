"""Lists of indices whose key, or a field beside it, says where they start to count, or whose steps the text names.

`"wrong_steps_zero_based": [1, 4]` lists steps 2 and 5; `"error_indices": [3]` lists step 3 where the reasoning is about
step 3 and not about step 4.
"""

import re

_BASE = r"(?:(?P<zero>zero|0)|one|1)[_ -]?(?:based|indexed|index)"
_LIST = r"\[(?P<list> ?(?:[0-9]{1,2}(?: ?, ?[0-9]{1,2})*)? ?)\]"
# "wrong_steps_zero_based": [1, 4], "zero_based_error_indices": [1].
_KEYED = re.compile(
    rf"(?P<open>[\"']?)(?<![A-Za-z_])(?P<head>(?:[A-Za-z]+_)*?)_?{_BASE}"
    rf"(?P<tail>(?:_[A-Za-z]+)*)(?P<close>[\"']? ?[:=] ?){_LIST}",
    re.IGNORECASE,
)
# "indexing": "zero-based", "base": 0.
_FIELD = re.compile(
    r"(?:, ?)?[\"'](?:index(?:ing|_base|ing_base)?|base|numbering|start_index)[\"'] ?: ?"
    r"[\"']?(?:(?P<zero>zero|0)|one|1)(?:[_ -]?(?:based|indexed))?[\"']?(?P<comma> ?,)?",
    re.IGNORECASE,
)
_STEPS = r"(?:wrong|incorrect|erroneous|error|flawed|bad|faulty|mistaken)[a-z_]*"
_STEPS_KEY = re.compile(rf"(?P<key>[\"']{_STEPS}[\"'] ?: ?){_LIST}", re.IGNORECASE)
# "error_indices": [3].
_INDICES = re.compile(
    rf"(?P<key>[\"'](?:{_STEPS}_|(?:step_)?)ind(?:ices|exes|ex)(?:_of_errors?)?[\"'] ?: ?){_LIST}", re.IGNORECASE
)
_NAMED = re.compile(
    r"(?<![a-z])steps? #?(?P<list>[0-9]{1,2}(?:(?:, ?(?:and )?| and | or | & )[0-9]{1,2})*)", re.IGNORECASE
)
_ERRONEOUS = re.compile("err|wrong|incorrect|flaw|fault|bad|mistak", re.IGNORECASE)
_NUMBER = re.compile("[0-9]+")
_LONGEST = 4_000


def _shift(listed: str, by: int) -> str:
    return ", ".join(str(int(number) + by) for number in _NUMBER.findall(listed))


def _write_keyed(match: re.Match[str]) -> str:
    if not _ERRONEOUS.search(match["head"] + match["tail"]):
        return match.group()
    return f'"error_steps": [{_shift(match["list"], 1 if match["zero"] else 0)}]'


def count_declared_bases(text: str) -> str:
    """Return a text whose lists of erroneous steps count from 1 if a key, a field or the reasoning states their base.

    >>> count_declared_bases('{"wrong_steps_zero_based": [1, 4]}')
    '{"error_steps": [2, 5]}'
    >>> count_declared_bases('{"why": "Step 3 makes up a line.", "error_indices": [3]}')
    '{"why": "Step 3 makes up a line.", "error_steps": [3]}'
    """
    if "[" not in text or len(text) > _LONGEST:
        return text
    if "based" in text or "index" in text:
        text = _KEYED.sub(_write_keyed, text)
    field = _FIELD.search(text) if '"' in text or "'" in text else None
    if field is not None and len(_STEPS_KEY.findall(text)) == 1:
        without = (
            text[: field.start()]
            + ("," if field.group().startswith(",") and field["comma"] else "")
            + text[field.end() :]
        )
        by = 1 if field["zero"] else 0
        text = _STEPS_KEY.sub(lambda match: f"{match['key']}[{_shift(match['list'], by)}]", without)
    return _name_indices(text) if "ind" in text else text


def _name_indices(text: str) -> str:
    """Write a list of indices as one of steps, where the text around it names these steps by number."""
    lists = list(_INDICES.finditer(text))
    if len(lists) != 1 or not (listed := {int(number) for number in _NUMBER.findall(lists[0]["list"])}):
        return text
    rest = text[: lists[0].start()] + text[lists[0].end() :]
    named = {int(number) for match in _NAMED.finditer(rest) for number in _NUMBER.findall(match["list"])}
    shifted = {number + 1 for number in listed}
    from_one = listed <= named and shifted & named <= listed
    from_zero = shifted <= named and listed & named <= shifted
    if from_one == from_zero:
        return text
    steps = _shift(lists[0]["list"], 0 if from_one else 1)
    return f'{text[: lists[0].start()]}"error_steps": [{steps}]{text[lists[0].end() :]}'
