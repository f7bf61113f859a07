"""Editions after `keys replace`: closed ones live on from their stored seed, others say that they are lost."""

import io
from datetime import UTC, datetime

import pytest
from sqlalchemy import update

from db.models import Edition
from db.records import NewModel, SubmissionRecord
from db.repositories import boards, users, workers
from db.repositories import editions as edition_rows
from db.repositories.boards import PageQuery
from evaluation.answer_keys import key_path
from submissions.accounts.credentials import OPERATOR, SYSTEM_USER
from submissions.comparisons.comparer import Comparer
from submissions.comparisons.comparison_requests import Comparisons
from submissions.editions.disclosed_items import DisclosedItems
from submissions.errors import NotReadyError, StateError
from submissions.jobs.registration import register_all, submit_chance
from submissions.keys.identity import accept_any_key
from submissions.ranking.question_keys import find_question_key
from submissions.service import Request, board_of
from tests.support.editions.edition_places import Editions
from tests.support.servers.installation import BENCHMARK, HEADLINE, Installation, answers, statements

LOST = "has been replaced, so its questions and answers cannot be made again"


@pytest.fixture
def editions(place: Installation) -> Editions:
    return Editions(place)


def submit(place: Installation, editions: Editions, edition_id: str, n_wrong: int) -> SubmissionRecord:
    key = editions.key(BENCHMARK, edition_id)
    data = answers(key, wrong=frozenset(statements(key)[:n_wrong]))
    request = Request(BENCHMARK, "default", NewModel(f"{n_wrong}"), allow_missing=True, publish=True)
    return place.service.submit(place.ann, request, io.BytesIO(data))


@pytest.fixture
def edition_id(place: Installation, editions: Editions) -> str:
    return editions.open_edition(BENCHMARK)


@pytest.fixture
def rows(place: Installation, editions: Editions, edition_id: str) -> list[SubmissionRecord]:
    """Two scored rows of a closed edition."""
    made = [submit(place, editions, edition_id, n_wrong) for n_wrong in (100, 300)]
    editions.service.close_edition(edition_id, place.ann)
    place.score_all()
    return made


def replace_keys(place: Installation) -> None:
    """Lose the answer key, and accept a new one."""
    before = place.key
    key_path(place.keys_dir, BENCHMARK.id, BENCHMARK.version, "test").unlink()
    accept_any_key(place.database, BENCHMARK.id, OPERATOR, datetime.now(UTC))
    register_all(place.database, place.keys_dir)
    assert place.key.seed != before.seed


def forget_seed(place: Installation, edition_id: str) -> None:
    with place.database.write() as transaction:
        transaction.execute(update(Edition).where(Edition.id == edition_id).values(seed=None))


def read_scores(place: Installation, row: SubmissionRecord) -> list[tuple[str, float | None]]:
    return [(score.key, score.value) for score in place.status(row).scores]


