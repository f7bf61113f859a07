/** Details of a row: who made the model, where its scores come from, and how they were computed. */

import { NONE, full, intervalWords, isNumber, isPending, make, percent, readOptions } from "./board-format.js";
import { findGapColumn } from "./board-gap.js";
import { OTHER_JUDGE, describeNoPlace } from "./board-places.js";
import { citation } from "./citing.js";
import { describePrinted, linkPaper, namePlace } from "./papers.js";

/** @import { DrawnView, View } from "./board-table.js" */

/** Badge → its row source. @type {Map<string, Api.RowSource>} */
const ROW_SOURCES = new Map(readOptions().sources.map((source) => [source.id, source]));

/** @typedef {[string, string|Node]} Fact */

const OTHER_QUESTIONS = "The paper used its own test items.";

/** Label of a row: its source, or that it is a reference system. @param {Pick<Table.Row, "source"|"reference">} row @returns {string} */
export function labelOf(row) {
  return row.reference ? "reference" : row.source;
}

/** @param {string} source @param {Api.PrintedIn|null} [paper]  paper that reports it @returns {HTMLElement} */
export function badge(source, paper) {
  const title = paper ? describePrinted(paper) : describeBadge(source);
  return make("span", { class: `es-badge es-badge-${source}`, title }, labelSource(source));
}

/** Explanation of a badge. @param {string} source @returns {string} */
export function describeBadge(source) {
  return ROW_SOURCES.get(source)?.description ?? "";
}

/** Text of a badge. @param {string} source @returns {string} */
export function labelSource(source) {
  return ROW_SOURCES.get(source)?.label ?? source;
}

/** @param {string} submission @returns {string} id of the details of its row */
export function detailsId(submission) {
  return `es-details-${submission}`;
}

/**
 * @param {DrawnView} view
 * @param {Api.Row} row
 * @returns {HTMLElement[]}  empty if collapsed
 */
export function buildDetails(view, row) {
  if (!view.unfolded.has(row.submission)) return [];
  const span = view.columns.length + (findGapColumn(view) ? 6 : 5);
  return [make("tr", { id: detailsId(row.submission), class: "es-details", "data-testid": "board-details" }, make("td", { colspan: span }, make("div", { class: "es-details-inner" }, facts(view, row), figures(view, row), notes(view, row), citationOf(view, row.submission))))];
}

/** Return the same element at every drawing, so that opened menus stay open. @param {DrawnView} view @param {string} submission */
function citationOf({ citations }, submission) {
  const menu = citations.get(submission) ?? citation(submission);
  citations.set(submission, menu);
  return menu;
}

/** @param {DrawnView} view @param {Api.Row} row */
function facts(view, row) {
  return definitions(view.pinned.includes(row) ? pinnedFacts(view, row) : systemFacts(view, row), "es-facts");
}

/** Facts of human and random baselines: only those that apply to them and are known. @param {DrawnView} view @param {Api.Row} row @returns {Fact[]} */
function pinnedFacts(view, row) {
  /** @type {Fact[]} */
  const known = [["Name", row.model.name], ["Organisation", row.model.organisation || NONE], ...originFacts(view, row)];
  return known.filter(([, value]) => value !== NONE);
}

/** @param {DrawnView} view @param {Api.Row} row @returns {Fact[]} */
function systemFacts(view, row) {
  const model = row.model;
  const weights = model.open_weights === true ? "open" : model.open_weights === false ? "closed" : NONE;
  const size = isNumber(model.size_billions) ? `${model.size_billions} B parameters` : NONE;
  return [
    ["Name", model.name],
    .../** @type {Fact[]} */ (isRenamed(row) ? [["Submitted as", model.sent_as]] : []),
    ["Organisation", model.organisation || NONE],
    ["Kind", [model.kind, size !== NONE ? size : null].filter(Boolean).join(", ") || NONE],
    ["Weights", weights],
    ["Links", safeLinks(model.links ?? [])],
    .../** @type {Fact[]} */ (isNumber(row.rank) ? [] : [["Rank", describeNoPlace(view, row)]]),
    ...originFacts(view, row),
  ];
}

