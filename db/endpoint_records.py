"""Records of endpoints that Earshot queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class EndpointRecord:
    """Where the model of a submission is asked.

    Attributes:
        base_url: Address.
        model_name: Name of the model there.
        sealed_key: The key, sealed; None where there is none, or not any more. It is never shown.
        wants_key: Whether it is asked with a key.
        concurrency: How many questions may be on their way at once.
        multi_audio: Whether several sounds are sent as several parts.
        audio_form: How a sound is sent.
        parts: Pieces of the benchmark that are asked; None for all.
        findings: What the first look at it found; None before.
        progress: How far asking is; None before.
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
        # Not even sealed does a key belong into a log.
        return f"EndpointRecord({self.base_url!r}, {self.model_name!r})"


@dataclass(frozen=True, slots=True)
class ResponseRecord:
    """What an endpoint answered to one run of an item, with what it took."""

    item: str
    run: int
    text: str
    finish: str
    tokens_in: int | None
    tokens_out: int | None
    model: str | None
    sent: str
    n_calls: int
    seconds: float
