"""`python -m evaluation`: score files offline, write and publish packs, manage keys, serve listeners, try a judge."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from command_line import DONE, FAILED, add_verbose, run_command, show_error
from evaluation.answer_keys import AnswerKey, find_key, save_key
from evaluation.benchmarks import Benchmark, all_benchmarks, get_benchmark, list_versions
from evaluation.errors import EvaluationError, ImportProblemsError
from evaluation.key_commands import import_key, list_keys, verify_keys
from evaluation.key_corrections import correct_key, parse_corrections
from evaluation.listeners import LISTENERS
from evaluation.listeners.server import read_api_key, serve
from evaluation.packs import write_pack
from evaluation.predictions import PredictionFileError, catalogue_of, read_checked_predictions
from evaluation.simulation import KINDS, simulate
from evaluation.streams import is_edition_id
from evaluation.types import Report, Split
from settings import SettingsError, load_evaluator_settings
from settings.environments import list_odd_variables
from submissions.operations.hardening import end_with_parent, forbid_inspection

HIGHEST_PORT = 65_535
SPLITS: tuple[Split, ...] = ("practice", "test")


class OptionConflictError(Exception):
    """Options that cannot be combined."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 the work failed, 2 wrong usage."""
    options = _parser().parse_args(arguments)
    if getattr(options, "end_with_parent", None) is not None:
        end_with_parent(options.end_with_parent)
    return run_command(
        options,
        misuses=(SettingsError, OptionConflictError),
        failures=(EvaluationError,),
        warnings=list_odd_variables(),
        show=_show_error,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evaluation", description=__doc__)
    add_verbose(parser)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    score = commands.add_parser("score", help="score a prediction file locally")
    score.add_argument("file", metavar="FILE", type=Path)
    _add_benchmark(score)
    score.add_argument("--split", choices=SPLITS, default="practice")
    score.add_argument("--setting", help="setting of the predictions (default: the benchmark's default setting)")
    score.add_argument("--allow-missing", action="store_true", help="score missing answers as wrong")
    score.add_argument("--json", action="store_true", help="print JSON")
    score.set_defaults(run=_score)
    pack = commands.add_parser("pack", help="write a question pack")
    _add_benchmark(pack)
    pack.add_argument("--split", choices=SPLITS, required=True)
    pack.add_argument("--edition", metavar="ID", help="edition, a test split that is rendered for one owner (e-…)")
    pack.add_argument("--out", metavar="PACK.zip", type=Path, required=True)
    pack.add_argument("--quiet", action="store_true", help="show no progress")
    pack.set_defaults(run=_pack)
    _add_keys_commands(commands)
    _add_simulate(commands)
    listen = commands.add_parser("listen", help="serve the reference systems as an OpenAI-compatible endpoint")
    listen.add_argument("--port", metavar="P", type=_port, required=True, help="port; 0 picks a free one")
    listen.add_argument("--host", metavar="H", default="127.0.0.1", help="address to bind (default: 127.0.0.1)")
    listen.add_argument(
        "--api-key-file", metavar="FILE", type=Path, help="file with the API key that clients must send"
    )
    listen.set_defaults(run=_listen)
    _add_programs(commands)
    for command in (pack, listen):
        command.add_argument(
            "--end-with-parent", metavar="PID", type=int, help="exit when the parent process PID exits"
        )
    for command in (score, pack, listen):
        add_verbose(command)
    return parser


def _add_keys_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    keys = commands.add_parser("keys", help="answer keys").add_subparsers(required=True, metavar="ACTION")
    importing = keys.add_parser("import", help="import an organiser's questions and answers")
    importing.add_argument("folder", metavar="FOLDER", type=Path)
    _add_benchmark(importing)
    importing.add_argument("--replace", action="store_true", help="replace an existing key and keep a copy of it")
    importing.add_argument(
        "--allow-deviations", action="store_true", help="accept question counts that differ from the release"
    )
    importing.set_defaults(run=_import_key)
    correcting = keys.add_parser("correct", help="correct single answers and keep a copy of the old key")
    correcting.add_argument("corrections", metavar="ID=ANSWER", nargs="+", help="for example amb-7f3kq9x2=C")
    _add_benchmark(correcting)
    correcting.add_argument("--reason", metavar="TEXT", required=True, help="reason, stored next to the key")
    correcting.set_defaults(run=_correct_key)
    listing = keys.add_parser("list", help="list the installed keys")
    listing.set_defaults(run=_list_keys)
    verifying = keys.add_parser("verify", help="check every key against its benchmark")
    verifying.set_defaults(run=_verify_keys)
    for command in (listing, verifying):
        _add_benchmark(command, required=False)
    for command in (importing, correcting, listing, verifying):
        add_verbose(command)


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text[:6]) > HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to {HIGHEST_PORT}")
    return int(text)


