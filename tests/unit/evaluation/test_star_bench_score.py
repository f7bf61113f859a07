"""Scores of STAR-Bench: a small key with hand-computed scores, plain loops for every score, and random guesses."""

import io
import json
import statistics
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import Prediction, Report
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks.collecting import DuplicatePredictionError, UnknownItemError
from evaluation.benchmarks.error_shares import is_error_share
from evaluation.benchmarks.practice_comparison import PRACTICE_COLUMN
from evaluation.benchmarks.star_bench import StarBench
from evaluation.benchmarks.star_bench.design import SUB_TASKS, TONE_TASKS
from evaluation.benchmarks.star_bench.slices import level_slice
from evaluation.errors import AnswerKeyError, SettingError
from evaluation.predictions import PredictionFileError, catalogue_of, read_checked_predictions
from evaluation.types import ABSENT, MISSING, UNREADABLE
from tests.support.samples.star_bench_files import make_entry, make_files, official_sizes, only_brought, write_files

BENCHMARK = StarBench("1.0")
Run = tuple[str, int]


def make_key(entries: dict[str, list[dict[str, Any]]]) -> AnswerKey:
    with tempfile.TemporaryDirectory() as folder:
        return only_brought(BENCHMARK.import_folder(write_files(Path(folder), entries), "seed").key)


# Spatial options are A, B, C. Item 0: A is right in run 0, B in run 1, C in run 2 (they rotate). Item 1: B, C, A.
# Temporal item 1 of OSM plays clips (1 3 2), (2 1 3), (2 3 1), so clips 1, 2, 3 are at 1 3 2, 2 1 3, 3 1 2: the
# second, third and fifth of the orders.
TINY = make_key(
    {
        "spatial": [
            make_entry("spatial/localization", 0),
            make_entry("spatial/localization", 1),
            make_entry("spatial/relation", 0),
        ],
        "temporal": [make_entry("temporal/osm", 1)],
    }
)
LOC_0, LOC_1, REL = "spatial_localization_000", "spatial_localization_001", "spatial_relation_000"
RIGHT = {
    **{(LOC_0, run): letter for run, letter in enumerate("ABC")},
    **{(LOC_1, run): letter for run, letter in enumerate("BCA")},
    **{(REL, run): letter for run, letter in enumerate("ABC")},
    **{("temporal_OSM_1", run): letter for run, letter in enumerate("BCE")},
}


def answer(letters: Mapping[Run, str | None]) -> list[Prediction]:
    return [Prediction(item_id, run, response) for (item_id, run), response in letters.items()]


def value(report: Report, slice_name: str, metric: str) -> float | None:
    return report.scores[slice_name][metric].value


def test_small_key_has_the_hand_computed_scores() -> None:
    given_answers: dict[Run, str | None] = {
        (LOC_0, 0): "A",
        (LOC_0, 1): "<B>",
        (LOC_0, 2): "C",
        (LOC_1, 0): "The answer is (B).",
        (LOC_1, 1): "A",
        (LOC_1, 2): "I cannot hear anything in this recording.",
        (REL, 0): "Red of spatial/relation",
        (REL, 2): None,
    }
    report = BENCHMARK.score(TINY, answer(given_answers))
    # Localization: 3 + 1 of 6 runs, one of two items throughout. Relation: 1 of 3 (run 1 is missing, run 2 was empty).
    assert value(report, "spatial/localization", "aa") == 4 / 6
    assert value(report, "spatial/localization", "acr") == 1 / 2
    assert value(report, "spatial/localization", "reliability_gap") == 4 / 6 - 1 / 2
    assert value(report, "spatial/relation", "aa") == 1 / 3
    assert value(report, "spatial/relation", "acr") == 0
    assert value(report, "spatial", "aa") == 5 / 9
    assert value(report, "spatial", "acr") == 1 / 3
    # Readable: A B C · B A · A, so three of six at the first position.
    assert value(report, "spatial", "option_concentration") == 3 / 6
    assert report.scores["spatial/trajectory"]["aa"].value is None
    assert report.scores["spatial/trajectory"]["option_concentration"].value is None
    assert set(report.scores) == {"spatial", "spatial/localization", "spatial/relation", "spatial/trajectory"}
    assert (report.expected, report.missing, report.unreadable, report.runs) == (9, 1, 2, 3)
    assert report.parts == ("spatial",)
    assert report.unreadable_reasons == {"refusal": 1, "empty": 1}
    assert report.outcomes.item_ids == ("temporal_OSM_1", LOC_0, LOC_1, REL)
    assert report.outcomes.choices.tolist() == [
        [ABSENT] * 3,
        [0, 1, 2],
        [1, 0, UNREADABLE],
        [0, MISSING, UNREADABLE],
    ]
    assert report.outcomes.correct[1:].tolist() == [[1, 1, 1], [1, 0, 0], [1, 0, 0]]
    assert np.isnan(report.outcomes.correct[0]).all()


