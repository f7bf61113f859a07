"""Audio of the demonstration set: scenes, and clips cut from them."""

from collections.abc import Mapping
from typing import Any

from evaluation.audio import decode_wav, encode_wav
from evaluation.synthesis import render_scene


def render_demo_sound(scenes: Mapping[str, Mapping[str, Any]], path: str) -> bytes:
    """Return one clip as a WAV file, by its path in the questions.

    `scenes` maps paths to scenes, or to `{"cut_from": path, "begin": seconds, "end": seconds}`.

    Raises:
        KeyError: The clip does not exist.
    """
    scene = scenes[path]
    if "cut_from" not in scene:
        return render_scene(scene)
    samples, rate = decode_wav(render_demo_sound(scenes, scene["cut_from"]))
    return encode_wav(samples[round(scene["begin"] * rate) : round(scene["end"] * rate)], rate)
