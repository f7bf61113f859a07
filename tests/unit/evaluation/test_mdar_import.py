"""Import of MDAR: complete files, repairs, and faults with their positions."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluation import Prediction
from evaluation.answer_keys import save_key
from evaluation.benchmarks.imported import Imported
from evaluation.benchmarks.mdar import Mdar
from evaluation.benchmarks.mdar.design import CATEGORIES, chance_of_key, list_names, list_sub_slices
from evaluation.benchmarks.mdar.importer import DESCRIPTION_FIELDS
from evaluation.benchmarks.official import clip_name
from evaluation.errors import AnswerKeyError, DataNotHeldError, ImportProblemsError
from evaluation.imports import keep_import
from evaluation.judge.protocol import Call, build_messages
from evaluation.packs import example_predictions
from evaluation.synthesis.scenes import render_scene
from tests.support.samples.mdar_sets import FOLDERS, RELEASED, SEED, import_set

Question = dict[str, Any]

MAIN: Question = {
    "id": "0000",
    "audio_path": "./a/1.wav",
    "question": "谁在敲门？",
    "chosens": ["客人", "主人", "邻居"],
    "answer": "主人",
    "category": "社交意图推理任务",
}
MULTI: Question = {
    "id": "0000",
    "audio_path_1": "./a/1.wav",
    "audio_path_2": "./a/2.wav",
    "question": "哪些成立？",
    "chosens": ["下雨了", "门响了", "有人在跑"],
    "answer": ["有人在跑", "下雨了"],
    "category": "连续场景推理任务",
}
OPEN: Question = {
    "id": "0000",
    "audio_path": "./a/3.wav",
    "question": "发生了什么？",
    "answer": "有人在跑。",
    "category": "事件推理类",
}
NAMES = {"main": "MDAR-main.json", "multi": "MDAR-multi.json", "open": "MDAR-open.json"}
POSITION = "MDAR-main.json, question 1 (id '0000'): "


def write(folder: Path, **files: object) -> Path:
    for part, value in files.items():
        (folder / NAMES[part]).write_text(json.dumps(value), encoding="utf-8")
    return folder


def _prediction(row: Mapping[str, object]) -> Prediction:
    return Prediction(str(row["id"]), 0, str(row["response"]))


def run_import(folder: Path) -> Imported:
    return Mdar("1.0").import_folder(folder, SEED)


def problems_of(folder: Path) -> tuple[str, ...]:
    with pytest.raises(ImportProblemsError) as caught:
        run_import(folder)
    return caught.value.problems


def test_import_of_three_files_gives_questions_and_answers(tmp_path: Path) -> None:
    imported = run_import(write(tmp_path, main=[MAIN], multi=[MULTI], open=[OPEN]))
    assert imported.key.answers == {"main-0000": 1, "multi-0000": (0, 2), "open-0000": "有人在跑。"}
    assert (imported.key.benchmark, imported.key.version, imported.key.split) == ("mdar", "1.0", "test")
    main, multi, opened = Mdar("1.0").content(imported.key).items
    assert (main.part, main.task, main.answer_format, main.options) == (
        "main",
        "main/sr",
        "choice",
        ("客人", "主人", "邻居"),
    )
    assert (multi.task, multi.answer_format, len(multi.clips)) == ("multi/csr", "choices", 2)
    assert (opened.task, opened.answer_format, opened.options) == ("open/er", "text", ())
    assert main.clips[0] == multi.clips[0], "one path is one clip"
    assert (imported.repaired, imported.sounds) == ((), {})
    assert imported.absent == ("./a/1.wav", "./a/2.wav", "./a/3.wav")


def test_questions_contain_no_answers(tmp_path: Path) -> None:
    imported = run_import(write(tmp_path, multi=[MULTI], open=[OPEN]))
    public = json.dumps(imported.key.questions, ensure_ascii=False)
    assert "有人在跑。" not in public
    assert {name for question in imported.key.questions for name in question} == {
        "id", "part", "category", "question", "options", "audio",
    }  # fmt: skip


@pytest.mark.parametrize("name", DESCRIPTION_FIELDS)
def test_description_of_the_audio_reaches_only_the_judge(tmp_path: Path, name: str) -> None:
    files = {
        "open": [OPEN | {name: " 脚步声由远及近。 "}, OPEN | {"id": "7", name: ""}],
        "main": [MAIN | {name: "门响。"}],
    }
    imported = run_import(write(tmp_path, **files))
    assert imported.key.descriptions == {"open-0000": "脚步声由远及近。"}
    assert "脚步" not in json.dumps(imported.key.questions, ensure_ascii=False)
    questions = Mdar("1.0").open_questions(imported.key)
    assert {item_id: question.description for item_id, question in questions.items()} == {
        "open-0000": "脚步声由远及近。",
        "open-7": "",
    }
    (_, user) = build_messages(Call(questions["open-0000"], "有人。", candidate_first=True), "abc")
    assert "BEGIN abc notes on the recording\n脚步声由远及近。\nEND abc" in user["content"]
    stored = save_key(tmp_path / "keys", imported.key)
    assert (stored.descriptions, stored.digest) == (imported.key.descriptions, imported.key.digest)
    assert replace(stored, descriptions={}).digest != stored.digest, "descriptions affect verdicts"


def test_key_that_differs_in_a_description_is_replaced_only_on_request(tmp_path: Path) -> None:
    keep_import(tmp_path / "keys", run_import(write(tmp_path, open=[OPEN])), replaces=False)
    described = run_import(write(tmp_path, open=[OPEN | {"description": "有人在跑。"}]))
    with pytest.raises(AnswerKeyError, match="--replace"):
        keep_import(tmp_path / "keys", described, replaces=False)
    assert keep_import(tmp_path / "keys", described, replaces=True).descriptions


@pytest.mark.parametrize("part", ["main", "multi", "open"])
def test_import_of_one_file_counts_its_categories_only(tmp_path: Path, part: str) -> None:
    question = {"main": MAIN, "multi": MULTI, "open": OPEN}[part]
    imported = run_import(write(tmp_path, **{part: [question]}))
    expected = [category for category in CATEGORIES if category.part == part]
    assert [count.name for count in imported.counts] == [f"{part} {category.label}" for category in expected]
    assert [count.expected for count in imported.counts] == [category.size for category in expected]
    assert [count.found for count in imported.counts] == [int(c.label == question["category"]) for c in expected]
    assert len(imported.deviations) == len(expected)
    assert Mdar("1.0").content(imported.key).parts == {part}


def test_answer_with_an_extra_space_is_repaired_and_reported(tmp_path: Path) -> None:
    imported = run_import(write(tmp_path, main=[MAIN, MAIN | {"id": "7", "answer": "主人 "}]))
    assert imported.key.answers["main-7"] == 1
    (repair,) = imported.repaired
    assert repair.startswith("MDAR-main.json, question 2 (id '7'): ")
    assert "主人" not in repair, "the report reveals no answer"
    options = {"chosens": [" 客人", "主人\t", "邻居"]}
    repaired = run_import(write(tmp_path, main=[MAIN | options]))
    assert (len(repaired.repaired), repaired.key.questions[0]["options"]) == (1, ["客人", "主人", "邻居"])


def test_existing_sounds_are_found_only_inside_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "a").mkdir(parents=True)
    (folder / "a" / "1.wav").write_bytes(b"x")
    (tmp_path / "2.wav").write_bytes(b"x")
    imported = run_import(write(folder, main=[MAIN], multi=[MULTI | {"audio_path_2": "./a/../../2.wav"}]))
    assert list(imported.sounds.values()) == [folder / "a" / "1.wav"]
    assert imported.absent == ("./a/../../2.wav",)


def change(**fields: object) -> Callable[[Question], object]:
    return lambda question: {**question, **fields}


def without(name: str) -> Callable[[Question], object]:
    return lambda question: {key: value for key, value in question.items() if key != name}


def test_fault_of_a_question_is_reported_with_its_position(tmp_path: Path, subtests: pytest.Subtests) -> None:
    rows: list[tuple[Callable[[Question], object], str]] = [
        (without("id"), "MDAR-main.json, question 1: `id` must be a string"),
        (change(id=7), "MDAR-main.json, question 1: `id` must be a string"),
        (change(id="a b"), "MDAR-main.json, question 1 (id 'a b'): `id` must be a string of 1 to 64"),
        (without("question"), POSITION + "`question` is missing; it must be a non-empty string"),
        (change(question=" \n"), POSITION + "`question` is ' \\n'; it must be a non-empty string"),
        (change(question="\ud800"), POSITION + "`question` is '\\ud800'; remove NUL characters"),
        (change(question=["?"]), POSITION + "`question` is ['?']; it must be a non-empty string"),
        (without("chosens"), POSITION + "`chosens` is missing"),
        (change(chosens="客人"), POSITION + "`chosens` is '客人'; it must be a list"),
        (change(chosens=[]), POSITION + "`chosens` is []; it must be a list"),
        (change(chosens=["主人", ""]), POSITION + "`chosens` item 2 is ''; it must be a non-empty string"),
        (change(chosens=["主人", 3]), POSITION + "`chosens` item 2 is 3; it must be a non-empty string"),
        (change(chosens=["主人", "主人 "]), POSITION + "`chosens` contains the same text twice"),
        (change(chosens=["主人"]), POSITION + "there are 1 options in `chosens`; 2 to 10 are allowed"),
        (change(chosens=["主人", *"BCDEFGHIJK"]), POSITION + "there are 11 options in `chosens`"),
        (without("answer"), POSITION + "`answer` is missing"),
        (change(answer="别人"), POSITION + "`answer` is not among the options"),
        (change(answer=["主人"]), POSITION + "`answer` is ['主人']; it must be a non-empty string"),
        (change(category="社交意图推理"), POSITION + "unknown category `社交意图推理`. Did you mean `社交"),
        (change(category="事件推理类"), POSITION + "unknown category `事件推理类`"),
        (without("audio_path"), POSITION + "`audio_path` is missing"),
        (change(audio_path=""), POSITION + "`audio_path` is ''; it must be a non-empty string"),
        (change(audio_path="a\0.wav"), POSITION + "`audio_path` is 'a\\x00.wav'; remove NUL"),
        (lambda _: "谁？", "MDAR-main.json, question 1: it must be an object"),
    ]
    for number, (spoil, message) in enumerate(rows):
        with subtests.test(spoil=spoil, message=message):
            folder = tmp_path / str(number)
            folder.mkdir()
            (problem,) = problems_of(write(folder, main=[spoil(MAIN)]))
            assert problem.startswith(message)


def test_fault_of_the_other_parts_is_reported_with_its_position(tmp_path: Path, subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, Question, str]] = [
        ("multi", MULTI | {"answer": "下雨了"}, "`answer` is '下雨了'; it must be a list"),
        ("multi", MULTI | {"answer": []}, "`answer` is []; it must be a list"),
        ("multi", MULTI | {"answer": ["下雨了", "下雨了"]}, "`answer` contains the same text twice"),
        ("multi", MULTI | {"answer": ["下雨了", "天晴了"]}, "`answer` is not among the options"),
        ("multi", MULTI | {"audio_path_2": None}, "`audio_path_2` is missing"),
        ("open", OPEN | {"answer": "  "}, "`answer` is '  '; it must be a non-empty string"),
        ("open", OPEN | {"description": ["风"]}, "`description` is ['风']; it must be a non-empty string"),
        ("open", OPEN | {"description": "风", "meta_info": "雨"}, "`description` and `meta_info` differ; keep one"),
        ("open", OPEN | {"category": "社交意图推理任务"}, "unknown category"),
    ]
    for number, (part, question, message) in enumerate(rows):
        with subtests.test(part=part, question=question, message=message):
            folder = tmp_path / str(number)
            folder.mkdir()
            (problem,) = problems_of(write(folder, main=[MAIN], **{part: [question]}))
            assert problem.startswith(f"{NAMES[part]}, question 1 (id '0000'): {message}")


def test_faults_of_all_files_and_fields_are_reported(tmp_path: Path) -> None:
    bad = MAIN | {"question": "", "answer": "别人", "category": "?"}
    problems = problems_of(write(tmp_path, main=[MAIN, MAIN, bad], multi={}, open=[OPEN | {"answer": ""}]))
    assert [problem.split(":")[0] for problem in problems] == [
        "MDAR-main.json, question 2 (id '0000')",
        *["MDAR-main.json, question 3 (id '0000')"] * 4,
        "MDAR-multi.json is not a list of questions. Use the released file.",
        "MDAR-open.json, question 1 (id '0000')",
    ]
    assert "duplicate id" in problems[0]


def test_file_without_a_list_of_questions_is_reported(tmp_path: Path, subtests: pytest.Subtests) -> None:
    rows: list[tuple[bytes, str]] = [
        (b"", "JSON in UTF-8 (column 1)."),
        (b"{\n{", "JSON in UTF-8 (line 2, column 1)."),
        (b"[\xff]", "JSON in UTF-8 (invalid UTF-8 at byte 2)."),
        (b"[" * 100_000, "JSON in UTF-8 (nested too deeply)."),
        (b"[" + b"9" * 5_000 + b"]", "JSON in UTF-8 (a number has too many digits)."),
        (b"[]", "a list of questions."),
        (b"7", "a list of questions."),
    ]
    for number, (content, message) in enumerate(rows):
        with subtests.test(content=content, message=message):
            folder = tmp_path / str(number)
            folder.mkdir()
            (folder / "MDAR-main.json").write_bytes(content)
            assert problems_of(folder) == (f"MDAR-main.json is not {message} Use the released file.",)


def test_duplicate_field_is_reported(tmp_path: Path) -> None:
    twice = json.dumps(MAIN).removesuffix("}") + ', "answer": "客人"}'
    (tmp_path / "MDAR-main.json").write_text(f"[{twice}]", encoding="utf-8")
    assert problems_of(tmp_path) == (POSITION + "duplicate field 'answer'; keep one.",)


UNUSABLE_PATHS = ["loop.wav", "a" * 300 + ".wav", "x/" * 3_000 + "a.wav", "~/1.wav", "../1.wav", "."]


def test_sound_with_an_unusable_path_is_missing(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for number, path in enumerate(UNUSABLE_PATHS):
        with subtests.test(path=path):
            folder = tmp_path / str(number) / "folder"
            folder.mkdir(parents=True)
            (tmp_path / str(number) / "1.wav").write_bytes(b"outside")
            (folder / "loop.wav").symlink_to("loop.wav")
            imported = run_import(write(folder, main=[MAIN | {"audio_path": path}]))
            assert (imported.sounds, imported.absent) == ({}, (path,))


def test_sound_is_found_by_its_whole_name(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name in ("..hidden.wav", "hidden.wav", ".a/x.wav", "a/x.wav", "a.wav"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    for prefix in ("", "/", "./", ".//./", "//"):
        for path in ("..hidden.wav", ".a/x.wav", "a.wav"):
            with subtests.test(prefix=prefix, path=path):
                imported = run_import(write(tmp_path, main=[MAIN | {"audio_path": prefix + path}]))
                assert list(imported.sounds.values()) == [tmp_path / path]


def test_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    (tmp_path / "MDAR-main.json").write_text(json.dumps([MAIN]), encoding="utf-8-sig")
    assert run_import(tmp_path).key.answers == {"main-0000": 1}


@pytest.mark.parametrize("name", ["", "nowhere"])
def test_folder_without_a_file_is_reported(tmp_path: Path, name: str) -> None:
    (problem,) = problems_of(tmp_path / name)
    assert problem.startswith(f"{tmp_path / name} contains none of MDAR-main.json, MDAR-multi.json, MDAR-open.json")


def test_version_without_imported_questions_names_the_next_step() -> None:
    benchmark = Mdar("1.0")
    with pytest.raises(DataNotHeldError, match=r"keys import --benchmark mdar FOLDER"):
        benchmark.make_key("test")
    with pytest.raises(DataNotHeldError, match=r"has no practice split\. Use another version"):
        benchmark.make_key("practice")


# --- the demonstration set ------------------------------------------------------------------------------------------


def read_demo(name: str) -> Any:
    return json.loads((FOLDERS["demo"] / name).read_text(encoding="utf-8"))


def test_demo_has_every_category_in_the_official_layout() -> None:
    fields: Mapping[str, set[str]] = {
        part: set(question) for part, question in (("main", MAIN), ("multi", MULTI), ("open", OPEN))
    }
    min_questions = {"main": 12, "multi": 6, "open": 6}
    for part, name in NAMES.items():
        questions = read_demo(name)
        assert len(questions) >= min_questions[part]
        assert all(set(question) == fields[part] for question in questions)
        assert {question["category"] for question in questions} == {c.label for c in CATEGORIES if c.part == part}
        assert [question["id"] for question in questions] == [f"{number:04d}" for number in range(len(questions))]


def test_demo_has_a_scene_for_every_path_and_no_other() -> None:
    scenes = read_demo("scenes.json")
    benchmark = Mdar("demo")
    assert set(scenes) == benchmark.sound_paths(benchmark.make_key("practice"))
    assert len({json.dumps(scene) for scene in scenes.values()}) == len(scenes)


def test_demo_has_its_own_licence() -> None:
    assert Mdar("demo").licence == "CC-BY-4.0 (questions and recordings by Earshot)"
    assert "CC-BY" not in Mdar("1.0").licence


def test_demo_renders_every_clip_from_its_scene(soak: bool) -> None:
    benchmark = Mdar("demo")
    key = benchmark.make_key("practice")
    content = benchmark.content(key)
    assert content.has_sounds
    scenes = read_demo("scenes.json")
    assert len(content.clips) == len(scenes)
    clips = {clip_name(key.seed, path): scene for path, scene in scenes.items()}
    for clip in content.clips[:: 1 if soak else 4]:
        assert benchmark.render_clip(key, clip) == render_scene(clips[clip])
    with pytest.raises(KeyError):
        benchmark.render_clip(key, "clip-unknown")


def test_right_answers_of_the_demo_take_every_position() -> None:
    key = import_set("demo")
    assert {answer for item_id, answer in key.answers.items() if item_id.startswith("main")} == {0, 1, 2, 3}


def test_test_split_of_the_demo_hides_its_clips_behind_another_seed() -> None:
    benchmark = Mdar("demo")
    test_content, practice_content = (
        benchmark.content(benchmark.make_key("test")),
        benchmark.content(benchmark.make_key("practice")),
    )
    assert not set(test_content.clips) & set(practice_content.clips)
    assert [item.question for item in test_content.items] == [item.question for item in practice_content.items]


def test_pack_of_partly_imported_sounds_contains_no_sounds(tmp_path: Path) -> None:
    imported = run_import(write(tmp_path, main=[MAIN, MAIN | {"id": "1", "audio_path": "./a/2.wav"}]))
    benchmark, key = Mdar("1.0"), imported.key
    first, second = benchmark.content(key).clips
    for clips, has_sounds in (({}, False), ({first: "0" * 64}, False), ({first: "0" * 64, second: "0" * 64}, True)):
        changed = type(key)(key.benchmark, key.version, key.split, key.seed, key.answers, key.questions, clips)
        assert benchmark.content(changed).has_sounds is has_sounds


# --- the released questions, if available ---------------------------------------------------------------------------


if RELEASED is not None:  # an empty list of parameters would be a skip

    def test_released_questions_match_the_counts_of_the_table() -> None:
        assert RELEASED is not None
        imported = run_import(RELEASED)
        assert imported.deviations == ()
        assert len(imported.counts) == 17
        assert len(imported.key.answers) == 2825
        assert len(imported.repaired) == 1
        assert imported.repaired[0].startswith("MDAR-main.json, question ")
        assert (len(imported.absent), imported.sounds) == (3650, {})

    def test_chance_matches_the_released_questions() -> None:
        assert RELEASED is not None
        released = chance_of_key(run_import(RELEASED).key)
        assert Mdar("1.0").chance == pytest.approx(released, abs=1e-6)


def test_both_versions_declare_chance_for_the_same_scores() -> None:
    assert set(Mdar("1.0").chance) == set(Mdar("demo").chance)
    assert {column for column, value in Mdar("1.0").chance.items() if value == 0.25} == {
        "main|accuracy", *(f"main/{slug}|accuracy" for slug in ("sr", "er", "su", "ad", "tr")),
        *(f"{name}|accuracy" for name in list_sub_slices()),
    }  # fmt: skip


@pytest.mark.parametrize("version", FOLDERS)
def test_random_answers_score_at_chance(version: str, soak: bool) -> None:
    benchmark, key = Mdar(version), import_set(version)
    content = benchmark.content(key)
    n_seeds = {"1.0": (1, 2), "demo": (40, 400)}[version][soak]
    sums: dict[str, list[float]] = {}
    for seed in range(n_seeds):
        rows = example_predictions(content, f"guess {seed}")
        report = benchmark.score(key, [_prediction(row) for row in rows if not str(row["id"]).startswith("open")])
        for name, metric, score in report.list_scores():
            sums.setdefault(f"{name}|{metric}", []).append(score.value or 0)
    assert set(sums) == {*benchmark.chance, "main|option_concentration"}
    subs = [category.sub_slice for category in CATEGORIES if category.sub_slice]
    assert len(subs) == len(set(subs)) == 9
    for column, expected in benchmark.chance.items():
        n_items = sum(column.split("|")[0] in list_names(question) for question in key.questions)
        error = 0.5 / (n_items * n_seeds) ** 0.5  # a score in [0, 1] has a standard deviation of at most 0.5
        assert sum(sums[column]) / n_seeds == pytest.approx(expected, abs=4 * error), column