def test_temporal_answer_is_right_if_it_names_the_positions_of_the_clips(subtests: pytest.Subtests) -> None:
    for letter in "ABCDEFG":
        for run in (0, 1, 2):
            with subtests.test(run=run, letter=letter):
                report = BENCHMARK.score(TINY, [Prediction("temporal_OSM_1", run, letter)])
                assert value(report, "temporal", "aa") == (1 / 3 if letter == "BCE"[run] else 0)
                assert value(report, "temporal", "acr") == 0
                assert report.missing == 2


def test_right_answers_score_one_in_every_available_slice() -> None:
    report = BENCHMARK.score(TINY, answer(dict(RIGHT)))
    for name in ("spatial", "spatial/localization", "temporal", "temporal/continuous", "temporal/osm"):
        assert value(report, name, "aa") == value(report, name, "acr") == 1
        assert value(report, name, "reliability_gap") == 0
    assert not any(name.startswith(("overall", "perception")) for name in report.scores)
    assert report.scores["temporal/discrete"]["aa"].value is None


def test_option_texts_are_read_in_the_order_of_their_run() -> None:
    texts = ["Red of spatial/relation", "Green of spatial/relation", "Blue of spatial/relation"]
    # In run 1 the options are Blue, Red, Green: A is blue, B the right one.
    right = BENCHMARK.score(TINY, [Prediction(REL, 1, f"B. {texts[0]}")])
    contradicting = BENCHMARK.score(TINY, [Prediction(REL, 1, f"A. {texts[0]}")])
    assert right.outcomes.choices[3, 1] == 1
    assert contradicting.outcomes.choices[3, 1] == UNREADABLE
    assert contradicting.unreadable_reasons == {"contradiction": 1}


def test_four_copies_of_one_rotation_are_refused() -> None:
    copies = [Prediction(LOC_0, 0, "A")] * 4
    with pytest.raises(DuplicatePredictionError, match=f"Run 0 of `{LOC_0}` is answered twice"):
        BENCHMARK.score(TINY, copies)
    data = b"".join(b'{"id": "%s", "run": 0, "response": "A"}\n' % LOC_0.encode() for _ in copies)
    known = catalogue_of(BENCHMARK, TINY, "default")
    with pytest.raises(PredictionFileError) as caught:
        list(read_checked_predictions(io.BytesIO(data), known, allow_missing=True))
    assert [problem.code for problem in caught.value.problems] == ["duplicate"] * 3


def test_answer_fields_of_a_submitted_file_are_ignored() -> None:
    lines = [
        {
            "id": LOC_0,
            "rotate_id": run,
            "unique_id": f"{LOC_0}@{run}",
            "model_response": None if run == 2 else "B",
            "answer": "Green of spatial/localization",
            "answer_letter": "<B>",
            "prediction": "<A>",
            "is_correct": True,
            "options": ["Red of spatial/localization"] * 3,
        }
        for run in range(3)
    ]
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()
    known = catalogue_of(BENCHMARK, TINY, "default")
    report = BENCHMARK.score(TINY, read_checked_predictions(io.BytesIO(data), known, allow_missing=True))
    assert report.outcomes.choices[1, :3].tolist() == [1, 1, UNREADABLE]
    assert report.outcomes.correct[1, :3].tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    "prediction", [Prediction("nobody", 0, "A"), Prediction(LOC_0, 3, "A"), Prediction("temporal_OSM_1", 5, "A")]
)
def test_unknown_items_and_runs_are_refused(prediction: Prediction) -> None:
    with pytest.raises(UnknownItemError, match="Validate the file first"):
        BENCHMARK.score(TINY, [prediction])


