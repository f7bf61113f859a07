"""Records of the audit log."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """One entry of the audit log: who did what to which subject, and the digests that chain it to the one before."""

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
    """Whether the audit log is unbroken.

    Attributes:
        n_entries: Number of entries that were read.
        digest: Digest of the last entry: whoever has noted it elsewhere can tell whether the log was made anew.
        broken_at: Number of the first entry that is altered or missing; None when all are as they were written.
    """

    n_entries: int
    digest: str
    broken_at: int | None
