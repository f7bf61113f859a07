/**
 * A board: fetches pages from the REST API, keeps what the visitor chose in the address bar, and draws the table.
 * `begin` draws it before Gradio has come up; `mount` moves what was drawn into its tab.
 */

import { FigureCard } from "./board-card.js";
import { Ticks } from "./board-compare.js";
import { buildControls } from "./board-controls.js";
import { detailsId } from "./board-details.js";
import { embedAddress, embedSnippet } from "./board-embed.js";
import { isCutOff } from "./board-fetch.js";
import { describeFocus, restoreFocus } from "./board-focus.js";
import { NONE, find, make, percent } from "./board-format.js";
import { followKeys, setStop } from "./board-grid.js";
import { countRankCharacters } from "./board-places.js";
import { Requests } from "./board-requests.js";
import { findFigure, followRow } from "./board-rows.js";
import { carryRows, defaultState, followSetting, keepFigures, learnOpening, namesFigures, readState, writeState } from "./board-state.js";
import { describeError, describeRows, MORE, showFoot, showOpenness } from "./board-status.js";
import { buildTable } from "./board-table.js";
import { bindViews, foldGroup, readViews } from "./board-views.js";
import { bindCitation } from "./citing.js";
import { settle } from "./first-view.js";
import { bindExamples, describeSize, showLeader, showOpen } from "./overview-cards.js";

/**
 * @import { Found } from "./board-requests.js"
 * @import { Start, State } from "./board-state.js"
 * @import { Stop } from "./board-grid.js"
 */

const REFRESH_MS = 5000;

/** @type {Board|null} */
let drawn = null;

/**
 * Draw the board whose shell stands somewhere, before Gradio has come up.
 * @param {HTMLElement} place
 * @returns {Promise<void>|null}  settled when it has rows, or says why not
 */
export function begin(place) {
  drawn = new Board(find(place, "[data-board]"));
  return drawn.start();
}

/**
 * Move what was drawn into the tab, or draw it there. Until then the tab's shell is inert: no board stands there twice.
 * @param {HTMLElement} root  the element that the tab's shell stands in, as a template
 */
export function mount(root) {
  const template = root.querySelector("template");
  if (!template) return;
  const shell = find(template.content, "[data-board]");
  if (!drawn || drawn.name !== shell.dataset.board) {
    template.replaceWith(shell);
    new Board(shell).start();
    return;
  }
  settle(drawn.name, drawn.shell, template);
  // Who follows what the board shows was not there when it was drawn.
  if (drawn.rows) drawn.announce();
}

class Board {
  /** @param {HTMLElement} shell */
  constructor(shell) {
    this.shell = shell;
    this.name = this.readWord("board");
    this.settings = this.readWord("settings").split(",");
    this.versions = this.readWord("versions").split(",");
    /** @type {Start} */
    this.begin = { version: this.versions[0], setting: this.settings[0], headlines: this.readHeadlines(), openings: {}, views: readViews(shell), versions: this.versions, settings: this.settings };
    this.hasOwnQuestions = shell.dataset.questions === "own";
    this.usualColumns = this.readWord("columns").split(",");
    /** @type {Record<string, string[]>} */
    this.settingColumns = JSON.parse(this.readWord("settingColumns") || "{}");
    this.requests = new Requests(this.name, this.begin.headlines);
    /** @type {State} */
    this.state = this.isOpen() ? readState(this.begin) : defaultState(this.begin);
    /** @type {Set<string>} */
    this.unfolded = new Set();
    /** @type {Map<string, string[]>} */
    this.unfoldedGroups = new Map();
    /** @type {Map<string, HTMLDetailsElement>} */
    this.citations = new Map();
    /** @type {Api.Row[]|undefined} */
    this.rows = undefined;
    /** @type {Api.Row[]} */
    this.pinned = [];
    /** @type {Api.Column[]} */
    this.columns = [];
    /** @type {Api.Benchmark|undefined} */
    this.known = undefined;
    /** @type {string|null} */
    this.etag = null;
    this.ranked = "";
    /** @type {number|null} */
    this.detectable = null;
    /** @type {string|null} */
    this.detectableFigure = null;
    /** @type {string|null} */
    this.cursor = null;
    /** @type {Stop|undefined} */
    this.stop = undefined;
    this.isCutOff = false;
    this.request = 0;
    this.nChoices = 0;
    this.place = find(shell, "[data-place=table]");
    this.status = find(shell, "[data-place=status]");
    this.problem = find(shell, "[data-place=problem]");
    this.ticks = new Ticks(this.name, this.place);
    this.card = new FigureCard(this.place, { find: (cell) => findFigure(this, cell), loadSizes: (submission) => this.requests.sizesOf(submission) });
    this.showViews = bindViews(shell, this.begin, (change) => this.change(change));
    this.controls = buildControls(this.state, { settings: this.settings, versions: this.versions }, {
      onChange: (change) => this.change(change),
      loadColumns: async () => (await this.describe()).columns,
      shownColumns: () => this.wantedColumns(),
      loadFilters: () => this.requests.filters(this.state),
      exportLink: (format) => this.requests.exportLink(this.state, this.wantedColumns(), format),
      embedSnippet: () => embedSnippet(embedAddress(this.name, this.state, this.begin), this.shell.getAttribute("aria-label") ?? ""),
      state: () => this.state,
    });
  }

