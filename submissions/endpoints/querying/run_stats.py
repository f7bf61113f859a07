"""Statistics of a run of questions."""

from collections import Counter, deque

from submissions.endpoints.querying.query_records import CallFailure, EndpointReply, FailureKind, Progress, RunFailure
from submissions.endpoints.querying.retry_policy import find_most_abandoned

_LATELY_SECONDS = 10.0

# Code of the ending, and whether querying the rest later may help.
_ENDS: dict[FailureKind, tuple[str, bool]] = {
    # A retry includes entering the key again.
    "unauthorised": ("endpoint-unauthorised", True),
    "not-found": ("endpoint-not-found", False),
    "rejected": ("endpoint-rejected", False),
    "address": ("endpoint-address", False),
    "redirect": ("endpoint-redirect", False),
    "throttled": ("endpoint-busy", True),
    "dns": ("endpoint-unreachable", True),
    "connect": ("endpoint-unreachable", True),
    "tls": ("endpoint-unreachable", True),
    "timeout": ("endpoint-slow", True),
    "slow": ("endpoint-slow", True),
}
_BROKEN = ("endpoint-broken", True)


class RunStats:
    """Counters of a run of questions."""

    def __init__(self, n_questions: int, abandoned_rate: float) -> None:
        self._n_questions = n_questions
        self._abandoned_rate = abandoned_rate
        self._failures: Counter[str] = Counter()
        self._lately: deque[float] = deque()
        self.n_done = self.n_calls = self.n_abandoned = 0
        self._n_truncated = self._tokens_in = self._tokens_out = 0
        self._first_abandoned: CallFailure | None = None

    def count_reply(self, reply: EndpointReply, now: float) -> None:
        """Count a response."""
        self.n_done += 1
        self._n_truncated += reply.finish == "length"
        self._tokens_in += reply.tokens_in or 0
        self._tokens_out += reply.tokens_out or 0
        self._lately.append(now)
        self._drop_old(now)

    def count_failure(self, failure: CallFailure) -> None:
        """Count a failed call."""
        self._failures[failure.kind] += 1

    def abandon(self, failure: CallFailure) -> RunFailure | None:
        """Count a question that is given up; return the ending if there are too many."""
        self.n_abandoned += 1
        self._first_abandoned = self._first_abandoned or failure
        is_too_much = self.n_abandoned > find_most_abandoned(self.n_done, self._abandoned_rate)
        return end_with(failure) if is_too_much else None

    def find_ending(self) -> RunFailure | None:
        """Return why some questions have no response, after all were tried."""
        if self._first_abandoned is None:
            return None
        code, is_retryable = _ENDS.get(self._first_abandoned.kind, _BROKEN)
        reason = (
            f"{self.n_abandoned:,} of {self._n_questions:,} questions have no answer. {self._first_abandoned.message}"
        )
        return RunFailure(code, reason, is_retryable)

    def snapshot(self, now: float) -> Progress:
        """Return the current numbers."""
        self._drop_old(now)
        return Progress(
            n_questions=self._n_questions,
            n_done=self.n_done,
            n_abandoned=self.n_abandoned,
            n_calls=self.n_calls,
            per_second=len(self._lately) / max(1.0, now - self._lately[0]) if self._lately else 0.0,
            failures=dict(self._failures),
            n_truncated=self._n_truncated,
            tokens_in=self._tokens_in,
            tokens_out=self._tokens_out,
        )

    def _drop_old(self, now: float) -> None:
        while self._lately and self._lately[0] < now - _LATELY_SECONDS:
            self._lately.popleft()


def end_with(failure: CallFailure) -> RunFailure:
    """Return the ending caused by a failure."""
    code, is_retryable = _ENDS.get(failure.kind, _BROKEN)
    return RunFailure(code, failure.message, is_retryable)
