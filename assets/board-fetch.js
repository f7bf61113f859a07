/** Requests to the REST API. */

const TIMEOUT_MS = 15000;

/** An error response of the server; its `detail` is written for the reader. */
export class Refusal extends Error {
  /** @param {number} status @param {string} [detail] */
  constructor(status, detail) {
    super(detail || `The board could not be loaded (status ${status}).`);
    this.status = status;
  }
}

/** Whether the server gave no response, so that a retry may succeed. @param {unknown} error  of `fetchJson` */
export function isCutOff(error) {
  return !(error instanceof Refusal);
}

/** Whether a proxy responded for an unavailable server; the server's own responses are JSON. @param {Response} answer */
export function isOfProxy(answer) {
  return [502, 503, 504].includes(answer.status) && !answer.headers.get("Content-Type")?.includes("json");
}

/**
 * @template Body
 * @param {string} url
 * @returns {Promise<Api.Json<Body>>}  the body, with the entity tag as `etag`
 * @throws {Refusal}  an error response of the server; any other error means that it did not respond
 */
export async function fetchJson(url) {
  const response = await (takeEarly(url) ?? fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }));
  const body = await response.json().catch(() => null);
  // A connection may break in the middle of a response.
  if (isOfProxy(response) || (response.ok && !body)) throw new Error("No answer of the server");
  if (!response.ok) throw new Refusal(response.status, body?.detail);
  return { ...body, etag: response.headers.get("ETag") };
}

/** A request that the page sent before its scripts were loaded; it is used once. @param {string} url */
function takeEarly(url) {
  const answer = window.earshotAsked?.get(url);
  window.earshotAsked?.delete(url);
  return answer;
}
