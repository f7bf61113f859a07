"""Checks of claims against the recording; None if listening does not decide."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from evaluation.listeners.critique.claims import Claim, Kinds
from evaluation.listeners.critique.happenings import Happening, follow_side, hear_happenings
from evaluation.listeners.listener_types import Sound

_HIGHER, _LOUDER_DB, _LATE, _LONGER = 1.06, 3.0, 1.5, 1.2
_CLEAR_GLIDE = 1.15
_ASIDE = 0.35


@dataclass(frozen=True, slots=True, eq=False)
class Hearing:
    """What was detected in one recording.

    Attributes:
        sound: The recording.
        happenings: Events, in order.
    """

    sound: Sound
    happenings: tuple[Happening, ...]

    @classmethod
    def of(cls, sound: Sound) -> "Hearing":
        """Analyse a recording."""
        return cls(sound, hear_happenings(sound))

    @property
    def has_sides(self) -> bool:
        """Whether there are two channels."""
        return bool(self.sound.samples.shape[1] == 2)

    def find_named(self, kinds: Sequence[Kinds]) -> list[Happening]:
        """Return the sounds of the kinds that a claim names first."""
        kinds_wanted = kinds[0] if kinds else frozenset[str]()
        return [happening for happening in self.happenings if happening.kind in kinds_wanted]


def fits(claim: Claim, hearing: Hearing) -> bool | None:
    """Return whether a claim is true of the recording, None if unknown."""
    check = _CHECKS.get(claim.form)
    return None if check is None or not hearing.happenings else check(claim, hearing)


def _present(claim: Claim, hearing: Hearing) -> bool | None:
    return bool(hearing.find_named(claim.sounds)) == bool(claim.value)


def _check_count(claim: Claim, hearing: Hearing) -> bool | None:
    # A melody is the only sound: the timbre of its notes may vary.
    sounds = hearing.happenings if "note" in claim.sounds[0] else hearing.find_named(claim.sounds)
    return len(sounds) == claim.value


def _check_place(claim: Claim, hearing: Hearing) -> bool | None:
    places = [happening.place for happening in hearing.find_named(claim.sounds)]
    if not places or None in places:
        return None
    return all(place == claim.value for place in places)


def _way(claim: Claim, hearing: Hearing) -> bool | None:
    if not hearing.has_sides:
        return None
    moments, sides = follow_side(hearing.sound)
    ends = [float(np.median(sides[part])) for part in (moments < 0.4, moments > 0.6) if part.any()]
    if len(ends) < 2 or min(map(abs, ends)) < _ASIDE:
        return None
    return "-".join("left" if side < 0 else "right" for side in ends) == claim.value


def _check_order(claim: Claim, hearing: Hearing) -> bool | None:
    first, second = (hearing.find_named([kinds]) for kinds in claim.sounds)
    return first[-1].event.end <= second[0].event.begin if first and second else None


def _check_next(claim: Claim, hearing: Hearing) -> bool | None:
    """Check that one sound comes right before or after another one."""
    places = [place for place, happening in enumerate(hearing.happenings) if happening.kind in claim.sounds[1]]
    if not places:
        return None
    place = places[0] - 1 if claim.value == "before" else places[-1] + 1
    return 0 <= place < len(hearing.happenings) and hearing.happenings[place].kind in claim.sounds[0]


def _row(claim: Claim, hearing: Hearing) -> list[Happening] | None:
    sounds = hearing.find_named(claim.sounds)
    return sounds if len(sounds) >= 2 else None


def _even_pitch(claim: Claim, hearing: Hearing) -> bool | None:
    row = _row(claim, hearing)
    return (
        None
        if row is None
        else max(happening.pitch for happening in row) < _HIGHER * min(happening.pitch for happening in row)
    )


def _last_is_higher(claim: Claim, hearing: Hearing) -> bool | None:
    row = _row(claim, hearing)
    return None if row is None else row[-1].pitch > _HIGHER * max(happening.pitch for happening in row[:-1])


def _gaps(claim: Claim, hearing: Hearing, least: int) -> list[float] | None:
    sounds = hearing.find_named(claim.sounds)
    gaps = [later.event.begin - earlier.event.begin for earlier, later in pairwise(sounds)]
    return gaps if len(gaps) >= least else None


def _even_pace(claim: Claim, hearing: Hearing) -> bool | None:
    gaps = _gaps(claim, hearing, 2)
    return None if gaps is None else max(gaps) < _LATE * min(gaps)


def _last_is_late(claim: Claim, hearing: Hearing) -> bool | None:
    gaps = _gaps(claim, hearing, 2)
    return None if gaps is None else gaps[-1] > _LATE * max(gaps[:-1])


def _longest_pause(claim: Claim, hearing: Hearing) -> bool | None:
    gaps = _gaps(claim, hearing, 2)
    return None if gaps is None else int(np.argmax(gaps)) == claim.value


def _longest(claim: Claim, hearing: Hearing) -> bool | None:
    lengths = [happening.event.seconds for happening in hearing.find_named(claim.sounds)]
    return int(np.argmax(lengths)) == claim.value if len(lengths) >= 2 else None


def _find_pair(kind: str, hearing: Hearing) -> tuple[Happening, Happening] | None:
    sounds = [happening for happening in hearing.happenings if happening.kind == kind]
    return (sounds[0], sounds[1]) if len(sounds) == 2 else None


def _pitch_step(hearing: Hearing) -> float | None:
    pair = _find_pair("tone", hearing) or _find_pair("bell", hearing)
    return None if pair is None else pair[1].pitch / pair[0].pitch


def _level_step(hearing: Hearing) -> float | None:
    pair = _find_pair("bell", hearing) or _find_pair("tone", hearing)
    return None if pair is None else pair[1].event.level_db - pair[0].event.level_db


def _higher(claim: Claim, hearing: Hearing) -> bool | None:
    step = _pitch_step(hearing)
    return None if step is None else (step if claim.value == 1 else 1 / step) > _HIGHER


def _equal_pitch(_claim: Claim, hearing: Hearing) -> bool | None:
    step = _pitch_step(hearing)
    return None if step is None else 1 / _HIGHER < step < _HIGHER


def _louder(claim: Claim, hearing: Hearing) -> bool | None:
    step = _level_step(hearing)
    return None if step is None else (step if claim.value == 1 else -step) > _LOUDER_DB


def _equal_loudness(_claim: Claim, hearing: Hearing) -> bool | None:
    step = _level_step(hearing)
    return None if step is None else abs(step) < _LOUDER_DB


def _glide(claim: Claim, hearing: Hearing) -> bool | None:
    longest = max(hearing.find_named(claim.sounds), key=lambda happening: happening.event.seconds, default=None)
    if longest is None or len(longest.pitches) < 4:
        return None
    ratio = float(longest.pitches[-3:].mean() / longest.pitches[:3].mean())
    return claim.value == ("up" if ratio > _CLEAR_GLIDE else "down" if ratio < 1 / _CLEAR_GLIDE else "level")


def _melody(claim: Claim, hearing: Hearing) -> bool | None:
    pitches = [happening.pitch for happening in hearing.happenings]
    steps = np.sign(np.diff(pitches)).sum()
    return None if steps == 0 else bool(claim.value == ("up" if steps > 0 else "down"))


def _pressed(hearing: Hearing) -> str:
    return "".join(happening.key for happening in hearing.happenings)


def _digits(claim: Claim, hearing: Hearing) -> bool | None:
    return _pressed(hearing) == claim.value


def _key(claim: Claim, hearing: Hearing) -> bool | None:
    pressed = _pressed(hearing)
    place = int(claim.other)
    return pressed[place] == claim.value if -len(pressed) <= place < len(pressed) else None


def _extreme(claim: Claim, hearing: Hearing) -> bool | None:
    return hearing.happenings[int(claim.value)].kind in claim.sounds[0] if claim.sounds else None


_CHECKS: Mapping[str, Callable[[Claim, Hearing], bool | None]] = {
    "present": _present, "count": _check_count, "place": _check_place, "way": _way, "order": _check_order,
    "next": _check_next, "even-pitch": _even_pitch, "last-is-higher": _last_is_higher, "even-pace": _even_pace,
    "last-is-late": _last_is_late, "longest-pause": _longest_pause, "longest": _longest, "higher": _higher,
    "equal-pitch": _equal_pitch,
    "louder": _louder, "equal-loudness": _equal_loudness, "glide": _glide, "melody": _melody, "digits": _digits,
    "key": _key, "extreme": _extreme,
}  # fmt: skip