  /** A word that the page's shell says of its board. @param {string} name */
  readWord(name) {
    return this.shell.dataset[name] ?? "";
  }

  /** Setting → the figure that its board opens by. */
  readHeadlines() {
    const keys = this.readWord("headlines").split(",");
    return Object.fromEntries(this.settings.map((setting, at) => [setting, keys[at]]));
  }

  get headline() {
    return this.begin.headlines[this.state.setting];
  }

  /** Whether the address is about this board: its tab is named there. */
  isOpen() {
    return new URLSearchParams(location.search).get("tab") === this.name;
  }

  start() {
    this.showViews(this.state);
    bindCitation(this.shell.querySelector("[data-testid=cite]"));
    bindExamples(this.shell);
    find(this.shell, "[data-place=controls]").append(this.controls.element);
    this.status.after(this.ticks.element);
    this.shell.append(this.card.element);
    this.place.addEventListener("click", (event) => followRow(event, this.card));
    // Ways back, and links from other tabs.
    window.addEventListener("earshot:address", (event) => event.detail.tab === this.name && this.follow(readState(this.begin)));
    window.addEventListener("earshot:tab", (event) => this.showTab(event.detail.tab));
    // A board that nobody looks at asks for nothing.
    if (this.isOpen()) carryRows(this.name);
    const loaded = this.isOpen() ? this.reload() : null;
    setInterval(() => this.refresh(), REFRESH_MS);
    return loaded;
  }

  /** @param {string} tab  id of the tab that was opened */
  showTab(tab) {
    if (tab !== this.name) return;
    writeState(this.state, this.begin);
    carryRows(this.name);
    if (this.rows) this.announce();
    else if (!this.isAsking()) this.reload();
  }

  /** Show what the address says; pages that were loaded stay where it says what is shown already. @param {State} state */
  follow(state) {
    // A link may choose rows for the charts.
    if (carryRows(this.name)) this.nChoices += 1;
    const isSame = JSON.stringify(state) === JSON.stringify(this.state);
    if (this.isOpen()) writeState(state, this.begin);
    if (!isSame || (!this.rows && !this.isAsking())) this.adopt(state);
    else if (this.rows) this.announce();
  }

  /** @param {Partial<State>} change  the fields of the state that are new */
  change(change) {
    const loaded = this.adopt({ ...this.state, ...followSetting(this.state, change, this.begin), ...change });
    // The address may be about another tab by now; this one writes to it when it is opened again.
    if (this.isOpen()) writeState(this.state, this.begin);
    return loaded;
  }

  /** @param {State} state */
  adopt(state) {
    // Rows of different questions cannot be compared.
    if (state.version !== this.state.version || state.setting !== this.state.setting) this.ticks.clear();
    this.state = state;
    this.controls.show(state);
    this.showViews(state);
    return this.reload();
  }

  /** @param {string} key */
  sortBy(key) {
    const { sort, order } = this.state;
    const column = this.columns.find((one) => one.key === key);
    const first = key === "model" || column?.higher_is_better === false ? "asc" : "desc";
    const other = order === "asc" ? "desc" : "asc";
    this.change({ sort: key, order: key === sort ? other : first });
  }

