"""Import of STAR-Bench: counts of a complete set, kinds of faults with their messages, repairs."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from evaluation.audio import encode_wav
from evaluation.benchmarks import official
from evaluation.benchmarks.imported import Count, Imported
from evaluation.benchmarks.official import clip_name, find_sounds
from evaluation.benchmarks.star_bench import StarBench
from evaluation.benchmarks.star_bench.design import SUB_TASKS, parse_order
from evaluation.benchmarks.star_bench.labels import find_slice
from evaluation.errors import ImportProblemsError
from evaluation.streams import opaque_id
from tests.support.samples.star_bench_files import (
    UNKNOWN_OPTION,
    Entry,
    make_entry,
    make_files,
    official_sizes,
    only_brought,
    write_files,
)

BENCHMARK = StarBench("1.0")
ONE_OF_EACH = dict.fromkeys(official_sizes(), 1)
SMALL = {"perception/range/azimuth": 2, "temporal/osm": 2, "spatial/relation": 2}
PERCEPTION = "meta_info/foundation_perception.json, entry 1"
TEMPORAL = "meta_info/holistic_reasoning_temporal.json, entry 1"
SPATIAL = "meta_info/holistic_reasoning_spatial.json, entry 1"

Files = dict[str, list[Entry]]
Change = Callable[[Files], object]


def import_files(folder: Path, files: Any, benchmark: StarBench = BENCHMARK) -> Imported:
    return benchmark.import_folder(write_files(folder, files), "seed")


def set_field(part: str, name: str, value: object, entry: int = 0) -> Change:
    return lambda files: files[part][entry].__setitem__(name, value)


def drop_field(part: str, name: str) -> Change:
    return lambda files: files[part][0].pop(name)


def test_import_of_a_full_set_matches_every_count_of_the_table(tmp_path: Path) -> None:
    imported = import_files(tmp_path, make_files(official_sizes()))
    assert imported.deviations == ()
    assert {count.name: count.found for count in imported.counts} == official_sizes()
    assert len(imported.key.answers) == 2_353
    items = BENCHMARK.content(imported.key).items
    assert sum(len(item.runs) for item in items) == 7_986
    sizes = {part: sum(item.part == part for item in items) for part in ("perception", "temporal", "spatial")}
    assert sizes == {"perception": 951, "temporal": 900, "spatial": 502}
    assert imported.repaired == ()


def test_import_of_fewer_items_reports_the_deviation(tmp_path: Path) -> None:
    imported = import_files(tmp_path, make_files(official_sizes() | {"temporal/etc": 31}))
    assert imported.deviations == (Count("temporal/etc", 31, 32),)


def test_two_clips_with_one_name_are_refused_with_their_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = frozenset(f"{number}.wav" for number in range(40))
    for path in paths:
        (tmp_path / path).touch()
    assert len(find_sounds(tmp_path, paths, "seed")[0]) == len(paths)
    # 40 bits collide once in 240,000 imports, 5 bits in this one.
    monkeypatch.setattr(official, "opaque_id", lambda seed, purpose, prefix: opaque_id(seed, purpose, prefix, 1))
    with pytest.raises(ImportProblemsError, match=r"\* '\d+\.wav' and '\d+\.wav' get the same clip name\. Rename one"):
        find_sounds(tmp_path, paths, "seed")


@pytest.mark.parametrize("imported_parts", [("perception",), ("temporal", "spatial"), ("spatial",)])
def test_import_of_some_files_contains_their_parts_and_perception(
    tmp_path: Path, imported_parts: tuple[str, ...]
) -> None:
    files = {part: entries for part, entries in make_files(ONE_OF_EACH).items() if part in imported_parts}
    imported = import_files(tmp_path, files)
    assert BENCHMARK.content(imported.key).parts == frozenset({"perception", *imported_parts})
    assert {count.name.split("/")[0] for count in imported.counts} == set(imported_parts)


def test_import_of_an_empty_folder_names_the_three_files(tmp_path: Path) -> None:
    with pytest.raises(ImportProblemsError, match="contains none of meta_info") as caught:
        BENCHMARK.import_folder(tmp_path, "seed")
    assert "Add at least one" in caught.value.problems[0]


FAULTS: list[tuple[str, Change, str]] = [
    (
        "task",
        set_field("spatial", "task", "Cooking"),
        f"{SPATIAL}, id `spatial_relation_000`: the task `Cooking` is unknown",
    ),
    (
        "task of another file",
        set_field("spatial", "task", "Temporal Reasoning"),
        "allowed in this file: Spatial Reasoning",
    ),
    ("task absent", drop_field("spatial", "task"), "`task` is missing; it must be a non-empty string"),
    (
        "category",
        set_field("spatial", "category", "Echoes"),
        "the category `Echoes` is unknown; allowed in this file:",
    ),
    (
        "category of another part",
        set_field("spatial", "category", "Absolute Perception Range"),
        "Single-Source Static Localization, Multi-Source Spatial Relation, Dynamic Trajectory Tracking",
    ),
    ("category absent", drop_field("spatial", "category"), "neither category nor sub-category is one of spatial/"),
    (
        "sub-category",
        set_field("perception", "sub-category", "range_colour"),
        f"{PERCEPTION}, id `range_azimuth_000`: the sub-category `range_colour` is unknown; allowed in this file:",
    ),
    (
        "sub-category of another category",
        set_field("perception", "sub-category", "sensitivity_pitch"),
        "its category belongs to perception/range, but its other labels belong to perception/sensitivity/pitch",
    ),
    (
        "sub-category of another temporal sub-task",
        set_field("temporal", "sub-category", "In-Situ State Evolution"),
        "its id belongs to temporal/osm, but its other labels belong to temporal/isse",
    ),
    ("id absent", drop_field("perception", "id"), f"{PERCEPTION}: `id` is missing; it must be a non-empty string"),
    ("id with a space", set_field("perception", "id", "a b"), "the id is invalid. Use at most 200 ASCII"),
    ("id of 201 letters", set_field("perception", "id", "a" * 201), "Use at most 200 ASCII characters"),
    (
        "temporal id without number",
        set_field("temporal", "id", "temporal_OSM"),
        f"{TEMPORAL}, id `temporal_OSM`: the id must end in _SUBTASK_NUMBER",
    ),
    (
        "temporal id of an unknown sub-task",
        set_field("temporal", "id", "temporal_XYZ_1"),
        "with OSM, ISSE, TAO, DSS or ETC",
    ),
    (
        "id twice",
        set_field("spatial", "id", "range_azimuth_000"),
        "id `range_azimuth_000`: duplicate id. Ids must be unique across all files",
    ),
    ("question empty", set_field("perception", "question", " "), "`question` is ' '; it must be a non-empty string"),
    ("options no list", set_field("spatial", "options", "A, B"), "`options` is 'A, B'; it must be a list of strings"),
    (
        "an option no text",
        set_field("spatial", "options", ["a", "b", 3]),
        "`options` item 3 is 3; it must be a non-empty string",
    ),
    (
        "too few options",
        set_field("perception", "options", ["a", "b", "c", "d"]),
        "there are 4 options; a question of perception/range/azimuth must have 5",
    ),
    ("an option twice", set_field("spatial", "options", ["a", "b", " a"]), "duplicate option 'a'"),
    (
        "six temporal options",
        lambda files: files["temporal"][0]["options"].pop(),
        "there are 6 options; a question of temporal/osm must have 7",
    ),
    (
        "missing temporal order",
        lambda files: files["temporal"][0]["options"].__setitem__(0, "Any order"),
        "the options must list each of the six orders once, as `clip 1 -> clip 2 -> clip 3`, and one other option",
    ),
    (
        "a temporal order twice in other words",
        lambda files: files["temporal"][0]["options"].__setitem__(6, "Clip 1->clip 2->clip 3"),
        "the options must list each of the six orders once",
    ),
    (
        "answer not among the options",
        set_field("spatial", "answer", "Purple"),
        "the answer 'Purple' is not among the options ['Red of spatial/relation'",
    ),
    ("answer absent", drop_field("spatial", "answer"), "`answer` is missing; it must be a non-empty string"),
    ("answer as a number", set_field("perception", "answer", 2), "`answer` is 2; it must be a non-empty string"),
    (
        "temporal answer not among the options",
        set_field("temporal", "answer", "clip 1"),
        "the answer 'clip 1' is not among the options",
    ),
    (
        "temporal answer that is neither the true order nor that of run 0",
        set_field("temporal", "answer", UNKNOWN_OPTION),
        "List the clips in `audio_paths` in their true order",
    ),
    ("no sound", set_field("perception", "audio_paths", []), "`audio_paths` is []; it must be a list of strings"),
    ("sounds absent", drop_field("spatial", "audio_paths"), "`audio_paths` is missing; it must be a list of strings"),
    ("two spatial sounds", set_field("spatial", "audio_paths", ["a", "b"]), "names 2 clips; allowed: 1"),
    ("two temporal sounds", set_field("temporal", "audio_paths", ["a", "b"]), "names 2 clips; allowed: 3"),
    ("a temporal sound twice", set_field("temporal", "audio_paths", ["a", "b", "a"]), "the three clips must differ"),
    (
        "caption no text",
        set_field("temporal", "global_caption", 7),
        "`global_caption` is 7; it must be a non-empty string",
    ),
    (
        "uncut no text",
        set_field("temporal", "uncut_audio_path", ["x"]),
        "`uncut_audio_path` is ['x']; it must be a non-empty string",
    ),
    (
        "too few captions",
        set_field("temporal", "captions", ["a", "b"]),
        "there are 2 captions; a question with 3 clips must have 3",
    ),
    (
        "unknown level",
        lambda files: files["perception"].__setitem__(
            0, make_entry("perception/sensitivity/distance", 0) | {"level": 5}
        ),
        "`level` is 5; allowed: 1, 2, 3, 4",
    ),
    (
        "unknown frequency",
        lambda files: files["perception"].__setitem__(
            0, make_entry("perception/range/pitch-loudness", 0) | {"frequency_hz": 440, "level_db_hl": 10}
        ),
        "`frequency_hz` is 440; allowed: 125, 250",
    ),
    (
        "frequency without level",
        lambda files: files["perception"].__setitem__(
            0, make_entry("perception/range/pitch-loudness", 0) | {"frequency_hz": 500}
        ),
        "one of `frequency_hz` and `level_db_hl` is missing; give both or neither",
    ),
    *(
        (
            f"unwritable {name}",
            set_field("temporal", name, value),
            f"`{name}` {description}; remove NUL characters and unpaired surrogate",
        )
        for name, value, description in (
            ("question", "\ud800?", "is '\\ud800?'"),
            ("question", "\0\x1b[31m", "is '\\x00\\x1b[31m'"),
            ("options", ["a", "b\udfff"], "item 2 is 'b\\udfff'"),
            ("global_caption", "\ud800", "is '\\ud800'"),
            ("audio_paths", ["a.wav", "b\0.wav", "c.wav"], "item 2 is 'b\\x00.wav'"),
            ("audio_paths", ["\ud800.wav", "b.wav", "c.wav"], "item 1 is '\\ud800.wav'"),
            ("uncut_audio_path", "a\0.wav", "is 'a\\x00.wav'"),
        )
    ),
    (
        "entry that is not an object",
        lambda files: cast("list[object]", files["spatial"]).__setitem__(0, ["x"]),
        f"{SPATIAL}: not an object",
    ),
]


def test_import_of_a_faulty_entry_reports_its_position_and_allowed_values(
    tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for number, (change, message) in enumerate([fault[1:] for fault in FAULTS]):
        with subtests.test(change=change, message=message):
            folder = tmp_path / str(number)
            folder.mkdir()
            files = make_files(SMALL)
            change(files)
            with pytest.raises(ImportProblemsError) as caught:
                import_files(folder, files)
            assert len(caught.value.problems) == 1
            assert message in caught.value.problems[0]
            assert caught.value.problems[0].startswith("meta_info/")


def test_import_of_a_file_without_a_list_reports_the_fault(tmp_path: Path, subtests: pytest.Subtests) -> None:
    rows: list[tuple[bytes, str]] = [
        (
            b"[{]",
            "holistic_reasoning_spatial.json: not JSON in UTF-8 (column 3). Write a list of objects.",
        ),
        (b"[\n\n{'id': 1}]", "not JSON in UTF-8 (line 3, column 2)"),
        ('["é"]'.encode("latin-1"), "holistic_reasoning_spatial.json: not JSON in UTF-8 (invalid UTF-8 at byte 3)"),
        (b"[" * 100_000, "not JSON in UTF-8 (nested too deeply)"),
        (b"[" + b"9" * 5_000 + b"]", "not JSON in UTF-8 (a number has too many digits)"),
        (b"{}", "not a list of objects"),
        (b"[]", "not a list of objects"),
    ]
    for number, (content, message) in enumerate(rows):
        with subtests.test(content=content, message=message):
            folder = tmp_path / str(number)
            folder.mkdir()
            write_files(folder, make_files({"spatial/relation": 1}))
            (folder / "meta_info/holistic_reasoning_spatial.json").write_bytes(content)
            with pytest.raises(ImportProblemsError) as caught:
                BENCHMARK.import_folder(folder, "seed")
            assert len(caught.value.problems) == 1
            assert message in caught.value.problems[0]


def test_import_reports_up_to_a_hundred_faulty_entries_of_all_files(tmp_path: Path) -> None:
    files = make_files({"perception/range/azimuth": 90, "spatial/relation": 60})
    for entry in [*files["perception"], *files["spatial"]]:
        entry["answer"] = "Nothing of this"
    with pytest.raises(ImportProblemsError) as caught:
        import_files(tmp_path, files)
    assert len(caught.value.problems) == 101
    assert caught.value.problems[89].startswith("meta_info/foundation_perception.json, entry 90")
    assert caught.value.problems[90].startswith("meta_info/holistic_reasoning_spatial.json, entry 1,")
    assert caught.value.problems[-1] == "50 more problems in these files are not shown."


def test_import_of_a_duplicate_field_is_refused_with_its_position(tmp_path: Path) -> None:
    folder = write_files(tmp_path, make_files({"spatial/relation": 1}))
    path = folder / "meta_info/holistic_reasoning_spatial.json"
    entry = make_entry("spatial/relation", 0)
    twice = json.dumps(entry).removesuffix("}") + f', "answer": {json.dumps(entry["options"][1])}}}'
    path.write_text(f"[{twice}]", encoding="utf-8")
    with pytest.raises(ImportProblemsError) as caught:
        BENCHMARK.import_folder(folder, "seed")
    (problem,) = caught.value.problems
    assert problem == f"{SPATIAL}, id `spatial_relation_000`: duplicate field 'answer'; keep one."


def test_import_of_a_mono_spatial_sound_is_refused_with_its_position(tmp_path: Path) -> None:
    files = make_files({"perception/range/azimuth": 1, "spatial/relation": 4})
    folder = write_files(tmp_path, files)
    (folder / "sounds").mkdir()
    entries = [*files["perception"], *files["spatial"]]
    for entry, channels in zip(entries, (1, 2, 1, 4, None), strict=True):
        path = folder / entry["audio_paths"][0]
        path.write_bytes(b"none" if channels is None else encode_wav(np.zeros((9, channels), np.int16), 8_000))
    with pytest.raises(ImportProblemsError) as caught:
        BENCHMARK.import_folder(folder, "seed")
    (problem,) = caught.value.problems
    assert problem.startswith(
        "meta_info/holistic_reasoning_spatial.json, entry 2, id `spatial_relation_001`: "
        "'sounds/spatial_relation_001.wav' has 1 channel, but spatial audio needs two"
    )


def test_import_removes_spaces_around_options_and_answers_and_reports_it(tmp_path: Path) -> None:
    files = make_files(SMALL)
    entry = files["spatial"][1]
    entry["options"][0] += " "
    entry["answer"] = entry["options"][0] + "\n"
    imported = import_files(tmp_path, files)
    position = "meta_info/holistic_reasoning_spatial.json, entry 2, id `spatial_relation_001`"
    assert imported.repaired == (
        f"{position}: spaces around an option were removed.",
        f"{position}: spaces around the answer were removed.",
    )
    assert imported.key.answers["spatial_relation_001"] == 0
    assert BENCHMARK.content(imported.key).items[-1].options[0] == "Red of spatial/relation"


def test_import_accepts_the_true_order_and_that_of_run_0_as_temporal_answers(
    tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for number, answer in enumerate((None, "", "clip 1 -> clip 2 -> clip 3", "clip 1 -> clip 3 -> clip 2")):
        with subtests.test(answer=answer):
            folder = tmp_path / str(number)
            folder.mkdir()
            # Run 0 of OSM item 1 plays (1 3 2), so clips 1, 2, 3 are at positions 1, 3, 2.
            entry = make_entry("temporal/osm", 1) | {"answer": answer}
            imported = import_files(folder, {"temporal": [entry]})
            position = imported.key.answers["temporal_OSM_1"]
            assert isinstance(position, int)
            assert parse_order(entry["options"][position]) == (1, 3, 2)


def test_file_with_a_byte_order_mark_is_imported(tmp_path: Path) -> None:
    write_files(tmp_path, {})
    path = tmp_path / "meta_info/holistic_reasoning_spatial.json"
    path.parent.mkdir()
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps([make_entry("spatial/relation", 0)]).encode())
    assert len(only_brought(BENCHMARK.import_folder(tmp_path, "seed").key).answers) == 1


def test_import_distinguishes_existing_from_missing_sounds(tmp_path: Path) -> None:
    files = make_files({"spatial/relation": 2, "temporal/osm": 1})
    sound = tmp_path / files["spatial"][0]["audio_paths"][0]
    sound.parent.mkdir(parents=True)
    sound.write_bytes(b"RIFF")
    imported = import_files(tmp_path, files)
    assert list(imported.sounds.values()) == [sound.resolve()]
    assert imported.absent == (
        "sounds/OSM_0/seg_1.wav",
        "sounds/OSM_0/seg_2.wav",
        "sounds/OSM_0/seg_3.wav",
        "sounds/OSM_0/whole.wav",
        "sounds/spatial_relation_001.wav",
    )


def test_import_stores_no_answer_with_the_questions(tmp_path: Path) -> None:
    imported = import_files(tmp_path, make_files(ONE_OF_EACH))
    allowed = {"id", "task", "question", "options", "audio", "global-caption", "uncut-audio"}
    assert set().union(*imported.key.questions) == allowed


def test_temporal_items_do_not_present_clips_in_their_true_order(tmp_path: Path) -> None:
    files = make_files({"temporal/osm": 6})
    imported = import_files(tmp_path, files)
    content = BENCHMARK.content(only_brought(imported.key))
    by_path = {path: name for name, path in _names_of_paths(files, "seed").items()}
    orders = [
        tuple([by_path[path] for path in entry["audio_paths"]].index(clip) + 1 for clip in item.clips)
        for entry, item in zip(files["temporal"], content.items, strict=True)
    ]
    assert orders == [(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)]


def _names_of_paths(files: Files, seed: str) -> dict[str, str]:
    return {clip_name(seed, path): path for entry in files["temporal"] for path in entry["audio_paths"]}


def test_key_of_version_1_covers_only_perception() -> None:
    for split in ("test", "practice"):
        assert BENCHMARK.content(BENCHMARK.make_key(split)).parts == {"perception"}


def test_label_is_matched_regardless_of_case_and_punctuation(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, str | None, str | None]] = [
        ("Absolute Perception Range", None, "perception/range"),
        ("RANGE_AZIMUTH", None, "perception/range/azimuth"),
        ("azimuth", "perception/sensitivity", "perception/sensitivity/azimuth"),
        ("azimuth", None, None),
        ("sensitivity - Distance", None, "perception/sensitivity/distance"),
        ("Pitch & Loudness", "perception/range", "perception/range/pitch-loudness"),
        ("", None, None),
    ]
    for label, group, expected in rows:
        with subtests.test(label=label, group=group, expected=expected):
            assert find_slice("perception", label, group) == expected


def test_every_sub_task_is_matched_by_its_own_name() -> None:
    for task in SUB_TASKS:
        assert find_slice(task.part, task.slice.removeprefix("perception/"), None) in (task.slice, None)
        entry = make_entry(task.slice, 0)
        label = entry["sub-category"] if "sub-category" in entry else entry["category"]
        assert find_slice(task.part, label) == task.slice


def test_order_of_fields_does_not_change_the_import(tmp_path: Path) -> None:
    files = make_files(ONE_OF_EACH)
    reversed_files = {part: [dict(reversed(entry.items())) for entry in entries] for part, entries in files.items()}
    first = import_files(tmp_path / "one", copy.deepcopy(files))
    second = import_files(tmp_path / "other", reversed_files)
    assert first.key == second.key
