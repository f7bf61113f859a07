"""Responses that repeat themselves until they are cut off, as a model writes that has lost its way."""

from evaluation.extraction.claims.answer_lines import repeats_alphabet

_MIN_REPEATED, _SHORTEST_LOOP, _LOOP_START = 2, 12, 4


def drop_repetitions(response: str, n_options: int) -> str:
    r"""Leave out the last line where it is the cut-off start of the line that stands, repeated, above it.

    Of a response that repeats itself without end, its first part is left, unless that is every letter of the options.

    >>> drop_repetitions("B and C\nB and C\nB an", 4)
    'B and C\nB and C'
    >>> drop_repetitions("A. Rain, C. Hail. A. Rain, C. Hail. A. Rain,", 4)
    'A. Rain, C. Hail.'
    """
    if "\n" not in response:
        return response if repeats_alphabet(response, n_options) else _drop_loop(response)
    lines = [line for line in response.split("\n") if line.strip()]
    repeated = len(lines) > _MIN_REPEATED and lines[-2] == lines[-3]
    cut = repeated and lines[-1] != lines[-2] and lines[-2].startswith(lines[-1].rstrip())
    return "\n".join(lines[:-1]) if cut else response


def _drop_loop(response: str) -> str:
    """The first of several equal parts, the last of which may be cut off, that a response consists of."""
    text = response.strip()
    start = text[:_LOOP_START]
    if len(text) < _SHORTEST_LOOP or text.count(start) < _MIN_REPEATED:
        return response
    period = text.find(start, 1)
    while 0 < 2 * period < len(text):
        if text.startswith(text[period:]):
            return text[:period].rstrip(" ,，、;")
        period = text.find(start, period + 1)
    return response
