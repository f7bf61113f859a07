"""Reading what sentences say of the steps of a trace: which verdict of which steps, one statement after another.

A text is matched by the codes of its tokens (`critic.tokens`). Every verdict looks to its left for its subject: right
before it, before what the subject claims, or, where there is none, the step at hand, whose number stood at the start of
the line. A verdict without any subject may head the steps that follow it: "Errors: steps 2 and 4".
"""

import re

from evaluation.extraction.critic.claimants import (
    WHERE_IT,
    carries_claim,
    claims_of_label,
    find_claimant,
    is_claim_of_topic,
    opens_span,
    tells_basis,
)
from evaluation.extraction.critic.first_errors import find_onset, speaks_of_first
from evaluation.extraction.critic.grammar import (
    find_nearest,
    find_spoken_of,
    find_subjects,
    heads_steps,
    is_attribute,
    take_exception,
    takes_object,
    weigh_verdict,
)
from evaluation.extraction.critic.headed import LEAD, HeadedReader
from evaluation.extraction.critic.paragraphs import concludes, follow_paragraph
from evaluation.extraction.critic.refutations import find_claim, find_refuted, tells_outcome
from evaluation.extraction.critic.rhetorical_questions import BOTH, flip
from evaluation.extraction.critic.sentence_codes import CORE, Sentence
from evaluation.extraction.language.lexicon import WORD_LISTS

_PRE = "NHPWVOdcRrt"
_SUBJECTS = "SLmAZRTIy"
_VERDICT = re.compile(
    rf"(?P<pre>[NHPWVOdcrtu]*(?:(?<=[VNHc])w{{1,2}}(?=E))?)(?P<core>[{CORE}])(?:[(:|]*(?P<keyed>[tuN]|V(?=$|[|]))(?=$|[.,;)|-]))?"
    rf"|(?P<open>[VdNPO]*H[NVH]*(?![{_PRE}]*[{CORE}]))"
    r"|(?P<ellipsis>V+N(?=$|[,.;:)UQ-])|V+(?=[,.;)]?$)|V[cs](?=[,.;)]?$))"
    r"|(?P<same>(?:K|Q|&K|,K)V+|j|K)(?=[SmR](?:$|[,.;:)&]))"
)
_SUBJECT_AT_END = re.compile(r"(?P<not>[NpP]?)(?P<subject>[SLmAZRTIy])s?[)]?$")
_PARENTHESIS = re.compile(r"\([^()]*\)[:|,-]*$")
_DENIED_VERB = re.compile("(?:do|does|did)(?: not|n't) ")
# "The others are unaffected and correct".
_JOINED_PREDICATE = re.compile("(?<=[SLRA])(?P<predicate>d?V+(?:w{1,2}(?:F[SI])?|N?[CwH]{1,2}F?I?)&)$")
# "Apart from that, all is fine".
_BESIDE_THAT = re.compile("X[CIw]x?(?=,|N|d|V|$)")
_DOUBTED = re.compile(r"H[F&C]?(?P<steps>[Sm])")
# "Step 4 depends on the dog, so it's wrong".
_RESTS_ON = re.compile("W?F[wSI]{1,4},[KUI]")
# "Step 4, which builds on it, is wrong".
_RELATIVE = re.compile("[SL](?=,I[^,SGBE]*,$)")
_NO_BUT = re.compile("[Nu],+[NV]*[GBE]")
# "The first error is in step 2, and it is the only one".
_AND_ONLY = re.compile("[,&]*[IV]*O[EBc]s?")
# "Step 3 is wrong, or perhaps both".
_PERHAPS_BOTH = re.compile("/H[dAIR](?=$|[,.;])")
_ITEM = re.compile("&?(?P<step>S)[-(,:][^SLGBEgbMH?]*")
_OPENS = re.compile("[/&UK,M]*H[ITAR]")
_FRONTED = re.compile("[U,&KM]*(?:n(?P<step>S),?|[QF]{1,2}(?P<topic>S),)w{1,6}V*$")
# "From there on, the reasoning is wrong".
_SPAN_BEFORE = re.compile("(?<![^U&,;K])S,?$")
# "It invents a violin in step 3".
_MADE_IN = re.compile("w{1,4}nS(?=$|[.,;&U])")
# "第3步因此不成立".
_SO_IT_IS = re.compile("(?<=(?<![CFnQ])[SL])K$")
_OF_EACH = re.compile(r"^[FnwI]{0,3}(?:W|A|n?A|s?W)")

