"""Service of editions: request, read, download."""

import logging
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from db.edition_records import EditionRecord, NewEdition
from db.records import UserRecord
from db.repositories import audit, editions, users
from db.session import Database, Transaction
from evaluation.benchmarks import Benchmark, list_versions
from evaluation.streams import draw_edition_id
from submissions.accounts.credentials import Accounts
from submissions.editions.closing import close, count_files
from submissions.editions.edition_limits import (
    NO_EDITION_LIMITS,
    EditionLimits,
    EditionQuota,
    count_editions,
    require_edition_left,
)
from submissions.editions.edition_packs import EditionPacks
from submissions.editions.pack_clips import DamagedPackError, measure_clips, read_clip
from submissions.editions.retired_designs import find_design
from submissions.errors import BadRequestError, NotFoundError, NotReadyError, RenderingLimitError, StateError
from submissions.intake.identifiers import check_idempotency_key
from submissions.ranking.question_keys import explain_loss

EditionState = Literal["queued", "making", "open", "closed", "expired"]
MAX_LISTED = 200
VISITORS_WAIT = timedelta(days=1)
"""Time after a rendering that a visitor of a gallery caused, before a visitor can cause another one."""
_LOG = logging.getLogger(__name__)
_NO_EDITION = "There is no such edition, or you are not its owner."


@dataclass(frozen=True, slots=True)
class EditionStatus:
    """An edition as its owner sees it.

    Attributes:
        edition: Its record.
        state: Its state; `making` while an evaluator renders the pack of a new edition.
        n_before: Number of packs that are rendered before its own; None if it waits for none.
        has_pack: Whether its pack can be downloaded now; otherwise it is rendered again on request.
        n_files: Number of its files that are not withdrawn or failed.
    """

    edition: EditionRecord
    state: EditionState
    n_before: int | None
    has_pack: bool
    n_files: int


