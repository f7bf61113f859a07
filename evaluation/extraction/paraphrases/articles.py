"""The article "A" at the start of a sentence, which is no letter of an option: "A hair dryer."."""

import re

from evaluation.extraction.language.lexicon import WORD_LISTS

# An article, if the text behind it is that of another option than A, and a thing.
_ARTICLE = re.compile(r"A (?=[b-df-hj-np-zu][a-z-]*(?: [a-z-]+){0,4}[.!]?\Z)")
# Of several words, the last one names the thing.
_NOUN = re.compile(
    r"(?!(?:very|too|more|most|so|quite|rather|much|slightly|left|right|from|to)(?![a-z]))[a-z-]+(?: [a-z-]+){0,3}"
    r" (?![a-z]*(?:[^s]s|ing|ly|ed|er and [a-z]+)\Z)(?!(?:music|rain|wind|water|laughter|speech|noise|traffic|applause"
    r"|left|right|up|down|away|fast|slow|loud|quiet|happy|sad|angry|calm|high|low)\Z)[a-z-]+"
)
_SENTENCE_START = re.compile(
    r"(?:\A|(?<=[.:!?\n] )|(?<=\n))A (?P<text>[a-z][a-z' -]{1,60}?)(?P<next>,? and an? |, an? | (?:can|could) be )"
)


def lower_articles(response: str, texts: tuple[str, ...]) -> str:
    """Return a response with the article before a thing in lower case, so that no letter is read from it.

    The thing is the whole response, or it is followed by another one with its article: "A flute and a drum play".

    >>> lower_articles("A hair dryer.", ("washing machine", "hair dryer"))
    'a hair dryer.'
    >>> lower_articles("A flute and a drum play", ("piano", "flute", "drum"))
    'a flute and a drum play'
    >>> lower_articles("B, C. A flute, a drum and a harp can be heard.", ("piano", "flute", "drum"))
    'B, C. a flute, a drum and a harp can be heard.'
    """
    if "A " not in response:
        return response
    thing = response[2:].rstrip(".!")
    if _ARTICLE.match(response) is not None and thing in texts[1:] and thing != texts[0]:
        is_thing = thing in WORD_LISTS["THING"] or _NOUN.fullmatch(thing) is not None
        return f"a {response[2:]}" if is_thing else response
    return _SENTENCE_START.sub(lambda match: _lower_other(match, texts), response)


def _lower_other(match: re.Match[str], texts: tuple[str, ...]) -> str:
    is_other = match["text"] in texts[1:] and match["text"] != texts[0]
    return f"a{match.group()[1:]}" if is_other else match.group()
