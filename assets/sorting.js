/** Tables that were drawn elsewhere, sorted where they stand by the buttons in their headings. */

/** @type {WeakMap<HTMLTableElement, HTMLTableRowElement[]>} the rows as they came */
const cameAs = new WeakMap();

/**
 * Look after the tables of an element, also those that come into it later.
 * @param {HTMLElement} element
 */
export function watch(element) {
  element.addEventListener("click", (event) => {
    const button = event.target.closest("th button[data-sort]");
    if (button) sortBy(button);
  });
}

/**
 * The first click sorts as the button says, the second the other way round, the third puts the rows back.
 * @param {HTMLButtonElement} button
 */
function sortBy(button) {
  const head = button.closest("th");
  const table = head.closest("table");
  const [body] = table.tBodies;
  if (!cameAs.has(table)) cameAs.set(table, [...body.rows]);
  const first = button.dataset.sort;
  const second = first === "ascending" ? "descending" : "ascending";
  const order = { [first]: second, [second]: null, none: first }[head.getAttribute("aria-sort") ?? "none"];
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  const rows = [...cameAs.get(table)];
  if (order) {
    head.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    rows.sort((one, other) => compare(valueOf(one.cells[head.cellIndex]), valueOf(other.cells[head.cellIndex]), sign));
  }
  body.replaceChildren(...rows);
}

/** What does not exist stands last, whichever way the others are sorted. */
function compare(one, other, sign) {
  if (one === null || other === null) return (one === null) - (other === null);
  return sign * (typeof one === "string" ? one.localeCompare(other, "en", { numeric: true }) : one - other);
}

/** @param {HTMLTableCellElement} cell */
function valueOf(cell) {
  const { value } = cell.dataset;
  if (value === undefined) return cell.textContent.trim();
  return value === "" ? null : Number(value);
}
