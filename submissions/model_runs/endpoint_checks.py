"""Check of a model before its first question: what it accepts, and how the questions are sent to it therefore."""

import io
import wave
from collections.abc import Callable, Sequence
from dataclasses import replace

from evaluation.audio import read_sound, write_sound
from submissions.endpoints.querying.clips import LoadClip
from submissions.endpoints.querying.engine import Means
from submissions.endpoints.querying.probing import Probe, probe
from submissions.endpoints.querying.query_records import EndpointConfig, ItemQuery
from submissions.model_runs.run_errors import ModelRunError

PARTS, JOINED = "parts", "joined-2s"
_PROBE_CALLS = 3  # a mistyped address should not cost half a minute
_OPTIONS = {"`base_url`": "--base-url", "`model_name`": "--model", "`concurrency`": "--concurrency"}


def check_endpoint(
    endpoint: EndpointConfig,
    questions: Sequence[ItemQuery],
    count_stereo: Callable[[Sequence[ItemQuery]], int],
    means: Means,
    *,
    is_mono: bool,
) -> tuple[str, list[str]]:
    """Send four calls, and decide how clips are sent.

    Args:
        endpoint: The endpoint.
        questions: The questions of the run.
        count_stereo: Counts the questions with stereo clips.
        means: Configuration of querying.
        is_mono: Whether clips are mixed to one channel.

    Returns:
        `parts` or `joined-2s`, and sentences for the user.

    Raises:
        ModelRunError: The model cannot answer the questions.
    """
    policy = replace(means.retry_policy, max_calls=min(_PROBE_CALLS, means.retry_policy.max_calls))
    found = probe(replace(endpoint, multi_audio=True), replace(means, retry_policy=policy))
    _require_answers(found, endpoint)
    failures = {finding.check: finding.detail for finding in found.findings if finding.is_ok is False}
    if "takes stereo" in failures and not is_mono and (n_stereo := count_stereo(questions)):
        raise ModelRunError(
            f"The model refuses stereo: {failures['takes stereo']} {n_stereo:,} of {len(questions):,} questions have "
            "stereo clips. Serve it with two channels, or pass --mono to send the mean of both."
        )
    if "takes two" not in failures:
        return PARTS, []
    n_several = sum(len(question.clips) > 1 for question in questions)
    if not n_several:
        return PARTS, []
    return JOINED, [
        f"The model refuses several clips in a question. In {n_several:,} of {len(questions):,} questions they are "
        "joined, with 2 s of silence between them."
    ]


def write_as_options(message: str) -> str:
    """Return a message about an endpoint's fields with the options of the command line."""
    for field, option in _OPTIONS.items():
        message = message.replace(field, option)
    return message


def mix_to_mono(load_clip: LoadClip) -> LoadClip:
    """Return a loader whose clips are the mean of all channels."""

    def load_mixed(name: str) -> bytes:
        clip = load_clip(name)
        with wave.open(io.BytesIO(clip)) as file:
            if file.getnchannels() == 1:
                return clip
        samples, rate = read_sound(clip)
        return write_sound(samples.mean(axis=1), rate)

    return load_mixed


def _require_answers(found: Probe, endpoint: EndpointConfig) -> None:
    if found.is_ready:
        return
    wrong = next(finding for finding in found.findings if not finding.is_ok)
    detail = write_as_options(wrong.detail)
    match wrong.check:
        case "authorised" if endpoint.key is None:
            advice = " Pass --api-key-env with the name of the variable that has the API key."
        case "takes audio":
            other = "data-url" if endpoint.audio_form == "input_audio" else "input_audio"
            advice = f" Serve a model that accepts audio, or try --audio-form {other}."
        case _:
            advice = ""
    what = "does not accept audio" if wrong.check == "takes audio" else "cannot be asked"
    raise ModelRunError(f"{endpoint.model} at {endpoint.target.url} {what}. {detail}{advice}")
