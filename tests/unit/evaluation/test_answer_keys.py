"""Answer keys on disk: complete, private, and never silently replaced."""

import json
import os
import stat
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import answer_keys, get_benchmark
from evaluation.answer_keys import PRACTICE_SEED, AnswerKey, find_key, key_path, new_seed, replace_key, save_key
from evaluation.errors import AnswerKeyError

KEY = AnswerKey("bench", "1.0", "test", "seed", {"a": 0, "b": 3, "c": True, "d": False})


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def write_raw(folder: Path, data: bytes) -> Path:
    path = key_path(folder, KEY.benchmark, KEY.version, KEY.split)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def find(folder: Path) -> AnswerKey | None:
    return find_key(folder, KEY.benchmark, KEY.version, KEY.split)


def test_saved_key_is_found_again(tmp_path: Path) -> None:
    assert save_key(tmp_path, KEY) == KEY
    assert find(tmp_path) == KEY


def test_missing_key_is_none(tmp_path: Path) -> None:
    assert find(tmp_path / "nowhere") is None
    save_key(tmp_path, KEY)
    assert find_key(tmp_path, KEY.benchmark, KEY.version, "practice") is None
    assert find_key(tmp_path, KEY.benchmark, "1.1", "test") is None


def test_saved_key_is_unreadable_for_others(tmp_path: Path) -> None:
    folder = tmp_path / "answer-keys"
    old = os.umask(0)
    try:
        save_key(folder, KEY)
    finally:
        os.umask(old)
    assert mode_of(key_path(folder, "bench", "1.0", "test")) == 0o600
    assert mode_of(folder) == 0o700


def test_replaced_key_is_durably_set_aside_before_the_new_one_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_key(tmp_path, KEY)
    path = key_path(tmp_path, "bench", "1.0", "test")
    aside = path.with_name(f"test.{KEY.digest[:8]}.json")
    synced: list[tuple[bytes, bytes]] = []
    monkeypatch.setattr(answer_keys, "sync_folder", lambda _: synced.append((aside.read_bytes(), path.read_bytes())))
    later = replace(KEY, seed="later")
    assert replace_key(tmp_path, later, KEY) == later
    assert synced == [(KEY.to_json(), KEY.to_json()), (KEY.to_json(), later.to_json())]


def test_key_replaced_by_itself_is_set_aside(tmp_path: Path) -> None:
    save_key(tmp_path, KEY)
    for _ in range(2):
        assert replace_key(tmp_path, KEY, KEY) == KEY
    assert sorted(path.name for path in (tmp_path / "bench/1.0").iterdir()) == [
        f"test.{KEY.digest[:8]}.json",
        "test.json",
    ]


def test_save_leaves_no_temporary_file(tmp_path: Path) -> None:
    save_key(tmp_path, KEY)
    save_key(tmp_path, replace(KEY, seed="other"))
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["test.json"]


def test_save_over_an_existing_key_keeps_the_first(tmp_path: Path) -> None:
    save_key(tmp_path, KEY)
    assert save_key(tmp_path, replace(KEY, seed="late", answers={"a": 1})) == KEY
    assert find(tmp_path) == KEY


