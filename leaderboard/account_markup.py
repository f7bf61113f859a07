"""What somebody reads of his account. Pure: records in, HTML out."""

from collections.abc import Sequence
from datetime import datetime

from db.records import TokenRecord, UserRecord
from leaderboard.markup import Markup, element, since, table


def render_who(user: UserRecord | None) -> Markup:
    """Return whose account it is, or what to do to have one."""
    if user is None:
        link = element("a", "Sign in on the Submit tab", href="/?tab=submit", data_visit="")
        return element("p", link, " to see your account.", class_="es-quiet")
    return element("p", "Signed in as ", element("b", user.name), ".", data_testid="account-name")


def render_tokens(tokens: Sequence[TokenRecord], now: datetime) -> Markup:
    """Return somebody's tokens."""
    words = element(
        "p",
        "A token lets a program do what you can do: submit, look, publish, withdraw. It is sent as ",
        element("code", "Authorization: Bearer esh_…"),
        ".",
        class_="es-quiet",
    )
    if not tokens:
        return element("div", words, element("p", "You have none yet."), data_testid="tokens")
    rows = ([token.id, token.label or None, since(token.created_at, now)] for token in tokens)
    listed = table(["id", "what for", "made"], rows, numbers_from=3, caption="Personal tokens")
    return element("div", words, listed, data_testid="tokens")


def render_new_token(secret: str) -> Markup:
    """Return a token that was just made: it is shown this once."""
    kept = element("code", secret, class_="es-secret", data_testid="new-token")
    return element("p", "Copy it now, it is not shown again: ", kept, role="status")


def list_token_choices(tokens: Sequence[TokenRecord]) -> list[tuple[str, str]]:
    """Return (label, id) of each token."""
    return [(f"{token.id} · {token.label or '–'}", str(token.id)) for token in tokens]
