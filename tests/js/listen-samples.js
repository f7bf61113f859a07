/** Rounds of the listening test as the REST API gives them, and the sounds that a browser would play. */

import { page } from "./dom.js";

export function question(id, words = {}) {
  return { id, task_title: "Motion", question: `What moves in ${id}?`, options: ["A car", "A train", "A plane"], answer_format: "choice", audio: [{ name: "Audio 1", url: `/${id}.wav`, seconds: 4 }], ...words };
}

export function round(words = {}) {
  const questions = [question("q1"), question("q2", { answer_format: "choices" }), question("q3", { answer_format: "boolean", options: [] })];
  return { benchmark: "mdar", version: "demo", title: "MDAR", n: 10, seed: 3, seconds: 0, questions, at: 0, answers: {}, ...words };
}

export function share(words = {}) {
  return { id: "", title: "All", value: 0.6, low: 0.313, high: 0.832, right: 6, n: 10, chance: 0.25, figure_chance: 0.25, human: null, models: [], ...words };
}

// A sound element that is moved by what is asked of it alone; no browser plays here.
Object.defineProperties(page.HTMLMediaElement.prototype, {
  paused: { configurable: true, get() { return this.isPaused ?? true; } },
  currentTime: { configurable: true, get() { return this.at ?? 0; }, set(seconds) { this.at = seconds; } },
  load: { configurable: true, value() {} },
  play: {
    configurable: true,
    async value() {
      if (this.isRefused) throw new Error("A browser plays nothing before somebody has clicked.");
      this.isPaused = false;
      this.dispatchEvent(new page.Event("play"));
    },
  },
  pause: {
    configurable: true,
    value() {
      this.isPaused = true;
      this.dispatchEvent(new page.Event("pause"));
    },
  },
});
page.matchMedia = () => ({ matches: true });
