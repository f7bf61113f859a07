/**
 * A page for the scripts. Import it before any of them: some read the page when they are loaded.
 * It is happy-dom's, which has no layout: everything that is in the page and not hidden counts as visible.
 */

import { readFileSync } from "node:fs";

import { Window } from "happy-dom";

export const SITE = "http://earshot.test";
export const page = new Window({ url: `${SITE}/` });

const OF_THE_PAGE = [
  "CSS", "CustomEvent", "Element", "Event", "FocusEvent", "FormData", "HTMLElement", "HTMLInputElement", "KeyboardEvent",
  "MouseEvent", "MutationObserver", "Node", "PointerEvent", "document", "getComputedStyle", "getSelection", "history",
  "localStorage", "location", "navigator", "sessionStorage",
];

for (const name of OF_THE_PAGE) Object.defineProperty(globalThis, name, { value: page[name], configurable: true, writable: true });
Object.defineProperty(globalThis, "window", { value: page, configurable: true });
page.devicePixelRatio = 1;

// What comes with every page; a test in Python compares it with what the server sends.
const options = Object.assign(page.document.createElement("script"), { type: "application/json", id: "es-board-options" });
options.textContent = readFileSync(new URL("board-options.json", import.meta.url), "utf8");
page.document.head.append(options);

Object.defineProperty(page.HTMLElement.prototype, "offsetParent", {
  configurable: true,
  get() {
    return this.isConnected && !this.closest("[hidden]") ? this.parentElement : null;
  },
});
Object.defineProperty(page.HTMLTableSectionElement?.prototype ?? page.HTMLElement.prototype, "rows", {
  configurable: true,
  get() {
    return [...this.children].filter((child) => child.tagName === "TR");
  },
});

/** What was brought into sight, in order. */
export const shown = [];
page.Element.prototype.scrollIntoView = function scrollIntoView() {
  shown.push(this);
};

/** Loads of a whole page, which a test must not do: `assign <address>` or `reload`. */
export const loads = [];
Object.defineProperty(page.location, "assign", { configurable: true, value: (address) => loads.push(`assign ${address}`) });
Object.defineProperty(page.location, "reload", { configurable: true, value: () => loads.push("reload") });

/** Observers of sizes, so that a test can say that a size changed. */
export const sizes = new Set();
globalThis.ResizeObserver = class {
  constructor(onSize) {
    this.onSize = onSize;
  }

  observe() {
    sizes.add(this);
  }

  disconnect() {
    sizes.delete(this);
  }
};

/** Observers of what comes near the visitor, so that a test can say that it did. */
export const nearing = new Set();
globalThis.IntersectionObserver = class {
  constructor(onChange, options) {
    Object.assign(this, { onChange, options });
  }

  observe(element) {
    this.element = element;
    nearing.add(this);
  }

  disconnect() {
    nearing.delete(this);
  }
};

// What the browser tells of how the page was opened.
performance.getEntriesByType = () => [{ name: page.location.href }];

// Scripts look again every few seconds for as long as the page is there; a test must end all the same.
const repeat = globalThis.setInterval;
globalThis.setInterval = (...words) => repeat(...words).unref();

// Scripts listen for as long as the page is there, and every test has a page of its own.
const listeners = [];
for (const target of [page, page.document]) {
  const listen = target.addEventListener.bind(target);
  target.addEventListener = (...words) => {
    listeners.push(() => target.removeEventListener(...words));
    listen(...words);
  };
}
let isOpened = false;

/** Open an address, with nothing on the page but some markup. What modules listen to from their start on stays. */
export function open(address, markup = "") {
  const former = listeners.splice(0);
  if (isOpened) for (const forget of former) forget();
  isOpened = true;
  page.history.replaceState(null, "", `${SITE}${address}`);
  page.document.body.innerHTML = markup;
  page.document.title = "Earshot";
  shown.length = 0;
  loads.length = 0;
}

/** The query of the address, slashes and bars as they are read. */
export function query() {
  return page.location.search;
}

/** Let everything happen that waits for no timer. */
export async function settle() {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Press a key where the keyboard is, or on an element. */
export function press(key, target = page.document.activeElement, words = {}) {
  const event = new page.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...words });
  target.dispatchEvent(event);
  return event;
}

/** Say that a value was chosen or typed. */
export function choose(field, value, type = "change") {
  if (typeof value === "boolean") field.checked = value;
  else field.value = value;
  field.dispatchEvent(new page.Event(type, { bubbles: true }));
}

/** Open a menu, as a click on its summary does, and wait for what it loads. */
export async function unfold(menu) {
  menu.querySelector("summary").dispatchEvent(new page.Event("click", { bubbles: true }));
  menu.open = true;
  menu.dispatchEvent(new page.Event("toggle"));
  await settle();
}

/** The texts of the elements that a selector finds. */
export function texts(place, selector) {
  return [...place.querySelectorAll(selector)].map((one) => one.textContent);
}
