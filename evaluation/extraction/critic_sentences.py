"""Reading what sentences and lines say of the steps of a trace: which verdict of which steps, one statement after another.

A text is matched by the codes of its tokens (`critic_tokens`). Every verdict looks to its left for its subject: right
before it, before what the subject claims, or, where there is none, the step at hand, whose number stood at the start of
the line. A verdict without any subject may head the steps that follow it: "Errors: steps 2 and 4".
"""

import re

from evaluation.extraction.critic_grammar import (
    CORE,
    HEADED,
    Scope,
    Sentence,
    Statement,
    find_nearest,
    is_attribute,
    is_headed,
    take_exception,
)
from evaluation.extraction.critic_tokens import list_numbers

_PRE = "NHPWVOdcRrt"
_SUBJECTS = "SLmAZRTIy"
_VERDICT = re.compile(
    rf"(?P<pre>[NHPWVOdcrtu]*(?:(?<=[VNHc])w{{1,2}}(?=E))?)(?P<core>[{CORE}])(?:[(:|]*(?P<keyed>[tuN]|V(?=$|[|]))(?=$|[.,;)|]))?"
    rf"|(?P<open>[VdNPO]*H[NVH]*(?![{_PRE}]*[{CORE}]))"
    r"|(?P<ellipsis>V+N(?=$|[,.;:)UQ-])|V+(?=[,.;)]?$)|V[cs](?=[,.;)]?$))"
    r"|(?P<same>(?:K|Q|&K|,K)V+|j|K)(?=[SmR](?:$|[,.;)&]))"
)
_SUBJECT_AT_END = re.compile(r"(?P<not>[NpP]?)(?P<subject>[SLmAZRTIy])s?[)]?$")
_PARENTHESIS = re.compile(r"\([^()]*\)[:|,-]*$")
_LEAD = ":-(|,"
_HEADING = re.compile(r"[swRF]{0,3}[:-]*$")
_NOTHING = re.compile(r"[sw]{0,2}[V:][V:(|-]*[zNZ][.)]*$")
_FLAG = re.compile(r"[(|-]*[SL][:(|.,-]*(?:V(?=[tuN]))?(?P<flag>[tuNV])(?=$|[.,;)|:-])")
_LABEL = re.compile("[(|U&,M]*(?:[QFny]+(?=S[:,]))?(?P<step>[SL])(?:(?![,&/])|(?=,[IyT]))")
_DOUBTED = re.compile(r"H&?(?P<steps>[Sm])")
_OF_EACH = re.compile(r"^[FnwI]{0,3}(?:W|A|n?A|s?W)")


