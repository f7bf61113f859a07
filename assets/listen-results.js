/** Results of a round: the listener's score next to humans, chance and models, and the right answers. */

import { NONE, make, percent } from "./board-format.js";
import { Player } from "./listen-player.js";
import { languageOf } from "./listen-round.js";

const LETTERS = "ABCDEFGHIJ";
const FEW = "With so few questions, and the spectrograms on screen, only large differences mean anything.";
const CAUTION = {
  same: `Humans and models on the boards answered all questions of this set. ${FEW}`,
  other: `Humans and models on the boards answered the hidden test questions; these are practice questions of the same kind. ${FEW}`,
};

/**
 * @param {Listening.Round} round  the questions
 * @param {Listening.Marked} marked  the server's evaluation
 * @param {{onAgain: () => void, onWithdraw: (id: string) => Promise<unknown>, link: string}} calls
 * @returns {{element: HTMLElement, heading: HTMLElement, close: () => void}}
 */
export function makeResults(round, marked, calls) {
  /** @type {Player[]} */
  const players = [];
  const { score } = marked;
  const heading = make("h3", { tabindex: "-1", class: "es-score" }, make("span", { "data-testid": "score" }, `${percent(score.value)} %`), ` right, ${score.right} of ${score.n} questions`);
  const again = make("button", { type: "button", class: "es-button es-primary", "data-testid": "again", onclick: calls.onAgain }, "Another round");
  const element = make("div", { class: "es-round es-results", "data-testid": "results" },
    heading,
    make("p", { "data-testid": "score-interval" }, `95 % CI ${percent(score.low)}–${percent(score.high)}. ${compare(score)}`),
    makeTable([score, ...marked.tasks]),
    makeLegend([score, ...marked.tasks].some((share) => share.human !== null)),
    makeModels(score.models.length ? score : marked.tasks.find((task) => task.models.length)),
    make("p", { class: "es-quiet es-reading" }, marked.same_questions ? CAUTION.same : CAUTION.other),
    makeKept(marked.kept, calls.onWithdraw),
    makeGroup(marked.group),
    make("div", { class: "es-round-buttons" }, again, makeCopy(calls.link)),
    ...makeQuestions(round, marked, players));
  return { element, heading, close: () => players.forEach((player) => player.close()) };
}

/** @param {Listening.Share} share */
function compare({ low, high, chance, human }) {
  const guessing = `guessing (${percent(chance)} %)`;
  const place = low > chance ? `Better than ${guessing}` : high < chance ? `Worse than ${guessing}` : `Not distinguishable from ${guessing}`;
  const people = human ? ` Published human score: ${percent(human.value)} %.` : " No human baseline is published for these questions.";
  return `${place}.${people}`;
}

/** @param {Listening.Share[]} shares */
function makeTable(shares) {
  const hasPeople = shares.some((share) => share.human !== null);
  const names = ["", "", "you", ...(hasPeople ? ["human"] : []), "chance", "best model"];
  const head = make("tr", {}, ...names.map((name, at) => make("th", { scope: "col", class: at > 1 ? "es-number" : null }, name)));
  const rows = shares.map((share) => make("tr", {},
    make("th", { scope: "row" }, share.title, make("small", { class: "es-quiet" }, ` ${share.right} of ${share.n}`)),
    make("td", { class: "es-bar-cell" }, makeBar(share)),
    make("td", { class: "es-number" }, make("b", {}, percent(share.value))),
    hasPeople ? make("td", { class: "es-number es-people" }, percent(share.human?.value)) : null,
    make("td", { class: "es-number" }, percent(share.chance)),
    make("td", { class: "es-number" }, ...bestModel(share))));
  const table = make("table", { class: "es-shares", "data-testid": "shares" }, make("caption", { class: "es-hidden" }, "Share of correct answers (%)"), make("thead", {}, head), make("tbody", {}, ...rows));
  return make("div", { class: "es-scroll", tabindex: "0", role: "region", "aria-label": "Share of correct answers" }, table);
}

/** A board may weight kinds of questions differently from a round; its chance level then differs too. @param {Listening.Share} share */
function bestModel({ models, chance, figure_chance: there }) {
  if (!models.length) return [NONE];
  const isOther = typeof there === "number" && percent(there) !== percent(chance);
  return [percent(models[0].value), isOther ? make("small", { class: "es-quiet" }, ` (chance there: ${percent(there)})`) : null];
}

/** @param {boolean} hasPeople */
function makeLegend(hasPeople) {
  /** @param {string} kind @param {string} words */
  const sign = (kind, words) => make("span", {}, make("i", { class: kind, "aria-hidden": "true" }), words);
  return make("p", { class: "es-quiet es-bar-legend" },
    sign("es-sign-own", "you, with 95 % CI"), hasPeople ? sign("es-sign-human", "human, as published") : null, sign("es-sign-chance", "chance"));
}

/** @param {Listening.Share} share */
function makeBar({ value, low, high, chance, human }) {
  /** @param {string} kind @param {number} at @param {string} [extra] */
  const mark = (kind, at, extra = "") => make("i", { class: kind, style: `left: ${100 * at}%;${extra}` });
  return make("div", { class: "es-bar", "aria-hidden": "true" },
    make("i", { class: "es-bar-own", style: `width: ${100 * value}%` }),
    mark("es-bar-interval", low, ` width: ${100 * (high - low)}%`),
    mark("es-bar-chance", chance),
    human ? mark("es-bar-human", human.value) : null);
}

