"""What others say of the answer: "My friend says it's B" chooses nothing, "…, and they are right" chooses B."""

import re

_LETTER = (
    r"(?-i:[A-J](?![A-Za-z]|[ -](?:flat|sharp|major|minor)(?![a-z])|'[a-z])"
    r"(?:(?<![AI])|(?! [a-z])|(?= (?:and|or|but|because|since|is|are)(?![a-z]))))"
)
_LETTERS = rf"(?:(?-i:[A-J]{{2,8}}(?![A-Za-z]))|{_LETTER})(?:(?:, ?(?:and |or )?| and | or |、|和|与|及){_LETTER})*"
_MARKS = r"[\"'*(“”‘’「」]{0,3}"
# Neither the author of the response nor a person in the recording, whose words may be the answer.
_OUTSIDER = (
    r"(?:(?:some|any|every)(?:body|one)(?: else)?|(?:(?:some|many|most|other|these|those|a few|lots of) )?people"
    r"|(?:some|many|most|other|several|a few) (?:listeners|users|annotators|experts|models)|some|many|others?|they"
    r"|the (?:others|majority)|(?:my|your|our|an?|the|one|another|this) (?:[a-z]+ )?"
    r"(?:friend|colleague|brother|sister|wife|husband|mother|father|teacher|neighbou?r|roommate|classmate|user|expert"
    r"|annotator|listener|student|assistant|model|prompt|reviewer)(?: of (?:mine|ours))?)"
)
_SPEAKER = (
    r"(?:an?|the|one|another|this|that) (?:[a-z]+ )?(?:speaker|voice|narrator|man|woman|person|presenter|announcer|host"
    r"|commentator|boy|girl|child|guy|lady|caller)(?: in the [a-z]+)?"
)
_SAY = (
    r"(?: (?:once|also|just|then|clearly|always|all|might|may|would|could|will|had|have|has))*"
    r" (?:says?|said|saying|claim(?:s|ed)?|thinks?|thought|believes?|believed|insist(?:s|ed)?|guess(?:es|ed)?"
    r"|suggest(?:s|ed)?|argue[sd]?|tells? (?:me|us)|told (?:me|us)|answer(?:s|ed)?|repl(?:y|ies|ied)"
    r"|chooses?|chose|picks?|picked|goes (?:for|with)|went (?:for|with))"
)
_IS = r"(?:'s| is| are| was| were| must be| should be| has to be)"
_CLAIMED = (
    rf"[:,]? ?(?:that )?(?:(?:it|that|this){_IS}|(?:the|my|their|its) (?:correct |right |best |true )?"
    rf"(?:answers?|options?|choices?){_IS}|to choose|choose|pick) "
)
_IDENTITY = (
    rf" (?:that )?(?:(?:it|that|this){_IS}|the (?:correct |right )?(?:answer|sound|animal){_IS}) [^.,;:!?\n]{{1,60}}"
)
_END = r"(?=[.,;:!?\n]|$| (?:and|but|because|since|so|while|though|although)(?![a-z]))"
_ENGLISH = re.compile(
    rf"(?<![A-Za-z])(?<!that )(?<!which )(?<!what )(?:(?:(?:{_OUTSIDER}|{_SPEAKER}){_SAY}"
    rf"(?P<claim>{_CLAIMED}|[:,]? ?(?:that )?){_MARKS}|(?:he|she){_SAY}(?P<own>{_CLAIMED}){_MARKS})"
    rf"(?P<letters>(?:options? )?{_LETTERS}){_MARKS}(?: (?:is|are) (?:right|correct|true|the answers?))?{_END}"
    rf"|(?:{_OUTSIDER}{_SAY}(?P<identity>{_IDENTITY})"
    rf"|(?:I(?: was| have been|'ve been) told|it is said)(?P<told> (?:that )?[^.,;:!?\n]{{1,60}})"
    rf"|according to {_OUTSIDER},?(?P<opinion> [^.,;:!?\n]{{1,60}})){_END})",
    re.IGNORECASE,
)
# "It's B, says my friend."
_INVERTED = re.compile(
    rf"(?<![A-Za-z])(?P<claim>(?:it|that|this){_IS} [^.,;:!?\n]{{1,60}}|(?:the answer is )?{_MARKS}{_LETTERS})"
    rf"{_MARKS},?{_MARKS} ?(?:(?:says?|said|thinks?|claims?|according to) {_OUTSIDER}"
    rf"|(?:they|people|some) (?:say|think)|{_OUTSIDER} (?:says|said|told me))(?=[.,;:!?\n]|$)",
    re.IGNORECASE,
)
_OUTSIDER_IN_CHINESE = (
    r"(?:有(?:的|些)?人|某人|别人|旁人|其他人|大家|人们|他们|她们|(?:[我你]的?)?(?:一个|一位)?"
    r"(?:朋友|同事|同学|室友|家人|老师|妈妈|爸爸|哥哥|姐姐|弟弟|妹妹|用户|专家))"
)
_SPEAKER_IN_CHINESE = (
    r"(?:他|她|(?:[这那一]个|[这那一]位|有个)?(?:说话人|说话者|旁白|解说员?|主持人|叙述者|男人|女人|男士|女士|男声|女声|男的"
    r"|女的|声音|播音员))"
)
_SAY_IN_CHINESE = (
    r"(?:还|都|也|却|刚才|总|曾|就|会|可能会?|或许会?|也许会?)*(?:说|认为|觉得|声称|猜|回答|告诉我|坚持"
    r"|断言|选择?)[道过了]?"
)
_MODAL_IN_CHINESE = r"(?:应该|就|可能|肯定|一定)*"
_CHINESE = re.compile(
    rf"(?:{_OUTSIDER_IN_CHINESE}|{_SPEAKER_IN_CHINESE}){_SAY_IN_CHINESE}"
    rf"(?P<claim>[:,:，]?(?:这|那|它|正确答案|答案)?{_MODAL_IN_CHINESE}[是选为]?){_MARKS}(?:选项)?"
    rf"(?P<letters>{_LETTERS}){_MARKS}(?=[。,;，；!！\n]|$|但|因为)"
    rf"|{_OUTSIDER_IN_CHINESE}{_SAY_IN_CHINESE}(?P<identity>(?:这|那|它|答案)?{_MODAL_IN_CHINESE}是[^。,;，；!！\n]{{1,20}})"
    r"(?=[。,;，；!！\n]|$)"
)
_AGREED = re.compile(
    r"(?:(?:(?<![a-z])and |[,;.] )(?:he|she|they|it|that|this|(?:my|the) [a-z]+)(?:'s|'re| is| are| was| were)"
    r"|(?<![a-z])which (?:is|was))(?: indeed| absolutely| quite| certainly| probably| exactly)? (?:right|correct|true)"
    r"(?![a-z])|(?<!n't )(?<!not )(?<![a-z])(?:agree(?: with (?:him|her|them|that|this|it))?(?= ?[.,;!\n]|$)"
    r"|(?:so|as) do i|(?:i think so|me) too|i concur|i second that|rightly|correctly)(?![a-z])"
    r"|(?<!不)(?:同意|赞同|认同)|[说讲猜]得?的?(?:没错|很?对|是对的|正确)|我也(?:这么|这样)(?:认为|觉得|想)|(?:他|她|他们|这)是对的",
    re.IGNORECASE,
)
# The beginnings of all verbs above, where the author is not the one who says so.
_MAY_REPORT = re.compile(
    r" (?:sa[iy](?<!I sa.)(?<!I would sa.)(?<!'d sa.)|think(?<!I think)|thought(?<!I thought)|claim|belie(?<!I belie)"
    r"|guess(?<!I guess)(?<!y guess)(?<!best guess)|sugges|argu|insis|told|tell"
    r"|answer(?:[se]|(?<=ld answer)|(?<=ay answer)|(?<=ht answer))"
    r"|cho[os](?<!I cho.)(?<!I would cho.)(?<!'d cho.)(?<!to cho.)|pick(?<!I pick)(?<!I would pick)|goes |went )"
)
_WHO_HINTS = (
    "body ", "eone ", "yone ", "eople", "thers", "ther ", "hey ", "ome ", "any ", "ost ", "ority ", "riend", "eague",
    "sband", "wife ", "eacher", "neighb", "mmate", "smate", "user", "xpert", "tator", "istener", "tudent", "sistant",
    "odel", "rompt", "viewer", " he ", "He ", "She ", " she ", "peaker", "voice", "rrator", "man", "erson", "senter",
    "ouncer", " host", "boy", "girl", "child", " guy", "lady", "caller", "told", "is said",
)  # fmt: skip
_HINTS_IN_CHINESE = ("说", "认为", "觉得", "猜", "回答", "告诉", "声称", "坚持", "断言", "选")
_WHO_HINTS_IN_CHINESE = (
    "人", "大家", "他", "她", "朋友", "同事", "同学", "室友", "老师", "妈", "爸", "哥", "姐", "弟", "妹", "用户",
    "专家", "者", "旁白", "解说", "男", "女", "声音", "员",
)  # fmt: skip


