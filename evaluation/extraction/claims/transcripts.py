"""Transcripts: "Good evening and welcome. Tonight we present …" repeats what is said, and answers nothing."""

import re

from evaluation.extraction.language.symbols import ARTICLE_OR_I, CAPITAL

_ADDRESS = re.compile(
    r"[^\w\"'“‘「]{0,3}(?P<address>good (?:morning|afternoon|evening)"
    r"|hello(?:,? (?:everyone|everybody|and welcome|listeners|my name))"
    r"|hi,? (?:everyone|everybody|and welcome|my name)|welcome(?: back)? to(?= )"
    r"|ladies and gentlemen|dear (?:passengers|listeners|guests|friends|customers|visitors)"
    r"|attention,? (?:please|passengers|all|shoppers|customers)"
    r"|thank(?:s| you) for (?:listening|calling|joining|tuning|watching)"
    r"|this is your captain|my name is|please stand (?:back|clear)|mind the gap"
    r"|欢迎(?:收听|收看|来到|乘坐)|各位(?:听众|旅客|乘客|来宾|观众|顾客|朋友)|女士们|大家好|尊敬的|亲爱的)"
    r"(?![a-z]| is )",
    re.IGNORECASE,
)
# What speaks of the audio, or concludes: "Hello everyone! The sound you hear is music."
_ANSWERS = re.compile(
    r"(?<![a-z])(?:answers?|options?|choices?|correct|choose|so (?:this|it|we)|therefore|hence"
    r"|(?:the|this|that) (?:audio|recording|clip|sounds?|speaker|language|voice|announcement|phrase)"
    r"|(?:i|you) (?:can )?hear|is (?:heard|announced|said|typical)|says?|said)(?![a-z])"
    r"|答案|选|因此|所以|音频|录音|说话",
    re.IGNORECASE,
)


def addresses_listeners(response: str) -> bool:
    """Whether a response opens as a speaker would."""
    return _ADDRESS.match(response) is not None


def is_transcript(response: str, texts: tuple[str, ...]) -> bool:
    """Whether a response opens as a speaker would, and no option does.

    >>> is_transcript("Welcome to the show. We have a brass band for you tonight.", ("brass band", "choir"))
    True
    """
    opening = _ADDRESS.match(response)
    if opening is None or _ANSWERS.search(response) or CAPITAL.search(ARTICLE_OR_I.sub("", response)):
        return False
    return not any(opening["address"].lower() in text for text in texts)
