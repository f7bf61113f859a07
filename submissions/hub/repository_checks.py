"""Validation of a model repository's metadata, from the Hub or from a submitter."""

import re
from datetime import date

from db.hub_records import HubModel
from submissions.errors import BadRequestError
from submissions.hub.repo_ids import is_repo_id

MAX_BASE_MODELS = 5
_REVISION = re.compile(r"[0-9a-f]{40}")
_LICENCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,59}")
_PIPELINE_TAG = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
_ACCESS = ("open", "gated")


def check_repo_id(repo_id: str, field: str = "hub") -> str:
    """Return a repository id, `organisation/name`, without surrounding spaces.

    Raises:
        BadRequestError: The id is invalid; the message does not repeat it.
    """
    name = repo_id.strip()
    if not is_repo_id(name):
        raise BadRequestError(field, "Enter a Hub model ID with its organisation, such as org/model-name.")
    return name


def check_hub_model(model: HubModel) -> HubModel:
    """Validate and return a repository whose fields can be stored and shown.

    Raises:
        BadRequestError: A field is invalid.
    """
    check_repo_id(model.repo_id, "model.hub.id")
    _require(is_revision(model.revision), "revision", "must be a commit hash of 40 hexadecimal digits")
    _require(is_licence(model.licence), "licence", "must be an identifier such as apache-2.0")
    _require(
        len(model.base_models) <= MAX_BASE_MODELS and all(is_repo_id(name) for name in model.base_models),
        "base_models",
        f"must list at most {MAX_BASE_MODELS} model IDs",
    )
    _require(model.access in (None, *_ACCESS), "access", "must be open or gated")
    _require(is_pipeline_tag(model.pipeline_tag), "pipeline_tag", "must be a Hub task")
    _require(is_date(model.created_on), "created_on", "must be a date such as 2026-03-01")
    return model


def is_revision(text: str | None) -> bool:
    """Tell whether a value is a commit hash or None."""
    return text is None or bool(_REVISION.fullmatch(text))


def is_licence(text: str | None) -> bool:
    """Tell whether a value is a licence identifier or None."""
    return text is None or bool(_LICENCE.fullmatch(text))


def is_pipeline_tag(text: str | None) -> bool:
    """Tell whether a value is a task of the Hub or None."""
    return text is None or bool(_PIPELINE_TAG.fullmatch(text))


def is_date(text: str | None) -> bool:
    """Tell whether a value is a date in our format or None."""
    try:
        return text is None or date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _require(is_allowed: bool, field: str, rule: str) -> None:
    if not is_allowed:
        raise BadRequestError(f"model.hub.{field}", f"The Hub model's {field} {rule}.")
