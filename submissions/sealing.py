"""Bytes that only the holder of a secret can read: encrypted, then authenticated, with HMAC-SHA-256 alone.

The keystream is HMAC(key, nonce, counter); the tag is an HMAC over nonce and ciphertext. Each purpose has keys of its
own. The nonce is random, so that two texts are never under one keystream, even where a restored database counts
evaluations from an earlier number again.
"""

import hashlib
import hmac
import secrets

_NONCE_BYTES = 16
_TAG_BYTES = 32
_BLOCK_BYTES = 32


class SealError(Exception):
    """Bytes that were sealed under another key or for another purpose, or were altered since."""


def derive_secret(seed: str, purpose: str) -> bytes:
    """Return the secret of one purpose; it tells nothing about the seed or about the secret of another purpose."""
    return hmac.digest(seed.encode(), purpose.encode(), hashlib.sha256)


def seal(seed: str, purpose: str, plain: bytes) -> bytes:
    """Return bytes that can be read with the same seed and purpose only; their length is that of `plain` + 48."""
    root = derive_secret(seed, purpose)
    nonce = secrets.token_bytes(_NONCE_BYTES)
    sealed = nonce + _xor(plain, _keystream(root, nonce, len(plain)))
    return sealed + _tag(root, sealed)


def unseal(seed: str, purpose: str, sealed: bytes) -> bytes:
    """Return what was sealed.

    Raises:
        SealError: It was sealed otherwise, or was altered.
    """
    root = derive_secret(seed, purpose)
    body, tag = sealed[:-_TAG_BYTES], sealed[-_TAG_BYTES:]
    if len(body) < _NONCE_BYTES or not hmac.compare_digest(tag, _tag(root, body)):
        raise SealError(f"The bytes of `{purpose}` were sealed under another answer key, or were altered since.")
    nonce, cipher = body[:_NONCE_BYTES], body[_NONCE_BYTES:]
    return _xor(cipher, _keystream(root, nonce, len(cipher)))


def _keystream(root: bytes, nonce: bytes, length: int) -> bytes:
    key = hmac.digest(root, b"encrypt", hashlib.sha256)
    n_blocks = -(-length // _BLOCK_BYTES)
    blocks = (hmac.digest(key, nonce + number.to_bytes(8, "big"), hashlib.sha256) for number in range(n_blocks))
    return b"".join(blocks)[:length]


def _tag(root: bytes, body: bytes) -> bytes:
    return hmac.digest(hmac.digest(root, b"authenticate", hashlib.sha256), body, hashlib.sha256)


def _xor(one: bytes, other: bytes) -> bytes:
    number = int.from_bytes(one, "big") ^ int.from_bytes(other, "big")
    return number.to_bytes(len(one), "big")
