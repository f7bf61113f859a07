"""Messages of a request: roles, texts and audio."""

from collections.abc import Iterator, Sequence

from evaluation.listeners.listener_types import Heard
from evaluation.listeners.server.errors import RequestRefusedError, quote
from evaluation.listeners.server.request_audio import FORMATS, SoundReader
from evaluation.listeners.server.wire import Message, MessagePart, is_given

ROLES = ("system", "developer", "user", "assistant")
MAX_SOUNDS = 16
MAX_CHARACTERS = 100_000


def read_messages(messages: Sequence[Message] | None) -> list[Heard]:
    """Return the texts and clips of all messages in order, after all cheap checks.

    Raises:
        RequestRefusedError: A message has an unsupported part, or the messages are empty or too large.
    """
    if not messages:
        raise RequestRefusedError(
            "`messages` is missing or empty. Send at least one message with the role user.",
            param="messages",
            code="missing_parameter",
        )
    for number, message in enumerate(messages):
        _check_message(message, f"messages[{number}]")
    if all(message.role != "user" for message in messages):
        raise RequestRefusedError("No message has the role user. Send one.", param="messages", code="invalid_messages")
    _check_sizes(messages)
    reader = SoundReader()
    heard: list[Heard] = []
    for number, message in enumerate(messages):
        heard += _read_parts(message, f"messages[{number}]", reader)
    if not any(not isinstance(piece, str) or piece.strip() for piece in heard):
        raise RequestRefusedError(
            "The messages contain neither text nor audio. Send a question.", param="messages", code="invalid_messages"
        )
    return heard


def _check_message(message: Message, param: str) -> None:
    if message.role not in ROLES:
        raise RequestRefusedError(
            f"{quote(message.role)} is not a supported role. Use {', '.join(ROLES)}.",
            param=f"{param}.role",
            code="unsupported_value",
        )
    for field, raw in (("tool_calls", message.tool_calls), ("function_call", message.function_call)):
        if is_given(raw):
            raise RequestRefusedError(
                f"Tool calls are not supported. Remove `{field}`.", param=f"{param}.{field}", code="unsupported_value"
            )
    if message.content is None and message.role != "assistant":
        raise RequestRefusedError(
            "The message has no content. Send a string or a list of parts.",
            param=f"{param}.content",
            code="missing_parameter",
        )
    for number, part in enumerate(_parts_of(message)):
        _check_part(part, message.role, f"{param}.content[{number}]")


def _parts_of(message: Message) -> Sequence[MessagePart]:
    return message.content if isinstance(message.content, list) else ()


def _check_part(part: MessagePart, role: str, param: str) -> None:
    fields = {"text": part.text, "input_audio": part.input_audio, "audio_url": part.audio_url}
    if part.type not in fields:
        raise RequestRefusedError(
            f"Parts of the type {quote(part.type)} are not supported. Use {', '.join(fields)}.",
            param=f"{param}.type",
            code="unsupported_value",
        )
    if fields[part.type] is None:
        raise RequestRefusedError(
            f"A part of the type {part.type} needs the field `{part.type}`.",
            param=f"{param}.{part.type}",
            code="missing_parameter",
        )
    if part.type != "text" and role != "user":
        raise RequestRefusedError(
            "Only user messages may contain audio. Move the part to a user message.",
            param=f"{param}.type",
            code="unsupported_value",
        )
    if part.type == "input_audio" and part.input_audio is not None:
        form = part.input_audio.format
        if form is not None and form.lower() not in FORMATS:
            raise RequestRefusedError(
                f"The audio format {quote(form)} is not supported. Use {', '.join(FORMATS)}.",
                param=f"{param}.input_audio.format",
                code="unsupported_value",
            )


def _check_sizes(messages: Sequence[Message]) -> None:
    parts = [part for message in messages for part in _parts_of(message)]
    n_sounds = sum(part.type != "text" for part in parts)
    if n_sounds > MAX_SOUNDS:
        raise RequestRefusedError(
            f"The messages contain {n_sounds:,} clips. Send at most {MAX_SOUNDS}.",
            param="messages",
            code="too_many_sounds",
        )
    texts = [message.content for message in messages if isinstance(message.content, str)]
    texts += [part.text for part in parts if part.type == "text" and part.text is not None]
    n_characters = sum(map(len, texts))
    if n_characters > MAX_CHARACTERS:
        raise RequestRefusedError(
            f"The messages contain {n_characters:,} characters of text. Send at most {MAX_CHARACTERS:,}.",
            param="messages",
            code="context_length_exceeded",
        )


def _read_parts(message: Message, param: str, reader: SoundReader) -> Iterator[Heard]:
    if isinstance(message.content, str):
        yield message.content
    for number, part in enumerate(_parts_of(message)):
        place = f"{param}.content[{number}]"
        if part.type == "input_audio" and part.input_audio is not None:
            yield reader.read_base64(part.input_audio.data, f"{place}.input_audio.data")
        elif part.type == "audio_url" and part.audio_url is not None:
            yield reader.read_url(part.audio_url.url, f"{place}.audio_url.url")
        elif part.text is not None:
            yield part.text
