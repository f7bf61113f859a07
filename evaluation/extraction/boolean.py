"""Reading whether a response says true or false."""

import re
from functools import lru_cache

from evaluation.extraction.claims.caution import drop_fragment
from evaluation.extraction.language.normalize import clean, is_blank
from evaluation.extraction.readings import EMPTY, UNREAD
from evaluation.extraction.truth.abstentions import abstains
from evaluation.extraction.truth.asides import denies_both, drop_asides, drop_quoted_statements
from evaluation.extraction.truth.clauses import Clause, split_clauses
from evaluation.extraction.truth.marked_labels import read_form, say_outright
from evaluation.extraction.truth.moods import set_moods
from evaluation.extraction.truth.scope import PART, POINTED, SAID
from evaluation.extraction.truth.truth_statements import Utterance, collect_verdicts
from evaluation.extraction.truth.vocabulary import classify
from evaluation.types import Reading

_ECHO = re.compile(
    r"(?<![a-z])(?:true|yes|right|correct)[\"'*\])]{0,3} ?(?:or|/|\|) ?[\"'*\[(]{0,3}"
    r"(?:false|no|wrong|incorrect)\b(?! (?:and|or))"
    r"|between (?:true|right) and (?:false|wrong)\b|\bt ?/ ?f\b"
    r"|(?:对|正确|是|真)[\"\]]?(?:还是|/|或者?)[\"\[]?(?:不是|错误|错|否|假|不正确)",
    re.IGNORECASE,
)
# "I pick true over false"; "the false alternative would need it to end on the left, and it doesn't".
_PREFERRED = re.compile(
    r"\b(true|false|yes|no)[\"'*]* (?:over|rather than|instead of|as opposed to) [\"'*]*(?:true|false|yes|no)\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:the|an?) [\"'*]*(?:true|false|correct|incorrect|wrong)[\"'*]* (?:alternative|option|answer|version|variant"
    r"|case|choice|one) would\b[^.;\n]*"
    # "…, which wouldn't be the case outdoors": of another recording.
    r"|, which would ?(?:n't|not) (?:be|have been) (?:the case|so|true|there|possible|expected|heard)\b[^.;,\n]*",
    re.IGNORECASE,
)
# What somebody in the recording says is no answer.
_SPEECH = re.compile(
    r"(?:(?<![a-z])(?:man|woman|voice|person|speaker|someone|somebody|child|boy|girl)\b|人|男声|女声|语音)"
    r"[^\".\n\[]{0,24}(?:\"[^\"\n]{1,200}\"|\[[^\]\n]{1,200}\])",
    re.IGNORECASE,
)
# "The sound does not move along the path described in the statement".
_PATHS = re.compile("path|route|trajectory|course|direction|motion|movement", re.IGNORECASE)
_PATH = f"(?:{_PATHS.pattern})"
_STATED = "(?:described|stated|claimed|given|specified|mentioned|indicated)"
_OF_STATEMENT = "(?:in|of|from|by) (?:the|this) (?:statement|description|claim)"
_FOLLOWS = re.compile(
    r"\b(?:follow|take|trace|travel|move|go|pass|proceed)(?:s|es)?(?: along| on| in)? (?:exactly |precisely )?"
    rf"(?:the|this|that) (?:exact |same )?(?:{_STATED} {_PATH}|{_PATH} (?:(?:that|which) (?:is|was) |as )?"
    rf"(?:{_STATED}(?: {_OF_STATEMENT})?|{_OF_STATEMENT}))(?![a-z])",
    re.IGNORECASE,
)
# A heading such as "# Result", and one word below it that ends the answer.
_UNDER_HEADING = re.compile(
    r"\n[^\w\n]*(?:(?:final |my )?(?:result|answer|conclusion|verdict|judge?ment|decision)"
    r"|(?:最终)?(?:结论|结果|答案|判断))[^\w\n]*\n[^\w\n]*(?P<value>true|false|正确|错误)[^\w]*\Z",
    re.IGNORECASE,
)
# "While the end point in the statement is correct, the starting point isn't".
_CONCEDED = re.compile(
    r"(?<![a-z])(?:while|although|though|even though|even if) the"
    r" (?:(?:start|end|first|second|last|final|initial)(?:ing)?)"
    r"(?: [a-z]+){0,2} (?:in|of) the statement (?:\([^()\n]{1,40}\) )?(?:is|are|was) (?:correct|right|true|accurate),",
    re.IGNORECASE,
)
# "The statement that she gets louder is true."
_STATEMENT_THAT = re.compile(
    r"(?<![a-z])(?P<said>(?:the|this) (?:statement|claim|assertion)) that"
    r" (?:(?!(?<![a-z])(?:not|no|never|true|false|(?:in)?correct|wrong|right)(?![a-z])|n't)[^.;:!?\n]){1,160}?"
    r" (?P<verdict>(?:is|was) (?:true|false|correct|incorrect|wrong|accurate|inaccurate))(?=[.!,;\n]|\Z)",
    re.IGNORECASE,
)
# "The statement is therefore false.", at the end.
_LAST = re.compile(
    r"(?:\A|[.!?\n])\s{0,4}(?:(?:so|therefore|thus|hence|overall|in conclusion),? )?(?:the|this) (?:statement|claim) is"
    r" (?:(?:therefore|thus|hence|clearly|indeed),? )?(?P<verdict>true|false|correct|incorrect)[.!]?\s*\Z",
    re.IGNORECASE,
)
_STATED_BEFORE = re.compile(
    r"(?<![a-z])(?:statement|claim|it) (?:is|was|might be|may be|could be|seems?) (?:[a-z]+ )?"
    r"(?:true|false|correct|incorrect|right|wrong)"
    r"|(?<![a-z])(?:if|unless|whether)(?![a-z])"
    r"|(?:\A|[.!?:\n])[^\w.!?:\n]{0,8}(?:true|false|yes|no|correct|incorrect|right|wrong)(?=[.!,\n]|\Z)",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"[\s\"'*(\[<{]{0,4}(true|false|yes|no|correct|incorrect|right)[\s\"'*)\].!>}]{0,4}", re.IGNORECASE)
