"""Letters in brackets behind what is heard: "coins are dropped (B), a jingle plays (D)"."""

import re

from evaluation.extraction.language.lexicon import KIND
from evaluation.extraction.language.polarity import JUDGED_IN_CHINESE
from evaluation.extraction.language.spelling import lower
from evaluation.extraction.language.symbols import ARTICLE_OR_I, CAPITAL, CROSSES
from evaluation.extraction.language.tokens import tokenize
from evaluation.extraction.language.units import is_negative
from evaluation.extraction.option_texts.options import PLACEHOLDER_BASE, Profile
from evaluation.types import Reading

_BRACKETED = re.compile(r"(?<=[\w\ue000-\uf8ff] )\(([A-Z])\)|(?<=[\u4e00-\u9fff\ue000-\uefff])\(([A-Z])\)")
_BRACKETED_NUMBER = re.compile(r"(?:(?<=[\w\"'] )|(?<=[\u4e00-\u9fff]))[(（]([1-9])[)）]")
_MIN_BRACKETED = 2
_BRACKETED_AND_DENIED = re.compile(
    # From the start of a clause alone: from each of its characters, a long clause would take quadratic time.
    rf"(?<![^,;。.\n])[^,;。.\n]*\([A-Z](?: is| are|: ?)? ?(?:{JUDGED_IN_CHINESE}|no|wrong|false|[✗×❌])\)"
)
_LETTERED = re.compile(r"(?<![A-Za-z])[B-HJ-Z](?![A-Za-z])|\([A-Z]\)|[\ue000-\uefff]")
# "There's no anthem, so not A."
_DENIED_LETTER = re.compile(
    r"(?<![A-Za-z])(?:(?:so|hence|thus|therefore|and),? )*(?:it(?:'s| is) )?not (?:options? )?"
    r"(?P<letters>[A-J](?![A-Za-z])(?:(?:,? and| or| nor|,)+ (?:not )?(?:options? )?[A-J](?![A-Za-z]))*)(?= ?[.,;\n]|$)"
    r"|(?:所以|因此|故)?(?:不选|不是)(?P<zh>[A-J](?:[、和与及或][A-J])*)(?=[.,;。\n]|$)"
    r"|(?:所以|因此|故)?(?:选项)?(?P<first>[A-J](?:[、和与及][A-J])*)项?(?:都|均)?(?:不选|不能选|不成立|不对|不正确|排除|错误?)"
    r"(?=[.,;。\n]|$)"
)
_ANY_BRACKETED = re.compile(r"\([A-Z]\)")
_CLAUSE_END = re.compile(r"[.!?;,()。\n]")
_UNBRACKETED = re.compile("(?<![A-Za-z(])[B-HJ-Z](?![A-Za-z])|\\([A-Z][^)]")
# "A sax (A) and drums (D) are listed, but I only hear the drums."
_ONLY = re.compile(r"(?<![a-z])only(?![a-z])|只|仅")
# "…, but I only hear the drums": what stood before was offered, not heard.
_ONLY_HEARD = re.compile(
    r"(?<![a-z])(?:i(?: can| could)? (?:actually )?only (?:really |clearly |actually )?(?:hear|heard|detect"
    r"|make out)|i(?: can| could)? (?:hear|detect|make out) only"
    r"|only(?= [^.\n]{1,60} (?:is|are|can be) (?:heard|audible|present|there|actually (?:heard|audible))))"
    r" (?P<list>(?:the |an? )?(?:[\ue000-\uefff]|[a-z]+)(?:(?:, (?:and )?| and )(?:the "
    r"|an? )?(?:[\ue000-\uefff]|[a-z]+))*?)"
    r"(?: (?:is|are|can be) (?:actually )?(?:heard|audible|present|there))? ?[.!]?\Z",
    re.IGNORECASE,
)
_HEARD_TEXT = re.compile("[\ue000-\uefff]")
# "Farther away than 2 m (B)": the letter is not behind what it is compared with.
_MEASURED = re.compile(
    r" than (?:an? |about |one |half )*(?:[0-9.]+(?: ?[a-z]+)?|seconds?|minutes?|met(?:re|er)s?|usual|before"
    r"|normal)(?![a-z])"
)
# "They meet at the station, not at the café (C)": a contrast within what the letter stands for.
_CONTRASTED = re.compile(r"(?<=[a-z]), (?:and )?not (?!even|only)(?:[a-z]+ ){0,4}[^\W\d_\ue000-\uf8ff]+(?= \([A-Z]\))")
_ANSWERING = re.compile(
    r"(?<![a-z])(?:(?:answers?|options?|choices?) ?(?:is|are|:)|correct|selected)(?![a-z])|答案|正确|选", re.IGNORECASE
)
_CUED = re.compile("(?<![a-z])(?:answers?|choose|select|or|options?)(?![a-z])|答案|选|或", re.IGNORECASE)
_DENYING = frozenset({KIND.NEG, KIND.BAD, KIND.REFUSE, KIND.IF, KIND.BEFORE, KIND.NO})

