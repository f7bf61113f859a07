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


def test_token_made_is_its_owners_and_is_stored_nowhere(accounts: Accounts, tmp_path: Path) -> None:
    token = accounts.create_token("ann", "laptop")
    user = accounts.find_by_token(token)
    assert user is not None
    assert user.name == "ann"
    assert token.startswith(TOKEN_PREFIX)
    assert len(token) >= 40
    assert token.removeprefix(TOKEN_PREFIX).encode() not in bytes_on_disk(tmp_path)


def test_tokens_of_one_owner_differ_and_are_all_his(accounts: Accounts) -> None:
    tokens = {accounts.create_token("ann") for _ in range(5)}
    assert len(tokens) == 5
    assert len({accounts.find_by_token(token) for token in tokens}) == 1


@pytest.mark.parametrize("change", ["", "esh_", "x", "Bearer esh_x", "esh_x\n"])
def test_token_that_was_never_made_is_nobodys(accounts: Accounts, change: str) -> None:
    token = accounts.create_token("ann")
    assert accounts.find_by_token(change) is None
    assert accounts.find_by_token(token + change) is None or change == ""
    assert accounts.find_by_token(token.removeprefix(TOKEN_PREFIX)) is None
    assert accounts.find_by_token(token.upper()) is None


def test_session_is_its_owners_until_he_signs_out(accounts: Accounts, tmp_path: Path) -> None:
    user, cookie = accounts.sign_in("ann")
    _, other = accounts.sign_in("ann")
    assert accounts.find_by_session(cookie) == user
    assert cookie.encode() not in bytes_on_disk(tmp_path)
    accounts.sign_out(cookie)
    accounts.sign_out(cookie)
    accounts.sign_out("never made")
    assert accounts.find_by_session(cookie) is None
    assert accounts.find_by_session(other) == user


def test_session_ends_after_thirty_days(accounts: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    _, cookie = accounts.sign_in("ann")

    class Later(datetime):
        days = 0

        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]  # noqa: ARG003 - as declared
            return datetime.now(UTC) + timedelta(days=cls.days)

    monkeypatch.setattr(submissions.accounts.credentials, "datetime", Later)
    for Later.days, is_open in ((29, True), (31, False)):
        assert (accounts.find_by_session(cookie) is not None) is is_open


def test_sessions_are_listed_newest_first_and_revoked_by_an_id_that_signs_nobody_in(accounts: Accounts) -> None:
    user, first = accounts.sign_in("ann")
    _, second = accounts.sign_in("ann")
    other, foreign = accounts.sign_in("bob")
    listed = accounts.list_sessions(user)
    assert [one.id for one in listed] == [get_session_id(second), get_session_id(first)]
    assert all(one.last_used_at is not None and one.last_used_at.minute == 0 for one in listed)
    assert accounts.find_by_session(listed[0].id) is None
    for session_id in (get_session_id(foreign), "", "%", "_" * 16, listed[0].id[:-1], listed[0].id.upper() + "x"):
        with pytest.raises(NotFoundError, match="no such session"):
            accounts.revoke_session(user, session_id)
    accounts.revoke_session(user, get_session_id(first))
    assert accounts.find_by_session(first) is None
    assert accounts.find_by_session(second) == user
    assert accounts.find_by_session(foreign) == other
    with pytest.raises(NotFoundError):
        accounts.revoke_session(user, get_session_id(first))


def test_session_is_used_to_the_hour(accounts: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    _, cookie = accounts.sign_in("ann")

    class Later(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]  # noqa: ARG003 - as declared
            return datetime.now(UTC) + timedelta(hours=3)

    monkeypatch.setattr(submissions.accounts.credentials, "datetime", Later)
    user = accounts.find_by_session(cookie)
    assert user is not None
    (listed,) = accounts.list_sessions(user)
    assert listed.last_used_at == Later.now().replace(minute=0, second=0, microsecond=0)


def test_sessions_are_at_most_so_many_and_the_oldest_end(accounts: Accounts) -> None:
    cookies = [accounts.sign_in("ann")[1] for _ in range(MAX_SESSIONS + 2)]
    user = accounts.find_by_session(cookies[-1])
    assert user is not None
    assert len(accounts.list_sessions(user)) == MAX_SESSIONS
    assert [accounts.find_by_session(cookie) for cookie in cookies[:2]] == [None, None]
    assert accounts.find_by_session(cookies[2]) == user


def test_token_is_no_session_and_a_session_is_no_token(accounts: Accounts) -> None:
    token = accounts.create_token("ann")
    _, cookie = accounts.sign_in("ann")
    assert accounts.find_by_session(token) is None
    assert accounts.find_by_token(cookie) is None


@pytest.mark.parametrize(
    ("user", "expected"), [(None, False), (UserRecord(1, "ann"), False), (UserRecord(2, "boss"), True)]
)
def test_maintainers_are_those_who_are_named(accounts: Accounts, user: UserRecord | None, expected: bool) -> None:
    assert accounts.is_maintainer(user) is expected


@pytest.mark.parametrize("name", ["a", "Ann", "a.b-c_d", "0", "x" * 39])
def test_user_name_of_the_allowed_form_is_taken(name: str) -> None:
    assert check_user_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["", " ", "a b", ".a", "-a", "_a", "x" * 40, "é", "a/b", "a\n", "<b>", "a@b", "名", "a\u202e", "../a"],
)
def test_user_name_of_another_form_is_refused_everywhere(accounts: Accounts, name: str) -> None:
    for make in (check_user_name, accounts.create_token, accounts.sign_in):
        with pytest.raises(BadRequestError, match="Use 1 to 39 letters") as caught:
            make(name)
        assert caught.value.field == "name"


@pytest.mark.parametrize("name", [*sorted(RESERVED_NAMES), "Earshot", "SYSTEM", "Evaluator"])
def test_user_name_of_the_installation_itself_is_refused_everywhere(accounts: Accounts, name: str) -> None:
    for make in (check_user_name, accounts.create_token, accounts.sign_in):
        with pytest.raises(BadRequestError, match=f"^The name `{name}` is reserved") as caught:
            make(name)
        assert caught.value.field == "name"


def test_names_of_those_who_act_beside_people_are_reserved() -> None:
    assert {SYSTEM_USER, "evaluator", "scheduler", "maintainer", "system"} == RESERVED_NAMES
