"""Authenticated encryption of stored bytes: AES-256-GCM with a key for each purpose.

Sealed bytes are `format (4) | nonce (12) | ciphertext | tag (16)`. The key of each purpose is derived with
HKDF-SHA-256. The nonce is random, so that two texts never share a keystream, even after a restored database reuses
evaluation numbers.

The first format (HMAC-SHA-256 in counter mode, no format mark) is read but no longer written, so that backups and rows
of earlier releases stay usable.
"""

import hashlib
import hmac
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

OVERHEAD_BYTES = 32
"""Length of sealed bytes minus length of the plain bytes."""
_FORMAT = b"ES2\n"
_NONCE_BYTES = 12
_KEY_BYTES = 32


class SealError(Exception):
    """The bytes were sealed with another key or for another purpose, or have been changed."""


def derive_secret(seed: str, purpose: str) -> bytes:
    """Return the secret of a purpose; it reveals nothing about the seed or the secrets of other purposes."""
    return hmac.digest(seed.encode(), purpose.encode(), hashlib.sha256)


def seal(seed: str, purpose: str, plain: bytes) -> bytes:
    """Encrypt bytes for one seed and purpose; the result is `OVERHEAD_BYTES` longer than `plain`."""
    nonce = os.urandom(_NONCE_BYTES)
    return _FORMAT + nonce + _make_cipher(seed, purpose).encrypt(nonce, plain, _FORMAT)


def unseal(seed: str, purpose: str, sealed: bytes) -> bytes:
    """Decrypt sealed bytes.

    Raises:
        SealError: The bytes were sealed with another seed or for another purpose, or have been changed.
    """
    plain = _unseal_current(seed, purpose, sealed) if is_current(sealed) else None
    # Bytes of the first format may begin like the current format by chance.
    plain = _unseal_first(seed, purpose, sealed) if plain is None else plain
    if plain is None:
        raise SealError(f"The bytes of `{purpose}` were encrypted under another answer key, or were modified.")
    return plain


def is_current(sealed: bytes) -> bool:
    """Tell whether bytes are in the current format."""
    return sealed.startswith(_FORMAT)


def _make_cipher(seed: str, purpose: str) -> AESGCM:
    return AESGCM(HKDF(hashes.SHA256(), _KEY_BYTES, salt=None, info=purpose.encode()).derive(seed.encode()))


def _unseal_current(seed: str, purpose: str, sealed: bytes) -> bytes | None:
    nonce, rest = sealed[len(_FORMAT) :][:_NONCE_BYTES], sealed[len(_FORMAT) + _NONCE_BYTES :]
    if len(nonce) < _NONCE_BYTES:
        return None
    try:
        return _make_cipher(seed, purpose).decrypt(nonce, rest, _FORMAT)
    except InvalidTag:
        return None


_FIRST_NONCE_BYTES, _FIRST_TAG_BYTES, _FIRST_BLOCK_BYTES = 16, 32, 32


def _unseal_first(seed: str, purpose: str, sealed: bytes) -> bytes | None:
    """Read the first format: keystream HMAC(key, nonce ‖ counter), tag HMAC over nonce and ciphertext."""
    root = derive_secret(seed, purpose)
    body, tag = sealed[:-_FIRST_TAG_BYTES], sealed[-_FIRST_TAG_BYTES:]
    expected = hmac.digest(hmac.digest(root, b"authenticate", hashlib.sha256), body, hashlib.sha256)
    if len(body) < _FIRST_NONCE_BYTES or not hmac.compare_digest(tag, expected):
        return None
    nonce, cipher = body[:_FIRST_NONCE_BYTES], body[_FIRST_NONCE_BYTES:]
    key = hmac.digest(root, b"encrypt", hashlib.sha256)
    n_blocks = -(-len(cipher) // _FIRST_BLOCK_BYTES)
    blocks = (hmac.digest(key, nonce + number.to_bytes(8, "big"), hashlib.sha256) for number in range(n_blocks))
    keystream = int.from_bytes(b"".join(blocks)[: len(cipher)], "big")
    return (int.from_bytes(cipher, "big") ^ keystream).to_bytes(len(cipher), "big")
