"""Parsing of the Submit tab's fields. Pure; errors name the field."""

import re

import msgspec

from db.hub_records import HubModel
from db.records import NewModel
from evaluation.benchmarks import Benchmark, get_benchmark
from submissions.endpoints.endpoint_service import AUDIO_FORMS
from submissions.endpoints.querying.query_records import AudioForm
from submissions.endpoints.vault import Secret
from submissions.errors import BadRequestError
from submissions.hub.repository_checks import check_repo_id
from submissions.model_registry.descriptions import check_model

_NUMBER = re.compile(r"[0-9]{1,9}")


def read_benchmark(chosen: str | None) -> Benchmark:
    """Return the benchmark of a choice, `<id> <version>`.

    Raises:
        UnknownBenchmarkError: It does not exist.
    """
    name, _, version = (chosen or "")[:100].partition(" ")
    return get_benchmark(name, version or None)


def read_model(
    name: str | None,
    organisation: str | None,
    kind: str | None,
    size: str | None,
    weights: str | None,
    url: str | None,
    hub: HubModel | None = None,
) -> NewModel:
    """Return the model described by the fields; empty fields are unknown.

    Raises:
        BadRequestError: A field is invalid; the message says why.
    """
    if not (name or "").strip():
        raise BadRequestError("model.name", "Enter a model name.")
    return check_model(
        NewModel(
            name=(name or "").strip(),
            organisation=(organisation or "").strip() or None,
            kind=kind or None,
            size_billions=_read_size(size),
            open_weights={"open": True, "closed": False}.get(weights or ""),
            url=(url or "").strip() or None,
            hub=hub,
        )
    )


def read_hub_model(hub_id: str | None, filled: str | None) -> HubModel | None:
    """Return the repository named in the form; with its revision if the fields were filled from it.

    Args:
        hub_id: Current text of the field.
        filled: The repository that fields were filled from, as JSON; sent by the browser, so untrusted.

    Raises:
        BadRequestError: The id is invalid.
    """
    if not (hub_id or "").strip():
        return None
    name = check_repo_id(str(hub_id), "model.hub.id")
    try:
        known = msgspec.json.decode(filled or "", type=HubModel)
    except (msgspec.MsgspecError, RecursionError):
        known = None
    return known if known is not None and known.repo_id == name else HubModel(name)


def read_key(typed: str | None) -> Secret | None:
    """Return an API key; None if empty.

    Raises:
        BadRequestError: The key is invalid.
    """
    text = (typed or "").strip()
    return Secret(text) if text else None


def read_concurrency(typed: str | None) -> int:
    """Return the maximum number of concurrent calls; the service checks its limits.

    Raises:
        BadRequestError: It is not a number.
    """
    text = (typed or "").strip()
    if not _NUMBER.fullmatch(text):
        raise BadRequestError("concurrency", "Enter a whole number, such as 8.")
    return int(text)


def read_audio_form(chosen: str | None) -> AudioForm:
    """Return the form of clips in requests.

    Raises:
        BadRequestError: There is no such form.
    """
    form = next((one for one in AUDIO_FORMS if one == chosen), None)
    if form is None:
        raise BadRequestError("audio_form", f"Choose one of {', '.join(AUDIO_FORMS)}.")
    return form


def _read_size(size: str | None) -> float | None:
    text = (size or "").strip()
    try:
        return float(text.replace(",", ".")) if text else None
    except ValueError:
        raise BadRequestError(
            "model.size_billions", f"`{text}` is not a size. Enter billions of parameters, such as 7 or 0.5."
        ) from None
