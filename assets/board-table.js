/** The table itself: headings, pinned rows, ranked rows and what unfolds under a row. */

import { badge, buildDetails, full, isRenamed } from "./board-details.js";
import { NONE, heat, intervalWords, isNumber, make, percent, range, since } from "./board-format.js";

const SHARE_WORTH_SHOWING = 0.01;
/**
 * @typedef {object} View
 * @property {object} state
 * @property {object[]} columns  those shown
 * @property {object[]} rows
 * @property {object[]} pinned
 * @property {Set<string>} unfolded  ids of the rows that are open
 * @property {string} main  key of the figure that stays on a narrow screen
 * @property {string} ranked  key of the figure that the places are of
 * @property {boolean} hasOwnQuestions  whether the questions are made here, so that no paper asked the same
 * @property {object} [known]  description of the version, once it is here
 * @property {(key: string) => void} onSort
 * @property {(id: string) => void} onUnfold
 */

/**
 * @param {View} view
 * @returns {HTMLElement}
 */
export function buildTable(view) {
  const people = view.pinned.filter((row) => row.source === "human");
  const guesses = view.pinned.filter((row) => row.source === "random");
  const everyone = [...view.rows, ...view.pinned];
  const spread = new Set(view.columns.map((column) => column.key).filter((key) => everyone.some((row) => isNumber(row.scores[key]?.std))));
  view = { ...view, spread };
  return make(
    "table",
    { class: "es-table", "data-testid": "board-table" },
    make("caption", { class: "es-hidden" }, "Leaderboard. Headings sort; the arrow beside a name unfolds its details."),
    buildHead(view),
    people.length ? make("tbody", { class: "es-pinned-top" }, ...people.map((row) => pinnedRow(view, row))) : null,
    make("tbody", { "data-testid": "board-rows" }, ...view.rows.flatMap((row, at) => rankedRow(view, row, at))),
    make("tfoot", {}, ...(guesses.length ? guesses : [expectedChance(view)]).map((row) => pinnedRow(view, row))),
  );
}

function expectedChance(view) {
  const scores = Object.fromEntries(view.columns.map((column) => [column.key, { value: column.chance }]));
  return { source: "random", model: { name: "Chance", organisation: "expected" }, scores, rank: null };
}

function buildHead(view) {
  const groups = [];
  for (const column of view.columns) {
    const last = groups.at(-1);
    if (last?.name === column.group) last.span += 1;
    else groups.push({ name: column.group, span: 1 });
  }
  const hasGroups = groups.some((group) => group.name);
  const cells = groups.map((group) => make("th", { colspan: group.span, scope: "colgroup", class: "es-group" }, group.name));
  const groupRow = make("tr", { class: "es-groups" }, make("td", { class: "es-rank" }), make("td", { class: "es-model" }), ...cells, make("td", { colspan: 3 }));
  const headings = view.columns.map((column) => heading(view, column.key, column.title, figureClass(view, column), hint(column)));
  const row = make(
    "tr",
    {},
    make("th", { scope: "col", class: "es-rank", title: rankHint(view) }, "#"),
    heading(view, "model", "Model", "es-model", "Sort by name"),
    ...headings,
    make("th", { scope: "col", class: "es-figure es-minor", title: "Share of expected answers that are missing; they count as wrong. Shown above 1 %." }, "missing"),
    make("th", { scope: "col", class: "es-figure es-minor", title: "Share of answers in which nothing could be read; they count as wrong. Shown above 1 %." }, "unread."),
    heading(view, "date", "Date", "es-date es-minor", "Sort by date"),
  );
  return make("thead", {}, hasGroups ? groupRow : null, row);
}

function rankHint(view) {
  const column = view.columns.find((one) => one.key === view.state.sort);
  return column ? `Place by ${full(column)}; equal figures share a place. A range: the places that the answers leave open at 95 %` : "Place";
}

function hint(column) {
  const chance = isNumber(column.chance) ? ` Chance ${percent(column.chance)}.` : "";
  return `${full(column)}.${chance}${betterIs(column)}`;
}

function betterIs(column) {
  if (column.ranked === false) return " Neither high nor low is better: no places.";
  return column.higher_is_better ? "" : " Lower is better.";
}

function heading(view, key, title, classes, tip) {
  const { sort, order } = view.state;
  const direction = sort !== key ? "none" : order === "asc" ? "ascending" : "descending";
  const arrow = make("span", { class: "es-arrow", "aria-hidden": "true" }, direction === "ascending" ? "▲" : direction === "descending" ? "▼" : "");
  const button = make("button", { type: "button", title: tip, "data-sort": key, onclick: () => view.onSort(key) }, title, arrow);
  return make("th", { scope: "col", class: classes, "aria-sort": direction }, button);
}

function figureClass(view, column) {
  return `es-figure${column.key === view.main ? " es-main" : " es-minor"}`;
}

function describeGuesses(row) {
  if (row.model.organisation === "expected") return "expected";
  return row.signature ? "seeded guesses" : "as printed";
}

function pinnedRow(view, row) {
  const word = row.source === "human" ? "Human" : row.model.name || "Chance";
  const note = row.source === "human" ? row.model.name : describeGuesses(row);
  const name = make("div", { class: "es-name" }, badge(row.source), make("span", { class: "es-title" }, word), make("span", { class: "es-org" }, note || ""));
  const cells = view.columns.map((column) => figure(view, row, column));
  return make("tr", { class: `es-pinned es-${row.source}`, "data-testid": `pinned-${row.source}` }, make("td", { class: "es-rank" }), make("th", { scope: "row", class: "es-model" }, name), ...cells, ...shares(row), make("td", { class: "es-date es-minor" }, row.date ? since(row.date) : NONE));
}

