"""Questions about a telephone that is dialled: the one language there is here."""

from collections.abc import Sequence

import numpy as np

from evaluation.benchmarks.audio_process_bench.synthetic.sayings import Facet, pick, say
from evaluation.benchmarks.audio_process_bench.synthetic.staging import Event
from evaluation.benchmarks.audio_process_bench.synthetic.subject import QUESTIONS, SEMANTIC, Subject, deal, turn


def build_number(rng: np.random.Generator, pan: float, mirrored: bool) -> Subject:
    """Return a number that is dialled."""
    true, misread = _digits(rng)
    others = [_misread(rng, true, (true, misread))]
    others.append(_misread(rng, misread, (true, misread, *others)))
    options = deal(rng, [" ".join(digits) for digits in (true, misread, *others)])
    true, misread = turn(true, misread, mirrored=mirrored)
    right, wrong = " ".join(true), " ".join(misread)
    return Subject("dial", _dialled(true, pan), _digits_facet(true, misread), options, right, wrong)


def build_sum(rng: np.random.Generator, pan: float, mirrored: bool) -> Subject:
    """Return digits that are dialled and to be added."""
    true, misread = turn(*_digits(rng), mirrored=mirrored)
    totals = [sum(map(int, digits)) for digits in (true, misread)]
    low = min(totals) - int(rng.integers(1, 3))
    numbers = sorted({*totals, low, max(totals) + int(rng.integers(1, 3))})
    options = deal(rng, [str(number) for number in numbers])
    right, wrong = (str(total) for total in totals)
    key, terms = _digits_facet(true, misread), (" + ".join(true), " + ".join(misread))
    return Subject("dial", _dialled(true, pan), key, options, right, wrong, terms=terms)


def build_menu(rng: np.random.Generator, pan: float, mirrored: bool) -> Subject:
    """Return keys that are pressed, of which the last chooses from a menu."""
    keys = sorted(deal(rng, "123456789")[:4])
    services = deal(rng, QUESTIONS["services"])[:4]
    legend = ", ".join(f"{key} is for {service}" for key, service in zip(keys, services, strict=True))
    meaning = dict(zip(keys, services, strict=True))
    last, misread = turn(*deal(rng, keys)[:2], mirrored=mirrored)
    first, other = turn(*deal(rng, "1234567890")[:2], mirrored=mirrored)
    key, aside = _key_facet("last", last, misread), _key_facet("first", first, other)
    events = _dialled(first + pick(rng, "0123456789") + last, pan)
    options = deal(rng, services)
    return Subject("dial", events, key, options, meaning[last], meaning[misread], (aside,), {"legend": legend})


def _digits(rng: np.random.Generator) -> tuple[str, str]:
    digits = "".join(pick(rng, "0123456789") for _ in range(4))
    return digits, _misread(rng, digits, (digits,))


def _misread(rng: np.random.Generator, digits: str, taken: Sequence[str]) -> str:
    """Return digits of which one is another, and which are not taken; their sum is another too."""
    place = int(rng.integers(len(digits)))
    found = [digits[:place] + digit + digits[place + 1 :] for digit in deal(rng, "0123456789")]
    return next(other for other in found if other not in taken)


def _digits_facet(true: str, misread: str) -> Facet:
    told, rumour = (say("digits", digits=" ".join(digits)) for digits in (true, misread))
    return Facet(SEMANTIC, told, rumour, frozenset({"dial"}))


def _key_facet(which: str, digit: str, misread: str) -> Facet:
    told, rumour = (say("key", which=which, digit=read) for read in (digit, misread))
    return Facet(SEMANTIC, told, rumour, frozenset({"dial"}))


def _dialled(digits: str, pan: float) -> list[Event]:
    return [{"kind": "dial", "at": 0.0, "seconds": 0.5 * len(digits), "digits": digits, "gain": 0.6, "pan": pan}]
