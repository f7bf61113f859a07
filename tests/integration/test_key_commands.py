"""`python -m evaluation` with versioned benchmarks: importing, listing and verifying keys, practice."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest

import evaluation.benchmarks
from evaluation.__main__ import main
from evaluation.answer_keys import AnswerKey, find_key, key_path, save_key
from evaluation.benchmarks import get_benchmark
from evaluation.benchmarks.imported import Count, Imported
from evaluation.benchmarks.mdar import Mdar
from evaluation.benchmarks.star_bench import StarBench
from evaluation.packs import example_predictions
from evaluation.synthesis.scenes import render_scene
from tests.support.samples.mdar_sets import FOLDERS, RELEASED
from tests.support.servers.commands import CommandResult, Run, run_in_process, use_data_dir

DEMO = FOLDERS["demo"]


@pytest.fixture(autouse=True)
def keys_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    data = use_data_dir(tmp_path / "data", monkeypatch)
    known = (get_benchmark("audio-motion-bench"), Mdar("1.0"), Mdar("demo"))
    monkeypatch.setattr(evaluation.benchmarks, "_REGISTRY", known)
    return data / "answer-keys"


@pytest.fixture
def evaluate(capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *arguments: run_in_process(capsys, main, arguments)


@pytest.fixture
def organised(tmp_path: Path) -> Path:
    """Return an organiser's folder: the files of the demonstration set, with sounds as files."""
    folder = tmp_path / "organiser"
    shutil.copytree(DEMO, folder)
    for path in json.loads((DEMO / "scenes.json").read_text()):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(encode_wav_of(path))
    return folder


def encode_wav_of(path: str) -> bytes:
    """Return a short sound that depends on the path."""
    pitch = 200 + sum(path.encode()) % 1000
    return render_scene({"seconds": 0.1, "events": [{"kind": "tone", "at": 0, "seconds": 0.1, "pitch": pitch}]})


def read_key(folder: Path) -> AnswerKey:
    key = find_key(folder, "mdar", "1.0", "test")
    assert key is not None
    return key


def import_mdar(evaluate: Run, folder: Path, *more: str) -> CommandResult:
    return evaluate("keys", "import", "--benchmark", "mdar", folder, "--allow-deviations", *more)


def test_import_prints_a_summary_and_stores_the_key(evaluate: Run, organised: Path, keys_dir: Path) -> None:
    done = import_mdar(evaluate, organised)
    assert (done.code, "Error" in done.err) == (0, False)
    key = read_key(keys_dir)
    lines = done.out.splitlines()
    assert lines[:2] == ["main 人物身份关联任务: 2 of 218  ← differs", "main 社交意图推理任务: 2 of 457  ← differs"]
    assert lines[17:] == ["clips: 35 of 35", f"mdar 1.0 test: 28 answers, digest {key.digest[:8]}"]
    assert (len(key.answers), len(key.clips)) == (28, 35)
    assert key.seed not in done.out + done.err
    assert "35 of 35 clips" in done.err


def test_import_of_deviating_numbers_is_refused_until_allowed(evaluate: Run, organised: Path, keys_dir: Path) -> None:
    done = evaluate("keys", "import", "--benchmark", "mdar", organised)
    assert done.code == 1
    assert "open 时间推理任务: 1 of 2  ← differs" in done.out
    assert "17 of 17 counts differ from the release of MDAR 1.0" in done.err
    assert "--allow-deviations" in done.err
    assert find_key(keys_dir, "mdar", "1.0", "test") is None
    assert not keys_dir.exists(), "nothing was written"


