/** What a visitor chose on a board, and how it is written in the address bar and sent to the API. */

import { readOptions } from "./board-format.js";
import { replaceAddress } from "./page.js";

const { parameters: PARAMETERS, sources: ROW_SOURCES } = readOptions();

/** @param {...Api.RowSource["group"]} groups */
const listSources = (...groups) => ROW_SOURCES.filter(({ group }) => groups.includes(group)).map(({ id }) => id);

export const SOURCES = listSources("evaluated", "papers");
/** Sources of rows whose answers were scored here. */
export const EVALUATED = listSources("evaluated");
/** Whose scores a board shows: name → title and sources. */
export const ORIGINS = {
  evaluated: { title: "Evaluated here", sources: EVALUATED },
  papers: { title: "From papers", sources: listSources("papers") },
  all: { title: "All", sources: SOURCES },
};
const PAGE_SIZE = 50;
/** Old scores keep their value but no place, and may be above all that have one. */
const BEST_ROWS = 10;
const PINNED = listSources("baselines").join(",");
const TEXT_SORTS = ["model", "date"];
/** What a board is filtered by, besides source and search. */
export const FILTERS = PARAMETERS.flatMap(({ name, max_characters, filter }) => (filter ? [{ name, max_characters, ...filter }] : []));
const NAMES = PARAMETERS.filter((one) => one.in_address).map((one) => one.name);
export const MAX_SEARCH_CHARACTERS = PARAMETERS.find((one) => one.name === "q")?.max_characters;
/** The charts' own words: which rows they show. */
const CHART_NAMES = ["models", "map"];

/**
 * @typedef {object} Start  what a board shows before anyone chose
 * @property {string} version
 * @property {string} setting
 * @property {Record<string, string>} headlines  setting → the figure that its board opens by
 * @property {Record<string, string>} openings  version and setting → the figure that its board opens by instead, once it is known
 * @property {Record<string, View[]>} views  version → the quick choices of its parts
 * @property {string[]} versions  those that are offered
 * @property {string[]} settings  those that are offered
 */

/** @typedef {{columns: string[], order: "asc"|"desc"}} View  figures of a part, that by which it ranks first */

/** @typedef {typeof FILTERS[number]} Filter */

/**
 * @typedef {object} FixedState
 * @property {string} version
 * @property {string} setting
 * @property {string} sort  `<slice>|<metric>`, `model` or `date`
 * @property {"asc"|"desc"} order
 * @property {string[]} source
 * @property {string} q
 * @property {string[]|null} columns  null while nobody has chosen any
 * @property {boolean} references  whether reference systems are shown
 */

/** @typedef {FixedState & Record<string, unknown>} State  with the value of each filter by its name; empty while nobody filters by it */

/**
 * What a board shows while nobody chose an order or columns. All that has to do with what a board opens by asks here.
 * @param {Start} start
 * @param {{setting: string, version: string}} board
 * @returns {Pick<State, "sort"|"order"|"columns">}  the usual columns by the headline or, where rows scored here cannot have that, a part
 */
function openingOf(start, { setting, version }) {
  const sort = start.openings[`${version} ${setting}`] ?? start.headlines[setting];
  const usual = { sort, order: /** @type {const} */ ("desc"), columns: null };
  if (sort === start.headlines[setting]) return usual;
  const part = start.views[version]?.find((view) => view.columns[0] === sort);
  return part ? { sort, ...part } : usual;
}

/**
 * Note the figure that a board opens by, as its first answer names it.
 * @param {State} state
 * @param {string} opening
 * @param {Start} start
 * @returns {Partial<State>|null} what the state has to follow in, where nobody chose another order
 */
export function learnOpening(state, opening, start) {
  const before = openingOf(start, state);
  const name = `${state.version} ${state.setting}`;
  // What a visitor looks at stays as it is when the board changes later.
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
 * What else changes with a setting or version: who looks at what a board opens by goes on to what the other one opens by.
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

/** @returns {Record<string, string>} the filters while nothing is filtered */
export function noFilters() {
  return Object.fromEntries(FILTERS.map(({ name }) => [name, ""]));
}

/** @param {State} state @param {Pick<Filter, "name">} filter @returns {string} what is filtered by; empty where nothing is */
export function filterValue(state, { name }) {
  return String(state[name] ?? "");
}

/**
 * @param {Pick<Filter, "pattern">} filter
 * @param {string} text
 * @returns {[number, number]|null} where a range begins and where it has ended; null where it is none
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
 * Read the state from the address bar; what is not there, or is no value, stays as it is by default.
 * @param {Start} start
 * @returns {State}
 */
export function readState(start) {
  const query = new URLSearchParams(location.search);
  const asked = query.get("setting") ?? "";
  const version = query.get("version") ?? "";
  const state = defaultState(start, start.settings.includes(asked) ? asked : start.setting, start.versions.includes(version) ? version : start.version);
  // Who names an order or columns chose something else than what the board opens by.
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
 * Whether a state names figures that its version may not have: those of another version, or of a hand-written address.
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
 * Leave out the figures that a version does not have; an order by such a figure gives way to the usual one.
 * @param {State} state
 * @param {string[]} keys  of the figures that the version has
 * @param {Start} start
 * @returns {State}
 */
export function keepFigures(state, keys, start) {
  const usual = defaultState(start, state.setting, state.version);
  const isKnown = [...keys, ...TEXT_SORTS].includes(state.sort);
  const { sort, order } = isKnown ? state : usual;
  const kept = state.columns?.filter((key) => keys.includes(key)) ?? (isKnown ? null : usual.columns);
  // To choose no column is a choice; to be left with none is not.
  const columns = kept?.length || !state.columns?.length ? kept : usual.columns;
  return { ...state, sort, order, columns };
}

/**
 * Write the state to the address bar, leaving out what is as by default. Where a board opens by a part, the address names
 * the order all the same: it says what is shown, whatever the board opens by later.
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
    // To show no column is another choice than to show the usual ones.
    if (value === String(usual[name] ?? "") && !(name === "columns" && state.columns)) address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  replaceAddress(address);
}

/**
 * Board → what was chosen for its charts: other tabs take it out of the address, and it is put back with the board.
 * @type {Map<string|null, Record<string, string>>}
 */
const chosenRows = new Map();

/**
 * Take over what the address says of a board's charts; where it says nothing, say there what they show.
 * @param {string} board
 * @returns {boolean} whether the address says something new
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
 * Put what was chosen for the charts of the open board into the address, or take it out where nothing is.
 * @param {string} name  `models` or `map`
 * @param {string} ids  of submissions, with commas
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
 * Which rows, and in which order.
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
 * The rows of a file: those of the page, and the pinned ones. Named sources leave all others out, so none is named where
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
 * The rows that are pinned whatever a visitor filters: human and random ones and, where they are shown, reference systems.
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
 * The first rows by the headline figure, among which the best one is.
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
 * @returns {URLSearchParams} the query, with the figures to show and the one to rank by
 */
export function withFigures(query, state, columns, cursor) {
  // Places are asked for by the figure that is sorted by, so that `#` and the order agree.
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
