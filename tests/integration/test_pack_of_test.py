"""Question pack of the test split, rendered completely by `python -m evaluation pack`: it contains no answers."""

import base64
import hashlib
import io
import json
import os
import subprocess
import sys
import wave
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from evaluation import get_benchmark
from evaluation.answer_keys import AnswerKey, find_key, save_key
from evaluation.benchmarks.audio_motion_bench.design import DesignedItem, design_items
from evaluation.predictions import make_catalogue, validate_predictions

BENCHMARK = get_benchmark("audio-motion-bench")
QUESTION_FIELDS = {"id", "run", "setting", "task", "prompt", "options", "answer_format"}
N_ANSWERS = 8
# Fixed, so that tests against chance are deterministic.
SEED = hashlib.sha256(b"the pack of the test split").hexdigest()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installation")
    save_key(folder / "answer-keys", BENCHMARK.make_key("test", SEED))
    command = [sys.executable, "-m", "evaluation", "pack", "--benchmark", BENCHMARK.id, "--split", "test"]
    environment = os.environ | {"EARSHOT_DATA_DIR": str(folder)}
    subprocess.run([*command, "--out", str(folder / "pack.zip"), "--quiet"], env=environment, check=True, timeout=600)
    return folder


@pytest.fixture(scope="module")
def key(folder: Path) -> AnswerKey:
    key = find_key(folder / "answer-keys", BENCHMARK.id, BENCHMARK.version, "test")
    assert key is not None
    return key


@pytest.fixture(scope="module")
def pack(folder: Path) -> Iterator[zipfile.ZipFile]:
    with zipfile.ZipFile(folder / "pack.zip") as pack:
        yield pack


@pytest.fixture(scope="module")
def questions(pack: zipfile.ZipFile) -> list[dict[str, object]]:
    return [json.loads(line) for line in pack.read("questions.jsonl").splitlines()]


@pytest.fixture(scope="module")
def items(key: AnswerKey) -> dict[str, DesignedItem]:
    return {designed.item.id: designed for designed in design_items("test", key.seed)}


def test_pack_has_exactly_the_required_files(pack: zipfile.ZipFile) -> None:
    names = pack.namelist()
    clips = [name for name in names if name.startswith("audio/")]
    assert sorted(set(names) - set(clips)) == ["README.md", "example.jsonl", "pack.json", "questions.jsonl"]
    assert len(names) == len(set(names))
    assert len(clips) == 672


def test_pack_has_every_run_once_and_no_additional_field(questions: list[dict[str, object]]) -> None:
    assert len(questions) == 2016 * 3
    assert len({(question["id"], question["run"]) for question in questions}) == len(questions)
    assert all(set(question) == QUESTION_FIELDS for question in questions)


def test_pack_has_exactly_the_clips_of_its_questions(pack: zipfile.ZipFile, questions: list[dict[str, object]]) -> None:
    paths = {part["path"] for question in questions for part in question["prompt"] if part["type"] == "audio"}  # type: ignore[attr-defined]
    assert paths == {name for name in pack.namelist() if name.startswith("audio/")}


def test_example_is_accepted_unchanged(pack: zipfile.ZipFile, key: AnswerKey) -> None:
    known = make_catalogue("test", BENCHMARK.content(key).items)
    verdict = validate_predictions(io.BytesIO(pack.read("example.jsonl")), known)
    assert verdict.ok, verdict.problems
    assert (verdict.predictions, verdict.expected, verdict.missing) == (6048, 6048, 0)


def forms(secret: bytes) -> Iterator[bytes]:
    """Yield encodings of a secret: plain, reversed, hexadecimal, base64 (at all three offsets)."""
    yield secret
    yield secret[::-1]
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    for offset in range(3):
        yield base64.b64encode(b"\0" * offset + secret)[4 if offset else 0 : -4]


def secrets_of(key: AnswerKey) -> list[bytes]:
    return [key.seed.encode(), bytes.fromhex(key.seed), key.digest.encode(), bytes.fromhex(key.digest)]


def answer_lines(key: AnswerKey) -> list[bytes]:
    """Return some answers as written in `answers.jsonl` of practice packs and in key files."""
    some = list(key.answers.items())[:N_ANSWERS]
    in_packs = [json.dumps({"id": item_id, "answer": answer})[1:-1].encode() for item_id, answer in some]
    return in_packs + [f'"{item_id}":{json.dumps(answer)}'.encode() for item_id, answer in some]


ANSWER_WORDS = ("answer", "truth", "label", "trajectory", "start", "end", "seed", "correct")


