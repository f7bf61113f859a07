"""Progress of a pack that is rendered and downloaded: a bar on a terminal, a line now and then elsewhere."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

_LINE_SECONDS = 30.0
_MEGABYTE = 1_000_000


class PackProgress:
    """Shows what happens to a pack, and how far it is."""

    def __init__(self, console: Console, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        """Create the display.

        Args:
            console: Where to show it.
            name: The pack, as the beginning of a line.
            clock: Returns the time in seconds.
        """
        self._console = console
        self._name = name
        self._clock = clock
        self._begun_at = clock()
        self._step = ""
        self._shown_at = self._begun_at
        columns = (TextColumn("{task.description}", markup=False), BarColumn())
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task(name, total=None)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def show_preparation(self, step: str, share: float | None = None) -> None:
        """Show what the server does.

        Args:
            step: What it does.
            share: How much of it is done; None if that is unknown, which shows the time.
        """
        seconds = self._clock() - self._begun_at
        self._show(step, f"{seconds:.0f} s" if share is None else f"{100 * share:.0f} %", share)

    def show_download(self, n_done: int, total: int) -> None:
        """Show how many bytes are downloaded."""
        amount = f"{n_done / _MEGABYTE:.1f} of {total / _MEGABYTE:.1f} MB"
        self._show("downloading", amount, n_done / total if total else None)

    def _show(self, step: str, amount: str, share: float | None) -> None:
        line = f"{self._name}: {step}, {amount}"
        self._bar.update(self._task, description=line, completed=share or 0.0, total=None if share is None else 1.0)
        if self._console.is_terminal:
            return
        now = self._clock()
        if step != self._step or now >= self._shown_at + _LINE_SECONDS:
            self._step, self._shown_at = step, now
            self._console.print(line, markup=False, soft_wrap=True)