def test_answers_outside_the_parts_of_a_setting_are_refused() -> None:
    with pytest.raises(SettingError, match=r"`channel-wise` does not include temporal. Remove those answers"):
        BENCHMARK.score(TINY, answer({("temporal_OSM_1", 0): "A"}), setting="channel-wise")
    with pytest.raises(SettingError, match=r"no setting `chanel-wise`\. Did you mean `channel-wise`"):
        BENCHMARK.score(TINY, [], setting="chanel-wise")
    report = BENCHMARK.score(TINY, answer({(LOC_0, 0): "A"}), setting="channel-wise")
    assert report.parts == ("spatial",)
    assert report.signature.setting == "channel-wise"


def test_no_predictions_give_no_scores() -> None:
    report = BENCHMARK.score(TINY, [])
    assert report.scores == {}
    assert (report.parts, report.runs, report.expected) == ((), 0, 0)


def test_key_with_an_impossible_answer_is_refused(subtests: pytest.Subtests) -> None:
    for wrong in (3, -1, True, "Red"):
        with subtests.test(wrong=wrong):
            answers = dict(TINY.answers) | {LOC_0: wrong}
            with pytest.raises(AnswerKeyError, match=f"`{LOC_0}`; allowed: 0 to 2"):
                BENCHMARK.score(AnswerKey("star-bench", "1.0", "test", "seed", answers, TINY.questions), [])


def test_key_with_the_cannot_tell_option_as_temporal_answer_is_refused() -> None:
    answers = dict(TINY.answers) | {"temporal_OSM_1": 6}
    with pytest.raises(AnswerKeyError, match="which is not an order of its clips"):
        BENCHMARK.score(AnswerKey("star-bench", "1.0", "test", "seed", answers, TINY.questions), [])


def test_corrected_temporal_answer_changes_every_run() -> None:
    # The corrected true order is 2 1 3 of the named clips: positions 3 1 2 in run 0, and so on.
    orders = ["123", "132", "213", "231", "312", "321"]
    answers = dict(TINY.answers) | {"temporal_OSM_1": orders.index("312")}
    key = AnswerKey("star-bench", "1.0", "test", "seed", answers, TINY.questions)
    # The runs play (1 3 2), (2 1 3), (2 3 1); clips 2, 1, 3 are at 3 1 2, 1 2 3, 1 3 2.
    letters = {("temporal_OSM_1", run): "ABCDEF"[orders.index(o)] for run, o in enumerate(["312", "123", "132"])}
    assert value(BENCHMARK.score(key, answer(letters)), "temporal", "acr") == 1


# A key with items of every sub-task, levels and an audiogram, for the loops.
MIXED_SIZES = {task.slice: 2 + number % 3 for number, task in enumerate(SUB_TASKS)}


def make_mixed() -> AnswerKey:
    files = make_files(MIXED_SIZES)
    for number, entry in enumerate(files["perception"]):
        name = entry["sub-category"]
        if name == "range_pitch_loudness":
            entry |= {"frequency_hz": 1000, "level_db_hl": (-10, 60)[number % 2]}
        elif name.startswith("sensitivity"):
            entry["level"] = 1 + number % 4
    return make_key(files)


MIXED = make_mixed()
MIXED_ITEMS = BENCHMARK.content(MIXED).items
ALL_RUNS = [(item.id, run) for item in MIXED_ITEMS for run in item.runs]
ANSWERS = st.sampled_from(["A", "B", "C", "D", "no idea", None, "absent"])


def right_letter(key: AnswerKey, item_id: str, run: int) -> str:
    """Derive the right letter from a run's prompt: the right text, or the positions of clips 1, 2, 3."""
    (question,) = (question for question in key.questions if question["id"] == item_id)
    (item,) = (item for item in BENCHMARK.content(key).items if item.id == item_id)
    presentation = BENCHMARK.run(item, run, "default")
    if item.part == "temporal":
        first = [part.clip for part in BENCHMARK.run(item, 0, "default").prompt if hasattr(part, "clip")]
        positions = [int(letter) - 1 for letter in question["options"][int(key.answers[item_id])] if letter.isdigit()]  # type: ignore[arg-type]
        true_order = [first[position] for position in positions]
        played = [part.clip for part in presentation.prompt if hasattr(part, "clip")]
        right = " -> ".join(f"clip {played.index(clip) + 1}" for clip in true_order)
    else:
        right = question["options"][int(key.answers[item_id])]  # type: ignore[arg-type]
    return "ABCDEFG"[presentation.options.index(right)]


RIGHT_LETTERS = {(item_id, run): right_letter(MIXED, item_id, run) for item_id, run in ALL_RUNS}


