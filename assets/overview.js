/**
 * The Overview: cards of the benchmarks, models by benchmarks, gap to humans, latest results.
 * `begin` draws it before Gradio has loaded; `mount` moves the drawn overview into its tab.
 */

import { Refusal, fetchJson, isCutOff } from "./board-fetch.js";
import { restoreFocus } from "./board-focus.js";
import { make } from "./board-format.js";
import { settle } from "./first-view.js";
import { bindExamples, fillIntro } from "./overview-cards.js";
import { buildMatrix } from "./overview-matrix.js";
import { buildNewest, buildScales, buildSummary } from "./overview-parts.js";
import { followAddress } from "./page.js";

const URL_OF_DATA = "/api/v1/overview";
const REFRESH_MS = 10000;
const RETRY_MS = 5000;
const SEARCH_MS = 250;
const FIRST_ROWS = 100;
const MAX_ROWS = 500;
const WORDS = /** @type {const} */ (["sort", "order", "q"]);
/** Selector of the button that shows more models. */
const MORE = "overview-more";

/** @typedef {Record<typeof WORDS[number], string>} Words  parameters of the address; empty for defaults */

/** @type {Overview|null} */
let drawn = null;

/**
 * Draw the overview before Gradio has loaded.
 * @param {HTMLElement} place
 * @returns {Promise<void>}  settled once it has rows or shows an error
 */
export function begin(place) {
  drawn = new Overview(place);
  place.replaceChildren(drawn.element);
  return drawn.reload();
}

/**
 * Move the drawn overview into the tab, or draw it there.
 * @param {HTMLElement} root  the element of the tab
 */
export function mount(root) {
  /** @type {HTMLElement|null} */
  const place = root.querySelector("[data-overview]");
  if (!place || place.dataset.mounted) return;
  place.dataset.mounted = "yes";
  const overview = (drawn ??= new Overview(place.querySelector("template")?.content ?? place));
  if (place.firstElementChild) settle("overview", overview.element, place.firstElementChild);
  followAddress("overview", () => overview.adopt(readWords()));
  setInterval(() => overview.refresh(), REFRESH_MS);
  setInterval(() => overview.retry(), RETRY_MS);
}

function isOpen() {
  const tab = new URLSearchParams(location.search).get("tab");
  return tab === null || tab === "" || tab === "overview";
}

/** @returns {Words} */
function readWords() {
  const query = new URLSearchParams(location.search);
  return { sort: query.get("sort") ?? "", order: query.get("order") ?? "", q: query.get("q") ?? "" };
}

class Overview {
  /** @param {ParentNode} shell  existing content of the page */
  constructor(shell) {
    /** @type {HTMLElement|null} */
    this.intro = shell.querySelector("[data-intro]");
    if (this.intro) bindExamples(this.intro);
    /** @type {Words} */
    this.words = isOpen() ? readWords() : { sort: "", order: "", q: "" };
    this.limit = FIRST_ROWS;
    this.request = 0;
    this.isCutOff = false;
    /** @type {Api.Json<Api.Overview>|null} */
    this.data = null;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.typing = undefined;
    /** @param {string} name */
    const place = (name) => make("div", { "data-place": name });
    this.places = { summary: place("summary"), matrix: place("matrix"), scales: place("scales"), newest: place("newest") };
    this.status = make("div", { class: "es-status", role: "status", "data-testid": "overview-status" }, "Loading…");
    this.search = make("input", { type: "search", class: "es-search es-field", placeholder: "Search models", "aria-label": "Search models", "data-testid": "overview-search", maxlength: "100", value: this.words.q, oninput: () => this.searchSoon() });
    this.element = this.build();
  }

  build() {
    const head = make("div", { class: "es-head" }, make("h2", {}, "All models, all benchmarks"), this.search);
    return make("section", { class: "es-overview", "aria-label": "Overview", "data-testid": "overview" }, this.intro, head, this.places.matrix, this.status, this.places.summary, this.places.scales, this.places.newest);
  }

