"""Sound made from formulas, with nothing that has to be stored: moving sources heard by two ears, everyday scenes."""

from evaluation.synthesis.motion import RENDERER_VERSION, render_motion
from evaluation.synthesis.noise import add_noise
from evaluation.synthesis.scene import POSITIONS, MotionParameters, Trajectory
from evaluation.synthesis.scenes import render_scene
from evaluation.synthesis.violin import Note

__all__ = [
    "POSITIONS",
    "RENDERER_VERSION",
    "MotionParameters",
    "Note",
    "Trajectory",
    "add_noise",
    "render_motion",
    "render_scene",
]