def test_import_without_deviations_needs_no_permission(
    evaluate: Run, organised: Path, keys_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Mdar.import_folder

    def as_described(benchmark: Mdar, folder: Path, seed: str) -> Imported:
        found = original(benchmark, folder, seed)
        return Imported(found.key, found.sounds, found.absent, (Count("all", 28, 28),), found.repaired)

    monkeypatch.setattr(Mdar, "import_folder", as_described)
    done = evaluate("keys", "import", "--benchmark", "mdar", organised)
    assert (done.code, done.out.splitlines()[0]) == (0, "all: 28 of 28")
    assert len(read_key(keys_dir).clips) == 35


def test_import_lists_repairs_and_the_first_missing_sounds(evaluate: Run, organised: Path) -> None:
    path = organised / "MDAR-main.json"
    questions = json.loads(path.read_text(encoding="utf-8"))
    questions[3]["answer"] += " "
    path.write_text(json.dumps(questions))
    shutil.rmtree(organised / "bench_audios")
    lines = import_mdar(evaluate, organised).out.splitlines()
    repaired = [line for line in lines if line.startswith("repaired: ")]
    assert len(repaired) == 1
    assert repaired[0].startswith("repaired: MDAR-main.json, question 4 (id '0003')")
    assert questions[3]["answer"].strip() not in repaired[0]
    start = lines.index("clips: 21 of 35")
    assert lines[start + 1] == "missing clips: 14. Packs contain no audio until all are imported. Missing files:"
    absent = sorted(question["audio_path"] for question in questions)
    assert lines[start + 2 : start + 7] == [f"  {path}" for path in absent[:5]]
    assert lines[start + 7].startswith("mdar 1.0 test: 28 answers")


def test_failed_import_lists_every_fault(evaluate: Run, organised: Path, keys_dir: Path) -> None:
    path = organised / "MDAR-multi.json"
    questions = json.loads(path.read_text(encoding="utf-8"))
    questions[0]["category"] = "?"
    questions[2]["answer"] = ["?"]
    path.write_text(json.dumps(questions))
    (organised / "MDAR-open.json").write_text("{")
    done = import_mdar(evaluate, organised)
    assert (done.code, done.out) == (1, "")
    heading, *faults = done.err.splitlines()
    assert heading == "Error: The files could not be imported:"
    assert [fault.split(":")[0] for fault in faults] == [
        "* MDAR-multi.json, question 1 (id '0000')",
        "* MDAR-multi.json, question 3 (id '0002')",
        "* MDAR-open.json is not JSON in UTF-8 (column 2). Use the released file.",
    ]
    assert find_key(keys_dir, "mdar", "1.0", "test") is None


def test_import_of_an_unreadable_sound_is_refused(evaluate: Run, organised: Path, keys_dir: Path) -> None:
    (organised / "bench_audios/output_clips_1/audio_1.wav").write_text("no sound")
    done = import_mdar(evaluate, organised)
    assert done.code == 1
    assert "audio_1.wav cannot be read as audio" in done.err
    assert find_key(keys_dir, "mdar", "1.0", "test") is None


def test_second_import_needs_replace_and_sets_the_first_aside(evaluate: Run, organised: Path, keys_dir: Path) -> None:
    import_mdar(evaluate, organised)
    first = read_key(keys_dir)
    refused = import_mdar(evaluate, organised)
    assert refused.code == 1
    assert "mdar 1.0 test already has a key" in refused.err
    assert import_mdar(evaluate, organised, "--replace").code == 0
    assert read_key(keys_dir).digest != first.digest
    assert key_path(keys_dir, "mdar", "1.0", "test").with_name(f"test.{first.digest[:8]}.json").is_file()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--benchmark", "mdar", "--version", "demo"), "MDAR demo generates its own questions"),
        (("--benchmark", "audio-motion-bench"), "AudioMotionBench 1.0 generates its own questions"),
        (("--benchmark", "mdar", "--version", "2"), "Unknown benchmark `mdar 2`"),
        (("--benchmark", "mdra"), "Did you mean `mdar`?"),
    ],
)
def test_import_for_a_version_without_imports_is_refused(
    evaluate: Run, arguments: tuple[str, ...], message: str
) -> None:
    done = evaluate("keys", "import", DEMO, *arguments)
    assert (done.code, done.out) == (1, "")
    assert message in done.err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((), ["audio-motion-bench 1.0", "mdar 1.0", "mdar demo"]),
        (("--benchmark", "mdar"), ["mdar 1.0", "mdar demo"]),
        (("--benchmark", "mdar", "--version", "demo"), ["mdar demo"]),
    ],
)
@pytest.mark.parametrize("action", ["list", "verify"])
def test_keys_of_chosen_versions_are_shown(
    evaluate: Run, action: str, arguments: tuple[str, ...], named: list[str]
) -> None:
    done = evaluate("keys", action, *arguments)
    assert (done.code, done.err) == (0, "")
    assert [line.split(" test: no key")[0] for line in done.out.splitlines()] == named


@pytest.mark.parametrize("action", ["list", "verify"])
def test_version_without_benchmark_is_wrong_usage(evaluate: Run, action: str) -> None:
    done = evaluate("keys", action, "--version", "demo")
    assert (done.code, done.out, done.err) == (2, "", "Error: --version requires --benchmark. Add it.\n")


def test_imported_key_is_verified_with_its_sounds(evaluate: Run, organised: Path, keys_dir: Path) -> None:
    import_mdar(evaluate, organised)
    key = read_key(keys_dir)
    done = evaluate("keys", "verify", "--benchmark", "mdar", "--version", "1.0")
    expected = f"mdar 1.0 test: OK, 28 answers, 35 clips unchanged since import, digest {key.digest[:8]}\n"
    assert done == CommandResult(0, expected, "")
    sound = key_path(keys_dir, "mdar", "1.0", "test").parent / "audio" / f"{min(key.clips)}.wav"
    sound.write_bytes(b"RIFF")
    altered = evaluate("keys", "verify", "--benchmark", "mdar", "--version", "1.0")
    assert (altered.code, "has changed since it was imported" in altered.err) == (1, True)
    sound.unlink()
    assert evaluate("keys", "verify", "--benchmark", "mdar", "--version", "1.0").code == 1


