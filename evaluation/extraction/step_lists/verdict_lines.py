"""Laying out what a critic wrote: one verdict a line, bare lists in brackets, no markup around either."""

import re

from evaluation.extraction.critic.critic_phrases import judge_phrase, list_of_key, plain_key
from evaluation.extraction.critic.critic_tokens import BAD_SIGNS, GOOD_SIGNS, declares_zero_base
from evaluation.extraction.critic.numbers import list_numbers
from evaluation.extraction.language.normalize import strip_sentinels
from evaluation.extraction.step_lists.legends import read_legend

_STEP_TAG = re.compile(
    r"<(?:step|步骤)[ _-]?(?:(?:id|n|number|index|no)? ?= ?[\"']?)?([0-9]{1,4})[\"']?>", re.IGNORECASE
)
_OTHER_TAG = re.compile(r"</?[a-z][a-z0-9_]{1,20}>", re.IGNORECASE)
# "<errors>4, 5</errors>".
_LIST_TAG = re.compile(
    r"<(?P<name>[a-z_ -]{3,24}|[\u4e00-\u9fff]{2,6})>(?P<list>[^<>]{0,120})</(?P=name)>", re.IGNORECASE
)
_A_STEP = r"(?:steps? ?#?|步骤 ?|第 ?)?[0-9]{1,2}(?: ?步)?"
_STEPS = re.compile(rf"{_A_STEP}(?:(?: ?[,;、和\n] ?| and | ){_A_STEP}){{0,40}}", re.IGNORECASE)
_NO_STEPS = re.compile("(?:none|null|nil|n/a|无|没有|-)?", re.IGNORECASE)
_LATEX = re.compile(r"\\(?:f?boxed|text|textbf|mathrm) ?\{([^{}]{0,2000})\}")
# "\\boxed{00100}", with as many digits as the trace has steps.
_BOXED_FLAGS = re.compile(r"\\f?boxed ?\{ ?(?:\\(?:text|mathrm) ?\{)?([01]{3,100})\}? ?\}")
# "The erroneous steps are $\\boxed{2, 4}$": numbers within a sentence.
_BOXED_STEPS = re.compile(
    r"(?P<lead>(?:(?<![a-z])(?:is|are|steps?|ones|in|at)|是|为|步骤|第|[:：]) ?)\$?\\f?boxed ?\{ ?(?:\\\{ ?)?"
    r"(?P<steps>[0-9]{1,2}(?: ?(?:,|、|and) ?[0-9]{1,2}){0,20})(?: ?\\\})? ?\}\$?",
    re.IGNORECASE,
)
_MATHS = re.compile(r"\\[()\[\]]|\$")
# A flag, or a row of them: "false, true, false", "0 1 0", or one a line.
_QUOTE = r"[\"'*`]{0,2}"
_FLAG = rf"{_QUOTE}(?:true|false|[01]){_QUOTE}"
_JOINT = r"(?: ?[,;、，|/] ?| )"
_ROW = re.compile(
    rf"(?:(?<=[:：=])|(?<=: )|(?<=：)|(?<=\bare )|(?<=\bis )|(?<=是)|^)(?:[-*•] )?[ (]*"
    rf"({_QUOTE}[01]{_QUOTE}(?:{_JOINT}{_QUOTE}[01]{_QUOTE}){{1,200}}"
    rf"|{_QUOTE}(?:true|false){_QUOTE}(?:{_JOINT}{_QUOTE}(?:true|false){_QUOTE}){{1,200}}) ?[)]?[.。]?$",
    re.IGNORECASE | re.MULTILINE,
)
_FLAGS_IN_LINE = rf"{_FLAG}(?:{_JOINT}{_FLAG}){{1,200}}"
# "1, 1, 1, 0 (0 marks a wrong step)".
_NOTED_ROW = re.compile(
    rf"(?P<row>(?:^|(?<=[:：=])|(?<=[:：=] )){_FLAGS_IN_LINE})"
    r"(?:[,;]? ?(?P<note>[(][^()\n]{5,120}[)]|where [^()\n]{5,120}))[.。]?$",
    re.IGNORECASE | re.MULTILINE,
)
_NOTE_BEFORE_ROW = re.compile(
    rf"^(?P<note>[(][^()\n]{{5,120}}[)]) ?(?P<row>{_FLAGS_IN_LINE})[.。]?$", re.IGNORECASE | re.MULTILINE
)
_COLUMN = re.compile(
    rf"^((?:[-*•] )?{_FLAG}[,;.]?(?:\n+(?:[-*•] )?{_FLAG}[,;.]?){{1,200}})$", re.IGNORECASE | re.MULTILINE
)
_MAX_LED = 64
_PLAIN_FLAG = re.compile(r"true|false|[01]", re.IGNORECASE)


