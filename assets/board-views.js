/** Quick choices of columns above a table, and groups of columns that fold. */

import { defaultState } from "./board-state.js";

/** @import { Start, State } from "./board-state.js" */

/**
 * Bind the choices that the page's shell brought, of every version.
 * @param {HTMLElement} shell
 * @param {Start} start
 * @param {(change: Partial<State>) => void} onChange
 * @returns {(state: State) => void} brings them in line with a state
 */
export function bindViews(shell, start, onChange) {
  /** @type {NodeListOf<HTMLElement>} */
  const places = shell.querySelectorAll("[data-views]");
  let { setting, version } = start;
  for (const button of shell.querySelectorAll("[data-view]")) {
    const columns = keysOf(button);
    const chosen = { columns, sort: columns[0], order: /** @type {"asc"|"desc"} */ (button.getAttribute("data-order")) };
    button.addEventListener("click", () => {
      const { sort, order } = defaultState(start, setting, version);
      onChange(columns.length ? chosen : { columns: null, sort, order });
    });
  }
  return (state) => {
    ({ setting, version } = state);
    for (const place of places) {
      place.hidden = place.dataset.views !== state.version || !place.childElementCount;
      for (const button of place.children) button.setAttribute("aria-pressed", String(isChosen(keysOf(button), state.columns)));
    }
  };
}

/** @param {Element} button */
function keysOf(button) {
  return (button.getAttribute("data-view") ?? "").split(",").filter(Boolean);
}

/** @param {string[]} keys @param {string[]|null} columns */
function isChosen(keys, columns) {
  if (!keys.length || !columns) return !keys.length && !columns;
  return keys.length === columns.length && keys.every((key) => columns.includes(key));
}

/**
 * Fold a group of columns to its first one, or show it again: as it was, else with all that it has.
 * @param {string[]} shown  keys of all columns that are shown
 * @param {string[]} keys  those of the group
 * @param {string[]} whole  all that the group has
 * @param {string[]|undefined} before  those that were shown before it was folded
 * @returns {string[]} the keys to show
 */
export function foldGroup(shown, keys, whole, before) {
  if (keys.length > 1) return shown.filter((key) => key === keys[0] || !keys.includes(key));
  return shown.flatMap((key) => (key === keys[0] ? (before ?? whole) : [key]));
}
