"""AudioProcessBench: verdicts on the steps of reasoning traces about a recording.

Source: "AudioProcessBench: Benchmark for Identifying Process Errors in Audio-Grounded Reasoning" (Zhao, Yan, Shen,
Wang, Jiang, Fong, Xu, Liu, Dwyer, Ge). The measures follow the paper; the formulas are in
`evaluation/metrics/process/`. Details that both leave open are fixed here and in the sibling modules:

* The organiser's files, and requirements for erroneous steps: `importer.py`. Unparsed and missing answers:
  `trace_verdicts.py`. Prompts: `prompts.py`.
* An item is a trace, under the organiser's ID; its cluster is its recording. There is one run.
* Critics do not see the right answer or the generator; they see the final answer if the steps contain it.
* `scores` determine AUROC, BoN and MV; verdicts determine everything else. Without scores, a verdict counts as 1 or 0.
* Winning chains and answers are compared to 10 decimals; closer values are ties, and ties share the credit.
* A question with a single trace is a group too; no critic can win or lose there.
* `Outcomes.correct` is the share of a trace's steps that are judged correctly. None of the benchmark's own scores is a
  mean over traces (AEI and FEI are harmonic means over all of them, BoN and MV scores of groups); this share is a
  trace's contribution to plain step accuracy, on which two critics can be compared trace by trace. In `step_verdicts`
  and `step_scores` a missing trace is unflagged with score 0, not the worst answer, which would reveal the truth.
* A critic's own traces are those whose generator has its name, ignoring case, spacing, punctuation and the organisation
  before a slash; without such traces the self-critique gap is undefined.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks.audio_process_bench.abilities import ABILITIES
from evaluation.benchmarks.audio_process_bench.board import HEADLINE, METRICS, SETTING_GAPS, build_columns
from evaluation.benchmarks.audio_process_bench.charts import build_charts
from evaluation.benchmarks.audio_process_bench.definitions import DEFINITIONS
from evaluation.benchmarks.audio_process_bench.generators import GENERATORS, SOURCES
from evaluation.benchmarks.audio_process_bench.importer import LABELS, TABLE, TRACES, Importer
from evaluation.benchmarks.audio_process_bench.prompts import FEW_SHOT, STEPS, ZERO_SHOT, build_prompt, number_steps
from evaluation.benchmarks.audio_process_bench.random_baseline import chance_of_paper
from evaluation.benchmarks.audio_process_bench.resampling import find_formula, find_own_formula, score_traces
from evaluation.benchmarks.audio_process_bench.slices import keep_back, score_slices
from evaluation.benchmarks.audio_process_bench.trace_arrays import TraceArrays, layout, traces_of_critic
from evaluation.benchmarks.audio_process_bench.trace_verdicts import Sheet, StatedVerdicts, fill_missing, share_right
from evaluation.benchmarks.collecting import collect_answers
from evaluation.benchmarks.column_specs import Column, Part
from evaluation.benchmarks.coverage import judge_coverage
from evaluation.benchmarks.imported import Imported
from evaluation.benchmarks.introduction import Paper
from evaluation.benchmarks.official import OfficialBenchmark, clip_name, find_sounds
from evaluation.errors import ImportProblemsError
from evaluation.statistics import ScoreFormula
from evaluation.types import ABSENT, Item, Outcomes, Prediction, Report, Run

PART = "traces"
PAPER = "1.0"  # The paper's counts and scores are for this version.


class AudioProcessBench(OfficialBenchmark):
    """The benchmark with imported traces; `synthetic/` generates its own."""

    id = "audio-process-bench"
    metric_version = "2"
    title = "AudioProcessBench"
    summary = (
        "Which step of the reasoning is wrong? The model checks 3,872 step-by-step explanations of recordings, written "
        "by other models."
    )
    licence = "CC-BY-NC-4.0"
    paper = Paper(
        "AudioProcessBench: Benchmark for Identifying Process Errors in Audio-Grounded Reasoning",
        (
            "Xiangyu Zhao",
            "Junyu Yan",
            "Yaling Shen",
            "Zimu Wang",
            "Yiwen Jiang",
            "Stephanie Fong",
            "Qingyang Xu",
            "Jiahe Liu",
            "Dominic Dwyer",
            "Zongyuan Ge",
        ),
        "https://arxiv.org/abs/2606.09925",
        2026,
    )
    citation = (
        "@misc{audioprocessbench,\n"
        "  title = {{AudioProcessBench}: Benchmark for Identifying Process Errors in Audio-Grounded Reasoning},\n"
        "  author = {Zhao, Xiangyu and Yan, Junyu and Shen, Yaling and Wang, Zimu and Jiang, Yiwen and Fong, Stephanie "
        "and Xu, Qingyang and Liu, Jiahe and Dwyer, Dominic and Ge, Zongyuan},\n"
        "  year = {2026},\n"
        "  eprint = {2606.09925},\n"
        "  archiveprefix = {arXiv},\n"
        "  url = {https://arxiv.org/abs/2606.09925}\n"
        "}"
    )
    settings = (FEW_SHOT, ZERO_SHOT)
    parts = (Part(PART, "Reasoning traces"),)
    metrics = METRICS
    headline = HEADLINE
    abilities = ABILITIES
    definitions = DEFINITIONS
    setting_gaps = SETTING_GAPS
    charts = build_charts(GENERATORS, SOURCES)
    example_line = '{"id": "…", "erroneous": [false, true, false], "scores": [0.1, 0.9, 0.2]}'
    n_runs = 1
    paper_items = TABLE["traces"]
    official_files = f"{TRACES}, {LABELS} and the recordings"

    @property
    def columns(self) -> Sequence[Column]:
        """Headline, Step, Type, Chain, then everything else in groups."""
        return _columns()

    @property
    def chance(self) -> Mapping[str, float]:
        """Expected scores of a critic that flags two steps in three at random."""
        return chance_of_paper()

    @property
    def packed_settings(self) -> tuple[str, ...]:
        """Both settings, because their prompts differ."""
        return self.settings

    def import_folder(self, folder: Path, seed: str) -> Imported:
        """Read traces, labels and recordings from an organiser's folder (see `importer.py`)."""
        read = Importer(folder)
        if read.problems:
            raise ImportProblemsError(read.problems)
        key = AnswerKey(self.id, self.version, "test", seed, read.answers, tuple(read.questions.values()))
        sounds, absent = find_sounds(folder, self.sound_paths(key), seed)
        return Imported(key, sounds, absent, read.count(is_paper=self.version == PAPER), read.repaired)

    def items_of(self, key: AnswerKey) -> tuple[Item, ...]:
        """Return one item per trace, in the order of the questions."""
        return tuple(_item(question, key.seed) for question in self.questions_of(key))

    def list_paths(self, question: Mapping[str, Any]) -> Sequence[str]:
        """Return the path of a trace's recording."""
        return (question["audio"],)

    def run(self, item: Item, number: int, setting: str) -> Run:
        """Return the single presentation of a trace: recording, question, steps and answer instructions."""
        self.check_setting(setting)
        return Run(item.id, number, setting, item.task, build_prompt(item, setting), item.options, item.answer_format)

    def score(
        self,
        key: AnswerKey,
        predictions: Iterable[Prediction],
        *,
        setting: str | None = None,
        system: str | None = None,
    ) -> Report:
        """Score a critic's verdicts. Traces without verdicts count as the worst answer (see `trace_verdicts.py`).

        Args:
            key: The answer key.
            predictions: Predictions with validated IDs.
            setting: Setting of the predictions.
            system: Name of the critic's model, for finding the traces that it generated itself.

        Raises:
            StepVerdictError: A list of verdicts or scores does not fit its trace.
        """
        setting = self.begin_scoring(key, setting)
        items = self.content(key).items
        sheet = Sheet(items)
        collected = collect_answers(items, predictions, sheet.read, (PART,), runs_are_seeds=False)
        table = _layout(self, key)
        verdicts = sheet.collect_verdicts()
        judged = fill_missing(verdicts, collected.choices[:, 0], table)
        own = traces_of_critic(table, system)
        scores = score_slices(judged, table, own) if collected.parts else {}
        if self.answers_are_secret:
            scores = keep_back(scores, judge_coverage(collected.choices, items, is_secret=key.is_secret))
        outcomes = _outcomes(items, collected.choices, verdicts, share_right(judged, table))
        signature = self.sign(key, setting=setting, runs=collected.runs)
        return collected.report(scores, outcomes, signature)

    def find_formula(self, key: AnswerKey, slice_name: str, metric: str) -> ScoreFormula | None:
        """Return how a score is computed from trace scores."""
        return find_formula(_layout(self, key), slice_name, metric)

    def find_own_formula(self, key: AnswerKey, slice_name: str, metric: str, system: str) -> ScoreFormula | None:
        """Return how a model's generation accuracy is computed from the traces that it wrote."""
        return find_own_formula(_layout(self, key), slice_name, metric, system)

    def score_items(self, key: AnswerKey, outcomes: Outcomes, score: str) -> NDArray[np.float64]:
        """Return a score for every trace."""
        return score_traces(_layout(self, key), outcomes, score)


def _item(question: Mapping[str, Any], seed: str) -> Item:
    return Item(
        id=question["id"],
        part=PART,
        task="step",
        question=question["question"],
        answer_format="steps",
        options=tuple(question["options"]),
        runs=(0,),
        clips=(clip_name(seed, question["audio"]),),
        n_steps=len(question["steps"]),
        context={STEPS: number_steps(question["steps"])},
    )


def _outcomes(
    items: Sequence[Item], choices: NDArray[np.int16], verdicts: StatedVerdicts, share: NDArray[np.float32]
) -> Outcomes:
    correct = np.where(choices == ABSENT, np.nan, share[:, None]).astype(np.float32)
    return Outcomes(
        item_ids=tuple(item.id for item in items),
        correct=correct,
        choices=choices,
        step_verdicts=verdicts.flagged.astype(np.int8),
        step_scores=verdicts.scores.astype(np.float16),
    )


@lru_cache(maxsize=8)
def _layout(benchmark: AudioProcessBench, key: AnswerKey) -> TraceArrays:
    return layout(key, benchmark.questions_of(key))


@lru_cache(maxsize=1)
def _columns() -> tuple[Column, ...]:
    return build_columns(GENERATORS, SOURCES)
