"""Releases: rows match the question packs, only the practice split has answers, and the card loads them."""

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from evaluation import get_benchmark
from evaluation.answer_keys import AnswerKey, find_key, key_path, save_key
from evaluation.benchmarks import all_benchmarks
from evaluation.benchmarks.star_bench import StarBench
from evaluation.errors import UnknownBenchmarkError
from evaluation.packs import write_pack
from evaluation.publishing import parquet_files
from evaluation.publishing.__main__ import main as publish
from evaluation.publishing.card import MANIFEST_FILE, README_FILE
from evaluation.publishing.errors import PublishError
from evaluation.publishing.pack_reader import QuestionPack
from evaluation.publishing.parquet_files import COLUMNS, make_schema, write_tables
from evaluation.publishing.release import drop_ended_splits
from evaluation.publishing.selection import SPLITS, Selection, explain_refusal, list_published_items, select_versions
from evaluation.types import Split
from tests.support.samples.releases import (
    SEED,
    Installation,
    install_keys,
    quick_clips,
    read_everything,
    release,
    select_one,
)
from tests.support.samples.star_bench_files import make_files, write_files

MDAR = get_benchmark("mdar", "demo")
MOTION = get_benchmark("audio-motion-bench")
MARKS = {benchmark.id: f"canary-{benchmark.id}" for benchmark in all_benchmarks()}


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a release of every test split, with recognisable answers in its keys, and of some practice splits."""
    folder = tmp_path_factory.mktemp("marked")
    versions = select_versions(None, None, SPLITS).versions
    with_practice = (MOTION, MDAR)
    selection = Selection(
        tuple((benchmark, SPLITS if benchmark in with_practice else ("test",)) for benchmark, _ in versions), ()
    )
    with quick_clips():
        return release(folder, selection, install_keys(folder / "keys", selection, MARKS))


@pytest.fixture(scope="module")
def mdar_pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a real pack of the test split, as the site serves it."""
    path = tmp_path_factory.mktemp("pack") / "pack.zip"
    write_pack(MDAR, MDAR.make_key("test", SEED), path)
    return path


@pytest.fixture(scope="module")
def mdar_ids() -> frozenset[str]:
    return list_published_items(MDAR, MDAR.make_key("test", SEED))


def list_tables(folder: Path, split: str) -> list[Path]:
    return sorted(folder.glob(f"data/*/{split}-*.parquet"))


