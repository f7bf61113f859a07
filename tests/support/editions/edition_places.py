"""Editions in an installation: their service, their packs, and an evaluator that renders them."""

import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import httpx2
from sqlalchemy import update

from db.edition_records import RenderedEdition
from db.lease_records import Lease
from db.models import Edition
from db.records import UserRecord
from db.repositories import editions
from db.session import Database
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.benchmarks.content import Content
from settings.environments import pack_environment
from submissions.accounts.credentials import Accounts
from submissions.editions.edition_limits import NO_EDITION_LIMITS, OPEN_FOR, EditionLimits
from submissions.editions.edition_packs import EditionPacks
from submissions.editions.edition_rendering import EditionMaker, find_edition_key
from submissions.editions.edition_service import EditionService
from submissions.editions.public_items import encode_items
from submissions.jobs.worker_names import worker_name
from tests.support.samples.question_packs import write_questions
from tests.support.servers.installation import Installation
from tests.support.servers.server import Server, read_test_key

# Renders nothing: for tests of leases, states and files, which do not look into the pack.
QUICK_PROGRAM = (
    sys.executable,
    "-SEc",
    "import pathlib, sys; pathlib.Path(sys.argv[sys.argv.index('--out') + 1]).write_bytes(b'a pack')",
)


class Editions:
    """Service and evaluator of editions in an installation; `at` maps a checkpoint to the action of its next pass."""

    def __init__(self, place: Installation, limits: EditionLimits = NO_EDITION_LIMITS) -> None:
        self.place = place
        self.packs = EditionPacks(place.folder / "packs" / "editions")
        self.accounts = Accounts(place.database, ("may",))
        self.service = EditionService(place.database, self.accounts, self.packs, limits)
        self.at: dict[str, Callable[[], None]] = {}
        self.stop = threading.Event()
        self.maker = self.make_maker(worker_name())

    def make_maker(self, worker: str, program: Sequence[str] = QUICK_PROGRAM) -> EditionMaker:
        environment = pack_environment(self.place.keys_dir)
        return EditionMaker(
            self.place.database, self.place.keys_dir, self.packs, environment, worker, self.stop, self._pass, program
        )

    def _pass(self, label: str) -> None:
        self.at.pop(label, lambda: None)()

    def key(self, benchmark: Benchmark, edition: str) -> AnswerKey:
        return find_edition_key(self.place.keys_dir, benchmark, edition)

    def content(self, benchmark: Benchmark, edition: str) -> Content:
        return benchmark.content(self.key(benchmark, edition))

    def open_edition(self, benchmark: Benchmark, owner: UserRecord | None = None) -> str:
        """Request an edition, and render its pack without sounds; return its ID."""
        edition_id = self.service.request_edition(owner or self.place.ann, benchmark).edition.id
        while self.maker.run_next():
            pass
        return edition_id

    def free_leases(self) -> None:
        with self.place.database.write() as transaction:
            transaction.execute(update(Edition).values(lease_expires_at=datetime.now(UTC) - timedelta(seconds=1)))


def open_without_pack(database: Database, benchmark: Benchmark, key: AnswerKey, edition_id: str) -> Content:
    """Open a requested edition as an evaluator does, but without rendering its pack; return its questions."""
    now = datetime.now(UTC)
    content = benchmark.content(benchmark.make_edition_key(key, edition_id))
    rendered = RenderedEdition(
        benchmark.design_digest,
        content.digest,
        len(content.items),
        encode_items(benchmark, content),
        "edition.zip",
        now + OPEN_FOR,
    )
    with database.write() as transaction:
        requested = editions.find_edition(transaction, edition_id)
        assert requested is not None
        current = Lease(requested.number, edition_id, None, None, None, 0)
        lease = replace(current, token="t", worker="w", expires_at=now + timedelta(minutes=1), attempts=1)
        assert editions.claim_edition(transaction, current, lease) is not None
        editions.record_pack(transaction, lease, rendered, now)
    return content


def open_on_server(server: Server, edition_id: str) -> Content:
    """Open a requested edition of a running server, which renders no packs; return its questions. The pack is empty."""
    key = read_test_key(server)
    write_questions(server.data_dir / "packs" / "editions" / "edition.zip", ())
    with closing(Database(f"sqlite:///{server.data_dir}/earshot.db")) as database:
        return open_without_pack(database, get_benchmark(key.benchmark), key, edition_id)


def open_for_user(server: Server, user: str) -> AnswerKey:
    """Request an edition on a running server for a user, and open it; return its key."""
    key = read_test_key(server)
    benchmark = get_benchmark(key.benchmark)
    requested = httpx2.post(
        f"{server.url}/api/v1/benchmarks/{key.benchmark}/editions",
        headers={"Authorization": f"Bearer {server.token(user)}"},
        trust_env=False,
    )
    assert requested.status_code == 201, requested.text
    edition_id = str(requested.json()["id"])
    open_on_server(server, edition_id)
    return benchmark.make_edition_key(key, edition_id)
