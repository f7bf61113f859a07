"""Binaural rendering of a source at any position, or on any straight path.

The physics is that of `motion`, with the same ears, distances and low-pass; only the timing is exact: each ear hears
the source at the position where it emitted the sound, however far away or fast it is. So the Doppler shift of a source
that moves straight towards an ear is c / (c - v), and an aeroplane is heard behind its position.
"""

import math

import numpy as np
from numpy.typing import NDArray

from evaluation.synthesis.interpolation import read_between
from evaluation.synthesis.motion import DEFAULT_PARAMETERS, GUARD_SAMPLES, shade, turn_along
from evaluation.synthesis.scene import MotionParameters, StraightPath

MAX_METRES_PER_SECOND = 100.0


def hear_path(
    path: StraightPath, source: NDArray[np.float64], parameters: MotionParameters = DEFAULT_PARAMETERS
) -> NDArray[np.float64]:
    """Return the signals of both ears for a source that sounds while it moves along a path.

    Args:
        path: The source is at its start with the first sample and at its end with the last.
        source: Dry mono sound (n,), with its level at a distance of one metre.
        parameters: Physical parameters.

    Returns:
        float64 (m, 2), the left ear first, from the start of the source; m exceeds n by the longest delay. A source of
        amplitude a at distance d metres is heard with amplitude a / d.

    Raises:
        ValueError: The source is not mono, is empty, or moves faster than 100 m/s.
    """
    if source.ndim != 1 or not len(source):
        raise ValueError(f"a source is mono and has a sample at least, got shape {source.shape}")
    speed = path.length_metres * parameters.sample_rate / len(source)
    if speed > MAX_METRES_PER_SECOND:
        raise ValueError(f"a source moves at up to {MAX_METRES_PER_SECOND:.0f} m/s, and this one at {speed:.0f} m/s")
    delay = _longest_delay(path, speed, parameters)
    lead = delay + GUARD_SAMPLES
    coefficients = turn_along(shade(source, parameters, lead, trail=lead), path, parameters)
    index = np.arange(len(source) + delay, dtype=np.float64)
    heard = np.empty((len(index), 2))
    half = 0.5 * parameters.ear_distance_metres
    for ear, ear_x in enumerate((-half, half)):
        distances = _distances_left(path, index / len(source), len(source), ear_x, parameters)
        values = read_between(coefficients, lead + index - parameters.samples_per_metre * distances)
        heard[:, ear] = values / distances
    return heard


def _longest_delay(path: StraightPath, speed: float, parameters: MotionParameters) -> int:
    """Return an upper bound of a sound's travel time, in samples; the source may be in front of its path."""
    farthest = path.reach_metres + max(parameters.ear_distance_metres, parameters.minimum_distance_metres)
    return math.ceil(farthest / (parameters.speed_of_sound - speed) * parameters.sample_rate)


def _distances_left(
    path: StraightPath, progress: NDArray[np.float64], n_samples: int, ear_x: float, parameters: MotionParameters
) -> NDArray[np.float64]:
    """Return for each moment of hearing the distance from an ear at which the source emitted the sound.

    With r from ear to source at the moment of hearing, and velocity v, sound that travelled for t obeys |r - v·t| =
    c·t.
    """
    x, y = path.locate(progress)
    x = x - ear_x
    sound = 1.0 / parameters.samples_per_metre  # All speeds are in metres per sample.
    v_x, v_y = (path.end[0] - path.start[0]) / n_samples, (path.end[1] - path.start[1]) / n_samples
    along = x * v_x + y * v_y
    spare = sound**2 - v_x**2 - v_y**2
    travel_times = (np.sqrt(along**2 + spare * (x**2 + y**2)) - along) / spare
    return np.maximum(sound * travel_times, parameters.minimum_distance_metres)
