"""Other names of steps, by their numbers: "no. 3", "the third and final step", "both opening steps", "2nd", 1-3步."""

import re

from evaluation.extraction.critic.numbers import SPELLED_NUMBERS, list_numbers, read_number
from evaluation.extraction.language.symbols import ORDINALS

_ORDINAL = "|".join(ORDINALS)
_COUNT = "|".join(SPELLED_NUMBERS)
_NUMBERS = r"[0-9]{1,2}(?:(?:, (?:and )?| and | & )[0-9]{1,2}){0,20}"
# "No. 4 (the clap is single)"; in "No. 4 voices are heard" it opens a sentence and answers a question.
_NUMBERED = re.compile(
    rf"(?:(?<=[a-z:(,;] )|(?<=\())no\. ?(?P<number>[0-9]{{1,2}})(?!\.?[0-9])"
    rf"|(?<![a-z])nos\. ?(?P<numbers>{_NUMBERS})(?![0-9])"
    rf"|(?<![a-z])(?<!the )(?:numbers? )(?P<named>{_NUMBERS}|{_COUNT})"
    r"(?= (?:is|are|isn't|aren't)(?![a-z])| ?[.;:(]|\Z)",
    re.IGNORECASE,
)
# "The third and final step", "the fourth (and last)".
_AND_LAST = re.compile(
    rf"(?<![a-z])(?P<nth>the (?:{_ORDINAL}))(?:,? and (?:final|last),?| \((?:and )?(?:final|last)\))"
    r"(?= (?:step|one|is|isn't|does)(?![a-z])|[,.;:])",
    re.IGNORECASE,
)
# "Both of the opening steps".
_BOTH = re.compile(
    r"(?<![a-z])both (?:of )?(?:the )?(?P<side>opening|first|initial|early|closing|last|final) (?:two )?(?:steps|ones)"
    r"|(?<![a-z])the (?P<edge>opening|initial|closing|final) (?P<count>two|three|four) (?:steps|ones)",
    re.IGNORECASE,
)
_LATE = {"closing", "last", "final"}
# "The second of the four", "the last of the three".
_OF_COUNT = re.compile(
    rf"(?<![a-z])the (?P<nth>{_ORDINAL}|last|final)(?: one)? of the (?P<count>{_COUNT}|[2-9])(?! (?:reasoning )?steps)"
    r"(?![a-z0-9])(?= ?(?:[.,;:(\n]|\Z|is(?![a-z])))",
    re.IGNORECASE,
)
# "Of the even-numbered ones, 2 is right", "of the last three steps, 3 and 4 are wrong".
_PART = re.compile(
    rf"(?<![a-z])(?:out )?(?:of|among) the (?:(?:even|odd)(?:-numbered)?|(?:first|last|other|remaining|final|middle)"
    rf" (?:{_COUNT}|[2-9])|others?) ?(?:steps|ones)?,? (?:(?:only|just) )?(?=(?:steps? )?#?[0-9])",
    re.IGNORECASE,
)
# "The odd-numbered steps (1, 3, 5) are all correct".
_LISTED = re.compile(
    r"(?<![a-z])(?P<named>(?:(?:every|each|the|all(?: the)?) )?(?:even|odd)(?:-numbered| numbered)? steps?"
    r"|(?:the )?(?:first|last) (?:half|two|three|four|part))"
    r" \((?:steps? )?(?P<list>[0-9]{1,2}(?:(?:, ?(?:and )?| and | ?- ?)[0-9]{1,2}){1,20})\)",
    re.IGNORECASE,
)
# "From step 2 onwards (2, 3 and 4) every step is wrong", "from there on, i.e. steps 3 and 4, it is wrong".
_RANGE_LISTED = re.compile(
    r"(?<![a-z])(?:from (?:step |number )?#?[0-9]{1,2} (?:on(?:wards?)?|forward)"
    r"|from (?:there|then|that point) on(?:wards?)?)"
    r"(?: \(|, (?:i\.e\.|that is),? )(?:(?:i\.e\.|that is),? )?(?:steps? )?"
    r"(?P<list>[0-9]{1,2}(?:(?:, ?(?:and )?| and | ?- ?| to )[0-9]{1,2}){0,20})(?:\),?|,)"
    r" (?:(?:every|each|all)(?: of)?(?: (?:the|these))?(?: single)? ?(?:steps?|ones?|them)?|everything|it)?"
    r" ?(?:is|are)(?![a-z])",
    re.IGNORECASE,
)
_EVERY_FROM = re.compile(
    r"(?<![a-z])(?P<from>from (?:step )?#?[0-9]{1,2} on(?:wards?)?),? (?:every|each|all|everything)"
    r"(?: (?:the )?(?:single )?steps?)? (?:is|are)(?![a-z])",
    re.IGNORECASE,
)
_CHINESE_RANGE_LISTED = re.compile(
    r"从?第[0-9一二三四五六七八九十]{1,2}步(?:开始|起)(?:往后|以后)?\(?(?:即|也就是)?(?:步骤|第)?"
    r"(?P<list>[0-9]{1,2}(?:[、,和-] ?[0-9]{1,2}){0,20})步?\)"
)
# "1-3步:正确", 4步:错误.
_STEPS_IN_CHINESE = re.compile(
    r"(?<![第每共0-9.步骤])(?<!第 )(?<!步骤 )(?P<list>[0-9]{1,2}(?: ?[-~至到、和] ?[0-9]{1,2}){0,9}) ?步(?!骤)"
)
# "2nd is not ok", "first is right": an ordinal alone that opens a clause.
_VERDICT = (
    r"(?:is|isn't|isnt|was|ok(?:ay)?|fine|wrong|right|(?:in)?correct|erroneous|good|bad|nope|nah|no|yes|yep|has|not|faulty"
    r"|false|also|too)"
)
_ALONE = re.compile(
    rf"(?:(?<=[.;,:] )|(?<=[;,]and )|(?<= and )|(?<= but )|(?<=\n)|\A)(?:the )?"
    rf"(?P<nth>{_ORDINAL}|[0-9]{{1,2}}(?:st|nd|rd|th)|last)(?: (?:one|step))?(?=:? {_VERDICT}(?![a-z]))",
    re.IGNORECASE,
)
# "One - right; two - right".
_SPELLED = re.compile(
    rf"(?:(?<=[;,:.] )|(?<=\n)|\A)(?P<number>{_COUNT}) ?(?:-|:|=|->) ?"
    r"(?=(?:in)?(?:correct|right|wrong|erroneous|ok|fine))",
    re.IGNORECASE,
)
# "Wrong steps: two, four".
_SPELLED_LIST = re.compile(
    rf"(?<=steps: )(?P<list>(?:{_COUNT})(?:(?:, (?:and )?| and )(?:{_COUNT})){{1,9}})(?=[.;\n]|\Z)", re.IGNORECASE
)
# "Two errors: the first is wrong about pitch, the second about tempo": the ordinals count the errors.
_COUNTED = re.compile(
    rf"(?<![a-z])(?P<count>{_COUNT}|both|[2-9]) (?:[a-z-]{{1,16}} ){{0,2}}(?:errors|mistakes|problems|issues|flaws"
    r"|claims|slips|statements|assertions|points|parts|halves|reasons|assumptions|sounds|speakers|voices|notes|sentences|events)"
    r"(?![a-z])[^\n]{0,80}?(?=the first(?![a-z])"
    r"(?! (?:one )?(?:(?:is|was|occurs|lies|appears|comes|sits) )?(?:in|at|with)(?![a-z])))",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"(?<![a-z])the (?P<nth>{_ORDINAL})(?: one)?(?![a-z])(?! (?:steps?|of|{_COUNT}|half|and (?:last|final))(?![a-z]))",
    re.IGNORECASE,
)
_STEP_NUMBER = re.compile(r"(?<![a-z])steps? ?#?[0-9]|步骤|第 ?[0-9]", re.IGNORECASE)
_FEWEST = 2


