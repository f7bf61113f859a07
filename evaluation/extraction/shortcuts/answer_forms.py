"""Short answers by their form: the answer with a placeholder for the option's text, if it quotes one.

Most answers are short and have one of few forms, "B. …" or "The answer is …", whatever the question. Cleaned forms are
remembered, and so are their readings. An answer has a form only where that is sure to be what cleaning it and marking
the texts in it would give.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from evaluation.extraction.claims.caution import is_settled, stays_open
from evaluation.extraction.claims.hearsay import drop_hearsay
from evaluation.extraction.claims.transcripts import addresses_listeners
from evaluation.extraction.language.normalize import PRIVATE_USE, clean, is_tidy
from evaluation.extraction.language.spelling import find_words, lower
from evaluation.extraction.option_texts.options import PreparedOptions, Profile
from evaluation.types import Reading

_LONGEST = 160
_LONGEST_FORM, _LONGEST_CONDENSED = 48, 80
_SHORTEST = 9
_MEMO_SIZE = 32_768

# An ordinary word that cleaning leaves alone, as it does every plain text of an option.
_STAND_IN = "qxz"
# What cleaning does here depends on the text beside it.
_DELICATE = re.compile(r"[{}\\&_]|```| >|<[^>]*[\ue000-\uf8ff]|qxz", re.IGNORECASE)
# Where the text is not a text of its own: within a word or a number, or a part of a longer chain of arrows.
_UNBOUNDED = re.compile(
    "[A-Za-z0-9+-][\ue000-\uf8ff]|-> ?[\ue000-\uf8ff]|[0-9][.,][\ue000-\uf8ff]"
    "|[\ue000-\uf8ff](?:[A-Za-z0-9]| ?->|[.,][0-9]| ?[-~] ?[0-9])"
    "|[零一二两三四五六七八九十百千][\ue000-\uf8ff]|[\ue000-\uf8ff][零一二两三四五六七八九十百千]"
)


@dataclass(slots=True)
class Form:
    """A cleaned form.

    Attributes:
        text: With a placeholder for an option's text, if it quotes one.
        words: Around the placeholder.
        is_open: Whether it stays open; None where that depends on the option's text, even if the text is settled.
        readings: How it is read with the options of each profile it was read with; profiles are few.
    """

    text: str
    words: frozenset[str]
    is_open: bool | None
    readings: dict[Profile, Reading] = field(default_factory=dict)


@lru_cache(maxsize=_MEMO_SIZE)
def _make_form(form: str) -> Form | None:
    match = PRIVATE_USE.search(form)
    if match is None:
        text = drop_hearsay(clean(form))
        return Form(text, frozenset(find_words(lower(text))), stays_open(form))
    placeholder = match.group()
    if _DELICATE.search(form) or form.count(placeholder) > 1:
        return None
    text = drop_hearsay(clean(form.replace(placeholder, _STAND_IN)).replace(_STAND_IN, placeholder))
    if placeholder not in text or _UNBOUNDED.search(text):
        return None
    is_sure = is_settled(form) and not form[-1].isalpha() and not _UNBOUNDED.search(form)
    is_sure = is_sure and not addresses_listeners(form)
    words = frozenset(find_words(lower(text))) - {placeholder}
    return Form(text, words, False if is_sure else None)


@lru_cache(maxsize=_MEMO_SIZE)
def _make_condensed_form(form: str) -> Form | None:
    """Make a form of a text that was cleaned and condensed; None where cleaning it once more could change it."""
    if not is_tidy(form) or _STAND_IN in form:
        return None
    text = form.strip()
    n_placeholders = len(PRIVATE_USE.findall(text))
    if n_placeholders > 1 or (n_placeholders and _UNBOUNDED.search(text)):
        return None
    return Form(text, frozenset(find_words(lower(text))), None)


@lru_cache(maxsize=_MEMO_SIZE)
def _is_another_word(form: str, sign: str, text: str, homonyms: re.Pattern[str]) -> bool:
    """Whether the words beside an option's text make it another word: "right away"."""
    return homonyms.search(lower(form.replace(sign, text))) is not None


def find_form(response: str, prepared: PreparedOptions, *, is_cleaned: bool = False) -> tuple[Form, bool | None] | None:
    """Return the form of a response, or None where it has no sure one.

    Args:
        response: As it was written.
        prepared: The options.
        is_cleaned: Whether the response was cleaned and condensed; then cleaning it once more must change nothing.

    Returns:
        The form, and whether the response stays open; None where the form does not tell.
    """
    if len(response) > _LONGEST or not prepared.has_forms or (is_cleaned and prepared.has_turns):
        return None
    if not response.isascii() and PRIVATE_USE.search(response):
        return None
    if len(response) <= _SHORTEST and not is_cleaned:
        # Nearly all of these are bare letters. Words of no text also show that there is none.
        form = _make_form(response)
        if form is not None and prepared.telling.isdisjoint(form.words):
            return form, form.is_open
    longest = _LONGEST_CONDENSED if is_cleaned else _LONGEST_FORM
    if len(response) > longest + prepared.longest_text:
        return None
    text, sign, confusable, settled = "", "", prepared.telling, True
    for finder in prepared.finders:
        if finder[0] in response:
            text, sign, confusable, settled = finder
            break
    written = response.replace(text, sign) if text else response
    if len(written) > longest:
        return None
    form = (_make_condensed_form if is_cleaned else _make_form)(written)
    if form is None or not confusable.isdisjoint(form.words):
        return None
    if sign and prepared.homonyms is not None and _is_another_word(form.text, sign, text, prepared.homonyms):
        return None
    return form, form.is_open if settled else None
