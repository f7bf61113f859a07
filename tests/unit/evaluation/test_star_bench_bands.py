"""Bands of the audiogram: every tone is in one band of each kind, and no band, piece or difference has few items."""

from itertools import product

from evaluation.benchmarks.coverage import MIN_READABLE
from evaluation.benchmarks.star_bench.design import FREQUENCIES_HZ, LEVELS_DB_HL
from evaluation.benchmarks.star_bench.slices import (
    BROAD_FREQUENCIES,
    BROAD_LEVELS,
    FREQUENCY_BANDS,
    LEVEL_BANDS,
    audiogram_bands,
)


def test_bands_contain_every_frequency_and_level_once() -> None:
    for bands, values in (
        (FREQUENCY_BANDS, FREQUENCIES_HZ),
        (BROAD_FREQUENCIES, FREQUENCIES_HZ),
        (LEVEL_BANDS, LEVELS_DB_HL),
        (BROAD_LEVELS, LEVELS_DB_HL),
    ):
        assert [value for band in bands for value in band] == list(values)
    assert len(set(audiogram_bands())) == len(audiogram_bands()) == 5 + 6 + 6


def test_bands_and_their_differences_have_the_minimum_number_of_public_items() -> None:
    tones = list(product(FREQUENCIES_HZ, LEVELS_DB_HL))
    bands = [{tone for tone in tones if tone[0] in band} for band in FREQUENCY_BANDS]
    bands += [{tone for tone in tones if tone[1] in band} for band in LEVEL_BANDS]
    pieces = [{(hertz, level) for hertz in low for level in soft} for low in BROAD_FREQUENCIES for soft in BROAD_LEVELS]
    broad = [{tone for tone in tones if tone[0] in band} for band in BROAD_FREQUENCIES]
    broad += [{tone for tone in tones if tone[1] in band} for band in BROAD_LEVELS]
    known = [*bands, *pieces, *broad, set(tones)]
    assert min(map(len, known)) >= MIN_READABLE
    within = [(inner, outer) for inner in known for outer in known if inner < outer]
    assert len(within) > len(known)
    assert min(len(outer - inner) for inner, outer in within) >= MIN_READABLE
