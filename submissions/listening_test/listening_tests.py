"""Listening test service: start a round, mark it, store it with consent, withdraw it; publish the group."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from db.listening_records import ListenerRecord, NewListener
from db.records import UserRecord
from db.repositories import audit, listening_results
from db.session import Database, Transaction
from evaluation.benchmarks import Benchmark, all_benchmarks, get_benchmark, list_versions
from evaluation.types import Item
from submissions.accounts.credentials import Accounts
from submissions.errors import BadRequestError, NotFoundError, StateError
from submissions.listening_test.listener_groups import MIN_LISTENERS, Group, pool_group
from submissions.listening_test.marking import Given, Mark, MarkedAccuracy, count_share, mark_round
from submissions.listening_test.practice_packs import (
    PracticePack,
    PracticePacks,
    list_listening_items,
    practice_content,
)
from submissions.listening_test.reference_scores import Beside, find_column, find_whole, read_beside
from submissions.listening_test.rounds import draw_round, list_lengths, name_groups
from submissions.operations.maintenance import check_reason

MAX_A_DAY = 200
WHOLE = ""
_ID_BYTES = 12
_LONGEST_ID = 60
_MAX_SECONDS = 86_400.0
_MAX_KEPT_GROUPS = 16


@dataclass(frozen=True, slots=True)
class ListeningTest:
    """A version with a listening test.

    Attributes:
        benchmark: Benchmark version.
        is_ready: Whether its recordings are rendered.
        n_questions: Number of questions available for a round.
        lengths: Possible lengths of a round.
        group: Pooled results; None if they are not shown.
    """

    benchmark: Benchmark
    is_ready: bool
    n_questions: int
    lengths: tuple[int, ...]
    group: Group | None


@dataclass(frozen=True, slots=True)
class Round:
    """Questions of a round, and the pack that contains them."""

    pack: PracticePack
    n: int
    seed: int
    items: tuple[Item, ...]

    @property
    def seconds(self) -> float:
        """Total length of all recordings in seconds."""
        return sum(self.pack.count_seconds(item) for item in self.items)


@dataclass(frozen=True, slots=True)
class Answers:
    """A listener's answers to a round, the time taken, and whether the counts may be stored."""

    n: int
    seed: int
    given: Mapping[str, Given]
    seconds: float
    consent: bool


@dataclass(frozen=True, slots=True)
class StoredRound:
    """Whether a round was stored: the id for withdrawing it, shown once, or why it was not stored."""

    id: str | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """A marked round.

    Attributes:
        round: The questions.
        marks: One per question.
        shares: Group of tasks → share; the empty name stands for the whole round.
        beside: The same names → reference scores.
        kept: None unless the listener asked to store it.
        group: Pooled results; None if they are not shown.
    """

    round: Round
    marks: tuple[Mark, ...]
    shares: Mapping[str, MarkedAccuracy]
    beside: Mapping[str, Beside]
    kept: StoredRound | None
    group: Group | None


@dataclass(frozen=True, slots=True)
class GroupView:
    """Listeners of a version, for maintainers."""

    benchmark: Benchmark
    group: Group
    is_shown: bool


