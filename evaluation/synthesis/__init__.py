"""Audio synthesis from formulas and one measured head: moving sources, everyday scenes, tones, rooms."""

from evaluation.synthesis.dry import DRY_SOUNDS, render_dry
from evaluation.synthesis.motion import RENDERER_VERSION, render_motion
from evaluation.synthesis.noise import add_noise
from evaluation.synthesis.rooms import ROOM_VERSION, ROOMS, SourcePosition, fits, render_in_room
from evaluation.synthesis.scene import POSITIONS, MotionParameters, Trajectory
from evaluation.synthesis.scenes import render_scene
from evaluation.synthesis.tones import TONE_VERSION, Tone, amplitude_of_level, render_tones
from evaluation.synthesis.violin import Note

__all__ = [
    "DRY_SOUNDS",
    "POSITIONS",
    "RENDERER_VERSION",
    "ROOMS",
    "ROOM_VERSION",
    "TONE_VERSION",
    "MotionParameters",
    "Note",
    "SourcePosition",
    "Tone",
    "Trajectory",
    "add_noise",
    "amplitude_of_level",
    "fits",
    "render_dry",
    "render_in_room",
    "render_motion",
    "render_scene",
    "render_tones",
]
