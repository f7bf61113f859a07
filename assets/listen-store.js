/** Requests of the Listen tab, and the round stored in the browser, without right answers. */

/** @typedef {Error & {status?: number}} Failure  has a status if the server responded */

const URL = "/api/v1/listening";
const UNFINISHED = "earshot-listen";
const HEARD = "earshot-listen-heard";
const MAX_HEARD = 3000;
const TIMEOUT_MS = 60000;
const AWAY = "Can't reach the server. Check your connection and try again.";

/** @returns {Promise<Listening.Offer[]>}  available questions */
export async function fetchOffers() {
  return (await send(URL, "GET")).benchmarks;
}

/**
 * @param {Listening.Named} wish
 * @returns {Promise<Listening.Round>}
 */
export function fetchRound({ benchmark, version, n, seed }) {
  return send(`${URL}/${encodeURIComponent(benchmark)}?${new URLSearchParams({ version, n: String(n), seed: String(seed) })}`, "GET");
}

/** @param {string} url @returns {Promise<ArrayBuffer>} */
export async function fetchSound(url) {
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) throw new Error(response ? `The audio could not be loaded (status ${response.status}).` : AWAY);
  return response.arrayBuffer();
}

/**
 * Send answers and return the evaluation.
 * @param {Listening.SavedRound} saved
 * @param {boolean} consent
 * @returns {Promise<Listening.Marked>}
 */
export async function sendAnswers({ benchmark, version, n, seed, answers, seconds }, consent) {
  return send(`${URL}/${encodeURIComponent(benchmark)}/results`, "POST", { version, n, seed, answers, seconds, consent });
}

/** @param {{benchmark: string, version: string}} round @param {string} id */
export function withdraw({ benchmark, version }, id) {
  return send(`${URL}/${encodeURIComponent(benchmark)}/results/${encodeURIComponent(id)}?${new URLSearchParams({ version })}`, "DELETE");
}

/** @param {string} url @param {string} method @param {object} [body] @returns {Promise<any>} typed by the caller */
async function send(url, method, body) {
  /** @type {Record<string, string>} */
  const headers = body ? { "Content-Type": "application/json" } : {};
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method, headers, signal, body: body && JSON.stringify(body) }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (!response?.ok || !answer) throw Object.assign(new Error(answer?.detail ?? AWAY), { status: response?.status });
  return answer;
}

/** @returns {Listening.SavedRound|null}  a round that was started in this browser tab */
export function loadUnfinished() {
  const found = read(sessionStorage, UNFINISHED);
  return found && Array.isArray(found.questions) && found.answers ? found : null;
}

/** @param {Listening.SavedRound|null} saved  null to delete the stored round */
export function saveUnfinished(saved) {
  write(sessionStorage, UNFINISHED, saved);
}

/** The number of questions in a round whose answers were shown in this browser before. @param {Listening.Round} round */
export function countHeard(round) {
  const heard = new Set(read(localStorage, HEARD) ?? []);
  return round.questions.filter((question) => heard.has(question.id)).length;
}

/** Remember that the answers to a round were shown here. @param {Listening.Round} round */
export function rememberHeard(round) {
  const heard = new Set([...(read(localStorage, HEARD) ?? []), ...round.questions.map((question) => question.id)]);
  write(localStorage, HEARD, [...heard].slice(-MAX_HEARD));
}

/** @param {Storage} storage @param {string} name */
function read(storage, name) {
  try {
    return JSON.parse(storage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** @param {Storage} storage @param {string} name @param {unknown} value */
function write(storage, name, value) {
  try {
    if (value === null) storage.removeItem(name);
    else storage.setItem(name, JSON.stringify(value));
  } catch {
    // The round works without storage too.
  }
}
