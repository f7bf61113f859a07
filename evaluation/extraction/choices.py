"""Reading the set of options that a response chose."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from evaluation.extraction.caution import stays_open
from evaluation.extraction.choice import MEMO_SIZE, account_for, said_and_kept, spread_lists
from evaluation.extraction.condense import condense
from evaluation.extraction.forms import find_form
from evaluation.extraction.gist import read_gist
from evaluation.extraction.leftovers import says_more
from evaluation.extraction.lexicon import KIND
from evaluation.extraction.mentions import EVERY, OUTSIDE
from evaluation.extraction.normalize import clean, is_blank
from evaluation.extraction.options import PLACEHOLDER_BASE, PreparedOptions, Profile, mark_texts, prepare
from evaluation.extraction.polarity import JUDGED_IN_CHINESE
from evaluation.extraction.readings import EMPTY, UNREAD
from evaluation.extraction.reviews import Review, read_review
from evaluation.extraction.spelling import lower
from evaluation.extraction.statements import BARE, CUED, PROSE, Account, Statement
from evaluation.extraction.tokens import tokenize
from evaluation.types import Reading, UnreadableReason

_JOINED = re.compile(r"[\s\"'(\[]*([a-z]{2,26}|[A-Z]{2,26})[\s\"')\].。]*")
_FIRST_TEXT = chr(PLACEHOLDER_BASE)
# What introduces an answer, not the options of a question: "The answers are:", "正确的选项有：".
_CUE = re.compile(
    r"(?:^|\n)(?:(?:the |my |final )*(?:answers?|(?:correct|right) (?:answers?|options|choices))(?: is| are)?"
    r"|(?:因此|所以|故|我的|最终)*(?:答案|正确答案|正确的?选项)(?:是|为|有|包括)?) ?:?\s*\Z",
    re.IGNORECASE,
)
_ALTERNATIVES = re.compile(r"[/|?]|(?<![a-z])or(?![a-z])|或", re.IGNORECASE)
_ORDINAL = r"(?:first|second|third|fourth|fifth|sixth|last)"
_PLACE = re.compile(rf"{_ORDINAL}|[1-8]")
_PLACES = re.compile(
    rf"(?:(?<=are )|(?<=is )|(?<=: )|(?<=choose )|(?<=select )|(?<=[.,;] )|^)(?P<list>(?:the )?{_ORDINAL}(?:(?:, | and "
    rf"|, and )(?:the )?{_ORDINAL})+)"
    r"(?: (?:options?|ones?|statements?|choices?|answers?))?(?= ?(?:[.!,;\n]|$)| (?:are|is|hold|apply"
    r"|fit|match|do|don't|check|were|can|contradict|fail|stand))",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBERED = re.compile(
    r"(?<![a-z])(?:options|choices|statements|numbers):? (?P<list>[1-8](?:(?:, | and |, and | & )[1-8])+)(?![\d.]*\d)",
    re.IGNORECASE,
)
_CHINESE_PLACE = re.compile("[一二三四五六七八1-8]")
_CHINESE_PLACES = re.compile(
    r"(?P<list>第[一二三四五六七八1-8][个项条]?(?:(?:、|,|和|与|及"
    r"|以及)第?[一二三四五六七八1-8][个项条]?)+)(?:选项|说法|陈述|描述|(?<=[项条])|(?![^\W_]))"
)
# "ABC全部正确": all of those named, not of those that there are.
_ALL_OF_THEM = re.compile("(?<=[A-Za-z\ue000-\uf8ff])(?:选项)?(?:全部都?|全都|全)(?=是?(?:正确|错|对|成立|符合|不))")
# "All three statements hold", where there are three.
_COUNTS = (
    {"two": 2, "both": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
    | {sign: place for place, sign in enumerate("二三四五六七八", 2)}
    | {"两": 2}
)
_ALL_COUNTED = re.compile(
    r"(?<![a-z])(?:all(?: of)?(?: the| these)? )(?P<count>two|three|four|five|six|seven|eight|[2-8])"
    r"(?: (?:of )?(?:them|the )?(?:options?|statements?|choices?|claims?|descriptions?|answers?"
    r"|sentences)?)?(?= (?:are|is|hold|seem|apply|fit|match|can|were|look|appear|check)|[.\n]|$)"
    r"|(?<![其它他下外前后第])(?:以上|上述|这)?(?P<zh>[两二三四五六七八2-8])(?:个|项|条|种|者)(?:选项"
    r"|说法|陈述|描述|表述|叙述)?(?:内容)?(?=全?(?:都|均|全))",
    re.IGNORECASE,
)
_ALL_UNCOUNTED = re.compile(
    r"(?<![a-z])(?:all(?: of)?(?: the| these)?|every(?: single)?|each(?: of the"
    r"| of these)?) (?:statements?|claims?|descriptions?|sentences)"
    r"(?= (?:are|is|hold|holds|seem|apply|applies|fit|fits|match|can|were|look|check|stand))|(?:所有"
    r"|全部)的?(?:说法|陈述|描述|表述|叙述)(?=都|均|全|是)",
    re.IGNORECASE,
)
_FIRST_ONES = re.compile(
    r"(?<![a-z])the (?P<end>first|last) (?P<count>two|three|four|five)(?: (?:options?|statements?"
    r"|choices?|claims?|ones?|answers?))?"
    r"(?= (?:are|hold|apply|fit|match|do|can|contradict|fail|stand|check)|[.,;\n]|$)"
    r"|,?(?P<zh_end>前|后)(?P<zh>[两二三四五])(?:个|项|条)(?:选项|说法|陈述|描述)?(?!音频|声音|片段|录音)",
    re.IGNORECASE,
)
# "A | B | D" is a list where several may be chosen.
_BARRED = re.compile(r"(?<=: )[A-Z](?: ?\| ?[A-Z]){1,9}(?=[.\n]|$)|(?<![A-Za-z|] )[A-Z](?: ?\| ?[A-Z]){2,9}(?=[.\n]|$)")
_BRACKETED = re.compile(r"(?<=[\w] )\(([A-Z])\)|(?<=[\u4e00-\u9fff\ue000-\uefff])\(([A-Z])\)")
_BRACKETED_AND_DENIED = re.compile(
    rf"[^,;。.\n]*\([A-Z](?: is| are|: ?)? ?(?:{JUDGED_IN_CHINESE}|no|wrong|false|[✗×❌])\)"
)
_TOO = re.compile(r"(?<=[.;\n] )([A-Z]) (?:too|as well)(?=[,.;\n]|$)")
_UNBRACKETED = re.compile("(?<![A-Za-z(])[B-HJ-Z](?![A-Za-z])|\\([A-Z][^)]")
# "The answer is A. Also C."
_ALSO = re.compile(
    r"[.;] (?:[Aa]lso|[Aa]nd(?: also)?|[Pp]lus|[Aa]dditionally,?) (?=[(]?[A-Z][)]?(?: as well"
    r"| too)?[.]?(?:\n|$))"
)
# "A、B、E三项都成立": the number of those that are named adds nothing.
_COUNT_OF_NAMED = re.compile(
    "(?<=[A-Za-z\ue000-\uf8ff])[\"')]? ?这?[两二三四五六几](?:个|项|条|者)(?:选项|说法|陈述|描述)?"
)
# "A, maybe C": one of the members is only a guess.
_GUESSED = re.compile(
    r"[A-Za-z\ue000-\uf8ff](?![A-Za-z])[^\n.。]{0,12}(?:(?<![a-z])(?:maybe|perhaps|possibly|might be)"
    r"|可能|也许|或许|大概)(?:还?有|是|也是)? ?"
    r"[(]?[A-Z\ue000-\uf8ff](?![A-Za-z])"
    r"|可能(?:是|选)[^。\n]{0,12}也可能"
    r"|(?<![A-Za-z])[A-Z\ue000-\uf8ff](?![A-Za-z])[)项]?(?:选项)? ?(?:(?:is|are) (?:also "
    r"|equally )?(?:a )?(?:possible|possibility|plausible)(?: too| as well)?(?= ?[.,;\n]|$)"
    r"|(?:might|may|could) (?:also|well|possibly|equally)?|(?:is|are) (?:borderline|debatable|arguable"
    r"|questionable|less certain|uncertain)"
    r"|(?:也|还|同样)(?:是)?(?:有可能|可能|说得通|不能排除)|不能(?:完全)?排除|存疑|不太?确定|有待商榷)"
)
# With these a response points to options by more than their words.
_POINTED = re.compile(
    r"(?<![A-Za-z])(?:[B-J]|[A-J]{2,8})(?![A-Za-z])|(?<![A-Za-z])A(?! ?[a-z])(?![A-Za-z])|(?i:answer|correct|option"
    r"|statement|choose|select)|选|答案|正确|错误|第[一二三四五六]个(?![音声片录])|陈述|说法|[{<]",
)
_CUED = re.compile("(?<![a-z])(?:answers?|choose|select|or|options?)(?![a-z])|答案|选|或", re.IGNORECASE)
_DENYING = frozenset({KIND.NEG, KIND.BAD, KIND.REFUSE, KIND.IF, KIND.BEFORE, KIND.NO})
_OPEN_REASONS, _SHORTEST_PROSE = frozenset({None, "outside-options"}), 8
# Where every option that is named is claimed or denied by its clause, a refusal is about what is not heard.
_DOUBTFUL_REASONS = frozenset({"ambiguous", "refusal"})
_ABOUT_ITSELF = re.compile(
    r"(?<![a-z])(?:sorry|unable|not sure|unsure|uncertain|as an ai)(?![a-z])|抱歉|对不起|无法|确定", re.IGNORECASE
)
_TEXTS = re.compile("[\ue000-\uf8ff]")
_SINGLE_LETTER = re.compile("(?<![A-Za-z])[A-Za-z](?![A-Za-z])")
_LETTER = re.compile(r"[^\W\d_]")


def _joined_letters(response: str, prepared: PreparedOptions) -> frozenset[int] | None:
    """Read "ACD" or "acd": letters in order, each once, all of them options. "bad" is out of order and no answer."""
    match = _JOINED.fullmatch(response)
    if match is None or prepared.profile.letters or _is_text(match.group(1), prepared):
        return None
    positions = [ord(letter) - 97 for letter in match.group(1).lower()]
    ordered = all(left < right for left, right in pairwise(positions))
    return frozenset(positions) if ordered and positions[-1] < prepared.profile.size else None


def _is_text(word: str, prepared: PreparedOptions) -> bool:
    """Whether a word is itself an option's text."""
    return word.lower() in prepared.exact


