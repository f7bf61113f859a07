"""Questions about dialling on a telephone, the only semantic content without speech."""

from collections.abc import Sequence

import numpy as np

from evaluation.benchmarks.audio_process_bench.synthetic.sayings import Facet, make_saying, pick_value
from evaluation.benchmarks.audio_process_bench.synthetic.staging import Event
from evaluation.benchmarks.audio_process_bench.synthetic.subject import QUESTIONS, SEMANTIC, Subject, orient, shuffle


def build_number(rng: np.random.Generator, pan: float, mirrored: bool) -> Subject:
    """Return a subject with a dialled number."""
    true, misread = _digits(rng)
    others = [_misread(rng, true, (true, misread))]
    others.append(_misread(rng, misread, (true, misread, *others)))
    options = shuffle(rng, [" ".join(digits) for digits in (true, misread, *others)])
    true, misread = orient(true, misread, mirrored=mirrored)
    right, wrong = " ".join(true), " ".join(misread)
    return Subject("dial", _dialled(true, pan), _digits_facet(true, misread), options, right, wrong)


def build_sum(rng: np.random.Generator, pan: float, mirrored: bool) -> Subject:
    """Return a subject with dialled digits to add."""
    true, misread = orient(*_digits(rng), mirrored=mirrored)
    totals = [sum(map(int, digits)) for digits in (true, misread)]
    low = min(totals) - int(rng.integers(1, 3))
    numbers = sorted({*totals, low, max(totals) + int(rng.integers(1, 3))})
    options = shuffle(rng, [str(number) for number in numbers])
    right, wrong = (str(total) for total in totals)
    key, terms = _digits_facet(true, misread), (" + ".join(true), " + ".join(misread))
    return Subject("dial", _dialled(true, pan), key, options, right, wrong, terms=terms)


def build_menu(rng: np.random.Generator, pan: float, mirrored: bool) -> Subject:
    """Return a subject with pressed keys, the last of which selects from a menu."""
    keys = sorted(shuffle(rng, "123456789")[:4])
    services = shuffle(rng, QUESTIONS["services"])[:4]
    legend = ", ".join(f"{key} is for {service}" for key, service in zip(keys, services, strict=True))
    meaning = dict(zip(keys, services, strict=True))
    last, misread = orient(*shuffle(rng, keys)[:2], mirrored=mirrored)
    first, other = orient(*shuffle(rng, "1234567890")[:2], mirrored=mirrored)
    key, aside = _key_facet("last", last, misread), _key_facet("first", first, other)
    events = _dialled(first + pick_value(rng, "0123456789") + last, pan)
    options = shuffle(rng, services)
    return Subject("dial", events, key, options, meaning[last], meaning[misread], (aside,), {"legend": legend})


def _digits(rng: np.random.Generator) -> tuple[str, str]:
    digits = "".join(pick_value(rng, "0123456789") for _ in range(4))
    return digits, _misread(rng, digits, (digits,))


def _misread(rng: np.random.Generator, digits: str, taken: Sequence[str]) -> str:
    """Return digits with one changed, which are not already taken; their sum differs too."""
    place = int(rng.integers(len(digits)))
    variants = [digits[:place] + digit + digits[place + 1 :] for digit in shuffle(rng, "0123456789")]
    return next(other for other in variants if other not in taken)


def _digits_facet(true: str, misread: str) -> Facet:
    truth, rumour = (make_saying("digits", digits=" ".join(digits)) for digits in (true, misread))
    return Facet(SEMANTIC, truth, rumour, frozenset({"dial"}))


def _key_facet(which: str, digit: str, misread: str) -> Facet:
    truth, rumour = (make_saying("key", which=which, digit=read) for read in (digit, misread))
    return Facet(SEMANTIC, truth, rumour, frozenset({"dial"}))


def _dialled(digits: str, pan: float) -> list[Event]:
    return [{"kind": "dial", "at": 0.0, "seconds": 0.5 * len(digits), "digits": digits, "gain": 0.6, "pan": pan}]
