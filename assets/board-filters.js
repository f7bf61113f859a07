/** Filters of a board: a menu, and chips that show the active filters. */

import { make } from "./board-format.js";
import { makeMenu } from "./board-menu.js";
import { FILTERS, noFilters, readSize } from "./board-state.js";

/** @import { Filter, State } from "./board-state.js" */

/**
 * @typedef {object} FilteredBoard
 * @property {(change: Partial<State>) => void} onChange
 * @property {() => Promise<Api.Filters>} loadFilters
 * @property {() => State} state
 */

const TITLES = { kind: "Kind", weights: "Weights", size: "Size", organisation: "Organisation" };
// No common size of a model is the end of a range.
const SIZES = ["-10", "10-40", "40-"];

/** @param {string} size @returns {string} */
function sizeWords(size) {
  const [low, high] = readSize(size) ?? [0, Infinity];
  if (high === Infinity) return `${low} B and over`;
  return low ? `${low} to under ${high} B` : `under ${high} B`;
}

/** @param {Filter} name @param {string} value */
function words(name, value) {
  return name === "size" ? sizeWords(value) : value;
}

/**
 * @param {FilteredBoard} board
 * @returns {HTMLElement}
 */
export function filterMenu(board) {
  const panel = make("div", { class: "es-panel es-panel-narrow", "data-testid": "filters-panel" });
  return makeMenu("Filters", panel, { "data-testid": "filters-menu" }, () => fill(panel, board));
}

/** @param {HTMLElement} panel @param {FilteredBoard} board */
async function fill(panel, board) {
  if (!panel.childElementCount) panel.textContent = "Loading filters…";
  try {
    const offered = await board.loadFilters();
    /** @type {Record<Filter, [string, string][]>} */
    const values = {
      kind: offered.kinds.map((one) => [one.value, `${one.value} (${one.rows})`]),
      weights: [["open", "open"], ["closed", "closed"]],
      size: SIZES.map((size) => [size, sizeWords(size)]),
      organisation: offered.organisations.map((one) => [one.value, `${one.value} (${one.rows})`]),
    };
    const note = "Rows with unknown values are hidden.";
    panel.replaceChildren(...FILTERS.map((name) => choice(name, values[name], board)), make("p", { class: "es-quiet" }, note));
  } catch {
    panel.textContent = "The filters could not be loaded. Close this menu and open it again.";
  }
}

/** @param {Filter} name @param {[string, string][]} offered  values with their titles @param {FilteredBoard} board */
function choice(name, offered, board) {
  const now = board.state()[name];
  /** @param {string} value */
  const same = (value) => value.toLowerCase() === now.toLowerCase();
  const known = now && !offered.some(([value]) => same(value)) ? [...offered, [now, words(name, now)]] : offered;
  const options = [["", "any"], ...known].map(([value, title]) => make("option", { value, selected: same(value) }, title));
  const select = make("select", { "data-testid": `filter-${name}`, onchange: () => board.onChange({ [name]: select.value }) }, ...options);
  return make("label", { class: "es-filter" }, make("span", {}, TITLES[name]), select);
}

/**
 * @param {Pick<FilteredBoard, "onChange">} board
 * @returns {{element: HTMLElement, show: (state: State) => void}}
 */
export function filterChips(board) {
  const element = make("div", { class: "es-chips", "data-testid": "filter-chips" });
  /** @param {State} state */
  const show = (state) => {
    const active = FILTERS.filter((name) => state[name]);
    const clear = make("button", { type: "button", class: "es-link", onclick: () => board.onChange(noFilters()) }, active.length > 1 ? `clear ${active.length} filters` : "clear");
    element.hidden = !active.length;
    element.replaceChildren(...active.map((name) => chip(name, state[name], board)), ...(active.length ? [clear] : []));
  };
  return { element, show };
}

/** @param {Filter} name @param {string} value @param {Pick<FilteredBoard, "onChange">} board */
function chip(name, value, board) {
  const label = `${TITLES[name]}: ${words(name, value)}`;
  const remove = make("button", { type: "button", class: "es-remove", "aria-label": `Remove filter ${label}`, onclick: () => board.onChange({ [name]: "" }) }, "×");
  return make("span", { class: "es-chip" }, label, remove);
}
