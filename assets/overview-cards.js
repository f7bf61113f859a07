/** Introductions of benchmarks: facts from their scores, and the play buttons of their examples. */

import { badge } from "./board-details.js";
import { NONE, countItems, isNumber, make, percent, since } from "./board-format.js";
import { linkModel } from "./overview-matrix.js";

const NOT_LOADED = "The audio is not available yet. Try again in a minute.";
const FROM_PAPER = "from the paper";

/**
 * Fill the hero and the cards of the Overview.
 * @param {HTMLElement} intro
 * @param {Api.Overview} data
 */
export function fillIntro(intro, data) {
  const [newest] = data.newest;
  const counts = [count(data.benchmarks.length, "benchmark"), count(data.models, "model"), count(data.submissions, "submission")].join(" · ");
  placeOf(intro, "counts")?.replaceChildren(counts, ...(newest ? [" · last result ", since(newest.date)] : []));
  for (const one of data.benchmarks) {
    /** @type {HTMLElement|null} */
    const card = intro.querySelector(`[data-card="${CSS.escape(one.id)}"]`);
    if (card) fillCard(card, one);
  }
}

/** @param {number} n @param {string} name */
function count(n, name) {
  return `${n.toLocaleString("en")} ${name}${n === 1 ? "" : "s"}`;
}

/** @param {HTMLElement} card @param {Api.Summary} one */
function fillCard(card, one) {
  const words = { version: one.version, items: describeSize(one), chance: percent(one.chance), human: isNumber(one.human) ? percent(one.human) : "no baseline" };
  for (const [name, text] of Object.entries(words)) placeOf(card, name)?.replaceChildren(text);
  placeOf(card, "open")?.replaceChildren(...describeOpen(one));
  placeOf(card, "leader")?.replaceChildren(...describeLeader(one.leader));
}

/**
 * Number of installed items. Without any, the paper's count shows how large the benchmark is.
 * @param {Pick<Api.Summary, "items"|"items_of_paper">} benchmark
 */
export function describeSize(benchmark) {
  return benchmark.items ? countItems(benchmark) : (benchmark.items_of_paper?.toLocaleString("en") ?? NONE);
}

/** @param {ParentNode} element @param {string} name @returns {Element|null} */
function placeOf(element, name) {
  return element.querySelector(`[data-place=${name}]`);
}

/** @param {Pick<Api.Summary, "id"|"version"|"open_version">} benchmark @returns {(Node|string)[]} */
function describeOpen({ id, version, open_version: open }) {
  if (open === version) return [openness(true)];
  if (!open) return [openness(false)];
  const href = `/?${new URLSearchParams({ tab: "submit", benchmark: id, version: open })}`;
  return [openness(false), " · ", make("a", { href, "data-visit": "" }, `${open} is open`)];
}

/** @param {boolean} isOpen */
function openness(isOpen) {
  return make("span", { class: isOpen ? "es-is-open" : "es-is-closed" }, isOpen ? "Open for submissions" : "Closed for submissions");
}

/**
 * Show on a board whether its version takes submissions.
 * @param {HTMLElement} shell
 * @param {boolean} isOpen
 */
export function showOpen(shell, isOpen) {
  placeOf(shell, "open")?.replaceChildren(openness(isOpen));
}

/** Board → its latest request for the leader. @type {WeakMap<HTMLElement, Promise<Api.Leader|null>>} */
const asked = new WeakMap();

/**
 * Show the best model on a board, unless another request was sent meanwhile.
 * @param {HTMLElement} shell
 * @param {Promise<Api.Leader|null>} leader
 */
export async function showLeader(shell, leader) {
  asked.set(shell, leader);
  const found = await leader.catch(() => undefined);
  if (found !== undefined && asked.get(shell) === leader) placeOf(shell, "leader")?.replaceChildren(...describeLeader(found));
}

/**
 * Describe the best evaluated model or, without one, the paper's best model.
 * @param {Api.Leader|null} leader
 * @returns {(Node|string)[]}
 */
export function describeLeader(leader) {
  if (!leader) return ["No scores yet."];
  const isReported = leader.source === "reported";
  const interval = isNumber(leader.low) && isNumber(leader.high) ? ` (95 % CI ${percent(leader.low)}–${percent(leader.high)})` : "";
  const origin = isReported ? make("span", { class: "es-quiet" }, FROM_PAPER) : badge(leader.source);
  const name = leader.title ? `, ${leader.title}` : "";
  return [isReported ? "Best published: " : `Best evaluated${name}: `, make("b", {}, `${percent(leader.value)} %`), `${interval} `, linkModel(leader.model), " ", origin];
}

/**
 * Bind the play buttons of examples. A clip is fetched on first play.
 * @param {ParentNode} place
 */
export function bindExamples(place) {
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = place.querySelectorAll("[data-play]");
  for (const button of buttons) bindExample(button, /** @type {HTMLAudioElement} */ (button.nextElementSibling));
}

/** @param {HTMLElement} button @param {HTMLAudioElement} audio */
function bindExample(button, audio) {
  const { play: name = "" } = button.dataset;
  const about = (button.getAttribute("aria-label") ?? "").replace("Play ", "");
  const status = /** @type {HTMLElement} */ (audio.nextElementSibling);
  const show = () => {
    const verb = audio.paused ? "Play" : "Pause";
    button.textContent = `${verb} ${name}`;
    button.setAttribute("aria-label", `${verb} ${about}`);
    button.classList.toggle("es-playing", !audio.paused);
  };
  const fail = () => {
    status.textContent = NOT_LOADED;
    show();
  };
  button.addEventListener("click", () => {
    status.textContent = "";
    if (!audio.paused) return audio.pause();
    pauseExamples();
    // A failed clip is not fetched again automatically.
    if (audio.error) audio.load();
    return void audio.play().catch((error) => error?.name !== "AbortError" && fail());
  });
  for (const event of ["play", "pause", "ended"]) audio.addEventListener(event, show);
  window.addEventListener("earshot:tab", () => audio.pause());
}

function pauseExamples() {
  for (const audio of document.querySelectorAll("audio")) audio.pause();
}
