"""Named random streams: every random choice names its purpose, so that adding one never changes another."""

import hmac
import re
import secrets
from itertools import count

import numpy as np

# Crockford's alphabet without letters that resemble digits, so that IDs survive being read aloud.
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_CODE_LETTERS = 8
_EDITION_ID = re.compile(f"e-([{_ALPHABET}]{{{_CODE_LETTERS}}})")
_EDITION_SEED = re.compile(rf"({_EDITION_ID.pattern})\.[0-9a-f]{{64}}")
_NAME_OF_EDITION = re.compile(rf"[a-z]+-([{_ALPHABET}]{{{_CODE_LETTERS}}})-[{_ALPHABET}]+")


def stream(seed: str, purpose: str) -> np.random.Generator:
    """Return the random generator of one purpose under one seed."""
    return np.random.Generator(np.random.PCG64(int.from_bytes(_digest(seed, purpose), "big")))


def opaque_id(seed: str, purpose: str, prefix: str, length: int = 8) -> str:
    """Return a name that reveals nothing about `purpose` without the seed (HMAC-SHA-256, base 32).

    Names in an edition state it, so that a file for another edition is recognised: `amb-<edition>-<letters>`.
    """
    found = _EDITION_SEED.fullmatch(seed)
    if found:
        prefix += f"{found[2]}-"
    number = int.from_bytes(_digest(seed, purpose), "big")
    letters = []
    for _ in range(length):
        number, letter = divmod(number, 32)
        letters.append(_ALPHABET[letter])
    return prefix + "".join(letters)


class OpaqueIds:
    """Opaque IDs of one seed, none of which occurs twice.

    Of 540,000 seeds, one gives two of 2,016 items the same 40 bits. Each edition draws a seed, so this happens.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._taken: set[str] = set()

    def draw(self, purpose: str, prefix: str) -> str:
        """Return the opaque ID of a purpose, or of the purpose and a number if the ID is taken."""
        return opaque_id(self._seed, self.vary(purpose, prefix), prefix)

    def vary(self, purpose: str, prefix: str) -> str:
        """Take an ID: return the first of `purpose`, `purpose|2`, `purpose|3` and so on whose opaque ID is free."""
        varied = purpose
        for number in count(2):
            drawn = opaque_id(self._seed, varied, prefix)
            if drawn not in self._taken:
                self._taken.add(drawn)
                break
            varied = f"{purpose}|{number}"
        return varied


def draw_edition_id() -> str:
    """Return the ID of a new edition, such as `e-7f3kq9x2`: 40 random bits."""
    return "e-" + "".join(secrets.choice(_ALPHABET) for _ in range(_CODE_LETTERS))


def is_edition_id(text: str) -> bool:
    """Return whether a text has the form of an edition's ID."""
    return _EDITION_ID.fullmatch(text) is not None


def derive_edition_seed(seed: str, edition: str) -> str:
    """Return the secret seed of an edition: its ID, and HMAC-SHA-256 of the ID under a secret seed.

    One seed, kept with the answer keys, restores every edition; knowing one of them tells nothing about another.

    Raises:
        ValueError: The ID is malformed.
    """
    if not is_edition_id(edition):
        raise ValueError(f"{edition[:40]!r} is not the ID of an edition")
    return f"{edition}.{_digest(seed, f'edition|{edition}').hex()}"


def find_edition(seed: str) -> str:
    """Return the ID of the edition that a seed belongs to; empty for other seeds."""
    found = _EDITION_SEED.fullmatch(seed)
    return found[1] if found else ""


def find_edition_of_name(name: str) -> str:
    """Return the ID of the edition that the name of an item or a clip claims to belong to; empty if it names none.

    >>> find_edition_of_name("amb-7f3kq9x2-0v8h3m5c")
    'e-7f3kq9x2'
    """
    found = _NAME_OF_EDITION.fullmatch(name)
    return f"e-{found[1]}" if found else ""


def _digest(seed: str, purpose: str) -> bytes:
    return hmac.digest(seed.encode(), purpose.encode(), "sha256")
