"""Immutable records that leave the database. They never contain answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from db.hub_records import HubModel
from db.identity_records import IdentityRecord
from db.paper_records import PrintedRow
from db.states import JUDGE_LANES, SCORED_STATES


@dataclass(frozen=True, slots=True)
class UserRecord:
    """A user. `identity` is their identity at the OpenID provider, if it was loaded."""

    id: int
    name: str
    identity: IdentityRecord | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """A valid personal token, without its secret."""

    id: int
    label: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """A system under evaluation, as one submission describes it or as it is shown.

    Attributes:
        id: Number of the model.
        name: Name of the model.
        url: First link.
        links: Other links.
        public_id: ID in public URLs.
        hub: Hub repository that the submission names.
    """

    id: int
    name: str
    organisation: str | None = None
    kind: str | None = None
    size_billions: float | None = None
    open_weights: bool | None = None
    url: str | None = None
    links: tuple[str, ...] = ()
    public_id: str = ""
    hub: HubModel | None = None

    @property
    def all_links(self) -> tuple[str, ...]:
        """All links, in order."""
        return ((self.url,) if self.url is not None else ()) + self.links


@dataclass(frozen=True, slots=True)
class NewModel:
    """A model as its submitter describes it. `links` are those besides `url`; `hub` is its repository on the Hub."""

    name: str
    organisation: str | None = None
    kind: str | None = None
    size_billions: float | None = None
    open_weights: bool | None = None
    url: str | None = None
    links: tuple[str, ...] = ()
    hub: HubModel | None = None


@dataclass(frozen=True, slots=True)
class BenchmarkRecord:
    """A benchmark version as registered by an evaluator."""

    id: str
    version: str
    content_digest: str
    pack: str
    n_items: int
    n_clips: int


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """Public metadata of a test item."""

    id: str
    part: str
    task: str
    answer_format: str
    runs: tuple[int, ...]
    n_steps: int | None = None


@dataclass(frozen=True, slots=True)
class EventRecord:
    """One change of a submission."""

    at: datetime
    actor: str
    from_state: str | None
    to_state: str
    text: str


@dataclass(frozen=True, slots=True)
class ScoreRecord:
    """A stored score of an evaluation, scored here or reported; `n` is None if a paper does not report it.

    `low` and `high` are the bounds of a 95 % confidence interval computed with the score. Standings have the intervals
    of boards.
    """

    slice: str
    metric: str
    value: float | None
    n: int | None = None
    std: float | None = None
    note: str | None = None
    low: float | None = None
    high: float | None = None

    @property
    def key(self) -> str:
        """`<slice>|<metric>`."""
        return f"{self.slice}|{self.metric}"

    def covers(self, least: float) -> bool:
        """Return whether the score is over at least `least` items; reported ones, whose number is unknown, count."""
        return self.n is None or self.n >= least


@dataclass(frozen=True, slots=True)
class NewSubmission:
    """A submission as it arrives.

    `printed_on` is for reported rows: the paper's date as precisely as known (`2026-06-07`, `2026-06`, `2026`), empty
    if unknown. `printed_in` is its source. `is_reference` marks Earshot's reference systems. `edition` is the edition
    that it answers; None for the test split that all share.
    """

    id: str
    benchmark: str
    version: str
    setting: str
    source: str
    owner_id: int
    model: NewModel
    visibility: str
    allow_missing: bool
    artifact_sha256: str | None
    artifact_bytes: int | None
    idempotency_key: str | None
    printed_on: str | None = None
    printed_in: PrintedRow | None = None
    is_reference: bool = False
    edition: str | None = None


@dataclass(frozen=True, slots=True)
class SubmissionRecord:
    """A stored submission; see `NewSubmission` for `printed_on`, `printed_in`, `is_reference` and `edition`."""

    id: str
    benchmark: str
    version: str
    setting: str
    source: str
    lane: str
    owner: UserRecord
    model: ModelRecord
    state: str
    visibility: str
    allow_missing: bool
    artifact_sha256: str | None
    artifact_bytes: int | None
    created_at: datetime
    updated_at: datetime
    attempts: int
    not_before: datetime | None
    reason_code: str | None
    reason: str | None
    retryable: bool | None
    fault: str | None
    current_evaluation_id: int | None
    printed_on: str | None = None
    printed_in: PrintedRow | None = None
    is_reference: bool = False
    hub_pull_request: str | None = None
    edition: str | None = None

    @property
    def has_scores(self) -> bool:
        """Whether it has scores: all of them, or all except those that wait for a judge."""
        is_part_scored = self.lane in JUDGE_LANES and self.current_evaluation_id is not None
        return self.state == "scored" or (self.state in SCORED_STATES and is_part_scored)

    @property
    def is_open_pending(self) -> bool:
        """Whether only its open answers wait for a judge."""
        return self.has_scores and self.state != "scored"

    @property
    def badge(self) -> str:
        """Source of the row, as its badge shows it."""
        return "reference" if self.is_reference else self.source


@dataclass(frozen=True, slots=True)
class RunningScoring:
    """A running evaluation: its file, start time, progress and lease expiry."""

    submission_id: str
    benchmark: str
    version: str
    n_bytes: int
    started_at: datetime
    progress: float
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class MeasuredScoring:
    """Duration of an evaluation and size of its file."""

    seconds: float
    n_bytes: int


@dataclass(frozen=True, slots=True)
class EvaluationRecord:
    """One evaluation of a submission."""

    id: int
    submission_id: str
    started_at: datetime
    finished_at: datetime | None
    progress: float
    signature: str | None
    ranking: str
    parts: tuple[str, ...]
    runs: int | None
    expected: int | None
    missing: int | None
    unreadable: int | None
    unreadable_reasons: Mapping[str, int]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SealedOutcomes:
    """Encrypted per-item outcomes as stored. Reading `data` requires the answer key."""

    n_items: int
    n_runs: int
    data: bytes


@dataclass(frozen=True, slots=True)
class NewResult:
    """Result of an evaluator.

    Attributes:
        signature: Signature of the scores; None for reported ones.
        ranking: Rows are ranked together if this text is equal.
        outcomes: Outcome of each item; None for reported scores.
    """

    signature: str | None
    ranking: str
    parts: tuple[str, ...]
    runs: int | None
    expected: int | None
    missing: int | None
    unreadable: int | None
    unreadable_reasons: Mapping[str, int]
    scores: tuple[ScoreRecord, ...]
    notes: tuple[str, ...] = ()
    outcomes: SealedOutcomes | None = None


class StandingRecord(NamedTuple):
    """A score on a board, with its rank once it has one.

    A page creates hundreds, and a frozen dataclass would take ten times as long.
    """

    submission_id: str
    evaluation_id: int
    slice: str
    metric: str
    value: float | None
    std: float | None = None
    low: float | None = None
    high: float | None = None
    rank: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None

    @property
    def key(self) -> str:
        """`<slice>|<metric>`."""
        return f"{self.slice}|{self.metric}"


@dataclass(frozen=True, slots=True)
class CandidateRecord:
    """A score of a public row before ranking, with what decides whether it is ranked."""

    standing: StandingRecord
    source: str
    ranking: str
    is_reference: bool = False


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One row of a board: a public submission with its requested scores and metadata.

    `model` is the model that the row is shown under; `submission.model` is the model as submitted.
    """

    submission: SubmissionRecord
    model: ModelRecord
    evaluation: EvaluationRecord
    standings: Mapping[str, StandingRecord]
    score_notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """A board's revision, its number of changes (it is outdated where they differ), and its ranking rule.

    `detectable` is the detectable difference of its headline score; None if it cannot be computed.
    `relabelled` counts changes of model names and facts.
    """

    benchmark: str
    version: str
    setting: str
    revision: int
    changes: int
    updated_at: datetime
    rule: str
    detectable: float | None = None
    relabelled: int = 0


@dataclass(frozen=True, slots=True)
class JudgeRecord:
    """The judge of an evaluator, without its API key and address.

    Attributes:
        model: Name of the judge model.
        judging: Judge and protocol, as in signatures.
        max_calls_per_day: Maximum calls per day of all evaluators together.
        repeats: How often each order of an answer is judged.
        sort_errors: Maximum number of wrong answers to classify per submission; 0 disables it.
        is_sorting_stopped: Whether classification is paused because replies contained no verdict.
        max_cost_per_day: Maximum cost per day of all evaluators together; None for no limit.
        price_input: Money per million input tokens; None if not set.
        price_output: Money per million output tokens.
    """

    model: str
    judging: str
    max_calls_per_day: int
    repeats: int = 1
    sort_errors: int = 0
    is_sorting_stopped: bool = False
    max_cost_per_day: float | None = None
    price_input: float | None = None
    price_output: float | None = None
