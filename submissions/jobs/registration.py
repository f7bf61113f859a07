"""Registration at an evaluator's start: keys, public ids, reported rows, and the chance system."""

import io
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from db.records import BenchmarkRecord, ItemRecord, NewModel, UserRecord
from db.repositories import catalogue, row_changes, users
from db.session import Database
from evaluation.answer_keys import AnswerKey, find_key, replace_key, save_key
from evaluation.benchmarks import Benchmark, Content, all_benchmarks
from evaluation.benchmarks.official import DEMO
from evaluation.packs import example_predictions, pack_name
from evaluation.predictions import make_catalogue
from evaluation.published import read_all_published
from evaluation.streams import opaque_id
from submissions.accounts.credentials import SYSTEM_USER
from submissions.keys.identity import find_conflict, fingerprint_key, require_no_conflicts
from submissions.keys.sealing import derive_secret
from submissions.published_rows.printed_rows import list_row_keys, write_row
from submissions.ranking.current_rankings import find_rankings
from submissions.ranking.standings import touch_if_outdated
from submissions.service import Request, SubmissionService

PUBLISHED_DIR = Path(__file__).parents[2] / "assets" / "published"
CHANCE_MODEL = NewModel(name="Chance", organisation="Earshot", kind="random", open_weights=True)


# Stores a new key durably before it is used, and returns the one to use: another evaluator may have been faster.
Publish = Callable[[AnswerKey], AnswerKey]


def ensure_key(folder: Path, benchmark: Benchmark, publish: Publish = lambda key: key) -> AnswerKey | None:
    """Return the answer key of a benchmark's test split.

    A missing key is created with a new secret seed, or is None if an organiser has to import the questions.

    Raises:
        AnswerKeyError: The existing key does not fit.
    """
    key = find_key(folder, benchmark.id, benchmark.version, "test")
    if key is None and not benchmark.made_parts:
        return None
    if key is None:
        key = save_key(folder, publish(benchmark.make_key("test")))
    if benchmark.version == DEMO:
        key = _renew_demonstration(folder, benchmark, key)
    benchmark.check_key(key)
    return key


def _renew_demonstration(folder: Path, benchmark: Benchmark, key: AnswerKey) -> AnswerKey:
    """Return the key of the current demonstration set: a release may bring other questions, none of them secret."""
    today = benchmark.make_key("test", key.seed)
    same = (today.digest, today.content_digest) == (key.digest, key.content_digest)
    return key if same else replace_key(folder, today, key)


def register_all(database: Database, keys_dir: Path, publish: Publish = lambda key: key) -> dict[str, str]:
    """Register every benchmark's public ids; return `<benchmark>:<version>` → first digits of its key digest.

    Boards ranked under another key, parser, metric or release are ranked again.

    Raises:
        ForeignKeyError: The database knows other keys. Nothing was registered, and no key was created.
    """
    require_no_conflicts(_list_conflicts(database, keys_dir))
    digests = {}
    for benchmark in all_benchmarks():
        key = ensure_key(keys_dir, benchmark, publish)
        _register(database, benchmark, key)
        for setting in benchmark.settings:
            rankings = find_rankings(benchmark, key, setting)
            touch_if_outdated(database, benchmark, setting, rankings, datetime.now(UTC))
        if key is not None:
            digests[f"{benchmark.id}:{benchmark.version}"] = key.digest[:8]
    return digests


def _list_conflicts(database: Database, keys_dir: Path) -> Iterator[tuple[str, str]]:
    for benchmark in all_benchmarks():
        with database.read() as transaction:
            known = catalogue.find_known_key(transaction, benchmark.id, benchmark.version)
        key = find_key(keys_dir, benchmark.id, benchmark.version, "test")
        conflict = find_conflict(known, key, partial(_digest_content, benchmark))
        if conflict is not None:
            yield f"{benchmark.id} {benchmark.version}", conflict


