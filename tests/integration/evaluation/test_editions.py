"""Editions: their seeds, the names in them, their signatures and packs."""

import json
import zipfile
from pathlib import Path

import pytest

from evaluation import streams
from evaluation.__main__ import main
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, all_benchmarks, get_benchmark, official
from evaluation.signature import list_signature_changes, parse_signature
from evaluation.streams import (
    derive_edition_seed,
    draw_edition_id,
    find_edition,
    find_edition_of_name,
    is_edition_id,
    opaque_id,
)
from evaluation.types import Item

ONE, OTHER = "e-7f3kq9x2", "e-0v8h3m5c"
MOTION = get_benchmark("audio-motion-bench")
SYNTHETIC = get_benchmark("audio-process-bench", "synthetic-3")
RENDERED = [benchmark for benchmark in all_benchmarks() if benchmark.has_editions]


@pytest.fixture(params=RENDERED, ids=lambda benchmark: f"{benchmark.id}-{benchmark.version}")
def benchmark(request: pytest.FixtureRequest) -> Benchmark:
    benchmark: Benchmark = request.param
    return benchmark


@pytest.fixture
def key(benchmark: Benchmark) -> AnswerKey:
    return benchmark.make_key("test", "5" * 64)


def test_rendered_benchmarks_with_secret_answers_have_editions() -> None:
    versions = [f"{benchmark.id} {benchmark.version}" for benchmark in RENDERED]
    assert versions == ["audio-motion-bench 1.0", "star-bench 1.0", "audio-process-bench synthetic-3"]


def test_drawn_ids_are_ids_of_editions() -> None:
    drawn = {draw_edition_id() for _ in range(200)}
    assert len(drawn) == 200
    assert all(is_edition_id(edition) for edition in drawn)


