/** Rank of a row, its confidence interval, and why it may have none. */

import { NONE, full, isNumber, isPending, make, range } from "./board-format.js";

/** Note on a reported score that a language model assigned. */
export const OTHER_JUDGE = "the paper's judge gave this score, not ours";

/** @import { DrawnView } from "./board-table.js" */

/**
 * Why a row has no rank, as far as the loaded scores show.
 * @param {DrawnView} view
 * @param {Api.Row} row
 * @returns {string}
 */
export function describeNoPlace(view, row) {
  const column = view.columns.find((one) => one.key === view.ranked);
  if (!column) return "Unranked in this column";
  if (column.ranked === false) return `Unranked: neither high nor low ${full(column)} is better`;
  if (isPending(row, column)) return "No rank yet: the open answers are waiting for the judge";
  if (!isNumber(row.scores[column.key]?.value)) return `Unranked: no score for ${full(column)}`;
  return row.signature ? "Unranked: scored with an older answer key, parser or metric" : "Unranked in this column";
}

/** Text of a rank cell: a rank, a rank range, or a dash. @param {Api.Row} row @returns {string} */
function rankText(row) {
  if (!isNumber(row.rank)) return NONE;
  return isNumber(row.rank_low) && isNumber(row.rank_high) ? range(row.rank_low, row.rank_high) : String(row.rank);
}

/** Length of the longest rank in characters, which sets the column width, so that the model column stays next to it. @param {Api.Row[]} rows @returns {number} */
export function countRankCharacters(rows) {
  return Math.max(1, ...rows.map((row) => rankText(row).length));
}

/**
 * @param {DrawnView} view
 * @param {number} at  index of the row
 * @returns {HTMLElement}
 */
export function rankCell(view, at) {
  const { rows } = view;
  const row = rows[at];
  if (!isNumber(row.rank)) {
    const words = describeNoPlace(view, row);
    return make("td", { class: "es-rank", title: words, "aria-label": words }, rankText(row));
  }
  if (!isNumber(row.rank_low) || !isNumber(row.rank_high)) return make("td", { class: "es-rank", title: describePlaceByValue(view, row) }, rankText(row));
  const tie = tieClass(rows, at);
  const words = row.rank_low === row.rank_high ? `Rank ${row.rank} (95 % confident)` : `Rank ${row.rank} (95 % CI ${row.rank_low}–${row.rank_high})`;
  const title = tie ? `${words}. Bracketed models are statistically tied.` : words;
  return make("td", { class: `es-rank ${tie}`, title, "aria-label": words }, rankText(row));
}

/** @param {DrawnView} view @param {Api.Row} row */
function describePlaceByValue(view, row) {
  if (row.source !== "reported") return "Ranked by score only: this score has no rank range";
  const column = view.columns.find((one) => one.key === view.ranked);
  return column?.judged ? `Ranked by score only: ${OTHER_JUDGE}` : "Ranked by score only; no confidence interval";
}

/** A bracket joins adjacent rows with the same rank range. @param {Api.Row[]} rows @param {number} at */
function tieClass(rows, at) {
  /** @param {Api.Row|undefined} row */
  const key = (row) => (row && isNumber(row.rank_low) ? `${row.rank_low}-${row.rank_high}` : null);
  const before = key(rows[at - 1]) === key(rows[at]);
  const after = key(rows[at + 1]) === key(rows[at]);
  if (!before && !after) return "";
  return before && after ? "es-tie es-tie-inner" : before ? "es-tie es-tie-last" : "es-tie es-tie-first";
}
