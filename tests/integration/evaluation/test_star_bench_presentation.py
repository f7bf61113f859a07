"""Presentation of STAR-Bench runs: rotations, clip orders, prompts of every setting, the demonstration."""

import io
import json
import tempfile
import wave
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evaluation.answer_keys import AnswerKey
from evaluation.audio import AudioError, decode_wav, encode_wav, extract_channel
from evaluation.benchmarks.official import clip_name
from evaluation.benchmarks.star_bench import StarBench
from evaluation.benchmarks.star_bench.design import (
    CLIP_ORDERS,
    SUB_TASKS,
    clip_order,
    heard_in_run,
    parse_order,
    parse_temporal_id,
    right_order,
    rotate,
)
from evaluation.benchmarks.star_bench.importer import FILES
from evaluation.errors import DataNotHeldError, PackError, SettingError
from evaluation.imports import keep_import
from evaluation.packs import all_runs, describe_pack, example_predictions, pack_name, write_pack
from evaluation.types import AudioPart, Item, Prediction, TextPart
from tests.support.samples.star_bench_files import make_entry, make_files, official_sizes, only_brought, write_files

pytestmark = pytest.mark.usefixtures("demo_sounds_once")

BENCHMARK, DEMO = StarBench("1.0"), StarBench("demo")
DEMO_KEY = DEMO.make_key("practice")
DEMO_ITEMS = DEMO.content(DEMO_KEY).items


def list_prompt(item: Item, run: int, setting: str, benchmark: StarBench = DEMO) -> list[str]:
    """Return a prompt as texts, a sound as `♪clip`."""
    parts = benchmark.run(item, run, setting).prompt
    return [part.text if isinstance(part, TextPart) else f"♪{part.clip}" for part in parts]


def demo_item(item_id: str) -> Item:
    (item,) = (item for item in DEMO_ITEMS if item.id == item_id)
    return item


def demo_clip(path: str) -> str:
    return f"♪{clip_name(DEMO_KEY.seed, f'starbench_audios/demo/{path}.wav')}"


def test_rotation_shifts_options_right_by_the_run() -> None:
    assert [rotate(["a", "b", "c"], run) for run in range(3)] == [("a", "b", "c"), ("c", "a", "b"), ("b", "c", "a")]


def test_every_option_is_once_at_every_position() -> None:
    for item in DEMO_ITEMS:
        if item.part != "temporal":
            runs = [DEMO.run(item, run, "default").options for run in item.runs]
            assert len(runs) == len(item.options)
            assert all(sorted(column) == sorted(item.options) for column in zip(*runs, strict=True))


# Number, sub-task, run → order: (k + (r mod 6 + s) mod 6) mod 6 among 123 132 213 231 312 321, computed by hand.
def test_clip_order_of_a_run_equals_the_hand_computed_one(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, int, str]] = [
        ("x_OSM_0", 0, "123"),
        ("x_OSM_1", 0, "132"),
        ("x_OSM_1", 2, "231"),
        ("x_OSM_5", 1, "123"),
        ("x_ISSE_3", 0, "312"),
        ("x_TAO_0", 1, "231"),
        ("x_DSS_10", 2, "231"),
        ("x_ETC_31", 0, "321"),
        ("x_ETC_31", 1, "123"),
        ("a_b_OSM_007", 0, "132"),
    ]
    for item_id, run, order in rows:
        with subtests.test(item_id=item_id, run=run, order=order):
            assert "".join(map(str, clip_order(item_id, run))) == order


def test_three_runs_of_a_temporal_item_have_three_orders() -> None:
    for code in ("OSM", "ISSE", "TAO", "DSS", "ETC"):
        for number in range(12):
            assert len({clip_order(f"x_{code}_{number}", run) for run in range(3)}) == 3


def test_right_order_restores_the_order_of_the_clips(subtests: pytest.Subtests) -> None:
    for order in CLIP_ORDERS:
        with subtests.test(order=order):
            assert tuple(order[place - 1] for place in right_order(order)) == (1, 2, 3)


def test_heard_in_run_returns_positions_in_run_0() -> None:
    first, second = clip_order("x_TAO_4", 0), clip_order("x_TAO_4", 1)
    assert tuple(first[place] for place in heard_in_run("x_TAO_4", 1)) == second


def test_non_temporal_id_is_not_parsed(subtests: pytest.Subtests) -> None:
    rows: list[str] = ["x_OSM_", "x_osm_1", "OSM_1x", "x_ABC_1", "OSM-1", "_OSM_1234567890", "OSM_1"]
    for item_id in rows:
        with subtests.test(item_id=item_id):
            assert parse_temporal_id(item_id) is None
            with pytest.raises(ValueError, match="does not end in _SUBTASK_NUMBER"):
                clip_order(item_id, 0)