def _write_flags(match: re.Match[str]) -> str:
    flags = _PLAIN_FLAG.findall(match.group(1))
    whole = match.group()
    lead = whole[: match.start(1) - match.start()]
    return f"{lead}[{', '.join(flags).lower()}]"


# "🟢 correct · 🔴 incorrect", on a line of its own: what the marks mean anyway.
_MARK_MEANS = re.compile(
    rf"([{GOOD_SIGNS}{BAD_SIGNS}]) ?(?:=|:|means?|是|表示|-)? ?([a-z]{{2,12}}|[\u4e00-\u9fff]{{1,4}})", re.IGNORECASE
)
_MARK_LEGEND = re.compile(
    rf"^[^\w\n{GOOD_SIGNS}{BAD_SIGNS}]*(?:(?:legend|key|图例|说明) ?[:：] ?)?"
    rf"{_MARK_MEANS.pattern}[ ,;/|·、，；]{{1,4}}{_MARK_MEANS.pattern}[^\w\n]*$\n?",
    re.IGNORECASE | re.MULTILINE,
)


def _drop_mark_legend(match: re.Match[str]) -> str:
    """Leave out a legend that gives the marks their usual meaning."""
    usual = all(judge_phrase(word) is (mark in BAD_SIGNS) for mark, word in _MARK_MEANS.findall(match.group()))
    return "" if usual else match.group()


# A step's number as the heading of the lines below.
_HEADING = re.compile(
    r"^[#* ]{0,8}((?:step|步骤|第) ?[0-9一二三四五六七八九十]{1,2} ?步?) ?[:：.]?[* ]{0,4}\n+"
    r"(?=[^\n#{\[|])(?!.?steps?\b|步|第)",
    re.IGNORECASE | re.MULTILINE,
)
# Other names of steps, in an answer that never says "step".
_STEP = re.compile(r"(?<![a-z])steps?(?![a-z])|步", re.IGNORECASE)
_NUMBERED_STEP = re.compile(r"(?<![a-z])steps? ?#?[0-9]|步骤 ?[0-9]|第 ?[0-9一二三四五六七八九十]", re.IGNORECASE)
_SLASHED = re.compile(r" / (?=(?:steps? )?[0-9]{1,2}(?![0-9]))", re.IGNORECASE)
# "Q1: correct", "C2 - wrong".
_LETTERED = re.compile(r"^([-*• ]{0,4})[A-RT-Z]([0-9]{1,2})(?= ?[:.)|=-])", re.MULTILINE)
# "erroneous(2) = true", "correct[2]: no".
_INDEXED = re.compile(
    r"(?<![a-z_])(?!steps?[ (\[])([a-z_]{3,20}) ?[(\[](?:step[ _]?)?([0-9]{1,2})[)\]] ?(?:=|:|->) ?"
    r"(?=(?:true|false|yes|no|(?:in)?correct|wrong|right)(?![a-z]))",
    re.IGNORECASE,
)
_STRUCK = re.compile(r"~~[^~\n]{1,300}~~")
_EDGE = re.compile(r"(?<![a-z])(opening|initial|starting|closing|concluding) step(?![a-z])", re.IGNORECASE)
_LAST = {"closing", "concluding"}
_Q_AND_A = re.compile(r"^[QA]: ?", re.MULTILINE)
# "Step 1 (erroneous? no)".
_ASKED = re.compile(
    r"(erroneous|incorrect|wrong|correct|right|valid|supported|error|有误|错误|正确) ?\? ?[:：]?"
    " ?(yes|no|true|false|是|否)(?![a-z])",
    re.IGNORECASE,
)
_ROMAN = re.compile(r"^((?:step )?)\(?(I|II|III|IV|V|VI|VII|VIII|IX|X)(?=[.:)])", re.MULTILINE | re.IGNORECASE)
_NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
# "(2) says that it rains"; "#3".
_BRACKETED = re.compile(
    r"(?P<opens>^[-*• ]{0,3}|[.!?;] )?"
    r"(?P<lead>(?:\b(?i:in|as for|and|or|but|so|to|of|that|with|is|are|are|only|both) |, )?)"
    r"(?:\((?P<number>[0-9]{1,2})\)|#(?P<hash>[0-9]{1,2})(?![0-9.]))(?P<rest>:? ?(?=[A-Z]|(?:true|false)\b))?",
    re.MULTILINE,
)
_NOUNS = "paragraph|claim|statement|sentence|item|point|index|inference|line"
_NUMBERED_NOUN = re.compile(
    rf"(?<![a-z])({_NOUNS})(?:e?s)? ?#?[0-9]|(?<![a-z])(?:first|second|third|last|only) ({_NOUNS})s?(?![a-z])"
    "|第 ?[0-9一二三四五六七八九十]+ ?(段|句|条|点|项)|(段落) ?[0-9]",
    re.IGNORECASE,
)
# An index of the first error below all others says that there is none.
_NO_INDEX = re.compile(
    r"^([^\n\[\]{}]{0,200}?(?:index|error|answer|return|output|paragraph|step|first|verdict|result|第一个|首个|答案|输出|结果)"
    r"[^\n\d\[\]{}]{0,30}?[ :=(\n\"'])?[*_`\"']{0,3}-1[*_`\"')]{0,3} ?[.。]?(?=\n|\Z|[.,] )",
    re.IGNORECASE | re.MULTILINE,
)
# "-1 (no erroneous step)".
_NOTED_NO_INDEX = re.compile(
    r"\A[\s*_`\"']*-1[*_`\"']* ?\((?:[^()\n]*[^a-z])?(?:no|none|nothing|not any|没有|无)(?![a-z])[^()\n]*\)[.。\s]*\Z",
    re.IGNORECASE,
)

