"""Options that a response names without choosing them, and choices that it changes, written as plain claims.

"Options A-D were presented" and "you asked which of A, B and C …" choose nothing; "D has to go" and "let me revise"
change what was said before.
"""

import re
from string import ascii_lowercase

from evaluation.extraction.claims.denials import write_denials
from evaluation.extraction.claims.reported import name_judged_options
from evaluation.extraction.language.symbols import CHINESE_CHARACTER

_OPTION = "[A-Z\ue000-\uf8ff](?![A-Za-z])"
_LIST = rf"(?<![A-Za-z]){_OPTION}(?:(?:, ?(?:and |or )?| and | or | & |、|,|和|与|及|或|(?=[A-Z])){_OPTION}){{1,12}}"
_LETTERS = _LIST.replace("\ue000-\uf8ff", "")
_RANGE = r"(?<![A-Za-z])[A-Z] ?(?:-|~|to|through|至|到) ?[A-Z](?![A-Za-z])"
_SEVERAL = rf"(?:{_RANGE}|{_LIST}|(?<![A-Za-z])[A-Z]{{2,8}}(?![A-Za-z]))"
_START = r"(?:^|(?<=[.!?。;\n])|(?<=[.!?。;] )|(?<=\n ))"
# "Options A-D were presented to me", "选项A到F分别描述了六种情况".
_PRESENTED = re.compile(
    rf"{_START}(?:The )?(?:[Oo]ptions|[Ss]tatements|[Cc]hoices|[Aa]nswers) {_SEVERAL} (?:were|are|have been"
    rf"|had been) (?:all )?"
    r"(?:presented|given|provided|listed|shown|offered|displayed|supplied|read out|described)(?![a-z])"
    r"(?! (?:as|by|correct|support|accurat|incorrect|inaccurat|wrong|false|true|to be))"
    r"(?:[^.,\n;]|,(?! ?(?:so|but|hence|and|yet|while|[A-Z](?![A-Za-z]))(?![a-z])))*(?:[.,;\n]|\Z)"
    rf"|{_START}(?:这些|题目的|以上)?(?:选项|陈述|说法){_SEVERAL}(?:这?[两二三四五六七八]个选项)?(?:分别|各自|依次)"
    rf"(?:描述|讲|说|列出|给出|对应|介绍|涉及|提到|描写|叙述|概括)"
    r"(?:[^。,\n;]|,(?!我?(?:选|答案|其中|只有|因此|所以|但|而)))*(?:[。,;\n]|\Z)"
    rf"|{_START}(?:题目|问题|题干)(?:一共|共)?(?:给出|提供|列出|列|给)了?{_SEVERAL}[^。\n;,]*(?:[。;,\n]|\Z)"
)
# "You asked which of A, B, C and D can be inferred."
_ASKED = re.compile(
    rf"{_START}(?:You|The (?:question|task|prompt)|I (?:was|am|have been)) (?:asked|asks?|wants? to know|is)(?: me)?"
    rf"(?: about)?"
    rf" which (?:of )?(?:the )?(?:options |statements )?{_SEVERAL}[^.?:\n;]*(?:[.?:;\n]|\Z)"
    rf"|{_START}(?:你|您|题目|问题|题干)(?:问|要求|想知道|要)(?:的是|我)?(?:判断|选出|从)?(?:选项)?{_SEVERAL}(?:之中"
    rf"|当中|中|里)?"
    r"[^。?\n;,]*哪[^。?\n;,]*(?:[。?;,\n]|\Z)"
)
# "The question asks about the lead instrument, though, and that is the piano."
_ASKED_FOR = re.compile(
    r"(?:(?:but|however),? )?(?:(?:the|this) question|it|we|you|i)(?:'s|'re|'m)? (?:is |are |am |was |were )?"
    r"(?:only |actually )?(?-i:asks?|asked|asking)(?![a-z])(?: (?:me|us))?(?: only)? ?"
    r"(?:about|for|which|to name|to know)?"
    r" [^.?!;\n\ue000-\uf8ff]{1,60}?(?:, (?:though|however))?[,;.:] ?(?:(?:and|so) )?(?:that|this|it|which|the answer)"
    rf"(?:'s| is| was| must be| would be)(?: clearly| definitely| obviously)? (?:an? |the )?(?={_OPTION})(?!A [a-z])",
    re.IGNORECASE,
)
_ASKED_FOR_IN_CHINESE = re.compile(
    rf"(?:但|不过|然而)?(?:(?:这道?)?(?:题目?|问题|题干)(?:问的?|要求的?)(?:是)?|(?:要)?问的是)[^。？;\n\ue000-\uf8ff]{{1,20}}[,。;](?:所以)?(?:那|这|也就|它)*(?:就)?是(?={_OPTION})"
)
# "As for D, it could be applause, so I leave it out."
_LEFT_OUT = re.compile(
    rf"(?:[Aa]s for )?(?:the )?((?<![A-Za-z]){_OPTION})"
    rf"(?:(?!(?<![A-Za-z])[A-HJ-Z\ue000-\uf8ff](?![A-Za-z]))[^.;\n]){{0,120}}?"
    r"(?:, (?:and )?|; | and )?(?:so|hence|therefore|which is why),? (?:I|we)(?:'d|'ll|'m| am| would| will)?"
    r" (?:leave|leaving|rule|ruling|cross|crossing|strike|keep|keeping|throw|take|drop|reject|exclude"
    r"|discard) (?:it|this one|that one)(?: out)?(?= ?[.,;!\n]|\Z)"
)
# "I was about to answer A because of the laughter, but …".
_NEARLY_CHOSEN = re.compile(
    rf"(?<![A-Za-z])I (?:(?:was|am|had been|have been) (?:almost |just |nearly |very |already |first )?(?:about"
    rf"|going|tempted|inclined|ready|close|set)"
    r" to (?:answer|say|choose|pick|select|tick|mark|go (?:for|with))"
    r"|(?:almost|nearly) (?:answered|said|chose|picked|selected|ticked|marked|went (?:for|with)))(?: with)?"
    rf" (?:options? )?(?:{_SEVERAL}|(?<![A-Za-z]){_OPTION})(?![^.;\n]*(?<![a-z])(?:still|and I (?:do"
    rf"|will))(?![a-z]))[^.,;\n]*(?:[.,;\n] ?|\Z)"
)
# "我准备选B；但最后选择A": what was nearly chosen before another choice.
_NEARLY_CHOSEN_IN_CHINESE = re.compile(
    rf"我?(?:本来|原本|一开始|起初|都|正|已经?)*(?:准备|打算|差点儿?就?|几乎)要?选(?:择|了)?(?:选项)?{_OPTION}"
    rf"(?:[、,和与及]{_OPTION}){{0,8}}(?:项|了|的)*[,;。](?=[^\n]{{0,200}}(?:最后|最终|还是|改|但|不过|结果)[^\n]{{0,60}}(?:选[^项择]|选择|答案))"
)
# "A、B两人之间的对话", "a conversation between A and B": names of speakers.
_PEOPLE = re.compile(
    rf"(?:{_LETTERS}|(?<![A-Za-z])[A-Z]{{2}}(?![A-Za-z]))(?=(?:这)?(?:[两二三四]个?人|双方|[两二三四]位|[俩仨]))"
    r"|(?<![A-Za-z])(?:conversation|dialogue|exchange|argument|quarrel|discussion) between [A-Z] and [A-Z](?![A-Za-z])"
    rf"|(?<![A-Za-z])(?:[Ss]peakers?|[Pp]ersons?|[Vv]oices?) {_LETTERS}|(?:说话人|说话者|人物|甲乙|角色)(?:{_LETTERS}"
    rf"|(?<![A-Za-z])[A-Z](?![A-Za-z]))"
)
_NOTES = re.compile(
    r"(?<![A-Za-z])(?:close to|near|around|roughly|almost|tuned to|pitched at|sings?|hums?|plays) an? [A-G]"
    r"(?:[#b]| sharp| flat| major| minor)?(?= ?[,.;]| and )|(?<![A-Za-z])[A-D](?=-(?:weighted|weighting|flat|sharp"
    r"|side|list)(?![a-z]))"
)
_DENIED_PLACE = re.compile(
    r"(?<![a-z])nothing (?:is |was |can be |to be )?(?:heard |audible |there |happens |sounds )?"
    r"(?:in |during |from |at |on )?(?=[\ue000-\uf8ff])",
    re.IGNORECASE,
)
_REVERSE = re.compile(
    r"(?<![a-z])(?:(?:it's|it is|this is|that is) )?(?:the |in )?(?:exact |complete |very |direct )?(?:reverse"
    r"|opposite|inverse|contrary)(?: order)? (?:of|to) (?=[\ue000-\uf8ff])",
    re.IGNORECASE,
)
_REVERSE_IN_CHINESE = re.compile(
    "(?:与|跟|和)?([\ue000-\uf8ff])(?:的顺序)?(?:正好|恰好|刚好|完全)?(?:相反|反过来|的反面|的倒序)"
)
# "D has to go", "B and C can go", "D得去掉".
_DROPPED = re.compile(
    rf"((?:{_OPTION}(?:, |,? and ))*{_OPTION})"
    r"(?: (?:has|have|needs?|had|ought|must)(?: to)?|(?<=(?<![A-Za-z])[A-J]) (?:can|may|should))"
    r" (?:go|be (?:dropped|removed|struck|withdrawn|deleted"
    rf"|taken (?:out|off|back)|crossed out))(?= ?[.,;!\n]|\Z)"
    rf"|(?:把|将)?({_OPTION})(?:项|选项)?(?:得|要|应该?|需要?|必须|应当)?(?:去掉|划掉|删掉|删去|剔除|拿掉|撤掉|舍去"
    rf"|删除)了?(?=[。,;!\n]|\Z)"
)
# "A, C. Actually B as well."
_ADDED = re.compile(
    rf"((?<![A-Za-z]){_OPTION})[.;,!] (?:(?:Actually|Oh|Also|And|Plus|Hmm|In fact|On reflection|On second thought"
    rf"|Wait)(?:,|\.\.\.)? )+(?:and |also |plus |add )?(?:option )?({_OPTION})"
    r" (?:as well|too|also|belongs? (?:there|too)|holds? too)(?= ?[.!\n]|\Z)"
    rf"|((?<![A-Za-z]){_OPTION})[。;,!](?:其实|哦|对了|等等|等一下|另外|再加上|应该还有|还要加上|想起来了)+,?"
    rf"(?:还有)?(?:选项)?({_OPTION})(?:项|选项)?(?:也(?:是|对|选|算|要选|成立|可以|应该选|正确)?)?(?=[。!\n]|\Z)"
)
_CHANGED = re.compile(
    r"(?<![A-Za-z])(?:[Ll]et me|I(?:'ll| will| must| have to| need to| should)|[Aa]llow me to) (?:revise|correct"
    r"|change|amend|fix|rethink|redo)"
    r"(?: (?:that|it|this|myself|my (?:answer|choice|pick)))?(?: to)?(?: ?[:,-]? ?)(?=(?:option )?[A-Z\ue000-\uf8ff]"
    r"(?![A-Za-z]))"
)
_CHANGED_IN_CHINESE = re.compile(
    r"(?:让我|容我|我要?|我得|允许我)?(?:修正|更正|改正|修改|改|纠正)一下(?:答案)?[:,](?:应该?是|是|选)?"
)
_ITEM = r"(?:^|(?<=[;。\n])|(?<=; ))"
_CURT_ITEMS = re.compile(
    rf"{_ITEM}(?:选项)?(?P<letter>[A-Z])(?:项|选项)?[,:][^;。\n]{{1,80}},(?:所以|因此|故|应|应该|可以|可|予以|应当)*"
    rf"(?P<verdict>排除|剔除|淘汰|舍去|划掉|不选|保留|入选|留下|选|当选)(?=[;。\n]|\Z)"
)
_KEPT = frozenset({"保留", "入选", "留下", "选", "当选", "kept", "stays", "stays in", "in"})
_CURT_ENGLISH = re.compile(
    rf"{_ITEM}(?:[Oo]ption )?(?P<letter>[A-Z])[,:] [^;\n]{{1,120}}, (?:so |hence )?(?:it is |it's |is )?"
    rf"(?P<verdict>ruled out|out|rejected|dropped|kept|stays|stays in|in)(?=[;.\n]|\Z)"
)
_PRESENT = re.compile(
    rf"((?<![A-Za-z]){_OPTION})(?:项|选项)? ?(?::|-{{1,2}}|[–—]{{1,2}}|->|=) ?"
    rf"(有|没有|无|present|absent|not present|heard|not heard|there"
    rf"|not there)(?=[。.,;\n]|\Z)",
    re.IGNORECASE,
)
_PRESENT_VALUES = frozenset({"有", "present", "heard", "there"})
_QUOTED = re.compile(r"有\"[^\"\n]*\"(?:等[^,;。\n]{0,6})?(?:为证|作证|可证|佐证|为据|作为依据|作为证据)")
_OPENLY = "(?:explicitly|clearly|directly|openly|plainly|expressly)"
_STATED = re.compile(
    rf"(?<=[A-Z]) (?P<be>is|are) (?:also |both |all |likewise |too )?(?:{_OPENLY} (?:also )?"
    rf"(?:stated|said|confirmed|mentioned|expressed)|stated(?: {_OPENLY})?"
    r"|(?:(?:strongly|clearly|indirectly|implicitly) )?(?:implied|hinted at)(?: by [^.;,()\n]{1,40})?)"
    r"(?: too| as well| also)?(?: \([^()\n]*\))?(?= ?[.;,\n]| and [A-Z](?![A-Za-z])|\Z)"
)

