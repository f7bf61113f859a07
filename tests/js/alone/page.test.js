import { loads, open, page, query, settle, shown, sizes } from "../dom.js";

import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";

import { reply, serve } from "../server.js";

// The address asks for a tab that is there: what the page's first tab says of itself before that is not believed.
open("/?tab=mdar", `<div id="es-first"><nav><a href="/?tab=mdar">MDAR</a><a href="/?tab=admin">Admin</a></nav></div>`);
const { followAddress, followLinks, keepKeysOut, rememberTab, replaceAddress, step, visit, watchSignIn } = await import("../../../assets/page.js");
const { choose } = await import("../../../assets/compare.js");

const TABS = `<nav>
  <button role="tab" id="tab-overview-button" aria-selected="true">Overview</button>
  <button role="tab" id="tab-mdar-button" aria-selected="false">MDAR</button>
  <button role="tab" id="tab-about-button" aria-selected="false">About</button></nav>`;

let events;
let pushed;

/** Open an address in a page with tabs, of which a click opens one. */
function start(address, markup = "") {
  open(address, TABS + markup);
  events = [];
  for (const name of ["earshot:tab", "earshot:address"]) page.addEventListener(name, ({ detail }) => events.push(`${name.slice(8)} ${detail.tab}`));
  const tabs = [...page.document.querySelectorAll("[role=tab]")];
  for (const tab of tabs) tab.addEventListener("click", () => tabs.forEach((one) => one.setAttribute("aria-selected", String(one === tab))));
}

const select = (tab) => page.document.getElementById(`tab-${tab}-button`).click();

mock.method(page, "scrollTo", () => {});
const push = page.history.pushState.bind(page.history);
page.history.pushState = (...words) => {
  pushed += 1;
  push(...words);
};

beforeEach(() => {
  pushed = 0;
});

describe("the tab in the address", () => {
  test("rememberTab leaves the address alone until the tab that was asked for is open", () => {
    start("/?tab=mdar&sort=date");
    rememberTab("overview", "Overview", true);
    assert.equal(query(), "?tab=mdar&sort=date");
    select("mdar");
    rememberTab("mdar", "MDAR", false);
    assert.equal(query(), "?tab=mdar&sort=date");
    assert.equal(page.document.title, "MDAR · Earshot");
    select("overview");
    rememberTab("overview", "Overview", true);
    assert.equal(query(), "");
  });

  test("rememberTab of another tab is a step that leaves behind what was chosen", () => {
    start("/?__theme=dark&tab=mdar&sort=date#section");
    select("about");
    rememberTab("about", "About", false);
    assert.equal(page.location.search + page.location.hash, "?__theme=dark&tab=about");
    assert.equal(pushed, 1);
    assert.deepEqual(events, ["tab about"]);
  });

  test("rememberTab of the tab that is open is no step", () => {
    start("/?tab=mdar&sort=date");
    select("mdar");
    rememberTab("mdar", "MDAR", false);
    assert.equal(query(), "?tab=mdar&sort=date");
    assert.equal(pushed, 0);
  });

  test("rememberTab replaces an address that no tab answers to", () => {
    start("/?tab=nowhere");
    rememberTab("overview", "Overview", true);
    assert.deepEqual([query(), pushed, page.document.title], ["", 0, "Earshot"]);
  });

  test("rememberTab of a tab that is no longer open says nothing", () => {
    start("/?tab=mdar");
    rememberTab("about", "About", false);
    assert.deepEqual([query(), events], ["?tab=mdar", []]);
  });

  test("replaceAddress writes slashes, bars and commas as they are, and nothing else", () => {
    start("/");
    const address = new URL("http://earshot.test/?a=x/y|z,w&b=1%26%3D#top");
    address.searchParams.set("c", "a b/c");
    replaceAddress(address);
    assert.equal(page.location.href, "http://earshot.test/?a=x/y|z,w&b=1%26%3D&c=a+b/c#top");
  });
});

