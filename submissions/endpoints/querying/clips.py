"""The sounds of a run of questions, each made and encoded once while there is room to keep it."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from evaluation.audio import join_with_silence
from submissions.endpoints.querying.request_bodies import JOINING_SILENCE_SECONDS, EncodedClip, encode_clip

LoadClip = Callable[[str], bytes]
"""Returns the WAV file of a clip; called in one thread at a time."""


class ClipCache:
    """Encoded sounds, the least lately asked for leaving first."""

    def __init__(self, load: LoadClip, max_bytes: int) -> None:
        self._load = load
        self._most_bytes = max_bytes
        self._n_bytes = 0
        self._kept: OrderedDict[tuple[str, ...], EncodedClip] = OrderedDict()
        self._coming: dict[tuple[str, ...], asyncio.Future[EncodedClip]] = {}
        # One thread: making a sound is work for a core, and who makes them need not be safe in several.
        self._thread = ThreadPoolExecutor(1, "clips")

    def close(self) -> None:
        """Let the thread go."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def get(self, names: tuple[str, ...]) -> EncodedClip:
        """Return a clip, or several joined, made at most once however many ask at the same time."""
        if (clip := self._kept.get(names)) is not None:
            self._kept.move_to_end(names)
            return clip
        if (coming := self._coming.get(names)) is None:
            coming = asyncio.get_running_loop().run_in_executor(self._thread, self._make, names)
            self._coming[names] = coming
            coming.add_done_callback(lambda done: self._store_clip(names, done))
        # Shielded: whoever stops waiting must not take it from the others.
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