_PLAIN_TRUE = frozenset({"true", "yes", "correct"})
_TICK_OR_CROSS = re.compile(r"[\s\"'*(\[]{0,4}(?:(?P<yes>[✓✔✅☑√])|[✗✘❌×])\ufe0f?[\s\"'*)\].]{0,4}")
# A field whose name says what its true means.
_JSON_FIELD = re.compile(
    r"[\"'](?:(?:statement_|claim_|answer_)?(?:is_?)?(?P<good>true|correct|valid|accurate|right|truth"
    r"|truth_value|holds)"
    r"|(?:statement_|claim_)?(?:is_?)?(?P<bad>false|incorrect|wrong|invalid))[\"'] ?: ?[\"']?(?P<value>true"
    r"|false|yes|no|1|0)[\"']?(?=[ \n]*[,}])",
    re.IGNORECASE,
)
# "Answer: <True>".
_TAGGED = re.compile(
    r"<{1,2}\|? ?(true|false|yes|no|correct|incorrect|正确|错误|对|错|是|否) ?\|?>{1,2}", re.IGNORECASE
)
# "Option A: True".
_OPTION = re.compile(r"\A\W{0,4}option (?=[A-D][.:)])", re.IGNORECASE)
_MISSPELT = re.compile(
    r"(?<![a-z])(?:(ture|treu|tru|trrue|truee|rtue|ttrue)|flase|fasle|fales|flsae|fals|fasel|fallse|falsee"
    r"|afls?e)(?![a-z])",
    re.IGNORECASE,
)
_MIN_ROWS = 3
_SHORT = 64
_MEMO_SIZE = 65_536


def _firmness(utterance: Utterance, last: int) -> int:
    """Return how firmly a verdict counts; of "it", firmly only at the start, at the end and as a conclusion."""
    rank, clause = utterance.verdict.rank, utterance.clause
    return SAID if rank == POINTED and (clause.sentence in {0, last} or "H" in clause.opener) else rank