describe("links within the page", () => {
  test("visit opens a tab, tells it, and goes on from its name", () => {
    start("/?__theme=dark&tab=overview");
    page.document.documentElement.dataset.first = "overview";
    visit("/?tab=mdar&weights=open");
    assert.equal(query(), "?tab=mdar&weights=open&__theme=dark");
    assert.deepEqual(events, ["address mdar"]);
    assert.equal(page.document.activeElement.id, "tab-mdar-button");
    assert.equal(page.document.getElementById("tab-mdar-button").getAttribute("aria-selected"), "true");
    assert.equal(page.document.documentElement.dataset.first, undefined);
    assert.equal(pushed, 1);
  });

  test("visit of the site's own address opens its first tab", () => {
    start("/?tab=mdar&sort=date");
    select("mdar");
    visit("/");
    assert.equal(query(), "");
    assert.deepEqual(events, ["address overview"]);
    assert.equal(page.document.getElementById("tab-overview-button").getAttribute("aria-selected"), "true");
  });

  for (const href of ["/?tab=nowhere", "https://other.example/?tab=mdar", "/docs"]) {
    test(`visit of ${href} loads it`, () => {
      start("/");
      visit(href);
      assert.deepEqual(loads, [`assign ${new URL(href, "http://earshot.test")}`]);
      assert.equal(pushed, 0);
    });
  }

  test("step changes what the open tab shows, once", () => {
    start("/?tab=compare");
    step("/?tab=compare&a=1");
    step("/?tab=compare&a=1");
    assert.deepEqual([query(), pushed, events], ["?tab=compare&a=1", 1, ["address compare"]]);
  });

  test("choose of a comparison names its rows, or the board that they are to be of", () => {
    start("/?tab=compare");
    choose("mdar demo default", null, null);
    assert.equal(query(), "?tab=compare&benchmark=mdar&version=demo&setting=default");
    choose("mdar demo default", "a", "b");
    assert.equal(query(), "?tab=compare&benchmark=mdar&a=a&b=b");
    choose(null, "a", null);
    assert.equal(query(), "?tab=compare&a=a");
  });

  test("followLinks visits a clicked link, and leaves one with a key to the browser", () => {
    start("/", `<a data-visit href="/?tab=mdar"><b>MDAR</b></a><a href="/?tab=about">plain</a>`);
    followLinks();
    const inner = page.document.querySelector("[data-visit] b");
    const click = (target, words = {}) => {
      const event = new page.MouseEvent("click", { bubbles: true, cancelable: true, button: 0, ...words });
      target.dispatchEvent(event);
      return event.defaultPrevented;
    };
    for (const words of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }]) assert.equal(click(inner, words), false);
    assert.equal(click(page.document.querySelector("a:not([data-visit])")), false);
    assert.deepEqual([pushed, events], [0, []]);
    assert.equal(click(inner), true);
    assert.deepEqual([pushed, events], [1, ["address mdar"]]);
  });

  test("the way back opens the tab of the address and tells it", () => {
    start("/?tab=mdar");
    followLinks();
    page.dispatchEvent(new page.Event("popstate"));
    assert.equal(page.document.querySelector("[aria-selected=true]").id, "tab-mdar-button");
    assert.deepEqual(events, ["address mdar"]);
    page.history.replaceState(null, "", "/");
    page.dispatchEvent(new page.Event("popstate"));
    assert.equal(page.document.querySelector("[aria-selected=true]").id, "tab-overview-button");
  });

  test("a tab that is in Gradio's menu is opened there, by a link and by the way back", () => {
    start("/", `<div class="overflow-menu"><button id="more">…</button>
      <div class="overflow-dropdown"><button>Account</button><button> Admin </button></div></div>`);
    followLinks();
    const opened = [];
    const [account, admin] = page.document.querySelectorAll(".overflow-dropdown button");
    for (const button of [account, admin]) {
      button.addEventListener("click", () => {
        opened.push(button.textContent.trim());
        button.classList.add("selected");
      });
    }
    visit("/?tab=admin");
    assert.equal(page.document.activeElement.id, "more");
    page.dispatchEvent(new page.Event("popstate"));
    assert.deepEqual([opened, events, loads], [["Admin"], ["address admin", "address admin"], []]);
  });

  test("the way back to a tab that is nowhere loads the page", () => {
    start("/?tab=hidden", `<div class="overflow-dropdown"><button>Account</button></div>`);
    followLinks();
    page.dispatchEvent(new page.Event("popstate"));
    assert.deepEqual([loads, events], [["reload"], []]);
  });
});

