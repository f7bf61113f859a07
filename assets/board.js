/**
 * A board: fetches pages from the REST API, keeps what the visitor chose in the address bar, and draws the table.
 * `mount` is called with the element that the page's shell stands in.
 */

import { buildControls } from "./board-controls.js";
import { Refusal, fetchJson } from "./board-fetch.js";
import { describeFocus, restoreFocus } from "./board-focus.js";
import { isNumber, make, percent } from "./board-format.js";
import { SOURCES, bestQuery, defaultState, keepFigures, namesFigures, pageQuery, pinnedQuery, readState, writeState } from "./board-state.js";
import { buildTable } from "./board-table.js";

const REFRESH_MS = 5000;

/** @param {HTMLElement} root */
export function mount(root) {
  const shell = root.querySelector("[data-board]");
  if (!shell || shell.dataset.mounted) return;
  shell.dataset.mounted = "yes";
  new Board(shell).start();
}

class Board {
  constructor(shell) {
    this.shell = shell;
    this.name = shell.dataset.board;
    this.url = `/api/v1/leaderboards/${encodeURIComponent(this.name)}`;
    this.settings = shell.dataset.settings.split(",");
    this.versions = shell.dataset.versions.split(",");
    this.begin = { version: this.versions[0], setting: this.settings[0], headline: shell.dataset.headline, versions: this.versions, settings: this.settings };
    this.hasOwnQuestions = shell.dataset.questions === "own";
    this.usualColumns = shell.dataset.columns.split(",");
    this.descriptions = new Map();
    this.state = this.isOpen() ? readState(this.begin) : defaultState(this.begin);
    this.unfolded = new Set();
    this.request = 0;
    this.place = shell.querySelector("[data-place=table]");
    this.status = shell.querySelector("[data-place=status]");
  }

  /** Whether the address is about this board: its tab is named there, or it is the first and none is. */
  isOpen() {
    const tab = new URLSearchParams(location.search).get("tab");
    const isFirst = document.querySelector("[data-board]") === this.shell;
    return tab === this.name || (isFirst && !document.querySelector(`[data-board="${CSS.escape(tab ?? "")}"]`));
  }

  start() {
    this.controls = buildControls(this.state, { settings: this.settings, versions: this.versions }, {
      onChange: (change) => this.change(change),
      loadColumns: () => this.loadColumns(),
      shownColumns: () => this.wantedColumns(),
    });
    this.shell.querySelector("[data-place=controls]").append(this.controls.element);
    window.addEventListener("popstate", () => this.isOpen() && this.adopt(readState(this.begin)));
    window.addEventListener("earshot:tab", (event) => this.showTab(event.detail.tab));
    // A board that nobody looks at asks for nothing.
    if (this.isOpen()) this.reload();
    setInterval(() => this.refresh(), REFRESH_MS);
  }

  /** @param {string} tab  id of the tab that was opened */
  showTab(tab) {
    if (tab !== this.name) return;
    writeState(this.state, this.begin);
    if (!this.rows) this.reload();
  }

  /** @param {object} change  the fields of the state that are new */
  change(change) {
    this.adopt({ ...this.state, ...change });
    writeState(this.state, this.begin);
  }

  adopt(state) {
    this.state = state;
    this.controls.show(state);
    this.reload();
  }

  sortBy(key) {
    const { sort, order } = this.state;
    const column = this.columns.find((one) => one.key === key);
    const first = key === "model" || column?.higher_is_better === false ? "asc" : "desc";
    const other = order === "asc" ? "desc" : "asc";
    this.change({ sort: key, order: key === sort ? other : first });
  }

  unfold(id) {
    if (!this.unfolded.delete(id)) this.unfolded.add(id);
    this.draw();
  }

  wantedColumns() {
    return this.state.columns ?? this.usualColumns;
  }

  /** Columns to ask for: those shown and the one that is sorted by. */
  askedColumns() {
    const { sort } = this.state;
    const wanted = this.wantedColumns();
    return sort.includes("|") && !wanted.includes(sort) ? [...wanted, sort] : wanted;
  }

  async loadColumns() {
    return (await this.describe()).columns;
  }