def _add_benchmark(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    parser.add_argument("--benchmark", required=required)
    parser.add_argument("--version", help="version (default: the current one)")


def _score(options: argparse.Namespace) -> int:
    benchmark = _get_benchmark(options)
    key = _get_key(benchmark, options.split)
    setting = options.setting or benchmark.settings[0]
    catalogue = catalogue_of(benchmark, key, setting)
    with options.file.open("rb") as file:
        predictions = read_checked_predictions(file, catalogue, allow_missing=options.allow_missing, must_answer=True)
        report = benchmark.score(key, predictions, setting=setting)
    print(_to_json(report) if options.json else _to_table(report))
    return DONE


def _to_json(report: Report) -> str:
    scores = {
        f"{slice_name}|{metric}": {"value": score.value, "n": score.n, "std": score.std}
        for slice_name, metric, score in report.list_scores()
    }
    summary = {
        "signature": str(report.signature),
        "parts": list(report.parts),
        "runs": report.runs,
        "expected": report.expected,
        "missing": report.missing,
        "unreadable": report.unreadable,
        "unreadable_reasons": dict(report.unreadable_reasons),
        "awaiting_judge": list(report.awaiting_judge),
    }
    return json.dumps(summary | {"scores": scores}, indent=1)


def _to_table(report: Report) -> str:
    scores = [score for score in report.list_scores() if not score[0].startswith("direction/")]
    width = max((len(slice_name) for slice_name, _, _ in scores), default=len("slice"))
    lines = [f"{'slice':<{width}}  {'metric':<22}  {'%':>6}  {'±':>5}  {'n':>5}"]
    for slice_name, metric, score in scores:
        value = "–" if score.value is None else f"{100 * score.value:.2f}"
        deviation = "" if score.std is None else f"{100 * score.std:.2f}"
        lines.append(f"{slice_name:<{width}}  {metric:<22}  {value:>6}  {deviation:>5}  {score.n:>5}")
    if report.awaiting_judge:
        lines.append(f"{len(report.awaiting_judge):,} open answers await a judge; scores of that part need it")
    lines.append(
        f"expected {report.expected:,} · missing {report.missing:,} · unreadable {report.unreadable:,}"
        f"\nsignature {report.signature}"
    )
    return "\n".join(lines)


def _pack(options: argparse.Namespace) -> int:
    benchmark = _get_benchmark(options)
    key = _get_key(benchmark, options.split)
    if options.edition is not None:
        key = _get_edition_key(benchmark, key, options.edition)
    write_pack(benchmark, key, options.out, None if options.quiet else _show_progress)
    if not options.quiet:
        print(f"\n{options.out}: {options.out.stat().st_size / 1e6:.1f} MB", file=sys.stderr)
    return DONE


def _show_progress(n_done: int, total: int) -> None:
    if n_done % 16 == 0 or n_done == total:
        print(f"\r{n_done:,} of {total:,} clips", end="", file=sys.stderr, flush=True)


def _import_key(options: argparse.Namespace) -> int:
    benchmark = get_benchmark(options.benchmark, options.version)
    import_key(
        benchmark,
        options.folder,
        load_evaluator_settings().answer_keys_dir,
        print,
        replaces=options.replace,
        allows_deviations=options.allow_deviations,
        progress=_show_progress,
    )
    return DONE


def _correct_key(options: argparse.Namespace) -> int:
    benchmark = get_benchmark(options.benchmark, options.version)
    corrections = parse_corrections(options.corrections)
    folder = load_evaluator_settings().answer_keys_dir
    key = correct_key(folder, benchmark, corrections, options.reason, datetime.now(UTC))
    print(f"{benchmark.id} {benchmark.version} test: the key is now {key.digest[:8]}. The old key is next to it.")
    print(f"Preview the changes: python -m submissions reevaluate --benchmark {benchmark.id} --dry-run --reason …")
    return DONE


def _list_keys(options: argparse.Namespace) -> int:
    for line in list_keys(_choose_benchmarks(options), load_evaluator_settings().answer_keys_dir):
        print(line)
    return DONE


def _verify_keys(options: argparse.Namespace) -> int:
    for line in verify_keys(_choose_benchmarks(options), load_evaluator_settings().answer_keys_dir):
        print(line)
    return DONE


def _listen(options: argparse.Namespace) -> int:
    api_key = read_api_key(options.api_key_file) if options.api_key_file else None
    serve(LISTENERS, options.host, options.port, _show_address, api_key=api_key)
    return DONE


def _show_address(line: str) -> None:
    """Print the address of a server. If the reading process has just ended, exit without an error message."""
    try:
        print(line, flush=True)  # A pipe would buffer the line until it is full.
    except BrokenPipeError:
        os._exit(FAILED)  # At a normal exit, Python would report that the line was not written.


def _run_program(options: argparse.Namespace) -> int:
    """Run a command in its own process, because its imports are slow."""
    command = [sys.executable, "-m", options.module, *options.arguments]
    return subprocess.run(command, check=False).returncode  # noqa: S603 - this interpreter, with what the user typed


def _choose_benchmarks(options: argparse.Namespace) -> Sequence[Benchmark]:
    """Return the requested versions: all, those of one benchmark, or one."""
    if options.version is not None and options.benchmark is None:
        raise OptionConflictError("--version requires --benchmark. Add it.")
    if options.benchmark is None:
        return all_benchmarks()
    default = get_benchmark(options.benchmark, options.version)
    return [default] if options.version else [version for version in all_benchmarks() if version.id == default.id]


def _add_simulate(commands: Any) -> None:
    simulating = commands.add_parser(
        "simulate", help="measure the coverage of intervals, ranks and tests by simulation"
    )
    simulating.add_argument(
        "--times", metavar="X", type=float, default=1.0, help="multiple of the default number of simulations"
    )
    simulating.add_argument("--seed", metavar="N", type=int, default=1)
    simulating.add_argument(
        "--kind", choices=KINDS, action="append", default=[], help="kind of simulation, repeatable (default: all)"
    )
    simulating.set_defaults(run=_simulate)


def _add_programs(commands: Any) -> None:
    """Add commands that run in their own process, which parses their options."""
    for name, module, purpose in (
        ("judge", "evaluation.judge", "measure how well the LLM judge agrees with human scores"),
        ("publish", "evaluation.publishing", "publish question packs as a dataset"),
    ):
        # Leave all options to the other program: none starts with this prefix.
        program = commands.add_parser(name, help=purpose, add_help=False, prefix_chars="\0")
        program.add_argument("arguments", metavar="…", nargs="*")
        program.set_defaults(run=_run_program, module=module)


def _simulate(options: argparse.Namespace) -> int:
    n_missed = 0
    for measured in simulate(options.times, options.seed, options.kind):
        n_missed += not measured.holds
        verdict = "" if measured.holds else "  MISSED"
        print(
            f"{measured.kind:<10} {measured.what:<76} {100 * measured.share:5.1f} %  of {measured.times:,}{verdict}",
            flush=True,
        )
    return FAILED if n_missed else DONE


def _get_benchmark(options: argparse.Namespace) -> Benchmark:
    """Return the requested version or, if it lacks the split, the first version that has it."""
    benchmark = get_benchmark(options.benchmark, options.version)
    if options.split in benchmark.splits:
        return benchmark
    other = next(version for version in list_versions(benchmark.id) if options.split in version.splits)
    print(
        f"{benchmark.title} {benchmark.version} has no {options.split} split; using version {other.version}.",
        file=sys.stderr,
    )
    return other


def _get_key(benchmark: Benchmark, split: Split) -> AnswerKey:
    """Return the public practice key or this server's test key, which is created if it does not exist."""
    if split == "practice":
        return benchmark.make_key("practice")
    folder = load_evaluator_settings().answer_keys_dir
    key = find_key(folder, benchmark.id, benchmark.version, split)
    return key or save_key(folder, benchmark.make_key(split))


def _get_edition_key(benchmark: Benchmark, key: AnswerKey, edition: str) -> AnswerKey:
    if key.split != "test" or not benchmark.has_editions:
        raise OptionConflictError(f"--edition requires --split test and a rendered benchmark, not {benchmark.id}.")
    if not is_edition_id(edition):
        raise OptionConflictError("--edition must be the ID of an edition, such as e-7f3kq9x2.")
    return benchmark.make_edition_key(key, edition)


def _show_error(error: Exception, *, verbose: bool) -> None:
    if isinstance(error, ImportProblemsError):
        show_error(EvaluationError("The files could not be imported:"), verbose=verbose)
        for fault in error.problems:
            print(f"* {' '.join(fault.split())}", file=sys.stderr)
        return
    if not isinstance(error, PredictionFileError):
        show_error(error, verbose=verbose)
        return
    for problem in error.problems:
        print(problem.message, file=sys.stderr)
    if error.total > len(error.problems):
        print(f"{error.total:,} problems in total, grouped by cause.", file=sys.stderr)


if __name__ == "__main__":
    forbid_inspection()  # Most commands read answer keys.
    sys.exit(main())
