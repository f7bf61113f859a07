"""Renderer of editions beside a server whose evaluator leaves that to others."""

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

from db.session import Database
from settings.environments import pack_environment
from submissions.editions.edition_packs import EditionPacks
from submissions.editions.edition_rendering import RENDERING_PROGRAM, EditionMaker
from submissions.jobs.worker_names import worker_name
from tests.support.servers.server import Server


@contextmanager
def render_editions(server: Server) -> Iterator[None]:
    """Render the packs that are requested, until the block is left."""
    stop = threading.Event()
    keys_dir = server.data_dir / "answer-keys"
    with closing(Database(f"sqlite:///{server.data_dir}/earshot.db")) as database:
        maker = EditionMaker(
            database,
            keys_dir,
            EditionPacks(server.data_dir / "packs" / "editions"),
            pack_environment(keys_dir),
            worker_name(),
            stop,
            program=RENDERING_PROGRAM,
        )

        def render() -> None:
            while not stop.wait(0.2):
                maker.run_next()

        thread = threading.Thread(target=render)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
