"""Members that a response calls missing, written as denials: "the fiddle is nowhere to be heard" is "no fiddle"."""

import re

from evaluation.extraction.language.symbols import ARTICLE_OR_I

# A member by its text or letter, and by words of its own.
_SIGNED = (
    r"(?:the (?:sounds? of (?:the )?)?|an? (?=[\ue000-\uf8fe])|any )?(?:options? )?(?:[\ue000-\uf8fe]"
    r"|(?<![A-Za-z])(?-i:[A-J])(?![A-Za-z']))"
)
_NO_NAME = (
    r"(?!(?:and|or|nor|but|is|are|was|were|which|that|not|no|none|nothing|i|it|they|you|stays?|remains?)(?![a-z]))"
)
_NO_COUNT = (
    r"(?!(?:the )?(?:(?:only|just) )?(?:two|three|four|five|six|one|ones|some|both|all|others?|rest|everything|sounds?"
    r"|missing|absent|silent)(?![a-z]))"
)
_WORDED = rf"(?:{_NO_COUNT}{_NO_NAME}[a-z]{{1,20}}(?: {_NO_NAME}[a-z]{{1,20}}){{0,3}})"
_HEARD = r"(?:there|present|heard|audible|detected|found|included|in (?:it|this|the [a-z]{1,20}))"
_GONE = (
    r"(?:missing|absent|silent|inaudible|unheard|undetected|lacking|left out|gone|nowhere(?: (?:there|in (?:it|the"
    rf" [a-z]{{1,20}})|to be (?:heard|found|detected)))?|not {_HEARD})"
)
_BEING = (
    r" (?:is|are|was|were|seems?(?: to be)?|appears?(?: to be)?|stays?|remains?|remained|falls?|fell"
    r"|(?:might|may|could|must|should) be)"
)
_UNHEARD = (
    rf"(?: (?:is|are|was|were)n't(?: actually| really| both| either)? {_HEARD}"
    r"| (?:cannot|can't|can not|could not|couldn't) be (?:heard|detected|found|made out)"
    r"| (?:do not|don't|does not|doesn't|did not|didn't|never) (?:appear|occur|play|show up)s?"
    r"| never (?:appeared|occurred|played))"
)
_SURELY = (
    r"(?: (?:both|all|each|clearly|also|just|simply|completely|entirely|totally|actually|indeed|definitely|probably"
    r"|likely|apparently|obviously|too|quite)){0,3}"
)
_WHERE = (
    r"(?: (?:from|in|on|throughout) (?:this|the|that|it)(?: [a-z]{1,20}){0,2}| here| anywhere| at all| entirely"
    r"| completely)?"
)
_BEFORE = (
    r"(?:^|(?<=[.;:,!\n(] )|(?<=[\n(])|(?<= and )|(?<= but )|(?<=^but )|(?<=only )|(?<=just )|(?<=while )|(?<=hereas )"
    r"|(?<=hough )|(?<= that )|(?<=think )|(?<=notice )|(?<=[Ss]o )|(?<=[Ss]ince )|(?<=ecause ))"
)
_BEHIND = r"(?= ?(?:[.,;!)\n]|$)| (?:and|but|while|whereas|though|although|because|since|so|too)(?![a-z]))"
# "Without drums, the violin and piano play": behind a comma, another clause may begin.
_AT_END = r"(?= ?(?:[.;!)\n]|$))"
# "Everything is heard but the flute and the piano are loudest": behind the list, a verb begins another clause.
_CLOSED = r"(?= ?(?:[.,;!)\n]|$)| (?:but|while|because|since|so)(?![a-z]))"

# "Incorrect: rain. Wind. Hail.": the list goes on.
_GOES_ON = r"[.;] [\ue000-\uf8fe](?:[.;]|$)"


def _write_list(member: str) -> str:
    return (
        rf"(?P<list>{member}(?:(?:, {member}){{0,8}},? (?:and|or|nor|&) {member}|(?: and {member}){{2,8}}"
        rf"|(?:, {member}){{1,8}})?)"
    )


