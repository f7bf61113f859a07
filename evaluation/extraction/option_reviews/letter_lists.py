"""Sets by letters in less usual forms: "BCD is right", "options 1 and 4 (A and D)", "(1) B项 … (2) C项 …"."""

import re

from evaluation.extraction.critic.numbers import list_numbers
from evaluation.extraction.language.symbols import ORDINALS
from evaluation.extraction.option_texts.options import PreparedOptions
from evaluation.extraction.paraphrases.articles import lower_articles

_FEWEST = 2
_WORD = re.compile("[a-z0-9]+")
# "BCD is the right combination": letters in order, and words that call them the answer.
_JOINED = re.compile(
    r"(?:\A|(?<=[.!:：\n] )|(?<=\n))(?P<letters>[A-J]{2,8}) (?=(?:is|are) (?:therefore |thus |clearly |all |both )?"
    r"(?:(?:the|my) )?(?:only )?(?:(?:final|best|right|correct|true) )?(?:right|correct|true|answers?|choice"
    r"|combination|selection|set|options?)(?= ?(?:[.,;:!\n]|\Z)|,? (?:because|since|as)(?![a-z])))"
)
# "The answers are A – C – D".
_DASHED = re.compile(
    r"(?:\A|(?<=answers are )|(?<=answer is )|(?<=options are )|(?<=[Aa]nswer: )|(?<=[Aa]nswers: )|(?<=答案[是:：]))"
    r"(?P<letters>[A-J](?: ?[–—-] ?[A-J]){2,8})(?=[.。\n]|\Z| (?:are|is) (?:right|correct|true))"
)
_DASHES = ("–", "—", "-")
_AND = r"(?: ?, ?(?:and )?| and | & |、|和)"
_NUMBER = rf"(?:[1-9]|{'|'.join(ORDINALS)})"
# "Options 1 and 4 (A and D) are right", "the first and the fourth option (A and D)".
_NUMBERED = re.compile(
    rf"(?:(?<![a-z])(?:options?|statements?|choices?|answers?|numbers?|items?) |(?<![a-z])the (?=[a-z]))"
    rf"(?P<numbers>{_NUMBER}(?:{_AND}(?:the )?{_NUMBER}){{1,8}})(?: (?:options?|statements?|choices?|answers?|ones))?"
    rf" ?\((?:options? )?(?P<letters>[A-J](?:{_AND}[A-J]){{1,8}})\)",
    re.IGNORECASE,
)
_NUMBERED_IN_CHINESE = re.compile(
    rf"(?:选项)?第?(?P<numbers>[1-9一二三四五六七八九](?:{_AND}第?[1-9一二三四五六七八九]){{1,8}})(?:[个项]|个?选项)?"
    rf" ?[(（](?:选项|即)?(?P<letters>[A-J](?:{_AND}[A-J]){{1,8}})[)）]"
)
# "(1) B项,火车进站": the number counts the lines.
_COUNTED_LINE = re.compile(
    r"^[ \t]{0,4}[(（](?P<number>[1-9])[)）] ?(?:选项 ?|option )?(?=(?P<letter>[A-J]) ?(?:[.、,，:：)）]|项|选项))",
    re.MULTILINE | re.IGNORECASE,
)
# "Only B and D seem plausible to me".
_ONLY_SEEM = re.compile(
    rf"(?<![a-z])(?<!not )(?<!that )(?<!if )(?P<only>only (?:options? )?[A-J](?:{_AND}[A-J])*)"
    r" (?:seems?|looks?|sounds?|appears?)(?: to be)?"
    r" (?:plausible|right|correct|true|likely|possible|convincing|supported)(?: to me)?"
    r"(?= ?(?:[.;!\n—-]|\Z)|, (?:so|since|because|as)(?![a-z]))",
    re.IGNORECASE,
)
# "The sounds present are A and C, E."
_AND_BEFORE_LAST = re.compile(
    r"(?<![A-Za-z])(?P<first>[A-J]),? (?:and|&) (?P<rest>[A-J](?:, ?[A-J]){1,8})(?= ?(?:[.\n]|\Z))"
)
# "(B) and (C) are true, while (A) is false": each stands where a name would.
_IN_BRACKETS = re.compile(
    r"(?:\A|(?<=[.;:,\n] )|(?<=\n)|(?<= and )|(?<= or )|(?<= while )|(?<= but )|(?<=so )|(?<=ptions )|(?<=Therefore )"
    r"|(?<=Thus )|(?<=Hence )|(?<=hence ))\((?P<letter>[A-J])\)"
    r"(?= (?:and|or|is|are|isn't|aren't) |,? (?:and |or )?\([A-J]\))"
)
# "Les bonnes réponses sont A et D."
_FOREIGN_AND = re.compile(r"(?<![A-Za-z])(?P<first>[A-J](?:, ?[A-J])*),? (?:et|und|y) (?=[A-J](?![A-Za-z]))")
_FOREIGN_CUE = re.compile(
    r"(?:les (?:bonnes )?réponses(?: correctes)? sont|die (?:richtigen |korrekten )?antworten sind"
    r"|las (?:respuestas|opciones)(?: correctas)? son)(?= [*(]{0,3}[A-J])",
    re.IGNORECASE,
)
_FOREIGN = (" et ", " und ", " y ")
# Denials in these languages are not read, so that lists in such a response may be denied.
_FOREIGN_DENIAL = re.compile(
    r"(?<![^\W\d_])(?:ne|ni|pas|sauf|faux|fausses?|incorrecte?s?|absente?s?|exclue?s?|mauvaises?|hors|nicht|keine?[rsnm]?|falsch"
    r"|außer|weder|fals[ao]s?|no|salvo|excepto|menos)(?![^\W\d_])|(?<![a-z])n'",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(r"(?<![a-z])(?:if|whether|when) \([A-J]\)|(?<![a-z])neither(?![a-z])", re.IGNORECASE)
# "C (thunder) and D (hail) are missing": the text only repeats its letter.
_REPEATED = re.compile(r"(?<![A-Za-z])(?P<letter>[A-J]) \((?P<text>[^()\n]{1,60})\)")
_LETTER = re.compile("(?<![A-Za-z])[A-J](?![A-Za-z])", re.IGNORECASE)


def spell_letter_lists(response: str, prepared: PreparedOptions) -> str:
    """Return a response in which sets by letters are lists of letters.

    >>> from evaluation.extraction.option_texts.options import prepare
    >>> spell_letter_lists("Options 1 and 3 (A and C) are right.", prepare(("rain", "wind", "hail")))
    'options A, C are right.'
    >>> spell_letter_lists("BC is the right combination.", prepare(("rain", "wind", "hail")))
    'B, C is the right combination.'
    """
    response = lower_articles(response, prepared.texts)
    if " is " in response or " are " in response:
        response = _JOINED.sub(lambda match: _spell_joined(match, prepared), response)
    if ", " in response and (" and " in response or " & " in response):
        response = _AND_BEFORE_LAST.sub(r"\g<first>, \g<rest>", response)
    if "nly " in response:
        response = _ONLY_SEEM.sub(r"\g<only> are correct", response)
    if any(map(response.__contains__, _DASHES)):
        response = _DASHED.sub(lambda match: _spell_joined(match, prepared).rstrip(), response)
    if any(map(response.__contains__, _FOREIGN)) and not _FOREIGN_DENIAL.search(response):
        response = _FOREIGN_CUE.sub("The answers are", _FOREIGN_AND.sub(r"\g<first> and ", response))
    if "(" not in response and "（" not in response:
        return response
    response = _REPEATED.sub(lambda match: _drop_repeated(match, prepared.texts), response)
    response = response if _SUPPOSED.search(response) else _IN_BRACKETS.sub(r"\g<letter>", response)
    response = _NUMBERED_IN_CHINESE.sub(_spell_numbered, _NUMBERED.sub(_spell_numbered, response))
    lines = list(_COUNTED_LINE.finditer(response))
    is_counted = [int(line["number"]) for line in lines] == list(range(1, len(lines) + 1))
    if len(lines) < _FEWEST or not is_counted or len({line["letter"] for line in lines}) < len(lines):
        return response
    return _COUNTED_LINE.sub("- ", response)


def _spell_joined(match: re.Match[str], prepared: PreparedOptions) -> str:
    letters = "".join(filter(str.isalpha, match["letters"]))
    is_ordered = "".join(sorted(set(letters))) == letters and ord(letters[-1]) - ord("A") < prepared.profile.size
    # The form "ABC" may be an option, or a part of one.
    is_text = any(letters.lower() in _WORD.findall(text) for text in prepared.texts)
    return f"{', '.join(letters)} " if is_ordered and not is_text else match.group()


def _drop_repeated(match: re.Match[str], texts: tuple[str, ...]) -> str:
    place = ord(match["letter"]) - ord("A")
    return match["letter"] if match["text"].strip().lower() in texts[place : place + 1] else match.group()


def _spell_numbered(match: re.Match[str]) -> str:
    letters = [letter.upper() for letter in _LETTER.findall(match["letters"])]
    numbered = [chr(ord("A") + number - 1) for number in list_numbers(match["numbers"].lower())]
    listed = ", ".join(letters)
    return f"options {listed}" if letters == numbered else f"options {''.join(numbered)} or {''.join(letters)}"
