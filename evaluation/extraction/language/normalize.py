"""From a raw response to plain text: one alphabet, one kind of quote and arrow, no markup, no thinking aloud.

Every pattern here is linear in the length of the text: repetitions are bounded or start at a fixed character.
"""

import html
import re
import unicodedata

from evaluation.extraction.language.json_options import write_option_objects

MAX_LENGTH = 20_000
_HEAD_LENGTH = 4_000

THINK_TAG = re.compile(r"<(/?)(?:think|thinking|thought|thoughts|reasoning|scratchpad)>", re.IGNORECASE)
_ANSWER_TAG = re.compile(r"<(?:final_?)?answer>", re.IGNORECASE)
_OTHER_TAG = re.compile(r"</?[a-z][a-z0-9_]{1,15}/?>", re.IGNORECASE)
_KEY = r"final[_ ]?answer|answer|choice|option|prediction|selected|selection|label|result|verdict|答案|选项|选择"
_QUOTED = r"\"((?:[^\"\\]|\\.){0,2000})\"|'([^'\n]{0,2000})'"
_JSON_ANSWER = re.compile(
    rf"[\"'](?:{_KEY})s?[\"'] ?: ?(?:{_QUOTED}|\[([^\]]{{0,4000}})\]|([\w-]{{1,20}}))", re.IGNORECASE
)
# Beside an answer, a field of these names lists what could be chosen.
_JSON_LISTED = re.compile(r"[\"'](?:options|choices|labels|选项)[\"'] ?: ?\[", re.IGNORECASE)
_JSON_OBJECT = re.compile(r"\{[^{}]{0,8000}\}")
# How a model ends its turn, where its runtime left that in.
_SENTINEL = re.compile(
    r"</?s>|<\|[^<>|\n]{1,40}\|>|</?(?:eos|bos|pad|end_of_turn|start_of_turn|end_of_text|end_of_sentence)>"
    r"|<｜[^<>｜\n]{1,40}｜>",
    re.IGNORECASE,
)
_EMPHASIS_TAGS = re.compile(r"<([biu])>([^<>]{0,400})</\1>", re.IGNORECASE)
FENCE = re.compile(r"```[a-z]{0,10}", re.IGNORECASE)
_LATEX_WRAPPER = re.compile(r"\\(?:text|textbf|mathrm|mathbf|textit|mathit|emph) ?\{([^{}]{0,2000})\}")
_BOXED = re.compile(r"\\f?boxed ?\{([^{}]{0,2000})\}")
_LATEX_ARROW = re.compile(r"\\(?:right|long|longright|Right)arrow|\\to(?![a-z])")
# "270^\\circ", "\\frac{6}{8}", "\\approx 3\\,s".
_LATEX_SIGNS = tuple(
    (re.compile(pattern), written)
    for pattern, written in (
        (r" ?\^? ?\{? ?\\(?:circ|degree)(?![a-z]) ?\}?", "°"),
        (r"\\[dt]?frac ?\{([^{}]{1,20})\} ?\{([^{}]{1,20})\}", r"\1/\2"),
        (r"\\(?:approx|sim)(?![a-z])", " about "),
        (r"\\(?:[,;! ]|q?quad(?![a-z]))", " "),
        (r"\\times(?![a-z])", "×"),
        (r"\\(?=%|(?:theta|phi|alpha|varphi)(?![a-z]))", ""),
    )
)
_LATEX_DELIMITER = re.compile(r"\\[()\[\]]")
_STRUCK = re.compile(r"~~[^~\n]{1,300}~~")
_MARKED_LETTER = re.compile(r"(?<![*_`\w])([*_]{1,3}|`|\$)[<(\[\"]?([A-Za-z])[>)\]\"]?\1(?![*_`\w])")
_LINE_MARK = re.compile(r"^ ?(?:#{1,6} |> |[-*+•·●] )", re.MULTILINE)
# A list of boxes, ticked or not.
_BOX = re.compile(r"^ ?(?:[-*+•] )?\[([ xX✓✔])\] ", re.MULTILINE)
_TICKED = re.compile("[☑✅✔✓]")
_MARKS = "#>-*+•·●"
_LINE_WITH_MARK = re.compile(f"\n ?[{re.escape(_MARKS)}]")
# A "$" before a figure is a price; elsewhere it encloses mathematics.
_EMPHASIS = re.compile(r"[*`]+|\$+(?![0-9])|(?<![A-Za-z0-9])_{1,3}|_{1,3}(?![A-Za-z0-9])")
_ARROW = re.compile(r" ?(?:[-=]{1,3}>|(?<=[\w)] )>(?= [a-z]{3})) ?", re.IGNORECASE)
# "It doesnt move": an apostrophe that was not typed. Looked for by its end, which few words have.
_WITHOUT_APOSTROPHE = "|".join(
    rf"(?<=(?<![A-Za-z]){verb}nt)"
    for verb in (
        *("[Ii]s", "[Aa]re", "[Ww]as", "[Ww]ere", "[Dd]o", "[Dd]oes", "[Dd]id", "[Hh]as", "[Hh]ave", "[Hh]ad"),
        *("[Cc]a", "[Ww]o", "[Cc]ould", "[Ww]ould", "[Ss]hould"),
    )
)
_CONTRACTION = re.compile(rf"nt(?![A-Za-z])(?:{_WITHOUT_APOSTROPHE})")
# "It pans L -> R": sides of a stereo image.
_SIDES = re.compile(r"(?<![A-Za-z])(?:(L) ?(?:to|->) ?R|(R) ?(?:to|->) ?L)(?![A-Za-z'])")
_TURNS = re.compile(r"(?<![A-Za-z])(C)?CW(?![A-Za-z])")
# "880 Hz vs. 440 Hz": figures side by side.
_VERSUS = re.compile(r" vs\.? (?=[~≈<>]? ?[0-9])")
# "3 tickets × $6 = $18": no mark.
_TIMES = re.compile(r"(?<=[\w) ])× ?(?=[$€£¥]? ?[0-9][0-9.,]{0,9}[^=\n]{0,20}=)")
_BLANKS = re.compile(r"[^\S\n]+")
_OTHER_BLANK = re.compile(r"[^\S\n ]")