# A line that ends in a letter in brackets or in a text, with or without a mark behind it.
_LINE = re.compile(
    r"(?P<said>[^\n]*?)(?:\((?P<letter>[A-Z])\)|(?P<text>[\ue000-\uefff])) ?(?P<mark>[✓✔✅☑√✗✘❌×]?)[.。;,]?"
)
_BAD_MARKS = frozenset(CROSSES)
_UNHEARD = frozenset(
    {"没有听到", "没听到", "听不到", "cannot hear", "can't hear", "did not hear", "didn't hear", "no sound"}
)


def read_bracketed_lines(skeleton: str, profile: Profile) -> Reading | None:
    r"""Read lines that say what is heard, or is not, each with its letter behind it; None where there are others.

    >>> from evaluation.extraction.option_texts.options import prepare
    >>> options = prepare(("bell", "dog", "rain"))
    >>> sorted(read_bracketed_lines("A bell (A)\nNo dog (B)\nRain falls (C)", options.profile).indices)
    [0, 2]
    """
    lines = [line for line in skeleton.split("\n") if _LETTERED.search(line)]
    matches = [match for line in lines if (match := _LINE.fullmatch(line.rstrip()))]
    if not _MIN_BRACKETED <= len(matches) == len(lines) or _CUED.search(skeleton):
        return None
    if not any(match["letter"] or match["mark"] for match in matches):
        return None
    verdicts = {_find_place(match): _judge_line(match) for match in matches}
    if len(verdicts) < len(matches) or None in verdicts.values() or max(verdicts) >= profile.size:
        return None
    good = frozenset(place for place, is_heard in verdicts.items() if is_heard)
    return Reading(indices=good) if good and len(good) < len(verdicts) else None


def _find_place(match: re.Match[str]) -> int:
    return ord(match["letter"]) - ord("A") if match["letter"] else ord(match["text"]) - PLACEHOLDER_BASE


def _judge_line(match: re.Match[str]) -> bool | None:
    """Whether a line says that what it names is heard; None where that is not sure."""
    kinds = {KIND.NEG if token.text in _UNHEARD else token.kind for token in tokenize(match["said"])}
    if kinds & (_DENYING - {KIND.NEG, KIND.NO}):
        return None
    is_denied = bool(kinds & {KIND.NEG, KIND.NO}) or is_negative(lower(match["said"]))
    if match["mark"] in _BAD_MARKS:
        return False
    return None if is_denied and match["mark"] else not is_denied


def _drop_denied_letters(skeleton: str) -> str:
    """Leave out "so not A" of letters that stand nowhere in brackets."""
    bracketed = set(_ANY_BRACKETED.findall(skeleton))
    return _DENIED_LETTER.sub(
        lambda match: (
            match.group()
            if bracketed & {f"({each})" for each in match["letters"] or match["zh"] or match["first"]}
            else ""
        ),
        skeleton,
    )


def read_bracketed(skeleton: str, profile: Profile) -> Reading | None:
    """Read letters that stand in brackets behind what is heard: "coins are dropped (B), a jingle plays (D)"."""
    skeleton = _BRACKETED_AND_DENIED.sub("", skeleton)
    if " than " in skeleton or ", " in skeleton:
        skeleton = _CONTRASTED.sub("", _MEASURED.sub("", skeleton))
    if "(" in skeleton and ("not " in skeleton or "不" in skeleton):
        skeleton = _drop_denied_letters(skeleton)
    matches = list(_BRACKETED.finditer(skeleton))
    is_behind = len(matches) == len(_ANY_BRACKETED.findall(skeleton))
    if len(matches) < _MIN_BRACKETED or not is_behind or _UNBRACKETED.search(skeleton) or _CUED.search(skeleton):
        return None
    if _ONLY.search(skeleton, matches[-1].end()) or any(_differs(skeleton, match) for match in matches):
        return None
    places = {ord(match[1] or match[2]) - 65 for match in matches}
    clauses = [
        skeleton[start : match.start()] for start, match in zip([0, *(m.end() for m in matches)], matches, strict=False)
    ]
    denied = any(token.kind in _DENYING for clause in clauses for token in tokenize(clause))
    return None if denied or max(places) >= profile.size else Reading(indices=frozenset(places))


