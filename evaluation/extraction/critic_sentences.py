"""Reading what sentences and lines say of the steps of a trace: which verdict of which steps, one statement after another.

A text is matched by the codes of its tokens (`critic_tokens`). Every verdict looks to its left for its subject: right
before it, before what the subject claims, or, where there is none, the step at hand, whose number stood at the start of
the line. A verdict without any subject may head the steps that follow it: "Errors: steps 2 and 4".
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from evaluation.extraction.critic_tokens import Token, list_numbers

Scope = Literal["steps", "all", "rest"]
_CORE = "GBEgbae"
_PRE = "NHPWVOdcRrt"
_SUBJECTS = "SLmAZRTIy"
_STOPS = frozenset(".;?\n")

_VERDICT = re.compile(
    rf"(?P<pre>[NHPWVOdcrtu]*(?:(?<=[VNHc])w{{1,2}}(?=E))?)(?P<core>[{_CORE}])(?:[(:|]*(?P<keyed>[tuN]|V(?=$|[|]))(?=$|[.,;)|]))?"
    rf"|(?P<open>[VdNPO]*H[NVH]*(?![{_PRE}]*[{_CORE}]))"
    r"|(?P<ellipsis>V+N(?=$|[,.;:)UQ-])|V+(?=[,.;)]?$)|V[cs](?=[,.;)]?$))"
    r"|(?P<same>(?:K|Q|&K|,K)V+|j|K)(?=[SmR](?:$|[,.;)&]))"
)
_LIST_OF_STEPS = r"[SmL][,&)(]*"
_SUBJECT_AT_END = re.compile(r"(?P<not>[NpP]?)(?P<subject>[SLmAZRTIy])s?[)]?$")
_PARENTHESIS = re.compile(r"\([^()]*\)[:|,-]*$")
_LEAD = ":-(|,"
_HEADED = re.compile(rf"(?P<mid>[sVOcFwnT:,(|&I-]{{0,8}}?)(?P<steps>(?:{_LIST_OF_STEPS})+)(?P<only>O?)")
_HEADING = re.compile(r"[swRF]{0,3}[:-]*$")
_NOTHING = re.compile(r"[sw]{0,2}[V:][V:(|-]*[zNZ][.)]*$")
_EXCEPTION = re.compile(
    rf"X[nFOdsIE:]*(?P<steps>(?:{_LIST_OF_STEPS})+)x?|(?<=[AR])s?U(?P<others>(?:{_LIST_OF_STEPS})+)"
)
# "与音频内容一致": what is compared stands between the step and its verdict.
_COMPARED = re.compile(r"(?P<drop>F[wIyTs]{1,8}?)[NVd]*(?P<core>[GB])")
# "The only step that is wrong".
_ONLY_ONE_THAT = re.compile(r"O(?P<drop>s?(?:[CI]V*|F)|s)(?=[NHPW]*[GBE])")
_COMPARISONS = {"一致", "相符", "不符", "吻合", "不吻合", "矛盾", "符合", "匹配"}
_BARE_HEADING = re.compile("(?P<negated>[NV]*)(?P<core>[GB]|E(?=[s:])|(?<!N)E)(?P<of>[s:]*)")
_FLAG = re.compile(r"[(|-]*[SL][:(|.,-]*(?:V(?=[tuN]))?(?P<flag>[tuNV])(?=$|[.,;)|:-])")
_RUN = re.compile(
    r"(?:(?:[yM]{1,2}|(?P<other>[wMysdnFI]{1,6}))[:V]+)?[(|:-]*(?P<run>(?:[NVPH]*[GBEgbH][),;|./&:(-]*)+)(?:w[.]?)?"
)
_VERDICT_OF_RUN = re.compile("([NVPH]*)([GBEgbH])")
_LABEL = re.compile("[(|U&,M]*(?:[QFny]+(?=S[:,]))?(?P<step>[SL])(?:(?![,&/])|(?=,[IyT]))")
_DOUBTED = re.compile(r"H&?(?P<steps>[Sm])")
_OF_EACH = re.compile(r"^[FnwI]{0,3}(?:W|A|n?A|s?W)")


class Statement(NamedTuple):
    """What is said at one place.

    Attributes:
        steps: Numbers of steps, from 1 on, below zero from the end; empty for all or for the rest.
        scope: Whether it is said of these steps, of all, or of those that nothing else is said of.
        erroneous: The verdict; None where it is left open.
        is_sure: Whether it is said of the steps outright; else it may be said of what they tell.
        is_label: Whether it stands behind the number of a list item.
        epoch: How many revisions stood before it.
        bracket: Place of the bracketed part that takes this place in the order, or None.
    """

    steps: tuple[int, ...]
    scope: Scope = "steps"
    erroneous: bool | None = None
    is_sure: bool = True
    is_label: bool = False
    epoch: int = 0
    bracket: int | None = None


class Sentence(NamedTuple):
    """The tokens of a sentence, their codes in one string, and the sign that ends it."""

    codes: str
    tokens: list[Token]
    end: str

    def steps_at(self, start: int, end: int) -> tuple[int, ...]:
        """The steps that the tokens from `start` to `end` name."""
        return tuple(step for token in self.tokens[start:end] for step in token.steps)


class Critique:
    """Collects what a text says, sentence by sentence."""

    def __init__(self, n_steps: int) -> None:
        self._n_steps = n_steps
        self._run: list[bool | None] = []
        self._run_lines: list[list[Token]] = []
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

    def add_line(self, tokens: list[Token]) -> None:
        """Take in the tokens of one line: a verdict alone, or several, may be part of a list without numbers."""
        codes = "".join(token.code for token in tokens)
        if not codes:
            return
        bare = _RUN.fullmatch(codes)
        awaits = self._awaits_verdict()
        if bare and bare["other"] and len(_VERDICT_OF_RUN.findall(bare["run"])) == 1:
            bare = None
        if bare and not (awaits and len(_VERDICT_OF_RUN.findall(bare["run"])) == 1):
            for each in _VERDICT_OF_RUN.finditer(bare["run"]):
                self._run.append(None if each[2] in "HP" or "P" in each[1] else (each[2] in "BEb") != ("N" in each[1]))
            self._run_lines.append(tokens)
        else:
            self.close_run()
            self.read_line(tokens)

    def _awaits_verdict(self) -> bool:
        """Whether the label before has no verdict yet."""
        return bool(self._label) and not any(each.steps == self._label for each in self.statements)

    def close_run(self) -> None:
        """End a list of verdicts without numbers; one verdict that is no list is read as a sentence."""
        run, lines, self._run, self._run_lines = self._run, self._run_lines, [], []
        if len(run) == 1 and self._n_steps > 1:
            self.read_line(lines[0])
        elif run:
            self._is_labelled, self.is_worded = False, True
            self._epoch += any(token.code == "M" for token in lines[0])
            for step, erroneous in enumerate(run, 1):
                self._state((step,), erroneous)
            self._label = self._topic = (len(run),)

    def read_line(self, tokens: list[Token]) -> None:
        """Read the tokens of one line."""
        tokens = _mark_items(tokens)
        heading = _BARE_HEADING.fullmatch("".join(token.code for token in tokens))
        if (
            heading
            and not ("N" in heading["negated"] and heading["core"] == "E" and ":" not in heading["of"])
            and not self._awaits_verdict()
        ):
            self._group = (heading["core"] in "BEb") != ("N" in heading["negated"])
            if self._group and heading["of"]:
                self._state((), False, scope="rest")
            return
        start = next((n for n, token in enumerate(tokens) if token.code not in "(-|:,gb"), len(tokens))
        leads = self._leads = start < len(tokens) and tokens[start].code in "SL"
        if leads:
            self._label = self._topic = tokens[start].steps
            self._is_labelled = tokens[start].code == "L" or _is_item(tokens, start)
        else:
            self._is_labelled = self._is_labelled and bool(self._label)
        self._read_question(tokens)
        before, group = len(self.statements), self._group
        for sentence in _cut_sentences(tokens):
            self._read_sentence(sentence, at_start=leads)
        if group is not None and self._group == group:
            self._read_group(tokens, leads=leads, is_said=len(self.statements) > before)

    def _read_group(self, tokens: list[Token], *, leads: bool, is_said: bool) -> None:
        """Take a line below "Incorrect steps:" as one of the steps that it heads."""
        bare = [token for token in tokens if token.code not in "-,.&()|"]
        steps = [step for token in bare if token.code in "SLm" for step in token.steps]
        self.is_worded = True
        numbers_only = all(token.code in "SLm" for token in bare)
        if bare and not is_said and (tokens_lead_step(bare) or numbers_only):
            self._state(tuple(steps) if numbers_only else bare[0].steps, self._group)
        elif not is_said and bare and bare[0].code == "L":
            self._state((), None)
            self._group = None
        elif bare and not leads:
            self._group = None

    def _read_sentence(self, sentence: Sentence, *, at_start: bool) -> None:
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
        sentence, excepted = _take_exception(sentence._replace(codes=codes))
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
        verdicts = re.findall(f"([NV]*)([{_CORE}])", sentence.codes)
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

    def _read_question(self, tokens: list[Token]) -> None:
        """Note what yes means in the lines below a question or the head of a table."""
        codes = "".join(token.code for token in tokens)
        cores = re.findall("N?[GBEae]", codes)
        if not re.search("[SLm]", codes) and len(cores) == 1 and re.search(r"[?|f]|[:]$", codes):
            self._question = (cores[0][-1] in "BEe") != ("N" in cores[0])
        elif not codes.strip("|-:") or re.match("[(|:-]*[SL]", codes):
            return
        else:
            self._question = None

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
        other = re.match(rf"/[NVHP]*([{_CORE}])|/(?:[VN]*)(?:N|$)", right)
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
        if "V" not in pre and core in "GB" and _is_attribute(sentence, match):
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
        steps = _nearest(sentence, before) or self._topic or self._label
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
        if not subjects or "C" in left[subjects[-1] :] and not re.search(r",[CI][^,]*,$", left[subjects[-1] :]):
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
            headed = _HEADED.match(right)
            if headed and _is_headed(headed, sentence.tokens[match.start("core")], left, pre):
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
        if (no_error and not self._is_labelled and not _nearest(sentence, left)) or (every and not self._is_labelled):
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
        steps = _nearest(sentence, left) or self._label or self._topic
        if steps and closes:
            outright = not left or left[-1:] in "|(:-" or not re.search("[SL]", left)
            self._state(steps, erroneous, is_sure=outright)
        return end


def _flip(erroneous: bool | None) -> bool | None:
    return None if erroneous is None else not erroneous


def tokens_lead_step(tokens: list[Token]) -> bool:
    """Whether a line begins with a step."""
    return bool(tokens) and tokens[0].code == "S"


def _is_item(tokens: list[Token], start: int) -> bool:
    """Whether a step at the start of a line is a label: a sign or a verdict follows, not a sentence about it."""
    return (
        tokens[start + 1 : start + 2] == []
        or tokens[start + 1].code in ":-(|gb.)"
        or tokens[start].text.startswith("s1")
    )


def _nearest(sentence: Sentence, left: str) -> tuple[int, ...]:
    """The nearest step to the left that is no object of a preposition."""
    found = [match.start() for match in re.finditer(r"(?<![FnQ])[SL]", left)]
    return sentence.tokens[found[-1]].steps if found else ()


def _is_attribute(sentence: Sentence, match: re.Match[str]) -> bool:
    """Whether an English adjective stands before a noun: "correct identification of the dog" is no verdict."""
    token = sentence.tokens[match.start("core")]
    adverbial = sentence.codes[match.end() : match.end() + 1]
    return token.text[:1].isascii() and adverbial in {"w", "I", "C", "T", "s", "E", "B"} and not _is_verb(token.text)


def _is_verb(text: str) -> bool:
    return (
        text.endswith("s") or " " in text or text in {"follow", "hold", "stand", "match", "fit", "fail", "contradict"}
    )


def _is_headed(headed: re.Match[str], token: Token, left: str, pre: str) -> bool:
    """Whether a verdict belongs to the steps behind it."""
    mid, steps, core, text = headed["mid"], headed["steps"], token.code, token.text
    if re.search("[SLARZ]", left):
        return False
    if steps[0] in "mL":
        if re.match("[F/]m", headed.string[headed.end() :]):
            return False  # "Errors: 3 of 5".
        if core in "gb" and mid == "" and not left:
            return True
        return ":" in mid or ("s" in mid and "w" not in mid and re.search("V", mid) is not None)
    if core in "gb":
        return mid.strip("-(") == ""
    if mid == "" and text.endswith((" with", " to")):
        return True
    if ":" in mid or ("s" in mid and "V" in mid) or re.fullmatch("[sV]*n", mid):
        return True
    of_steps = "F" in mid and "w" not in mid
    return (of_steps and "N" in pre) or (core == "E" and (of_steps or "n" in mid or "V" in mid))


def _take_exception(sentence: Sentence) -> tuple[Sentence, tuple[int, ...]]:
    """Blank the steps that are excepted, and return them."""
    match = _EXCEPTION.search(sentence.codes)
    if not match:
        return sentence, ()
    group = "steps" if match["steps"] else "others"
    steps = sentence.steps_at(match.start(group), match.end(group))
    # What is joined by a comma is the next clause: "except step 1, everything is right".
    width = match.end() - match.start()
    codes = f"{sentence.codes[: match.start()]}{',' * width}{sentence.codes[match.end() :]}"
    return sentence._replace(codes=codes), steps


def _mark_items(tokens: list[Token]) -> list[Token]:
    """Give a number that labels an item the code of one, and take the stop behind it away."""
    marked: list[Token] = []
    skip = False
    if re.fullmatch("-?s:m", "".join(token.code for token in tokens)):
        return [tokens[-1]._replace(code="L")]
    for n, token in enumerate(tokens):
        if skip:
            skip = False
            continue
        if token.code == "m" and len(token.steps) == 1 and _labels_item(tokens, n):
            follower = tokens[n + 1].code if n + 1 < len(tokens) else ""
            skip = follower in {".", ","}
            beyond = next((each.code for each in tokens[n + 1 :] if each.code not in ".:)-|(,"), "")
            if beyond == "S":
                continue
            token = token._replace(code="L")
        marked.append(token)
    return marked


def _labels_item(tokens: list[Token], n: int) -> bool:
    before = [token.code for token in tokens[:n]]
    at_start = all(code in "(-|" for code in before)
    after = "".join(token.code for token in tokens[n + 1 : n + 5])
    if at_start:
        return re.match(rf"$|[.:)|,-]|\(?[NHPV]*[{_CORE}]|\(?[tu]", after) is not None
    joined = before[-1] in f",.;|)({_CORE}&U"
    return joined and re.match(rf"[.:)|,-]*\(?[NHPVW]*[{_CORE}]", after) is not None


def _cut_sentences(tokens: list[Token]) -> Iterator[Sentence]:
    start = 0
    for n, token in enumerate(tokens):
        if token.code in _STOPS or (token.code in "SL" and n > start and _starts_item(tokens, n)):
            end = n + (token.code in _STOPS)
            if n > start:
                yield _make_sentence(tokens[start:n], token.code if token.code in _STOPS else ".")
            start = end
    if start < len(tokens):
        yield _make_sentence(tokens[start:], "\n")


def _starts_item(tokens: list[Token], n: int) -> bool:
    """Whether another item starts within a line: "step 1 = false, step 2 = true"."""
    if tokens[n].code == "L":
        return True
    follows = n + 1 < len(tokens) and tokens[n + 1].code in ":|-("
    return follows and tokens[n - 1].code in ",;|)gb"


def _make_sentence(tokens: list[Token], end: str) -> Sentence:
    codes = "".join(token.code for token in tokens)
    for pattern in (_COMPARED, _ONLY_ONE_THAT):
        for match in reversed(list(pattern.finditer(codes))):
            if pattern is _ONLY_ONE_THAT or tokens[match.end("core") - 1].text in _COMPARISONS:
                tokens = tokens[: match.start("drop")] + tokens[match.end("drop") :]
                codes = codes[: match.start("drop")] + codes[match.end("drop") :]
    # "No other error" speaks of the rest.
    return Sentence(re.sub(r"NR(?=E)", "Nr", codes).replace("Nr", "wr"), tokens, end)


def read_critique(tokens: list[Token], n_steps: int) -> Critique:
    """Read a text of a critic."""
    critique = Critique(n_steps)
    start = 0
    for n, token in enumerate(tokens):
        if token.code == "\n":
            critique.add_line(tokens[start:n])
            start = n + 1
    critique.add_line(tokens[start:])
    critique.close_run()
    return critique
