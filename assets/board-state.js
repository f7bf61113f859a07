/** State of a board: the visitor's choices, and their form in the address bar and in API requests. */

import { readOptions } from "./board-format.js";
import { replaceAddress } from "./page.js";

const { parameters: PARAMETERS, sources: ROW_SOURCES } = readOptions();

/** @param {...Api.RowSource["group"]} groups */
const listSources = (...groups) => ROW_SOURCES.filter(({ group }) => groups.includes(group)).map(({ id }) => id);

export const SOURCES = listSources("evaluated", "papers");
/** Sources of rows scored by Earshot. */
export const EVALUATED = listSources("evaluated");
/** Source filter: name → title and sources. */
export const ORIGINS = {
  evaluated: { title: "Evaluated here", sources: EVALUATED },
  papers: { title: "From papers", sources: listSources("papers") },
  all: { title: "All", sources: SOURCES },
};
const PAGE_SIZE = 50;
/** Old scores keep their value but have no rank, and may be above all ranked ones. */
const BEST_ROWS = 10;
const PINNED = listSources("baselines").join(",");
const TEXT_SORTS = ["model", "date"];
/** Filters of a board, besides source and search. */
export const FILTERS = PARAMETERS.flatMap(({ name, max_characters, filter }) => (filter ? [{ name, max_characters, ...filter }] : []));
const NAMES = PARAMETERS.filter((one) => one.in_address).map((one) => one.name);
export const MAX_SEARCH_CHARACTERS = PARAMETERS.find((one) => one.name === "q")?.max_characters;
/** Query parameters of the charts: the rows that they show. */
const CHART_NAMES = ["models", "map"];

/**
 * @typedef {object} Start  initial state of a board
 * @property {string} version
 * @property {string} setting
 * @property {Record<string, string>} headlines  setting → headline of its board
 * @property {Record<string, string>} openings  version and setting → score that its board opens with instead, once known
 * @property {Record<string, View[]>} views  version → presets of its parts
 * @property {string[]} versions  available versions
 * @property {string[]} settings  available settings
 */

/** @typedef {{columns: string[], order: "asc"|"desc"}} View  columns of a part, the first of which ranks it */

/** @typedef {typeof FILTERS[number]} Filter */

/**
 * @typedef {object} FixedState
 * @property {string} version
 * @property {string} setting
 * @property {string} sort  `<slice>|<metric>`, `model` or `date`
 * @property {"asc"|"desc"} order
 * @property {string[]} source
 * @property {string} q
 * @property {string[]|null} columns  null for the default columns
 * @property {boolean} references  whether to show reference systems
 */

/** @typedef {FixedState & Record<string, unknown>} State  with the value of each filter by its name; empty without a filter */

/**
 * Default order and columns of a board. Everything about a board's initial view uses this.
 * @param {Start} start
 * @param {{setting: string, version: string}} board
 * @returns {Pick<State, "sort"|"order"|"columns">}  the default columns ordered by the headline or, if rows scored by Earshot cannot have it, a part
 */
function openingOf(start, { setting, version }) {
  const sort = start.openings[`${version} ${setting}`] ?? start.headlines[setting];
  const usual = { sort, order: /** @type {const} */ ("desc"), columns: null };
  if (sort === start.headlines[setting]) return usual;
  const part = start.views[version]?.find((view) => view.columns[0] === sort);
  return part ? { sort, ...part } : usual;
}

/**
 * Store the score that a board opens with, as named by its first response.
 * @param {State} state
 * @param {string} opening
 * @param {Start} start
 * @returns {Partial<State>|null} the changes of the state that follow, unless the visitor chose another order
 */
export function learnOpening(state, opening, start) {
  const before = openingOf(start, state);
  const name = `${state.version} ${state.setting}`;
  // The current view must not change when the board changes later.
  if (name in start.openings) return null;
  start.openings[name] = opening;
  const isChosen = state.sort !== before.sort || state.order !== before.order || new URLSearchParams(location.search).has("sort");
  if (isChosen || opening === before.sort) return null;
  const { columns, ...order } = openingOf(start, state);
  return state.columns ? order : { ...order, columns };
}

/**
 * @param {Start} start
 * @param {string} [setting]
 * @param {string} [version]
 * @returns {State}
 */
export function defaultState(start, setting = start.setting, version = start.version) {
  return { version, setting, ...openingOf(start, { setting, version }), source: [...SOURCES], q: "", ...noFilters(), references: false };
}

