"""AudioProcessBench synthetic-3: 720 reasoning traces generated from a seed, with exact labels.

It does not contain the paper's data. Six fictional generators write about 120 rendered recordings. Each claim is true
of the recording or of another one (`questions.py`, `families.py`, `sayings.py`), and its construction determines
whether a step is erroneous, and of which type (`traces.py`). Correlated errors: `design.py`. Audio: `staging.py`,
`sound.py`. There is no speech, because it cannot be synthesised here, so semantic errors are misread telephone keys.

The texts alone carry no information. Each trace exists twice, word for word, about two recordings that are opposite in
everything that it claims (`design.py`), so a claim is true of one and false of the other. This holds for the claim
which sound the question is about, too: it names a place in the recording. Only by following the reasoning can unsound
steps be found in the texts: wrong bindings, wrong sums, repetitions of what was not noted. A classifier trained on the
practice split, or on the rest of a set, distinguishes erroneous steps by their wording with an AUROC of at most 0.53
(version `synthetic-1`: 0.62), and one trained on 100 closed editions with at most 0.515 (`synthetic-2`: 0.534).

Available scores (see `evaluation.benchmarks.coverage`): all if no trace is missing and at most half of the answers are
unparsed; those of an error type, whose members depend on the labels, only up to 5 % unparsed. Incomplete files have
none: each score covers steps that the labels select, and none covers all alike.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.answer_keys import AnswerKey, AnswerValue
from evaluation.benchmarks.audio_process_bench import AudioProcessBench
from evaluation.benchmarks.audio_process_bench.board import build_columns
from evaluation.benchmarks.audio_process_bench.charts import build_charts
from evaluation.benchmarks.audio_process_bench.random_baseline import simulate_chance
from evaluation.benchmarks.audio_process_bench.synthetic.design import design_traces, scenes_by_path
from evaluation.benchmarks.audio_process_bench.synthetic.habits import HABITS
from evaluation.benchmarks.audio_process_bench.synthetic.recordings import SOUND_VERSION, render_recording
from evaluation.benchmarks.audio_process_bench.synthetic.subject import QUESTIONS
from evaluation.benchmarks.audio_process_bench.trace_arrays import layout
from evaluation.benchmarks.base import Benchmark
from evaluation.benchmarks.clustering import number_clusters
from evaluation.benchmarks.column_specs import Column
from evaluation.benchmarks.content import Content
from evaluation.benchmarks.official import OWN_DATASET_LICENCE, OWN_LICENCE, clip_name
from evaluation.synthesis import RENDERER_VERSION
from evaluation.types import Split

SYNTHETIC = "synthetic-3"
SOURCES = tuple(sorted({str(family["source"]) for family in QUESTIONS.values() if isinstance(family, dict)}))
"""Topics of its questions, in place of the paper's source benchmarks."""
_SIMULATING = Lock()


class SyntheticProcessBench(AudioProcessBench):
    """Version `synthetic-3`: `test` is generated from a secret seed, `practice` from a public one."""

    answers_are_secret = True
    charts = build_charts([habits.name for habits in HABITS], SOURCES)
    licence = OWN_LICENCE
    dataset_licence = OWN_DATASET_LICENCE
    note = (
        "Made here, with exactly known labels; not the paper's data. Invented generators reason about sounds that this "
        "installation renders from its own secret seed."
    )
    summary = (
        "Which step of the reasoning is wrong? The model checks 720 step-by-step explanations of sounds that Earshot "
        "renders, with exactly known labels; not the paper's data."
    )

    def __init__(self) -> None:
        """Create the version; it needs no import."""
        self.version = SYNTHETIC

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of the paper's version, with the generators of this one."""
        return _columns()

    @property
    def chance(self) -> Mapping[str, float]:
        """Expected scores of a critic that flags two steps in three at random, on the practice split."""
        with _SIMULATING:  # concurrent first requests would each simulate it
            return _chance()

    def content(self, key: AnswerKey) -> Content:
        """Return the 720 traces of a key's split."""
        return _content(self, key)

    def questions_of(self, key: AnswerKey) -> Sequence[Mapping[str, Any]]:
        """Return the traces in the official format, generated from the key's seed."""
        return _public_rows(key.split, key.seed)

    def true_answers(self, split: Split, seed: str) -> Mapping[str, AnswerValue]:
        """Return the labels for a seed."""
        return {designed.id: designed.labels for designed in design_traces(split, seed)}

    def cluster_items(self, key: AnswerKey) -> NDArray[np.int64]:
        """Return a cluster number for each item; the traces about both recordings of a pair of questions share it.

        Their texts are the same word for word, so a critic that misreads one misreads it about both recordings.
        """
        pairs = {designed.id: f"pair {designed.pair}" for designed in design_traces(key.split, key.seed)}
        return number_clusters([{pairs[str(question["id"])]} for question in self.questions_of(key)])

    def make_key(self, split: Split, seed: str | None = None) -> AnswerKey:
        """Create the key of a split from a seed; it does not contain the traces."""
        return Benchmark.make_key(self, split, seed)

    def render_clip(self, key: AnswerKey, clip: str) -> bytes:
        """Return one recording as a WAV file."""
        return render_recording(_scenes_by_clip(key.split, key.seed)[clip])


@lru_cache(maxsize=4)
def _public_rows(split: Split, seed: str) -> tuple[Mapping[str, Any], ...]:
    return tuple(designed.public_row for designed in design_traces(split, seed))


@lru_cache(maxsize=4)
def _scenes_by_clip(split: Split, seed: str) -> Mapping[str, Mapping[str, Any]]:
    return {clip_name(seed, path): scene for path, scene in scenes_by_path(split, seed).items()}


@lru_cache(maxsize=4)
def _content(benchmark: SyntheticProcessBench, key: AnswerKey) -> Content:
    items = benchmark.items_of(key)
    public = [[item.id, item.question, item.options, item.clips, dict(item.context)] for item in items]
    scenes = scenes_by_path(key.split, key.seed)
    versions = [benchmark.id, benchmark.version, key.split, RENDERER_VERSION, SOUND_VERSION]
    # Include the whole traces: fields that participants do not see, such as the generator, affect scores too.
    source = json.dumps([*versions, public, scenes, benchmark.questions_of(key)], sort_keys=True)
    digest = hashlib.sha256(source.encode()).hexdigest()
    return Content(benchmark.id, benchmark.version, key.split, items, digest)


@lru_cache(maxsize=1)
def _columns() -> tuple[Column, ...]:
    return build_columns([habits.name for habits in HABITS], SOURCES)


@lru_cache(maxsize=1)
def _chance() -> Mapping[str, float]:
    benchmark = SyntheticProcessBench()
    key = benchmark.make_key("practice")
    scores = simulate_chance(layout(key, benchmark.questions_of(key)))
    # The number of error-free traces of a generator depends on the seed, and so does the FEI of random guessing.
    return {name: score for name, score in scores.items() if not name.endswith("|fei") or name == "step|fei"}
