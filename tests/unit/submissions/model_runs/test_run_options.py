"""Options of `run`: defaults, and combinations that make no sense, each refused in one sentence."""

import argparse
from pathlib import Path

import pytest

from submissions.client import UsageError
from submissions.model_runs.run_options import add_run_options, check_options

ENDPOINT = ("--base-url", "http://localhost:8000/v1", "--model", "Org/my model")
ADAPTER = ("--adapter", "a:b", "--model", "m")


def parse(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    add_run_options(parser)
    options = parser.parse_args(["--benchmark", "star-bench", *arguments])
    check_options(options)
    return options


@pytest.mark.parametrize(
    ("arguments", "split"),
    [((), "practice"), (("--submit",), "test"), (("--edition", "e-1"), "test"), (("--split", "both"), "both")],
)
def test_practice_is_asked_unless_something_is_to_be_submitted(arguments: tuple[str, ...], split: str) -> None:
    options = parse(*ENDPOINT, *arguments)
    assert options.split == split
    assert options.out == Path("earshot-runs/star-bench/Org-my-model")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*ENDPOINT, "--limit", "20", "--submit"), "--limit is a trial, which is never submitted"),
        ((*ENDPOINT, "--limit", "20", "--split", "test"), "--limit asks practice questions only"),
        ((*ENDPOINT, "--limit", "20", "--edition", "e-1"), "--limit asks practice questions only"),
        ((*ENDPOINT, "--split", "practice", "--submit"), "attached to a submission of test answers"),
        ((*ENDPOINT, "--split", "practice", "--edition", "e-1"), "--edition has test questions"),
        ((*ENDPOINT, "--split", "both", "--pack", "p.zip"), "--pack has one split"),
        ((*ENDPOINT, "--pack", "p.zip", "--edition", "e-1"), "--pack and --edition exclude each other"),
        ((*ADAPTER, "--api-key-env", "KEY"), "--api-key-env belongs to --base-url"),
        ((*ADAPTER, "--mono"), "--mono belongs to --base-url"),
        ((*ENDPOINT, "--publish"), "--publish requires --submit"),
        ((*ENDPOINT, "--display-name", "M"), "--display-name requires --submit"),
    ],
)
def test_contradiction_is_refused_with_what_to_do(arguments: tuple[str, ...], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(*arguments)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*ENDPOINT, "--limit", "0"), "'0' is not a whole number from 1 on"),
        ((*ENDPOINT, "--concurrency", "many"), "'many' is not a whole number"),
        ((*ENDPOINT, *ADAPTER), "not allowed with argument"),
        (("--model", "m"), "one of the arguments --base-url --adapter is required"),
        (("--base-url", "http://localhost:8000/v1"), "the following arguments are required: --model"),
    ],
)
def test_wrong_usage_is_told_by_the_parser(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        parse(*arguments)
    assert caught.value.code == 2
    assert said in capsys.readouterr().err
