"""SBOM: valid CycloneDX with every package of the lock file, and the same bytes each time."""

import gzip
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

from bench.supply_chain.__main__ import main
from bench.supply_chain.bill_of_materials import build_bill, write_bill
from bench.supply_chain.locked_packages import (
    PRODUCT_LOCK,
    ROOT,
    LockedPackage,
    UnreadableLockError,
    read_npm_lock,
    read_python_lock,
)

# As in cyclonedx-python-lib 11.12.0, under Apache-2.0; they name each other by these addresses.
SCHEMAS = ROOT / "tests" / "support" / "cyclonedx"
ADDRESS = "http://cyclonedx.org/schema/{}.SNAPSHOT.schema.json"


def read_schema(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(gzip.decompress((SCHEMAS / f"{name}.schema.json.gz").read_bytes()))
    return schema


def make_validator() -> jsonschema.Draft7Validator:
    others = {ADDRESS.format(name): Resource.from_contents(read_schema(name)) for name in ("spdx", "jsf-0.82")}
    registry: Registry[Any] = Registry().with_resources(others.items())
    return jsonschema.Draft7Validator(read_schema("bom-1.6"), registry=registry)


@pytest.fixture(scope="module")
def packages() -> list[LockedPackage]:
    return read_python_lock(PRODUCT_LOCK)


def test_the_bill_is_valid(packages: list[LockedPackage]) -> None:
    validator = make_validator()
    bill = build_bill(packages)
    assert [error.message for error in validator.iter_errors(bill)] == []
    component = bill["components"][0]
    faulty = {**bill, "components": [{**component, "licenses": [{"license": {"id": "MIT-ish"}}]}]}
    assert not validator.is_valid(faulty), "licences are checked, too"


def test_the_bill_has_every_package_with_its_hashes(packages: list[LockedPackage]) -> None:
    bill = build_bill(packages)
    lines = PRODUCT_LOCK.read_text(encoding="utf-8")
    assert len(bill["components"]) == len(packages) == lines.count("==")
    hashes = [entry["content"] for one in bill["components"] for entry in one["externalReferences"][0]["hashes"]]
    assert len(hashes) == lines.count("--hash=sha256:")
    assert all(digest in lines for digest in hashes)
    assert "pkg:pypi/psycopg-binary@3.3.9" in {component["purl"] for component in bill["components"]}


def test_dependencies_lead_from_the_product_to_every_package(packages: list[LockedPackage]) -> None:
    needed = {entry["ref"]: entry["dependsOn"] for entry in build_bill(packages)["dependencies"]}
    reached, ahead = set[str](), ["earshot"]
    while ahead:
        reference = ahead.pop()
        if reference not in reached:
            reached.add(reference)
            ahead += needed[reference]
    assert reached == needed.keys()
    assert any(reference.startswith("pkg:pypi/gradio@") for reference in needed["earshot"])
    assert not any(reference.startswith("pkg:pypi/pycparser@") for reference in needed["earshot"])


def test_the_bill_has_the_same_bytes_each_time(packages: list[LockedPackage]) -> None:
    assert write_bill(packages) == write_bill(packages)
    assert build_bill(packages)["serialNumber"] != build_bill(packages[:-1])["serialNumber"]
    assert "timestamp" not in build_bill(packages)["metadata"]


def test_the_command_writes_the_bill(tmp_path: Path, packages: list[LockedPackage]) -> None:
    out = tmp_path / "sbom.cdx.json"
    assert main(["sbom", "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == write_bill(packages)


def test_a_line_that_is_not_understood_is_refused(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text("parser @ https://example.org/parser.whl\n")
    with pytest.raises(UnreadableLockError, match="is no pin, hash or comment"):
        read_python_lock(lock)


def test_packages_of_npm_are_read_once_for_each_version(tmp_path: Path) -> None:
    lock = tmp_path / "package-lock.json"
    entry = {"version": "1.0.0", "license": "MIT"}
    packages = {
        "": {"name": "ours"},
        "node_modules/@scope/one": entry,
        "node_modules/two": entry,
        "node_modules/@scope/one/node_modules/two": {**entry, "version": "2.0.0"},
        "node_modules/three/node_modules/two": entry,
        "node_modules/alias": {**entry, "name": "four"},
        "node_modules/linked": {"link": True},
    }
    lock.write_text(json.dumps({"packages": packages}))
    read = [(package.name, package.version) for package in read_npm_lock(lock)]
    assert read == [("@scope/one", "1.0.0"), ("four", "1.0.0"), ("two", "1.0.0"), ("two", "2.0.0")]
