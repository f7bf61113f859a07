/** Status line of a board: number of rows, confidence of their ranks, and the next step on an empty board. */

import { showDefinitions } from "./board-definitions.js";
import { Refusal } from "./board-fetch.js";
import { countItems, find, full, isNumber, make, percent } from "./board-format.js";
import { FILTERS, SOURCES, defaultState, filterValue, noFilters } from "./board-state.js";

/**
 * @import { Start, State } from "./board-state.js"
 */

/**
 * @typedef {object} StatedBoard  see board.js
 * @property {Api.Row[]} [rows]  undefined before the first response
 * @property {Api.Column[]} columns
 * @property {string|null} [cursor]  set if more rows follow
 * @property {Api.Benchmark} [known]
 * @property {State} state
 * @property {Start} begin
 * @property {string} headline
 * @property {ParentNode} shell
 * @property {ParentNode} place  container of the table
 * @property {number|null} [detectable]
 * @property {string|null} [detectableFigure]
 * @property {() => void} showMore
 * @property {(change: Partial<State>) => void} change
 * @property {() => void} reload
 */

/** Selector of the button that shows more rows. */
export const MORE = "show-more";

/** @param {string} words @param {() => void} onclick @param {Record<string, unknown>} [properties] */
function button(words, onclick, properties = {}) {
  return make("button", { type: "button", class: "es-button", onclick, ...properties }, words);
}

/**
 * @param {StatedBoard} board
 * @returns {(Node|string)[]}
 */
export function describeRows(board) {
  const n = board.rows?.length ?? 0;
  if (!n) return describeNothing(board);
  const more = board.cursor ? button("Show more", () => board.showMore(), { "data-testid": MORE }) : "";
  const words = `${n.toLocaleString("en")} ${n === 1 ? "row" : "rows"}${board.cursor ? " shown, more follow" : ""}.`;
  return [[words, ...sureness(board), size(board)].filter(Boolean).join(" "), more];
}

/** Texts under the table: definitions of its columns, and a note on reported rows. @param {StatedBoard} board */
export function showFoot(board) {
  find(board.shell, "[data-place=reported]").hidden = !board.rows?.some((row) => row.source === "reported");
  showDefinitions(board);
}

/** Confidence of the ranks, and the smallest detectable difference. @param {StatedBoard} board */
function sureness({ rows = [], columns, known, place, detectable, detectableFigure }) {
  const words = [];
  if (rows.some((row) => isNumber(row.rank_low))) words.push("Rank ranges are 95 % confidence intervals (10,000 random sign flips over clips).");
  if (place.querySelector(".es-tie")) words.push("Bracketed models are statistically tied.");
  // It may belong to a column that the visitor has hidden.
  const judged = columns.filter((one) => one.judged && one.ranked && rows.some((row) => row.source === "reported" && isNumber(row.scores[one.key]?.value)));
  if (judged.length) words.push(`Reported scores in ${joinTitles(judged)} come from the papers' own judge, so compare them with care.`);
  const column = [...columns, ...(known?.columns ?? [])].find((one) => one.key === detectableFigure);
  if (isNumber(detectable) && column) words.push(`Smallest detectable difference in ${full(column)}: ${percent(detectable)} points.`);
  return words;
}

/** The first columns by name, and the number of others. @param {Api.Column[]} columns */
function joinTitles(columns) {
  const [first, ...others] = columns.map(full);
  return others.length ? `${first} and ${others.length} other ${others.length === 1 ? "column" : "columns"}` : first;
}

/** Number of questions and clips; empty on a board of single parts, whose questions are not counted separately. @param {StatedBoard} board */
function size({ known, state, headline }) {
  if (known?.version !== state.version || known.headline !== headline || !known.items) return "";
  const clips = known.clips ? ` about ${known.clips.toLocaleString("en")} clips` : "";
  return `${countItems(known)} questions${clips}.`;
}

/**
 * Show which parts accept no submissions, with a link to the version that does.
 *
 * @param {ParentNode} shell  shell of the board
 * @param {Api.Benchmark} known
 * @param {string} first  the form's default version
 */
export function showOpenness(shell, known, first) {
  const { id, title, version, open_version: open, needs, note } = known;
  const words = { tab: "submit", benchmark: id, ...(open && (open !== version || open !== first) ? { version: open } : {}) };
  const href = `/?${new URLSearchParams(words)}`;
  const submit = find(shell, "[data-place=submit]");
  submit.hidden = !open;
  submit.setAttribute("href", href);
  const isElsewhere = needs && open && open !== version;
  const link = isElsewhere ? [" ", make("a", { class: "es-button", href, "data-visit": "", "data-testid": "submit-to-open" }, `Submit to ${title} ${open}`)] : [];
  find(shell, "[data-place=needs]").replaceChildren([needs, note].filter(Boolean).join(" "), ...link);
}

/** @param {StatedBoard} board */
function describeNothing(board) {
  const { state, begin } = board;
  const isFiltered = Boolean(state.q) || state.source.length < SOURCES.length || FILTERS.some((filter) => filterValue(state, filter));
  if (!isFiltered) return [nextStep(board)];
  const clear = button("Clear filters", () => board.change({ q: "", source: defaultState(begin).source, ...noFilters() }));
  return [state.source.length ? "No row matches. " : "No source is selected. ", clear];
}

/** Next step on an empty board, as far as it is known whether it accepts submissions. @param {StatedBoard} board */
function nextStep({ known, state }) {
  const nothing = "No submissions in this setting yet.";
  if (known?.version !== state.version) return nothing;
  const first = known.editions ? "Get test questions on the Submit tab" : "Download the question pack";
  if (known.open_version === state.version) return `${nothing} ${first} and be the first; checking a file needs no account.`;
  return `No scores were published for this setting.${known.open_version ? ` Submissions are open for ${known.open_version}.` : ""}`;
}

/**
 * @param {StatedBoard} board
 * @param {unknown} error
 * @returns {Node[]}
 */
export function describeError(board, error) {
  const why = error instanceof Refusal ? error.message : "Can't reach the server. Check your connection.";
  const isViewWrong = error instanceof Refusal && error.status === 400;
  const next = isViewWrong ? button("Reset the view", () => board.change(defaultState(board.begin))) : button("Try again", () => board.reload(), { "data-testid": "try-again" });
  const before = board.rows ? " Showing the last loaded rows." : "";
  return [make("span", { role: "alert", class: "es-error" }, why + before), next];
}
