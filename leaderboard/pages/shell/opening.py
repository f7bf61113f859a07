"""First view of the page, before Gradio has loaded: our masthead, and content that needs only our own scripts.

Gradio adds `head` by script, after half of its own scripts have run, and describes itself in link previews. Its HTML is
therefore completed on its way out, with our styles and scripts and our own preview texts.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from leaderboard.assets import ASSETS_DIR
from leaderboard.boards.board_options import describe_board_options
from leaderboard.http.origin import USUAL_ORIGIN
from leaderboard.pages.shell.manifest import THEME_COLOR
from leaderboard.pages.shell.masthead import SUMMARY
from leaderboard.rendering.templating import Markup, render_macro

TITLE = "Earshot"
_TEMPLATE = "pages/shell/opening.html"
_CARD = "social-card.png"
_FIRST_TAB = "overview"
_ANSWERS_WITHIN_MS = 15_000
_GRADIO_WAITS_MS = 1_500
# Gradio has loaded: a tab of its own replaces the loading text.
UNCOVER_LOADED = """() => {
  const { dataset } = document.documentElement;
  if (dataset.first === "loading") delete dataset.first;
  return [];
}"""
# Even if a tab's script fails, Gradio's page must not stay covered by the first view.
UNCOVER = "() => { delete document.documentElement.dataset.first; }"
_OWN_WORDS = re.compile(r'\s*<meta\s+(?:property|name)="(?:og|twitter):[^>]*>')
_OWN_STYLES = re.compile(r'(<link rel="stylesheet" crossorigin)(?= href="\./assets/)')
# Fetched immediately, started by us.
_LATER = r'<link rel="modulepreload" crossorigin href="\1"><script>window.earshotGradio = "\1";</script>'
# It stays in place, before the styles of Gradio's components, which override its own.
_USE_STYLES = '<script>for (const one of document.querySelectorAll("[data-later]")) one.media = "all";</script>'
_OWN_SCRIPT = re.compile(r'<script type="module" crossorigin src="(\./assets/[\w.-]+)"></script>')
# Most of the page's bytes. After our opening, so that slow connections show that first.
_LAYOUT = re.compile(r"(<script>window\.gradio_config = )(.*?)(;</script>)", re.DOTALL)
# Descriptions of each component's values for API clients, which the page does not read: a fifth of the layout.
_UNREAD = ("api_info", "api_info_as_input", "api_info_as_output", "example_inputs", "skip_api")
_INLINE_SCRIPT = re.compile(r"<script([^>]*)>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_HEAD_AT = '<base href="./" />'
_BODY_AT = "<gradio-app"
_LOADING = f"<script>{(ASSETS_DIR / 'loading.js').read_text('utf-8')}</script>"
_IDLE = f"<script>{(ASSETS_DIR / 'idle.js').read_text('utf-8')}</script>"
_FRAME = f"<script>{(ASSETS_DIR / 'frame.js').read_text('utf-8')}</script>"
_FIX_LAYOUT = f"<script>{(ASSETS_DIR / 'fixed-layout.js').read_text('utf-8')}</script>"
# Before the first paint: the preferred colours, now and after changes, and the tab of the address, if it is one that
# needs no Gradio. API requests of that tab are sent at once, while the scripts that draw it are still loading.
_DECIDE = """<script>(() => {
  const views = %s;
  const root = document.documentElement;
  const words = new URLSearchParams(location.search);
  const theme = words.get("__theme");
  const wish = matchMedia("(prefers-color-scheme: dark)");
  const paint = () => root.classList.toggle("dark", theme ? theme === "dark" : wish.matches);
  wish.addEventListener("change", paint);
  paint();
  const tab = words.get("tab") || "%s";
  const isKnown = Object.hasOwn(views, tab);
  root.dataset.first = isKnown ? tab : "loading";
  if (!isKnown) return;
  const { scripts, asked } = views[tab];
  window.earshotFirst = scripts[0];
  // Any other word may be about what is shown.
  const isUsual = [...words.keys()].every((name) => ["tab", "__theme"].includes(name));
  window.earshotAsked = new Map();
  for (const url of isUsual ? asked : []) {
    const answer = fetch(url, { signal: AbortSignal.timeout(%d) });
    // Whoever draws it is told of a failure; before that it is nobody's error.
    answer.catch(() => null);
    window.earshotAsked.set(url, answer);
  }
  for (const href of scripts) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  }
})();</script>"""
# As soon as its placeholder exists. Gradio occupies the browser for a second or more while it loads, so it starts once
# the first rows are drawn; at the latest after a timeout. It never starts before its placeholder exists: an element
# created after its class was defined does not receive its attributes, and Gradio would assume that it is embedded in
# another site.
_BEGIN = """<script>(() => {
  const tab = document.documentElement.dataset.first;
  const parsed = new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));
  // Before Gradio's first event: one that fails unkept makes it reload the page when the server is back.
  const kept = earshot.load("%s/reconnect.js").then((page) => page.keepEvents()).catch(() => null);
  const startGradio = () => Promise.all([parsed, kept]).then(() => {
    if (window.earshotGradio) earshot.load(window.earshotGradio);
  });
  if (!window.earshotFirst) return void startGradio();
  const draw = async () => {
    const place = document.getElementById("es-first-view");
    document.querySelector(`#es-first nav [href="/?tab=${tab}"]`).setAttribute("aria-current", "page");
    place.replaceChildren(document.getElementById(`es-first-${tab}`).content.cloneNode(true));
    const view = await import(window.earshotFirst);
    await view.begin(place);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  };
  // Whatever goes wrong with the view, Gradio comes up.
  Promise.race([draw().catch(() => null), new Promise((done) => setTimeout(done, %d))]).then(startGradio);
})();</script>"""


@dataclass(frozen=True, slots=True)
class FirstView:
    """A tab that can be drawn before Gradio has loaded.

    Attributes:
        shell: Its immediate content.
        scripts: Modules that draw it, first the one whose `begin` starts it; it imports the others.
        asked: API addresses, exactly as these modules request them without a selection.
    """

    shell: Markup
    scripts: tuple[str, ...]
    asked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """Additions to Gradio's HTML.

    Attributes:
        head: Added to its head.
        body: Added before its app.
        static: Address of our static files.
        options: Script element with the options of all boards; part of the body.
    """

    head: Markup
    body: Markup
    static: str
    options: Markup


def render_opening(
    static: str, styles: str, masthead: Markup, tabs: Iterable[tuple[str, str]], views: Mapping[str, FirstView]
) -> Opening:
    """Return the opening of a page.

    Args:
        static: Address of our static files.
        styles: Included in the page itself, because nothing can be drawn before them.
        masthead: The masthead.
        tabs: Id and title of each tab, in order.
        views: Tab id → its content before Gradio has loaded.
    """
    known = {
        name: {"scripts": [f"{static}/{script}" for script in view.scripts], "asked": view.asked}
        for name, view in views.items()
    }
    decide = _DECIDE % (json.dumps(known), _FIRST_TAB, _ANSWERS_WITHIN_MS)
    begin = _BEGIN % (static, _GRADIO_WAITS_MS)
    options = _render_options()
    scripts = Markup("\n".join((_LOADING, _IDLE, _FRAME, decide)))
    head = render_macro(_TEMPLATE, "head", static, TITLE, SUMMARY, THEME_COLOR, Markup(styles), scripts)
    body = render_macro(_TEMPLATE, "body", masthead, tabs, views.items(), options, Markup(begin + _USE_STYLES))
    return Opening(head, body, static, options)


def _render_options() -> Markup:
    """Return the data of `assets/board-format.js`, available before any script requests it."""
    return render_macro(_TEMPLATE, "options", Markup(_write_json(describe_board_options())))


def _write_json(value: object) -> str:
    """Return JSON for a script element, which only a tag could end."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def complete(html: str, opening: Opening, origin: str) -> str:
    """Return Gradio's HTML with an opening, and with the visitor's address in its texts.

    If the HTML is not the known one, it gets no opening, but what boards need to be drawn.
    """
    html = html.replace(USUAL_ORIGIN, origin or USUAL_ORIGIN)
    if _HEAD_AT not in html or _BODY_AT not in html:
        return html.replace("</head>", f"{opening.options}</head>", 1)
    # Style sheets in the head block the first paint; what precedes Gradio does not need its styles.
    said = _OWN_STYLES.sub(r"\1 media='print' data-later", _OWN_WORDS.sub("", html))
    said = _OWN_SCRIPT.sub(_LATER, said, count=1)
    layout = "".join(f"{start}{_shorten(text)}{end}" for start, text, end in _LAYOUT.findall(said)) + _FIX_LAYOUT
    said = _LAYOUT.sub("", said)
    head = f"{_HEAD_AT}\n{opening.head}\n{_render_previews(opening.static, origin)}"
    return said.replace(_HEAD_AT, head, 1).replace(_BODY_AT, f"{opening.body}{layout}{_BODY_AT}", 1)


def list_inline_scripts(html: str) -> list[str]:
    """Return the inline scripts of the page, which is the same for all visitors, without data."""
    found = _INLINE_SCRIPT.findall(html)
    return [text for attributes, text in found if text and 'type="application/json"' not in attributes]


def _shorten(layout: str) -> str:
    """Return Gradio's layout without what the page does not read; unchanged if it is not the known one."""
    try:
        known = json.loads(layout)
        for component in known["components"]:
            for name in _UNREAD:
                component.pop(name, None)
    except (ValueError, LookupError, TypeError, AttributeError):
        return layout
    return _write_json(known)


def _render_previews(static: str, origin: str) -> Markup:
    """Return the metadata of link previews."""
    properties = {
        "og:type": "website",
        "og:title": TITLE,
        "og:description": SUMMARY,
        "og:url": f"{origin}/",
        "og:image": f"{origin}{static}/{_CARD}",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": "Earshot: the best audio models between chance and humans",
    }
    return render_macro(_TEMPLATE, "previews", properties.items())