_ARROWS = "→➔➜➝➞⟶⇒➡⮕⟹⇨"
_SINGLE_QUOTES = "‘’‛`´ʼ′"
_DOUBLE_QUOTES = "“”„‟″«»"
_TYPOGRAPHIC = re.compile(f"[{_DOUBLE_QUOTES}]")
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e\ufe0f\u0000"


def _translation() -> dict[int, str | None]:
    """Build the table of single characters that only differ in how they are typed."""
    table: dict[int, str | None] = {ord(character): "->" for character in _ARROWS}
    table.update({ord(character): "'" for character in _SINGLE_QUOTES if character != "`"})
    table.update({ord(character): '"' for character in _DOUBLE_QUOTES})
    table.update({ord(character): None for character in _INVISIBLE})
    table.update({ord(character): "[" for character in "【〔〖《「『〈⟨❮"})
    table.update({ord(character): "]" for character in "】〕〗》」』〉⟩❯"})
    table.update({ord(character): "-" for character in "‐‑‒–—―−－"})
    table.update({ord(character): "✗" for character in "✖✕⨯❎"})
    table.update({ord("\r"): "\n", ord("｡"): "。"})
    return table


_TABLE = _translation()
_TYPED_OTHERWISE = re.compile(f"[{re.escape(''.join(map(chr, _TABLE)))}]")
# Whatever is not among these characters starts one of the stages of cleaning.
_UNTIDY = re.compile(r"[^ !\"#%'()+,\-./0-9:;=?@A-Z\[\]^a-z|}\n]")
# Signs of which nothing but the way they are typed changes, and whatever starts a stage of cleaning beside them.
_TYPED = {"，": ",", "：": ":", "；": ";", "！": "!", "？": "?", "（": "(", "）": ")", "“": '"', "”": '"', "‘": "'",
          "’": "'", "–": "-", "—": "-"}  # fmt: skip
