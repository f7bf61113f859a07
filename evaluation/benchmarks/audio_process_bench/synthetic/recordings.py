"""Renderer of recordings: scene description → WAV file."""

from evaluation.audio import encode_wav
from evaluation.benchmarks.audio_process_bench.synthetic.staging import Scene
from evaluation.synthesis import Note, Trajectory, render_motion, render_scene

# Increment this with any change below or to the layout of scenes; it is part of the content digest.
SOUND_VERSION = "2"

_GAP_SECONDS = 0.1


def render_recording(scene: Scene) -> bytes:
    """Return a recording as 16-bit stereo WAV at 16 kHz: a melody on a path, or a sequence of sounds."""
    if "path" not in scene:
        return render_scene(scene)
    notes = Note.sequence(scene["notes"], scene["seconds"], gap_seconds=_GAP_SECONDS)
    samples, rate = render_motion(Trajectory(*scene["path"].split("-")), notes=notes, duration_seconds=scene["seconds"])
    return encode_wav(samples, rate)
