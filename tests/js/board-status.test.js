import "./dom.js";

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Refusal } from "../../assets/board-fetch.js";
import { make } from "../../assets/board-format.js";
import { defaultState } from "../../assets/board-state.js";
import { describeError, describeRows, showOpenness } from "../../assets/board-status.js";
import { OVERALL, SCT, START, benchmark, row } from "./samples.js";

const USUAL = defaultState(START);

function board(words = {}) {
  const calls = [];
  const note = (name) => (...given) => calls.push([name, ...given]);
  return {
    rows: [row("s1")], columns: [OVERALL], cursor: null, known: benchmark(), state: USUAL, begin: START, headline: OVERALL.key, place: make("div"), detectable: null,
    detectableFigure: null, showMore: note("more"), change: note("change"), reload: note("reload"), calls, ...words,
  };
}

const said = (words) => describeRows(board(words)).map((one) => (typeof one === "string" ? one : one.textContent)).join("|");
const SIZE = "2,016 questions about 672 clips.";

describe("what stands under a table", () => {
  test("describeRows counts rows and questions", () => {
    assert.equal(said({}), `1 row. ${SIZE}|`);
    assert.equal(said({ rows: Array(1200).fill(row("s1")) }), `1,200 rows. ${SIZE}|`);
  });

  test("describeRows offers more where more follow", () => {
    const state = board({ cursor: "next" });
    const [words, button] = describeRows(state);
    assert.equal(words, `1 row shown, more follow. ${SIZE}`);
    button.click();
    assert.deepEqual(state.calls.map(([name]) => name), ["more"]);
  });

  test("describeRows says how sure places are where they have ranges", () => {
    assert.match(said({ rows: [row("s1", 0.5, { rank_low: 1, rank_high: 2 })] }), /^1 row\. Rank ranges are 95 % confidence intervals \(10,000 random sign flips/);
  });

  test("describeRows explains a bracket where one is drawn", () => {
    assert.match(said({ place: make("div", {}, make("i", { class: "es-tie" })) }), /Bracketed models are statistically tied\./);
  });

  test("describeRows says where reported scores come from another judge", () => {
    const judged = (column) => ({ ...column, judged: true });
    const words = / Reported scores in Overall come from the papers' own judge, so compare them with care\./;
    assert.match(said({ columns: [judged(OVERALL), SCT] }), words);
    assert.doesNotMatch(said({ columns: [OVERALL, SCT] }), /judge/);
    assert.doesNotMatch(said({ columns: [judged(OVERALL)], rows: [row("s1", 0.5, { source: "submitted" })] }), /judge/);
    const both = { rows: [row("s1", 0.5, { scores: { [OVERALL.key]: { value: 0.5 }, [SCT.key]: { value: 0.4 } } })], columns: [OVERALL, SCT].map(judged) };
    assert.match(said(both), /in Overall and 1 other column come/);
  });

  test("describeRows names the smallest difference, of a figure that may be off the table", () => {
    assert.match(said({ detectable: 0.044, detectableFigure: SCT.key }), /Smallest detectable difference in Motion, SCT: 4\.4 points\./);
    assert.doesNotMatch(said({ detectable: 0.044, detectableFigure: "gone|figure" }), /difference/);
    assert.doesNotMatch(said({ detectableFigure: SCT.key }), /difference/);
  });

  test("describeRows says nothing of the size while another version is known, or another headline", () => {
    assert.equal(said({ known: benchmark("demo") }), "1 row.|");
    assert.equal(said({ headline: SCT.key }), "1 row.|");
    assert.equal(said({ known: undefined }), "1 row.|");
    assert.equal(said({ known: benchmark("1.0", { clips: null }) }), "1 row. 2,016 questions.|");
  });
});

describe("an empty table", () => {
  test("describeRows tells whether a pack is there to begin with", () => {
    const begin = "No submissions in this setting yet. ";
    assert.equal(said({ rows: [] }), `${begin}Download the question pack and be the first; checking a file needs no account.`);
    assert.equal(said({ rows: [], known: benchmark("1.0", { editions: true }) }), `${begin}Get test questions on the Submit tab and be the first; checking a file needs no account.`);
    assert.equal(said({ rows: [], known: benchmark("1.0", { open_version: "demo" }) }), "No scores were published for this setting. Submissions are open for demo.");
    assert.equal(said({ rows: [], known: benchmark("1.0", { open_version: null }) }), "No scores were published for this setting.");
    assert.equal(said({ rows: [], known: benchmark("demo") }), begin.trim());
  });

  for (const [change, words] of [[{ q: "x" }, "No row matches. "], [{ kind: "LALM" }, "No row matches. "], [{ source: ["verified"] }, "No row matches. "], [{ source: [] }, "No source is selected. "]]) {
    test(`describeRows under ${JSON.stringify(change)} offers to clear the filters`, () => {
      const state = board({ rows: [], state: { ...USUAL, ...change } });
      const [text, button] = describeRows(state);
      assert.equal(text, words);
      button.click();
      assert.deepEqual(state.calls, [["change", { q: "", source: USUAL.source, kind: "", weights: "", size: "", organisation: "" }]]);
    });
  }

  test("describeRows before the first answer says nothing of a pack that is not known", () => {
    assert.equal(said({ rows: undefined, known: undefined }), "No submissions in this setting yet.");
  });
});

describe("a version that takes no submissions", () => {
  /** @param {object} known @param {string} [first] */
  function shellOf(known, first = "1.0") {
    const shell = make("section", {}, make("a", { "data-place": "submit" }), make("p", { "data-place": "needs" }));
    showOpenness(shell, known, first);
    return { submit: shell.querySelector("a"), needs: shell.querySelector("p") };
  }

  test("showOpenness leads from a closed version to the open one, by both links", () => {
    const { submit, needs } = shellOf(benchmark("1.0", { open_version: "demo", needs: "Published scores only." }));
    assert.equal(needs.textContent, "Published scores only. Submit to Audio Motion demo");
    assert.equal(needs.querySelector("a").getAttribute("href"), "/?tab=submit&benchmark=amb&version=demo");
    assert.equal(submit.getAttribute("href"), "/?tab=submit&benchmark=amb&version=demo");
    assert.equal(submit.hidden, false);
  });

  test("showOpenness hides the button where no version is open", () => {
    const { submit, needs } = shellOf(benchmark("1.0", { open_version: null, needs: "Published scores only." }));
    assert.equal(submit.hidden, true);
    assert.equal(needs.textContent, "Published scores only.");
    assert.equal(needs.querySelector("a"), null);
  });

  test("showOpenness of an open version says which parts are closed, and links to itself", () => {
    const { submit, needs } = shellOf(benchmark("1.0", { needs: "Submissions are open for Perception." }));
    assert.equal(needs.textContent, "Submissions are open for Perception.");
    assert.equal(submit.getAttribute("href"), "/?tab=submit&benchmark=amb");
    assert.equal(shellOf(benchmark("demo", { note: "A note." })).needs.textContent, "A note.");
    assert.equal(shellOf(benchmark("demo")).submit.getAttribute("href"), "/?tab=submit&benchmark=amb&version=demo");
  });
});

describe("a board that cannot be loaded", () => {
  test("describeError of a silent server offers to try again", () => {
    const state = board({ rows: undefined });
    const [why, button] = describeError(state, new TypeError("Failed to fetch"));
    assert.equal(why.textContent, "Can't reach the server. Check your connection.");
    assert.equal(why.getAttribute("role"), "alert");
    button.click();
    assert.deepEqual(state.calls, [["reload"]]);
  });

  test("describeError says that it shows the last loaded rows", () => {
    assert.match(describeError(board(), new Refusal(503, "Busy.")).map((one) => one.textContent).join(), /^Busy\. Showing the last loaded rows\.,Try again$/);
  });

  test("describeError of a wrong view offers to reset it", () => {
    const state = board();
    const [, button] = describeError(state, new Refusal(400, "No such figure."));
    button.click();
    assert.deepEqual(state.calls, [["change", USUAL]]);
  });
});
