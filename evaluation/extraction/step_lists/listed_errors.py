r"""Erroneous steps below a heading: "Errors were found in two steps:", and one line for each of them.

The reasons may speak of other steps, and of what is correct: what counts is which steps the lines are about.
"""

import re

from evaluation.extraction.critic.numbers import CHINESE_NUMBERS, SPELLED_NUMBERS, read_number
from evaluation.extraction.language.symbols import ORDINALS

_COUNT = rf"(?:{'|'.join(SPELLED_NUMBERS)}|[1-9])"
_BAD = (
    r"(?:wrong|incorrect|erroneous|false|flawed|faulty|mistaken|inaccurate|problematic|not (?:correct|right|supported)"
    r"|in error)"
)
_ERRORS = r"(?:(?:factual |reasoning |clear |obvious |critical )?(?:errors?|mistakes?|issues?|problems?|flaws?))"
_FOUND = r"(?:found|detected|identified|spotted|noticed|made)"
_PLACE = (
    rf"(?:,? (?:in|at|with) (?:just |only |exactly )?(?:{_COUNT}|a single|this|these|the following|the)(?: {_COUNT})?"
    r"(?: of the)?(?: reasoning)?(?: steps?)?(?: only| below)?|,? in steps?)"
)
_SOME = rf"(?:just |only |exactly |at least )?(?:{_COUNT}|an?|a single|some|several|the following)"
_HAS = r"(?:is|are|was|were|has|have|contains?|holds?|includes?|shows?|makes?)"


