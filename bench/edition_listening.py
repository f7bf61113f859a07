"""Answers of the reference systems to editions: test splits of one design, each rendered from a seed of its own.

Rendering and listening take up to two minutes for an edition, so its answers are saved, and a later call with the same
folder continues. A benchmark that takes long is answered on a sample of its cells.
"""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.listening import hear
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.audio_motion_bench.design import design_items
from evaluation.benchmarks.audio_process_bench.synthetic import design as traces_design
from evaluation.listeners import LISTENERS
from evaluation.streams import opaque_id
from evaluation.types import Item, Prediction

VERSIONS: Mapping[str, str] = {
    "audio-motion-bench": "1.0",
    "star-bench": "1.0",
    "audio-process-bench": "synthetic-3",
}
"""Rendered benchmarks → version."""

Answers = Mapping[str, Sequence[Prediction]]
"""System → its predictions."""


class DesignPlace(NamedTuple):
    """Place of an item in the design, which each edition fills with other questions.

    Attributes:
        unit: Its unit, whose items the seed draws together.
        factors: What the design fixes about the unit: in every edition, each factor has the same values equally often.
    """

    unit: Hashable
    factors: tuple[Hashable, ...]


class PlacedEdition(NamedTuple):
    """A test split for one seed.

    Attributes:
        key: Its answer key.
        items: Its items.
        places: The place of each item.
    """

    key: AnswerKey
    items: Sequence[Item]
    places: Sequence[DesignPlace]


def name_seed(number: int) -> str:
    """Return the seed of an edition."""
    return f"edition {number}"


def make_edition(benchmark: Benchmark, number: int) -> PlacedEdition:
    """Return an edition by number."""
    key = benchmark.make_key("test", name_seed(number))
    items = benchmark.content(key).items
    places = _FIND_PLACES[benchmark.id](key)
    return PlacedEdition(key, items, [places[item.id] for item in items])


def _find_places_of_motion(key: AnswerKey) -> Mapping[str, DesignPlace]:
    """Return the recording of each item, which is one of 56 paths in one of three variants."""
    places = {}
    for designed in design_items(key.split, key.seed):
        recording = (designed.clip.variant, designed.clip.trajectory.start, designed.clip.trajectory.end)
        places[designed.item.id] = DesignPlace(recording, (recording,))
    return places


def _find_places_of_perception(key: AnswerKey) -> Mapping[str, DesignPlace]:
    """Return the task and level of each item, and its answer; the audiogram draws the answers of a level's tones."""
    places = {}
    for question in key.questions:
        item_id = str(question["id"])
        facts = tuple(question.get(name) for name in ("task", "level", "level_db_hl", "frequency_hz"))
        answer = None if "frequency_hz" in question else key.answers[item_id]
        places[item_id] = DesignPlace(item_id, ((*facts, answer),))
    return places


def _find_places_of_traces(key: AnswerKey) -> Mapping[str, DesignPlace]:
    """Return the pair of questions of each trace, and how many of the six traces about the first one end wrongly.

    Both questions of a pair have the same texts, so they are one unit, as they are one cluster.
    """
    head = f"{key.split}|{traces_design.DESIGN_VERSION}|question"
    pairs = range(sum(traces_design.ERRING.values()))
    firsts = {opaque_id(key.seed, f"{head} {pair}", "apq-") for pair in pairs}
    traces = traces_design.design_traces(key.split, key.seed)
    n_wrong = Counter(
        one.pair for one in traces if one.question_id in firsts and one.trace.final_answer != one.question.right
    )
    places = {pair: DesignPlace(pair, (("pair", pair), ("wrong", n_wrong[pair]))) for pair in pairs}
    return {one.id: places[one.pair] for one in traces}


_FIND_PLACES: Mapping[str, Callable[[AnswerKey], Mapping[str, DesignPlace]]] = {
    "audio-motion-bench": _find_places_of_motion,
    "star-bench": _find_places_of_perception,
    "audio-process-bench": _find_places_of_traces,
}


def sample_items(benchmark: Benchmark, edition: PlacedEdition, step: int) -> list[Item]:
    """Return the items of every `step`-th cluster in the order of the design, so that each kind keeps its share."""
    clusters = benchmark.cluster_items(edition.key).tolist()
    rows = zip(edition.items, edition.places, clusters, strict=True)
    ordered = sorted((_sorting_key(place.factors[0], item.id), cluster) for item, place, cluster in rows)
    sampled = set(list(dict.fromkeys(cluster for _, cluster in ordered))[::step])
    return [item for item, cluster in zip(edition.items, clusters, strict=True) if cluster in sampled]


def _sorting_key(factor: Hashable, item_id: str) -> tuple[tuple[bool, str], ...]:
    """Return what items are sorted by: their first factor, then their IDs, which are random."""
    facts = (*factor, item_id) if isinstance(factor, tuple) else (factor, item_id)
    return tuple((fact is not None, f"{fact:05}" if isinstance(fact, int) else str(fact)) for fact in facts)


def answer_items(benchmark: Benchmark, key: AnswerKey, items: Sequence[Item], systems: Sequence[str]) -> Answers:
    """Return the answers of several systems to every run of some items; of decoding seeds, only to the first."""
    answers: dict[str, list[Prediction]] = {system: [] for system in systems}
    for item in sorted(items, key=lambda item: item.clips):
        for number in item.runs if not benchmark.runs_are_seeds else item.runs[:1]:
            heard = hear(benchmark, key, benchmark.run(item, number, benchmark.settings[0]))
            for system, predictions in answers.items():
                predictions.append(Prediction(item.id, number, LISTENERS[system].answer(heard, number)))
    return answers


def find_answers(benchmark: Benchmark, number: int, step: int, folder: Path) -> Answers:
    """Return the answers of the reference systems to an edition, from the folder if they are there."""
    path = folder / f"{benchmark.id}-{benchmark.version}-{step}-{number}.json.gz"
    if not path.exists():
        edition = make_edition(benchmark, number)
        answers = answer_items(benchmark, edition.key, sample_items(benchmark, edition, step), tuple(LISTENERS))
        rows = {system: [[one.id, one.run, one.response] for one in found] for system, found in answers.items()}
        folder.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".partial")
        partial.write_bytes(gzip.compress(json.dumps(rows).encode()))
        partial.replace(path)
    saved = json.loads(gzip.decompress(path.read_bytes()))
    return {system: [Prediction(*row) for row in rows] for system, rows in saved.items()}
