"""Recordings as clusters: items of the same recording form one cluster, regardless of file names."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from evaluation.answer_keys import AnswerKey, TraceLabels
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.benchmarks.audio_process_bench.synthetic import SyntheticProcessBench
from evaluation.benchmarks.official import OfficialBenchmark, clip_name
from evaluation.types import Item
from tests.support.samples.mdar_sets import FOLDERS, SEED, import_set
from tests.support.samples.star_bench_files import ORDERS, UNKNOWN_OPTION

STAR_BENCH, MDAR, PROCESS = (get_benchmark(name) for name in ("star-bench", "mdar", "audio-process-bench"))

Questions = Sequence[Mapping[str, Any]]


def find_clusters(
    benchmark: Benchmark, questions: Questions, digests: Mapping[str, str] | None = None
) -> list[set[str]]:
    """Return the ids of the items of each cluster."""
    assert isinstance(benchmark, OfficialBenchmark)
    answers = dict.fromkeys((question["id"] for question in questions), 0)
    labels = {name: TraceLabels((False,), (None,), "a") for name in answers} if benchmark is PROCESS else answers
    clips = {clip_name(SEED, path): digest for path, digest in (digests or {}).items()}
    key = AnswerKey(benchmark.id, benchmark.version, "test", SEED, labels, tuple(questions), clips)
    clusters: dict[int, set[str]] = {}
    for number, item in zip(benchmark.cluster_items(key).tolist(), benchmark.items_of(key), strict=True):
        clusters.setdefault(number, set()).add(item.id)
    return list(clusters.values())


def make_mdar_question(name: str, *paths: str) -> dict[str, Any]:
    return {
        "id": name,
        "part": name.split("-")[0],
        "category": "sr",
        "question": "?",
        "options": ["a", "b"],
        "audio": list(paths),
    }


def make_star_question(name: str, *paths: str, **more: str) -> dict[str, Any]:
    if len(paths) == 3:
        return {
            "id": name,
            "task": "temporal/osm",
            "question": "?",
            "options": [*ORDERS, UNKNOWN_OPTION],
            "audio": paths,
        } | more
    task, options = "spatial/localization", ["a", "b", "c"]
    return {"id": name, "task": task, "question": "?", "options": options, "audio": list(paths)}


def make_process_question(name: str, path: str) -> dict[str, Any]:
    texts = {"source": "MMAR", "generator": "one", "question": "?", "final_answer": "a", "audio": path}
    return {"id": name, "question_id": f"of {name}", "options": ["a", "b"], "steps": ["It is a."], **texts}


def test_clips_of_one_mdar_film_form_one_cluster_across_folders() -> None:
    questions = [
        make_mdar_question("main-1", "./bench_audios/output_clips_7/audio_1.wav"),
        make_mdar_question("main-2", "./audios_part4/output_clips_7/audio_2.wav"),
        make_mdar_question("main-3", "./bench_audios/output_clips_70/audio_1.wav"),
        make_mdar_question("multi-1", "./clips_v4/output_clips_7/audio_3.wav", "./clips_v4/output_clips_7/audio_4.wav"),
        make_mdar_question("main-4", "./else/audio_1.wav"),
        make_mdar_question("main-5", "./else/audio_2.wav"),
    ]
    assert find_clusters(MDAR, questions) == [{"main-1", "main-2", "multi-1"}, {"main-3"}, {"main-4"}, {"main-5"}]


@pytest.mark.parametrize("version", sorted(FOLDERS))
def test_mdar_has_as_many_clusters_as_films(version: str) -> None:
    """The released questions use sounds of fewer than 500 films; each demonstration sound is generated separately."""
    benchmark, key = get_benchmark("mdar", version), import_set(version)
    sizes = Counter(benchmark.cluster_items(key).tolist())
    if version == "demo":
        assert set(sizes.values()) == {1}
    else:
        assert 450 <= len(sizes) <= 500
        assert sizes.total() == 2825


def test_star_bench_segments_of_one_recording_form_one_cluster() -> None:
    questions = [
        make_star_question("t_OSM_1", "1/a.wav", "1/b.wav", "1/c.wav", **{"uncut-audio": "whole/1.wav"}),
        make_star_question("t_OSM_2", "2/a.wav", "2/b.wav", "2/c.wav", **{"uncut-audio": "./whole/1.wav"}),
        make_star_question("t_OSM_3", "3/a.wav", "3/b.wav", "3/c.wav", **{"uncut-audio": "whole/3.wav"}),
        make_star_question("t_OSM_4", "4/a.wav", "3/../3/b.wav", "4/c.wav"),
        make_star_question("s_5", "5.wav"),
    ]
    assert find_clusters(STAR_BENCH, questions) == [{"t_OSM_1", "t_OSM_2"}, {"t_OSM_3", "t_OSM_4"}, {"s_5"}]


def test_every_rendered_sound_of_star_bench_is_a_cluster() -> None:
    """Each sound has its own seed; shared properties, such as the room, are fixed by the design."""
    key = STAR_BENCH.make_key("practice")
    assert set(Counter(STAR_BENCH.cluster_items(key).tolist()).values()) == {1}


def test_traces_about_one_recording_form_one_cluster_across_questions() -> None:
    questions = [
        make_process_question("1", "a.wav"),
        make_process_question("2", "./a.wav"),
        make_process_question("3", "b.wav"),
    ]
    assert find_clusters(PROCESS, questions) == [{"1", "2"}, {"3"}]


def test_synthetic_traces_with_the_same_texts_form_one_cluster() -> None:
    """Two opposite recordings share each text word for word, so outcomes of both depend on each other."""
    synthetic = get_benchmark("audio-process-bench", "synthetic-3")
    assert isinstance(synthetic, SyntheticProcessBench)
    key = synthetic.make_key("practice")
    steps = {row["id"]: tuple(row["steps"]) for row in synthetic.questions_of(key)}
    clusters: dict[int, list[Item]] = {}
    for number, item in zip(synthetic.cluster_items(key).tolist(), synthetic.items_of(key), strict=True):
        clusters.setdefault(number, []).append(item)
    assert len(clusters) == 60
    for items in clusters.values():
        clips = [item.clips for item in items]
        assert Counter(clips) == dict.fromkeys(clips, 6)
        first, second = (Counter(steps[item.id] for item in items if item.clips == clip) for clip in set(clips))
        assert first == second


@pytest.mark.parametrize(
    ("benchmark", "make_question"),
    [(MDAR, make_mdar_question), (STAR_BENCH, make_star_question), (PROCESS, make_process_question)],
)
def test_same_sound_under_two_names_is_one_recording(benchmark: Benchmark, make_question: Any) -> None:
    questions = [make_question("main-1", "a.wav"), make_question("main-2", "b.wav"), make_question("main-3", "c.wav")]
    digests = {"a.wav": "12", "b.wav": "12", "c.wav": "34"}
    assert find_clusters(benchmark, questions, digests) == [{"main-1", "main-2"}, {"main-3"}]
