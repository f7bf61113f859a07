"""Refuted claims: what a step says against what is to be heard, "step 4 claims a dog where there is a cat"."""

import re
from collections.abc import Iterator

from evaluation.extraction.critic.sentence_codes import Sentence

_CLAIM = re.compile("(?<![FnQ])[SL][:,w]{0,2}C[^SLGBEgb;?fH]*")
_AUDIO = r"(?:audio|recording|clip|sound file|speaker actually|actual (?:audio|recording|sound))"
_FACTS = (
    rf"(?:in fact|in reality|in truth|(?:it is |it's |it was |there is )?actually|{_AUDIO}|i (?:only |clearly )?hear)"
)
_NOTHING = r"(?:there (?:is|are|was|were) (?:no|only|neither)|there's (?:no|only)|no such|nothing of|none)"
# Articles are left out of tokens.
_REALITY = re.compile(
    rf"(?<![a-z])(?:(?:but|whereas|yet|although|though|however|when|while) ,? ?(?:{_FACTS}|{_NOTHING})(?![a-z])"
    rf"|(?:but|whereas|when|where) ,? ?(?:there (?:is|are|was|were)|there's)(?= \w)"
    r"|(?:when|while|whereas) in (?:fact|reality|truth))"
    r"|(?:但|而|可是|然而|不过|其实) ?,? ?(?:实际|事实|其实|音频|录音|音轨)"
    r"|[,，](?:但|而|可是|然而|不过)?(?:其实|实际上?|事实上?|实则|音频中|录音中|音频里|录音里)(?:并没有|没有|并无|并不|不是|并非|没)"
)
# "…, but no dog is audible".
_NOT_HEARD = re.compile("[SL][:,w]{0,2}C[^SLGBEgb;?fHN]*U,?N[w]{1,3}V+(?P<core>G)")
# "Step 2 says that a door slams, and it does".
_BORNE_OUT = re.compile(
    "(?<![FnQ])(?P<step>[SL])[:,w]{0,2}C(?P<claim>[^SLGBEgb;?fHU&,]*),[&QU]*[Iw]V(?P<denied>N?)[,]?$"
)
_HEARD = {"audible", "heard", "present", "can be heard", "to be heard", "is to be heard", "real"}

# "Step 1 says that waves can be heard. They can".
_CLAIMS = re.compile("[KU,&]{0,2}(?P<step>[SL])[:,w]{0,2}C[^SLGBEgb;]*G?$")
_OUTCOME = re.compile("[IwR](?:V|H)(?P<denied>N?)[,]?$")
_AUXILIARIES = {"can", "could", "do", "does", "did", "is", "are", "was", "were", "has", "have"}


def find_claim(sentence: Sentence) -> tuple[int, ...]:
    """Return the step whose claim is all that a sentence tells; none where it tells more."""
    match = _CLAIMS.match(sentence.codes)
    return sentence.tokens[match.start("step")].steps if match else ()


def tells_outcome(sentence: Sentence) -> bool | None:
    """Whether a sentence such as "it doesn't" denies the claim before it; None for any other sentence."""
    match = _OUTCOME.match(sentence.codes)
    if match is None or sentence.tokens[1].text not in _AUXILIARIES:
        return None
    return match["denied"] == "N"


def find_refuted(sentence: Sentence) -> Iterator[tuple[tuple[int, ...], bool]]:
    """Yield the steps whose claims a sentence holds against what is heard, each with whether it is wrong.

    Mostly it is; "step 2 says that a door slams, and it does" bears the claim out.
    """
    if sentence.end == "?" or "C" not in sentence.codes:
        return
    borne_out = _BORNE_OUT.search(sentence.codes) if sentence.codes[-1] in "VN," else None
    if borne_out:
        is_denied = ("N" in borne_out["claim"]) != ("N" in borne_out["denied"])
        yield sentence.tokens[borne_out.start("step")].steps, is_denied
    for claim in _CLAIM.finditer(sentence.codes):
        words = " ".join(token.text for token in sentence.tokens[claim.start() : claim.end()])
        if _REALITY.search(words) or (not words.isascii() and _REALITY.search(words.replace(" ", ""))):
            yield sentence.tokens[claim.start()].steps, True
    for match in _NOT_HEARD.finditer(sentence.codes):
        if sentence.tokens[match.start("core")].text in _HEARD:
            yield sentence.tokens[match.start()].steps, True
