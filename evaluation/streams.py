"""Named streams of randomness: every random choice names its purpose, so that adding one never moves another."""

import hashlib
import hmac

import numpy as np

# Crockford's alphabet without letters that are mistaken for digits, so that an id survives being read aloud.
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def stream(seed: str, purpose: str) -> np.random.Generator:
    """Return the generator that belongs to one purpose under one seed."""
    return np.random.Generator(np.random.PCG64(int.from_bytes(_digest(seed, purpose), "big")))


def opaque_id(seed: str, purpose: str, prefix: str, length: int = 8) -> str:
    """Return a name that tells nothing about `purpose` to anyone without the seed (HMAC-SHA-256, base 32)."""
    number = int.from_bytes(_digest(seed, purpose), "big")
    letters = []
    for _ in range(length):
        number, letter = divmod(number, 32)
        letters.append(_ALPHABET[letter])
    return prefix + "".join(letters)


def _digest(seed: str, purpose: str) -> bytes:
    return hmac.new(seed.encode(), purpose.encode(), hashlib.sha256).digest()
