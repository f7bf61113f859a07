/** Column presets above a table, and groups of columns that fold. */

/** @import { Start, State, View } from "./board-state.js" */

/**
 * Read the choices of the parts that the page's shell brought.
 * @param {HTMLElement} shell
 * @returns {Record<string, View[]>}  version → its parts
 */
export function readViews(shell) {
  /** @type {NodeListOf<HTMLElement>} */
  const places = shell.querySelectorAll("[data-views]");
  return Object.fromEntries([...places].map((place) => [place.dataset.views, [...place.children].map(readView).filter(({ columns }) => columns.length)]));
}

/** @param {Element} button @returns {View} */
function readView(button) {
  return { columns: keysOf(button), order: button.getAttribute("data-order") === "asc" ? "asc" : "desc" };
}

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
  let { setting } = start;
  for (const button of shell.querySelectorAll("[data-view]")) {
    const { columns, order } = readView(button);
    button.addEventListener("click", () => onChange(columns.length ? { columns, sort: columns[0], order } : { columns: null, sort: start.headlines[setting], order }));
  }
  return (state) => {
    ({ setting } = state);
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
