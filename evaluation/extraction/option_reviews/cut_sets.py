"""Sets whose list, table or review breaks off: what would have followed may be a further option."""

import re

_LETTER = r"(?<![A-Za-z])[A-Z](?![A-Za-z])"
_ENDS = re.compile(
    rf"{_LETTER}(?:项|选项)?(?:, ?|、)? ?(?:and|plus|&|和|与|以及|及|、)\s*\Z"
    # "and then at 0:04": the response ends before it names the event.
    r"|(?<![a-z])(?:then|next|later|afterwards|finally),? (?:at|around|from|after) "
    r"[0-9]{1,2}[0-9:.]* ?(?:s|seconds?)?\s*\Z"
    # "…, so B. They": no more than the subject of a sentence.
    r"|(?<=[.!?] )(?-i:They|He|She|It|We|You|The|This|There|That|The [a-z]+|In|On|At)\s*\Z"
    r"|(?:然后|接着|随后|之后|最后)(?:在|到)?第?[0-9]{1,2}[0-9:.分]*秒?(?:的时候|时|处|左右)?\s*\Z",
    re.IGNORECASE,
)
# "- B. The fountain": a label and its text, not a sentence that breaks off.
_LABEL = re.compile(r"(?:\A|\n)[^\w\n]{0,8}(?:option )?[A-Z]\. \Z", re.IGNORECASE)
# "…, but whether it comes from": no sentence ends so, other than "the ones I would go with".
_NO_END = re.compile(
    r"(?<![A-Za-z])(?:from|of|with|the|an|and|or|but|whether|because|into|than|its|their|at|by|as)\s*\Z"
)
_PHRASAL = re.compile(r"(?:go|agree|begins?|starts?|consists?|made|dealt) (?:with|of|from|by)\s*\Z")
# The answer is complete on the first line; what breaks off is its explanation.
_ANSWER_FIRST = re.compile(
    r"\A[^\w\n]{0,4}(?:(?:final |correct )?answers?[*: ]{1,6})?(?:is |are )?"
    r"[A-J](?:(?:, and |, | and )[A-J]){0,9}[.*_ ]{0,4}\n",
    re.IGNORECASE,
)
_COMMA_AT_END = re.compile(r"[,，、]\s*\Z")
# "Then C," of a review, "再看C，".
_NEXT_ITEM = re.compile(
    rf"(?:再看|接着看|然后看|至于|最后看|(?<![a-z])(?:now|next|then|as for|finally),? )"
    rf"(?:选项|option )?{_LETTER}(?:项|选项)?"
    r"[,，:：]?\s*\Z",
    re.IGNORECASE,
)
# "A and B are right, C and D": a verdict is missing.
_LIST = rf"{_LETTER}(?:(?:, ?(?:and )?| and |、|和|与|及){_LETTER}){{0,7}}"
_UNJUDGED = re.compile(
    rf"(?P<judged>{_LIST})(?:项|选项)? ?"
    r"(?:(?:is|are) (?:in)?(?:correct|right|wrong|false|true)|都?(?:不?正确|成立|错误))"
    rf"[,，;；] ?(?:而|但|and |but |while |whereas )?(?P<rest>{_LIST})(?:项|选项)?\s*\Z"
)
_LETTERS = re.compile("[A-Z]")
_RULE = re.compile(r"\n[ |]*\|? ?:?-{2,}[-| :]*\n")
# "I'll go through the list. Let me start with the piano: the attack": a plan that was not carried out.
_PLANNED = re.compile(
    r"(?<![a-z])(?:let me|let's|i(?:'ll| will)|first,?) (?:first )?(?:start|begin|check|look at|listen (?:to"
    r"|for)|consider|take)(?: with| by)?(?![a-z])"
    r"|(?<![a-z])(?:starting|beginning) with(?![a-z])|(?:先听|先看|先从|首先听|首先看|从[^。,\n]{1,8}开始)",
    re.IGNORECASE,
)
_ANSWERED = re.compile(
    r"(?<![a-z])(?:answers?|final|conclusion|therefore|so|thus|hence|correct|result|overall|present|absent|yes|no|not)(?![a-z])|答案|结论|因此|所以|综上|选|有|没|是"
    r"|(?<![A-Za-z])[B-HJ](?![A-Za-z])|[✓✗✔✘√×]",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?。！？]")
