"""Folder of a model run: durable responses, resumption, and refusals of what does not belong together."""

import json
from pathlib import Path

import msgspec
import pytest

from submissions.endpoints.querying.query_records import EndpointReply, ItemResponse
from submissions.model_runs.run_errors import ModelRunError
from submissions.model_runs.run_folder import RunManifest, open_folder

MANIFEST = RunManifest("mdar", "demo", "default", "practice", "", "ab" * 32, "m", "", "1.temperature-0.input_audio")
KNOWN = {(f"q{number}", 0) for number in range(5)}


def respond(*names: str, text: str = "B") -> list[ItemResponse]:
    return [ItemResponse(name, 0, EndpointReply(text, "stop"), "", 1, 0.1) for name in names]


def write(folder: Path, *names: str) -> Path:
    with open_folder(folder) as opened:
        opened.begin(MANIFEST)
        opened.append_responses(respond(*names))
        return opened.predictions


def read(folder: Path) -> set[tuple[str, int]]:
    with open_folder(folder) as opened:
        opened.begin(MANIFEST)
        return opened.read_answered(KNOWN)


def test_responses_are_lines_of_a_prediction_file_and_are_found_again(tmp_path: Path) -> None:
    path = write(tmp_path, "q1", "q2")
    assert [json.loads(line) for line in path.read_text().splitlines()] == [
        {"id": name, "run": 0, "response": "B"} for name in ("q1", "q2")
    ]
    assert read(tmp_path) == {("q1", 0), ("q2", 0)}
    write(tmp_path, "q3")
    assert len(read(tmp_path)) == 3


@pytest.mark.parametrize("torn", [b'{"id": "q2", "run": 0, "resp', b"\0" * 50, b'{"id": "q2"}\n', b"\xff\n"])
def test_last_line_that_a_kill_left_half_written_is_removed(tmp_path: Path, torn: bytes) -> None:
    path = write(tmp_path, "q1")
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    assert read(tmp_path) == {("q1", 0)}
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ('{"id": "q2", "ru\n{"id": "q3", "run": 0, "response": "B"}\n', 2),
        ('{"id": "other", "run": 0, "response": "B"}\n', 2),
        ('{"id": "q1", "run": 0, "response": "C"}\n', 2),
        ('{"id": "q2", "run": 0, "response": "B"}\n{"id": "q2", "run": 1, "response": "B"}\n', 3),
    ],
)
def test_line_that_is_not_of_this_run_is_named_and_nothing_is_removed(tmp_path: Path, line: str, number: int) -> None:
    path = write(tmp_path, "q1")
    path.write_text(path.read_text() + line)
    before = path.read_bytes()
    with pytest.raises(
        ModelRunError, match=rf"^Line {number} of .*predictions\.jsonl is damaged, or .* Delete the line"
    ):
        read(tmp_path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("model", "other", "holds responses for model `m`, not `other`"),
        ("benchmark", "star-bench", "benchmark `mdar`, not `star-bench`"),
        ("setting", "noise", "setting `default`, not `noise`"),
        ("edition", "e-7f3kq9x2", "edition `none`, not `e-7f3kq9x2`"),
        ("content_digest", "cd" * 32, "questions with the digest `abab"),
        ("adapter", "a:b", "adapter `none`, not `a:b`"),
        ("form", "1.temperature-0.data-url", "requests of the form `1.temperature-0.input_audio`, not"),
    ],
)
def test_responses_of_another_run_are_never_mixed_in(tmp_path: Path, field: str, value: str, said: str) -> None:
    write(tmp_path, "q1")
    with open_folder(tmp_path) as opened, pytest.raises(ModelRunError) as caught:
        opened.begin(msgspec.structs.replace(MANIFEST, **{field: value}))
    assert said in str(caught.value)
    assert str(caught.value).endswith("Choose another --out, or delete the folder.")


def test_result_of_the_check_is_kept_and_does_not_count_as_a_difference(tmp_path: Path) -> None:
    with open_folder(tmp_path) as opened:
        opened.replace_manifest(msgspec.structs.replace(opened.begin(MANIFEST), clips="joined-2s"))
    with open_folder(tmp_path) as opened:
        assert opened.begin(MANIFEST).clips == "joined-2s"


def test_folder_is_used_by_one_command_at_a_time(tmp_path: Path) -> None:
    refused = pytest.raises(ModelRunError, match="Another command is writing to")
    with open_folder(tmp_path), refused, open_folder(tmp_path):
        raise AssertionError
    with open_folder(tmp_path):
        pass


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "predictions.jsonl").write_text("{}\n")
    with open_folder(tmp_path) as opened, pytest.raises(ModelRunError, match="is not from this command"):
        opened.begin(MANIFEST)
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(ModelRunError, match=r"manifest\.json is damaged"), open_folder(tmp_path):
        raise AssertionError
    with pytest.raises(ModelRunError, match="cannot be used"), open_folder(tmp_path / "manifest.json"):
        raise AssertionError


def test_odd_responses_stay_readable(tmp_path: Path) -> None:
    with open_folder(tmp_path) as opened:
        opened.begin(MANIFEST)
        opened.append_responses(respond("q1", text='a\u2028b\n"c" \ud800'))
        opened.append_responses(respond("q2", text="x" * 300_000 + "B"))
        lines = opened.predictions.read_bytes().split(b"\n")
    assert json.loads(lines[0])["response"] == 'a\u2028b\n"c" ?'
    assert (len(json.loads(lines[1])["response"]), json.loads(lines[1])["response"][-1]) == (200_000, "B")
    assert len(read(tmp_path)) == 2


def test_full_disk_is_named_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "predictions.jsonl").symlink_to("/dev/full")
    with (
        pytest.raises(ModelRunError, match=r"predictions\.jsonl cannot be written \(No space left on device\)\. Free"),
        open_folder(tmp_path) as folder,
    ):
        folder.append_responses(respond("q1"))
    (tmp_path / "manifest.json.new").symlink_to("/dev/full")
    with (
        pytest.raises(ModelRunError, match=r"manifest\.json cannot be written \(No space left on device\)\. Free"),
        open_folder(tmp_path) as folder,
    ):
        folder.replace_manifest(MANIFEST)


def test_empty_responses_are_counted_now_and_later(tmp_path: Path) -> None:
    write(tmp_path, "q1")
    with open_folder(tmp_path) as folder:
        folder.begin(MANIFEST)
        folder.append_responses(respond("q2", text=" \n"))
        assert folder.n_empty == 1
    with open_folder(tmp_path) as folder:
        folder.read_answered(KNOWN)
        assert (folder.n_empty, folder.n_answered) == (1, 2)
