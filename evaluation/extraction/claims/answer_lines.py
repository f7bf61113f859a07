"""Answers that stand on a line of their own: "Answer: A, C", what explains them below, and what repeats them beside."""

import re

from evaluation.extraction.language.spelling import lower
from evaluation.extraction.language.units import is_negative
from evaluation.extraction.option_texts.options import PLACEHOLDER_BASE

_LETTERS = r"(?-i:[A-Z](?:(?:, ?(?:and )?| (?:and )?|、|和)?[A-Z]){0,25})"
_EXPLAINED = re.compile(
    r"(?:\A|\n)[^\w\n]*(?:(?:final |correct |the |my )*answers?(?: is| are)?|(?:最终|正确)?答案(?:是|为)?)"
    rf" ?:? ?({_LETTERS})"
    r"[.。]?\n[^\w\n]*(?:explanation|reason(?:ing|s)?|rationale|justification|why|解释|理由|原因|分析|说明|解析)"
    r" ?[:：\n](?P<explanation>.*)\Z",
    re.IGNORECASE | re.DOTALL,
)
_LINE_OF_OPTION = re.compile(
    r"^[^\w\n]*(?:(?i:option|statement) |选项)?[(*]*([A-Z])(?![A-Za-z])(?P<said>[^\n]*)$", re.MULTILINE
)
_REJECTED = re.compile(
    r"(?<![a-z])(?:incorrect|wrong|false|excluded?|ruled out|absent|missing|unsupported|inaudible)(?![a-z])"
    r"|[✗✘❌×错误]|排除"
)
_MIN_LINES = 2
# "A and C, that is, the first text and the third".
_RESTATED = re.compile(
    r"(?P<letters>(?<![A-Za-z])[A-Z](?:(?:, ?(?:and )?| (?:and|&) |、"
    r"| ?[和与及] ?)[A-Z])+)(?P<gap>[,:(]? ?(?:也就是说?|即|就是|分别[是为]"
    r"|that is(?: to say)?|i\.e\.|namely|which (?:are|means)|meaning)[,:]? ?)"
    r"(?P<texts>[\"\[]?[\ue000-\uf8ff][\"\]]?(?:(?:, ?(?:and )?| and |、|[和与及])[\"\[]?[\ue000-\uf8ff][\"\]]?)+)"
)
_RESTATING = re.compile("即|就是|分别|that is|i\\.e\\.|namely|which|meaning")
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
# "B (a man and a woman, no third person)".
_GLOSSED = re.compile(r"[^\w(]*(?P<letter>[A-J])[.):*]{0,3} ?\((?P<gloss>[^()\n]{2,200})\)[.。]?")
_GLOSS_END = re.compile(r"[,;:。、]|\.(?= |\Z)|(?<![a-z])(?:and|but|not)(?![a-z])")
_COUNTS = {"two": 2, "两": 2, "二": 2, "three": 3, "三": 3, "four": 4, "四": 4, "five": 5, "五": 5}
# "Choice: B", below a review of the options.
_CHOICE_LINE = re.compile(
    r"(?<=\n)(?P<lead>[^\w\n]{0,4})(?:choice|selection|selected|pick)(?=[*_]{0,2} ?: ?\W{0,4}[A-J]\b)", re.IGNORECASE
)
_CAPITAL = re.compile("[A-Z]")
_ANSWER_LINE = re.compile(
    r"(?:^|\n)[^\w\n]*((?:final |correct |the |my )*answers?(?: is| are)?|(?:最终|正确)?答案(?:是|为)?) ?:? ?"
    rf"({_LETTERS})(?=[.。]?(?:\n|$))",
    re.IGNORECASE,
)
_ALPHABETS = re.compile(r"[\s,、.]*(?:[A-Z][\s,、.]*){4,}")


def head_answer(response: str) -> str:
    r"""Return a response with the heading of its choice in a usual word.

    >>> head_answer("A: too near\nB: fits\nChoice: B")
    'A: too near\nB: fits\nAnswer: B'
    """
    return _CHOICE_LINE.sub(r"\g<lead>Answer", response) if "\n" in response and ":" in response else response


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
    if _reviews_as(explanation, frozenset(chosen)):
        return marked[: match.end(1)]
    names_chosen = re.search(rf"(?<![A-Za-z])[{chosen}](?![A-Za-z])", explanation)
    return marked if names_chosen or _REVISED.search(explanation) else marked[: match.end(1)]


def _reviews_as(explanation: str, chosen: frozenset[str]) -> bool:
    """Whether an explanation goes through the options, and denies just those that were not chosen."""
    lines = {match[1]: lower(match["said"]) for match in _LINE_OF_OPTION.finditer(explanation)}
    denied = {letter for letter, said in lines.items() if is_negative(said) or _REJECTED.search(said)}
    return len(lines) >= _MIN_LINES and chosen <= lines.keys() and denied == lines.keys() - chosen and bool(denied)


def drop_restated(marked: str) -> str:
    r"""Leave out texts that say again what the letters before them name.

    >>> drop_restated("A and C, that is, \ue000 and \ue002.")
    'A and C.'
    """
    return _RESTATED.sub(_drop_restated_texts, marked) if _RESTATING.search(marked) else marked


def _drop_restated_texts(match: re.Match[str]) -> str:
    letters = {ord(letter) - ord("A") for letter in re.findall("[A-Z]", match["letters"])}
    places = {ord(sign) - PLACEHOLDER_BASE for sign in re.findall("[\ue000-\uf8ff]", match["texts"])}
    return match["letters"] if letters == places else match.group()


def drop_gloss(cleaned: str, texts: tuple[str, ...]) -> str:
    """Leave out what a response adds in brackets to its letter, unless that is another option.

    >>> drop_gloss("B(a man and a woman, no third person)", ("one person", "two people", "third person"))
    'B'
    """
    match = _GLOSSED.fullmatch(cleaned)
    if match is None:
        return cleaned
    said = [clause for clause in _GLOSS_END.split(lower(match["gloss"])) if not is_negative(clause)]
    place = ord(match["letter"]) - ord("A")
    others = [text for other, text in enumerate(texts) if other != place and any(text in clause for clause in said)]
    return match["letter"] if not others and texts[place : place + 1] else cleaned


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


def answers_differ(marked: str) -> bool:
    r"""Whether two lines with the same words before them give different answers.

    >>> answers_differ("Answer: AB\nAnswer: CD")
    True
    """
    answers: dict[str, frozenset[str]] = {}
    for match in _ANSWER_LINE.finditer(marked):
        said = frozenset(_CAPITAL.findall(match[2]))
        if answers.setdefault(match[1].lower(), said) != said:
            return True
    return False
