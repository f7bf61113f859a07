import "./dom.js";

import assert from "node:assert/strict";
import { after, before, describe, mock, test } from "node:test";

import { countItems, full, heat, intervalWords, isNumber, make, percent, range, since } from "../../assets/board-format.js";
import { column } from "./samples.js";

describe("figures as words", () => {
  for (const [fraction, words] of [[0.4214, "42.1"], [0, "0.0"], [1, "100.0"], [-0.05, "-5.0"], [null, "–"], [undefined, "–"], [NaN, "–"]]) {
    test(`percent of ${fraction} returns ${words}`, () => assert.equal(percent(fraction), words));
  }

  test("isNumber refuses what is not finite", () => {
    assert.deepEqual([0, -1.5, NaN, Infinity, null, undefined, "1"].map(isNumber), [true, true, false, false, false, false, false]);
  });

  test("range of equal ends is one number", () => assert.deepEqual([range(3, 6), range(7, 7)], ["3–6", "7"]));

  test("intervalWords without one end is empty", () => {
    assert.equal(intervalWords({ low: 0.25, high: 0.755 }), "95 % CI 25.0–75.5");
    assert.equal(intervalWords({ low: 0.25, high: null }), "");
  });

  test("full names the group of a column that has one", () => {
    assert.equal(full(column("a|b", { group: "Motion", title: "SCT" })), "Motion, SCT");
    assert.equal(full(column("a|b", { title: "SCT" })), "SCT");
  });

  for (const [items, all, words] of [[2016, null, "2,016"], [951, 2353, "951 of 2,353"], [2353, 2353, "2,353"], [null, 2353, "–"], [0, 10, "0 of 10"]]) {
    test(`countItems of ${items} of ${all} returns ${words}`, () => assert.equal(countItems({ items, items_of_paper: all }), words));
  }
});

describe("the shade of a figure", () => {
  const higher = column("a|b", { chance: 0.25 });
  const lower = column("a|b", { chance: 0.8, higher_is_better: false });
  for (const [what, value, of, human, share] of [
    ["at chance", 0.25, higher, 0.75, 0],
    ["half way to people", 0.5, higher, 0.75, 0.5],
    ["above people", 0.9, higher, 0.75, 1],
    ["below chance", 0.1, higher, 0.75, 0],
    ["towards perfect where people are unknown", 0.625, higher, null, 0.5],
    ["towards perfect where people are below chance", 0.625, higher, 0.2, 0.5],
    ["of a figure that is better when it is low", 0.4, lower, 0.2, 2 / 3],
    ["towards zero where people of a low figure are unknown", 0.2, lower, null, 0.75],
    ["without a value", null, higher, 0.75, 0],
    ["without a chance", 0.5, column("a|b", { chance: null }), 0.75, 0],
    ["of a figure without ranks", 0.5, column("a|b", { ranked: false }), 0.75, 0],
    ["where chance is perfect", 1, column("a|b", { chance: 1 }), null, 0],
  ]) {
    test(`heat ${what} is ${share.toFixed(2)}`, () => assert.ok(Math.abs(heat(value, of, human) - share) < 1e-12));
  }
});

describe("times as words", () => {
  before(() => mock.timers.enable({ apis: ["Date"], now: Date.parse("2026-06-15T12:00:00Z") }));
  after(() => mock.timers.reset());

  for (const [iso, words] of [
    ["2026-06-15T11:59:30Z", "just now"],
    ["2026-06-15T11:57:00Z", "3 minutes ago"],
    ["2026-06-15T10:00:00Z", "2 hours ago"],
    ["2026-06-14T12:00:00Z", "yesterday"],
    ["2026-03-15T12:00:00Z", "3 months ago"],
    ["2024-06-15T00:00:00Z", "2 years ago"],
  ]) {
    test(`since ${iso} is ${words}`, () => {
      const time = since(iso);
      assert.equal(time.textContent, words);
      assert.equal(time.getAttribute("title"), `${iso.replace("T", " ").replace("Z", "")} UTC`);
    });
  }

  test("since of no time is a dash", () => assert.deepEqual([since(null).textContent, since("soon").textContent], ["–", "–"]));
});

describe("elements", () => {
  test("make turns a stranger's markup into text", () => {
    const element = make("p", { title: '"><script>' }, "<img src=x onerror=alert(1)>", null, undefined, make("b", {}, "&amp;"));
    assert.equal(element.childElementCount, 1);
    assert.equal(element.textContent, "<img src=x onerror=alert(1)>&amp;");
    assert.equal(element.getAttribute("title"), '"><script>');
  });

  test("make leaves out null, undefined and false, and keeps zero and the empty word", () => {
    const element = make("input", { a: null, b: undefined, c: false, d: 0, e: "", f: true });
    assert.deepEqual([...element.attributes].map(({ name, value }) => [name, value]), [["d", "0"], ["e", ""], ["f", ""]]);
  });

  test("make sets checked as a property and on… as a listener", () => {
    let n = 0;
    const element = make("input", { type: "checkbox", checked: true, onclick: () => n++ });
    assert.equal(element.checked, true);
    assert.equal(element.hasAttribute("onclick"), false);
    element.click();
    assert.equal(n, 1);
  });
});
