"""Members of an enumeration in other words: "I hear <footsteps>, <a door creaking>, and someone laughing".

Where a response names some options by their texts, each further clause is compared with the options that are left. It
is one of them if it has all that this option says, in any form. A clause that has only a part of what an option says
leaves the response unread: it may be that option, or something else.
"""

import re
from functools import lru_cache
from itertools import pairwise

from evaluation.extraction.language.glossary import write_concepts
from evaluation.extraction.language.lexicon import KIND
from evaluation.extraction.language.units import find_opposites, is_negative
from evaluation.extraction.paraphrases.gist import MAX_GIST_LENGTH, find_doubts
from evaluation.extraction.paraphrases.pointing import list_informative

_MAX_OPTIONS, _MAX_CLAUSES = 12, 24
_CLAUSE_END = re.compile(
    r"[,;:。!?\n、()]+|\.(?![0-9])|(?<![a-z])(?:and|but|while|whereas|then|followed by|because|as well as)(?![a-z])"
    "|和|以及|但是?|而且|并且|因此|所以|因为|然后|同时"
)
_NAMED = re.compile("[\ue000-\uf8ff]")
_COMPARING = re.compile(
    r"(?<![a-z])(?:like|as if|similar|rather than|instead of|if|would)(?![a-z])|像|如果|似乎|提到|说到"
)
# What says only that something is planned or so, or nothing at all.
_LIGHT_WORDS = re.compile(
    "打算|准备|想要|需要|必须|将要|已经|正在|可以听到|能够?听到|可以听出|听起来|其中|此外|另外|还有|以及|他们|她们|我们|有人|声音"
    "|[的了着过在是有个地里上中这那将就都也很会到之其为于从及一他她它我你并还又再且只想要得没不无未先去来把被]"
)
# Of several recordings, or of things that are compared, the clauses cannot be told apart by their words.
_ONE_OF_SEVERAL = re.compile(r"第[一二三]|音频[0-9一二]|(?<![a-z])(?:first|second|third|than)(?![a-z])")
_DENIALS = frozenset({int(KIND.NEG), int(KIND.NO)})
# What stands before the list in "因此符合题意的有：…" is no member of it.
_HEADING = re.compile(
    "(?:因此|所以|综上|符合题意|(?<![a-z])(?:therefore|thus|hence|so)(?![a-z]))[^。.\n\ue000-\uf8ff]{0,40}:"
)
_CHINESE_RUN = re.compile("[\u4e00-\u9fff]+")
_MAX_BESIDE = 4


def complete_named(
    marked: str, texts: tuple[str, ...], named: frozenset[int], denied: frozenset[int]
) -> frozenset[int] | None:
    r"""Return the options that a response says, together with those of its clauses that no text was found in.

    Args:
        marked: A cleaned response in lower case; placeholders stand for the texts of options.
        texts: Of the options, in lower case.
        named: Options that were found.
        denied: Options that the response denies.

    Returns:
        The positions; None where a clause may say an option or not.

    >>> texts = ("rain", "wind", "laughter")
    >>> sorted(complete_named("i hear \ue000 and someone laughing", texts, frozenset({0}), frozenset()))
    [0, 2]
    """
    if len(texts) > _MAX_OPTIONS or len(marked) > MAX_GIST_LENGTH or any(map(_ONE_OF_SEVERAL.search, texts)):
        return named
    headings = list(_HEADING.finditer(marked)) if ":" in marked else []
    marked = marked[headings[-1].end() :] if headings else marked
    left = [place for place in range(len(texts)) if place not in named | denied]
    views = (str, write_concepts)
    known = [frozenset[str]().union(*(_list_content(write(texts[place])) for place in named)) for write in views]
    found = set(named)
    for clause in _CLAUSE_END.split(marked)[:_MAX_CLAUSES] if left else ():
        if _NAMED.search(clause) or not clause.strip():
            continue
        said = [_list_content(write(clause)) for write in views]
        whole, partly = set[int](), set[int]()
        # What says an option that was found in full says another one only where it has all words of that one, too.
        is_said = any(_list_content(texts[place]) <= said[0] for place in named if _list_content(texts[place]))
        for place in left:
            if is_said and not _list_content(texts[place]) <= said[0]:
                continue
            contents = [_list_content(write(texts[place])) for write in views]
            if any(content and content <= told for content, told in zip(contents, said, strict=True)):
                whole.add(place)
            elif any(
                (content - of_named) & told for content, told, of_named in zip(contents, said, known, strict=True)
            ):
                partly.add(place)
        if not whole | partly:
            continue
        picked = _pick(clause, texts, whole, partly, said[0])
        if picked is None:
            return None
        found |= picked
    return frozenset(found)


def _pick(
    clause: str, texts: tuple[str, ...], whole: set[int], partly: set[int], said: frozenset[str]
) -> frozenset[int] | None:
    """The option that a clause says, nothing if it denies those that it is about; None where that is unclear."""
    doubts = find_doubts(clause)
    negative = is_negative(clause) or bool(doubts & _DENIALS)
    alike = {place for place in whole | partly if is_negative(texts[place]) == negative}
    if not alike:
        return frozenset()
    if len(whole) != 1 or alike != whole or _COMPARING.search(clause):
        return None
    (place,) = whole
    content = _list_content(texts[place])
    opposed = find_opposites(content)
    doubtful = not negative and not doubts <= find_doubts(texts[place])
    if partly - alike or doubtful or opposed & said or len(said - content) > _MAX_BESIDE:
        return None
    return frozenset(whole)


@lru_cache(maxsize=8_192)
def _list_content(text: str) -> frozenset[str]:
    """What a text says: the stems of its words, and the pairs of its characters without light ones."""
    if text.isascii():
        return list_informative(text)
    runs = _CHINESE_RUN.findall(_LIGHT_WORDS.sub("", text))
    pairs = {first + second for run in runs for first, second in pairwise(run)}
    return frozenset(pairs | {run for run in runs if len(run) == 1})
