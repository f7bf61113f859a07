"""Model metadata in an answer of the Hub's API, treated as untrusted input: unexpected values are left out."""

from datetime import datetime
from typing import Any

import msgspec

from db.hub_records import HubModel
from db.records import NewModel
from submissions.hub.repo_ids import is_repo_id
from submissions.hub.repository_checks import (
    MAX_BASE_MODELS,
    is_licence,
    is_pipeline_tag,
    is_revision,
)

# Requested fields: the full answer lists every file, which can be megabytes.
EXPANDED = ("cardData", "createdAt", "gated", "gguf", "pipeline_tag", "private", "safetensors", "sha")
_KINDS = {"audio-text-to-text": "LALM", "any-to-any": "OLM"}
# With more integers than this the weights are quantised and packed, so that counting elements gives no size.
_MAX_INTEGER_SHARE = 0.01
_MAX_PARAMETERS = 10**13


class _Safetensors(msgspec.Struct):
    parameters: dict[str, int] = {}
    total: int = 0


class _Answer(msgspec.Struct, rename="camel"):
    id: str
    sha: str | None = None
    gated: bool | str = False
    pipeline_tag: str | None = msgspec.field(default=None, name="pipeline_tag")
    created_at: str | None = None
    card_data: dict[str, Any] | None = None
    safetensors: _Safetensors | None = None
    gguf: dict[str, Any] | None = None


class MetadataError(ValueError):
    """The answer does not describe a model."""


def read_metadata(body: bytes, endpoint: str) -> NewModel:
    """Return the model described by an answer of `/api/models/<id>`, with its repository.

    Args:
        body: The answer.
        endpoint: Address of the Hub, for the model's link.

    Raises:
        MetadataError: The answer does not describe a model.
    """
    try:
        answer = msgspec.json.decode(body, type=_Answer)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise MetadataError("the answer is not a description of a model") from error
    if not is_repo_id(answer.id):
        raise MetadataError("the answer has no model ID")
    owner, name = answer.id.split("/")
    return NewModel(
        name=name,
        organisation=owner,
        kind=_KINDS.get(answer.pipeline_tag or ""),
        size_billions=_find_size(answer.safetensors),
        open_weights=_find_openness(answer),
        url=f"{endpoint}/{answer.id}",
        hub=_describe_repository(answer),
    )


def _describe_repository(answer: _Answer) -> HubModel:
    card = answer.card_data or {}
    return HubModel(
        repo_id=answer.id,
        revision=answer.sha if is_revision(answer.sha) else None,
        licence=_find_licence(card.get("license")),
        base_models=_list_base_models(card.get("base_model")),
        access="gated" if answer.gated else "open",
        pipeline_tag=answer.pipeline_tag if is_pipeline_tag(answer.pipeline_tag) else None,
        created_on=_find_date(answer.created_at),
    )


def _find_size(weights: _Safetensors | None) -> float | None:
    """Return the number of parameters in billions; None if the weights are packed or the number is unknown."""
    if weights is None or not 0 < weights.total < _MAX_PARAMETERS:
        return None
    integers = sum(count for kind, count in weights.parameters.items() if not kind.startswith(("F", "BF")))
    if integers > _MAX_INTEGER_SHARE * weights.total:
        return None
    return float(f"{weights.total / 1e9:.3g}")


def _find_openness(answer: _Answer) -> bool | None:
    """Return whether anyone can download the weights; None if access is granted by hand or there are no weights."""
    has_weights = answer.safetensors is not None or answer.gguf is not None
    return True if has_weights and answer.gated in (False, "auto") else None


def _find_licence(value: object) -> str | None:
    first = value[0] if isinstance(value, list) and len(value) == 1 else value
    return first if isinstance(first, str) and is_licence(first) else None


def _list_base_models(value: object) -> tuple[str, ...]:
    names = value if isinstance(value, list) else [value]
    return tuple(name for name in names if isinstance(name, str) and is_repo_id(name))[:MAX_BASE_MODELS]


def _find_date(text: str | None) -> str | None:
    try:
        return datetime.fromisoformat(text).date().isoformat() if text else None
    except ValueError:
        return None