class EditionService:
    """The only way in which users request editions and read about them."""

    def __init__(
        self,
        database: Database,
        accounts: Accounts,
        packs: EditionPacks,
        limits: EditionLimits,
        draw_id: Callable[[], str] = draw_edition_id,
    ) -> None:
        self._database = database
        self._accounts = accounts
        self._packs = packs
        self._limits = limits
        self._draw_id = draw_id

    def request_edition(
        self, owner: UserRecord, benchmark: Benchmark, idempotency_key: str | None = None
    ) -> EditionStatus:
        """Request an edition, which an evaluator renders.

        The same owner and idempotency key return the same edition.

        Raises:
            BadRequestError: The benchmark has no editions.
            LimitError: The owner has too many open editions, or requested too many today.
        """
        _require_editions(benchmark)
        key = check_idempotency_key(idempotency_key)
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            users.lock_user(transaction, owner.id)
            edition = editions.find_by_key(transaction, owner.id, key) if key is not None else None
            if edition is None:
                edition = self._add(transaction, owner, benchmark, key, now)
            return self._describe(transaction, edition)

    def _add(
        self, transaction: Transaction, owner: UserRecord, benchmark: Benchmark, key: str | None, now: datetime
    ) -> EditionRecord:
        quota, unused = self._count(transaction, owner, benchmark, now)
        title = f"{benchmark.title} {benchmark.version}"
        require_edition_left(quota, title, [one.id for one in unused], now)
        edition_id = self._draw_id()
        while editions.find_edition(transaction, edition_id) is not None:
            edition_id = self._draw_id()
        editions.add_edition(transaction, NewEdition(edition_id, benchmark.id, benchmark.version, owner.id, key), now)
        about = {"benchmark": benchmark.id, "version": benchmark.version}
        audit.append(transaction, owner.name, "request-edition", edition_id, about, now)
        return _get_added(transaction, edition_id)

    def find_quota(self, owner: UserRecord, benchmark: Benchmark) -> EditionQuota:
        """Return how many editions of a version a user may still request."""
        with self._database.read() as transaction:
            return self._count(transaction, owner, benchmark, datetime.now(UTC))[0]

    def get_status(self, edition_id: str, viewer: UserRecord | None) -> EditionStatus:
        """Return an edition.

        Raises:
            NotFoundError: It does not exist, or the viewer is neither its owner nor a maintainer.
        """
        with self._database.read() as transaction:
            return self._describe(transaction, self._get_own(transaction, edition_id, viewer))

    def close_edition(self, edition_id: str, actor: UserRecord) -> EditionStatus:
        """Close an edition: its files are scored together, and it accepts no more.

        Raises:
            NotFoundError: See `get_status`.
            StateError: It is not open, or has no file.
        """
        with self._database.read() as transaction:
            owner = self._get_own(transaction, edition_id, actor).owner
        with self._database.write() as transaction:
            users.lock_user(transaction, owner.id)
            edition = self._get_own(transaction, edition_id, actor)
            close(transaction, edition, actor.name, datetime.now(UTC))
            return self._describe(transaction, self._get_own(transaction, edition_id, actor))

    def set_gallery_public(self, edition_id: str, actor: UserRecord, *, is_public: bool) -> EditionStatus:
        """Publish the gallery of a closed edition, or hide it again.

        Raises:
            NotFoundError: See `get_status`.
            StateError: The edition is not closed.
        """
        with self._database.write() as transaction:
            edition = self._get_own(transaction, edition_id, actor)
            if not editions.set_public(transaction, edition.id, is_public=is_public):
                raise StateError(f"Edition {edition.id} is {edition.state}. Its gallery exists once it is closed.")
            act = "publish-gallery" if is_public else "hide-gallery"
            about = {"benchmark": edition.benchmark, "version": edition.version}
            audit.append(transaction, actor.name, act, edition.id, about, datetime.now(UTC))
            return self._describe(transaction, self._get_own(transaction, edition_id, actor))

    def find_readable(self, edition_id: str, viewer: UserRecord | None) -> tuple[EditionRecord, bool]:
        """Return an edition whose gallery the viewer may see, and whether it is their own.

        Raises:
            NotFoundError: It does not exist, or its gallery is not public and the viewer not its owner.
        """
        with self._database.read() as transaction:
            edition = editions.find_edition(transaction, edition_id)
            if edition is None or not (edition.is_public or self._is_own(edition, viewer)):
                raise NotFoundError(_NO_EDITION)
            return edition, self._is_own(edition, viewer)

    def list_mine(self, owner: UserRecord, limit: int = MAX_LISTED) -> list[EditionStatus]:
        """Return a user's editions, newest first."""
        with self._database.read() as transaction:
            found = editions.list_by_owner(transaction, owner.id, limit)
            return [self._describe(transaction, edition) for edition in found]

    def open_pack(
        self, edition_id: str, viewer: UserRecord | None, *, for_gallery: bool = False
    ) -> tuple[EditionRecord, Path]:
        """Return an edition and the path of its pack; `for_gallery` also to those who may only see its gallery.

        Raises:
            NotFoundError: See `get_status`.
            NotReadyError: The pack is being rendered. If nobody had requested it, it is requested now.
            RenderingLimitError: The viewer may only see the gallery, and visitors had it rendered in the last 24 hours.
            StateError: The pack was deleted, and cannot be rendered again because its version is gone.
        """
        edition, is_own = self.find_readable(edition_id, viewer)
        if not is_own and not for_gallery:
            raise NotFoundError(_NO_EDITION)
        path = self._packs.find_pack(edition.pack)
        if path is not None:
            return edition, path
        raise self._request_pack(edition, is_own=is_own)

    def read_clip(self, edition_id: str, viewer: UserRecord | None, name: str) -> bytes:
        """Return a clip of an edition whose gallery the viewer may see. A damaged pack is rendered again.

        Raises:
            NotFoundError: See `find_readable`; or there is no such clip.
            NotReadyError, StateError: See `open_pack`.
        """
        edition, path = self.open_pack(edition_id, viewer, for_gallery=True)
        try:
            return read_clip(path, name)
        except DamagedPackError as error:
            raise self._replace_pack(edition, path, viewer, error) from None

    def measure_clips(self, edition_id: str, viewer: UserRecord | None, clips: Iterable[str]) -> Mapping[str, float]:
        """Return clip → duration in seconds, for some clips of an edition. A damaged pack is rendered again.

        Raises:
            NotFoundError, NotReadyError, StateError: See `read_clip`.
        """
        edition, path = self.open_pack(edition_id, viewer, for_gallery=True)
        try:
            return measure_clips(path, clips)
        except DamagedPackError as error:
            raise self._replace_pack(edition, path, viewer, error) from None

    def _replace_pack(
        self, edition: EditionRecord, path: Path, viewer: UserRecord | None, error: DamagedPackError
    ) -> NotReadyError:
        _LOG.warning("edition %s: a damaged pack is deleted (%s)", edition.id, error)
        self._packs.discard_pack(path)
        return self._request_pack(edition, is_own=self._is_own(edition, viewer))

    def _request_pack(self, edition: EditionRecord, *, is_own: bool) -> NotReadyError:
        """Request a missing pack if nobody has; return what to tell meanwhile.

        Visitors cause at most one rendering in a day: a gallery must not keep evaluators busy.

        Raises:
            StateError: The pack cannot be rendered again because its version, or the answer key, is gone.
        """
        find_design(edition)
        if edition.explanation == explain_loss(edition.id):
            raise StateError(edition.explanation)
        now = datetime.now(UTC)
        if not edition.is_pack_wanted:
            with self._database.write() as transaction:
                if is_own:
                    editions.want_pack(transaction, edition.id, now)
                elif not editions.want_pack_for_visitors(transaction, edition.id, now, now - VISITORS_WAIT):
                    current = editions.find_edition(transaction, edition.id)
                    if current is not None and not current.is_pack_wanted:
                        return _make_rendering_limit(current, now)
        with self._database.read() as transaction:
            n_before = editions.count_before(transaction, edition)
        where = "It is rendered now"
        if n_before:
            where = f"{n_before} {'pack is' if n_before == 1 else 'packs are'} rendered before it"
        return NotReadyError(f"The pack of edition {edition.id} is not ready. {where}. Try again in a few seconds.")

    def _describe(self, transaction: Transaction, edition: EditionRecord) -> EditionStatus:
        is_new = edition.state == "queued"
        state: str = "making" if is_new and edition.is_rendering else edition.state
        n_before = editions.count_before(transaction, edition) if edition.is_pack_wanted else None
        n_files = count_files(transaction, [edition.id]).get(edition.id, 0)
        return EditionStatus(edition, _to_state(state), n_before, self._packs.holds(edition.pack), n_files)

    def _count(
        self, transaction: Transaction, owner: UserRecord, benchmark: Benchmark, now: datetime
    ) -> tuple[EditionQuota, list[EditionRecord]]:
        limits = NO_EDITION_LIMITS if self._accounts.is_maintainer(owner) else self._limits
        own = (owner.id, benchmark.id, benchmark.version)
        unused = editions.list_unused(transaction, *own)
        requested = editions.list_request_times(transaction, *own, now - timedelta(days=1))
        return count_editions(len(unused), requested, limits, now), unused

    def _get_own(self, transaction: Transaction, edition_id: str, viewer: UserRecord | None) -> EditionRecord:
        edition = editions.find_edition(transaction, edition_id)
        if edition is None or not self._is_own(edition, viewer):
            raise NotFoundError(_NO_EDITION)
        return edition

    def _is_own(self, edition: EditionRecord, viewer: UserRecord | None) -> bool:
        return (viewer is not None and viewer.id == edition.owner.id) or self._accounts.is_maintainer(viewer)


