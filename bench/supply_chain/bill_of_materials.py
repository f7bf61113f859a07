"""Software bill of materials (SBOM) in CycloneDX 1.6: what the product installs.

The same lock file gives the same bytes: there is no time, and the serial number is derived from the content.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from bench.supply_chain.distribution_licences import find_licence
from bench.supply_chain.locked_packages import ROOT, LockedPackage

_PRODUCT = "-r requirements.in"
Document = dict[str, Any]


def build_bill(packages: Sequence[LockedPackage]) -> Document:
    """Return the SBOM of the product and its packages."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    bill: Document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "lifecycles": [{"phase": "pre-build"}],
            "component": {
                "type": "application",
                "bom-ref": project["name"],
                "name": project["name"],
                "version": project["version"],
                "description": project["description"],
                "licenses": _describe_licence(project["license"]),
            },
        },
        "components": [_describe_package(package) for package in packages],
        "dependencies": _list_dependencies(project["name"], packages),
    }
    return {**bill, "serialNumber": uuid5(NAMESPACE_URL, _write_sorted(bill)).urn}


def write_bill(packages: Sequence[LockedPackage]) -> str:
    """Return the SBOM as JSON."""
    return _write_sorted(build_bill(packages))


def package_url(package: LockedPackage) -> str:
    """Return the purl of a package from PyPI."""
    return f"pkg:pypi/{package.name}@{package.version}"


def _describe_package(package: LockedPackage) -> Document:
    return {
        "type": "library",
        "bom-ref": package_url(package),
        "name": package.name,
        "version": package.version,
        "purl": package_url(package),
        "licenses": _describe_licence(find_licence(package)),
        # A version has one file for each platform. The lock file accepts these and no others.
        "externalReferences": [
            {
                "type": "distribution",
                "url": package_url(package),
                "hashes": [{"alg": "SHA-256", "content": digest} for digest in package.hashes],
            }
        ],
    }


def _describe_licence(expression: str) -> list[Document]:
    if " " in expression:
        return [{"expression": expression}]
    return [{"license": {"id": expression}}]


def _list_dependencies(product: str, packages: Sequence[LockedPackage]) -> list[Document]:
    references = {package.name: package_url(package) for package in packages}
    needed: dict[str, list[str]] = {product: [], **{reference: [] for reference in references.values()}}
    for package in packages:
        for parent in package.parents:
            needed[product if parent == _PRODUCT else references[parent]].append(package_url(package))
    return [{"ref": reference, "dependsOn": sorted(children)} for reference, children in needed.items()]


def _write_sorted(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=2, sort_keys=True) + "\n"