def age_rules(place: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change the rules, so that rows are re-scored."""
    monkeypatch.setattr(type(BENCHMARK), "metric_version", "99")
    register_all(place.database, place.keys_dir)


def test_rows_keep_scores_intervals_and_ranks(place: Installation, rows: list[SubmissionRecord]) -> None:
    before = [read_scores(place, row) for row in rows]
    replace_keys(place)
    place.score_all()
    assert [read_scores(place, row) for row in rows] == before
    with place.database.read() as transaction:
        page = boards.read_page(transaction, board_of(rows[0]), PageQuery(HEADLINE, descending=True), [HEADLINE])
    standings = {row.submission.model.name: row.standings[HEADLINE] for row in page.rows}
    assert [standings[name].rank for name in ("100", "300")] == [1, 2]
    assert all(standings[name].low is not None for name in ("100", "300"))


def test_unchanged_rules_leave_nothing_to_re_score(place: Installation, rows: list[SubmissionRecord]) -> None:
    replace_keys(place)
    asked = place.reevaluate(dry_run=True, submission=rows[0].id)
    assert asked.state == "refused"
    assert "Nothing would change" in (asked.explanation or "")


def test_changed_rules_re_score_the_file_from_the_stored_seed(
    place: Installation, rows: list[SubmissionRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = [read_scores(place, row) for row in rows]
    replace_keys(place)
    age_rules(place, monkeypatch)
    for row in rows:
        assert place.reevaluate(dry_run=True, submission=row.id).state == "done"
        assert place.reevaluate(dry_run=False, submission=row.id).state == "done"
        evaluation = place.status(row).evaluation
        assert evaluation is not None
        assert "metric:99" in (evaluation.signature or "")
        assert place.status(row).submission.current_evaluation_id != row.current_evaluation_id
    assert [read_scores(place, row) for row in rows] == before


def test_without_its_seed_a_row_keeps_its_scores_and_says_why(
    place: Installation, rows: list[SubmissionRecord], edition_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, before = rows[0], read_scores(place, rows[0])
    evaluation_id = place.status(row).submission.current_evaluation_id
    replace_keys(place)
    forget_seed(place, edition_id)
    age_rules(place, monkeypatch)
    for dry_run in (True, False):
        asked = place.reevaluate(dry_run=dry_run, submission=row.id)
        assert asked.state == "done"
        assert LOST in str(asked.result)
    assert read_scores(place, row) == before
    assert place.status(row).submission.current_evaluation_id == evaluation_id


def test_rows_are_compared_and_items_shown_from_the_stored_seed(
    place: Installation, editions: Editions, rows: list[SubmissionRecord], edition_id: str
) -> None:
    replace_keys(place)
    service = Comparisons(place.database, place.service, editions.accounts)
    with place.database.write() as transaction:
        workers.record_heartbeat(transaction, "w", {}, datetime.now(UTC), datetime.now(UTC))
    pair = service.find_pair(BENCHMARK.id, rows[0].id, rows[1].id, place.ann)
    assert service.find_or_ask(pair, place.ann) is None
    assert Comparer(place.database, place.keys_dir, "w").run_next()
    result = service.find_result(pair)
    assert result is not None
    assert (result.reason, result.is_independent) == (None, False)
    assert result.differences[0].p_value is not None
    items = DisclosedItems(place.database, place.store, editions.service)
    assert len(items.read_edition(edition_id, place.ann).items) == 2016


def test_waiting_file_fails_as_our_fault_with_the_reason(
    place: Installation, editions: Editions, edition_id: str
) -> None:
    row = submit(place, editions, edition_id, 0)
    replace_keys(place)
    editions.service.close_edition(edition_id, place.ann)
    place.score_all()
    waiting = place.status(row).submission
    # Retried like every fault of ours: an operator may restore the key.
    assert (waiting.state, waiting.reason_code, waiting.fault) == ("queued", "lost-edition", "ours")
    assert LOST in (waiting.reason or "")


def test_pack_of_a_lost_edition_is_not_replaced_by_other_questions(
    place: Installation, editions: Editions, edition_id: str
) -> None:
    before = editions.service.get_status(edition_id, place.ann).edition
    editions.packs.path(before.pack or "").unlink()
    replace_keys(place)
    with pytest.raises(NotReadyError):
        editions.service.open_pack(edition_id, place.ann)
    assert editions.maker.run_next()
    assert not editions.maker.run_next()
    after = editions.service.get_status(edition_id, place.ann).edition
    assert (after.content_digest, after.pack, after.is_pack_wanted) == (before.content_digest, before.pack, False)
    assert LOST in (after.explanation or "")
    # Asking again does not help, and says so.
    with pytest.raises(StateError, match=LOST):
        editions.service.open_pack(edition_id, place.ann)
    assert not editions.maker.run_next()


def test_edition_that_was_closed_from_the_start_keeps_its_questions(place: Installation, editions: Editions) -> None:
    with place.database.write() as transaction:
        owner = users.get_or_add_user(transaction, SYSTEM_USER, datetime.now(UTC))
    submit_chance(place.service, place.keys_dir, owner)
    place.score_all()
    (row,) = (one for one in place.service.list_mine(owner) if one.benchmark == BENCHMARK.id)
    edition_id = row.edition or ""
    before = editions.service.get_status(edition_id, place.may).edition
    assert before.content_digest == editions.content(BENCHMARK, edition_id).digest
    replace_keys(place)
    with pytest.raises(NotReadyError):
        editions.service.open_pack(edition_id, place.may)
    assert editions.maker.run_next()
    after = editions.service.get_status(edition_id, place.may).edition
    assert (after.content_digest, after.pack) == (before.content_digest, None)
    assert LOST in (after.explanation or "")


def test_seed_of_another_edition_is_ignored(place: Installation, rows: list[SubmissionRecord], edition_id: str) -> None:
    assert rows
    with place.database.read() as transaction:
        seed = edition_rows.find_seed(transaction, edition_id)
        assert edition_rows.find_seeds(transaction, {edition_id, "e-00000000"}) == {edition_id: seed}
    own = find_question_key(BENCHMARK, place.key, edition_id, seed)
    assert own == BENCHMARK.make_edition_key(place.key, edition_id)
    other = find_question_key(BENCHMARK, place.key, "e-00000000", seed)
    assert other == BENCHMARK.make_edition_key(place.key, "e-00000000")
