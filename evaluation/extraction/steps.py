"""Reading the verdicts of a critic: which steps of a trace it calls erroneous."""

import re

from evaluation.extraction.layout import lay_out, split_running
from evaluation.extraction.legends import ERROR_KEY, holds_unnamed, key_before, read_legend
from evaluation.extraction.lexicon import KIND, WORD_LISTS
from evaluation.extraction.normalize import cap_length, strip_thinking, unify
from evaluation.extraction.readings import EMPTY, UNREAD
from evaluation.extraction.summaries import CHINESE_NUMBERS, read_sets, says_of_every_step
from evaluation.extraction.tokens import tokenize
from evaluation.extraction.verdicts import (
    Segment,
    Verdicts,
    find_segments,
    is_single,
    list_objects,
    list_steps,
    number_steps,
    parse_segment,
    plain_key,
    read_flat,
    read_value,
    value_says,
    word_says,
)
from evaluation.types import Reading, UnreadableReason

_WORDS = "|".join(
    re.escape(word).replace(r"\ ", "[ -]")
    for word in sorted(WORD_LISTS["ERRONEOUS_STEP"] | WORD_LISTS["CORRECT_STEP"], key=len, reverse=True)
)
_DRESS = r"[ *_`~#>|.+\"'(\[{-]{0,12}"
# "Step 3:", "3.", "第三步：", "| 3 |": the number of a step at the start of a line.
_NUMBERED = re.compile(
    rf"{_DRESS}(?:(?:steps?[ *_#]{{0,4}}|步骤[ *_#]{{0,4}}|第[ *_#]{{0,4}}|s)([0-9]{{1,4}}"
    rf"|[{CHINESE_NUMBERS}])(?: ?步骤?)?(?![0-9])"
    rf"|([0-9]{{1,4}})(?= ?[.:)\]|*_=、-](?![0-9])| (?:(?:in)?correct|wrong|right|(?:in)?valid)(?![a-z])))",
    re.IGNORECASE,
)
_JUDGEMENT = "verdict|label|judge?ment|conclusion|result|assessment|status|判断|结论|结果"
_LABEL = f"(?:(?:the )?(?:step|{_JUDGEMENT}|该步骤|这一步))?"
_BETWEEN = r"[ *_`~|.:=)\]>\"'(}\[,、-]{0,12}"
# A verdict, and what may follow it where it is no adjective: "correct identification of the dog" is none.
_REASON = r"because\b|since\b|as\b|given\b|due to\b|因为|由于"
_VERDICT = (
    rf"(?:is |was |are |: ?|是|为)?{_BETWEEN}(?P<word>{_WORDS})(?![A-Za-z0-9/])"
    rf"(?=[ *_`~\"')\]}}|]{{0,6}}(?:$|[.,;:!。、(\[|\-–—]|{_REASON}))"
)
_AT_START = re.compile(rf"{_BETWEEN}{_LABEL}{_BETWEEN}{_VERDICT}", re.IGNORECASE)
_AT_END = re.compile(
    rf"(?:^|[.:;>=|。：；,，-][ *_`~\"'(\[]{{0,6}}){_LABEL}[ *_`:：=|]{{0,6}}(?:is |是|为)?[ *_`\"'(\[]{{0,6}}"
    rf"(?P<word>{_WORDS})[ *_`~\"')\]}}|.!。]{{0,8}}$",
    re.IGNORECASE,
)
_LABELLED = re.compile(rf"{_DRESS}(?:{_JUDGEMENT})[ *_`]{{0,4}}[:=]{_VERDICT}", re.IGNORECASE)
# "✅ Correct": the sign says what the word says.
_SIGN_AND_WORD = re.compile(
    rf"([✓✔✅☑√✗✘❌×]) ?[*_`]{{0,3}}(?![✓✔✅☑√✗✘❌×])(?P<word>{_WORDS})(?![A-Za-z])", re.IGNORECASE
)
# "✓ Step 1", "Incorrect: step 2": the verdict stands before its step.
_HAS_SIGN = re.compile("[✓✔✅☑√✗✘❌×]")
_LATE_STEP = re.compile(r".{3}(?:step|步骤|第)|[✓✔✅☑√✗✘❌×对错]", re.IGNORECASE)
_VERDICT_FIRST = re.compile(
    rf"{_DRESS}(?P<word>{_WORDS})[ *_`:：=|–—-]{{1,6}}(?P<step>{_DRESS}(?:steps?[ #]{{0,2}}|步骤"
    rf"|第)[0-9]{{1,4}}(?:步)?)[ *_`|.,;。]{{0,6}}",
    re.IGNORECASE,
)
_KEYED = re.compile(
    r"(?P<key>erroneous|is[ _]erroneous|has[ _]error|error|incorrect|is[ _]incorrect|wrong|correct"
    r"|is[ _]correct|valid|is[ _]valid)"
    r"[\"'*_` ]{0,4}[=:][\"'*_` ]{0,4}(?P<flag>true|false|yes|no)(?![a-z])",
    re.IGNORECASE,
)
_BLANK = re.compile(r"\w|[✓✔✅☑√✗✘❌×]")
_RUN = re.compile(
    rf"{_DRESS}(?:{_WORDS})(?:(?:[ *_`,;、，|/]+| -> |(?<=[✓✔✅☑√✗✘❌×\u4e00-\u9fff]))(?:{_WORDS}))+[ *_`~|.。]{{0,6}}",
    re.IGNORECASE,
)
_WORD_OF_RUN = re.compile(_WORDS, re.IGNORECASE)
_BARE = re.compile(rf"{_DRESS}(?P<word>{_WORDS})[ *_`~\"')\]}}|.!。,;]{{0,8}}", re.IGNORECASE)
_LIST_LABEL = re.compile(rf"^{_DRESS}(?:final )?(?:{_JUDGEMENT}|answer|答案)s?[ *_`]{{0,4}}:", re.IGNORECASE)
_LIST_SIGN = re.compile(r"[,;、]")
_LONGEST_LINE = 2_000


