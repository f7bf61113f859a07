"""Scores of answers to practice questions, whose answers are public: computed here, without a server."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from earshot.data_frames import make_frame
from evaluation.benchmarks import get_benchmark
from evaluation.types import Report, Score
from submissions.model_runs.pack_sources import choose_practice_version
from submissions.model_runs.score_tables import list_practice_answers, score_practice

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class PracticeScores:
    """Scores of a file.

    Attributes:
        benchmark: Benchmark ID.
        version: Benchmark version.
        setting: Setting.
        scores: `slice|metric` → score.
        report: Everything else: missing and unreadable answers, outcomes by item, signature.
    """

    benchmark: str
    version: str
    setting: str
    scores: dict[str, Score]
    report: Report

    def to_pandas(self) -> "pd.DataFrame":
        """Return one row for each score: slice, metric, value (a fraction), n, std, chance.

        Raises:
            ImportError: pandas is not installed.
        """
        chance = get_benchmark(self.benchmark, self.version).chance
        rows = [
            {
                "slice": slice_name,
                "metric": metric,
                "value": score.value,
                "n": score.n,
                "std": score.std,
                "chance": chance.get(f"{slice_name}|{metric}"),
            }
            for slice_name, metric, score in self.report.list_scores()
        ]
        return make_frame(rows, ("slice", "metric", "value", "n", "std", "chance"))

    def answers_to_pandas(self) -> "pd.DataFrame":
        """Return one row for each answer in the file: id, run, part, task, correct (NaN until judged), unreadable.

        Missing answers have no row, so that the answers of a trial can be counted alone.

        Raises:
            ImportError: pandas is not installed.
        """
        benchmark = get_benchmark(self.benchmark, self.version)
        rows = [
            {
                "id": answer.item.id,
                "run": answer.run,
                "part": answer.item.part,
                "task": answer.item.task,
                "correct": answer.correct,
                "unreadable": answer.unreadable,
            }
            for answer in list_practice_answers(self.report, benchmark)
        ]
        return make_frame(rows, ("id", "run", "part", "task", "correct", "unreadable"))


def score(
    path: str | Path,
    *,
    benchmark: str,
    version: str | None = None,
    setting: str | None = None,
    allow_missing: bool = False,
) -> PracticeScores:
    """Score a file of answers to the practice questions.

    Args:
        path: Prediction file.
        benchmark: Benchmark ID.
        version: Version; the first with practice questions by default.
        setting: Setting; the benchmark's default by default.
        allow_missing: Count missing answers as wrong instead of refusing the file.

    Raises:
        PredictionFileError: The file cannot be scored; `problems` says why, with lines and IDs.
        ModelRunError: There is no such version, or it has no practice questions.
        UnknownBenchmarkError: There is no such benchmark.
        SettingError: There is no such setting.
    """
    chosen = choose_practice_version(benchmark, version)
    setting = setting or chosen.settings[0]
    chosen.check_setting(setting)
    report = score_practice(Path(path), chosen, setting, allow_missing=allow_missing)
    scores = {f"{slice_name}|{metric}": score for slice_name, metric, score in report.list_scores()}
    return PracticeScores(chosen.id, chosen.version, setting, scores, report)
