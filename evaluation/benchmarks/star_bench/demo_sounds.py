"""The sounds of the demonstration set: scenes, and clips that are cut from one."""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from evaluation.audio import decode_wav, encode_wav
from evaluation.synthesis import render_scene

SCENES = "scenes.json"


def render_demo_sound(scenes_file: Path, path: str) -> bytes:
    """Return one sound as a WAV file, by the path that its question names.

    `scenes_file` holds path → scene, or path → `{"cut_from": path, "begin": seconds, "end": seconds}`.

    Raises:
        KeyError: There is no such sound.
    """
    scene = _read_scenes(scenes_file)[path]
    if "cut_from" not in scene:
        return render_scene(scene)
    samples, rate = decode_wav(render_demo_sound(scenes_file, scene["cut_from"]))
    return encode_wav(samples[round(scene["begin"] * rate) : round(scene["end"] * rate)], rate)


@lru_cache(maxsize=2)
def _read_scenes(path: Path) -> Mapping[str, Mapping[str, Any]]:
    scenes: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return scenes
