import numpy as np
import pytest

from evaluation.synthesis import Note
from evaluation.synthesis.violin import HIGHEST_HARMONIC, LARGEST_SUM, N_HARMONICS, render_violin

SAMPLE_RATE = 16_000


def test_render_violin_is_a_sum_of_harmonics(subtests: pytest.Subtests) -> None:
    for frequency_hz in (61.7, 261.63, 440.0, 1234.5, 5000.0):
        with subtests.test(frequency_hz=frequency_hz):
            signal = render_violin([Note(frequency_hz, 0.1, 0.5)], SAMPLE_RATE, SAMPLE_RATE)
            seconds = np.arange(8000) / SAMPLE_RATE
            expected = np.zeros(8000)
            for harmonic in range(1, N_HARMONICS + 1):
                if harmonic * frequency_hz <= HIGHEST_HARMONIC * SAMPLE_RATE:
                    expected += np.sin(2 * np.pi * harmonic * frequency_hz * seconds) / (harmonic * LARGEST_SUM)
            # 30 ms of attack and 60 ms of release shape the ends.
            assert np.allclose(signal[1600 + 480 : 9600 - 960], expected[480:-960], rtol=0, atol=1e-9)
            assert not signal[:1600].any()
            assert not signal[9600:].any()


def test_render_violin_starts_and_ends_without_a_step() -> None:
    signal = render_violin([Note(440.0, 0.1, 0.5)], SAMPLE_RATE, SAMPLE_RATE)
    assert np.abs(signal[1600:1616]).max() < 0.01
    assert np.abs(signal[9600 - 16 : 9600]).max() < 0.01


def test_render_violin_stays_within_full_scale(subtests: pytest.Subtests) -> None:
    for frequency_hz in np.geomspace(30.0, 7500.0, 40):
        with subtests.test(frequency_hz=frequency_hz):
            assert np.abs(render_violin([Note(frequency_hz, 0.0, 0.3)], 4800, SAMPLE_RATE)).max() <= 1.0


def test_note_sequence_spreads_notes_evenly() -> None:
    notes = Note.sequence([440.0, 220.0, 330.0], duration_seconds=3.0, gap_seconds=0.25)
    assert notes == (Note(440.0, 0.0, 0.75), Note(220.0, 1.0, 0.75), Note(330.0, 2.0, 0.75))


def test_note_sequence_without_frequencies_raises() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Note.sequence([])


def test_note_out_of_bounds_raises(subtests: pytest.Subtests) -> None:
    rows = [(0.0, 0.0, 0.5), (float("nan"), 0.0, 0.5), (440.0, -0.1, 0.5), (440.0, 0.0, 0.05), (440.0, 0.0, np.inf)]
    for values in rows:
        with subtests.test(values=values), pytest.raises(ValueError, match="a note"):
            Note(*values)


def test_render_violin_of_impossible_notes_raises(subtests: pytest.Subtests) -> None:
    rows: list[tuple[list[Note], str]] = [
        ([Note(440.0, 0.0, 0.5), Note(440.0, 0.4, 0.5)], "overlap"),
        ([Note(440.0, 0.5, 0.4), Note(440.0, 0.0, 0.4)], "out of order"),
        ([Note(440.0, 0.8, 0.5)], "after the clip's end"),
        ([Note(7900.0, 0.0, 0.5)], "does not fit the band"),
    ]
    for notes, message in rows:
        with subtests.test(notes=notes, message=message), pytest.raises(ValueError, match=message):
            render_violin(notes, SAMPLE_RATE, SAMPLE_RATE)
