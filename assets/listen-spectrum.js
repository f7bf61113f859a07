/** Waveform and spectrogram data computed from samples, without drawing. */

export const RANGE_DB = 70;
export const N_ROWS = 96;
const WINDOW_SECONDS = 0.025;
const MAX_COLUMNS = 1000;

/** @typedef {{wave: Float32Array, decibels: Float32Array}} Channel */
/** @typedef {{channels: Channel[], peak: number, nColumns: number, rate: number, window: number, step: number, top: number, seconds: number}} Sound */
/** @typedef {[low: number, high: number]} Band  first and last bin */

/**
 * Analyse a clip.
 * @param {Pick<AudioBuffer, "sampleRate"|"length"|"duration"|"numberOfChannels"|"getChannelData">} buffer
 * @returns {Sound}  channels with `wave` (least and largest sample a column) and `decibels` (rows × columns, the lowest
 *   band first), window and step in seconds, and the highest frequency
 */
export function analyse(buffer) {
  const rate = buffer.sampleRate;
  const size = 2 ** Math.round(Math.log2(WINDOW_SECONDS * rate));
  const step = Math.max(size / 4, Math.ceil(buffer.length / MAX_COLUMNS));
  const nColumns = Math.max(1, Math.ceil(buffer.length / step));
  const bands = listBands(rate, size);
  const heard = [];
  for (let at = 0; at < Math.min(2, buffer.numberOfChannels); at++) {
    const samples = buffer.getChannelData(at);
    heard.push({ wave: outline(samples, nColumns), power: transform(samples, { size, step, nColumns, bands }) });
  }
  // One reference for both ears, so that the louder one looks louder.
  const loudest = heard.reduce((most, { power }) => power.reduce((a, b) => Math.max(a, b), most), 1e-12);
  const channels = heard.map(({ wave, power }) => ({ wave, decibels: power.map((one) => 10 * Math.log10(Math.max(one, 1e-20) / loudest)) }));
  const peak = heard.reduce((most, { wave }) => wave.reduce((a, b) => Math.max(a, Math.abs(b)), most), 1e-9);
  return { channels, peak, nColumns, rate, window: size / rate, step: step / rate, top: rate / 2, seconds: buffer.duration };
}

/** @param {number} hertz @returns {number} */
export function toMel(hertz) {
  return 2595 * Math.log10(1 + hertz / 700);
}

/** @param {number} mel */
function toHertz(mel) {
  return 700 * (10 ** (mel / 2595) - 1);
}

/** First and last bin of each row; rows are evenly spaced in mel. @param {number} rate @param {number} size @returns {Band[]} */
function listBands(rate, size) {
  const top = toMel(rate / 2);
  /** @param {number} row */
  const bin = (row) => (toHertz((row / N_ROWS) * top) * size) / rate;
  return Array.from({ length: N_ROWS }, (_, row) => {
    const low = Math.min(size / 2, Math.round(bin(row)));
    return [low, Math.min(size / 2, Math.max(low, Math.round(bin(row + 1)) - 1))];
  });
}

/** @param {Float32Array} samples @param {number} nColumns */
function outline(samples, nColumns) {
  const found = new Float32Array(2 * nColumns);
  for (let column = 0; column < nColumns; column++) {
    let least = 0;
    let largest = 0;
    const end = Math.floor(((column + 1) * samples.length) / nColumns);
    for (let at = Math.floor((column * samples.length) / nColumns); at < end; at++) {
      if (samples[at] < least) least = samples[at];
      if (samples[at] > largest) largest = samples[at];
    }
    found[2 * column] = least;
    found[2 * column + 1] = largest;
  }
  return found;
}

/** @param {Float32Array} samples @param {{size: number, step: number, nColumns: number, bands: Band[]}} plan */
function transform(samples, { size, step, nColumns, bands }) {
  const hann = Float32Array.from({ length: size }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / size));
  const fourier = makeFourier(size);
  const real = new Float32Array(size);
  const imaginary = new Float32Array(size);
  const power = new Float32Array(N_ROWS * nColumns);
  for (let column = 0; column < nColumns; column++) {
    const begin = Math.round(column * step + step / 2 - size / 2);
    for (let at = 0; at < size; at++) real[at] = (samples[begin + at] ?? 0) * hann[at];
    imaginary.fill(0);
    fourier(real, imaginary);
    for (let row = 0; row < N_ROWS; row++) {
      let most = 0;
      for (let bin = bands[row][0]; bin <= bands[row][1]; bin++) most = Math.max(most, real[bin] ** 2 + imaginary[bin] ** 2);
      power[row * nColumns + column] = most;
    }
  }
  return power;
}

/** In-place fast Fourier transform of one length, a power of two (Cooley and Tukey). @param {number} size @returns {(real: Float32Array, imaginary: Float32Array) => void} */
function makeFourier(size) {
  const bits = Math.log2(size);
  const order = Uint32Array.from({ length: size }, (_, at) => {
    let turned = 0;
    for (let bit = 0; bit < bits; bit++) turned |= ((at >> bit) & 1) << (bits - 1 - bit);
    return turned;
  });
  const cosines = Float32Array.from({ length: size / 2 }, (_, at) => Math.cos((2 * Math.PI * at) / size));
  const sines = Float32Array.from({ length: size / 2 }, (_, at) => -Math.sin((2 * Math.PI * at) / size));
  return (real, imaginary) => {
    for (let at = 0; at < size; at++) {
      const other = order[at];
      if (other <= at) continue;
      [real[at], real[other]] = [real[other], real[at]];
      [imaginary[at], imaginary[other]] = [imaginary[other], imaginary[at]];
    }
    for (let half = 1; half < size; half *= 2) {
      const stride = size / (2 * half);
      for (let begin = 0; begin < size; begin += 2 * half) {
        for (let at = 0; at < half; at++) {
          const [low, high] = [begin + at, begin + at + half];
          const [cosine, sine] = [cosines[at * stride], sines[at * stride]];
          const turnedReal = real[high] * cosine - imaginary[high] * sine;
          const turnedImaginary = real[high] * sine + imaginary[high] * cosine;
          real[high] = real[low] - turnedReal;
          imaginary[high] = imaginary[low] - turnedImaginary;
          real[low] += turnedReal;
          imaginary[low] += turnedImaginary;
        }
      }
    }
  };
}
