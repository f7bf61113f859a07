"""Counting the answers of a file that scoring could not read, with a few examples; no answer key is needed."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from evaluation.benchmarks.reading import read_answer
from evaluation.extraction.language.normalize import MAX_LENGTH
from evaluation.predictions.problems import Parsing, UnreadableExample
from evaluation.predictions.question_catalogue import Catalogue
from evaluation.types import AnswerFormat, Prediction, UnreadableReason

Options = Mapping[tuple[str, int], tuple[str, ...]]
"""(item id, run) → options as that run shows them, of the items that have some."""

MAX_CHARACTERS = 15_000_000
"""So many characters of responses are parsed, which takes a core five seconds: a check runs beside the pages."""

TOO_LONG = f"Answers were not parsed, because they have more than {MAX_CHARACTERS:,} characters in total."

_MAX_EXAMPLES = 5
_SHOWN_CHARACTERS = 80
# Enough to fill an example, even where half of it is blank.
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
    """Parses predictions as scoring does. Memory holds counters and the examples, however long the file is."""

    def __init__(self, catalogue: Catalogue, options: Options, max_characters: int | None = None) -> None:
        """Take the public side of the questions.

        Args:
            catalogue: Whose ids and runs the predictions have.
            options: What the runs of these items offer.
            max_characters: How much is parsed before the parser gives up; `MAX_CHARACTERS` unless named.
        """
        self._items = catalogue.items
        self._options = options
        self._characters_left = MAX_CHARACTERS if max_characters is None else max_characters
        self._parsed = 0
        self._reasons: Counter[str] = Counter()
        self._examples: list[UnreadableExample] = []

    def parse(self, predictions: Iterable[Prediction]) -> None:
        """Parse predictions that were validated; all are taken from the stream, also where there are too many."""
        for prediction in predictions:
            # A reader looks at no more of a response.
            self._characters_left -= min(len(prediction.response or ""), MAX_LENGTH)
            if self._characters_left >= 0:
                self._parse(prediction)

    def result(self) -> Parsing | None:
        """Return what was counted, or None where the responses are too long to be parsed in a check."""
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
            shown = _shorten(prediction.response or "")
            self._examples.append(UnreadableExample(prediction.id, prediction.run, prediction.line, shown, reason))


def explain(reason: UnreadableReason, answer_format: AnswerFormat) -> str:
    """Return in words why an answer cannot be read."""
    return _REASONS.get(reason) or _REASONS_OF_FORMAT[reason, answer_format]


def _shorten(response: str) -> str:
    """Return the end of a stranger's text, where the answer usually is, as one short line of printable characters."""
    line = _BLANKS.sub(" ", response[-_LOOK_CHARACTERS:]).strip()
    shown = "".join(letter if letter.isprintable() else "�" for letter in line)
    return shown if len(shown) <= _SHOWN_CHARACTERS else f"…{shown[1 - _SHOWN_CHARACTERS :]}"
