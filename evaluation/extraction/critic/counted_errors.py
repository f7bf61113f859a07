"""How many steps are wrong, and then which: "but two of its steps are not: step 3 …, and step 6 …"."""

import re

_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "a single": 1, "a couple": 2}
_COUNT = rf"(?:only |just )?(?P<{{}}>{'|'.join(_COUNTS)}|[1-6])"
_WRONG = (
    r"(?:wrong|incorrect|erroneous|flawed|faulty|problematic|mistaken|in error|unsupported|inaccurate"
    r"|not (?:right|correct|supported|accurate|fine))"
)
# The sound part that comes first: "Overall, the trace is sound, but …"; it names no step.
_LEAD = r"(?P<lead>(?:[^.;:!?\n0-9]{0,120}?(?:, ?|;| |-{1,2} ?)(?:but|though|however|yet),? )?)"
_OF = r"(?: (?:out )?of (?:its|the|these|those|them|the trace's|all the|my)(?: (?:[a-z]+|[0-9]{1,2}))?)?"
_ANNOUNCED = re.compile(
    r"(?:(?<=[.!?\n] )|(?<=\n)|\A)(?:"
    rf"{_LEAD}(?:there (?:are|is) )?{_COUNT.format('some')}{_OF}(?: steps?| ones?)?"
    rf" (?:that |which )?(?:are|is)(?:n't| not| {_WRONG})"
    rf"|(?P<sound>[^.;:!?\n0-9]{{0,120}}?)(?:except|apart from|save"
    rf"|but (?:it )?(?:fails|errs|slips(?: up)?|goes wrong|is wrong))"
    rf",? (?:for |in |at )*{_COUNT.format('places')} (?:places|points|spots|steps|instances|errors|mistakes|slips)"
    r")(?P<end>: ?| ?-{1,2} |\. )(?=(?:in |at )?step ?#?[0-9])"
)
_NAMED = re.compile(
    r"(?:\A|[,;] (?:and |while |whereas )?|(?<= and ))(?:in |at )?step ?#?(?P<number>[0-9]{1,2})(?= [a-z(]|,)"
)
_SOUND = re.compile("(?<![a-z])(?:sound|right|correct|good|fine|solid|valid|hold|accurate|true|well)")
_UNSOUND = re.compile("(?<![a-z])(?:wrong|incorrect|un[a-z]+|use|not|never|bad|false|invalid|fault)|n't")
_SENTENCE = re.compile(r"(?:[^.!?\n]|\.(?=\S)){1,1000}")


def _write(match: re.Match[str]) -> str:
    if match["places"] and (not _SOUND.search(match["sound"]) or _UNSOUND.search(match["sound"])):
        return match.group()
    count = match["some"] or match["places"]
    number = _COUNTS.get(count) or int(count)
    listed = _SENTENCE.match(match.string, match.end())
    named = {found["number"] for found in _NAMED.finditer(listed.group())} if listed else set()
    if len(named) != number:
        return match.group()
    return f"{count} step{'s are' if number > 1 else ' is'} wrong: "


def announce_errors(text: str) -> str:
    """Return a text in lower case that announces its errors in one way, if it then names as many steps.

    >>> announce_errors("it is sound, but two of its steps are not: step 3 swaps them, and step 6 relies on it.")
    'two steps are wrong: step 3 swaps them, and step 6 relies on it.'
    """
    return _ANNOUNCED.sub(_write, text) if "step" in text else text