def _chosen(standing: list[Statement]) -> list[Statement]:
    """The statements of the highest rank, and the lines that continue the last of them."""
    top = max(statement.rank for statement in standing)
    chosen = [statement for statement in standing if statement.rank == top]
    position = standing.index(chosen[-1]) + 1
    # "The answers are:" with one option a line: only the first line stands next to the cue.
    while top >= CUED and position < len(standing):
        listed = standing[position].alone and chosen[-1].alone
        enumerated = standing[position].opens and chosen[-1].opens
        if standing[position].rank != BARE or not (listed or enumerated):
            break
        chosen.append(standing[position])
        position += 1
    return chosen


def _problem(chosen: list[Statement], denied: set[int], profile: Profile) -> UnreadableReason | None:
    """Why a set of statements cannot be an answer."""
    targets = {target for statement in chosen for target in statement.mention.targets}
    if problems := [s.mention.problem for s in chosen if s.mention.problem]:
        return problems[0]
    if any(s.mention.alternative for s in chosen):
        return "ambiguous"
    if OUTSIDE in targets:
        return "outside-options"
    if targets & denied:
        return "contradiction"
    if EVERY in targets:
        return "ambiguous" if profile.all_words else None
    return "ambiguous" if min(targets) < 0 else None


def _decide(account: Account, profile: Profile) -> Reading:
    standing = said_and_kept(account)
    if not standing or account.retracted:
        doubtful = bool(account.statements)
        return UNREAD["refusal" if account.refused else "ambiguous" if doubtful else "outside-options"]
    chosen = _chosen(standing)
    if chosen[0].rank == PROSE and account.refused:
        return UNREAD["refusal"]
    section = chosen[-1].section
    denials = [s for s in account.statements if s.negated and not s.tentative and s.section == section]
    denied = {target for s in denials for target in s.mention.targets}
    problem = _problem(chosen, denied, profile)
    if problem:
        return UNREAD[problem]
    targets = {target for s in chosen for target in s.mention.targets}
    return Reading(indices=frozenset(range(profile.size)) if EVERY in targets else frozenset(targets))