/**
 * Further changes after a new setting or version: a visitor of the initial view moves on to the initial view of the new
 * board.
 * @param {State} state
 * @param {Partial<State>} change
 * @param {Start} start
 * @returns {Partial<State>}
 */
export function followSetting(state, change, start) {
  const before = openingOf(start, state);
  if (!(change.setting || change.version) || state.sort !== before.sort || state.order !== before.order) return {};
  const { columns, ...order } = openingOf(start, { ...state, ...change });
  return String(state.columns) === String(before.columns) ? { ...order, columns } : order;
}

/** @returns {Record<string, string>} empty filters */
export function noFilters() {
  return Object.fromEntries(FILTERS.map(({ name }) => [name, ""]));
}

/** @param {State} state @param {Pick<Filter, "name">} filter @returns {string} the filter's value; empty without a filter */
export function filterValue(state, { name }) {
  return String(state[name] ?? "");
}

/**
 * @param {Pick<Filter, "pattern">} filter
 * @param {string} text
 * @returns {[number, number]|null} start and end of a range; null if the text is not a range
 */
export function readRange({ pattern }, text) {
  const [, low, high] = new RegExp(`^(?:${pattern})$`).exec(text) ?? [];
  if (low === undefined && high === undefined) return null;
  /** @type {[number, number]} */
  const range = [Number(low ?? 0), high === undefined ? Infinity : Number(high)];
  return range[0] < range[1] ? range : null;
}

/** @param {Filter} filter @param {string} text */
function readFilter(filter, text) {
  if (filter.form === "choice") return filter.values.includes(text) ? text : "";
  if (filter.form === "range") return readRange(filter, text) ? text : "";
  const word = text.trim();
  return word.length <= (filter.max_characters ?? Infinity) && !/\p{C}/u.test(word) ? word : "";
}

/**
 * Read the state from the address bar; missing and invalid values keep their defaults.
 * @param {Start} start
 * @returns {State}
 */
export function readState(start) {
  const query = new URLSearchParams(location.search);
  const asked = query.get("setting") ?? "";
  const version = query.get("version") ?? "";
  const state = defaultState(start, start.settings.includes(asked) ? asked : start.setting, start.versions.includes(version) ? version : start.version);
  // An order or columns in the address replace the initial view.
  if (query.has("sort")) Object.assign(state, { sort: query.get("sort") || start.headlines[state.setting], order: "desc", columns: null });
  if (query.has("order")) state.order = query.get("order") === "asc" ? "asc" : "desc";
  state.q = query.get("q") ?? "";
  if (query.has("source")) state.source = SOURCES.filter((source) => list(query.get("source")).includes(source));
  for (const filter of FILTERS) Object.assign(state, { [filter.name]: readFilter(filter, query.get(filter.name) ?? "") });
  if (query.has("columns")) state.columns = list(query.get("columns"));
  state.references = query.get("references") === "true";
  return state;
}

/**
 * Whether a state names scores that its version may not have: scores of another version, or of a hand-written address.
 * @param {State} state
 * @param {Start} start
 * @returns {boolean}
 */
export function namesFigures(state, start) {
  const isPart = start.views[state.version]?.some(({ columns }) => columns[0] === state.sort && String(columns) === String(state.columns));
  if (isPart) return false;
  return state.columns !== null || ![start.headlines[state.setting], openingOf(start, state).sort, ...TEXT_SORTS].includes(state.sort);
}

/**
 * Remove scores that a version does not have; an order by such a score becomes the default order.
 * @param {State} state
 * @param {string[]} keys  keys of the version's scores
 * @param {Start} start
 * @returns {State}
 */
export function keepFigures(state, keys, start) {
  const usual = defaultState(start, state.setting, state.version);
  const isKnown = [...keys, ...TEXT_SORTS].includes(state.sort);
  const { sort, order } = isKnown ? state : usual;
  const kept = state.columns?.filter((key) => keys.includes(key)) ?? (isKnown ? null : usual.columns);
  // Choosing no column is a choice; being left without columns is not.
  const columns = kept?.length || !state.columns?.length ? kept : usual.columns;
  return { ...state, sort, order, columns };
}

/**
 * Write the state to the address bar without default values. If a board opens with a part, the address still names the
 * order, so that it stays valid when the board opens differently later.
 * @param {State} state
 * @param {Start} start
 */
