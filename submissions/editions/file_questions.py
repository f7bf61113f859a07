"""Questions that a file answers: those of an edition, which its IDs state, or those of the shared test split.

The shared test split of a benchmark with editions has ended: its IDs are unknown, and the check says why.
"""

from dataclasses import replace
from functools import lru_cache
from typing import BinaryIO, NamedTuple

from db.edition_records import EditionRecord
from db.records import UserRecord
from db.repositories import editions
from db.session import Database
from evaluation.benchmarks import Benchmark
from evaluation.predictions import Catalogue, Options
from submissions.editions.closing import require_room
from submissions.editions.public_items import decode_items
from submissions.editions.retired_designs import explain_retirement, is_retired
from submissions.errors import BadRequestError, NotReadyError
from submissions.intake.catalogues import Catalogues
from submissions.intake.file_checks.checker import FileChecker
from submissions.intake.foreign_ids import ForeignIds


class FileQuestions(NamedTuple):
    """What a file is checked against.

    Attributes:
        edition: The edition that it answers; None for the shared test split, and for a file of no edition.
        catalogue: Valid IDs in the setting.
        options: Options of every run that has some; None if they are not known yet.
        foreign: Looks up unknown IDs in other questions.
    """

    edition: EditionRecord | None
    catalogue: Catalogue
    options: Options | None
    foreign: ForeignIds


class FileQuestionFinder:
    """Finds the questions of files, and caches those of the editions used last."""

    def __init__(self, database: Database, catalogues: Catalogues, checker: FileChecker) -> None:
        self._database = database
        self._catalogues = catalogues
        self._checker = checker
        self._decode = lru_cache(maxsize=32)(self._read_items)

    def find_questions(
        self, benchmark: Benchmark, setting: str, file: BinaryIO, user: UserRecord | None
    ) -> FileQuestions:
        """Return the questions that a file answers, and rewind it. A file of nobody may answer anybody's edition.

        Raises:
            BadRequestError: It answers an edition that is closed or unknown, or of another benchmark or user.
            NotReadyError: The benchmark is not registered, or the edition is not open yet.
            ClosedVersionError: The version accepts no submissions.
        """
        foreign = self._catalogues.find_foreign(benchmark, setting)
        edition_id = self._checker.find_edition(file)
        file.seek(0)
        if not benchmark.has_editions and edition_id:
            self._refuse_edition(edition_id, benchmark)
        if not benchmark.has_editions or not edition_id:
            known = self._catalogues.get(benchmark, setting)
            if not self._catalogues.offers_shared_split(benchmark):
                return FileQuestions(None, replace(known, items={}), {}, foreign)
            return FileQuestions(None, known, self._catalogues.find_options(benchmark), foreign)
        edition = self._find_open(edition_id, benchmark, user)
        catalogue, options = self._decode(edition.id, edition.content_digest or "", benchmark)
        return FileQuestions(edition, catalogue.select_setting(benchmark, setting), options, foreign)

    def require_acceptance(self, edition: EditionRecord) -> None:
        """Raise an error if an edition accepts no file, before the file is stored.

        Raises:
            StateError: It was closed meanwhile, or has or had as many files as it accepts.
        """
        with self._database.read() as transaction:
            require_room(transaction, edition.id)

    def _refuse_edition(self, edition_id: str, benchmark: Benchmark) -> None:
        """Refuse a file for an edition of another benchmark; other IDs may look like those of an edition by chance."""
        with self._database.read() as transaction:
            edition = editions.find_edition(transaction, edition_id)
        refusal = _find_refusal(edition_id, edition, benchmark, None)
        if edition is not None and refusal is not None:
            raise BadRequestError("file", refusal)

    def _find_open(self, edition_id: str, benchmark: Benchmark, user: UserRecord | None) -> EditionRecord:
        with self._database.read() as transaction:
            edition = editions.find_edition(transaction, edition_id)
        refusal = _find_refusal(edition_id, edition, benchmark, user)
        if refusal is not None:
            raise BadRequestError("file", refusal)
        if edition is None or edition.content_digest is None:
            raise NotReadyError(f"Edition {edition_id} is still being rendered. Try again in a few seconds.")
        return edition

    def _read_items(self, edition_id: str, _content_digest: str, benchmark: Benchmark) -> tuple[Catalogue, Options]:
        with self._database.read() as transaction:
            data = editions.read_items(transaction, edition_id)
        title = f"{benchmark.title} {benchmark.version}, edition {edition_id}"
        return decode_items(data or b"", title, runs_are_seeds=benchmark.runs_are_seeds)


def _find_refusal(
    edition_id: str, edition: EditionRecord | None, benchmark: Benchmark, user: UserRecord | None
) -> str | None:
    """Return why a file for an edition is refused, and what to do; None if it is not."""
    again = "Request new test questions and answer those."
    if edition is None:
        return f"This file answers edition {edition_id}, which this server does not know. {again}"
    if is_retired(edition):
        return f"This file answers an edition that cannot be used any more. {explain_retirement(edition)} {again}"
    if (edition.benchmark, edition.version) != (benchmark.id, benchmark.version):
        own = f"{edition.benchmark} {edition.version}"
        return f"This file answers edition {edition_id} of {own}. Choose {own} as the benchmark."
    if edition.state in ("closed", "expired"):
        ended = f" on {edition.closed_at:%Y-%m-%d}" if edition.closed_at else ""
        verb = "was closed" if edition.state == "closed" else "expired"
        return f"This file answers edition {edition_id}, which {verb}{ended} and accepts no more files. {again}"
    if user is not None and edition.owner.id != user.id:
        return (
            f"This file answers edition {edition_id}, which another account requested. Sign in with that account, or "
            "request test questions of your own and answer those."
        )
    return None
