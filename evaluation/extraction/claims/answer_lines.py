"""Answers that stand on a line of their own: "Answer: A, C", what explains them below, and what repeats them beside."""

import re

_LETTERS = r"(?-i:[A-Z](?:(?:, ?(?:and )?| (?:and )?|、|和)?[A-Z]){0,25})"
_EXPLAINED = re.compile(
    r"(?:\A|\n)[^\w\n]*(?:(?:final |correct |the |my )*answers?(?: is| are)?|(?:最终|正确)?答案(?:是|为)?)"
    rf" ?:? ?({_LETTERS})"
    r"[.。]?\n[^\w\n]*(?:explanation|reason(?:ing|s)?|rationale|justification|why|解释|理由|原因|分析|说明|解析)"
    r" ?[:：\n](?P<explanation>.*)\Z",
    re.IGNORECASE | re.DOTALL,
)
# A text without one of these has no heading of an explanation.
_HINTS = ("expl", "reason", "rational", "justif", "why", "解", "理由", "原因", "分析", "说明")
# An explanation with one of these may end in another answer.
_REVISED = re.compile(
    r"(?<![a-z])(?:answers?|actually|wait|correction|instead|should be|choose|select)(?![a-z])"
    "|答案|更正|修正|改|应该选|应选|其实|正确",
    re.IGNORECASE,
)
# "B、C (第2、3项)", "B and C (options 2 and 3)".
_PLACES = re.compile(
    r"(?<=[A-Z]) ?\((?:即|也就是)?第[1-9一二三四五六七八九](?:[、,和]第?[1-9一二三四五六七八九])*"
    r"[个项条](?:选项)?\)"
)
# "These three can be inferred", "这三点都能推断出来".
_COUNTED = re.compile(
    "(?<![a-z])(?:these|all) (two|three|four|five)(?! [a-z]+s(?![a-z]))(?![a-z])"
    "|这([两二三四五])(?:点|项|者|个推论|种推论)"
)
_COUNTS = {"two": 2, "两": 2, "二": 2, "three": 3, "三": 3, "four": 4, "四": 4, "five": 5, "五": 5}
_ALPHABETS = re.compile(r"[\s,、.]*(?:[A-Z][\s,、.]*){4,}")


def drop_explanation(marked: str) -> str:
    r"""Leave out the explanation below an answer, if it names none of the chosen letters and does not revise them.

    >>> drop_explanation("Answer: A, C\nExplanation: B says that he left, so it is ruled out.")
    'Answer: A, C'
    """
    match = _EXPLAINED.search(marked) if any(map(marked.lower().__contains__, _HINTS)) else None
    if match is None:
        return marked
    explanation = match["explanation"]
    chosen = "".join(letter for letter in match[1] if letter.isupper())
    names_chosen = re.search(rf"(?<![A-Za-z])[{chosen}](?![A-Za-z])", explanation)
    return marked if names_chosen or _REVISED.search(explanation) else marked[: match.end(1)]


def drop_places(marked: str) -> str:
    """Leave out places that repeat the letters before them: "B、C (第2、3项)"."""
    return _PLACES.sub("", marked) if "第" in marked else marked


def repeats_alphabet(marked: str, n_options: int) -> bool:
    """Whether a response is all letters again and again, as a model writes that has lost its way.

    >>> repeats_alphabet("A B C A B C", 3), repeats_alphabet("A B C", 3)
    (True, False)
    """
    if _ALPHABETS.fullmatch(marked) is None:
        return False
    letters = "".join(filter(str.isalpha, marked))
    alphabet = "".join(chr(65 + place) for place in range(n_options))
    return len(letters) > n_options and letters == (alphabet * len(letters))[: len(letters)]


def agrees_with_count(lowered: str, n_chosen: int) -> bool:
    """Whether "these three" in a text in lower case counts as many options as were found.

    >>> agrees_with_count("这三点都能推断出来", 2)
    False
    """
    return all(_COUNTS[match[1] or match[2]] == n_chosen for match in _COUNTED.finditer(lowered))
