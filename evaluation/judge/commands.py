"""Commands of `python -m evaluation judge`. Callers read the settings and print."""

import asyncio
from pathlib import Path

from evaluation.judge.asking import Judge, MemoryCache, Streak
from evaluation.judge.calibration import CalibrationReport, calibrate
from evaluation.judge.errors import CalibrationError
from evaluation.judge.judge_client import ClientOptions, JudgeClient, JudgeUsage
from evaluation.judge.rated import read_rated


class CountedAllowance:
    """A budget of calls that ends early after too many consecutive replies without a verdict."""

    def __init__(self, n_calls: int, streak: Streak) -> None:
        self._left = n_calls
        self._streak = streak

    def spend_call(self) -> bool:
        """Count one call, or raise an error if none is left."""
        if self._streak.has_ended:
            return False
        self._left -= 1
        return self._left >= 0


def calibrate_file(
    path: Path, options: ClientOptions, repeats: int, n_calls: int
) -> tuple[CalibrationReport, JudgeUsage]:
    """Judge the answers of a calibration file, and return the report and its cost.

    Args:
        path: Calibration file.
        options: Options of the judge's client.
        repeats: Judgements per order and answer.
        n_calls: Maximum number of calls.

    Raises:
        CalibrationError: The file is unusable, or no answer got a verdict.
        NoVerdictsInARowError: Too many consecutive replies contain no verdict; no more calls were made.
        JudgeError: The judge is unavailable, or the calls are not enough.
    """
    return asyncio.run(_calibrate(path, options, repeats, n_calls))


async def _calibrate(
    path: Path, options: ClientOptions, repeats: int, n_calls: int
) -> tuple[CalibrationReport, JudgeUsage]:
    rated = read_rated(path)
    streak = Streak()
    cache = MemoryCache()
    async with JudgeClient(options, CountedAllowance(n_calls, streak)) as client:
        report = await calibrate(Judge(client, cache, streak), rated, repeats)
        if report.errors and not cache.values:
            reason = next(iter(report.errors.values()))
            raise CalibrationError(f"The judge gave no verdict on any answer, so there is no report. {reason}")
        return report, client.usage
