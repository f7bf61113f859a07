"""The sounds of the demonstration set: scenes, and clips that are cut from one."""

from collections.abc import Mapping
from typing import Any

from evaluation.audio import decode_wav, encode_wav
from evaluation.synthesis import render_scene


def render_demo_sound(scenes: Mapping[str, Mapping[str, Any]], path: str) -> bytes:
    """Return one sound as a WAV file, by the path that its question names.

    `scenes` holds path → scene, or path → `{"cut_from": path, "begin": seconds, "end": seconds}`.

    Raises:
        KeyError: There is no such sound.
    """
    scene = scenes[path]
    if "cut_from" not in scene:
        return render_scene(scene)
    samples, rate = decode_wav(render_demo_sound(scenes, scene["cut_from"]))
    return encode_wav(samples[round(scene["begin"] * rate) : round(scene["end"] * rate)], rate)
