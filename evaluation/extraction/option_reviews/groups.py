"""Phrases that name several options or all of them, written as letters: "the first two", "all three statements"."""

import re

_ORDINAL = r"(?:first|second|third|fourth|fifth|sixth|last|[1-6](?:st|nd|rd|th))"
_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
_CARDINAL = rf"(?:[1-8]|{'|'.join(_CARDINALS)})"
_PLACE = re.compile(rf"{_ORDINAL}|{_CARDINAL}")
_PLACES = re.compile(
    rf"(?=(?:the )?{_ORDINAL})(?:(?<=are )|(?<=is )|(?<=: )|(?<=choose )|(?<=select )|(?<=[.,;] )|(?<=[Ss]o )"
    rf"|(?<=[Tt]hus )|(?<=[Hh]ence )|(?<=[Tt]hat )|(?<=[Tt]herefore )|^)(?P<list>(?:the )?{_ORDINAL}(?:(?:, | and "
    rf"|, and )(?:the )?{_ORDINAL})+)"
    r"(?: (?:options?|ones?|statements?|choices?|answers?))?(?= ?(?:[.!,;\n]|$)| (?:are|is|hold|apply"
    r"|fit|match|do|don't|check|were|can|contradict|fail|stand))",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBERED = re.compile(
    rf"(?<![a-z])(?:options?|choices?|statements?|numbers?|no\.|nos\.|items?):? (?P<list>{_CARDINAL}"
    rf"(?:(?:, | and |, and | & )(?:(?:option|choice|statement|number|no\.|item) )?{_CARDINAL})+)"
    r"(?![\d.]*\d| ?[a-z]+ (?:is|are|was)(?![a-z]))",
    re.IGNORECASE,
)
_CHINESE_PLACE = re.compile("[一二三四五六七八1-8]")
_CHINESE_PLACES = re.compile(
    r"(?P<list>第[一二三四五六七八1-8][个项条]?(?:(?:、|,|和|与|及"
    r"|以及)第?[一二三四五六七八1-8][个项条]?)+)个?(?:选项|说法|陈述|描述|(?<=[项条])|(?![^\W_])"
    r"|(?=(?:都|均|全|是)*(?:正确|合理|成立|符合|错误|不合理|不正确|不成立|不符合|不对|有误)))"
)
# "一、三、四" and nothing else.
_CHINESE_NUMERALS = re.compile("[一二三四五六七八](?:、[一二三四五六七八])+[。.]?")
# "ABC全部正确": all of those named, not of those that there are.
_ALL_OF_THEM = re.compile(
    "(?<=[A-Za-z\ue000-\uf8ff])(?:选项)?(?:全部都?|全都|全)(?=是?(?:正确|错|对|成立|符合|合理|不|选|可|能|有))"
)
# "All three statements hold", where there are three.
_COUNTS = (
    {"two": 2, "both": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
    | {sign: place for place, sign in enumerate("二三四五六七八", 2)}
    | {"两": 2}
)
_ALL_COUNTED = re.compile(
    r"(?<![a-z])(?:all(?: of)?(?: the| these)? )(?P<count>two|three|four|five|six|seven|eight|[2-8])"
    r"(?: (?:of )?(?:them|the )?(?:options?|statements?|choices?|claims?|descriptions?|answers?"
    r"|sentences|instruments|sounds|events|noises|emotions)?)?(?= (?:are|is|hold|seem|apply|fit|match|can|were"
    r"|look|appear|check)|[.\n]|$)"
    r"|(?<![其它他下外前后第])(?:以上|上述|这)?(?P<zh>[两二三四五六七八2-8])(?:个|项|条|种|者)(?:选项"
    r"|说法|陈述|描述|表述|叙述|乐器|声音|事件|情绪)?(?:内容)?(?=全?(?:都|均|全))",
    re.IGNORECASE,
)
# "All options can be heard", "the rest of the instruments aren't in the recording": what is said of all of a group.
_GROUP = r"(?:all options|except[^.\n]{1,60}|the (?:rest|others)(?: of the [a-z]+)?)"
_HEARD = re.compile(
    rf"(?<![a-z])(?P<group>{_GROUP}) (?:(?:is|are|can be|was|were|may be)(?P<denied>n't| not)?"
    rf"|(?P<cannot>can(?:no|')t) be)"
    r" (?:all |both |clearly |actually )*(?:audible|heard|in the (?:recording|audio|clip)|used|there|played|featured)"
    r"(?= ?[.,;\n]|\Z| in the)",
    re.IGNORECASE,
)
_HEARD_IN_CHINESE = re.compile(
    "(?<=全部选项)(?P<all>都|均|全都)(?:用到|出现|听到|能听到|可以听到|演奏|存在|在响|响起|在运转|在运行|在工作)了?(?=[。,;\n]|$)"
)
# "All four sounds", where there are five options, are those that were named.
_HEARD_NOUN = re.compile("(?:instruments|sounds|events|noises|emotions)$", re.IGNORECASE)
_HINTS_OF_GROUP = ("all options", "xcept", "he rest", "he others")
# "Statement 3 is the only correct one", "第三项是唯一正确的".
_ONLY_NUMBERED = re.compile(
    rf"(?<![a-z])(?:the )?(?:(?:statement|option|choice|claim|description) (?:number |no\. ?)?(?P<number>[1-8])"
    rf"|(?P<word>{_ORDINAL}) (?:statement|option|choice|claim|description))(?= is the only )"
    r"|第(?P<sign>[一二三四五六七八1-8])(?:个|项|条)(?:选项|陈述|说法|描述)?(?=是唯一)",
    re.IGNORECASE,
)
_ALL_UNCOUNTED = re.compile(
    r"(?<![a-z])(?:all(?: of)?(?: the| these)?|every(?: single)?|each(?: of the"
    r"| of these)?) (?:statements?|claims?|descriptions?|sentences)"
    r"(?= (?:are|is|hold|holds|seem|apply|applies|fit|fits|match|can|were|look|check|stand))|(?:所有"
    r"|全部)的?(?:说法|陈述|描述|表述|叙述)(?=都|均|全|是)",
    re.IGNORECASE,
)
# "All of the instruments in the list play", "every listed sound can be heard".
_LISTED_NOUN = (
    r"(?:instruments?|sounds?|events?|noises?|emotions?|statements?|voices?|sources?|items?|ones?|options?|things"
    r"|appliances?|devices?|machines?)"
)
_ALL_LISTED = re.compile(
    r"(?<![a-z])(?<!not )(?:all|every(?: single)?|each)(?: one)?(?: of)?(?: the| these)?"
    r"(?: (?P<count>two|three|four|five|six|seven|eight|[2-8]))?"
    rf" (?:(?:listed|given|named|offered) {_LISTED_NOUN}|{_LISTED_NOUN}"
    r" (?:(?:in|on|from|of) (?:the|this|your|that) (?:list|options|choices)|listed|given|named|offered))"
    r"(?P<out>,? (?:except|but|other than|apart from)(?: for)? [^.;\n]{1,40}?)?"
    r" (?:plays?|(?:is|are) (?:playing|running|working|heard|audible|present|used|there|supported)|takes? part"
    r"|(?:can|could) be heard|appears?|occurs?|sounds?(?= in|[.,;\n]|$)|joins? in)(?![a-z])",
    re.IGNORECASE,
)
_ALL_LISTED_IN_CHINESE = re.compile(
    r"(?:(?:列表|清单|题目|选项)(?:中|里|上)?(?:列出|给出)?的?(?:所有|全部|每一?[个种项])|列出)的?"
    r"(?:乐器|声音|事件|情绪|选项|内容|电器|设备)(?=都|均|全)"
)
_FIRST_ONES = re.compile(
    r"(?<![a-z])the (?P<end>first|last) (?P<count>two|three|four|five)(?: (?:options?|statements?"
    r"|choices?|claims?|ones?|answers?))?"
    r"(?= (?:are|is|hold|apply|fit|match|do|can|contradict|fail|stand|check)| and (?:the |[A-Z](?![a-z]))|[.,;\n]|$)"
    r"|,?(?P<zh_end>前|后)(?P<zh>[两二三四五])(?:个|项|条)(?:选项|说法|陈述|描述)?(?!音频|声音|片段|录音)",
    re.IGNORECASE,
)
# "A | B | D" is a list where several may be chosen.
_BARRED = re.compile(r"(?<=: )[A-Z](?: ?\| ?[A-Z]){1,9}(?=[.\n]|$)|(?<![A-Za-z|] )[A-Z](?: ?\| ?[A-Z]){2,9}(?=[.\n]|$)")
# "The answer is A/D/E": of three or more, a list; two could be alternatives.
_SLASHED = re.compile(
    r"(?:(?<=answer is )|(?<=answers are )|(?<=answer: )|(?<=answers: )|(?<=答案是)|(?<=答案为)|(?<=答案:)|(?<=答案是 )"
    r"|(?<=答案: ))[A-Z](?:/[A-Z]){2,9}(?= ?[.\n。]|$)",
    re.IGNORECASE,
)
_TOO = re.compile(r"(?<=[.;\n] )([A-Z]) (?:too|as well)(?=[,.;\n]|$)")
# "The answer is A. Also C."
_ALSO = re.compile(
    r"[.;] (?:[Aa]lso|[Aa]nd(?: also)?|[Pp]lus|[Aa]dditionally,?) (?=[(]?[A-Z][)]?(?: as well"
    r"| too)?[.]?(?:\n|$))"
)
# "Definitely B. C also holds."
_LETTERS = r"[A-Z](?:(?:, | and |, and )[A-Z])*"
_HOLDS = r"(?:holds?|appl(?:y|ies)|fits?|(?:is|are) (?:right|correct|true|there|heard))"
_HOLDS_TOO = re.compile(
    r"(?:^|(?<=\n))(?P<first>(?:(?:[Dd]efinitely|[Cc]ertainly|[Cc]learly|[Ss]urely|[Aa]nswers?:) )?"
    rf"{_LETTERS})[.;] (?P<second>{_LETTERS}) (?:also {_HOLDS}|{_HOLDS},? (?:too|as well|also))(?=[.,;\n]|$)"
)
# "A、B、E三项都成立": the number of those that are named adds nothing.
_COUNT_OF_NAMED = re.compile(
    "(?<=[A-Za-z\ue000-\uf8ff])[\"')]? ?这?[两二三四五六几](?:个|项|条|者|点|种)"
    "(?:选项|说法|陈述|描述|推断|推论|结论|推测)?"
    "|(?<=[A-Z])项?的?(?:推断|推论|结论|推测)(?=[与和跟都均全是不成符合正错有无没站可能])"
)


# "First statement: true. Second: false."
_COUNTED_OFF = re.compile(
    r"(?:^|(?<=[.;\n] ))(?:the )?(first|second|third|fourth|fifth|sixth)(?: (?:statement|option|choice|claim|one"
    r"|item))? ?[:-]",
    re.IGNORECASE | re.MULTILINE,
)
_PLACES_OF_WORDS = ("first", "second", "third", "fourth", "fifth", "sixth")


def spell_places(marked: str) -> str:
    """Write "the first and the third" and "options 1 and 3" as options, each with its own noun."""
    if "irst" in marked and len(_COUNTED_OFF.findall(marked)) > 1:
        marked = _COUNTED_OFF.sub(lambda match: f"{chr(65 + _PLACES_OF_WORDS.index(match[1].lower()))}:", marked)
    if " and " in marked or "," in marked or "和" in marked or "、" in marked:
        for pattern in (_PLACES, _NUMBERED, _CHINESE_PLACES):
            marked = pattern.sub(_spell_list, marked)
        if _CHINESE_NUMERALS.fullmatch(marked):
            marked = "、".join(f"选项{place} " for place in _CHINESE_PLACE.findall(marked))
    return _ONLY_NUMBERED.sub(_spell_only, marked) if " is the only " in marked or "是唯一" in marked else marked


def _spell_heard(match: re.Match[str]) -> str:
    is_denied = match["denied"] or match["cannot"]
    return f"{match['group']} {'are not' if is_denied else 'are'} present"


def _spell_only(match: re.Match[str]) -> str:
    """Write the letter of the option that a number names."""
    if match["sign"]:
        return chr(65 + "一二三四五六七八12345678".index(match["sign"]) % 8)
    place = match["number"] or match["word"].lower()
    if place in _PLACES_OF_WORDS:
        return chr(65 + _PLACES_OF_WORDS.index(place))
    return chr(64 + int(place[0])) if place[0].isdigit() else match.group()


def _spell_all(match: re.Match[str], size: int) -> str:
    """Write "all three statements" as "all options", where there are three."""
    count = match["count"] or match["zh"]
    n = int(count) if count.isdecimal() else _COUNTS[count.lower()]
    if n != size:
        return "they" if _HEARD_NOUN.search(match.group()) else match.group()
    return "all options" if match["count"] else "全部选项"


def _spell_listed(match: re.Match[str], size: int) -> str:
    """Write "all of the instruments in the list play" as a verdict on all options, unless it counts fewer."""
    count = (match["count"] or "").lower()
    n = size if not count else int(count) if count.isdecimal() else _COUNTS[count]
    return f"all options{match['out'] or ''} are correct" if n == size else match.group()


def name_all(marked: str, size: int) -> str:
    """Write every phrase that names all options in one way."""
    if (
        "all" in marked
        or "All" in marked
        or "ve" in marked
        or "ach" in marked
        or "都" in marked
        or "均" in marked
        or "全" in marked
    ):
        marked = _ALL_COUNTED.sub(lambda match: _spell_all(match, size), marked)
        marked = _ALL_UNCOUNTED.sub(lambda match: "all options" if match.group().isascii() else "全部选项", marked)
        if "list" in marked or "given" in marked or "offered" in marked or "named" in marked:
            marked = _ALL_LISTED.sub(lambda match: _spell_listed(match, size), marked)
        marked = _ALL_LISTED_IN_CHINESE.sub("全部选项", marked)
        marked = _HEARD_IN_CHINESE.sub(r"\g<all>有", marked)
    if any(map(marked.__contains__, _HINTS_OF_GROUP)):
        marked = _HEARD.sub(_spell_heard, marked)
    marked = _FIRST_ONES.sub(lambda match: _spell_ends(match, size), marked)
    if "|" in marked:
        marked = _BARRED.sub(lambda match: match.group().replace("|", ","), marked)
    marked = _TOO.sub(r"\1: yes", marked)
    marked = _ALSO.sub(" and ", marked)
    if " also " in marked or " too" in marked or " as well" in marked:
        marked = _HOLDS_TOO.sub(r"\g<first> and \g<second>", marked)
    if "/" in marked:
        marked = _SLASHED.sub(lambda match: match.group().replace("/", ","), marked)
    if not marked.isascii():
        marked = _COUNT_OF_NAMED.sub("", marked).replace("全部选项全部", "全部选项都")
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
    return " and ".join(_spell_place(place) for place in places)


def _spell_place(place: str) -> str:
    if place in _CARDINALS:
        return f"option {_CARDINALS.index(place) + 1}"
    return f"option {place[0]}" if place[0].isdigit() else f"the {place} option"


def name_those(marked: str) -> str:
    """Write "ABC全部正确" as a verdict on those that are named, not on all that there are."""
    return _ALL_OF_THEM.sub("都", marked)
