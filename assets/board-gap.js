/**
 * The column "Gap to human" of a board: human baseline − score in the main column, in points.
 *
 * It exists if the human baseline of the main column is known. A small gap is a high score, so the column sorts like
 * the main one, in reverse.
 */

import { NONE, isNumber, make } from "./board-format.js";

/** @import { DrawnView } from "./board-table.js" */

/** @param {Pick<DrawnView, "columns"|"main"|"human">} view @returns {Api.Column|null} the column of the gap, or null */
export function findGapColumn({ columns, main, human }) {
  const column = columns.find(({ key }) => key === main);
  return column && column.ranked !== false && column.higher_is_better && isNumber(human[column.key]) ? column : null;
}

/** @param {DrawnView} view @returns {HTMLElement[]} */
export function gapHeading(view) {
  const column = findGapColumn(view);
  if (!column) return [];
  const { sort, order } = view.state;
  const direction = sort !== column.key ? "none" : order === "asc" ? "descending" : "ascending";
  const arrow = make("span", { class: "es-arrow", "aria-hidden": "true" }, direction === "ascending" ? "▲" : direction === "descending" ? "▼" : "");
  const title = `Human baseline − ${column.title}, in points. Below 0, the model is better than humans.`;
  const button = make("button", { type: "button", title, "data-sort": "gap", onclick: () => view.onSort(column.key) }, "Gap to human", arrow);
  return [make("th", { scope: "col", class: "es-figure es-minor", "aria-sort": direction, "data-testid": "gap-heading" }, button)];
}

/** @param {DrawnView} view @param {Table.Row} row @returns {HTMLElement[]} */
export function gapCells(view, row) {
  const column = findGapColumn(view);
  if (!column) return [];
  const value = row.scores[column.key]?.value;
  const human = view.human[column.key];
  const isKnown = row.source !== "human" && isNumber(value) && isNumber(human);
  return [make("td", { class: "es-figure es-minor", "data-testid": "gap" }, isKnown ? writePoints(human - value) : NONE)];
}

/** @param {number} gap @returns {string} points with one decimal and a typographic minus sign */
function writePoints(gap) {
  const text = (100 * Math.abs(gap)).toFixed(1);
  return gap < 0 && text !== "0.0" ? `−${text}` : text;
}
