"""Onsets and endings of a clip, for deciding whether one piece can follow another."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from evaluation.listeners.hearing.frames import Reals, cut_frames
from evaluation.listeners.hearing.interaural import common_delay
from evaluation.listeners.hearing.levels import THRESHOLD_OF_HEARING_DB, decibels
from evaluation.listeners.hearing.pitch import CLEAR, track_pitch
from evaluation.listeners.hearing.segments import cut
from evaluation.listeners.listener_types import Sound

EDGE_SECONDS = 0.5
_BANDS_HZ = np.array([60.0, 200.0, 400.0, 800.0, 1600.0, 3200.0, 8000.0])
_RANGE_DB = 50.0
# Difference in each feature that makes two edges incompatible, and its maximum contribution.
_LEVEL_DB, _COLOUR_DB, _SIDE_DB, _SIDE_SECONDS, _OCTAVES = 4.0, 6.0, 3.0, 1e-4, 0.15
_MOST = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """The first or last moments of a clip.

    Attributes:
        level_db: Level in dBFS.
        colour: (bands,) decibels, without the level.
        side_db: Level by which the right ear exceeds the left; 0 for mono.
        side_seconds: Time by which the right ear leads; 0 for mono.
        pitch: Octaves above 1 Hz; None without a pitch.
    """

    level_db: float
    colour: Reals
    side_db: float
    side_seconds: float
    pitch: float | None

    def strangeness(self, other: "Edge") -> float:
        """Return how unlikely it is that one edge continues as the other."""
        parts = [
            abs(self.level_db - other.level_db) / _LEVEL_DB,
            float(np.sqrt(np.mean((self.colour - other.colour) ** 2))) / _COLOUR_DB,
            abs(self.side_db - other.side_db) / _SIDE_DB,
            abs(self.side_seconds - other.side_seconds) / _SIDE_SECONDS,
        ]
        if self.pitch is not None and other.pitch is not None:
            parts.append(abs(self.pitch - other.pitch) / _OCTAVES)
        return sum(min(part, _MOST) for part in parts)


def hear_edges(sound: Sound) -> tuple[Edge, Edge]:
    """Return the onset and ending of a clip."""
    seconds = len(sound.samples) / sound.rate
    return (
        _hear_edge(cut(sound, 0.0, EDGE_SECONDS)),
        _hear_edge(cut(sound, max(0.0, seconds - EDGE_SECONDS), seconds)),
    )


def _hear_edge(piece: Sound) -> Edge:
    frames = cut_frames(piece)
    ears = np.square(np.abs(frames.spectra)).sum(axis=2).mean(axis=1)
    level = float(decibels(ears.mean()))
    if level < THRESHOLD_OF_HEARING_DB:
        return Edge(THRESHOLD_OF_HEARING_DB, np.zeros(len(_BANDS_HZ) - 1), 0.0, 0.0, None)
    power = frames.power.mean(axis=0)
    bands = np.array(
        [power[(frames.frequencies >= low) & (frames.frequencies < high)].sum() for low, high in _pairs(_BANDS_HZ)]
    )
    colour = decibels(bands + 10.0 ** (-_RANGE_DB / 10.0) * bands.max())
    pitch, periodicity = track_pitch(frames)
    clear = periodicity > CLEAR
    octaves = float(np.log2(np.median(pitch[clear]))) if clear.mean() > 0.5 else None
    side_db, side_seconds = 0.0, 0.0
    if len(ears) == 2:
        side_db = float(np.diff(decibels(ears + 1e-12))[0])
        side_seconds = common_delay(frames.spectra[0], frames.spectra[1], np.ones(len(frames.times)), frames.rate)
    return Edge(level, colour - colour.mean(), side_db, side_seconds, octaves)


def _pairs(edges: Reals) -> list[tuple[float, float]]:
    return list(pairwise(edges.tolist()))
