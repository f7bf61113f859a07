"""Violations of the Content Security Policy in a browser page, of Trusted Types too, frames included."""

from playwright.sync_api import ConsoleMessage, Page

_SIGN = "policy violation: "
_LISTEN = """document.addEventListener("securitypolicyviolation", (event) => {
  const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event;
  console.error(`%s${effectiveDirective} ${blockedURI} at ${sourceFile}:${lineNumber} ${sample}`);
});"""


def note_violations(page: Page, errors: list[str]) -> None:
    """Append every violation in a page, which has not been opened yet, to a list."""

    def note(message: ConsoleMessage) -> None:
        if message.text.startswith(_SIGN):
            errors.append(message.text)

    page.add_init_script(_LISTEN % _SIGN)
    page.on("console", note)
