"""Settings of STAR-Bench: the parts and tasks of each, and the clips that it derives from others.

Pseudo-stereo contains the tone tasks, whose audio is the same in both ears, with every clip played as (x, −x). A model
that processes channels separately scores as in `default`; one that averages them receives silence and falls to chance.
The paper (section 3) tries this with 20 sound events to classify and reports no benchmark score; Earshot uses its own
503 questions about tones, so that the difference between the settings is over the same items.

Silence can be right here: `absent` is the answer to a third of the audiogram. A model that always says so reaches 33 %
there, as its best constant answer does in `default`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.audio import extract_channel, pseudo_stereo, read_sound
from evaluation.benchmarks.base import Benchmark
from evaluation.benchmarks.content import Content
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
"""Setting → its parts."""

TASKS_OF: Mapping[str, frozenset[str]] = {PSEUDO_STEREO: frozenset(TONE_TASKS)}
"""Setting → its tasks, if they are not all of its parts."""


@dataclass(frozen=True, slots=True)
class StarContent(Content):
    """Questions with the clips that settings add: single channels, inverted channels, uncut recordings."""

    played: tuple[str, ...] = ()

    @property
    def clips(self) -> tuple[str, ...]:
        """Names of all clips that a pack's prompts play."""
        return self.played


def list_played_clips(benchmark: Benchmark, items: Sequence[Item], settings: Iterable[str]) -> tuple[str, ...]:
    """Return the clips that the prompts of some settings play, in alphabetical order."""
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
    """Return the clip that another one is derived from, and the derivation's suffix; empty if it is original."""
    return next(((clip.removesuffix(end), end) for end in (*EARS, INVERTED) if clip.endswith(end)), (clip, ""))


def render_variant(data: bytes, suffix: str) -> bytes:
    """Derive a WAV file as the suffix of a clip's name specifies.

    Pseudo-stereo of a stereo file uses the left channel, because an organiser's tones and those of the demonstration
    set may be stored as stereo.
    """
    if suffix != INVERTED:
        return extract_channel(data, EARS.index(suffix))
    return pseudo_stereo(data if read_sound(data)[0].shape[1] == 1 else extract_channel(data, 0))
