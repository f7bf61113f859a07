"""Migrations of filled databases: rows and names are kept, readable secrets are removed."""

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import inspect

import db.session
from db.errors import DatabaseError
from db.repositories import boards, catalogue, models, submissions
from db.repositories.boards import BoardKey
from db.session import Database
from tests.support.servers.revisions import move_to

MIGRATIONS = Path(db.session.__file__).parent / "migrations"
AT = "2026-01-02 03:04:05.000000"
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
READABLE = b"these are choices and whether they were right" * 50

FILL = """
insert into users (id, name, created_at) values (1, 'ann', '{AT}'), (2, 'earshot', '{AT}');
insert into models (id, name, organisation, kind, size_billions, open_weights, url, created_at) values
  (1, 'Model A', 'Lab', 'LALM', 7.0, 1, 'https://a', '{AT}'),
  (2, 'model  a', 'Other', null, 8.0, 0, null, '{AT}'),
  (3, 'Ｍodel B', null, null, null, null, null, '{AT}');
insert into submissions (id, benchmark, version, setting, source, owner_id, model_id, state, visibility, allow_missing,
  idempotency_key, created_at, updated_at, attempts, current_evaluation_id) values
  ('s-late', 'b', '1', 's', 'submitted', 1, 1, 'scored', 'public', 0, 'k', '2026-01-03 00:00:00.0', '{AT}', 1, null),
  ('s-first', 'b', '1', 's', 'submitted', 1, 1, 'scored', 'public', 0, null, '{AT}', '{AT}', 1, 1),
  ('s-other', 'b', '1', 's', 'submitted', 1, 2, 'queued', 'private', 0, null, '{AT}', '{AT}', 0, null),
  ('s-plain', 'b', '1', 's', 'reported', 2, 3, 'scored', 'public', 0, 'chance/of ann', '{AT}', '{AT}', 0, null),
  ('s-chance', 'b', '1', 's', 'random', 2, 3, 'scored', 'public', 0, 'chance/b/1/x', '{AT}', '{AT}', 1, null);
insert into evaluations (id, submission_id, started_at, progress, ranking, parts, unreadable_reasons, notes) values
  (1, 's-first', '{AT}', 1.0, 'r', '[]', '{}', '[]');
insert into scores (evaluation_id, slice, metric, value) values (1, 'all', 'accuracy', 0.5);
insert into standings (benchmark, version, setting, slice, metric, submission_id, evaluation_id, value, rank) values
  ('b', '1', 's', 'all', 'accuracy', 's-first', 1, 0.5, 1);
insert into boards (benchmark, version, setting, revision, changes, updated_at) values ('b', '1', 's', 3, 3, '{AT}');
"""


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Database at revision 0001, with rows in it; tests copy it."""
    path = tmp_path_factory.mktemp("first") / "earshot.db"
    with closing(Database(f"sqlite:///{path}")) as opened:
        move_to(opened, "0001")
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FILL.replace("{AT}", AT))
        connection.execute("insert into outcomes values (1, 1, 1, ?)", (READABLE,))
        connection.commit()
    return path


@pytest.fixture
def path(first: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(first, tmp_path))


@pytest.fixture(scope="module")
def newest(first: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same database at the newest revision; tests copy it."""
    path = Path(shutil.copy(first, tmp_path_factory.mktemp("newest")))
    with closing(Database(f"sqlite:///{path}")) as opened:
        opened.upgrade()
    return path


@pytest.fixture
def upgraded(newest: Path, tmp_path: Path) -> Iterator[Database]:
    path = shutil.copy(newest, tmp_path)
    with closing(Database(f"sqlite:///{path}")) as opened:
        yield opened


def test_first_revision_is_unchanged_since_its_first_commit(path: Path) -> None:
    with closing(Database(f"sqlite:///{path}")) as opened:
        names = {column["name"] for column in inspect(opened.engine).get_columns("models")}
        assert opened.revision() == "0001"
    assert "name_key" not in names
    assert "organisation" in names


def test_rows_of_the_first_revision_are_kept(upgraded: Database) -> None:
    assert upgraded.revision() == upgraded.newest_revision
    with closing(sqlite3.connect(upgraded.url.database or "")) as connection:
        counts = {
            name: connection.execute(f"select count(*) from {name}").fetchone()[0]  # noqa: S608 - our own names
            for name in ("users", "submissions", "evaluations", "scores", "standings", "boards")
        }
    assert counts == {"users": 2, "submissions": 5, "evaluations": 1, "scores": 1, "standings": 1, "boards": 1}


