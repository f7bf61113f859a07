"""Generators of traces, source benchmarks of questions, and the slices of both."""

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
"""Source benchmarks of the paper's questions (section 3.2.1)."""

_LONGEST = 60
_NOT_IN_A_NAME = re.compile(r"[^a-z0-9.]+")


def generator_slice(name: str) -> str:
    """Return the slice of a generator: its lowercase name, with `-` for all but letters, digits and dots."""
    return f"generator/{_fold_name(name)}"


def source_slice(name: str) -> str:
    """Return the slice of a source benchmark, named in the same way; empty if the name has no letters or digits.

    >>> source_slice("MMAU_Pro")
    'source/mmau-pro'
    """
    folded = _fold_name(name)[:_LONGEST]
    return f"source/{folded}" if folded else ""


def _fold_name(name: str) -> str:
    return _NOT_IN_A_NAME.sub("-", name.lower()).strip("-")
