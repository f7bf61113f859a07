import { nearing, open, page } from "./dom.js";

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { followBoard } from "../../assets/charts.js";

const ADDRESS = "/?tab=amb&version=1.0";
let nDrawn = 0;

function show(detail = {}) {
  page.dispatchEvent(new page.CustomEvent("earshot:board", { detail: { board: "amb", revision: "1", choice: 0, ...detail } }));
}

function scroll(isIntersecting = true) {
  for (const one of [...nearing]) one.onChange([{ isIntersecting, target: one.element }]);
}

function start(markup = '<div id="charts-amb"></div>') {
  open(ADDRESS, markup);
  followBoard("amb", () => {
    nDrawn += 1;
  });
}

describe("charts of a board", () => {
  beforeEach(() => {
    nDrawn = 0;
    nearing.clear();
  });

  test("followBoard waits until the charts are nearly in sight, and draws once", () => {
    start();
    show();
    scroll(false);
    assert.equal(nDrawn, 0);
    scroll();
    scroll();
    assert.deepEqual([nDrawn, nearing.size], [1, 0]);
  });

  test("followBoard draws only the last of what was shown meanwhile", () => {
    start();
    for (const revision of ["1", "2", "3"]) show({ revision });
    assert.equal(nearing.size, 1);
    scroll();
    assert.equal(nDrawn, 1);
  });

  test("followBoard draws again for another revision, choice, version or setting, and not for the same", () => {
    start();
    const looks = [{}, {}, { revision: "2" }, { revision: "2", choice: 1 }];
    for (const look of looks) {
      show(look);
      scroll();
    }
    assert.equal(nDrawn, 3);
    for (const words of ["version=0.9", "version=0.9&setting=noise"]) {
      page.history.replaceState(null, "", `/?tab=amb&${words}`);
      show({ revision: "2", choice: 1 });
      scroll();
    }
    assert.equal(nDrawn, 5);
  });

  test("followBoard draws nothing for another board, nor under another tab", () => {
    start();
    show({ board: "mdar" });
    page.history.replaceState(null, "", "/?tab=about");
    show();
    assert.deepEqual([nDrawn, nearing.size], [0, 0]);
  });

  test("followBoard draws at once what an address names rows for", () => {
    start();
    page.history.replaceState(null, "", `${ADDRESS}&models=a,b`);
    show();
    assert.equal(nDrawn, 1);
  });

  test("followBoard draws at once where there is nothing to scroll to", () => {
    start("");
    show();
    assert.equal(nDrawn, 1);
  });
});
