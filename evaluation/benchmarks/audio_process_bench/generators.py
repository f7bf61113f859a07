"""The models that wrote the traces, the benchmarks that their questions are from, and the slices of both."""

import re

GENERATORS = (
    "Qwen2.5-Omni-7B",
    "Gemma-3n-E4B",
    "Phi-4-Multimodal",
    "Gemma-4-E4B",
    "Qwen3-Omni-30B-A3B",
    "Step-Audio-R1",
)

SOURCES = ("MMAU-Pro", "MMAR", "MMSU")
"""Benchmarks that the paper took its questions from (section 3.2.1)."""

_LONGEST = 60
_NOT_IN_A_NAME = re.compile(r"[^a-z0-9.]+")


def generator_slice(name: str) -> str:
    """Return the slice of a generator: its name in small letters, with anything but letters, digits and dots as `-`."""
    return f"generator/{_fold(name)}"


def source_slice(name: str) -> str:
    """Return the slice of a source benchmark, named in the same way; nothing where no letter or digit is in its name.

    >>> source_slice("MMAU_Pro")
    'source/mmau-pro'
    """
    folded = _fold(name)[:_LONGEST]
    return f"source/{folded}" if folded else ""


def _fold(name: str) -> str:
    return _NOT_IN_A_NAME.sub("-", name.lower()).strip("-")