def _compile_absences(member: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of statements that members are missing.

    Args:
        member: Pattern of one.
    """
    members = _write_list(member)
    kind = "(?: (?:sounds?|noises?|calls?|voices?|parts?))?"
    noun = r"(?: (?!is |are |from |in )[a-z]{1,20}){0,2}"
    sources = (
        # "Wind and hail are absent", "wind and hail. Both are silent".
        rf"{_BEFORE}{members}{kind}(?:(?:{_SURELY}{_BEING}|[.;,] (?:Both|All|They|These)(?: of them)? (?:are|were))"
        rf"{_SURELY} {_GONE}|{_SURELY}{_UNHEARD}){_WHERE}{_BEHIND}",
        # "Wind: missing", "wind and hail, both absent".
        rf"{_BEFORE}{members}(?:,|:| -| –| (?=\()) ?\(?(?:(?:both|all)(?: of them)? )?(?P<word>{_GONE}){_WHERE}\)?"
        rf"{_BEHIND}",
        # "Two are absent: wind and hail", "what is missing is wind", "not heard: A, C".
        rf"(?:^|(?<=[.;:,!\n] )|(?<=\n)|(?<= and )|(?<= but ))(?P<before>[^.;:,!?\n\ue000-\uf8ff]{{0,60}}?)(?<![a-z])"
        rf"(?:{_GONE}|wrong|false|incorrect){noun}{_WHERE}(?:(?:\.|,? and) (?:They|These|Those) are|,? namely:?"
        rf"|,? i\.e\.,?| ?[:–]| -| is| are| was| were)(?:\n(?=.+\n?\Z)| )?{members}{_BEHIND}(?!{_GOES_ON})",
        # A list below such a heading.
        rf"(?:^|(?<=\n)|(?<=[.;!] ))(?P<before>[^.;:,!?\n\ue000-\uf8ff]{{0,60}}?)(?<![a-z]){_GONE}{noun}{_WHERE} ?:"
        rf"(?P<lines>(?:\n(?:[-*•] |[1-9][.)] )?{member}){{1,9}})(?= ?[.;]?(?:\n|$))",
        # "The recording lacks wind and hail", "without wind and hail", "nowhere do I hear wind".
        rf"(?<![a-z])(?:lack(?:s|ed|ing)?|(?:is|are|was|were|it's) missing|i miss|without"
        rf"|nowhere (?:do|can|could|did) (?:i|we|you) (?:hear|detect|find)) {members}{_AT_END}",
    )
    return tuple(re.compile(source, re.IGNORECASE) for source in sources)


_ABSENCES, _ABSENCES_IN_WORDS = _compile_absences(_SIGNED), _compile_absences(_WORDED)
_MEMBERS_IN_CHINESE = (
    r"(?P<list>(?:[\ue000-\uf8fe]|(?<![A-Za-z])[A-J](?![A-Za-z]))(?:(?:、|和|与|及|以及|跟|,(?=[A-J](?![A-Za-z])))"
    r"(?:[\ue000-\uf8fe]|[A-J](?![A-Za-z]))){0,9})"
)
_GONE_IN_CHINESE = (
    r"(?:没有?(?:被)?(?:出现|听到|听见|响起?|检测到)|(?:并|从)?未(?:被)?(?:出现|听到|听见|响起|检测到)|缺失|缺席|缺少|听不[到见]|不存在"
    r"|消失|不在(?:其中|里面|场))了?"
)
_END_IN_CHINESE = r"(?=[,.。;!\n)]|$)"
_ABSENCES_IN_CHINESE = tuple(
    map(
        re.compile,
        (
            rf"(?<!除)(?<!除了)(?:只有|只|仅|唯独)?{_MEMBERS_IN_CHINESE}(?:的声音)?(?:(?:这)?[两二三]个)?(?:都|均|也|则|却|全|是|根本|完全)*"
            rf"{_GONE_IN_CHINESE}的?{_END_IN_CHINESE}",
            rf"(?:(?:只|仅)?有?[一两二三四五六][个种项条])?(?:{_GONE_IN_CHINESE}|缺|少)的?(?:声音|选项|乐器|内容|项目)?"
            rf"(?:只|仅|就)?(?:分别)?(?:是|有|为|包括|:)+{_MEMBERS_IN_CHINESE}{_END_IN_CHINESE}",
            rf"{_GONE_IN_CHINESE}的?(?:声音|选项|乐器|内容|项目)?:"
            r"(?P<list>(?:\n(?:[-*•] |[1-9][.)] ?)?[\ue000-\uf8fe]){1,9})(?=[。;]?(?:\n|$))",
            rf"(?:只|仅)?(?:哪里都|到处都)?(?:缺少?了?|少了|没有?听[到见]|听不[到见]|没有?出现|找不到){_MEMBERS_IN_CHINESE}{_END_IN_CHINESE}",
        ),
    )
)
_BRACKETED = re.compile(
    rf"(?<=[\ue000-\uf8fe]) \((?P<said>[^()\n]{{1,100}}? (?:is|are|was|were) {_GONE})\)\.?", re.IGNORECASE
)
_LIST = _write_list(_SIGNED)
# "Everything is there except wind and hail", "I hear all of them but C".
_ALL = (
    r"(?:everything(?: else)?"
    r"|all(?: (?:of )?(?:the |these |those )?(?:them|these|those|(?!of|but|except)[a-z]{1,14}s))?)"
)
_BUT = r",? ?(?:except|but|apart from|other than|save|excluding|with the exception of|minus|just not|only not)(?: for)?"
_ARE_HEARD = rf"(?:is|are|was|were|can be|could be)(?: all| clearly)? {_HEARD}"
_EXCEPTED = re.compile(
    rf"(?<![a-z])(?<!not )(?<!n't )(?:{_ALL} {_ARE_HEARD}{_BUT} {_LIST}"
    rf"|{_ALL}{_BUT} {_LIST.replace('list', 'early')} {_ARE_HEARD}"
    rf"|(?:i|we) (?:can |do |could )?(?:hear|heard|detect|find) {_ALL}{_BUT} {_LIST.replace('list', 'late')}"
    rf"|{_ALL} {_ARE_HEARD}[,;.] (?:only|just|but|it's just that) "
    rf"{_LIST.replace('list', 'gone')} (?:is|are) {_GONE}){_CLOSED}",
    re.IGNORECASE,
)
_HINTS_OF_ABSENT = re.compile(
    r"issing|bsent|ilent|naudible|unheard|ndetected| lack|left out| gone|owhere|ithout |I miss |i miss |never "
    r"|(?:[Nn]ot|n't) (?:there|present|heard|audible|detected|found|included|in |be |app|occ|play|show)"
    r"|(?:rong|alse|ncorrect)(?::| [a-z]+ are|,? namely)|缺|听|消失|少|[没未不]"
)
# "Wind is absent, rain is heard": behind a denial without a verb, the next clause would be a part of its list.
_HEARD_TOO = re.compile(
    rf"{_SIGNED}(?: (?:is|are|was|were)| can be)(?: (?:all|both|clearly|definitely|also))?"
    " (?:present|heard|audible|detected|found|included)",
    re.IGNORECASE,
)
_SIGN = re.compile(r"[\ue000-\uf8fe]|(?<![A-Za-z])[A-J](?![A-Za-z])")
_BETWEEN = re.compile(r",? (?:and|or|nor|&) |, |\s*\n(?:[-*•] |[1-9][.)] )?")
_ARTICLE = re.compile(r"(?:the|an?|any) ")
_CHINESE = re.compile("[\u4e00-\u9fff]")
# "Correct: A, B", next to which "Incorrect: C, D" is a part of a review.
_RIGHT_HEADING = re.compile(
    r"(?:^|(?<=\n)|(?<=[.;] ))\W{0,4}(?:correct|right|true|present|heard|yes)[^:\n]{0,20}:", re.IGNORECASE
)
# "The wallet and the keys are missing": things that are lost may be what the question asks for.
_LOST = re.compile("missing|gone|lack|left out|i miss|缺|少了", re.IGNORECASE)
_OF_PEOPLE = re.compile(
    r"(?<![a-z])(?:she|he|they(?! are)|her|his|their|we|my|your|at home|lost|has|have|had|needs?)(?![a-z])"
    r"|They are (?:missing|lacking)|[他她]们?|丢|家里|还有",
    re.IGNORECASE,
)
_NEAR = 200
_WRONG_HEADING = re.compile("\\W*(?:incorrect|wrong|false)", re.IGNORECASE)
_DOUBTED = re.compile(r"(?<![a-z])(?:no|none|not|nothing|never|if|unless|whether|or|any)(?![a-z])|n't", re.IGNORECASE)


def deny_absent(marked: str) -> str:
    r"""Return a text with placeholders that denies each member which it calls missing.

    >>> deny_absent("Two are absent: \ue001 and \ue003. I hear \ue002.")
    'no \ue001, no \ue003. I hear \ue002.'
    """
    if ("verything" in marked or "ll " in marked) and _SIGN.search(marked):
        marked = _EXCEPTED.sub(_write_exception, marked)
    if _HINTS_OF_ABSENT.search(marked) is None or _SIGN.search(marked) is None:
        return marked
    marked = _BRACKETED.sub(_open_bracket, marked) if " (" in marked else marked
    for pattern in _ABSENCES if marked.isascii() or not _CHINESE.search(marked) else _ABSENCES_IN_CHINESE:
        marked = pattern.sub(_deny_each, marked)
    return marked


def _open_bracket(bracket: re.Match[str]) -> str:
    """Write a bracket that calls members missing as a sentence of its own: "rain and wind (hail is absent)"."""
    return f". {bracket['said']}." if _SIGN.search(bracket["said"]) else bracket.group()


def _deny_each(absence: re.Match[str]) -> str:
    groups = absence.groupdict()
    before = groups.get("before") or ""
    if _WRONG_HEADING.match(absence.group()) and _RIGHT_HEADING.search(
        absence.string, max(0, absence.start() - _NEAR), absence.end() + _NEAR
    ):
        return absence.group()
    if _LOST.search(absence.group()) and _OF_PEOPLE.search(absence.string):
        return absence.group()
    if _DOUBTED.search(before) or _SIGN.search(ARTICLE_OR_I.sub(" ", before)):
        return absence.group()
    listed = groups.get("list") or groups["lines"] or ""
    signs = _SIGN.findall(listed) or [_ARTICLE.sub("", name, count=1) for name in _BETWEEN.split(listed.strip())]
    if groups.get("word") and len(signs) == 1:
        return absence.group().replace(absence["word"], "wrong")  # A line of a review: "A: missing".
    if absence.re in _ABSENCES_IN_CHINESE:
        return ",".join(f"没有{sign}" for sign in signs)
    if len(signs) == len(_SIGN.findall(listed)) and _HEARD_TOO.search(absence.string):
        return f"{' and '.join(signs)} {'is' if len(signs) == 1 else 'are'} wrong"
    return ", ".join(f"{'not' if sign.isupper() else 'no'} {sign}" for sign in signs)


def _write_exception(exception: re.Match[str]) -> str:
    """Write an exception in the words in which reviews are read."""
    listed = next(names for names in exception.groups() if names)
    return f"all except {' and '.join(_SIGN.findall(listed))} are right"


def deny_absent_names(lowered: str) -> str:
    """Return a cleaned response in lower case that denies each name which it calls missing.

    >>> deny_absent_names("the fiddle and the whistle are nowhere to be heard; a drum is there.")
    'no fiddle, no whistle; a drum is there.'
    """
    if _HINTS_OF_ABSENT.search(lowered) is None:
        return lowered
    for pattern in _ABSENCES_IN_WORDS:
        lowered = pattern.sub(_deny_each, lowered)
    return lowered
