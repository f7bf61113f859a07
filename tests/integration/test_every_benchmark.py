"""End-to-end run of every registered benchmark: key, pack, submission, scoring, board.

New benchmarks are covered as soon as they are registered.
"""

import io
import json
import math
import random
import zipfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from db.records import NewModel
from db.repositories import boards, users
from db.repositories.boards import PageQuery
from db.session import Database
from evaluation import Benchmark, Report, all_benchmarks
from evaluation.answer_keys import AnswerKey, TraceLabels, save_key
from evaluation.packs import all_runs, example_predictions, question, write_pack
from evaluation.predictions import catalogue_of, read_checked_predictions
from evaluation.statistics import Clusters, has_interval
from submissions.accounts.credentials import Accounts
from submissions.errors import ClosedVersionError
from submissions.intake.artifacts import ArtifactStore
from submissions.intake.submission_limits import NO_LIMITS
from submissions.jobs.queue import SubmissionQueue
from submissions.jobs.registration import ensure_key, load_published, register_all
from submissions.scoring.evaluator import Evaluator
from submissions.service import Request, SubmissionService, board_of
from tests.support.servers.shared_splits import make_shared_catalogues

MADE_HERE = [benchmark for benchmark in all_benchmarks() if benchmark.made_parts]
BROUGHT = [benchmark for benchmark in all_benchmarks() if not benchmark.made_parts]
NOW = datetime(2026, 1, 1, tzinfo=UTC)
# Number of scored guesses per benchmark: complete files of different seeds, at least two.
N_GUESSES = 6_000
MIN_SEEDS, MAX_SEEDS = 2, 20


def name_of(benchmark: Benchmark) -> str:
    return f"{benchmark.id}-{benchmark.version}"


each = pytest.mark.parametrize("benchmark", MADE_HERE, ids=name_of)
# AudioMotionBench's pack of 672 clips is written and searched in test_pack_of_test.py.
each_small = pytest.mark.parametrize(
    "benchmark", [benchmark for benchmark in MADE_HERE if benchmark.id != "audio-motion-bench"], ids=name_of
)


class Installation:
    """Database, keys, uploads, service and evaluator over one folder.

    The keys follow from fixed seeds. Of fresh keys of the synthetic set, one in twenty-five has so few clips with some
    fault that the headline figure has no interval.
    """

    def __init__(self, folder: Path) -> None:
        self.keys = folder / "keys"
        self.database = Database(f"sqlite:///{folder}/earshot.db")
        self.database.upgrade()
        store = ArtifactStore(str(folder / "artifacts"), folder / "incoming")
        self.catalogues = make_shared_catalogues(self.database)
        self.service = SubmissionService(
            self.database, store, self.catalogues, Accounts(self.database, ()), 100_000_000, NO_LIMITS
        )
        self.evaluator = Evaluator(self.database, SubmissionQueue(self.database, "test"), store, self.keys)
        for benchmark in MADE_HERE:
            save_key(self.keys, benchmark.make_key("test", "a" * 64))
        register_all(self.database, self.keys)
        with self.database.write() as transaction:
            self.owner = users.get_or_add_user(transaction, "ada", NOW)
        self._guessed: dict[str, tuple[list[dict[str, Any]], Report]] = {}

    def key(self, benchmark: Benchmark) -> AnswerKey:
        key = ensure_key(self.keys, benchmark)
        assert key is not None
        return key

    def guess(self, benchmark: Benchmark) -> tuple[list[dict[str, Any]], Report]:
        """Return a file of guesses and its scores, computed once."""
        name = name_of(benchmark)
        if name not in self._guessed:
            key = self.key(benchmark)
            rows = guesses(benchmark, key)
            self._guessed[name] = rows, score(benchmark, key, rows)
        return self._guessed[name]


@pytest.fixture(scope="module")
def with_papers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """Installation with published rows."""
    here = Installation(tmp_path_factory.mktemp("with-papers"))
    with closing(here.database):
        load_published(here.database)
        yield here


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    here = Installation(tmp_path_factory.mktemp("installation"))
    with closing(here.database):
        yield here


def guesses(benchmark: Benchmark, key: AnswerKey, seed: str = "guesses") -> list[dict[str, Any]]:
    """Return a guess for every run, except open answers, which would need a judge."""
    content = benchmark.content(key)
    unjudged = {item.id for item in content.items if item.answer_format != "text"}
    return [row for row in example_predictions(content, seed) if row["id"] in unjudged]


def to_file(rows: list[dict[str, Any]]) -> io.BytesIO:
    return io.BytesIO("".join(json.dumps(row) + "\n" for row in rows).encode())


def score(benchmark: Benchmark, key: AnswerKey, rows: list[dict[str, Any]], *, allow_missing: bool = False) -> Report:
    known = catalogue_of(benchmark, key, benchmark.settings[0])
    return benchmark.score(key, read_checked_predictions(to_file(rows), known, allow_missing=allow_missing))