def _only_a_list(marked: str, profile: Profile) -> bool | None:
    """Whether a response is the list of all texts and nothing else: without letters it chooses, with them it echoes."""
    if _FIRST_TEXT not in marked and "/" not in marked and "|" not in marked:
        return None
    rest, n_listings = profile.listing.subn("", marked)
    if n_listings != 1 or any(map(str.isalnum, rest)):
        return None
    return not _LETTER.search(re.sub("[\ue000-\uf8ff]", "", marked))


def _answers_all(marked: str, profile: Profile) -> bool:
    """Whether the response ends in the list of all texts behind words that call it the answer."""
    listing = profile.listing.search(marked) if _FIRST_TEXT in marked else None
    # With letters it may be the echo of a question.
    if listing is None or _SINGLE_LETTER.search(listing.group()) or _ALTERNATIVES.search(marked, listing.start()):
        return False
    return not any(map(str.isalnum, marked[listing.end() :])) and _CUE.search(marked[: listing.start()]) is not None


def _spell_places(marked: str) -> str:
    """Write "the first and the third" and "options 1 and 3" as options, each with its own noun."""
    if " and " in marked or "," in marked or "和" in marked or "、" in marked:
        for pattern in (_PLACES, _NUMBERED, _CHINESE_PLACES):
            marked = pattern.sub(_spell_list, marked)
    return marked