def expected_scores(letters: dict[Run, str | None]) -> dict[tuple[str, str], float | None]:
    """Compute every score with loops over runs, without arrays."""
    present = {item.part for item in MIXED_ITEMS if any((item.id, run) in letters for run in item.runs)}
    members: dict[str, list[Any]] = defaultdict(list)
    questions = {question["id"]: question for question in MIXED.questions}
    for item in MIXED_ITEMS:
        question = questions[item.id]
        names = {item.part, item.task, "overall"}
        names |= {"/".join(item.task.split("/")[:2])} if item.part == "perception" else set()
        names |= {"perception/tones"} if item.task in TONE_TASKS else set()
        if item.task in ("temporal/osm", "temporal/isse"):
            names.add("temporal/continuous")
        elif item.part == "temporal":
            names.add("temporal/discrete")
        if "level" in question:
            names.add(f"{item.task}/level-{question['level']}")
        if "frequency_hz" in question:
            frequency, level = f"{question['frequency_hz']}hz", f"{question['level_db_hl']}db"
            names |= {f"{item.task}/{frequency}", f"{item.task}/{level}", f"{item.task}/{frequency}/{level}"}
            names |= {f"{item.task}/{band}" for band in plain_bands(question["frequency_hz"], question["level_db_hl"])}
        for name in names:
            members[name].append(item)
    scores: dict[tuple[str, str], float | None] = {}
    for name, items in members.items():
        if {item.part for item in items} <= present:
            scores |= {(name, metric): entry for metric, entry in compute_plain_scores(items, letters).items()}
    for name, parts in (
        ("perception/range", [t.slice for t in SUB_TASKS if t.slice.startswith("perception/range/")]),
        ("perception/sensitivity", [t.slice for t in SUB_TASKS if t.slice.startswith("perception/sensitivity/")]),
        ("perception", [t.slice for t in SUB_TASKS if t.part == "perception"]),
        ("perception/tones", list(TONE_TASKS)),
        ("overall", ["perception", "temporal", "spatial"]),
    ):
        if (name, "aa") in scores:
            for metric in ("aa", "acr"):
                scores[name, metric] = statistics.fmean(scores[part, metric] or 0 for part in parts)
            scores[name, "reliability_gap"] = (scores[name, "aa"] or 0) - (scores[name, "acr"] or 0)
    return scores


def plain_bands(hertz: int, decibels: int) -> set[str]:
    """Return the bands and the broad piece of the audiogram that contain a tone."""
    frequencies = [(125, 250), (500, 750), (1000, 1500), (2000, 3000), (4000, 8000)]
    levels = [(-10, 0), (10, 20), (30, 40), (50, 60), (70, 80), (90, 110)]
    (broad,) = [f"{low}-{high}hz" for low, high in [(125, 1500), (2000, 8000)] if low <= hertz <= high]
    (depth,) = [f"{low}-{high}db" for low, high in [(-10, 20), (30, 60), (70, 110)] if low <= decibels <= high]
    narrow = {f"{low}-{high}hz" for low, high in frequencies if low <= hertz <= high}
    return narrow | {f"{low}-{high}db" for low, high in levels if low <= decibels <= high} | {f"{broad}/{depth}"}


def compute_plain_scores(items: list[Any], letters: dict[Run, str | None]) -> dict[str, float | None]:
    right = total = whole = 0
    positions: Counter[str] = Counter()
    for item in items:
        hits = 0
        for run in item.runs:
            response = letters.get((item.id, run))
            hits += response == RIGHT_LETTERS[item.id, run]
            if response is not None and response in "ABCDEFG"[: len(item.options)]:
                positions[response] += 1
        right, total, whole = right + hits, total + len(item.runs), whole + (hits == len(item.runs))
    aa, acr = right / total, whole / len(items)
    top = max(positions.values()) / positions.total() if positions else None
    return {"aa": aa, "acr": acr, "reliability_gap": aa - acr, "option_concentration": top}


@st.composite
def submissions(draw: st.DrawFn) -> dict[Run, str | None]:
    parts = draw(st.sets(st.sampled_from(["perception", "temporal", "spatial"]), min_size=1))
    part_of = {item.id: item.part for item in MIXED_ITEMS}
    skill = draw(st.sampled_from([0.0, 0.5, 0.9, 1.0]))
    random = draw(st.randoms(use_true_random=True))  # one draw for all its numbers
    letters: dict[Run, str | None] = {}
    for run in ALL_RUNS:
        response = (
            RIGHT_LETTERS[run] if random.random() < skill else random.choice(["A", "B", "C", "D", "?", None, "-"])
        )
        if part_of[run[0]] in parts and response != "-":
            letters[run] = response
    return letters