  searchSoon() {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.change({ q: this.search.value.trim() }), SEARCH_MS);
  }

  /** @param {Partial<Words>} words  changes of sort, order and q */
  change(words) {
    this.words = { ...this.words, ...words };
    this.limit = FIRST_ROWS;
    // The address may belong to another tab by now.
    if (isOpen()) this.writeAddress();
    this.reload();
  }

  writeAddress() {
    const address = new URL(location.href);
    for (const [name, value] of Object.entries(this.words)) {
      if (value) address.searchParams.set(name, value);
      else address.searchParams.delete(name);
    }
    history.replaceState(history.state, "", address);
  }

  /** @param {Words} words */
  adopt(words) {
    const isSame = WORDS.every((name) => words[name] === this.words[name]);
    if (isSame && (this.data || this.isAsking())) return;
    this.words = words;
    this.search.value = words.q;
    this.reload();
  }

  /** @param {string} sort */
  sortBy(sort) {
    const usual = sort === "model" ? "asc" : "desc";
    const other = this.order() === "asc" ? "desc" : "asc";
    this.change({ sort, order: sort === this.words.sort && this.order() === usual ? other : "" });
  }

  order() {
    return this.words.order || (this.words.sort === "model" ? "asc" : "desc");
  }

  query() {
    const said = Object.entries({ ...this.words, limit: this.limit === FIRST_ROWS ? "" : String(this.limit) }).filter(([, value]) => value);
    const query = new URLSearchParams(said).toString();
    return query ? `${URL_OF_DATA}?${query}` : URL_OF_DATA;
  }

  isAsking() {
    return this.element.hasAttribute("aria-busy");
  }

  async reload() {
    const request = ++this.request;
    this.element.setAttribute("aria-busy", "true");
    try {
      const found = await fetchJson(this.query());
      // An outdated response must not replace a newer one.
      if (request === this.request) this.take(found);
    } catch (error) {
      if (request === this.request) this.showError(error);
    } finally {
      if (request === this.request) this.element.removeAttribute("aria-busy");
    }
  }

  /** @param {Api.Json<Api.Overview>} found */
  take(found) {
    this.data = found;
    this.isCutOff = false;
    const { summary, matrix, scales, newest } = this.places;
    const held = document.activeElement;
    const focused = held?.getAttribute("data-sort");
    const isMore = held?.getAttribute("data-testid") === MORE;
    const { scrollTop = 0, scrollLeft = 0 } = matrix.firstElementChild ?? {};
    const isEmpty = !found.rows.length && !this.words.q;
    if (this.intro) fillIntro(this.intro, found);
    summary.replaceChildren(make("h2", {}, "Best models"), buildSummary(found.benchmarks));
    matrix.replaceChildren(isEmpty ? "" : buildMatrix(found, { sort: this.words.sort, order: this.order(), onSort: (key) => this.sortBy(key) }));
    matrix.firstElementChild?.scrollTo?.(scrollLeft, scrollTop);
    if (focused) restoreFocus(matrix, `[data-sort="${CSS.escape(focused)}"]`);
    const isUnfolded = scales.querySelector("details")?.open ?? false;
    scales.replaceChildren(...buildScales(found.scales, found.benchmarks));
    const table = scales.querySelector("details");
    if (table && isUnfolded) table.open = true;
    newest.replaceChildren(...buildNewest(found.newest, found.benchmarks));
    this.search.hidden = isEmpty;
    this.say(found, isEmpty);
    if (isMore) restoreFocus(this.status, `[data-testid=${MORE}]`);
  }

  /** @param {Api.Overview} found @param {boolean} isEmpty */
  say(found, isEmpty) {
    if (isEmpty) {
      const words = "No results yet. Scores from the papers appear here about a minute after the first start. ";
      return this.status.replaceChildren(words, make("a", { href: "/?tab=submit", "data-visit": "" }, "Submit a model"));
    }
    const n = found.rows.length;
    if (!n) return this.status.replaceChildren("No model matches. ", make("button", { type: "button", class: "es-button", onclick: () => this.clear() }, "Clear search"));
    const words = `${n.toLocaleString("en")} ${n === 1 ? "model" : "models"} with a headline score${found.more ? " shown, more follow" : ""}.`;
    const canGrow = found.more && this.limit < MAX_ROWS;
    const more = canGrow ? make("button", { type: "button", class: "es-button", "data-testid": MORE, onclick: () => this.showMore() }, "Show more") : "";
    return this.status.replaceChildren(found.more && !canGrow ? `${words} Search for the rest.` : words, more);
  }

  clear() {
    this.search.value = "";
    this.change({ q: "" });
  }

  showMore() {
    this.limit = Math.min(MAX_ROWS, this.limit + FIRST_ROWS);
    this.reload();
  }

  /** Whether no request is possible or needed. */
  isIdle() {
    return document.hidden || this.element.offsetParent === null || this.isAsking();
  }

  /** Check for changes; the response is usually 304 and nothing is redrawn. */
  async refresh() {
    if (this.isIdle() || this.isCutOff) return;
    if (!this.data) return this.reload();
    const headers = { "If-None-Match": this.data.etag ?? "" };
    const response = await fetch(this.query(), { headers }).catch(() => null);
    if (response?.status === 200) this.reload();
    return undefined;
  }

  /** Retry a failed request. The entity tag does not depend on the query, so it must not be sent. */
  retry() {
    if (this.isCutOff && !this.isIdle()) this.reload();
  }

  /** @param {unknown} error */
  showError(error) {
    const wasCutOff = this.isCutOff;
    this.isCutOff = isCutOff(error);
    // Keep the message, and with it the focus on its button.
    if (wasCutOff && this.isCutOff) return;
    const why = error instanceof Refusal ? error.message : "Can't reach the server. Check your connection.";
    const isViewWrong = error instanceof Refusal && error.status === 400;
    const again = isViewWrong
      ? make("button", { type: "button", class: "es-button", onclick: () => this.change({ sort: "", order: "", q: "" }) }, "Reset the view")
      : make("button", { type: "button", class: "es-button", "data-testid": "overview-again", onclick: () => this.reload() }, "Try again");
    this.status.replaceChildren(make("span", { role: "alert", class: "es-error" }, why), again);
  }
}
