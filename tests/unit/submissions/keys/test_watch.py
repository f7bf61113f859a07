"""Key watch: a created, corrected or removed key is noticed once, without opening it."""

from dataclasses import replace
from pathlib import Path

from evaluation import get_benchmark
from evaluation.answer_keys import key_path, replace_key, save_key
from submissions.keys.watch import KeyWatch

BENCHMARK = get_benchmark("audio-motion-bench")


def test_every_change_of_a_key_is_noticed_once(tmp_path: Path) -> None:
    watch = KeyWatch(tmp_path)
    assert watch.has_changed(), "the first check"
    assert not watch.has_changed()
    key = save_key(tmp_path, BENCHMARK.make_key("test"))
    assert watch.has_changed()
    assert not watch.has_changed()
    item = next(item_id for item_id, answer in key.answers.items() if answer is True)
    replace_key(tmp_path, replace(key, answers={**key.answers, item: False}), key)
    assert watch.has_changed()
    assert not watch.has_changed()
    path = key_path(tmp_path, BENCHMARK.id, BENCHMARK.version, "test")
    path.chmod(0o000)
    assert not watch.has_changed()
    path.unlink()
    assert watch.has_changed()
    assert not watch.has_changed()
    watch.forget()
    assert watch.has_changed()