_SHORTEST_REVIEW = 12
_FEWEST_LINES, _LONGEST_START = 2, 24
# "Rain: heard all along.\nDoor creaking: I": the last line of a review has no verdict and no end.
_HEADED_LINE = re.compile(r"^[^\w\n]{0,4}(?P<name>[^:：\n.]{1,60})[:：](?P<said>[^\n]*)$", re.MULTILINE)
_CONCLUDES = re.compile(r"answer|final|conclusion|therefore|result|答案|结论|因此|所以|综上|选|[A-J\ue000-\uf8ff]\W*\Z")
_HANGS = re.compile(
    r"(?:\A|[\s*])(?:i|the|an?|there|there is|this|that|it|is|we|you can|not|at|in|one|could|can"
    r"|然后|但|在|有一|这个)\**\s*\Z|\A[\s*]*\Z",
    re.IGNORECASE,
)


def _cuts_table(response: str) -> bool:
    """Whether the last row of a table has no end, unlike the rows above it."""
    rows = response.rstrip().split("\n")
    closed = [row.rstrip().endswith("|") for row in rows if row.lstrip().startswith("|")]
    return rows[-1].lstrip().startswith("|") and not closed[-1] and len(closed) > 1 and all(closed[:-1])


def _cuts_headed_line(response: str) -> bool:
    """Whether the last of several lines below each other, each behind a name, ends within its first words."""
    lines = list(_HEADED_LINE.finditer(response.rstrip()))
    if len(lines) < _FEWEST_LINES or lines[-1].end() < len(response.rstrip()):
        return False
    last, *others = reversed(lines)
    if _CONCLUDES.search(last["name"].lower()) or not any(line["said"].strip() for line in others):
        return False
    return len(last["said"]) <= _LONGEST_START and _HANGS.search(last["said"]) is not None


def _leaves_plan(response: str) -> bool:
    """Whether a response that ends without a stop only starts with what it plans."""
    plan = None
    for plan in _PLANNED.finditer(response):  # noqa: B007
        pass
    if plan is None or _ANSWERED.search(response, plan.end()):
        return False
    rest = response[plan.end() :].rstrip()
    return "\n" not in rest and (_SENTENCE_END.search(rest) is None or _HANGS.search(rest) is not None)


def _ends_in_option(response: str, end: re.Match[str], texts: tuple[str, ...]) -> bool:
    """Whether a response ends in a label and a whole option: "- B. The fountain"."""
    return end.group().strip(" *_").lower() in texts and _LABEL.search(response, 0, end.start()) is not None


def _hangs(response: str) -> bool:
    is_open = _NO_END.search(response) is not None and _PHRASAL.search(response) is None
    return is_open and _ANSWER_FIRST.match(response) is None


def breaks_off_in_list(response: str, texts: tuple[str, ...] = ()) -> bool:
    r"""Whether a response that may name several options breaks off before it has named or judged them all.

    Args:
        response: As it was written.
        texts: Of the options, in lower case; behind a label, a whole one is no beginning of a sentence.

    >>> breaks_off_in_list("A, C, and"), breaks_off_in_list("A, C and D")
    (True, False)
    """
    end = response.rstrip()[-1:]
    if end in ".。!！)" or not end:
        return False
    if "|" in response and "\n" in response and _RULE.search(response) and _cuts_table(response):
        return True
    if _NEXT_ITEM.search(response) or ((ends := _ENDS.search(response)) and not _ends_in_option(response, ends, texts)):
        return True
    if "\n" in response and _cuts_headed_line(response):
        return True
    if len(response) > _SHORTEST_REVIEW and (_COMMA_AT_END.search(response) or _hangs(response)):
        return True
    if end.isalpha() and len(response) > _SHORTEST_REVIEW and _leaves_plan(response):
        return True
    unjudged = _UNJUDGED.search(response) if "," in response or "，" in response or ";" in response else None
    return unjudged is not None and set(_LETTERS.findall(unjudged["judged"])).isdisjoint(
        _LETTERS.findall(unjudged["rest"])
    )
