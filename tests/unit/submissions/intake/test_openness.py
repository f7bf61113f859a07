"""Versions that accept submissions, and messages about those that do not."""

import pytest

from evaluation import get_benchmark
from submissions.errors import ClosedVersionError
from submissions.intake.openness import Openness

CLOSED = get_benchmark("mdar", "1.0")
DEMO = get_benchmark("mdar", "demo")
STAR = get_benchmark("star-bench", "1.0")
# Terms for operators, which visitors must not see.
OPERATOR = ("python", "keys import", "organiser", "installation", "EARSHOT_")


def test_closed_version_names_the_open_version() -> None:
    openness = Openness(CLOSED, frozenset(), DEMO)
    assert not openness.is_open
    assert openness.notice == "Published scores only. Submissions are open for demo."
    assert openness.pack_refusal == (
        "MDAR 1.0 has no question pack: it shows published scores only. "
        "Download the question pack of MDAR demo instead."
    )
    with pytest.raises(ClosedVersionError) as refused:
        openness.require()
    assert str(refused.value) == "MDAR 1.0 is not open for submissions. Submit to MDAR demo instead."
    assert (refused.value.benchmark, refused.value.open_version) == ("mdar", "demo")


def test_closed_version_without_an_open_version_names_no_alternative() -> None:
    openness = Openness(CLOSED, frozenset(), None)
    assert openness.notice == "Published scores only."
    with pytest.raises(ClosedVersionError, match=r"^MDAR 1\.0 is not open for submissions\.$"):
        openness.require()


@pytest.mark.parametrize(
    ("parts", "notice"),
    [
        ({"perception"}, "Submissions are open for Perception. Temporal and Spatial show scores from the paper."),
        (
            {"perception", "temporal"},
            "Submissions are open for Perception and Temporal. Spatial shows scores from the paper.",
        ),
        ({"perception", "temporal", "spatial"}, None),
    ],
)
def test_open_version_names_its_closed_parts(parts: set[str], notice: str | None) -> None:
    openness = Openness(STAR, frozenset(parts), STAR)
    assert openness.notice == notice
    openness.require()


def test_version_with_generated_questions_has_no_notice() -> None:
    assert Openness(DEMO, frozenset({"main"}), DEMO).notice is None


@pytest.mark.parametrize("n_parts", [0, 1])
def test_visitor_texts_contain_no_operator_terms(n_parts: int) -> None:
    for benchmark in (CLOSED, STAR, get_benchmark("audio-process-bench", "1.0")):
        openness = Openness(benchmark, frozenset(part.id for part in benchmark.parts[:n_parts]), DEMO)
        sentences = f"{openness.notice} {openness.pack_refusal}"
        assert not [word for word in OPERATOR if word in sentences]
