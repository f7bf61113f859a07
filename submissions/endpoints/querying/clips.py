"""Clip cache of a run: each clip is rendered and encoded once while it fits."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from evaluation.audio import join_with_silence
from submissions.endpoints.querying.request_bodies import JOINING_SILENCE_SECONDS, EncodedClip, encode_clip

LoadClip = Callable[[str], bytes]
"""Returns the WAV file of a clip; called from one thread at a time."""


class ClipCache:
    """Least-recently-used cache of encoded clips."""

    def __init__(self, load: LoadClip, max_bytes: int) -> None:
        self._load = load
        self._most_bytes = max_bytes
        self._n_bytes = 0
        self._kept: OrderedDict[tuple[str, ...], EncodedClip] = OrderedDict()
        self._coming: dict[tuple[str, ...], asyncio.Future[EncodedClip]] = {}
        # One thread: rendering needs a core, and loaders need not be thread-safe.
        self._thread = ThreadPoolExecutor(1, "clips")

    def close(self) -> None:
        """Stop the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def get(self, names: tuple[str, ...]) -> EncodedClip:
        """Return a clip, or several joined, rendered at most once for concurrent requests."""
        if (clip := self._kept.get(names)) is not None:
            self._kept.move_to_end(names)
            return clip
        if (coming := self._coming.get(names)) is None:
            coming = asyncio.get_running_loop().run_in_executor(self._thread, self._make, names)
            self._coming[names] = coming
            coming.add_done_callback(lambda done: self._store_clip(names, done))
        # Shielded: a caller that is cancelled must not cancel it for the others.
        return await asyncio.shield(coming)

    def _make(self, names: tuple[str, ...]) -> EncodedClip:
        sounds = [self._load(name) for name in names]
        return encode_clip(sounds[0] if len(sounds) == 1 else join_with_silence(sounds, JOINING_SILENCE_SECONDS))

    def _store_clip(self, names: tuple[str, ...], done: asyncio.Future[EncodedClip]) -> None:
        del self._coming[names]
        if done.cancelled() or done.exception() is not None:
            return
        self._kept[names] = done.result()
        self._n_bytes += len(done.result().encoded)
        while self._n_bytes > self._most_bytes:
            self._n_bytes -= len(self._kept.popitem(last=False)[1].encoded)
