"""Sources of rows: the one list of where scores come from, with the names and descriptions that readers see."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

SourceGroup = Literal["evaluated", "papers", "baselines", "references"]
_RANKED_GROUPS: tuple[SourceGroup, ...] = ("evaluated", "papers")


@dataclass(frozen=True, slots=True)
class RowSource:
    """Where the scores of a row come from.

    Attributes:
        id: As the database and the API have it.
        label: Word of its badge.
        description: What it means, for readers.
        group: `evaluated`: predictions were scored here. `papers`: scores were reported. `baselines`: models are
            compared with these rows, which have no rank. `references`: this server's own systems, which have no rank
            either and no `source` of their own.
    """

    id: str
    label: str
    description: str
    group: SourceGroup

    @property
    def is_ranked(self) -> bool:
        """Whether its rows have ranks."""
        return self.group in _RANKED_GROUPS


_SOURCES = (
    RowSource("verified", "verified", "Earshot ran this model itself.", "evaluated"),
    RowSource("submitted", "submitted", "Earshot scored uploaded predictions.", "evaluated"),
    RowSource(
        "reported",
        "reported",
        "Scores from a paper. Without item-level answers there is no confidence interval and no rank range.",
        "papers",
    ),
    RowSource("human", "human", "People who took the test.", "baselines"),
    RowSource(
        "random",
        "chance",
        "Random guessing: reported in a paper or, with a signature, run through the same pipeline.",
        "baselines",
    ),
    RowSource(
        "reference", "reference", "Reference system: knows how the audio was rendered; not ranked.", "references"
    ),
)
# Badge of a row → its source; see `SubmissionRecord.badge`.
ROW_SOURCES: Mapping[str, RowSource] = {source.id: source for source in _SOURCES}


def _list_sources(*groups: SourceGroup) -> tuple[str, ...]:
    return tuple(source.id for source in _SOURCES if source.group in groups)


# Reference systems are not ranked, although they are `verified`; see `db.repositories.board_order.RANKABLE`.
RANKED_SOURCES = _list_sources(*_RANKED_GROUPS)
EVALUATED_SOURCES = _list_sources("evaluated")
BASELINE_SOURCES = _list_sources("baselines")
# All that a row can have.
SOURCES = (*RANKED_SOURCES, *BASELINE_SOURCES)
