"""Progress of a run: numbers in a line, a bar on a terminal, a line now and then elsewhere."""

import io

import pytest
from rich.console import Console

from submissions.endpoints.querying.query_records import Progress
from submissions.model_runs.progress_display import ProgressDisplay, describe_progress


@pytest.mark.parametrize(
    ("progress", "line"),
    [
        (Progress(100), "0 of 100 answered · 0.0/s · 0 errors"),
        (
            Progress(1_000, n_done=10, per_second=2.0, failures={"throttled": 1}),
            "10 of 1,000 answered · 2.0/s · 1 error (throttled) · 8 min left",
        ),
        (
            Progress(100_000, n_done=10, n_abandoned=1, per_second=2.0, failures={"timeout": 2, "reset": 1}),
            "10 of 100,000 answered · 2.0/s · 3 errors (timeout, reset) · 1 given up · 13.9 h left",
        ),
        (Progress(10, n_done=10, per_second=3.0), "10 of 10 answered · 3.0/s · 0 errors"),
    ],
)
def test_line_has_rate_errors_and_remaining_time(progress: Progress, line: str) -> None:
    assert describe_progress(progress, 0, progress.n_questions) == line


def test_lines_without_a_terminal_come_every_half_minute() -> None:
    times = iter([0.0, 10.0, 31.0, 31.0, 45.0])
    file = io.StringIO()
    with ProgressDisplay(Console(file=file), 5, 100, lambda: next(times)) as display:
        for n_done in (1, 2, 3):
            display.show(Progress(95, n_done=n_done, per_second=1.0))
    assert file.getvalue() == "7 of 100 answered · 1.0/s · 0 errors · 93 s left\n"


def test_terminal_has_a_bar_with_the_same_numbers() -> None:
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=120, color_system=None)
    with ProgressDisplay(console, 50, 100) as display:
        display.show(Progress(50, n_done=10, per_second=4.0))
    assert "60 of 100 answered · 4.0/s · 0 errors · 10 s left" in file.getvalue()
    assert "━" in file.getvalue()
