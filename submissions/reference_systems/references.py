"""Reference systems: our listeners, queried over loopback in the same way as every participant's model."""

import logging
from collections.abc import Iterator
from pathlib import Path

from db.records import NewModel, UserRecord
from db.repositories import submissions
from db.session import Database
from evaluation.answer_keys import find_key
from evaluation.benchmarks import Benchmark, Content, all_benchmarks
from evaluation.errors import AnswerKeyError
from evaluation.listeners import LISTENERS
from submissions.endpoints.endpoint_service import EndpointRequest, Endpoints
from submissions.errors import SubmissionError

_LOG = logging.getLogger(__name__)
# Each occupies a core; reference systems are never urgent.
_CONCURRENCY = 2
# Never connected to: the real address is known only while they are served (see `submissions.endpoints.runner`).
_ADDRESS = "http://127.0.0.1/v1"
_DESCRIBED = {
    "earshot-chance": NewModel("Earshot chance", "Earshot", "random", open_weights=True),
    "earshot-mono": NewModel("Earshot mono", "Earshot", "reference", open_weights=True),
    "earshot-binaural": NewModel("Earshot binaural", "Earshot", "reference", open_weights=True),
}


class References:
    """Submits the reference systems one at a time, so that they never occupy more than one slot."""

    def __init__(self, database: Database, endpoints: Endpoints, keys_dir: Path, owner: UserRecord) -> None:
        self._database = database
        self._endpoints = endpoints
        self._keys_dir = keys_dir
        self._owner = owner
        self._waiting: list[EndpointRequest] | None = None

    def submit_next(self) -> bool:
        """Submit the next one if none is unfinished; False if there is nothing to submit."""
        with self._database.read() as transaction:
            if submissions.has_unfinished(transaction, self._owner.id, "verified"):
                return False
        if self._waiting is None:
            self._waiting = list(self._list_wanted())
        while self._waiting:
            request = self._waiting[0]
            try:
                is_new = self._endpoints.register_own(self._owner, request) is not None
            except SubmissionError as error:
                _LOG.error("cannot submit %s: %s", request.idempotency_key, error)
                is_new = False
            # Only now: if the database is unavailable for a moment, this one is next again.
            self._waiting.pop(0)
            if is_new:
                _LOG.info("submitting %s", request.idempotency_key)
                return True
        return False

    def _list_wanted(self) -> Iterator[EndpointRequest]:
        """Yield the missing submissions, small benchmarks first, so that boards fill soon."""
        for benchmark, content in sorted(self._list_contents(), key=lambda pair: _count_runs(pair[1])):
            # Open answers would need a judge, and the listeners' answers to them are not worth judging.
            parts = tuple(sorted({item.part for item in content.items if item.answer_format != "text"}))
            for listener in LISTENERS:
                yield EndpointRequest(
                    benchmark=benchmark,
                    setting=benchmark.settings[0],
                    model=_DESCRIBED[listener],
                    base_url=_ADDRESS,
                    model_name=listener,
                    concurrency=_CONCURRENCY,
                    parts=parts,
                    publish=True,
                    idempotency_key=f"reference/{listener}/{benchmark.id}/{benchmark.version}/{content.digest}",
                )

    def _list_contents(self) -> list[tuple[Benchmark, Content]]:
        found = []
        for benchmark in all_benchmarks():
            try:
                key = find_key(self._keys_dir, benchmark.id, benchmark.version, "test")
            except AnswerKeyError as error:
                _LOG.error("%s", error)
                continue
            content = None if key is None else benchmark.content(key)
            if content is not None and content.has_sounds:
                found.append((benchmark, content))
        return found


def _count_runs(content: Content) -> int:
    return sum(len(item.runs) for item in content.items)
