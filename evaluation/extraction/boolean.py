"""Reading whether a response says true or false."""

import re
from functools import lru_cache

from evaluation.extraction.joins import join_lists
from evaluation.extraction.lexicon import KIND, WORD_LISTS, Kind
from evaluation.extraction.mentions import Item, Mention
from evaluation.extraction.normalize import clean, is_blank
from evaluation.extraction.readings import EMPTY, UNREAD
from evaluation.extraction.statements import BARE, CONCLUDED, PROSE, Account, Statement, collect_statements
from evaluation.extraction.tokens import Token, tokenize
from evaluation.types import Reading

_TRUE = WORD_LISTS["TRUE"]
_FALSE = WORD_LISTS["FALSE"]
# Words that say a truth value only where nothing else is said: "no noise", "是左边", "to the right".
_TERSE = WORD_LISTS["TERSE"]
_ECHO = re.compile(
    r"(?:true|yes|right|correct) ?(?:or|/|\|) ?(?:false|no|wrong|incorrect)\b(?! (?:and|or))|\bt ?/ ?f\b"
    r"|(?:对|正确|是|真)(?:还是|/|或者?)(?:不是|错误|错|否|假|不正确)",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"[\s\"'*(\[]{0,4}(true|false|yes|no|correct|incorrect)[\s\"'*)\].!]{0,4}", re.IGNORECASE)
_SIGN = re.compile(r"[\s\"'*(\[]{0,4}(?:(?P<yes>[✓✔✅☑√])|[✗✘❌×])\ufe0f?[\s\"'*)\].]{0,4}")
# A field whose name says what its true means.
_JSON_FIELD = re.compile(
    r"[\"'](?:(?:statement_|claim_|answer_)?(?:is_?)?(?P<good>true|correct|valid|accurate|right|truth|truth_value|holds)"
    r"|(?:statement_|claim_)?(?:is_?)?(?P<bad>false|incorrect|wrong|invalid))[\"'] ?: ?[\"']?(?P<value>true"
    r"|false|yes|no|1|0)[\"']?(?=[ \n]*[,}])",
    re.IGNORECASE,
)
# What wraps a sentence: "it is fair to say that", "it is correct that the statement is false".
_FRAME = re.compile(
    r"(?<![a-z])(?:it (?:is|would be|'s)|it's|i think it(?: is|'s)) (?:\w+ly )?(?:(?P<no>not |in)?(?:fair"
    r"|correct|accurate|right|safe|reasonable) to"
    r" (?:say|claim|state|conclude|call)(?: that)?|(?:correct|true|right) that (?=(?:the |this "
    r"|that )?(?:statement|claim|it|this|description)"
    r" (?:is|was) (?:not )?(?:true|false|correct|incorrect|wrong|right)))",
    re.IGNORECASE,
)
_GUESS = re.compile(
    r"(?<![a-z])(?:might|may|could)(?: well| also| just)? be (?=(?:either )?(?:true|false|correct|incorrect"
    r"|right|wrong)(?![a-z]))",
    re.IGNORECASE,
)
_REPLY = re.compile(
    r"\A(?P<no>(?:of course|certainly|definitely|absolutely|surely) not|并非如此|not at all|not really|不是这样的?"
    r"|不是的?|不(?=[,]))(?=[ .,!。;:\n]|\Z)"
    r"|\A(?P<yes>certainly|absolutely|definitely|of course|exactly|indeed|sure|当然)(?=[.!。]|\Z)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\A(?:(?:this|it) is |that's |it's )?(?:a |an )?(true|false|correct|incorrect|accurate"
    r"|inaccurate) (?:statement|claim|description)(?=[.!]?\Z)",
    re.IGNORECASE,
)
# "Actually, no: true": the "no" takes back, it does not answer.
_TAKEN_BACK = re.compile(
    r"(?<![a-z])(actually|wait|hmm|hold on|sorry),? no ?[,:.-]+(?= ?(?:it |the |that |this )?[a-z]+)", re.IGNORECASE
)
_THE_STATEMENT = (
    r"(?<![a-z])(?:(?:the|this|that) (?:\w+ )?(?:statement|claim|description|assertion|sentence|proposition)"
    r"|it|this|that)"
)
_WHAT_IS_HEARD = (
    r" (?:by |to |with )?(?:(?:the|this|my|our) (?:\w+ )?(?:audio|recording|clip|sound|evidence|observations?|content)"
    r"|what (?:i|we|you|is|can be|was) (?:can )?(?:hear|heard|be heard|observed?))[^.;!?,\n]{0,60}"
)
# "The claim is not supported by the audio": what fits the recording is true, what contradicts it is false.
_FITS = re.compile(
    rf"{_THE_STATEMENT} (?P<no>(?:is|are|does|do|was) ?(?:not|n't) |isn't |doesn't "
    r"|fails to )?(?:is |was |does )?(?:\w+ly )?"
    r"(?:(?P<fits>supported|consistent|in line|in agreement|backed up|backed|confirmed|borne out"
    r"|match(?:es)?|fits?|agrees?|corresponds?"
    rf"|aligns?)|(?P<differs>contradicts?|contradicted|refuted|inconsistent|conflicts?|at odds|unsupported|disagrees?))"
    rf"{_WHAT_IS_HEARD}",
    re.IGNORECASE,
)
# "The audio supports the statement".
_SUPPORTS = re.compile(
    r"(?<![a-z])the (?:audio|recording|clip|sound|evidence) (?P<no>does not |doesn't |fails to )?(?:\w+ly )?"
    r"(?:(?P<fits>supports?|confirms?|match(?:es)?|backs?)|(?P<differs>contradicts?|refutes?|disproves?))"
    r" (?:the|this|that) (?:statement|claim|description|assertion)",
    re.IGNORECASE,
)
_FITS_IN_CHINESE = re.compile(
    r"(?:(?:该|这个?|此|上述|题中的?)?(?:描述|说法|陈述|论断|表述))?(?:与|和|跟)(?:音频|录音|所听到?|实际|听到)[^,.，。;；\n]{0,8}?"
    r"(?:(?P<differs>不相符|不符合?|不一致|不吻合|相反|矛盾|不匹配)|(?P<fits>相符|一致|吻合|符合|匹配))"
)
_AGREES = re.compile(
    r"(?:\A|(?<=[.!\n] ))i (?:(?P<no>disagree|do not agree|don't agree)|(?:fully |completely )?agree)"
    r"(?: with (?:the|this|that) (?:statement|claim|description|assertion))?(?=[.,!;]|\Z)",
    re.IGNORECASE,
)
_SIGNED = re.compile(r"(?<=:) ?(?:(?P<yes>[✓✔✅☑√])|[✗✘❌×])(?=[ .!\n]|\Z)")
# "True? No, false": the question is answered.
_ASKED = re.compile(
    r"(?:\A|(?<=[.\n] ))(?:is it )?(?:true|false|correct)\? no[,.;:-]+ ?(?=(?:it's |it is )?[a-z])", re.IGNORECASE
)
# "先说错误，不对，应该是正确": the middle one takes back.
_TAKEN_BACK_IN_CHINESE = re.compile(
    r"(?<=[,，.。;；])(?:不对|不是|错了|不)[,，.。;；](?=(?:应该?|其实|正确答案|答案|我觉得|是))"
)
_ENDS = frozenset({KIND.STOP, KIND.LINE, KIND.QUESTION})
_SIGNS = _ENDS | {KIND.COMMA, KIND.BREAK, KIND.COLON, KIND.CLOSE}
_INTRODUCED = _SIGNS | {
    KIND.IS, KIND.ANSWER, KIND.SUBJECT, KIND.FINAL, KIND.THEREFORE, KIND.CHOOSE, KIND.BUT, KIND.REVISE,
}  # fmt: skip
_POINTERS = frozenset({"it", "that", "this", "you", "it's", "that's", "this is", "you're"})
_REACH = 3
_SHORT = 64
_MEMO_SIZE = 65_536


