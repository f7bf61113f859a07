/** What a visitor chose on a board, and how it is written in the address bar and sent to the API. */

export const SOURCES = ["verified", "submitted", "reported"];
export const PAGE_SIZE = 50;
const TEXT_SORTS = ["model", "date"];
const NAMES = ["version", "setting", "sort", "order", "source", "q", "columns"];

/**
 * @typedef {object} Start  what a board shows before anyone chose
 * @property {string} version
 * @property {string} setting
 * @property {string} headline
 * @property {string[]} versions  those that are offered
 * @property {string[]} settings  those that are offered
 */

/**
 * @typedef {object} State
 * @property {string} version
 * @property {string} setting
 * @property {string} sort  `<slice>|<metric>`, `model` or `date`
 * @property {"asc"|"desc"} order
 * @property {string[]} source
 * @property {string} q
 * @property {string[]|null} columns  null while nobody has chosen any
 */

/**
 * @param {Start} start
 * @returns {State}
 */
export function defaultState(start) {
  return { version: start.version, setting: start.setting, sort: start.headline, order: "desc", source: [...SOURCES], q: "", columns: null };
}

/**
 * Read the state from the address bar; what is not there, or is no value, stays as it is by default.
 * @param {Start} start
 * @returns {State}
 */
export function readState(start) {
  const query = new URLSearchParams(location.search);
  const state = defaultState(start);
  for (const name of ["sort", "q"]) state[name] = query.get(name) || state[name];
  if (start.versions.includes(query.get("version"))) state.version = query.get("version");
  if (start.settings.includes(query.get("setting"))) state.setting = query.get("setting");
  if (query.get("order") === "asc") state.order = "asc";
  if (query.has("source")) state.source = SOURCES.filter((source) => list(query.get("source")).includes(source));
  if (query.has("columns")) state.columns = list(query.get("columns"));
  return state;
}

/**
 * Whether a state names figures that its version may not have: those of another version, or of a hand-written address.
 * @param {State} state
 * @param {Start} start
 * @returns {boolean}
 */
export function namesFigures(state, start) {
  return state.columns !== null || ![start.headline, ...TEXT_SORTS].includes(state.sort);
}

/**
 * Leave out the figures that a version does not have; an order by such a figure gives way to the usual one.
 * @param {State} state
 * @param {string[]} keys  of the figures that the version has
 * @param {Start} start
 * @returns {State}
 */
export function keepFigures(state, keys, start) {
  const usual = defaultState(start);
  const { sort, order } = [...keys, ...TEXT_SORTS].includes(state.sort) ? state : usual;
  const kept = state.columns?.filter((key) => keys.includes(key)) ?? null;
  // To choose no column is a choice; to be left with none is not.
  const columns = kept?.length || !state.columns?.length ? kept : usual.columns;
  return { ...state, sort, order, columns };
}

/**
 * Take every board's choices out of an address.
 * @param {URL} address
 */
export function clearState(address) {
  for (const name of NAMES) address.searchParams.delete(name);
}

/**
 * Write the state to the address bar, leaving out what is as by default.
 * @param {State} state
 * @param {Start} start
 */
export function writeState(state, start) {
  const address = new URL(location.href);
  const usual = defaultState(start);
  for (const name of NAMES) {
    const value = String(state[name] ?? "");
    if (value === String(usual[name] ?? "")) address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  // Slashes, bars and commas are harmless in a query and easier to read as they are.
  const readable = address.search.replace(/%2F/g, "/").replace(/%7C/g, "|").replace(/%2C/g, ",");
  history.replaceState(history.state, "", address.pathname + readable + address.hash);
}

/**
 * @param {State} state
 * @param {string[]|null} columns
 * @param {string|null} cursor
 * @returns {URLSearchParams}
 */
export function pageQuery(state, columns, cursor) {
  const query = new URLSearchParams({ version: state.version, setting: state.setting, sort: state.sort, order: state.order });
  query.set("source", state.source.join(","));
  query.set("limit", String(PAGE_SIZE));
  if (state.q) query.set("q", state.q);
  return withFigures(query, state, columns, cursor);
}

/**
 * The rows that are pinned whatever a visitor filters: people, and systems that guess.
 * @param {State} state
 * @param {string[]|null} columns
 * @returns {URLSearchParams}
 */
export function pinnedQuery(state, columns) {
  const query = new URLSearchParams({ version: state.version, setting: state.setting, source: "human,random", limit: "10" });
  return withFigures(query, state, columns, null);
}

/**
 * @param {State} state
 * @param {string} headline
 * @returns {URLSearchParams}
 */
export function bestQuery(state, headline) {
  const query = new URLSearchParams({ version: state.version, setting: state.setting, source: SOURCES.join(","), limit: "1" });
  query.set("sort", headline);
  query.set("columns", headline);
  return query;
}

function withFigures(query, state, columns, cursor) {
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

function list(text) {
  return (text || "").split(",").filter(Boolean);
}
