"""Reading the verdicts of a critic: which steps of a trace it calls erroneous.

Bracketed parts are read as JSON and stand as one token in the text (`verdicts`); the text is cut into tokens with codes
(`critic.tokens`), its sentences and lines into statements about steps (`critic.sentences`), and all of them together
give one verdict for each step, or none (`critic.accounts`).
"""

import re

from evaluation.extraction.critic import (
    JSON_MARK,
    Verdicts,
    agrees_with,
    decide,
    read_critique,
    read_flags,
    read_plain,
    tokenize_critic,
)
from evaluation.extraction.critic.announcements import drop_announcements
from evaluation.extraction.critic.attachment import read_attached
from evaluation.extraction.critic.critic_tokens import declares_zero_base
from evaluation.extraction.critic.final_lines import read_conclusion
from evaluation.extraction.critic.line_verdicts import keep_edge_verdicts
from evaluation.extraction.critic.plain_sentences import gives_no_verdict
from evaluation.extraction.critic.recollections import drop_recollections
from evaluation.extraction.critic.truth_values import TruthValues, state_values
from evaluation.extraction.language.lexicon import KIND
from evaluation.extraction.language.normalize import FENCE, cap_length, strip_thinking, unify, write_apostrophes
from evaluation.extraction.language.tokens import tokenize
from evaluation.extraction.readings import EMPTY, UNREAD
from evaluation.extraction.step_lists.asked_steps import answer_questions
from evaluation.extraction.step_lists.bracketed_text import (
    BracketedText,
    bracket_rows,
    drop_cut_list,
    find_segments,
    parse_segment,
    parse_yaml,
)
from evaluation.extraction.step_lists.codebook import spell_codes
from evaluation.extraction.step_lists.declared_bases import count_declared_bases
from evaluation.extraction.step_lists.error_rows import read_error_row
from evaluation.extraction.step_lists.everyday_wordings import write_everyday_wordings
from evaluation.extraction.step_lists.flags import spread_flags
from evaluation.extraction.step_lists.foreign_words import translate_verdicts
from evaluation.extraction.step_lists.from_the_end import name_from_start
from evaluation.extraction.step_lists.inverted_lists import read_inverted, read_listed_numbers, read_thought_list
from evaluation.extraction.step_lists.json_verdicts import is_single, list_objects, read_flat, read_value
from evaluation.extraction.step_lists.legends import (
    CORRECTNESS_KEY,
    ERROR_KEY,
    holds_unnamed,
    key_before,
    read_legend,
    strip_legends,
)
from evaluation.extraction.step_lists.marked_lines import write_marks
from evaluation.extraction.step_lists.mistyped_verdicts import correct_verdicts
from evaluation.extraction.step_lists.named_steps import count_from_one, find_sentence, spell_labels
from evaluation.extraction.step_lists.reasoned_flags import spell_reasoned_flags
from evaluation.extraction.step_lists.revised_lists import drop_former_lists
from evaluation.extraction.step_lists.scores import spell_score
from evaluation.extraction.step_lists.step_indices import count_listed_steps
from evaluation.extraction.step_lists.step_names import name_steps
from evaluation.extraction.step_lists.usual_signs import write_usual_signs
from evaluation.extraction.step_lists.verdict_lines import lay_out
from evaluation.extraction.step_lists.verdict_tables import write_tables
from evaluation.extraction.step_lists.verdict_wordings import word_verdicts
from evaluation.types import Reading, UnreadableReason