def _spell_all(match: re.Match[str], size: int) -> str:
    """Write "all three statements" as "all options", where there are three."""
    count = match["count"] or match["zh"]
    n = int(count) if count.isdecimal() else _COUNTS[count.lower()]
    if n != size:
        return match.group()
    return "all options" if match["count"] else "全部选项"


def _name_all(marked: str, size: int) -> str:
    """Write every phrase that names all options in one way."""
    if "all" in marked or "All" in marked or "ve" in marked or "ach" in marked or "都" in marked or "均" in marked:
        marked = _ALL_COUNTED.sub(lambda match: _spell_all(match, size), marked)
        marked = _ALL_UNCOUNTED.sub(lambda match: "all options" if match.group().isascii() else "全部选项", marked)
    marked = _FIRST_ONES.sub(lambda match: _spell_ends(match, size), marked)
    if "|" in marked:
        marked = _BARRED.sub(lambda match: match.group().replace("|", ","), marked)
    marked = _TOO.sub(r"\1: yes", marked)
    marked = _ALSO.sub(" and ", marked)
    if not marked.isascii():
        marked = _COUNT_OF_NAMED.sub("", marked)
    return marked


def _spell_ends(match: re.Match[str], size: int) -> str:
    """Write "the first two options" and "后三项" as letters."""
    count = match["count"] or match["zh"]
    n = int(count) if count.isdecimal() else _COUNTS[count.lower()]
    if n >= size:
        return match.group()
    first = (match["end"] or match["zh_end"]).lower() in {"first", "前"}
    letters = [chr(65 + place) for place in (range(n) if first else range(size - n, size))]
    if match["count"]:
        return " and ".join(letters)
    return ("。" if match.group()[0] == "," else "") + "、".join(letters)


def _spell_list(match: re.Match[str]) -> str:
    places = _PLACE.findall(match["list"].lower())
    if match["list"][-1] >= "一" and not match["list"].isascii():
        return "、".join(f"选项{place} " for place in _CHINESE_PLACE.findall(match["list"]))
    return " and ".join(f"option {place}" if place.isdigit() else f"the {place} option" for place in places)


def _read_marked(marked: str, profile: Profile) -> Reading:
    """Read a cleaned response in which placeholders stand for the option texts."""
    if is_blank(marked):
        return EMPTY
    listed = _only_a_list(marked, profile)
    if listed is not None:
        return Reading(indices=frozenset(range(profile.size))) if listed else UNREAD["ambiguous"]
    if _answers_all(marked, profile):
        return Reading(indices=frozenset(range(profile.size)))
    skeleton, _ = spread_lists(_ALL_OF_THEM.sub("都", _name_all(_spell_places(marked), profile.size)), profile)
    return weigh_set(condense(skeleton), profile)


def weigh_set(skeleton: str, profile: Profile) -> Reading:
    """Read a cleaned text with placeholders, in which no list of all options is left."""
    review = read_review(skeleton, profile)
    if review is not None:
        return _decide_review(review, profile)
    bracketed = _read_bracketed(skeleton, profile)
    if bracketed is not None:
        return bracketed
    if _GUESSED.search(skeleton):
        return UNREAD["ambiguous"]
    return _decide(account_for(tokenize(skeleton), profile, commas=True), profile)


