"""Versions that an advisory in OSV format affects, by the rules of OSV."""

import msgspec
import pytest

from bench.supply_chain.affected_versions import AffectedPackage, VersionVerdict, judge_version

Events = list[dict[str, str]]


def judge(version: str, *ranges: Events, versions: tuple[str, ...] = (), ecosystem: str = "PyPI") -> VersionVerdict:
    kind = "SEMVER" if ecosystem == "npm" else "ECOSYSTEM"
    entry = {
        "package": {"ecosystem": ecosystem, "name": "parser"},
        "ranges": [{"type": kind, "events": events} for events in ranges],
        "versions": list(versions),
    }
    return judge_version(msgspec.convert(entry, AffectedPackage), ecosystem, version)


TWO_BRANCHES: Events = [{"introduced": "0"}, {"fixed": "1.9.4"}, {"introduced": "2.0a1"}, {"fixed": "2.3"}]


@pytest.mark.parametrize(
    ("version", "verdict"),
    [
        ("0.1.dev1", VersionVerdict(True, "1.9.4")),
        ("1.9.4rc1", VersionVerdict(True, "1.9.4")),
        ("1.9.4", VersionVerdict(False, "2.3")),
        ("1.9.4.post1", VersionVerdict(False, "2.3")),
        ("1.10", VersionVerdict(False, "2.3")),
        ("2.0a0", VersionVerdict(False, "2.3")),
        ("2.0a1", VersionVerdict(True, "2.3")),
        ("2.2.99", VersionVerdict(True, "2.3")),
        ("2.3.0", VersionVerdict(False)),
        ("10.0", VersionVerdict(False)),
    ],
)
def test_a_version_is_affected_from_introduction_to_fix(version: str, verdict: VersionVerdict) -> None:
    assert judge(version, TWO_BRANCHES) == verdict
    assert judge(version, TWO_BRANCHES[::-1]) == verdict, "the order of events does not matter"
    assert judge(version, TWO_BRANCHES[:2], TWO_BRANCHES[2:]).affected == verdict.affected


@pytest.mark.parametrize(("version", "affected"), [("1.0", False), ("1.1", True), ("1.4", True), ("1.4.0.1", False)])
def test_the_last_affected_version_is_affected(version: str, affected: bool) -> None:
    assert judge(version, [{"introduced": "1.1"}, {"last_affected": "1.4"}]) == VersionVerdict(affected)


@pytest.mark.parametrize(("version", "affected"), [("1.1", True), ("1.0", False), ("1.2", False)])
def test_a_range_may_be_one_version(version: str, affected: bool) -> None:
    assert judge(version, [{"introduced": "1.1"}, {"last_affected": "1.1"}]).affected is affected
    assert judge(version, [{"last_affected": "1.1"}, {"introduced": "1.1"}]).affected is affected


def test_a_fix_that_is_introduced_again_is_affected() -> None:
    events: Events = [{"introduced": "0"}, {"introduced": "2.0"}, {"fixed": "2.0"}]
    assert [judge(version, events).affected for version in ("1.9", "2.0", "3.0")] == [True, True, True]


def test_a_range_without_an_end_affects_all_later_versions() -> None:
    assert judge("99.1", [{"introduced": "1.1"}]) == VersionVerdict(True)


def test_a_limit_ends_a_range() -> None:
    events: Events = [{"introduced": "1.0"}, {"limit": "2.0"}]
    assert [judge(version, events).affected for version in ("1.9", "2.0")] == [True, False]
    assert judge("9.0", [{"introduced": "1.0"}, {"limit": "*"}]).affected


def test_listed_versions_are_compared_by_value() -> None:
    assert judge("1.0.0", versions=("1.0", "not-a-version")).affected
    assert not judge("1.0.1", versions=("1.0", "not-a-version")).affected


def test_listed_versions_extend_ranges() -> None:
    assert judge("3.0", TWO_BRANCHES, versions=("3.0",)).affected


@pytest.mark.parametrize(
    ("version", "affected"),
    [
        ("1.2.2", False),
        ("1.2.3-alpha.2", False),
        ("1.2.3-alpha.10", True),
        ("1.2.3-alpha.beta", True),
        ("1.2.3", True),
        ("1.9.9", True),
        ("1.10.0-rc.1", True),
        ("1.10.0", False),
        ("1.10.0+build.7", False),
    ],
)
def test_packages_of_npm_are_ordered_by_semantic_versions(version: str, affected: bool) -> None:
    events: Events = [{"introduced": "1.2.3-alpha.3"}, {"fixed": "1.10.0"}]
    assert judge(version, events, ecosystem="npm").affected is affected


@pytest.mark.parametrize(
    ("events", "note"),
    [
        ([{"introduced": "2020-x"}, {"fixed": "banana"}], "Version '2020-x' cannot be compared."),
        ([{"introduced": "0"}, {}], "Version of an event without one cannot be compared."),
    ],
)
def test_what_cannot_be_compared_counts_as_affected(events: Events, note: str) -> None:
    assert judge("1.0", events) == VersionVerdict(True, note=note)


def test_an_advisory_without_versions_counts_as_affected() -> None:
    assert judge("1.0") == VersionVerdict(True, note="The advisory names no versions.")
    commits = {"ranges": [{"type": "GIT", "events": [{"introduced": "0"}]}]}
    assert judge_version(msgspec.convert(commits, AffectedPackage), "PyPI", "1.0").affected
    listed = judge_version(msgspec.convert({**commits, "versions": ["0.9"]}, AffectedPackage), "PyPI", "1.0")
    assert not listed.affected, "a list of versions is enough"
