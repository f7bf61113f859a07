/** Answers of the REST API. */

const TIMEOUT_MS = 15000;

/** What the server said instead of an answer; its `detail` is made for the reader. */
export class Refusal extends Error {
  constructor(status, detail) {
    super(detail || `The board could not be loaded (status ${status}).`);
    this.status = status;
  }
}

/**
 * @param {string} url
 * @returns {Promise<object>}  the body, with the entity tag as `etag`
 */
export async function fetchJson(url) {
  const response = await (takeEarly(url) ?? fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }));
  const body = await response.json().catch(() => null);
  if (!response.ok || !body) throw new Refusal(response.status, body?.detail);
  return { ...body, etag: response.headers.get("ETag") };
}

/** What the page asked for before any script of ours was here; it is used once. */
function takeEarly(url) {
  const answer = window.earshotAsked?.get(url);
  window.earshotAsked?.delete(url);
  return answer;
}
