"""Named random streams: every random choice names its purpose, so that adding one never changes another."""

import hashlib
import hmac

import numpy as np

# Crockford's alphabet without letters that resemble digits, so that IDs survive being read aloud.
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def stream(seed: str, purpose: str) -> np.random.Generator:
    """Return the random generator of one purpose under one seed."""
    return np.random.Generator(np.random.PCG64(int.from_bytes(_digest(seed, purpose), "big")))


def opaque_id(seed: str, purpose: str, prefix: str, length: int = 8) -> str:
    """Return a name that reveals nothing about `purpose` without the seed (HMAC-SHA-256, base 32)."""
    number = int.from_bytes(_digest(seed, purpose), "big")
    letters = []
    for _ in range(length):
        number, letter = divmod(number, 32)
        letters.append(_ALPHABET[letter])
    return prefix + "".join(letters)


def _digest(seed: str, purpose: str) -> bytes:
    return hmac.new(seed.encode(), purpose.encode(), hashlib.sha256).digest()
