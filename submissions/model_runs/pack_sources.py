"""Where a run gets its questions from: the public practice pack, an edition, or a test pack that everybody shares."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from rich.console import Console

from evaluation.benchmarks import Benchmark, list_versions
from evaluation.packs import pack_name
from submissions.cli.edition_commands import download_edition, find_unused_edition
from submissions.cli.pack_download import download_shared_pack
from submissions.cli.pack_progress import PackProgress
from submissions.client import Client, ServerRefusedError
from submissions.model_runs.run_errors import ModelRunError

PACK = "pack.zip"
"""Name of a pack of test questions in the folder of a run."""
_NOT_READY = 503
_MAX_WAITS = 60  # of up to eight seconds

Open = Callable[[], AbstractContextManager[Client]]
"""Connects to the server."""


class PackSources:
    """Gets packs from a server."""

    def __init__(self, open_client: Open, sign_in: Open, cache: Path, console: Console) -> None:
        """Create the sources.

        Args:
            open_client: Connects without an account, which is enough for packs that everybody gets.
            sign_in: Connects as the user, who owns editions.
            cache: Folder of practice packs, which are the same for all runs.
            console: Where to report.
        """
        self._open_client = open_client
        self._sign_in = sign_in
        self._cache = cache
        self._console = console

    def get_practice_pack(self, benchmark: Benchmark) -> Path:
        """Return the practice pack of a version, downloaded unless it is in the cache.

        Raises:
            ClientError: It cannot be downloaded.
        """
        path = self._cache / pack_name(benchmark.content(benchmark.make_key("practice")))
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            with self._open_client() as client:
                client.describe_benchmark(benchmark.id, benchmark.version)  # reports a wrong address at once
            self._download_shared(benchmark.id, benchmark.version, "practice", path)
        return path

    def get_test_pack(self, benchmark: str, version: str | None, edition: str | None, folder: Path) -> Path:
        """Return a pack of test questions: that in the folder of the run, an edition, or the one that everybody gets.

        Raises:
            ClientError: It cannot be requested, rendered or downloaded.
            ModelRunError: The edition accepts no files.
        """
        path = folder / PACK
        if path.is_file():
            return path
        with self._open_client() as client:
            described = client.describe_benchmark(benchmark, version)
            if version is None and described["open_version"] not in (None, described["version"]):
                described = client.describe_benchmark(benchmark, described["open_version"])
        if described["editions"] or edition is not None:
            self._get_edition_pack(benchmark, described["version"], edition, path)
        else:
            folder.mkdir(parents=True, exist_ok=True)  # a preview has not begun a run
            self._download_shared(benchmark, described["version"], "test", path)
        return path

    def _get_edition_pack(self, benchmark: str, version: str, edition: str | None, path: Path) -> None:
        with self._sign_in() as client:
            found = client.find_edition(edition) if edition else find_unused_edition(client, benchmark, version)
            if found is None:
                found = client.request_edition(benchmark, version)
            elif not edition:
                self._console.print(f"You have not used edition {found['id']} yet. It is used now.", soft_wrap=True)
            if found["state"] not in ("queued", "making", "open"):
                raise ModelRunError(f"Edition {found['id']} is {found['state']} and accepts no files. Use another one.")
            download_edition(client, found, path, self._console)

    def _download_shared(self, benchmark: str, version: str | None, split: str, path: Path) -> None:
        title = f"{split.capitalize()} pack of {benchmark}"
        with self._open_client() as client, PackProgress(self._console, title) as progress:
            for n_waits in range(_MAX_WAITS):
                try:
                    download_shared_pack(client, benchmark, version, split, path, progress.show_download)
                except ServerRefusedError as error:
                    if error.status != _NOT_READY or n_waits == _MAX_WAITS - 1:
                        raise
                    progress.show_preparation("the server is rendering it")
                    client.pause_after(n_waits)
                else:
                    return


def choose_practice_version(benchmark_id: str, version: str | None) -> Benchmark:
    """Return a version with practice questions: the given one, or the first.

    Raises:
        UnknownBenchmarkError: There is no such benchmark.
        ModelRunError: There is no such version, or it has no practice questions.
    """
    named = list_named_versions(benchmark_id, version)
    chosen = next((benchmark for benchmark in named if "practice" in benchmark.splits), None)
    if chosen is None:
        title = f"{named[0].title} {named[0].version}"
        raise ModelRunError(f"{title} has no practice questions. Pass --split test, or another --version.")
    return chosen


def list_named_versions(benchmark_id: str, version: str | None) -> list[Benchmark]:
    """Return the given version, or all.

    Raises:
        UnknownBenchmarkError: There is no such benchmark.
        ModelRunError: There is no such version.
    """
    versions = list_versions(benchmark_id)
    named = [benchmark for benchmark in versions if version in (None, benchmark.version)]
    if not named:
        held = ", ".join(benchmark.version for benchmark in versions)
        raise ModelRunError(f"{benchmark_id} has no version `{version}`. Pass --version with one of: {held}.")
    return named
