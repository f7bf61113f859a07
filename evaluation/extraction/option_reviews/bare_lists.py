"""Responses that are no more than a list of letters or numbers: "ACD", "<CA>", "Answer: 1, 2 and 4"."""

import re
from itertools import pairwise

from evaluation.extraction.critic.numbers import read_number
from evaluation.extraction.language.lexicon import KIND
from evaluation.extraction.language.normalize import clean
from evaluation.extraction.language.spelling import lower
from evaluation.extraction.language.symbols import ARTICLE_OR_I, CAPITAL
from evaluation.extraction.language.tokens import tokenize
from evaluation.extraction.language.units import is_negative, list_units
from evaluation.extraction.option_reviews.bracketed import write_bracketed_numbers
from evaluation.extraction.option_texts.options import PreparedOptions, Profile

_OPENING, _CLOSING = r"[\s\"'(\[<{【「《*]*", r"[\s\"')\]>}】」》*.。]*"
_JOINED = re.compile(rf"{_OPENING}([a-z]{{2,26}}|[A-Z]{{2,26}}){_CLOSING}")
# Behind what introduces an answer, letters out of order are letters as well: "Answer: DA".
_UNSORTED = re.compile(
    r"((?:(?:answers?|options|choices)(?: is| are)?|答案|选项?|选择)(?:是|为)?[*\s]{0,3}[:：]?[*\s]{0,3}|\A)"
    r"(?P<opening>[\"'(\[<{【「《*]{0,3})(?P<letters>(?-i:[A-Z]{2,8}))(?=[\"')\]>}】」》*.。]{0,3}\s*(?:\n|</|\Z))",
    re.IGNORECASE,
)
_CAPITALS = re.compile("[A-Z]{2}")
# English words of the first letters are no lists of them.
_WORDS = frozenset({"BAD", "BE", "BED", "CAB", "DAB", "FAB", "FED", "BEAD", "CAFE", "DEAF", "FACE", "FADE", "HE"})
# "Answer: 1, 2 and 4", "(1)(3)": the options by their numbers, and nothing else. Two numbers without a cue may count.
_AND = r"(?:, ?and |, ?| ?、| and | ?& ?|和)"
_NUMBERS = re.compile(
    r"(?:(?:the |my |final )*(?:(?:correct|right) )?(?:answers?|options|statements|numbers)(?: is| are)? ?:? ?"
    rf"|(?:我?选择?)?(?:正确的?)?(?:答案|选项|选|有|是|说法)(?:是|为|有)? ?:? ?)"
    rf"\(?[1-9]\)?(?:{_AND}\(?[1-9]\)?)+ ?[.。、]?"
    rf"|\([1-9]\)(?:{_AND}?\([1-9]\))+|[1-9](?:{_AND}[1-9]){{2,8}}[.。]?|[1-9](?:、[1-9])+[、.。]?",
    re.IGNORECASE,
)
# "1.没有 2.有": a verdict on each option, by its number.
_NUMBERED_VERDICT = (
    r"([1-9])[.、:)]+ ?(有|是|对|正确|成立|yes|true|correct|没有|无|否|不是|错|错误|不正确|不成立|no|false|incorrect)"
)
_NUMBERED_VERDICTS = re.compile(rf"{_NUMBERED_VERDICT}(?:[,;，；。.]?[ \n]*{_NUMBERED_VERDICT})+[。.]?", re.IGNORECASE)
_VERDICT = re.compile(_NUMBERED_VERDICT, re.IGNORECASE)
_GOOD = frozenset({"有", "是", "对", "正确", "成立", "yes", "true", "correct"})
_SHARED_TAIL = re.compile(
    "(?:我?(?:能|可以)?听[到见出]了?|有"
    "|是)?(?P<list>[\u4e00-\u9fff]{1,5}(?:[、和与][\u4e00-\u9fff]{1,5}){1,6})的(?:叫声|声音|歌声|响声"
    "|演奏)(?:都有|都能听到|都在)?(?:,也?没有?[^。]*)?[。!]?"
)
# "A, B, D (no glass breaks)": what is not heard is another option.
_REMARKED = re.compile(
    r"\s*([A-Z](?:(?:, ?(?:and )?| (?:and|&) |、|和)[A-Z])+),? ?\((?:no|there (?:is|are|was|were) no|without"
    r"|I (?:hear|heard) no)"
    r"(?! evidence| idea| proof| support) [^()A-Z]{2,80}\)[.。]?\s*"
)
_HEARD = re.compile(
    r"(?<![A-Za-z])I (?:can |could |only |clearly )*(?:hear|heard|detect|detected|identify"
    r"|identified)(?: only)? (?:options? )?"
    r"(?=[A-J](?:, [A-J])*,? and [A-J](?![A-Za-z])(?: ?[.,;(\n]|\Z))"
)
# "Three statements hold: A, B, D."
_HOLDING = re.compile(
    r"(?:The following )?(?:[Tt]wo|[Tt]hree|[Ff]our|[Tt]hese)? ?(?:of the )?(?:statements|options"
    r"|choices) (?:hold|apply|fit|are (?:true|correct|right"
    r"|supported|valid))(?: true)? ?: ?(?=[A-J](?![A-Za-z]))"
)
_ALL_OF_THEM = re.compile(
    r"(?<![A-Za-z])[Tt]hey(?:'re| are) all(?= (?:supported|correct|true|right|present|valid)(?![a-z]))"
)
# "A, B, C, and D all apply."
_ALL_APPLY = re.compile(r"(?<=[A-J]) all(?= (?:apply|hold|fit|stand|occur|appear)(?![a-z]))")
# "All four options are therefore present in the clip."
_ALL_OPTIONS = re.compile(
    r"(?:\A|(?<=[.!?] )|(?<=\n))All (?:of the )?(?P<count>two|three|four|five|six) (?:of the )?"
    r"(?:options|statements|choices|answers|sounds) (?:are|apply|hold|can be)(?: therefore| thus| hence)?"
    r"(?: (?:present|correct|true|right|heard|audible|supported))?(?: in (?:the|this) [a-z]+)?(?=[.!]?\s*\Z)"
)
_LIMITED = re.compile(
    r"(?<![a-z])(?:missing|absent|lack(?:s|ing)|silent|inaudible|wrong|false|except|but)(?![a-z])", re.IGNORECASE
)
# "I hear all of them: the bell, the train and the rain."
_HEAR_ALL = re.compile(
    r"(?<!wish )(?<!whether )(?<!if )(?<!as )(?P<hear>(?<![A-Za-z])(?:I|We) (?:can |clearly )*(?:hear|heard)) all"
    r"(?: of)?(?: (?:them|these|those))?(?: (?P<count>two|three|four|five|six))?(?: (?:sounds?|options?))? ?: ?"
    r"(?P<list>[a-z][^.;:\n]*)(?=\.?\s*\Z)"
)
# "C might be true later on, but nothing says so."
_HEDGED_ASIDE = re.compile(
    r"(?<=[.;\n] )[A-J] (?:might|could|may) (?:be |well be |also be )[^.;\n]{0,60}, (?:but|though"
    r"|yet)[^.;\n]*?(?<![a-z])(?:nothing|no|not)(?![a-z])"
    r"[^.;\n]*[.;] ?"
)
_ARROWED = re.compile(r"(?<=[a-z)\u4e00-\u9fff]) ?(?:→|->|=>) ?\(?([A-J])\)?(?=[,;.。，；\n]|\Z| and(?![a-z]))")
_NOTHING_ELSE = re.compile(
    r",? (?:and|but) nothing else(?= ?[.!\n]|\Z)|[,，](?:再?没有|别无)(?:其他|其它|别的)(?:的|声音|选项)*(?=[。\n]"
    r"|\Z)"
)
# "Bus: yes. Child? No."
_NAMED_VERDICT = re.compile(r"([a-z][a-z', ]{1,80}?) ?(?:\?|:|-) ?(yes|no|true|false)(?:[.,;!]|\n|\Z)")
_YES, _WORD = re.compile(r"(?<![a-z])(?:yes|true)(?![a-z])", re.IGNORECASE), re.compile("[a-z]+")
_LONGEST_REVIEW, _MAX_OTHER_WORDS = 240, 4
_MEMBERS = re.compile(r"[a-z' -]+(?:(?:, and | and |, | & | \+ )[a-z' -]+)+")
_AND_OR_COMMA = re.compile(r", and | and |, | & | \+ ")
_MEMBER_END = re.compile("[、和与]")
_CIRCLED = re.compile("[①-⑨](?=[①-⑨])")
_LONGEST_LIST = 60
_DIGIT = re.compile("[0-9]")


