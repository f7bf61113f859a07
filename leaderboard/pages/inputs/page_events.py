"""Event filter: parses the body of every event before Gradio does, and passes on only what our page can send.

Gradio copies, hashes or fetches whatever a file value names before any handler runs: `{"path": "/etc/passwd"}`, an
internal address, a device. Behind this layer there are no file values: the reference of an uploaded file (see
`UploadFolder`) arrives as text, at file inputs only, and everything else must be plain.

The body is encoded again from the parsed values, so that no other parser can read the same bytes differently.
"""

import re
from contextvars import ContextVar
from typing import Any, NamedTuple, NoReturn

import gradio as gr
import orjson
from gradio.blocks import BlockFunction
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from leaderboard.http.problem_details import handle_known
from leaderboard.pages.inputs.unhandled_errors import CatchingBlocks
from leaderboard.pages.inputs.upload_folder import is_reference
from submissions.errors import BadRequestError, NotFoundError

RUN_PATH = "/gradio_api/run/"
# The page's form of a reference; no such address exists.
_FILE_PATH = "/gradio_api/file="
_SESSION = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NO_SESSION = "none"
_MAX_VALUES_OF_A_LIST = 100
_MAX_INTEGER = 2**31


_NOT_OFFERED = "A value of the event is not one that the page offers there. Choose one of the list, or reload the page."
# Refusals of the current event, which Gradio would report as our failures.
_REFUSED: ContextVar[list[BadRequestError]] = ContextVar("refused")


class StrictBlocks(CatchingBlocks):
    """A page that accepts no file values: the second barrier, if an event arrives in another way."""

    def run_startup_events(self) -> None:
        """Start answering events without Gradio's queue, which none of ours uses (see `pages/shared/bindings.py`).

        Gradio would poll the queue a thousand times a second, a tenth of a processor while nobody is there.
        """
        self.is_running = True
        self.create_limiter()

    async def preprocess_data(self, block_fn: BlockFunction, inputs: list[Any], *args: Any, **options: Any) -> Any:
        """Refuse values that are not plain before Gradio processes them.

        Raises:
            BadRequestError: A value is not plain.
            gr.Error: A component refuses a value, such as a choice that it does not offer.
        """
        for at, value in enumerate(inputs):
            _require_plain(at, value)
        try:
            return await super().preprocess_data(block_fn, inputs, *args, **options)
        except gr.Error as error:
            # Caused by the client, so not an incident to log.
            error.print_exception = False
            _REFUSED.get().append(BadRequestError("data", _NOT_OFFERED))
            raise


def make_file_input(**options: Any) -> Any:
    """Return a file input whose value is the reference of an uploaded file, never a path that Gradio would open.

    The instance is modified, because Gradio writes a file beside the source of every class derived from one of its
    components.
    """
    return take_as_sent(gr.File(**options))


def take_as_sent(component: Any) -> Any:
    """Let handlers see and validate any value; return the component.

    For file inputs, because Gradio would create an empty file in its folder for every event. And for lists filled by
    handlers: nothing of an event is kept (`EventState`), so no later event knows their choices.
    """
    if isinstance(component, gr.File):
        component.api_info()  # cached: the page asks for an example of a file value
        component.data_model = None
    component.preprocess = _hand_on
    return component


def _hand_on(payload: Any) -> Any:
    return payload


class _Event(NamedTuple):
    fn_index: int
    inputs: list[Any]


