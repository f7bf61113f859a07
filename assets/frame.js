/**
 * The page inside another site's frame: the Hub's address bar follows ours, and links open in the right place.
 * This file stands in the page itself, before Gradio's scripts. It is no module, and works alone.
 */

(() => {
  const HUB = "https://huggingface.co";
  const STATUS = `${HUB}/api/spaces/by-subdomain/`;

  /** The Hub's answer for a Space that runs, which this one does: the page came from it. @param {string} url */
  const describeSpace = (url) => Response.json({ id: url.slice(STATUS.length), runtime: { stage: "RUNNING" } });

  // At the address of a Space, Gradio's client asks the Hub for its status. The page's policy allows no other host.
  const send = window.fetch.bind(window);
  window.fetch = async (request, options) => {
    const url = request instanceof Request ? request.url : String(request);
    return url.startsWith(STATUS) ? describeSpace(url) : send(request, options);
  };

  if (window.parent === window) return;

  // Links that leave the page open in a new tab: other sites may refuse to be framed, and files would replace the page.
  window.addEventListener("click", (event) => {
    /** @type {HTMLAnchorElement|null} */
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!link || link.hasAttribute("download") || !link.protocol.startsWith("http")) return;
    if (link.origin === location.origin && link.pathname === location.pathname) return;
    link.target = "_blank";
    link.relList.add("noopener");
  }, { capture: true });

  // Where the browser does not say who frames the page, it delivers the message to the Hub alone.
  if (location.ancestorOrigins && location.ancestorOrigins[0] !== HUB) return;
  let sent = location.search + location.hash;
  const tellParent = () => {
    if (sent === location.search + location.hash) return;
    sent = location.search + location.hash;
    // The Hub chooses the colours of the frame, and says so by a parameter of its own.
    const query = location.search.replace(/(?<=[?&])__theme=[^&]*&?/, "").replace(/[?&]$/, "");
    window.parent.postMessage({ queryString: query, hash: location.hash }, HUB);
  };
  for (const name of /** @type {const} */ (["pushState", "replaceState"])) {
    const change = history[name].bind(history);
    history[name] = (...words) => {
      change(...words);
      tellParent();
    };
  }
  window.addEventListener("popstate", tellParent);
  window.addEventListener("hashchange", tellParent);
})();