@given(submissions())
def test_scores_of_any_submission_equal_plain_loops(letters: dict[Run, str | None]) -> None:
    report = BENCHMARK.score(MIXED, answer(letters))
    scores = {(slice_name, metric): score.value for slice_name, metric, score in report.list_scores()}
    assert scores == pytest.approx(expected_scores(letters), abs=1e-12)


@given(submissions(), st.randoms(use_true_random=True))
def test_order_of_rows_changes_no_score(letters: dict[Run, str | None], random: Any) -> None:
    rows = answer(letters)
    before = BENCHMARK.score(MIXED, rows)
    random.shuffle(rows)
    after = BENCHMARK.score(MIXED, rows)
    assert after.scores == before.scores
    assert after.signature == before.signature


@given(submissions(), st.data())
def test_better_answer_never_lowers_a_score(letters: dict[Run, str | None], data: st.DataObject) -> None:
    changed = data.draw(st.sampled_from(sorted(letters) or ALL_RUNS[:1]))
    if not letters:
        return
    before = BENCHMARK.score(MIXED, answer(letters))
    after = BENCHMARK.score(MIXED, answer(letters | {changed: RIGHT_LETTERS[changed]}))
    for name, metrics in before.scores.items():
        for metric in ("aa", "acr"):
            assert (after.scores[name][metric].value or 0) >= (metrics[metric].value or 0), (name, metric)


@given(submissions())
def test_all_correct_rate_never_exceeds_accuracy(letters: dict[Run, str | None]) -> None:
    for name, metrics in BENCHMARK.score(MIXED, answer(letters)).scores.items():
        gap = metrics["reliability_gap"].value
        assert gap is None or gap >= -1e-12, name


def test_right_answers_score_one_everywhere() -> None:
    report = BENCHMARK.score(MIXED, answer(dict(RIGHT_LETTERS)))
    for name, metrics in report.scores.items():
        assert (metrics["aa"].value, metrics["acr"].value, metrics["reliability_gap"].value) == (1, 1, 0), name
    assert (report.missing, report.unreadable, report.expected) == (0, 0, len(ALL_RUNS))
    assert report.parts == ("perception", "temporal", "spatial")
    assert report.runs == 5


def test_constant_letter_is_right_once_per_item_and_fully_concentrated() -> None:
    letters = {(item.id, run): "A" for item in MIXED_ITEMS for run in item.runs}
    report = BENCHMARK.score(MIXED, answer(letters))
    for task in SUB_TASKS:
        if task.part != "temporal":
            assert value(report, task.slice, "aa") == pytest.approx(1 / task.options)
            assert value(report, task.slice, "acr") == 0
    assert value(report, "overall", "option_concentration") == 1


def test_levels_and_cells_have_scores_if_the_files_name_them() -> None:
    report = BENCHMARK.score(MIXED, answer(dict(RIGHT_LETTERS)))
    assert "perception/range/pitch-loudness/1000hz/-10db" in report.scores
    levels = {name: metrics["aa"].n for name, metrics in report.scores.items() if "/level-" in name}
    assert sum(levels.values()) == sum(n for name, n in MIXED_SIZES.items() if "sensitivity" in name)
    assert not any("/level-" in name for name in BENCHMARK.score(TINY, answer(dict(RIGHT))).scores)


def test_overall_score_needs_every_part() -> None:
    without = {run: letter for run, letter in RIGHT_LETTERS.items() if not run[0].startswith("spatial")}
    report = BENCHMARK.score(MIXED, answer(without))
    assert report.parts == ("perception", "temporal")
    assert not any(name.startswith(("overall", "spatial")) for name in report.scores)


def test_perception_with_a_missing_sub_task_has_no_mean() -> None:
    files = make_files({"perception/range/azimuth": 1, "perception/sensitivity/pitch": 1})
    report = BENCHMARK.score(make_key(files), [Prediction("range_azimuth_000", 0, "A")])
    assert value(report, "perception/range/azimuth", "aa") == 1 / 5
    assert value(report, "perception/range", "aa") is None
    assert value(report, "perception", "aa") is None
    assert value(report, "perception", "reliability_gap") is None