def _number_of(match: re.Match[str]) -> int:
    digits = match[1] or match[2]
    return CHINESE_NUMBERS.index(digits) + 1 if digits in CHINESE_NUMBERS else int(digits)


def _says_of_line(rest: str) -> tuple[bool | None, bool]:
    """What stands behind a step's number: whether it is erroneous, and whether start and end contradict each other."""
    keyed = _KEYED.search(rest)
    if keyed:
        return value_says(keyed["flag"].lower(), plain_key(keyed["key"])), False
    said = set()
    for match in (_AT_START.match(rest), _AT_END.search(rest[-200:])):
        erroneous = word_says(match["word"]) if match else None
        said |= {erroneous} if erroneous is not None else set()
    return (next(iter(said)) if len(said) == 1 else None), len(said) > 1


# "Step 2: This step is wrong" says what "Step 2: wrong" says.
_THIS_STEP = re.compile(
    r"^([\s:.)*-]{0,6})(?:this|the) (?:\w+ )?(?:step|statement|claim|inference|conclusion) is ", re.IGNORECASE
)


class _Lines:
    """Collects the verdicts of lines; a number that starts again starts a new list."""

    def __init__(self, n_steps: int) -> None:
        self._n_steps = n_steps
        self._numbers: list[int] = []
        self._said: list[bool] = []
        self._heading: int | None = None
        self._bare: list[bool | None] = []
        self._end = self._bare_end = 0
        self._clash = self._in_row = self._fresh = False
        self.found: list[Verdicts] = []

    def add(self, line: str, end: int) -> None:
        """Read one line that ends at `end`."""
        numbered = _NUMBERED.match(line)
        if numbered is not None:
            self._add_numbered(_number_of(numbered), line[numbered.end() :], end)
        elif self._heading is not None and (labelled := _LABELLED.match(line)):
            erroneous = word_says(labelled["word"])
            if erroneous is not None:
                self._say(self._heading, erroneous, end)
            self._heading = None
        elif self._heading is not None and self._fresh and (first := _AT_START.match(line)):
            erroneous = word_says(first["word"])
            if erroneous is not None:
                self._say(self._heading, erroneous, end)
            self._heading = None
        else:
            self._add_bare(line, end)
        self._fresh = numbered is not None or (self._fresh and not line.strip())

    def _add_numbered(self, number: int, rest: str, end: int) -> None:
        self._close_bare()
        # The same step twice in a row is a contradiction, not the start of another list.
        again = self._in_row and number == self._numbers[-1]
        if self._numbers and number <= min(self._numbers) and not again:
            self.close()
        erroneous, clash = _says_of_line(_THIS_STEP.sub(r"\1", rest))
        self._clash = self._clash or clash
        self._heading = number if erroneous is None else None
        if erroneous is not None:
            self._say(number, erroneous, end)

    def _say(self, number: int, erroneous: bool, end: int) -> None:
        self._numbers.append(number)
        self._said.append(erroneous)
        self._end = end
        self._in_row = True

    def _add_bare(self, line: str, end: int) -> None:
        listed = _LIST_LABEL.sub("", line, count=1)
        pieces = _WORD_OF_RUN.findall(listed) if _RUN.fullmatch(listed.strip()) else _LIST_SIGN.split(listed)
        matches = [_BARE.fullmatch(piece.strip()) for piece in pieces]
        if all(matches):
            self._bare += [word_says(match["word"]) for match in matches if match]
            self._bare_end = end
        elif line.strip():
            self._close_bare()
            self._in_row = False

    def _close_bare(self) -> None:
        if self._bare:
            self.found.append(list_steps(self._bare, self._n_steps, self._bare_end))
        self._bare = []

    def close(self) -> None:
        """End the list at hand."""
        self._close_bare()
        if self._numbers or self._clash:
            verdicts = number_steps(self._numbers, self._said, self._n_steps, self._end) if self._numbers else None
            if verdicts is None or self._clash:
                verdicts = Verdicts({}, "contradiction", self._end)
            self.found.append(verdicts)
        self._numbers, self._said, self._clash, self._in_row = [], [], False, False