def test_models_of_one_folded_name_are_merged_and_rows_keep_their_description(upgraded: Database) -> None:
    with upgraded.read() as transaction:
        records = {
            name: submissions.find_submission(transaction, name) for name in ("s-first", "s-late", "s-other", "s-plain")
        }
    known = {name: row.model for name, row in records.items() if row is not None}
    assert {model.id for name, model in known.items() if name != "s-plain"} == {1}
    assert (known["s-plain"].id, known["s-plain"].name) == (3, "Ｍodel B")
    descriptions = {
        name: (model.organisation, model.kind, model.size_billions, model.open_weights, model.url)
        for name, model in known.items()
    }
    empty = (None, None, None, None, None)
    assert descriptions["s-first"] == ("Lab", "LALM", 7.0, True, "https://a")
    assert descriptions["s-late"] == empty, "the description of s-first does not apply to s-late"
    assert descriptions["s-other"] == ("Other", None, 8.0, False, None)
    assert descriptions["s-plain"] == empty


def test_earlier_models_get_separate_ids_and_a_downgrade_restores_them(
    path: Path,
) -> None:
    with closing(Database(f"sqlite:///{path}")) as opened:
        move_to(opened, "0007")
        before = dump_models(path)
        opened.upgrade()
        with opened.read() as transaction:
            listed = models.list_models(transaction)
        move_to(opened, "0007", command.downgrade)
    assert [(model.id, model.name, model.joined_to, model.shown_as) for model in listed] == [
        (1, "Model A", None, 1),
        (3, "Ｍodel B", None, 3),
    ]
    assert all(re.fullmatch("m-[0-9a-f]{16}", model.public_id) for model in listed)
    assert len({model.public_id for model in listed}) == 2
    assert dump_models(path) == before


def dump_models(path: Path) -> list[object]:
    with closing(sqlite3.connect(path)) as connection:
        return [
            connection.execute(f"select * from {name} order by id").fetchall()  # noqa: S608 - our own names
            for name in ("models", "submissions")
        ]


def test_name_key_of_earlier_models_is_the_one_used_for_lookups(upgraded: Database) -> None:
    with upgraded.write() as transaction:
        ids = [catalogue.get_or_add_model(transaction, name, NOW) for name in ("MODEL A", "model b", "new")]
    assert ids == [1, 3, 4]


def test_readable_outcomes_are_erased_from_the_file(path: Path) -> None:
    assert READABLE[:45] in path.read_bytes()
    with closing(Database(f"sqlite:///{path}")) as opened:
        opened.upgrade()
    remaining = [name.name for name in path.parent.glob("earshot.db*") if READABLE[:45] in name.read_bytes()]
    assert remaining == []


def test_earlier_reference_systems_are_marked_and_their_boards_reranked(path: Path) -> None:
    with closing(Database(f"sqlite:///{path}")) as opened:
        move_to(opened, "0017")
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(
                "update submissions set source = 'verified', idempotency_key = 'reference/x/' || id;"
                "update submissions set owner_id = 2 where id in ('s-late', 's-other', 's-plain');"
                "update submissions set source = 'submitted' where id = 's-plain';"
                "update submissions set idempotency_key = 'reference' where id = 's-other';"
            )
        opened.upgrade()
        with opened.read() as transaction:
            board = boards.find_board(transaction, BoardKey("b", "1", "s"))
        with closing(sqlite3.connect(path)) as connection:
            marked = connection.execute("select id from submissions where is_reference order by id").fetchall()
        move_to(opened, "0017", command.downgrade)
    assert marked == [("s-chance",), ("s-late",)], "only rows that the product itself submitted"
    assert board is not None
    assert (board.revision, board.changes) == (3, 4)


def test_pooled_shares_of_error_types_are_dropped_and_computed_again(path: Path) -> None:
    with closing(Database(f"sqlite:///{path}")) as opened:
        move_to(opened, "0019")
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(
                "insert into scores (evaluation_id, slice, metric, value) select min(id), 'errors/x', 'share', 1.0 "
                "from evaluations;"
                "insert into error_sortings (evaluation_id, held_until, n_wrong, sorted_at) "
                "select min(id), '2026-01-01 00:00:00', 3, '2026-01-01 00:00:00' from evaluations;"
            )
            (n_scores,) = connection.execute("select count(*) from scores").fetchone()
        opened.upgrade()
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("select count(*) from scores").fetchone() == (n_scores - 1,)
            assert connection.execute("select count(*) from error_sortings").fetchone() == (0,)
        move_to(opened, "0019", command.downgrade)


