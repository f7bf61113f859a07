"""Response schemas of the file check."""

from leaderboard.api.schemas.shared_answers import AnswerSchema, FaultSchema


class UnreadableExampleSchema(AnswerSchema):
    """An answer that cannot be parsed: at most 80 characters of the response on one line, and the reason."""

    id: str
    run: int
    line: int | None
    response: str
    reason: str


class ValidationAnswer(AnswerSchema):
    """Whether a file can be scored, and its problems, the most frequent first.

    Errors with the same cause are one problem: `count` is their number, and `details` lists the first 50 of a kind with
    line and id. `totals` counts all errors by kind.

    Answers are parsed as for scoring: `parsed` and `unreadable` add up to `predictions`. Unreadable answers would count
    as wrong; `unreadable_reasons` counts them by reason, and `unreadable_examples` shows the first five. A file with
    unreadable answers can still be scored. Both counts are null if answers were not parsed, and `unparsed_reason` says
    why: the question pack is still being prepared, or the responses are too long to be parsed in a check.
    """

    ok: bool
    predictions: int
    expected: int
    missing: int
    parsed: int | None
    unreadable: int | None
    unreadable_reasons: dict[str, int]
    unreadable_examples: list[UnreadableExampleSchema]
    unparsed_reason: str | None
    problems: list[FaultSchema]
    totals: dict[str, int]
