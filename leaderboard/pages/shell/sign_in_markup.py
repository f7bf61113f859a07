"""Sign-in markup of the header, the Submit tab and the Account tab. Pure."""

from urllib.parse import urlsplit

from db.records import UserRecord
from leaderboard.assets import import_script
from leaderboard.rendering.templating import Markup, render_macro
from settings import Settings

_TEMPLATE = "pages/shell/sign_in.html"
SIGN_IN_SCRIPT = (
    f'{import_script("page.js")}.then((page) => {{ page.watchSignIn(element, () => trigger("submit")); '
    "page.keepKeysOut(); });"
)
_KNOWN_PROVIDERS = {"huggingface.co": "Hugging Face"}


def render_account(user: UserRecord | None, settings: Settings) -> Markup:
    """Return the current user, or how to sign in, for the Submit tab."""
    if user is not None:
        return render_signed_in(user, "signed-in-as")
    if settings.uses_provider:
        return render_sign_in(settings, "Sign in to submit predictions and to follow your submissions.", "submit")
    return render_macro(_TEMPLATE, "name_form" if settings.auth == "local" else "ask_for_token")


def render_account_place(settings: Settings) -> Markup:
    """Return the placeholder of `render_account` until the user is known: as large as for most visitors."""
    return render_macro(_TEMPLATE, "account_place", render_account(None, settings))


def render_sign_in(settings: Settings, purpose: str, tab: str) -> Markup:
    """Return the purpose of signing in, and the button. A script adds the current address and, in a frame, a new tab.

    Args:
        settings: With an OpenID provider.
        purpose: What sign-in is for.
        tab: Tab that visitors return to without the script.
    """
    address = f"{settings.public_url}/auth/login?next=/%3Ftab%3D{tab}"
    asks_for_organisations = bool(settings.maintainer_org)
    return render_macro(_TEMPLATE, "provider_form", purpose, name_provider(settings), address, asks_for_organisations)


def render_who(user: UserRecord | None, settings: Settings) -> Markup:
    """Return the current user, or how to sign in, for the Account tab."""
    if user is not None:
        return render_signed_in(user, "account-name")
    if settings.uses_provider:
        return render_sign_in(settings, "Sign in to create tokens and to see where you are signed in.", "account")
    return render_macro(_TEMPLATE, "elsewhere")


def render_signed_in(user: UserRecord, testid: str, role: str = "") -> Markup:
    """Return who is signed in; `role` precedes the name."""
    return render_macro(_TEMPLATE, "signed_in", user, testid, f"{role} " if role else "")


def render_header_account(user: UserRecord | None) -> Markup:
    """Return the current user with a sign-out button; empty for visitors."""
    return Markup("") if user is None else render_macro(_TEMPLATE, "header_account", user)


def name_provider(settings: Settings) -> str:
    """Return the common name of the provider: its host unless it is well known."""
    host = urlsplit(settings.oidc_issuer or "").hostname or ""
    return _KNOWN_PROVIDERS.get(host, host)
