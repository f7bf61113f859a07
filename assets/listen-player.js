/** Player of one clip: play, pause, replay, seek, and its waveform and spectrogram. */

import { make } from "./board-format.js";
import { Picture } from "./listen-drawing.js";
import { fetchSound } from "./listen-store.js";

const STEP_SECONDS = 1;
const isStill = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A player with its page `element`. */
export class Player {
  /**
   * @param {Listening.Sound} sound
   * @param {(player: Player) => void} onPlay  called when it starts, so that others can stop
   */
  constructor(sound, onPlay) {
    this.sound = sound;
    this.onPlay = onPlay;
    this.isClosed = false;
    /** @type {Picture|null} */
    this.picture = null;
    /** @type {string|null} */
    this.address = null;
    this.audio = make("audio", { preload: "auto", "data-testid": "audio" });
    this.play = make("button", { type: "button", class: "es-button es-play", "data-testid": "play", onclick: () => this.toggle() }, "Play");
    this.time = make("span", { class: "es-sound-time" }, `0.0 / ${sound.seconds.toFixed(1)} s`);
    this.seek = make("input", {
      type: "range", class: "es-seek", min: 0, max: sound.seconds, step: 0.01, value: 0, "aria-label": `Position in ${sound.name}`,
      oninput: () => this.jump(Number(this.seek.value)),
    });
    /** @param {string} words @param {string} label @param {() => void} act */
    const button = (words, label, act) => make("button", { type: "button", class: "es-button", "aria-label": `${label} ${sound.name}`, onclick: act }, words);
    const controls = make("div", { class: "es-sound-controls" },
      make("b", { class: "es-sound-name" }, sound.name),
      this.play,
      button("Replay", "Replay", () => this.replay()),
      button("− 1 s", "Back one second in", () => this.skip(-STEP_SECONDS)),
      button("+ 1 s", "Forward one second in", () => this.skip(STEP_SECONDS)),
      this.time);
    this.place = make("div", { class: "es-sound-place" }, make("p", { class: "es-quiet" }, "Loading the audio…"));
    this.caption = make("div");
    this.element = make("div", { class: "es-sound", role: "group", "aria-label": sound.name }, controls, this.audio, this.place, this.seek, this.caption);
    this.setLabel();
    this.bind();
    this.load();
  }

  bind() {
    this.audio.addEventListener("play", () => this.begin());
    for (const name of ["pause", "ended"]) this.audio.addEventListener(name, () => this.setLabel());
    for (const name of ["timeupdate", "seeked", "ended"]) this.audio.addEventListener(name, () => this.show());
  }

  async load() {
    try {
      const bytes = await fetchSound(this.sound.url);
      if (this.isClosed) return;
      this.address = URL.createObjectURL(new Blob([bytes], { type: "audio/wav" }));
      this.audio.src = this.address;
      const sound = await decode(bytes);
      if (this.isClosed) return;
      const picture = new Picture(sound, this.sound.name);
      this.picture = picture;
      picture.frame.addEventListener("pointerdown", (event) => this.jump(picture.secondAt(event)));
      this.place.replaceChildren(picture.frame);
      this.caption.replaceChildren(picture.caption());
      this.show();
    } catch (error) {
      const again = make("button", { type: "button", class: "es-button", onclick: () => this.load() }, "Try again");
      this.place.replaceChildren(make("p", { role: "alert", class: "es-error" }, (error instanceof Error && error.message) || "The audio could not be decoded."), again);
    }
  }

  begin() {
    this.onPlay(this);
    this.setLabel();
    if (!isStill()) requestAnimationFrame(() => this.follow());
  }

  /** Update the playhead in every animation frame while playing. */
  follow() {
    this.show();
    if (!this.audio.paused && this.element.isConnected) requestAnimationFrame(() => this.follow());
  }

  show() {
    const at = this.audio.currentTime;
    this.time.textContent = `${at.toFixed(1)} / ${this.sound.seconds.toFixed(1)} s`;
    this.seek.value = String(at);
    this.seek.setAttribute("aria-valuetext", `${at.toFixed(1)} of ${this.sound.seconds.toFixed(1)} seconds`);
    this.picture?.point(at);
  }

  setLabel() {
    const words = this.audio.paused ? "Play" : "Pause";
    this.play.textContent = words;
    this.play.setAttribute("aria-label", `${words} ${this.sound.name}`);
  }

  toggle() {
    if (this.audio.paused) this.start();
    else this.audio.pause();
  }

  start() {
    // A browser may block playback before the first click; then the button keeps saying Play.
    this.audio.play().catch(() => this.setLabel());
  }

  replay() {
    this.jump(0);
    this.start();
  }

  /** @param {number} seconds */
  skip(seconds) {
    this.jump(this.audio.currentTime + seconds);
  }

  /** @param {number} seconds */
  jump(seconds) {
    this.audio.currentTime = Math.min(this.sound.seconds, Math.max(0, seconds));
    this.show();
  }

  /** Stop playback and release all resources. */
  close() {
    this.isClosed = true;
    this.audio.pause();
    this.audio.removeAttribute("src");
    this.audio.load();
    this.picture?.close();
    if (this.address) URL.revokeObjectURL(this.address);
  }
}

/** Decode at the clip's own sample rate: otherwise the browser would resample it. @param {ArrayBuffer} bytes */
async function decode(bytes) {
  const rate = new DataView(bytes).getUint32(24, true);
  const context = new OfflineAudioContext(2, 1, rate >= 8000 && rate <= 96000 ? rate : 44100);
  return context.decodeAudioData(bytes.slice(0));
}

/** Buttons that play a tone on one side, so that listeners notice swapped headphones. */
export function makeChannelTest() {
  /** @param {string} words @param {number} side */
  const button = (words, side) => make("button", { type: "button", class: "es-button", onclick: () => soundTone(side) }, words);
  return make("p", { class: "es-channel-test" },
    make("b", {}, "Use headphones: left and right matter. "), "Test them: ", button("Left", -1), " ", button("Right", 1));
}

/** @param {number} side  −1 is left, 1 is right */
function soundTone(side) {
  const context = new AudioContext();
  const tone = new OscillatorNode(context, { frequency: 440 });
  const gain = new GainNode(context, { gain: 0 });
  const now = context.currentTime;
  gain.gain.linearRampToValueAtTime(0.2, now + 0.02);
  gain.gain.setValueAtTime(0.2, now + 0.55);
  gain.gain.linearRampToValueAtTime(0, now + 0.6);
  tone.connect(gain).connect(new StereoPannerNode(context, { pan: side })).connect(context.destination);
  tone.onended = () => context.close();
  tone.start();
  tone.stop(now + 0.65);
}
