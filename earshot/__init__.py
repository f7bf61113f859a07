"""Earshot for Python: boards as tables, questions as arrays, scores of practice answers, comparisons of models.

Everything is imported on first use, so that importing the package takes a moment.
"""

from typing import TYPE_CHECKING, Any

__all__ = ["BoardRows", "LoadedPack", "ModelComparison", "PracticeScores", "board", "compare", "load_pack", "score"]

if TYPE_CHECKING:
    from earshot.board_frames import BoardRows, board
    from earshot.loaded_packs import LoadedPack, load_pack
    from earshot.model_comparisons import ModelComparison, compare
    from earshot.practice_scores import PracticeScores, score
else:

    def __getattr__(name: str) -> Any:
        if name in ("BoardRows", "board"):
            import earshot.board_frames as module
        elif name in ("LoadedPack", "load_pack"):
            import earshot.loaded_packs as module
        elif name in ("ModelComparison", "compare"):
            import earshot.model_comparisons as module
        elif name in ("PracticeScores", "score"):
            import earshot.practice_scores as module
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(module, name)
