"""Calibration of a judge against humans: statistics checked by hand and by plain loops, input file, command."""

import asyncio
import csv
import json
import math
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from evaluation import __main__ as evaluation_command
from evaluation.judge import MAX_WITHOUT_VERDICT, Judge, MemoryCache
from evaluation.judge.__main__ import main
from evaluation.judge.agreement import error_spread, length_effect, mean_bias, quadratic_weighted_kappa
from evaluation.judge.calibration import calibrate, show_report
from evaluation.judge.rated import SHIPPED, read_rated
from tests.support.judges.judge_server import JudgeServer, serve_judge
from tests.support.judges.judge_texts import PARAPHRASES, SCENES, paraphrase
from tests.support.judges.scripted_judge import HONEST, Part, ScriptedClient


def kappa_by_loops(one: Sequence[int], other: Sequence[int]) -> float:
    n = len(one)
    observed = sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) / n
    expected = sum((a - b) ** 2 for a in one for b in other) / n**2
    return 1 - observed / expected


def test_kappa_of_known_ratings(subtests: pytest.Subtests) -> None:
    rows: list[tuple[list[float], list[float], float | None]] = [
        ([0, 5, 10], [0, 5, 10], 1.0),
        ([0, 10], [10, 0], -1.0),
        # Observed (0 + 1 + 1 + 0) / 4, expected (0 + 0 + 4 + 9 + 2·(1 + 1 + 1 + 4) + 9 + 9 + 1 + 0) / 16.
        ([1, 2, 2, 4], [1, 1, 3, 4], 1 - (2 / 4) / (46 / 16)),
        ([4.4, 4.5], [4, 5], 1.0),
        ([3, 3], [3, 3], None),
        ([], [], None),
    ]
    for one, other, expected in rows:
        with subtests.test(one=one, other=other, expected=expected):
            found = quadratic_weighted_kappa(one, other)
            assert found == (None if expected is None else pytest.approx(expected))


def test_kappa_equals_plain_loops_and_does_not_depend_on_order() -> None:
    rng = random.Random(3)
    for _ in range(30):
        one = [rng.randrange(11) for _ in range(25)]
        other = [min(10, max(0, level + rng.randrange(-3, 4))) for level in one]
        found = quadratic_weighted_kappa(one, other)
        assert found == pytest.approx(kappa_by_loops(one, other))
        assert quadratic_weighted_kappa(other[::-1], one[::-1]) == pytest.approx(found)


@pytest.mark.parametrize("points", [-0.1, 10.1, math.nan])
def test_kappa_of_points_out_of_range_is_refused(points: float) -> None:
    with pytest.raises(ValueError, match=r"must be from 0 to 10|cannot convert float NaN"):
        quadratic_weighted_kappa([points], [1])


def test_bias_spread_and_length_effect_of_a_hand_made_case() -> None:
    judged, human = [5.0, 6.0, 8.0], [4.0, 6.0, 5.0]
    assert mean_bias(judged, human) == pytest.approx(4 / 3)
    assert error_spread(judged, human) == pytest.approx(math.sqrt(7 / 3))
    # Differences 1, 0, 3 over logarithms 1, 2, 3: slope (−1·1 + 0·0 + 1·3) / 2.
    assert length_effect(judged, human, [2, 4, 8]) == pytest.approx(1.0)
    assert length_effect(judged, human, [4, 4, 4]) is None
    assert (mean_bias([], []), error_spread([1], [1]), length_effect([1], [1], [1])) == (None, None, None)


def test_shipped_set_is_chinese_and_holds_each_kind_for_each_question() -> None:
    rated = read_rated(SHIPPED)
    kinds = {row.kind: row.score for row in rated}
    assert set(kinds) == {"right", "half-right", "fluent-wrong", "empty", "hostile"}
    assert len({row.question.question for row in rated}) * len(kinds) == len(rated) == 30
    assert all(any("\u4e00" <= letter <= "\u9fff" for letter in row.question.question) for row in rated)
    assert {row.origin for row in rated} == {"constructed"}, "no people scored them"
    longer = [(row.answer, other.answer) for row in rated for other in rated if row.kind == "fluent-wrong"]
    assert any(len(wrong) > len(right) for wrong, right in longer), "length must not tell what is right"