def test_order_of_an_option_is_read(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, tuple[int, ...] | None]] = [
        ("clip 2 -> clip 1 -> clip 3", (2, 1, 3)),
        (" Clip 2->clip 1 -> clip 3.", (2, 1, 3)),
        ("clip 2, clip 1, clip 3", None),
        ("clip 4 -> clip 1 -> clip 3", None),
        ("Unable to determine", None),
    ]
    for text, order in rows:
        with subtests.test(text=text, order=order):
            assert parse_order(text) == order


def test_default_prompt_with_one_sound_is_sound_question_and_options() -> None:
    item = demo_item("demo_spatial_trajectory_001")
    assert list_prompt(item, 1, "default") == [
        demo_clip("spatial/demo_spatial_trajectory_001"),
        "How does the siren move?\n<A>: It stays where it is\n<B>: From left to right\n<C>: From right to left",
    ]


def test_default_prompt_with_two_sounds_numbers_them() -> None:
    prompt = list_prompt(demo_item("demo_sensitivity_distance_001"), 0, "default")
    base = "perception/demo_sensitivity_distance_001"
    assert prompt[:4] == ["Audio 1:", demo_clip(f"{base}_1"), "Audio 2:", demo_clip(f"{base}_2")]
    assert prompt[4].startswith("Of which audio is the source farther away?")
    assert len(prompt) == 5


def test_default_prompt_of_a_temporal_item_ends_with_the_clips_in_the_order_of_the_run() -> None:
    item = demo_item("demo_OSM_1")
    text, *clips = list_prompt(item, 1, "default")
    base = "temporal/demo_OSM_1"
    # Number 1 of OSM in run 1: entry 2 of the orders, 2 1 3.
    second, first, third = (demo_clip(f"{base}/piece_{piece}") for piece in "yxz")
    assert clips == ["clip 1:", second, "clip 2:", first, "clip 3:", third]
    assert text.split("\n")[1:3] == ["<A>: clip 1 -> clip 2 -> clip 3", "<B>: clip 1 -> clip 3 -> clip 2"]
    assert DEMO.run(item, 1, "default").options == item.options


def test_channel_wise_prompt_plays_and_names_both_ears() -> None:
    item = demo_item("demo_spatial_relation_001")
    clip = demo_clip("spatial/demo_spatial_relation_001")
    prompt = list_prompt(item, 0, "channel-wise")
    assert prompt[:4] == ["Audio 1:", f"{clip}@left", "Audio 2:", f"{clip}@right"]
    assert "Audio 1 is what the left ear hears" in prompt[4]
    assert prompt[5] == list_prompt(item, 0, "default")[1]


def test_global_caption_prompt_describes_the_scene_before_the_clips() -> None:
    item = demo_item("demo_ETC_1")
    usual, prompt = list_prompt(item, 2, "default"), list_prompt(item, 2, "global-caption")
    assert prompt[0] == usual[0]
    assert prompt[1].endswith("described like this: A referee ends a match, and the crowd is pleased.")
    assert prompt[2:] == usual[1:]


def test_uncut_prompt_plays_the_whole_recording_before_the_clips() -> None:
    item = demo_item("demo_ETC_1")
    usual, prompt = list_prompt(item, 2, "default"), list_prompt(item, 2, "uncut-audio")
    assert prompt[:3] == [usual[0], "The whole recording:", demo_clip("temporal/demo_ETC_1/uncut")]
    assert prompt[4:] == usual[1:]


def test_caption_only_prompts_contain_no_audio_and_follow_the_order_of_the_run() -> None:
    for item in DEMO_ITEMS:
        for run in item.runs:
            parts = DEMO.run(item, run, "caption-only").prompt
            assert all(isinstance(part, TextPart) for part in parts)
            assert len(parts) == (4 if item.part == "temporal" else 1 + len(item.clips))
    assert list_prompt(demo_item("demo_OSM_1"), 1, "caption-only")[1:] == [
        "clip 1: A siren, loud, in the middle.",
        "clip 2: A siren, faint, on the left.",
        "clip 3: A lower siren, fading on the right.",
    ]
    assert list_prompt(demo_item("demo_sensitivity_distance_002"), 0, "caption-only")[:2] == [
        "Audio 1: A faint alarm.",
        "Audio 2: A loud alarm.",
    ]
    assert (
        list_prompt(demo_item("demo_spatial_trajectory_001"), 0, "caption-only")[0]
        == "A siren moves from left to right."
    )