def _digest_content(benchmark: Benchmark, key: AnswerKey) -> str:
    return benchmark.content(key).digest


def _register(database: Database, benchmark: Benchmark, key: AnswerKey | None) -> None:
    """Store the public data of a benchmark: its ids, or that there are none."""
    content = None if key is None else benchmark.content(key)
    record = BenchmarkRecord(
        id=benchmark.id,
        version=benchmark.version,
        content_digest=content.digest if content else "",
        pack=pack_name(content) if content else "",
        n_items=len(content.items) if content else 0,
        n_clips=len(content.clips) if content and content.has_sounds else 0,
    )
    items = [
        ItemRecord(item.id, item.part, item.task, item.answer_format, item.runs, item.n_steps)
        for item in (content.items if content else ())
    ]
    with database.write() as transaction:
        fingerprint = None if key is None else fingerprint_key(key)
        catalogue.register_benchmark(transaction, record, items, datetime.now(UTC), fingerprint)


def load_published(database: Database, folder: Path = PUBLISHED_DIR) -> int:
    """Update the boards with the scores reported in papers; return the number of added or changed rows.

    Rows corrected by a maintainer stay as corrected.
    """
    now = datetime.now(UTC)
    with database.write() as transaction:
        owner = users.get_or_add_user(transaction, SYSTEM_USER, now)
    served = {(benchmark.id, benchmark.version) for benchmark in all_benchmarks()}
    n_loaded = 0
    for results in read_all_published(folder):
        if (results.benchmark, results.version) not in served:
            continue
        # All rows of a file in one transaction: syncing each to disk would take seconds.
        with database.write() as transaction:
            users.lock_user(transaction, owner.id)  # another evaluator may be starting too
            overridden = row_changes.list_overridden(transaction)
            n_loaded += sum(
                write_row(transaction, results, row, owner) is not None
                for row in results.rows
                if overridden.isdisjoint(list_row_keys(results, row))
            )
    return n_loaded


def submit_chance(service: SubmissionService, keys_dir: Path, owner: UserRecord) -> None:
    """Submit the seeded chance system, once for each content, so that no board is ever empty.

    Its guesses stay secret: together with its published scores, known answers would reveal the key.
    """
    for benchmark in all_benchmarks():
        shared_key = ensure_key(keys_dir, benchmark)
        if shared_key is None:
            continue
        shared = benchmark.content(shared_key)
        edition, key = _choose_own_edition(benchmark, shared_key, shared)
        content = benchmark.content(key)
        seed = derive_secret(shared_key.seed, "chance submission").hex()
        # Open answers would wait for a judge, and the board for its chance row.
        open_ones = {item.id for item in content.items if item.answer_format == "text"}
        guesses = (row for row in example_predictions(content, seed) if row["id"] not in open_ones)
        lines = "".join(json.dumps(row) + "\n" for row in guesses)
        request = Request(
            benchmark=benchmark,
            setting=benchmark.settings[0],
            model=CHANCE_MODEL,
            publish=True,
            idempotency_key=f"chance/{benchmark.id}/{benchmark.version}/{shared.digest}",
            source="random",
        )
        if edition is None:
            service.submit(owner, request, io.BytesIO(lines.encode()))
        else:
            known = make_catalogue(f"{benchmark.title} {benchmark.version}", content.items)
            service.submit_own(owner, request, io.BytesIO(lines.encode()), edition, known)


def _choose_own_edition(benchmark: Benchmark, key: AnswerKey, shared: Content) -> tuple[str | None, AnswerKey]:
    """Return the edition that the chance system answers, and its key; the shared test split if there are no editions.

    Its ID follows from the key, so that evaluators that start together submit the same file.
    """
    if not benchmark.has_editions or any(item.part not in benchmark.made_parts for item in shared.items):
        return None, key
    edition = opaque_id(key.seed, f"chance edition|{shared.digest}", "e-")
    return edition, benchmark.make_edition_key(key, edition)