_TAB = re.compile(r"(?<=\S)\t(?=\S)")
_BLANK = re.compile(r"\w|[✓✔✅☑√✗✘❌×]")
# "For example, step 2 is wrong"; "I have not looked at the others".
_NOT = r"(?:can(?:no|')t|can not|(?:could|did|has|have|had|do)(?: not|n't)|unable to|not able to|without)"
_CHECK = r"(?:check|look|judg|assess|evaluat|verif|listen|review)"
_PART = re.compile(
    rf"\b(?:for (?:example|instance)|e\.g\.|among other|at least|such as|{_NOT} (?:yet |been able to )?"
    rf"(?:{_CHECK}|hear (?:the (?:rest|other|whole|remain)|enough)|say any|tell)|only (?:been able to |could )?"
    rf"(?:{_CHECK}|heard?)|first half|part of the (?:trace|audio|recording|clip|reasoning)"
    r"|ran out of|stopped (?:there|here))"
    r"|例如|比如|至少|(?:没有|没|未|无法|不能|只)(?:检查|核对|核实|判断|听完|看完|评估|听了|看了)",
    re.IGNORECASE,
)
# A field below a heading or in a member of a list.
_YAML = re.compile(r"^(?:- +\w+ ?:|[\w-]+:\n+ *(?:- )?\w+|[\w-]+ ?: +(?:true|false)$)", re.MULTILINE | re.IGNORECASE)
# "Step 3 is": the verdict was not written any more.
_CUT = re.compile(
    r"(?:(?<=[\n.!?;。])|\A)[^\w\n]{0,8}(?:(?:and |but )?(?:the )?steps? ?#?[0-9]{1,2}"
    r"|第?步?骤? ?[0-9一二三四五六七八九十]{1,2} ?步?) ?(?:also |correctly |incorrectly )?"
    r"(?:is|are|was|looks?|seems?|appears?|sounds?|says?|states?|claims?|mentions?|has|contains?|correctly"
    r"|incorrectly|说|(?<! )是|认为|指出|声称)"
    r"(?: that| an?| the)?\s*\Z",
    re.IGNORECASE,
)
# `Step 1: {"correct": true}`: a label with an object of one field.
_LABELLED_FIELD = re.compile(
    r"^([^\w\n]{0,12}(?:step ?#?[0-9]{1,2}|步骤 ?[0-9]{1,2}|第[0-9一二三四五六七八九十]{1,2}步) ?[:：.-] ?)"
    r"\{ ?\"([a-z_ ]{2,20})\" ?: ?(true|false|\"[a-z]+\") ?\},?$",
    re.IGNORECASE | re.MULTILINE,
)
# "Step 1: [0]".
_LABELLED_FLAG = re.compile(
    r"^([^\w\n]{0,12}(?:step ?#?[0-9]{1,2}|步骤 ?[0-9]{1,2}|第[0-9一二三四五六七八九十]{1,2}步) ?[:：.-] ?)"
    r"\[ ?(0|1|true|false) ?\]$",
    re.IGNORECASE | re.MULTILINE,
)
# An index may count from 0.
_INDEX = re.compile("ind(?:ex|ices)|idx", re.IGNORECASE)
# "Erroneous step indices: [2, 4]": in words, the index of a step is its number, as the prompt gives it.
_STEP_INDICES = re.compile(
    r"(?<![a-z_\"'])(?:step (?:index|indices)|(?:index|indices) of [a-z ]*steps?)(?: (?:is|are))?[\s*_`:]{0,6}\Z",
    re.IGNORECASE,
)
# "An array such as [false, true]": a form, no answer.
_EXAMPLE = re.compile(
    r"(?:such as|for example|for instance|e\.g\.|(?:looks?|array|list|format) like|例如|比如|形如|如)[:,]? ?\Z"
)
_DIGITS = re.compile("[0-9]+")
_LONGEST_KEY = 40
_WHOLE = re.compile(r"[.!。;)\]}][\s*_`\"']*\Z")


def _read_segment(text: str, segment: BracketedText, n_steps: int) -> tuple[Verdicts | None, object]:
    """Read one bracketed part: what it says of the steps, and its value if it is JSON."""
    inside = text[segment.start : segment.end]
    if inside[0] == "[" and segment.height == 1:
        verdicts = read_flat(inside, n_steps, key=key_before(text, segment.start))
        if verdicts is None and _INDEX.search(text, max(0, segment.start - _LONGEST_KEY), segment.start):
            numbers = _DIGITS.findall(inside)
            in_words = _STEP_INDICES.search(text, max(0, segment.start - _LONGEST_KEY), segment.start) is not None
            counts_from_one = declares_zero_base(text) or str(n_steps) in numbers
            counts_from_one = counts_from_one or (in_words and "0" not in numbers and numbers != ["1"])
            verdicts = None if counts_from_one else Verdicts({}, "ambiguous")
        return verdicts, inside
    value = parse_segment(inside)
    if declares_zero_base(text):
        value = count_from_one(value)
    if "{" in inside and (legend := read_legend(text)):
        value = spell_labels(value, true_is_wrong=legend == ERROR_KEY)
    if holds_unnamed(value) and read_legend(text) not in {"", ERROR_KEY}:
        return Verdicts({}, "ambiguous"), value
    legend = read_legend(text)
    return read_value(value, n_steps, key=legend if legend == CORRECTNESS_KEY else ""), value


