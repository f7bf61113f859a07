"""Accepted findings: vulnerabilities that do not concern us, each with a reason and an expiry date."""

import tomllib
from collections.abc import Collection, Iterable
from datetime import date
from pathlib import Path
from typing import NamedTuple

ACCEPTED_FILE = Path(__file__).with_name("accepted-findings.toml")
MAX_DAYS = 180
_FIELDS = frozenset({"id", "package", "reason", "expires"})


class AcceptedFinding(NamedTuple):
    """A decision not to fix a vulnerability of a package until a date."""

    id: str
    package: str
    reason: str
    expires: date

    def covers_finding(self, ids: Collection[str], package: str, today: date) -> bool:
        """Tell whether the decision is about this vulnerability, under any of its names, and still holds."""
        return self.package == package and self.id in ids and today <= self.expires


class InvalidAcceptanceError(Exception):
    """An entry of the file that lacks a field, or holds for longer than is allowed."""


def read_accepted(path: Path, today: date) -> list[AcceptedFinding]:
    """Return the entries of a file.

    Raises:
        InvalidAcceptanceError: An entry is incomplete, or expires in more than half a year.
    """
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("accepted", [])
    return list(map(_check_entry, entries, [today] * len(entries)))


def list_expired(accepted: Iterable[AcceptedFinding], today: date) -> list[AcceptedFinding]:
    """Return the entries that no longer hold."""
    return [entry for entry in accepted if entry.expires < today]


def _check_entry(entry: dict[str, object], today: date) -> AcceptedFinding:
    if entry.keys() != _FIELDS or not isinstance(entry["expires"], date):
        raise InvalidAcceptanceError(f"An entry needs {', '.join(sorted(_FIELDS))}, and expires is a date: {entry}")
    finding = AcceptedFinding(
        str(entry["id"]), str(entry["package"]), " ".join(str(entry["reason"]).split()), entry["expires"]
    )
    if not finding.reason:
        raise InvalidAcceptanceError(f"{finding.id} has no reason.")
    if (finding.expires - today).days > MAX_DAYS:
        raise InvalidAcceptanceError(f"{finding.id} expires in more than {MAX_DAYS} days.")
    return finding
