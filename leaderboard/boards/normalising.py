"""Normalised scores, comparable across benchmarks: 0 is chance, 1 is the human baseline."""


def normalise(value: float | None, chance: float | None, human: float | None) -> float | None:
    """Return how far a score is from chance to human: (value − chance) / (human − chance).

    A fraction without unit; higher is better even for scores of which lower is better, because both differences then
    change sign. Not clipped: below 0 is worse than chance, above 1 better than humans.

    Args:
        value: The score, as a fraction.
        chance: Expected score of uniform guessing.
        human: Score of the human baseline.

    Returns:
        None if one of the three is unknown, or if the human baseline equals chance, so that the scale is undefined.

    >>> normalise(0.5, 0.25, 0.75), normalise(0.2, 0.25, 0.75) < 0, normalise(0.5, 0.25, None)
    (0.5, True, None)
    """
    if value is None or chance is None or human is None or human == chance:
        return None
    return (value - chance) / (human - chance)
