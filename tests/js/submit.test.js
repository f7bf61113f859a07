import { choose, open, page, query, settle } from "./dom.js";

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { watchCopies } from "../../assets/citing.js";
import { step } from "../../assets/page.js";
import { forgetChoice, keepBenchmark, readBenchmark, restoreChoice, startChoice, watchWays } from "../../assets/submit.js";

const WAYS = ["api", "predictions", "tools"].map((way) => `<input type="radio" name="how" value="${way}"${way === "predictions" ? " checked" : ""}>`);

/** Open an address with the choice of a way. @param {string} address */
function openWays(address) {
  open(address, `<fieldset>${WAYS.join("")}</fieldset>`);
  const choice = page.document.querySelector("fieldset");
  watchWays(choice);
  return choice;
}

const chosen = (choice) => [...choice.querySelectorAll("input")].find((way) => way.checked).value;

describe("the way to submit", () => {
  for (const [address, way] of [
    ["/?tab=submit", "predictions"],
    ["/?tab=submit&how=api", "api"],
    ["/?tab=submit&how=tools", "tools"],
    ["/?tab=submit&how=nothing", "predictions"],
    ["/?tab=about&how=api", "predictions"],
  ]) test(`address ${address} chooses ${way}`, () => assert.equal(chosen(openWays(address)), way));

  test("a choice is kept in the address, next to the benchmark; the usual one is not named", () => {
    const choice = openWays("/?tab=submit&benchmark=mdar");
    choose(choice.querySelector("[value=api]"), true);
    assert.equal(query(), "?tab=submit&benchmark=mdar&how=api");
    choose(choice.querySelector("[value=predictions]"), true);
    assert.equal(query(), "?tab=submit&benchmark=mdar");
    open("/?tab=about");
    choose(choice.querySelector("[value=api]"), true);
    assert.equal(query(), "?tab=about");
  });

  test("an address without a way keeps the choice, and one with a way changes it", () => {
    const choice = openWays("/?tab=submit&how=api");
    for (const [address, way] of [["/?tab=submit&benchmark=mdar", "api"], ["/?tab=submit&how=tools", "tools"]]) {
      step(address);
      assert.equal(chosen(choice), way);
    }
  });
});

describe("the benchmark of the form", () => {
  const offered = ["amb 1.0", "mdar 1.0", "mdar demo", "star 1.0"];

  for (const [address, benchmark] of [
    ["/?tab=submit", "amb 1.0"],
    ["/?tab=submit&benchmark=mdar&version=demo", "mdar demo"],
    ["/?tab=submit&benchmark=mdar", "mdar 1.0"],
    ["/?tab=submit&benchmark=nothing", "amb 1.0"],
    ["/?tab=about&benchmark=mdar", "amb 1.0"],
  ]) test(`address ${address} names ${benchmark}`, () => {
    open(address);
    assert.equal(readBenchmark(offered, "amb 1.0"), benchmark);
  });

  test("a choice replaces a value that arrives later, and is in the address", () => {
    open("/?tab=submit&benchmark=mdar&version=1.0");
    assert.equal(readBenchmark(offered, "amb 1.0"), "mdar 1.0");
    assert.deepEqual(restoreChoice("mdar 1.0"), []);
    keepBenchmark("star 1.0");
    assert.equal(query(), "?tab=submit&benchmark=star&version=1.0");
    assert.deepEqual(restoreChoice("star 1.0"), []);
    assert.deepEqual(restoreChoice("mdar 1.0"), ["star 1.0"]);
    assert.equal(readBenchmark(offered, "star 1.0"), "star 1.0");
    assert.deepEqual(restoreChoice("mdar 1.0"), ["star 1.0"]);
  });

  test("a later link or button replaces the choice", () => {
    open("/?tab=submit");
    keepBenchmark("star 1.0");
    open("/?tab=submit&benchmark=mdar&version=demo");
    assert.equal(readBenchmark(offered, "star 1.0"), "mdar demo");
    assert.deepEqual(restoreChoice("mdar demo"), []);
    keepBenchmark("star 1.0");
    forgetChoice();
    assert.deepEqual(restoreChoice("mdar 1.0"), []);
  });

  test("the benchmark that the form is filled for fills it no second time, and stays out of the address", async () => {
    const isSent = async (chosen) => (await Promise.race([startChoice(chosen), settle()])) !== undefined;
    open("/?tab=submit");
    forgetChoice();
    readBenchmark(offered, "amb 1.0");
    keepBenchmark("amb 1.0");
    assert.equal(query(), "?tab=submit");
    assert.equal(await isSent("amb 1.0"), false);
    keepBenchmark("star 1.0");
    assert.deepEqual(await startChoice("star 1.0"), ["star 1.0"]);
    assert.equal(await isSent("star 1.0"), false);
    assert.deepEqual(await startChoice("mdar 1.0"), ["mdar 1.0"]);
    forgetChoice();
    restoreChoice("mdar demo");
    assert.equal(await isSent("mdar demo"), false);
    assert.deepEqual(await startChoice("mdar 1.0"), ["mdar 1.0"]);
  });
});

test("copy button copies the command before it, although the command is drawn again", async () => {
  open("/?tab=submit", "<div></div>");
  const copied = [];
  Object.defineProperty(page.navigator, "clipboard", { value: { writeText: async (text) => copied.push(text) }, configurable: true });
  const place = page.document.querySelector("div");
  watchCopies(place);
  for (const name of ["one", "two"]) {
    place.innerHTML = `<pre><span>python -m ${name}</span> <span>--submit</span></pre><button data-copy>Copy</button><span role="status"></span>`;
    place.querySelector("button").click();
    await settle();
    assert.deepEqual([...place.querySelectorAll("button, [role=status]")].map((shown) => shown.textContent), ["Copied", "Copied"]);
  }
  assert.deepEqual(copied, ["python -m one --submit", "python -m two --submit"]);
});
