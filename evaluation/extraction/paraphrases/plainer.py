"""Short responses written more plainly, to be read again where nothing was found in them.

What only introduces an answer ("I'd say", "that means", "only") and articles that an option lacks are left out,
contractions are written in full, and words of the options that are mistyped are corrected.
"""

import re
from functools import lru_cache

from evaluation.extraction.option_texts.quantities import NUMBER

_LONGEST, _LONGEST_TYPED = 120, 400
_HEAD = re.compile(
    r"^\W*(?:(?:(?:well|so|ok|okay|overall|honestly|clearly|definitely|certainly|only|just|exactly|simply|a total of"
    r"|which means|(?:that|this) (?:means|makes it|gives|tells us)|i(?:'d| would) say|i (?:think|believe)"
    r"|i (?:can |could |only |just )*(?:hear|heard|count|counted|detect|detected|make out)"
    rf"(?= (?:only|just|exactly|about|a total|{NUMBER})(?![a-z]))|it(?:'s| is)|this is|that's"
    r"|that is|they(?:'re| are)|there(?:'s| is| are| was| were)|(?:it )?(?:sounds|seems|looks) like|must be"
    r"|from what i (?:can )?hear|as far as i can (?:tell|hear)|in my (?:opinion|view)|to my ears?)(?![a-z])[,:]?"
    r"(?: that(?![a-z]))?\s*)+|(?:(?:我|应该|大概|一共|总共|只|就|仅|共)+(?:觉得|认为|听到了?|数了)?(?:是|有)?[,:]?)+)",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?: (?:(?:can|could) be heard|(?:is|are|was|were) (?:heard|audible|present|there|playing|speaking|talking)"
    r"|(?:in|of) (?:total|all|the (?:clip|recording|audio)|this (?:clip|recording|audio))|altogether|overall|here"
    r"|i (?:think|believe|guess|suppose)|for sure|i'm (?:fairly |pretty |quite )?sure))+(?=\W*$)",
    re.IGNORECASE,
)
_CONTRACTED = re.compile(r"(?<![a-z])(he|she|it|they|we|you|that|there|who)'(ll|s|re|ve)(?= [a-z])", re.IGNORECASE)
_FULL = {"ll": "will", "s": "is", "re": "are", "ve": "have"}
_ARTICLE = re.compile(r"(?<![a-z])([a-z]+) (?:the|an?) (?=([a-z]+))", re.IGNORECASE)
_SHORTEST_TYPED, _SHORTEST_SWAPPED, _SHORTEST_GAP = 6, 5, 9
# Words that differ from others only in the order of two letters.
_TWINS = frozenset(
    [
        "quiet",
        "quite",
        "angel",
        "angle",
        "trail",
        "trial",
        "dairy",
        "diary",
        "field",
        "filed",
        "unite",
        "untie",
        "beast",
        "beats",
        "coast",
        "coats",
        "boast",
        "boats",
        "there",
        "three",
        "tires",
        "tries",
        "tired",
        "tried",
        "fired",
        "fried",
        "claps",
        "clasp",
        "spilt",
        "split",
        "crave",
        "carve",
        "bugle",
        "bulge",
        "viola",
        "voila",
    ]
)
_WORD = re.compile("[A-Za-z]{5,}")


def write_plainly(response: str, texts: tuple[str, ...]) -> str | None:
    """Return a response without its introduction and with corrected words; None where it has neither.

    Args:
        response: As it was written.
        texts: Of the options, in lower case.

    >>> write_plainly("I'd say it's only one.", ("one", "two"))
    'one.'
    >>> write_plainly("He got the wrong adress.", ("he got the wrong address", "he overslept"))
    'He got the wrong address.'
    """
    written = response.strip()
    if len(written) <= _LONGEST and "\n" not in written:
        written = _TAIL.sub("", _HEAD.sub("", written))
    if len(written) <= _LONGEST_TYPED and response.isascii():
        written = _CONTRACTED.sub(lambda match: f"{match[1]} {_FULL[match[2].lower()]}", written)
        written = _ARTICLE.sub(lambda match: _drop_article(match, texts), written)
        written = correct_words(written, texts)
    return None if written == response.strip() or not any(map(str.isalnum, written)) else written


def correct_words(response: str, texts: tuple[str, ...]) -> str:
    """Return a short response with the words of the options that are mistyped in it.

    >>> correct_words("battrey was flat", ("the battery was flat", "the tank was empty"))
    'battery was flat'
    """
    if len(response) > _LONGEST_TYPED or not response.isascii():
        return response
    words = _list_words(texts)
    return _WORD.sub(lambda match: _correct(match.group(), words), response)


def _drop_article(match: re.Match[str], texts: tuple[str, ...]) -> str:
    """Leave out an article that an option lacks between the same two words."""
    bare = f"{match[1]} {match[2]}".lower()
    return f"{match[1]} " if any(bare in text for text in texts) else match.group()


@lru_cache(maxsize=4_096)
def _list_words(texts: tuple[str, ...]) -> frozenset[str]:
    """Return the longer words of the options, without words that a typing error turns into each other."""
    words = {word for text in texts for word in _WORD.findall(text) if len(word) >= _SHORTEST_SWAPPED}
    return frozenset(word for word in words if not any(is_mistyped(other, word) for other in words))


def _correct(word: str, words: frozenset[str]) -> str:
    lowered = word.lower()
    if lowered in words or f"{lowered}s" in words or lowered[:-1] in words:
        return word
    meant = [each for each in words if each[0] == lowered[0] and is_mistyped(lowered, each)]
    return meant[0] if len(meant) == 1 else word


def is_mistyped(written: str, word: str, *, shortest_gap: int = _SHORTEST_GAP) -> bool:
    """Whether a word has a doubled letter written once or a single one twice, two letters swapped, or one left out.

    Args:
        written: As it was written.
        word: Which word it may be.
        shortest_gap: Length of the shortest words that may lack any inner letter.
    """
    if len(written) == len(word):
        places = [place for place, (own, other) in enumerate(zip(written, word, strict=True)) if own != other]
        swapped = (
            len(places) == 2 and places[1] - places[0] == 1 and (len(word) >= _SHORTEST_TYPED or written not in _TWINS)
        )
        return swapped and written[places[0]] == word[places[1]] and written[places[1]] == word[places[0]]
    if abs(len(written) - len(word)) != 1 or len(word) < _SHORTEST_TYPED:
        return False
    longer, shorter = (written, word) if len(written) > len(word) else (word, written)
    place = next((at for at, sign in enumerate(shorter) if sign != longer[at]), len(shorter))
    if longer[place + 1 :] != shorter[place:]:
        return False
    is_doubled = place > 0 and longer[place] == longer[place - 1]
    return is_doubled or (0 < place < len(shorter) and len(word) >= shortest_gap)