/** @param {Listening.Share|undefined} share */
function makeModels(share) {
  if (!share?.models.length) return null;
  const links = share.models.flatMap((model, at) => [
    at ? ", " : "",
    make("a", { href: `/?${new URLSearchParams({ tab: "model", model: model.model })}`, "data-visit": true }, model.name),
    ` ${percent(model.value)} (${model.source})`,
  ]);
  return make("p", {}, `Best models on the board${share.id ? `, ${share.title}` : ""}: `, ...links, ".");
}

/** @param {Listening.Marked["kept"]} kept @param {(id: string) => Promise<unknown>} onWithdraw */
function makeKept(kept, onWithdraw) {
  if (!kept) return null;
  const { id } = kept;
  if (!id) return make("p", { "data-testid": "kept" }, `Not counted in the listener group. ${kept.reason}`);
  const line = make("p", { "data-testid": "kept", role: "status" });
  const withdraw = async () => {
    try {
      await onWithdraw(id);
      line.replaceChildren("Your result is deleted.");
    } catch (error) {
      line.append(make("span", { role: "alert", class: "es-error" }, ` ${error instanceof Error ? error.message : error}`));
    }
  };
  line.append("Counted in the listener group. Code to delete your result, shown only once: ", make("code", { class: "es-secret" }, id), " ",
    make("button", { type: "button", class: "es-button", "data-testid": "withdraw", onclick: withdraw }, "Delete it now"));
  return line;
}

/** @param {Listening.Group|null} group  the group of listeners, if maintainers show it */
export function makeGroup(group) {
  if (!group) return null;
  const interval = typeof group.low === "number" ? ` (95 % CI ${percent(group.low)}–${percent(group.high)})` : "";
  const people = group.listeners === 1 ? "1 round" : `${group.listeners.toLocaleString("en")} rounds`;
  const words = ` ${people}, ${group.answers.toLocaleString("en")} answers to practice questions: ${percent(group.value)} % correct${interval}.`;
  return make("p", { class: "es-listeners", "data-testid": "group" }, make("b", {}, "Earshot listeners:"), words);
}

/** @param {string} link */
function makeCopy(link) {
  const said = make("span", { class: "es-quiet", role: "status" });
  const copy = async () => {
    const done = await navigator.clipboard?.writeText(link).then(() => true, () => false);
    if (done) said.textContent = "Copied.";
    else said.replaceChildren(make("code", { class: "es-secret" }, link));
  };
  return make("span", {}, make("button", { type: "button", class: "es-button", onclick: copy }, "Copy a link to these questions"), " ", said);
}

/** @typedef {{question: Listening.Question, at: number, mark: Listening.MarkedQuestion}} Marked */

/** @param {Listening.Round} round @param {Listening.Marked} marked @param {Player[]} players */
function makeQuestions(round, marked, players) {
  const marks = new Map(marked.questions.map((mark) => [mark.id, mark]));
  const rows = round.questions.flatMap((question, at) => {
    const mark = marks.get(question.id);
    return mark ? [{ question, at, mark }] : [];
  });
  const wrong = rows.filter(({ mark }) => !mark.right);
  const right = rows.filter(({ mark }) => mark.right);
  /** @param {Marked[]} some */
  const list = (some) => make("ol", { class: "es-marks" }, ...some.map((row) => makeMark(row, players)));
  return [
    wrong.length ? make("h3", {}, `Wrong or skipped: ${wrong.length}`) : make("h3", {}, "All answers are correct."),
    wrong.length ? list(wrong) : null,
    right.length ? make("details", { class: "es-right" }, make("summary", {}, `Correct: ${right.length}`), list(right)) : null,
  ];
}

/** @param {Marked} marked @param {Player[]} players */
function makeMark({ question, at, mark }, players) {
  const sounds = make("div", { class: "es-sounds" });
  const hear = make("button", { type: "button", class: "es-button", "data-testid": "hear-again" }, "Listen again");
  hear.addEventListener("click", () => {
    /** @param {Player} playing */
    const stopOthers = (playing) => players.filter((one) => one !== playing).forEach((one) => one.audio.pause());
    const made = question.audio.map((sound) => new Player(sound, stopOthers));
    players.push(...made);
    sounds.replaceChildren(...made.map((player) => player.element));
    hear.remove();
    made[0].play.focus();
  });
  const yours = mark.given === null ? "skipped" : nameAnswer(question, mark.given);
  /** @param {string} label @param {string} words @param {string} kind */
  const line = (label, words, kind) => make("div", { class: kind }, make("span", { class: "es-quiet" }, label), make("span", { lang: languageOf(words) }, words));
  return make("li", { value: at + 1, class: mark.right ? "es-is-right" : "es-is-wrong" },
    make("p", { lang: languageOf(question.question) }, question.question),
    mark.right ? null : line("You: ", yours, "es-yours"),
    line(mark.right ? "Correct: " : "Correct answer: ", nameAnswer(question, mark.truth), "es-truth"),
    hear, sounds);
}

/** @param {Listening.Question} question @param {Listening.Given} answer */
function nameAnswer(question, answer) {
  if (typeof answer === "boolean") return answer ? "True" : "False";
  const places = Array.isArray(answer) ? answer : [answer];
  return places.map((at) => `${LETTERS[at]}. ${question.options[at]}`).join(" · ");
}