def read_rows(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows


# --- answers ---------------------------------------------------------------------------------------------------------


def test_files_of_the_test_split_contain_no_answer_and_no_seed(marked: Path, subtests: pytest.Subtests) -> None:
    paths = [*list_tables(marked, "test"), marked / README_FILE, marked / MANIFEST_FILE]
    assert len(paths) >= 7
    for path in paths:
        with subtests.test(path=path.relative_to(marked)):
            text = read_everything(path)
            assert "canary-" not in text
            assert SEED not in text


def test_search_for_answers_finds_those_of_the_practice_split(marked: Path, subtests: pytest.Subtests) -> None:
    """Prove that the search finds answers, so that finding none in the test split is conclusive."""
    for path in list_tables(marked, "practice"):
        with subtests.test(path=path.relative_to(marked)):
            text = read_everything(path)
            rows = read_rows(path)
            assert all(row["answer"] for row in rows)
            assert all(json.dumps(row["answer"], ensure_ascii=False) in text for row in rows[:20])


def test_reference_answers_of_open_questions_are_not_in_the_test_split(
    mdar_pack: Path, mdar_ids: frozenset[str], tmp_path: Path
) -> None:
    key = MDAR.make_key("test", SEED)
    answers = [answer for answer in key.answers.values() if isinstance(answer, str)]
    assert answers
    with QuestionPack(mdar_pack) as pack:
        (name,) = write_tables(pack, mdar_ids, tmp_path).files
    text = read_everything(tmp_path / name)
    assert [entry for entry in [*answers, *key.descriptions.values()] if entry in text] == []


def test_columns_are_those_allowed_for_the_split(marked: Path, subtests: pytest.Subtests) -> None:
    assert "answer" not in COLUMNS["test"]
    for split in SPLITS:
        for path in list_tables(marked, split):
            with subtests.test(path=path.relative_to(marked)):
                schema = pq.read_schema(path)
                assert tuple(schema.names) == COLUMNS[split]
                features = json.loads(schema.metadata[b"huggingface"])["info"]["features"]
                assert tuple(features) == COLUMNS[split]
                assert features["audio"] == [{"mono": False, "_type": "Audio"}]


def test_practice_answers_are_those_of_the_pack(marked: Path) -> None:
    (path,) = marked.glob("data/audio-motion-bench-1.0/practice-*.parquet")
    answers = MOTION.make_key("practice").answers
    rows = read_rows(path)
    assert {row["id"]: json.loads(row["answer"]) for row in rows} == answers


def test_pack_of_the_test_split_with_answers_is_refused(mdar_pack: Path, tmp_path: Path) -> None:
    pack = Path(shutil.copy(mdar_pack, tmp_path / "pack.zip"))
    with zipfile.ZipFile(pack, "a") as archive:
        archive.writestr("answers.jsonl", "{}\n")
    with pytest.raises(PublishError, match="contains answers"):
        QuestionPack(pack)


def test_unlisted_field_is_refused(tmp_path: Path, subtests: pytest.Subtests) -> None:
    question = {
        "id": "a",
        "run": 0,
        "setting": "default",
        "task": "t",
        "prompt": [{"type": "text", "text": "?"}],
        "options": [],
        "answer_format": "text",
    }
    part_with_answer = {"type": "text", "text": "?", "hint": "B"}
    incomplete = {name: value for name, value in question.items() if name != "task"}
    for title, line, message in (
        ("a field of the question", question | {"answer": 1}, "answer"),
        ("a field of a part", question | {"prompt": [part_with_answer]}, "hint"),
        ("one is missing", incomplete, "one is missing"),
    ):
        with subtests.test(title=title):
            path = tmp_path / "pack.zip"
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("pack.json", '{"split": "test"}')
                archive.writestr("questions.jsonl", json.dumps(line))
            with QuestionPack(path) as pack, pytest.raises(PublishError, match=message):
                pack.read_rows(frozenset({"a"}))


def test_damaged_pack_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pack.zip").write_bytes(b"no zip")
    with pytest.raises(PublishError, match="cannot be read"):
        QuestionPack(tmp_path / "pack.zip")


# --- rows ------------------------------------------------------------------------------------------------------------


def test_rows_are_the_questions_and_clips_of_the_pack_byte_for_byte(
    mdar_pack: Path, mdar_ids: frozenset[str], tmp_path: Path
) -> None:
    with QuestionPack(mdar_pack) as pack:
        written = write_tables(pack, mdar_ids, tmp_path)
    rows = [row for name in written.files for row in read_rows(tmp_path / name)]
    with zipfile.ZipFile(mdar_pack) as archive:
        lines = [json.loads(line) for line in archive.read("questions.jsonl").splitlines()]
        for row in rows:
            assert [clip["path"] for clip in row["audio"]] == [part["path"] for part in row["prompt"] if part["path"]]
            assert all(clip["bytes"] == archive.read(clip["path"]) for clip in row["audio"])
    restored = []
    for row in rows:
        prompt = [{name: value for name, value in part.items() if value is not None} for part in row["prompt"]]
        fields = {name: row[name] for name in ("id", "setting", "task", "options", "answer_format")}
        restored += [fields | {"run": run, "prompt": prompt} for run in row["runs"]]
    assert sorted(restored, key=str) == sorted(({name: line[name] for name in restored[0]} for line in lines), key=str)


def test_rows_with_audio_precede_rows_without(marked: Path) -> None:
    (path,) = marked.glob("data/star-bench-demo/test-*.parquet")
    has_audio = [bool(row["audio"]) for row in read_rows(path)]
    assert {True, False} == set(has_audio), "one of its settings has captions only"
    assert has_audio == sorted(has_audio, reverse=True)


def test_runs_that_repeat_a_question_are_one_row(marked: Path) -> None:
    (path,) = marked.glob("data/audio-motion-bench-1.0/test-*.parquet")
    rows = read_rows(path)
    assert len(rows) == 2016
    assert all(row["runs"] == [0, 1, 2] for row in rows)


def test_row_groups_and_files_are_small_and_contain_every_row_once(
    mdar_pack: Path,
    mdar_ids: frozenset[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    subtests: pytest.Subtests,
) -> None:
    for title, rows, group_bytes, file_bytes in (
        ("rows of a group", 3, 10**9, 10**9),
        ("bytes of a group", 100, 1_500_000, 10**9),
        ("bytes of a file", 100, 1_500_000, 3_000_000),
    ):
        with subtests.test(title=title):
            monkeypatch.setattr(parquet_files, "MAX_GROUP_ROWS", rows)
            monkeypatch.setattr(parquet_files, "MAX_GROUP_BYTES", group_bytes)
            monkeypatch.setattr(parquet_files, "MAX_FILE_BYTES", file_bytes)
            folder = tmp_path / title
            folder.mkdir()
            with QuestionPack(mdar_pack) as pack:
                written = write_tables(pack, mdar_ids, folder)
            ids = [row["id"] for name in written.files for row in read_rows(folder / name)]
            assert sorted(ids) == sorted(mdar_ids)
            assert (len(written.files) > 1) == (file_bytes == 3_000_000)
            for name in written.files:
                file = pq.ParquetFile(folder / name)
                for index in range(file.num_row_groups):
                    group = file.read_row_group(index).to_pylist()
                    n_bytes = sum(len(clip["bytes"]) for row in group for clip in row["audio"])
                    assert len(group) <= rows
                    assert len(group) == 1 or n_bytes <= group_bytes


def test_shared_clips_are_stored_once_in_a_row_group(tmp_path: Path) -> None:
    question = {"setting": "default", "task": "t", "options": [], "answer_format": "text", "run": 0}
    prompt = [{"type": "audio", "path": "audio/clip.wav"}]
    with zipfile.ZipFile(tmp_path / "pack.zip", "w") as archive:
        archive.writestr("pack.json", '{"split": "test"}')
        lines = [json.dumps(question | {"id": f"item-{number}", "prompt": prompt}) for number in range(50)]
        archive.writestr("questions.jsonl", "\n".join(lines))
        archive.writestr("audio/clip.wav", bytes(number * number % 251 for number in range(400_000)))
    with QuestionPack(tmp_path / "pack.zip") as pack:
        (name,) = write_tables(pack, frozenset(f"item-{number}" for number in range(50)), tmp_path).files
    assert (tmp_path / name).stat().st_size < 2 * 400_000


def test_same_pack_gives_the_same_bytes(mdar_pack: Path, mdar_ids: frozenset[str], tmp_path: Path) -> None:
    contents = []
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        with QuestionPack(mdar_pack) as pack:
            contents.append([(folder / name).read_bytes() for name in write_tables(pack, mdar_ids, folder).files])
    assert contents[0] == contents[1]


# --- what may be published -------------------------------------------------------------------------------------------


def test_versions_without_a_licence_to_publish_are_refused_with_one_message(subtests: pytest.Subtests) -> None:
    refused = {(benchmark.id, benchmark.version) for benchmark in all_benchmarks() if explain_refusal(benchmark)}
    assert refused == {("mdar", "1.0"), ("audio-process-bench", "1.0")}
    for benchmark_id, version in refused:
        with subtests.test(benchmark=benchmark_id):
            with pytest.raises(PublishError, match="grants no licence"):
                select_versions(benchmark_id, version, SPLITS)
            selection = select_versions(benchmark_id, None, SPLITS)
            assert [benchmark.version for benchmark, _ in selection.versions] != []
            assert len(selection.refusals) == 1


def test_selection_of_unknown_benchmarks_and_versions_is_refused() -> None:
    with pytest.raises(UnknownBenchmarkError):
        select_versions("nothing", None, SPLITS)
    with pytest.raises(UnknownBenchmarkError):
        select_versions("mdar", "9", SPLITS)


def test_questions_of_an_organiser_are_not_published_with_generated_ones(tmp_path: Path) -> None:
    benchmark = StarBench("1.0")
    files = make_files({"temporal/osm": 2, "spatial/relation": 2})
    key = benchmark.import_folder(write_files(tmp_path, files), SEED).key
    parts = {item.id: item.part for item in benchmark.content(key).items}
    assert set(parts.values()) > {"perception"}
    assert {parts[item_id] for item_id in list_published_items(benchmark, key)} == {"perception"}


def test_ended_test_splits_are_not_published(tmp_path: Path) -> None:
    star = StarBench("1.0")
    files = make_files({"temporal/osm": 2})
    with_organiser = star.import_folder(write_files(tmp_path, files), SEED).key
    selection = Selection(((MDAR, SPLITS), (MOTION, SPLITS), (star, ("test",))), ())
    keys: dict[tuple[str, Split], AnswerKey] = {
        ("mdar-demo", "test"): MDAR.make_key("test", SEED),
        ("audio-motion-bench-1.0", "test"): MOTION.make_key("test", SEED),
        ("star-bench-1.0", "test"): with_organiser,
    }
    left = drop_ended_splits(selection, keys)
    assert left.versions == ((MDAR, SPLITS), (MOTION, ("practice",)), (star, ("test",)))
    assert left.refusals == (
        "The shared test split of AudioMotionBench 1.0 is not published: it has ended, and submitters request test "
        "questions of their own.",
    )
    rendered: dict[tuple[str, Split], AnswerKey] = {("star-bench-1.0", "test"): star.make_key("test", SEED)}
    with pytest.raises(PublishError, match=r"STAR-Bench 1.0 is not published: it has ended.* Publish --split practice"):
        drop_ended_splits(Selection(((star, ("test",)),), ()), rendered)


@pytest.mark.parametrize("is_accepted", [False, True])
def test_command_publishes_an_ended_split_only_while_it_is_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], is_accepted: bool
) -> None:
    save_key(tmp_path / "keys", MOTION.make_key("test", SEED))
    monkeypatch.setenv("EARSHOT_ANSWER_KEYS", str(tmp_path / "keys"))
    monkeypatch.setenv("EARSHOT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("EARSHOT_SHARED_SPLITS_UNTIL", "9999-12-31" if is_accepted else "2026-01-01")
    written: list[Selection] = []
    monkeypatch.setattr(
        "evaluation.publishing.__main__.write_release", lambda selection, *_, **__: written.append(selection)
    )
    arguments = ["--to", str(tmp_path / "out"), "--benchmark", MOTION.id, "--split", "test", "--quiet", "--dry-run"]
    assert publish(arguments) == (0 if is_accepted else 1)
    assert len(written) == int(is_accepted)
    assert ("it has ended" in capsys.readouterr().err) != is_accepted


def test_release_without_all_recordings_is_refused(tmp_path: Path) -> None:
    benchmark = StarBench("1.0")
    files = write_files(tmp_path / "files", make_files({"temporal/osm": 1}))  # without the sounds that it names
    path = key_path(tmp_path / "keys", benchmark.id, benchmark.version, "test")
    path.parent.mkdir(parents=True)
    path.write_bytes(benchmark.import_folder(files, SEED).key.to_json())
    with pytest.raises(PublishError, match="recordings"):
        release(tmp_path, select_one(benchmark, "test"), Installation(tmp_path / "keys", tmp_path / "packs"))


def test_test_split_without_a_key_is_refused_and_no_key_is_created(tmp_path: Path) -> None:
    installation = Installation(tmp_path / "keys", tmp_path / "packs")
    with pytest.raises(PublishError, match="EARSHOT_ANSWER_KEYS"):
        release(tmp_path, select_one(MDAR), installation)
    assert find_key(tmp_path / "keys", MDAR.id, MDAR.version, "test") is None


# --- card and manifest -----------------------------------------------------------------------------------------------


def test_card_names_existing_files_and_the_fields_that_the_hub_reads(marked: Path) -> None:
    _, front, body = (marked / README_FILE).read_text(encoding="utf-8").split("---\n", 2)
    fields = yaml.safe_load(front)
    assert fields["license"] == "cc-by-4.0"
    assert fields["language"] == ["en", "zh"]
    assert fields["size_categories"] == ["10K<n<100K"]
    listed = set()
    for config in fields["configs"]:
        splits = [files["split"] for files in config["data_files"]]
        assert splits in (["practice", "test"], ["test"]), "datasets takes the columns of the first"
        for files in config["data_files"]:
            matches = set(marked.glob(files["path"]))
            assert matches, files
            listed |= matches
    assert listed == set(marked.glob("data/**/*.parquet"))
    for benchmark, _ in select_versions(None, None, SPLITS).versions:
        assert benchmark.citation in body
        assert benchmark.example_line in body
        assert f"--benchmark {benchmark.id} --version {benchmark.version}" in body


def test_manifest_identifies_questions_by_the_signature_of_their_scores(marked: Path) -> None:
    manifest = json.loads((marked / MANIFEST_FILE).read_text(encoding="utf-8"))
    described = manifest["configs"]["audio-motion-bench-1.0"]["splits"]
    key = MOTION.make_key("practice")
    assert described["practice"]["signature"] == str(MOTION.sign(key, setting="default", runs=0))
    assert described["practice"]["content_digest"] == MOTION.content(key).digest
    n_rows = sum(pq.read_metadata(path).num_rows for path in list_tables(marked, "test"))
    assert n_rows == sum(config["splits"]["test"]["rows"] for config in manifest["configs"].values())


def test_audio_schema_is_the_one_that_datasets_decodes() -> None:
    audio = make_schema("test").field("audio").type
    assert audio == pa.list_(pa.struct([("bytes", pa.binary()), ("path", pa.string())]))