def _read_lines(text: str, n_steps: int) -> list[Verdicts]:
    lines = _Lines(n_steps)
    position = 0
    for line in text.split("\n"):
        position += len(line) + 1
        for piece in _split_line(line):
            lines.add(piece if len(piece) <= _LONGEST_LINE else f"{piece[:200]} {piece[-200:]}", position)
    lines.close()
    return lines.found


def _split_line(line: str) -> list[str]:
    """Cut a line that judges several steps, where every piece of it has a verdict; put a verdict behind its step."""
    if _HAS_SIGN.search(line):
        line = _SIGN_AND_WORD.sub(_join_sign, line)
    pieces = split_running(line)
    if len(pieces) > 1:
        numbered = [(piece, match) for piece in pieces if (match := _NUMBERED.match(piece))]
        judged = [_says_of_line(piece[match.end() :])[0] is not None for piece, match in numbered]
        pieces = [piece for piece, _ in numbered] if numbered and all(judged) else [line]
    if not _LATE_STEP.search(line):
        return pieces
    turned = [_VERDICT_FIRST.fullmatch(piece.strip()) for piece in pieces]
    return [
        f"{match['step']}: {match['word']}" if match else piece for piece, match in zip(pieces, turned, strict=True)
    ]


def _join_sign(match: re.Match[str]) -> str:
    """One verdict for a sign and a word that agree; nothing where they differ."""
    return match["word"] if word_says(match[1]) == word_says(match["word"]) else ""


def _read_segment(text: str, segment: Segment, n_steps: int) -> tuple[Verdicts | None, object]:
    """Read one bracketed part: what it says of the steps, and its value if it is JSON."""
    inside = text[segment.start : segment.end]
    if inside[0] == "[" and segment.height == 1:
        return read_flat(inside, n_steps, segment.end, key=key_before(text, segment.start)), inside
    value = parse_segment(inside)
    if holds_unnamed(value) and read_legend(text) not in {"", ERROR_KEY}:
        return Verdicts({}, "ambiguous", segment.end), value
    return read_value(value, n_steps, segment.end), value


