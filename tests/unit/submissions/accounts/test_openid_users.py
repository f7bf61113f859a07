"""Users of an OpenID provider, identified by issuer and subject regardless of their name."""

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import submissions.accounts.credentials
from db.repositories import audit
from db.session import Database
from submissions.accounts.credentials import Accounts, check_user_name
from submissions.accounts.maintainers import ROLE_LIFETIME, ProviderRules
from submissions.accounts.openid_users import Identities, IdentityClaims, make_handle
from submissions.errors import BadRequestError, NotFoundError, StateError
from tests.support.servers.postgres import KINDS, Databases

ISSUER = "https://accounts.example"
RULES = ProviderRules(ISSUER, frozenset({"sub-listed"}), "lab")


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[Database]:
    with databases.lend(request.param, tmp_path) as url, closing(Database(url)) as opened:
        yield opened


@pytest.fixture
def accounts(database: Database) -> Accounts:
    return Accounts(database, (), RULES)


@pytest.fixture
def identities(accounts: Accounts) -> Identities:
    return Identities(accounts, RULES)


def profile(subject: str, name: str | None = "ann", organisation: str | None = None) -> IdentityClaims:
    return IdentityClaims(ISSUER, subject, name, organisation)


def set_time(monkeypatch: pytest.MonkeyPatch, offset: timedelta) -> None:
    class Later(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]  # noqa: ARG003 - as declared
            return datetime.now(UTC) + offset

    monkeypatch.setattr(submissions.accounts.credentials, "datetime", Later)


def test_same_subject_is_the_same_user_and_another_subject_is_not(identities: Identities, accounts: Accounts) -> None:
    first = identities.sign_in(profile("sub-1"))
    second = identities.sign_in(profile("sub-1"))
    other = identities.sign_in(profile("sub-2"))
    assert (first.user, first.user.name) == (second.user, "ann")
    assert (other.user.name, other.user.id != first.user.id) == ("ann-2", True)
    for session in (first, second, other):
        assert accounts.find_by_session(session.cookie) == session.user


def test_renamed_user_keeps_id_and_tokens_and_nobody_inherits_the_name(
    identities: Identities, accounts: Accounts
) -> None:
    before = identities.sign_in(profile("sub-1", "ann"))
    token = accounts.add_token(before.user, "laptop").secret
    after = identities.sign_in(profile("sub-1", "Annabel"))
    assert (after.user.id, after.user.name) == (before.user.id, "Annabel")
    owner = accounts.find_by_token(token)
    assert owner is not None
    assert owner.name == "Annabel"
    newcomer = identities.sign_in(profile("sub-2", "ann"))
    assert (newcomer.user.name, newcomer.user.id == before.user.id) == ("ann-2", False)
    assert accounts.list_tokens(newcomer.user) == []
    assert identities.sign_in(profile("sub-3", "ANNABEL")).user.name == "ANNABEL-2"
    back = identities.sign_in(profile("sub-1", "ann"))
    assert (back.user.id, back.user.name) == (before.user.id, "ann")


def test_numbered_name_stays_while_the_name_at_the_provider_is_unchanged(identities: Identities) -> None:
    identities.sign_in(profile("sub-1", "ann"))
    assert [identities.sign_in(profile("sub-2", "ann")).user.name for _ in range(2)] == ["ann-2", "ann-2"]
    assert identities.sign_in(profile("sub-1", "ben")).user.name == "ben"
    assert identities.sign_in(profile("sub-2", "ann")).user.name == "ann-2"


def test_existing_user_is_never_linked_by_name(identities: Identities, accounts: Accounts) -> None:
    token = accounts.create_token("ann")
    newcomer = identities.sign_in(profile("sub-1", "ann"))
    assert newcomer.user.name == "ann-2"
    assert accounts.find_by_token(token) != newcomer.user


def test_former_name_is_not_given_to_a_new_token(identities: Identities, accounts: Accounts) -> None:
    identities.sign_in(profile("sub-1", "ann"))
    identities.sign_in(profile("sub-1", "ben"))
    with pytest.raises(BadRequestError, match="`Ann` is now called `ben`"):
        accounts.create_token("Ann")


def test_names_beyond_the_numbered_ones_are_unique_and_valid(identities: Identities) -> None:
    names = {identities.sign_in(profile(f"sub-{at}", "x" * 60)).user.name for at in range(23)}
    assert len(names) == 23
    assert all(check_user_name(name) for name in names)


def test_reserved_name_gets_a_number(identities: Identities) -> None:
    assert identities.sign_in(profile("sub-1", "Earshot")).user.name == "Earshot-2"
    assert identities.sign_in(profile("sub-2", "maintainer")).user.name == "maintainer-2"


def test_local_session_is_invalid_if_users_sign_in_with_a_provider(database: Database, accounts: Accounts) -> None:
    _, cookie = accounts.sign_in("local")
    assert accounts.find_by_session(cookie) is None
    assert Accounts(database, ()).find_by_session(cookie) is not None


