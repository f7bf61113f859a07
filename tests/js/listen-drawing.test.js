import { open, page, settle, sizes } from "./dom.js";

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { Picture } from "../../assets/listen-drawing.js";
import { Player } from "../../assets/listen-player.js";
import "./listen-samples.js";
import { serve } from "./server.js";

const RATE = 16000;
// Shades of grey for the spectrogram, so that a pixel says how loud it is.
const COLOURS = { "--es-sunken": "#000000", "--es-heat": "#999999", "--es-accent-strong": "#ffffff" };
globalThis.getComputedStyle = () => ({ fontFamily: "sans-serif", getPropertyValue: (name) => COLOURS[name] ?? "#111111" });

/** What was drawn on any canvas, call by call. */
let drawn;
const pictures = [];

globalThis.ImageData = class {
  constructor(width, height) {
    Object.assign(this, { width, height, data: new Uint8ClampedArray(4 * width * height) });
  }
};
page.HTMLCanvasElement.prototype.getContext = () =>
  new Proxy({}, { get: (target, name) => (name in target ? target[name] : (...words) => drawn.push([name, ...words])), set: Reflect.set });

/** One second of a tone on one of two sides. */
function sound(...loudness) {
  const channels = loudness.map((loud) => Float32Array.from({ length: RATE }, (_, at) => loud * Math.sin((2 * Math.PI * 1000 * at) / RATE)));
  return { sampleRate: RATE, length: RATE, duration: 1, numberOfChannels: channels.length, getChannelData: (at) => channels[at] };
}

function picture(...loudness) {
  const made = new Picture(sound(...loudness), "Audio 1");
  Object.defineProperty(made.frame, "clientWidth", { value: 556 });
  page.document.body.append(made.frame);
  pictures.push(made);
  return made;
}

const calls = (name) => drawn.filter(([one]) => one === name).map(([, ...words]) => words);

const startAnew = () => {
  open("/?tab=listen");
  drawn = [];
  sizes.clear();
};

const closePictures = () => pictures.splice(0).forEach((one) => one.close());

describe("the picture of a sound", () => {
  beforeEach(startAnew);
  afterEach(closePictures);

  test("its label says what it shows", () => {
    assert.equal(picture(1, 1).canvas.getAttribute("aria-label"), "Audio 1: waveform and spectrogram, left channel above right channel, 1.0 seconds, up to 8 kHz");
    assert.match(picture(1).canvas.getAttribute("aria-label"), /, one channel, /);
  });

  test("its caption says how it was made", () => {
    const text = picture(1, 1).caption().textContent;
    assert.match(text, /left above right.*Hann window of 32 ms, step 8 ms.*−70 dB/);
  });

  test("its playhead and the second that is pointed at agree", () => {
    const made = picture(1);
    made.canvas.getBoundingClientRect = () => ({ left: 10, width: 556 });
    assert.equal(made.secondAt({ clientX: 10 + 48 + 250 }), 0.5);
    assert.deepEqual([made.secondAt({ clientX: 0 }), made.secondAt({ clientX: 900 })], [0, 1]);
    made.point(0.5);
    assert.equal(made.head.style.left, "calc(48px + 0.5 * (100% - 56px))");
    made.point(9);
    assert.match(made.head.style.left, /\+ 1 \*/);
  });

  test("draw names channels, times, and the frequencies that there is room for", () => {
    picture(1, 1).draw();
    const words = calls("fillText").map(([text]) => text);
    assert.deepEqual(words.filter((text) => /Left|Right|Mono/.test(text)), ["Left", "Right"]);
    assert.deepEqual(words.slice(1, words.indexOf("Right")), ["8 kHz", "4", "2", "1", "0.25"]);
    assert.deepEqual(words.slice(-6), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0 s"]);
  });

  test("draw shows a loud side brighter than a silent one", () => {
    picture(1, 0).draw();
    const [left, right] = calls("putImageData").map(([{ data }]) => data.filter((_, at) => at % 4 === 0).reduce((a, b) => Math.max(a, b)));
    assert.ok(left >= 254, `${left}`);
    assert.equal(right, 0);
    const heights = calls("fillRect").filter(([, , , height]) => height > 30);
    assert.ok(heights.length > 100, "the waveform of the loud side is as high as its place");
  });

  test("draw without a place does nothing", () => {
    new Picture(sound(1), "Audio 1").draw();
    assert.deepEqual(drawn, []);
  });

  test("draw follows the size and the colours of the page until it is closed", async () => {
    const made = picture(1);
    [...sizes].forEach((one) => one.onSize());
    assert.equal(calls("drawImage").length, 1);
    page.document.body.setAttribute("class", "dark");
    await page.happyDOM.whenAsyncComplete();
    await settle();
    assert.equal(calls("drawImage").length, 2);
    made.close();
    assert.equal(sizes.size, 0);
  });
});

describe("a sound that is loaded", () => {
  beforeEach(startAnew);
  afterEach(closePictures);

  test("Player decodes it at its own rate, shows its picture, and forgets it when it is closed", async () => {
    const rates = [];
    globalThis.OfflineAudioContext = class {
      constructor(_channels, _length, rate) {
        rates.push(rate);
      }

      async decodeAudioData() {
        return sound(1, 0);
      }
    };
    const bytes = new DataView(new ArrayBuffer(44));
    bytes.setUint32(24, RATE, true);
    serve(() => new Response(bytes));
    const player = new Player({ name: "Audio 1", url: "/a.wav", seconds: 1 }, () => {});
    page.document.body.append(player.element);
    await settle();
    assert.deepEqual(rates, [RATE]);
    const { frame, canvas } = player.picture;
    assert.ok(player.element.contains(frame));
    assert.match(player.audio.src, /^blob:/);
    canvas.getBoundingClientRect = () => ({ left: 0, width: 556 });
    frame.dispatchEvent(new page.PointerEvent("pointerdown", { clientX: 298 }));
    assert.equal(player.audio.currentTime, 0.5);
    player.close();
    assert.equal(player.audio.hasAttribute("src"), false);
    assert.equal(sizes.size, 0);
  });
});
