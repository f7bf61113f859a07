"""Records of editions."""

from dataclasses import dataclass
from datetime import datetime

from db.records import UserRecord


@dataclass(frozen=True, slots=True)
class EditionRecord:
    """An edition: a test split that is rendered for one submitter and used once.

    Attributes:
        number: Number, in the order of requests.
        id: ID, such as `e-7f3kq9x2`, which its items state.
        benchmark: Benchmark ID.
        version: Benchmark version.
        owner: Who may answer it.
        state: `queued`, `open`, `closed`, or `expired` if it ended without a file.
        created_at: When it was requested.
        opened_at: When its questions were ready; None before.
        expires_at: When it closes by itself; None before it is open.
        closed_at: When it was closed or expired.
        design: Digest of the design; None before it is open.
        content_digest: Digest of its questions and sounds; None before it is open.
        n_items: Number of items; 0 before it is open.
        pack: File name of its question pack; None before it is open.
        is_rendering: Whether an evaluator is rendering its pack.
        is_pack_wanted: Whether its pack is queued or being rendered.
        progress: Fraction of the pack that is rendered.
        explanation: Why the last attempt to render the pack failed; None if it did not.
        is_public: Whether anybody may see its gallery.
        visitors_wanted_at: When a visitor of its gallery last caused its pack to be rendered again; None if none did.
    """

    number: int
    id: str
    benchmark: str
    version: str
    owner: UserRecord
    state: str
    created_at: datetime
    opened_at: datetime | None
    expires_at: datetime | None
    closed_at: datetime | None
    design: str | None
    content_digest: str | None
    n_items: int
    pack: str | None
    is_rendering: bool
    is_pack_wanted: bool
    progress: float
    explanation: str | None
    is_public: bool
    visitors_wanted_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewEdition:
    """A requested edition."""

    id: str
    benchmark: str
    version: str
    owner_id: int
    idempotency_key: str | None


@dataclass(frozen=True, slots=True)
class RenderedEdition:
    """What an evaluator stores once the pack of an edition is ready.

    Attributes:
        design: Digest of the design.
        content_digest: Digest of questions and sounds.
        n_items: Number of items.
        items: The public items, encoded.
        pack: File name of the question pack.
        expires_at: When the edition closes by itself.
    """

    design: str
    content_digest: str
    n_items: int
    items: bytes
    pack: str
    expires_at: datetime
