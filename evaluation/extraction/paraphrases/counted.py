"""Sets of options told in other words, where the response counts them: "…; the other two do not follow".

The number says how many options the words are about. They are read as the options of which they have something that
only that one has, in its words or in concepts of the glossary, if there are just as many.
"""

import re
from collections import Counter

from evaluation.extraction.language.glossary import write_concepts
from evaluation.extraction.language.lexicon import KIND
from evaluation.extraction.language.tokens import tokenize
from evaluation.extraction.language.units import is_negative
from evaluation.extraction.paraphrases.pointing import list_informative

_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5}
_REST = re.compile(
    r"(?:除了?(?P<out>[^,。;\n]{2,40})(?:之外|以外|外),?)?"
    r"(?P<rest>(?:其余|其他|其它|另外|剩下|余下)的?(?P<zh>[两二三四五])(?:点|项|条|个|种)[^。;\n]*"
    r"|(?<![a-z])(?:the )?(?:other|remaining) (?P<en>two|three|four|five)(?![a-z])[^.;\n]*)"
)
_COUNTED = re.compile(
    r"(?:合理|成立|正确|符合|可以推断|能推断|能够推断|可推断|站得住脚)的(?:推断|结论|选项|说法)?"
    r"(?:一共|共)?有(?P<zh>[两二三四五])(?:点|项|条|个|种)[:,]"
    r"|(?<![a-z])(?P<en>two|three|four|five) (?:of (?:them|these) |(?:statements?|options?|things) )?"
    r"(?:hold|can be inferred|are (?:correct|supported|true)) ?:"
)
_DENIED_REST = re.compile(
    r"(?<![a-z])(?:the )?(?:rest|others|remaining (?:ones|options|sounds)) (?:(?:are|is|were|was|do|does|can"
    r"|could)n't|can't|(?:are|is|were|was|do|does|can) ?not)(?![a-z])"
    r"|(?:其余|其他|其它|剩下)的?(?:都|均|则)?(?:没有?|不)"
)
_CLAUSE = re.compile(r"[,;.。!\n]|(?<![a-z])(?:and|but|while)(?![a-z])")
_LONGEST = 600


def find_counted(lowered: str, texts: tuple[str, ...]) -> frozenset[int]:
    """The options that a cleaned response in lower case tells and counts; none where their number differs.

    >>> texts = ("a dog barks", "rain falls", "a bell rings", "a child laughs")
    >>> sorted(find_counted("some dog and a laughing child; the other two are not supported.", texts))
    [0, 3]
    """
    if len(lowered) > _LONGEST:
        return frozenset()
    everything = frozenset(range(len(texts)))
    match = _REST.search(lowered)
    if match is not None:
        told = match["out"] or lowered[: match.start()]
        named = _identify(told, texts)
        is_counted = len(named) == len(texts) - _COUNTS[match["zh"] or match["en"]]
        verdict = _judge(match["rest"])
        if not is_counted or not named or verdict is None:
            return frozenset()
        return everything - named if verdict else named
    match = _COUNTED.search(lowered)
    if match is None:
        return frozenset()
    named = _identify(lowered[match.end() :], texts)
    return named if len(named) == _COUNTS[match["zh"] or match["en"]] else frozenset()


def tells_beyond(lowered: str, texts: tuple[str, ...], named: frozenset[int]) -> bool:
    """Whether a response denies the rest, but told of an option in other words that is not among those it named.

    >>> texts = ("dog barking", "rain", "bell")
    >>> tells_beyond("there is rain. as for the dog, i am certain too. the rest aren't there.", texts, frozenset({1}))
    True
    """
    rest = _DENIED_REST.search(lowered)
    if rest is None or len(lowered) > _LONGEST:
        return False
    clauses = [clause for clause in _CLAUSE.split(lowered[: rest.start()]) if not is_negative(clause)]
    return not _identify(". ".join(clauses), texts) <= named


def _judge(rest: str) -> bool | None:
    """Whether a clause calls the rest right; None where it does not say."""
    kinds = {token.kind for token in tokenize(rest)}
    if is_negative(rest) or KIND.BAD in kinds:
        return False
    return True if KIND.GOOD in kinds else None


def _identify(told: str, texts: tuple[str, ...]) -> frozenset[int]:
    """The options of which a text has something that no other one has."""
    found = set[int]()
    for write in (str, write_concepts):
        units = [list_informative(write(text)) for text in texts]
        shared = Counter(unit for each in units for unit in each)
        said = list_informative(write(told))
        found |= {place for place, each in enumerate(units) if any(shared[unit] == 1 for unit in each & said)}
    return frozenset(found)
