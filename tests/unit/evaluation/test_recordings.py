"""Recordings as clusters: items heard in the same recording belong together, whatever its files are called."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from evaluation.answer_keys import AnswerKey, TraceLabels
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.benchmarks.official import OfficialBenchmark, clip_name
from tests.support.samples.mdar_sets import FOLDERS, SEED, import_set
from tests.support.samples.star_bench_files import ORDERS, WAY_OUT

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


def ask_mdar(name: str, *paths: str) -> dict[str, Any]:
    return {
        "id": name,
        "part": name.split("-")[0],
        "category": "sr",
        "question": "?",
        "options": ["a", "b"],
        "audio": list(paths),
    }


def ask_star(name: str, *paths: str, **more: str) -> dict[str, Any]:
    if len(paths) == 3:
        return {
            "id": name,
            "task": "temporal/osm",
            "question": "?",
            "options": [*ORDERS, WAY_OUT],
            "audio": paths,
        } | more
    task, options = "spatial/localization", ["a", "b", "c"]
    return {"id": name, "task": task, "question": "?", "options": options, "audio": list(paths)}


def ask_process(name: str, path: str) -> dict[str, Any]:
    texts = {"source": "MMAR", "generator": "one", "question": "?", "final_answer": "a", "audio": path}
    return {"id": name, "question_id": f"of {name}", "options": ["a", "b"], "steps": ["It is a."], **texts}


def test_sounds_of_one_film_of_mdar_are_one_cluster_in_all_its_folders() -> None:
    questions = [
        ask_mdar("main-1", "./bench_audios/output_clips_7/audio_1.wav"),
        ask_mdar("main-2", "./audios_part4/output_clips_7/audio_2.wav"),
        ask_mdar("main-3", "./bench_audios/output_clips_70/audio_1.wav"),
        ask_mdar("multi-1", "./clips_v4/output_clips_7/audio_3.wav", "./clips_v4/output_clips_7/audio_4.wav"),
        ask_mdar("main-4", "./else/audio_1.wav"),
        ask_mdar("main-5", "./else/audio_2.wav"),
    ]
    assert find_clusters(MDAR, questions) == [{"main-1", "main-2", "multi-1"}, {"main-3"}, {"main-4"}, {"main-5"}]


@pytest.mark.parametrize("version", sorted(FOLDERS))
def test_mdar_has_as_many_clusters_as_films(version: str) -> None:
    """The released questions name sounds of fewer than 500 films; our own are made one by one."""
    benchmark, key = get_benchmark("mdar", version), import_set(version)
    sizes = Counter(benchmark.cluster_items(key).tolist())
    if version == "demo":
        assert set(sizes.values()) == {1}
    else:
        assert 450 <= len(sizes) <= 500
        assert sizes.total() == 2825


def test_segments_of_star_bench_that_are_cut_from_one_recording_are_one_cluster() -> None:
    questions = [
        ask_star("t_OSM_1", "1/a.wav", "1/b.wav", "1/c.wav", **{"uncut-audio": "whole/1.wav"}),
        ask_star("t_OSM_2", "2/a.wav", "2/b.wav", "2/c.wav", **{"uncut-audio": "./whole/1.wav"}),
        ask_star("t_OSM_3", "3/a.wav", "3/b.wav", "3/c.wav", **{"uncut-audio": "whole/3.wav"}),
        ask_star("t_OSM_4", "4/a.wav", "3/../3/b.wav", "4/c.wav"),
        ask_star("s_5", "5.wav"),
    ]
    assert find_clusters(STAR_BENCH, questions) == [{"t_OSM_1", "t_OSM_2"}, {"t_OSM_3", "t_OSM_4"}, {"s_5"}]


def test_every_rendered_sound_of_star_bench_is_a_cluster() -> None:
    """Each is made from a seed of its own; what they share, such as a room, is fixed by the design."""
    key = STAR_BENCH.make_key("practice")
    assert set(Counter(STAR_BENCH.cluster_items(key).tolist()).values()) == {1}


def test_traces_about_one_recording_of_audio_process_bench_are_one_cluster_also_of_different_questions() -> None:
    questions = [ask_process("1", "a.wav"), ask_process("2", "./a.wav"), ask_process("3", "b.wav")]
    assert find_clusters(PROCESS, questions) == [{"1", "2"}, {"3"}]


def test_the_six_traces_about_a_recording_of_the_synthetic_set_are_one_cluster() -> None:
    synthetic = get_benchmark("audio-process-bench", "synthetic-2")
    sizes = Counter(Counter(synthetic.cluster_items(synthetic.make_key("practice")).tolist()).values())
    assert sizes == {6: 120}


@pytest.mark.parametrize(("benchmark", "ask"), [(MDAR, ask_mdar), (STAR_BENCH, ask_star), (PROCESS, ask_process)])
def test_one_sound_under_two_names_is_one_recording(benchmark: Benchmark, ask: Any) -> None:
    questions = [ask("main-1", "a.wav"), ask("main-2", "b.wav"), ask("main-3", "c.wav")]
    digests = {"a.wav": "12", "b.wav": "12", "c.wav": "34"}
    assert find_clusters(benchmark, questions, digests) == [{"main-1", "main-2"}, {"main-3"}]