def read_bare_list(response: str, prepared: PreparedOptions) -> frozenset[int] | None:
    """Return the positions that a response lists by letters or numbers, if it does nothing else.

    >>> from evaluation.extraction.option_texts.options import prepare
    >>> sorted(read_bare_list("<CA>", prepare(("rain", "wind", "hail"))))
    [0, 2]
    """
    joined = _read_letters(response, prepared)
    if joined is None and len(response) <= _LONGEST_LIST:
        cleaned = clean(_CIRCLED.sub(r"\g<0>、", response))
        joined = _read_verdicts(cleaned, prepared) or _read_numbers(cleaned, prepared)
        joined = joined or _read_shared_tail(cleaned, prepared.texts) or _read_members(cleaned, prepared.texts)
    if joined is None and len(response) <= _LONGEST_REVIEW and _YES.search(response):
        joined = _read_named_verdicts(lower(clean(response)), prepared.texts)
    return joined


def _read_named_verdicts(lowered: str, texts: tuple[str, ...]) -> frozenset[int] | None:
    """Read "Bus: yes. Child? No.": a verdict on each option, by its name, and nothing else."""
    found = _NAMED_VERDICT.findall(lowered)
    named = [(name, verdict) for names, verdict in found for name in _split_names(names, texts)]
    if len(named) != len(texts) or len(_WORD.findall(_NAMED_VERDICT.sub(" ", lowered))) > _MAX_OTHER_WORDS:
        return None
    units = [frozenset(list_units(text)) for text in texts]
    verdicts = {_find_member(name.strip(), texts, units): verdict in _GOOD for name, verdict in named}
    if None in verdicts or len(verdicts) < len(texts):
        return None
    return frozenset(place for place, is_good in verdicts.items() if is_good and place is not None) or None


