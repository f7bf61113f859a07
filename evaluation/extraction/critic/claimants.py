"""Steps that a verdict names by what they do: "step 3 draws a wrong conclusion", "it rightly hears … in step 1"."""

import re

from evaluation.extraction.critic.sentence_codes import Sentence
from evaluation.extraction.language.lexicon import WORD_LISTS

_MAKES, _CLAIMS = WORD_LISTS["MAKES"], WORD_LISTS["CLAIMS"]
# "It correctly hears the piano in step 1".
_TOLD_IN = re.compile("[CwIF]{0,8}n(?P<step>S)(?=$|[.,;&U])")
_TOLD_IN_BRACKETS = re.compile(r"[CwIFy]{0,8}\((?P<steps>S\)(?:[,&wIF]{1,8}\(S\))?)")
# "In step 1, the model correctly hears the piano".
_DONE_IN = re.compile("(?:^|[,;&UKM])[QFny]{0,3}(?P<step>[SL])[,:|-]*[ITwy]{1,2}$")
# "第三步把男声误认为女声".
_TAKEN_FOR = re.compile("(?P<step>[SL])(?P<verb>C)[^SLGBE,;]{1,8}$")
# "Step 5 draws a conclusion that does not follow".
_CONCLUDED = re.compile("(?P<step>S)[^SLUGBE]{0,8}C[wy]{0,4}CV*$")
_TAKES = {"把", "将"}
# "Step 4 builds on step 3, and is wrong too"; "…, so it is wrong"; "…, which makes it wrong".
_BASED = re.compile("(?:^|[,;&U])(?P<step>S)[:w]{0,2}Cw?S[wCyI]{0,5}(?:[,&U]{1,2}[VK]{0,3}|[,&]{0,2}(?:KV?I|IVI))$")
# "Step 3 makes a leap that the audio does not support".
_MADE = re.compile("(?P<step>S)[VC]w{1,3}[CI]$")
# "Step 4 is where it fails".
WHERE_IT = re.compile("(?P<step>S)Vww?[ITy]?$")
# "In step 4, the model jumps to the wrong answer".
_THERE = re.compile("(?:^|[,;&UK])n(?P<step>S),?[wTIC]{1,4}F?$")

_DEPENDS = re.compile("F[IS][^GBE.;]{0,6}[GBE]|Fw{1,3},?&[VKdw]{0,3}N?[GBE]")
# "Step 2: The claim that it gets louder is wrong".
_OF_LABEL = re.compile(r"[(|:.-]*(?:LI|[SL]w{0,2}[:|-]+I(?P<that>C?))")


def find_claimant(sentence: Sentence, match: re.Match[str], since: int, *, is_labelled: bool) -> tuple[int, ...]:
    """Return the steps that a verdict names through what they do; none where it names them otherwise, or none."""
    left = sentence.codes[since : match.start()]
    if match["core"] in "ae":
        done = _DONE_IN.search(left)
        behind = sentence.codes[match.end() :]
        told = None if re.search("[SL]", left) else _TOLD_IN.match(behind)
        if not (done or told or re.search("[SL]", left)) and (each := _TOLD_IN_BRACKETS.match(behind)):
            return sentence.steps_at(match.end() + each.start("steps"), match.end() + each.end("steps"))
        place = since + done.start("step") if done else match.end() + told.start("step") if told else None
    elif is_claim_of_topic(sentence, match):
        place = None
    elif makes_claim(sentence, match):
        place = match.start() - 2
    else:
        place = _find_doer(sentence, match, since, is_labelled=is_labelled)
    return () if place is None else sentence.tokens[place].steps


def makes_claim(sentence: Sentence, match: re.Match[str]) -> bool:
    """Whether a step brings a claim that is so: "step 3 draws an incorrect conclusion".

    In "correct identification of the dog" nothing does: the adjective and its noun are no object of such a verb.
    """
    end, start = match.end("core"), match.start()
    if start < 2 or match["core"] not in "GB" or sentence.codes[start - 2] not in "SLI":
        return False
    follows = any(token.text in _CLAIMS for token in sentence.tokens[end : end + 2])
    return follows and sentence.tokens[start - 1].text in _MAKES


def is_claim_of_topic(sentence: Sentence, match: re.Match[str]) -> bool:
    """Whether "this step" brings a claim that is so, whichever step that is."""
    return makes_claim(sentence, match) and sentence.codes[match.start() - 2] == "I"


def _find_doer(sentence: Sentence, match: re.Match[str], since: int, *, is_labelled: bool) -> int | None:
    """The place of the step that errs in what it does."""
    left, core = sentence.codes[since : match.start()], match["core"]
    if based := _BASED.search(left):
        return since + based.start("step")
    if core != "B":
        return None
    taken = _TAKEN_FOR.search(left)
    if taken and sentence.tokens[since + taken.start("verb")].text in _TAKES:
        return since + taken.start("step")
    if where := WHERE_IT.search(left):
        return since + where.start("step")
    made = None if match["pre"] else _MADE.search(left)
    if made and sentence.tokens[since + made.start("step") + 1].text in {*_MAKES, "makes"}:
        return since + made.start("step")
    there = _THERE.search(left)
    if there and not match["pre"] and sentence.codes[match.end() :][:1] in {"y", "I"}:
        return since + there.start("step")
    if is_labelled or not sentence.tokens[match.start("core")].text.endswith(" follow"):
        return None
    concluded = _CONCLUDED.search(left)
    return since + concluded.start("step") if concluded else None


def claims_of_label(sentence: Sentence, left: str) -> bool:
    """Whether a line with the number of a step speaks of its claim."""
    match = _OF_LABEL.match(left)
    return match is not None and (not match["that"] or sentence.tokens[match.start("that")].text == "that")


def carries_claim(sentence: Sentence, left: str, subject: int) -> bool:
    """Whether a verb of claiming stands behind a step; "step 3's conclusion that …" is no such verb."""
    verbs = (n for n in range(subject, len(left)) if left[n] == "C")
    return any(sentence.tokens[n].text != "that" or sentence.tokens[n - 1].text not in _CLAIMS for n in verbs)


def opens_span(sentence: Sentence, place: int) -> bool:
    """Whether a step at the start of a clause is one and all behind it."""
    return sentence.tokens[place].text.startswith(("from ", "thereafter", "after ", "up to ", "through "))


def tells_basis(sentence: Sentence, match: re.Match[str], *, is_judged: bool) -> bool:
    """Whether "follows" only tells what a step builds on: "Step 4 follows from it and is wrong too"."""
    left, right = sentence.codes[: match.start()], sentence.codes[match.end() :]
    if match["core"] != "G" or sentence.tokens[match.start("core")].text not in {"follows", "follow"}:
        return False
    depends = _DEPENDS.match(right) or (re.match("F[SI]", right) and re.search("[GBEgb][(,:-]+$", left))
    return bool(depends) or (not left and is_judged and right.startswith("F"))
