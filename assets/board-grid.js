/** Keyboard navigation in the table: one tab stop, arrow keys from there. */

const STOP = "[data-stop]";
/** Key → rows down and columns right. @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -Infinity], End: [0, Infinity] };

/** @typedef {{row: string, stop: string}} Stop */

/**
 * Make one element of the table the tab stop: the last used one, if it still exists.
 * @param {HTMLElement} table  rows have `data-row`, focusable elements in them `data-stop`
 * @param {Stop|null|undefined} last
 */
export function setStop(table, last) {
  /** @type {HTMLElement|null|undefined} */
  const found = last && table.querySelector(`tr[data-row="${CSS.escape(last.row)}"] [data-stop="${CSS.escape(last.stop)}"]`);
  /** @type {HTMLElement|null} */
  const stop = found ?? table.querySelector(`[data-testid=board-row] ${STOP}`) ?? table.querySelector(STOP);
  if (stop) stop.tabIndex = 0;
}

/**
 * @param {HTMLElement} table
 * @param {(place: Stop) => void} onStop  called with the focused element, which becomes the tab stop
 */
export function followKeys(table, onStop) {
  table.addEventListener("keydown", (event) => {
    const stop = stopOf(event);
    if (!stop || !STEPS[event.key] || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    find(table, stop, ...STEPS[event.key])?.focus();
  });
  table.addEventListener("focusin", (event) => {
    const stop = stopOf(event);
    const row = stop?.closest("tr");
    if (!stop || !row) return;
    /** @type {NodeListOf<HTMLElement>} */
    const others = table.querySelectorAll(`${STOP}[tabindex="0"]`);
    for (const other of others) other.tabIndex = -1;
    stop.tabIndex = 0;
    onStop({ row: row.dataset.row ?? "", stop: stop.dataset.stop ?? "" });
  });
}

/** @param {Event} event @returns {HTMLElement|null} */
function stopOf(event) {
  return event.target instanceof Element ? event.target.closest(STOP) : null;
}

/** @param {HTMLElement} table @param {HTMLElement} from @param {number} down @param {number} right */
function find(table, from, down, right) {
  const row = from.closest("tr");
  if (!row) return null;
  if (!down) {
    const stops = listStops(row);
    return stops[Math.min(stops.length - 1, Math.max(0, stops.indexOf(from) + right))];
  }
  /** @type {NodeListOf<HTMLTableRowElement>} */
  const found = table.querySelectorAll("tr[data-row]");
  const rows = [...found];
  const next = rows[rows.indexOf(row) + down];
  const stops = next ? listStops(next) : [];
  return stops.find((stop) => stop.dataset.stop === from.dataset.stop) ?? stops[0];
}

/** Visible part of a row: on narrow screens most scores are hidden. @param {HTMLElement} row */
function listStops(row) {
  /** @type {NodeListOf<HTMLElement>} */
  const stops = row.querySelectorAll(STOP);
  return [...stops].filter((stop) => stop.offsetParent !== null);
}
