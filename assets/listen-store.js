/** What is asked of the server, and what a browser remembers of a round: never what is right. */

const URL = "/api/v1/listening";
const UNFINISHED = "earshot-listen";
const HEARD = "earshot-listen-heard";
const MOST_HEARD = 3000;
const TIMEOUT_MS = 60000;
const AWAY = "The server did not answer. Check your connection and try again.";

/** @returns {Promise<object[]>}  what can be listened to */
export async function fetchOffers() {
  return (await send(URL, "GET")).benchmarks;
}

/**
 * @param {{benchmark: string, version: string, n: number, seed: number}} wish
 * @returns {Promise<object>}
 */
export function fetchRound({ benchmark, version, n, seed }) {
  return send(`${URL}/${encodeURIComponent(benchmark)}?${new URLSearchParams({ version, n, seed })}`, "GET");
}

/** @param {string} url @returns {Promise<ArrayBuffer>} */
export async function fetchSound(url) {
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) throw new Error(response ? `The sound could not be loaded (status ${response.status}).` : AWAY);
  return response.arrayBuffer();
}

/**
 * Send answers; what is right comes back.
 * @param {object} saved  a round with its answers
 * @param {boolean} consent
 */
export async function sendAnswers({ benchmark, version, n, seed, answers, seconds }, consent) {
  return send(`${URL}/${encodeURIComponent(benchmark)}/results`, "POST", { version, n, seed, answers, seconds, consent });
}

/** @param {{benchmark: string, version: string}} round @param {string} id */
export function withdraw({ benchmark, version }, id) {
  return send(`${URL}/${encodeURIComponent(benchmark)}/results/${encodeURIComponent(id)}?${new URLSearchParams({ version })}`, "DELETE");
}

async function send(url, method, body) {
  const headers = body ? { "Content-Type": "application/json" } : {};
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method, headers, signal, body: body && JSON.stringify(body) }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (!response?.ok || !answer) throw Object.assign(new Error(answer?.detail ?? AWAY), { status: response?.status });
  return answer;
}

/** @returns {object|null}  a round that was begun in this tab of the browser */
export function loadUnfinished() {
  const found = read(sessionStorage, UNFINISHED);
  return found && Array.isArray(found.questions) && found.answers ? found : null;
}

/** @param {object|null} saved  null where nothing is to be remembered any more */
export function saveUnfinished(saved) {
  write(sessionStorage, UNFINISHED, saved);
}

/** How many questions of a round were answered here before, and their answers seen. @param {object} round */
export function countHeard(round) {
  const heard = new Set(read(localStorage, HEARD) ?? []);
  return round.questions.filter((question) => heard.has(question.id)).length;
}

/** Remember that the answers to a round were seen here. @param {object} round */
export function rememberHeard(round) {
  const heard = new Set([...(read(localStorage, HEARD) ?? []), ...round.questions.map((question) => question.id)]);
  write(localStorage, HEARD, [...heard].slice(-MOST_HEARD));
}

function read(storage, name) {
  try {
    return JSON.parse(storage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

function write(storage, name, value) {
  try {
    if (value === null) storage.removeItem(name);
    else storage.setItem(name, JSON.stringify(value));
  } catch {
    // A browser that remembers nothing still plays.
  }
}
