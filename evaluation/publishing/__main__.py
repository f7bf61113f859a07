"""`python -m evaluation publish`: publish question packs as a dataset, to a folder or to the Hub."""

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from command_line import DONE, add_verbose, run_command
from evaluation.errors import EvaluationError
from evaluation.publishing.errors import PublishUsageError
from evaluation.publishing.hub_dataset import HubTarget
from evaluation.publishing.release import ReleaseProgress, drop_ended_splits, find_keys, write_release
from evaluation.publishing.selection import SPLITS, Selection, select_versions
from evaluation.publishing.targets import Changes, FolderTarget, ReleaseTarget, compare_release
from settings import EvaluatorSettings, SettingsError, load_evaluator_settings
from settings.environments import evaluator_environment
from submissions.hub.repo_ids import is_repo_id
from submissions.keys.remote import open_key_storage

_DATASET = "hf://datasets/"
_SITE = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+(/[A-Za-z0-9._~/-]*)?")


def main(arguments: Sequence[str] | None = None) -> int:
    """Publish, and return the exit code: 0 done, 1 the work failed, 2 wrong usage."""
    parser = argparse.ArgumentParser(prog="python -m evaluation publish", description=__doc__)
    parser.add_argument("--to", metavar="TARGET", required=True, help="hf://datasets/OWNER/NAME, or a folder")
    parser.add_argument("--benchmark", help="benchmark (default: all that may be published)")
    parser.add_argument("--version", help="version (default: all)")
    parser.add_argument("--split", choices=SPLITS, help="split (default: both); the test split never has answers")
    parser.add_argument("--site", metavar="URL", help="server that scores predictions, named in the dataset card")
    parser.add_argument("--public", action="store_true", help="make a new repository public; it is private otherwise")
    parser.add_argument("--dry-run", action="store_true", help="list files and sizes, and write nothing")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    add_verbose(parser)
    parser.set_defaults(run=_publish)
    return run_command(
        parser.parse_args(arguments), misuses=(SettingsError, PublishUsageError), failures=(EvaluationError,)
    )


def _publish(options: argparse.Namespace) -> int:
    if options.version is not None and options.benchmark is None:
        raise PublishUsageError("--version requires --benchmark. Add it.")
    if options.site is not None and not _SITE.fullmatch(options.site):
        raise PublishUsageError("Pass the address of the server as --site https://host, without a query.")
    settings = load_evaluator_settings()
    target, location = _open_target(options, settings)
    selection = select_versions(options.benchmark, options.version, [options.split] if options.split else SPLITS)
    progress = _make_progress(is_quiet=options.quiet)
    # Check before rendering, which takes a minute: is the target reachable, and do the keys exist?
    stored = target.list_files()
    with _open_keys(settings, selection) as keys_dir, tempfile.TemporaryDirectory() as folder:
        keys = find_keys(selection, keys_dir)
        if not settings.accepts_shared_splits:
            selection = drop_ended_splits(selection, keys)
        for refusal in selection.refusals:
            progress.show_step(refusal)
        release = Path(folder)
        write_release(
            selection, keys, settings.packs_dir, release, location=location, site=options.site, progress=progress
        )
        changes = compare_release(release, stored)
        _show_changes(changes)
        if options.dry_run:
            print("Nothing was written.")
        elif changes.is_empty:
            print("The target is up to date.")
        else:
            progress.show_step(f"Writing {len(changes.written)} files, {_megabytes(sum(changes.written.values()))}")
            print(target.apply(release, changes))
    return DONE


def _open_target(options: argparse.Namespace, settings: EvaluatorSettings) -> tuple[ReleaseTarget, str]:
    """Return the target, and its argument for `load_dataset`."""
    if "://" not in options.to:
        if options.public:
            raise PublishUsageError("A folder has no visibility. Use --public only with hf://datasets/OWNER/NAME.")
        return FolderTarget(Path(options.to)), "path/to/this/folder"
    repo_id = options.to.removeprefix(_DATASET).rstrip("/")
    if not options.to.startswith(_DATASET) or not is_repo_id(repo_id):
        raise PublishUsageError("Pass --to hf://datasets/OWNER/NAME, or a folder.")
    token = settings.keys_token_text
    if token is None and not options.dry_run:
        raise PublishUsageError(f"Set EARSHOT_KEYS_TOKEN to a Hub token with write access to {repo_id}.")
    target = HubTarget(
        repo_id,
        settings.hub_endpoint,
        token,
        is_private=not options.public,
        shows_progress=sys.stderr.isatty() and not options.quiet,
    )
    return target, repo_id


@contextmanager
def _open_keys(settings: EvaluatorSettings, selection: Selection) -> Iterator[Path]:
    """Yield the folder of the keys. Keys from remote storage are copied while the command runs."""
    storage = None
    if any("test" in splits for _, splits in selection.versions):
        storage = open_key_storage(settings.answer_keys, settings.keys_token_text, evaluator_environment())
    if storage is None:
        yield settings.answer_keys_dir
        return
    with tempfile.TemporaryDirectory(prefix="earshot-keys-") as folder:
        storage.fetch(Path(folder))
        yield Path(folder)


def _show_changes(changes: Changes) -> None:
    for title, files in (("add", changes.added), ("replace", changes.replaced), ("keep", changes.unchanged)):
        for name, n_bytes in files.items():
            print(f"{title:<8} {_megabytes(n_bytes):>10}  {name}")
    for name in changes.removed:
        print(f"{'remove':<8} {'':>10}  {name}")


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:,.2f} MB"


def _make_progress(*, is_quiet: bool) -> ReleaseProgress:
    if is_quiet:
        return ReleaseProgress(lambda _: None, lambda _done, _total: None)
    return ReleaseProgress(lambda line: print(line, file=sys.stderr, flush=True), _show_count)


def _show_count(n_done: int, total: int) -> None:
    """Show a count, replacing the previous one on a terminal; in a log, only the last one."""
    if sys.stderr.isatty():
        print(f"\r{n_done:,} of {total:,}", end="\n" if n_done == total else "", file=sys.stderr, flush=True)
    elif n_done == total:
        print(f"{n_done:,} of {total:,}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
