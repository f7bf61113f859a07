"""Verdicts without a subject before them: "Errors: steps 2 and 4", "Incorrect.", "There are no errors"."""

import re

from evaluation.extraction.critic.grammar import (
    COUNTS_OF_ERRORS,
    HEADED,
    NO_STEPS,
    ONSETS,
    PLURALS_OF_ERROR,
    SOURCES,
    find_counted,
    find_nearest,
    is_headed,
)
from evaluation.extraction.critic.numbers import list_numbers
from evaluation.extraction.critic.paragraphs import has_subject
from evaluation.extraction.critic.rhetorical_questions import StatementCollector, find_place
from evaluation.extraction.critic.sentence_codes import Sentence

_IN_BRACKETS = re.compile(r"m[(:-]+n?(?P<steps>S)")
_HEADING = re.compile(r"[swRF]{0,3}[:-]*$")
_OF_ALL = re.compile(r"[V:(]+m[F/]m")
# "There is no error here"; "no errors here" may be said of the whole trace.
_ERROR_HERE = re.compile(r"(?<!s) here\Z")
_MORE_STEPS = re.compile(r"(?:\([^()]*\)|[^SGBEgb:.(]){0,12}[,;&|-]n?\(?S(?!d?[VNP]*[GBE])")
_JOINED_STEPS = re.compile(r"(?:\([^()]*\))?[,;&|-]+n?\(?S(?!d?[VNP]*[GBE])")
_NEITHER_STEP = re.compile(r"(?:\([^()]*\))?[,;&|/-]+n?\(?[Sm]")

LEAD = ":-(|,"
# "The bell (step 1) and the chime before it (step 2) are there".
_NAMED_IN_BRACKETS = re.compile(r"\(S\)(?:[^SLGBEUC;(]*&[^SLGBEUC;(]*\(S\))*$")


