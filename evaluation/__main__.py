"""`python -m evaluation`: score a file offline, write a question pack, look after answer keys."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from evaluation.answer_keys import AnswerKey, find_key, key_path, save_key
from evaluation.benchmarks import Benchmark, all_benchmarks, get_benchmark
from evaluation.command_line import DONE, add_verbose, run_command, show_error
from evaluation.errors import EvaluationError
from evaluation.packs import write_pack
from evaluation.predictions import PredictionFileError, catalogue_of, read_checked_predictions
from evaluation.types import Report, Split
from settings import SettingsError, list_odd_variables, load_evaluator_settings

SPLITS: tuple[Split, ...] = ("practice", "test")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 the work failed, 2 wrong usage."""
    return run_command(
        _parser().parse_args(arguments),
        misuses=(SettingsError,),
        failures=(EvaluationError,),
        warnings=list_odd_variables(),
        show=_show_error,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evaluation", description=__doc__)
    add_verbose(parser)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    score = commands.add_parser("score", help="score a prediction file here")
    score.add_argument("file", metavar="FILE", type=Path)
    score.add_argument("--benchmark", required=True)
    score.add_argument("--split", choices=SPLITS, default="practice")
    score.add_argument("--setting", default="default")
    score.add_argument("--allow-missing", action="store_true", help="score missing answers as wrong")
    score.add_argument("--json", action="store_true", help="print JSON")
    score.set_defaults(run=_score)
    pack = commands.add_parser("pack", help="write a question pack")
    pack.add_argument("--benchmark", required=True)
    pack.add_argument("--version", help="the one that counts unless named")
    pack.add_argument("--split", choices=SPLITS, required=True)
    pack.add_argument("--out", metavar="PACK.zip", type=Path, required=True)
    pack.add_argument("--quiet", action="store_true", help="no progress")
    pack.set_defaults(run=_pack)
    keys = commands.add_parser("keys", help="answer keys").add_subparsers(required=True, metavar="ACTION")
    list_keys = keys.add_parser("list", help="show which keys there are")
    list_keys.set_defaults(run=_list_keys)
    verify_keys = keys.add_parser("verify", help="check every key against its benchmark")
    verify_keys.set_defaults(run=_verify_keys)
    for command in (score, pack, list_keys, verify_keys):
        add_verbose(command)
    return parser


def _score(options: argparse.Namespace) -> int:
    benchmark = get_benchmark(options.benchmark)
    key = _get_key(benchmark, options.split)
    known = catalogue_of(benchmark, key, options.setting)
    with options.file.open("rb") as file:
        predictions = read_checked_predictions(file, known, allow_missing=options.allow_missing)
        report = benchmark.score(key, predictions, setting=options.setting)
    print(_to_json(report) if options.json else _to_table(report))
    return DONE


def _to_json(report: Report) -> str:
    scores = {
        f"{slice_name}|{metric}": {"value": score.value, "n": score.n, "std": score.std}
        for slice_name, metric, score in report.figures()
    }
    summary = {
        "signature": report.signature,
        "parts": list(report.parts),
        "runs": report.runs,
        "expected": report.expected,
        "missing": report.missing,
        "unreadable": report.unreadable,
        "unreadable_reasons": dict(report.unreadable_reasons),
    }
    return json.dumps(summary | {"scores": scores}, indent=1)


def _to_table(report: Report) -> str:
    figures = [figure for figure in report.figures() if not figure[0].startswith("direction/")]
    width = max(len(slice_name) for slice_name, _, _ in figures)
    lines = [f"{'slice':<{width}}  {'metric':<22}  {'%':>6}  {'±':>5}  {'n':>5}"]
    for slice_name, metric, score in figures:
        value = "–" if score.value is None else f"{100 * score.value:.2f}"
        deviation = "" if score.std is None else f"{100 * score.std:.2f}"
        lines.append(f"{slice_name:<{width}}  {metric:<22}  {value:>6}  {deviation:>5}  {score.n:>5}")
    lines.append(
        f"expected {report.expected:,} · missing {report.missing:,} · unreadable {report.unreadable:,}"
        f"\nsignature {report.signature}"
    )
    return "\n".join(lines)


def _pack(options: argparse.Namespace) -> int:
    benchmark = get_benchmark(options.benchmark, options.version)
    write_pack(benchmark, _get_key(benchmark, options.split), options.out, None if options.quiet else _show_progress)
    if not options.quiet:
        print(f"\n{options.out}: {options.out.stat().st_size / 1e6:.1f} MB", file=sys.stderr)
    return DONE


def _show_progress(done: int, total: int) -> None:
    if done % 16 == 0 or done == total:
        print(f"\r{done:,} of {total:,} clips", end="", file=sys.stderr, flush=True)


def _list_keys(_options: argparse.Namespace) -> int:
    folder = load_evaluator_settings().answer_keys_dir
    for benchmark in all_benchmarks():
        key = find_key(folder, benchmark.id, benchmark.version, "test")
        state = f"{len(key.answers):,} answers, digest {key.digest[:8]}" if key else "no key"
        print(f"{benchmark.id} {benchmark.version} test: {state}")
    return DONE


def _verify_keys(_options: argparse.Namespace) -> int:
    folder = load_evaluator_settings().answer_keys_dir
    for benchmark in all_benchmarks():
        key = find_key(folder, benchmark.id, benchmark.version, "test")
        if key is None:
            path = key_path(folder, benchmark.id, benchmark.version, "test")
            print(f"{benchmark.id} {benchmark.version} test: no key at {path}")
            continue
        benchmark.check_key(key)
        generated = benchmark.true_answers(key.split, key.seed)
        corrected = sum(key.answers[item_id] != answer for item_id, answer in generated.items())
        note = f", {corrected:,} of them differ from what the seed gives" if corrected else ""
        found = f"{len(key.answers):,} answers{note}, digest {key.digest[:8]}"
        print(f"{benchmark.id} {benchmark.version} test: fits, {found}")
    return DONE


def _get_key(benchmark: Benchmark, split: Split) -> AnswerKey:
    """Return the public key of practice, or this installation's own of test, which is made when there is none."""
    if split == "practice":
        return benchmark.make_key("practice")
    folder = load_evaluator_settings().answer_keys_dir
    key = find_key(folder, benchmark.id, benchmark.version, split)
    return key or save_key(folder, benchmark.make_key(split))


def _show_error(error: Exception, *, verbose: bool) -> None:
    if not isinstance(error, PredictionFileError):
        show_error(error, verbose=verbose)
        return
    for problem in error.problems:
        print(problem.message, file=sys.stderr)
    if error.total > len(error.problems):
        print(f"{error.total:,} problems in all; the first of each kind are shown.", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
