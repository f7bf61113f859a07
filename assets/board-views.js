/** Column presets above a table, and column groups that collapse. */

/** @import { Start, State, View } from "./board-state.js" */

/**
 * Read the part presets from the page's shell.
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
 * Bind the presets of all versions in the page's shell.
 * @param {HTMLElement} shell
 * @param {Start} start
 * @param {(change: Partial<State>) => void} onChange
 * @returns {(state: State) => void} updates them to a state
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
 * Collapse a group of columns to its first one, or expand it: to its previous columns, or else to all of them.
 * @param {string[]} shown  keys of all shown columns
 * @param {string[]} keys  keys of the group
 * @param {string[]} whole  all keys that the group can have
 * @param {string[]|undefined} before  keys shown before it was collapsed
 * @returns {string[]} the keys to show
 */
export function foldGroup(shown, keys, whole, before) {
  if (keys.length > 1) return shown.filter((key) => key === keys[0] || !keys.includes(key));
  return shown.flatMap((key) => (key === keys[0] ? (before ?? whole) : [key]));
}
