/** Sign-in without leaving the page, and the address bar: the open tab, and links between tabs. */

/** Parameters that stay in the address for all tabs: Gradio's light or dark theme. */
const KEPT_WORDS = ["tab", "__theme"];
const SITE = "Earshot";
/** Navigation events of a visitor. */
const ACTS = ["wheel", "touchstart", "pointerdown", "keydown"];

/**
 * Send the sign-in and sign-out forms inside an element as JSON, and report changes of the user.
 * @param {HTMLElement} element
 * @param {() => void} onChange
 */
export function watchSignIn(element, onChange) {
  element.addEventListener("click", (event) => {
    /** @type {HTMLAnchorElement|null} */
    const link = event.target instanceof Element ? event.target.closest("a[data-sign-in]") : null;
    if (link) prepareSignIn(link, onChange);
  });
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const words = form.querySelector("[role=alert]");
    const answer = await send(form).catch(() => null);
    if (answer?.ok) onChange();
    else if (words) words.textContent = (await explain(answer)) ?? "Can't reach the server. Try again.";
  });
}

/**
 * Return from a sign-in to the current address. Providers refuse framing, so in a frame it opens a new tab, and the
 * page checks again when the visitor returns to it.
 * @param {HTMLAnchorElement} link
 * @param {() => void} onChange
 */
function prepareSignIn(link, onChange) {
  const address = new URL(link.href);
  address.searchParams.set("next", location.pathname + location.search);
  link.href = address.href;
  if (window.self === window.top) return;
  link.target = "_blank";
  link.relList.add("noopener");
  window.addEventListener("focus", onChange, { once: true });
}

/**
 * Revoke the session whose button is pressed inside an element, and report it.
 * @param {HTMLElement} element
 * @param {() => void} onChange
 */
export function watchRevocations(element, onChange) {
  element.addEventListener("click", async (event) => {
    /** @type {HTMLButtonElement|null} */
    const button = event.target instanceof Element ? event.target.closest("button[data-revoke]") : null;
    if (!button) return;
    button.disabled = true;
    const id = encodeURIComponent(button.dataset.revoke ?? "");
    const answer = await fetch(`/api/v1/me/sessions/${id}`, { method: "DELETE" }).catch(() => null);
    // A session that has ended already disappears from the list, too.
    if (answer?.ok || answer?.status === 401 || answer?.status === 404) return onChange();
    button.disabled = false;
    const words = element.querySelector("[role=alert]");
    if (words) words.textContent = (await explain(answer)) ?? "Can't reach the server. Try again.";
    return undefined;
  });
}

/**
 * Keep browsers from filling in or storing an endpoint's API key as a password of this site. The fields are created
 * dynamically, with an empty `autocomplete`.
 */
export function keepKeysOut() {
  const mark = () => {
    for (const field of document.querySelectorAll('input[type="password"]:not([autocomplete="new-password"])')) {
      field.setAttribute("autocomplete", "new-password");
    }
  };
  mark();
  new MutationObserver(mark).observe(document.body, { childList: true, subtree: true });
}

/** @param {HTMLFormElement} form */
function send(form) {
  const fields = Object.fromEntries(new FormData(form));
  const headers = { "Content-Type": "application/json" };
  return fetch(form.getAttribute("action") ?? "", { method: "POST", headers, body: JSON.stringify(fields) });
}

/** The reason in an error response of the API. @param {Response|null} answer @returns {Promise<string|undefined>} */
export async function explain(answer) {
  const problem = await answer?.json().catch(() => null);
  return problem?.detail;
}

// Tab id → its title, from the links in the page until Gradio has loaded.
/** @type {Map<string, string>} */
const titles = new Map();
for (const link of document.querySelectorAll("#es-first nav a")) {
  const tab = new URL(link.getAttribute("href") ?? "", location.href).searchParams.get("tab");
  if (tab) titles.set(tab, link.textContent?.trim() ?? "");
}

/**
 * Find the button that opens a tab. In a narrow window it may be in Gradio's menu, where buttons have titles and no
 * ids.
 * @param {string|null} tab
 * @returns {HTMLElement|null}  null if there is no such tab
 */
function findTabButton(tab) {
  const button = document.getElementById(`tab-${tab}-button`);
  if (button) return button;
  /** @type {NodeListOf<HTMLElement>} */
  const menu = document.querySelectorAll(".overflow-dropdown button");
  return [...menu].find((item) => item.textContent?.trim() === titles.get(tab ?? "")) ?? null;
}

/** @param {Element} button  tab button @returns {boolean} whether its tab is open; menu items only have a class */
function isOpen(button) {
  return button.getAttribute("aria-selected") === "true" || button.classList.contains("selected");
}

// While the page loads, its first tab announces itself, before or after the tab in the address.
let awaited = findAwaited();

/** The tab in the address, if it exists. */
function findAwaited() {
  const asked = new URL(performance.getEntriesByType("navigation")[0].name).searchParams.get("tab");
  return asked && titles.has(asked) ? asked : null;
}

/**
 * Replace the address without a history entry.
 * @param {URL} address
 */
export function replaceAddress(address) {
  // Slashes, bars and commas are harmless in a query and easier to read unescaped.
  const readable = address.search.replace(/%2F/g, "/").replace(/%7C/g, "|").replace(/%2C/g, ",");
  history.replaceState(history.state, "", address.pathname + readable + address.hash);
}

/**
 * Write the opened tab to the address, and notify its board, which adds its state.
 * @param {string} tab  id of the tab
 * @param {string} title  title of the tab
 * @param {boolean} isFirst  the first tab is not named in the address
 */
