"""Program and command-line options of evaluators: which work they leave to others."""

import argparse
from collections.abc import Mapping

_LEFT_OUT: Mapping[str, str] = {
    "--no-packs": "do not build question packs; another evaluator does",
    "--no-references": "do not run the reference systems; another evaluator does",
}


def add_worker_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    for flag, meaning in _LEFT_OUT.items():
        parser.add_argument(flag, action="store_true", help=meaning)


def list_worker_options(options: argparse.Namespace) -> list[str]:
    """Return the given flags, to pass them on."""
    return [flag for flag in _LEFT_OUT if getattr(options, flag.removeprefix("--").replace("-", "_"))]


def find_worker_module(*, has_judge: bool) -> str:
    """Return the module that runs an evaluator. A judge's client takes too long to import for all others."""
    return "submissions.judging" if has_judge else "submissions.worker"
