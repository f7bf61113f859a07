"""What a check of a prediction file is given, and the checker that runs it in the calling process."""

from typing import BinaryIO, NamedTuple, Protocol

from evaluation.predictions import Catalogue, Options, Validation, find_edition_of_file, validate_predictions
from submissions.intake.foreign_ids import ForeignIds


class CheckTask(NamedTuple):
    """What a file is checked against.

    Attributes:
        catalogue: Catalogue of valid IDs.
        allow_missing: Whether missing runs are scored as wrong instead of being errors.
        options: Options of the runs, for parsing the predictions; None to skip parsing.
    """

    catalogue: Catalogue
    allow_missing: bool
    options: Options | None = None


class FileChecker(Protocol):
    """Reads untrusted prediction files. The position in a file is undefined afterwards."""

    def find_edition(self, file: BinaryIO) -> str:
        """Return the edition that a file claims to answer; empty if it names none."""

    def validate(self, file: BinaryIO, task: CheckTask, foreign: ForeignIds | None = None) -> Validation:
        """Read a whole file and return the verdict.

        Args:
            file: A prediction file.
            task: What it is checked against.
            foreign: Looks up unknown IDs in other questions; None if there are none.
        """


class InlineChecker:
    """Checks files in the calling process: for evaluators, and for users' own files on their own machine."""

    def find_edition(self, file: BinaryIO) -> str:
        """Return the edition that a file claims to answer; empty if it names none."""
        file.seek(0)
        return find_edition_of_file(file)

    def validate(self, file: BinaryIO, task: CheckTask, foreign: ForeignIds | None = None) -> Validation:
        """Read a whole file and return the verdict."""
        file.seek(0)
        return validate_predictions(
            file,
            task.catalogue,
            allow_missing=task.allow_missing,
            options=task.options,
            find_elsewhere=foreign.find_cause if foreign is not None else None,
        )


INLINE_CHECKER = InlineChecker()