/** @param {DrawnView} view @param {Api.Row} row @returns {Fact[]} */
function originFacts(view, row) {
  const shares = [row.missing, row.unreadable];
  return [
    ["Source", describeSource(view, row)],
    .../** @type {Fact[]} */ (row.paper ? [["Paper", linkPaper(row.paper)], ["Reported in", namePlace(row.paper)]] : []),
    ["Parts", describeParts(view, row) || NONE],
    .../** @type {Fact[]} */ (row.open_pending ? [["Open answers", "waiting for the judge; their scores will be added"]] : []),
    ["Missing / unreadable", shares.some(isNumber) ? shares.map((share) => (isNumber(share) ? `${percent(share)} %` : NONE)).join(" / ") : NONE],
    ["Signature", row.signature ? make("code", {}, row.signature) : "none: reported scores were not computed here"],
    ["JSON", make("a", { href: `/api/v1/submissions/${encodeURIComponent(row.submission)}`, target: "_blank", rel: "noopener" }, row.submission)],
  ];
}

/**
 * Whether a row is shown under another model name than submitted, because the models were merged; spelling does not
 * count.
 * @param {Api.Row} row
 * @returns {boolean}
 */
export function isRenamed(row) {
  return Boolean(row.model.sent_as) && fold(row.model.sent_as) !== fold(row.model.name);
}

/** @param {string} name */
function fold(name) {
  return name.normalize("NFKC").toLowerCase().trim().replace(/\s+/g, " ");
}

/** @param {DrawnView} view @param {Api.Row} row */
function describeSource(view, row) {
  const isOther = row.source === "reported" && view.hasOwnQuestions;
  return [`${labelSource(labelOf(row))}.`, describeBadge(labelOf(row)), isOther ? OTHER_QUESTIONS : null].filter(Boolean).join(" ");
}

/** @param {DrawnView} view @param {Api.Row} row */
function describeParts(view, row) {
  const titles = new Map((view.known?.parts ?? []).map((part) => [part.id, part.title]));
  return (row.parts ?? []).map((id) => titles.get(id) ?? id).join("; ");
}

/** @param {DrawnView} view @param {Api.Row} row */
function figures(view, row) {
  /** @type {Fact[]} */
  const pairs = view.columns.map((column) => {
    const score = row.scores[column.key] ?? {};
    const spread = isNumber(score.std) ? ` ± ${percent(score.std)}` : "";
    const interval = intervalWords(score);
    const judge = column.judged && row.source === "reported" && isNumber(score.value) ? ` (${OTHER_JUDGE})` : "";
    if (isPending(row, column)) return [full(column), "pending (waiting for the judge)"];
    return [full(column), percent(score.value) + spread + (interval && ` (${interval})`) + judge];
  });
  return definitions(pairs, "es-narrow-figures");
}

/** Notes on the row, then on the shown scores: where each is reported, or how it was computed. @param {DrawnView} view @param {Api.Row} row */
function notes(view, row) {
  /** @type {Map<string, string[]>} */
  const ofFigures = new Map();
  for (const column of view.columns) {
    const note = row.score_notes?.[column.key];
    if (note) ofFigures.set(note, [...(ofFigures.get(note) ?? []), full(column)]);
  }
  const words = [...(row.notes ?? []), ...[...ofFigures].map(([note, names]) => `${names.join("; ")}: ${note}`)];
  if (!words.length) return null;
  return make("ul", { class: "es-notes", "data-testid": "board-notes" }, ...words.map((text) => make("li", {}, text)));
}

/** @param {Fact[]} pairs @param {string} classes */
function definitions(pairs, classes) {
  return make("dl", { class: classes }, ...pairs.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

/** @param {string[]} urls */
function safeLinks(urls) {
  return urls.length ? make("span", {}, ...urls.flatMap((url, at) => (at ? [" ", safeLink(url)] : [safeLink(url)]))) : NONE;
}

/** A submitter's link, rendered as a link only if it is a web URL. @param {string} url */
function safeLink(url) {
  if (!url || !/^https?:\/\//i.test(url)) return NONE;
  return make("a", { href: url, target: "_blank", rel: "noopener noreferrer nofollow ugc" }, url);
}
