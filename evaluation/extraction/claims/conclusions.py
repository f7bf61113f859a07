"""Conclusions without a word such as "answer": "…, so it must be the second", "…，一共四声"."""

import re

from evaluation.extraction.option_texts.quantities import NUMBER

_LONGEST = 1_500
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_HEAD = (
    r"(?:so|therefore|thus|hence|consequently|accordingly|overall|altogether|as a result|all in all|taken together"
    r"|in (?:conclusion|short|summary|other words|total)|by elimination|it follows that"
    r"|(?:that|this|which) (?:makes|leaves|means|brings us to|gives|suggests|implies|indicates|points to)"
    r"|adding (?:them|these|those|it all) up|everything (?:here )?(?:suggests|indicates|points to)"
    r"|i(?:'d| would)? (?:conclude|infer|say) (?:that )?)"
)
_OPENING = re.compile(
    rf"\W*(?:and |but )?{_HEAD}(?![a-z])"
    r"|\W*(?:因此|所以|因而|故|可见|综上|总之|由此|总的来说|也就是说|换句话说|这说明|这表明|看来|显然|加起来"
    r"|合起来|一共|总共|共计|合计|总计)",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"[,;:] ?(?:and )?(?=(?:so|therefore|thus|hence|i\.e\.|meaning|making"
    r"|which (?:makes|leaves|means|brings us to|gives|suggests|implies|indicates|points to))"
    r"(?![a-z]| (?:that|far|much|many)(?![a-z])))"
    r"|[,，;；](?=(?:因此|所以|因而|故|可见|由此|说明|这说明|这表明|看来|也就是说|一共|总共|共计|合计|总计"
    r"|加起来|只剩|其实|实际上))",
    re.IGNORECASE,
)
_OPEN = re.compile(r"\?|？|(?<![a-z])(?:either|or|if|whether|both)(?![a-z])|或|还是|如果|要么", re.IGNORECASE)
# "As the brighter one is asked for: the first one."
_NAMED_LAST = re.compile(
    r"(?<![a-z])(?:asks?|asked|question|wanted|looking for)(?![a-z])[^:\n]{0,60}: "
    r"((?:the )?[a-z0-9]+(?: [a-z0-9]+){0,3})[.!]?\Z",
    re.IGNORECASE,
)
# "I'd expect a polite no - she'll decline", "like a slide whistle: rising and then falling".
_SUMMED_UP = re.compile(r"[^:—–]{20}(?:: | ?[—–] ?| - )((?:[A-Za-z']+ ){0,6}[A-Za-z']+)[.!]?\Z")
# "- a woman\n- a man\nTotal: two."
_TOTALLED = re.compile(
    rf"(?:^|[.!?,;。，；\n])\W*(?:so |thus |hence |and )?(?:(?:in |the |a |that makes a )?(?:grand "
    rf"|overall )?(?:total|sum|count|tally)"
    rf"(?: number)?(?: of [a-z]+)?(?: is| comes to| adds up to| of)?|all in all|altogether|总数|总计|合计|共计"
    rf"|一共|总共)"
    rf"(?:是|为|有)? ?[:：,，]? ?(?P<number>{NUMBER})[.!。]?\s*\Z",
    re.IGNORECASE,
)
_REJECTING = re.compile(
    r"(?<![a-z])(?:not|never|least|unlikely|wrong|incorrect|rul\w+ out|exclud\w+|eliminat\w+|reject\w*|except"
    r"|other than|confus\w+|mistak\w+|pretend\w*|first|another|opposite|would|could|might|may|if|than)(?![a-z])|n't",
    re.IGNORECASE,
)
_CONTRACTED = re.compile(r"(?<![a-z])(he|she|it|that)'s(?= (?:an? |the |in |on |at |too |not ))", re.IGNORECASE)
_MAKING = re.compile(r"making (the [a-z]+(?: [a-z]+)?) (the )?(?=[a-z]+)", re.IGNORECASE)


def find_conclusion(response: str) -> str | None:
    """Return the clause with which a response concludes from what it said before; None where it does not.

    >>> find_conclusion("Two barks, a pause, then two more. So there are four.")
    'So there are four.'
    >>> find_conclusion("It rains, so the street is wet. A car passes.")
    """
    text = response.strip()
    if len(text) > _LONGEST:
        return None
    *before, last = [sentence for sentence in _SENTENCE_END.split(text) if sentence and sentence.strip()] or [""]
    totalled = _TOTALLED.search(text)
    if totalled is not None:
        return totalled["number"]
    turn = None
    for turn in _TURN.finditer(last):  # noqa: B007
        pass
    named = _NAMED_LAST.search(last)
    summed_up = _SUMMED_UP.search(last)
    if named is not None:
        conclusion = named[1]
    elif summed_up is not None and not _REJECTING.search(last, 0, summed_up.start(1)):
        conclusion = summed_up[1]
    elif turn is not None:
        conclusion = last[turn.end() :]
    elif before and _OPENING.match(last):
        conclusion = last
    else:
        return None
    conclusion = _CONTRACTED.sub(r"\1 is", conclusion)
    return None if _OPEN.search(conclusion) else _MAKING.sub(r"\1 is \2", conclusion)
