"""Options that a response only weighs: it supposes, asks, doubts, turns them round or leaves one of two open."""

import re

from evaluation.extraction.language.symbols import CAPITAL, LONE_CAPITAL

_REACH = 240
# "如果……那么A成立;可是我听不出……": what follows from a supposition that stays open.
_SUPPOSED = re.compile(
    r"(?:如果|假如|假设|倘若|要是|若)[^。\n]{1,60}?(?:那么|那|则|就|[,，])[^。\n]{1,40}?[;；。,，](?:但是?|可是?|不过"
    r"|然而|只是)[^。\n]{0,12}"
    r"(?:听不出|听不清|不知道|不确定|不清楚|没法确认|无法(?:判断|确认|确定|分辨)|不能(?:判断|确认|确定)|分不清|说不准"
    r"|看不出|判断不了)(?![^。\n]*(?:选|所以|因此|应该?是|答案|还是))[^。\n]*[。]?\Z"
    r"|(?<![a-z])(?:if|assuming|supposing|provided)(?![a-z])[^.\n]{1,120}[.;,] ?(?:but|yet|however|though"
    r"|only),? [^.\n]{0,30}"
    r"(?:can(?:no|'|\u2019)t|can not|could(?: not|n't)|unable to|don't|do not) (?:tell|say|hear|know|confirm|decide"
    r"|make out|be sure)"
    r"(?![^.\n]*(?<![a-z])(?:so|hence|thus|therefore|choose|pick|answer|go with)(?![a-z]))[^.\n]*[.]?\Z",
    re.IGNORECASE,
)
_TURNED_ROUND = re.compile(
    r"(?<![a-z])(?:sorry|no|wait|rather|correction|scratch that|oops)[^\w\n]{1,4}(?:(?:it's|it is|i mean|make that"
    r"|that's|actually|rather) )?"
    r"(?:exactly |just |quite )?(?:the other way (?:a?round)|the reverse|the opposite|vice versa|the other (?:one"
    r"|direction|order))(?![a-z])(?! of)"
    r"|(?:抱歉|对不起|不对?|等等|哦|噢)[,，。—-]*(?:应该|应当|是|刚好|正好|其实|我)*(?:反过来|反了|相反)"
    r"|(?:我|刚才|前面|上面)(?:刚才|好像|可能|给)?(?:说|搞|弄|写|讲)反了",
    re.IGNORECASE,
)
_AMONG = rf"{LONE_CAPITAL}(?:(?:, ?|、){LONE_CAPITAL}){{0,6}}"
# "One of A and B is right", "A、B中只有一个正确".
_ONE_OF_SEVERAL = re.compile(
    rf"{_AMONG}(?:、|和|与|或|跟){LONE_CAPITAL}(?:两?项)?(?:之间|之中|当中|中|里)?(?:只|必|肯定|至少|应该|还|会)*有"
    rf"(?:且只有)?一[个项](?:是)?(?:正确|对|成立|真|合理)"
    rf"|(?i:(?<![a-z])(?<!neither )(?<!not )(?<!any )(?<!each )(?<!every )(?<!even )(?:exactly |only |just )?"
    rf"(?:one|(?P<either>either)(?: one)?) of (?:options? |statements? )?){_AMONG},? (?:and"
    rf"|or) {LONE_CAPITAL} (?:is|must|has|holds|could|may|should)"
)
_ASKED_SETS = re.compile(
    rf"{LONE_CAPITAL}[^.。\n?？]{{0,8}}[?？] *(?:还是|或者?|抑或|[Oo]r)[^.。\n?？]{{0,12}}{LONE_CAPITAL} *[?？]"
)
_WEIGHED = re.compile(
    rf"{LONE_CAPITAL}(?:项|选项)? ?[:：]?(?:也|还|同样|倒|似乎|好像|则|都|均)*(?:有(?:一定的?|些|点|几分)道理|不无道理"
    rf"|说得通|讲得通|说得过去|存疑|待定|有待商榷|待考)"
    rf"|{LONE_CAPITAL} ?(?:[:-] ?|(?:is|are|seems?|sounds?|looks?|remains?) )(?:also |quite |fairly |somewhat |rather "
    rf"|equally |only )*"
    r"(?:plausible|doubtful|debatable|questionable|uncertain|unclear|arguable|conceivable|a possibility)(?= ?"
    r"(?:[.,;\n]|too|as well|and [A-Z](?![a-z])|\Z))"
    rf"|{LONE_CAPITAL} (?:also |too |somewhat )*(?:makes? some sense|has some merit|has a point|has something to it"
    rf"|could be argued)"
)
_DECIDED = re.compile(
    r"(?<![a-z])(?:but|so|however|yet|therefore|thus|hence|overall|ultimately|finally|best|more|most|correct|right"
    r"|answers?|choose|pick"
    r"|go with|select|conclusion|certain|definitely|implausible|impossible|it is(?= ?[.!]?\Z)|fits?|holds?)(?![a-z])"
    r"|但|不过|所以|因此|最|更|综合|倾向|答案|结论|正确|选(?!项)|故|[说讲]不通",
    re.IGNORECASE,
)
_ANSWERED = re.compile(r"(?<![a-z])(?:answers?|choose|pick|select|go with)(?![a-z])|答案|选(?!项)", re.IGNORECASE)
_ONLY_BEFORE = re.compile(r"(?:(?<![a-z])only|只有|唯有|仅有?)(?:选项| option)? ?\Z", re.IGNORECASE)

