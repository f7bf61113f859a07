"""Scores of the reference systems: `python -m bench.listening` prints the table of the README; it takes minutes.

The practice splits are rendered, decoded and answered by each listener, every run of an item (only the first decoding
seed), and scored like any file. Random choices depend on the prompt and the run, so the scores are the same everywhere.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache

from evaluation.answer_keys import AnswerKey
from evaluation.audio import read_sound
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.listeners import LISTENERS, Heard, Sound, get_listener
from evaluation.types import Item, Prediction, Report, Run, TextPart

BENCHMARKS = (
    ("audio-motion-bench", "1.0"),
    ("star-bench", "1.0"),
    ("star-bench", "demo"),
    ("audio-process-bench", "synthetic-3"),
)

# Rows of the table: heading → benchmark, version, slice, metric.
FIGURES: Mapping[str, tuple[str, str, str, str]] = {
    "AudioMotionBench, all": ("audio-motion-bench", "1.0", "overall", "accuracy"),
    "… options, clean": ("audio-motion-bench", "1.0", "overall/clean/mcq", "accuracy"),
    "… options, 35 dB": ("audio-motion-bench", "1.0", "overall/35db/mcq", "accuracy"),
    "… options, 25 dB": ("audio-motion-bench", "1.0", "overall/25db/mcq", "accuracy"),
    "… options, 15 dB": ("audio-motion-bench", "1.0", "overall/15db/mcq", "accuracy"),
    "STAR-Bench perception": ("star-bench", "1.0", "perception", "aa"),
    "… tone in which half": ("star-bench", "1.0", "perception/range/pitch-loudness", "aa"),
    "… azimuth, four quarters": ("star-bench", "1.0", "perception/range/azimuth", "aa"),
    "… elevation": ("star-bench", "1.0", "perception/range/elevation", "aa"),
    "… distance": ("star-bench", "1.0", "perception/range/distance", "aa"),
    "… two pitches": ("star-bench", "1.0", "perception/sensitivity/pitch", "aa"),
    "… two levels": ("star-bench", "1.0", "perception/sensitivity/loudness", "aa"),
    "… two lengths": ("star-bench", "1.0", "perception/sensitivity/duration", "aa"),
    "… two azimuths": ("star-bench", "1.0", "perception/sensitivity/azimuth", "aa"),
    "… two elevations": ("star-bench", "1.0", "perception/sensitivity/elevation", "aa"),
    "… two distances": ("star-bench", "1.0", "perception/sensitivity/distance", "aa"),
    "STAR-Bench demo, temporal": ("star-bench", "demo", "temporal", "aa"),
    "STAR-Bench demo, spatial": ("star-bench", "demo", "spatial", "aa"),
    "AudioProcessBench synthetic-3": ("audio-process-bench", "synthetic-3", "overall", "overall"),
    "… AEI": ("audio-process-bench", "synthetic-3", "step", "aei"),
}


def listen(benchmark: Benchmark, key: AnswerKey, listener: str, items: Sequence[Item]) -> Iterator[Prediction]:
    """Yield a listener's answer to every run of some items, in the default setting."""
    for item in items:
        for number in item.runs if not benchmark.runs_are_seeds else item.runs[:1]:
            run = benchmark.run(item, number, benchmark.settings[0])
            answer = get_listener(listener).answer(hear(benchmark, key, run), number)
            yield Prediction(item.id, number, answer)


def hear(benchmark: Benchmark, key: AnswerKey, run: Run) -> list[Heard]:
    """Return a run as a listener's input."""
    return [part.text if isinstance(part, TextPart) else _decode(benchmark, key, part.clip) for part in run.prompt]


# The runs of an item are adjacent, and so are the items about a clip.
@lru_cache(maxsize=8)
def _decode(benchmark: Benchmark, key: AnswerKey, clip: str) -> Sound:
    return Sound(*read_sound(benchmark.render_clip(key, clip)))


def score(listener: str, benchmark_id: str, version: str) -> Report:
    """Score a listener on the practice split of a benchmark."""
    benchmark = get_benchmark(benchmark_id, version)
    key = benchmark.make_key("practice")
    items = sorted(benchmark.content(key).items, key=lambda item: item.clips)
    return benchmark.score(key, listen(benchmark, key, listener, items), system=listener)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--benchmark", help="listen to this one only")
    only = parser.parse_args().benchmark
    jobs = [(listener, *name) for name in BENCHMARKS for listener in LISTENERS if only in (None, name[0])]
    with ProcessPoolExecutor(2) as pool:
        futures = {job: pool.submit(score, *job) for job in jobs}
        reports = {job: future.result() for job, future in futures.items()}
    print(f"| % | {' | '.join(LISTENERS)} |\n|---|{'---|' * len(LISTENERS)}")
    for heading, (benchmark_id, version, slice_name, metric) in FIGURES.items():
        if only not in (None, benchmark_id):
            continue
        values = (reports[name, benchmark_id, version].scores[slice_name][metric].value for name in LISTENERS)
        cells = ("–" if value is None else f"{100 * value:.1f}" for value in values)
        print(f"| {heading} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