def _split_names(names: str, texts: tuple[str, ...]) -> list[str]:
    """The names before one verdict: "violin, bass and harp: no"."""
    return [names] if names.strip() in texts else _AND_OR_COMMA.split(names)


def _read_letters(response: str, prepared: PreparedOptions) -> frozenset[int] | None:
    """Read "ACD", "acd" or "CA": letters, each once, all of them options. "bad" is out of order and no answer."""
    match = _JOINED.fullmatch(response)
    if match is None or prepared.profile.letters or match.group(1).lower() in prepared.exact:
        return None
    letters = match.group(1)
    positions = [ord(letter) - 97 for letter in letters.lower()]
    ordered = all(left < right for left, right in pairwise(positions)) or is_unsorted(letters)
    return frozenset(positions) if ordered and max(positions) < prepared.profile.size else None


def _read_verdicts(cleaned: str, prepared: PreparedOptions) -> frozenset[int] | None:
    """Read "1.没有 2.有": verdicts on all options, in order, and nothing else."""
    if _NUMBERED_VERDICTS.fullmatch(cleaned) is None or prepared.quantities is not None:
        return None
    verdicts = _VERDICT.findall(cleaned)
    if [int(number) for number, _ in verdicts] != list(range(1, prepared.profile.size + 1)):
        return None
    return frozenset(int(number) - 1 for number, verdict in verdicts if verdict.lower() in _GOOD) or None


def _read_shared_tail(cleaned: str, texts: tuple[str, ...]) -> frozenset[int] | None:
    """Read "猫、鸟、羊的叫声": a list of what only one option has each, and what all have."""
    match = _SHARED_TAIL.fullmatch(cleaned)
    if match is None:
        return None
    members = _MEMBER_END.split(match["list"])
    found = [[place for place, text in enumerate(texts) if member in text] for member in members]
    places = frozenset(place for each in found for place in each)
    return places if all(len(each) == 1 for each in found) and len(places) == len(members) else None


def _read_members(cleaned: str, texts: tuple[str, ...]) -> frozenset[int] | None:
    """Read "Snare, bass drum and cymbals": a list of parts of options, each of only one, and nothing else."""
    lowered = lower(cleaned).rstrip(" .!")
    if not _MEMBERS.fullmatch(lowered) or is_negative(lowered):
        return None
    kinds = {token.kind for token in tokenize(lowered)}
    if not kinds <= {KIND.WORD, KIND.FILLER, KIND.AND, KIND.COMMA, KIND.LABEL}:
        return None
    units = [frozenset(list_units(text)) for text in texts]
    if any(each.issuperset(list_units(lowered)) for each in units):
        return None  # "Piano and violin" is one option.
    places = [_find_member(member, texts, units) for member in _AND_OR_COMMA.split(lowered)]
    found = frozenset(place for place in places if place is not None)
    return found if len(found) == len(places) > 1 else None


