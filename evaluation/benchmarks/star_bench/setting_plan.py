"""Settings of STAR-Bench: the parts and tasks that each one asks, and the clips that it makes from others.

Pseudo-stereo asks the tone tasks, whose sound is the same in both ears, with every clip played as (x, −x). A model that
keeps its channels scores as in `default`; one that averages them hears silence and falls to what guessing yields. The
paper (section 3) tries this with 20 sound events to classify and reports no benchmark score; Earshot asks its own 503
questions about tones, so that the difference between the settings is one over the same items.

Silence is not without an answer here: `absent` is right for a third of the audiogram. A model that always says so
reaches 33 % there, as its best constant answer does in `default`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.audio import extract_channel, pseudo_stereo, read_sound
from evaluation.benchmarks.base import Benchmark, Content
from evaluation.benchmarks.star_bench.design import PARTS, TONE_TASKS
from evaluation.benchmarks.star_bench.prompts import CAPTION_ONLY, CHANNEL_WISE, EARS, INVERTED
from evaluation.benchmarks.star_bench.questions import GLOBAL_CAPTION, PSEUDO_STEREO, UNCUT_AUDIO
from evaluation.types import AudioPart, Item

PARTS_OF: Mapping[str, frozenset[str]] = {
    "default": frozenset(PARTS),
    CHANNEL_WISE: frozenset({"spatial"}),
    GLOBAL_CAPTION: frozenset({"temporal"}),
    UNCUT_AUDIO: frozenset({"temporal"}),
    CAPTION_ONLY: frozenset(PARTS),
    PSEUDO_STEREO: frozenset({"perception"}),
}
"""Setting → the parts that it asks."""

TASKS_OF: Mapping[str, frozenset[str]] = {PSEUDO_STEREO: frozenset(TONE_TASKS)}
"""Setting → the tasks that it asks, where these are not all of its parts."""


@dataclass(frozen=True, slots=True)
class StarContent(Content):
    """Questions with the clips that settings add: channels of a recording, inverted channels, uncut recordings."""

    played: tuple[str, ...] = ()

    @property
    def clips(self) -> tuple[str, ...]:
        """Names of all clips that a prompt of a pack plays."""
        return self.played


def list_played_clips(benchmark: Benchmark, items: Sequence[Item], settings: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the clips that the prompts of some settings play, in alphabetical order."""
    played = {
        part.clip
        for setting in settings
        for item in items
        if benchmark.includes_task(setting, item.part, item.task)
        for part in benchmark.run(item, 0, setting).prompt
        if isinstance(part, AudioPart)
    }
    return tuple(sorted(played))


def split_clip(clip: str) -> tuple[str, str]:
    """Return the clip that another one is made from, and the suffix that says how; an empty one where it is not."""
    return next(((clip.removesuffix(end), end) for end in (*EARS, INVERTED) if clip.endswith(end)), (clip, ""))


def render_variant(data: bytes, suffix: str) -> bytes:
    """Return what the suffix of a clip's name makes of a WAV file.

    Pseudo-stereo of two channels takes the left one, because an organiser's tones and those of the demonstration set
    may have been written to two channels.
    """
    if suffix != INVERTED:
        return extract_channel(data, EARS.index(suffix))
    return pseudo_stereo(data if read_sound(data)[0].shape[1] == 1 else extract_channel(data, 0))