class HeadedReader(StatementCollector):
    """Reads a verdict of the steps behind it, of the step at hand, or of all."""

    def __init__(self) -> None:
        super().__init__()
        self._excepts = False
        self._n_keyed = 0
        self._group: bool | None = None
        self._heading: bool | None = None

    def _read_headed(self, sentence: Sentence, match: re.Match[str], erroneous: bool | None, end: int) -> int:
        """Read a verdict without a subject before it: of the steps behind it, of the step at hand, or of all."""
        codes, core, pre = sentence.codes, match["core"], match["pre"]
        left, right = codes[: match.start()], codes[end:]
        if erroneous is not None and not re.search("[SLAZ]", re.split("[,;U]", left[-3:])[-1]):
            if match["keyed"] in {"t", "u", "N"} and not self._is_labelled and core in "BE":
                self._n_keyed += 1
                if self._n_keyed > 1:
                    self._state((), None, scope="all")  # One of several fields "erroneous: false".
                    return len(codes)
                if not erroneous:
                    self._state((), False, scope="all")
                    return len(codes)
            if re.fullmatch(r"(?:[wKUM]{0,3}y:)?[(|:-]*[wsIF]{0,6}", left) and NO_STEPS.match(right):
                self._state((), not erroneous, scope="all")
                return len(codes)
            text = sentence.tokens[match.start("core")].text
            if text in COUNTS_OF_ERRORS | PLURALS_OF_ERROR and _OF_ALL.match(right):
                self._count(sentence.steps_at(end, len(codes))[0])  # "Errors: 0 of 3 steps".
                return len(codes)
            if (text.endswith((" with", " to")) or text.startswith(SOURCES)) and right[:1] in {"A", "R"}:
                self._state((), erroneous, scope="all" if right[0] == "A" else "rest")
                return end + 1
            headed = HEADED.match(right)
            if headed and is_headed(headed, sentence.tokens[match.start("core")], left, pre):
                return self._say_of_headed(sentence, headed, match, erroneous, end)
            if re.fullmatch(r"[(|:-]*[wcsFM]{0,2}", left) and ":" in right and _HEADING.fullmatch(right):
                self._group = erroneous
                if erroneous:
                    self._state((), False, scope="rest")
                return len(codes)
        return self._read_bare(sentence, left, right, erroneous, pre + core, end)

    def _say_of_headed(
        self, sentence: Sentence, headed: re.Match[str], match: re.Match[str], erroneous: bool, end: int
    ) -> int:
        codes, right = sentence.codes, sentence.codes[end:]
        stop = end + len(right[: headed.end("steps")].rstrip(",&)("))
        if sentence.tokens[match.start("core")].text in COUNTS_OF_ERRORS and codes[stop - 1] == "m":
            self._count(*sentence.steps_at(end, len(codes))[:1])
            return stop
        if "s" not in headed["mid"] and self._read_count(sentence, match, headed, end):
            return end + headed.end("steps")
        steps = list(sentence.steps_at(end + headed.start("steps"), stop))
        pattern = _MORE_STEPS if ":" in headed["mid"] else _JOINED_STEPS
        if "N" in match["pre"]:
            pattern = _NEITHER_STEP  # "Nothing is wrong with step 1 or step 2".
        while more := pattern.match(codes, stop):
            steps += sentence.tokens[more.end() - 1].steps
            stop = more.end()
        announced = self._announced
        if ":" in headed["mid"] and announced and len(steps) < announced:
            steps += (others := find_counted(sentence, stop, announced - len(steps)))
            stop = len(codes) if others else stop
        text = sentence.tokens[match.start("core")].text
        if text in ONSETS and erroneous and steps[0] == min(steps):
            self._state((steps[0],), True, scope="first")
        self._state(tuple(steps), erroneous)
        self._last = erroneous
        self._heading = erroneous if ":" in headed["mid"] and sentence.end == ";" else None
        context = codes[: match.start()] + match["pre"] + headed["mid"] + headed["only"]
        counts = [list_numbers(token.text) for token in sentence.tokens if token.code == "c"]
        counted = "c" in context and counts[:1] == [(len(steps),)]
        listed = (erroneous and ":" in headed["mid"]) or ("s" in headed["mid"] and re.search("[V:]", headed["mid"]))
        self.names_first = self.names_first or text in ONSETS
        listed = listed or (erroneous and "V" in headed["mid"] and text.endswith("的"))
        listed = listed or (headed["mid"] == "V" and "s" in codes[: match.end()])
        if "O" in context or counted or listed:
            self._state((), not erroneous, scope="rest", is_sure="O" in context or counted)
        return stop

    def _count(self, n_errors: int) -> None:
        """Note how many steps are said to be wrong."""
        self.announced.add(n_errors)
        if n_errors == 0:
            self._state((), False, scope="all")

    def _read_count(self, sentence: Sentence, match: re.Match[str], headed: re.Match[str], end: int) -> bool:
        """Read "Errors: 0" and "Errors: 1 (step 3)"; of "Errors: 2" note that it may name the step or count."""
        start = end + headed.start("steps")
        first = sentence.tokens[start].steps
        if (
            sentence.tokens[match.start("core")].text not in PLURALS_OF_ERROR
            or headed["mid"] != ":"
            or sentence.codes[start] != "m"
            or len(first) > 1
        ):
            return False
        named = _IN_BRACKETS.match(sentence.codes, start)
        if first == (0,):
            self._count(0)
        elif named and len(steps := sentence.steps_at(named.start("steps"), named.end("steps"))) == first[0]:
            self._state_only(steps, True)
        elif headed["steps"] == "m":
            self.names_first = True
            self._state(first, True)
        else:
            return False
        return True

    def _read_bare(
        self, sentence: Sentence, left: str, right: str, erroneous: bool | None, verdict: str, end: int
    ) -> int:
        """Read a verdict that stands alone: of the step at hand, or, where there is none, of all steps."""
        if verdict.startswith(("r", "Vr")) or "r" in verdict:
            self._state((), erroneous, scope="rest")
            return end
        nothing = any(token.text == "nothing" for token in sentence.tokens[: len(left) + len(verdict)])
        no_error = (verdict[-1] == "E" or (nothing and verdict[-1] == "B")) and "N" in verdict and erroneous is False
        no_error = no_error or (verdict[-2:] == "NB" and right.startswith("s") and erroneous is False)
        if (
            no_error
            and re.match("[Fn]?I[.,]?$", right)
            and (steps := find_nearest(sentence, left) or find_place(sentence, left) or self._topic)
        ):
            self._state(steps, erroneous)  # "There is nothing wrong here".
            return end
        every = "d" in verdict and re.fullmatch(r"[(|:-]*(?:[xwIC]{0,3}|s),*", left) is not None
        every = every or (self._excepts and not left.strip(",s"))
        nearest = find_nearest(sentence, left) if has_subject(left) or not self._paragraph else ()
        alone = no_error and not nearest
        topic = self._find_unjudged() or (() if self._excepts else self._paragraph)
        if alone and topic and _ERROR_HERE.search(sentence.tokens[len(left) + len(verdict) - 1].text):
            self._state(topic, erroneous)
            return end
        if alone and "R" in left:
            self._state((), erroneous, scope="rest")
            return end
        if (alone or every) and not self._is_labelled and not re.search("[SL]", left):
            self._state((), erroneous, scope="rest" if re.match("[Fn]?R", right) else "all")
            if alone and not re.search("[ATRSL]", left + right):
                self.statements[-1] = self.statements[-1]._replace(topic=topic)
            return end
        if not self._leads and re.search("[^SLyIM(|:-][:-]$", left) and "S" not in left:
            return end  # "Overall: incorrect" is said of something else.
        in_segment = left[-1:] in {"", ",", ":", "-", "(", ")", "|", "K", "U", "&", "M", "t", "u"}
        attested = sentence.tokens[len(left) + len(verdict) - 1].text.startswith(("确", "的确"))
        in_segment = in_segment or (attested and re.search(r"(?:^|[,:(-])[wFn]{1,3}$", left) is not None)
        ends = re.match(r"$|[.,:;)|QFnUK&(-]|[wFs]{1,3}$|M|I$", right) is not None
        if not (in_segment and ends):
            return end
        closes = (
            attested
            or left.strip("(|:-,M") == ""
            or not right.strip(".)|:-w")
            or left[-1:] in {"|", "(", "-", ":", "M"}
        )
        closes = closes or re.fullmatch("[Fn]?I[.w]*", right) is not None
        placed = () if self._is_labelled else find_place(sentence, left)
        steps = nearest or placed or self._paragraph or self._label or self._topic
        if steps and closes:
            outright = not left or left[-1:] in "|(:-K" or not re.search("[SL]", left)
            self._state(steps, erroneous, is_sure=outright)
        return end

    def _state_of(self, sentence: Sentence, left: str, end: int, erroneous: bool | None, *, since: int) -> None:
        """State a verdict of the steps that end `left`, and of those they are joined to."""
        match = re.search(r"(?:[SLm][)]?(?:\([^()]*\))?[,&/(]*&?)+(?:\([^()]*\))?$", left[since:].rstrip(LEAD + "U"))
        begin = since + match.start() if match else max(0, len(left.rstrip(LEAD)) - 1)
        if named := _NAMED_IN_BRACKETS.search(left, since):
            begin = min(named.start(), begin)
        if left.rstrip(LEAD)[-1:] == "R":
            self._state((), erroneous, scope="rest")
        else:
            steps = sentence.steps_at(begin, end)
            self._state(steps or self._label, None if "/" in left[begin:] else erroneous)
        self._last = erroneous
