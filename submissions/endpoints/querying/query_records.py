"""Records of querying: endpoint, question, reply, failure, progress, and result of a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from evaluation.types import AudioPart, PromptPart
from submissions.endpoints.transport.allowed_addresses import Target, parse_base_url, parse_own_url
from submissions.endpoints.transport.errors import TransportKind
from submissions.endpoints.vault import Secret
from submissions.errors import BadRequestError
from submissions.lifecycle import Fault

AudioForm = Literal["input_audio", "data-url"]
QUERY_VERSION = "1"
"""Increases whenever the request for the same question changes."""

MAX_CONCURRENCY = 256
_LONGEST_MODEL = 200

FailureKind = (
    TransportKind
    | Literal["unauthorised", "not-found", "rejected", "throttled", "server-error", "unreadable", "error-in-answer"]
)
"""Kinds of failed calls."""

Finish = Literal["stop", "length", "refusal", "filter", "other"]


@dataclass(frozen=True, slots=True)
class EndpointConfig:
    """A model on a server with the OpenAI protocol.

    Attributes:
        target: Address of the server.
        model: The model's name there.
        key: API key; None if none is needed.
        concurrency: Maximum number of concurrent calls.
        multi_audio: Whether it accepts several clips; otherwise they are joined into one.
        audio_form: `input_audio` (base64 WAV file), or `data-url` for servers that expect a URL.
    """

    target: Target
    model: str
    key: Secret | None = None
    concurrency: int = 8
    multi_audio: bool = True
    audio_form: AudioForm = "input_audio"

    @property
    def form(self) -> str:
        """Form of the questions, for the signature."""
        sounds = "parts" if self.multi_audio else "joined-2s"
        return f"{QUERY_VERSION}.temperature-0.{self.audio_form}.{sounds}"


def describe_endpoint(
    base_url: str,
    model: str,
    key: str | None,
    *,
    concurrency: int = 8,
    multi_audio: bool = True,
    audio_form: AudioForm = "input_audio",
    allows_loopback: bool = False,
) -> EndpointConfig:
    """Validate the fields of an endpoint.

    Raises:
        BadRequestError: A field is invalid.
    """
    _check_fields(model, concurrency)
    target = parse_base_url(base_url, allows_loopback=allows_loopback)
    return EndpointConfig(target, model, Secret(key) if key else None, concurrency, multi_audio, audio_form)


def describe_own_endpoint(
    base_url: str,
    model: str,
    key: str | None,
    *,
    concurrency: int = 8,
    multi_audio: bool = True,
    audio_form: AudioForm = "input_audio",
) -> EndpointConfig:
    """Validate the fields of an endpoint that users query from their own machine: plain http and any address.

    Raises:
        BadRequestError: A field is invalid.
    """
    _check_fields(model, concurrency)
    secret = Secret(key) if key else None
    return EndpointConfig(parse_own_url(base_url), model, secret, concurrency, multi_audio, audio_form)


def _check_fields(model: str, concurrency: int) -> None:
    if not (1 <= len(model) <= _LONGEST_MODEL and model.isprintable()):
        raise BadRequestError("model_name", f"`model_name` must have 1 to {_LONGEST_MODEL} printable characters.")
    if not 1 <= concurrency <= MAX_CONCURRENCY:
        raise BadRequestError(
            "concurrency", f"`concurrency` is {concurrency}. Set it to a number from 1 to {MAX_CONCURRENCY}."
        )


@dataclass(frozen=True, slots=True)
class ItemQuery:
    """A run of an item as a question.

    Attributes:
        id: Id of the item.
        run: Number of the run.
        prompt: Prompt parts: text and clips.
        seed: Seed to send, or None.
    """

    id: str
    run: int
    prompt: tuple[PromptPart, ...]
    seed: int | None = None

    @property
    def clips(self) -> tuple[str, ...]:
        """Names of the clips in order."""
        return tuple(part.clip for part in self.prompt if isinstance(part, AudioPart))


@dataclass(frozen=True, slots=True)
class EndpointReply:
    """Response to one call.

    Attributes:
        text: The response; empty if there is none.
        finish: Finish reason; `length` if it was truncated.
        tokens_in: Prompt tokens as counted by the endpoint; None if unknown.
        tokens_out: Response tokens.
        model: Name of the model that answered.
    """

    text: str
    finish: Finish
    tokens_in: int | None = None
    tokens_out: int | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class CallFailure:
    """A failed call.

    Attributes:
        kind: Kind of failure.
        message: Message for the endpoint's owner, without the key.
        retry_after: Requested delay in seconds, if any.
    """

    kind: FailureKind
    message: str
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class ItemResponse:
    """A response with everything that is stored of it; one for each (id, run).

    Attributes:
        id: Id of the item.
        run: Number of the run.
        reply: The response.
        request_digest: SHA-256 of the request, with clips replaced by their digests.
        n_calls: Number of calls.
        seconds: Duration of the last call.
    """

    id: str
    run: int
    reply: EndpointReply
    request_digest: str
    n_calls: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a run of questions.

    Attributes:
        n_questions: Number of questions.
        n_done: Number of answered questions.
        n_abandoned: Number of questions given up.
        n_calls: Number of calls.
        per_second: Recent responses per second.
        failures: Number of failed calls by kind.
        n_truncated: Number of truncated responses.
        tokens_in: Tokens of all prompts, if the endpoint counts them.
        tokens_out: Tokens of all responses.
    """

    n_questions: int
    n_done: int = 0
    n_abandoned: int = 0
    n_calls: int = 0
    per_second: float = 0.0
    failures: Mapping[str, int] = field(default_factory=dict)
    n_truncated: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True)
class RunFailure:
    """Why a run ended before all questions were answered.

    Attributes:
        code: Code for programs.
        reason: Message for the user.
        retryable: Whether querying the rest later may help.
        fault: Who caused it.
    """

    code: str
    reason: str
    retryable: bool
    fault: Fault = "yours"


@dataclass(frozen=True, slots=True)
class QueryRunResult:
    """Result of a run of questions; `ending` is None if all were answered."""

    progress: Progress
    ending: RunFailure | None = None
