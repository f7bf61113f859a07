"""What `python -m evaluation judge` does. Others read the settings and print."""

import asyncio
from pathlib import Path

from evaluation.judge.asking import Judge, MemoryCache
from evaluation.judge.calibration import CalibrationReport, calibrate, read_rated
from evaluation.judge.client import ClientOptions, JudgeClient, Usage


class CountedAllowance:
    """An allowance of a number of calls."""

    def __init__(self, n_calls: int) -> None:
        self._left = n_calls

    def take(self) -> bool:
        """Take one call, or tell that none is left."""
        self._left -= 1
        return self._left >= 0


def calibrate_file(path: Path, options: ClientOptions, repeats: int, n_calls: int) -> tuple[CalibrationReport, Usage]:
    """Judge the answers of a calibration file, and return the report and what it cost.

    Args:
        path: The file.
        options: How the judge is asked.
        repeats: How often each order of each answer is judged.
        n_calls: Calls that may be made.

    Raises:
        CalibrationError: The file cannot be used.
        JudgeError: The judge cannot be asked, or not often enough.
    """
    return asyncio.run(_calibrate(path, options, repeats, n_calls))


async def _calibrate(path: Path, options: ClientOptions, repeats: int, n_calls: int) -> tuple[CalibrationReport, Usage]:
    rated = read_rated(path)
    async with JudgeClient(options, CountedAllowance(n_calls)) as client:
        report = await calibrate(Judge(client, MemoryCache()), rated, repeats)
        return report, client.usage