  /** @param {string} id */
  unfold(id) {
    if (!this.unfolded.delete(id)) this.unfolded.add(id);
    this.draw();
    // What is unfolded of a row that stays in sight may lie beyond it.
    this.place.querySelector(`#${CSS.escape(detailsId(id))}`)?.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} group @param {string[]} keys */
  async fold(group, keys) {
    const known = await this.describe().catch(() => null);
    const whole = (known?.columns ?? this.columns).filter((column) => column.group === group).map((column) => column.key);
    const columns = foldGroup(this.wantedColumns(), keys, whole, this.unfoldedGroups.get(group));
    if (keys.length > 1) this.unfoldedGroups.set(group, keys);
    this.change({ columns });
  }

  wantedColumns() {
    return this.state.columns ?? this.settingColumns[this.state.setting] ?? this.usualColumns;
  }

  /** Columns to ask for: those shown and the one that is sorted by. */
  askedColumns() {
    const { sort } = this.state;
    const wanted = this.wantedColumns();
    return sort.includes("|") && !wanted.includes(sort) ? [...wanted, sort] : wanted;
  }

  /** Say what is known of the version that is shown. @returns {Promise<Api.Benchmark>} */
  async describe() {
    const { version } = this.state;
    const known = await this.requests.describe(version);
    // What is said of one version must not stand over another that was chosen meanwhile.
    if (version !== this.state.version) return this.describe();
    this.known = known;
    this.fill("chance", percent(known.chance[this.headline]));
    this.fill("items", describeSize(known));
    this.fill("version", version);
    showOpenness(this.shell, known, this.begin.version);
    /** @type {NodeListOf<HTMLAnchorElement>} */
    const packs = this.shell.querySelectorAll("[data-pack]");
    for (const link of packs) {
      const split = link.dataset.pack ?? "";
      link.hidden = !known.packs.includes(split);
      link.href = this.requests.packLink(split, version);
    }
    showOpen(this.shell, known.packs.includes("test"));
    return known;
  }

  /** Show a fact, or hide it when its value is unknown. @param {string} place @param {string} text */
  fill(place, text) {
    const element = find(this.shell, `[data-place=${place}]`);
    element.textContent = text;
    /** @type {HTMLElement|null} */
    const fact = element.closest("[data-fact]");
    if (fact) fact.hidden = text === NONE;
  }

  isAsking() {
    return this.shell.hasAttribute("aria-busy");
  }

  /** @param {number} [nRows]  at least this many rows, so that a refresh does not fold pages in */
  async reload(nRows = 1) {
    const request = ++this.request;
    this.shell.setAttribute("aria-busy", "true");
    try {
      await this.dropUnknownFigures(request);
      if (request !== this.request) return;
      // What stands above the table comes with its first rows, or it would move them.
      const known = this.rows ? null : this.describe().catch(() => null);
      const [found] = await Promise.all([this.requests.rows(this.state, this.askedColumns(), nRows), known]);
      // An answer to an earlier question must not replace the answer to a later one.
      if (request === this.request) await this.take(found, known);
    } catch (error) {
      if (request === this.request) this.showError(error);
    } finally {
      if (request === this.request) for (const name of ["aria-busy", "data-loading"]) this.shell.removeAttribute(name);
    }
  }

  /** @param {number} request */
  async dropUnknownFigures(request) {
    if (!namesFigures(this.state, this.begin)) return;
    const { columns } = await this.requests.describe(this.state.version);
    if (request !== this.request) return;
    this.state = keepFigures(this.state, columns.map((column) => column.key), this.begin);
    this.showViews(this.state);
    if (this.isOpen()) writeState(this.state, this.begin);
  }

