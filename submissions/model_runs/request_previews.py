"""Preview of the first request: everything that is sent, with sounds abbreviated and without the API key."""

import json
from collections.abc import Iterable
from typing import Any

from submissions.endpoints.querying.clips import LoadClip
from submissions.endpoints.querying.engine import ROUTE
from submissions.endpoints.querying.query_records import EndpointConfig, ItemQuery
from submissions.endpoints.querying.request_bodies import build_body, encode_clip, list_sounds
from submissions.model_runs.adapters import AdapterPart

_SHOWN = 16


def preview_request(
    endpoint: EndpointConfig, question: ItemQuery, load_clip: LoadClip, key_variable: str | None
) -> str:
    """Return a request as text.

    Args:
        endpoint: The endpoint.
        question: The question.
        load_clip: Returns the WAV file of a clip.
        key_variable: Name of the variable with the API key; None without one.
    """
    sounds = [encode_clip(load_clip(name)) for names in list_sounds(question, multi_audio=True) for name in names]
    body = json.loads(b"".join(build_body(endpoint, question, sounds).pieces))
    for part in body["messages"][0]["content"]:
        for field, name in (("input_audio", "data"), ("audio_url", "url")):
            if field in part:
                part[field][name] = _abbreviate(part[field][name])
    lines = [f"POST {endpoint.target.url}{ROUTE}", "Content-Type: application/json"]
    if key_variable is not None:
        lines.append(f"Authorization: Bearer <{key_variable}>")
    return "\n".join((*lines, "", json.dumps(body, indent=2, ensure_ascii=False)))


def preview_parts(name: str, parts: Iterable[AdapterPart]) -> str:
    """Return what an adapter's function is called with, as text."""
    shown: list[dict[str, Any]] = []
    for part in parts:
        if part["type"] == "text":
            shown.append(dict(part))
        else:
            array = f"<{part['audio'].dtype} {part['audio'].shape}>"
            shown.append({"type": "audio", "audio": array, "sampling_rate": part["sampling_rate"]})
    return f"{name}(\n{json.dumps(shown, indent=2, ensure_ascii=False)}\n)"


def _abbreviate(data: str) -> str:
    start = data.find(",") + 1
    return f"{data[: start + _SHOWN]}… ({len(data) - start:,} characters)"
