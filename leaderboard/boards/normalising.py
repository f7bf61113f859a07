"""Scores on one scale across benchmarks: 0 is an even guess, 1 is what people reach."""


def normalise(value: float | None, chance: float | None, human: float | None) -> float | None:
    """Return how far a figure is from chance towards people: (value − chance) / (human − chance).

    A fraction without unit; higher is better for figures that are better when lower too, since both differences then
    change sign. Not clipped: below 0 is worse than guessing, above 1 better than people.

    Args:
        value: The figure, as a fraction.
        chance: What a system that guesses evenly is expected to reach.
        human: What people reached.

    Returns:
        None where one of the three is unknown, or people's figure is chance itself, so that there is no such scale.

    >>> normalise(0.5, 0.25, 0.75), normalise(0.2, 0.25, 0.75) < 0, normalise(0.5, 0.25, None)
    (0.5, True, None)
    """
    if value is None or chance is None or human is None or human == chance:
        return None
    return (value - chance) / (human - chance)
