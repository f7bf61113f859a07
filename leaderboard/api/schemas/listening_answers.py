"""Response schemas of the listening test (see `shared_answers`)."""

from leaderboard.api.schemas.shared_answers import AnswerSchema


class PooledShareSchema(AnswerSchema):
    """A share pooled over several rounds, each counted as a listener; its interval needs ten listeners."""

    listeners: int
    answers: int
    value: float
    low: float | None
    high: float | None


class PooledTaskSchema(PooledShareSchema):
    """The same for a group of tasks."""

    id: str
    title: str


class ListenerGroupSchema(PooledShareSchema):
    """Results of all listeners who consented."""

    tasks: list[PooledTaskSchema]


class OfferSchema(AnswerSchema):
    """A version that can be listened to; `group` is null until a maintainer shows it."""

    benchmark: str
    version: str
    title: str
    summary: str
    ready: bool
    questions: int
    lengths: list[int]
    group: ListenerGroupSchema | None


class ListeningAnswer(AnswerSchema):
    """Available listening tests."""

    benchmarks: list[OfferSchema]


class AudioSchema(AnswerSchema):
    """A clip of a question."""

    name: str
    url: str
    seconds: float


class RoundQuestionSchema(AnswerSchema):
    """A question without its correct answer."""

    id: str
    run: int
    task: str
    task_title: str
    question: str
    options: list[str]
    answer_format: str
    audio: list[AudioSchema]


class RoundAnswer(AnswerSchema):
    """A round; equal parameters select the same round."""

    benchmark: str
    version: str
    title: str
    n: int
    seed: int
    seconds: float
    questions: list[RoundQuestionSchema]


class RivalSchema(AnswerSchema):
    """A reference score from a board: a published human baseline, or a model."""

    name: str
    model: str
    source: str
    version: str
    value: float
    low: float | None
    high: float | None


class MarkedShareSchema(AnswerSchema):
    """Number of correct answers with its interval, and reference scores on the test split."""

    id: str
    title: str
    value: float
    low: float
    high: float
    right: int
    n: int
    chance: float
    figure: str | None
    figure_chance: float | None
    human: RivalSchema | None
    models: list[RivalSchema]


class MarkedQuestionSchema(AnswerSchema):
    """A marked question: null if it was skipped."""

    id: str
    right: bool
    given: int | bool | list[int] | None
    truth: int | bool | list[int]


class KeptSchema(AnswerSchema):
    """The id for withdrawing a result, or why it was not stored."""

    id: str | None
    reason: str | None


class MarkedAnswer(AnswerSchema):
    """A marked round; `kept` is null unless the listener asked to store it.

    `same_questions` means that models on the boards answered these very questions, those of the practice split.
    """

    benchmark: str
    version: str
    title: str
    n: int
    seed: int
    same_questions: bool
    score: MarkedShareSchema
    tasks: list[MarkedShareSchema]
    questions: list[MarkedQuestionSchema]
    kept: KeptSchema | None
    group: ListenerGroupSchema | None


class WithdrawnAnswer(AnswerSchema):
    """A deleted result."""

    withdrawn: bool


class GroupOfVersionSchema(AnswerSchema):
    """The listeners of a version, null if there are none, and whether they are public."""

    benchmark: str
    version: str
    shown: bool
    group: ListenerGroupSchema | None


class GroupsAnswer(AnswerSchema):
    """The listeners of every version, for maintainers."""

    groups: list[GroupOfVersionSchema]
