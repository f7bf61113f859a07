"""Records of the audit log."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """One entry of the audit log: who did what to which subject, and the digests that chain the entries."""

    number: int
    at: str
    actor: str
    action: str
    subject: str
    details: Mapping[str, object]
    previous: str
    digest: str


@dataclass(frozen=True, slots=True)
class AuditVerdict:
    """Result of verifying the audit log.

    Attributes:
        n_entries: Number of entries that were read.
        digest: Digest of the last entry. Comparing it with a copy stored elsewhere reveals a rebuilt log.
        broken_at: Number of the first altered or missing entry; None if the log is intact.
    """

    n_entries: int
    digest: str
    broken_at: int | None