_HOW = r"(?: (?:as follows|(?:listed )?below))?"
_COUNT_IN_CHINESE = rf"[{CHINESE_NUMBERS}两1-9]"
_LEAD = r"(?:after|having|based on|upon|looking at|listening to) [^,.;:\n]{3,60}, "
_OPENING = re.compile(rf"\A\W*{_LEAD}", re.IGNORECASE)
# What announces errors and ends in a colon.
_HEADING = re.compile(
    r"(?P<start>\A|(?<=[.!?] )|(?<=\n))[*_#>\- ]{0,8}"
    r"(?:(?:yes|ok|okay|sure|however|but|overall|in summary|in total),? )?"
    rf"(?:{_LEAD})?(?:"
    rf"(?:(?:the|my|these|here are|following are|(?:a )?(?:summary|list|explanations?|details) of"
    rf"|corrected versions of) ){{0,4}}+(?:only )?"
    rf"(?:{_BAD} steps?|steps (?:with|that contain) {_ERRORS}|steps? (?:that|which) (?:is|are) {_BAD})"
    rf"(?: (?:is|are))?{_HOW}(?: \([1-9]\))?"
    rf"|{_ERRORS}(?: (?:were|was|are|is))?(?: {_FOUND})?{_PLACE}?(?: \([1-9]\))?"
    rf"|{_SOME} {_ERRORS}(?: (?:were|was|are|is|has been|have been))?(?: {_FOUND})?{_PLACE}?"
    rf"|(?:there (?:is|are|were|was)|there's) (?:{_SOME} )?{_ERRORS}{_PLACE}?"
    rf"|(?:I|we) (?:have )?(?:found|find|see|detected|identified|noticed|noted|spotted|hear)"
    rf" (?:{_SOME} )?{_ERRORS}{_PLACE}?"
    r"|(?:the|this) (?:trace|reasoning|chain|analysis|reasoning trace|response|model) (?:has|contains|makes)"
    rf" (?:{_SOME} )?{_ERRORS}{_PLACE}?"
    rf"|{_SOME}(?: (?:out )?of the(?: {_COUNT})?)?(?: reasoning)? steps?(?: below)?"
    rf" {_HAS} (?:{_BAD}|(?:an? )?{_ERRORS})"
    rf"|(?:this|these|the following)(?: {_COUNT})?(?: reasoning)? steps? {_HAS} (?:{_BAD}|(?:an? )?{_ERRORS})"
    rf"|the {_ERRORS} (?:is|are|lies?|occurs?|can be found)(?: in|{_PLACE})"
    rf"|(?:只|仅)?(?:发现|找到)?(?:只有|仅有|有|共有?|存在)?{_COUNT_IN_CHINESE}个?(?:步骤?|处)"
    r"(?:有|存在|是|出现)?(?:错误?|有误|错误的)"
    r"|错误(?:主要)?(?:出现|存在|发生)?(?:在|于)?(?:以下|下列|如下|下面)?"
    rf"(?:{_COUNT_IN_CHINESE}个?)?步骤?(?:中|里)?"
    rf"|(?:以下|下列|下面)(?:{_COUNT_IN_CHINESE}个?|几个)?步骤?(?:有|存在|是|为)?(?:错误?|有误|错误的)"
    r"|(?:存在)?(?:错误|有误|有错|有问题)的?步骤(?:如下|有|为|是|包括)?"
    r")(?: only)?[*_ ]{0,3}:[*_ ]{0,3}(?=\n)",
    re.IGNORECASE,
)
_LABEL = r"(?:step #?(?P<{0}>[0-9]{{1,2}})(?![0-9])|步骤 ?(?P<{1}>[0-9]{{1,2}})|第 ?(?P<{2}>[0-9{3}]{{1,2}}) ?步)"
_PREFIX = r"[-*•#>– ]{0,8}(?:[0-9]{1,2}[.)] ?)?[*_]{0,3}"
_NO_RANGE = "(?! ?[-–—~至到] ?[0-9])"
_ITEM = re.compile(
    rf"\n{_PREFIX}{_LABEL.format('a', 'b', 'c', CHINESE_NUMBERS)}{_NO_RANGE}[*_ ]{{0,4}}(?:[:.(–—-]|(?=\n|\Z))"
    r"(?P<reason>[^\n]*"
    # Further lines of an item are indented.
    rf"(?:\n[ \t]++(?!{_PREFIX}(?:step #?[0-9]|步骤|第))[^\n]+)*)",
    re.IGNORECASE,
)
_LONGEST_REST = 300
# A line that says that its step is right, or that there is nothing to list; and one that may say so.
_RIGHT = re.compile(
    r"[*_ :.(–—-]{0,6}(?:this (?:step |one )?(?:is )?|it (?:is )?)?(?:actually |also |still )*"
    r"(?:correct|right|fine|accurate|ok|yes|true|valid|none|n/a|passes|verified|confirmed|holds(?: up)?|checks out"
    r"|stands|acceptable|supported|no such error"
    r"|no (?:errors?|issues?|mistakes?|problems?)(?: here| found)?|nothing(?: is)?(?: wrong)?(?: here)?"
    r"|not (?:wrong|incorrect)|正确|无|没有?(?:错误|问题)|没错|合理|属实|成立)(?![a-z])(?= ?(?:[.,;)–—-]|\Z))",
    re.IGNORECASE,
)
_PERHAPS_RIGHT = re.compile(
    r"[✓✔✅]|(?<![a-z])(?:after all|as (?:claimed|stated|described|heard|it says|said)|indeed|at first|initially"
    r"|on second thought|maybe|perhaps|possibly|not sure|debatable|minor (?:issue|error|point|wording)"
    r"|not an? (?:real )?error|take (?:this|it) (?:one )?back|checks out|(?:confirmed|verified) (?:by|in)"
    r"|(?<!not )(?:consistent with|supported by)|no (?:errors?|issues?|mistakes?|problems?)|nothing (?:is )?wrong"
    r"|(?<!in)(?<!not )correct(?:ly)?(?=[.!]?\Z)|(?<!not )(?:sound|passes|stands|holds?(?: up)?)(?=[.!]?\Z)"
    r"|(?<!not )match(?:es)?(?= the| what|[.!]?\Z)|is (?:actually |also |still )?(?:correct|right|fine|true)"
    # Another step is judged as well.
    rf"|(?:step #?[0-9]{{1,2}}|(?:{'|'.join(ORDINALS)}|other|next|last) steps?) (?:is|are) (?:also )?{_BAD})(?![a-z])"
    # The item is a flag.
    r"|\A[*_ :.–—-]{0,6}(?:yes|no|true|false)[.*_]{0,3}\Z|可能|不确定|没有?问题",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"(?<![a-z])(?:might|may|could|cannot|can't|unsure|not sure|certain|as well|nothing|no errors?|none|faithful(?:ly)?"
    r"|recording itself|in the recording)(?![a-z])"
    r"|可能|不确定",
    re.IGNORECASE,
)
# "No errors were found in these steps:", "I looked for errors in:".
_DOUBT = re.compile(
    r"(?<![a-z])(?:no|not|neither|none|if|whether|any|possibl[ey]|potential(?:ly)?|may|might|could|would|unsure|candidates?"
    r"|check(?:ed|ing)?|look(?:ed|ing)?|except|apart|besides|correct and)(?![a-z])|n't|没有|未|是否|可能|除",
    re.IGNORECASE,
)
# "The erroneous step is:".
_OF_ONE = re.compile(r"(?<!in )(?<!following )(?<![a-z])step(?: is)?(?: below)?\W*\Z", re.IGNORECASE)
# "Two errors", "in three of the steps", 三个步骤; "a" and "an" count one, and "one of the three steps" one.
_COUNTED = re.compile(
    rf"(?<![a-z])(?P<count>{_COUNT}|an?|a single)"
    r"(?: (?:out )?of the| following| reasoning| factual| clear| obvious| critical)*"
    rf" (?:{_COUNT} )?(?:steps?|errors?|mistakes?|issues?|problems?|flaws?)(?![a-z])|\((?P<digit>[1-9])\)"
    rf"|(?P<sign>{_COUNT_IN_CHINESE})个?(?:步|处)",
    re.IGNORECASE,
)
_ONE = frozenset({"a", "an", "a single"})


