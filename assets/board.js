/**
 * A board: fetches pages from the REST API, keeps the visitor's choices in the address bar, and draws the table.
 * `begin` draws it before Gradio has loaded; `mount` moves the drawn board into its tab.
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
 * Draw the board in an existing shell before Gradio has loaded.
 * @param {HTMLElement} place
 * @returns {Promise<void>|null}  settled once it has rows or shows an error
 */
export function begin(place) {
  drawn = new Board(find(place, "[data-board]"));
  return drawn.start();
}

/**
 * Move the drawn board into the tab, or draw it there. Until then the tab's shell is inert, so no board is drawn twice.
 * @param {HTMLElement} root  element of the tab's shell, which is a template
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
  // Listeners to the board did not exist when it was drawn.
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

  /** An attribute of the board in the page's shell. @param {string} name */
  readWord(name) {
    return this.shell.dataset[name] ?? "";
  }

  /** Setting → headline of its board. */
  readHeadlines() {
    const keys = this.readWord("headlines").split(",");
    return Object.fromEntries(this.settings.map((setting, at) => [setting, keys[at]]));
  }

  get headline() {
    return this.begin.headlines[this.state.setting];
  }

  /** Whether the address belongs to this board: it names its tab. */
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
    // The browser's history, and links from other tabs.
    window.addEventListener("earshot:address", (event) => event.detail.tab === this.name && this.follow(readState(this.begin)));
    window.addEventListener("earshot:tab", (event) => this.showTab(event.detail.tab));
    // A hidden board sends no requests.
    if (this.isOpen()) carryRows(this.name);
    const loaded = this.isOpen() ? this.reload() : null;
    setInterval(() => this.refresh(), REFRESH_MS);
    return loaded;
  }

  /** @param {string} tab  id of the opened tab */
  showTab(tab) {
    if (tab !== this.name) return;
    writeState(this.state, this.begin);
    carryRows(this.name);
    if (this.rows) this.announce();
    else if (!this.isAsking()) this.reload();
  }

  /** Show the state in the address; loaded pages stay if it is already shown. @param {State} state */
  follow(state) {
    // A link may choose rows for the charts.
    if (carryRows(this.name)) this.nChoices += 1;
    const isSame = JSON.stringify(state) === JSON.stringify(this.state);
    if (this.isOpen()) writeState(state, this.begin);
    if (!isSame || (!this.rows && !this.isAsking())) this.adopt(state);
    else if (this.rows) this.announce();
  }

  /** @param {Partial<State>} change  changed fields of the state */
  change(change) {
    const loaded = this.adopt({ ...this.state, ...followSetting(this.state, change, this.begin), ...change });
    // The address may belong to another tab by now; this board writes it when it is opened again.
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
    // Expanded details of a sticky row may extend below it.
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

  /** Columns to request: the shown ones and the sort column. */
  askedColumns() {
    const { sort } = this.state;
    const wanted = this.wantedColumns();
    return sort.includes("|") && !wanted.includes(sort) ? [...wanted, sort] : wanted;
  }

  /** Show the facts of the shown version. @returns {Promise<Api.Benchmark>} */
  async describe() {
    const { version } = this.state;
    const known = await this.requests.describe(version);
    // Facts of one version must not appear above another one that was chosen meanwhile.
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
    showOpen(this.shell, known.open_version === version);
    return known;
  }

  /** Show a fact, or hide it if its value is unknown. @param {string} place @param {string} text */
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

  /** @param {number} [nRows]  minimum number of rows, so that a refresh keeps loaded pages */
  async reload(nRows = 1) {
    const request = ++this.request;
    this.shell.setAttribute("aria-busy", "true");
    try {
      await this.dropUnknownFigures(request);
      if (request !== this.request) return;
      // Content above the table appears with its first rows; otherwise it would move them.
      const known = this.rows ? null : this.describe().catch(() => null);
      const [found] = await Promise.all([this.requests.rows(this.state, this.askedColumns(), nRows), known]);
      // An outdated response must not replace a newer one.
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

  /** @param {Found} found @param {Promise<Api.Benchmark|null>|null} known  request for the version, if already sent */
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
    // The description of the version tells which groups have more columns, and the next step on an empty board.
    const say = () => request === this.request && (isFirst ? this.draw() : this.showRows());
    (known ?? this.describe()).then(say).catch(() => null);
    return this.announce();
  }

  /** Drop cached data of another revision; details that the visitor has open stay. */
  forget() {
    this.requests.sizes.clear();
    for (const [submission, menu] of this.citations) if (!menu.open) this.citations.delete(submission);
  }

  /** Announce the shown revision, and the latest choice of rows by a link for the charts. */
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
    // Elements that survived regain focus directly, redrawn ones by their purpose.
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
    // Concurrent requests must not append a page twice; after a reload it no longer follows.
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
