"""Origin of unknown ids: another setting, the practice split, another version, or another benchmark."""

from collections.abc import Collection, Iterator
from itertools import chain

from evaluation.benchmarks import Benchmark
from evaluation.predictions import Cause
from evaluation.streams import find_edition_of_name

Questions = tuple[Collection[str], Cause]
"""Ids of other questions, and the message for a file that answers them."""


class ForeignIds:
    """Looks up unknown ids in other questions, which are loaded when the first unknown id occurs."""

    def __init__(self, others: Iterator[Questions], edition_cause: Cause | None = None) -> None:
        """Create a look-up.

        Args:
            others: The other questions, the most likely first; the stream is consumed only as needed.
            edition_cause: Message for ids of any edition; None to name the edition.
        """
        self.edition_cause = edition_cause
        self._left = others
        self._seen: list[Questions] = []

    def find_cause(self, item_id: str) -> Cause | None:
        """Return the questions that an id belongs to, or None."""
        edition = find_edition_of_name(item_id)
        if edition:
            return self.edition_cause or describe_edition(edition)
        for place, (ids, cause) in enumerate(chain(self._seen, self._read_on())):
            if item_id in ids:
                # The next id is probably of the same file.
                self._seen.insert(0, self._seen.pop(place))
                return cause
        return None

    def read_next(self) -> Questions | None:
        """Return the next other questions that were not read before; None if there are no more."""
        return next(self._read_on(), None)

    def _read_on(self) -> Iterator[Questions]:
        for questions in self._left:
            self._seen.append(questions)
            yield questions


def describe_edition(edition: str) -> Cause:
    """Return the message for ids of an edition that the file does not answer."""
    return _belong(f"edition {edition}. Submit them in a file of their own.", "submit them in a file of their own")


def describe_setting(benchmark: Benchmark) -> Cause:
    """Return the message for ids of another setting of the selected version."""
    title = _name(benchmark)
    return _belong(f"another setting of {title}. Choose that setting when you submit.", "choose that setting")


def describe_practice(benchmark: Benchmark) -> Cause:
    """Return the message for ids of practice questions."""
    remedy = "Answer the questions of the test pack instead."
    return _belong(f"the practice questions of {_name(benchmark)}. {remedy}", "answer the test questions instead")


def describe_ended(benchmark: Benchmark) -> Cause:
    """Return the message for ids of a shared test split that accepts no more files."""
    where = f"the shared test split of {_name(benchmark)}, which has ended"
    return _belong(f"{where}. Request test questions of your own and answer those.", "request your own test questions")


def describe_test(benchmark: Benchmark) -> Cause:
    """Return the message for ids of test questions in a file of practice answers."""
    remedy = "Attach answers to the practice questions instead."
    return _belong(f"the test questions of {_name(benchmark)}. {remedy}", "answer the practice questions instead")


def describe_other(benchmark: Benchmark, chosen: Benchmark) -> Cause:
    """Return the message for ids of another version or benchmark."""
    title = _name(benchmark)
    return _belong(f"{title}. Choose {title} as the benchmark instead of {_name(chosen)}.", f"choose {title}")


def _belong(where: str, remedy: str) -> Cause:
    whose = where.partition(". ")[0]
    return Cause(f"These ids belong to {where}", f"have ids of {whose}. Remove these lines, or {remedy}.", 1)


def _name(benchmark: Benchmark) -> str:
    return f"{benchmark.title} {benchmark.version}"
