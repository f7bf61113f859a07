"""Identity of the key of a database: another key is refused until an operator accepts it."""

import shutil
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import update

from db.models import BenchmarkVersion
from evaluation.answer_keys import AnswerKey, find_key, new_seed
from leaderboard.api.routes.health_routes import check_readiness
from settings import EvaluatorSettings
from submissions.errors import NotFoundError
from submissions.jobs.registration import register_all
from submissions.keys.__main__ import main as keys_main
from submissions.keys.identity import ForeignKeyError, accept_any_key, fingerprint_key
from submissions.worker import Worker
from tests.support.servers.commands import run_in_process, use_data_dir
from tests.support.servers.installation import BENCHMARK, Installation

KEY = AnswerKey("audio-motion-bench", "1.0", "test", "a" * 64, {"amb-1": 1})


def count_items(place: Installation) -> int:
    return len(list_items(place))


def list_items(place: Installation) -> list[str]:
    return [name for name, benchmark in place.query("select id, benchmark from items") if benchmark == BENCHMARK.id]


def test_fingerprint_depends_on_seed_and_version_and_not_on_answers() -> None:
    fingerprint = fingerprint_key(KEY)
    assert fingerprint_key(replace(KEY, answers={"amb-1": 0})) == fingerprint
    assert fingerprint_key(replace(KEY, seed="b" * 64)) != fingerprint
    assert fingerprint_key(replace(KEY, version="2.0")) != fingerprint
    assert KEY.seed not in fingerprint


@pytest.mark.parametrize("has_fingerprint", [True, False])
def test_empty_key_folder_is_refused_and_no_key_is_created(place: Installation, has_fingerprint: bool) -> None:
    if not has_fingerprint:  # registered by an earlier release
        with place.database.write() as transaction:
            transaction.execute(update(BenchmarkVersion).values(key_fingerprint=None))
    n_items = count_items(place)
    shutil.rmtree(place.keys_dir)
    with pytest.raises(ForeignKeyError, match=r"audio-motion-bench 1\.0: key missing") as caught:
        register_all(place.database, place.keys_dir)
    assert "keys replace --benchmark B --yes" in str(caught.value)
    assert not place.keys_dir.exists()
    assert count_items(place) == n_items > 0


def test_another_key_is_refused_until_it_is_accepted(place: Installation) -> None:
    path = place.keys_dir / BENCHMARK.id / BENCHMARK.version / "test.json"
    path.write_bytes(BENCHMARK.make_key("test", new_seed()).to_json())
    with pytest.raises(ForeignKeyError, match="different key"):
        register_all(place.database, place.keys_dir)
    before = list_items(place)
    assert accept_any_key(place.database, BENCHMARK.id, "operator", datetime.now(UTC)) == [BENCHMARK.version]
    register_all(place.database, place.keys_dir)
    assert list_items(place) != before
    path.write_bytes(BENCHMARK.make_key("test", new_seed()).to_json())
    with pytest.raises(ForeignKeyError, match="different key"):
        register_all(place.database, place.keys_dir)  # only one key was accepted
    with pytest.raises(NotFoundError):
        accept_any_key(place.database, "no-such-benchmark", "operator", datetime.now(UTC))


def test_database_of_an_earlier_release_accepts_only_the_key_of_its_questions(place: Installation) -> None:
    forget = update(BenchmarkVersion).values(key_fingerprint=None)
    with place.database.write() as transaction:
        transaction.execute(forget)
    register_all(place.database, place.keys_dir)
    key = find_key(place.keys_dir, BENCHMARK.id, BENCHMARK.version, "test")
    assert key is not None
    assert (BENCHMARK.id, fingerprint_key(key)) in place.query("select id, key_fingerprint from benchmarks")
    with place.database.write() as transaction:
        transaction.execute(forget)
    path = place.keys_dir / BENCHMARK.id / BENCHMARK.version / "test.json"
    path.write_bytes(BENCHMARK.make_key("test", new_seed()).to_json())
    with pytest.raises(ForeignKeyError, match="belongs to other questions"):
        register_all(place.database, place.keys_dir)


def test_corrected_answers_are_registered_without_confirmation(place: Installation) -> None:
    assert place.correct()


def test_evaluator_with_an_empty_key_folder_scores_nothing_and_readiness_states_why(place: Installation) -> None:
    keys = place.keys_dir.rename(place.folder / "kept-keys")
    worker = Worker(EvaluatorSettings(data_dir=place.folder), make_packs=False)
    with closing(worker._database):
        assert not worker._register()
        readiness = check_readiness(place.database)
        assert not readiness.is_ready
        assert "key missing" in (readiness.problem or "")
        keys.rename(place.keys_dir)
        assert worker._register()
        worker._record_heartbeat()
        assert check_readiness(place.database)._replace(evaluator_seen_seconds=0) == (
            check_readiness(place.database)._replace(evaluator_seen_seconds=0, is_ready=True, problem=None)
        )


def test_keys_replace_requires_confirmation_and_is_audited(
    place: Installation, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use_data_dir(place.folder, monkeypatch)
    command = ("replace", "--benchmark", BENCHMARK.id)
    refused = run_in_process(capsys, keys_main, command)
    assert refused.code == 2
    assert "Pass --yes to confirm" in refused.err
    confirmed = run_in_process(capsys, keys_main, (*command, "--yes"))
    assert (confirmed.code, confirmed.out) == (
        0,
        f"{BENCHMARK.id} 1.0: the next answer key that an evaluator loads will be accepted.\n",
    )
    assert ("replace-keys", BENCHMARK.id) in place.query("select action, subject from audit_log")
