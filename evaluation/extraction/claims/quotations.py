"""Quoted speech in an answer: "Yes. Although the man says "no, no", he comes" answers yes."""

import re

_QUOTED = re.compile(
    r"(?:(?<![a-z])(?:says?|said|saying|shouts?|shouted|shouting|yells?|yelled|answers?|answered|repl(?:y|ies|ied)"
    r"|repeats?|repeated|whispers?|whispered|calls?|cries|cried|mutters?|murmurs?|exclaims?)(?: (?:only|just|first|then"
    r"|out|loudly|twice))?|[说喊叫道嚷])[,:]? ?"
    r"(?:\"[^\"\n]{1,80}\"|'[^'\n]{1,80}'(?![a-z]))",
    re.IGNORECASE,
)
_ABOUT_ANSWER = re.compile(
    r"(?<![a-z])(?:i(?: would|'d)?|option|answer|statement) (?:say|says|said|answer)(?![a-z])|我[会想]?说|选项",
    re.IGNORECASE,
)


def drop_quotations(cleaned: str) -> str | None:
    """Return a cleaned response with each quotation of a speaker replaced by a verb; None if it quotes nobody.

    >>> drop_quotations('Yes. Although he says "no, no", he comes.')
    'Yes. Although he speaks, he comes.'
    """
    if ('"' not in cleaned and "'" not in cleaned) or _ABOUT_ANSWER.search(cleaned):
        return None
    spoken, n_quoted = _QUOTED.subn("speaks" if cleaned.isascii() else "说话", cleaned)
    return spoken if n_quoted else None
