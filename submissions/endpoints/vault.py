"""Vault for endpoint keys: protects keys in memory and seals them at rest.

A key leaves the vault only to be sent to its endpoint; nothing displays it, and no message quotes it.
"""

import os
import re
import secrets
import stat
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from evaluation.answer_keys import sync_folder
from submissions.errors import BadRequestError, SubmissionError
from submissions.keys.sealing import SealError, derive_secret, is_current, seal, unseal

VAULT_FILE = "secret-key"
"""Name of the secret's file in the data folder, used if EARSHOT_SECRET_KEY is not set."""
LONGEST_KEY = 1_000
MIN_SECRET = 32
_MARK_BYTES = 8
_KEY = re.compile(rf"[\x21-\x7e]{{1,{LONGEST_KEY}}}")


class VaultError(SubmissionError):
    """A secret is unusable, or the available secrets cannot open a key."""


class Secret:
    """A key that is never revealed by accident: not by printing, logging, comparing, copying or pickling."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        """Take the key, which is sent in an HTTP header.

        Raises:
            BadRequestError: The key is empty, too long, or contains characters that no key has.
        """
        if not _KEY.fullmatch(value):
            raise BadRequestError(
                "api_key",
                f"`api_key` must have 1 to {LONGEST_KEY:,} ASCII letters, digits and symbols without spaces. Copy it "
                "again from your provider.",
            )
        self._value = value

    def reveal(self) -> str:
        """Return the key, only for sending it."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(…)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not copied or pickled")


class Vault:
    """Seals keys with the first of several secrets, and opens those sealed with any of them."""

    def __init__(self, server_secrets: Sequence[str]) -> None:
        """Take the server's secrets: the current one, then earlier ones.

        Raises:
            VaultError: There is no secret, or one is too short.
        """
        if not server_secrets or any(len(secret) < MIN_SECRET for secret in server_secrets):
            raise VaultError(
                f"EARSHOT_SECRET_KEY must have at least {MIN_SECRET} characters. Set it to the output of `openssl "
                "rand -hex 32`, or unset it to have one generated."
            )
        self._secrets = {_mark(secret): secret for secret in server_secrets}
        self._current = server_secrets[0]

    def __repr__(self) -> str:
        return f"Vault({len(self._secrets)} secrets)"

    def seal(self, owner: str, key: Secret) -> bytes:
        """Return a key in its stored form.

        Args:
            owner: Owner of the key, such as a submission id: a key sealed for one does not open for another.
            key: The key.
        """
        return _mark(self._current) + seal(self._current, _purpose(owner), key.reveal().encode())

    def open(self, owner: str, sealed: bytes) -> Secret:
        """Return a stored key.

        Raises:
            VaultError: No secret opens it, it belongs to another owner, or it was changed.
        """
        secret = self._secrets.get(sealed[:_MARK_BYTES])
        if secret is None:
            raise VaultError(
                f"The API key of {owner} was encrypted under another EARSHOT_SECRET_KEY. Append that secret after the "
                "current one, or ask the owner to enter the API key again."
            )
        try:
            return Secret(unseal(secret, _purpose(owner), sealed[_MARK_BYTES:]).decode())
        except SealError:
            raise VaultError(
                f"The API key of {owner} was modified, or belongs to another submission. Ask the owner to enter it "
                "again."
            ) from None

    def reseal(self, owner: str, sealed: bytes) -> bytes | None:
        """Return a stored key re-sealed with the current secret and format; None if it already is.

        Raises:
            VaultError: It cannot be opened.
        """
        if sealed.startswith(_mark(self._current)) and is_current(sealed[_MARK_BYTES:]):
            return None
        return self.seal(owner, self.open(owner, sealed))


def open_vault(secret_key: str | None, path: Path) -> Vault:
    """Return the vault of this installation.

    Args:
        secret_key: Value of EARSHOT_SECRET_KEY; None to use the file.
        path: Path of the file, which is created if missing.

    Raises:
        VaultError: The secrets are unusable.
    """
    return Vault(find_secrets(secret_key, path))


def find_secrets(secret_key: str | None, path: Path) -> list[str]:
    """Return the secrets of this installation, the current one first.

    Args:
        secret_key: Value of EARSHOT_SECRET_KEY; None to use the file.
        path: Path of the file, which is created if missing.

    Raises:
        VaultError: The file is unusable.
    """
    return read_or_make_secrets(path) if secret_key is None else parse_secrets(secret_key)


def parse_secrets(text: str) -> list[str]:
    """Return the secrets in a variable or file: the current one first, separated by commas or whitespace."""
    return [secret for secret in re.split(r"[\s,]+", text) if secret]


def read_or_make_secrets(path: Path) -> list[str]:
    """Return the secrets in a file that only its owner may read; create it if missing.

    Raises:
        VaultError: Other users may read the file, or it cannot be read or created.
    """
    try:
        if not path.exists():
            _make_secret(path)
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise VaultError(f"Other users can read {path}. Run `chmod 600 {path}`, and change the secret in it.")
        return parse_secrets(path.read_text(encoding="ascii"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise VaultError(f"Cannot use {path} ({reason}). Make it readable, or set EARSHOT_SECRET_KEY.") from None


def _make_secret(path: Path) -> None:
    """Write a new secret durably. If two processes start together, the first to link it wins."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:  # opened with mode 0600
        file.write(f"{secrets.token_hex(32)}\n".encode())
        file.flush()
        os.fsync(file.fileno())
    temporary = Path(file.name)
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        pass
    finally:
        temporary.unlink()
    sync_folder(path.parent)


def _purpose(owner: str) -> str:
    return f"endpoint-key|{owner}"


def _mark(secret: str) -> bytes:
    """Return an identifier of a secret that reveals nothing about it."""
    return derive_secret(secret, "endpoint-key-mark")[:_MARK_BYTES]
