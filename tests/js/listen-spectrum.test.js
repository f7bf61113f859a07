import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { N_ROWS, RANGE_DB, analyse, toMel } from "../../assets/listen-spectrum.js";

const RATE = 16000;

/** A sound of one second of samples for each channel, as a browser decodes it. */
function sound(...channels) {
  return { sampleRate: RATE, length: channels[0].length, duration: channels[0].length / RATE, numberOfChannels: channels.length, getChannelData: (at) => channels[at] };
}

const sine = (hertz, loudness = 1, length = RATE) => Float32Array.from({ length }, (_, at) => loudness * Math.sin((2 * Math.PI * hertz * at) / RATE));

/** The row of a spectrogram that a frequency is in. */
const rowOf = (hertz) => (N_ROWS * toMel(hertz)) / toMel(RATE / 2);

/** The loudest row of a column. */
function loudest({ decibels }, nColumns, column) {
  const levels = Array.from({ length: N_ROWS }, (_, row) => decibels[row * nColumns + column]);
  return levels.indexOf(Math.max(...levels));
}

describe("analyse", () => {
  for (const hertz of [440, 1000, 3000, 6000]) {
    test(`analyse of a sine of ${hertz} Hz peaks in the row of its frequency, in every column`, () => {
      const { channels, nColumns } = analyse(sound(sine(hertz)));
      for (let column = 2; column < nColumns - 2; column++) assert.ok(Math.abs(loudest(channels[0], nColumns, column) + 0.5 - rowOf(hertz)) <= 1.5, `column ${column}`);
    });
  }

  test("analyse of a sine leaves distant rows far below it", () => {
    const { channels, nColumns } = analyse(sound(sine(1000)));
    const far = Math.round(rowOf(6000));
    assert.ok(channels[0].decibels[far * nColumns + Math.floor(nColumns / 2)] < -RANGE_DB);
  });

  test("analyse takes the loudest point of both ears as 0 dB", () => {
    const { channels } = analyse(sound(sine(1000), sine(1000, 0.1)));
    const [left, right] = channels.map(({ decibels }) => decibels.reduce((a, b) => Math.max(a, b)));
    assert.ok(Math.abs(left) < 1e-4);
    assert.ok(Math.abs(right + 20) < 0.1, `${right}`);
  });

  test("analyse outlines the least and the largest sample of each column", () => {
    const samples = new Float32Array(RATE);
    samples[5000] = 0.5;
    samples[5001] = -0.25;
    const { channels, peak, nColumns } = analyse(sound(samples));
    const column = Math.floor((5000 * nColumns) / RATE);
    assert.deepEqual([...channels[0].wave.slice(2 * column, 2 * column + 2)], [-0.25, 0.5]);
    assert.equal(channels[0].wave.reduce((sum, one) => sum + Math.abs(one)), 0.75);
    assert.equal(peak, 0.5);
  });

  test("analyse says of what its columns and rows are", () => {
    const found = analyse(sound(sine(1000)));
    assert.deepEqual([found.window, found.step, found.nColumns, found.top, found.seconds, found.rate], [512 / RATE, 128 / RATE, 125, 8000, 1, RATE]);
  });

  test("analyse of a long sound has at most 1,000 columns", () => {
    const { nColumns, channels } = analyse(sound(new Float32Array(60 * RATE)));
    assert.equal(nColumns, 1000);
    assert.equal(channels[0].wave.length, 2000);
    assert.equal(channels[0].decibels.length, N_ROWS * 1000);
  });

  test("analyse of silence, and of nothing, is finite", () => {
    for (const length of [RATE, 0]) {
      const { channels, peak } = analyse(sound(new Float32Array(length)));
      assert.ok(channels[0].decibels.every(Number.isFinite));
      assert.ok(peak > 0);
    }
  });

  test("analyse of more than two channels shows two", () => {
    const one = sine(1000, 1, 1000);
    assert.equal(analyse(sound(one, one, one)).channels.length, 2);
  });
});

test("toMel spaces 1,000 Hz at 1,000 mel", () => {
  assert.equal(toMel(0), 0);
  assert.ok(Math.abs(toMel(1000) - 1000) < 0.1);
  assert.ok(toMel(2000) - toMel(1000) < toMel(1000));
});