  /** Sizes, what is missing here, and every column there is, of the version that is shown. */
  async describe() {
    const { version } = this.state;
    const known = await this.fetchDescription(version);
    // What is said of one version must not stand over another that was chosen meanwhile.
    if (version !== this.state.version) return this.describe();
    this.known = known;
    this.fill("chance", percent(known.chance[this.begin.headline]));
    this.fill("items", known.items ? known.items.toLocaleString("en") : "–");
    this.fill("needs", known.needs ?? known.note ?? "");
    for (const link of this.shell.querySelectorAll("[data-pack]")) {
      const split = link.dataset.pack;
      link.hidden = !known.packs.includes(split);
      link.href = `/api/v1/benchmarks/${encodeURIComponent(this.name)}/pack?${new URLSearchParams({ split, version })}`;
    }
    return known;
  }

  async fetchDescription(version) {
    const words = new URLSearchParams({ version });
    const known = this.descriptions.get(version) ?? (await fetchJson(`/api/v1/benchmarks/${encodeURIComponent(this.name)}?${words}`));
    if (known.items) this.descriptions.set(version, known); // until it is registered, it is asked for again
    return known;
  }

  fill(place, text) {
    this.shell.querySelector(`[data-place=${place}]`).textContent = text;
  }

  /** @param {number} [nRows]  at least this many rows, so that a refresh does not fold pages in */
  async reload(nRows = 1) {
    const request = ++this.request;
    this.shell.setAttribute("aria-busy", "true");
    try {
      await this.dropUnknownFigures(request);
      if (request !== this.request) return;
      const found = await this.fetchAll(nRows);
      // An answer to an earlier question must not replace the answer to a later one.
      if (request === this.request) this.take(found);
    } catch (error) {
      if (request === this.request) this.showError(error);
    } finally {
      if (request === this.request) this.shell.removeAttribute("aria-busy");
    }
  }

  async dropUnknownFigures(request) {
    if (!namesFigures(this.state, this.begin)) return;
    const { columns } = await this.fetchDescription(this.state.version);
    if (request !== this.request) return;
    this.state = keepFigures(this.state, columns.map((column) => column.key), this.begin);
    if (this.isOpen()) writeState(this.state, this.begin);
  }

  async fetchAll(nRows) {
    const columns = this.askedColumns();
    const isEmpty = this.state.source.length === 0;
    const [first, pinned, best] = await Promise.all([
      isEmpty ? null : this.fetchPage(pageQuery(this.state, columns, null)),
      this.fetchPage(pinnedQuery(this.state, columns)),
      this.fetchPage(bestQuery(this.state, this.begin.headline)),
    ]);
    const found = { ...(first ?? { ...pinned, rows: [], next_cursor: null }), pinned: pinned.rows, best: best.rows[0] };
    while (found.next_cursor && found.rows.length < nRows) append(found, await this.nextPage(columns, found.next_cursor));
    return found;
  }

  nextPage(columns, cursor) {
    return this.fetchPage(pageQuery(this.state, columns, cursor));
  }

  fetchPage(query) {
    return fetchJson(`${this.url}?${query}`);
  }

  take(found) {
    Object.assign(this, { rows: found.rows, pinned: found.pinned, columns: found.columns, etag: found.etag, ranked: found.metric, detectable: found.detectable });
    this.cursor = found.next_cursor;
    const headlineOf = (row) => percent(row?.scores[this.begin.headline]?.value);
    this.fill("best", headlineOf(found.best));
    this.fill("human", headlineOf(found.pinned.find((row) => row.source === "human")));
    this.draw();
    const request = this.request;
    const say = () => request === this.request && !this.rows.length && this.drawStatus();
    this.describe().then(say).catch(() => null);
    window.dispatchEvent(new CustomEvent("earshot:board", { detail: { board: this.name, revision: found.etag } }));
  }