describe("a section in the address", () => {
  const grow = () => [...sizes].forEach((one) => one.onSize());

  beforeEach(() => sizes.clear());

  test("visit of a section brings it into sight whenever the page grows, and the keyboard to it once", () => {
    start("/", `<h2 id="metrics" tabindex="-1">Metrics</h2>`);
    visit("/?tab=about#metrics");
    const section = page.document.getElementById("metrics");
    grow();
    grow();
    assert.deepEqual(shown, [section, section]);
    assert.equal(page.document.activeElement, section);
    page.document.getElementById("tab-about-button").focus();
    grow();
    assert.equal(page.document.activeElement.id, "tab-about-button");
  });

  for (const act of ["wheel", "touchstart", "pointerdown", "keydown"]) {
    test(`${act} ends it`, () => {
      start("/?tab=about#metrics", `<h2 id="metrics">Metrics</h2>`);
      followLinks();
      assert.equal(sizes.size, 1);
      page.dispatchEvent(new page.Event(act));
      assert.equal(sizes.size, 0);
    });
  }

  test("another address ends it", () => {
    start("/?tab=about#metrics", `<h2 id="metrics">Metrics</h2>`);
    followLinks();
    page.history.replaceState(null, "", "/?tab=about");
    grow();
    assert.deepEqual([shown.length, sizes.size], [0, 0]);
  });

  test("an address without a section waits for nothing", () => {
    start("/?tab=about");
    followLinks();
    assert.equal(sizes.size, 0);
  });
});

describe("what a tab is told of its address", () => {
  const tell = (name, tab) => page.dispatchEvent(new page.CustomEvent(`earshot:${name}`, { detail: { tab } }));
  const follow = (address, tab) => {
    start(address);
    const told = [];
    followAddress(tab, (words) => told.push(String(words)));
    return told;
  };

  test("followAddress tells an open tab at once, and the first tab of a bare address", () => {
    assert.deepEqual(follow("/?tab=mdar&a=1", "mdar"), ["tab=mdar&a=1"]);
    assert.deepEqual(follow("/", "overview"), [""]);
    assert.deepEqual(follow("/?tab=mdar", "overview"), []);
  });

  test("followAddress of a link that opens the tab tells it once", () => {
    const told = follow("/", "mdar");
    page.history.replaceState(null, "", "/?tab=mdar&a=1");
    tell("address", "mdar");
    tell("tab", "mdar");
    assert.deepEqual(told, ["tab=mdar&a=1"]);
  });

  test("followAddress tells a tab again that was left meanwhile", () => {
    const told = follow("/?tab=mdar", "mdar");
    tell("tab", "mdar");
    tell("tab", "about");
    tell("tab", "mdar");
    assert.deepEqual(told, ["tab=mdar", "tab=mdar"]);
  });
});

describe("signing in", () => {
  const FORM = `<main><form action="/api/v1/sign-in"><input name="name" value="ivy"><p role="alert"></p><button>Sign in</button></form></main>`;

  async function submit(answer) {
    start("/?tab=submit", FORM);
    const asked = serve(answer);
    let n = 0;
    watchSignIn(page.document.querySelector("main"), () => n++);
    const event = new page.Event("submit", { bubbles: true, cancelable: true });
    page.document.querySelector("form").dispatchEvent(event);
    await settle();
    return { asked, n, isPrevented: event.defaultPrevented, said: page.document.querySelector("[role=alert]").textContent };
  }

  test("watchSignIn sends the fields as JSON and says that somebody came", async () => {
    const { asked, n, isPrevented, said } = await submit(() => ({}));
    const [{ url, options }] = asked;
    assert.deepEqual([url.pathname, options.method, options.headers["Content-Type"], options.body], ["/api/v1/sign-in", "POST", "application/json", '{"name":"ivy"}']);
    assert.deepEqual([n, isPrevented, said], [1, true, ""]);
  });

  for (const [what, answer, words] of [
    ["a refusal", () => reply({ detail: "No such name." }, { status: 401 }), "No such name."],
    ["an answer that is no JSON", () => new Response("<", { status: 500 }), "Can't reach the server. Try again."],
    ["no answer", () => new Error("away"), "Can't reach the server. Try again."],
  ]) {
    test(`watchSignIn of ${what} says so`, async () => {
      const { n, said } = await submit(answer);
      assert.deepEqual([n, said], [0, words]);
    });
  }
});

describe("keys of endpoints", () => {
  test("keepKeysOut keeps browsers from filling fields that are there and that come later", async () => {
    start("/?tab=submit", `<main><input type="password" autocomplete=""></main>`);
    keepKeysOut();
    page.document.querySelector("main").insertAdjacentHTML("beforeend", `<input type="password" autocomplete="">`);
    await page.happyDOM.whenAsyncComplete();
    await settle();
    assert.deepEqual([...page.document.querySelectorAll("input")].map((one) => one.getAttribute("autocomplete")), ["new-password", "new-password"]);
  });
});
