/** Tables that were drawn elsewhere, sorted where they stand by the buttons in their headings. */

/** @typedef {number|string|null} Value  of a cell */

/** @type {WeakMap<HTMLTableElement, HTMLTableRowElement[]>} the rows as they came */
const cameAs = new WeakMap();

/**
 * Look after the tables of an element, also those that come into it later.
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
 * The first click sorts as the button says, the second the other way round, the third puts the rows back.
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

/** What does not exist stands last, whichever way the others are sorted. @param {Value} one @param {Value} other @param {number} sign */
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
