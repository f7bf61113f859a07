"""Handlers of the About tab."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaluation.judge.calibration import CALIBRATION_REPORT
from leaderboard.pages.about.layout import AboutTab
from leaderboard.rendering.formatting import NONE
from leaderboard.rendering.templating import Markup, render_macro
from leaderboard.services import Services

_MAX_BYTES = 10_000_000
_RATES = {
    "kappa": "quadratic-weighted κ",
    "bias": "bias: mean of judge − given score, in points of 10",
    "spread": "spread: standard deviation of judge − given score",
    "position_effect": "effect of being shown first",
    "length_effect": "effect of doubling the length",
}
_WHOSE = {
    "people": "answers that people scored.",
    "constructed": "answers with constructed scores. No people scored them, so this is not agreement with people.",
}


class About:
    """Handlers of the About tab."""

    def __init__(self, services: Services, tab: AboutTab) -> None:
        self._path = services.settings.data_dir / CALIBRATION_REPORT
        self._tab = tab

    def open_about(self) -> dict[Any, Any]:
        """Show how well the judge agrees with human or constructed scores, if that was measured."""
        return {self._tab.judge: render_calibration(read_calibration(self._path))}


def read_calibration(path: Path) -> Mapping[str, Any] | None:
    """Return the report of the last calibration; None if there is none or it is unreadable."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            return None
        report = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return report if isinstance(report, dict) else None


def render_calibration(report: Mapping[str, Any] | None) -> Markup:
    """Return the scores of a report; empty without one."""
    if report is None:
        return Markup("")
    whose = _WHOSE.get(str(report.get("scores_by")), "answers with given scores.")
    judge, n_answers = report.get("judge", "The judge"), _show(report.get("n"))
    rates = [(title, _show(report.get(name))) for name, title in _RATES.items()]
    return render_macro("pages/about/sections.html", "calibration", judge, n_answers, whose, rates)


def _show(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return NONE
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"
