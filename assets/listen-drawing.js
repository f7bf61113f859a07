/** Draws waveform and spectrogram of both channels, left over right, in the colours of the page. */

import { make } from "./board-format.js";
import { N_ROWS, RANGE_DB, analyse, toMel } from "./listen-spectrum.js";

const WAVE = 32;
const SPECTRUM = 80;
const GAP = 4;
const BETWEEN = 8;
const AXIS = 20;
const LEFT = 48;
const RIGHT = 8;
const NAMES = ["Left", "Right"];
const TICKS_HZ = [250, 500, 1000, 2000, 4000, 8000, 16000];
const MIN_TICK_GAP = 13;

/** Waveform and spectrogram of one clip; `frame` is its element on the page. */
export class Picture {
  /** @param {AudioBuffer} buffer @param {string} name */
  constructor(buffer, name) {
    this.found = analyse(buffer);
    const { channels, seconds, top } = this.found;
    const sides = channels.length > 1 ? "left channel above right channel" : "one channel";
    const label = `${name}: waveform and spectrogram, ${sides}, ${seconds.toFixed(1)} seconds, up to ${sayHertz(top)}`;
    this.canvas = make("canvas", { class: "es-sound-picture", role: "img", "aria-label": label });
    this.head = make("div", { class: "es-playhead", "aria-hidden": "true" });
    this.frame = make("div", { class: "es-sound-frame" }, this.canvas, this.head);
    this.watcher = new ResizeObserver(() => this.draw());
    this.watcher.observe(this.frame);
    this.scheme = new MutationObserver(() => this.draw());
    this.scheme.observe(document.body, { attributes: true, attributeFilter: ["class"] });
  }

  /** Caption of the picture. */
  caption() {
    const { window: length, step, channels } = this.found;
    const layout = channels.length > 1 ? "Waveform and spectrogram per channel, left above right. " : "Waveform and spectrogram. ";
    const scale = `Hann window of ${toMs(length)} ms, step ${toMs(step)} ms, mel frequency scale. 0 dB = loudest point.`;
    const legend = make("span", { class: "es-decibels" }, `−${RANGE_DB} dB `, make("i", { "aria-hidden": "true" }), " 0 dB");
    return make("p", { class: "es-quiet es-sound-caption" }, layout + scale + " ", legend);
  }

  /** Move the playhead. @param {number} seconds */
  point(seconds) {
    const share = Math.min(1, Math.max(0, seconds / this.found.seconds || 0));
    this.head.style.left = `calc(${LEFT}px + ${share} * (100% - ${LEFT + RIGHT}px))`;
  }

  /** @param {PointerEvent} event @returns {number}  the time at the pointer, in seconds */
  secondAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
    return Math.min(1, Math.max(0, share)) * this.found.seconds;
  }

  /** Stop observing changes of the page. */
  close() {
    this.watcher.disconnect();
    this.scheme.disconnect();
  }

  draw() {
    const width = this.frame.clientWidth;
    if (!width) return;
    const { channels } = this.found;
    const height = channels.length * (WAVE + GAP + SPECTRUM) + (channels.length - 1) * BETWEEN + AXIS;
    const scale = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.canvas.style.height = `${height}px`;
    const context = this.canvas.getContext("2d");
    if (!context) return;
    context.scale(scale, scale);
    const colours = readColours(this.frame);
    context.font = `12px ${getComputedStyle(this.frame).fontFamily}`;
    const inner = width - LEFT - RIGHT;
    channels.forEach((channel, at) => {
      const top = at * (WAVE + GAP + SPECTRUM + BETWEEN);
      drawName(context, colours, channels.length > 1 ? NAMES[at] : "Mono", top);
      drawWave(context, colours, channel.wave, this.found.peak, { left: LEFT, top, width: inner });
      const place = { left: LEFT, top: top + WAVE + GAP, width: inner };
      drawSpectrum(context, colours, channel.decibels, this.found.nColumns, place);
      drawFrequencies(context, colours, this.found.top, place);
    });
    drawTimes(context, colours, this.found.seconds, { left: LEFT, top: height - AXIS, width: inner });
  }
}

/** @typedef {number[]} Colour  red, green and blue */
/** @typedef {{quiet: string, line: string, accent: string, ramp: Colour[]}} Colours */
/** @typedef {{left: number, top: number, width: number}} Box */

/** @param {Element} element @returns {Colours} */
function readColours(element) {
  const style = getComputedStyle(element);
  /** @param {string} name */
  const read = (name) => style.getPropertyValue(`--es-${name}`).trim();
  return { quiet: read("quiet"), line: read("line"), accent: read("accent"), ramp: [read("sunken"), read("heat"), read("accent-strong")].map(parse) };
}

