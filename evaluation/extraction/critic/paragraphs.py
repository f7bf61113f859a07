"""Paragraphs about one step: "In step 3 the model says …. That rests on step 2. This step is wrong"."""

import re

from evaluation.extraction.critic.sentence_codes import Sentence

# "Next, step 2 claims …", "接着看步骤2，它说……": a sentence about one step.
_OPENS = re.compile("(?:[wiKUM&,V]{0,5}|[wiKUM&,V]{0,4}[Qn]{1,2})(?P<step>S)(?![,&/]*S)")
_OTHERS = re.compile("(?<![FC])[SL]|[ARTZ]")
_SUBJECT = re.compile("(?<![FnQC])[SL]")
_CLAUSE_START = re.compile("(?:^|[,;:&UK-])[KU&]*$")
# "Final answer: 2, 3 are incorrect".
_CONCLUDES = re.compile("[KU,w]{0,2}(?P<name>M|M?y)[:-]+(?:[Sm][,&]*)+V*[BE][,.]?")
_SPEAKS_OF_STEPS = re.compile("[SLmARZHGBE]")
_FINAL = frozenset({
    "final", "final answer", "final verdict", "final verdicts", "final list", "finally", "final judgement",
    "final judgment", "最终", "最终答案", "最后结论",
})  # fmt: skip
THIS_STEP = frozenset({
    "this step", "the step", "that step", "this one", "that one",
    "这一步", "该步骤", "此步骤", "该步", "此步",
})  # fmt: skip


def follow_paragraph(sentence: Sentence, paragraph: tuple[int, ...]) -> tuple[int, ...]:
    """Return the step that a sentence opens with, or the one of its paragraph while no other is spoken of."""
    opening = _OPENS.match(sentence.codes)
    if opening:
        steps = sentence.tokens[opening.start("step")].steps
        return steps if len(steps) == 1 else ()
    return () if _OTHERS.search(sentence.codes) else paragraph


def concludes(sentence: Sentence, concluded: bool) -> bool:
    """Whether a text ends in a final answer that lists the erroneous steps, "Final answer: 2, 3 are incorrect".

    Args:
        sentence: The next sentence.
        concluded: Whether the sentences before it ended so.
    """
    match = _CONCLUDES.fullmatch(sentence.codes)
    if match is None:
        return concluded and not _SPEAKS_OF_STEPS.search(sentence.codes)
    return match["name"][-1] == "y" or sentence.tokens[match.start("name")].text in _FINAL


def has_subject(left: str) -> bool:
    """Whether codes have a step that is no object: "step 4 follows from step 3"."""
    return _SUBJECT.search(left) is not None


def starts_clause(before: str) -> bool:
    """Whether a clause starts behind these codes."""
    return _CLAUSE_START.search(before) is not None
