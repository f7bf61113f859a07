/** Answers of the REST API. */

const TIMEOUT_MS = 15000;

/** What the server said instead of an answer; its `detail` is made for the reader. */
export class Refusal extends Error {
  /** @param {number} status @param {string} [detail] */
  constructor(status, detail) {
    super(detail || `The board could not be loaded (status ${status}).`);
    this.status = status;
  }
}

/** Whether the server gave no answer, so that the same question may be answered later. @param {unknown} error  of `fetchJson` */
export function isCutOff(error) {
  return !(error instanceof Refusal);
}

/** Whether a proxy answered for a server that is away; answers of the server are JSON. @param {Response} answer */
export function isOfProxy(answer) {
  return [502, 503, 504].includes(answer.status) && !answer.headers.get("Content-Type")?.includes("json");
}

/**
 * @template Body
 * @param {string} url
 * @returns {Promise<Api.Json<Body>>}  the body, with the entity tag as `etag`
 * @throws {Refusal}  what the server said instead; any other error means that it did not answer
 */
export async function fetchJson(url) {
  const response = await (takeEarly(url) ?? fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }));
  const body = await response.json().catch(() => null);
  // A connection may break inside an answer.
  if (isOfProxy(response) || (response.ok && !body)) throw new Error("No answer of the server");
  if (!response.ok) throw new Refusal(response.status, body?.detail);
  return { ...body, etag: response.headers.get("ETag") };
}

/** What the page asked for before any script of ours was here; it is used once. @param {string} url */
function takeEarly(url) {
  const answer = window.earshotAsked?.get(url);
  window.earshotAsked?.delete(url);
  return answer;
}