class Search:
    """Multi-pattern search in one pass: by the first four bytes, then in full."""

    def __init__(self, needles: set[bytes]) -> None:
        self.needles = needles
        self.first, self.second = np.zeros(2**16, np.bool_), np.zeros(2**16, np.bool_)
        for needle in needles:
            self.first[int.from_bytes(needle[:2], "little")] = True
            self.second[int.from_bytes(needle[2:4], "little")] = True

    def find(self, haystack: bytes) -> set[bytes]:
        data = np.frombuffer(haystack, np.uint8).astype(np.uint16)
        pairs = data[:-1] | data[1:] << 8
        places = np.flatnonzero(self.first[pairs[:-2]] & self.second[pairs[2:]])
        starts = {haystack[place : place + 4] for place in places.tolist()}
        return {needle for needle in self.needles if needle[:4] in starts and needle in haystack}


def find_leaks(pack: zipfile.ZipFile, needles: set[bytes]) -> set[bytes]:
    """Return the needles found in the name or content of any file of a pack."""
    search = Search(needles)
    return {
        needle for name in pack.namelist() for text in (pack.read(name), name.encode()) for needle in search.find(text)
    }


def find_answer_words(pack: zipfile.ZipFile) -> set[str]:
    """Return the answer-like field names in a pack's texts."""
    texts = [pack.read(name).decode() for name in ("pack.json", "questions.jsonl", "example.jsonl")]
    return {word for word in ANSWER_WORDS if any(f'"{word}":' in text for text in texts)}


def plant(pack: zipfile.ZipFile, name: str, text: bytes) -> zipfile.ZipFile:
    """Return a copy of a pack, with only one sound and a hundred questions, and a text appended to a file."""
    copy = zipfile.ZipFile(io.BytesIO(), "w")
    sounds = [other for other in pack.namelist() if other.startswith("audio/")]
    for other in set(pack.namelist()) - set(sounds[1:]) | {name}:
        data = pack.read(other) if other in pack.namelist() else b""
        if other.endswith(".jsonl"):
            data = b"".join(data.splitlines(keepends=True)[:100])
        copy.writestr(other, data + (text if other == name else b""))
    return copy


def test_no_file_contains_seed_digest_or_answers(pack: zipfile.ZipFile, key: AnswerKey) -> None:
    needles = {form for secret in [*secrets_of(key), *answer_lines(key)] for form in forms(secret)}
    assert find_leaks(pack, needles) == set()


def test_search_finds_each_planted_secret(pack: zipfile.ZipFile, key: AnswerKey) -> None:
    """Each secret in each encoding, surrounded by other data, as in a pack that leaks it."""
    sound = next(name for name in pack.namelist() if name.startswith("audio/"))
    places = ("questions.jsonl", "pack.json", sound, "notes.txt")
    for number, secret in enumerate([*secrets_of(key), *answer_lines(key)[::N_ANSWERS]]):
        disguises = [secret, secret[::-1], secret.hex().encode(), secret.hex().upper().encode()]
        disguises += [base64.b64encode(b"???"[:length] + secret + b"!!!") for length in range(3)]
        needles = set(forms(secret))
        for disguise in disguises:
            with plant(pack, places[number % len(places)], b"; " + disguise + b" ;") as leaking:
                assert find_leaks(leaking, needles), (secret, disguise)


def test_search_finds_the_answers_of_a_practice_pack(pack: zipfile.ZipFile) -> None:
    """The search finds the exact answer lines of a practice pack."""
    key = BENCHMARK.make_key("practice")
    lines = "".join(json.dumps({"id": id_, "answer": key.answers[id_]}) + "\n" for id_ in sorted(key.answers)).encode()
    key_file = key.to_json()
    with plant(pack, "answers.jsonl", lines) as leaking, plant(pack, "key.json", key_file) as whole_key:
        in_packs, in_keys = set(answer_lines(key)[:N_ANSWERS]), set(answer_lines(key)[N_ANSWERS:])
        assert find_leaks(leaking, in_packs | in_keys) == in_packs
        assert find_leaks(whole_key, in_packs | in_keys) == in_keys


def test_search_finds_a_secret_in_a_file_name(pack: zipfile.ZipFile, key: AnswerKey) -> None:
    with plant(pack, f"audio/{key.seed}.wav", b"") as leaking:
        assert find_leaks(leaking, {key.seed.encode()})


def test_no_field_name_looks_like_an_answer_and_no_trajectory_is_named(pack: zipfile.ZipFile) -> None:
    assert find_answer_words(pack) == set()


