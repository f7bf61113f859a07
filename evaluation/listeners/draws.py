"""Reproducible randomness: the same prompt and seed give the same draws on every machine."""

import hashlib
from collections.abc import Sequence

import numpy as np

from evaluation.listeners.listener_types import Heard, Sound


def digest_sound(sound: Sound) -> bytes:
    """Return a digest that identifies a clip."""
    digest = hashlib.blake2b(repr((sound.samples.shape, sound.rate)).encode(), digest_size=16)
    digest.update(np.ascontiguousarray(sound.samples).tobytes())
    return digest.digest()


def make_generator(heard: Sequence[Heard], seed: int) -> np.random.Generator:
    """Return the random generator for a prompt and a seed."""
    digest = hashlib.blake2b(str(seed).encode(), digest_size=16)
    for piece in heard:
        digest.update(
            b"\0t" + piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else b"\0s" + digest_sound(piece)
        )
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest.digest(), "big")))