  /** @param {Found} found @param {Promise<Api.Benchmark|null>|null} known  what was asked of the version already */
  take(found, known) {
    const opened = learnOpening(this.state, found.opening, this.begin);
    if (opened) return this.change(opened);
    if (found.etag !== this.etag) this.forget();
    Object.assign(this, { isCutOff: false, rows: found.rows, pinned: found.pinned, columns: found.columns, etag: found.etag, ranked: found.metric, detectable: found.detectable, detectableFigure: found.detectable_figure });
    this.cursor = found.next_cursor;
    /** @param {Api.Row|undefined} row */
    const headlineOf = (row) => percent(row?.scores[this.headline]?.value);
    this.fill("best", headlineOf(found.best));
    showLeader(this.shell, this.requests.leader(this.state, found));
    this.fill("human", headlineOf(found.pinned.find((row) => row.source === "human")));
    this.draw();
    const request = this.request;
    const isFirst = this.known?.version !== this.state.version;
    // What is known of the version says which groups have more columns, and what to do on an empty board.
    const say = () => request === this.request && (isFirst ? this.draw() : this.showRows());
    (known ?? this.describe()).then(say).catch(() => null);
    return this.announce();
  }

  /** Forget what was read of another revision; what is being read by the visitor stays. */
  forget() {
    this.requests.sizes.clear();
    for (const [submission, menu] of this.citations) if (!menu.open) this.citations.delete(submission);
  }

  /** Tell of the revision that is shown, and of the last choice of rows that a link made for the charts. */
  announce() {
    window.dispatchEvent(new CustomEvent("earshot:board", { detail: { board: this.name, revision: this.etag, choice: this.nChoices } }));
  }

  draw() {
    this.problem.replaceChildren();
    const held = document.activeElement;
    const focused = describeFocus(this.place);
    const { rows = [] } = this;
    const { scrollTop = 0, scrollLeft = 0 } = this.place.firstElementChild ?? {};
    const main = this.state.sort.includes("|") ? this.state.sort : this.headline;
    const table = buildTable({
      ...this,
      rows,
      main: this.columns.some((column) => column.key === main) ? main : this.columns[0]?.key,
      onSort: (key) => this.sortBy(key),
      onUnfold: (id) => this.unfold(id),
      onFold: (group, keys) => this.fold(group, keys),
    });
    this.card.hide();
    const frame = make("div", { class: "es-frame", role: "region", "aria-label": "Leaderboard table" }, table);
    frame.style.setProperty("--rank-characters", String(countRankCharacters(rows)));
    this.place.replaceChildren(frame);
    /** @type {HTMLElement|null} */
    const people = table.querySelector(".es-pinned-top");
    for (const [name, part] of /** @type {const} */ ([["--head", table.tHead], ["--people", people], ["--foot", table.tFoot]])) frame.style.setProperty(name, `${part?.offsetHeight ?? 0}px`);
    frame.scrollTo(scrollLeft, scrollTop);
    setStop(table, this.stop);
    followKeys(table, (stop) => {
      this.stop = stop;
    });
    // What was kept is focused again itself, what was made anew by what it is for.
    if (held instanceof HTMLElement && held !== document.activeElement && this.place.contains(held)) held.focus({ preventScroll: true });
    else restoreFocus(this.place, focused);
    showFoot(this);
    this.showRows();
  }

  showRows() {
    const { activeElement } = document;
    const isMore = activeElement instanceof HTMLElement && this.status.contains(activeElement) && activeElement.dataset.testid === MORE;
    this.status.replaceChildren(...describeRows(this));
    if (isMore) restoreFocus(this.status, `[data-testid=${MORE}]`);
  }

  async showMore() {
    const { request, cursor } = this;
    if (!cursor) return;
    // Asked for twice, a page is still shown once; and after a reload it is no longer what follows.
    const isWanted = () => request === this.request && cursor === this.cursor;
    try {
      const page = await this.requests.next(this.state, this.askedColumns(), cursor);
      if (!isWanted()) return;
      this.rows = [...(this.rows ?? []), ...page.rows];
      this.cursor = page.next_cursor;
      this.draw();
    } catch (error) {
      if (isWanted()) this.showError(error);
    }
  }

  async refresh() {
    if (document.hidden || this.shell.offsetParent === null || this.isAsking()) return;
    if (this.isCutOff || (this.etag && (await this.requests.isOutdated(this.state, this.etag)))) this.reload(this.rows?.length);
  }

  /** @param {unknown} error */
  showError(error) {
    const wasCutOff = this.isCutOff;
    this.isCutOff = isCutOff(error);
    if (wasCutOff && this.isCutOff) return;
    if (!this.rows) this.place.replaceChildren();
    this.problem.replaceChildren(...describeError(this, error));
    this.problem.scrollIntoView({ block: "nearest" });
  }
}