function rankedRow(view, row, at) {
  const isOpen = view.unfolded.has(row.submission);
  const id = `es-details-${row.submission}`;
  const cells = view.columns.map((column) => figure(view, row, column));
  const line = make(
    "tr",
    { "data-testid": "board-row", "data-submission": row.submission, "data-source": row.source },
    rankCell(view, at),
    make("th", { scope: "row", class: "es-model" }, nameCell(view, row, isOpen, id)),
    ...cells,
    ...shares(row),
    make("td", { class: "es-date es-minor" }, since(row.date)),
  );
  return isOpen ? [line, buildDetails(view, row, id)] : [line];
}

/** Why a row has no place, as far as the figures that are here tell it. */
function describeNoPlace(view, row) {
  const column = view.columns.find((one) => one.key === view.ranked);
  if (!column) return "No place in this figure";
  if (column.ranked === false) return `No place: ${full(column)} is not ranked`;
  if (!isNumber(row.scores[column.key]?.value)) return `No place: there is no figure for ${full(column)}`;
  return row.signature ? "No place: scored with another key, reader or metric version than today's, until it is scored again" : "No place in this figure";
}

function rankCell(view, at) {
  const { rows } = view;
  const row = rows[at];
  if (!isNumber(row.rank)) return make("td", { class: "es-rank", title: describeNoPlace(view, row) }, NONE);
  if (!isNumber(row.rank_low) || !isNumber(row.rank_high)) return make("td", { class: "es-rank", title: describePlaceByValue(row) }, String(row.rank));
  const tie = tieClass(rows, at);
  const words = row.rank_low === row.rank_high ? `Rank ${row.rank}, sure at 95 %` : `Rank ${row.rank}, between ${row.rank_low} and ${row.rank_high} at 95 %`;
  const title = tie ? `${words}. Joined systems cannot be told apart.` : words;
  return make("td", { class: `es-rank ${tie}`, title, "aria-label": words }, range(row.rank_low, row.rank_high));
}

function describePlaceByValue(row) {
  return row.source === "reported" ? "Placed by its figure alone: the answers behind it are not here" : "Placed by its figure alone: this figure has no range of ranks";
}

/** Rows that follow each other with the same range of places are joined by a bracket. */
function tieClass(rows, at) {
  const key = (row) => (row && isNumber(row.rank_low) ? `${row.rank_low}-${row.rank_high}` : null);
  const before = key(rows[at - 1]) === key(rows[at]);
  const after = key(rows[at + 1]) === key(rows[at]);
  if (!before && !after) return "";
  return before && after ? "es-tie es-tie-inner" : before ? "es-tie es-tie-last" : "es-tie es-tie-first";
}

function nameCell(view, row, isOpen, id) {
  const label = `${isOpen ? "Fold" : "Unfold"} details of ${row.model.name}`;
  const toggle = make("button", { type: "button", class: "es-unfold", "aria-expanded": String(isOpen), "aria-controls": id, "aria-label": label, onclick: () => view.onUnfold(row.submission) }, isOpen ? "▾" : "▸");
  const title = make("span", { class: "es-title", title: row.model.name }, row.model.name);
  const sent = isRenamed(row) ? make("span", { class: "es-org", title: `Sent as ${row.model.sent_as}` }, `as ${row.model.sent_as}`) : null;
  return make("div", { class: "es-name" }, toggle, title, sent, badge(row.source));
}

function figure(view, row, column) {
  const score = row.scores[column.key] ?? {};
  const cell = make("td", { class: figureClass(view, column), title: figureHint(score, column) });
  const text = make("span", { class: markClass(row.ranks?.[column.key]) }, percent(score.value));
  cell.append(text);
  // The room is kept where there is no deviation, so that the points stay under each other.
  if (view.spread.has(column.key)) cell.append(make("span", { class: "es-std" }, isNumber(score.std) ? ` ± ${percent(score.std)}` : ""));
  if (isNumber(score.low) && isNumber(score.high)) cell.append(intervalBar(score));
  cell.style.setProperty("--heat", heat(score.value, column).toFixed(3));
  return cell;
}

/** As papers print it: the first place bold, the second underlined; pinned rows have no place. */
function markClass(place) {
  return { 1: "es-best", 2: "es-second" }[place] ?? "";
}

function figureHint(score, column) {
  if (!isNumber(score.value)) return `${full(column)}: no figure`;
  const spread = isNumber(score.std) ? `, ± ${percent(score.std)} over seeds` : "";
  const interval = intervalWords(score);
  return `${full(column)}: ${(100 * score.value).toFixed(2)}${spread}${interval && `, ${interval}`}`;
}

function intervalBar(score) {
  const bar = make("span", { class: "es-interval", "aria-hidden": "true" });
  for (const name of ["low", "high", "value"]) bar.style.setProperty(`--${name}`, String(score[name]));
  return bar;
}

function shares(row) {
  return [row.missing, row.unreadable].map((share) => {
    const isShown = isNumber(share) && share > SHARE_WORTH_SHOWING;
    return make("td", { class: `es-figure es-minor es-share${isShown ? " es-warn" : ""}` }, isShown ? percent(share) : isNumber(share) ? "" : NONE);
  });
}