_UNTIDY_TYPED = re.compile(rf"[^ !\"#%'()+,\-./0-9:;=?@A-Z\[\]^a-z|}}\n。、\u4e00-\u9fff{''.join(_TYPED)}]")
# The same for a text that was cleaned before: Chinese text and placeholders stay as well.
_UNTIDY_CLEANED = re.compile(r"[^ !\"#%'()+,\-./0-9:;=?@A-Z\[\]^a-z|}\n。、\u4e00-\u9fff\ue000-\uf8ff]")
# Placeholders of option texts live in this area: a response that brings such characters itself could forge a mention.
PRIVATE_USE = re.compile("[\ue000-\uf8ff]")


def strip_thinking(text: str) -> str:
    """Remove thinking blocks, also one that never closes and one whose opening was cut off."""
    kept: list[str] = []
    position, depth = 0, 0
    for tag in THINK_TAG.finditer(text):
        if tag.group(1):
            if depth == 0:
                kept.clear()  # The opening tag was part of the prompt: all before the closing one is thinking.
            depth = 0
            position = tag.end()
        elif depth == 0:
            kept.append(text[position : tag.start()])
            depth = 1
    if depth == 0:
        kept.append(text[position:])
    return "\n".join(kept)


def strip_sentinels(text: str) -> str:
    """Remove the marks by which a runtime ends a turn, such as `</s>` and `<|im_end|>`."""
    return _SENTINEL.sub(" ", text)


def _join_blanks(text: str) -> str:
    return _BLANKS.sub(" ", text) if "  " in text or _OTHER_BLANK.search(text) else text


def unify(text: str) -> str:
    """Full-width to half-width, one kind of quote, dash, bracket and arrow; single spaces. Case is kept."""
    if not text.isascii():
        text = PRIVATE_USE.sub("", unicodedata.normalize("NFKC", text))
    if _TYPED_OTHERWISE.search(text):
        text = text.translate(_TABLE)
    text = _join_blanks(text)
    return _ARROW.sub(" -> ", text) if ">" in text else text


def _json_value(match: re.Match[str]) -> str:
    """The answer in one JSON-like object as a statement, or the object without its braces."""
    found = list(_JSON_ANSWER.finditer(match.group()))
    if not found:
        return f"\n{match.group()[1:-1]}\n"
    if len(found) > 1:
        found = [answer for answer in found if not _JSON_LISTED.match(answer.group())] or found
    values = (next(value for value in answer.groups() if value is not None) for answer in found)
    return "".join("\nfinal answer: {}\n".format(value.replace("\\n", "\n").replace("\\", "")) for value in values)


def _drop_inner_quotes(match: re.Match[str]) -> str:
    """Take typographic quotes out of a JSON object: made ASCII, they would end the string they stand in."""
    written = match.group()
    return _TYPOGRAPHIC.sub("", written) if _JSON_ANSWER.search(written) else written


def _strip_latex(text: str) -> str:
    text = _LATEX_WRAPPER.sub(r"\1", text)
    for sign, written in _LATEX_SIGNS:
        text = sign.sub(written, text)
    text = _BOXED.sub(r"\nfinal answer: (\1)\n", text)
    text = _LATEX_DELIMITER.sub(" ", text)
    return _LATEX_ARROW.sub(" -> ", text)


def _strip_tags(text: str) -> str:
    text = _EMPHASIS_TAGS.sub(r"\2", text)
    text = _ANSWER_TAG.sub("\nfinal answer: ", text)
    return _OTHER_TAG.sub("\n", text)


