"""Parquet of the items of a closed edition, one row per run."""

import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator

import orjson

from evaluation.answered_items import AnsweredItem
from settings.environments import listener_environment
from submissions.errors import TooManyWaitingError

_PROGRAM = (sys.executable, "-m", "evaluation.publishing.item_tables")
# A file of AudioMotionBench takes two seconds on a busy machine.
_SECONDS = 60.0
# Each takes 150 MB of memory for a moment.
ONE_AT_A_TIME = threading.Lock()


def write_items_parquet(items: Iterable[AnsweredItem]) -> bytes:
    """Return a typed table of items; a process of its own writes it, because no other page needs pyarrow.

    Raises:
        TooManyWaitingError: Another table is still being written.
        CalledProcessError, TimeoutExpired: The process failed.
    """
    # Without waiting: visitors of a published gallery must not occupy the threads of other requests.
    if not ONE_AT_A_TIME.acquire(blocking=False):
        raise TooManyWaitingError("Another Parquet file is being written. Try again in a few seconds.")
    try:
        rows = b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in _list_rows(items))
        done = subprocess.run(  # noqa: S603 - our own command line
            _PROGRAM, input=rows, capture_output=True, timeout=_SECONDS, env=listener_environment(), check=True
        )
    finally:
        ONE_AT_A_TIME.release()
    return done.stdout


def _list_rows(items: Iterable[AnsweredItem]) -> Iterator[dict[str, object]]:
    for one in items:
        item = one.item
        for run in one.runs:
            yield {
                "id": item.id,
                "run": run.run,
                "part": item.part,
                "task": item.task,
                "question": item.question,
                "options": run.options,
                "right": run.right,
                "parsed": run.parsed,
                "outcome": run.outcome,
                "reason": run.reason,
                "response": run.response,
            }