# A claim is true or false by itself; what true says of a step may be what the prompt calls true.
_SPOKEN = {
    "what", "claim", "the claim", "this claim", "its claim", "the claims", "the statement", "this statement",
    "statement",
}  # fmt: skip
_THEY = {"they", "these", "them"}
_MAX_SUBJECTS = 8
_WITHOUT_ERROR = WORD_LISTS["WITHOUT_ERROR"]


class SentenceReader(HeadedReader):
    """Reads what sentences say of steps, one statement after another."""

    def __init__(self) -> None:
        super().__init__()
        self._polarity: bool | None = None
        self._claimant: tuple[int, ...] = ()
        self._denies_errors = False

    def read_sentence(self, sentence: Sentence, *, at_start: bool) -> None:
        """Read one sentence; `at_start` tells that its line begins with a step."""
        codes = self._open(sentence)
        if not self._asked and _NO_BUT.match(codes) and sentence.tokens[0].text in {"no", "nope", "不", "不对"}:
            codes = f"M{codes[1:]}"  # "Correct … no, incorrect".
        sentence = sentence._replace(codes=codes)
        self._paragraph = follow_paragraph(sentence, self._paragraph)
        self.concludes = concludes(sentence, self.concludes)
        if "i" in codes or "o" in codes:
            sentence = self._read_onset(sentence)
        if not sentence.codes or self._read_prepared(sentence):
            return
        if self._read_continued(sentence, codes):
            return
        for steps, erroneous in find_refuted(sentence):
            self._state(steps, erroneous, is_sure=False)
            self.is_worded = True
        excepting, excepted = take_exception(sentence)
        beside = None if excepted else _BESIDE_THAT.search(excepting.codes)
        before = len(self.statements)
        is_open = _OPENS.match(codes) is not None
        if beside:
            self._read_beside(excepting, beside.start(), beside.end())
        else:
            self._excepts = bool(excepted)
            self._read_verdicts(excepting)
        if excepted:
            self._except(excepted, before)
        for match in _DOUBTED.finditer(excepting.codes):
            steps = sentence.steps_at(match.start("steps"), match.end())
            settled = "U" in codes[match.end() :] and any(each.steps == steps for each in self.statements[before:])
            if excepting.tokens[match.start()].text not in {"depends", "depending"} and not settled:
                self._state(steps, None)
        if is_open:  # "Or maybe it is right".
            self.statements[before:] = [
                each._replace(erroneous=None, is_sure=True) for each in self.statements[before:]
            ]
        if _PERHAPS_BOTH.search(codes):
            self._state((), None, scope="all")
        if sentence.end == "?":
            self._ask(sentence, before)
        named = [n for n, token in enumerate(sentence.tokens) if token.code == "S" and len(token.steps) == 1]
        self._note_unjudged(sentence, named, before)
        if named and not at_start:
            # "Step 4 builds on step 3. It is wrong": not what it builds on.
            free = (n for n in reversed(named) if sentence.codes[max(0, n - 1) : n] not in {"C", "F"})
            place = next(free, None if self._paragraph else named[-1])
            self._topic = self._topic if place is None else sentence.tokens[place].steps
        self.spoken.update(find_subjects(sentence, sentence.codes))
        self._spoken_of = [*self._spoken_of, *find_spoken_of(sentence, sentence.codes)][-_MAX_SUBJECTS:]

    def _read_continued(self, sentence: Sentence, codes: str) -> bool:
        """Read a sentence that goes on with a list or tells the outcome of a claim; False for any other."""
        heading, self._heading = self._heading, None
        if heading is not None and (item := _ITEM.fullmatch(codes)):
            # "Incorrect: step 2 – no dog; step 4 – nobody screams".
            self._state(sentence.tokens[item.end("step") - 1].steps, heading)
            self._heading = heading if sentence.end == ";" else None
            return True
        claimant, self._claimant = self._claimant, find_claim(sentence)
        if claimant and (denied := tells_outcome(sentence)) is not None:
            self._state(claimant, denied, is_sure=False)
            return True
        return False

    def _read_onset(self, sentence: Sentence) -> Sentence:
        """Read "the first error is in step 3", and return what the sentence says behind that."""
        onset = find_onset(sentence)
        self.is_worded = self.is_worded or onset is not None
        self.names_first = self.names_first or onset is not None or speaks_of_first(sentence.codes)
        if onset is None:
            return sentence._replace(codes="") if speaks_of_first(sentence.codes) else sentence
        if onset.steps:
            self._state(onset.steps, True, scope="first")
            self._topic = onset.steps
        else:
            self._state((), False, scope="all")
        if _AND_ONLY.fullmatch(sentence.codes, onset.end):
            self._state((), False, scope="rest")
        return Sentence(sentence.codes[onset.end :], sentence.tokens[onset.end :], sentence.end)

    def _read_beside(self, sentence: Sentence, start: int, end: int) -> None:
        """Read "Step 2 is wrong; apart from that, all is fine": what is said of all is said of the rest."""
        self._excepts = False
        self._read_verdicts(Sentence(sentence.codes[:start], sentence.tokens[:start], ","))
        before, self._excepts = len(self.statements), True
        self._read_verdicts(Sentence(sentence.codes[end:], sentence.tokens[end:], sentence.end))
        said = self.statements[before:]
        self.statements[before:] = [each._replace(scope="rest") if each.scope == "all" else each for each in said]

    def _read_verdicts(self, sentence: Sentence) -> None:
        position = 0
        for match in _VERDICT.finditer(sentence.codes):
            if match.start() >= position:
                self._epoch += "M" in sentence.codes[position : match.start()]
                position = max(match.end(), self._read_verdict(sentence, match, position))
        self._epoch += "M" in sentence.codes[position:]

    def _read_verdict(self, sentence: Sentence, match: re.Match[str], since: int) -> int:
        """Read one verdict, and return where reading goes on."""
        codes = sentence.codes
        if match["same"]:
            self._state_of(sentence, codes[: match.end() + 1], match.end() + 1, self._last, since=match.end())
            return match.end() + 1
        if match["ellipsis"]:
            left = _PARENTHESIS.sub("", codes[: match.start()]).rstrip(LEAD)
            if self._polarity is not None and left[-1:] in {"S", "m", "R", "L"}:
                self.is_worded = True
                negated = "N" in match["ellipsis"]
                erroneous = None if negated and self._denies_errors else self._polarity != negated
                self._state_of(sentence, left, len(left), erroneous, since=since)
            return match.end()
        if match["open"]:
            left = codes[: match.start()].rstrip(LEAD)
            rests = _RESTS_ON.match(codes, match.end()) and sentence.tokens[match.end() - 1].text.startswith("depend")
            if rests:
                return match.end()
            if left[-1:] in {"S", "L"} or (not left and self._is_labelled):
                self._state_of(sentence, codes[: match.start()], match.start(), None, since=since)
            return match.end()
        return self._read_core(sentence, match, since)

    def _read_core(self, sentence: Sentence, match: re.Match[str], since: int) -> int:
        codes, pre, core = sentence.codes, match["pre"], match["core"]
        polarity, negated, erroneous, end = weigh_verdict(codes, match)
        self._last_said = erroneous is True
        left, right = codes[: match.start()], codes[match.end() :]
        if tells_basis(sentence, match, is_judged=self._label in self._answered):
            return end
        if steps := find_claimant(sentence, match, since, is_labelled=self._is_labelled):
            self._state(steps, erroneous)
            self.is_worded = True
            self.names_first |= WHERE_IT.search(codes[since : match.start()]) is not None
            return end
        if core in "ae" and left.rstrip(LEAD)[-1:] not in {"S", "L", "m", "R"}:
            told = re.search("[SLR][CwI]{1,6}$", left[since:])
            if told and not right.strip(".,"):
                self._state_of(sentence, left[: since + told.start() + 1], len(left), erroneous, since=since)
            return end
        if sentence.tokens[match.start("core")].text.startswith(("contradict", "conflict")) and right.startswith("S"):
            self.names_first = True  # Two steps that contradict each other: perhaps the other one is wrong.
        named_both = match.start() - (left[-1:] == "p")  # "这两步都是错误的".
        if sentence.tokens[named_both].text.startswith(BOTH) and (both := self._find_both(sentence, left)):
            self._state(both, erroneous)
            self.is_worded = True
            return end
        an_object = re.search("[FQ]S[)]?$" if "V" not in pre else "FS[)]?$", left.rstrip(LEAD))
        if an_object and not re.fullmatch("[(|y]*[QFn]+S[:,]", left):
            self._say_of_topic(sentence, left.rstrip(LEAD)[:-1], erroneous)
            return end
        is_flag = sentence.tokens[match.start("core")].text.endswith(("true", "false"))
        self.is_worded |= not is_flag or any(token.text in _SPOKEN for token in sentence.tokens)
        if self._read_with_subject(sentence, match, erroneous, since):
            if erroneous is not None:
                # "Step 2 does not match it. Steps 1 and 3 do": they do match it.
                self._polarity = polarity and not _DENIED_VERB.match(sentence.tokens[match.start("core")].text)
                # "Step 1 has no errors, step 2 does not": not what, errors or none?
                self._denies_errors = core == "E" and negated
            return end
        return self._read_headed(sentence, match, erroneous, end)

    def _read_with_subject(self, sentence: Sentence, match: re.Match[str], erroneous: bool | None, since: int) -> bool:
        codes, pre, core = sentence.codes, match["pre"], match["core"]
        left = codes[: match.start()]
        bare = _SO_IT_IS.sub("", left.rstrip(LEAD + "Uf"))
        if erroneous is not None and heads_steps(sentence, match):
            return False
        if sentence.tokens[match.start("core")].text in _WITHOUT_ERROR and codes.startswith("T", match.end()):
            self._state((), erroneous, scope="all")  # "This is a flawless chain of reasoning".
            return True
        if (
            left[-1:] in {",", "U", "&"}
            and codes.startswith("S", match.end())
            and takes_object(sentence.tokens[match.start("core")])
        ):
            return False  # "I agree with step 1, but disagree with step 2".
        if "V" in pre and (related := _RELATIVE.search(left)):
            self._state(sentence.tokens[related.start()].steps, erroneous, is_sure=False)
            return True
        if is_claim_of_topic(sentence, match):
            self._say_of_topic(sentence, "", erroneous)
            return True
        if "V" not in pre and core in "GB" and is_attribute(sentence, match):
            return bool(bare) and _SUBJECT_AT_END.search(bare) is not None
        if re.search("[SRAZ]Q$", left) and sentence.tokens[len(left) - 1].text == "as":
            bare = left = left[:-1]  # "I'd mark step 2 as wrong".
        if erroneous and core == "E" and re.search("[FnQ]T,$", left):
            return False  # "Looking at the reasoning, the problem is in step 3".
        if joined := _JOINED_PREDICATE.search(bare):
            bare = left = left[: joined.start("predicate")]
        if _SUBJECT_AT_END.search(bare) or _SUBJECT_AT_END.search(_PARENTHESIS.sub("", left).rstrip(LEAD)):
            whole = bare if _SUBJECT_AT_END.search(bare) else _PARENTHESIS.sub("", left).rstrip(LEAD)
            return self._read_direct(sentence, whole, match, erroneous, since)
        if core == "E" and re.search(r"[SL][:(|-]+w{1,3}$", left) and re.match("[(:;,-]|[.)|]*$", codes[match.end() :]):
            self._state_of(sentence, left.rstrip("w").rstrip(LEAD), len(left), erroneous, since=since)
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
        placed = _MADE_IN.match(right) if subject in "TI" and erroneous and match["core"] == "B" else None
        if placed and not fronted:
            self._state(sentence.steps_at(match.end(), match.end() + placed.end()), erroneous)
        elif fronted:
            self._state(sentence.tokens[fronted.end() - 1].steps, erroneous)
        elif (opener := _SPAN_BEFORE.search(before)) and subject in "ATI" and opens_span(sentence, opener.start()):
            self._state(sentence.tokens[opener.start()].steps, erroneous)
        elif subject in "ATI" and right.startswith("S") and sentence.tokens[match.end()].text[:5] == "up to":
            self._say_up_to(sentence.tokens[match.end()], erroneous)
        elif subject == "A" and right.startswith("S"):
            span = sentence.steps_at(match.end(), match.end() + 1)
            self._state(span[:-1], erroneous)
        elif subject in "AIp" and (both := self._speaks_of_both(sentence, left, match)):
            self._state(both, erroneous)
        elif subject == "A" and before == "Nn":
            self._state((), flip(erroneous), scope="all")  # "Nothing in the five steps is wrong".
        elif subject in "AZ":
            before = re.sub("^[Ntu],", "", before)
            if not re.search("[cpNPmO]F$", before) and before[-1:] not in {"N", "P", "p"} and "N" not in before[-2:]:
                self._state((), erroneous if subject == "A" else flip(erroneous), scope="all")
        elif subject == "R":
            if before[-1:] in {"N"}:
                erroneous = flip(erroneous)
            self._state((), erroneous, scope="rest")
            self._last = erroneous
        elif subject == "T":
            return self._read_trace(sentence, left, before, match, erroneous)
        elif subject == "I" and self._excepts and sentence.tokens[len(left) - 1].text in _THEY:
            self._state((), erroneous, scope="all")
        elif erroneous and re.match("[nV]{1,2}S" if subject + match["core"] == "IE" else "Fw{1,3}nS", right):
            return False  # "The reasoning's problem is in step 2".
        elif subject in "Iy":
            self._read_pronoun(sentence, before, subject, match, erroneous)
        elif neither := re.search("(?:NS,?)+$", left):
            self._state(sentence.steps_at(neither.start(), len(left)), flip(erroneous))
            self._last = flip(erroneous)
        elif subject == "m" and not re.search(r"(?:^|[,;&U(]|[yM]:)[Od]?$", before):
            return False
        else:
            self._state_of(sentence, left, len(left), erroneous, since=since)
            if only and "N" not in before[-2:] and erroneous is not None:
                self._state((), not erroneous, scope="rest")
        return True

    def _read_trace(
        self, sentence: Sentence, left: str, before: str, match: re.Match[str], erroneous: bool | None
    ) -> bool:
        """Read a verdict on the trace as a whole: "the reasoning is sound"."""
        no_error = match["core"] == "E" and "N" in match["pre"] and not erroneous
        no_error = no_error or sentence.tokens[match.start("core")].text in _WITHOUT_ERROR
        whole = re.search("whole|entire", sentence.tokens[len(left.rstrip("s)")) - 1].text) and erroneous is False
        whole = whole or self._excepts or before[-2:] in {"An", "AF"}
        right = sentence.codes[match.end() :]
        if erroneous and re.search("S[VI]*w$", before):
            self._say_of_topic(sentence, before, erroneous, is_sure=True)
        elif erroneous and not self._excepts and before == "":
            return False
        elif no_error or whole or "W" in match["pre"] or _OF_EACH.search(right) or "d" in match["pre"]:
            self._state((), erroneous, scope="all")
        return True

    def _read_predicate(self, sentence: Sentence, left: str, erroneous: bool | None, since: int) -> bool:
        """Read a verdict whose subject stands further left: "Step 5, that he left, is a sound conclusion"."""
        clause = left[since:]
        if clause.startswith("I") or (since == 0 and claims_of_label(sentence, left)):
            self._say_of_topic(sentence, "", erroneous)
            return True
        in_brackets = re.findall(r"\(S\)", clause)
        subjects = [
            m.start() + since for m in re.finditer(r"(?<![FnQ])[SL]" if not in_brackets else r"(?<=\()S", clause)
        ]
        if not subjects and re.fullmatch("[U,&]*R[Vw&]*", clause):
            self._state((), erroneous, scope="rest")
            return True
        segment = re.split("[,&U]", left)[-1]
        if re.search("[QN]", segment.lstrip("Q")) or (segment.startswith("Q") and "S" not in segment):
            return True  # "Since no crowd is heard": a reason, not a verdict.
        if not subjects and re.fullmatch(",?&[wV]*", clause) and (steps := find_nearest(sentence, left)):
            self._state(steps, erroneous, is_sure=False)
            return True
        if not subjects and (fronted := _FRONTED.match(clause)):
            # "In step 2 the speaker's age is wrong".
            place = since + max(fronted.start("step"), fronted.start("topic"))
            self._state(sentence.steps_at(place, place + 1), erroneous, is_sure=False)
            return True
        if not subjects or (
            carries_claim(sentence, left, subjects[-1])
            and not re.search(r",[CI][^,]*,$", left[subjects[-1] :])
            and not (left.endswith(",") and not sentence.tokens[-1].text.isascii())  # "第三步由此得出结论，也是错误的".
        ):
            return False
        chosen = subjects if in_brackets else subjects[-1:]
        self._state(tuple(step for n in chosen for step in sentence.tokens[n].steps), erroneous, is_sure=False)
        return True