def _name_number(match: re.Match[str]) -> str:
    numbers = match["number"] or match["numbers"] or match["named"]
    return f"step{'s' if len(list_numbers(numbers)) > 1 else ''} {numbers}"


def _name_last(match: re.Match[str], n_steps: int) -> str:
    is_last = read_number(match["nth"].lower().removeprefix("the ")) == n_steps
    return match["nth"] if is_last else match.group()


def _name_both(match: re.Match[str]) -> str:
    side = (match["side"] or match["edge"]).lower()
    return f"the {'last' if side in _LATE else 'first'} {match['count'] or 'two'} steps"


def _name_of_count(match: re.Match[str], n_steps: int) -> str:
    nth = read_number(match["nth"].lower())
    return f"step {n_steps if nth < 0 else nth}" if read_number(match["count"].lower()) == n_steps else match.group()


def _name_listed(match: re.Match[str]) -> str:
    return f"steps {match['list']}"


def _count_claims(text: str, n_steps: int) -> str:
    """Leave ordinals unread that count the claims or the errors named before them."""
    counted = _COUNTED.search(text)
    if counted is None:
        return text
    count = 2 if counted["count"].lower() == "both" else read_number(counted["count"].lower())
    found = [read_number(each["nth"].lower()) for each in _BARE.finditer(text, counted.end())]
    if count == n_steps or found != list(range(1, count + 1)):
        return text
    return text[: counted.end()] + _BARE.sub("one of the steps", text[counted.end() :])


