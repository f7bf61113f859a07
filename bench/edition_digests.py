"""Digests of the items and clips of editions, from everything that determines them; nothing is rendered.

    .venv/bin/python -m bench.edition_digests [--editions 1000] [--benchmark audio-motion-bench]

counts the items, clips and IDs that two editions of a benchmark share.
"""

import argparse
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from bench.edition_listening import VERSIONS
from evaluation import get_benchmark
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.audio_motion_bench.sound import clip_notes, clips_by_name
from evaluation.benchmarks.audio_process_bench.synthetic.design import scenes_by_path
from evaluation.benchmarks.official import clip_name
from evaluation.benchmarks.star_bench.rendered import make_perception

N_EDITIONS = 1000
_DIGEST_BYTES = 12
_SEED = "digests of editions"


@dataclass
class SharedDigests:
    """What editions share.

    Attributes:
        items: Digest of an item, with texts and sounds but without its ID → number of editions that have it.
        clips: The same for what determines a clip.
        ids: The same for IDs.
    """

    items: Counter[bytes] = field(default_factory=Counter)
    clips: Counter[bytes] = field(default_factory=Counter)
    ids: Counter[str] = field(default_factory=Counter)

    def add(self, benchmark: Benchmark, key: AnswerKey) -> None:
        """Add an edition."""
        sounds = {clip: _digest(sound) for clip, sound in _DESCRIBE_SOUNDS[benchmark.id](key).items()}
        items = benchmark.content(key).items
        self.clips.update(set(sounds.values()))
        self.ids.update({item.id for item in items})
        self.items.update(
            {
                _digest((item.question, item.options, sorted(item.context.items()), [sounds[c] for c in item.clips]))
                for item in items
            }
        )


def count_shared(counts: Counter[bytes] | Counter[str]) -> int:
    """Return the number of digests that more than one edition has."""
    return sum(n > 1 for n in counts.values())


def digest_editions(benchmark: Benchmark, numbers: Iterable[int]) -> SharedDigests:
    """Return the digests of editions."""
    shared, key = SharedDigests(), benchmark.make_key("test", _SEED)
    for number in numbers:
        shared.add(benchmark, benchmark.make_edition_key(key, f"e-{number:08}"))
    return shared


def _digest(value: object) -> bytes:
    return hashlib.blake2b(repr(value).encode(), digest_size=_DIGEST_BYTES).digest()


def _describe_motion(key: AnswerKey) -> Mapping[str, object]:
    """Return, for each clip, its path and notes, and the seed of its noise."""
    return {
        name: (
            clip.variant,
            clip.trajectory,
            clip_notes(key.split, key.seed, clip),
            None if clip.condition == "clean" else (key.seed, name),
        )
        for name, clip in clips_by_name(key.split, key.seed).items()
    }


def _describe_perception(key: AnswerKey) -> Mapping[str, object]:
    stimuli = make_perception(key.split, key.seed).stimuli
    return {clip_name(key.seed, name): stimulus for name, stimulus in stimuli.items()}


def _describe_recordings(key: AnswerKey) -> Mapping[str, object]:
    return {clip_name(key.seed, path): scene for path, scene in scenes_by_path(key.split, key.seed).items()}


_DESCRIBE_SOUNDS: Mapping[str, Callable[[AnswerKey], Mapping[str, object]]] = {
    "audio-motion-bench": _describe_motion,
    "star-bench": _describe_perception,
    "audio-process-bench": _describe_recordings,
}


def main() -> None:
    """Print what editions of each benchmark share."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--editions", type=int, default=N_EDITIONS)
    parser.add_argument("--benchmark", choices=tuple(VERSIONS), help="one benchmark instead of all")
    options = parser.parse_args()
    for benchmark_id, version in VERSIONS.items():
        if options.benchmark not in (None, benchmark_id):
            continue
        shared = digest_editions(get_benchmark(benchmark_id, version), range(options.editions))
        counts = {name: count_shared(getattr(shared, name)) for name in ("items", "clips", "ids")}
        totals = {name: len(getattr(shared, name)) for name in counts}
        shares = ", ".join(f"{count:,} of {totals[name]:,} {name}" for name, count in counts.items())
        print(f"{benchmark_id} {version}: shared by editions: {shares}", flush=True)


if __name__ == "__main__":
    main()
