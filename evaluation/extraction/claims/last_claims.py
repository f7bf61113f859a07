"""One firm claim among options that are ruled out: "A wolf would howl. This is a fox.", "It's a blues, not jazz"."""

import re

from evaluation.extraction.language.spelling import lower
from evaluation.extraction.language.units import is_negative
from evaluation.extraction.option_reviews.remainders import place_of
from evaluation.extraction.option_texts.options import Profile

_LONGEST = 600
_SIGNS = r"[^\w\ue000-\uf8ff]"
_TEXT = "[\ue000-\uf8ff]"
_LETTER = r"(?-i:(?<![A-Za-z'’])(?:[B-HJ]|A(?! ?[a-z]))(?![A-Za-z'’]))"
_OPTION = rf"(?:(?:option )?{_LETTER}|{_TEXT})"
_LEAD = r"(?:(?:so|thus|therefore|hence|still|but|no|overall|in short|clearly|instead|and|however|yet|to me),? )*"
_SUBJECT = (
    r"(?:it|(?:this|that)(?: one)?|what (?:i|we|you) (?:actually |really )?hear"
    r"|(?:the|this) (?!(?:first|second|third|last|other|former|latter|statement|claim|description"
    r"|sentence)(?![a-z]))(?:[a-z]+ ){0,2}?[a-z]+(?: here)?)"
)
_HEDGE = (
    r"(?: (?:clearly|definitely|certainly|obviously|simply|just|indeed|most likely|very likely|most probably|likely"
    r"|probably|therefore|thus|then))?"
)
_CLAIM = re.compile(
    rf"{_SIGNS}*{_LEAD}{_SUBJECT}(?:'s| is| must be| has to be){_HEDGE} (?:an? |the )?(?P<option>{_OPTION})(?P<rest>.*)"
    rf"|{_SIGNS}*(?:所以|因此|那么|但|而|不过|其实|显然|可见)*,?(?:这|那|它|听到的|声音|叫声|答案)(?:就|才|应该|应当|一定|肯定|只能|显然|明显|最可能|很可能)*是"
    rf"(?:一[只个种声段首])?(?P<zh>{_OPTION})(?P<zh_rest>.*)"
    rf"|{_SIGNS}*(?P<alone>{_TEXT}){_SIGNS}*",
    re.IGNORECASE | re.DOTALL,
)
# "…'s call, not a dog, (E): the pitch falls".
_REST = re.compile(
    rf"(?:'s|的)?(?: ?(?:call|cry|howl|scream|song|voice|sound|叫声|声音|声))?"
    rf"(?:,? ?[(]?(?:option |选项)?(?P<letter>{_LETTER})[)]?)?"
    rf"(?:,? ?(?:and )?(?:not|rather than|instead of|而不是|不是|而非) ?(?:an? |the )?{_OPTION})*"
    rf"{_SIGNS}*(?:$|(?:[:;—–]|,? (?:because|since|as|given|with)(?![a-z])|,(?:因为)?)(?P<reason>[^\n]*)$)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?:[^.!?。;\n]|\.(?=[0-9a-z]))+[.!?。;\n]*")
_CLAUSE = re.compile(r"[,:—–]|(?<![a-z])(?:and|but|while|whereas|although|though)(?![a-z])|但|而|不过")
# What rules an option out, or says that it is a part of the answer only.
_DISMISSED = re.compile(
    r"(?<![a-z])(?:would|than|unlike|different|differs?|rather|instead|too (?:little|much|short|narrow)|enough|alone"
    r"|half|ruled|rules?|considered|suspected|expected|looked for|checked|excluded?|incorrect|wrong|tricky|tempting"
    r"|deceptive|distractors?|runner-up|(?<=[A-J] )can go(?! (?:for|to|with)(?![a-z]))|longer"
    r"|shorter|higher|lower|louder|softer|shriller|deeper|faster"
    r"|slower)(?![a-z])|'d(?![a-z])|会|更|不够|除",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"(?<![a-z])(?:or|either(?! ?[.,;!\n])|perhaps|maybe|possibly|might|could|may|if|unless|whether|sure|unsure"
    r"|tell|wait|actually"
    r"|correction|then again|some|others|thought|seemed|at first|first (?:thought|impression|guess)|both"
    r"|between|depends|sorry|unable|guess"
    r"|except|never|(?:tricky|tempting|deceptive|runner-up)(?![a-z])[^.;\n]*(?:right|correct|it is|fits|matches|yes))"
    r"(?![a-z])|或|可能也|也可能|也许|如果|还是|等等|不确定|无法|一开始|起初|以为",
    re.IGNORECASE,
)
_LETTERED = re.compile(_LETTER)
_MENTION = re.compile(_OPTION, re.IGNORECASE)
# "B and C are out": what is said of both.
_AND_BETWEEN = re.compile(rf"(?<={_TEXT}) and (?=(?:an? |the )?{_OPTION})|(?<=(?<![A-Za-z'])[A-J]) and (?={_OPTION})")
_BARE_REPLY = re.compile(rf"{_SIGNS}*{_TEXT}(?:{_SIGNS}*$|[:,])")