class ListeningTests:
    """Rounds of practice questions, and pooled results."""

    def __init__(self, database: Database, packs: PracticePacks, accounts: Accounts) -> None:
        self._database = database
        self._packs = packs
        self._accounts = accounts
        self._pooled: dict[tuple[object, ...], Group] = {}

    def find_version(self, benchmark_id: str, version: str | None) -> Benchmark:
        """Return the requested version; by default, the first with a listening test.

        Raises:
            UnknownBenchmarkError: The version does not exist.
        """
        versions = list_versions(benchmark_id) if version is None else ()
        asked = [one for one in versions if list_listening_items(one.id, one.version)]
        practised = [one for one in versions if "practice" in one.splits]
        return next(iter([*asked, *practised]), None) or get_benchmark(benchmark_id, version)

    def list_offers(self) -> list[ListeningTest]:
        """Return all versions with a listening test."""
        heard = _list_heard()  # takes a second, once per process
        with self._database.read() as transaction:
            return [self._offer(transaction, benchmark) for benchmark in heard]

    def open_pack(self, benchmark: Benchmark) -> PracticePack:
        """Return the practice pack of a version.

        Raises:
            DataNotHeldError, NotReadyError: The pack does not exist, or not yet.
        """
        return self._packs.open(benchmark)

    def open_round(self, benchmark: Benchmark, n: int, seed: int) -> Round:
        """Return a round, which follows from the questions, the length and the seed.

        Raises:
            DataNotHeldError, NotFoundError, NotReadyError, BadRequestError: There is no such round.
        """
        _require_asked(benchmark)
        pack = self.open_pack(benchmark)
        return Round(pack, n, seed, draw_round(tuple(pack.items.values()), n, seed, pack.digest))

    def mark_round(self, benchmark: Benchmark, answers: Answers) -> Result:
        """Mark a round, and store its counts if allowed.

        Raises:
            DataNotHeldError, NotFoundError, NotReadyError, BadRequestError: The round cannot be marked.
        """
        asked = self.open_round(benchmark, answers.n, answers.seed)
        if not 0 <= answers.seconds <= _MAX_SECONDS:
            raise BadRequestError("seconds", "Invalid duration. Send the seconds that the round took, from 0 to 86400.")
        marks = mark_round(asked.items, asked.pack.truths, answers.given)
        groups = name_groups(asked.pack.items.values())
        shares = _count_shares(marks, groups)
        kept = self._store_counts(asked, answers, marks, shares) if answers.consent else None
        columns = {name: find_column(benchmark, name) for name in shares if name != WHOLE}
        columns[WHOLE] = find_whole(benchmark, tuple(asked.pack.items.values()))
        with self._database.read() as transaction:
            beside = read_beside(transaction, benchmark, columns)
            group = self._find_shown(transaction, benchmark)
        return Result(asked, marks, shares, beside, kept, group)

    def withdraw(self, benchmark: Benchmark, result_id: str) -> None:
        """Delete a stored round.

        Raises:
            NotFoundError: No round is stored under this id.
        """
        digest = _digest(result_id[:_LONGEST_ID])
        with self._database.write() as transaction:
            if not listening_results.delete_listener(transaction, benchmark.id, benchmark.version, digest):
                raise NotFoundError("No result with this ID. You may have withdrawn it already.")

    def list_groups(self, actor: UserRecord) -> list[GroupView]:
        """Return the listeners of every version, whether shown or not.

        Raises:
            NotAllowedError: The actor is not a maintainer.
        """
        self._accounts.require_maintainer(actor)
        heard = _list_heard()
        with self._database.read() as transaction:
            return [
                GroupView(
                    one, self._pool(transaction, one), listening_results.is_shown(transaction, one.id, one.version)
                )
                for one in heard
            ]

    def set_shown(self, actor: UserRecord, benchmark: Benchmark, reason: str, *, shown: bool) -> None:
        """Show or hide the pooled results of a version.

        Raises:
            NotAllowedError, DataNotHeldError, NotFoundError, BadRequestError, StateError: It cannot be changed.
        """
        self._accounts.require_maintainer(actor)
        _require_asked(benchmark)
        text = check_reason(reason)
        now = datetime.now(UTC)
        named = f"{benchmark.id} {benchmark.version}"
        with self._database.write() as transaction:
            if listening_results.is_shown(transaction, benchmark.id, benchmark.version) is shown:
                raise StateError(f"The listeners of {named} are already {('shown' if shown else 'hidden')}.")
            listening_results.set_shown(transaction, benchmark.id, benchmark.version, shown=shown, now=now)
            act = "show-listeners" if shown else "hide-listeners"
            audit.append(transaction, actor.name, act, named, {"reason": text}, now)

    def _store_counts(
        self, asked: Round, answers: Answers, marks: Sequence[Mark], shares: Mapping[str, MarkedAccuracy]
    ) -> StoredRound:
        """Store a round's counts, unless it was too fast to have been listened to, or today's limit is reached."""
        refusal = _find_refusal(asked, answers, marks)
        if refusal is not None:
            return StoredRound(None, refusal)
        benchmark, now = asked.pack.benchmark, datetime.now(UTC)
        result_id = f"l-{secrets.token_hex(_ID_BYTES)}"
        whole = shares[WHOLE]
        tasks = {name: (one.n_right, one.n) for name, one in shares.items() if name != WHOLE}
        new = NewListener(
            digest=_digest(result_id),
            benchmark=benchmark.id,
            version=benchmark.version,
            content=asked.pack.digest,
            day=now.date().isoformat(),
            seconds=round(answers.seconds),
            counts=ListenerRecord(whole.n_right, whole.n, tasks),
        )
        with self._database.write() as transaction:
            listening_results.lock_group(transaction, benchmark.id, benchmark.version)
            if listening_results.count_day(transaction, benchmark.id, benchmark.version, new.day) >= MAX_A_DAY:
                return StoredRound(
                    None, f"The daily limit of {MAX_A_DAY} saved results is reached. Try again tomorrow."
                )
            listening_results.add_listener(transaction, new)
        return StoredRound(result_id)

    def _offer(self, transaction: Transaction, benchmark: Benchmark) -> ListeningTest:
        n = len(list_listening_items(benchmark.id, benchmark.version))
        shown = self._find_shown(transaction, benchmark)
        return ListeningTest(benchmark, self._packs.is_ready(benchmark), n, list_lengths(n), shown)

    def _find_shown(self, transaction: Transaction, benchmark: Benchmark) -> Group | None:
        if not listening_results.is_shown(transaction, benchmark.id, benchmark.version):
            return None
        group = self._pool(transaction, benchmark)
        # The counts of a few listeners would reveal each one's.
        return group if group.whole.n_listeners >= MIN_LISTENERS else None

    def _pool(self, transaction: Transaction, benchmark: Benchmark) -> Group:
        """Return the pooled results of a version; resampled only after a round was added or withdrawn."""
        digest = practice_content(benchmark.id, benchmark.version).digest
        found = listening_results.list_listeners(transaction, benchmark.id, benchmark.version, digest)
        counts = tuple((one.n_right, one.n, tuple(sorted(one.tasks.items()))) for one in found)
        key = (benchmark.id, benchmark.version, counts)
        if key not in self._pooled:
            while len(self._pooled) >= _MAX_KEPT_GROUPS:
                self._pooled.pop(next(iter(self._pooled)), None)
            self._pooled[key] = pool_group(found, digest)
        return self._pooled[key]


