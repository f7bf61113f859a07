"""Questions that a critic asks and answers, truth values of steps, and statements that something before prepares."""

import re

from evaluation.extraction.critic.critic_tokens import CriticToken
from evaluation.extraction.critic.grammar import Scope, StepStatement, count_announced, find_nearest, find_spoken_of
from evaluation.extraction.critic.numbers import list_numbers
from evaluation.extraction.critic.paragraphs import THIS_STEP, has_subject, starts_clause
from evaluation.extraction.critic.sentence_codes import CORE, Sentence

_FLAG = re.compile(
    r"(?:[KMU,w]{0,3}y[wV]?:)?[(|-]*(?P<step>[SL])[:(|.,)-]*(?:V(?=[tuN]))?(?P<flag>[tuNV])(?=$|[.,;()|:-])"
)
_FLAG_OF_REST = re.compile("[U&,]*R[:(|,-]*(?P<flag>[tu])[)]?")
# Stands among numbers of steps for all that have no truth value of their own.
REST = -1000
BOTH = ("both", "these two", "those two", "the two", "两步", "这两步", "两者", "二者")
# "It starts well, but step 3 …": step 3 is not among those that are right.
_CONTRASTED = re.compile("U,?n?(?=S)")
_LATE_FLAG = re.compile(r"(?P<flag>[tu])[QFn(]{1,2}(?P<of>[SRA])")
_PLACE_OF_ERRORS = re.compile("[IU,]*V*n(?P<steps>(?:[Sm][,&n]*)+)(?:[,:(-]*[wIQ][^SmLARGBEgbHMNU]*)?")
# "The following steps do not depend on it and are right": so are those before.
_FOLLOWING = re.compile("follow|later|subsequent|after|后")
# "There are two errors. The first is in step 2, the second in step 3".
_EACH_PLACE = re.compile("[Sci]w?[VC]*nS[^GBE]*nS")
# "There are two errors, one in step 2 and one in step 3".
_ONE_EACH = re.compile("[wIT]{0,3}V*c[wG]?[EB]s?[,:(-]+(?:[cORw]{1,2}nS[,&]*){2,9}$")
_ONE_AT = re.compile("(?<![SE])[cOR]w?nS")
_ANNOUNCED = re.compile("c[wG]?[EB]s?$")
_WHICH = re.compile("(?:w:)?(?:Is?V?([GBE])|I[GBE]s?V*)|(?P<where>w)V*[IT]?[wV]{0,2}[BE]")
# "Because step 3 repeats that count, it is wrong too".
_BECAUSE = re.compile("(?:^|[,;])[U&,K]*Q(?P<step>S)[wCH][^GBEL]*,$")
_ANSWERS_OF_STEPS = {"yes", "no", "yep", "nope", "是", "是的", "否", "不"}
_LABEL = re.compile("[(|U&,M]*(?:[QFn]+(?=S,)(?P<topic>S)|(?:[QFny]+(?=S:))?(?P<step>[SL])(?:(?![,&/])|(?=,[IyT])))")
# Revisions that take back what was said, rather than go on.
_RESTARTS = {
    "actually no", "no wait", "wait no", "i mixed up", "sorry no", "scratch that", "i take that back", "i was wrong",
    "my mistake", "i stand corrected",
}  # fmt: skip
_STARTS_WELL = {
    "starts well", "starts out well", "starts off well", "begins well", "starts correctly", "begins correctly",
    "started well", "is off to a good start", "gets off to a good start", "开头没问题", "开头是对的",
}  # fmt: skip
# "All but one hold. The exception is step 2".
_EXCEPTION_IS = re.compile("[UOw]{0,2}X:?(?:S[,&]*)+(?=$|[,;:(.Q])")
_ANSWER = re.compile("[tuN](?=$|[,.:U-])")
_FIRST_WORDS = 4


def flip(erroneous: bool | None) -> bool | None:
    """The opposite verdict; one that is left open stays so."""
    return None if erroneous is None else not erroneous


