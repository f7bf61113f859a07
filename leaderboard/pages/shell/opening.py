"""First view of the page, before Gradio has loaded: our own head, and content that needs only our own scripts.

Gradio adds `head` by script, after half its own scripts have run, and describes itself to those who make previews of
links. So its HTML is completed on its way out: styles and scripts of ours stand in it, and the words for previews are
ours.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from leaderboard.assets import ASSETS_DIR
from leaderboard.boards.board_options import describe_board_options
from leaderboard.http.origin import USUAL_ORIGIN
from leaderboard.pages.shell.manifest import THEME_COLOR
from leaderboard.templating import Markup, render_macro

TITLE = "Earshot"
SUMMARY = (
    "The open leaderboard for audio reasoning. How well do models hear motion, time, space and their own mistakes?"
)
_TEMPLATE = "pages/shell/opening.html"
_CARD = "social-card.png"
_FIRST_TAB = "overview"
_ANSWERS_WITHIN_MS = 15_000
_GRADIO_WAITS_MS = 1_500
# Gradio has come up: a tab of its own takes the place of the words that it is loading.
UNCOVER_LOADED = """() => {
  const { dataset } = document.documentElement;
  if (dataset.first === "loading") delete dataset.first;
  return [];
}"""
# Whatever happens to the script of a tab, Gradio's page must not stay covered by what stood in for it.
UNCOVER = "() => { delete document.documentElement.dataset.first; }"
_OWN_WORDS = re.compile(r'\s*<meta\s+(?:property|name)="(?:og|twitter):[^>]*>')
_OWN_STYLES = re.compile(r'(<link rel="stylesheet" crossorigin)(?= href="\./assets/)')
# Fetched at once, begun by us.
_LATER = r'<link rel="modulepreload" crossorigin href="\1"><script>window.earshotGradio = "\1";</script>'
# It stays where it stood, before those of Gradio's components, whose rules go before its own.
_USE_STYLES = '<script>for (const one of document.querySelectorAll("[data-later]")) one.media = "all";</script>'
_OWN_SCRIPT = re.compile(r'<script type="module" crossorigin src="(\./assets/[\w.-]+)"></script>')
# Most of the page's bytes. Behind our opening, so that a slow connection shows that first.
_LAYOUT = re.compile(r"<script>window\.gradio_config = .*?</script>", re.DOTALL)
_HEAD_AT = '<base href="./" />'
_BODY_AT = "<gradio-app"
_LOADING = f"<script>{(ASSETS_DIR / 'loading.js').read_text('utf-8')}</script>"
_IDLE = f"<script>{(ASSETS_DIR / 'idle.js').read_text('utf-8')}</script>"
_FRAME = f"<script>{(ASSETS_DIR / 'frame.js').read_text('utf-8')}</script>"
# Before anything is drawn: which colours the visitor wants, now and when he changes his mind, and which tab the address
# is about, if it is one of those that need no Gradio. What will be asked for is asked for at once, while the scripts
# that draw it are still on their way.
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
# As soon as its place is there. Gradio keeps the browser busy for a second or more while it comes up, so it begins when
# the first rows are drawn; at the latest after a time in which they should have been. It never begins before its place
# is there: an element that is made when its class is known already is not told its attributes, and Gradio would take
# itself for a part of somebody else's page.
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
    """A tab that can be drawn before Gradio has come up.

    Attributes:
        shell: What stands on it at once.
        scripts: Names of the modules that draw it, first the one whose `begin` does so; it imports the others.
        asked: Addresses of the API, exactly as these modules ask for them where nothing was chosen.
    """

    shell: Markup
    scripts: tuple[str, ...]
    asked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """What is put into Gradio's HTML.

    Attributes:
        head: Into its head.
        body: Before its app.
        static: Where our own files are.
        options: What scripts need of all boards, as JSON; it is part of the body.
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
        static: Where our own files are.
        styles: They stand in the page itself: nothing is drawn before they are there.
        masthead: What stands at the head of the page.
        tabs: Id and title of each tab, in order.
        views: Tab id → what can be drawn of it before Gradio has come up.
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
    """Return what `assets/board-format.js` reads, before any script asks for it."""
    # Within a script only a tag could end it.
    data = json.dumps(describe_board_options(), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return render_macro(_TEMPLATE, "options", Markup(data))


def complete(html: str, opening: Opening, origin: str) -> str:
    """Return Gradio's HTML with an opening, and with the visitor's address in its texts.

    Where it is not the HTML that we know, it has no opening, but what boards cannot be drawn without.
    """
    html = html.replace(USUAL_ORIGIN, origin or USUAL_ORIGIN)
    if _HEAD_AT not in html or _BODY_AT not in html:
        return html.replace("</head>", f"{opening.options}</head>", 1)
    # A style sheet in the head is waited for before anything is drawn; what stands before Gradio does not need its.
    said = _OWN_STYLES.sub(r"\1 media='print' data-later", _OWN_WORDS.sub("", html))
    said = _OWN_SCRIPT.sub(_LATER, said, count=1)
    layout = "".join(_LAYOUT.findall(said))
    said = _LAYOUT.sub("", said)
    head = f"{_HEAD_AT}\n{opening.head}\n{_render_previews(opening.static, origin)}"
    return said.replace(_HEAD_AT, head, 1).replace(_BODY_AT, f"{opening.body}{layout}{_BODY_AT}", 1)


def _render_previews(static: str, origin: str) -> Markup:
    """Return what previews of links show."""
    properties = {
        "og:type": "website",
        "og:title": TITLE,
        "og:description": SUMMARY,
        "og:url": f"{origin}/",
        "og:image": f"{origin}{static}/{_CARD}",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": "Earshot: the best audio models between chance and people",
    }
    return render_macro(_TEMPLATE, "previews", properties.items())