def _read_brackets(text: str, n_steps: int) -> tuple[list[Verdicts | None], str]:
    """Read every bracketed part, and return the text with a mark in place of each that was read."""
    brackets: list[Verdicts | None] = []
    singles: list[dict[str, object]] = []
    place_of_singles = -1
    pieces: list[str] = []
    covered = len(text)
    for segment in sorted(find_segments(text), key=lambda each: (-each.end, each.start)):
        if segment.end > covered:
            continue  # It lies inside a part that was read.
        if _EXAMPLE.search(text, max(0, segment.start - _LONGEST_KEY), segment.start):
            continue
        verdicts, value = _read_segment(text, segment, n_steps)
        if value is None or (verdicts is None and isinstance(value, str)):
            continue
        pieces.append(text[segment.end : covered])
        covered = segment.start
        if isinstance(value, dict) and is_single(value):
            place_of_singles = place_of_singles if singles else len(brackets)
            singles.append(value)
            verdicts = None
        brackets.append(verdicts)
    if singles:
        brackets[place_of_singles] = list_objects(singles[::-1], n_steps)
    pieces.append(text[:covered])
    return brackets[::-1], JSON_MARK.join(reversed(pieces))


def _read_whole(text: str, n_steps: int) -> Reading | None:
    """Read a text that is one JSON value and nothing else; None where it is not, or where the value is not clear."""
    inside = FENCE.sub("", text).strip() if "`" in text else text.strip()
    if inside[:1] in "[{" and inside[-1:] in "]}":
        value = parse_segment(inside)
    elif _YAML.search(text):
        value = parse_yaml(text)
    else:
        return None
    if read_legend(text) not in {"", ERROR_KEY}:
        return None
    verdicts = read_value(value, n_steps)
    if verdicts is None and (sentence := find_sentence(value)):
        return read_steps(sentence, n_steps)
    if verdicts is None or verdicts.problem:
        return None
    return Reading(verdicts=tuple(verdicts.by_step[step] for step in range(n_steps)))


def _read_stated(stated: TruthValues, n_steps: int) -> Reading:
    """Read truth values in words; where more steps would be erroneous than a trace has, they may mean the opposite."""
    reading = read_steps(stated.text, n_steps) if stated.text else UNREAD["ambiguous"]
    is_sure = reading.verdicts is None or sum(reading.verdicts) <= stated.most * n_steps
    return reading if is_sure else UNREAD["ambiguous"]


def _reason(text: str) -> UnreadableReason:
    refused = any(token.kind is KIND.REFUSE for token in tokenize(text))
    return "refusal" if refused else "outside-options"


def read_steps(response: str | None, n_steps: int) -> Reading:
    r"""Read which steps of a trace a critic calls erroneous.

    A JSON value of any usual shape, a line or a row a step, or sentences about steps. What comes later replaces what
    came before only where the critic says that it revises it, or gives its final answer; else the two contradict each
    other. In an array of booleans or of 0 and 1, true and 1 mean erroneous.

    Args:
        response: What the critic wrote; None where it gave nothing.
        n_steps: Number of steps of the trace.

    Returns:
        A reading with `verdicts`, one for each step, or with the `reason` why two careful readers would not agree.

    Raises:
        ValueError: The trace has no step.

    >>> read_steps('[{"step": 1, "label": "correct"}, {"step": 2, "label": "incorrect"}]', 2).verdicts
    (False, True)
    >>> read_steps("Step 2 is wrong, the others are fine.", 3).verdicts
    (False, True, False)
    >>> read_steps("步骤1：正确\n步骤2：错误", 3).reason
    'ambiguous'
    """
    if n_steps < 1:
        raise ValueError(f"A trace of {n_steps} steps cannot be judged; it needs at least one step.")
    reading = _read_as_written(response, n_steps)
    if response is None or reading.reason == "refusal":
        return reading
    if reading.verdicts is not None:
        text = cap_length(strip_thinking(response))
        if (concluded := read_conclusion(text, n_steps, reading, _read_as_written)) is not None:
            return concluded
        # What was thought aloud may show what a true in the list means.
        if "[" not in response or "</" not in response or strip_thinking(response) == response:
            return reading
        return read_inverted(cap_length(response), n_steps, _read_as_written) or reading
    read_list = read_listed_numbers if strip_thinking(response) == response else read_thought_list
    if (listed := read_list(cap_length(response), n_steps, _read_as_written)) is not None:
        return listed
    return _read_otherwise(cap_length(strip_thinking(response)), n_steps, reading)