_ACCEPTED = re.compile(
    r"我?(?:只|仅|唯)(?:认可|认同|接受|赞成|同意|承认|支持)(?:选项)?(?=[A-Z\ue000-\uf8ff](?![A-Za-z]))"
    r"|(?<![A-Za-z])I (?:(?:only|just) )?(?:accept|endorse|stand by|back|subscribe to)(?: only)?(?= "
    r"(?:options? )?[A-Z\ue000-\uf8ff](?![A-Za-z]))"
)

# "The second one answers softly": a speaker, not an option that is the answer.
_REPLYING = re.compile(
    r"(?<![a-z])(?P<who>(?:the )?(?:first|second|third|last|other|next) (?:one|speaker|voice|person|man|woman)|he|she)"
    r" answers(?= (?:[a-z]+ly|in an? (?:[a-z]+ ){1,4}(?:voice|tone|manner|way))(?![a-z]))",
    re.IGNORECASE,
)
_REVISION = "Wait, no. The answer is "


def _judge(match: re.Match[str], is_good: bool) -> str:
    if match["verdict"].isascii():
        return f"{match['letter']}: {'correct' if is_good else 'incorrect'}"
    return f"{match['letter']}: {'正确' if is_good else '错误'}"


def _judge_curt(match: re.Match[str]) -> str:
    return _judge(match, match["verdict"] in _KEPT)