def _decide(clauses: list[Clause], *, echoed: bool) -> Reading:
    account = collect_verdicts(clauses)
    said = account.utterances
    if said:
        last = max((utterance.section for utterance in said if utterance.verdict.rank >= POINTED), default=0)
        said = [utterance for utterance in said if utterance.section >= last]
    ranks = [_firmness(utterance, clauses[-1].sentence) for utterance in said]
    top = max(ranks, default=PART)
    if not said or (top == PART and (account.refused or account.left_open)):
        return UNREAD[
            "refusal" if account.refused else "ambiguous" if echoed or account.doubtful else "outside-options"
        ]
    values = {utterance.verdict.value for utterance, rank in zip(said, ranks, strict=True) if rank == top}
    if top == PART:
        return Reading(value=values == {True})  # One wrong part makes the whole wrong.
    if len(values) == 1:
        return Reading(value=values.pop())
    joined = any("&" in utterance.clause.opener and utterance.clause.classes in {"T", "F"} for utterance in said)
    return UNREAD["ambiguous" if joined else "contradiction"]  # "True and false."


def _read(response: str) -> Reading:
    response = _TAGGED.sub(r" \1 ", response).strip() if "<" in response else response
    response = _OPTION.sub("", response)
    match = _PLAIN.fullmatch(response) if len(response) < _SHORT else None
    if match is not None and match.group(1).lower() == "right":
        return UNREAD["ambiguous"]  # The side or the verdict.
    if match is not None:
        return Reading(value=match.group(1).lower() in _PLAIN_TRUE)
    sign = _TICK_OR_CROSS.fullmatch(response)
    if sign is not None:
        return Reading(value=sign["yes"] is not None)
    if "{" in response and (fields := list(_JSON_FIELD.finditer(response))):
        values = {(field["value"].lower() in {"true", "yes", "1"}) == (field["good"] is not None) for field in fields}
        return Reading(value=values.pop()) if len(values) == 1 else UNREAD["contradiction"]
    if (marked := read_form(response)) is not None:
        return marked
    text = drop_fragment(clean(response))
    if abstains(text):
        return UNREAD["refusal"]
    text = say_outright(text)
    if is_blank(text) and not re.search("[✓✔✅☑√✗✘❌×]", text):
        return EMPTY
    if "\n" in response and (concluded := _UNDER_HEADING.search(response)):
        return Reading(value=concluded["value"].lower() in {"true", "正确"})
    text = drop_asides(drop_quoted_statements(text))
    if denies_both(text):
        return UNREAD["ambiguous"]
    if "hough" in text or "hile the" in text:
        text = _CONCEDED.sub("", text)
    if " that " in text:
        text = _STATEMENT_THAT.sub(r"\g<said> \g<verdict>", text)
    text = _SPEECH.sub(" ", text) if '"' in text or "[" in text else text
    if " over " in text or " than " in text or "instead" in text or "opposed" in text:
        text = _PREFERRED.sub(r"\1", text)
    if " would" in text:
        text = _SUPPOSED.sub(" ", text)
    if _PATHS.search(text):
        text = _FOLLOWS.sub("matches the statement", text)
    text, n_echoes = _ECHO.subn(" ", text)
    clauses = split_clauses(classify(text))
    set_moods(clauses)
    return _decide(clauses, echoed=n_echoes > 0) if clauses else UNREAD["ambiguous" if n_echoes else "outside-options"]


def _cut_table(response: str) -> str:
    """What stands below a table whose rows may judge parts of the statement; nothing where there is no table."""
    lines = response.split("\n")
    rows = [place for place, line in enumerate(lines) if line.lstrip().startswith("|")]
    return "\n".join(lines[rows[-1] + 1 :]) if len(rows) >= _MIN_ROWS else ""


def _read_otherwise(response: str, reading: Reading) -> Reading:
    """Read an unread response without a table that judges parts, by its last sentence, or spelled right."""
    if reading.reason == "contradiction" and "\n|" in response:
        concluded = _read(_cut_table(response))
        return reading if concluded.value is None else concluded
    text = clean(response) if reading.reason in {"contradiction", "outside-options"} else ""
    if (last := _LAST.search(text)) is not None and not _STATED_BEFORE.search(text, 0, last.start()):
        return Reading(value=last["verdict"].lower() in _PLAIN_TRUE)
    if reading.reason == "outside-options" and _MISSPELT.search(response):
        return _read(_MISSPELT.sub(lambda match: "true" if match[1] else "false", response))
    return reading


def _read_all(response: str) -> Reading:
    reading = _read(response)
    return _read_otherwise(response, reading) if reading.value is None else reading


# Bounded, because its keys come from submissions; short, because long answers do not repeat.
_read_short = lru_cache(maxsize=_MEMO_SIZE)(_read_all)


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
    return _read_short(response) if len(response) < _SHORT else _read_all(response)
