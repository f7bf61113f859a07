"""`python -m submissions worker` where a judge is set: its client takes too long to import for all others."""

import argparse
import logging
import sys
from collections.abc import Sequence

from evaluation.command_line import DONE, add_verbose, is_verbose, run_command
from evaluation.judge.client import ClientOptions
from settings import EvaluatorSettings, SettingsError, load_evaluator_settings
from submissions.errors import SubmissionError
from submissions.judging.connecting import connect_to
from submissions.worker import run_worker
from submissions.worker_options import add_worker_options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run an evaluator with a judge and return its exit code: 0 done, 1 the work failed, 2 wrong usage."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO if is_verbose(options) else logging.WARNING, format="%(message)s")
    for talkative in ("apscheduler", "httpx2", "openai"):
        logging.getLogger(talkative).setLevel(logging.ERROR)
    # Variables without effect were named by the command in front of this.
    return run_command(options, misuses=(SettingsError,), failures=(SubmissionError,))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m submissions worker", description=__doc__)
    add_worker_options(parser)
    add_verbose(parser)
    parser.set_defaults(run=_work)
    return parser


def _work(options: argparse.Namespace) -> int:
    settings = load_evaluator_settings()
    run_worker(
        settings,
        make_packs=not options.no_packs,
        with_references=not options.no_references,
        connect=connect_to(_read_options(settings)),
    )
    return DONE


def _read_options(settings: EvaluatorSettings) -> ClientOptions:
    key = settings.judge_api_key
    return ClientOptions(
        base_url=settings.judge_base_url or "",
        model=settings.judge_model or "",
        api_key=key.get_secret_value() if key else None,
        concurrency=settings.judge_concurrency,
    )


if __name__ == "__main__":
    sys.exit(main())
