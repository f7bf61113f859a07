"""Unparsed answers of a file: counts and a few examples, without the answer key."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from evaluation.benchmarks.reading import read_answer
from evaluation.extraction.language.normalize import MAX_LENGTH
from evaluation.predictions.problems import Parsing, UnreadableExample
from evaluation.predictions.question_catalogue import Catalogue
from evaluation.types import AnswerFormat, Prediction, UnreadableReason

Options = Mapping[tuple[str, int], tuple[str, ...]]
"""(item ID, run) → options as shown in that run, for items with options."""

MAX_CHARACTERS = 15_000_000
"""Maximum number of parsed characters, which takes a core five seconds: checks run next to the pages."""

TOO_LONG = f"Answers were not parsed, because they have more than {MAX_CHARACTERS:,} characters in total."

_MAX_EXAMPLES = 5
_SHOWN_CHARACTERS = 80
# Enough to fill an example, even if half of it is blank.
_LOOK_CHARACTERS = 2_000
_BLANKS = re.compile(r"\s+")

_REASONS: Mapping[UnreadableReason, str] = {
    "empty": "empty response",
    "refusal": "refusal",
    "contradiction": "contradictory answers",
}
_REASONS_OF_FORMAT: Mapping[tuple[UnreadableReason, AnswerFormat], str] = {
    ("ambiguous", "choice"): "no single option chosen",
    ("ambiguous", "choices"): "unclear which options are chosen",
    ("ambiguous", "boolean"): "unclear whether true or false",
    ("ambiguous", "steps"): "no clear verdict for every step",
    ("outside-options", "choice"): "no option named",
    ("outside-options", "choices"): "no option named, or one that the question does not have",
    ("outside-options", "boolean"): "neither true nor false",
    ("outside-options", "steps"): "no verdicts for the steps of this trace",
}


class Parser:
    """Parses predictions like scoring. Memory is limited to counters and the examples, however long the file is."""

    def __init__(self, catalogue: Catalogue, options: Options, max_characters: int | None = None) -> None:
        """Create a parser from the public part of the questions.

        Args:
            catalogue: Catalogue with the IDs and runs.
            options: Options of the runs.
            max_characters: Maximum number of characters to parse; `MAX_CHARACTERS` by default.
        """
        self._items = catalogue.items
        self._options = options
        self._characters_left = MAX_CHARACTERS if max_characters is None else max_characters
        self._parsed = 0
        self._reasons: Counter[str] = Counter()
        self._examples: list[UnreadableExample] = []

    def parse(self, predictions: Iterable[Prediction]) -> None:
        """Parse validated predictions; the stream is always consumed, even if there are too many."""
        for prediction in predictions:
            # Parsers ignore the rest of a response.
            self._characters_left -= min(len(prediction.response or ""), MAX_LENGTH)
            if self._characters_left >= 0:
                self._parse(prediction)

    def result(self) -> Parsing | None:
        """Return the counts, or None if the responses are too long to be parsed in a check."""
        if self._characters_left < 0:
            return None
        return Parsing(self._parsed, self._reasons.total(), tuple(self._examples), dict(self._reasons.most_common()))

    def _parse(self, prediction: Prediction) -> None:
        item = self._items[prediction.id]
        options = self._options.get((prediction.id, prediction.run), ())
        reading = read_answer(prediction, item.answer_format, options, item.n_steps)
        if reading.reason is None:
            self._parsed += 1
            return
        reason = explain(reading.reason, item.answer_format)
        self._reasons[reason] += 1
        if len(self._examples) < _MAX_EXAMPLES:
            excerpt = _shorten(prediction.response or "")
            self._examples.append(UnreadableExample(prediction.id, prediction.run, prediction.line, excerpt, reason))


def explain(reason: UnreadableReason, answer_format: AnswerFormat) -> str:
    """Return in words why an answer cannot be parsed."""
    return _REASONS.get(reason) or _REASONS_OF_FORMAT[reason, answer_format]


def _shorten(response: str) -> str:
    """Return the end of a user-supplied text, where the answer usually is, as one short printable line."""
    line = _BLANKS.sub(" ", response[-_LOOK_CHARACTERS:]).strip()
    printable = "".join(letter if letter.isprintable() else "�" for letter in line)
    return printable if len(printable) <= _SHOWN_CHARACTERS else f"…{printable[1 - _SHOWN_CHARACTERS :]}"
