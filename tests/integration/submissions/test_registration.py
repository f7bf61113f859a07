"""Startup of an evaluator: keys, benchmarks, published rows and the chance system are registered once."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import update

from db.models import Submission
from db.paper_records import PrintedRow
from db.records import BenchmarkRecord, NewModel, NewSubmission, SubmissionRecord, UserRecord
from db.repositories import boards, catalogue, evaluations, submissions, users
from db.repositories.boards import BoardKey, PageQuery
from db.session import Database
from evaluation.answer_keys import AnswerKey, find_key, key_path, save_key
from evaluation.benchmarks import all_benchmarks, get_benchmark
from evaluation.errors import AnswerKeyError
from evaluation.packs import example_predictions, pack_name
from evaluation.published import read_all_published
from submissions.accounts.credentials import OPERATOR, SYSTEM_USER, Accounts
from submissions.intake.artifacts import ArtifactStore
from submissions.intake.submission_limits import NO_LIMITS
from submissions.jobs.registration import PUBLISHED_DIR, ensure_key, load_published, register_all, submit_chance
from submissions.keys.identity import accept_any_key
from submissions.ranking.question_keys import find_question_key
from submissions.service import SubmissionService
from tests.support.servers.installation import Installation
from tests.support.servers.shared_splits import make_shared_catalogues

NOW = datetime(2026, 1, 2, tzinfo=UTC)
BENCHMARK = get_benchmark("audio-motion-bench")
KEY = BoardKey(BENCHMARK.id, BENCHMARK.version, "default")
PUBLISHED = """{
 "benchmark": "audio-motion-bench", "version": "1.0",
 "citation": {"key": "k", "title": "A paper", "authors": ["A"], "date": "2026-06-07",
  "url": "https://paper.example"},
 "rows": [
  {"row": "One-7B", "model": {"name": "One"}, "source": "reported", "setting": "default", "notes": ["odd"], "scores": [
   {"table": "Table 1", "slice": "sct", "metric": "accuracy", "value": 0.5, "std": 0.1, "note": "a note"},
   {"table": "Table 1", "slice": "sdt", "metric": "accuracy", "value": 0.25}]},
  {"row": "Human", "model": {"name": "Human"}, "source": "human", "setting": "default", "scores": [
   {"table": "Table 2", "slice": "sct", "metric": "accuracy", "value": null}]}
 ],
 "derived": [{"slice": "overall", "metric": "accuracy", "formula": "mean of sct, sdt"}]
}"""


@pytest.fixture
def published(tmp_path: Path) -> Path:
    folder = tmp_path / "published"
    folder.mkdir()
    (folder / "bench.json").write_text(PUBLISHED)
    return folder


def list_of_system(database: Database) -> list[SubmissionRecord]:
    with database.read() as transaction:
        owner = users.get_or_add_user(transaction, SYSTEM_USER, NOW)
        return submissions.list_by_owner(transaction, owner.id)


def get_key(folder: Path) -> AnswerKey:
    key = ensure_key(folder, BENCHMARK)
    assert key is not None
    return key


def test_key_is_made_once_and_kept(tmp_path: Path) -> None:
    one = get_key(tmp_path)
    assert get_key(tmp_path) == one == find_key(tmp_path, BENCHMARK.id, BENCHMARK.version, "test")
    assert len(bytes.fromhex(one.seed)) == 32


def test_key_that_does_not_fit_is_refused_and_not_replaced(tmp_path: Path) -> None:
    key = replace(BENCHMARK.make_key("test"), answers={"amb-x": 1})
    save_key(tmp_path, key)
    with pytest.raises(AnswerKeyError, match="ids differ"):
        get_key(tmp_path)
    assert find_key(tmp_path, BENCHMARK.id, BENCHMARK.version, "test") == key


def test_register_all_is_idempotent(database: Database, tmp_path: Path) -> None:
    digests = register_all(database, tmp_path / "keys")
    key = get_key(tmp_path / "keys")
    assert digests[f"{BENCHMARK.id}:{BENCHMARK.version}"] == key.digest[:8]
    assert set(digests) == {f"{one.id}:{one.version}" for one in all_benchmarks() if one.made_parts}
    content = BENCHMARK.content(key)

    def look() -> tuple[object, object]:
        with database.read() as transaction:
            return (
                next(one for one in catalogue.list_registered(transaction) if one.id == BENCHMARK.id),
                catalogue.list_items(transaction, BENCHMARK.id, BENCHMARK.version),
            )

    record, items = first = look()
    assert register_all(database, tmp_path / "keys") == digests
    assert look() == first
    assert isinstance(items, list)
    assert [item.id for item in items] == [item.id for item in content.items]
    assert record == BenchmarkRecord(BENCHMARK.id, BENCHMARK.version, content.digest, pack_name(content), 2016, 672)


@pytest.fixture
def registered(place: Installation) -> Installation:
    """Installation after `register_all`, which takes a while."""
    return place


def test_register_all_after_a_new_key_replaces_the_ids(registered: Installation) -> None:
    before = registered.key
    key_path(registered.keys_dir, BENCHMARK.id, BENCHMARK.version, "test").unlink()
    accept_any_key(registered.database, BENCHMARK.id, OPERATOR, datetime.now(UTC))
    register_all(registered.database, registered.keys_dir)
    key = registered.key
    assert not set(key.answers) & set(before.answers)
    with registered.database.read() as transaction:
        items = catalogue.list_items(transaction, BENCHMARK.id, BENCHMARK.version)
    assert {item.id for item in items} == set(key.answers)


def test_key_of_an_earlier_demonstration_is_renewed_and_kept_aside(tmp_path: Path) -> None:
    demo = get_benchmark("star-bench", "demo")
    today = demo.make_key("test")
    earlier = save_key(
        tmp_path, replace(today, questions=today.questions[1:], answers=dict(list(today.answers.items())[1:]))
    )
    renewed = ensure_key(tmp_path, demo)
    assert renewed is not None
    assert (renewed.seed, renewed.answers) == (today.seed, today.answers)
    assert ensure_key(tmp_path, demo) == renewed
    assert [path.name for path in (tmp_path / "star-bench/demo").glob("test.*.json")] == [
        f"test.{earlier.digest[:8]}.json"
    ]


def test_registered_ids_reveal_no_answer(registered: Installation, tmp_path: Path) -> None:
    key = registered.key
    registered.database.close()
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("earshot.db*"))
    assert key.seed.encode() not in stored
    assert key.digest.encode() not in stored


def test_published_rows_are_loaded_once(database: Database, published: Path) -> None:
    assert load_published(database, published) == 2
    assert load_published(database, published) == 0
    rows = {row.model.name: row for row in list_of_system(database)}
    assert set(rows) == {"One", "Human"}
    assert {(row.state, row.visibility, row.artifact_sha256) for row in rows.values()} == {("scored", "public", None)}
    assert (rows["One"].source, rows["Human"].source) == ("reported", "human")
    with database.read() as transaction:
        board = boards.find_board(transaction, KEY)
        assert board is not None
        assert board.changes == 2
        (event,) = submissions.list_events(transaction, rows["One"].id)
    assert event.text == "Scores taken from: A paper."


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"value": 0.25', '"value": 0.75'),
        ('"std": 0.1', '"std": 0.2'),
        ('"note": "a note"', '"note": "another note"'),
        ('"odd"', '"even"'),
        ('{"name": "One"}', '{"name": "One", "organisation": "Lab"}'),
        ('"slice": "sdt"', '"slice": "tat"'),
    ],
)
def test_changed_published_row_is_reloaded(database: Database, published: Path, old: str, new: str) -> None:
    load_published(database, published)
    before = {row.model.name: row for row in list_of_system(database)}
    (published / "bench.json").write_text(PUBLISHED.replace(old, new))
    assert load_published(database, published) == 1
    assert load_published(database, published) == 0
    after = {row.model.name: row for row in list_of_system(database)}
    assert {name: row.id for name, row in after.items()} == {name: row.id for name, row in before.items()}
    assert after["Human"] == before["Human"]
    assert after["One"].current_evaluation_id != before["One"].current_evaluation_id
    with database.read() as transaction:
        events = [event.text for event in submissions.list_events(transaction, after["One"].id)]
        board = boards.find_board(transaction, KEY)
        _, row = boards.read_page(transaction, KEY, PageQuery("model", descending=False), []).rows
        scores = evaluations.list_scores(transaction, row.evaluation.id)
    assert events == ["Scores taken from: A paper.", "Scores taken again from: A paper."]
    assert board is not None
    assert board.changes == 3
    word = new.split(": ")[-1].strip('"}')
    assert word in f"{scores} {row.evaluation.notes} {row.submission.model}"


def test_published_rows_have_the_date_of_their_paper(database: Database, published: Path) -> None:
    load_published(database, published)
    (board_date,) = {(row.printed_on, row.created_at) for row in list_of_system(database)}
    assert board_date == ("2026-06-07", datetime(2026, 6, 7, tzinfo=UTC))


def test_published_rows_name_paper_tables_and_row(database: Database, published: Path) -> None:
    load_published(database, published)
    paper = PrintedRow("A paper", ("A",), 2026, "https://paper.example", ("Table 1",), "One-7B")
    human = replace(paper, tables=("Table 2",), row="Human")
    assert {row.model.name: row.printed_in for row in list_of_system(database)} == {"One": paper, "Human": human}


def test_published_rows_name_the_release_of_their_questions(database: Database, published: Path) -> None:
    load_published(database, published)
    text = PUBLISHED.replace('"version": "1.0",', '"version": "1.0", "data_version": "0.5",')
    text = text.replace('"formula": "mean', '"table": "Table 1", "formula": "mean')
    (published / "bench.json").write_text(text)
    assert [load_published(database, published), load_published(database, published)] == [2, 0]
    rows = list_of_system(database)
    assert [row.printed_in.data_version for row in rows if row.printed_in] == ["0.5", "0.5"]
    (one,) = (row for row in rows if row.model.name == "One")
    with database.read() as transaction:
        scores = evaluations.list_scores(transaction, one.current_evaluation_id or 0)
    notes = {score.slice: score.note for score in scores}
    assert notes["overall"] == "Table 1; computed here as the mean of sct, sdt."


def test_published_rows_of_an_earlier_release_are_updated_with_their_sources(
    database: Database, published: Path
) -> None:
    load_published(database, published)
    with database.write() as transaction:
        transaction.execute(update(Submission).values(printed_in=None))
    assert [load_published(database, published), load_published(database, published)] == [2, 0]
    assert all(row.printed_in for row in list_of_system(database))


@pytest.mark.parametrize(
    ("date", "printed_on", "begin"),
    [
        ('"2025"', "2025", datetime(2025, 1, 1, tzinfo=UTC)),
        ('"2025-11"', "2025-11", datetime(2025, 11, 1, tzinfo=UTC)),
        ("null", "", datetime(1970, 1, 1, tzinfo=UTC)),
    ],
)
def test_published_rows_with_a_changed_paper_date_are_updated_once(
    database: Database, published: Path, date: str, printed_on: str, begin: datetime
) -> None:
    load_published(database, published)
    (published / "bench.json").write_text(PUBLISHED.replace('"2026-06-07"', date))
    assert [load_published(database, published), load_published(database, published)] == [2, 0]
    assert {(row.printed_on, row.created_at) for row in list_of_system(database)} == {(printed_on, begin)}


def test_published_rows_of_an_earlier_release_lose_their_import_time(database: Database, published: Path) -> None:
    load_published(database, published)
    ids = {row.id for row in list_of_system(database)}
    with database.write() as transaction:
        transaction.execute(update(Submission).values(printed_on=None, created_at=datetime.now(UTC)))
    assert [load_published(database, published), load_published(database, published)] == [2, 0]
    rows = list_of_system(database)
    assert {row.id for row in rows} == ids
    assert {(row.printed_on, row.created_at) for row in rows} == {("2026-06-07", datetime(2026, 6, 7, tzinfo=UTC))}


def test_chance_system_has_its_creation_time(registered: Installation, tmp_path: Path) -> None:
    before = datetime.now(UTC)
    database = registered.database
    submit_chance(make_service(database, tmp_path), registered.keys_dir, get_system_user(database))
    rows = list_of_system(database)
    assert rows
    assert all(row.printed_on is None and row.created_at >= before for row in rows)


def test_published_row_with_an_earlier_name_is_renamed_without_a_duplicate(database: Database, published: Path) -> None:
    load_published(database, published)
    before = {row.model.name: row for row in list_of_system(database)}
    text = PUBLISHED.replace('{"name": "One"}', '{"name": "One-7B", "formerly": ["Uno", "One"]}')
    (published / "bench.json").write_text(text)
    load_published(database, published)
    assert load_published(database, published) == 0
    after = {row.model.name: row for row in list_of_system(database)}
    assert {name: row.id for name, row in after.items()} == {"One-7B": before["One"].id, "Human": before["Human"].id}
    with database.read() as transaction:
        _, row = boards.read_page(transaction, KEY, PageQuery("model", descending=False), []).rows
    assert (row.model.name, row.submission.model.name) == ("One-7B", "One-7B")


def test_withdrawn_published_row_is_not_reloaded(database: Database, published: Path) -> None:
    load_published(database, published)
    (row,) = (row for row in list_of_system(database) if row.model.name == "One")
    with database.write() as transaction:
        assert submissions.change_state(transaction, row.id, ["scored"], NOW, state="withdrawn")
    (published / "bench.json").write_text(PUBLISHED.replace("0.25", "0.75"))
    assert load_published(database, published) == 0


def test_published_row_describes_its_own_model(database: Database, published: Path) -> None:
    described = PUBLISHED.replace('{"name": "One"}', '{"name": "One", "organisation": "Lab", "size_billions": 7}')
    (published / "bench.json").write_text(described)
    with database.write() as transaction:
        ann = users.get_or_add_user(transaction, "ann", NOW).id
        model = NewModel("one", "Nonsense", url="https://private")
        new = NewSubmission(
            "s-1", KEY.benchmark, KEY.version, KEY.setting, "submitted", ann, model, "private", True, None, None, None
        )
        submissions.add_submission(transaction, new, "queued", NOW)
    load_published(database, published)
    (row,) = (row for row in list_of_system(database) if row.source == "reported")
    assert (row.model.organisation, row.model.size_billions, row.model.url) == ("Lab", 7.0, None)
    assert load_published(database, published) == 0


def test_published_scores_name_their_source_or_derivation(database: Database, published: Path) -> None:
    load_published(database, published)
    with database.read() as transaction:
        query = PageQuery("model", descending=False)
        human, one = boards.read_page(transaction, KEY, query, []).rows
        scores = {score.slice: score for score in evaluations.list_scores(transaction, one.evaluation.id)}
        (of_human,) = (s for s in evaluations.list_scores(transaction, human.evaluation.id) if s.slice == "sct")
    assert (scores["sct"].value, scores["sct"].std, scores["sct"].n) == (0.5, 0.1, None)
    assert scores["sct"].note == "Table 1. a note"
    assert scores["sdt"].note == "Table 1."
    assert (scores["overall"].value, scores["overall"].note) == (0.375, "Not in the paper; mean of sct, sdt.")
    assert of_human.value is None
    assert (one.evaluation.notes, one.evaluation.signature, one.evaluation.expected) == (("odd",), None, None)


def test_published_rows_of_every_served_benchmark_are_loaded(database: Database) -> None:
    served = {(benchmark.id, benchmark.version) for benchmark in all_benchmarks()}
    published = read_all_published(PUBLISHED_DIR)
    expected = sum(len(results.rows) for results in published if (results.benchmark, results.version) in served)
    assert expected > 0
    assert load_published(database) == expected
    assert load_published(database) == 0


def make_service(database: Database, folder: Path) -> SubmissionService:
    store = ArtifactStore(str(folder / "artifacts"), folder / "incoming")
    return SubmissionService(
        database,
        store,
        make_shared_catalogues(database),
        Accounts(database, ()),
        100_000_000,
        NO_LIMITS,
    )


def get_system_user(database: Database) -> UserRecord:
    with database.write() as transaction:
        return users.get_or_add_user(transaction, SYSTEM_USER, NOW)


def test_chance_system_is_submitted_once_per_content(registered: Installation, tmp_path: Path) -> None:
    database, keys = registered.database, registered.keys_dir
    service, owner = make_service(database, tmp_path), get_system_user(database)
    for _ in range(2):
        submit_chance(service, keys, owner)
    rows = list_of_system(database)
    assert sorted((row.benchmark, row.version) for row in rows) == sorted(
        (one.id, one.version) for one in all_benchmarks() if one.made_parts
    )
    (row,) = (row for row in rows if row.benchmark == BENCHMARK.id)
    content = BENCHMARK.content(find_question_key(BENCHMARK, get_key(keys), row.edition))
    examples = [line["response"] for line in example_predictions(content)]
    with ArtifactStore(str(tmp_path / "artifacts"), tmp_path / "incoming").open(row.artifact_sha256 or "") as file:
        guesses = [json.loads(line)["response"] for line in file]
    agreeing = sum(guess == example for guess, example in zip(guesses, examples, strict=True))
    # 2/3 of the guesses have two options, 1/3 have four: 5 in 12 agree by chance.
    assert 0.35 < agreeing / len(examples) < 0.48
    assert (row.state, row.visibility, row.source, row.model.kind) == ("queued", "public", "random", "random")
    key_path(keys, BENCHMARK.id, BENCHMARK.version, "test").unlink()
    accept_any_key(database, BENCHMARK.id, OPERATOR, datetime.now(UTC))
    register_all(database, keys)
    submit_chance(service, keys, owner)
    assert len(list_of_system(database)) == len(rows) + 1