def drop_hearsay(text: str) -> str:
    """Return a text without what others say of the answer; where it agrees, their claim is written as its own.

    >>> drop_hearsay("Somebody says that's B."), drop_hearsay("They say it's B, and they are right.")
    ('xx.', "it's B, and they are right.")
    """
    may_report = _MAY_REPORT.search(text) is not None or "ccording to " in text
    if may_report and any(map(text.__contains__, _WHO_HINTS)):
        text = _INVERTED.sub(_write_claim, _ENGLISH.sub(_write_claim, text))
    if not text.isascii() and _may_report_in_chinese(text):
        text = _CHINESE.sub(_write_claim, text)
    return text


def _may_report_in_chinese(text: str) -> bool:
    return any(map(text.__contains__, _HINTS_IN_CHINESE)) and any(map(text.__contains__, _WHO_HINTS_IN_CHINESE))


def _write_claim(match: re.Match[str]) -> str:
    """Write what others say as a plain word, or as a claim if the text agrees with it later."""
    if _AGREED.search(match.string, match.start()) is None:
        return "xx"
    groups = match.groupdict()
    if groups.get("letters"):
        return f"{groups['claim'] or groups.get('own') or ''}{groups['letters']}".strip(" ,:")
    return (groups.get("identity") or groups.get("told") or groups.get("opinion") or groups["claim"]).strip()
