"""Response schemas of the listening test (see `shared_answers`)."""

from leaderboard.api.schemas.shared_answers import AnswerSchema


class PooledShareSchema(AnswerSchema):
    """A share over several rounds, each counted as a listener; its interval needs ten of them."""

    listeners: int
    answers: int
    value: float
    low: float | None
    high: float | None


class PooledTaskSchema(PooledShareSchema):
    """The same, of a group of tasks."""

    id: str
    title: str


class ListenerGroupSchema(PooledShareSchema):
    """Everybody who let a round be kept."""

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
    """What people can listen to."""

    benchmarks: list[OfferSchema]


class AudioSchema(AnswerSchema):
    """A sound of a question."""

    name: str
    url: str
    seconds: float


class RoundQuestionSchema(AnswerSchema):
    """A question; nothing in it says what is right."""

    id: str
    run: int
    task: str
    task_title: str
    question: str
    options: list[str]
    answer_format: str
    audio: list[AudioSchema]


class RoundAnswer(AnswerSchema):
    """A round; the same words ask for the same one."""

    benchmark: str
    version: str
    title: str
    n: int
    seed: int
    seconds: float
    questions: list[RoundQuestionSchema]


class RivalSchema(AnswerSchema):
    """A figure of a board: of people as published, or of a model."""

    name: str
    model: str
    source: str
    version: str
    value: float
    low: float | None
    high: float | None


class MarkedShareSchema(AnswerSchema):
    """How many were right, with an interval, and what boards say beside it: there, the test split was answered."""

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
    """A question, marked: null where it was skipped."""

    id: str
    right: bool
    given: int | bool | list[int] | None
    truth: int | bool | list[int]


class KeptSchema(AnswerSchema):
    """The id by which a result is withdrawn, or why it is not kept."""

    id: str | None
    reason: str | None


class MarkedAnswer(AnswerSchema):
    """A round, marked; `kept` is null where nobody asked for it.

    `same_questions` says that models on the boards answered these very questions, those of the practice split.
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
    """A result that is no longer kept."""

    withdrawn: bool


class GroupOfVersionSchema(AnswerSchema):
    """The listeners of a version, null where there are none, and whether everybody sees them."""

    benchmark: str
    version: str
    shown: bool
    group: ListenerGroupSchema | None


class GroupsAnswer(AnswerSchema):
    """The listeners of every version, for maintainers."""

    groups: list[GroupOfVersionSchema]