def test_earlier_error_sortings_stay_done_or_postponed_and_a_downgrade_restores_them(path: Path) -> None:
    rows = "select evaluation_id, {}, n_wrong, sorted_at from error_sortings order by 1"
    before = [(1, "2026-01-01 00:00:00", 3, "2026-01-01 00:00:00"), (2, "2030-01-01 00:00:00", None, None)]
    with closing(Database(f"sqlite:///{path}")) as opened:
        move_to(opened, "0025")
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(
                "insert into evaluations (id, submission_id, started_at, progress, ranking, parts, unreadable_reasons, "
                "notes) values (2, 's-late', ?, 1.0, 'r', '[]', '{}', '[]')",
                (AT,),
            )
            connection.executemany("insert into error_sortings values (?, ?, ?, ?)", before)
            connection.commit()
        opened.upgrade()
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute(rows.format("lease_expires_at")).fetchall() == before
            assert connection.execute(
                "select distinct attempts, lease_token, worker from error_sortings"
            ).fetchall() == [(0, None, None)]
            connection.execute("update error_sortings set lease_expires_at = null where evaluation_id = 1")
            connection.commit()
        move_to(opened, "0025", command.downgrade)
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute(rows.format("held_until")).fetchall() == before


def test_chance_rows_with_public_guesses_are_withdrawn(upgraded: Database) -> None:
    with upgraded.read() as transaction:
        chance = submissions.find_submission(transaction, "s-chance")
        assert chance is not None
        assert chance.state == "withdrawn"
        assert submissions.find_by_idempotency_key(transaction, 2, "chance/b/1/x") is None
        assert submissions.find_by_idempotency_key(transaction, 2, "chance/of ann") is not None
        (event,) = submissions.list_events(transaction, "s-chance")
        assert (event.from_state, event.to_state, event.at) == ("scored", "withdrawn", NOW)


def test_earlier_submissions_count_towards_the_quota(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("update submissions set state = 'withdrawn' where id in ('s-first', 's-other')")
        connection.commit()
    with closing(Database(f"sqlite:///{path}")) as opened:
        opened.upgrade()
    with closing(sqlite3.connect(path)) as connection:
        uses = connection.execute(
            "select submission_id, user_id, benchmark, version, used_at, refunded_at from quota_uses"
        )
        uses_by_submission = {row[0]: row[1:] for row in uses}
    # Scored and then withdrawn counts, withdrawn before scoring does not; nor do rows without a submitter.
    assert uses_by_submission == {
        "s-late": (1, "b", "1", "2026-01-03 00:00:00.0", None),
        "s-first": (1, "b", "1", AT, None),
    }


def test_boards_are_rebuilt(upgraded: Database) -> None:
    with upgraded.write() as transaction:
        assert boards.touch_outdated_board(transaction, BoardKey("b", "1", "s"), "today", NOW)


def test_boards_without_intervals_are_rebuilt(tmp_path: Path) -> None:
    path = tmp_path / "earshot.db"
    with closing(Database(f"sqlite:///{path}")) as opened:
        move_to(opened, "0003")
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("insert into boards values ('b', '1', 's', 3, 3, ?, 'today')", (AT,))
            connection.commit()
        opened.upgrade()
        key = BoardKey("b", "1", "s")
        with opened.write() as transaction:
            board = boards.find_board(transaction, key)
            assert boards.touch_outdated_board(transaction, key, "today", NOW)
    assert board is not None
    assert board.detectable is None


def test_foreign_keys_are_checked_after_an_upgrade(upgraded: Database) -> None:
    with upgraded.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 1
        assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []


def test_upgrade_that_would_break_a_foreign_key_changes_nothing(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("update submissions set model_id = 99 where id = 's-late'")
        connection.commit()
    with closing(Database(f"sqlite:///{path}")) as opened:
        with pytest.raises(DatabaseError, match=r"a broken reference\. Nothing was changed"):
            opened.upgrade()
        assert opened.revision() == "0001"


def test_database_with_the_name_key_in_its_first_revision_is_upgraded(tmp_path: Path) -> None:
    path = tmp_path / "earshot.db"
    with closing(Database(f"sqlite:///{path}")) as opened:
        move_to(opened, "0001")
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(
                "drop table models; create table models (id integer not null, name varchar(120) not null, name_key "
                "varchar(400) not null, organisation varchar(120), kind varchar(40), size_billions float, open_weights "
                "boolean, url varchar(500), created_at datetime not null, constraint pk_models primary key (id), "
                "constraint uq_models_name_key unique (name_key));"
                "insert into models values (1, 'A', 'a', null, null, null, null, null, '2026-01-02 03:04:05.000000');"
            )
        opened.upgrade()
        with opened.write() as transaction:
            assert catalogue.get_or_add_model(transaction, "A", NOW) == 1
