"""Installation whose evaluator queries endpoints over loopback, in this process."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from db.records import NewModel, SubmissionRecord, UserRecord
from db.repositories import users
from evaluation import Benchmark, get_benchmark
from submissions.accounts.credentials import SYSTEM_USER, Accounts
from submissions.endpoints.endpoint_service import EndpointRequest, Endpoints
from submissions.endpoints.runner import EndpointRunner
from submissions.endpoints.vault import Secret, Vault
from submissions.intake.quota_service import Quotas
from submissions.intake.submission_limits import NO_LIMITS
from submissions.jobs.queue import SubmissionQueue
from submissions.jobs.worker_names import worker_name
from submissions.reference_systems.references import References
from submissions.scoring.evaluator import Evaluator
from submissions.statuses import Status
from tests.support.endpoints.endpoint_runs import MEANS
from tests.support.servers.installation import Installation

SECRET = "0123456789abcdef" * 2
KEY = "sk-canary-0123456789"
DEMO = get_benchmark("mdar", "demo")
# Each report is a transaction, which takes milliseconds.
QUERYING = replace(MEANS, report_seconds=0.05)
# Open answers would need a judge.
PARTS = ("main", "multi")


def refuse_to_serve() -> AbstractContextManager[str]:
    return nullcontext("http://127.0.0.1:1/v1")


class EndpointInstallation:
    """Services for registering an endpoint and running its evaluation step by step."""

    def __init__(self, folder: Path, serve: Callable[[], AbstractContextManager[str]] = refuse_to_serve) -> None:
        self.place = Installation(folder)
        database = self.place.database
        accounts = Accounts(database, ("may",))
        self.vault = Vault([SECRET])
        self.endpoints = Endpoints(
            database,
            self.place.catalogues,
            accounts,
            Quotas(database, NO_LIMITS, accounts),
            self.place.service,
            self.vault,
            allows_loopback=True,
        )
        self.stop = threading.Event()
        self.endpoint_runner = EndpointRunner(
            database, self.vault, self.stop, serve, allows_loopback=True, means=QUERYING
        )
        self.queue = SubmissionQueue(database, worker_name(), lane="endpoints")
        self.evaluator = Evaluator(
            database, self.queue, self.place.store, self.place.keys_dir, endpoint_runner=self.endpoint_runner
        )

    def register(self, url: str, benchmark: Benchmark = DEMO, **fields: Any) -> SubmissionRecord:
        values: dict[str, Any] = {
            "benchmark": benchmark,
            "setting": benchmark.settings[0],
            "model": NewModel("Asked"),
            "base_url": url,
            "model_name": "m",
            "api_key": Secret(KEY),
            "parts": PARTS if benchmark is DEMO else None,
        }
        return self.endpoints.register(self.place.ann, EndpointRequest(**(values | fields)))

    def approved(self, url: str, benchmark: Benchmark = DEMO, **fields: Any) -> SubmissionRecord:
        added = self.register(url, benchmark, **fields)
        self.endpoints.approve(added.id, self.place.may)
        return added

    def ask(self, url: str, benchmark: Benchmark = DEMO, **fields: Any) -> Status:
        """Register and approve an endpoint, and run its evaluation to the end."""
        added = self.approved(url, benchmark, **fields)
        assert self.evaluator.run_next()
        return self.status(added)

    def status(self, submission: SubmissionRecord, viewer: UserRecord | None = None) -> Status:
        return self.place.service.status(submission.id, viewer or self.place.ann)


def make_references(asking: EndpointInstallation) -> References:
    with asking.place.database.write() as transaction:
        owner = users.get_or_add_user(transaction, SYSTEM_USER, datetime.now(UTC))
    return References(asking.place.database, asking.endpoints, asking.place.keys_dir, owner)