  draw() {
    const focused = describeFocus(this.place);
    const scroll = this.place.firstElementChild?.scrollTop ?? 0;
    const left = this.place.firstElementChild?.scrollLeft ?? 0;
    const main = this.state.sort.includes("|") ? this.state.sort : this.begin.headline;
    const table = buildTable({
      ...this,
      main: this.columns.some((column) => column.key === main) ? main : this.columns[0]?.key,
      onSort: (key) => this.sortBy(key),
      onUnfold: (id) => this.unfold(id),
    });
    // A region that scrolls has to be reachable by keyboard.
    const frame = make("div", { class: "es-frame", tabindex: "0", role: "region", "aria-label": "Leaderboard table" }, table);
    this.place.replaceChildren(frame);
    frame.style.setProperty("--head", `${table.tHead.offsetHeight}px`);
    frame.scrollTo(left, scroll);
    restoreFocus(this.place, focused);
    this.shell.querySelector("[data-place=reported]").hidden = !this.rows.some((row) => row.source === "reported");
    this.drawStatus();
  }

  drawStatus() {
    const n = this.rows.length;
    if (!n) return this.status.replaceChildren(...this.emptyWords());
    const more = this.cursor ? make("button", { type: "button", class: "es-button", "data-testid": "show-more", onclick: () => this.showMore() }, "Show more") : null;
    const words = `${n.toLocaleString("en")} ${n === 1 ? "row" : "rows"}${this.cursor ? " shown, more follow" : ""}.`;
    this.status.replaceChildren([words, ...this.sureness()].join(" "), more ?? "");
    return undefined;
  }

  /** How sure places are, where they are known to be, and what a board of this size can show at all. */
  sureness() {
    const words = [];
    if (this.rows.some((row) => isNumber(row.rank_low))) words.push("Ranges of ranks hold at 95 % (paired cluster bootstrap over clips, 10,000 resamples).");
    if (isNumber(this.detectable)) words.push(`The smallest difference the headline figure can show is ${percent(this.detectable)} points.`);
    return words;
  }

  isFiltered() {
    return Boolean(this.state.q) || this.state.source.length < SOURCES.length;
  }

  emptyWords() {
    if (!this.isFiltered()) {
      return [`Nobody has submitted to this setting yet. ${this.nextStep()}`];
    }
    const clear = make("button", { type: "button", class: "es-button", onclick: () => this.change({ q: "", source: defaultState(this.begin).source }) }, "Clear filters");
    return [this.state.source.length ? "No row matches. " : "No source is ticked. ", clear];
  }

  /** What a visitor of an empty board can do, as far as it is known whether its questions are here. */
  nextStep() {
    if (this.known?.version !== this.state.version) return "";
    if (!this.known.packs.includes("test")) return "Its questions are not here: nothing can be submitted until an organiser brings them.";
    return "The question pack takes two minutes to download; a file can be checked without an account.";
  }

  async showMore() {
    const request = this.request;
    try {
      const page = await this.nextPage(this.askedColumns(), this.cursor);
      if (request !== this.request) return;
      append(this, page);
      this.cursor = page.next_cursor;
      this.draw();
    } catch (error) {
      this.showError(error);
    }
  }

  /** Ask whether there is a new revision; the answer is mostly 304 and nothing is drawn. */
  async refresh() {
    if (document.hidden || !this.etag || this.shell.offsetParent === null || this.shell.hasAttribute("aria-busy")) return;
    const headers = { "If-None-Match": this.etag };
    const query = bestQuery(this.state, this.begin.headline);
    const response = await fetch(`${this.url}?${query}`, { headers }).catch(() => null);
    if (response?.status === 200) this.reload(this.rows.length);
  }

  showError(error) {
    const why = error instanceof Refusal ? error.message : "The server did not answer. Check your connection.";
    const again = make("button", { type: "button", class: "es-button", "data-testid": "try-again", onclick: () => this.reload() }, "Try again");
    const reset = make("button", { type: "button", class: "es-button", onclick: () => this.change(defaultState(this.begin)) }, "Reset the view");
    const isViewWrong = error instanceof Refusal && error.status === 400;
    this.status.replaceChildren(make("span", { role: "alert", class: "es-error" }, why), isViewWrong ? reset : again);
  }
}

function append(page, next) {
  page.rows = [...page.rows, ...next.rows];
  page.next_cursor = next.next_cursor;
}
