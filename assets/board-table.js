/** The table itself: headings, pinned rows, ranked rows and row details. */

import { figureCell, nameCell, shareCells, unfoldButton } from "./board-cells.js";
import { badge, buildDetails, describeBadge, labelOf } from "./board-details.js";
import { NONE, isNumber, make, since } from "./board-format.js";
import { gapCells } from "./board-gap.js";
import { buildHead } from "./board-head.js";
import { rankCell } from "./board-places.js";

/**
 * @import { Ticks } from "./board-compare.js"
 * @import { State } from "./board-state.js"
 */

/**
 * @typedef {object} View
 * @property {State} state
 * @property {Api.Column[]} columns  shown columns
 * @property {Api.Row[]} rows
 * @property {Api.Row[]} pinned
 * @property {Set<string>} unfolded  ids of expanded rows
 * @property {Map<string, HTMLDetailsElement>} citations  submission → its menu
 * @property {Pick<Ticks, "has"|"toggle">} ticks
 * @property {string|undefined} main  key of the score that stays visible on narrow screens
 * @property {string} ranked  key of the score that determines the ranks
 * @property {boolean} hasOwnQuestions  whether the questions are generated, so that no paper used the same ones
 * @property {Api.Benchmark} [known]  description of the version, once loaded
 * @property {(key: string) => void} onSort
 * @property {(group: string, keys: string[]) => void} onFold
 * @property {(id: string) => void} onUnfold
 */

/**
 * @typedef {object} Drawn  values derived from the rows
 * @property {Set<string>} spread  keys of columns with a standard deviation over seeds
 * @property {Record<string, number|undefined>} human  human baseline of each column
 */

/** @typedef {View & Drawn} DrawnView */

/**
 * @param {View} board
 * @returns {HTMLTableElement}
 */
export function buildTable(board) {
  const people = board.pinned.filter((row) => row.source === "human");
  const references = board.pinned.filter((row) => row.reference);
  const guesses = board.pinned.filter((row) => row.source === "random");
  const everyone = [...board.rows, ...board.pinned];
  const spread = new Set(board.columns.map((column) => column.key).filter((key) => everyone.some((row) => isNumber(row.scores[key]?.std))));
  /** @type {DrawnView} */
  const view = { ...board, spread, human: peopleReach(people, board.columns) };
  return make(
    "table",
    { class: "es-table", role: "grid", "aria-label": "Leaderboard", "data-testid": "board-table" },
    make("caption", { class: "es-hidden" }, "Leaderboard. Select a heading to sort by it. The arrow next to a name shows its details. Arrow keys move between scores."),
    buildHead(view),
    people.length ? make("tbody", { class: "es-pinned-top" }, ...people.map((row) => pinnedRow(view, row))) : null,
    // Next to the sticky cells, not inside them: there it would cover the rows.
    detailsOfPinned(view, people),
    make("tbody", { "data-testid": "board-rows" }, ...view.rows.flatMap((row, at) => rankedRow(view, row, at))),
    detailsOfPinned(view, [...references, ...guesses]),
    make("tfoot", {}, ...[...references, ...listBaselines(view), ...(guesses.length ? guesses : [expectedChance(view)])].map((row) => pinnedRow(view, row))),
  );
}

/** Human baseline of each column: the first of its rows that has the score. @param {Api.Row[]} people @param {Api.Column[]} columns */
function peopleReach(people, columns) {
  return Object.fromEntries(columns.map(({ key }) => [key, people.map((row) => row.scores[key]?.value).find(isNumber)]));
}

/** @param {DrawnView} view @returns {Table.Row} */
function expectedChance(view) {
  const scores = Object.fromEntries(view.columns.map((column) => [column.key, { value: column.chance }]));
  return { source: "random", model: { name: "Chance", organisation: "expected" }, scores, rank: null };
}

/** Text-only baselines above chance that have a score in a shown column. @param {{columns: Api.Column[], known?: Api.Benchmark}} view @returns {Table.Row[]} */
export function listBaselines({ columns, known }) {
  return (known?.baselines ?? [])
    .filter(({ scores }) => columns.some(({ key }) => key in scores))
    .map(({ id, title, description, scores }) => ({ source: "random", baseline: id, model: { name: title }, description, scores: Object.fromEntries(columns.map(({ key }) => [key, { value: scores[key] ?? null }])), rank: null }));
}

/** @param {Table.Row} row */
function describeGuesses(row) {
  if (row.baseline) return "text only";
  if (row.reference) return describeBadge("reference");
  if (row.model.organisation === "expected") return "expected";
  return row.signature ? "seeded guesses" : "as printed";
}

/** @param {Pick<Table.Row, "submission"|"baseline">} row @returns {string} ID of a row in the table; all rows except expected scores have a submission */
export function rowName(row) {
  return row.submission ?? row.baseline ?? "expected";
}

/** @param {Table.Row} row */
function dateOf(row) {
  // Papers often have only a year, and their age is not the time since loading.
  return row.printed_on ?? (row.date ? since(row.date) : NONE);
}

/** @param {DrawnView} view @param {Api.Row[]} rows */
function detailsOfPinned(view, rows) {
  const unfolded = rows.flatMap((row) => buildDetails(view, row));
  return unfolded.length ? make("tbody", {}, ...unfolded) : null;
}

/** @param {DrawnView} view @param {Table.Row} row */
function pinnedRow(view, row) {
  const word = row.source === "human" ? "Human" : row.model.name || "Chance";
  const note = row.source === "human" ? row.model.name : describeGuesses(row);
  const name = make("div", { class: "es-name" }, row.submission ? unfoldButton(view, row.submission, word) : null, badge(labelOf(row)), make("span", { class: "es-title" }, word), make("span", { class: "es-org", title: row.description ?? (row.reference ? note : null) }, note === word ? "" : note || ""));
  const cells = view.columns.map((column) => figureCell(view, row, column));
  const date = make("td", { class: "es-date es-minor" }, dateOf(row));
  return make("tr", { class: `es-pinned es-${labelOf(row)}${row.baseline ? " es-baseline" : ""}`, "data-testid": row.baseline ? `baseline-${row.baseline}` : `pinned-${labelOf(row)}`, "data-row": rowName(row) }, make("td", { class: "es-rank" }), make("th", { scope: "row", class: "es-model" }, name), ...cells, ...gapCells(view, row), ...shareCells(row), date);
}

/** @param {DrawnView} view @param {Api.Row} row @param {number} at */
function rankedRow(view, row, at) {
  const line = make(
    "tr",
    { "data-testid": "board-row", "data-row": rowName(row), "data-submission": row.submission, "data-source": row.source },
    rankCell(view, at),
    make("th", { scope: "row", class: "es-model" }, nameCell(view, row)),
    ...view.columns.map((column) => figureCell(view, row, column)),
    ...gapCells(view, row),
    ...shareCells(row),
    make("td", { class: "es-date es-minor" }, dateOf(row)),
  );
  return [line, ...buildDetails(view, row)];
}