def _read_otherwise(text: str, n_steps: int, reading: Reading) -> Reading:
    """Read an unread text by its final lines, by the words around a list, or with mistyped words corrected."""
    if (concluded := read_conclusion(text, n_steps, reading, _read_as_written)) is not None:
        return concluded
    if ("[" in text or "{" in text) and (inverted := read_inverted(text, n_steps, _read_as_written)) is not None:
        return inverted
    corrected = correct_verdicts(text)
    return reading if corrected == text else _read_as_written(corrected, n_steps)


def _read_as_written(response: str | None, n_steps: int) -> Reading:
    plain = write_apostrophes(cap_length(unify(_TAB.sub(" | ", cap_length(strip_thinking(response or ""))))))
    plain = word_verdicts(spell_score(count_declared_bases(write_usual_signs(plain)), n_steps), n_steps)
    if "[" in plain:
        plain = _LABELLED_FLAG.sub(r"\1\2", plain)
    if "{" in plain:
        plain = _LABELLED_FIELD.sub(r"\1\2: \3", plain)
    elif (row := read_error_row(plain, n_steps)) is not None:
        return Reading(verdicts=tuple(row)) if row else UNREAD["ambiguous"]
    announced = plain
    plain = drop_announcements(count_listed_steps(drop_former_lists(plain), n_steps))
    plain = keep_edge_verdicts(drop_recollections(plain))
    if announced != plain and not _BLANK.search(plain):
        return UNREAD["outside-options"]
    named = None if gives_no_verdict(plain) else name_from_start(plain, n_steps)
    if named is None or (named := spell_reasoned_flags(named, n_steps)) is None:
        return UNREAD["ambiguous"]
    plain = answer_questions(write_everyday_wordings(name_steps(named, n_steps), n_steps), n_steps)
    if (stated := state_values(plain)) is not None:
        return _read_stated(stated, n_steps)
    text = lay_out(spread_flags(plain, n_steps), n_steps)
    if not _BLANK.search(text):
        return EMPTY
    if (said := read_plain(text, n_steps)) is not None:
        return Reading(verdicts=said)
    spelled = write_marks(spell_codes(translate_verdicts(plain), n_steps), n_steps)
    if spelled != plain:
        plain = spelled
        text = lay_out(spread_flags(plain, n_steps), n_steps)
    if (rows := bracket_rows(plain)) != plain:
        text = lay_out(rows, n_steps)
    text = write_tables(drop_cut_list(text), n_steps)
    if (whole := _read_whole(text, n_steps)) is not None:
        return whole
    text, n_cut = _CUT.subn("", text)
    brackets, rest = _read_brackets(text, n_steps)
    tokens = tokenize_critic(strip_legends(rest), n_steps)
    if not (brackets or n_cut or _PART.search(text)) and (attached := read_attached(tokens, n_steps)) is not None:
        return Reading(verdicts=attached)
    critique = read_critique(tokens, n_steps)

    def is_whole() -> bool:
        return n_cut == 0 and (critique.n_words == 0 or _WHOLE.search(text) is not None) and not _PART.search(text)

    critique.settle_answers()
    reading = decide(critique, brackets, n_steps, is_whole=is_whole)
    if critique.flags and not critique.flags_are_doubtful and (reading is None or reading.reason == "ambiguous"):
        flags = read_flags(critique.flags, n_steps, read_legend(text), are_answers=critique.flags_are_answers)
        if flags is not None and agrees_with(critique.statements, flags):
            return Reading(verdicts=flags)
    return reading or UNREAD[_reason(text)]
