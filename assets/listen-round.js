/** A running round: one question at a time, by mouse or keyboard, with navigation back until the end. */

import { make } from "./board-format.js";
import { Player } from "./listen-player.js";

const LETTERS = "ABCDEFGHIJ";
/** @type {[boolean, string][]} */
const TRUTHS = [[true, "True"], [false, "False"]];

/** The questions of a round, with their page `element`. */
export class RoundView {
  /**
   * @param {Listening.SavedRound} saved
   * @param {{onChange: () => void, onEnd: () => void, onLeave: () => void}} calls
   */
  constructor(saved, calls) {
    this.saved = saved;
    this.calls = calls;
    /** @type {Player[]} */
    this.players = [];
    /** @type {Player|undefined} */
    this.current = undefined;
    /** @type {HTMLInputElement[]} */
    this.inputs = [];
    /** @type {(number|boolean)[]} */
    this.values = [];
    this.heading = make("h3");
    this.confirm = make("button");
    this.element = make("div", { class: "es-round" });
    this.keys = (/** @type {KeyboardEvent} */ event) => this.press(event);
    document.addEventListener("keydown", this.keys);
    this.draw();
  }

  get question() {
    return this.saved.questions[this.saved.at];
  }

  get answer() {
    return this.saved.answers[this.question.id] ?? null;
  }

  close() {
    document.removeEventListener("keydown", this.keys);
    for (const player of this.players) player.close();
  }

  draw() {
    const { question, saved } = this;
    for (const player of this.players) player.close();
    /** @param {Player} playing */
    const stopOthers = (playing) => {
      this.current = playing;
      for (const player of this.players) if (player !== playing) player.audio.pause();
    };
    this.players = question.audio.map((sound) => new Player(sound, stopOthers));
    this.current = this.players[0];
    this.heading = make("h3", { tabindex: "-1", lang: languageOf(question.question), "data-testid": "question" }, question.question);
    this.confirm = make("button", { type: "button", class: "es-button es-primary", "data-testid": "confirm", onclick: () => this.goOn() });
    const isFirst = saved.at === 0;
    const back = make("button", { type: "button", class: "es-button", disabled: isFirst, onclick: () => this.goTo(saved.at - 1) }, "Back");
    const skip = make("button", { type: "button", class: "es-button", "data-testid": "skip", onclick: () => this.skip() }, "Skip");
    this.element.replaceChildren(
      this.makeProgress(),
      this.heading,
      make("div", { class: "es-sounds" }, ...this.players.map((player) => player.element)),
      this.makeOptions(),
      make("div", { class: "es-round-buttons" }, this.confirm, back, skip, make("span", { class: "es-quiet" }, "A skipped question counts as wrong.")),
      makeKeys(question.answer_format));
    this.showAnswer();
  }

  makeProgress() {
    const { at, questions, title, version, seed } = this.saved;
    const words = `${at + 1} of ${questions.length}`;
    const bar = make("progress", { class: "es-round-progress", max: questions.length, value: at, "aria-label": `Question ${words}` });
    const name = `${title} ${version} · ${this.question.task_title} · round ${seed}`;
    const leave = make("button", { type: "button", class: "es-leave", onclick: () => this.calls.onLeave() }, "Leave this round");
    return make("div", { class: "es-round-head" }, make("b", { "data-testid": "progress" }, words), bar, make("span", { class: "es-quiet" }, name), leave);
  }

  makeOptions() {
    const { question } = this;
    const isMany = question.answer_format === "choices";
    /** @type {[number|boolean, string][]} */
    const choices = question.answer_format === "boolean" ? TRUTHS : question.options.map((words, at) => [at, words]);
    this.inputs = choices.map(([value]) => make("input", {
      type: isMany ? "checkbox" : "radio", name: `answer-${question.id}`, onchange: () => this.choose(value),
    }));
    /** @param {number} at */
    const letter = (at) => (question.answer_format === "boolean" ? "TF"[at] : LETTERS[at]);
    const rows = choices.map(([, words], at) =>
      make("label", { class: "es-option" }, this.inputs[at], make("kbd", { "aria-hidden": "true" }, letter(at)), make("span", { lang: languageOf(words) }, words)));
    this.values = choices.map(([value]) => value);
    const legend = isMany ? "Your answer: all options that apply" : "Your answer";
    return make("fieldset", { class: "es-options", "data-testid": "options" }, make("legend", { class: "es-quiet" }, legend), ...rows);
  }

  /** @param {number|boolean} value */
  choose(value) {
    if (this.question.answer_format === "choices") {
      const at = Number(value);
      const chosen = new Set(Array.isArray(this.answer) ? this.answer : []);
      if (!chosen.delete(at)) chosen.add(at);
      this.set(chosen.size ? [...chosen].sort((a, b) => a - b) : null);
    } else this.set(value);
  }

  /** @param {Listening.Given|null} answer */
  set(answer) {
    this.saved.answers[this.question.id] = answer;
    this.calls.onChange();
    this.showAnswer();
  }

  showAnswer() {
    const { answer } = this;
    this.inputs.forEach((input, at) => {
      const value = this.values[at];
      input.checked = Array.isArray(answer) ? answer.includes(Number(value)) : answer === value;
    });
    const isLast = this.saved.at === this.saved.questions.length - 1;
    this.confirm.textContent = isLast ? "Confirm and finish" : "Confirm";
    this.confirm.disabled = answer === null;
  }

