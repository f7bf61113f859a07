/** Table headings: groups that collapse, and columns that sort. */

import { full, isNumber, make, percent } from "./board-format.js";
import { findGapColumn, gapHeading } from "./board-gap.js";

/** @import { DrawnView, View } from "./board-table.js" */

/** @typedef {{name: string, keys: string[]}} Group  adjacent columns with one group name */

/**
 * @param {DrawnView} view
 * @returns {HTMLElement}
 */
export function buildHead(view) {
  /** @type {Group[]} */
  const groups = [];
  for (const column of view.columns) {
    const last = groups.at(-1);
    if (last?.name === column.group) last.keys.push(column.key);
    else groups.push({ name: column.group, keys: [column.key] });
  }
  const hasGroups = groups.some((group) => group.name);
  const groupRow = make("tr", { class: "es-groups" }, make("td", { class: "es-rank" }), make("td", { class: "es-model" }), ...groups.map((group) => groupHeading(view, group)), make("td", { colspan: findGapColumn(view) ? 4 : 3 }));
  const row = make(
    "tr",
    {},
    make("th", { scope: "col", class: "es-rank", title: rankHint(view) }, "#"),
    heading(view, "model", "Model", "es-model", "Sort by name"),
    ...view.columns.map((column) => heading(view, column.key, column.title, figureClass(view, column), hint(column))),
    ...gapHeading(view),
    make("th", { scope: "col", class: "es-figure es-minor", title: "Missing answers, counted as wrong. Shown if above 1 %." }, "Missing"),
    make("th", { scope: "col", class: "es-figure es-minor", title: "Unreadable answers, counted as wrong. Shown if above 1 %." }, "Unreadable"),
    heading(view, "date", "Date", "es-date es-minor", "Sort by date"),
  );
  return make("thead", {}, hasGroups ? groupRow : null, row);
}

/** @param {DrawnView} view @param {Group} group */
function groupHeading(view, { name, keys }) {
  const attributes = { colspan: keys.length, scope: "colgroup", class: "es-group" };
  if (!name) return make("th", attributes);
  const isFolded = keys.length === 1;
  const isWhole = (view.known?.columns ?? []).filter((column) => column.group === name).length <= 1;
  if (isFolded && isWhole) return make("th", attributes, name);
  const label = `${isFolded ? "Unfold" : "Fold"} ${name}`;
  const button = make("button", { type: "button", "aria-expanded": String(!isFolded), "aria-label": label, title: label, "data-fold": name, onclick: () => view.onFold(name, keys) }, name, make("span", { class: "es-arrow", "aria-hidden": "true" }, isFolded ? "▸" : "◂"));
  return make("th", attributes, button);
}

/** @param {DrawnView} view */
function rankHint(view) {
  const column = view.columns.find((one) => one.key === view.state.sort);
  return column ? `Rank by ${full(column)}; ties share a rank. A range is the 95 % confidence interval of the rank.` : "Rank";
}

/** @param {Api.Column} column */
function hint(column) {
  const chance = isNumber(column.chance) ? ` Chance ${percent(column.chance)}.` : "";
  return `${full(column)}.${column.definition && ` ${column.definition}`}${chance}${betterIs(column)}`;
}

/** @param {Api.Column} column */
function betterIs(column) {
  if (column.ranked === false) return " Neither high nor low is better, so this column is not ranked.";
  return column.higher_is_better ? "" : " Lower is better.";
}

/** @param {DrawnView} view @param {string} key @param {string} title @param {string} classes @param {string} tip */
function heading(view, key, title, classes, tip) {
  const { sort, order } = view.state;
  const direction = sort !== key ? "none" : order === "asc" ? "ascending" : "descending";
  const arrow = make("span", { class: "es-arrow", "aria-hidden": "true" }, direction === "ascending" ? "▲" : direction === "descending" ? "▼" : "");
  const button = make("button", { type: "button", title: tip, "data-sort": key, onclick: () => view.onSort(key) }, title, arrow);
  return make("th", { scope: "col", class: classes, "aria-sort": direction }, button);
}

/** @param {Pick<View, "main">} view @param {{key: string}} column @returns {string} */
export function figureClass(view, column) {
  return `es-figure${column.key === view.main ? " es-main" : " es-minor"}`;
}