export function rememberTab(tab, title, isFirst) {
  if (awaited && awaited !== tab && isFirst) return;
  awaited = null;
  if (document.getElementById(`tab-${tab}-button`)?.getAttribute("aria-selected") === "false") return;
  const address = new URL(location.href);
  const before = address.searchParams.get("tab");
  if (isFirst) address.searchParams.delete("tab");
  else address.searchParams.set("tab", tab);
  const isOther = before === null ? !isFirst : before !== tab;
  // The Back button leads to the previous view, but never to an address without a tab.
  const keep = isOther && (before === null || findTabButton(before)) ? "pushState" : "replaceState";
  // Query parameters of one tab have no meaning on another.
  if (isOther) {
    address.hash = "";
    for (const name of [...address.searchParams.keys()]) if (!KEPT_WORDS.includes(name)) address.searchParams.delete(name);
  }
  history[keep](keep === "pushState" ? null : history.state, "", address);
  document.title = isFirst ? SITE : `${title} · ${SITE}`;
  window.dispatchEvent(new CustomEvent("earshot:tab", { detail: { tab } }));
}

/** @param {URLSearchParams} words  query of an address @returns {string} id of its tab: the first one by default */
function readTab(words) {
  return words.get("tab") ?? document.querySelector("[role=tab]")?.id.replace(/^tab-|-button$/g, "") ?? "";
}

function openTab() {
  return readTab(new URLSearchParams(location.search));
}

/** Notify an open tab of a new address. @param {string} tab */
function announce(tab) {
  window.dispatchEvent(new CustomEvent("earshot:address", { detail: { tab } }));
}

/** An address of this page, with the current theme. @param {string} href */
function readAddress(href) {
  const address = new URL(href, location.href);
  const theme = new URLSearchParams(location.search).get("__theme");
  if (theme && address.origin === location.origin) address.searchParams.set("__theme", theme);
  return address;
}

/**
 * Open an address of this page without reloading, like a click on a `data-visit` link.
 * @param {string} href  an address with `tab`, or of the first tab, with its parameters; it may end with a section
 */
export function visit(href) {
  const address = readAddress(href);
  const tab = address.pathname === location.pathname ? readTab(address.searchParams) : null;
  const button = findTabButton(tab);
  if (address.origin !== location.origin || !tab || !button) return location.assign(address);
  awaited = null;
  // An early drawing may not be in its tab yet, and would appear above the opened one.
  delete document.documentElement.dataset.first;
  history.pushState(null, "", address);
  if (!isOpen(button)) button.click();
  announce(tab);
  if (address.hash) return showSection(true);
  // The link may be hidden now: move focus from the tab's or menu's button to its content.
  (button.closest(".overflow-menu")?.querySelector("button") ?? button).focus({ preventScroll: true });
  window.scrollTo(0, 0);
  return undefined;
}

/**
 * Change the view of the open tab with a history entry. Focus and scroll position stay.
 * @param {string} href  an address with `tab` and its parameters
 */
export function step(href) {
  const address = readAddress(href);
  if (address.search === location.search) return;
  history.pushState(null, "", address);
  announce(address.searchParams.get("tab") ?? "");
}

/**
 * Scroll to the section in the address, and stay there while the content above it is still being drawn: until the
 * visitor acts or navigates.
 * @param {boolean} [isFollowed]  whether to move the keyboard focus there
 */
function showSection(isFollowed = false) {
  const name = location.hash.slice(1);
  if (!name) return;
  let isAwaited = isFollowed;
  const sizes = new ResizeObserver(() => {
    const section = document.getElementById(name);
    if (location.hash.slice(1) !== name) return end();
    section?.scrollIntoView();
    if (isAwaited && section?.offsetParent) section.focus({ preventScroll: true });
    isAwaited &&= document.activeElement !== section;
    return undefined;
  });
  const end = () => {
    sizes.disconnect();
    for (const act of ACTS) window.removeEventListener(act, end);
  };
  for (const act of ACTS) window.addEventListener(act, end, { passive: true });
  sizes.observe(document.body);
}

/**
 * Pass the address to a tab: now if it is open, and whenever it is opened or the address changes.
 * @param {string} tab  id of the tab
 * @param {(words: URLSearchParams) => void} onAddress
 */
export function followAddress(tab, onAddress) {
  /** @type {string|null} */
  let told = null;
  /** @param {string} opened @param {boolean} isNew */
  const tell = (opened, isNew) => {
    if (opened !== tab) {
      told = null;
      return;
    }
    // Opening a tab by a link notifies it twice: once for the link, then for the tab.
    if (!isNew && location.search === told) return;
    told = location.search;
    onAddress(new URLSearchParams(told));
  };
  window.addEventListener("earshot:address", (event) => tell(event.detail.tab, true));
  window.addEventListener("earshot:tab", (event) => tell(event.detail.tab, false));
  tell(openTab(), true);
}

/** Handle links within the page and the browser's history; called once. */
export function followLinks() {
  document.addEventListener("click", (event) => {
    /** @type {HTMLAnchorElement|null} */
    const link = event.target instanceof Element ? event.target.closest("a[data-visit]") : null;
    if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    visit(link.href);
  });
  window.addEventListener("popstate", () => {
    const tab = openTab();
    const button = findTabButton(tab);
    if (!button) return location.reload();
    const isOther = !isOpen(button);
    if (isOther) button.click();
    announce(tab);
    // Within a tab the browser restores the scroll position.
    if (isOther) showSection();
    return undefined;
  });
  showSection();
}