def made_rows() -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for scene, texts in SCENES.items():
        facts = PARAPHRASES["zh"][scene]
        answers = {
            "right": (paraphrase("zh", scene, 1), 10),
            "half-right": (f"{facts[0][1]}。", 4),
            "wrong": ("有人在操场上跑步，旁边的狗在叫。", 0),
            "empty": ("", 0),
        }
        for kind, (answer, human) in answers.items():
            row = {"id": f"{scene}-{kind}", "kind": kind, "answer": answer, "human": human}
            rows.append(row | {"question": texts["question"], "reference": texts["reference"]})
    return rows


def write(path: Path, rows: Sequence[object]) -> Path:
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return path


def test_calibration_of_an_honest_judge_finds_its_agreement(tmp_path: Path) -> None:
    rated = read_rated(write(tmp_path / "rated.jsonl", made_rows()))
    report = asyncio.run(calibrate(Judge(ScriptedClient(HONEST), MemoryCache()), rated, 1))
    assert (report.n, report.n_errors, report.position_effect) == (12, 0, 0)
    assert report.kappa == pytest.approx(kappa_by_loops([10, 3, 0, 0] * 3, [10, 4, 0, 0] * 3))
    assert report.bias == pytest.approx(-(2 / 3) / 4)
    assert report.kinds["half-right"].judge == pytest.approx(10 / 3)
    assert "quadratic-weighted κ           0.99" in show_report(report)


def test_calibration_of_a_judge_that_favours_the_first_finds_it(tmp_path: Path) -> None:
    class FirstFirst(Part):
        def verdict(self, asked: object) -> dict[str, object]:
            sides = super().verdict(asked)  # type: ignore[arg-type]
            sides["assistant_2"]["score"] *= 0.8
            return sides

    rated = read_rated(write(tmp_path / "rated.jsonl", [row for row in made_rows() if row["kind"] == "half-right"]))
    report = asyncio.run(calibrate(Judge(ScriptedClient(FirstFirst()), MemoryCache()), rated, 1))
    assert report.position_effect == pytest.approx(10 / 3 / 0.8 - 10 / 3 * 0.8)


def test_answer_without_a_verdict_is_excluded_from_all_statistics(tmp_path: Path) -> None:
    class Silent(ScriptedClient):
        async def ask(self, *_: object) -> str:
            return "no"

    rated = read_rated(write(tmp_path / "rated.jsonl", made_rows()))
    report = asyncio.run(calibrate(Judge(Silent(HONEST), MemoryCache()), rated, 1))
    assert (report.n, report.n_errors, report.kappa, report.bias) == (3, 9, None, 0), "blank answers are known to be 0"
    assert report.kinds["right"].judge is None
    assert "9 more without a verdict" in show_report(report)