def write_example(benchmark: Mdar, key: AnswerKey, path: Path) -> Path:
    rows = example_predictions(benchmark.content(key))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_imported_key_scores_and_packs(evaluate: Run, organised: Path, keys_dir: Path, tmp_path: Path) -> None:
    import_mdar(evaluate, organised)
    example = write_example(Mdar("1.0"), read_key(keys_dir), tmp_path / "example.jsonl")
    done = evaluate("score", example, "--benchmark", "mdar", "--split", "test", "--json")
    assert (done.code, done.err) == (0, "")
    printed = json.loads(done.out)
    assert printed["signature"].startswith("mdar:1.0|")
    assert len(printed["awaiting_judge"]) == 7
    assert "main|accuracy" in printed["scores"]
    assert "open|judge_score" not in printed["scores"]
    out = tmp_path / "pack.zip"
    assert evaluate("pack", "--benchmark", "mdar", "--split", "test", "--out", out, "--quiet") == CommandResult(
        0, "", ""
    )
    with zipfile.ZipFile(out) as archive:
        assert "answers.jsonl" not in archive.namelist()
        packed = {archive.read(name) for name in archive.namelist() if name.startswith("audio/")}
    scenes = json.loads((DEMO / "scenes.json").read_text())
    assert packed == {encode_wav_of(path) for path in scenes}


@pytest.mark.parametrize("version", [(), ("--version", "1.0"), ("--version", "demo")])
def test_practice_of_a_version_without_a_practice_split_is_the_demo(
    evaluate: Run, tmp_path: Path, version: tuple[str, ...]
) -> None:
    demo = Mdar("demo")
    example = write_example(demo, demo.make_key("practice"), tmp_path / "example.jsonl")
    done = evaluate("score", example, "--benchmark", "mdar", *version)
    said = "" if "demo" in version else "MDAR 1.0 has no practice split; using version demo.\n"
    assert (done.code, done.err) == (0, said)
    assert "signature mdar:demo|" in done.out
    assert "7 open answers await a judge" in done.out


def test_score_of_only_open_answers_is_a_table_without_scores(evaluate: Run, tmp_path: Path) -> None:
    demo = Mdar("demo")
    key = demo.make_key("practice")
    path = tmp_path / "open.jsonl"
    rows = [row for row in example_predictions(demo.content(key)) if str(row["id"]).startswith("open")]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = evaluate("score", path, "--benchmark", "mdar", "--version", "demo")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1].startswith("7 open answers await a judge")


def test_test_split_without_an_imported_key_prints_what_to_do(evaluate: Run, tmp_path: Path) -> None:
    done = evaluate("pack", "--benchmark", "mdar", "--split", "test", "--out", tmp_path / "pack.zip")
    assert done.code == 1
    assert "The questions of MDAR 1.0 are not installed." in done.err
    assert "python -m evaluation keys import --benchmark mdar FOLDER" in done.err


if RELEASED is not None:  # an empty parameter list would count as a skip

    def test_released_questions_are_imported_unchanged(evaluate: Run, keys_dir: Path) -> None:
        done = evaluate("keys", "import", "--benchmark", "mdar", RELEASED)
        assert (done.code, done.err) == (0, "")
        lines = done.out.splitlines()
        assert not [line for line in lines if line.endswith("differs")]
        assert len([line for line in lines if line.startswith("repaired: ")]) == 1
        assert "clips: 0 of 3,650" in lines
        assert lines[-1] == f"mdar 1.0 test: 2,825 answers, digest {read_key(keys_dir).digest[:8]}"
        verified = evaluate("keys", "verify", "--benchmark", "mdar", "--version", "1.0")
        assert (verified.code, verified.out.startswith("mdar 1.0 test: OK, 2,825 answers")) == (0, True)


def test_import_that_only_adds_needs_no_replace_and_keeps_the_generated_part(
    evaluate: Run, keys_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    star = StarBench("1.0")
    monkeypatch.setattr(evaluation.benchmarks, "_REGISTRY", (star,))
    made = save_key(keys_dir, star.make_key("test"))
    folder = tmp_path / "organiser"
    shutil.copytree(StarBench.demo_dir, folder)
    (folder / "meta_info/foundation_perception.json").unlink()
    done = evaluate("keys", "import", "--benchmark", "star-bench", folder, "--allow-deviations")
    assert (done.code, "Error" in done.err) == (0, False)
    joined = find_key(keys_dir, "star-bench", "1.0", "test")
    assert joined is not None
    assert joined.answers.items() > made.answers.items()
    assert star.content(joined).parts == {"perception", "temporal", "spatial"}
    assert "OK" in evaluate("keys", "verify", "--benchmark", "star-bench").out
    (folder / "meta_info/holistic_reasoning_spatial.json").unlink()
    again = evaluate("keys", "import", "--benchmark", "star-bench", folder, "--allow-deviations")
    assert (again.code, "Pass --replace" in again.err) == (1, True)