_ONE_OF = ("ne of ", "ither of ", "有一", "有且")
_WEIGHING = (
    "other", "everse", "pposite", "vice", "反", "ssum", "uppos", "rovided", "if ", "If ", "如果", "假", "倘若", "要是",
    "若", "one of", "One of", "ither of", "有一", "有且", "? ", "？", "?还", "?或", "道理", "得通", "得过去", "存疑",
    "待定", "待商榷", "待考",
    "lausible", "oubtful", "ebatable", "uestionable", "ncertain", "nclear", "rguable", "onceivable", "ossibility",
    "some sense", "merit", "a point", "something to it", "argued",
)  # fmt: skip
_ENGLISH_WEIGHING = tuple(filter(str.isascii, _WEIGHING))


def may_weigh(response: str) -> bool:
    """Whether a response has a word of those that only weigh options."""
    return any(map(response.__contains__, _ENGLISH_WEIGHING if response.isascii() else _WEIGHING))


def misses_one(response: str, chosen: set[str]) -> bool:
    """Whether one of several options is said to be right, and none of them is among the chosen letters.

    >>> misses_one("One of A and B is right. It is A. C is right too.", {"C"})
    True
    """
    match = _ONE_OF_SEVERAL.search(response) if any(map(response.__contains__, _ONE_OF)) else None
    return match is not None and not match["either"] and chosen.isdisjoint(CAPITAL.findall(match.group()))


def _leaves_one_open(response: str) -> bool:
    """Whether one of several options is said to be right, and none of them is named again."""
    match = _ONE_OF_SEVERAL.search(response)
    if match is None:
        return False
    later = CAPITAL.findall(response, match.end())
    # "I do not think either of A and B is right; C is."
    return not later if match["either"] else set(CAPITAL.findall(match.group())).isdisjoint(later)


def stays_weighed(response: str) -> bool:
    """Whether a response only weighs the options that it names: it supposes, asks, doubts or turns them round.

    >>> stays_weighed("A有一定道理,B也说得通,C没有证据。")
    True
    >>> stays_weighed("A有一定道理,但B更准确。")
    False
    """
    if _TURNED_ROUND.search(response) or _SUPPOSED.search(response[-_REACH:]):
        return True
    asked = _ASKED_SETS.search(response)
    if asked and not CAPITAL.search(response, asked.end()):
        return True
    if _leaves_one_open(response):
        return True
    match = _WEIGHED.search(response)
    return (
        match is not None
        and not _ONLY_BEFORE.search(response, 0, match.start())
        and not _DECIDED.search(response, match.end())
        and not _ANSWERED.search(response, 0, match.start())
    )
