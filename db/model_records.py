"""Records of models: descriptions, merges and rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from db.records import ModelRecord, StandingRecord


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """Description of a model; None where a fact is unknown. An empty list of links is a known fact."""

    organisation: str | None = None
    kind: str | None = None
    size_billions: float | None = None
    open_weights: bool | None = None
    links: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """A model by name.

    Attributes:
        id: Number of the model.
        public_id: ID in public URLs.
        name: Name, in its first spelling.
        name_key: Name without case and spacing.
        joined_to: Number of the model that a maintainer merged it into.
        shown_as: Number of the model under whose name it is shown; its own if it is not merged.
        maintainer_facts: Maintainers' description of the model.
    """

    id: int
    public_id: str
    name: str
    name_key: str
    joined_to: int | None
    shown_as: int
    maintainer_facts: ModelFacts = field(default_factory=ModelFacts)


@dataclass(frozen=True, slots=True)
class ModelRowRecord:
    """A scored submission of a model.

    Attributes:
        submission: ID of the submission.
        submitted: Model as submitted.
        shown_as: Number of the model that it is shown under.
        signature: Signature of its scores; None for reported ones.
        printed_on: Date of the paper, as precisely as known; None for submissions.
        hub_pull_request: Pull request that proposes the result to the model card.
        headline: Headline scores with their ranks; empty until the board is built.
    """

    submission: str
    benchmark: str
    version: str
    setting: str
    source: str
    visibility: str
    submitted: ModelRecord
    shown_as: int
    created_at: datetime
    signature: str | None
    headline: Mapping[str, StandingRecord] = field(default_factory=dict)
    printed_on: str | None = None
    hub_pull_request: str | None = None
