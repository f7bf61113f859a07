"""Token counts of the endpoint. The reference systems have no tokeniser, so the count is a convention."""

import math
import re
from collections.abc import Sequence

from evaluation.listeners.listener_types import Heard

AUDIO_TOKENS_PER_SECOND = 25

_IDEOGRAPH = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"\s*(?:[{_IDEOGRAPH}]|[^\W{_IDEOGRAPH}]+|[^\w\s])|\s+")


def split_tokens(text: str) -> list[str]:
    """Split a text into tokens whose concatenation is the text.

    A token is a word or number, one Chinese, Japanese or Korean character, or one other character, each with the spaces
    before it.

    >>> split_tokens("From left, 3 m.")
    ['From', ' left', ',', ' 3', ' m', '.']
    """
    return _TOKEN.findall(text)


def count_text_tokens(heard: Sequence[Heard]) -> int:
    """Count the tokens of all texts in a prompt."""
    return sum(sum(1 for _ in _TOKEN.finditer(piece)) for piece in heard if isinstance(piece, str))


def count_audio_tokens(heard: Sequence[Heard]) -> int:
    """Count 25 tokens per second of audio, each clip rounded up."""
    sounds = [piece for piece in heard if not isinstance(piece, str)]
    return sum(math.ceil(AUDIO_TOKENS_PER_SECOND * len(sound.samples) / sound.rate) for sound in sounds)
