"""The nouns of asking: an endpoint, a question, what it answered, why it did not, and how a run of questions ended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from evaluation.types import AudioPart, PromptPart
from submissions.endpoints.transport import Target, parse_base_url
from submissions.endpoints.transport.errors import TransportKind
from submissions.endpoints.vault import Secret
from submissions.errors import BadRequestError
from submissions.lifecycle import Fault

AudioForm = Literal["input_audio", "data-url"]
QUERY_VERSION = "1"
"""Changes whenever what is sent for the same question does."""

MAX_CONCURRENCY = 256
_LONGEST_MODEL = 200

FailureKind = (
    TransportKind
    | Literal["unauthorised", "not-found", "rejected", "throttled", "server-error", "unreadable", "error-in-answer"]
)
"""What a failed call is counted as."""

Finish = Literal["stop", "length", "refusal", "filter", "other"]


@dataclass(frozen=True, slots=True)
class EndpointConfig:
    """A model behind a server that speaks the OpenAI protocol.

    Attributes:
        target: Where.
        model: Its name there.
        key: What opens it; None where nothing is needed.
        concurrency: How many questions may be on their way at once.
        multi_audio: Whether it takes several sounds; else they are joined to one.
        audio_form: `input_audio` (base64 of a WAV file), or `data-url` for servers that want a URL.
    """

    target: Target
    model: str
    key: Secret | None = None
    concurrency: int = 8
    multi_audio: bool = True
    audio_form: AudioForm = "input_audio"

    @property
    def form(self) -> str:
        """How questions are put, as a signature holds it."""
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
    """Check what somebody says of an endpoint.

    Raises:
        BadRequestError: A field is not as it must be.
    """
    if not (1 <= len(model) <= _LONGEST_MODEL and model.isprintable()):
        raise BadRequestError("model_name", f"`model_name` must have 1 to {_LONGEST_MODEL} printable characters.")
    if not 1 <= concurrency <= MAX_CONCURRENCY:
        raise BadRequestError(
            "concurrency", f"`concurrency` is {concurrency}. Set it to a number from 1 to {MAX_CONCURRENCY}."
        )
    target = parse_base_url(base_url, allows_loopback=allows_loopback)
    return EndpointConfig(target, model, Secret(key) if key else None, concurrency, multi_audio, audio_form)


@dataclass(frozen=True, slots=True)
class ItemQuery:
    """One run of an item, as it is asked.

    Attributes:
        id: Id of the item.
        run: Number of the run.
        prompt: What is read and heard.
        seed: Sent where it is given.
    """

    id: str
    run: int
    prompt: tuple[PromptPart, ...]
    seed: int | None = None

    @property
    def clips(self) -> tuple[str, ...]:
        """Names of the clips that are heard, in their order."""
        return tuple(part.clip for part in self.prompt if isinstance(part, AudioPart))


@dataclass(frozen=True, slots=True)
class EndpointReply:
    """What an endpoint said in one call.

    Attributes:
        text: The answer; empty where there was none.
        finish: Why it ended there; `length` where it was cut off.
        tokens_in: Length of the prompt, as the endpoint counts; None where it does not say.
        tokens_out: Length of the answer.
        model: Which model says that it answered.
    """

    text: str
    finish: Finish
    tokens_in: int | None = None
    tokens_out: int | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class CallFailure:
    """A call without an answer.

    Attributes:
        kind: What it is counted as.
        message: What happened, for the owner of the endpoint; it never holds the key.
        retry_after: For how many seconds it asks to be left alone, if it does.
    """

    kind: FailureKind
    message: str
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class ItemResponse:
    """An answer with all that is to be kept of it; one for each (id, run).

    Attributes:
        id: Id of the item.
        run: Number of the run.
        reply: What was said.
        sent: SHA-256 of what was asked, sounds by their own digests.
        n_calls: How many calls it took.
        seconds: How long the last one took.
    """

    id: str
    run: int
    reply: EndpointReply
    sent: str
    n_calls: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run of questions is.

    Attributes:
        n_questions: How many there are.
        n_done: How many are answered.
        n_abandoned: How many were given up.
        n_calls: How many calls were made.
        per_second: Answers a second, lately.
        failures: Failed calls, by kind.
        n_truncated: Answers that were cut off.
        tokens_in: Tokens of all prompts, where the endpoint counts them.
        tokens_out: Tokens of all answers.
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
    """Why a run of questions ended before all were answered.

    Attributes:
        code: For programs.
        reason: For people.
        retryable: Whether asking the rest later may help.
        whose_fault: Whose it is.
    """

    code: str
    reason: str
    retryable: bool
    whose_fault: Fault = "yours"


@dataclass(frozen=True, slots=True)
class QueryRunResult:
    """What became of a run of questions; `ending` is None where all were answered."""

    progress: Progress
    ending: RunFailure | None = None
