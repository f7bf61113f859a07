"""Lazily computed features of one clip, as a listener hears it."""

from collections import OrderedDict
from functools import cached_property
from threading import Lock

from evaluation.listeners.critique.happenings import Happening, hear_happenings
from evaluation.listeners.draws import digest_sound
from evaluation.listeners.hearing.edges import Edge, hear_edges
from evaluation.listeners.hearing.frames import make_sound
from evaluation.listeners.hearing.onsets import DirectSound, hear_onsets
from evaluation.listeners.hearing.segments import SoundEvent, find_events
from evaluation.listeners.hearing.track import Track, follow
from evaluation.listeners.listener_types import Sound

MAX_FRAMES = 1_500_000
"""Longer clips are truncated: 34 s at 44.1 kHz, 94 s at 16 kHz."""


class Ears:
    """Features of one clip, each computed on first use.

    Attributes:
        sound: Finite samples of one or two channels.
    """

    def __init__(self, sound: Sound) -> None:
        self.sound = sound

    @cached_property
    def track(self) -> Track | None:
        """The moving source; None if nothing is audible."""
        return follow(self.sound) if len(self.sound.samples) else None

    @cached_property
    def direct(self) -> DirectSound | None:
        """The direct sound before its echoes; None if nothing is audible."""
        return hear_onsets(self.sound) if len(self.sound.samples) else None

    @cached_property
    def edges(self) -> tuple[Edge, Edge]:
        """Its onset and ending."""
        return hear_edges(self.sound)

    @cached_property
    def events(self) -> tuple[SoundEvent, ...]:
        """Its events, in order."""
        return find_events(self.sound)

    @cached_property
    def happenings(self) -> tuple[Happening, ...]:
        """Its events with their kinds, in order."""
        return hear_happenings(self.sound)


class EarsMemory:
    """Cache of the last few clips' features: the same clip often occurs in several questions.

    Attributes:
        max_samples: Maximum total number of cached samples.
    """

    def __init__(self, max_samples: int) -> None:
        self.max_samples = max_samples
        self._kept: OrderedDict[tuple[bytes, bool], Ears] = OrderedDict()
        self._lock = Lock()

    def recall(self, sound: Sound, *, both_ears: bool) -> Ears:
        """Return the features of a clip, for two channels or their mean."""
        key = (digest_sound(sound), both_ears)
        with self._lock:
            ears = self._kept.get(key) or Ears(take_in(sound, both_ears=both_ears))
            self._kept[key] = ears
            self._kept.move_to_end(key)
            while sum(cached.sound.samples.size for cached in self._kept.values()) > self.max_samples:
                self._kept.popitem(last=False)
        return ears


def take_in(sound: Sound, *, both_ears: bool) -> Sound:
    """Return two channels, or the mean of all channels; more than two channels are averaged too."""
    clean = make_sound(sound.samples, sound.rate)
    samples = clean.samples[:MAX_FRAMES]
    if samples.shape[1] == 1 or (both_ears and samples.shape[1] == 2):
        return Sound(samples, clean.rate)
    return Sound(samples.mean(axis=1, keepdims=True), clean.rate)