def _strip_markdown(text: str) -> str:
    if "] " in text and _BOX.search(text):
        text = _BOX.sub(lambda box: "✗ " if box[1] == " " else "✓ ", text)
    if "☐" in text and _TICKED.search(text):
        text = text.replace("☐", "✗")
    if "~~" in text:
        text = _STRUCK.sub(" ", text)
    if "`" in text:
        text = FENCE.sub("\n", text)
    if "*" in text or "`" in text or "$" in text or "_" in text:
        text = _MARKED_LETTER.sub(r"(\2)", text)
        return _EMPHASIS.sub("", _LINE_MARK.sub("", text))
    return _LINE_MARK.sub("", text) if _may_have_line_marks(text) else text


def _may_have_line_marks(text: str) -> bool:
    return text[:1] in _MARKS or ("\n" in text and (text[1:2] in _MARKS or _LINE_WITH_MARK.search(text) is not None))


def _join_lines(text: str) -> str:
    """Take off blanks around line breaks, and lines of nothing else."""
    return "\n".join([line for part in text.split("\n") if (line := part.strip())])


def cap_length(text: str) -> str:
    """The text, or its head and, where conclusions stand, its tail: `MAX_LENGTH` characters in all."""
    if len(text) <= MAX_LENGTH:
        return text
    return f"{text[:_HEAD_LENGTH]}\n{text[_HEAD_LENGTH - MAX_LENGTH + 1 :]}"


def _strip_wrapping(response: str) -> str:
    """Take off all that stands around what was said: thinking, entities, LaTeX, JSON, tags."""
    text = strip_sentinels(strip_thinking(response)) if "<" in response else response
    text = cap_length(text)
    if "&" in text:
        text = html.unescape(text)
    if "{" in text and _TYPOGRAPHIC.search(text):
        text = _JSON_OBJECT.sub(_drop_inner_quotes, text)
    text = cap_length(unify(text))  # One compatibility character may stand for eighteen.
    if "\\" in text:
        text = _strip_latex(text)
    if "{" in text:
        text = _JSON_OBJECT.sub(_json_value, write_option_objects(text))
    return _strip_tags(text) if "<" in text else text


def _type_plainly(text: str) -> str:
    """Write signs that only differ in how they are typed in one way."""
    for sign, plain in _TYPED.items():
        if sign in text:
            text = text.replace(sign, plain)
    return text


def is_tidy(text: str) -> bool:
    """Whether a cleaned text, in which placeholders may stand, has nothing that starts a stage of cleaning."""
    return _UNTIDY_CLEANED.search(text) is None and not _may_have_line_marks(text)


def clean(response: str) -> str:
    """Return the response as plain text, without thinking blocks.

    At most `MAX_LENGTH` characters are looked at: of a longer text the head and, where conclusions stand, the tail.
    """
    is_ascii = response.isascii()
    if len(response) > MAX_LENGTH or (_UNTIDY if is_ascii else _UNTIDY_TYPED).search(response):
        text = _join_blanks(_strip_markdown(_strip_wrapping(response)))
    else:
        text = response if is_ascii else _type_plainly(response)
        text = text if "  " not in text else _BLANKS.sub(" ", text)
        if "] " in text or _may_have_line_marks(text):
            text = _strip_markdown(text)
    text = write_apostrophes(text)
    if "R" in text and "L" in text:
        text = _SIDES.sub(lambda match: "left to right" if match[1] else "right to left", text)
    if "CW" in text:
        text = _TURNS.sub(lambda match: "counterclockwise" if match[1] else "clockwise", text)
    if " vs" in text:
        text = _VERSUS.sub(", ", text)
    if "×" in text:
        text = _TIMES.sub(" x ", text)
    return _join_lines(text) if "\n" in text else text.strip()


def write_apostrophes(text: str) -> str:
    """Write contractions that lack their apostrophe with it.

    >>> write_apostrophes("It doesnt move in front.")
    "It doesn't move in front."
    """
    return _CONTRACTION.sub("n't", text) if "nt" in text else text


def is_blank(marked: str) -> bool:
    """Whether a cleaned text has no letter, no digit and no placeholder of an option."""
    return not (marked[:1].isalnum() or any(map(str.isalnum, marked)) or PRIVATE_USE.search(marked))
