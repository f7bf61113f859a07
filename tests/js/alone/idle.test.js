import { page } from "../dom.js";

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

let waiting;

/** Let the browser draw one frame. */
function drawFrame() {
  const due = waiting;
  waiting = [];
  for (const callback of due) callback(0);
}

/** Ask for a frame again in every frame, as Gradio's loading screen does, and count them. */
function readClock() {
  const frames = { count: 0 };
  const ask = () => page.requestAnimationFrame(() => {
    frames.time = performance.now();
    frames.count += 1;
    ask();
  });
  ask();
  return frames;
}

/** Ask for a frame again in every frame for another reason. */
function repeat() {
  const frames = { count: 0 };
  const ask = () => page.requestAnimationFrame(() => {
    frames.count += 1;
    ask();
  });
  ask();
  return frames;
}

function finishLoading() {
  page.document.getElementById("es-first").remove();
}

beforeEach(async () => {
  waiting = [];
  page.document.body.innerHTML = '<section id="es-first"></section>';
  page.requestAnimationFrame = (callback) => waiting.push(callback);
  await import(`../../../assets/idle.js?${Math.random()}`);
});

describe("frames", () => {
  test("of the loading screen end with it", () => {
    const frames = readClock();
    for (let n = 0; n < 3; n += 1) drawFrame();
    assert.equal(frames.count, 3);
    finishLoading();
    for (let n = 0; n < 3; n += 1) drawFrame();
    assert.deepEqual([frames.count, waiting.length], [3, 0]);
  });

  test("of everything else go on", () => {
    const frames = repeat();
    finishLoading();
    const later = readClock();
    for (let n = 0; n < 3; n += 1) drawFrame();
    assert.deepEqual([frames.count, later.count], [3, 3]);
  });
});
