"""Records of model repositories on the Hugging Face Hub."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HubModel:
    """A model repository at a revision.

    Attributes:
        repo_id: `organisation/name`.
        revision: Commit of the repository when its metadata were read; None if they were not read.
        licence: Licence in the model card.
        base_models: Base models in the model card.
        access: `open`, or `gated` if users must request access or accept terms; None if unknown.
        pipeline_tag: Task on the Hub.
        created_on: Creation date of the repository, such as `2026-03-01`.
    """

    repo_id: str
    revision: str | None = None
    licence: str | None = None
    base_models: tuple[str, ...] = ()
    access: str | None = None
    pipeline_tag: str | None = None
    created_on: str | None = None
