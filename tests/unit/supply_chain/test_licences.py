"""Licences: every package of the lock files has an allowed one, and the page lists it."""

from importlib.metadata import distributions

import pytest

from bench.supply_chain.__main__ import LICENCES_PAGE, render_licences
from bench.supply_chain.distribution_licences import (
    READ_IN_THE_WHEEL,
    UnknownLicenceError,
    find_licence,
    list_forbidden,
    normalize_expression,
)
from bench.supply_chain.locked_packages import (
    NPM_LOCK,
    PRODUCT_LOCK,
    TOOLS_LOCK,
    LockedPackage,
    normalize_name,
    read_npm_lock,
    read_python_lock,
)

# What an environment has besides the packages of the lock files: this project, and what installs them.
INSTALLERS = {"earshot", "pip", "setuptools", "uv", "wheel"}


def read_python_packages() -> list[LockedPackage]:
    return [*read_python_lock(PRODUCT_LOCK), *read_python_lock(TOOLS_LOCK)]


def test_every_python_package_has_an_allowed_licence() -> None:
    packages = read_python_packages()
    assert len(packages) > 150
    forbidden = {package.name: list_forbidden(find_licence(package)) for package in packages}
    assert {name: licences for name, licences in forbidden.items() if licences} == {}


def test_every_package_of_npm_has_an_allowed_licence() -> None:
    packages = read_npm_lock(NPM_LOCK)
    assert len(packages) > 50
    forbidden = {package.name: list_forbidden(normalize_expression(package.licence)) for package in packages}
    assert {name: licences for name, licences in forbidden.items() if licences} == {}


def test_every_installed_package_is_in_a_lock_file() -> None:
    installed = {normalize_name(distribution.name) for distribution in distributions()}
    assert installed - {package.name for package in read_python_packages()} <= INSTALLERS


def test_licences_are_read_in_wheels_only_where_metadata_do_not_name_them() -> None:
    assert READ_IN_THE_WHEEL.keys() <= {package.name for package in read_python_packages()}


def test_the_page_of_licences_is_up_to_date() -> None:
    assert LICENCES_PAGE.read_text(encoding="utf-8") == render_licences(), "run `make licences`"


@pytest.mark.parametrize(
    ("expression", "forbidden"),
    [
        ("MIT", []),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", []),
        ("AGPL-3.0-only", ["AGPL-3.0-only"]),
        ("MIT OR GPL-2.0-only", ["GPL-2.0-only"]),
        ("GPL-3.0-only WITH GCC-exception-3.1", ["GPL-3.0-only", "WITH", "GCC-exception-3.1"]),
    ],
)
def test_each_licence_of_an_expression_must_be_allowed(expression: str, forbidden: list[str]) -> None:
    assert list_forbidden(normalize_expression(expression)) == forbidden


@pytest.mark.parametrize(
    ("package", "message"),
    [
        (LockedPackage("PyPI", "numpy", "0.0.1"), r"numpy [\d.]+ is installed, 0.0.1 is locked"),
        (LockedPackage("PyPI", "no-such-package-here", "1"), "is not installed"),
    ],
)
def test_a_package_that_is_not_installed_as_locked_is_refused(package: LockedPackage, message: str) -> None:
    with pytest.raises(UnknownLicenceError, match=message):
        find_licence(package)


def test_an_unusual_expression_is_refused() -> None:
    with pytest.raises(UnknownLicenceError, match="no SPDX expression"):
        normalize_expression("free for all")