@pytest.fixture(scope="module")
def full_key() -> AnswerKey:
    files = make_files(official_sizes())
    for number, entry in enumerate(files["perception"]):
        if entry["sub-category"].startswith("sensitivity_pitch"):
            entry["level"] = 1 + number % 6
    return make_key(files)


def guess(key: AnswerKey, seed: int) -> Iterable[Prediction]:
    rng = np.random.default_rng(seed)
    for item in BENCHMARK.content(key).items:
        for run, choice in zip(item.runs, rng.integers(len(item.options), size=len(item.runs)), strict=True):
            yield Prediction(item.id, run, "ABCDEFG"[choice])


def test_random_answers_score_at_chance_within_sampling_error(full_key: AnswerKey, soak: bool) -> None:
    rounds = 40 if soak else 4
    reports = [BENCHMARK.score(full_key, guess(full_key, seed)) for seed in range(rounds)]
    chance = BENCHMARK.chance
    checked = 0
    for name, metrics in reports[0].scores.items():
        for metric in ("aa", "acr", "reliability_gap"):
            values = [report.scores[name][metric].value or 0 for report in reports]
            expected = chance[f"{name}|{metric}"]
            n = metrics["aa"].n
            spread = max(statistics.pstdev(values), (expected * (1 - expected) / n) ** 0.5) / rounds**0.5
            assert statistics.fmean(values) == pytest.approx(expected, abs=4.5 * spread + 1e-9), (name, metric)
            checked += 1
    assert checked == 3 * (1 + 3 + 3 + 2 + 18 + 6)


def test_chance_equals_the_printed_values() -> None:
    chance = BENCHMARK.chance
    printed = {"perception": 0.2533, "perception/range": 0.2375, "perception/sensitivity": 0.2638, "overall": 0.2432}
    printed |= {"temporal": 0.1429, "temporal/discrete": 0.1429, "spatial": 0.3333, "perception/range/azimuth": 0.2}
    for name, share in printed.items():
        assert chance[f"{name}|aa"] == pytest.approx(share, abs=0.0001), name
    assert chance["perception|acr"] == pytest.approx(0.0068, abs=0.0001)
    assert chance["spatial/relation|acr"] == pytest.approx(1 / 27)
    assert chance["temporal/osm|acr"] == pytest.approx(1 / 343)
    assert chance["perception/range/azimuth|acr"] == pytest.approx(1 / 3125)


def test_scores_of_published_rows_have_columns_of_the_same_name() -> None:
    path = Path(__file__).parents[3] / "assets" / "published" / "star-bench.json"
    published = json.loads(path.read_text(encoding="utf-8"))
    columns = {column.key for column in BENCHMARK.columns}
    rows = [row for row in published["rows"] if row["setting"] in ("default", "channel-wise")]
    keys = {f"{score['slice']}|{score['metric']}" for row in rows for score in row["scores"]}
    assert {key for key in keys if key.endswith(("|aa", "|acr"))} <= columns
    assert {f"{score['slice']}|{score['metric']}" for score in published["derived"]} <= columns


def test_columns_begin_with_the_headline_and_show_the_three_tasks() -> None:
    columns = BENCHMARK.columns
    assert columns[0] == BENCHMARK.headline
    shown = [column.key for column in columns if column.shown]
    assert shown == ["overall|aa", "overall|acr", "perception|aa", "temporal|aa", "spatial|aa", PRACTICE_COLUMN.key]
    assert len({column.key for column in columns}) == len(columns)
    assert {column.metric for column in columns} == {metric.id for metric in BENCHMARK.metrics}
    headings = Counter((column.group, column.title) for column in columns)
    assert headings.most_common(1)[0][1] == 1


def test_every_column_has_a_score_in_a_full_report() -> None:
    files = make_files({task.slice: max(task.levels, 1) for task in SUB_TASKS})
    for entry in files["perception"]:
        if entry["sub-category"].startswith("sensitivity"):
            entry["level"] = 1 + int(entry["id"][-3:])
    key = make_key(files)
    report = BENCHMARK.score(key, guess(key, 1))
    gaps = {PRACTICE_COLUMN.key, *(gap.key for gap in BENCHMARK.setting_gaps)}
    for column in (
        candidate
        for candidate in BENCHMARK.columns
        if not is_error_share(candidate.metric) and candidate.key not in gaps
    ):
        assert report.scores[column.slice][column.metric].value is not None, column
    assert level_slice(SUB_TASKS[4], 6) in report.scores
