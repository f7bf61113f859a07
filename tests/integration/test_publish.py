"""`publish`: question packs become a dataset on a double of the Hub or in a folder, without test answers."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import huggingface_hub.constants
import pyarrow.parquet as pq
import pytest

from evaluation import get_benchmark
from evaluation.packs import pack_name, write_pack
from evaluation.publishing.__main__ import main
from evaluation.publishing.card import MANIFEST_FILE, README_FILE
from evaluation.publishing.selection import SPLITS, select_versions
from tests.support.hub.double import READER, WRITER, HubDouble, Reply
from tests.support.replicas.object_gateway import run_gateway
from tests.support.samples.releases import SEED, install_keys
from tests.support.servers.server import ROOT

# The Hub client uses a deprecated argument of its HTTP library for large files.
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")
REPO = "lab/questions"
TO_HUB = ("--to", f"hf://datasets/{REPO}")
MDAR = get_benchmark("mdar", "demo")
ONE = ("--benchmark", "mdar", "--version", "demo")
TEST_FILE = "data/mdar-demo/test-00000.parquet"
PRACTICE_FILE = "data/mdar-demo/practice-00000.parquet"
ALL_FILES = {MANIFEST_FILE, README_FILE, TEST_FILE, PRACTICE_FILE}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Installation with a key, and with the packs that its site serves."""
    folder = tmp_path_factory.mktemp("prepared")
    install_keys(folder / "answer-keys", select_versions(MDAR.id, MDAR.version, SPLITS))
    (folder / "packs").mkdir()
    for key in (MDAR.make_key("practice"), MDAR.make_key("test", SEED)):
        write_pack(MDAR, key, folder / "packs" / pack_name(MDAR.content(key)))
    return folder


