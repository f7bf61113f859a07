"""Repository tooling: Makefile and CI commands, skipped tests, coverage."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import settings
from tests.support import skipped

ROOT = Path(settings.__file__).parent.parent
TARGETS = (
    "help",
    "setup",
    "run",
    "test",
    "test-python",
    "check",
    "soak",
    "test-js",
    "lint",
    "bench",
    "screenshots",
    "lock",
    "sbom",
    "licences",
    "audit",
)


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the repository as from a shell, even if `make` runs these tests."""
    return subprocess.run(
        command,
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != "MAKEFLAGS"} | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_make_help_lists_every_target() -> None:
    done = run("make", "help")
    assert (done.returncode, done.stderr) == (0, "")
    listed = re.findall(r"^  make ([a-z-]+) +\S", done.stdout, re.MULTILINE)
    assert listed == list(TARGETS)
    (phony,) = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(phony.split()) == set(TARGETS)


def test_make_without_a_target_prints_help() -> None:
    assert run("make").stdout == run("make", "help").stdout


@pytest.mark.parametrize("target", TARGETS)
def test_make_knows_every_target(target: str) -> None:
    done = run("make", "--dry-run", target)
    assert done.returncode == 0, done.stderr


def test_ci_runs_checks_then_tests_and_fails_on_skips(tmp_path: Path) -> None:
    fake = tmp_path / "make"
    fake.write_text('#!/bin/sh\necho "make $* CI=$CI in $PWD"\n')
    fake.chmod(0o755)
    done = run(str(ROOT / ".ci" / "run"), PATH=f"{tmp_path}:{os.environ['PATH']}", CI="")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [f"make check CI=true in {ROOT}", f"make test CI=true in {ROOT}"]


def test_ci_stops_at_the_first_failure(tmp_path: Path) -> None:
    fake = tmp_path / "make"
    fake.write_text('#!/bin/sh\necho "make $*"\nexit 3\n')
    fake.chmod(0o755)
    done = run(str(ROOT / ".ci" / "run"), PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert (done.returncode, done.stdout) == (3, "make check\n")


SKIPPING = "import pytest\n\ndef test_one():\n    pass\n\ndef test_two():\n    pytest.skip('no browser')\n"


@pytest.mark.parametrize(("ci", "code"), [("true", 1), ("", 0)])
def test_skip_fails_on_ci_and_the_summary_is_last(
    tmp_path: Path, pytestconfig: pytest.Config, ci: str, code: int
) -> None:
    for hook in (skipped.pytest_terminal_summary, skipped.pytest_sessionfinish):
        used = getattr(pytestconfig.hook, hook.__name__).get_hookimpls()
        assert hook in [one.function for one in used], "it applies to all tests"
    (tmp_path / "unit").mkdir()
    (tmp_path / "unit" / "test_skipping.py").write_text(SKIPPING)
    options = ("-p", skipped.__name__, "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "-c", os.devnull)
    command = (sys.executable, "-m", "pytest", *options)
    done = run(*command, str(tmp_path), CI=ci, PYTHONPATH=str(ROOT))
    assert done.returncode == code, done.stdout
    assert ("1 skipped tests count as failures" in done.stdout) is (ci == "true")
    assert "1 passed, 1 skipped" in done.stdout.splitlines()[-1]


@pytest.mark.slow
def test_coverage_is_measured_without_loading_numpy_twice(tmp_path: Path) -> None:
    """Numpy cannot be imported twice, which coverage would do if it imported modules to find them."""
    data = tmp_path / "coverage"
    coverage = (sys.executable, "-m", "coverage")
    tests = ("tests/unit/evaluation/test_metrics.py", "-k", "hand_computed")
    done = run(*coverage, "run", f"--data-file={data}", "-m", "pytest", "-q", "--noconftest", *tests)
    assert done.returncode == 0, done.stdout + done.stderr
    report = tmp_path / "coverage.json"
    done = run(*coverage, "json", f"--data-file={data}", "-o", str(report), "-q")
    assert done.returncode == 0, done.stdout + done.stderr
    files = json.loads(report.read_text())["files"]
    tops = {Path(name).parts[0] for name in files}
    assert tops == {
        "app.py",
        "command_line.py",
        "settings",
        "evaluation",
        "db",
        "submissions",
        "leaderboard",
    }
    assert files["evaluation/metrics/accuracy.py"]["summary"]["percent_covered"] > 50