def find_last_claim(marked: str, profile: Profile, texts: tuple[str, ...]) -> int | None:
    r"""The one option that a marked text firmly says something is, where it rules out all others that it names.

    >>> from evaluation.extraction.option_texts.options import prepare
    >>> options = prepare(("dog", "wolf", "fox"))
    >>> find_last_claim("A \ue001 would howl. This is a \ue002.", options.profile, options.texts)
    2
    >>> find_last_claim("A \ue001 howls. This is a \ue002.", options.profile, options.texts)
    """
    if len(marked) > _LONGEST or not _MENTION.search(marked):
        return None
    claimed, others, denied = set[int](), set[int](), set[int]()
    lettered = {ord(letter[-1]) - ord("A") for letter in _LETTERED.findall(marked)}
    follows_question = False
    sentences = list_sentences(marked)
    for at, sentence in enumerate(sentences):
        is_question = sentence.rstrip()[-1:] == "?"
        if not is_question and _OPEN.search(sentence):
            return None
        claim = None if is_question else _CLAIM.fullmatch(sentence.strip(" .!。;\n"))
        if claim is not None and claim["alone"] and at + 1 < len(sentences):
            claim = None
        place = None if claim is None else _find_place(claim, sentence)
        if place is not None:
            claimed.add(place)
        elif not is_question and not (follows_question and _BARE_REPLY.match(sentence)):
            others |= list_affirmed(sentence)
            denied |= _list_denied(sentence)
        follows_question = is_question
    if len(claimed) != 1:
        return None
    (place,) = claimed
    if place >= profile.size or place in denied:
        return None
    # A text that is a part of the claimed one, "approaching" of "approaching, then receding", tells of no other option.
    others = {
        other
        for other in others - denied - {place}
        if other in lettered or other >= profile.size or texts[other] not in texts[place]
    }
    return None if others else place


def _find_place(claim: re.Match[str], sentence: str) -> int | None:
    """The option that a sentence claims; None where it says more than that, or its letter is another one's."""
    option = claim["option"] or claim["zh"] or claim["alone"]
    place = place_of(option[-1])
    if claim["alone"]:
        return place
    rest = _REST.fullmatch(claim["rest"] if claim["option"] else claim["zh_rest"])
    if rest is None or (rest["letter"] and place_of(rest["letter"][-1]) != place):
        return None
    named = list_affirmed(rest["reason"] or "") - {place}
    return None if named or is_negative(lower(sentence[: sentence.find(option)])) else place


def list_sentences(text: str) -> list[str]:
    """The sentences of a text, each with the signs that end it."""
    return _SENTENCE.findall(text)


def _list_denied(sentence: str) -> set[int]:
    """The options that clauses deny."""
    clauses = [clause for clause in _CLAUSE.split(sentence) if is_negative(lower(clause))]
    return {place_of(mention[-1]) for clause in clauses for mention in _MENTION.findall(clause)}


def list_affirmed(sentence: str) -> set[int]:
    """The options that the clauses of a marked sentence name without ruling them out."""
    affirmed = set[int]()
    for clause in _CLAUSE.split(_AND_BETWEEN.sub(" & ", sentence)):
        if not _DISMISSED.search(clause) and not is_negative(lower(clause)):
            affirmed.update(place_of(mention[-1]) for mention in _MENTION.findall(clause))
    return affirmed
