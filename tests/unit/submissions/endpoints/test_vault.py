"""Vault of endpoint keys: encrypted per owner, decrypted with any server secret, never displayed."""

import copy
import pickle
import stat
import traceback
from pathlib import Path

import orjson
import pytest

from submissions.endpoints.vault import Secret, Vault, VaultError, parse_secrets, read_or_make_secrets
from submissions.errors import BadRequestError

OLD, NEW = "o" * 32, "n" * 32
CANARY = "sk-canary-0123456789"


def test_sealed_key_opens_with_the_same_secret_and_owner() -> None:
    vault = Vault([NEW])
    sealed = vault.seal("submission-1", Secret(CANARY))
    assert vault.open("submission-1", sealed).reveal() == CANARY
    assert CANARY.encode() not in sealed
    assert sealed != vault.seal("submission-1", Secret(CANARY))


def test_key_of_another_owner_or_modified_key_is_refused() -> None:
    vault = Vault([NEW])
    sealed = vault.seal("submission-1", Secret(CANARY))
    for owner, data in (("submission-2", sealed), ("submission-1", sealed[:-1] + bytes([sealed[-1] ^ 1]))):
        with pytest.raises(VaultError, match=f"API key of {owner} was modified, or belongs to another"):
            vault.open(owner, data)


def test_key_sealed_with_an_earlier_secret_opens_and_is_resealed() -> None:
    sealed = Vault([OLD]).seal("a", Secret(CANARY))
    both = Vault([NEW, OLD])
    assert both.open("a", sealed).reveal() == CANARY
    resealed = both.reseal("a", sealed)
    assert resealed is not None
    assert both.reseal("a", resealed) is None
    assert Vault([NEW]).open("a", resealed).reveal() == CANARY


def test_key_sealed_with_a_lost_secret_is_refused_with_a_remedy() -> None:
    sealed = Vault([OLD]).seal("a", Secret(CANARY))
    with pytest.raises(
        VaultError, match=r"under another EARSHOT_SECRET_KEY\. Append that secret after the current one"
    ):
        Vault([NEW]).open("a", sealed)


@pytest.mark.parametrize("secrets", [[], ["short"], [NEW, "short"]])
def test_vault_without_a_strong_secret_is_refused(secrets: list[str]) -> None:
    with pytest.raises(VaultError, match="EARSHOT_SECRET_KEY must have at least 32 characters"):
        Vault(secrets)


def test_secret_is_never_displayed_or_serialised() -> None:
    secret = Secret(CANARY)
    assert "canary" not in f"{secret} {secret!r} {[secret]} {Vault([NEW])!r}"
    for serialise in (pickle.dumps, copy.copy, copy.deepcopy, orjson.dumps):
        with pytest.raises(TypeError) as caught:
            serialise(secret)
        assert "canary" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("value", ["", "a b", "a\r\nX: y", "a\0", "schlüssel", "k" * 1_001])
def test_secret_that_is_invalid_in_a_header_is_refused_without_quoting_it(value: str) -> None:
    with pytest.raises(BadRequestError, match="`api_key` must have 1 to 1,000") as caught:
        Secret(value)
    assert value == "" or value not in str(caught.value)


def test_server_secret_is_created_once_with_private_permissions(tmp_path: Path) -> None:
    path = tmp_path / "secret-key"
    secrets = read_or_make_secrets(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_or_make_secrets(path) == secrets
    assert len(secrets) == 1
    Vault(secrets)
    assert [entry.name for entry in tmp_path.iterdir()] == ["secret-key"]


def test_server_secret_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret-key"
    secrets = read_or_make_secrets(path)
    path.chmod(0o640)
    with pytest.raises(VaultError, match=r"Other users can read .*\. Run `chmod 600") as caught:
        read_or_make_secrets(path)
    assert secrets[0] not in str(caught.value)


def test_unreadable_server_secret_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir(mode=0o700)
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    (tmp_path / "binary").chmod(0o600)
    for path in (tmp_path / "folder", tmp_path / "binary", tmp_path / "absent" / "key"):
        with pytest.raises(VaultError, match="Cannot use"):
            read_or_make_secrets(path)


def test_secrets_in_a_variable_are_separated_by_commas_and_whitespace() -> None:
    assert parse_secrets(f" {NEW},{OLD}\n") == [NEW, OLD]
