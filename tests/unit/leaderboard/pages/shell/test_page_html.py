"""Cache of the page's HTML: built once per host name, and completed for each response."""

import asyncio
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from leaderboard.pages.shell.opening import Opening
from leaderboard.pages.shell.page_html import MAX_ORIGINS, PageHtml
from leaderboard.rendering.templating import Markup

HTML = (
    '<html><head><base href="./" /><meta property="og:title" content="theirs"></head><body><gradio-app></body></html>'
)


class Gradio:
    """Answers as Gradio does, in two pieces, and remembers what it was asked."""

    def __init__(self, html: str = HTML, status: int = 200, media_type: bytes = b"text/html; charset=utf-8") -> None:
        self.asked: list[Scope] = []
        self._html, self._status, self._media_type = html.encode(), status, media_type

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        self.asked.append(scope)
        await send(
            {"type": "http.response.start", "status": self._status, "headers": [(b"content-type", self._media_type)]}
        )
        await send({"type": "http.response.body", "body": self._html[:9], "more_body": True})
        await send({"type": "http.response.body", "body": self._html[9:]})


class Answer:
    def __init__(self, messages: list[Message]) -> None:
        self.status = messages[0]["status"]
        self.headers = {name.decode(): value.decode() for name, value in messages[0]["headers"]}
        self.text = b"".join(message.get("body", b"") for message in messages[1:]).decode()


def make_page(gradio: Gradio) -> PageHtml:
    return PageHtml(
        gradio, Opening(Markup("<title>ours</title>"), Markup("<section></section>"), "/static-earshot", Markup(""))
    )


def ask(page: PageHtml, *, host: str = "a.example", path: str = "/", query: bytes = b"", tag: str = "") -> Answer:
    sent: list[Message] = []

    async def receive() -> Any:
        raise AssertionError("nobody reads the body of a GET")

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"host", host.encode()), (b"if-none-match", tag.encode())]
    scope = {"type": "http", "method": "GET", "path": path, "scheme": "http", "query_string": query, "headers": headers}
    asyncio.run(page(scope, receive, send))
    return Answer(sent)


def test_page_is_made_once_whatever_its_words_and_completed() -> None:
    gradio = Gradio()
    page = make_page(gradio)
    first, second = ask(page), ask(page, query=b"tab=mdar&deep_link=../../etc")
    assert first.text == second.text
    assert "<title>ours</title>" in first.text
    assert "theirs" not in first.text
    assert 'content="http://a.example/"' in first.text
    assert int(first.headers["content-length"]) == len(first.text.encode())
    assert [scope["query_string"] for scope in gradio.asked] == [b""]


def test_layout_of_gradio_stands_behind_what_is_shown_first() -> None:
    layout = '<script>window.gradio_config = {"words": "a\nb"};</script>'
    text = ask(make_page(Gradio(HTML.replace("</head>", f"{layout}<script>other()</script></head>")))).text
    assert f"<section></section>{layout}<gradio-app>" in text
    assert text.count(layout) == 1
    assert text.index("<script>other()</script>") < text.index("</head>")


def test_page_that_a_visitor_has_is_304() -> None:
    page = make_page(Gradio())
    answer = ask(page, tag=ask(page).headers["etag"])
    assert (answer.status, answer.text) == (304, "")


def test_page_of_another_name_is_its_own() -> None:
    page = make_page(Gradio())
    assert "b.example" in ask(page, host="b.example").text
    assert "b.example" not in ask(page, host="a.example").text


def test_names_that_strangers_claim_fill_no_memory() -> None:
    gradio = Gradio()
    page = make_page(gradio)
    for number in range(MAX_ORIGINS + 1):
        ask(page, host=f"{number}.example")
    ask(page, host=f"{MAX_ORIGINS}.example")
    assert len(gradio.asked) == MAX_ORIGINS + 1
    ask(page, host="0.example")
    assert len(gradio.asked) == MAX_ORIGINS + 2


def test_answer_that_is_no_page_goes_by_untouched_and_is_not_kept() -> None:
    for gradio in (Gradio(status=500), Gradio(media_type=b"application/json")):
        page = make_page(gradio)
        assert ask(page).text == ask(page).text == HTML
        assert len(gradio.asked) == 2


def test_other_addresses_go_by_untouched() -> None:
    gradio = Gradio()
    answer = ask(make_page(gradio), path="/config", query=b"x=1")
    assert answer.text == HTML
    assert gradio.asked[0]["query_string"] == b"x=1"


def test_gradios_script_is_fetched_at_once_and_begun_by_us() -> None:
    script = '<script type="module" crossorigin src="./assets/index-Ab_1.js">'
    text = ask(make_page(Gradio(HTML.replace("</head>", f"{script}</script></head>")))).text
    assert script not in text
    assert '<link rel="modulepreload" crossorigin href="./assets/index-Ab_1.js">' in text
    assert 'window.earshotGradio = "./assets/index-Ab_1.js"' in text
    # What is not known to be its script is left to begin by itself.
    other = '<script type="module" src="./assets/index-Ab_1.js"></script>'
    assert other in ask(make_page(Gradio(HTML.replace("</head>", f"{other}</head>")))).text
