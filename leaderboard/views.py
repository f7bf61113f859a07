"""Records in, what the charts show out. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from db.records import BoardRow, ScoreRecord
from leaderboard.markup import Markup, percent, table

VARIANTS = {"sct": "SCT: constant pitch and speed", "sdt": "SDT: varying pitch", "tat": "TAT: double speed"}
CONDITIONS = {"clean": "clean", "35db": "35", "25db": "25", "15db": "15"}
COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
CONFUSIONS = {
    "left_right_confusion": "left–right mirror image",
    "front_back_confusion": "front–back mirror image",
    "reversal": "path run backwards",
}
TRUE_FALSE_SLICE = "overall/clean/tf"
_SHOWN_AT_FIRST = 4
_LABEL_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the board with all its figures.

    Attributes:
        id: Submission id.
        model: Name of the model.
        source: Where its figures come from.
        figures: `<slice>|<metric>` → value, as a fraction.
    """

    id: str
    model: str
    source: str
    figures: Mapping[str, float | None]

    @property
    def label(self) -> str:
        """Name and source, short enough for a choice in a list."""
        name = self.model if len(self.model) <= _LABEL_CHARACTERS else f"{self.model[: _LABEL_CHARACTERS - 1]}…"
        return f"{name} · {self.source}"

    def find(self, slice_name: str, metric: str = "accuracy") -> float | None:
        """Return a figure, or None where this row has none."""
        return self.figures.get(f"{slice_name}|{metric}")

    def has(self, prefix: str) -> bool:
        """Tell whether any figure lies in slices that begin with `prefix`."""
        return any(key.startswith(prefix) and value is not None for key, value in self.figures.items())


def make_entry(row: BoardRow, scores: Iterable[ScoreRecord]) -> Entry:
    """Return a row together with its figures."""
    figures = {f"{score.slice}|{score.metric}": score.value for score in scores}
    return Entry(row.submission.id, row.submission.model.name, row.submission.source, figures)


def pick_lines(rows: Sequence[BoardRow]) -> list[str]:
    """Return the rows that the charts show before anyone chose: the first of the board that do not merely guess."""
    return [row.submission.id for row in rows if row.submission.source != "random"][:_SHOWN_AT_FIRST]


def pick_map(rows: Sequence[BoardRow]) -> str | None:
    """Return the row whose directions are shown first: the best that was scored here, else a guessing one."""
    scored = [row for row in rows if row.submission.source in ("verified", "submitted")]
    others = [row for row in rows if row.submission.source == "random"]
    return next((row.submission.id for row in scored + others), None)


def snr_values(entry: Entry, variant: str) -> list[float | None]:
    """Return a row's accuracy in each condition of a variant, as percentages."""
    return [_percent(entry.find(f"{variant}/{condition}")) for condition in CONDITIONS]


def true_false(entry: Entry) -> tuple[float, float] | None:
    """Return (TPR, TNR) on clean clips as percentages, or None where either is unknown."""
    tpr, tnr = (_percent(entry.find(TRUE_FALSE_SLICE, metric)) for metric in ("tpr", "tnr"))
    return None if tpr is None or tnr is None else (tpr, tnr)


def direction_grid(entry: Entry) -> list[list[float | None]]:
    """Return 8 × 8 accuracies as percentages, a row for each start and a column for each end; the diagonal is empty."""
    return [[_percent(entry.find(f"direction/{start}-{end}")) for end in COMPASS] for start in COMPASS]


def describe_confusions(entry: Entry) -> str:
    """Return the confusion rates in one sentence, or nothing where there are none."""
    rates = [(words, entry.find("overall/mcq", metric)) for metric, words in CONFUSIONS.items()]
    known = [f"{words} {percent(rate)} %" for words, rate in rates if rate is not None]
    return f"Chosen where it was offered: {', '.join(known)} (an even guess: 25.0 %)." if known else ""


def snr_table(entries: Sequence[Entry]) -> Markup:
    """Return what the three charts of accuracy show, as a table."""
    headings = ["model"] + [f"{variant.upper()} {title}" for variant in VARIANTS for title in _condition_titles()]
    slices = [f"{variant}/{condition}" for variant in VARIANTS for condition in CONDITIONS]
    rows = ([entry.label, *(percent(entry.find(name)) for name in slices)] for entry in entries)
    return table(headings, rows, caption="Accuracy in per cent by variant and signal-to-noise ratio")


def true_false_table(entries: Sequence[Entry]) -> Markup:
    """Return TPR, TNR and YesBias as a table."""
    rows = (
        [entry.label, *(percent(entry.find(TRUE_FALSE_SLICE, metric)) for metric in ("tpr", "tnr", "yes_bias"))]
        for entry in entries
    )
    return table(["model", "TPR", "TNR", "YesBias"], rows, caption="True/false items on clean clips, in per cent")


def direction_table(entry: Entry) -> Markup:
    """Return the direction map as a table."""
    rows = (
        [f"from {start}", *(percent(entry.find(f"direction/{start}-{end}")) for end in COMPASS)] for start in COMPASS
    )
    return table(["", *(f"to {end}" for end in COMPASS)], rows, caption="Accuracy in per cent by start and end")


def _condition_titles() -> list[str]:
    return [title if title == "clean" else f"{title} dB" for title in CONDITIONS.values()]


def _percent(fraction: float | None) -> float | None:
    return None if fraction is None else 100 * fraction
