"""Words between the parts of a sequence, written as the options write them: "and finally" as "then"."""

import re

_LINK = re.compile(
    r"(?:,? and (?:then|finally|lastly|after that)|, (?:then|finally|lastly|next|after that))(?![a-z]),? "
)
_FIRST = re.compile(r"(?:^|(?<=[.:] ))First,? (?=[a-z])")
_LINK_IN_CHINESE = re.compile("[,，]?(?:然后|接着|随后|之后|再)")
_HINTS = (" and ", ", ", "然后", "接着", "随后", "之后", "再")
_THEN = re.compile(",? then ")


def write_sequence(text: str, texts: tuple[str, ...]) -> str:
    """Return a cleaned text in which the parts of a sequence are linked as in the options.

    Args:
        text: In upper and lower case.
        texts: Of the options, in lower case.

    >>> write_sequence("First it rains, and finally it snows.", ("it rains, then it snows", "it snows, then it rains"))
    'it rains, then it snows.'
    """
    if not any(map(text.__contains__, _HINTS)):
        return text
    if links := {link for each in texts for link in _THEN.findall(each)}:
        is_plain = len(links) == 1 and not any(" and then " in each or "finally" in each for each in texts)
        return _FIRST.sub("", _LINK.sub(links.pop(), text)) if is_plain and _LINK.search(text) else text
    if any("先" in each and "后" in each for each in texts) and not any(map(_LINK_IN_CHINESE.search, texts)):
        return _LINK_IN_CHINESE.sub(",后", text)
    return text