/** @param {string} colour @returns {Colour} */
function parse(colour) {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** @param {CanvasRenderingContext2D} context @param {Colours} colours @param {string} name @param {number} top */
function drawName(context, colours, name, top) {
  context.fillStyle = colours.quiet;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(name, 0, top + WAVE / 2);
}

/** @param {CanvasRenderingContext2D} context @param {Colours} colours @param {Float32Array} wave @param {number} peak @param {Box} box */
function drawWave(context, colours, wave, peak, { left, top, width }) {
  const middle = top + WAVE / 2;
  const nColumns = wave.length / 2;
  context.fillStyle = colours.line;
  context.fillRect(left, middle - 0.5, width, 1);
  context.fillStyle = colours.accent;
  for (let column = 0; column < nColumns; column++) {
    const [low, high] = [wave[2 * column] / peak, wave[2 * column + 1] / peak];
    const height = Math.max(1, ((high - low) * WAVE) / 2);
    context.fillRect(left + (column * width) / nColumns, middle - (high * WAVE) / 2, Math.max(0.6, width / nColumns), height);
  }
}

/** @param {CanvasRenderingContext2D} context @param {Colours} colours @param {Float32Array} decibels @param {number} nColumns @param {Box} box */
function drawSpectrum(context, colours, decibels, nColumns, { left, top, width }) {
  const picture = new ImageData(nColumns, N_ROWS);
  for (let row = 0; row < N_ROWS; row++) {
    for (let column = 0; column < nColumns; column++) {
      const level = Math.max(0, 1 + decibels[row * nColumns + column] / RANGE_DB);
      const at = 4 * ((N_ROWS - 1 - row) * nColumns + column);
      mix(colours.ramp, level, picture.data, at);
    }
  }
  const small = document.createElement("canvas");
  [small.width, small.height] = [nColumns, N_ROWS];
  small.getContext("2d")?.putImageData(picture, 0, 0);
  context.drawImage(small, left, top, width, SPECTRUM);
}

/** @param {Colour[]} ramp @param {number} level @param {Uint8ClampedArray} target @param {number} at */
function mix(ramp, level, target, at) {
  const upper = level > 0.6;
  const [from, to] = upper ? [ramp[1], ramp[2]] : [ramp[0], ramp[1]];
  const share = upper ? (level - 0.6) / 0.4 : level / 0.6;
  for (let channel = 0; channel < 3; channel++) target[at + channel] = from[channel] + share * (to[channel] - from[channel]);
  target[at + 3] = 255;
}

/** @param {CanvasRenderingContext2D} context @param {Colours} colours @param {number} highest @param {Box} box */
function drawFrequencies(context, colours, highest, { left, top }) {
  context.fillStyle = colours.quiet;
  context.textAlign = "right";
  context.textBaseline = "middle";
  let above = top - MIN_TICK_GAP;
  let isFirst = true;
  for (const hertz of TICKS_HZ.filter((tick) => tick <= highest).reverse()) {
    const place = top + SPECTRUM * (1 - toMel(hertz) / toMel(highest));
    if (place - above < MIN_TICK_GAP) continue;
    above = place;
    context.fillText(`${hertz / 1000}${isFirst ? " kHz" : ""}`, left - 8, Math.max(top + 6, place));
    isFirst = false;
    context.fillRect(left - 5, place - 0.5, 4, 1);
  }
}

/** @param {CanvasRenderingContext2D} context @param {Colours} colours @param {number} seconds @param {Box} box */
function drawTimes(context, colours, seconds, { left, top, width }) {
  const tick = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120].find((one) => seconds / one <= width / 56) ?? 300;
  const digits = tick < 0.1 ? 2 : tick < 1 ? 1 : 0;
  context.fillStyle = colours.quiet;
  context.textBaseline = "top";
  for (let at = 0; at <= seconds + 1e-6; at += tick) {
    const place = left + (at / seconds) * width;
    const isLast = at + tick > seconds + 1e-6;
    context.textAlign = at === 0 ? "left" : place > left + width - 20 ? "right" : "center";
    context.fillRect(place - 0.5, top + 1, 1, 4);
    context.fillText(`${at.toFixed(digits)}${isLast ? " s" : ""}`, place, top + 7);
  }
}

/** @param {number} hertz */
function sayHertz(hertz) {
  return `${(hertz / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} kHz`;
}

/** @param {number} seconds */
function toMs(seconds) {
  return (1000 * seconds).toLocaleString("en", { maximumFractionDigits: 0 });
}
