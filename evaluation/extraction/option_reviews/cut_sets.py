"""Sets whose list, table or review breaks off: what would have followed may be a further option."""

import re

_LETTER = r"(?<![A-Za-z])[A-Z](?![A-Za-z])"
_ENDS = re.compile(
    rf"{_LETTER}(?:项|选项)?(?:, ?|、)? ?(?:and|plus|&|和|与|以及|及|、)\s*\Z"
    # "and then at 0:04": the response ends before it names the event.
    r"|(?<![a-z])(?:then|next|later|afterwards|finally),? (?:at|around|from|after) "
    r"[0-9]{1,2}[0-9:.]* ?(?:s|seconds?)?\s*\Z"
    r"|(?:然后|接着|随后|之后|最后)(?:在|到)?第?[0-9]{1,2}[0-9:.分]*秒?(?:的时候|时|处|左右)?\s*\Z",
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
_SHORTEST_REVIEW = 12


def _cuts_table(response: str) -> bool:
    """Whether the last row of a table has no end, unlike the rows above it."""
    rows = response.rstrip().split("\n")
    closed = [row.rstrip().endswith("|") for row in rows if row.lstrip().startswith("|")]
    return rows[-1].lstrip().startswith("|") and not closed[-1] and len(closed) > 1 and all(closed[:-1])


def breaks_off_in_list(response: str) -> bool:
    r"""Whether a response that may name several options breaks off before it has named or judged them all.

    >>> breaks_off_in_list("A, C, and"), breaks_off_in_list("A, C and D")
    (True, False)
    """
    end = response.rstrip()[-1:]
    if end in ".。!！)" or not end:
        return False
    if "|" in response and "\n" in response and _RULE.search(response) and _cuts_table(response):
        return True
    if _ENDS.search(response) or _NEXT_ITEM.search(response):
        return True
    if len(response) > _SHORTEST_REVIEW and _COMMA_AT_END.search(response):
        return True
    unjudged = _UNJUDGED.search(response) if "," in response or "，" in response or ";" in response else None
    return unjudged is not None and set(_LETTERS.findall(unjudged["judged"])).isdisjoint(
        _LETTERS.findall(unjudged["rest"])
    )
