"""Records of endpoints that Earshot queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class EndpointRecord:
    """Endpoint of a submission, with the settings of its requests.

    Attributes:
        base_url: Base URL of the API.
        model_name: Model ID sent to the API.
        sealed_key: Encrypted API key; None if there is none, or if it was deleted. Never shown.
        wants_key: Whether requests need an API key.
        concurrency: Maximum number of parallel requests.
        multi_audio: Whether several clips are sent as separate audio inputs.
        audio_form: Audio format in the request.
        parts: Parts of the benchmark to evaluate; None for all.
        findings: Results of the first endpoint check; None before it.
        progress: Progress of the run; None before it starts.
    """

    base_url: str
    model_name: str
    sealed_key: bytes | None
    wants_key: bool
    concurrency: int
    multi_audio: bool
    audio_form: str
    parts: Sequence[str] | None = None
    findings: Sequence[Mapping[str, Any]] | None = None
    progress: Mapping[str, Any] | None = None

    def __repr__(self) -> str:
        # Keep the key out of logs, even encrypted.
        return f"EndpointRecord({self.base_url!r}, {self.model_name!r})"


@dataclass(frozen=True, slots=True)
class ResponseRecord:
    """The response of an endpoint to one run of an item, with its cost."""

    item: str
    run: int
    text: str
    finish: str
    tokens_in: int | None
    tokens_out: int | None
    model: str | None
    request_digest: str
    n_calls: int
    seconds: float
