/** Sortable tables: sorts server-rendered tables in place by the buttons in their headings. */

/** @typedef {number|string|null} Value  value of a cell */

/** @type {WeakMap<HTMLTableElement, HTMLTableRowElement[]>} original row order */
const cameAs = new WeakMap();

/**
 * Handle the tables of an element, including those added later.
 * @param {HTMLElement} element
 */
export function watch(element) {
  element.addEventListener("click", ({ target }) => {
    /** @type {HTMLButtonElement|null} */
    const button = target instanceof Element ? target.closest("th button[data-sort]") : null;
    if (button) sortBy(button);
  });
}

/**
 * The first click sorts as the button says, the second in reverse, the third restores the original order.
 * @param {HTMLButtonElement} button
 */
function sortBy(button) {
  const head = button.closest("th");
  const table = head?.closest("table");
  if (!head || !table) return;
  const [body] = table.tBodies;
  const came = cameAs.get(table) ?? [...body.rows];
  cameAs.set(table, came);
  const first = button.dataset.sort === "ascending" ? "ascending" : "descending";
  const second = first === "ascending" ? "descending" : "ascending";
  const before = head.getAttribute("aria-sort");
  const order = before === first ? second : before === second ? null : first;
  for (const other of table.tHead?.rows[0].cells ?? []) other.removeAttribute("aria-sort");
  const rows = [...came];
  if (order) {
    head.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    rows.sort((one, other) => compare(valueOf(one.cells[head.cellIndex]), valueOf(other.cells[head.cellIndex]), sign));
  }
  body.replaceChildren(...rows);
}

/** Missing values come last in both directions. @param {Value} one @param {Value} other @param {number} sign */
function compare(one, other, sign) {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return sign * (typeof one === "string" ? one.localeCompare(String(other), "en", { numeric: true }) : one - Number(other));
}

/** @param {HTMLTableCellElement} cell @returns {Value} */
function valueOf(cell) {
  const { value } = cell.dataset;
  if (value === undefined) return (cell.textContent ?? "").trim();
  return value === "" ? null : Number(value);
}
