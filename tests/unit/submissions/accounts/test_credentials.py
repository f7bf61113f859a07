"""Credentials: tokens and sessions, stored as digests only."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import submissions.accounts.credentials
from db.records import UserRecord
from db.session import Database
from submissions.accounts.credentials import (
    MAX_SESSIONS,
    RESERVED_NAMES,
    SYSTEM_USER,
    TOKEN_PREFIX,
    Accounts,
    check_user_name,
    get_session_id,
)
from submissions.errors import BadRequestError, NotFoundError


@pytest.fixture
def accounts(database: Database) -> Accounts:
    return Accounts(database, ("boss",))


def bytes_on_disk(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file())


def test_created_token_identifies_its_owner_and_is_never_stored(accounts: Accounts, tmp_path: Path) -> None:
    token = accounts.create_token("ann", "laptop")
    user = accounts.find_by_token(token)
    assert user is not None
    assert user.name == "ann"
    assert token.startswith(TOKEN_PREFIX)
    assert len(token) >= 40
    assert token.removeprefix(TOKEN_PREFIX).encode() not in bytes_on_disk(tmp_path)


def test_tokens_of_one_owner_differ_and_all_identify_the_owner(accounts: Accounts) -> None:
    tokens = {accounts.create_token("ann") for _ in range(5)}
    assert len(tokens) == 5
    assert len({accounts.find_by_token(token) for token in tokens}) == 1


@pytest.mark.parametrize("change", ["", "esh_", "x", "Bearer esh_x", "esh_x\n"])
def test_unknown_token_identifies_no_user(accounts: Accounts, change: str) -> None:
    token = accounts.create_token("ann")
    assert accounts.find_by_token(change) is None
    assert accounts.find_by_token(token + change) is None or change == ""
    assert accounts.find_by_token(token.removeprefix(TOKEN_PREFIX)) is None
    assert accounts.find_by_token(token.upper()) is None


def test_session_is_valid_until_sign_out(accounts: Accounts, tmp_path: Path) -> None:
    user, cookie = accounts.sign_in("ann")
    _, other = accounts.sign_in("ann")
    assert accounts.find_by_session(cookie) == user
    assert cookie.encode() not in bytes_on_disk(tmp_path)
    accounts.sign_out(cookie)
    accounts.sign_out(cookie)
    accounts.sign_out("never issued")
    assert accounts.find_by_session(cookie) is None
    assert accounts.find_by_session(other) == user


def test_session_expires_after_thirty_days(accounts: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    _, cookie = accounts.sign_in("ann")

    class Later(datetime):
        days = 0

        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]  # noqa: ARG003 - as declared
            return datetime.now(UTC) + timedelta(days=cls.days)

    monkeypatch.setattr(submissions.accounts.credentials, "datetime", Later)
    for Later.days, is_open in ((29, True), (31, False)):
        assert (accounts.find_by_session(cookie) is not None) is is_open


def test_sessions_are_listed_newest_first_and_revoked_by_an_id_that_cannot_sign_in(accounts: Accounts) -> None:
    user, first = accounts.sign_in("ann")
    _, second = accounts.sign_in("ann")
    other, foreign = accounts.sign_in("bob")
    sessions = accounts.list_sessions(user)
    assert [session.id for session in sessions] == [get_session_id(second), get_session_id(first)]
    assert all(session.last_used_at is not None and session.last_used_at.minute == 0 for session in sessions)
    assert accounts.find_by_session(sessions[0].id) is None
    for session_id in (get_session_id(foreign), "", "%", "_" * 16, sessions[0].id[:-1], sessions[0].id.upper() + "x"):
        with pytest.raises(NotFoundError, match="no such session"):
            accounts.revoke_session(user, session_id)
    accounts.revoke_session(user, get_session_id(first))
    assert accounts.find_by_session(first) is None
    assert accounts.find_by_session(second) == user
    assert accounts.find_by_session(foreign) == other
    with pytest.raises(NotFoundError):
        accounts.revoke_session(user, get_session_id(first))


def test_session_use_is_recorded_by_the_hour(accounts: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    _, cookie = accounts.sign_in("ann")

    class Later(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]  # noqa: ARG003 - as declared
            return datetime.now(UTC) + timedelta(hours=3)

    monkeypatch.setattr(submissions.accounts.credentials, "datetime", Later)
    user = accounts.find_by_session(cookie)
    assert user is not None
    (session,) = accounts.list_sessions(user)
    assert session.last_used_at == Later.now().replace(minute=0, second=0, microsecond=0)


def test_number_of_sessions_is_limited_and_the_oldest_end(accounts: Accounts) -> None:
    cookies = [accounts.sign_in("ann")[1] for _ in range(MAX_SESSIONS + 2)]
    user = accounts.find_by_session(cookies[-1])
    assert user is not None
    assert len(accounts.list_sessions(user)) == MAX_SESSIONS
    assert [accounts.find_by_session(cookie) for cookie in cookies[:2]] == [None, None]
    assert accounts.find_by_session(cookies[2]) == user


def test_token_is_no_session_and_session_is_no_token(accounts: Accounts) -> None:
    token = accounts.create_token("ann")
    _, cookie = accounts.sign_in("ann")
    assert accounts.find_by_session(token) is None
    assert accounts.find_by_token(cookie) is None


@pytest.mark.parametrize(
    ("user", "expected"), [(None, False), (UserRecord(1, "ann"), False), (UserRecord(2, "boss"), True)]
)
def test_only_configured_users_are_maintainers(accounts: Accounts, user: UserRecord | None, expected: bool) -> None:
    assert accounts.is_maintainer(user) is expected


@pytest.mark.parametrize("name", ["a", "Ann", "a.b-c_d", "0", "x" * 39])
def test_user_name_of_the_allowed_form_is_accepted(name: str) -> None:
    assert check_user_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["", " ", "a b", ".a", "-a", "_a", "x" * 40, "é", "a/b", "a\n", "<b>", "a@b", "名", "a\u202e", "../a"],
)
def test_user_name_of_another_form_is_refused_everywhere(accounts: Accounts, name: str) -> None:
    for use_name in (check_user_name, accounts.create_token, accounts.sign_in):
        with pytest.raises(BadRequestError, match="Use 1 to 39 letters") as caught:
            use_name(name)
        assert caught.value.field == "name"


@pytest.mark.parametrize("name", [*sorted(RESERVED_NAMES), "Earshot", "SYSTEM", "Evaluator"])
def test_reserved_user_name_is_refused_everywhere(accounts: Accounts, name: str) -> None:
    for use_name in (check_user_name, accounts.create_token, accounts.sign_in):
        with pytest.raises(BadRequestError, match=f"^The name `{name}` is reserved") as caught:
            use_name(name)
        assert caught.value.field == "name"


@pytest.mark.parametrize("name", ["ann", "ANN", "aNn"])
def test_user_name_is_the_same_in_upper_and_lower_case(accounts: Accounts, name: str) -> None:
    user, _ = accounts.sign_in("Ann")
    assert accounts.sign_in(name)[0] == user
    assert user.name == "Ann"
    assert accounts.find_by_token(accounts.create_token(name, "laptop")) == user


@pytest.mark.parametrize(
    ("name", "similar"),
    [
        ("Alice", "AIice"),
        ("alice", "a1ice"),
        ("bo", "b0"),
        ("modern", "modem"),
        ("ann-lee", "ann_lee"),
        ("ann.lee", "Ann-Lee"),
        ("wim", "vvim"),
    ],
)
def test_name_that_looks_like_another_users_is_refused(accounts: Accounts, name: str, similar: str) -> None:
    user, _ = accounts.sign_in(name)
    for use_name in (accounts.create_token, accounts.sign_in):
        with pytest.raises(BadRequestError, match=f"looks like the name of the user `{name}`"):
            use_name(similar)
    assert accounts.sign_in(name)[0] == user


@pytest.mark.parametrize("name", ["ann", "amn", "an-n", "ann2"])
def test_different_names_are_different_users(accounts: Accounts, name: str) -> None:
    assert len({accounts.sign_in(one)[0].id for one in ("anna", name)}) == 2


@pytest.mark.parametrize("name", ["earsh0t", "eva1uator", "rnaintainer"])
def test_name_that_looks_reserved_is_refused(accounts: Accounts, name: str) -> None:
    with pytest.raises(BadRequestError, match="is reserved"):
        accounts.sign_in(name)


def test_names_of_system_actors_are_reserved() -> None:
    assert {SYSTEM_USER, "evaluator", "scheduler", "maintainer", "system"} == RESERVED_NAMES
