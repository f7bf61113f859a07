/** Cells of a row: name, scores, and shares of missing and unparsed answers. */

import { badge, detailsId, isRenamed } from "./board-details.js";
import { NONE, heat, isNumber, isPending, make, percent } from "./board-format.js";
import { figureClass } from "./board-head.js";

/** @import { DrawnView } from "./board-table.js" */

const SHARE_WORTH_SHOWING = 0.01;

/**
 * @param {DrawnView} view
 * @param {Api.Row} row
 * @returns {HTMLElement}
 */
export function nameCell(view, row) {
  const { name, id: model } = row.model;
  const box = make("input", { type: "checkbox", class: "es-tick", checked: view.ticks.has(row.submission), "aria-label": `Compare ${name}`, title: "Select two rows to compare", "data-tick": row.submission, "data-stop": "box", tabindex: "-1", "data-testid": "compare-box", onchange: () => view.ticks.toggle(row) });
  const words = new URLSearchParams({ tab: "model", model });
  const title = make("a", { class: "es-title", href: `/?${words}`, title: name, "data-visit": "", "data-stop": "name", tabindex: "-1", "data-testid": "row-link" }, name);
  const sent = isRenamed(row) ? make("span", { class: "es-org", title: `Submitted as ${row.model.sent_as}` }, `as ${row.model.sent_as}`) : null;
  return make("div", { class: "es-name" }, box, unfoldButton(view, row.submission, name), title, sent, seedsOf(view, row), badge(row.source, row.paper));
}

/** The number of decoding seeds if a row has fewer than the benchmark: `1 of 3 seeds`. @param {DrawnView} view @param {Pick<Api.Row, "runs">} row @returns {HTMLElement|null} */
function seedsOf({ known }, { runs }) {
  const seeds = known?.seeds;
  if (!isNumber(seeds) || !isNumber(runs) || runs >= seeds) return null;
  const title = `The benchmark uses ${seeds} decoding seeds. ${runs === 1 ? "One seed gives no standard deviation." : "The standard deviation covers fewer seeds."}`;
  return make("span", { class: "es-org", title, "data-testid": "row-seeds" }, `${runs} of ${seeds} seeds`);
}

/**
 * @param {DrawnView} view
 * @param {string} submission  submission of the row
 * @param {string} name  name of the row
 * @returns {HTMLElement}
 */
export function unfoldButton(view, submission, name) {
  const isOpen = view.unfolded.has(submission);
  const label = `${isOpen ? "Fold" : "Unfold"} details of ${name}`;
  return make("button", { type: "button", class: "es-unfold", "aria-expanded": String(isOpen), "aria-controls": isOpen ? detailsId(submission) : null, "aria-label": label, "data-stop": "unfold", tabindex: "-1", onclick: () => view.onUnfold(submission) }, isOpen ? "▾" : "▸");
}

/**
 * @param {DrawnView} view
 * @param {Table.Row} row
 * @param {Api.Column} column
 * @returns {HTMLElement}
 */
export function figureCell(view, row, column) {
  const score = row.scores[column.key] ?? {};
  const cell = make("td", { class: figureClass(view, column), "data-stop": column.key, tabindex: "-1" });
  if (isPending(row, column)) cell.append(make("span", { class: "es-pending" }, "pending"));
  else cell.append(make("span", { class: markClass(row.ranks?.[column.key]) }, percent(score.value)));
  // Reserve the space even without a deviation, so that decimal points stay aligned.
  if (view.spread.has(column.key)) cell.append(make("span", { class: "es-std" }, isNumber(score.std) ? ` ± ${percent(score.std)}` : ""));
  if (isNumber(score.low) && isNumber(score.high)) markInterval(cell, score);
  cell.style.setProperty("--heat", heat(score.value, column, view.human[column.key]).toFixed(3));
  return cell;
}

/** As in papers: rank 1 bold, rank 2 underlined; pinned rows have no rank. @param {number|null|undefined} place */
function markClass(place) {
  return place === 1 ? "es-best" : place === 2 ? "es-second" : "";
}

/** Set the numbers from which the style sheet draws the bar. @param {HTMLElement} cell @param {Partial<Api.Interval>} score */
function markInterval(cell, score) {
  cell.classList.add("es-ranged");
  for (const name of /** @type {const} */ (["low", "high", "value"])) cell.style.setProperty(`--${name}`, String(score[name]));
}

/** @param {Table.Row} row @returns {HTMLElement[]} */
export function shareCells(row) {
  return [row.missing, row.unreadable].map((share) => {
    const isShown = isNumber(share) && share > SHARE_WORTH_SHOWING;
    return make("td", { class: `es-figure es-minor es-share${isShown ? " es-warn" : ""}` }, isShown ? percent(share) : isNumber(share) ? "" : NONE);
  });
}