export function writeState(state, start) {
  const address = new URL(location.href);
  /** @type {State} */
  const usual = { ...defaultState(start, state.setting, state.version), setting: start.setting, version: start.version };
  if (usual.sort !== start.headlines[state.setting]) Object.assign(usual, { sort: "", order: "desc", columns: null });
  for (const name of NAMES) {
    const value = String(state[name] ?? "");
    // Showing no column differs from showing the default ones.
    if (value === String(usual[name] ?? "") && !(name === "columns" && state.columns)) address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  replaceAddress(address);
}

/**
 * Board → query parameters of its charts: other tabs remove them from the address, and the board restores them.
 * @type {Map<string|null, Record<string, string>>}
 */
const chosenRows = new Map();

/**
 * Read the chart parameters of a board from the address; if there are none, write the current ones there.
 * @param {string} board
 * @returns {boolean} whether the address contains new ones
 */
export function carryRows(board) {
  const address = new URL(location.href);
  const before = chosenRows.get(board) ?? {};
  const named = Object.fromEntries(CHART_NAMES.map((name) => [name, address.searchParams.get(name) ?? ""]).filter(([, ids]) => ids));
  const chosen = { ...before, ...named };
  chosenRows.set(board, chosen);
  for (const [name, ids] of Object.entries(chosen)) address.searchParams.set(name, ids);
  replaceAddress(address);
  return CHART_NAMES.some((name) => chosen[name] !== before[name]);
}

/**
 * Write the chart parameters of the open board to the address, or remove empty ones.
 * @param {string} name  `models` or `map`
 * @param {string} ids  submission IDs, separated by commas
 */
export function keepRows(name, ids) {
  const address = new URL(location.href);
  const board = address.searchParams.get("tab");
  const { [name]: _, ...others } = chosenRows.get(board) ?? {};
  chosenRows.set(board, ids ? { ...others, [name]: ids } : others);
  if (ids) address.searchParams.set(name, ids);
  else address.searchParams.delete(name);
  replaceAddress(address);
}

/**
 * @param {State} state
 * @param {string[]|null} columns
 * @param {string|null} cursor
 * @returns {URLSearchParams}
 */
export function pageQuery(state, columns, cursor) {
  const query = rowsQuery(state);
  query.set("limit", String(PAGE_SIZE));
  return withFigures(query, state, columns, cursor);
}

/**
 * Selection and order of the rows.
 * @param {State} state
 * @returns {URLSearchParams}
 */
export function rowsQuery(state) {
  const query = new URLSearchParams({ version: state.version, setting: state.setting, sort: state.sort, order: state.order });
  query.set("source", state.source.join(","));
  if (state.q) query.set("q", state.q);
  for (const filter of FILTERS) if (filterValue(state, filter)) query.set(filter.name, filterValue(state, filter));
  return query;
}

/**
 * The rows of a file: those of the page, and the pinned ones. Naming sources excludes all others, so none is named if
 * all are shown.
 * @param {State} state
 * @returns {URLSearchParams}
 */
export function fileQuery(state) {
  const query = rowsQuery(state);
  if (SOURCES.every((source) => state.source.includes(source))) query.delete("source");
  else query.set("source", [...state.source, PINNED].join(","));
  if (state.references) query.set("references", "true");
  return query;
}

/**
 * The pinned rows, independent of filters: human and random baselines and, if shown, reference systems.
 * @param {State} state
 * @param {string[]|null} columns
 * @returns {URLSearchParams}
 */
export function pinnedQuery(state, columns) {
  const query = new URLSearchParams({ version: state.version, setting: state.setting, source: PINNED, limit: "10" });
  if (state.references) query.set("references", "true");
  return withFigures(query, state, columns, null);
}

/**
 * The first rows by headline, which include the best one.
 * @param {State} state
 * @param {string} headline
 * @param {string[]} [sources]
 * @returns {URLSearchParams}
 */
export function bestQuery(state, headline, sources = SOURCES) {
  const query = new URLSearchParams({ version: state.version, setting: state.setting, source: sources.join(","), limit: String(BEST_ROWS) });
  query.set("sort", headline);
  return withFigures(query, { ...state, sort: headline }, [headline], null);
}

/**
 * @param {URLSearchParams} query
 * @param {State} state
 * @param {string[]|null} columns
 * @param {string|null} cursor
 * @returns {URLSearchParams} the query, with the scores to show and the one to rank by
 */
export function withFigures(query, state, columns, cursor) {
  // Request ranks in the sort column, so that `#` and the order agree.
  const [slice, metric] = state.sort.split("|");
  if (metric) {
    query.set("slice", slice);
    query.set("metric", metric);
  }
  if (columns) query.set("columns", columns.join(","));
  if (cursor) query.set("cursor", cursor);
  return query;
}

/** @param {string|null} text */
function list(text) {
  return (text || "").split(",").filter(Boolean);
}
