"""Phrases recognized by their form: "what the statement says", "the motion described", "as it claims"."""

import re

from evaluation.extraction.truth.vocabulary import ClassifiedText

# Pattern over classes → class of the whole.
_MERGES = (
    # "What the statement says", "what is described", "what it claims".
    (re.compile(r"ke?a*[SP]a?b?a?[yqrh]|keaSb?[yqr]|k[Pb]*a*[ry](?!S)|所[ry]"), "N"),
    # "The motion described in the statement", "the stated motion", "the one described".
    (
        re.compile(
            r"(?<=[eP.])\.r(?:ue?a*S)?(?=[abMDnY*%=\n,]|$)|(?<=[eP])r\.(?=[abMDnY*%=\n,]|$)"
            r"|(?<=e).Pbr(?=[=,\n]|$)|Pr(?:ue?a*S)?(?=$|[,=;])"
        ),
        "N",
    ),
    # 题目说的.
    (re.compile("S[yr]d(?!F)|SdP[.](?=$|[,=])"), "N"),
    # "I would answer true".
    (re.compile("(?<=[ow])K(?=[TFRYXzx])"), "C"),
    # "The one in the statement".
    (re.compile(r"ePue?P?S"), "N"),
    # "In the direction that the statement says it does".
    (re.compile(r"ue[.O]P?e?S[yq](?:Pb)?"), "A"),
    # "The one I perceive".
    (re.compile(r"ePIa*g"), "U"),
    # "What I hear", "what can be heard", "what the audio shows".
    (re.compile(r"k(?:I|ba?b?)a?w?b?a?[gh]|k(?=g)g|ke?Ua?[yqMg]|kba?u?e?U"), "U"),
    (re.compile(r"s(?:e?a*[SNP]b?[yrq]|[ry]|a?b[ry]|e?N)"), "A"),
)
_WHAT = re.compile("[krsghyqd]|eP|[ow]K")
_SAYS = frozenset({"说", "讲"})
_UNHEARD = frozenset(
    {"did not hear", "can not hear", "could not hear", "没 有 听 到", "听 不 到", "没 听 到", "听 不 出"}
)
_HEARD_NOTHING = re.compile(r"[aed]*(?=[^U\n=,?;a])(?:[^=\n,?;]){0,12}[MDAO#+vF]|[aedY]*(?:N|S[S.])")


def merge_phrases(words: ClassifiedText) -> ClassifiedText:
    """Join what together names the statement ("what is claimed"), the recording, or agreement ("as it says")."""
    classes, texts = words
    if "Sh" in classes:  # 题目说: what the statement says, not what is thought of it.
        classes = "".join(
            "y" if symbol == "h" and texts[k] in _SAYS and classes[k - 1 : k] == "S" else symbol
            for k, symbol in enumerate(classes)
        )
    if "PB" in classes:  # "Everything but the end".
        classes = "".join(
            "^" if symbol == "B" and texts[k] == "but" and texts[k - 1 : k] in (["everything"], ["all"]) else symbol
            for k, symbol in enumerate(classes)
        )
    for pattern, symbol in _MERGES if _WHAT.search(classes) else ():
        if pattern.search(classes):
            classes, texts = _replace(pattern, symbol, classes, texts)
    if "!" in classes and "can not say" in texts:  # "I cannot say that I agree".
        classes = re.sub("!(?=P?IM)", "n", classes)
    if "!" in classes:  # "I did not hear anything that supports it": a denial, no refusal.
        classes = "".join(
            "n" if symbol == "!" and texts[k] in _UNHEARD and _HEARD_NOTHING.match(classes, k + 1) else symbol
            for k, symbol in enumerate(classes)
        )
    return ClassifiedText(classes, texts)


def _replace(pattern: re.Pattern[str], symbol: str, classes: str, texts: list[str]) -> tuple[str, list[str]]:
    new_classes: list[str] = []
    new_texts: list[str] = []
    position = 0
    for match in pattern.finditer(classes):
        start, end = match.span()
        new_classes += [classes[position:start], symbol]
        new_texts += [*texts[position:start], " ".join(texts[start:end])]
        position = end
    return "".join([*new_classes, classes[position:]]), [*new_texts, *texts[position:]]