def spell_listed_errors(text: str, n_steps: int) -> str:
    r"""Return a text whose heading of errors has the steps below it in one sentence.

    Args:
        text: With unified signs.
        n_steps: Number of steps of the trace.

    >>> spell_listed_errors("Errors found:\n- Step 2: no dog.\n- Step 4: the cat is loud.\n\nThe rest is correct.", 5)
    'The erroneous steps are 2, 4.\n\nThe rest is correct.'
    """
    if ":" not in text or "\n" not in text:
        return text
    for heading in _HEADING.finditer(text):
        items, end = _list_items(text, heading.end())
        rest = text[end:].strip()
        line = _OPENING.sub("", text[text.rfind("\n", 0, heading.start()) + 1 : heading.end()])
        if not items or len(rest) > _LONGEST_REST or "\n" in rest or _DOUBT.search(line) or _UNSURE.search(rest):
            continue
        listed = {read_number(item["a"] or item["b"] or item["c"]): item["reason"].strip() for item in items}
        numbers = [number for number, reason in listed.items() if not _RIGHT.match(reason)]
        in_order = list(listed) == sorted(listed) and len(listed) == len(items)
        if not numbers or not in_order or not 1 <= min(listed) <= max(listed) <= n_steps or len(numbers) == n_steps:
            continue
        if not _agrees(heading.group(), len(numbers)) or any(
            _PERHAPS_RIGHT.search(listed[number]) for number in numbers
        ):
            continue
        named = f"steps are {', '.join(map(str, numbers))}" if len(numbers) > 1 else f"step is step {numbers[0]}"
        return f"{text[: heading.start()]}The erroneous {named}." + (f"\n\n{rest}" if rest else "")
    return text


def _list_items(text: str, start: int) -> tuple[list[re.Match[str]], int]:
    """The lines of steps from a place on, with blank lines between them, and where they end."""
    items: list[re.Match[str]] = []
    while (item := _ITEM.match(text, start)) or text[start : start + 2] == "\n\n":
        if item is None:
            start += 1
            continue
        items.append(item)
        start = item.end()
    return items, start


def _agrees(heading: str, n_listed: int) -> bool:
    """Whether as many steps are listed as the heading counts; several errors may be in one step."""
    counts = [match["count"] or match["digit"] or match["sign"] for match in _COUNTED.finditer(heading)]
    counted = {1 if count.lower() in _ONE else read_number(count.lower()) for count in counts}
    return n_listed in counted if counted else n_listed == 1 or _OF_ONE.search(heading) is None
