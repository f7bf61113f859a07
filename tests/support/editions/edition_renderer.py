"""Renderer of editions beside a server whose evaluator leaves that to others."""

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from db.edition_records import EditionRecord
from db.lease_records import Job
from db.session import Database
from evaluation.benchmarks import Benchmark
from settings.environments import pack_environment
from submissions.editions.edition_packs import EditionPacks
from submissions.editions.edition_rendering import EditionMaker, find_edition_key
from submissions.jobs.worker_names import worker_name
from tests.support.samples.run_packs import write_run_pack
from tests.support.servers.server import Server


class _ToneMaker(EditionMaker):
    """Evaluator that fills packs with short tones, without a process; `test_editions` runs that of the product."""

    def _render(self, job: Job[EditionRecord], benchmark: Benchmark, out: Path) -> bool:
        write_run_pack(out.parent, benchmark, find_edition_key(self._keys_dir, benchmark, job.work.id))
        return True


@contextmanager
def render_editions(server: Server) -> Iterator[None]:
    """Render the packs that are requested, until the block is left."""
    stop = threading.Event()
    keys_dir = server.data_dir / "answer-keys"
    with closing(Database(f"sqlite:///{server.data_dir}/earshot.db")) as database:
        packs = EditionPacks(server.data_dir / "packs" / "editions")
        maker = _ToneMaker(database, keys_dir, packs, pack_environment(keys_dir), worker_name(), stop)

        def render() -> None:
            while not stop.wait(0.05):
                maker.run_next()

        thread = threading.Thread(target=render)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
