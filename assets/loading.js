/**
 * Retries scripts until the server responds.
 * This file is inlined in the page, because no other script can be loaded then. It is not a module, and has no
 * dependencies.
 */

window.earshot = (() => {
  const PAUSE_MS = 1000;
  // A starting server accepts connections before it responds.
  const HEALTH_TIMEOUT_MS = 5000;
  // The server responds, but the script is unavailable: further retries are useless.
  const MAX_FAILURES = 3;
  let hasInput = false;

  const pause = () => new Promise((done) => setTimeout(done, PAUSE_MS));

  /** Whether the server responds; a proxy may respond for it while it is down, but never with JSON. */
  async function isHealthy() {
    const options = { cache: /** @type {const} */ ("no-store"), signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) };
    const answer = await fetch("/healthz", options).catch(() => null);
    return Boolean(answer?.ok && answer.headers.get("Content-Type")?.includes("json"));
  }

  async function waitForServer() {
    do await pause();
    while (!(await isHealthy()));
  }

  /** @param {string} url  URL of a module @param {(url: string) => Promise<any>} [ask] */
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