def _judge_presence(match: re.Match[str]) -> str:
    is_present = match[2].lower() in _PRESENT_VALUES
    if match[2].isascii():
        return f"{match[1]}: {'correct' if is_present else 'incorrect'}"
    return f"{match[1]}: {'正确' if is_present else '错误'}"


def _drop(match: re.Match[str]) -> str:
    return f"{match[1]} {'are' if ' ' in match[1] else 'is'} wrong" if match[1] else f"{match[2]}错误"


def _add(match: re.Match[str]) -> str:
    return f"{match[1]}, {match[2]}" if match[1] else f"{match[3]}、{match[4]}"


# What a text must have for each pattern to be looked for, the pattern, and what is written for it.
_ENGLISH = (
    (("ptions ", "tatements ", "hoices ", "nswers "), _PRESENTED, ""),
    ((" which ",), _ASKED, ""),
    (("ask",), _ASKED_FOR, "The answer is "),
    ((" it out", " one out", "drop it", "reject it", "exclude it", "discard it"), _LEFT_OUT, r"\1 is wrong"),
    (("I was ", "I am ", "I had ", "I have ", "I almost ", "I nearly "), _NEARLY_CHOSEN, ""),
    (("etween ", "peaker", "erson", "oice"), _PEOPLE, "they"),
    ((" a ", " an ", "-"), _NOTES, "note"),
    (("othing ",), _DENIED_PLACE, "not "),
    (("everse", "pposite", "nverse", "ontrary"), _REVERSE, "not "),
    ((" go", " be "), _DROPPED, _drop),
    ((" as well", " too", " also", " belongs"), _ADDED, _add),
    (("et me", "llow me", "I'll ", "I will ", "I must ", "I have ", "I need ", "I should "), _CHANGED, _REVISION),
    ((" is ", " are "), _STATED, r" \g<be> supported"),
    (("I ",), _ACCEPTED, "I choose"),
    ((" answers",), _REPLYING, r"\g<who> replies"),
)
_CHINESE = (
    (("选项", "陈述", "说法", "题", "Options", "options"), _PRESENTED, ""),
    (("哪", " which "), _ASKED, ""),
    (("题", "问的是"), _ASKED_FOR_IN_CHINESE, "答案是"),
    (("人", "双方", "位", "俩", "仨", "角色", "说话者", "甲乙"), _PEOPLE, ""),
    (("准备", "打算", "差点", "几乎"), _NEARLY_CHOSEN_IN_CHINESE, "。"),
    (("相反", "反过来", "反面", "倒序"), _REVERSE_IN_CHINESE, r"不是\1"),
    (("掉", "删", "剔", "撤", "舍"), _DROPPED, _drop),
    (("其实", "哦", "对了", "等", "另外", "再加", "还", "想起"), _ADDED, _add),
    (("一下",), _CHANGED_IN_CHINESE, "不对,答案是"),
    (('有"',), _QUOTED, "成立"),
    ((" is ", " are "), _STATED, r" \g<be> supported"),
    (("只", "仅", "唯"), _ACCEPTED, "我选"),
)
_CURT_WORDS = ("排除", "剔除", "淘汰", "舍去", "划掉", "选", "保留", "留下")
_CURT_WORDS_ENGLISH = (" out", " reject", " dropped", " kept", " stays", " in;", " in.", " in\n")
_MIN_ITEMS, _SHORTEST = 2, 12
# Whatever is rewritten in an English text has one of these runs of small letters: a word, or what follows its capital.
# They come from reports that are judged, from denials and, line by line, from the patterns in `_ENGLISH`.
_CLAIMING = frozenset(
    b"says states claims asserts describes mentions argues reads talks speaks about refers concerns"
    b" think believe say feel doubt true case neither either"
    b" presented given provided listed shown offered displayed supplied read described"
    b" which ask asks asked asking"
    b" out drop reject exclude discard about going tempted inclined ready close set almost nearly"
    b" between speaker speakers peaker peakers person persons erson ersons voice voices oice oices"
    b" close near around roughly almost tuned pitched sing sings hum hums plays"
    b" weighted weighting flat sharp side list"
    b" go dropped removed struck withdrawn deleted taken crossed"
    b" well too also belong belongs hold holds"
    b" me ll will must have need should"
    b" stated said confirmed mentioned expressed implied hinted"
    b" accept endorse stand back subscribe"
    b" answers".split()
)
# Two patterns ignore case, so that capitals may hide their words; but they stand before the text of an option.
_HINTS_BEFORE_TEXT = tuple(
    hint for hints, pattern, _ in _ENGLISH if pattern in {_DENIED_PLACE, _REVERSE} for hint in hints
)
_TO_RUNS = bytes(code if chr(code) in ascii_lowercase else ord(" ") for code in range(256))