@pytest.fixture(autouse=True)
def _uses_the_double(prepared: Path, hub: HubDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EARSHOT_DATA_DIR", str(prepared))
    monkeypatch.setenv("EARSHOT_KEYS_TOKEN", WRITER)
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    # Xet runs threads until the process ends; a separate test covers it in another process.
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_DISABLE_XET", True)


@pytest.fixture
def _repeats_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the Hub client retry without a pause."""
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda _: None)


def read_dataset(hub: HubDouble, path: str) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = pq.read_table(io.BytesIO(hub.datasets.read(REPO, path))).to_pylist()
    return rows


def list_paths(hub: HubDouble) -> set[str]:
    repository = hub.datasets.repositories[REPO]
    return {*repository.files, *repository.large}


def test_first_publication_makes_a_private_repository_with_one_commit(
    hub: HubDouble, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*TO_HUB, *ONE, "--site", "https://earshot.example"]) == 0
    captured = capsys.readouterr()
    repository = hub.datasets.repositories[REPO]
    assert repository.is_private
    assert len(repository.commits) == 1
    assert list_paths(hub) == {".gitattributes", *ALL_FILES}
    assert set(repository.large) == {TEST_FILE, PRACTICE_FILE}
    assert f"Published as {hub.url}/datasets/{REPO}/commit/" in captured.out
    assert "MDAR demo test: writing rows" in captured.err
    assert WRITER not in captured.out + captured.err
    tests, practice = read_dataset(hub, TEST_FILE), read_dataset(hub, PRACTICE_FILE)
    assert {str(row["id"]) for row in tests} == MDAR.make_key("test", SEED).answers.keys()
    assert "answer" not in tests[0]
    assert all(row["answer"] for row in practice)
    card = hub.datasets.read(REPO, README_FILE).decode()
    assert f'load_dataset("{REPO}", "mdar-demo", split="test")' in card
    assert "--url https://earshot.example" in card


def test_second_publication_uploads_nothing(hub: HubDouble, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TO_HUB, *ONE, "--quiet"]) == 0
    hub.received.clear()
    assert main([*TO_HUB, *ONE, "--quiet"]) == 0
    captured = capsys.readouterr()
    assert "The target is up to date." in captured.out
    assert captured.err == ""
    assert {request.method for request in hub.received} == {"GET"}


def test_later_publication_uploads_and_removes_only_changes(hub: HubDouble) -> None:
    assert main([*TO_HUB, *ONE, "--public", "--quiet"]) == 0
    repository = hub.datasets.repositories[REPO]
    assert not repository.is_private
    repository.files["NOTES.md"] = b"of somebody"
    repository.files["data/mdar-demo/test-00001.parquet"] = b"of an earlier, larger release"
    hub.received.clear()
    assert main([*TO_HUB, *ONE, "--quiet", "--site", "https://earshot.example"]) == 0
    assert sorted(repository.commits[-1]) == ["deletedFile data/mdar-demo/test-00001.parquet", f"file {README_FILE}"]
    assert repository.files["NOTES.md"] == b"of somebody"
    assert not [request.path for request in hub.received if request.method == "PUT"]


def test_large_files_are_uploaded_in_parts_on_request_of_the_hub(hub: HubDouble) -> None:
    hub.datasets.part_bytes = 4_000_000
    assert main([*TO_HUB, *ONE, "--split", "test", "--quiet"]) == 0
    assert len(read_dataset(hub, TEST_FILE)) == 28
    assert len([request for request in hub.received if request.method == "PUT"]) == 3


def test_dry_run_lists_files_with_sizes_and_writes_nothing(
    hub: HubDouble, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("EARSHOT_KEYS_TOKEN")
    for target in (TO_HUB, ("--to", str(tmp_path / "folder"))):
        assert main([*target, *ONE, "--dry-run", "--quiet"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert {line.split()[-1] for line in lines[:-1]} == ALL_FILES
        assert all(line.startswith("add ") and " MB " in line for line in lines[:-1])
        assert lines[-1] == "Nothing was written."
    assert hub.datasets.repositories == {}
    assert not (tmp_path / "folder").exists()
    assert {request.method for request in hub.received} == {"GET"}


def test_repeated_publication_to_a_folder_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "folder"
    for expected in (f"Published to {folder}.", "The target is up to date."):
        assert main(["--to", str(folder), *ONE, "--quiet"]) == 0
        assert expected in capsys.readouterr().out
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} == ALL_FILES


@pytest.mark.usefixtures("_repeats_at_once")
def test_refusals_are_one_message_without_the_token(
    hub: HubDouble,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    subtests: pytest.Subtests,
) -> None:
    gone = Reply(404, {"error": "no"}, (("X-Error-Code", "RepoNotFound"),))
    gated = Reply(403, {"error": "no"}, (("X-Error-Code", "GatedRepo"),))
    for title, token, replies, words in (
        ("an unknown token", "hf_wrong", {}, "rejected the token"),
        ("a token that may only read", READER, {}, "cannot write to the dataset lab/questions"),
        ("an unknown owner", WRITER, {"create": Reply(403, {"error": "no"})}, "cannot write"),
        ("a repository that is gone", WRITER, {"preupload": gone}, "cannot write"),
        ("a gated repository", WRITER, {"info": gated}, "is gated"),
        ("a limit of requests", WRITER, {"commit": Reply(429, {})}, "rate limit"),
        ("a broken Hub", WRITER, {"commit": Reply(500, {})}, "failed (HTTP 500)"),
        ("a tree that fails", WRITER, {"info": Reply(503, {})}, "failed (HTTP 503)"),
        ("an upload that fails", WRITER, {"upload": Reply(500, {})}, "upload to the Hub failed"),
        ("an upload that is refused", WRITER, {"upload": Reply(403, {})}, "upload to the Hub failed"),
        ("a batch that is no JSON", WRITER, {"batch": Reply(200, b"<html>")}, "invalid response"),
        ("a commit that is no JSON", WRITER, {"commit": Reply(200, b"<html>")}, "invalid response"),
        ("a listing that is no JSON", WRITER, {"info": Reply(200, b"<html>")}, "invalid response"),
    ):
        with subtests.test(title=title):
            hub.reset()
            hub.datasets.replies = dict(replies)
            monkeypatch.setenv("EARSHOT_KEYS_TOKEN", token)
            assert main([*TO_HUB, *ONE, "--split", "test", "--quiet"]) == 1
            captured = capsys.readouterr()
            assert words in captured.err
            assert len(captured.err.splitlines()) == 1
            assert token not in captured.out + captured.err
            assert all(not one.commits for one in hub.datasets.repositories.values())


def test_unreachable_hub_is_reported_before_anything_is_rendered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert main([*TO_HUB, *ONE]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "Error: The Hub is unreachable, so nothing was published. Try again later."
    ]


def test_concurrent_change_is_not_overwritten(hub: HubDouble, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TO_HUB, *ONE, "--split", "practice", "--quiet"]) == 0
    repository = hub.datasets.repositories[REPO]
    hub.datasets.before_commit = lambda: repository.commits.append(["of somebody"])
    assert main([*TO_HUB, *ONE, "--quiet"]) == 1
    assert "changed during publishing" in capsys.readouterr().err
    assert TEST_FILE not in list_paths(hub)


def test_repository_with_other_files_is_not_changed(hub: HubDouble, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TO_HUB, *ONE, "--split", "practice", "--quiet"]) == 0
    repository = hub.datasets.repositories[REPO]
    del repository.files[MANIFEST_FILE]
    assert main([*TO_HUB, *ONE, "--quiet"]) == 1
    assert "nothing was changed" in capsys.readouterr().err
    assert len(repository.commits) == 1


def test_wrong_usage_ends_with_2_and_names_the_missing_argument(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests
) -> None:
    monkeypatch.delenv("EARSHOT_KEYS_TOKEN")
    folder = ("--to", str(tmp_path / "folder"))
    for arguments, code, words in (
        (TO_HUB, 2, "EARSHOT_KEYS_TOKEN"),
        (("--to", "hf://datasets/lab"), 2, "hf://datasets/OWNER/NAME"),
        (("--to", "hf://models/lab/x"), 2, "hf://datasets/OWNER/NAME"),
        (("--to", "s3://bucket"), 2, "hf://datasets/OWNER/NAME"),
        ((*folder, "--version", "demo"), 2, "--benchmark"),
        ((*folder, "--public"), 2, "--public"),
        ((*folder, "--site", "javascript:alert(1)"), 2, "--site"),
        ((*folder, "--benchmark", "nothing"), 1, "Unknown benchmark"),
        ((*folder, "--benchmark", "mdar", "--version", "1.0"), 1, "grants no licence"),
        ((*folder, "--benchmark", "audio-motion-bench"), 1, "no answer key of AudioMotionBench"),
    ):
        with subtests.test(arguments=arguments):
            assert main(arguments) == code
            assert words in capsys.readouterr().err
    assert not (tmp_path / "folder").exists()


def test_missing_pack_is_rendered_with_the_same_content(
    hub: HubDouble,
    prepared: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*TO_HUB, *ONE, "--split", "test"]) == 0
    assert "rendering clips" not in capsys.readouterr().err
    monkeypatch.setenv("EARSHOT_ANSWER_KEYS", str(prepared / "answer-keys"))
    monkeypatch.setenv("EARSHOT_DATA_DIR", str(tmp_path / "empty"))
    assert main([*TO_HUB, *ONE, "--split", "test"]) == 0
    captured = capsys.readouterr()
    assert "rendering clips" in captured.err
    assert "The target is up to date." in captured.out


def test_keys_of_remote_storage_are_fetched_for_the_command_and_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with run_gateway() as gateway:
        for name, value in gateway.environment().items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("EARSHOT_ANSWER_KEYS", "s3://earshot/keys")
        monkeypatch.setenv("EARSHOT_DATA_DIR", str(tmp_path / "empty"))
        arguments = ["--to", str(tmp_path / "folder"), *ONE, "--split", "test", "--quiet"]
        assert main(arguments) == 1
        assert "no answer key of MDAR demo" in capsys.readouterr().err
        gateway.put("keys/mdar/demo/test.json", MDAR.make_key("test", SEED).to_json())
        assert main(arguments) == 0
    rows = pq.read_table(tmp_path / "folder" / TEST_FILE).to_pylist()
    assert {row["id"] for row in rows} == MDAR.make_key("test", SEED).answers.keys()
    assert not (tmp_path / "empty").exists()


def test_command_uploads_by_xet_and_reports_the_result(hub: HubDouble, prepared: Path, tmp_path: Path) -> None:
    hub.datasets.xet_folder = tmp_path / "xet"
    hub.datasets.xet_folder.mkdir()
    variables = {"EARSHOT_DATA_DIR": str(prepared), "HF_ENDPOINT": hub.url, "EARSHOT_KEYS_TOKEN": WRITER}
    environment = os.environ | variables | {"HF_HOME": str(tmp_path / "home"), "HF_HUB_DISABLE_XET": "0"}
    command = [sys.executable, "-m", "evaluation", "publish", *TO_HUB, *ONE, "--split", "test"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert f"/datasets/{REPO}/commit/" in done.stdout
    oid, n_bytes = hub.datasets.repositories[REPO].large[TEST_FILE]
    assert f"{n_bytes / 1e6:,.2f} MB  {TEST_FILE}" in done.stdout
    assert hub.datasets.blobs == {}, "nothing went by LFS"
    stored = sum(path.stat().st_size for path in hub.datasets.xet_folder.rglob("*") if path.is_file())
    assert stored > n_bytes / 2
    manifest = json.loads(hub.datasets.read(REPO, MANIFEST_FILE))
    assert manifest["configs"]["mdar-demo"]["splits"]["test"]["rows"] == 28
    assert len(oid) == 64
    assert WRITER not in done.stdout + done.stderr
