"""Question packs as the questions of a run."""

import json
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from submissions.endpoints.runner import list_questions
from submissions.model_runs.pack_questions import RunPack, choose_trial
from submissions.model_runs.run_errors import ModelRunError
from tests.support.samples.run_packs import DEMO, write_run_pack


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run_pack(tmp_path_factory.mktemp("packs"))


@pytest.fixture
def pack(path: Path) -> Iterator[RunPack]:
    with RunPack(path) as opened:
        yield opened


def test_questions_are_those_that_the_server_asks_an_endpoint(pack: RunPack) -> None:
    key = DEMO.make_key("practice")
    assert pack.list_questions("default", are_seeds=False) == list_questions(DEMO, key, "default")
    assert pack.info.content_digest == DEMO.content(key).digest
    assert pack.info.name == f"the practice split of {DEMO.title} demo"


def test_clips_are_files_with_their_channels(pack: RunPack) -> None:
    questions = pack.list_questions("default", are_seeds=False)
    assert pack.load_clip(questions[0].clips[0]).startswith(b"RIFF")
    assert pack.count_stereo(questions) == len(questions) == 28


def test_runs_with_seeds_send_them(pack: RunPack) -> None:
    assert {question.seed for question in pack.list_questions("default", are_seeds=True)} == {0}


def test_trial_is_spread_over_the_tasks_and_always_the_same(pack: RunPack) -> None:
    questions = pack.list_questions("default", are_seeds=False)
    chosen = choose_trial(questions, pack.tasks, 6)
    counts = Counter(pack.tasks[question.id] for question in chosen)
    assert (sum(counts.values()), max(counts.values()) - min(counts.values()) <= 1) == (6, True)
    assert chosen == choose_trial(list(reversed(questions))[::-1], pack.tasks, 6)
    assert set(choose_trial(questions, pack.tasks, 999)) == set(questions)


def test_setting_without_prompts_is_refused_with_those_that_have_some(pack: RunPack) -> None:
    with pytest.raises(ModelRunError, match=r"no prompts for the setting `cascaded`.* with one of: default\.$"):
        pack.list_questions("cascaded", are_seeds=False)


QUESTION = json.dumps({"id": "q", "run": 0, "setting": "default", "task": "t", "prompt": []}) + "\n"
ODD_PART = QUESTION.replace("[]", '[{"type": "video", "path": "audio/a.wav"}]')


def write_archive(path: Path, **members: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(f"{name}.json{'l' if name == 'questions' else ''}", text)
    return path


INFO = {"benchmark": "b", "version": "1", "split": "test", "content_digest": "", "title": "B"}


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({}, "it has no pack.json"),
        ({"pack": "{}"}, "missing required field"),
        ({"pack": json.dumps(INFO | {"sounds": True})}, "it has no questions.jsonl"),
        ({"pack": json.dumps(INFO | {"sounds": True}), "questions": "[]\n"}, "Expected `object`"),
        ({"pack": json.dumps(INFO | {"sounds": True}), "questions": ""}, "it has no questions"),
        ({"pack": json.dumps(INFO | {"sounds": True}), "questions": ODD_PART}, "a part of the unknown type 'video'"),
        ({"pack": json.dumps(INFO | {"sounds": False}), "questions": QUESTION}, "contains no audio"),
    ],
)
def test_other_archives_are_refused_in_one_sentence(tmp_path: Path, members: dict[str, str], said: str) -> None:
    with pytest.raises(ModelRunError) as caught:
        RunPack(write_archive(tmp_path / "p.zip", **members))
    assert said in str(caught.value)


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "p.zip").write_text("no zip")
    for name in ("p.zip", "absent.zip"):
        with pytest.raises(ModelRunError, match="cannot be used as a question pack"):
            RunPack(tmp_path / name)


def test_damaged_clip_is_an_error(path: Path, tmp_path: Path) -> None:
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        info = next(info for info in archive.infolist() if info.filename.endswith(".wav"))
    data[info.header_offset + 200] ^= 0xFF
    (tmp_path / "p.zip").write_bytes(data)
    with RunPack(tmp_path / "p.zip") as pack:
        with pytest.raises(ModelRunError, match="Bad CRC-32"):
            pack.load_clip(Path(info.filename).stem)
        with pytest.raises(ModelRunError, match=r"it has no audio/other\.wav"):
            pack.load_clip("other")


@pytest.mark.parametrize(
    ("offset", "value", "said"),
    [(8, 1, "is encrypted"), (10, 97, "compression method is not supported")],
)
def test_members_that_cannot_be_unpacked_are_refused(
    path: Path, tmp_path: Path, offset: int, value: int, said: str
) -> None:
    data = bytearray(path.read_bytes())
    for start, place in ((b"PK\x01\x02", offset), (b"PK\x03\x04", offset - 2)):
        at = data.find(start)
        while at >= 0:
            data[at + place] = value
            at = data.find(start, at + 1)
    (tmp_path / "p.zip").write_bytes(data)
    with pytest.raises(ModelRunError, match=said):
        RunPack(tmp_path / "p.zip")


def test_damaged_questions_are_refused(path: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo("questions.jsonl")
    data = bytearray(path.read_bytes())
    for place in range(info.header_offset + 60, info.header_offset + 100):
        data[place] ^= 0x55
    (tmp_path / "p.zip").write_bytes(data)
    with pytest.raises(ModelRunError, match="cannot be used as a question pack"):
        RunPack(tmp_path / "p.zip")
