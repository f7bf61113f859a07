"""Records that leave the database: plain immutable values, and never an answer."""

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
    """A person; `identity` is who they are at the OpenID provider, where that was looked up."""

    id: int
    name: str
    identity: IdentityRecord | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """A personal token that is valid, without its secret."""

    id: int
    label: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """A system that was evaluated: as one submission names and describes it, or as it is shown.

    Attributes:
        id: Number of the model of this name.
        name: Its name.
        url: The first of its links.
        links: The others.
        public_id: What visitors know it by.
        hub: Its repository on the Hub, as the submission names it.
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
        """Every link, the first one first."""
        return ((self.url,) if self.url is not None else ()) + self.links


@dataclass(frozen=True, slots=True)
class NewModel:
    """A system as a submitter describes it; `links` are those besides `url`, `hub` is its repository on the Hub."""

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
    """One figure; `n` is None where a paper reports it without saying.

    `low` and `high` are the ends of a 95 % interval that was made with the figure; those of boards are in standings.
    """

    slice: str
    metric: str
    value: float | None
    n: int | None = None
    std: float | None = None
    note: str | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class NewSubmission:
    """Everything that is known of a submission when it arrives.

    `printed_on` is for a row that a paper prints: the paper's date as exactly as it is known (`2026-06-07`, `2026-06`,
    `2026`), empty where it is not; `printed_in` is where. `is_reference` marks one of our own reference systems.
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


@dataclass(frozen=True, slots=True)
class SubmissionRecord:
    """A submission as it stands; see `NewSubmission` for `printed_on`, `printed_in` and `is_reference`."""

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
    whose_fault: str | None
    current_evaluation_id: int | None
    printed_on: str | None = None
    printed_in: PrintedRow | None = None
    is_reference: bool = False
    hub_pull_request: str | None = None

    @property
    def has_scores(self) -> bool:
        """Whether it has scores to show: all, or all but those of open answers that wait for a judge."""
        is_part_scored = self.lane in JUDGE_LANES and self.current_evaluation_id is not None
        return self.state == "scored" or (self.state in SCORED_STATES and is_part_scored)

    @property
    def is_open_pending(self) -> bool:
        """Whether only its open answers wait for a judge."""
        return self.has_scores and self.state != "scored"

    @property
    def badge(self) -> str:
        """Source of the row as its badge names it."""
        return "reference" if self.is_reference else self.source


@dataclass(frozen=True, slots=True)
class RunningScoring:
    """A scoring that is under way: of which file, since when, how far it is, and until when somebody holds it."""

    submission_id: str
    benchmark: str
    version: str
    n_bytes: int
    started_at: datetime
    progress: float
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class MeasuredScoring:
    """How long a scoring took, and how large its file was."""

    seconds: float
    n_bytes: int


@dataclass(frozen=True, slots=True)
class EvaluationRecord:
    """One scoring of a submission."""

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
class LeaseRecord:
    """The right to write the result of one submission, until somebody else takes it over."""

    submission: SubmissionRecord
    evaluation_id: int
    token: str


@dataclass(frozen=True, slots=True)
class SealedOutcomes:
    """Per-item outcomes in the form in which they are stored: nobody without the answer key can read `data`."""

    n_items: int
    n_runs: int
    data: bytes


@dataclass(frozen=True, slots=True)
class NewResult:
    """What an evaluator found.

    Attributes:
        signature: Identity of the figures; None for reported ones.
        ranking: Rows with equal texts may be ranked together.
        outcomes: What happened to each item; None for reported figures.
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


@dataclass(frozen=True, slots=True)
class CandidateRecord:
    """A figure that is to be ranked: one public row's score in one slice and metric."""

    submission_id: str
    evaluation_id: int
    source: str
    ranking: str
    slice: str
    metric: str
    value: float | None
    std: float | None
    n: int | None = None
    is_reference: bool = False
    low: float | None = None
    high: float | None = None


class StandingRecord(NamedTuple):
    """A ranked figure. A page makes hundreds, and a frozen dataclass takes ten times as long to make."""

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


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One row of a board: a public submission with the figures that were asked for, and what is to be known of them.

    `model` is the one that the row is shown under; `submission.model` is what was sent.
    """

    submission: SubmissionRecord
    model: ModelRecord
    evaluation: EvaluationRecord
    standings: Mapping[str, StandingRecord]
    score_notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """A board's revision, the number of changes it has seen (it is behind where they differ), and its rule.

    `detectable` is the smallest difference that its headline figure can show; None where that cannot be said.
    `relabelled` counts the changes of what its models are called.
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
    """The judge of open answers that an evaluator asks, without its key and address.

    Attributes:
        model: Name of its model.
        judging: By whom and how is judged, as signatures say it.
        max_calls_per_day: Calls that all evaluators together make in a day.
        repeats: How often each order of an answer is judged.
        sort_errors: Wrong answers of a submission that are sorted by type at most; 0 sorts none.
        is_sorting_stopped: Whether sorting rests because replies held no verdict.
        max_cost_per_day: What all evaluators together spend in a day at most, in money; None is no limit.
        price_input: Money per million tokens read; None where it is not set.
        price_output: Money per million tokens written.
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


@dataclass(frozen=True, slots=True)
class WorkerRecord:
    """An evaluator process.

    Attributes:
        name: Machine and process.
        started_at: When it started.
        seen_at: Its last heartbeat.
        keys: Benchmark version → first digits of the key's digest.
        judge: Which judge of open answers it asks; None where it has none.
        problem: What keeps it from working.
    """

    name: str
    started_at: datetime
    seen_at: datetime
    keys: Mapping[str, str]
    judge: JudgeRecord | None = None
    problem: str | None = None
