"""Model repositories of the Hugging Face Hub, as submissions name them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HubModel:
    """A model repository at a revision.

    Attributes:
        repo_id: `organisation/name`.
        revision: Commit of the repository when its metadata were read; None where they were not.
        licence: Licence that its card names.
        base_models: Repositories that it was made from, as its card names them.
        access: `open`, or `gated` where people must ask for or agree to something first; None where not known.
        pipeline_tag: Task of the Hub.
        created_on: Date on which the repository was created, such as `2026-03-01`.
    """

    repo_id: str
    revision: str | None = None
    licence: str | None = None
    base_models: tuple[str, ...] = ()
    access: str | None = None
    pipeline_tag: str | None = None
    created_on: str | None = None
