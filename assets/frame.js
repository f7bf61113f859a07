/**
 * The page inside another site's frame: syncs the Hub's address bar, and opens links in the right place.
 * This file is inlined in the page before Gradio's scripts. It is not a module, and has no dependencies.
 */

(() => {
  const HUB = "https://huggingface.co";
  const STATUS = `${HUB}/api/spaces/by-subdomain/`;

  /** The Hub's response for a running Space, which this one must be: it served the page. @param {string} url */
  const describeSpace = (url) => Response.json({ id: url.slice(STATUS.length), runtime: { stage: "RUNNING" } });

  // At a Space's address, Gradio's client requests its status from the Hub. The page's policy allows no other host.
  const send = window.fetch.bind(window);
  window.fetch = async (request, options) => {
    const url = request instanceof Request ? request.url : String(request);
    return url.startsWith(STATUS) ? describeSpace(url) : send(request, options);
  };

  if (window.parent === window) return;

  // Open external links in a new tab: other sites may refuse framing, and files would replace the page.
  window.addEventListener("click", (event) => {
    /** @type {HTMLAnchorElement|null} */
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!link || link.hasAttribute("download") || !link.protocol.startsWith("http")) return;
    if (link.origin === location.origin && link.pathname === location.pathname) return;
    link.target = "_blank";
    link.relList.add("noopener");
  }, { capture: true });

  // If the browser does not reveal the embedding site, it delivers the message to the Hub only.
  if (location.ancestorOrigins && location.ancestorOrigins[0] !== HUB) return;
  let sent = location.search + location.hash;
  const tellParent = () => {
    if (sent === location.search + location.hash) return;
    sent = location.search + location.hash;
    // The Hub chooses the colour scheme of the frame, and passes it in its own parameter.
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
