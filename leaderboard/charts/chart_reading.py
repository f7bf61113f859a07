"""Reader of chart data: rows of a board with their scores, human baselines, and models under several settings.

It reads public rows only, so it needs no current user.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from db.records import BoardRow
from db.repositories import boards, charting
from db.repositories.boards import BoardKey, BoardTag, PageQuery
from db.repositories.charting import SettingRow
from db.session import Database, Transaction
from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.chart_specs import Chart, SettingsChart, list_keys
from leaderboard.charts.chart_data import ChartEntry, SettingsComparison, make_entry
from leaderboard.charts.setting_sides import pair_sides
from leaderboard.pages.shared.tab_addresses import read_address
from submissions.ranking.best_rows import list_by_leads
from submissions.ranking.standings import read_rankings

_ROWS = 200
MAX_LINES = 8
_MAX_SETTING_ROWS = 400
_WORDS = ("version", "setting", "models", "map")


class Choice(NamedTuple):
    """Selection of charts in an address.

    Attributes:
        benchmark: Benchmark version of the board.
        setting: Setting of the board.
        models: Rows in the charts of several systems.
        one: Row in the charts of a single system.
    """

    benchmark: Benchmark
    setting: str
    models: tuple[str, ...]
    one: str | None


def read_choice(address: str | None, versions: Sequence[Benchmark]) -> Choice:
    """Return the selection in an address; missing and unknown values get their defaults."""
    words = read_address(address, _WORDS)
    benchmark = next((one for one in versions if one.version == words.get("version")), versions[0])
    setting = words.get("setting", "")
    models = tuple(one for one in words.get("models", "").split(",") if one)[:MAX_LINES]
    known = setting if setting in benchmark.settings else benchmark.settings[0]
    return Choice(benchmark, known, models, words.get("map"))


class ChartBoard(NamedTuple):
    """The rows of a board that charts may show.

    Attributes:
        benchmark: Benchmark and version.
        setting: The board's setting.
        rows: Systems, best first; reference systems last.
        people: Human baselines.
        state: Changes whenever this board, or the same version's board of another setting, changes.
    """

    benchmark: Benchmark
    setting: str
    rows: list[BoardRow]
    people: list[BoardRow]
    state: tuple[BoardTag, ...]

    @property
    def choices(self) -> list[tuple[str, str]]:
        """Choices for the visitor: label and submission id."""
        return [(make_entry(row, ()).label, row.submission.id) for row in self.rows]

    def filter_known(self, wanted: Iterable[object]) -> list[str]:
        """Return the ids that belong to systems of this board, without duplicates."""
        known = {row.submission.id for row in self.rows}
        return [str(one) for one in dict.fromkeys(wanted) if one in known]


def list_score_keys(charts: Iterable[Chart]) -> list[str]:
    """Return the scores that charts show."""
    return [key for chart in charts for key in list_keys(chart)]


class ChartReader:
    """Reads boards for charts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read_board(self, benchmark: Benchmark, setting: str) -> ChartBoard:
        """Return the rows of a board, human baselines with the intervals of the drawn scores."""
        key = BoardKey(benchmark.id, benchmark.version, setting)
        first = benchmark.headline_of(setting).key
        human = PageQuery(sort=first, descending=True, limit=_ROWS, sources=("human",))
        wanted = list_score_keys(benchmark.charts)
        with self._database.read() as transaction:
            rows = list_by_leads(transaction, benchmark, setting, _ROWS)
            references = list_by_leads(transaction, benchmark, setting, _ROWS, "only")
            people = list(boards.read_page(transaction, key, human, wanted).rows)
            keys = [BoardKey(benchmark.id, benchmark.version, one) for one in benchmark.settings]
            state = tuple(boards.find_tag(transaction, one) for one in keys)
        systems = [row for row in rows if row.submission.source != "human"] + references
        return ChartBoard(benchmark, setting, systems, people, state)

    def read_entries(
        self, benchmark: Benchmark, rows: Sequence[BoardRow], ids: Iterable[str], keys: Sequence[str]
    ) -> list[ChartEntry]:
        """Return rows with the given scores, in the order of the board; unknown ids are ignored."""
        wanted = frozenset(ids)
        chosen = [row for row in rows if row.submission.id in wanted]
        with self._database.read() as transaction:
            evaluations = [row.evaluation.id for row in chosen]
            # As on boards, scores that depend on a few secret answers are not shown.
            least = benchmark.min_public_items
            found = charting.list_scores(transaction, evaluations, _slices(keys), least)
        return [make_entry(row, found[row.evaluation.id]) for row in chosen]

    def read_sides(self, board: ChartBoard, chart: SettingsChart, chosen: Sequence[str]) -> list[SettingsComparison]:
        """Return the selected models under the settings of a chart, matched by name.

        Reported rows are paired with reported rows, and rows scored here with rows scored here: their questions differ.
        Empty if none of the selected models was run under two settings.
        """
        usual, *others = chart.settings
        with self._database.read() as transaction:
            found = self._list_others(transaction, board, chart, others, chosen)
            names = {chart.find_first(row.model) for row in found} if chart.joined else None
            of_models = None if names is not None else [row.model_id for row in found]
            base = charting.list_settings_of(
                transaction, board.benchmark.id, board.benchmark.version, [usual], of_models, _MAX_SETTING_ROWS
            )
            rows = [*found, *(row for row in base if names is None or row.model in names)]
            evaluations = [row.evaluation_id for row in rows]
            least = board.benchmark.min_public_items
            key = BoardKey(board.benchmark.id, board.benchmark.version, board.setting)
            rankings = read_rankings(boards.find_board(transaction, key))
            scores = charting.list_scores(transaction, evaluations, _slices(chart.keys), least)
        entries = {
            row.submission_id: ChartEntry(
                row.submission_id,
                row.model,
                row.source,
                {score.key: score for score in scores[row.evaluation_id]},
            )
            for row in rows
        }
        judged = frozenset(metric.id for metric in board.benchmark.metrics if metric.judged)
        return pair_sides(chart, rows, entries, judged, rankings)

    def _list_others(
        self,
        transaction: Transaction,
        board: ChartBoard,
        chart: SettingsChart,
        settings: Sequence[str],
        chosen: Sequence[str],
    ) -> list[SettingRow]:
        """Return rows under settings other than the default: of the selected models, or of all if none is selected."""
        models = {row.model.id: row.model.name for row in board.rows if row.submission.id in frozenset(chosen)}
        of_models = None if chart.joined or not chosen else list(models)
        found = charting.list_settings_of(
            transaction, board.benchmark.id, board.benchmark.version, settings, of_models, _MAX_SETTING_ROWS
        )
        if not chart.joined or not chosen:
            return found
        return [row for row in found if chart.find_first(row.model) in models.values()]


def _slices(keys: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(key.partition("|")[0] for key in keys))
