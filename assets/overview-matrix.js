/** Matrix of the Overview: one row per model, one column per benchmark. */

import { badge } from "./board-details.js";
import { NONE, intervalWords, isNumber, make, percent, range } from "./board-format.js";

const TITLE = "All models, all benchmarks";
const READING = "Each cell is the model's best public score in the default setting. We never average settings or versions.";
const DEMO = "“Demo” scores come from a small sample set and are not comparable.";

/**
 * @typedef {object} MatrixView
 * @property {string} sort
 * @property {string} order
 * @property {(key: string) => void} onSort
 */

/** @param {Api.NamedModel} model @returns {HTMLAnchorElement} */
export function linkModel(model) {
  return make("a", { href: `/?tab=model&model=${encodeURIComponent(model.id)}`, "data-visit": "", class: "es-title", title: model.name }, model.name);
}

/** @param {string} benchmark @param {string} title @returns {HTMLAnchorElement} */
export function linkBoard(benchmark, title) {
  return make("a", { href: `/?tab=${encodeURIComponent(benchmark)}`, "data-visit": "" }, title);
}

/**
 * @param {Pick<Api.Overview, "benchmarks"|"rows">} data
 * @param {MatrixView} view
 * @returns {DocumentFragment}
 */
export function buildMatrix(data, view) {
  const table = make(
    "table",
    { class: "es-table es-matrix", "data-testid": "overview-matrix" },
    make("caption", { class: "es-hidden" }, `${TITLE}: best public scores`),
    make("thead", {}, make("tr", {}, heading("model", "Model", "", view), ...data.benchmarks.map((one) => heading(one.id, one.title, describeScale(one), view)))),
    make("tbody", {}, ...data.rows.map((row) => buildRow(row, data.benchmarks))),
  );
  const frame = make("div", { class: "es-frame", tabindex: "0", role: "region", "aria-label": TITLE }, table);
  const hasDemo = data.rows.some((row) => Object.values(row.cells).some((cell) => cell?.counts === false));
  const reading = make("p", { class: "es-quiet es-reading" }, [READING, describeBaselines(data.benchmarks), hasDemo ? DEMO : ""].filter(Boolean).join(" "), " ", make("a", { href: "/?tab=about#about-definitions", "data-visit": "" }, "What the scores mean."));
  const whole = document.createDocumentFragment();
  whole.append(frame, reading);
  return whole;
}

/** @param {Api.Summary} benchmark */
function hasHumans(benchmark) {
  return isNumber(benchmark.human) && isNumber(benchmark.chance);
}

/** @param {Api.Summary[]} benchmarks */
function describeBaselines(benchmarks) {
  const names = benchmarks.filter(hasHumans).map(({ title }) => title);
  const others = "we show points above chance.";
  if (!names.length) return `No benchmark has a human baseline; ${others}`;
  const have = `${new Intl.ListFormat("en").format(names)} ${names.length === 1 ? "has a human baseline, so its scores also run" : "have human baselines, so their scores also run"} from 0 (chance) to 1 (human).`;
  return names.length === benchmarks.length ? have : `${have} For the others ${others}`;
}

/** @param {Api.Summary} benchmark */
function describeScale(benchmark) {
  return hasHumans(benchmark) ? "0 = chance, 1 = human" : "% (no human baseline)";
}

/** @param {string} key @param {string} title @param {string} words @param {MatrixView} view */
function heading(key, title, words, view) {
  const isSorted = view.sort === key;
  const direction = isSorted ? (view.order === "asc" ? "ascending" : "descending") : "none";
  const arrow = isSorted ? make("span", { class: "es-arrow", "aria-hidden": "true" }, view.order === "asc" ? "▲" : "▼") : null;
  const button = make("button", { type: "button", "data-sort": key, onclick: () => view.onSort(key) }, title, arrow);
  const small = words ? make("small", {}, words) : null;
  return make("th", { scope: "col", "aria-sort": direction, class: key === "model" ? "es-model" : "es-figure" }, button, small);
}

/** @param {Api.OverviewRow} row @param {Api.Summary[]} benchmarks */
function buildRow(row, benchmarks) {
  const name = make("th", { scope: "row", class: "es-model" }, linkModel(row.model));
  return make("tr", { "data-testid": "overview-row" }, name, ...benchmarks.map((one) => buildCell(row.cells[one.id], one)));
}

/** @param {Api.Cell|undefined} cell @param {Api.Summary} benchmark */
function buildCell(cell, benchmark) {
  if (!cell) return make("td", { class: "es-figure es-none" }, NONE);
  const { normalised } = cell;
  const isNormalised = isNumber(normalised);
  const first = make("span", { class: "es-main" }, isNormalised ? signed(normalised) : percent(cell.value));
  const second = make("span", { class: "es-beside" }, isNormalised ? percent(cell.value) : points(cell.above_chance));
  const demo = cell.counts ? null : make("span", { class: "es-demo" }, "demo");
  const heat = isNormalised ? `--heat: ${Math.min(1, Math.max(0, normalised))}` : null;
  const title = describeCell(cell, benchmark);
  return make("td", { class: "es-figure", style: heat, title }, make("span", { class: "es-cell" }, demo, badge(cell.source), first, second, place(cell)));
}

/** @param {Api.Cell} cell */
function place(cell) {
  const words = isNumber(cell.rank_low) && isNumber(cell.rank_high) ? range(cell.rank_low, cell.rank_high) : isNumber(cell.rank) ? String(cell.rank) : NONE;
  return make("span", { class: "es-place" }, `#${words}`);
}

/** @param {number} number */
function signed(number) {
  const words = number.toFixed(2);
  return Number(words) === 0 ? "0.00" : words.replace("-", "−");
}

/** @param {number|null} above */
function points(above) {
  if (!isNumber(above)) return "";
  const words = percent(Math.abs(above));
  return Number(words) === 0 ? words : `${above < 0 ? "−" : "+"}${words}`;
}

/** @param {Api.Cell} cell @param {Api.Summary} benchmark */
function describeCell(cell, benchmark) {
  const words = [
    `${benchmark.title} ${cell.version}: ${percent(cell.value)} %`,
    intervalWords(cell),
    isNumber(cell.above_chance) ? `${points(cell.above_chance)} points from chance` : "no random baseline",
    isNumber(cell.normalised) ? `${signed(cell.normalised)} on the scale from chance (0) to human (1)` : "no human baseline",
    cell.counts ? "" : "small sample set",
  ];
  return `${words.filter(Boolean).join(", ")}.`;
}
