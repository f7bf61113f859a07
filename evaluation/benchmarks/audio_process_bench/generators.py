"""The models that wrote the traces, and the slices of their figures."""

import re

GENERATORS = (
    "Qwen2.5-Omni-7B",
    "Gemma-3n-E4B",
    "Phi-4-Multimodal",
    "Gemma-4-E4B",
    "Qwen3-Omni-30B-A3B",
    "Step-Audio-R1",
)

_NOT_IN_A_NAME = re.compile(r"[^a-z0-9.]+")


def generator_slice(name: str) -> str:
    """Return the slice of a generator: its name in small letters, with anything but letters, digits and dots as `-`."""
    return f"generator/{_NOT_IN_A_NAME.sub('-', name.lower()).strip('-')}"
