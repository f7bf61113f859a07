"""Records of models: descriptions, merges and rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from db.records import ModelRecord, StandingRecord


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is said of a model; None where nothing is. No links at all is something said."""

    organisation: str | None = None
    kind: str | None = None
    size_billions: float | None = None
    open_weights: bool | None = None
    links: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """A model by name.

    Attributes:
        id: Its number.
        public_id: What visitors know it by.
        name: Its name, spelt as it was the first time.
        name_key: The name without regard to case and spacing.
        joined_to: Number of the model that a maintainer joined it to.
        shown_as: Number of the model under whose name it is shown; its own where nobody joined it.
        said: What maintainers say of it.
    """

    id: int
    public_id: str
    name: str
    name_key: str
    joined_to: int | None
    shown_as: int
    said: ModelFacts = field(default_factory=ModelFacts)


@dataclass(frozen=True, slots=True)
class ModelRowRecord:
    """A scored submission of a model.

    Attributes:
        submission: Its id.
        sent: The model as it was sent.
        shown_as: Number of the model that it is shown under.
        signature: Of its figures; None where they are reported.
        printed_on: The date of the paper that prints it, as exactly as it is known; None where it was sent here.
        hub_pull_request: Pull request that proposes the result to the model's card.
        headline: The figures that a benchmark is known by, with their places; empty where the board is not made yet.
    """

    submission: str
    benchmark: str
    version: str
    setting: str
    source: str
    visibility: str
    sent: ModelRecord
    shown_as: int
    created_at: datetime
    signature: str | None
    headline: Mapping[str, StandingRecord] = field(default_factory=dict)
    printed_on: str | None = None
    hub_pull_request: str | None = None
