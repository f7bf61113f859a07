"""Questions of a split, as its participants see them."""

from dataclasses import dataclass

from evaluation.types import Item, Split


@dataclass(frozen=True, slots=True)
class Content:
    """The questions of one split, as a participant may see them.

    Attributes:
        benchmark: Benchmark ID.
        version: Benchmark version.
        split: `test` or `practice`.
        items: Every item, in the order of the pack.
        digest: SHA-256 of the questions and of everything that determines the audio.
        has_sounds: Whether the audio is installed; an organiser may have provided only the questions.
        held_settings: Settings besides `packed_settings` for which a pack of these questions has prompts.
    """

    benchmark: str
    version: str
    split: Split
    items: tuple[Item, ...]
    digest: str
    has_sounds: bool = True
    held_settings: tuple[str, ...] = ()

    @property
    def clips(self) -> tuple[str, ...]:
        """Names of all clips, in alphabetical order, which reveals nothing about the items."""
        return tuple(sorted({clip for item in self.items for clip in item.clips}))

    @property
    def parts(self) -> frozenset[str]:
        """Parts with installed questions."""
        return frozenset(item.part for item in self.items)