def _kind(tokens: list[Token], position: int) -> Kind:
    return tokens[position].kind if 0 <= position < len(tokens) else KIND.LINE


def _says_terse(tokens: list[Token], position: int) -> bool:
    """Whether a short word such as "no" or "right" stands where only an answer can stand."""
    left, right, text = _kind(tokens, position - 1), _kind(tokens, position + 1), tokens[position].text
    if text == "是" and right is KIND.COLON:
        return False  # "答案是：否": a copula.
    closed = right in _SIGNS | {KIND.BECAUSE, KIND.BUT, KIND.THEREFORE} or (right is KIND.FILLER and text == "对")
    if text == "right" and left in {KIND.IS, KIND.NEG, KIND.FILLER}:
        # "The sound is right." is a direction; "that is right" and "the statement is right" are not.
        before = tokens[max(0, position - 6) : position]
        named = any(token.kind in {KIND.SUBJECT, KIND.ANSWER} or token.text in _POINTERS for token in before[-3:])
        return closed and (named or any(token.kind is KIND.SUBJECT for token in before))
    return closed and (left in _INTRODUCED or tokens[position].enclosed or (left is KIND.FILLER and position < 3))


def _says_value(tokens: list[Token], position: int) -> bool:
    """Whether a word that can be a truth value is one here, not the adjective of a noun."""
    left, right, token = _kind(tokens, position - 1), _kind(tokens, position + 1), tokens[position]
    if token.text in _TERSE:
        return _says_terse(tokens, position)
    judged = left in {KIND.IS, KIND.NEG, KIND.SUBJECT}
    return judged or right not in {KIND.WORD, KIND.NOUN, KIND.SUBJECT, KIND.ANSWER, KIND.IS}


