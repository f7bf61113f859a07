"""What another person does than the one that all options are about: "it's the woman who hangs up" for "he hangs up"."""

import re

_CLAUSE = (
    r"(?:^|(?<=[.;,!?\n] )|(?<=\n)|(?<= and )|(?<= but )|(?<= while ))(?:(?:and|but|while|then|instead),? )?"
    r"(?:(?:it's|it is|it was|that's) )?(?:the )?{subject}(?![a-z])[^.;,!?\n]*"
)
_OTHERS = {
    pronoun: re.compile(_CLAUSE.format(subject=f"(?:{subjects})"), re.IGNORECASE)
    for pronoun, subjects in (
        ("he", "she|woman|girl|lady|wife|mother|daughter|sister|female (?:speaker|voice)"),
        ("she", "he|man|boy|guy|husband|father|son|brother|male (?:speaker|voice)"),
    )
}
_FEWEST = 2


def drop_other_subjects(response: str, texts: tuple[str, ...]) -> str:
    """Return a response without the clauses about another person, where all options are about one.

    >>> drop_other_subjects("He apologises. It's the woman who hangs up.", ("he apologises", "he hangs up"))
    'He apologises. .'
    """
    pronoun = texts[0].partition(" ")[0] if texts else ""
    if pronoun not in _OTHERS or len(texts) < _FEWEST or not all(text.startswith(f"{pronoun} ") for text in texts):
        return response
    own = re.compile(rf"(?<![a-z]){pronoun}(?![a-z])", re.IGNORECASE)
    return _OTHERS[pronoun].sub(lambda clause: clause.group() if own.search(clause.group()) else "", response)
