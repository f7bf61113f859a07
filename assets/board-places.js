/** The place of a row: which it is, how sure it is, and why there may be none. */

import { NONE, full, isNumber, isPending, make, range } from "./board-format.js";

/** Of a reported score that a language model gave. */
export const OTHER_JUDGE = "the paper's judge gave this score, not ours";

/** @import { DrawnView } from "./board-table.js" */

/**
 * Why a row has no place, as far as the figures that are here tell it.
 * @param {DrawnView} view
 * @param {Api.Row} row
 * @returns {string}
 */
export function describeNoPlace(view, row) {
  const column = view.columns.find((one) => one.key === view.ranked);
  if (!column) return "No place in this figure";
  if (column.ranked === false) return `No place: ${full(column)} is not ranked`;
  if (isPending(row, column)) return "No rank yet: the open answers wait for the judge";
  if (!isNumber(row.scores[column.key]?.value)) return `No place: there is no figure for ${full(column)}`;
  return row.signature ? "No place: scored with another key, reader or metric version than today's, until it is scored again" : "No place in this figure";
}

/** The text of a rank cell: a rank, a range of ranks, or a dash. @param {Api.Row} row @returns {string} */
function rankText(row) {
  if (!isNumber(row.rank)) return NONE;
  return isNumber(row.rank_low) && isNumber(row.rank_high) ? range(row.rank_low, row.rank_high) : String(row.rank);
}

/** Length of the longest rank in characters: the column is as wide, and the model column stays beside it. @param {Api.Row[]} rows @returns {number} */
export function countRankCharacters(rows) {
  return Math.max(1, ...rows.map((row) => rankText(row).length));
}

/**
 * @param {DrawnView} view
 * @param {number} at  which of the rows
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
  const words = row.rank_low === row.rank_high ? `Rank ${row.rank}, sure at 95 %` : `Rank ${row.rank}, between ${row.rank_low} and ${row.rank_high} at 95 %`;
  const title = tie ? `${words}. Joined systems cannot be told apart.` : words;
  return make("td", { class: `es-rank ${tie}`, title, "aria-label": words }, rankText(row));
}

/** @param {DrawnView} view @param {Api.Row} row */
function describePlaceByValue(view, row) {
  if (row.source !== "reported") return "Ranked by score only: this score has no range of ranks";
  const column = view.columns.find((one) => one.key === view.ranked);
  return column?.judged ? `Ranked by score only: ${OTHER_JUDGE}` : "Ranked by score only: the answers behind it are not here";
}

/** Rows that follow each other with the same range of places are joined by a bracket. @param {Api.Row[]} rows @param {number} at */
function tieClass(rows, at) {
  /** @param {Api.Row|undefined} row */
  const key = (row) => (row && isNumber(row.rank_low) ? `${row.rank_low}-${row.rank_high}` : null);
  const before = key(rows[at - 1]) === key(rows[at]);
  const after = key(rows[at + 1]) === key(rows[at]);
  if (!before && !after) return "";
  return before && after ? "es-tie es-tie-inner" : before ? "es-tie es-tie-last" : "es-tie es-tie-first";
}
