"""Binaural motion clips made from formulas: the sound of AudioMotionBench, with nothing that has to be stored."""

from evaluation.synthesis.motion import RENDERER_VERSION, render_motion
from evaluation.synthesis.noise import add_noise
from evaluation.synthesis.scene import POSITIONS, MotionParameters, Trajectory
from evaluation.synthesis.violin import Note

__all__ = [
    "POSITIONS",
    "RENDERER_VERSION",
    "MotionParameters",
    "Note",
    "Trajectory",
    "add_noise",
    "render_motion",
]