def test_no_id_occurs_twice_in_an_edition(benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    seed = derive_edition_seed("an edition with equal IDs", ONE)
    usual = benchmark.content(benchmark.make_key("test", derive_edition_seed("any other edition", ONE)))
    # 40 bits collide once in half a million editions, 15 bits in every one.
    for module in (streams, official):
        monkeypatch.setattr(module, "opaque_id", lambda seed, purpose, prefix: opaque_id(seed, purpose, prefix, 3))
    key = benchmark.make_key("test", seed)
    items = benchmark.content(key).items
    assert {len(item.id.rpartition("-")[2]) for item in items} == {3}
    assert len({item.id for item in items}) == len(usual.items)
    assert count_clips(items) == count_clips(usual.items)
    assert len(benchmark.true_answers(key.split, key.seed)) == len(items)


def count_clips(items: tuple[Item, ...]) -> int:
    return len({clip for item in items for clip in item.clips})


@pytest.mark.parametrize(
    "text", ["", "e-", "7f3kq9x2", "e-7f3kq9x", "e-7f3kq9x20", "E-7f3kq9x2", "e-7f3kq9xl", "e-7f3kq9x2\n"]
)
def test_other_texts_are_no_ids_of_editions(text: str) -> None:
    assert not is_edition_id(text)
    with pytest.raises(ValueError, match="not the ID of an edition"):
        derive_edition_seed("secret", text)


def test_seed_of_an_edition_depends_on_the_secret_seed_and_the_id() -> None:
    seeds = {derive_edition_seed(secret, edition) for secret in ("one", "two") for edition in (ONE, OTHER)}
    assert len(seeds) == 4
    assert derive_edition_seed("one", ONE) in seeds
    assert {find_edition(seed) for seed in seeds} == {ONE, OTHER}


@pytest.mark.parametrize("seed", ["", "earshot-practice-1", "5" * 64, f"{ONE}.{'5' * 63}", f"{ONE}.{'5' * 64}\n"])
def test_other_seeds_belong_to_no_edition(seed: str) -> None:
    assert find_edition(seed) == ""


def test_names_state_their_edition() -> None:
    name = opaque_id(derive_edition_seed("secret", ONE), "purpose", "amb-")
    assert name.startswith("amb-7f3kq9x2-")
    assert find_edition_of_name(name) == ONE


@pytest.mark.parametrize(
    "name", ["amb-7f3kq9x2", "amb-7f3kq9x2-", "amb-7f3kq9xl-0v8h3m5c", "a b-7f3kq9x2-0v8h3m5c", ""]
)
def test_other_names_state_no_edition(name: str) -> None:
    assert find_edition_of_name(name) == ""


def test_every_item_and_clip_of_an_edition_states_it(benchmark: Benchmark, key: AnswerKey) -> None:
    content = benchmark.content(benchmark.make_edition_key(key, ONE))
    names = {item.id for item in content.items} | {clip.partition("@")[0] for clip in content.clips}
    assert {find_edition_of_name(name) for name in names} == {ONE}


def test_editions_have_the_same_items_but_for_names_letters_and_order(benchmark: Benchmark, key: AnswerKey) -> None:
    def count(edition: str) -> list[tuple[str, str, int]]:
        items = benchmark.content(benchmark.make_edition_key(key, edition)).items
        return sorted((item.task, item.answer_format, len(item.options)) for item in items)

    assert count(ONE) == count(OTHER)


def test_edition_is_restored_exactly(benchmark: Benchmark, key: AnswerKey) -> None:
    edition = benchmark.make_edition_key(key, ONE)
    again = benchmark.make_edition_key(benchmark.make_key("test", key.seed), ONE)
    assert again == edition
    assert again.digest == edition.digest
    benchmark.check_key(again)


def test_editions_share_no_clip_and_no_item(benchmark: Benchmark, key: AnswerKey) -> None:
    editions = [benchmark.make_edition_key(key, edition) for edition in (ONE, OTHER)]
    contents = [benchmark.content(one) for one in (key, *editions)]
    names = [{*content.clips, *(item.id for item in content.items)} for content in contents]
    assert not names[0] & names[1]
    assert not names[1] & names[2]
    assert len({content.digest for content in contents}) == 3
    sounds = {benchmark.render_clip(one, clip) for one in editions for clip in benchmark.content(one).clips[:5]}
    assert len(sounds) == 10


def test_editions_are_ranked_together_and_apart_from_the_shared_split(benchmark: Benchmark, key: AnswerKey) -> None:
    setting = benchmark.settings[0]
    shared = benchmark.sign(key, setting=setting, runs=1)
    one, other = (
        benchmark.sign(benchmark.make_edition_key(key, edition), setting=setting, runs=1) for edition in (ONE, OTHER)
    )
    assert one.ranking == other.ranking
    assert one.ranking != shared.ranking
    assert one.edition == ONE
    assert one.design_digest == benchmark.design_digest[:8]
    assert parse_signature(str(one)) == one
    assert list_signature_changes(str(one), str(other)).keys() == {"content", "key", "edition"}
    assert "edition" not in str(shared)


def test_design_does_not_depend_on_the_secret_seed(benchmark: Benchmark) -> None:
    digests = {benchmark.make_key("test", seed).digest for seed in ("1" * 64, "2" * 64)}
    assert len(digests) == 2
    assert benchmark.design_digest == benchmark.design_digest


def test_answers_to_one_edition_fit_no_other(key: AnswerKey, benchmark: Benchmark) -> None:
    one, other = (benchmark.make_edition_key(key, edition) for edition in (ONE, OTHER))
    assert not one.answers.keys() & other.answers.keys()


def test_pack_of_an_edition_is_the_same_bytes_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EARSHOT_ANSWER_KEYS", str(tmp_path / "answer-keys"))
    command = ["pack", "--benchmark", SYNTHETIC.id, "--version", SYNTHETIC.version, "--split", "test", "--quiet"]
    packs = [tmp_path / "one.zip", tmp_path / "again.zip"]
    for pack in packs:
        assert main([*command, "--edition", ONE, "--out", str(pack)]) == 0
    assert packs[0].read_bytes() == packs[1].read_bytes()
    with zipfile.ZipFile(packs[0]) as archive:
        assert json.loads(archive.read("pack.json"))["edition"] == ONE
        assert ONE in archive.read("README.md").decode()
        assert "answers.jsonl" not in archive.namelist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--benchmark", MOTION.id, "--split", "test", "--edition", "seven"], "--edition must be the ID"),
        (["--benchmark", MOTION.id, "--split", "practice", "--edition", ONE], "--edition requires"),
        (["--benchmark", "mdar", "--version", "demo", "--split", "test", "--edition", ONE], "--edition requires"),
    ],
)
def test_pack_refuses_what_has_no_edition(
    options: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("EARSHOT_ANSWER_KEYS", str(tmp_path / "answer-keys"))
    assert main(["pack", *options, "--out", str(tmp_path / "pack.zip")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "pack.zip").exists()
