"""Import of an organiser's folder: accepted content, refusals, counts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evaluation.answer_keys import TraceLabels
from evaluation.audio import encode_wav
from evaluation.benchmarks.audio_process_bench import AudioProcessBench
from evaluation.errors import AnswerKeyError, DataNotHeldError, ImportProblemsError
from evaluation.imports import keep_import
from tests.support.samples.process_traces import paper_shaped_traces, trace, write_folder

BENCHMARK = AudioProcessBench("1.0")
ROWS = [trace(".e.", question="q1", name="t1"), trace("..", question="q2", final="rain", name="t2")]

Row = dict[str, Any]


def refuse(folder: Path) -> str:
    with pytest.raises(ImportProblemsError) as caught:
        BENCHMARK.import_folder(folder, "seed")
    return str(caught.value)


def test_import_separates_questions_from_answers(tmp_path: Path) -> None:
    key = BENCHMARK.import_folder(write_folder(tmp_path, ROWS), "seed").key
    assert key.answers == {
        "t1": TraceLabels((False, True, False), (None, "existence", None), "a bell"),
        "t2": TraceLabels((False, False), (None, None), "a bell"),
    }
    assert (key.benchmark, key.version, key.split) == ("audio-process-bench", "1.0", "test")
    for question in key.questions:
        assert not {"answer", "erroneous", "error_types"} & set(question)
    assert [question["final_answer"] for question in key.questions] == ["a bell", "rain"]


def test_import_of_one_file_gives_the_same_key(tmp_path: Path) -> None:
    separate = BENCHMARK.import_folder(write_folder(tmp_path / "two", ROWS), "seed")
    combined = BENCHMARK.import_folder(write_folder(tmp_path / "one", ROWS, one_file=True), "seed")
    assert combined == separate
    assert combined.key.digest == separate.key.digest


def test_import_matches_labels_by_id_not_by_line(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, ROWS)
    before = BENCHMARK.import_folder(folder, "seed").key
    lines = (folder / "labels.jsonl").read_text().splitlines()
    (folder / "labels.jsonl").write_text("\ufeff" + "\n\n".join(reversed(lines)), encoding="utf-8")
    assert BENCHMARK.import_folder(folder, "seed").key == before


def test_import_of_the_paper_s_counts_reports_no_deviation(tmp_path: Path) -> None:
    imported = BENCHMARK.import_folder(write_folder(tmp_path, paper_shaped_traces()), "seed")
    assert imported.deviations == ()
    counts = {count.name: count.expected for count in imported.counts}
    assert (counts["traces"], counts["steps"], counts["generators"]) == (3_872, 23_497, 6)
    assert sum(n for name, n in counts.items() if name.endswith(" errors")) == counts["erroneous steps"]
    assert imported.repaired == ()


def test_import_of_another_size_reports_the_deviations(tmp_path: Path) -> None:
    imported = BENCHMARK.import_folder(write_folder(tmp_path, ROWS), "seed")
    counts = {count.name: count.found for count in imported.deviations}
    assert counts["traces"] == 2
    assert counts["steps"] == 5
    assert counts["existence errors"] == 1
    assert counts["semantic errors"] == 0
    assert counts["right final answers"] == 1
    assert counts["generators of the paper"] == 1


def test_import_counts_generators_that_the_paper_does_not_name(tmp_path: Path) -> None:
    rows = [trace(".", generator="Step-Audio-R1"), trace(".", generator="Someone-7B", question="q2")]
    counts = {count.name: count.found for count in BENCHMARK.import_folder(write_folder(tmp_path, rows), "s").counts}
    assert (counts["generators"], counts["generators of the paper"]) == (2, 1)


def test_import_trims_texts_and_reports_it(tmp_path: Path) -> None:
    row = ROWS[0] | {"answer": "a bell ", "final_answer": " a bell"}
    imported = BENCHMARK.import_folder(write_folder(tmp_path, [row]), "seed")
    assert (
        imported.key.answers["t1"] == BENCHMARK.import_folder(write_folder(tmp_path, ROWS[:1]), "s").key.answers["t1"]
    )
    assert imported.key.questions[0]["final_answer"] == "a bell"
    assert "`answer`" in imported.repaired[0]
    assert "`final_answer`" in imported.repaired[1]


@pytest.mark.parametrize("final", [None, "I cannot hear it."])
def test_import_counts_a_final_answer_outside_the_options_as_wrong(tmp_path: Path, final: str | None) -> None:
    imported = BENCHMARK.import_folder(write_folder(tmp_path, [ROWS[0] | {"final_answer": final}]), "seed")
    assert {count.name: count.found for count in imported.counts}["right final answers"] == 0
    assert "1 traces have a final answer that is not an option" in imported.repaired[0]


def change(**fields: Any) -> Callable[[Row], Row]:
    return lambda row: row | fields


def drop(name: str) -> Callable[[Row], Row]:
    return lambda row: {field: value for field, value in row.items() if field != name}


FAULTS = [
    (change(erroneous=[False, True]), "3 `steps`, 2 `erroneous`, 3 `error_types`"),
    (change(error_types=[None, "existence"]), "3 `steps`, 3 `erroneous`, 2 `error_types`"),
    (change(error_types=[None, "existance", None]), "Did you mean `existence`?"),
    (change(error_types=[None, None, None]), "step 2 is erroneous but has no error type"),
    (change(error_types=["temporal", "existence", None]), "step 1 has the error type `temporal` but is not erroneous"),
    (change(erroneous=[0, 1, 0]), "`erroneous` item 1 is 0; it must be true or false"),
    (change(error_types=[None, 3, None]), "`error_types` item 2 is 3; it must be a non-empty string"),
    (change(answer="a horse"), "the answer `a horse` is not among the options"),
    (change(answer=None), "`answer` is missing"),
    (change(options=["a bell"]), "1 options"),
    (change(options=["a bell", "rain", "rain "]), "3 options"),
    (change(options=["a bell", 7]), "`options` item 2 is 7"),
    (change(steps=[]), "`steps` is []"),
    (change(steps=["One.", " ", "Three."]), "`steps` item 2 is ' '"),
    (change(final_answer=2), "`final_answer` is 2"),
    (drop("final_answer"), "`final_answer` is missing"),
    (drop("audio"), "`audio` is missing"),
    (drop("generator"), "`generator` is missing"),
    (change(question_id=12), "`question_id` is 12"),
    (change(audio="a\0.wav"), "`audio` is 'a\\x00.wav'; remove NUL characters and unpaired surrogates"),
    (change(question="\ud800?"), "`question` is '\\ud800?'; remove NUL characters"),
    (change(final_answer="\ud800"), "`final_answer` is '\\ud800'; remove NUL characters"),
    (change(error_types=[None, "\udfff", None]), "`error_types` item 2 is '\\udfff'; remove NUL characters"),
    (change(generator="通义"), "the generator '通义' needs a letter a to z or a digit"),
    (change(generator="step audio R1"), "the generators 'step audio R1' and 'Step-Audio-R1' of `t2` have the same"),
]


def test_import_of_a_faulty_trace_is_refused_with_its_line(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for number, (spoil, expected) in enumerate(FAULTS):
        with subtests.test(spoil=spoil, expected=expected):
            folder = tmp_path / str(number)
            folder.mkdir()
            message = refuse(write_folder(folder, [ROWS[1], spoil(ROWS[0])], one_file=True))
            assert expected in message
            assert "traces.jsonl line 2, id `t1`" in message


def test_import_reports_the_faults_of_all_traces(tmp_path: Path) -> None:
    rows = [row | {"answer": "a horse"} for row in ROWS]
    assert refuse(write_folder(tmp_path, rows)).count("a horse") == 2


def test_import_of_a_duplicate_id_is_refused(tmp_path: Path) -> None:
    assert "traces.jsonl line 3, id `t1`: duplicate id" in refuse(write_folder(tmp_path, [*ROWS, ROWS[0]]))


def test_import_of_traces_with_contradictory_questions_is_refused(tmp_path: Path) -> None:
    other = ROWS[1] | {"question_id": "q1", "audio": "audio/q1.wav", "answer": "rain"}
    assert "`answer` differs from that of `t1`" in refuse(write_folder(tmp_path, [ROWS[0], other]))


@pytest.mark.parametrize("incomplete", ["traces", "labels"])
def test_import_of_traces_without_labels_or_labels_without_traces_is_refused(tmp_path: Path, incomplete: str) -> None:
    folder = write_folder(tmp_path, ROWS)
    path = folder / f"{incomplete}.jsonl"
    path.write_text(path.read_text().splitlines()[0] + "\n")
    message = refuse(folder)
    assert (
        "labels.jsonl line 2, id `t2`" in message
        if incomplete == "traces"
        else "it has no line in labels.jsonl" in message
    )


def test_import_of_labels_that_contradict_their_trace_is_refused(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, ROWS)
    lines = [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]
    lines[1]["answer"] = "rain"
    (folder / "labels.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert "the field 'answer' differs from traces.jsonl" in refuse(folder)


def test_import_of_a_malformed_line_is_refused(tmp_path: Path, subtests: pytest.Subtests) -> None:
    rows: list[str] = [
        '{"id": "t3", "question": "\\ud800"}',
        "{",
        "[]",
        "3",
        '{"id": "a b"}',
        '{"id": 7}',
        "{}",
        "[" * 100_000,
    ]
    for number, line in enumerate(rows):
        with subtests.test(line=line):
            folder = tmp_path / str(number)
            folder.mkdir()
            folder = write_folder(folder, ROWS)
            with (folder / "traces.jsonl").open("a") as file:
                file.write(line)
            assert "traces.jsonl line 3" in refuse(folder)


def test_import_of_a_duplicate_field_is_refused(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, ROWS, one_file=True)
    lines = (folder / "traces.jsonl").read_text().splitlines()
    lines[1] = lines[1].removesuffix("}") + ', "erroneous": [true, true]}'
    (folder / "traces.jsonl").write_text("\n".join(lines))
    message = refuse(folder)
    assert message.splitlines()[1:] == [
        "* traces.jsonl line 2, id `t2`: duplicate field 'erroneous'; keep one.",
        "* traces.jsonl line 2, id `t2`: step 1 is erroneous but has no error type. Add one.",
        "* traces.jsonl line 2, id `t2`: step 2 is erroneous but has no error type. Add one.",
    ]


def test_import_of_labels_with_a_duplicate_field_reports_nothing_else(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, ROWS)
    text = (folder / "labels.jsonl").read_text()
    (folder / "labels.jsonl").write_text(text.replace("{", '{"erroneous": [], ', 1))
    assert refuse(folder).splitlines()[1:] == ["* labels.jsonl line 1, id `t1`: duplicate field 'erroneous'; keep one."]


@pytest.mark.parametrize("one_file", [True, False])
@pytest.mark.parametrize("content", ["", "\n \n"])
def test_import_without_traces_is_refused(tmp_path: Path, content: str, *, one_file: bool) -> None:
    folder = write_folder(tmp_path, [], one_file=one_file)
    (folder / "traces.jsonl").write_text(content)
    assert f"{folder / 'traces.jsonl'} has no traces" in refuse(folder)


def test_import_of_a_binary_file_is_refused(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, ROWS)
    (folder / "traces.jsonl").write_bytes(b'{"id": "\xff"}\n')
    assert "is not JSON in UTF-8" in refuse(folder)


def test_import_of_an_empty_folder_is_refused(tmp_path: Path) -> None:
    assert "The folder must contain traces.jsonl and labels.jsonl" in refuse(tmp_path)


def test_import_with_sounds_stores_and_returns_them(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "official", ROWS)
    sound = encode_wav(np.zeros((160, 2), dtype=np.int16), 16_000)
    (folder / "audio").mkdir()
    (folder / "audio" / "q1.wav").write_bytes(sound)
    imported = BENCHMARK.import_folder(folder, "seed")
    assert imported.absent == ("audio/q2.wav",)
    key = keep_import(tmp_path / "keys", imported, replaces=False)
    content = BENCHMARK.content(key)
    assert not content.has_sounds, "an incomplete pack would look complete"
    assert BENCHMARK.render_clip(key, content.items[0].clips[0]) == sound
    with pytest.raises(DataNotHeldError):
        BENCHMARK.render_clip(key, content.items[1].clips[0])
    assert content.items[0].clips[0].startswith("clip-")


def test_score_with_too_few_labels_is_refused(tmp_path: Path) -> None:
    key = BENCHMARK.import_folder(write_folder(tmp_path, ROWS), "seed").key
    broken = type(key)(key.benchmark, key.version, "test", "seed", dict(list(key.answers.items())[:1]), key.questions)
    with pytest.raises(AnswerKeyError):
        BENCHMARK.score(broken, [])


def test_score_with_too_few_step_labels_is_refused(tmp_path: Path) -> None:
    key = BENCHMARK.import_folder(write_folder(tmp_path, ROWS), "seed").key
    answers = dict(key.answers) | {"t1": TraceLabels((False,), (None,), "a bell")}
    broken = type(key)(key.benchmark, key.version, "test", "seed", answers, key.questions)
    with pytest.raises(AnswerKeyError, match="lacks labels for steps of `t1`"):
        BENCHMARK.score(broken, [])


def test_make_key_of_the_organiser_s_version_names_the_required_files() -> None:
    with pytest.raises(DataNotHeldError, match=r"traces\.jsonl, labels\.jsonl"):
        BENCHMARK.make_key("test")
