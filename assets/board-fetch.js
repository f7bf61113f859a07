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

/**
 * @template Body
 * @param {string} url
 * @returns {Promise<Api.Json<Body>>}  the body, with the entity tag as `etag`
 */
export async function fetchJson(url) {
  const response = await (takeEarly(url) ?? fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }));
  const body = await response.json().catch(() => null);
  if (!response.ok || !body) throw new Refusal(response.status, body?.detail);
  return { ...body, etag: response.headers.get("ETag") };
}

/** What the page asked for before any script of ours was here; it is used once. @param {string} url */
function takeEarly(url) {
  const answer = window.earshotAsked?.get(url);
  window.earshotAsked?.delete(url);
  return answer;
}