def _name_all_once(pattern: re.Pattern[str], text: str, n_steps: int, write: str) -> str:
    """Name steps where the matches of a pattern name all steps, each once."""
    found = [list_numbers(match["list"]) for match in pattern.finditer(text)]
    numbers = sorted(number for each in found for number in each)
    return pattern.sub(write, text) if len(found) >= _FEWEST and numbers == list(range(1, n_steps + 1)) else text


def _name_alone(text: str, n_steps: int) -> str:
    """Name ordinals without a noun where they count up; with "step 3" in the text, they may count its claims."""
    found = [read_number(match["nth"].lower()) for match in _ALONE.finditer(text)]
    places = [n_steps if place < 0 else place for place in found]
    if _STEP_NUMBER.search(text):
        return text
    is_count = len(places) >= _FEWEST and places == sorted(set(places)) and places[-1] <= n_steps
    if not is_count:
        return text
    return _ALONE.sub(
        lambda match: f"step {n_steps if match['nth'].lower() == 'last' else read_number(match['nth'].lower())}", text
    )


def name_steps(text: str, n_steps: int) -> str:
    """Return a text with other names of steps as their numbers.

    >>> name_steps("Two fail: no. 2 (no bell) and no. 4.", 4)
    'Two fail: step 2 (no bell) and step 4.'
    >>> name_steps("1-2步:正确。3步:错误。", 3)
    '第1-2步:正确。第3步:错误。'
    """
    lowered = text.lower()
    if ("no. " in lowered or "nos." in lowered or "number" in lowered) and not _STEP_NUMBER.search(text):
        text = _NUMBERED.sub(_name_number, text)
    if "final" in lowered or "last" in lowered:
        text = _AND_LAST.sub(lambda match: _name_last(match, n_steps), text)
    if "both " in lowered or "ing two" in lowered or "al two" in lowered or "ing three" in lowered:
        text = _BOTH.sub(_name_both, text)
    if " of the " in lowered or "among the " in lowered or "f the " in lowered:
        text = _OF_COUNT.sub(lambda match: _name_of_count(match, n_steps), _PART.sub("", text))
    if "(" in text and (" steps (" in lowered or " step (" in lowered or "half (" in lowered):
        text = _LISTED.sub(_name_listed, text)
    if "from " in lowered:
        text = _EVERY_FROM.sub(r"\g<from> is", _RANGE_LISTED.sub(lambda match: f"steps {match['list']} are", text))
    if "步" in text:
        if "(" in text and "从" in text:
            text = _CHINESE_RANGE_LISTED.sub(r"第\g<list>步", text)
        text = _name_all_once(_STEPS_IN_CHINESE, text, n_steps, r"第\g<list>步")
    if "steps: " in lowered:
        text = _SPELLED_LIST.sub(lambda match: ", ".join(map(str, list_numbers(match["list"].lower()))), text)
    if "the first" in lowered:
        text = _count_claims(text, n_steps)
    if "first" in lowered or "1st" in lowered:
        text = _name_alone(text, n_steps)
    if "one" in lowered and _SPELLED.search(text):
        found = [read_number(match["number"].lower()) for match in _SPELLED.finditer(text)]
        if found == list(range(1, n_steps + 1)):
            text = _SPELLED.sub(lambda match: f"step {read_number(match['number'].lower())}: ", text)
    return text
