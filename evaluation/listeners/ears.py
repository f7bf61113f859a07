"""One sound as a listener's ears take it: samples, and what was found in them, computed once when first asked for."""

from collections import OrderedDict
from functools import cached_property
from threading import Lock

from evaluation.listeners.draws import digest_sound
from evaluation.listeners.hearing.edges import Edge, hear_edges
from evaluation.listeners.hearing.frames import make_sound
from evaluation.listeners.hearing.onsets import DirectSound, hear_onsets
from evaluation.listeners.hearing.segments import SoundEvent, find_events
from evaluation.listeners.hearing.track import Track, follow
from evaluation.listeners.listener_types import Sound

MAX_FRAMES = 1_500_000
"""Of a longer sound only the beginning is heard: 34 s at 44.1 kHz, 94 s at 16 kHz."""


class Ears:
    """What is heard of one sound; every property is computed when it is first asked for.

    Attributes:
        sound: Finite samples of one channel, or of two.
    """

    def __init__(self, sound: Sound) -> None:
        self.sound = sound

    @cached_property
    def track(self) -> Track | None:
        """The source as it moves; None where nothing is heard."""
        return follow(self.sound) if len(self.sound.samples) else None

    @cached_property
    def direct(self) -> DirectSound | None:
        """What comes straight from the source, before its echoes; None where nothing is heard."""
        return hear_onsets(self.sound) if len(self.sound.samples) else None

    @cached_property
    def edges(self) -> tuple[Edge, Edge]:
        """How it begins and how it ends."""
        return hear_edges(self.sound)

    @cached_property
    def events(self) -> tuple[SoundEvent, ...]:
        """What happens in it, in order."""
        return find_events(self.sound)


class EarsMemory:
    """The ears of the last few sounds: the same clip is often asked about several times.

    Attributes:
        max_samples: How many samples all that is kept may have together.
    """

    def __init__(self, max_samples: int) -> None:
        self.max_samples = max_samples
        self._kept: OrderedDict[tuple[bytes, bool], Ears] = OrderedDict()
        self._lock = Lock()

    def recall(self, sound: Sound, *, both_ears: bool) -> Ears:
        """Return the ears of a sound, with two channels or with their average."""
        key = (digest_sound(sound), both_ears)
        with self._lock:
            ears = self._kept.get(key) or Ears(take_in(sound, both_ears=both_ears))
            self._kept[key] = ears
            self._kept.move_to_end(key)
            while sum(kept.sound.samples.size for kept in self._kept.values()) > self.max_samples:
                self._kept.popitem(last=False)
        return ears


def take_in(sound: Sound, *, both_ears: bool) -> Sound:
    """Return what reaches two ears, or the average of all channels; more than two channels are averaged too."""
    clean = make_sound(sound.samples, sound.rate)
    samples = clean.samples[:MAX_FRAMES]
    if samples.shape[1] == 1 or (both_ears and samples.shape[1] == 2):
        return Sound(samples, clean.rate)
    return Sound(samples.mean(axis=1, keepdims=True), clean.rate)
