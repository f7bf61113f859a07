"""`python -m evaluation judge`: measure how well the judge of open answers agrees with given scores."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from command_line import DONE, add_verbose, run_command
from evaluation.errors import EvaluationError
from evaluation.judge.calibration import CALIBRATION_REPORT, show_report
from evaluation.judge.commands import calibrate_file
from evaluation.judge.judge_client import ClientOptions
from evaluation.judge.rated import SHIPPED
from settings import EvaluatorSettings, SettingsError, load_evaluator_settings


class NoJudgeError(Exception):
    """No judge is configured."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 the work failed, 2 wrong usage."""
    # The calling command has already reported variables without effect.
    return run_command(
        _parser().parse_args(arguments), misuses=(SettingsError, NoJudgeError), failures=(EvaluationError,)
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evaluation judge", description=__doc__)
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    calibrating = actions.add_parser("calibrate", help="measure agreement with scored answers and write a report")
    calibrating.add_argument(
        "file",
        metavar="FILE",
        type=Path,
        nargs="?",
        default=SHIPPED,
        help="JSON Lines or CSV with id, question, reference, answer and human (human score, 0 to 10); default: 30 "
        "included answers with constructed scores",
    )
    calibrating.add_argument(
        "--out", metavar="REPORT.json", type=Path, help="report file (default: in the data folder)"
    )
    calibrating.add_argument("--json", action="store_true", help="print JSON")
    calibrating.set_defaults(run=_calibrate)
    for command in (parser, calibrating):
        add_verbose(command)
    return parser


def _calibrate(options: argparse.Namespace) -> int:
    settings = load_evaluator_settings()
    judge_options = _read_options(settings)
    report, usage = calibrate_file(
        options.file, judge_options, settings.judge_repeats, settings.judge_max_calls_per_day
    )
    if options.out is None:
        settings.make_data_dir()
    out = options.out or settings.data_dir / CALIBRATION_REPORT
    out.write_text(report.as_json() + "\n", encoding="utf-8")
    print(report.as_json() if options.json else show_report(report))
    n_tokens = usage.prompt_tokens + usage.completion_tokens
    print(f"{usage.calls:,} calls, {n_tokens:,} tokens; report written to {out}", file=sys.stderr)
    return DONE


def _read_options(settings: EvaluatorSettings) -> ClientOptions:
    if settings.judge_base_url is None or settings.judge_model is None:
        raise NoJudgeError(
            "No judge is configured. Set EARSHOT_JUDGE_BASE_URL and EARSHOT_JUDGE_MODEL, and EARSHOT_JUDGE_API_KEY if "
            "the judge requires a key."
        )
    key = settings.judge_api_key
    return ClientOptions(
        base_url=settings.judge_base_url,
        model=settings.judge_model,
        api_key=key.get_secret_value() if key else None,
        concurrency=settings.judge_concurrency,
    )


if __name__ == "__main__":
    sys.exit(main())