def _require_editions(benchmark: Benchmark) -> None:
    if benchmark.has_editions:
        return
    with_some = next((one for one in list_versions(benchmark.id) if one.has_editions), None)
    remedy = "" if with_some is None else f" Version {with_some.version} has some."
    raise BadRequestError(
        "benchmark",
        f"{benchmark.title} {benchmark.version} has no editions, because its questions are not rendered here.{remedy} "
        "Download its test pack instead.",
    )


def _make_rendering_limit(edition: EditionRecord, now: datetime) -> RenderingLimitError:
    again = (edition.visitors_wanted_at or now) + VISITORS_WAIT
    return RenderingLimitError(
        f"The sounds of edition {edition.id} are not on this server now, and were rendered for visitors within the "
        f"last 24 hours. Try again from {again:%Y-%m-%d %H:%M} UTC, or ask the owner to open the gallery.",
        max(1, math.ceil((again - now).total_seconds())),
    )


def _get_added(transaction: Transaction, edition_id: str) -> EditionRecord:
    edition = editions.find_edition(transaction, edition_id)
    if edition is None:
        raise LookupError(edition_id)
    return edition


def _to_state(text: str) -> EditionState:
    for state in ("queued", "making", "open", "closed"):
        if text == state:
            return state
    return "expired"