def test_report_states_whether_humans_gave_the_scores(tmp_path: Path) -> None:
    judge = Judge(ScriptedClient(HONEST), MemoryCache())
    constructed = [{**row, "expected": row["human"]} for row in made_rows()]
    for row in constructed:
        del row["human"]
    rows: list[tuple[list[dict[str, object]], str, str, str]] = [
        (made_rows(), "people", "agreement with human scores of the same answers", "bias (judge − human)"),
        (constructed, "constructed", "agreement with constructed scores (not human scores)", "bias (judge − given)"),
    ]
    for written, origin, words, bias in rows:
        report = asyncio.run(calibrate(judge, read_rated(write(tmp_path / "rated.jsonl", written)), 1))
        shown = show_report(report)
        assert (report.scores_by, json.loads(report.as_json())["scores_by"]) == (origin, origin)
        assert words in shown
        assert bias in shown


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    monkeypatch.setenv("EARSHOT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("EARSHOT_JUDGE_MODEL", "judge-1")
    monkeypatch.setenv("EARSHOT_JUDGE_API_KEY", "sk-own")
    return monkeypatch


def test_command_prints_a_table_and_writes_the_report(
    judged: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path / "rated.jsonl", made_rows())
    with serve_judge(JudgeServer()) as server:
        judged.setenv("EARSHOT_JUDGE_BASE_URL", server.url)
        assert main(["calibrate", str(file)]) == 0
        assert main(["calibrate", str(file), "--json", "--out", str(tmp_path / "report.json")]) == 0
    said = capsys.readouterr()
    kept = json.loads((tmp_path / "data" / "judge-calibration.json").read_text(encoding="utf-8"))
    assert kept == json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (kept["n"], round(kept["kappa"], 2)) == (12, 0.99)
    assert kept["judge"].startswith("judge-1-")
    assert "18 calls, 2,160 tokens" in said.err
    assert "sk-own" not in said.out + said.err + json.dumps(kept)
    assert server.headers[0]["authorization"] == "Bearer sk-own"


def test_command_that_exceeds_the_allowance_says_when_it_resumes(
    judged: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve_judge(JudgeServer()) as server:
        judged.setenv("EARSHOT_JUDGE_BASE_URL", server.url)
        judged.setenv("EARSHOT_JUDGE_MAX_CALLS_PER_DAY", "3")
        assert main(["calibrate"]) == 1
    assert "Judging resumes tomorrow" in capsys.readouterr().err
    assert len(server.requests) == 3


def test_command_stops_after_20_replies_without_a_verdict_with_one_message(
    judged: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve_judge(JudgeServer(say=lambda _verdict: "A fine answer!")) as server:
        judged.setenv("EARSHOT_JUDGE_BASE_URL", server.url)
        judged.setenv("EARSHOT_JUDGE_CONCURRENCY", "1")
        assert main(["calibrate"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        "Error: The judge's last 20 replies contain no verdict. Last reason: The judge's reply has no JSON object with "
        "the code of its message.\n"
    )
    assert len(server.requests) == MAX_WITHOUT_VERDICT
    assert not (tmp_path / "data" / "judge-calibration.json").exists(), "an earlier report stays"


def test_command_without_any_verdict_writes_no_report(
    judged: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path / "rated.jsonl", made_rows()[:1])
    with serve_judge(JudgeServer(say=lambda _verdict: "no")) as server:
        judged.setenv("EARSHOT_JUDGE_BASE_URL", server.url)
        assert main(["calibrate", str(file)]) == 1
    assert "The judge gave no verdict on any answer" in capsys.readouterr().err
    assert not (tmp_path / "data" / "judge-calibration.json").exists()


def test_command_reads_human_scores_from_csv(
    judged: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "people.csv"
    with file.open("w", encoding="utf-8-sig", newline="") as out:
        writer = csv.DictWriter(out, fieldnames=list(made_rows()[0]))
        writer.writeheader()
        writer.writerows(made_rows())
    with serve_judge(JudgeServer()) as server:
        judged.setenv("EARSHOT_JUDGE_BASE_URL", server.url)
        assert main(["calibrate", str(file)]) == 0
    said = capsys.readouterr().out
    assert "agreement with human scores of the same answers" in said
    assert "quadratic-weighted κ           0.99" in said


def test_command_without_a_judge_names_the_settings(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("BASE_URL", "MODEL", "API_KEY"):
        monkeypatch.delenv(f"EARSHOT_JUDGE_{name}", raising=False)
    assert evaluation_command.main(["judge", "calibrate"]) == 2
    assert capfd.readouterr().err.startswith("Error: No judge is configured. Set EARSHOT_JUDGE_BASE_URL and")
