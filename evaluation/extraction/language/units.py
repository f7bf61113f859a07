"""The stems and characters of a text that carry meaning, by which answers and options are compared."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from evaluation.extraction.language.lexicon import WORD_LISTS
from evaluation.extraction.language.symbols import CHINESE_CHARACTER

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[0-9]+(?::[0-9]+|\.[0-9]+)?|[\u4e00-\u9fff]")
_FUNCTION_WORDS = WORD_LISTS["FUNCTION_WORDS"]
_FUNCTION_CHARACTERS = frozenset("的了着在是有个地得里上中这那段将被把就都也很会到之其为于从和与及")
_NEGATIVE_WORDS = frozenset({"no", "not", "never", "without", "none", "nobody", "nothing", "silent", "silence"})
_NEGATIVE_CHARACTERS = frozenset("没不无未非")
# The characters above deny nothing in "very", "constantly", "different", "future", "worry" and the like.
_DENIAL_IN_CHINESE = re.compile(
    "非(?![常洲得])|不(?![断仅但只同少久过管论安满禁停由错如止已绝迭堪])|没(?!准|收(?!到))|无(?![论比意奈聊疑线助])|未(?!来)"
    "|[与和跟][^,。;\n]{1,8}相[反悖](?!的?方向)"
)
_SENTENCE_END = re.compile(r"[。!?;]|\.\s")
# A comma, or a word that something has to follow.
_UNFINISHED = re.compile(
    r"(?:[,、:(]|然后|接着|所以|因为|由于|但是?|而且|并且|以及|和|与|或者?|如果|虽然|把|被"
    r"|(?<![a-z])(?:an?|the|and|or|but|so|then|because|if|of|to|from|with|at|by|for|that|which|who|is|are|was|were))\s*\Z"
)
_ARTICLE_IN_CHINESE = re.compile("一(?=[个只声段阵条位名辆台下种些直起样切场份件把首群双道间座片股共定般边旦])")
_CHINESE_OPPOSITES = tuple(tuple(entry.split("/")) for entry in sorted(WORD_LISTS["CHINESE_OPPOSITES"]))
_IRREGULAR = {word: stem for stem, *words in (entry.split("/") for entry in WORD_LISTS["IRREGULAR"]) for word in words}


# What a word may end in behind the root that it shares with another: "complain" and "complaint", "irony" and "ironic".
_SHORTEST_ROOT = 4
_ENDINGS = frozenset(
    ("", "t", "y", "ic", "iz", "is", "al", "ous", "ment", "er", "or", "ness", "ful", "iv", "ation", "ity", "ent")
)


def _list_opposites() -> dict[str, frozenset[str]]:
    """Return word → the words that exclude it, of all groups that it is in."""
    opposites: dict[str, frozenset[str]] = {}
    for group in (frozenset(entry.split("/")) for entry in WORD_LISTS["OPPOSITES"]):
        opposites |= {word: opposites.get(word, frozenset()) | group - {word} for word in group}
    return opposites


_OPPOSITES = _list_opposites()


def find_opposites(units: Iterable[str]) -> frozenset[str]:
    """Return the units that exclude one of these, but none of these.

    >>> sorted(find_opposites(["loud", "tone"])), sorted(find_opposites(["left", "right"]))
    (['quiet', 'soft'], [])
    """
    own = frozenset(units)
    return frozenset(other for unit in own for other in _OPPOSITES.get(unit, ())) - own


def list_distinctive(units: Sequence[frozenset[str]]) -> tuple[frozenset[str], ...]:
    """Return the units of each set that no other set has.

    >>> [sorted(own) for own in list_distinctive([frozenset({"bass", "guitar"}), frozenset({"guitar"})])]
    [['bass'], []]
    """
    counts = Counter(unit for each in units for unit in each)
    return tuple(frozenset(unit for unit in each if counts[unit] == 1) for each in units)


def stem(word: str) -> str:
    """The part of an English word that its forms share.

    >>> [stem(word) for word in ("barks", "barking", "stopped", "cries", "rang")]
    ['bark', 'bark', 'stop', 'cry', 'ring']
    """
    word = _IRREGULAR.get(word, word)
    for suffix, least in (("ion", 5), ("ies", 2), ("ied", 2), ("ing", 3), ("ed", 3), ("es", 3), ("s", 3)):
        if word.endswith(suffix) and len(word) - len(suffix) >= least and not word.endswith(("ss", "eed")):
            word = word[: -len(suffix)] + ("y" if suffix in {"ies", "ied"} else "")
            if suffix in {"ing", "ed"} and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def find_derived(unit: str, known: frozenset[str]) -> str:
    """Return the one of some units that a unit is derived from, or shares its root with, or the unit itself.

    >>> find_derived(stem("complaint"), frozenset({"complain"})), find_derived("apology", frozenset({"apologiz"}))
    ('complain', 'apologiz')
    """
    if unit in known or len(unit) < _SHORTEST_ROOT:
        return unit
    related = [each for each in known if each[:_SHORTEST_ROOT] == unit[:_SHORTEST_ROOT] and _share_root(unit, each)]
    return related[0] if len(related) == 1 else unit


def _share_root(first: str, second: str) -> bool:
    n_shared = next((at for at, signs in enumerate(zip(first, second, strict=False)) if len(set(signs)) > 1), None)
    n_shared = min(len(first), len(second)) if n_shared is None else n_shared
    endings = {first[n_shared:], second[n_shared:]}
    return endings <= _ENDINGS and ("" not in endings or n_shared > _SHORTEST_ROOT)


def says_opposite(lowered: str, text: str) -> bool:
    """Whether a Chinese text has, instead of a word of another text, one that means the opposite.

    >>> says_opposite("她答应了邀请", "她拒绝了邀请")
    True
    """
    for words in _CHINESE_OPPOSITES:
        own = [word for word in words if word in text]
        if len(own) == 1 and own[0] not in lowered and any(word in lowered for word in words):
            return True
    return False


def list_units(lowered: str) -> tuple[str, ...]:
    """The stems and characters of a text that carry meaning, in order."""
    units = []
    for word in _WORD.findall(_ARTICLE_IN_CHINESE.sub("", lowered)):
        if word >= "一":
            if word not in _FUNCTION_CHARACTERS and word not in _NEGATIVE_CHARACTERS:
                units.append(word)
        else:
            word = word.removesuffix("'s")
            if word not in _FUNCTION_WORDS and word not in _NEGATIVE_WORDS:
                units.append(stem(word))
    return tuple(units)


def breaks_off(lowered: str) -> bool:
    """Whether a response of several sentences ends within one, as those do that reach a limit of length.

    >>> breaks_off("a door opens. then a man, who"), breaks_off("a door opens. a man comes in")
    (True, False)
    >>> breaks_off("门开了。男子走进来,然后"), breaks_off("门开了。声音是从左边来的")
    (True, False)
    """
    return _SENTENCE_END.search(lowered) is not None and _UNFINISHED.search(lowered) is not None


def is_comparable(lowered: str, texts: tuple[str, ...], longest: int) -> bool:
    """Whether a response is no longer than `longest` characters, whole, and in the language of the options."""
    in_english = CHINESE_CHARACTER.search(lowered) is None
    return len(lowered) <= longest and in_english == texts[0].isascii() and not breaks_off(lowered)


def is_negative(lowered: str) -> bool:
    """Whether a text in lower case has a word that denies."""
    if "n't" in lowered or (not lowered.isascii() and _DENIAL_IN_CHINESE.search(lowered)):
        return True
    return not _NEGATIVE_WORDS.isdisjoint(_WORD.findall(lowered))