def _list_heard() -> list[Benchmark]:
    return [one for one in all_benchmarks() if list_listening_items(one.id, one.version)]


def _require_asked(benchmark: Benchmark) -> None:
    """Raise an error if a version has no listening test.

    Raises:
        DataNotHeldError, NotFoundError: The version has no listening test.
    """
    benchmark.check_split("practice")
    if not list_listening_items(benchmark.id, benchmark.version):
        raise NotFoundError(
            f"{benchmark.title} {benchmark.version} has no multiple-choice or true/false questions, so it has no "
            "listening test."
        )


def _count_shares(marks: Sequence[Mark], groups: Mapping[str, str]) -> dict[str, MarkedAccuracy]:
    names = sorted({groups[mark.item.task] for mark in marks})
    shares = {name: count_share([mark for mark in marks if groups[mark.item.task] == name]) for name in names}
    return {WHOLE: count_share(marks), **shares}


def _find_refusal(asked: Round, answers: Answers, marks: Sequence[Mark]) -> str | None:
    """Return why a round is not stored; None if it may be."""
    if answers.seconds < asked.seconds:
        return "The round was answered faster than the clips play."
    if 2 * sum(mark.given is None for mark in marks) > len(marks):
        return "More than half of the questions were skipped."
    return None


def _digest(result_id: str) -> str:
    return hashlib.sha256(result_id.encode()).hexdigest()