def test_setting_covers_only_its_parts(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, set[str]]] = [
        ("default", {"perception", "temporal", "spatial"}),
        ("channel-wise", {"spatial"}),
        ("global-caption", {"temporal"}),
        ("uncut-audio", {"temporal"}),
        ("caption-only", {"perception", "temporal", "spatial"}),
        ("pseudo-stereo", {"perception"}),
    ]
    for setting, parts in rows:
        with subtests.test(setting=setting, parts=parts):
            assert DEMO.parts_of(setting) == parts
            for item in DEMO_ITEMS:
                if item.part not in parts:
                    with pytest.raises(
                        SettingError, match=f"belongs to {item.part}, but the setting `{setting}` covers only"
                    ):
                        DEMO.run(item, 0, setting)


def test_unknown_setting_is_refused() -> None:
    with pytest.raises(SettingError, match="has no setting `uncut`"):
        DEMO.parts_of("uncut")


@pytest.mark.parametrize(
    ("setting", "field", "missing"),
    [
        ("caption-only", None, "the caption"),
        ("global-caption", "global_caption", "the caption"),
        ("uncut-audio", "uncut_audio_path", "the uncut recording"),
    ],
)
def test_setting_with_missing_data_is_refused_with_the_missing_field(
    tmp_path: Path, setting: str, field: str | None, missing: str
) -> None:
    entry = make_entry("temporal/tao", 3)
    entry.pop(field or "id_of_nothing", None)
    key = only_brought(BENCHMARK.import_folder(write_files(tmp_path, {"temporal": [entry]}), "seed").key)
    (item,) = BENCHMARK.content(key).items
    with pytest.raises(SettingError) as caught:
        BENCHMARK.run(item, 0, setting)
    assert str(caught.value) == (
        f"The setting `{setting}` needs {missing} of `temporal_TAO_3`, which is missing from the imported files. "
        "Import files that include it, or choose another setting."
    )


def import_some(tmp_path: Path, *lacking: str) -> AnswerKey:
    """Import an item of every sub-task; temporal items lack some fields."""
    files = make_files(dict.fromkeys(official_sizes(), 1))
    for entry in files["temporal"]:
        for field in lacking:
            entry.pop(field)
    return BENCHMARK.import_folder(write_files(tmp_path, files), "seed").key


@pytest.mark.parametrize(
    ("lacking", "settings"),
    [
        ((), ("global-caption", "uncut-audio", "pseudo-stereo")),
        (("uncut_audio_path",), ("global-caption", "pseudo-stereo")),
        (("global_caption",), ("uncut-audio", "pseudo-stereo")),
        (("global_caption", "uncut_audio_path"), ("pseudo-stereo",)),
    ],
)
def test_pack_of_imported_files_contains_the_settings_with_complete_data(
    tmp_path: Path, lacking: tuple[str, ...], settings: tuple[str, ...]
) -> None:
    assert (*DEMO.packed_settings, "pseudo-stereo") == DEMO.settings
    assert BENCHMARK.packed_settings == ("default", "channel-wise")
    content = BENCHMARK.content(import_some(tmp_path, *lacking))
    runs = list(all_runs(BENCHMARK, content))
    assert content.held_settings == settings
    n_temporal = sum(len(task.runs) for task in SUB_TASKS if task.part == "temporal")
    assert len(runs) == sum(len(task.runs) for task in SUB_TASKS) + 3 * 3 + (len(settings) - 1) * n_temporal + 4 * 4
    assert {run.setting for run in runs} == {"default", "channel-wise", *settings}
    uncut = {item.context["uncut-audio"] for item in content.items if "uncut-audio" in item.context}
    assert (uncut <= set(content.clips)) == ("uncut-audio" in settings or not uncut)
    assert pack_name(content).endswith(f"{''.join(f'-{name}' for name in settings)}.zip")


def test_setting_without_a_caption_for_every_item_is_not_in_the_pack(tmp_path: Path) -> None:
    files = make_files(dict.fromkeys(official_sizes(), 1))
    files["temporal"][-1].pop("global_caption")
    key = BENCHMARK.import_folder(write_files(tmp_path, files), "seed").key
    assert BENCHMARK.content(key).held_settings == ("uncut-audio", "pseudo-stereo")


def test_perception_alone_has_pseudo_stereo_as_its_only_extra_setting() -> None:
    content = BENCHMARK.content(BENCHMARK.make_key("practice"))
    assert content.held_settings == ("pseudo-stereo",)
    assert pack_name(content).endswith("-pseudo-stereo.zip"), "a pack from before the setting must not be served"


