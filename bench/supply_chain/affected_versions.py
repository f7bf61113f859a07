"""Affected versions of an advisory in OSV format, by the rules of its specification.

https://ossf.github.io/osv-schema/#evaluation. What cannot be compared counts as affected: a person decides.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from packaging.version import InvalidVersion, Version

from bench.supply_chain.locked_packages import NPM

_SEMVER = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?")
_START = "0"
_COMPARABLE = frozenset({"ECOSYSTEM", "SEMVER"})
_Order = Callable[[str], Any]


class RangeEvent(msgspec.Struct):
    """A version at which something changes; one field is set."""

    introduced: str | None = None
    fixed: str | None = None
    last_affected: str | None = None
    limit: str | None = None


class AffectedRange(msgspec.Struct):
    """A range of versions."""

    type: str
    events: list[RangeEvent] = []


class AdvisedPackage(msgspec.Struct):
    """The package that an advisory is about."""

    ecosystem: str
    name: str


class AffectedPackage(msgspec.Struct):
    """A package and its affected versions."""

    package: AdvisedPackage | None = None
    ranges: list[AffectedRange] | None = None
    versions: list[str] | None = None


class VersionVerdict(NamedTuple):
    """Whether a version is affected, which version fixes it, and a note if this could not be compared."""

    affected: bool
    fixed: str | None = None
    note: str = ""


class _UnknownOrderError(Exception):
    """A version that its ecosystem's rules cannot order."""


def judge_version(affected: AffectedPackage, ecosystem: str, version: str) -> VersionVerdict:
    """Tell whether a version of a package is affected."""
    order = _order_semver if ecosystem == NPM else _order_python
    ranges = [found for found in affected.ranges or () if found.type in _COMPARABLE and found.events]
    if not ranges and not affected.versions:
        return VersionVerdict(True, note="The advisory names no versions.")
    try:
        listed = _is_listed(affected.versions or (), version, order)
        hits = [found for found in ranges if _contains_version(found, version, order)]
        fixed = _find_fix(hits or ranges, version, order)
    except _UnknownOrderError as error:
        return VersionVerdict(True, note=f"Version {error} cannot be compared.")
    return VersionVerdict(listed or bool(hits), fixed)


def _is_listed(versions: Sequence[str], version: str, order: _Order) -> bool:
    def is_equal(listed: str) -> bool:
        try:
            return bool(order(listed) == order(version))
        except _UnknownOrderError:
            # Old releases have names that no rule can read; our lock files have none of these.
            return listed == version

    return any(map(is_equal, versions))


def _contains_version(found: AffectedRange, version: str, order: _Order) -> bool:
    ours = order(version)
    limits = [event.limit for event in found.events if event.limit not in (None, "*")]
    if limits and not any(ours < order(limit) for limit in limits if limit):
        return False
    vulnerable = False
    for event in sorted(found.events, key=lambda event: _sort_event(event, order)):
        if event.introduced is not None and (event.introduced == _START or ours >= order(event.introduced)):
            vulnerable = True
        elif _is_over(event, ours, order):
            vulnerable = False
    return vulnerable


def _is_over(event: RangeEvent, ours: Any, order: _Order) -> bool:
    if event.fixed is not None:
        return bool(ours >= order(event.fixed))
    return event.last_affected is not None and bool(ours > order(event.last_affected))


def _sort_event(event: RangeEvent, order: _Order) -> tuple[Any, ...]:
    """Sort by version. At the same one, a fix comes before what it introduces again, and its own end comes last."""
    if event.introduced == _START:
        return (0,)
    at = event.introduced or event.fixed or event.last_affected or event.limit
    if at is None:
        raise _UnknownOrderError("of an event without one")
    return (1, order(at), (event.fixed is None) + (event.last_affected is not None))


def _find_fix(ranges: Sequence[AffectedRange], version: str, order: _Order) -> str | None:
    ours = order(version)
    fixes = [event.fixed for found in ranges for event in found.events if event.fixed and order(event.fixed) > ours]
    return min(fixes, key=order, default=None)


def _order_python(version: str) -> Version:
    try:
        return Version(version)
    except InvalidVersion as error:
        raise _UnknownOrderError(repr(version[:40])) from error


def _order_semver(version: str) -> tuple[Any, ...]:
    """Return what orders versions by https://semver.org/#spec-item-11."""
    parts = _SEMVER.fullmatch(version)
    if parts is None:
        raise _UnknownOrderError(repr(version[:40]))
    numbers = tuple(map(int, parts.group(1, 2, 3)))
    names = parts[4].split(".") if parts[4] else []
    before = tuple((0, int(name), "") if name.isdigit() else (1, 0, name) for name in names)
    return (*numbers, not names, before)