def test_maintainers_are_listed_subjects_and_never_names(identities: Identities, accounts: Accounts) -> None:
    maintainer = identities.sign_in(profile("sub-listed", "ann"))
    assert accounts.is_maintainer(maintainer.user)
    assert maintainer.lifetime > ROLE_LIFETIME
    assert not accounts.is_maintainer(identities.sign_in(profile("sub-1", "sub-listed")).user)
    other_issuer = Identities(accounts, RULES).sign_in(IdentityClaims("https://other.example", "sub-listed"))
    assert not accounts.is_maintainer(other_issuer.user)
    assert accounts.find_by_session(other_issuer.cookie) is None


def test_role_of_an_organisation_expires_after_twelve_hours_for_tokens_too(
    identities: Identities, accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = identities.sign_in(profile("sub-1", organisation="lab"))
    token = accounts.add_token(session.user, "").secret
    assert session.lifetime == ROLE_LIFETIME
    assert accounts.is_maintainer(accounts.find_by_session(session.cookie))
    assert accounts.is_maintainer(accounts.find_by_token(token))
    set_time(monkeypatch, ROLE_LIFETIME + timedelta(minutes=1))
    assert accounts.find_by_session(session.cookie) is None
    assert accounts.find_by_token(token) == session.user
    assert not accounts.is_maintainer(accounts.find_by_token(token))


def test_revoked_role_is_removed_from_every_session_at_the_next_sign_in(
    identities: Identities, accounts: Accounts
) -> None:
    before = identities.sign_in(profile("sub-1", organisation="lab"))
    after = identities.sign_in(profile("sub-1"))
    for cookie in (before.cookie, after.cookie):
        assert not accounts.is_maintainer(accounts.find_by_session(cookie))


def test_role_of_another_organisation_is_ignored(database: Database, identities: Identities) -> None:
    session = identities.sign_in(profile("sub-1", organisation="lab"))
    moved = Accounts(database, (), ProviderRules(ISSUER, frozenset(), "another-lab"))
    assert not moved.is_maintainer(moved.find_by_session(session.cookie))


def test_linked_user_keeps_name_and_tokens(identities: Identities, accounts: Accounts) -> None:
    token = accounts.create_token("ann")
    identities.link("ann", "sub-1")
    identities.link("ann", "sub-1")
    session = identities.sign_in(profile("sub-1", "annabel"))
    assert (session.user, session.user.name) == (accounts.find_by_token(token), "ann")
    assert identities.sign_in(profile("sub-1", "annabel")).user.name == "ann", "until the name at the provider changes"
    assert identities.sign_in(profile("sub-1", "anna")).user.name == "anna"


def test_link_moves_an_unused_identity_and_ends_its_sessions(identities: Identities, accounts: Accounts) -> None:
    accounts.create_token("ann")
    early = identities.sign_in(profile("sub-1", "ann"))
    identities.link("ann", "sub-1")
    assert accounts.find_by_session(early.cookie) is None
    assert identities.sign_in(profile("sub-1", "ann")).user.name == "ann"


def test_link_that_would_merge_two_users_is_refused(
    identities: Identities, accounts: Accounts, database: Database
) -> None:
    accounts.create_token("ann")
    accounts.create_token("ben")
    identities.link("ann", "sub-1")
    busy = identities.sign_in(profile("sub-2", "cem"))
    accounts.add_token(busy.user, "")
    for name, subject, kind in (
        ("ann", "sub-9", StateError),
        ("ben", "sub-2", StateError),
        ("ben", "sub-1", StateError),
        ("nobody", "sub-9", NotFoundError),
        ("ben", "", BadRequestError),
        ("ben", "a\nb", BadRequestError),
        ("ben", "x" * 256, BadRequestError),
        ("earshot", "sub-9", BadRequestError),
    ):
        with pytest.raises(kind):
            identities.link(name, subject)
    with database.read() as transaction:
        links = [entry.subject for entry in audit.list_entries(transaction, limit=50) if entry.action == "link-account"]
    assert links == ["ann"]


def test_provider_token_is_exchanged_once(identities: Identities, accounts: Accounts) -> None:
    token = identities.exchange(profile("sub-1"), "provider's token", "laptop")
    owner = accounts.find_by_token(token.secret)
    assert owner is not None
    assert owner.name == "ann"
    with pytest.raises(StateError, match="already exchanged for a token"):
        identities.exchange(profile("sub-1"), "provider's token", "laptop")
    assert len(accounts.list_tokens(owner)) == 1


@pytest.mark.parametrize(
    ("name", "handle"),
    [
        ("ann", "ann"),
        ("Ann Müller", "Ann-Muller"),
        ("-ann_", "ann"),
        ("<script>alert(1)</script>", "script-alert-1-script"),
        ("a/../b", "a-..-b"),
        ("名前", "user"),
        ("", "user"),
        (None, "user"),
        ("x" * 50, "x" * 39),
        ("a@b.example", "a-b.example"),
    ],
)
def test_handle_is_the_closest_allowed_name(name: str | None, handle: str) -> None:
    assert make_handle(name) == handle


@given(st.text())
def test_handle_of_any_text_is_an_allowed_name(text: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,38}", make_handle(text))
