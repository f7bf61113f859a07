"""What may be said of a model."""

from db.records import NewModel
from submissions.errors import BadRequestError

MOST_LINKS = 5
_LONGEST_LINK = 500


def check_model(fields: NewModel) -> NewModel:
    """Return a model whose fields may be shown.

    Raises:
        BadRequestError: One may not.
    """
    for name, limit in (("name", 120), ("organisation", 120), ("kind", 40)):
        text = getattr(fields, name)
        if text is not None and not _is_printable(text, limit):
            raise BadRequestError(f"model.{name}", f"The model's {name} has 1 to {limit} printable characters.")
    if fields.url is not None:
        _check_link("url", fields.url)
    for link in fields.links:
        _check_link("links", link)
    if len(fields.links) + (fields.url is not None) > MOST_LINKS:
        raise BadRequestError("model.links", f"A model has at most {MOST_LINKS} links, its url among them.")
    if fields.size_billions is not None and not 0 < fields.size_billions < 100_000:
        raise BadRequestError("model.size_billions", "The model's size is in billions of parameters, above 0.")
    return fields


def _check_link(field: str, link: str) -> None:
    if not _is_printable(link, _LONGEST_LINK):
        raise BadRequestError(f"model.{field}", f"The model's {field} has 1 to {_LONGEST_LINK} printable characters.")
    if not link.startswith(("https://", "http://")):
        raise BadRequestError(f"model.{field}", f"The model's {field} begins with https:// or http://.")


def _is_printable(text: str, limit: int) -> bool:
    return bool(text.strip()) and len(text) <= limit and text.isprintable()