def _read_json(text: str, n_steps: int) -> tuple[list[Verdicts], str]:
    """Read every bracketed part, and return the text without the parts that were JSON."""
    found: list[Verdicts] = []
    singles: list[dict[str, object]] = []
    rest = text
    covered = end_of_singles = len(text) + 1
    for segment in sorted(find_segments(text), key=lambda each: (-each.end, each.start)):
        if segment.start >= covered:
            continue  # It lies inside a part that was read.
        verdicts, value = _read_segment(text, segment, n_steps)
        if value is None or (verdicts is None and isinstance(value, str)):
            continue
        covered = segment.start
        rest = f"{rest[: segment.start]}{' ' * (segment.end - segment.start)}{rest[segment.end :]}"
        if verdicts is not None and not is_single(value):
            found.append(verdicts)
        elif isinstance(value, dict) and is_single(value):
            end_of_singles = end_of_singles if singles else segment.end
            singles.append(value)
    if singles:
        joined = list_objects(singles[::-1], n_steps, end_of_singles)
        found += [joined] if joined else []
    return found, rest


def _choose(found: list[Verdicts], n_steps: int) -> Reading:
    """The last complete list counts, if nothing behind it contradicts it."""
    last = max((n for n, verdicts in enumerate(found) if verdicts.problem is None), default=None)
    if last is None:
        return UNREAD[found[-1].problem or "ambiguous"]
    chosen = found[last].by_step
    for verdicts in found[last + 1 :]:
        if any(chosen.get(step, erroneous) != erroneous for step, erroneous in verdicts.by_step.items()):
            return UNREAD["contradiction"]
    return Reading(verdicts=tuple(chosen[step] for step in range(n_steps)))


def _reason(text: str) -> UnreadableReason:
    refused = any(token.kind is KIND.REFUSE for token in tokenize(text))
    return "refusal" if refused else "outside-options"


def read_steps(response: str | None, n_steps: int) -> Reading:
    r"""Read which steps of a trace a critic calls erroneous.

    A JSON array of verdicts, one object a step, or one line a step; the last complete list counts. In an array of
    booleans or of 0 and 1, true and 1 mean erroneous.

    Args:
        response: What the critic wrote; None where it gave nothing.
        n_steps: Number of steps of the trace.

    Returns:
        A reading with `verdicts`, one for each step, or with the `reason` why two careful readers would not agree.

    Raises:
        ValueError: The trace has no step.

    >>> read_steps('[{"step": 1, "label": "correct"}, {"step": 2, "label": "incorrect"}]', 2).verdicts
    (False, True)
    >>> read_steps("步骤1：正确\n步骤2：错误", 3).reason
    'ambiguous'
    """
    if n_steps < 1:
        raise ValueError(f"A trace of {n_steps} steps cannot be judged; it needs at least one step.")
    text = lay_out(cap_length(unify(cap_length(strip_thinking(response))))) if response else ""
    if not _BLANK.search(text):
        return EMPTY
    from_json, rest = _read_json(text, n_steps)
    found = sorted([*from_json, *_read_lines(rest, n_steps)], key=lambda verdicts: verdicts.end)
    reading = _choose(found, n_steps) if found else UNREAD[_reason(text)]
    return reading if reading.verdicts or reading.reason == "contradiction" else _read_sentences(text, n_steps, reading)


def _read_sentences(text: str, n_steps: int, reading: Reading) -> Reading:
    """Read sentences that judge several steps at once, where there is no list; else keep the reading."""
    of_every = says_of_every_step(text)
    if of_every is not None:
        return Reading(verdicts=(of_every,) * n_steps)
    sets = read_sets(text, n_steps)
    if sets is None:
        return reading
    return (
        UNREAD[sets.problem] if sets.problem else Reading(verdicts=tuple(sets.by_step[step] for step in range(n_steps)))
    )