# The demonstration set.


def test_demo_has_questions_of_every_sub_task() -> None:
    tasks = [item.task for item in DEMO_ITEMS]
    for task in SUB_TASKS:
        assert tasks.count(task.slice) >= {"perception": 1, "temporal": 2, "spatial": 3}[task.part], task.slice
    assert len(tasks) >= 24


def test_demo_has_a_scene_for_every_sound_and_no_other() -> None:
    scenes = json.loads((DEMO.demo_dir / "scenes.json").read_text(encoding="utf-8"))
    assert set(scenes) == DEMO.sound_paths(DEMO_KEY)
    for path in FILES.values():
        assert (DEMO.demo_dir / path).is_file()


def test_right_answers_of_the_demo_have_at_least_three_positions() -> None:
    for part in DEMO.parts:
        positions = {DEMO_KEY.answers[item.id] for item in DEMO_ITEMS if item.part == part.id}
        assert len(positions) >= 3, part


def test_demo_clip_is_16_bit_audio(subtests: pytest.Subtests, soak: bool) -> None:
    for clip in DEMO.content(DEMO_KEY).clips[:: 1 if soak else 7]:
        with subtests.test(clip=clip):
            samples, rate = decode_wav(DEMO.render_clip(DEMO_KEY, clip))
            assert rate == 16_000
            assert samples.ndim == (1 if "@" in clip else 2)
            assert len(samples) > rate


def test_demo_pieces_concatenate_to_the_uncut_recording(soak: bool) -> None:
    for item in [item for item in DEMO_ITEMS if item.part == "temporal"][:: 1 if soak else 6]:
        order = clip_order(item.id, 0)
        in_order = [item.clips[order.index(number)] for number in (1, 2, 3)]
        pieces = [decode_wav(DEMO.render_clip(DEMO_KEY, clip))[0] for clip in in_order]
        whole, _ = decode_wav(DEMO.render_clip(DEMO_KEY, item.context["uncut-audio"]))
        assert np.array_equal(np.concatenate(pieces), whole)


def test_demo_ear_clips_are_the_channels_of_the_recording() -> None:
    clip = demo_item("demo_spatial_localization_001").clips[0]
    both, _ = decode_wav(DEMO.render_clip(DEMO_KEY, clip))
    for channel, ear in enumerate(("@left", "@right")):
        assert np.array_equal(decode_wav(DEMO.render_clip(DEMO_KEY, clip + ear))[0], both[:, channel])


@pytest.mark.parametrize("clip", ["clip-nobody", "clip-nobody@left"])
def test_unknown_clip_is_a_key_error(clip: str) -> None:
    with pytest.raises(KeyError):
        DEMO.render_clip(DEMO_KEY, clip)


def test_demo_splits_have_different_clip_names() -> None:
    test_key = DEMO.make_key("test")
    assert test_key.answers == DEMO_KEY.answers
    assert not set(DEMO.content(test_key).clips) & set(DEMO.content(DEMO_KEY).clips)


def test_pack_of_the_demo_contains_every_sound_of_its_questions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only the names matter here; other tests check the sounds.
    silence = encode_wav(np.zeros((100, 2), np.int16), 16_000)
    monkeypatch.setattr(StarBench, "render_demo_sound", lambda _self, _path: silence)
    write_pack(DEMO, DEMO_KEY, tmp_path / "pack.zip")
    with zipfile.ZipFile(tmp_path / "pack.zip") as pack:
        questions = [json.loads(line) for line in pack.read("questions.jsonl").splitlines()]
        played = {part["path"] for row in questions for part in row["prompt"] if part["type"] == "audio"}
        assert played == {name for name in pack.namelist() if name.startswith("audio/")}
        assert any(path.endswith("@left.wav") for path in played)
        answers = [json.loads(line) for line in pack.read("answers.jsonl").splitlines()]
    assert {row["id"]: row["answer"] for row in answers} == DEMO_KEY.answers
    assert {row["setting"] for row in questions} == set(DEMO.settings)


def test_random_answers_to_the_demo_are_scored_completely() -> None:
    rows = example_predictions(DEMO.content(DEMO_KEY))
    report = DEMO.score(DEMO_KEY, (Prediction(str(r["id"]), int(str(r["run"])), str(r["response"])) for r in rows))
    assert report.parts == ("perception", "temporal", "spatial")
    assert (report.missing, report.unreadable) == (0, 0)
    assert (report.signature.benchmark, report.signature.version) == ("star-bench", "demo")


