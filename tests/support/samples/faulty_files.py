"""What tests of faulty prediction files share: the questions they answer, correct rows and recurring texts."""

import io

from evaluation.predictions import Catalogue, CatalogueItem, Problem, validate_predictions
from tests.support.samples.intake_files import write_lines

KNOWN = Catalogue(
    "Bench 1.0",
    {name: CatalogueItem("p", "choice", (0, 1, 2)) for name in ("amb-one", "amb-two", "amb-three")}
    | {"trace-1": CatalogueItem("t", "steps", (0,), n_steps=2)},
)
GOOD = [{"id": "amb-one", "response": "A"}, {"id": "amb-two", "response": 'B, "b"\nb'}]
ROW = ' Expected: {"id": "…", "run": 0, "response": "the model\'s raw text"}'
SUPPORTED_FORMATS = "JSON Lines, one JSON list or object, or CSV; each also gzipped, or alone in a zip"
LONG = "x" * 200_001
LINES = write_lines(GOOD).decode()


def list_problems(data: bytes) -> tuple[Problem, ...]:
    """Return what a check of a file finds, its missing answers apart."""
    return validate_predictions(io.BytesIO(data), KNOWN, allow_missing=True).problems
