"""What others say of the answer: "My friend says it's B" chooses nothing, "…, and they are right" chooses B."""

import re

_LETTER = (
    r"(?-i:[A-J](?![A-Za-z]|[ -](?:flat|sharp|major|minor)(?![a-z])|'[a-z])"
    r"(?:(?<![AI])|(?! [a-z])|(?= (?:and|or|but|because|since|is|are)(?![a-z]))))"
)
_LETTERS = rf"(?:(?-i:[A-J]{{2,8}}(?![A-Za-z]))|{_LETTER})(?:(?:, ?(?:and |or )?| and | or |、|和|与|及){_LETTER})*"
_MARKS = r"[\"'*()“”‘’「」]{0,3}"
_NUMBER = r"(?:two|three|four|five|six|seven|eight|nine|ten|[1-9][0-9]*)"
_QUANTITY = (
    rf"(?:(?:both|all|most|many|some|several|half|neither|none|(?:a )?few|a couple|one|lots|a lot|plenty|the majority"
    rf"|the rest|a number|other|others|these|those|{_NUMBER}|[1-9][0-9]?[ %]*)(?: out)?(?: of)?(?: {_NUMBER})?)"
)
_WHOSE = r"(?:my|your|our)"
# Who is asked such questions, and who may as well be heard in a recording.
_ASKED = (
    r"(?:listener|annotator|model|reviewer|rater|label(?:l)?er|participant|witness|AI|LLM|chatbot"
    r"|(?-i:ChatGPT|GPT|Claude|Gemini|Qwen|Llama|DeepSeek)[\w.-]{0,24})"
)
_KNOWN = (
    r"(?:friend|colleague|brother|sister|wife|husband|mother|m[ou]m|father|dad|parent|teacher|neighbou?r|roommate"
    r"|classmate|user|expert|student|assistant|prompt|judge)"
)
# Who is the author's friend, and not that of a person in a recording.
_CLOSE = r"(?:friend|colleague|co-?worker|roommate|classmate|flatmate)"
_OF_MANY = rf"(?:(?:{_QUANTITY} )?(?:the |these |those |{_WHOSE} )?(?:other |same )?(?:{_NUMBER} )?(?:[a-z]+ )?)"
_ONE = rf"(?:an?|the|one|another|this|{_WHOSE}) (?:[a-z]+ )?"
# Neither the author of the response nor a person in the recording, whose words may be the answer. What "both" and
# "all of them" suggest or tell may be what the sounds do.
_OUTSIDER = (
    r"(?:(?:some|any|every|no)(?:body| ?one)(?: else)?"
    rf"|(?:(?:{_QUANTITY}|some other|most other) )?people|{_OF_MANY}(?:{_ASKED}|{_KNOWN})(?:e?s)(?: of (?:mine|ours))?"
    rf"|{_ONE}(?:{_ASKED}|{_KNOWN})(?: of (?:mine|ours))?(?: and (?:{_ONE})?(?:{_ASKED}|{_KNOWN}))?"
    rf"|they|(?:she and he|he and she)|the (?:other {_NUMBER}|others|majority)"
    rf"|some|many|others?|(?:(?-i:[A-Z][\w.-]{{1,24}} and [A-Z][a-z][\w.-]{{1,24}})|{_QUANTITY} of them"
    rf"|(?<![a-z] )(?:both|all|most|several|half|neither|none|few|{_NUMBER})"
    r"|(?<= and )both)(?! (?:both |all |also |clearly |strongly )*(?:suggest|argu|tell)))"
)
_SPEAKER = (
    r"(?:an?|the|one|another|this|that|both|all|two|three)(?: of)?(?: the)?(?: two| three)? (?:[a-z]+ )?"
    r"(?:(?:speaker|voice|narrator|person|presenter|announcer|host|commentator|boy|girl|guy|caller)s?"
    r"|(?:wo)?m[ae]n|child(?:ren)?|lady|ladies)(?: in the [a-z]+)?"
)
_HOW = r"(?: (?:once|also|just|then|clearly|always|all|both|might|may|would|could|will|had|have|has|unanimously))*"
_SAY = (
    rf"(?:{_HOW}"
    r" (?:says?|said|saying|claim(?:s|ed)?|thinks?|thought|believes?|believed|insist(?:s|ed)?|guess(?:es|ed)?"
    r"|suggest(?:s|ed)?|argue[sd]?|tells? (?:me|us)|told (?:me|us)|answer(?:s|ed)?|repl(?:y|ies|ied)"
    r"|chooses?|chose|picks?|picked|goes (?:for|with)|went (?:for|with)|agree[sd]?(?: on)?|voted? for)"
    r"|(?:'s|'re| is| are| was| were)(?: (?:both|all|also|quite|very|absolutely|pretty))*"
    r" (?:sure|certain|convinced|confident|of the opinion))"
)
_IS = r"(?:'s| is| are| was| were| must be| should be| has to be)"
_CLAIMED = (
    rf"[:,]? ?(?:that )?(?:(?:it|that|this){_IS}|(?:the|my|their|its) (?:correct |right |best |true )?"
    rf"(?:answers?|options?|choices?){_IS}|to choose|choose|pick) "
)
_IDENTITY = (
    rf"[:,]? [\"'“]?(?:that )?(?:(?:it|that|this){_IS}|the (?:correct |right )?(?:answer|sound|animal){_IS})"
    r" [^.,;:!?\n]{1,60}"
)
# "My friend says wolf." Others may say so in a recording.
_BARE = r"[:,]? [\"'“]?(?:an? |the )?(?:[a-z]+|[\ue000-\uf8ff])(?: [a-z]+)?"
_END = r"(?=[.,;:!?\n]|$| (?:and|but|because|since|so|while|though|although)(?![a-z]))"
_ENGLISH = re.compile(
    rf"(?<![A-Za-z])(?<!that )(?<!which )(?<!what )(?:(?:(?:{_OUTSIDER}|{_SPEAKER}){_SAY}"
    rf"(?P<claim>{_CLAIMED}|[:,]? ?(?:that )?){_MARKS}|(?:he|she){_SAY}(?P<own>{_CLAIMED}){_MARKS})"
    rf"(?P<letters>(?:options? )?{_LETTERS}){_MARKS}(?: (?:is|are) (?:right|correct|true|the answers?))?"
    rf"(?: (?:on|for|from|given|due to|here|in) [^.,;:!?\n]{{1,40}})?{_END}"
    rf"|(?:{_OUTSIDER}{_SAY}(?P<identity>{_IDENTITY})"
    rf"|you(?: (?:both|all))? (?:say|said|think|told me)(?P<yours>{_IDENTITY})"
    rf"|(?:{_OF_MANY}{_ASKED}(?:e?s)|{_ONE}{_ASKED}|{_WHOSE} (?:[a-z]+ )?{_KNOWN}s?"
    rf"|(?:an?|one|another|some|{_NUMBER}) (?:[a-z]+ )?{_CLOSE}s?(?: of (?:mine|ours))?"
    rf"|(?<![a-z] ){_CLOSE}s){_SAY}(?P<bare>{_BARE})"
    rf"|(?:I(?: was| have been|'ve been) told|it is said)(?P<passive> (?:that )?[^.,;:!?\n]{{1,60}})"
    rf"|according to (?:{_OUTSIDER}|them|him|her|both),?(?P<opinion> [^.,;:!?\n]{{1,60}})){_END})",
    re.IGNORECASE,
)
# "It's B, says my friend."
_INVERTED = re.compile(
    rf"(?<![A-Za-z])(?P<claim>(?:it|that|this){_IS} [^.,;:!?\n]{{1,60}}|(?:the answer is )?{_MARKS}{_LETTERS}"
    r"|(?:^|(?<=[.!?\n] ))(?:an? |the )?(?:[a-z]+|[\ue000-\uf8ff])(?: [a-z]+)?)"
    rf"{_MARKS},?{_MARKS} ?(?:(?:says?|said|thinks?|claims?|according to) (?:{_OUTSIDER}|them|him|her|both)"
    rf"|(?:they|people|some)(?: both| all)? (?:say|think)|{_OUTSIDER}(?: both| all)? (?:says?|said|told me))"
    r"(?=[.,;:!?\n]|$)",
    re.IGNORECASE,
)
_COUNT_IN_CHINESE = r"(?:[一两俩二三四五六七八九十几]|好几|不少|很多|许多|大?多数|大部分|部分|少数|一些|一半)"
_ASKED_IN_CHINESE = r"(?:模型|AI|助手|听众|听者|标注员|标注者|评委|评审|参与者|证人|目击者|网友)"
_KNOWN_IN_CHINESE = r"(?:朋友|同事|同学|室友|家人|父母|爸妈|老师|妈妈|爸爸|哥哥|姐姐|弟弟|妹妹|用户|专家)"
_OF_MANY_IN_CHINESE = rf"(?:[我你]的?|其[他它]|另外?|别的|所有|全部|每|这|那)?(?:{_COUNT_IN_CHINESE}?[个位名款]?|些)的?"
_OUTSIDER_IN_CHINESE = (
    rf"(?:据?(?:(?:没有?|有(?:的|些)?|某|别|旁|其[他它]|所有|每个|人|(?:有|其[他它]|另外?)?{_COUNT_IN_CHINESE}[个位名]?的?|[他她]们?[两俩]个?)人"
    rf"|大家|人们|[他她]们[俩两]?个?|[他她][俩两]|双方|两者|{_OF_MANY_IN_CHINESE}(?:{_ASKED_IN_CHINESE}|{_KNOWN_IN_CHINESE})们?"
    r"|你们?(?=都?说|都?认为)))"
)
_CLOSE_IN_CHINESE = (
    r"(?:(?:^|(?<=[。,;，；!！\n]))(?:有|另)?(?:[一两几]?[个位名]|些)?(?:朋友|同事|同学|室友|网友|同伴)"
    r"(?:们|[A-Z甲乙])?)"
)
_SPEAKER_IN_CHINESE = (
    r"(?:他|她|(?:[这那一]个|[这那一]位|有个)?(?:说话人|说话者|旁白|解说员?|主持人|叙述者|男人|女人|男士|女士|男声|女声|男的"
    r"|女的|声音|播音员))"
)
_SAY_IN_CHINESE = (
    r"(?:还|都|也|却|刚才|总|曾|就|会|一致|普遍|同时|均|全|可能会?|或许会?|也许会?)*(?:说|认为|觉得|声称|猜|回答|告诉我"
    r"|坚持|断言|同意|选择?)[道过了]?"
)
_MODAL_IN_CHINESE = r"(?:应该|就|可能|肯定|一定)*"
_CHINESE = re.compile(
    rf"(?:{_OUTSIDER_IN_CHINESE}|{_SPEAKER_IN_CHINESE}|{_CLOSE_IN_CHINESE}){_SAY_IN_CHINESE}"
    rf"(?P<claim>[:,:，]?(?:这|那|它|正确答案|答案)?{_MODAL_IN_CHINESE}[是选为]?){_MARKS}(?:选项)?"
    rf"(?P<letters>{_LETTERS}){_MARKS}(?=[。,;，；!！\n]|$|但|因为)"
    rf"|(?:{_OUTSIDER_IN_CHINESE}{_SAY_IN_CHINESE}|[听据]说)[:,，：]?"
    rf"(?P<identity>(?:这|那|它|(?:正确)?答案)?{_MODAL_IN_CHINESE}是[^。,;，；!！\n]{{1,20}})(?=[。,;，；!！\n]|$)"
    rf"|(?:(?:{_OF_MANY_IN_CHINESE}{_ASKED_IN_CHINESE}|[我你]的?{_COUNT_IN_CHINESE}?[个位名]?{_KNOWN_IN_CHINESE})们?"
    rf"|{_CLOSE_IN_CHINESE}){_SAY_IN_CHINESE}[:,，：]?(?P<bare>[^。,;，；!！\n是]{{1,6}})(?=[。,;，；!！\n]|$)"
)
_AGREED = re.compile(
    r"(?:(?:(?<![a-z])and |[,;.] )(?:he|she|they|it|that|this|(?:my|the) [a-z]+)(?:'s|'re| is| are| was| were)"
    r"|(?<![a-z])which (?:is|was))(?: indeed| absolutely| quite| certainly| probably| exactly)? (?:right|correct|true)"
    r"(?![a-z])|(?<!n't )(?<!not )(?<![a-z])(?:(?<!(?:hers|ople|they| all|both|ends|body|yone) )agree"
    r"(?: with (?:him|her|them|that|this|it))?(?= ?[.,;!\n]|$)|(?:so|as) do i"
    r"|(?:i think so|me) too|i concur|i second that|rightly|correctly)(?![a-z])"
    r"|(?<![不都人们])(?:同意|赞同|认同)|[说讲猜]得?的?(?:没错|很?对|是对的|正确)|我也(?:这么|这样)(?:认为|觉得|想)"
    r"|(?:他|她|们|这|大家)是对的",
    re.IGNORECASE,
)
# What others may say of the answer: that it is something, a letter, or a name where they were asked.
_MAY_CLAIM = re.compile(
    r"(?:[Ii]t|[Tt]h(?:at|is))(?:'s| (?:is|are|was|were|must|should|has)(?![a-z]))|answer|sound|animal|option|choice"
    r"|(?<![A-Za-z])[A-J](?![a-z])|[Mm]y |[Oo]ur |[Yy]our |told|ccording|odel|nnotator|istener|itness|viewer|rater"
    r"|label|articip|chatbot|riend|olleague|orker|mate(?![a-z])|mates|AI|LLM|GPT|Claude|Gemini|Qwen|Llama|DeepSeek"
)
_SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]*")
_CLAIMS = ("identity", "yours", "bare", "passive", "opinion", "claim")
# The beginnings of all verbs above, where the author is not the one who says so.
_MAY_REPORT = re.compile(
    r" (?:sa[iy](?<!I sa.)(?<!I would sa.)(?<!'d sa.)|think(?<!I think)|thought(?<!I thought)|claim|belie(?<!I belie)"
    r"|guess(?<!I guess)(?<!y guess)(?<!best guess)|sugges|argu|insis|told|tell"
    r"|answer(?:[se]|(?<=ld answer)|(?<=ay answer)|(?<=ht answer))"
    r"|cho[os](?<!I cho.)(?<!I would cho.)(?<!'d cho.)(?<!to cho.)|pick(?<!I pick)(?<!I would pick)|goes |went "
    r"|agree[ds]? (?:on |that |it)|vote"
    r"|(?:sure|certain|convinced|confident|of the opinion)[,:]? [\"'“]?(?:that|it|this|the)(?![a-z]))"
)
_WHO_HINTS = (
    "body ", "eone ", "yone ", "eople", "thers", "ther ", "hey ", "ome ", "any ", "ost ", "ority ", "riend",
    "eague", "sband", "wife ", "eacher", "neighb", "mmate", "smate", "user", "xpert", "tator", "istener", "tudent",
    "sistant", "odel", "rompt", "viewer", " he ", "He ", "She ", " she ", "peaker", "voice", "rrator", "man",
    "erson", "senter", "ouncer", " host", "boy", "girl", "child", " guy", "lad", "caller", "told", "is said",
    "oth ", "All ", "all say", "all of", "alf ", "o one ", "few ", "veral ", "of them", "to them", "to h", "itness",
    "labell", "labeler", "articip", "rater", "AI", "LLM", "GPT", "hatbot", "Claude", "Gemini", "Qwen", "Llama",
    "DeepSeek", "arent", "mom", "mum", " dad", "rother", "sister", "udge", "ou say", "ou think", "ou said", "Two ",
    "Three ", "men ", "orker", "flatmate",
)  # fmt: skip
_HINTS_IN_CHINESE = ("说", "同意", "认为", "觉得", "猜", "回答", "告诉", "声称", "坚持", "断言", "选")
# The end of whatever is left out in Chinese: a verb with a claim, or who is asked with a verb.
_MAY_REPORT_IN_CHINESE = re.compile(
    r"(?:说|认为|觉得|猜|回答|告诉我|声称|坚持|断言|同意|选择?)[道过了]?[:,:，]?(?:(?:正确)?答案|[这那它])?"
    rf"{_MODAL_IN_CHINESE}(?:是|[选为]?{_MARKS}(?:选项)?[A-J])"
    rf"|(?:{_ASKED_IN_CHINESE}|[我你]的?{_COUNT_IN_CHINESE}?[个位名]?{_KNOWN_IN_CHINESE})们?{_SAY_IN_CHINESE}"
    rf"|{_CLOSE_IN_CHINESE}{_SAY_IN_CHINESE}"
)


