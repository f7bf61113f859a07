"""Strengths and weaknesses of a row in sentences, from scores with confidence intervals. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from db.records import StandingRecord
from leaderboard.boards.normalising import normalise
from leaderboard.rendering.formatting import write_interval, write_percent
from submissions.model_registry.model_pages import ModelRowView, list_abilities

_NAMED = 3
# A share of answers is a count, not an estimate: it is mentioned if it is this far from uniform.
_FAR = 0.10
_WORTH_TELLING = 0.01
NO_INTERVALS = "No confidence intervals reported, so strengths cannot be assessed."
_TOO_FEW = "Too few clips for confidence intervals, so strengths cannot be assessed."


class Spoke(NamedTuple):
    """An ability of a row with chance and human baseline; fractions.

    Attributes:
        name: Name in plain words.
        score: Score with its interval.
        chance: Expected score of uniform guessing; None if unknown.
        people: Score of the human baseline; None if there is none.
    """

    name: str
    score: StandingRecord
    chance: float | None
    people: float | None

    def place(self, value: float | None) -> float | None:
        """Return how far a value is from chance to human, or to a perfect score without a human baseline."""
        return normalise(value, self.chance, 1.0 if self.people is None else self.people)


def list_spokes(view: ModelRowView) -> list[Spoke]:
    """Return the abilities for which a row has a score, in the order of the benchmark."""
    people = view.people or {}
    return [
        Spoke(one.name, view.scores[one.key], view.benchmark.chance.get(one.key), people.get(one.key))
        for one in list_abilities(view.benchmark)
        if one.key in view.scores
    ]


def describe_strengths(view: ModelRowView) -> list[str]:
    """Return sentences on the strengths and weaknesses of a row, or one that says why they cannot be assessed."""
    known = [one for one in list_spokes(view) if _has_interval(one)]
    if not known:
        return [NO_INTERVALS if view.row.evaluation.signature is None else _TOO_FEW, *_describe_habits(view)]
    above = [one for one in known if _low(one) > _chance(one)]
    below = [one for one in known if _high(one) < _chance(one)]
    at_chance = [one for one in known if one not in above and one not in below]
    parts = [
        _list_some("Above chance on", sorted(above, key=_order, reverse=True)),
        _list_some("At chance on", at_chance),
        _list_some("Below chance on", sorted(below, key=_order)),
    ]
    return [*filter(None, parts), *_describe_extremes(known), *_describe_habits(view)]


def describe_losses(view: ModelRowView) -> list[str]:
    """Return the shares of missing and unreadable answers, if above 1 %."""
    evaluation = view.row.evaluation
    expected = evaluation.expected or 0
    words = {
        "are missing and count as wrong": evaluation.missing,
        "are unreadable and count as wrong": evaluation.unreadable,
    }
    return [
        f"{write_percent(count / expected)}\u00a0% of the answers {what}"
        for what, count in words.items()
        if expected and count is not None and count / expected > _WORTH_TELLING
    ]


def _describe_extremes(known: Sequence[Spoke]) -> list[str]:
    """Return the abilities nearest to and farthest from human, if their intervals leave no doubt."""
    if len({one.people is None for one in known}) > 1:
        return []  # two scales
    ranked = sorted((one for one in known if one.place(one.score.value) is not None), key=_order)
    if len(ranked) < 2 or _place(ranked[0], _high(ranked[0])) >= _place(ranked[-1], _low(ranked[-1])):
        return []
    end = "perfect" if ranked[0].people is None else "human"
    strongest, weakest = (f"{one.name}, {_name_place(one)}" for one in (ranked[-1], ranked[0]))
    return [f"Strongest in {strongest}; weakest in {weakest} (0 = chance, 1 = {end})."]


def _describe_habits(view: ModelRowView) -> list[str]:
    sentences = []
    for habit in view.benchmark.habits:
        score = view.scores.get(habit.key)
        even = view.benchmark.chance.get(habit.even or habit.key)
        if score is None or score.value is None or even is None:
            continue
        has_interval = score.low is not None and score.high is not None
        if has_interval and (score.low or 0.0) <= even <= (score.high or 0.0):
            continue
        # Without a confidence interval, only counts are mentioned, not estimates.
        if not has_interval and (not habit.even or score.value - even < _FAR):
            continue
        sentences.append(f"{_measure(score)} {habit.words} (guessing: {write_percent(even)}\u00a0%).")
    return sentences


def _list_some(lead: str, some: Sequence[Spoke]) -> str:
    named = [f"{one.name} {_measure(one.score)}" for one in some[:_NAMED]]
    if len(some) > _NAMED:
        named.append(f"{len(some) - _NAMED} more")
    words = ", ".join(named[:-1]) + (" and " if len(named) > 1 else "") + "".join(named[-1:])
    return f"{lead} {words}." if named else ""


def _measure(score: StandingRecord) -> str:
    interval = write_interval(score.low, score.high)
    return f"{write_percent(score.value)}\u00a0%{f' ({interval})' if interval else ''}"


def _has_interval(one: Spoke) -> bool:
    return one.chance is not None and one.score.low is not None and one.score.high is not None


def _low(one: Spoke) -> float:
    return one.score.low or 0.0


def _high(one: Spoke) -> float:
    return one.score.high or 0.0


def _chance(one: Spoke) -> float:
    return 0.0 if one.chance is None else one.chance


def _place(one: Spoke, value: float | None) -> float:
    return one.place(value) or 0.0


def _name_place(one: Spoke) -> str:
    value, low, high = (f"{_place(one, end):.2f}" for end in (one.score.value, _low(one), _high(one)))
    return f"{value} ({low} to {high})".replace("-", "−")


def _order(one: Spoke) -> float:
    return _place(one, one.score.value)
