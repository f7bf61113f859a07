/** A server for the scripts: `fetch` that answers from a test. */

/** @param {unknown} body */
export function reply(body, { status = 200, etag = '"1"' } = {}) {
  return new Response(body === undefined || status === 304 ? null : JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ETag: etag } });
}

/** What a proxy answers for a server that is away. */
export function replyOfProxy(status = 502) {
  return new Response("<html>Bad gateway</html>", { status, headers: { "Content-Type": "text/html" } });
}

/** A refusal of the server itself. */
export function refuse(status, detail) {
  return new Response(JSON.stringify({ detail }), { status, headers: { "Content-Type": "application/problem+json" } });
}

/**
 * Answer what the scripts ask from now on.
 * @param {(url: URL, options: RequestInit) => unknown} answer  a body, a `Response`, an error to throw, or a promise of one
 * @returns {{url: URL, options: RequestInit}[]}  what was asked, in order
 */
export function serve(answer) {
  const asked = [];
  globalThis.fetch = async (address, options = {}) => {
    const url = new URL(address, "http://earshot.test");
    asked.push({ url, options });
    const found = await answer(url, options);
    if (found instanceof Error) throw found;
    return found instanceof Response ? found : reply(found);
  };
  return asked;
}

/** A promise with the function that settles it. */
export function hold() {
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  return { held, release };
}