  goOn() {
    if (this.answer !== null) this.goTo(this.saved.at + 1);
  }

  skip() {
    this.set(null);
    this.goTo(this.saved.at + 1);
  }

  /** @param {number} at */
  goTo(at) {
    if (at < 0) return;
    if (at >= this.saved.questions.length) return this.calls.onEnd();
    this.saved.at = at;
    this.calls.onChange();
    this.draw();
    this.heading.focus({ preventScroll: true });
    this.element.firstElementChild?.scrollIntoView({ block: "nearest" });
    return undefined;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const target = event.target instanceof Element ? event.target : document.documentElement;
    if (event.ctrlKey || event.metaKey || event.altKey || this.element.offsetParent === null) return;
    if (target.matches("select, textarea, [role=tab], input:not([type=radio], [type=checkbox], [type=range])")) return;
    const act = this.findAct(event, target);
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** @param {KeyboardEvent} event @param {Element} target @returns {(() => void)|null} */
  findAct({ key }, target) {
    const isButton = target.matches("button, a, summary");
    const movesByArrows = target.matches("input[type=radio], input[type=range]");
    const choosesBySpace = target instanceof HTMLInputElement && (target.type === "checkbox" || (target.type === "radio" && !target.checked));
    if (key === " ") return isButton || choosesBySpace ? null : () => this.current?.toggle();
    if (key === "Enter") return isButton ? null : () => this.goOn();
    if (key === "ArrowLeft") return movesByArrows ? null : () => this.current?.skip(-1);
    if (key === "ArrowRight") return movesByArrows ? null : () => this.current?.skip(1);
    const at = this.findOption(key);
    if (at !== null) return () => this.choose(this.values[at]);
    return key.toLowerCase() === "r" ? () => this.current?.replay() : null;
  }

  /** @param {string} key */
  findOption(key) {
    const isBoolean = this.question.answer_format === "boolean";
    const letters = isBoolean ? "TF" : LETTERS;
    const at = /^[1-9]$/.test(key) ? Number(key) - 1 : key.length === 1 ? letters.indexOf(key.toUpperCase()) : -1;
    return at >= 0 && at < this.values.length ? at : null;
  }
}

/** @param {Listening.Question["answer_format"]} format */
function makeKeys(format) {
  const letters = { boolean: "T F", choices: "A B C … toggle an option", choice: "A B C … or 1 2 3 …" }[format];
  const rows = [["Space", "play, pause"], ["R", "replay"], ["← →", "one second"], [letters, format === "choices" ? "" : "answer"], ["Enter", "confirm"]];
  const cells = rows.flatMap(([key, words]) => [make("kbd", {}, key), ` ${words}  `]);
  return make("p", { class: "es-keys es-quiet" }, ...cells);
}

/** Screen readers and hyphenation need the language of a question. @param {string} words @returns {string|null} */
export function languageOf(words) {
  return /[\u4e00-\u9fff]/.test(words) ? "zh" : null;
}

/** @typedef {{element: HTMLElement, heading: HTMLElement, problem: HTMLElement, send: HTMLButtonElement}} End */

/**
 * The end of a round, before anything is sent: skipped questions, and consent to store counts.
 * @param {Listening.SavedRound} saved
 * @param {number} nHeard  number of questions whose answers were shown in this browser before
 * @param {{onBack: (at: number) => void, onSend: (consent: boolean) => void}} calls
 * @returns {End}
 */
export function makeEnd(saved, nHeard, { onBack, onSend }) {
  const { questions } = saved;
  /** @param {Listening.Question} question */
  const isAnswered = (question) => (saved.answers[question.id] ?? null) !== null;
  const nSkipped = questions.filter((question) => !isAnswered(question)).length;
  const skipped = nSkipped ? ` ${nSkipped} skipped, which ${nSkipped === 1 ? "counts" : "count"} as wrong.` : "";
  const places = questions.map((question, at) => make("button", {
    type: "button", class: `es-button${isAnswered(question) ? "" : " es-skipped"}`, onclick: () => onBack(at),
    "aria-label": `Question ${at + 1}, ${isAnswered(question) ? "answered" : "skipped"}`,
  }, isAnswered(question) ? String(at + 1) : `${at + 1} –`));
  const consent = make("input", { type: "checkbox", "data-testid": "consent", disabled: nHeard > 0 });
  const send = make("button", { type: "button", class: "es-button es-primary", "data-testid": "finish", onclick: () => onSend(consent.checked) }, "See my score");
  const heard = `You have seen the answers to ${nHeard} of these questions before, so this round cannot count in the listener group.`;
  const problem = make("p", { role: "alert", class: "es-error" });
  const heading = make("h3", { tabindex: "-1" }, `${questions.length - nSkipped} of ${questions.length} answered.${skipped}`);
  const element = make("div", { class: "es-round" },
    heading,
    make("p", { class: "es-quiet" }, "You can still go back to any question:"),
    make("div", { class: "es-places" }, ...places),
    make("label", { class: "es-consent" }, consent, make("span", {}, make("b", {}, "Count me in the listener group. "),
      "Stored: benchmark and version, today’s date, the duration of the round, and the number of correct answers per kind of question. ",
      "Not stored: name, IP address, session or single answers. You get a code to delete your result.")),
    nHeard ? make("p", { class: "es-quiet" }, heard) : null,
    make("div", { class: "es-round-buttons" }, send),
    problem);
  return { element, heading, problem, send };
}