def test_content_digest_changes_with_levels_and_scenes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    digests = {DEMO.content(DEMO_KEY).digest}
    with tempfile.TemporaryDirectory() as folder:
        entries = json.loads((DEMO.demo_dir / FILES["perception"]).read_text(encoding="utf-8"))
        levelled = next(entry for entry in entries if entry.get("level") == 3)
        levelled["level"] = 2
        imported = DEMO.import_folder(write_files(Path(folder), {"perception": entries}), DEMO_KEY.seed)
        digests.add(DEMO.content(imported.key).digest)
    (tmp_path / "scenes.json").write_text("{}")
    other = StarBench("demo")
    monkeypatch.setattr(StarBench, "demo_dir", tmp_path)
    digests.add(other.content(DEMO_KEY).digest)
    assert len(digests) == 3


# Imported sounds.


@pytest.fixture
def imported_key(tmp_path: Path) -> AnswerKey:
    files = make_files({"spatial/relation": 2})
    folder = write_files(tmp_path / "organiser", files)
    for entry in files["spatial"]:
        path = folder / entry["audio_paths"][0]
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(encode_wav(np.arange(200, dtype=np.int16).reshape(-1, 2), 44_100))
    imported = BENCHMARK.import_folder(folder, "seed")
    path.write_bytes(encode_wav(np.arange(200, dtype=np.int16), 44_100))  # the last file changes after its validation
    imported = replace(imported, key=only_brought(imported.key))
    return keep_import(tmp_path / "keys", imported, replaces=False)


def test_ear_clips_of_an_imported_recording_are_its_channels(imported_key: AnswerKey) -> None:
    first, second = BENCHMARK.content(imported_key).items
    left, rate = decode_wav(BENCHMARK.render_clip(imported_key, f"{first.clips[0]}@left"))
    assert rate == 44_100
    assert left.tolist() == list(range(0, 200, 2))
    right, _ = decode_wav(BENCHMARK.render_clip(imported_key, f"{first.clips[0]}@right"))
    assert right.tolist() == list(range(1, 200, 2))
    with pytest.raises(AudioError, match="the audio has 1 channels and no channel 1"):
        BENCHMARK.render_clip(imported_key, f"{second.clips[0]}@right")


def test_pack_with_a_mono_spatial_recording_is_refused_with_its_name(imported_key: AnswerKey, tmp_path: Path) -> None:
    clip = f"{BENCHMARK.content(imported_key).items[1].clips[0]}@right"
    with pytest.raises(
        PackError, match=f"The clip {clip} of STAR-Bench 1.0 cannot be packed: the audio has 1 channels"
    ):
        write_pack(BENCHMARK, imported_key, tmp_path / "pack.zip")
    assert not (tmp_path / "pack.zip").exists()


def test_demo_has_its_own_licence() -> None:
    own = describe_pack(DEMO, DEMO.content(DEMO_KEY))
    assert own["licence"] == "CC-BY-4.0 (questions and recordings by Earshot)"
    assert "(by the authors): CC-BY-NC-4.0" in BENCHMARK.licence


def test_ear_clips_of_a_missing_recording_are_refused(imported_key: AnswerKey) -> None:
    with pytest.raises(DataNotHeldError, match="was not imported"):
        BENCHMARK.render_clip(imported_key, "clip-nobody@left")


def test_channel_of_a_24_bit_file_is_rounded_to_16(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(3)
        file.setframerate(8_000)
        file.writeframes(b"".join((value << 8).to_bytes(3, "little", signed=True) for value in (5, -7, 300, -400)))
    assert decode_wav(extract_channel(buffer.getvalue(), 1))[0].tolist() == [-7, -400]


def test_channel_of_invalid_audio_is_refused() -> None:
    with pytest.raises(AudioError, match="unreadable audio"):
        extract_channel(b"nothing", 0)


def test_options_of_a_run_are_those_of_its_prompt() -> None:
    for item in DEMO_ITEMS:
        for number in item.runs:
            run = DEMO.run(item, number, "default")
            (text,) = (part.text for part in run.prompt if isinstance(part, TextPart) and "<A>" in part.text)
            lines = [f"<{letter}>: {option}" for letter, option in zip("ABCDEFG", run.options, strict=False)]
            assert text == "\n".join([item.question, *lines])
            assert (run.id, run.run, run.setting, run.task) == (item.id, number, "default", item.task)
            assert sum(isinstance(part, AudioPart) for part in run.prompt) == len(item.clips)