def find_place(sentence: Sentence, before: str) -> tuple[int, ...]:
    """The step in which something stands: "it misses the key change in step 2, so this step is wrong"."""
    places = [match.start("step") for match in re.finditer("n(?P<step>S)", before)]
    return sentence.tokens[places[-1]].steps if places else ()


def _find_only(sentence: Sentence, before: str) -> tuple[int, ...]:
    """The only step that a sentence names: "I was unsure about step 2, but it is right"."""
    places = [place for place, code in enumerate(before) if code == "S"]
    return sentence.tokens[places[0]].steps if len(places) == 1 else ()


class StatementCollector:
    """Collects statements, with the step at hand, and reads those that a question or a count prepares."""

    def __init__(self) -> None:
        self.statements: list[StepStatement] = []
        self.flags: list[tuple[int, bool]] = []
        self.names_first = self.is_worded = self.flags_are_answers = self.flags_are_doubtful = False
        self.starts_well = self.concludes = self.follows = False
        self.announced: set[int] = set()
        self._announced = 0
        self.mentioned: set[int] = set()
        self.spoken: set[int] = set()
        self.contrasted: set[int] = set()
        self.n_words = self.restart = 0
        self._last: bool | None = None
        self._last_said = False
        self._answered: set[tuple[int, ...]] = set()
        self._spoken_of: list[int] = []
        self._texts: set[str] = set()
        self._label: tuple[int, ...] = ()
        self._topic: tuple[int, ...] = ()
        self._paragraph: tuple[int, ...] = ()
        self._exception: tuple[int, ...] = ()
        self._unjudged: tuple[int, ...] = ()
        self._n_before_unjudged = 0
        self._is_labelled = self._leads = False
        self._epoch = self._brackets = 0
        self._question: bool | None = None
        self._which: bool | None = None
        self._asked: list[tuple[int, bool | None]] = []
        self._asks_for_errors = self._judges = False
        self._n_announced = 0

    def _state(
        self, steps: tuple[int, ...], erroneous: bool | None, *, scope: Scope = "steps", is_sure: bool = True
    ) -> None:
        self._answered.add(steps)
        is_label = self._is_labelled and steps == self._label and scope == "steps"
        self.statements.append(StepStatement(steps, scope, erroneous, is_sure, is_label, self._epoch))
        if scope == "rest" and self._exception:
            exception, self._exception = self._exception, ()
            self._state(exception, flip(erroneous))

    def _note_unjudged(self, sentence: Sentence, named: list[int], before: int) -> None:
        """Note the step that a sentence is about where it states nothing: "Step 2 mentions the rain"."""
        if named and len(self.statements) == before:
            is_subject = named[-1] < _FIRST_WORDS and sentence.codes[max(0, named[-1] - 1) : named[-1]] not in {
                "C",
                "F",
            }
            self._unjudged = sentence.tokens[named[-1]].steps if is_subject else ()
            self._n_before_unjudged = before

    def _find_unjudged(self) -> tuple[int, ...]:
        """The step that the sentence before is about, if nothing was stated since."""
        return self._unjudged if len(self.statements) == self._n_before_unjudged else ()

    def _state_only(self, steps: tuple[int, ...], erroneous: bool) -> None:
        """State a verdict of these steps and the opposite of all others."""
        self._state(steps, erroneous)
        self._state((), not erroneous, scope="rest")
        self.is_worded = True

    def _state_exception(self, steps: tuple[int, ...]) -> None:
        """State the exception from what was said last, of all steps, if it was, or from what is said of the others."""
        if not self._judges:
            self._exception = steps
            return
        of_all = [each.erroneous for each in self.statements if each.scope == "all" and each.erroneous is not None]
        erroneous = of_all[-1] if of_all else self._last_said
        self.statements = [each._replace(scope="rest") if each.scope == "all" else each for each in self.statements]
        self._state_only(steps, not erroneous)

    def _read_pronoun(
        self, sentence: Sentence, before: str, subject: str, match: re.Match[str], erroneous: bool | None
    ) -> None:
        """Read a verdict on "it" or "this step", which the sentences before have named."""
        if re.search("C[wC]?$", before):
            return  # "The step says that the answer is wrong".
        if (
            match["core"] == "E"
            and "N" in match["pre"]
            and not (erroneous or self._topic or self._label or find_nearest(sentence, before))
        ):
            self._state((), False, scope="all")
            return
        if "d" in match["pre"] and not (self._topic or self._label or find_nearest(sentence, before)):
            self._state((), erroneous, scope="all")  # "They are all wrong".
            return
        if self._paragraph and sentence.tokens[len(before)].text in THIS_STEP and not has_subject(before):
            self._state(self._paragraph, erroneous, is_sure=starts_clause(before))
            self._last = erroneous
            return
        named = sentence.codes[: match.start()].endswith(("y:", "I:", "y-", "y"))
        is_sure = named and subject == "y" and not before.strip("(|:-")
        self._say_of_topic(sentence, before, erroneous, is_sure=is_sure)

    def _say_of_topic(self, sentence: Sentence, before: str, erroneous: bool | None, *, is_sure: bool = False) -> None:
        """Say it of the step that "it" or "this claim" stands for."""
        because = None if self._is_labelled else _BECAUSE.search(before)
        if because:
            steps = sentence.steps_at(because.end("step") - 1, because.end("step"))
        else:
            steps = find_nearest(sentence, before) or find_place(sentence, before) or self._topic or self._label
            steps = steps or _find_only(sentence, before)
        if steps:
            self._state(steps, erroneous, is_sure=is_sure)
            self._last = erroneous
        elif before.count("A") == 1:
            self._state((), erroneous, scope="all")  # "I checked all the steps, and they are correct".

    def _find_both(self, sentence: Sentence, left: str) -> tuple[int, ...]:
        """The two steps spoken of last, "step 3 hears a flute and step 4 builds on that; both are wrong"."""
        spoken = [*self._spoken_of, *find_spoken_of(sentence, left)]
        latest = list(dict.fromkeys(reversed(spoken)))[:2]
        if len(latest) < 2:  # "Since step 2 inherits its mistake from step 1, both are wrong".
            named = [step for token in sentence.tokens[: len(left)] if token.code == "S" for step in token.steps]
            latest = list(dict.fromkeys(named))
        return tuple(sorted(latest)) if len(latest) == 2 else ()

    def _speaks_of_both(self, sentence: Sentence, left: str, match: re.Match[str]) -> tuple[int, ...]:
        """The two steps that "both of them", or "they are both", stands for."""
        spoken = [sentence.tokens[len(left) - 1], *sentence.tokens[match.start("pre") : match.end("pre")]]
        is_part = left[-2:-1] == "F"  # "One of the two steps".
        says_both = not is_part and any(token.text.startswith(BOTH) for token in spoken)
        return self._find_both(sentence, left) if says_both else ()

    def _say_up_to(self, span: CriticToken, erroneous: bool | None) -> None:
        """Read "everything is right up to step 3": step 3 itself is meant where step 4 is said to be wrong."""
        if "including" in span.text:
            self._state(span.steps, erroneous)
        else:
            self._state(span.steps[:-1], erroneous)
            self._state(span.steps[-1:], erroneous, scope="edge")

    def settle_answers(self) -> None:
        """Read "Step 3: no" as the answers whose steps are judged in words too, "Step 1: yes, correct", show."""
        said = {step: each for each in self.statements if each.scope == "steps" for step in each.steps}
        known = [(said[step], flag) for step, flag in self.flags if step in said]
        shown = {each.erroneous == flag for each, flag in known if each.erroneous is not None}
        if len(shown) != 1 or self.flags_are_doubtful or not any(each.is_sure or each.is_label for each, _ in known):
            return
        yes_is_wrong = shown.pop()
        for step, flag in self.flags:
            if step not in said and step != REST:
                self._state((step,), flag == yes_is_wrong)

    def _except(self, excepted: tuple[int, ...], before: int) -> None:
        """Turn "all are correct except step 2" into a verdict of step 2 and one of the rest."""
        said = [each for each in self.statements[before:] if each.scope != "steps" and each.erroneous is not None]
        of_steps = [each for each in self.statements[before:] if each.scope == "steps" and each.erroneous is not None]
        del self.statements[before:]
        if said:
            erroneous = bool(said[0].erroneous)
            self._state((), erroneous, scope="rest")
            self._state(excepted, not erroneous)
            return
        self.statements += of_steps
        if of_steps:
            self._state(excepted, not of_steps[-1].erroneous)  # "Errors in step 1, but not in step 2".

    def _open(self, sentence: Sentence) -> str:
        """Note the step and the brackets that a sentence brings, and return its codes up to a condition."""
        codes = sentence.codes
        self.n_words += codes.count("w")
        self._announced = count_announced(sentence)
        self.announced.add(self._announced)
        self._texts = {token.text for token in sentence.tokens}
        self._epoch += "after all" in self._texts
        if "M" in codes and not self._texts.isdisjoint(_RESTARTS):
            self.restart = self._epoch + 1
        self.starts_well |= not self._texts.isdisjoint(_STARTS_WELL)
        for contrast in _CONTRASTED.finditer(codes):
            self.contrasted.update(sentence.tokens[contrast.end()].steps)
        self.follows |= any(token.code == "S" and _FOLLOWING.search(token.text) for token in sentence.tokens)
        if codes[:1] == "S" and len(sentence.tokens[0].steps) == 1:
            self.mentioned.update(sentence.tokens[0].steps)
        exception = _EXCEPTION_IS.match(codes) if "X" in codes else None
        if exception and sentence.tokens[codes.index("X")].text.endswith(("is", "are", "是")):
            self._state_exception(sentence.steps_at(0, exception.end()))
        self._judges = self._judges or re.search(f"[{CORE}]", codes) is not None
        if lead := _LABEL.match(codes):
            self._label = self._topic = sentence.tokens[lead.end() - 1].steps
        for code in codes if "J" in codes else ():
            self._epoch += code == "M"
            if code == "J":
                self.statements.append(StepStatement((), bracket=self._brackets, epoch=self._epoch))
                self._brackets += 1
        codes = codes.replace("J", "w")
        if "f" in codes and sentence.end != "?" and not re.search("f[GBE]:[tuNV]", codes):
            codes = codes[: codes.index("f")]
            if any(token.text == "would" for token in sentence.tokens[: len(codes)]):
                codes = ""  # "Step 2 would be wrong if the tone were lower".
        return codes

    def _read_prepared(self, sentence: Sentence) -> bool:
        """Read a sentence that something before prepares, or that has a form of its own; False for any other."""
        codes = sentence.codes
        self._read_answer(codes)
        which, self._which = self._which, None
        if which is not None and re.fullmatch("(?:[yM]:)?O?n?[Sm,&.]+", codes):
            self._state_only(sentence.steps_at(0, len(codes)), which)
            return True
        n_announced, self._n_announced = self._n_announced, self._count_announced(sentence)
        place = _PLACE_OF_ERRORS.fullmatch(codes) if n_announced else None
        steps = sentence.steps_at(0, place.end("steps")) if place else ()
        each_place = (n_announced and _EACH_PLACE.match(codes)) or (self._announced and _ONE_EACH.match(codes))
        if not steps and each_place:
            places = [match.end() for match in re.finditer("n(?=S)", codes)]
            steps = tuple(step for place in places for step in sentence.tokens[place].steps)
        if not steps and self._announced > 1 and len(at := list(_ONE_AT.finditer(codes))) == self._announced:
            steps = tuple(step for match in at for step in sentence.tokens[match.end() - 1].steps)
        if steps and len(steps) in {n_announced, self._announced}:
            self._state_only(steps, True)
            return True
        return self._read_flag(sentence) or self._read_in_turn(sentence)

    def _count_announced(self, sentence: Sentence) -> int:
        """How many errors a sentence announces without saying where: "There are two errors"."""
        counts = [token.text for token in sentence.tokens if token.code == "c"]
        if len(counts) != 1 or not _ANNOUNCED.search(sentence.codes) or re.search("[SLN]", sentence.codes):
            return 0
        return (*list_numbers(counts[0]), 0)[0]

    def _read_in_turn(self, sentence: Sentence) -> bool:
        """Read "steps 1 and 2 are right and wrong, respectively"."""
        if "respectively" not in self._texts:
            return False
        steps = sentence.steps_at(0, len(sentence.tokens))
        verdicts = re.findall(f"([NV]*)([{CORE}])", sentence.codes)
        if len(steps) != len(verdicts) or len(steps) < 2:
            return False
        self.is_worded = True
        for step, (negated, core) in zip(steps, verdicts, strict=True):
            self._state((step,), (core in "BEb") != ("N" in negated))
        return True

    def _read_flag(self, sentence: Sentence) -> bool:
        """Read "Step 1: yes" below a question, or keep "Step 1: false" until all is read; whether it was the former."""
        for late in _LATE_FLAG.finditer(sentence.codes):
            steps = sentence.tokens[late.end() - 1].steps
            if sentence.tokens[late.start()].text in {"true", "false"}:
                self.flags += [(step, late["flag"] == "t") for step in (steps if late["of"] == "S" else (REST,))]
        if rest := _FLAG_OF_REST.fullmatch(sentence.codes):
            self.flags.append((REST, rest["flag"] == "t"))  # "All others: false".
        flag = _FLAG.match(sentence.codes)
        if not flag:
            return False
        self._label = sentence.tokens[flag.start("step")].steps
        token = sentence.tokens[flag.start("flag")]
        if token.code == "V" and token.text != "是":
            return False
        if self._question is not None:
            self._state(self._label, (token.code in "tV") == self._question)
            self.is_worded = True
            return True
        if token.text in {"true", "false", "t", "f", *_ANSWERS_OF_STEPS}:
            # "False, there is no dog": of the claim, not of what the prompt asks.
            doubt = token.code == "u" and re.match("[^GBE]*N[^GBE]*$", sentence.codes[flag.end() :]) is not None
            self.flags_are_doubtful = self.flags_are_doubtful or doubt
            self.flags_are_answers = self.flags_are_answers or token.text in _ANSWERS_OF_STEPS
            self.flags += [(step, token.code in "tV") for step in self._label]
        return False

    def _ask(self, sentence: Sentence, before: int) -> None:
        """Leave open what a question says of steps until it is answered."""
        codes = sentence.codes
        self._asks_for_errors = re.match("V+[cw]?E", codes) is not None
        which = _WHICH.fullmatch(codes)
        if which and which["where"] and sentence.tokens[0].text != "where":
            which = None
        if which:
            self._which = re.search("[BE]", codes) is not None
            del self.statements[before:]
        self._asked = [(n, each.erroneous) for n, each in enumerate(self.statements[before:], before)]
        self.statements[before:] = [each._replace(erroneous=None) for each in self.statements[before:]]

    def _read_answer(self, codes: str) -> None:
        """Read the answer to "Is step 2 erroneous?"."""
        answer = _ANSWER.match(codes)
        for n, asked in self._asked if answer else ():
            if codes[0] == "t" or self.statements[n].scope == "steps":
                erroneous = asked if codes[0] == "t" else flip(asked)
                self.statements[n] = self.statements[n]._replace(erroneous=erroneous)
        if answer and self._asks_for_errors and codes[0] != "t":
            self._state((), False, scope="all")
        self._asked, self._asks_for_errors = [], False