def _find_values(tokens: list[Token]) -> list[Item]:
    """Replace the words that say a truth value by mentions of 1 or 0."""
    items: list[Item] = []
    for position, token in enumerate(tokens):
        known = token.text in _TRUE or token.text in _FALSE
        if known and _says_value(tokens, position):
            items.append(Mention(frozenset({int(token.text in _TRUE)})))
        elif token.kind is KIND.LABEL and token.text in "ai":
            items.append(Token(KIND.FILLER, 0, token.text))
        elif token.kind in {KIND.GOOD, KIND.BAD, KIND.LABEL, KIND.YES, KIND.TEXT, KIND.ORDINAL}:
            items.append(Token(KIND.WORD, 0, token.text))
        elif token.kind is KIND.NO:
            items.append(Token(KIND.NEG, 0, token.text))
        else:
            items.append(Token(KIND.ANSWER, 0, token.text) if token.kind is KIND.SUBJECT else token)
    return items


def _value(statement: Statement) -> bool:
    """The truth value a statement comes to; a denial turns it round."""
    return (1 in statement.mention.targets) != statement.negated


def _decide(account: Account, *, echoed: bool) -> Reading:
    said = [statement for statement in account.statements if not statement.tentative]
    if said:
        last = said[-1].section
        said = [s for s in said if s.section == last and s.rank >= BARE] or said
    top = max((statement.rank for statement in said), default=PROSE)
    if not said or (top == PROSE and account.refused):
        doubtful = echoed or bool(account.statements)
        return UNREAD["refusal" if account.refused else "ambiguous" if doubtful else "outside-options"]
    # Only a marked conclusion outweighs a plain "yes" elsewhere: "Yes, the statement is false" is no answer.
    weighed = [s for s in said if s.rank == top or (s.rank >= BARE and top <= CONCLUDED)]
    if any(len(statement.mention.targets) > 1 for statement in weighed):
        return UNREAD["ambiguous"]
    values = {_value(statement) for statement in weighed}
    return Reading(value=values.pop()) if len(values) == 1 else UNREAD["contradiction"]


def _unwrap(match: re.Match[str]) -> str:
    return "it is not the case that " if match["no"] else " "


def _reply(match: re.Match[str]) -> str:
    """The plain word for a reply in other words."""
    return "no" if match["no"] else "yes"


def _plain(match: re.Match[str]) -> str:
    """Write what fits the recording as a true statement."""
    groups = match.groupdict()
    return "the statement is " + ("false" if (groups["fits"] is None) != (groups.get("no") is not None) else "true")


def _say_plainly(text: str) -> str:
    """Write "the claim matches the audio", "I agree" and signs as truth values; leave what is taken back."""
    text = _FITS_IN_CHINESE.sub(
        lambda match: "是正确的" if match["fits"] else "是错误的", _SUPPORTS.sub(_plain, _FITS.sub(_plain, text))
    )
    text = _AGREES.sub(lambda match: "false" if match["no"] else "true", text)
    text = _SIGNED.sub(lambda match: " true" if match["yes"] else " false", text)
    return _TAKEN_BACK_IN_CHINESE.sub("更正，", _ASKED.sub("", text))


def _read(response: str) -> Reading:
    match = _PLAIN.fullmatch(response) if len(response) < _SHORT else None
    if match is not None:
        return Reading(value=match.group(1).lower() in _TRUE)
    sign = _SIGN.fullmatch(response)
    if sign is not None:
        return Reading(value=sign["yes"] is not None)
    if "{" in response and (fields := list(_JSON_FIELD.finditer(response))):
        values = {(field["value"].lower() in {"true", "yes", "1"}) == (field["good"] is not None) for field in fields}
        return Reading(value=values.pop()) if len(values) == 1 else UNREAD["contradiction"]
    text = clean(response)
    if is_blank(text):
        return EMPTY
    text, n_echoes = _ECHO.subn(" ", text)
    text = _NAMED.sub(r"\1", _say_plainly(text))
    text = _TAKEN_BACK.sub(r"\1, ", text)
    text = _GUESS.sub("if ", _FRAME.sub(_unwrap, _REPLY.sub(_reply, text)))
    items = join_lists(_find_values(tokenize(text)), commas=False)
    return _decide(collect_statements(items, reach=_REACH, judged=False), echoed=n_echoes > 0)


# Bounded, because its keys come from submissions; short, because long answers do not repeat.
_read_short = lru_cache(maxsize=_MEMO_SIZE)(_read)


def read_boolean(response: str | None) -> Reading:
    """Read whether a response says true or false.

    Args:
        response: What the system wrote; None where it gave nothing.

    Returns:
        A reading with `value`, or with the `reason` why two careful readers would not agree on one.

    >>> read_boolean("The statement isn't correct.").value
    False
    """
    if response is None:
        return EMPTY
    return _read_short(response) if len(response) < _SHORT else _read(response)
