"""Model descriptions: allowed values."""

import re
from urllib.parse import urlsplit

from db.records import NewModel
from submissions.errors import BadRequestError
from submissions.hub.repository_checks import check_hub_model

MAX_LINKS = 5
_LONGEST_LINK = 500
# Printable, and yet nothing is drawn: joiners, fillers, the empty Braille cell, variation selectors. With them a name
# is blank, or looks like another one.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def check_model(fields: NewModel) -> NewModel:
    """Return a model whose fields may be shown.

    Raises:
        BadRequestError: One may not.
    """
    for name, limit in (("name", 120), ("organisation", 120), ("kind", 40)):
        text = getattr(fields, name)
        if text is not None:
            _check_words(name, text, limit)
    if fields.url is not None:
        _check_link("url", fields.url)
    for link in fields.links:
        _check_link("links", link)
    if len(fields.links) + (fields.url is not None) > MAX_LINKS:
        raise BadRequestError("model.links", f"Too many links. A model has at most {MAX_LINKS}, its url included.")
    if fields.size_billions is not None and not 0 < fields.size_billions < 100_000:
        raise BadRequestError("model.size_billions", "Invalid model size. Enter billions of parameters, above 0.")
    if fields.hub is not None:
        check_hub_model(fields.hub)
    return fields


def _check_words(field: str, words: str, limit: int) -> None:
    if not _is_printable(words, limit):
        raise BadRequestError(f"model.{field}", f"The model's {field} must have 1 to {limit} printable characters.")
    unseen = _UNSEEN.search(words)
    if unseen is not None:
        code = f"U+{ord(unseen.group()):04X}"
        raise BadRequestError(
            f"model.{field}", f"The model's {field} contains an invisible character, {code}. Remove it."
        )


def _check_link(field: str, link: str) -> None:
    if not _is_printable(link, _LONGEST_LINK):
        raise BadRequestError(
            f"model.{field}", f"The model's {field} must have 1 to {_LONGEST_LINK} printable characters."
        )
    if not link.startswith(("https://", "http://")):
        raise BadRequestError(f"model.{field}", f"The model's {field} must begin with https:// or http://.")
    try:
        host = urlsplit(link).hostname
    except ValueError:  # brackets that hold no address
        host = None
    if not host or " " in link:
        raise BadRequestError(
            f"model.{field}",
            f"The model's {field} is not a valid web address. Enter a full link, e.g. https://arxiv.org/abs/…",
        )


def _is_printable(text: str, limit: int) -> bool:
    return bool(text.strip()) and len(text) <= limit and text.isprintable()