@pytest.mark.parametrize("word", ANSWER_WORDS)
def test_search_finds_an_answer_like_field_name(pack: zipfile.ZipFile, word: str) -> None:
    line = json.dumps({"id": "amb-x", word: 1}).encode()
    with plant(pack, "questions.jsonl", line) as leaking:
        assert find_answer_words(leaking) == {word}


def test_archive_reveals_nothing_by_dates_order_comments_or_sizes(pack: zipfile.ZipFile) -> None:
    infos = pack.infolist()
    clips = [info for info in infos if info.filename.startswith("audio/")]
    assert {info.date_time for info in infos} == {(1980, 1, 1, 0, 0, 0)}
    assert not pack.comment
    assert all(not info.comment and not info.extra for info in infos)
    assert [info.filename for info in clips] == sorted(info.filename for info in clips)
    # SCT and SDT last 6 s, TAT 3 s: the size reveals the variant, which `task` states anyway.
    assert Counter(info.file_size for info in clips) == {44 + 6 * 16000 * 4: 448, 44 + 3 * 16000 * 4: 224}


def test_wav_files_contain_only_samples(pack: zipfile.ZipFile) -> None:
    for name in pack.namelist():
        if name.startswith("audio/"):
            data = pack.read(name)
            assert (data[:4], data[8:16], data[36:40]) == (b"RIFF", b"WAVEfmt ", b"data"), name
            with wave.open(io.BytesIO(data)) as sound:
                assert (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (2, 2, 16000)
                assert len(data) == 44 + 4 * sound.getnframes(), name


def answer_of(designed: DesignedItem) -> int:
    assert isinstance(designed.answer, int)
    return designed.answer


def test_ids_and_order_of_the_file_predict_no_answer(
    questions: list[dict[str, object]], items: dict[str, DesignedItem]
) -> None:
    """Guess from the parity of all public arbitrary values; each guess must stay within sampling error."""
    first_runs = [question for question in questions if question["run"] == 0]
    assert [question["id"] for question in first_runs] == sorted(items)
    features: dict[str, Callable[[int, DesignedItem], int]] = {
        "position": lambda n, _: n,
        "id": lambda _, designed: zlib.crc32(designed.item.id.encode()),
        "clip": lambda _, designed: zlib.crc32(designed.clip.name.encode()),
        "last letter": lambda _, designed: ord(designed.item.id[-1]),
        "options": lambda _, designed: zlib.crc32(repr(designed.item.options).encode()),
    }
    for name, feature in features.items():
        right = Counter[str]()
        for n, question in enumerate(first_runs):
            designed = items[str(question["id"])]
            right[designed.form] += feature(n, designed) % (4 if designed.form == "mcq" else 2) == answer_of(designed)
        # Five standard errors: sqrt(672 · 3/16) = 11.2 and sqrt(1344 / 4) = 18.3.
        assert abs(right["mcq"] - 168) < 56, name
        assert abs(right["tf"] - 672) < 92, name


def test_text_of_a_single_item_reveals_nothing(items: dict[str, DesignedItem]) -> None:
    """Even a reader of single texts who knows every key scores exactly chance.

    Linking the items of a clip reveals more: tests/unit/evaluation/test_text_baselines.py measures how much.
    """
    by_options: dict[object, Counter[int]] = defaultdict(Counter)
    by_statement: dict[object, Counter[bool]] = defaultdict(Counter)
    for designed in items.values():
        place = (designed.clip.variant, designed.clip.condition)
        if designed.form == "mcq":
            by_options[place, designed.item.options][answer_of(designed)] += 1
        else:
            by_statement[place, designed.item.question][bool(designed.answer)] += 1
    assert all(counts == {0: 1, 1: 1, 2: 1, 3: 1} for counts in by_options.values())
    assert all(counts == {True: 1, False: 1} for counts in by_statement.values())


def test_no_practice_clip_is_a_test_clip(key: AnswerKey, soak: bool) -> None:
    """A clean clip with a public answer would otherwise reveal that of its twin."""
    practice = BENCHMARK.make_key("practice")
    n_clips = 60 if soak else 20
    sounds = {BENCHMARK.render_clip(practice, clip) for clip in _clean(practice)[:n_clips]}
    assert not any(BENCHMARK.render_clip(key, clip) in sounds for clip in _clean(key)[:n_clips])


def _clean(key: AnswerKey) -> list[str]:
    designed = design_items(key.split, key.seed)
    clean = {item.clip for item in designed if item.clip.condition == "clean" and item.clip.variant == "sct"}
    return [clip.name for clip in sorted(clean, key=lambda clip: str(clip.trajectory))]
