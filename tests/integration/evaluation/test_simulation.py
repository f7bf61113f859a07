"""Simulated coverage of intervals, rank ranges, tests and detectable differences: a twentieth here, all in the soak."""

import pytest

from evaluation import __main__ as command
from evaluation import edition_simulation, simulation
from evaluation.simulated_answers import MeasuredShare, list_structures
from evaluation.simulation import KINDS, simulate
from evaluation.statistics import Clusters, intervals


def test_simulated_shares_are_as_stated(soak: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not soak:
        some = ("STAR-Bench, 20 items of a level", "AudioMotionBench, one form, four conditions", "MDAR, main")
        few = {name: sizes for name, sizes in list_structures().items() if name in some}
        monkeypatch.setattr(simulation, "list_structures", lambda: few)
        monkeypatch.setattr(simulation, "ACCURACIES", (0.05, 0.5, 0.9, 0.97))
        monkeypatch.setattr(simulation, "CORRELATIONS", (0.0, 0.6))
        monkeypatch.setattr(simulation, "_BOARD_CLIPS", (20,))
        monkeypatch.setattr(simulation, "_PER_RECORDING", (8,))
        monkeypatch.setattr(edition_simulation, "CLIPS", (20,))
        monkeypatch.setattr(edition_simulation, "CORRELATIONS", (0.6,))
        monkeypatch.setattr(edition_simulation, "RECORDINGS", ())
        monkeypatch.setattr(edition_simulation, "_EQUAL", (0.8,))
    found = list(simulate(1.0 if soak else 0.05, seed=1))
    assert {one.kind for one in found} == {*KINDS, "difference"}
    assert [one for one in found if not one.holds] == []
    assert len(found) > (300 if soak else 80)


@pytest.mark.parametrize(
    ("structure", "accuracies", "correlation"),
    [
        ("AudioMotionBench, variant, clean, T/F", (0.93, 0.95), 0.1),
        ("AudioMotionBench, variant, MCQ, four conditions", (0.97,), 0.1),
        ("AudioProcessBench, recall of type/acoustic-attribute", (0.05, 0.95), 0.6),
    ],
)
def test_intervals_of_few_wrong_items_cover_in_95_of_100(
    structure: str, accuracies: tuple[float, ...], correlation: float, soak: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cells in which intervals of version 4 covered 97.1, 97.3 and 90.9 %."""
    sizes = list_structures()[structure]
    monkeypatch.setattr(simulation, "list_structures", lambda: {structure: sizes})
    monkeypatch.setattr(simulation, "ACCURACIES", accuracies)
    monkeypatch.setattr(simulation, "CORRELATIONS", (correlation,))
    found = list(simulate(10.0 if soak else 1.6, seed=3, kinds=["interval"]))
    assert len(found) == len(accuracies)
    assert all(0.93 <= one.share <= 0.967 for one in found), found


@pytest.mark.slow
def test_intervals_of_all_structures_cover_within_two_points_of_95(soak: bool) -> None:
    """Half a point more in pairs of recordings, of which there are only 60; see docs/methods.md."""
    found = list(simulate(2.5, seed=4, kinds=["interval", "figure"]))
    assert soak
    extra = {one: 0.005 * (" in pairs" in one.what) for one in found}
    assert [one for one in found if not 0.93 - extra[one] <= one.share <= 0.97 + extra[one]] == []


def test_method_that_ignores_clusters_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    every = list_structures()
    monkeypatch.setattr(simulation, "list_structures", lambda: {"all": every["AudioMotionBench, all items"]})
    monkeypatch.setattr(
        intervals, "estimate_design_effect", lambda _right, value, _sizes: (value * 0 + 1, value * 0 + 1e6)
    )
    missed = [one.what for one in simulate(0.03, seed=1, kinds=["interval"]) if not one.holds]
    assert len(missed) >= 20
    assert not any(what.rsplit(", ", 1)[1] == "correlation 0" for what in missed)


def test_share_within_three_standard_errors_of_counting_holds() -> None:
    assert MeasuredShare("interval", "x", 0.925, 0.935, 0.965, 400).holds
    assert not MeasuredShare("interval", "x", 0.925, 0.935, 0.965, 40_000).holds
    assert not MeasuredShare("interval", "x", 0.99, 0.935, 0.965, 40_000).holds


def test_structures_are_those_of_the_benchmarks() -> None:
    sizes = {name: (len(one), int(one.sum())) for name, one in list_structures().items()}
    assert sizes["MDAR, main"] == (467, 1500)
    assert sizes["MDAR, multi"] == (177, 825)
    assert sizes["AudioMotionBench, all items"] == (168, 2016)
    assert sizes["AudioProcessBench, recall of step"][0] == 120
    assert sizes["AudioProcessBench in pairs, recall of step"][0] == 60
    assert Clusters.of([1, 1, 2]).n_effective == pytest.approx(9 / 5)


def test_command_prints_the_shares_and_fails_if_one_is_missed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shares = [
        MeasuredShare("ranks", "20 clips", 0.97, 0.94, 1, 1000),
        MeasuredShare("test", "equal", 0.2, 0.04, 0.06, 1000),
    ]
    monkeypatch.setattr(command, "simulate", lambda _times, _seed, kinds: shares[: 1 + (not kinds)])
    assert command.main(["simulate", "--kind", "ranks"]) == 0
    assert command.main(["simulate"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].split() == ["ranks", "20", "clips", "97.0", "%", "of", "1,000"]
    assert said[-1].endswith("MISSED")
