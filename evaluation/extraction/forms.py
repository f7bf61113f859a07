"""Short answers by their form: the answer with a placeholder for the option's text, if it quotes one.

Most answers are short and have one of few forms, "B. …" or "The answer is …", whatever the question. Cleaned forms are
remembered, and so are their readings. An answer has a form only where that is sure to be what cleaning it and marking
the texts in it would give.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from evaluation.extraction.normalize import PRIVATE_USE, clean
from evaluation.extraction.options import PreparedOptions
from evaluation.extraction.spelling import find_words, lower

_LONGEST = 160
_LONGEST_FORM = 48
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


class _Form(NamedTuple):
    """A cleaned form and the words around its placeholder."""

    text: str
    words: frozenset[str]


@lru_cache(maxsize=_MEMO_SIZE)
def _clean_form(form: str, placeholder: str) -> _Form | None:
    if not placeholder:
        text = clean(form)
        return _Form(text, frozenset(find_words(lower(text))))
    if _DELICATE.search(form) or form.count(placeholder) > 1:
        return None
    text = clean(form.replace(placeholder, _STAND_IN)).replace(_STAND_IN, placeholder)
    words = frozenset(find_words(lower(text))) - {placeholder}
    return _Form(text, words) if placeholder in text and not _UNBOUNDED.search(text) else None


def find_form(response: str, prepared: PreparedOptions) -> str | None:
    """Return a response cleaned, with placeholders for the option's text, or None where it has no sure form."""
    if len(response) > _LONGEST or not prepared.has_forms:
        return None
    if not response.isascii() and PRIVATE_USE.search(response):
        return None
    if len(response) <= _SHORTEST:
        # Nearly all of these are bare letters. Words of no text also show that there is none.
        bare = _clean_form(response, "")
        if bare is not None and prepared.telling.isdisjoint(bare.words):
            return bare.text
    confusable = prepared.telling
    form, placeholder = response, ""
    for text, sign, beside in prepared.finders:
        if text in response:
            form, placeholder, confusable = response.replace(text, sign), sign, beside
            break
    if len(form) > _LONGEST_FORM:
        return None
    cleaned = _clean_form(form, placeholder)
    if cleaned is not None and prepared.homonyms is not None and placeholder:
        written = lower(cleaned.text.replace(placeholder, text))
        cleaned = None if prepared.homonyms.search(written) else cleaned
    return cleaned.text if cleaned is not None and confusable.isdisjoint(cleaned.words) else None