def test_two_concurrent_writers_agree_on_one_key(tmp_path: Path) -> None:
    n_writers = 8
    start = threading.Barrier(n_writers)
    saved_keys: list[AnswerKey] = []

    def write(number: int) -> None:
        start.wait()
        saved_keys.append(save_key(tmp_path, replace(KEY, seed=f"writer {number}")))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(n_writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(saved_keys) == n_writers
    assert len({key.seed for key in saved_keys}) == 1


def change(field: str, value: object) -> Callable[[dict[str, object]], None]:
    return lambda fields: fields.update({field: value})


def test_modified_key_is_refused(tmp_path: Path, subtests: pytest.Subtests) -> None:
    rows: list[tuple[Callable[[dict[str, object]], object], str]] = [
        (change("answers", {"a": 1, "b": 3, "c": True, "d": False}), "is damaged"),
        (change("answers", {"a": 0, "b": 3, "c": True}), "is damaged"),
        (change("answers", {"a": 0, "b": 3, "c": 1, "d": False}), "is damaged"),
        (change("answers", {}), "is damaged"),
        (change("digest", "0" * 64), "is damaged"),
        (change("digest", None), "is damaged"),
        (change("benchmark", "other"), "is the key of other 1.0 test"),
        (change("version", "2.0"), "is the key of bench 2.0 test"),
        (change("split", "practice"), "is the key of bench 1.0 practice"),
        (lambda fields: fields.pop("seed"), r"is not an answer key \(KeyError\)"),
        (lambda fields: fields.pop("answers"), r"is not an answer key \(KeyError\)"),
        (lambda fields: fields.pop("digest"), r"is not an answer key \(KeyError\)"),
    ]
    for number, (alter, message) in enumerate(rows):
        with subtests.test(alter=alter, message=message):
            folder = tmp_path / str(number)
            folder.mkdir()
            fields = json.loads(KEY.to_json())
            alter(fields)
            path = write_raw(folder, json.dumps(fields).encode())
            with pytest.raises(AnswerKeyError, match=message) as caught:
                find(folder)
            assert str(path) in str(caught.value)


def test_damaged_key_is_refused(tmp_path: Path, subtests: pytest.Subtests) -> None:
    rows: list[bytes] = [b"", b"{", b"[]", b"null", b"1", b'"text"', b"\xff\xfe", KEY.to_json()[:-1], b"\x00" * 100]
    for number, data in enumerate(rows):
        with subtests.test(data=data):
            folder = tmp_path / str(number)
            folder.mkdir()
            write_raw(folder, data)
            with pytest.raises(AnswerKeyError, match=r"is not an answer key .* Restore it from a backup"):
                find(folder)


def test_refused_key_does_not_reveal_its_content(tmp_path: Path) -> None:
    write_raw(tmp_path, KEY.to_json().replace(b'"a":0', b'"a":2'))
    with pytest.raises(AnswerKeyError) as caught:
        find(tmp_path)
    assert "seed" not in str(caught.value)
    assert KEY.digest not in str(caught.value)


def test_save_over_a_damaged_key_is_refused(tmp_path: Path) -> None:
    path = write_raw(tmp_path, b"damaged")
    with pytest.raises(AnswerKeyError, match="not an answer key"):
        save_key(tmp_path, KEY)
    assert path.read_bytes() == b"damaged"


@given(answers=st.dictionaries(st.text(max_size=8), st.booleans() | st.integers(0, 9), max_size=8))
def test_digest_depends_on_seed_and_answers_but_not_on_their_order(answers: dict[str, bool | int]) -> None:
    key = replace(KEY, answers=answers)
    reordered = dict(reversed(answers.items()))
    assert key.digest == replace(key, answers=reordered).digest
    assert key.digest != replace(key, seed="another").digest
    for item_id in answers:
        other = {name: value for name, value in answers.items() if name != item_id}
        assert replace(key, answers=other).digest != key.digest
        assert replace(key, answers=answers | {item_id: 10}).digest != key.digest


def test_digest_distinguishes_a_truth_value_from_a_position() -> None:
    assert replace(KEY, answers={"a": True}).digest != replace(KEY, answers={"a": 1}).digest


def test_new_seeds_are_256_bits_and_differ() -> None:
    seeds = {new_seed() for _ in range(20)}
    assert len(seeds) == 20
    assert all(len(bytes.fromhex(seed)) == 32 for seed in seeds)


def test_make_key_returns_the_public_key_for_practice_and_a_fresh_one_for_test() -> None:
    benchmark = get_benchmark("audio-motion-bench")
    practice, first, second = (benchmark.make_key(split) for split in ("practice", "test", "test"))
    assert practice.seed == PRACTICE_SEED
    assert PRACTICE_SEED not in (first.seed, second.seed)
    assert first.seed != second.seed
    assert set(first.answers).isdisjoint(second.answers)


def test_check_key_refuses_a_key_of_another_benchmark_version_or_seed(subtests: pytest.Subtests) -> None:
    rows: list[tuple[dict[str, Any], str]] = [
        ({"benchmark": "other"}, "The key belongs to other 1.0"),
        ({"version": "0.9"}, "The key belongs to audio-motion-bench 0.9"),
        ({"seed": "another"}, "4032 ids differ"),
        ({"answers": {}}, "2016 ids differ"),
        ({"split": "test"}, "ids differ"),
    ]
    benchmark = get_benchmark("audio-motion-bench")
    key = benchmark.make_key("practice")
    benchmark.check_key(key)
    for alter, message in rows:
        with subtests.test(message), pytest.raises(AnswerKeyError, match=message):
            benchmark.check_key(replace(key, **alter))