class PageEvents:
    """ASGI layer between the guard, which limits the body, and the page."""

    def __init__(self, app: ASGIApp, page: gr.Blocks) -> None:
        self._app = app
        # Events without a function run in the browser only.
        self._inputs = {index: list(event.inputs) for index, event in page.fns.items() if event.fn is not None}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an event on if it is one of ours."""
        if scope["type"] != "http" or scope["method"] != "POST" or not scope["path"].startswith(RUN_PATH):
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        try:
            body = orjson.dumps(self._read(await request.body()))
        except (BadRequestError, NotFoundError) as error:
            await handle_known(request, error)(scope, receive, send)
        except ClientDisconnect:
            return
        else:
            await self._pass_on(_with_length(scope, len(body)), _replay(body, receive), send)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused: list[BadRequestError] = []
        _REFUSED.set(refused)

        async def send_unless_refused(message: Message) -> None:
            if not refused:
                await send(message)

        await self._app(scope, receive, send_unless_refused)
        if refused:
            await handle_known(Request(scope), refused[0])(scope, receive, send)

    def _read(self, body: bytes) -> dict[str, Any]:
        try:
            fields = orjson.loads(body)
        except orjson.JSONDecodeError:
            fields = None
        if not isinstance(fields, dict):
            _refuse("body", "The event is not a JSON object. Reload the page.")
        event = self._find_event(fields.get("fn_index"))
        data = fields.get("data")
        if not isinstance(data, list) or len(data) != len(event.inputs):
            _refuse("data", f"The event's data is not a list of {len(event.inputs)} values. Reload the page.")
        session = fields.get("session_hash")
        if session is not None and not (isinstance(session, str) and _SESSION.fullmatch(session)):
            _refuse("session_hash", "The event's session_hash is not 1 to 64 letters and digits. Reload the page.")
        trigger = fields.get("trigger_id")
        values = [_read_value(at, value, event.inputs[at]) for at, value in enumerate(data)]
        return {
            "fn_index": event.fn_index,
            # Without one, Gradio copies the layout.
            "session_hash": session or _NO_SESSION,
            "trigger_id": trigger if _is_index(trigger) else None,
            "data": values,
        }

    def _find_event(self, index: Any) -> _Event:
        if not _is_index(index) or index not in self._inputs:
            raise NotFoundError("The page has no such event; it may have changed since it was opened. Reload it.")
        return _Event(index, self._inputs[index])


def _read_value(at: int, value: Any, component: Any) -> Any:
    if isinstance(component, gr.File):
        return None if value is None else _read_file(at, value)
    _require_plain(at, value)
    if isinstance(component, gr.Dropdown | gr.CheckboxGroup):
        is_several = not isinstance(component, gr.Dropdown) or bool(component.multiselect)
        return _read_choice(at, value, is_several=is_several)
    return value


def _read_choice(at: int, value: Any, *, is_several: bool) -> Any:
    """Return the selection of a list: texts if several are possible, otherwise one or None."""
    if value in (None, []):
        return [] if is_several else None
    if is_several and isinstance(value, list) and all(isinstance(one, str) for one in value):
        return value
    if not is_several and isinstance(value, str):
        return value
    return _refuse(f"data.{at}", _NOT_OFFERED)


def _read_file(at: int, value: Any) -> str:
    """Return the reference in a file value, even if the file is gone, which the handler reports."""
    reference = value.get("path") if isinstance(value, dict) else None
    if is_reference(reference):
        url = value.get("url")
        if url is None or (isinstance(url, str) and url.endswith(f"{_FILE_PATH}{reference}")):
            return reference
    _refuse(f"data.{at}", f"Value {at + 1} of the event is not a file that was uploaded here. Choose the file again.")


def _require_plain(at: int, value: Any) -> None:
    """Refuse anything but scalars and lists of scalars; file values are objects at any depth."""
    if isinstance(value, list) and len(value) <= _MAX_VALUES_OF_A_LIST:
        if all(_is_scalar(one) for one in value):
            return
    elif _is_scalar(value):
        return
    _refuse(f"data.{at}", f"Value {at + 1} of the event is not a text, number, truth value or short list of them.")


def _is_scalar(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)


def _is_index(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MAX_INTEGER


def _refuse(field: str, message: str) -> NoReturn:
    raise BadRequestError(field, message)


def _with_length(scope: Scope, n_bytes: int) -> Scope:
    replaced = (b"content-length", b"content-type", b"content-encoding", b"transfer-encoding")
    headers = [(name, value) for name, value in scope["headers"] if name not in replaced]
    own = [(b"content-length", str(n_bytes).encode()), (b"content-type", b"application/json")]
    return {**scope, "headers": headers + own}


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that yields the body first, and then the connection's messages."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return waiting.pop() if waiting else await receive()

    return receive_again
