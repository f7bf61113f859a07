/** Filters of a board: a menu, and chips that show the active filters. */

import { make } from "./board-format.js";
import { makeMenu } from "./board-menu.js";
import { FILTERS, filterValue, noFilters, readRange } from "./board-state.js";

/** @import { Filter, State } from "./board-state.js" */

/**
 * @typedef {object} FilteredBoard
 * @property {(change: Partial<State>) => void} onChange
 * @property {() => Promise<Api.Filters>} loadFilters
 * @property {() => State} state
 */

/** @param {Filter} filter @param {string} value @returns {string} */
function rangeWords(filter, value) {
  const [low, high] = readRange(filter, value) ?? [0, Infinity];
  if (high === Infinity) return `${low} ${filter.unit} and over`;
  return low ? `${low} to under ${high} ${filter.unit}` : `under ${high} ${filter.unit}`;
}

/** @param {Filter} filter @param {string} value */
function words(filter, value) {
  return filter.form === "range" ? rangeWords(filter, value) : value;
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
    const note = "Rows with unknown values are hidden.";
    panel.replaceChildren(...FILTERS.map((filter) => choice(filter, listValues(filter, offered), board)), make("p", { class: "es-quiet" }, note));
  } catch {
    panel.textContent = "The filters could not be loaded. Close this menu and open it again.";
  }
}

/** Values with their titles. @param {Filter} filter @param {Api.Filters} offered @returns {[string, string][]} */
function listValues(filter, offered) {
  if (filter.offered_as) return offered[filter.offered_as].map(({ value, rows }) => [value, `${value} (${rows})`]);
  return filter.values.map((value) => [value, words(filter, value)]);
}

/** @param {Filter} filter @param {[string, string][]} offered  values with their titles @param {FilteredBoard} board */
function choice(filter, offered, board) {
  const { name, title } = filter;
  const now = filterValue(board.state(), filter);
  /** @param {string} value */
  const same = (value) => value.toLowerCase() === now.toLowerCase();
  const known = now && !offered.some(([value]) => same(value)) ? [...offered, [now, words(filter, now)]] : offered;
  const options = [["", "any"], ...known].map(([value, text]) => make("option", { value, selected: same(value) }, text));
  const select = make("select", { "data-testid": `filter-${name}`, onchange: () => board.onChange({ [name]: select.value }) }, ...options);
  return make("label", { class: "es-filter" }, make("span", {}, title), select);
}

/**
 * @param {Pick<FilteredBoard, "onChange">} board
 * @returns {{element: HTMLElement, show: (state: State) => void}}
 */
export function filterChips(board) {
  const element = make("div", { class: "es-chips", "data-testid": "filter-chips" });
  /** @param {State} state */
  const show = (state) => {
    const active = FILTERS.filter((filter) => filterValue(state, filter));
    const clear = make("button", { type: "button", class: "es-link", onclick: () => board.onChange(noFilters()) }, active.length > 1 ? `clear ${active.length} filters` : "clear");
    element.hidden = !active.length;
    element.replaceChildren(...active.map((filter) => chip(filter, filterValue(state, filter), board)), ...(active.length ? [clear] : []));
  };
  return { element, show };
}

/** @param {Filter} filter @param {string} value @param {Pick<FilteredBoard, "onChange">} board */
function chip(filter, value, board) {
  const label = `${filter.title}: ${words(filter, value)}`;
  const remove = make("button", { type: "button", class: "es-remove", "aria-label": `Remove filter ${label}`, onclick: () => board.onChange({ [filter.name]: "" }) }, "×");
  return make("span", { class: "es-chip" }, label, remove);
}