def may_claim(marked: str) -> bool:
    """Whether an English text may have something that is rewritten, by its single words.

    >>> may_claim("The answer is B."), may_claim("A has to go.")
    (False, True)
    """
    if not _CLAIMING.isdisjoint(marked.encode("ascii", "replace").translate(_TO_RUNS).split()):
        return True
    return not marked.isascii() and any(map(marked.__contains__, _HINTS_BEFORE_TEXT))


def write_claims(marked: str) -> str:
    """Leave out options that are named without being chosen, and write changes of mind and curt reviews plainly.

    >>> write_claims("You asked which of A, B and C can be inferred. Mine: B")
    ' Mine: B'
    >>> write_claims("A, C. Actually B as well.")
    'A, C, B.'
    """
    if len(marked) < _SHORTEST and marked.isascii():
        return marked
    is_english = marked.isascii() or not CHINESE_CHARACTER.search(marked)
    if not is_english or may_claim(marked):
        marked = write_denials(name_judged_options(marked))
        for hints, pattern, written in _ENGLISH if is_english else _CHINESE:
            if any(map(marked.__contains__, hints)):
                marked = pattern.sub(written, marked)
    if marked.count(":") + marked.count("-") >= _MIN_ITEMS and len(_PRESENT.findall(marked)) >= _MIN_ITEMS:
        marked = _PRESENT.sub(_judge_presence, marked)
    for items, verdicts in ((_CURT_ITEMS, _CURT_WORDS), (_CURT_ENGLISH, _CURT_WORDS_ENGLISH)):
        if not any(map(marked.__contains__, verdicts)):
            continue
        if len(items.findall(marked)) >= _MIN_ITEMS:
            marked = items.sub(_judge_curt, marked)
    return marked
