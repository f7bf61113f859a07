"""Commands of the supply chain: `python -m bench.supply_chain sbom | licences | audit`."""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from bench.supply_chain.accepted_findings import (
    ACCEPTED_FILE,
    AcceptedFinding,
    InvalidAcceptanceError,
    list_expired,
    read_accepted,
)
from bench.supply_chain.advisories import AdvisoryCounts, UnreadableAdvisoryError, read_advisories
from bench.supply_chain.bill_of_materials import write_bill
from bench.supply_chain.distribution_licences import UnknownLicenceError
from bench.supply_chain.licence_page import write_page
from bench.supply_chain.locked_packages import (
    NPM,
    NPM_LOCK,
    PRODUCT_LOCK,
    PYPI,
    ROOT,
    TOOLS_LOCK,
    LockedPackage,
    UnreadableLockError,
    read_npm_lock,
    read_python_lock,
)
from bench.supply_chain.vulnerability_audit import HEAD, Finding, describe_finding, list_findings, write_table

LICENCES_PAGE = ROOT / "docs" / "licences.md"
CLEAN, FOUND, UNUSABLE = 0, 1, 2


def main(arguments: Sequence[str] | None = None, today: date | None = None) -> int:
    """Run a command and return its exit code: 1 for open findings, 2 for files that cannot be used."""
    options = _parse_options(arguments)
    try:
        if options.command == "sbom":
            options.out.write_text(write_bill(read_python_lock(PRODUCT_LOCK)), encoding="utf-8")
            print(f"Wrote {options.out}.")
            return CLEAN
        if options.command == "licences":
            LICENCES_PAGE.write_text(render_licences(), encoding="utf-8")
            print(f"Wrote {LICENCES_PAGE.relative_to(ROOT)}.")
            return CLEAN
        return _run_audit(options, today or datetime.now(UTC).date())
    except (
        *(OSError, InvalidAcceptanceError, UnreadableAdvisoryError),
        *(UnknownLicenceError, UnreadableLockError),
    ) as error:
        print(error, file=sys.stderr)
        return UNUSABLE


def render_licences() -> str:
    """Return the page of licences."""
    return write_page(read_python_lock(PRODUCT_LOCK), read_python_lock(TOOLS_LOCK), read_npm_lock(NPM_LOCK))


def _run_audit(options: argparse.Namespace, today: date) -> int:
    packages = [
        package
        for package in _read_locks(options.locks)
        if not options.ecosystem or package.ecosystem in options.ecosystem
    ]
    accepted = read_accepted(options.accepted, today)
    counts = AdvisoryCounts()
    findings = list_findings(packages, read_advisories(options.advisories, counts))
    _print_sources(packages, counts)
    open_findings = [finding for finding in findings if not finding.find_acceptance(accepted, today)]
    if findings:
        print(write_table([HEAD, *(_list_cells(finding, accepted, today) for finding in findings)]))
    print(f"{len(open_findings)} open, {len(findings) - len(open_findings)} accepted.")
    for entry in list_expired(accepted, today):
        print(
            f"The acceptance of {entry.id} in {entry.package} expired on {entry.expires}: read it again or remove it."
        )
    missing = {package.ecosystem for package in packages} - counts.by_ecosystem.keys()
    for ecosystem in sorted(missing):
        print(f"Not checked: {ecosystem}. The files have no advisory for it.", file=sys.stderr)
    if open_findings:
        return FOUND
    return UNUSABLE if missing else CLEAN


def _read_locks(paths: Sequence[Path]) -> list[LockedPackage]:
    packages = [
        package
        for path in paths
        for package in (read_npm_lock(path) if path.suffix == ".json" else read_python_lock(path))
    ]
    # Hashes and parents differ between lock files, the package is the same.
    return sorted({LockedPackage(package.ecosystem, package.name, package.version) for package in packages})


def _print_sources(packages: Sequence[LockedPackage], counts: AdvisoryCounts) -> None:
    for ecosystem in sorted({package.ecosystem for package in packages}):
        locked = sum(package.ecosystem == ecosystem for package in packages)
        print(f"{ecosystem}: {locked} packages, {counts.by_ecosystem[ecosystem]:,} advisories.")
    print(f"Latest change of an advisory: {counts.latest or 'unknown'}.")


def _list_cells(finding: Finding, accepted: Sequence[AcceptedFinding], today: date) -> tuple[str, ...]:
    acceptance = finding.find_acceptance(accepted, today)
    verdict = f"accepted until {acceptance.expires}: {acceptance.reason}" if acceptance else "open"
    return describe_finding(finding, verdict)


def _parse_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.supply_chain", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    sbom = commands.add_parser("sbom", help="write what the product installs as CycloneDX")
    sbom.add_argument("--out", type=Path, default=Path("sbom.cdx.json"))
    commands.add_parser("licences", help="write docs/licences.md")
    audit = commands.add_parser("audit", help="compare the lock files with advisories in OSV format")
    audit.add_argument("advisories", type=Path, nargs="+", help="all.zip of OSV, JSON files, or folders of both")
    audit.add_argument("--locks", type=Path, nargs="+", default=[PRODUCT_LOCK, TOOLS_LOCK, NPM_LOCK])
    audit.add_argument("--ecosystem", action="append", choices=(PYPI, NPM), help="check only this one")
    audit.add_argument("--accepted", type=Path, default=ACCEPTED_FILE)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