# "PASS - step 1", "错误——步骤1": a verdict before the number of its step.
_LED = re.compile(
    r"^[-*• ]{0,3}(?P<verdict>[^\d\n:|>]{1,24}?) ?(?:[:|]|-{1,2}>?)? ?(?:steps? ?#?|步骤 ?|第 ?)?"
    r"(?P<number>[0-9]{1,2}|[一二三四五六七八九十]) ?步?[.。]?$",
    re.IGNORECASE | re.MULTILINE,
)


def _turn_led(text: str, n_steps: int) -> str:
    """Return a text whose lines end in the numbers of all steps with the verdicts behind the numbers."""
    if not _LED.match(text.lstrip("\n")):
        return text
    lines = list(_LED.finditer(text))
    if [list_numbers(line["number"]) for line in lines] != [(step,) for step in range(1, n_steps + 1)]:
        return text
    if any(judge_phrase(line["verdict"].strip(" []()*")) is None for line in lines):
        return text
    return _LED.sub(lambda line: f"Step {list_numbers(line['number'])[0]}: {line['verdict'].strip(' []()*')}", text)


def _name_bracketed(text: str, n_steps: int) -> str:
    """Return a text that calls its steps "(1)" and "(2)", and never "step 1", with steps in their place."""
    numbers = {int(match["number"] or match["hash"]) for match in _BRACKETED.finditer(text)}
    if len(numbers) < 2 or not numbers <= set(range(1, n_steps + 1)) or _NUMBERED_STEP.search(text):
        return text
    return _BRACKETED.sub(_name_one, text)


def _name_one(match: re.Match[str]) -> str:
    name = f"step {match['number'] or match['hash']}"
    if match["rest"] is not None and (
        match["opens"] is not None or match.string.startswith(("true", "false"), match.end())
    ):
        return f"{match['opens'] or '; '}{match['lead']}{name}: "
    is_bare = match["opens"] is not None or match["lead"] or match["hash"]
    return f"{match['opens'] or ''}{match['lead']}{name if is_bare else f'({name})'}{match['rest'] or ''}"


def _name_lettered(text: str, n_steps: int) -> str:
    """Return a text whose lines are labelled Q1, Q2 … with steps in their place."""
    numbers = [int(match[2]) for match in _LETTERED.finditer(text)]
    return _LETTERED.sub(r"\1Step \2", text) if numbers == list(range(1, n_steps + 1)) else text


def _name_roman(text: str) -> str:
    """Return a text whose lines count in Roman numerals with those of steps in their place."""
    found = [match[2].upper() for match in _ROMAN.finditer(text)]
    if len(found) < 2 or tuple(found) != _NUMERALS[: len(found)]:
        return text
    return _ROMAN.sub(lambda match: f"{match[1] or 'Step '}{_NUMERALS.index(match[2].upper()) + 1}", text)


