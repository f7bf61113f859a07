"""Request bodies: a question as bytes, built around cached clips."""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import orjson

from evaluation.types import AudioPart
from submissions.endpoints.querying.query_records import AudioForm, EndpointConfig, ItemQuery

JOINING_SILENCE_SECONDS = 2.0
# What precedes and follows the base64 of a clip.
_AROUND: dict[AudioForm, tuple[bytes, bytes]] = {
    "input_audio": (b'{"type":"input_audio","input_audio":{"data":"', b'","format":"wav"}}'),
    "data-url": (b'{"type":"audio_url","audio_url":{"url":"data:audio/wav;base64,', b'"}}'),
}


class EncodedClip(NamedTuple):
    """A clip ready to send: its base64 and the digest of its file."""

    encoded: bytes
    digest: bytes


class RequestBody(NamedTuple):
    """A request body: chunks, and the digest of all of them with each clip replaced by its digest."""

    pieces: tuple[bytes, ...]
    digest: str


def encode_clip(wav: bytes) -> EncodedClip:
    """Encode a clip once for all questions about it."""
    return EncodedClip(base64.b64encode(wav), hashlib.sha256(wav).digest())


def list_sounds(question: ItemQuery, *, multi_audio: bool) -> tuple[tuple[str, ...], ...]:
    """Return the clips of a question: one each, or all joined into one.

    >>> from evaluation.types import TextPart
    >>> question = ItemQuery("q", 0, (AudioPart("a"), TextPart("or"), AudioPart("b")))
    >>> list_sounds(question, multi_audio=True), list_sounds(question, multi_audio=False)
    ((('a',), ('b',)), (('a', 'b'),))
    """
    clips = question.clips
    return tuple((clip,) for clip in clips) if multi_audio or len(clips) < 2 else (clips,)


def build_body(endpoint: EndpointConfig, question: ItemQuery, sounds: Sequence[EncodedClip]) -> RequestBody:
    """Return the body of a request.

    Args:
        endpoint: The endpoint, which determines the format.
        question: The question.
        sounds: Clips of `list_sounds`, in order.
    """
    before, after = _AROUND[endpoint.audio_form]
    pieces, digest = [_build_head(endpoint, question)], hashlib.sha256()
    left = iter(sounds)
    for number, part in enumerate(_list_parts(question, n_sounds=len(sounds))):
        comma = b"," if number else b""
        if part is not None:
            pieces[-1] += comma + b'{"type":"text","text":' + orjson.dumps(part) + b"}"
            continue
        clip = next(left)
        pieces[-1] += comma + before
        digest.update(pieces[-1])
        digest.update(clip.digest)
        pieces += [clip.encoded, after]
    pieces[-1] += b"]}]}"
    digest.update(pieces[-1])
    return RequestBody(tuple(pieces), digest.hexdigest())


def _build_head(endpoint: EndpointConfig, question: ItemQuery) -> bytes:
    seed = b"" if question.seed is None else b',"seed":%d' % question.seed
    model = orjson.dumps(endpoint.model)
    return b'{"model":' + model + b',"temperature":0' + seed + b',"messages":[{"role":"user","content":['


def _list_parts(question: ItemQuery, n_sounds: int) -> Iterator[str | None]:
    """Yield the texts of a prompt, and None for a clip; joined clips stand in place of the first, with a note."""
    n_clips = len(question.clips)
    is_joined = n_sounds < n_clips
    if is_joined:
        yield (
            f"The {n_clips} audios of this question are in one recording, in their order, "
            f"with {JOINING_SILENCE_SECONDS:g} seconds of silence between them."
        )
    seen = False
    for part in question.prompt:
        if not isinstance(part, AudioPart):
            yield part.text
        elif not (is_joined and seen):
            seen = True
            yield None
