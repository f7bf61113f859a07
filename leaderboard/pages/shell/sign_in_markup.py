"""Sign-in markup of the header, the Submit tab and the Account tab. Pure."""

from urllib.parse import urlsplit

from db.records import UserRecord
from leaderboard.assets import import_script
from leaderboard.html_elements import Markup, element
from settings import Settings

SIGN_IN_SCRIPT = (
    f'{import_script("page.js")}.then((page) => {{ page.watchSignIn(element, () => trigger("submit")); '
    "page.keepKeysOut(); });"
)
_KNOWN_PROVIDERS = {"huggingface.co": "Hugging Face"}


def render_account(user: UserRecord | None, settings: Settings) -> Markup:
    """Return who is signed in, or how to sign in, for the Submit tab."""
    if user is not None:
        return element("p", "Signed in as ", element("b", user.name), class_="es-account", data_testid="signed-in-as")
    if settings.uses_provider:
        return render_sign_in(settings, "Sign in to submit predictions and to follow your submissions.", "submit")
    if settings.auth != "local":
        return element(
            "p",
            "To submit, ask a maintainer for a token and use the command line or the API (see About).",
            class_="es-quiet",
            data_without_forms="",
        )
    return _render_name_form()


def render_account_place(settings: Settings) -> Markup:
    """Return the place of `render_account` while nobody knows who asks: as large as most visitors will find it."""
    return element("div", render_account(None, settings), class_="es-kept-free", inert="")


def render_sign_in(settings: Settings, purpose: str, tab: str) -> Markup:
    """Return what sign-in is for, and the button. A script adds the address that is open and, in a frame, a new tab.

    Args:
        settings: With an OpenID provider.
        purpose: What sign-in is for.
        tab: Where visitors come back to without the script.
    """
    provider = name_provider(settings)
    asked = "your user name and your organisations" if settings.maintainer_org else "your user name"
    note = f"Earshot asks {provider} for {asked}. Reading boards and checking files needs no account."
    href = f"{settings.public_url}/auth/login?next=/%3Ftab%3D{tab}"
    button = element(
        "a", f"Sign in with {provider}", class_="es-button", href=href, data_sign_in="", data_testid="sign-in"
    )
    parts = (element("p", purpose), element("p", button), element("p", note, class_="es-quiet"))
    # The style sheet shows the Submit tab once its forms are there, or at once without them.
    return element("div", *parts, class_="es-account", data_without_forms="")


def render_who(user: UserRecord | None, settings: Settings) -> Markup:
    """Return whose account it is, or what to do to have one, for the Account tab."""
    if user is not None:
        return element("p", "Signed in as ", element("b", user.name), ".", data_testid="account-name")
    if settings.uses_provider:
        return render_sign_in(settings, "Sign in to create tokens and to see where you are signed in.", "account")
    link = element("a", "Sign in on the Submit tab", href="/?tab=submit", data_visit="")
    return element("p", link, " to see your account.", class_="es-quiet")


def render_header_account(user: UserRecord | None) -> Markup:
    """Return who is signed in, with a way to sign out; nothing for a visitor."""
    if user is None:
        return Markup("")
    name = element("span", user.name, title=f"Signed in as {user.name}", data_testid="header-user")
    button = element("button", "Sign out", class_="es-button", type="submit", data_testid="sign-out")
    return element("form", name, button, class_="es-sign-in es-who", method="post", action="/auth/sign-out")


def name_provider(settings: Settings) -> str:
    """Return what people call the provider: its host unless it is well known."""
    host = urlsplit(settings.oidc_issuer or "").hostname or ""
    return _KNOWN_PROVIDERS.get(host, host)


def _render_name_form() -> Markup:
    label = element("label", "User name", for_="sign-in-name")
    name = Markup(
        '<input id="sign-in-name" class="es-field" name="name" required maxlength="39" autocomplete="username"'
        ' pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*" title="Letters, digits, dots, hyphens, underscores"'
        ' data-testid="sign-in-name">'
    )
    button = element("button", "Sign in", class_="es-button", type="submit", data_testid="sign-in")
    alert = element("span", "", class_="es-error", role="alert")
    note = element(
        "p",
        "Local mode: no password needed, because this server accepts connections from this machine only.",
        class_="es-quiet",
    )
    form = element("form", label, name, button, alert, class_="es-sign-in", method="post", action="/auth/local")
    return element("div", form, note)