def scores_of(benchmark: Benchmark, report: Report) -> dict[str, tuple[float | None, int, float | None]]:
    shown = benchmark.disclose(report)
    return {f"{name}|{metric}": (figure.value, figure.n, figure.std) for name, metric, figure in shown}


@each_small
def test_pack_has_a_question_per_run_and_its_example_file_is_accepted(
    benchmark: Benchmark, installation: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = installation.key(benchmark)
    content = benchmark.content(key)
    render, shown = benchmark.render_clip, 0
    # One clip in a hundred is rendered; tests of the benchmarks cover all of them.
    rendered = {clip: render(key, clip) for clip in content.clips[::100]}
    monkeypatch.setattr(type(benchmark), "render_clip", lambda _self, _key, clip: rendered.get(clip, b"RIFF"))

    def stop_early(done: int, _total: int) -> None:
        nonlocal shown
        shown = done

    write_pack(benchmark, key, tmp_path / "pack.zip", stop_early)
    with zipfile.ZipFile(tmp_path / "pack.zip") as archive:
        names = set(archive.namelist())
        lines = [json.loads(line) for line in archive.read("questions.jsonl").splitlines()]
        example = archive.read("example.jsonl")
        described = json.loads(archive.read("pack.json"))
    assert shown == len(content.clips) == described["clips"]
    assert "answers.jsonl" not in names
    assert lines == [json.loads(json.dumps(question(run))) for run in all_runs(benchmark, content)]
    heard = {part["path"] for line in lines for part in line["prompt"] if part["type"] == "audio"}
    assert heard <= names
    verdict = installation.service.validate(
        benchmark, benchmark.settings[0], io.BytesIO(example), None, allow_missing=False
    )
    assert verdict.ok, verdict.problems
    assert verdict.predictions == verdict.expected == sum(len(item.runs) for item in content.items)


@each
def test_submission_is_scored_and_on_its_board_with_the_scores_of_the_library(
    benchmark: Benchmark, installation: Installation
) -> None:
    key = installation.key(benchmark)
    rows, report = installation.guess(benchmark)
    request = Request(benchmark, benchmark.settings[0], NewModel(name="Guess"), publish=True)
    sent = installation.service.submit(installation.owner, request, to_file(rows))
    assert installation.evaluator.run_next()
    installation.evaluator.refresh_stale_boards()
    status = installation.service.status(sent.id, installation.owner)
    assert status.submission.state == "scored", status.submission.reason
    assert {f"{s.slice}|{s.metric}": (s.value, s.n, s.std) for s in status.scores} == scores_of(benchmark, report)
    assert status.evaluation is not None
    assert status.evaluation.signature == str(report.signature)
    figure = best_figure(benchmark)
    query = PageQuery(sort=figure, descending=True, limit=50)
    with installation.database.read() as transaction:
        (row,) = boards.read_page(transaction, board_of(sent), query, [figure]).rows
    assert row.standings[figure].value == scores_of(benchmark, report)[figure][0]
    assert row.standings[figure].rank == 1
    # Headline scores of demonstration sets rest on too few recordings.
    column = next(column for column in benchmark.columns if column.key == figure)
    made_of = benchmark.find_formula(key, column.slice, column.metric)
    is_sure = made_of is not None and has_interval(made_of, Clusters.of(benchmark.cluster_items(key)))
    sure = row.standings[figure].low, row.standings[figure].high, row.standings[figure].rank_high
    assert (None not in sure) == is_sure == (benchmark.version in ("1.0", "synthetic-3")), sure


@each
def test_faults_are_reported_in_the_terms_of_the_benchmark(benchmark: Benchmark, installation: Installation) -> None:
    item = benchmark.content(installation.key(benchmark)).items[0]
    run = item.runs[0]
    good = {"id": item.id, "run": run, "response": "A"}
    n_verdicts = (item.n_steps or 0) + 1
    rows = [good, good | {"id": f"{item.id}-"}, good | {"run": 99}, good]
    rows.append({"id": item.id, "run": item.runs[-1], "erroneous": [True] * n_verdicts})
    setting = benchmark.settings[0]
    found = installation.service.validate(benchmark, setting, to_file(rows), None, allow_missing=True)
    form = f"`{item.id}` needs a `response`, not `erroneous`, because it has no steps."
    if item.n_steps is not None:
        form = f"`{item.id}` has {item.n_steps} steps, but {n_verdicts} verdicts. Give one verdict per step, in order."
    again = f"run {run} of `{item.id}` was already answered (line 1). Keep one."
    assert [problem.message for problem in found.problems] == [
        f"Line 2: id `{item.id}-` is not in {benchmark.title} {benchmark.version}. Did you mean `{item.id}`? "
        "Copy the ids from questions.jsonl.",
        f"Line 3: run 99 of `{item.id}` does not exist. Its runs are {', '.join(map(str, item.runs))}.",
        f"Line 4: {again}",
        f"Line 5: {form if len(item.runs) > 1 else again}",
    ]


@each
def test_guesses_of_many_seeds_are_at_chance(benchmark: Benchmark, installation: Installation, soak: bool) -> None:
    """The mean over seeds of every score with a random baseline is within five standard errors of it."""
    key = installation.key(benchmark)
    n_seeds = min(max(MIN_SEEDS, N_GUESSES // len(guesses(benchmark, key))), MAX_SEEDS) * (20 if soak else 1)
    found: dict[str, list[float]] = {}
    sizes: dict[str, int] = {}
    for seed in range(n_seeds):
        for name, (value, n, _) in scores_of(
            benchmark, score(benchmark, key, guesses(benchmark, key, f"seed {seed}"))
        ).items():
            if value is not None:
                found.setdefault(name, []).append(value)
                sizes[name] = min(n, count_clean_traces(key)) if name.endswith("|fei") else n
    told = {name: chance for name, chance in benchmark.chance.items() if name in found}
    assert best_figure(benchmark) in told
    for name, chance in told.items():
        values = found[name]
        # The observed error, and at least that of independent answers to as many items.
        spread = max(_deviation(values), math.sqrt(chance * (1 - chance) / sizes[name]))
        assert abs(sum(values) / len(values) - chance) <= 5 * spread / math.sqrt(len(values)), name


def count_clean_traces(key: AnswerKey) -> int:
    """Return the number of traces without an error: FEI is a harmonic mean, and this is its rarer part."""
    return sum(not any(labels.erroneous) for labels in key.answers.values() if isinstance(labels, TraceLabels))


def best_figure(benchmark: Benchmark) -> str:
    """Return the headline, or the score of the generated part if the other questions are not installed."""
    if len(benchmark.made_parts) == len(benchmark.parts):
        return benchmark.headline.key
    (part,) = benchmark.made_parts
    return f"{part}|{benchmark.headline.metric}"


def _deviation(values: list[float]) -> float:
    if len(values) == 1:
        return 0.0
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))


@each
def test_order_of_a_file_changes_no_score(benchmark: Benchmark, installation: Installation) -> None:
    key = installation.key(benchmark)
    rows, report = installation.guess(benchmark)
    shuffled = random.Random(3).sample(rows, len(rows))
    assert scores_of(benchmark, score(benchmark, key, shuffled)) == scores_of(benchmark, report)


@each
def test_missing_answers_are_counted_and_never_raise_the_headline(
    benchmark: Benchmark, installation: Installation
) -> None:
    key = installation.key(benchmark)
    rows, whole = installation.guess(benchmark)
    partial = score(benchmark, key, rows[::2], allow_missing=True)
    assert (partial.expected, partial.missing) == (whole.expected, len(rows) - len(rows[::2]))
    headline = best_figure(benchmark)
    after, before = (scores_of(benchmark, one).get(headline, (None,))[0] for one in (partial, whole))
    assert after is None or (before is not None and after <= before)


@each
def test_every_score_has_a_column_or_a_metric_that_explains_it(
    benchmark: Benchmark, installation: Installation
) -> None:
    _, report = installation.guess(benchmark)
    metrics = {metric.id for metric in benchmark.metrics}
    assert {metric for _, metric, _ in report.list_scores()} <= metrics
    assert {column.metric for column in benchmark.columns} <= metrics
    assert benchmark.columns[0].key == benchmark.headline.key
    assert all(
        0 <= figure.value <= 1
        for _, metric, figure in report.list_scores()
        if figure.value is not None and not (metric.endswith("gap") or metric == "position_effect")
    )


@pytest.mark.parametrize("benchmark", BROUGHT, ids=name_of)
def test_benchmark_without_questions_names_the_open_version_and_shows_published_rows(
    benchmark: Benchmark, with_papers: Installation
) -> None:
    with pytest.raises(ClosedVersionError, match=r"is not open for submissions\. Submit to .+ instead\.$"):
        with_papers.service.validate(benchmark, benchmark.settings[0], io.BytesIO(b"{}"), None, allow_missing=False)
    with_papers.evaluator.refresh_stale_boards()
    with with_papers.database.read() as transaction:
        board = boards.BoardKey(benchmark.id, benchmark.version, benchmark.settings[0])
        query = PageQuery(sort=benchmark.headline.key, descending=True, limit=100)
        rows = boards.read_page(transaction, board, query, [benchmark.headline.key]).rows
    assert {row.submission.source for row in rows} >= {"reported", "random"}
    placed = [row.standings[benchmark.headline.key].rank for row in rows if row.submission.source == "reported"]
    assert 1 in placed
    assert None not in placed
