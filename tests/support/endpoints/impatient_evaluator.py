"""Evaluator process with limits of a second, for endpoints that keep it waiting: arguments as for an evaluator."""

import sys
from functools import cache, partial

from evaluation.benchmarks.mdar import Mdar
from submissions import worker
from submissions.endpoints.querying.engine import Means
from submissions.endpoints.querying.retry_policy import RetryPolicy
from submissions.endpoints.runner import EndpointRunner
from submissions.endpoints.transport.http_client import CallLimits

# Minutes in production. A call of an honest endpoint takes milliseconds.
LIMITS = CallLimits(max_bytes=300_000, max_seconds=2.0, grace_seconds=1.0, min_bytes_per_second=100_000)
RETRIES = RetryPolicy(
    max_calls=2, first_seconds=0.01, longest_seconds=0.02, max_retry_after=0.05, first_rest_seconds=0.02, max_rests=3
)
MEANS = Means(retry_policy=RETRIES, limits=LIMITS, report_seconds=0.1)

if __name__ == "__main__":
    worker.EndpointRunner = partial(EndpointRunner, means=MEANS)  # type: ignore[assignment, attr-defined]
    # The clips of the demonstration set are the same in every run.
    Mdar.render_demo_sound = cache(Mdar.render_demo_sound)  # type: ignore[method-assign]
    sys.exit(worker.main())
