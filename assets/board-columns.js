/** Columns menu: every score of a benchmark, by group. */

import { full, make } from "./board-format.js";
import { makeMenu } from "./board-menu.js";

/**
 * @typedef {object} ColumnsOfBoard
 * @property {(change: {columns: string[]|null}) => void} onChange
 * @property {() => Promise<Api.Column[]>} loadColumns  all columns of the version
 * @property {() => string[]} shownColumns  keys of the shown columns
 */

/** @typedef {{column: Api.Column, box: HTMLInputElement}} Choice */

/**
 * @param {ColumnsOfBoard} board
 * @returns {HTMLElement}
 */
export function columnMenu(board) {
  const panel = make("div", { class: "es-panel", "data-testid": "columns-panel" });
  return makeMenu("Columns", panel, { "data-testid": "columns-menu" }, () => fillPanel(panel, board));
}

/** @param {HTMLElement} panel @param {ColumnsOfBoard} board */
async function fillPanel(panel, board) {
  if (!panel.childElementCount) panel.textContent = "Loading columns…";
  try {
    const columns = await board.loadColumns();
    panel.replaceChildren(...panelContent(columns, board));
  } catch {
    panel.textContent = "The columns could not be loaded. Close this menu and open it again.";
  }
}

/** @param {Api.Column[]} columns @param {ColumnsOfBoard} board */
function panelContent(columns, board) {
  const shown = new Set(board.shownColumns());
  const boxes = columns.map((column) => ({ column, box: make("input", { type: "checkbox", value: column.key, checked: shown.has(column.key) }) }));
  const report = () => board.onChange({ columns: boxes.filter((one) => one.box.checked).map((one) => one.column.key) });
  const groups = [...new Set(columns.map((column) => column.group))];
  const choices = groups.map((group) => groupChoice(group, boxes.filter((one) => one.column.group === group), report));
  const reset = () => {
    board.onChange({ columns: null });
    for (const { column, box } of boxes) box.checked = column.shown;
    for (const choice of choices) choice.refresh();
  };
  const restore = make("button", { type: "button", class: "es-button", onclick: reset }, "Default columns");
  return [...choices.map((choice) => choice.element), restore];
}

/**
 * @param {string} group
 * @param {Choice[]} boxes
 * @param {() => void} report
 * @returns {{element: HTMLElement, refresh: () => void}}  `refresh` updates the group's own box from the others
 */
function groupChoice(group, boxes, report) {
  const all = make("input", { type: "checkbox" });
  const refresh = () => {
    const n = boxes.filter((one) => one.box.checked).length;
    all.checked = n === boxes.length;
    all.indeterminate = n > 0 && n < boxes.length;
  };
  all.addEventListener("change", () => {
    for (const { box } of boxes) box.checked = all.checked;
    report();
  });
  for (const { box } of boxes) box.addEventListener("change", () => [refresh(), report()]);
  refresh();
  const labels = boxes.map(({ column, box }) => make("label", { title: full(column) }, box, column.title));
  const legend = make("legend", {}, make("label", {}, all, group || "Headline"));
  return { element: make("fieldset", {}, legend, make("div", { class: "es-choices" }, ...labels)), refresh };
}