def _say_none(match: re.Match[str]) -> str:
    return f"{match[1] or ''}\nNo step is erroneous.\n"


_SAID_TRUE = re.compile(r"(?<=\bis )(?:true|false)(?![a-z])|(?<=\bare )(?:true|false)(?![a-z])", re.IGNORECASE)


def _name_steps(text: str) -> str:
    """Return a text that numbers paragraphs or claims, and never steps, with steps in their place."""
    numbered = None if _STEP.search(text) else _NUMBERED_NOUN.search(text)
    if numbered is None:
        return text
    noun = next(group for group in numbered.groups() if group).lower()
    if noun == "index" and not declares_zero_base(text):
        return text  # It may count from 0 or from 1.
    if not noun.isascii():
        return re.sub(noun, "步骤" if noun == "段落" else "步", text)
    if noun in {"claim", "statement", "sentence", "inference"}:  # Said of a claim, true is a verdict.
        text = _SAID_TRUE.sub(lambda match: "correct" if match.group().lower() == "true" else "incorrect", text)
    plural = "indices|indexes" if noun == "index" else f"{noun}s"
    text = re.sub(rf"(?<![a-z])(?:{plural})(?![a-z])(?! that)", "steps", text, flags=re.IGNORECASE)
    return re.sub(rf"(?<![a-z]){noun}(?![a-z])", "step", text, flags=re.IGNORECASE)


def _head_list(match: re.Match[str]) -> str:
    """Write a list of steps between tags as a line below the name of the tag."""
    steps = match["list"].strip()
    if list_of_key(plain_key(match["name"])) is None or not (_STEPS.fullmatch(steps) or _NO_STEPS.fullmatch(steps)):
        return match.group()
    return f"\n{plain_key(match['name'])}: {', '.join(steps.split(chr(10))) or 'none'}\n"


def _part_note(match: re.Match[str]) -> str:
    """Write a legend next to a row of flags on its own line."""
    return f"{match['row']}\n{match['note']}" if read_legend(match["note"]) else match.group()


def _list_digits(match: re.Match[str], n_steps: int) -> str:
    return f"\n[{', '.join(match[1])}]\n" if len(match[1]) == n_steps else match.group()


def lay_out(text: str, n_steps: int) -> str:
    """Return a critic's text without sentinels, tags and LaTeX, with bare rows of flags in brackets."""
    if "<" in text:
        text = _STEP_TAG.sub(r"\nstep \1: ", strip_sentinels(text))
        text = _OTHER_TAG.sub("\n", _LIST_TAG.sub(_head_list, text))
    if "\\" in text or "$" in text:
        text = _BOXED_FLAGS.sub(lambda match: _list_digits(match, n_steps), text)
        text = _BOXED_STEPS.sub(r"\g<lead>\g<steps>", text)
        text = _MATHS.sub(" ", _LATEX.sub(r"\n\1\n", text))
    if not text.isascii():
        text = _MARK_LEGEND.sub(_drop_mark_legend, text)
    if "~~" in text:
        text = _STRUCK.sub(" ", text)
    if "ing step" in text or "ial step" in text:
        text = _EDGE.sub(lambda match: f"{'last' if match[1].lower() in _LAST else 'first'} step", text)
    if "?" in text:
        text = _ASKED.sub(r"\1: \2", text)
    if " / " in text:
        text = _SLASHED.sub("; ", text)
    if "1" in text:
        text = _INDEXED.sub(r"\nStep \2: \1: ", text)
        text = _name_lettered(text, n_steps)
    if "II" in text or "(ii)" in text:
        text = _name_roman(text)
    if "Q:" in text and "A:" in text:
        text = _Q_AND_A.sub("", text)
    if "-1" in text:
        text = _NO_INDEX.sub(_say_none, text, count=2)
        text = _NOTED_NO_INDEX.sub("No step is erroneous.", text)
    if "\n" in text and text.count("\n") < _MAX_LED:
        text = _turn_led(text, n_steps)
    text = _HEADING.sub(r"\1: ", _name_steps(text))
    if "(1)" in text or "(2)" in text or "#" in text:
        text = _name_bracketed(text, n_steps)
    if "{" not in text:
        if "(" in text or "where" in text:
            text = _NOTE_BEFORE_ROW.sub(_part_note, _NOTED_ROW.sub(_part_note, text))
        text = _ROW.sub(_write_flags, text)
        text = _COLUMN.sub(_write_flags, text)
    return text
