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
    """Stub of Gradio that responds in two chunks and records its requests."""

    def __init__(self, html: str = HTML, status: int = 200, media_type: bytes = b"text/html; charset=utf-8") -> None:
        self.requests: list[Scope] = []
        self._html, self._status, self._media_type = html.encode(), status, media_type

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        self.requests.append(scope)
        await send(
            {"type": "http.response.start", "status": self._status, "headers": [(b"content-type", self._media_type)]}
        )
        await send({"type": "http.response.body", "body": self._html[:9], "more_body": True})
        await send({"type": "http.response.body", "body": self._html[9:]})


class PageResponse:
    def __init__(self, messages: list[Message]) -> None:
        self.status = messages[0]["status"]
        self.headers = {name.decode(): value.decode() for name, value in messages[0]["headers"]}
        self.text = b"".join(message.get("body", b"") for message in messages[1:]).decode()


def make_page(gradio: Gradio) -> PageHtml:
    return PageHtml(
        gradio, Opening(Markup("<title>ours</title>"), Markup("<section></section>"), "/static-earshot", Markup(""))
    )


def request_page(
    page: PageHtml, *, host: str = "a.example", path: str = "/", query: bytes = b"", tag: str = ""
) -> PageResponse:
    messages: list[Message] = []

    async def receive() -> Any:
        raise AssertionError("the body of a GET must not be read")

    async def send(message: Message) -> None:
        messages.append(message)

    headers = [(b"host", host.encode()), (b"if-none-match", tag.encode())]
    scope = {"type": "http", "method": "GET", "path": path, "scheme": "http", "query_string": query, "headers": headers}
    asyncio.run(page(scope, receive, send))
    return PageResponse(messages)


def test_page_is_built_once_for_all_queries_and_completed() -> None:
    gradio = Gradio()
    page = make_page(gradio)
    first, second = request_page(page), request_page(page, query=b"tab=mdar&deep_link=../../etc")
    assert first.text == second.text
    assert "<title>ours</title>" in first.text
    assert "theirs" not in first.text
    assert 'content="http://a.example/"' in first.text
    assert int(first.headers["content-length"]) == len(first.text.encode())
    assert [scope["query_string"] for scope in gradio.requests] == [b""]


def test_gradio_layout_follows_the_opening() -> None:
    layout = '<script>window.gradio_config = {"words": "a\nb"};</script>'
    text = request_page(make_page(Gradio(HTML.replace("</head>", f"{layout}<script>other()</script></head>")))).text
    assert f"<section></section>{layout}<script>" in text
    assert text.index(layout) < text.index("setPrototypeOf") < text.index("<gradio-app>")
    assert text.count(layout) == 1
    assert text.index("<script>other()</script>") < text.index("</head>")


def test_layout_omits_what_only_api_clients_read() -> None:
    described = '{"id":1,"props":{"value":"\\u003cb>"},"skip_api":false,"api_info":{"type":"string"}}'
    layout = f'<script>window.gradio_config = {{"components":[{described}]}};</script>'
    text = request_page(make_page(Gradio(HTML.replace("</head>", f"{layout}</head>")))).text
    shortened = '<script>window.gradio_config = {"components":[{"id":1,"props":{"value":"\\u003cb>"}}]};</script>'
    assert shortened in text
    unknown = '<script>window.gradio_config = {"components":7};</script>'
    assert unknown in request_page(make_page(Gradio(HTML.replace("</head>", f"{unknown}</head>")))).text


def test_matching_etag_returns_304() -> None:
    page = make_page(Gradio())
    response = request_page(page, tag=request_page(page).headers["etag"])
    assert (response.status, response.text) == (304, "")


def test_page_of_another_host_name_is_separate() -> None:
    page = make_page(Gradio())
    assert "b.example" in request_page(page, host="b.example").text
    assert "b.example" not in request_page(page, host="a.example").text


def test_number_of_cached_host_names_is_limited() -> None:
    gradio = Gradio()
    page = make_page(gradio)
    for number in range(MAX_ORIGINS + 1):
        request_page(page, host=f"{number}.example")
    request_page(page, host=f"{MAX_ORIGINS}.example")
    assert len(gradio.requests) == MAX_ORIGINS + 1
    request_page(page, host="0.example")
    assert len(gradio.requests) == MAX_ORIGINS + 2


def test_response_that_is_no_page_is_passed_through_and_not_cached() -> None:
    for gradio in (Gradio(status=500), Gradio(media_type=b"application/json")):
        page = make_page(gradio)
        assert request_page(page).text == request_page(page).text == HTML
        assert len(gradio.requests) == 2


def test_other_paths_are_passed_through() -> None:
    gradio = Gradio()
    response = request_page(make_page(gradio), path="/config", query=b"x=1")
    assert response.text == HTML
    assert gradio.requests[0]["query_string"] == b"x=1"


def test_gradio_script_is_preloaded_and_started_by_the_page() -> None:
    script = '<script type="module" crossorigin src="./assets/index-Ab_1.js">'
    text = request_page(make_page(Gradio(HTML.replace("</head>", f"{script}</script></head>")))).text
    assert script not in text
    assert '<link rel="modulepreload" crossorigin href="./assets/index-Ab_1.js">' in text
    assert 'window.earshotGradio = "./assets/index-Ab_1.js"' in text
    # A script tag in another form is left unchanged.
    other = '<script type="module" src="./assets/index-Ab_1.js"></script>'
    assert other in request_page(make_page(Gradio(HTML.replace("</head>", f"{other}</head>")))).text
