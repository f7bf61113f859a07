"""Question families: the sounds, the facts, and the claims of generators that err."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from evaluation.benchmarks.audio_process_bench.synthetic.dialling import build_menu, build_number, build_sum
from evaluation.benchmarks.audio_process_bench.synthetic.sayings import (
    NUMBERS,
    ORDINALS,
    Facet,
    Saying,
    make_saying,
    pick_value,
)
from evaluation.benchmarks.audio_process_bench.synthetic.staging import Event, row
from evaluation.benchmarks.audio_process_bench.synthetic.subject import (
    ATTRIBUTE,
    EXISTENCE,
    PLACES,
    QUESTIONS,
    TEMPORAL,
    Subject,
    orient,
    shuffle,
)


def build_subject(rng: np.random.Generator, family: str, place: str, *, mirrored: bool) -> Subject:
    """Return the subject of a question of a family, at a location.

    The mirrored subject has the same question text, and the opposite facts.
    """
    return _BUILDERS[family](rng, PLACES[place], mirrored)


def _build_count(rng: np.random.Generator, pan: float, mirrored: bool) -> Subject:
    name = pick_value(rng, ("bell", "click", "tone"))
    n, other, low = _two_numbers(rng, mirrored=mirrored)
    options = tuple(NUMBERS[number].capitalize() for number in range(low, low + 4))
    events, asides = _strikes(rng, name, (n, other), pan, mirrored=mirrored)
    return Subject(name, events, _count_facet(name, n, other), options, options[n - low], options[other - low], asides)


def _signal(rng: np.random.Generator, pan: float, mirrored: bool) -> Subject:
    n, other, low = _two_numbers(rng, mirrored=mirrored)
    meanings = shuffle(rng, QUESTIONS["meanings"])[:4]
    legend = ", ".join(
        f"{NUMBERS[low + place]} strokes of the bell mean “{meaning}”" for place, meaning in enumerate(meanings)
    )
    events, asides = _strikes(rng, "bell", (n, other), pan, mirrored=mirrored)
    key = _count_facet("bell", n, other)
    right, wrong = meanings[n - low], meanings[other - low]
    return Subject("bell", events, key, shuffle(rng, meanings), right, wrong, asides, {"legend": legend})


def _two_numbers(rng: np.random.Generator, *, mirrored: bool) -> tuple[int, int, int]:
    """Return two adjacent numbers from 2 to 6 in either order, and the lowest of four options that contain both."""
    smaller = int(rng.integers(2, 6))
    low = int(rng.integers(max(2, smaller - 2), min(3, smaller) + 1))
    pair = (smaller, smaller + 1)[:: int(rng.choice((-1, 1)))]
    return *orient(*pair, mirrored=mirrored), low


def _count_facet(name: str, n: int, other: int) -> Facet:
    return Facet(
        EXISTENCE,
        make_saying("count", what=name, n=NUMBERS[n]),
        make_saying("count", what=name, n=NUMBERS[other]),
        frozenset({name}),
    )


def _strikes(
    rng: np.random.Generator, name: str, numbers: tuple[int, int], pan: float, *, mirrored: bool
) -> tuple[list[Event], tuple[Facet, ...]]:
    """Return a series of sounds, the last perhaps higher or late, and the possible claims about it.

    Args:
        rng: Random generator.
        name: Name of the sound.
        numbers: Number of sounds, and their number in the mirrored recording.
        pan: Direction.
        mirrored: Whether this is the mirrored recording.
    """
    n = numbers[0]
    pitch = {"bell": rng.uniform(500, 900), "click": rng.uniform(1400, 2200), "tone": rng.uniform(500, 1000)}[name]
    event: Event = {"kind": name, "gain": round(float(rng.uniform(0.45, 0.7)), 3), "pan": pan, "pitch": round(pitch)}
    # Not possible with two sounds, and claims have to make sense for both recordings.
    says_more = min(numbers) > 2
    is_late, goes_up = (says_more and bool(flag) != mirrored for flag in rng.integers(0, 2, 2))
    events = row(rng, n, {"bell": 0.42, "click": 0.3, "tone": 0.3}[name], event, {n - 1: 0.55} if is_late else {})
    if not says_more:
        return events, ()
    asides = [_choice_facet(TEMPORAL, name, ("pause-even", "pause-last"), chosen=is_late)]
    if name != "click":
        events[-1]["pitch"] = round(pitch * (1.45 if goes_up else 1))
        asides.append(_choice_facet(ATTRIBUTE, name, ("pitch-even", "pitch-last"), chosen=goes_up))
    return events, tuple(asides)


def _choice_facet(kind: str, name: str, forms: tuple[str, str], *, chosen: bool) -> Facet:
    return Facet(
        kind, make_saying(forms[chosen], what=name), make_saying(forms[not chosen], what=name), frozenset({name})
    )


def _pitch(rng: np.random.Generator, pan: float, mirrored: bool) -> Subject:
    low = rng.uniform(350, 600)
    ratio = rng.uniform(1.2, 1.6)
    pitches = {"the first": (low * ratio, low), "the second": (low, low * ratio), "neither": (low, low)}
    sayings = {**_pair_sayings("higher"), "neither": make_saying("equal-pitch")}
    right, wrong = orient(*shuffle(rng, tuple(sayings))[:2], mirrored=mirrored)
    events = [
        {"kind": "tone", "at": at, "seconds": 0.8, "pitch": round(pitch, 1), "gain": 0.6, "pan": pan}
        for at, pitch in zip((0.0, 1.1), pitches[right], strict=True)
    ]
    return _compare("pair", events, sayings, right, wrong, rng)


def _louder(rng: np.random.Generator, pan: float, mirrored: bool) -> Subject:
    levels = {"the first": (0.75, 0.28), "the second": (0.28, 0.75), "neither": (0.5, 0.5)}
    sayings = {**_pair_sayings("louder"), "neither": make_saying("equal-loudness")}
    right, wrong = orient(*shuffle(rng, tuple(sayings))[:2], mirrored=mirrored)
    pitch = round(float(rng.uniform(500, 900)))
    events = [
        {"kind": "bell", "at": at, "seconds": 0.9, "pitch": pitch, "gain": gain, "pan": pan}
        for at, gain in zip((0.0, 1.1), levels[right], strict=True)
    ]
    return _compare("strokes", events, sayings, right, wrong, rng)


def _pair_sayings(form: str) -> dict[str, Saying]:
    return {
        "the first": make_saying(form, which="first", other="second"),
        "the second": make_saying(form, which="second", other="first"),
    }


def _glide(rng: np.random.Generator, pan: float, mirrored: bool) -> Subject:
    ends = {"rises in pitch": 1.8, "falls in pitch": 1 / 1.8, "keeps its pitch": 1.0}
    right, wrong = orient(*shuffle(rng, tuple(ends))[:2], mirrored=mirrored)
    start = rng.uniform(500, 800)
    event = {"kind": "glide", "at": 0.0, "seconds": round(float(rng.uniform(1.6, 2.4)), 2), "gain": 0.6, "pan": pan}
    event |= {"pitch": round(start, 1), "pitch_to": round(start * ends[right], 1)}
    sayings = {way: make_saying("glide", way=way) for way in ends}
    return _compare("glide", [event], sayings, right, wrong, rng)


def _compare(
    name: str, events: Sequence[Event], sayings: Mapping[str, Saying], right: str, wrong: str, rng: np.random.Generator
) -> Subject:
    """Return a subject whose options are claims about it."""
    key = Facet(ATTRIBUTE, sayings[right], sayings[wrong], frozenset({name}))
    options = shuffle(rng, [option.capitalize() for option in sayings])
    return Subject(name, events, key, options, right.capitalize(), wrong.capitalize())


def _side(rng: np.random.Generator, pan: float, mirrored: bool) -> Subject:
    name = pick_value(rng, ("bell", "click", "tone"))
    place = next(place for place, value in PLACES.items() if value == pan)
    right, wrong = orient(place, pick_value(rng, [other for other in PLACES if other != place]), mirrored=mirrored)
    n = int(rng.integers(2, 5))
    events, asides = _strikes(rng, name, (n, n), PLACES[right], mirrored=mirrored)
    sayings = {place: make_saying("side", what=name, place=place) for place in PLACES}
    compared = _compare(name, events, sayings, right, wrong, rng)
    return Subject(name, events, compared.key, compared.options, compared.right, compared.wrong, asides)


def _longest(rng: np.random.Generator, pan: float, mirrored: bool) -> Subject:
    right, wrong = orient(*shuffle(rng, ORDINALS[:3])[:2], mirrored=mirrored)
    at, events = 0.0, []
    pitch = round(float(rng.uniform(400, 800)))
    for ordinal in ORDINALS[:3]:
        seconds = round(float(rng.uniform(0.35, 0.55) * (1.8 if ordinal == right else 1)), 3)
        events.append({"kind": "tone", "at": round(at, 3), "seconds": seconds, "pitch": pitch, "gain": 0.6, "pan": pan})
        at += seconds + 0.25
    return _pick_ordinal("tone", "longest", ORDINALS[:3], events, right, wrong)


def _gap(rng: np.random.Generator, pan: float, mirrored: bool) -> Subject:
    right, wrong = orient(*shuffle(rng, ORDINALS[:3])[:2], mirrored=mirrored)
    event: Event = {"kind": "click", "gain": 0.6, "pan": pan, "pitch": round(float(rng.uniform(1400, 2200)))}
    events = row(rng, 4, 0.3, event, {ORDINALS.index(right) + 1: float(rng.uniform(0.4, 0.6))})
    return _pick_ordinal("click", "gap", ORDINALS[:3], events, right, wrong)


def _pick_ordinal(
    name: str, form: str, ordinals: Sequence[str], events: Sequence[Event], right: str, wrong: str
) -> Subject:
    key = Facet(TEMPORAL, make_saying(form, which=right), make_saying(form, which=wrong), frozenset({name}))
    options = tuple(f"The {ordinal}" for ordinal in ordinals)
    return Subject(name, events, key, options, f"The {right}", f"The {wrong}")


_BUILDERS: Mapping[str, Callable[[np.random.Generator, float, bool], Subject]] = {
    "count": _build_count, "signal": _signal, "pitch": _pitch, "glide": _glide, "louder": _louder, "side": _side,
    "number": build_number, "sum": build_sum, "menu": build_menu, "longest": _longest, "gap": _gap,
}  # fmt: skip
