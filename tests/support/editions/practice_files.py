"""Practice answers of AudioMotionBench, and an installation that scores them."""

import json
import random
from collections.abc import Callable

from db.practice_records import PracticeRecord
from db.records import SubmissionRecord
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks.audio_motion_bench.design import design_items
from submissions.jobs.worker_names import worker_name
from submissions.practice.practice_scorer import PracticeScorer
from submissions.practice.practice_service import PracticeService
from tests.support.servers.installation import BENCHMARK, Installation

PRACTICE_KEY = BENCHMARK.make_key("practice")


def guess_answers(key: AnswerKey, accuracy: float, seed: int = 1) -> bytes:
    """Return a file in which this share of the answers, drawn at random, is right."""
    rng, designs = random.Random(seed), design_items(key.split, key.seed)
    right = set(rng.sample(range(len(designs)), round(accuracy * len(designs))))
    lines = []
    for number, designed in enumerate(designs):
        is_right = number in right
        if designed.form == "tf":
            response = str(bool(designed.answer) is is_right)
        else:
            response = "ABCD"[(int(designed.answer) + (0 if is_right else rng.randint(1, 3))) % 4]  # type: ignore[arg-type]
        lines.append(json.dumps({"id": designed.item.id, "response": response}))
    return "\n".join(lines).encode()


class PracticePlace:
    """Service and evaluator of practice answers; `at` maps a checkpoint to the action of its next pass."""

    def __init__(self, place: Installation) -> None:
        self.place = place
        self.service = PracticeService(place.database, place.store, place.catalogues, place.service, 100_000_000)
        self.at: dict[str, Callable[[], None]] = {}
        self.scorer = self.make_scorer(worker_name())

    def make_scorer(self, worker: str) -> PracticeScorer:
        place = self.place
        return PracticeScorer(place.database, place.store, place.keys_dir, worker, self._pass)

    def _pass(self, label: str) -> None:
        self.at.pop(label, lambda: None)()

    def score_all(self) -> None:
        """Score files and practice answers, and compute the boards."""
        self.place.score_all()
        while self.scorer.run_next():
            pass
        self.place.score_all()

    def read(self, submission: SubmissionRecord) -> PracticeRecord:
        practice = self.place.status(submission).practice
        assert practice is not None
        return practice
