"""Adapters: models in this process, as a function from prompt parts to text."""

import inspect
import pkgutil
import sys
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from evaluation.audio import AudioError, read_sound
from evaluation.types import AudioPart
from submissions.endpoints.querying.clips import LoadClip
from submissions.endpoints.querying.query_records import EndpointReply, ItemQuery, ItemResponse, QueryRunResult
from submissions.endpoints.querying.response_writer import Keep, Report
from submissions.endpoints.querying.run_stats import RunStats
from submissions.model_runs.run_errors import ModelRunError

_REPORT_SECONDS = 1.0


class AdapterText(TypedDict):
    """A text of a prompt."""

    type: Literal["text"]
    text: str


class AdapterAudio(TypedDict):
    """A clip of a prompt: float32 (samples, channels) with full scale ±1, and samples per second."""

    type: Literal["audio"]
    audio: NDArray[np.float32]
    sampling_rate: int


AdapterPart = AdapterText | AdapterAudio


@dataclass(frozen=True, slots=True)
class Adapter:
    """A model in this process.

    Attributes:
        name: `module:function`.
        function: From the parts of a prompt to the response.
        takes_seed: Whether the function has a parameter `seed`.
    """

    name: str
    function: Callable[..., str]
    takes_seed: bool

    def answer(self, question: ItemQuery, load_clip: LoadClip) -> str:
        """Return the model's response.

        Raises:
            ModelRunError: The function fails, or returns something else than text.
        """
        parts = list(read_parts(question, load_clip))
        seed = {"seed": question.seed or 0} if self.takes_seed else {}
        try:
            text: object = self.function(parts, **seed)
        except Exception as error:
            raise ModelRunError(
                f"`{self.name}` failed on {question.id}: {_describe_failure(error)}. Fix it, and run the command "
                "again: answered questions are not asked again."
            ) from error
        if not isinstance(text, str):
            raise ModelRunError(
                f"`{self.name}` returned {type(text).__name__} for {question.id}. Return the model's text as a str."
            )
        return text


def load_adapter(name: str) -> Adapter:
    """Import an adapter.

    Raises:
        ModelRunError: There is no such function.
    """
    module, _, function = name.partition(":")
    if not module or not function:
        raise ModelRunError(f"--adapter is `{name}`. Pass module:function, such as my_model:answer.")
    # An installed command searches its own folder, and not the current one.
    if not {"", str(Path.cwd())} & set(sys.path):
        sys.path.insert(0, str(Path.cwd()))
    try:
        found = pkgutil.resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ModelRunError(
            f"--adapter {name} cannot be imported ({error}). Run the command in the folder of the module, and check "
            "both names."
        ) from error
    except (Exception, SystemExit) as error:
        raise ModelRunError(f"--adapter {name} cannot be imported: {_describe_failure(error)}. Fix it.") from error
    if not callable(found):
        raise ModelRunError(f"--adapter {name} is no function. Pass module:function, such as my_model:answer.")
    if inspect.iscoroutinefunction(found):
        raise ModelRunError(f"--adapter {name} is an async function. Pass a function that returns the model's text.")
    return Adapter(name, found, "seed" in _list_parameters(found))


def _list_parameters(function: Callable[..., object]) -> Collection[str]:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):  # compiled functions do not say
        return ()


def _describe_failure(error: BaseException) -> str:
    where = inspect.trace()[-1]
    return f"{type(error).__name__}: {error} ({where.filename}, line {where.lineno})"


def read_parts(question: ItemQuery, load_clip: LoadClip) -> Iterable[AdapterPart]:
    """Yield the parts of a prompt in order, with clips as arrays."""
    for part in question.prompt:
        if isinstance(part, AudioPart):
            try:
                samples, rate = read_sound(load_clip(part.clip))
            except AudioError as error:
                raise ModelRunError(f"Clip {part.clip} of the pack is damaged ({error}). Get the pack again.") from None
            yield {"type": "audio", "audio": samples.astype(np.float32), "sampling_rate": rate}
        else:
            yield {"type": "text", "text": part.text}


def query_adapter(
    adapter: Adapter, questions: Sequence[ItemQuery], load_clip: LoadClip, keep: Keep, report: Report
) -> QueryRunResult:
    """Ask an adapter all questions, one after the other.

    Args:
        adapter: The adapter.
        questions: Unanswered questions.
        load_clip: Returns the WAV file of a clip.
        keep: Stores responses.
        report: Called with the progress.

    Raises:
        ModelRunError: The adapter fails.
    """
    stats = RunStats(len(questions), abandoned_rate=0.0)
    reported_at = time.monotonic()
    for question in questions:
        began = time.monotonic()
        stats.n_calls += 1
        reply = EndpointReply(adapter.answer(question, load_clip), "stop")
        now = time.monotonic()
        keep([ItemResponse(question.id, question.run, reply, "", 1, now - began)])
        stats.count_reply(reply, now)
        if now >= reported_at + _REPORT_SECONDS:
            reported_at = now
            report(stats.snapshot(now))
    progress = stats.snapshot(time.monotonic())
    report(progress)
    return QueryRunResult(progress)