def drop_hearsay(text: str) -> str:
    """Return a text without what others say of the answer; where it agrees, their claim is written as its own.

    >>> drop_hearsay("Somebody says that's B."), drop_hearsay("They say it's B, and they are right.")
    ('xx.', "it's B, and they are right.")
    """
    if _MAY_REPORT.search(text) is not None or "ccording to " in text:
        text = _SENTENCE.sub(_drop_from_sentence, text)
    if not text.isascii() and _may_report_in_chinese(text):
        text = _CHINESE.sub(_write_claim, text)
    return text


def _drop_from_sentence(sentence: re.Match[str]) -> str:
    said = sentence.group()
    if _MAY_REPORT.search(said) is None and "ccording to " not in said:
        return said
    if not any(map(said.__contains__, _WHO_HINTS)) or _MAY_CLAIM.search(said) is None:
        return said
    # What follows shows whether the text agrees, often in a sentence of its own.
    behind = sentence.string[sentence.end() :]
    said = _INVERTED.sub(lambda match: _write_claim(match, behind), said)
    return _ENGLISH.sub(lambda match: _write_claim(match, behind), said)


def _may_report_in_chinese(text: str) -> bool:
    return any(map(text.__contains__, _HINTS_IN_CHINESE)) and _MAY_REPORT_IN_CHINESE.search(text) is not None


def _write_claim(match: re.Match[str], behind: str = "") -> str:
    """Write what others say as a plain word, or as a claim if the text agrees with it later."""
    if _AGREED.search(match.string[match.start() :] + behind) is None:
        return "xx"
    groups: dict[str, str | None] = match.groupdict()
    if groups.get("letters"):
        return f"{groups['claim'] or groups.get('own') or ''}{groups['letters']}".strip(" ,:")
    return next(claim for name in _CLAIMS if (claim := groups.get(name))).strip()
