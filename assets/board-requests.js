/** API requests of a board: pages of rows, the description of a version, and the sizes behind a row's scores. */

import { fetchJson } from "./board-fetch.js";
import { isNumber, readOptions } from "./board-format.js";
import { EVALUATED, bestQuery, fileQuery, pageQuery, pinnedQuery, withFigures } from "./board-state.js";

/**
 * @import { State } from "./board-state.js"
 */

/** @typedef {Api.Json<Api.Board>} Page */
/** @typedef {Page & {pinned: Api.Row[], best: Api.Row|undefined}} Found */
/** @typedef {Record<string, {n: number|null}|undefined>} Sizes  score → its number of items */

const TABLES = readOptions().formats.filter((one) => one.is_table).map((one) => one.id);

export class Requests {
  /** @param {string} benchmark @param {Record<string, string>} headlines  setting → headline of its board */
  constructor(benchmark, headlines) {
    this.about = `/api/v1/benchmarks/${encodeURIComponent(benchmark)}`;
    this.url = `/api/v1/leaderboards/${encodeURIComponent(benchmark)}`;
    this.headlines = headlines;
    /** @type {Map<string, Api.Benchmark>} */
    this.descriptions = new Map();
    /** @type {Map<string, Promise<Sizes>>} */
    this.sizes = new Map();
  }

  /** Number of items, missing parts and all columns of a version. @param {string} version @returns {Promise<Api.Benchmark>} */
  async describe(version) {
    const known = this.descriptions.get(version) ?? (await fetchJson(`${this.about}?${new URLSearchParams({ version })}`));
    if (known.items) this.descriptions.set(version, known); // Until the version is registered, it is requested again.
    return known;
  }

  /** URL of a split's pack. @param {string} split @param {string} version */
  packLink(split, version) {
    return `${this.about}/pack?${new URLSearchParams({ split, version })}`;
  }

  /**
   * Load at least `nRows` rows of a state, with the pinned rows and the best one.
   * @param {State} state
   * @param {string[]} columns
   * @param {number} nRows
   * @returns {Promise<Found>}
   */
  async rows(state, columns, nRows) {
    const isEmpty = state.source.length === 0;
    // The human baseline of the headline is shown above the table, whatever columns are shown.
    const headline = this.headlines[state.setting];
    const more = columns.includes(headline) ? columns : [...columns, headline];
    const [first, pinned, best] = await Promise.all([
      isEmpty ? null : this.page(pageQuery(state, columns, null)),
      this.page(pinnedQuery(state, more)),
      this.page(bestQuery(state, headline)),
    ]);
    const shown = pinned.columns.filter((column) => columns.includes(column.key));
    const found = { ...(first ?? { ...pinned, columns: shown, rows: [], next_cursor: null }), pinned: pinned.rows, best: findBest(best.rows) };
    while (found.next_cursor && found.rows.length < nRows) append(found, await this.next(state, columns, found.next_cursor));
    return found;
  }

  /** @param {State} state @param {string[]} columns @param {string} cursor */
  next(state, columns, cursor) {
    return this.page(pageQuery(state, columns, cursor));
  }

  /** @param {URLSearchParams} query @returns {Promise<Page>} */
  page(query) {
    return fetchJson(`${this.url}?${query}`);
  }

  /**
   * The best row scored by Earshot in the board's headline, or else the best row of all.
   * @param {State} state
   * @param {{best: Api.Row|undefined, opening: string}} found
   * @returns {Promise<Api.Leader|null>}
   */
  async leader(state, { best, opening }) {
    const headline = this.headlines[state.setting];
    const evaluated = await this.page(bestQuery(state, opening, EVALUATED));
    const title = opening === headline ? null : (evaluated.columns.find((column) => column.key === opening)?.title ?? null);
    return toLeader(findBest(evaluated.rows), opening, title) ?? toLeader(best, headline, null);
  }

  /** Check for a new revision; the response is usually 304. @param {State} state @param {string} etag */
  async isOutdated(state, etag) {
    const headers = { "If-None-Match": etag };
    const response = await fetch(`${this.url}?${bestQuery(state, this.headlines[state.setting])}`, { headers }).catch(() => null);
    return response?.status === 200;
  }

  /** Load the filter options of a board. @param {State} state @returns {Promise<Api.Filters>} */
  filters({ version, setting }) {
    return fetchJson(`${this.url}/filters?${new URLSearchParams({ version, setting })}`);
  }

  /** Load the number of items behind each score of a row. @param {string} submission @returns {Promise<Sizes>} */
  sizesOf(submission) {
    const asked = this.sizes.get(submission) ?? this.readSizes(submission);
    this.sizes.set(submission, asked);
    asked.catch(() => this.sizes.delete(submission));
    return asked;
  }

  /** @param {string} submission @returns {Promise<Sizes>} */
  async readSizes(submission) {
    /** @type {Api.Submission} */
    const { scores } = await fetchJson(`/api/v1/submissions/${encodeURIComponent(submission)}`);
    return scores ?? {};
  }

  /** URL of a file with the rows of a state, with the shown columns if the format has columns. @param {State} state @param {string[]} columns @param {string} format */
  exportLink(state, columns, format) {
    const query = withFigures(fileQuery(state), state, TABLES.includes(format) ? columns : null, null);
    query.set("format", format);
    return `${this.url}/export?${query}`;
  }
}

/** @param {Api.Row[]} rows  rows in descending order of the score @returns {Api.Row|undefined} the first ranked one, or else the first */
function findBest(rows) {
  return rows.find((row) => isNumber(row.rank)) ?? rows[0];
}

/**
 * @param {Api.Row|undefined} row
 * @param {string} figure
 * @param {string|null} title  title of the score, if it is not the headline
 * @returns {Api.Leader|null}
 */
function toLeader(row, figure, title) {
  const score = row?.scores[figure];
  return row && isNumber(score?.value) ? { model: row.model, source: row.source, submission: row.submission, value: score.value, low: score.low, high: score.high, title } : null;
}

/** @param {{rows: Api.Row[], next_cursor: string|null}} page @param {Page} next  the next page */
function append(page, next) {
  page.rows = [...page.rows, ...next.rows];
  page.next_cursor = next.next_cursor;
}