def _differs(skeleton: str, match: re.Match[str]) -> bool:
    """Whether a letter in brackets stands behind the text of another option."""
    sign, letter = skeleton[: match.start()].rstrip()[-1:], match[1] or match[2]
    return "\ue000" <= sign <= "\uefff" and ord(sign) - PLACEHOLDER_BASE != ord(letter) - ord("A")


def write_bracketed_numbers(response: str, profile: Profile) -> str:
    """Write numbers of options in brackets behind what is heard as their letters.

    >>> from evaluation.extraction.option_texts.options import prepare
    >>> write_bracketed_numbers("It rains (1), a dog barks (3).", prepare(("rain", "wind", "dog")).profile)
    'It rains (A), a dog barks (C).'
    """
    numbers = _BRACKETED_NUMBER.findall(response)
    # "(1) yes (2) no" counts off.
    behind = len(numbers) >= _MIN_BRACKETED and response.lstrip()[:1] not in "(（"
    named = behind and not CAPITAL.search(ARTICLE_OR_I.sub("", response))
    if not named or profile.weak or max(map(int, numbers)) > profile.size or len(set(numbers)) < len(numbers):
        return response
    return _BRACKETED_NUMBER.sub(lambda match: f"({chr(64 + int(match[1]))})", response)


def keep_only_heard(marked: str) -> str:
    r"""Return a marked text without the letters in brackets that it lists, where it ends with what alone is heard.

    >>> keep_only_heard("sax (A), \ue001 (B), \ue003 (D), but I only hear the \ue003.") == "\ue003"
    True
    """
    match = _ONLY_HEARD.search(marked) if "only" in marked and ")" in marked else None
    if match is None or len(_ANY_BRACKETED.findall(marked[: match.start()])) < _MIN_BRACKETED:
        return marked
    heard = _HEARD_TEXT.findall(match["list"])
    offered = {ord(letter[1]) - ord("A") for letter in _ANY_BRACKETED.findall(marked)}
    is_offered = heard and {ord(sign) - PLACEHOLDER_BASE for sign in heard} <= offered
    rest = _HEARD_TEXT.sub("", match["list"]).replace("the", "").replace("and", "")
    return " and ".join(heard) if is_offered and not any(map(str.isalnum, rest)) else marked


def has_bracketed(marked: str) -> bool:
    """Whether a text has several letters in brackets."""
    return len(_BRACKETED.findall(marked)) >= _MIN_BRACKETED


def leaves_out_bracketed(response: str, chosen: frozenset[int]) -> bool:
    """Whether a response has letters in brackets behind what it hears, and a set has only some of them.

    >>> leaves_out_bracketed("Someone buzzes in (D) and gives a wrong reply (B).", frozenset({1}))
    True
    """
    found = list(_ANY_BRACKETED.finditer(response)) if "(" in response else []
    unlettered = ARTICLE_OR_I.sub("", _ANY_BRACKETED.sub("", response))
    if (
        len(found) < _MIN_BRACKETED
        or _ONLY_HEARD.search(response)
        or CAPITAL.search(unlettered)
        or _ANSWERING.search(unlettered)
    ):
        return False
    starts = [0, *(match.end() for match in found)]
    said = [_CLAUSE_END.split(response[start : match.start()])[-1] for start, match in zip(starts, found, strict=False)]
    places = {ord(match.group()[1]) - ord("A"): clause for match, clause in zip(found, said, strict=True)}
    left_out = [clause for place, clause in places.items() if place not in chosen]
    return chosen < places.keys() and all(any(map(str.isalpha, clause)) and not _denies(clause) for clause in left_out)


def _denies(said: str) -> bool:
    return is_negative(lower(said)) or any(token.kind in _DENYING for token in tokenize(said))
