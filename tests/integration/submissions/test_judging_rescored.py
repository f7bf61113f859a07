"""Re-evaluation of submissions with pending open answers: their other parts are re-scored."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from db.records import SubmissionRecord
from evaluation.answer_keys import replace_key
from evaluation.signature import parse_signature
from submissions.cli.reevaluation_tables import build_table
from submissions.operations.maintenance import ReevaluationRequest
from tests.support.judges.judging_installation import MDAR, JudgingInstallation

SCORE = "open|judge_score"
MAIN = "main|accuracy"


@pytest.fixture
def place(installed: Path, tmp_path: Path) -> Iterator[JudgingInstallation]:
    made = JudgingInstallation(installed, tmp_path)
    with closing(made.database):
        yield made


def whole(place: JudgingInstallation) -> dict[str, str]:
    """Return an answer to every question: option A for main and multi, half-correct answers to open questions."""
    items = MDAR.content(place.mdar_key).items
    return {item.id: "A" for item in items if item.part != "open"} | place.half()


def correct_key(place: JudgingInstallation) -> None:
    """Change the answer to one question of main."""
    key = place.mdar_key
    first = min(item.id for item in MDAR.content(key).items if item.part == "main")
    answer = key.answers[first]
    assert isinstance(answer, int)
    replace_key(place.keys_dir, replace(key, answers={**key.answers, first: 1 - min(answer, 1)}), key)


def rules_of(place: JudgingInstallation, sent: SubmissionRecord) -> str:
    found = place.read_status(sent).evaluation
    assert found is not None
    return parse_signature(found.signature or "").rules


@pytest.mark.parametrize("has_judge", [False, True])
def test_other_parts_of_a_pending_row_are_rescored_and_open_still_waits(
    place: JudgingInstallation, has_judge: bool
) -> None:
    sent = place.send(whole(place))
    place.score_all()
    before, old_rules = place.read_scores(sent), rules_of(place, sent)
    correct_key(place)
    lane = place.judge_with() if has_judge else None
    dry = place.run_reevaluation(lane, dry_run=True)
    assert dry.result is not None
    (row,) = dry.result["rows"]
    assert (row["submission"], row["state"], row["open_pending"]) == (sent.id, "scored", True)
    assert row["figures"][MAIN]["old"] == before[MAIN] != row["figures"][MAIN]["new"]
    assert row["rank"] == {"old": 1, "new": 1}
    assert dry.result["judge_calls"]["submissions"] == 0
    assert place.read_scores(sent) == before
    real = place.run_reevaluation(lane, dry_run=False)
    assert real.result is not None
    assert (real.state, real.result["n_scored"]) == ("done", 1)
    status = place.read_status(sent)
    assert (status.submission.state, status.submission.lane) == ("awaiting-judge", "judge")
    assert place.read_scores(sent)[MAIN] == row["figures"][MAIN]["new"]
    assert place.read_scores(sent).get(SCORE) is None
    assert rules_of(place, sent) != old_rules
    assert status.events[-1].text == "Re-scored: A doubt."
    assert status.evaluation is not None
    assert any(note.endswith("for a judge. Their scores will be added then.") for note in status.evaluation.notes)
    assert place.client.n_calls == 0
    assert place.judge_with().run_next()
    assert place.read_status(sent).submission.state == "scored"
    assert place.read_scores(sent)[MAIN] == row["figures"][MAIN]["new"]
    assert (place.read_scores(sent)[SCORE] or 0) > 0


def test_held_row_is_rescored_and_stays_held(place: JudgingInstallation) -> None:
    sent = place.send(whole(place) | place.hostile())
    assert place.judge_with(place.gullible()).run_next()
    correct_key(place)
    place.run_reevaluation(None, dry_run=True)
    assert place.run_reevaluation(None, dry_run=False).state == "done"
    held = place.read_status(sent).submission
    assert (held.state, held.lane) == ("awaiting-judge", "held")


def test_single_pending_submission_can_be_rescored(place: JudgingInstallation) -> None:
    sent = place.send(whole(place))
    correct_key(place)
    asked = place.maintenance.request_reevaluation(
        place.may, ReevaluationRequest(sent.id, None, None, True, "A doubt.")
    )
    while place.reevaluator.run_next():
        pass
    found = place.find_reevaluation(asked)
    assert found.result is not None
    assert found.result["n_scored"] == 1
    text = "".join(str(cell) for column in build_table(dict(found.result)).columns for cell in column.cells)
    assert "open answers wait for the judge" in text


def test_submission_with_only_open_answers_has_nothing_to_rescore(place: JudgingInstallation) -> None:
    place.send(place.half())
    correct_key(place)
    refused = place.run_reevaluation(None, dry_run=True)
    assert refused.state == "refused"
    assert "no scored submission has a stored file" in (refused.explanation or "")


@pytest.mark.parametrize("after_step", [1, 2])
def test_row_judged_during_a_reevaluation_keeps_the_scores_of_the_judge(
    place: JudgingInstallation, after_step: int
) -> None:
    sent = place.send(whole(place))
    correct_key(place)
    place.run_reevaluation(None, dry_run=True)
    asked = place.maintenance.request_reevaluation(
        place.may, ReevaluationRequest(None, MDAR.id, MDAR.version, False, "A doubt.")
    )
    for _ in range(after_step):
        assert place.reevaluator.run_next()
    assert place.judge_with().run_next()
    judged = place.read_scores(sent)
    while place.reevaluator.run_next():
        pass
    found = place.find_reevaluation(asked)
    assert found.result is not None
    (row,) = found.result["rows"]
    assert row["state"] == "failed"
    assert row["reason"].startswith("Its open answers were judged in the meantime")
    assert place.read_scores(sent) == judged
    assert judged[SCORE] is not None