def _find_member(member: str, texts: tuple[str, ...], units: list[frozenset[str]]) -> int | None:
    """The option that a member of a list is, or of which it has nothing but words that no other option has."""
    if member in texts:
        return texts.index(member)
    own = frozenset(list_units(member))
    places = [place for place, each in enumerate(units) if own & each]
    return places[0] if own and len(places) == 1 and own <= units[places[0]] else None


def is_unsorted(letters: str) -> bool:
    """Whether a word is no more than capital letters out of order, each once."""
    return letters.isupper() and len(set(letters)) == len(letters) and letters not in _WORDS


def drop_remarks(response: str, profile: Profile) -> str:
    """Leave out what a list adds without naming another option, and write what else lists options as an answer.

    >>> from evaluation.extraction.option_texts.options import prepare
    >>> profile = prepare(("rain", "wind", "a dog")).profile
    >>> drop_remarks("A, B (no dog barks)", profile), drop_remarks("I hear B and C, and nothing else.", profile)
    ('A, B', 'The answers are B and C.')
    """
    response = write_bracketed_numbers(response, profile)
    if " all " in response:
        response = _ALL_APPLY.sub("", response)
    if "All " in response and not is_negative(lower(response)) and not _LIMITED.search(response):
        response = _ALL_OPTIONS.sub(lambda match: _write_all_letters(match, profile), response)
    if "hey" in response:
        response = _ALL_OF_THEM.sub("All of them are", response)
    if ":" in response:
        response = _HEAR_ALL.sub(lambda match: _list_all(match, profile), response)
        response = _HOLDING.sub("The answers are ", response)
    if " might " in response or " could " in response or " may " in response:
        response = _HEDGED_ASIDE.sub("", response)
    if response.count("→") + response.count("->") > 1 and (arrowed := _list_arrowed(response)):
        return f"The answers are {arrowed}"
    if "hear" in response or "detect" in response or "identif" in response:
        response = _HEARD.sub("The answers are ", response)
    if "(" in response and (match := _REMARKED.fullmatch(response)):
        return match[1]
    return _NOTHING_ELSE.sub("", response) if "else" in response or "别" in response else response


def _list_all(match: re.Match[str], profile: Profile) -> str:
    """A list of all that is heard, without "all of them", if it has as many members as that says."""
    n_members = len(_AND_OR_COMMA.split(match["list"]))
    is_whole = n_members == (read_number(match["count"]) if match["count"] else profile.size) and not is_negative(
        match["list"]
    )
    return f"{match['hear']} {match['list']}" if is_whole else match.group()


def _write_all_letters(match: re.Match[str], profile: Profile) -> str:
    letters = ", ".join(chr(65 + place) for place in range(profile.size))
    return f"The answers are {letters}" if read_number(match["count"]) == profile.size else match.group()


def _list_arrowed(response: str) -> str:
    """The letters to which arrows point: "hopeful → A, and ashamed → E"; nothing where others stand."""
    arrowed = _ARROWED.findall(response)
    rest = _ARROWED.sub("", response)
    is_plain = len(arrowed) > 1 and not CAPITAL.search(ARTICLE_OR_I.sub("", rest)) and not is_negative(lower(rest))
    return ", ".join(arrowed) if is_plain else ""


def sort_letters(response: str, prepared: PreparedOptions) -> str:
    """Return a response with the letters behind its cue in order: "Answer: DA" as "Answer: AD"."""
    if prepared.profile.letters or not _CAPITALS.search(response):
        return response

    def write_sorted(match: re.Match[str]) -> str:
        letters = match["letters"]
        known = max(letters) <= chr(64 + prepared.profile.size) and letters.lower() not in prepared.exact
        ordered = "".join(sorted(letters)) if known and is_unsorted(letters) else letters
        return f"{match[1]}{match['opening']}{ordered}"

    return _UNSORTED.sub(write_sorted, response)


def _read_numbers(cleaned: str, prepared: PreparedOptions) -> frozenset[int] | None:
    """Read "Answer: 1, 2 and 4": numbers of options in order, where no option is a number itself."""
    if _DIGIT.search(cleaned) is None or _NUMBERS.fullmatch(cleaned) is None:
        return None
    places = [int(digit) - 1 for digit in _DIGIT.findall(cleaned)]
    ordered = all(left < right for left, right in pairwise(places)) and places[-1] < prepared.profile.size
    return frozenset(places) if ordered and prepared.quantities is None and not prepared.profile.weak else None
