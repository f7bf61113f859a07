/** Moving about in the table by keyboard: one stop for the tab key, arrows from there. */

const STOP = "[data-stop]";
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -Infinity], End: [0, Infinity] };

/**
 * Make one thing in the table the one that the tab key reaches: the one used last, where it is still there.
 * @param {HTMLElement} table  its rows have `data-row`, what can be reached in them `data-stop`
 * @param {{row: string, stop: string}|null} last
 */
export function setStop(table, last) {
  const found = last && table.querySelector(`tr[data-row="${CSS.escape(last.row)}"] [data-stop="${CSS.escape(last.stop)}"]`);
  const stop = found ?? table.querySelector(`[data-testid=board-row] ${STOP}`) ?? table.querySelector(STOP);
  if (stop) stop.tabIndex = 0;
}

/**
 * @param {HTMLElement} table
 * @param {(place: {row: string, stop: string}) => void} onStop  whatever is focused becomes the stop
 */
export function followKeys(table, onStop) {
  table.addEventListener("keydown", (event) => {
    const stop = event.target.closest(STOP);
    if (!stop || !STEPS[event.key] || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    find(table, stop, ...STEPS[event.key])?.focus();
  });
  table.addEventListener("focusin", (event) => {
    const stop = event.target.closest(STOP);
    if (!stop) return;
    for (const other of table.querySelectorAll(`${STOP}[tabindex="0"]`)) other.tabIndex = -1;
    stop.tabIndex = 0;
    onStop({ row: stop.closest("tr").dataset.row, stop: stop.dataset.stop });
  });
}

function find(table, from, down, right) {
  const row = from.closest("tr");
  if (!down) {
    const stops = listStops(row);
    return stops[Math.min(stops.length - 1, Math.max(0, stops.indexOf(from) + right))];
  }
  const rows = [...table.querySelectorAll("tr[data-row]")];
  const next = rows[rows.indexOf(row) + down];
  const stops = next ? listStops(next) : [];
  return stops.find((stop) => stop.dataset.stop === from.dataset.stop) ?? stops[0];
}

/** What of a row can be seen: on a narrow screen most figures cannot. */
function listStops(row) {
  return [...row.querySelectorAll(STOP)].filter((stop) => stop.offsetParent !== null);
}