def _read_bracketed(skeleton: str, profile: Profile) -> Reading | None:
    """Read letters that stand in brackets behind what is heard: "coins are dropped (B), a jingle plays (D)"."""
    skeleton = _BRACKETED_AND_DENIED.sub("", skeleton)
    matches = list(_BRACKETED.finditer(skeleton))
    if len(matches) < 2 or _UNBRACKETED.search(skeleton) or _CUED.search(skeleton):
        return None
    places = {ord(match[1] or match[2]) - 65 for match in matches}
    clauses = [
        skeleton[start : match.start()] for start, match in zip([0, *(m.end() for m in matches)], matches, strict=False)
    ]
    denied = any(token.kind in _DENYING for clause in clauses for token in tokenize(clause))
    return None if denied or max(places) >= profile.size else Reading(indices=frozenset(places))


def _decide_review(review: Review, profile: Profile) -> Reading:
    """Read the options that a review calls right; a conclusion beside it must say the same."""
    account = account_for(review.rest, profile, commas=True)
    good = frozenset(position for position, is_good in review.verdicts.items() if is_good)
    if said_and_kept(account) or account.retracted or account.refused:
        concluded = _decide(account, profile)
        if concluded.indices is None:
            return concluded
        bad = frozenset(review.verdicts) - good
        differs = concluded.indices & bad or (good and not good <= concluded.indices)
        return UNREAD["contradiction"] if differs else concluded
    if review.contradictory:
        return UNREAD["contradiction"]
    return Reading(indices=good) if good and not review.undecided else UNREAD["ambiguous"]


_remember_marked = lru_cache(maxsize=MEMO_SIZE)(_read_marked)


def _read(response: str, options: tuple[str, ...]) -> Reading:
    prepared = prepare(options)
    joined = _joined_letters(response, prepared)
    if joined is not None:
        return Reading(indices=joined)
    form = find_form(response, prepared)
    if form is not None:
        reading = _remember_marked(form, prepared.profile)
    else:
        reading = _read_marked(mark_texts(clean(response), prepared), prepared.profile)
    if len(response) > _SHORTEST_PROSE:
        reading = _add_gist(response, prepared, reading)
    return UNREAD["ambiguous"] if reading.indices is not None and stays_open(response) else reading


def _add_gist(response: str, prepared: PreparedOptions, reading: Reading) -> Reading:
    """Add the options that a response without letters or a cue says in other words than those of their texts."""
    doubtful = reading.reason in _DOUBTFUL_REASONS
    if (reading.reason not in _OPEN_REASONS and not doubtful) or _POINTED.search(response):
        return reading
    marked = mark_texts(clean(response), prepared)
    if read_review(marked, prepared.profile) is not None:
        return reading
    said = read_gist(lower(marked), prepared.texts)
    claimed = {place for place, _ in said.claims} - said.denied
    named = reading.indices or frozenset()
    if doubtful and not _tells_of_all(marked, claimed, said.denied):
        return reading
    if not named | claimed or named & said.denied:
        return reading
    if says_more(lower(marked), prepared.texts, named | claimed, said.denied):
        return UNREAD["ambiguous"]
    return reading if claimed <= named else Reading(indices=named | claimed)


def _tells_of_all(marked: str, claimed: set[int], denied: frozenset[int]) -> bool:
    named = {ord(sign) - PLACEHOLDER_BASE for sign in _TEXTS.findall(marked)}
    return (
        bool(named and denied)
        and named <= claimed | denied
        and claimed.isdisjoint(denied)
        and not _ABOUT_ITSELF.search(marked)
    )


def read_choices(response: str | None, options: Sequence[str]) -> Reading:
    """Read which options a response chose, where several may be right.

    Args:
        response: What the system wrote; None where it gave nothing.
        options: The option texts in the order they were shown; letters A, B, … stand for positions.

    Returns:
        A reading with `indices` (never empty), or with the `reason` why two careful readers would not agree on a set.

    >>> sorted(read_choices("A和C", ("rain", "wind", "thunder", "hail")).indices)
    [0, 2]
    """
    if response is None:
        return EMPTY
    choices = options if type(options) is tuple else tuple(options)
    return _read(response, choices)