class SentenceReader:
    """Collects what sentences say of steps, one statement after another."""

    def __init__(self) -> None:
        self.statements: list[Statement] = []
        self.names_first = False
        self.is_worded = False
        self.flags: list[tuple[int, bool]] = []
        self.n_words = 0
        self._label: tuple[int, ...] = ()
        self._topic: tuple[int, ...] = ()
        self._group: bool | None = None
        self._question: bool | None = None
        self._which: bool | None = None
        self._asks_for_errors = False
        self._asked: list[tuple[int, bool | None]] = []
        self._is_labelled = self._leads = False
        self._polarity: bool | None = None
        self._last: bool | None = None
        self._epoch = self._brackets = 0

    def _state(
        self, steps: tuple[int, ...], erroneous: bool | None, *, scope: Scope = "steps", is_sure: bool = True
    ) -> None:
        is_label = self._is_labelled and steps == self._label and scope == "steps"
        self.statements.append(Statement(steps, scope, erroneous, is_sure, is_label, self._epoch))

    def read_sentence(self, sentence: Sentence, *, at_start: bool) -> None:
        codes = sentence.codes
        self.n_words += codes.count("w")
        lead = _LABEL.match(codes)
        if lead:
            self._label = self._topic = sentence.tokens[lead.end("step") - 1].steps
        if "J" in codes:
            for _ in range(codes.count("J")):
                self._epoch += bool(re.search("[MK]", codes[: codes.index("J")]))
                self.statements.append(Statement((), bracket=self._brackets, epoch=self._epoch))
                self._brackets += 1
            codes = codes.replace("J", "w")
        if "f" in codes and not re.search("f[GBE]:[tuNV]", codes):
            codes = codes[: codes.index("f")]
        if "i" in codes and re.search("i[sV]*[EBs]", codes):
            self.names_first = True
            return
        self._read_answer(codes)
        if self._which is not None and re.fullmatch("[Sm,&.]+", codes):
            self._state(sentence.steps_at(0, len(codes)), self._which)
            self._state((), not self._which, scope="rest")
            self.is_worded = True
        self._which = None
        if self._read_flag(sentence):
            return
        if any(token.text == "respectively" for token in sentence.tokens) and self._read_in_turn(sentence):
            return
        sentence, excepted = take_exception(sentence._replace(codes=codes))
        before = len(self.statements)
        position = 0
        for match in _VERDICT.finditer(sentence.codes):
            if match.start() >= position:
                self._epoch += "M" in sentence.codes[position : match.start()]
                position = max(match.end(), self._read_verdict(sentence, match, position))
        self._epoch += "M" in sentence.codes[position:]
        if excepted:
            self._except(excepted, before)
        for match in _DOUBTED.finditer(sentence.codes):
            self._state(sentence.steps_at(match.start("steps"), match.end()), None)
        if sentence.end == "?":
            self._asks_for_errors = re.search("^V+[cw]?E", codes) is not None
            which = re.search("^Is?V?([GBE])$|^I[GBE]s?V*$", codes)
            self._which = "B" in which.group() or "E" in which.group() if which else None
            if which:
                del self.statements[before:]
            self._asked = [(n, each.erroneous) for n, each in enumerate(self.statements[before:], before)]
            self.statements[before:] = [each._replace(erroneous=None) for each in self.statements[before:]]
        named = [token.steps for token in sentence.tokens if token.code == "S" and len(token.steps) == 1]
        if named and not at_start:
            self._topic = named[-1]

    def _read_in_turn(self, sentence: Sentence) -> bool:
        """Read "steps 1 and 2 are right and wrong, respectively"."""
        steps = sentence.steps_at(0, len(sentence.tokens))
        verdicts = re.findall(f"([NV]*)([{CORE}])", sentence.codes)
        if len(steps) == len(verdicts) > 1:
            self.is_worded = True
            for step, (negated, core) in zip(steps, verdicts, strict=True):
                self._state((step,), (core in "BEb") != ("N" in negated))
            return True
        return False

    def _read_flag(self, sentence: Sentence) -> bool:
        """Read "Step 1: yes" below a question, or keep "Step 1: false" until all is read; whether it was the former."""
        flag = _FLAG.match(sentence.codes)
        if not flag or len(self._label) != 1:
            return False
        token = sentence.tokens[flag.start("flag")]
        if token.code == "V" and token.text != "是":
            return False
        value = token.code in "tV"
        if self._question is not None:
            self._state(self._label, value == self._question)
            self.is_worded = True
            return True
        if token.text in {"true", "false", "t", "f"}:
            self.flags.append((self._label[0], value))
        return False

    def _read_answer(self, codes: str) -> None:
        """Read the answer to "Is step 2 erroneous?"."""
        answer = re.match("[tuN](?=$|[,.:U-])", codes)
        for n, said in self._asked if answer else ():
            erroneous = said if codes[0] == "t" else _flip(said)
            if codes[0] == "t" or self.statements[n].scope == "steps":
                self.statements[n] = self.statements[n]._replace(erroneous=erroneous)
        if answer and self._asks_for_errors and codes[0] != "t":
            self._state((), False, scope="all")
        self._asked, self._asks_for_errors = [], False

    def _except(self, excepted: tuple[int, ...], before: int) -> None:
        """Turn "all are correct except step 2" into a verdict of step 2 and one of the rest."""
        said = [each for each in self.statements[before:] if each.scope != "steps" and each.erroneous is not None]
        del self.statements[before:]
        if said:
            erroneous = bool(said[0].erroneous)
            self._state((), erroneous, scope="rest")
            self._state(excepted, not erroneous)

    def _read_verdict(self, sentence: Sentence, match: re.Match[str], since: int) -> int:
        """Read one verdict, and return where reading goes on."""
        codes = sentence.codes
        if match["same"]:
            self._state_of(sentence, codes[: match.end() + 1], match.end() + 1, self._last, since=match.end())
            return match.end() + 1
        if match["ellipsis"]:
            if self._polarity is not None and codes[: match.start()].rstrip(_LEAD)[-1:] in {"S", "m", "R", "L"}:
                self.is_worded = True
                erroneous = self._polarity != ("N" in match["ellipsis"])
                self._state_of(sentence, codes[: match.start()], match.start(), erroneous, since=since)
            return match.end()
        if match["open"]:
            left = codes[: match.start()].rstrip(_LEAD)
            if left[-1:] in {"S", "L"} or (not left and self._is_labelled):
                self._state_of(sentence, codes[: match.start()], match.start(), None, since=since)
            return match.end()
        return self._read_core(sentence, match, since)

    def _read_core(self, sentence: Sentence, match: re.Match[str], since: int) -> int:
        codes, pre, core = sentence.codes, match["pre"], match["core"]
        polarity = core in "BEbe"
        if match["keyed"]:
            polarity = polarity == (match["keyed"] in "tV")
        negated = (pre.count("N") + pre.count("r")) % 2 == 1
        erroneous: bool | None = polarity != negated
        right = codes[match.end() :]
        end = match.end()
        other = re.match(rf"/[NVHP]*([{CORE}])|/(?:[VN]*)(?:N|$)", right)
        if (
            other
            or "H" in pre
            or re.match("[,&]*U?[VN]*H(?!w)", right)
            or ("P" in pre and not polarity)
            or re.search("N[VPd]*W", pre)
        ):
            erroneous = None
        if other:
            end += other.end()
        left = codes[: match.start()]
        if core in "ae" and left.rstrip(_LEAD)[-1:] not in {"S", "L", "m", "R"}:
            told = re.search("[SLR][CwI]{1,6}$", left[since:])
            if told and not right.strip(".,"):
                self._state_of(sentence, left[: since + told.start() + 1], len(left), erroneous, since=since)
            return end
        if re.search("[FQ]S[)]?[V]?$", left.rstrip(_LEAD)) and not re.fullmatch("[(|y]*[QFn]+S[:,]", left):
            self._say_of_topic(sentence, left.rstrip(_LEAD)[:-1], erroneous)
            return end
        self.is_worded = self.is_worded or not sentence.tokens[match.start("core")].text.endswith(("true", "false"))
        if self._read_with_subject(sentence, match, erroneous, since):
            if erroneous is not None:
                self._polarity = polarity
            return end
        return self._read_headed(sentence, match, erroneous, end)

    def _read_with_subject(self, sentence: Sentence, match: re.Match[str], erroneous: bool | None, since: int) -> bool:
        codes, pre, core = sentence.codes, match["pre"], match["core"]
        left = codes[: match.start()]
        bare = left.rstrip(_LEAD + "Uf")
        if "V" not in pre and core in "GB" and is_attribute(sentence, match):
            return bool(bare) and _SUBJECT_AT_END.search(bare) is not None
        if _SUBJECT_AT_END.search(bare) or _SUBJECT_AT_END.search(_PARENTHESIS.sub("", left).rstrip(_LEAD)):
            whole = bare if _SUBJECT_AT_END.search(bare) else _PARENTHESIS.sub("", left).rstrip(_LEAD)
            return self._read_direct(sentence, whole, match, erroneous, since)
        if core == "E" and re.search(r"[SL][:(|-]+w{1,3}$", left) and not codes[match.end() :].strip(".,):-|"):
            self._state_of(sentence, left.rstrip("w").rstrip(_LEAD), len(left), erroneous, since=since)
            return True
        if "V" in pre and left:
            return self._read_predicate(sentence, left, erroneous, since)
        return False

    def _read_direct(
        self, sentence: Sentence, left: str, match: re.Match[str], erroneous: bool | None, since: int
    ) -> bool:
        """Read a verdict right behind its subject."""
        left = left.rstrip("f")
        subject = left[-1] if left[-1] in _SUBJECTS else left.rstrip("s)")[-1:]
        before = left.rstrip("s)")[:-1]
        right = sentence.codes[match.end() :]
        only = "O" in match["pre"] or re.search(r"O[s]?(?:[SLm][,&()]*)*$", left) is not None
        fronted = re.match("[U,&KM]*nS", left) if subject in "TI" else None
        if fronted:
            self._state(sentence.tokens[fronted.end() - 1].steps, erroneous)
        elif subject == "A" and right.startswith("S"):
            span = sentence.steps_at(match.end(), match.end() + 1)
            self._state(span[:-1], erroneous)  # "Everything is right up to step 3": perhaps not step 3 itself.
        elif subject in "AZ":
            if not re.search("[cpNPmO]F$", before) and before[-1:] not in {"N", "P", "p"} and "N" not in before[-2:]:
                self._state((), erroneous if subject == "A" else _flip(erroneous), scope="all")
        elif subject == "R":
            if before[-1:] in {"N"}:
                erroneous = _flip(erroneous)
            self._state((), erroneous, scope="rest")
            self._last = erroneous
        elif subject == "T":
            no_error = match["core"] == "E" and "N" in match["pre"] and not erroneous
            whole = re.search("whole|entire", sentence.tokens[len(left.rstrip("s)")) - 1].text) and erroneous is False
            if no_error or whole or "W" in match["pre"] or _OF_EACH.search(right) or "d" in match["pre"]:
                self._state((), erroneous, scope="all")
        elif subject in "Iy":
            named = sentence.codes[: match.start()].endswith(("y:", "I:", "y-", "y"))
            if match["core"] == "E" and "N" in match["pre"] and not (erroneous or self._topic or self._label):
                self._state((), False, scope="all")
                return True
            self._say_of_topic(
                sentence, before, erroneous, is_sure=named and subject == "y" and not before.strip("(|:-")
            )
        elif subject == "m" and not re.search(r"(?:^|[,;&U(])[O]?$", before):
            return False
        else:
            self._state_of(sentence, left, len(left), erroneous, since=since)
            if only and "N" not in before[-2:] and erroneous is not None:
                self._state((), not erroneous, scope="rest")
        return True

    def _say_of_topic(self, sentence: Sentence, before: str, erroneous: bool | None, *, is_sure: bool = False) -> None:
        """Say it of the step that "it" or "this claim" stands for."""
        steps = find_nearest(sentence, before) or self._topic or self._label
        if steps:
            self._state(steps, erroneous, is_sure=is_sure)

    def _read_predicate(self, sentence: Sentence, left: str, erroneous: bool | None, since: int) -> bool:
        """Read a verdict whose subject stands further left: "Step 5, that he left, is a sound conclusion"."""
        clause = left[since:]
        if clause.startswith("I") or re.match(r"[(|:.-]*LI", left):
            self._say_of_topic(sentence, "", erroneous)
            return True
        in_brackets = re.findall(r"\(S\)", clause)
        subjects = [
            m.start() + since for m in re.finditer(r"(?<![FnQ])[SL]" if not in_brackets else r"(?<=\()S", clause)
        ]
        if not subjects or ("C" in left[subjects[-1] :] and not re.search(r",[CI][^,]*,$", left[subjects[-1] :])):
            return False
        chosen = subjects if in_brackets else subjects[-1:]
        self._state(tuple(step for n in chosen for step in sentence.tokens[n].steps), erroneous, is_sure=False)
        return True

    def _state_of(self, sentence: Sentence, left: str, end: int, erroneous: bool | None, *, since: int) -> None:
        """State a verdict of the steps that end `left`, and of those they are joined to."""
        match = re.search(r"(?:[SLm][)]?(?:\([^()]*\))?[,&/(]*&?)+(?:\([^()]*\))?$", left[since:].rstrip(_LEAD + "U"))
        begin = since + match.start() if match else max(0, len(left.rstrip(_LEAD)) - 1)
        if left.endswith("(S)"):
            begin = left.index("(S)", since)
        if left.rstrip(_LEAD)[-1:] == "R":
            self._state((), erroneous, scope="rest")
        else:
            steps = sentence.steps_at(begin, end)
            self._state(steps or self._label, None if "/" in left[begin:] else erroneous)
        self._last = erroneous

    def _read_headed(self, sentence: Sentence, match: re.Match[str], erroneous: bool | None, end: int) -> int:
        """Read a verdict without a subject before it: of the steps behind it, of the step at hand, or of all."""
        codes, core, pre = sentence.codes, match["core"], match["pre"]
        left, right = codes[: match.start()], codes[end:]
        if erroneous is not None and not re.search("[SLAZ]", left[-3:]):
            if match["keyed"] in ("u", "N") and not self._is_labelled and core in "BE" and not erroneous:
                self._state((), False, scope="all")
                return len(codes)
            if re.fullmatch(r"[(|:-]*[wsIF]{0,6}", left) and _NOTHING.match(right):
                self._state((), not erroneous, scope="all")
                return len(codes)
            if sentence.tokens[match.start("core")].text.endswith((" with", " to")) and right[:1] in {"A", "R"}:
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
        codes = sentence.codes
        stop = end + headed.end("steps")
        steps = list(sentence.steps_at(end + headed.start("steps"), stop))
        while more := re.match(r"(?:[^SGBEgb:.]{0,12}[,;&|-])\(?S", codes[stop:]) if ":" in headed["mid"] else None:
            steps += sentence.tokens[stop + more.end() - 1].steps
            stop += more.end()
        self._state(tuple(steps), erroneous)
        self._last = erroneous
        context = codes[: match.start()] + match["pre"] + headed["mid"] + headed["only"]
        counts = [list_numbers(token.text) for token in sentence.tokens if token.code == "c"]
        counted = "c" in context and counts[:1] == [(len(steps),)]
        listed = (erroneous and ":" in headed["mid"]) or ("s" in headed["mid"] and re.search("[V:]", headed["mid"]))
        if "O" in context or counted or listed:
            self._state((), not erroneous, scope="rest")
        return stop

    def _read_bare(
        self, sentence: Sentence, left: str, right: str, erroneous: bool | None, verdict: str, end: int
    ) -> int:
        """Read a verdict that stands alone: of the step at hand, or, where there is none, of all steps."""
        if verdict.startswith(("r", "Vr")) or "r" in verdict:
            self._state((), erroneous, scope="rest")
            return end
        no_error = verdict[-1] == "E" and "N" in verdict and erroneous is False
        every = "d" in verdict and re.fullmatch(r"[(|:-]*[xwIC]{0,3},*", left) is not None
        if (no_error and not self._is_labelled and not find_nearest(sentence, left)) or (
            every and not self._is_labelled
        ):
            if not re.search("[SL]", left):
                self._state((), erroneous, scope="rest" if re.match("[Fn]R", right) else "all")
                return end
        if not self._leads and re.search("[^SLyIM(|:-][:-]$", left) and "S" not in left:
            return end  # "Overall: incorrect" is said of something else.
        in_segment = left[-1:] in {"", ",", ":", "-", "(", ")", "|", "K", "U", "&", "M", "t", "u"}
        attested = sentence.tokens[len(left) + len(verdict) - 1].text.startswith(("确", "的确"))
        in_segment = in_segment or (attested and re.search(r"(?:^|[,:(-])[wFn]{1,3}$", left) is not None)
        ends = re.match(r"$|[.,:;)|QFnUK&(-]|[wFs]{1,3}$|M", right) is not None
        if not (in_segment and ends):
            return end
        closes = (
            attested or left.strip("(|:-") == "" or not right.strip(".)|:-w") or left[-1:] in {"|", "(", "-", ":", "M"}
        )
        steps = find_nearest(sentence, left) or self._label or self._topic
        if steps and closes:
            outright = not left or left[-1:] in "|(:-" or not re.search("[SL]", left)
            self._state(steps, erroneous, is_sure=outright)
        return end


def _flip(erroneous: bool | None) -> bool | None:
    return None if erroneous is None else not erroneous
