/**
 * Scripts while the server is away: they are asked for again until it answers.
 * This file stands in the page itself, because no other can be asked for then. It is no module, and works alone.
 */

window.earshot = (() => {
  const PAUSE_MS = 1000;
  // A server that is starting accepts a connection before it answers.
  const HEALTH_TIMEOUT_MS = 5000;
  // The server answers, and yet the script cannot be had: to ask again and again is of no use.
  const MAX_FAILURES = 3;
  let hasInput = false;

  const pause = () => new Promise((done) => setTimeout(done, PAUSE_MS));

  /** Whether the server answers; what stands in for it while it is away may answer too, but never with JSON. */
  async function isHealthy() {
    const options = { cache: /** @type {const} */ ("no-store"), signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) };
    const answer = await fetch("/healthz", options).catch(() => null);
    return Boolean(answer?.ok && answer.headers.get("Content-Type")?.includes("json"));
  }

  async function waitForServer() {
    do await pause();
    while (!(await isHealthy()));
  }

  /** @param {string} url  of a module @param {(url: string) => Promise<any>} [ask] */
  async function load(url, ask = (one) => import(one)) {
    for (let nFailures = 1; ; nFailures += 1) {
      try {
        return await ask(url);
      } catch (error) {
        if (nFailures === MAX_FAILURES) throw error;
        await waitForServer();
      }
    }
  }

  /** A part of Gradio failed to load, and Gradio never retries: reload the page, unless that loses input. */
  async function loadAnew() {
    await waitForServer();
    const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    if (!hasInput && visit?.type !== "reload") location.reload();
  }

  window.addEventListener("input", () => { hasInput = true; }, { capture: true });
  window.addEventListener("vite:preloadError", loadAnew);
  return { load, isHealthy, waitForServer };
})();
