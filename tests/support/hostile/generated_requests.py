"""Requests drawn from the OpenAPI document: with real identifiers, valid and invalid values, and hostile texts.

Like the mutated files, each request is drawn from one number.
"""

import copy
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

_TEXTS: Sequence[str] = (
    *(
        "",
        " ",
        "a",
        "0",
        "-1",
        "null",
        "true",
        "[]",
        "{}",
        "\x00",
        "\x07\x1b[2J",
        "\u202e",
        "\ud800",
        "a\udfff",
        "İ",
        "ﬀ",
    ),
    *("' OR 1=1 --", '"; DROP TABLE users; --', "%", "_", "*", "\\", "../../etc/passwd", "..%2f..", "//evil.example"),
    *("{{7*7}}", "${7*7}", "%s%n", "<script>alert(1)</script>", "=cmd|' /C calc'!A0", "javascript:alert(1)", "1e999"),
    *(
        "9" * 30,
        "-" + "9" * 30,
        "2147483648",
        "NaN",
        "Infinity",
        "0x10",
        "１２",
        "a" * 5_000,
        "🔊" * 300,
        "a\r\nSet-Cookie: b=c",
    ),
    *("https://127.0.0.1:1/v1", "https://[::1]/v1", "file:///etc/passwd", "http://169.254.169.254/", "https://a@b:c/"),
)
_NUMBERS: Sequence[object] = (0, -1, 1, 2, 10, 2**31, 2**63, -(2**63) - 1, 10**30, 0.5, 1e308, -1e-308)
_OTHERS: Sequence[object] = (None, True, [], {}, "", 0, [[[]]], {"a": {"b": None}}, ["a"] * 300, {"__proto__": {}})


@dataclass
class GeneratedRequest:
    """A request.

    Attributes:
        method: Its method.
        address: Path and query.
        headers: Its headers, without credentials.
        body: Its body.
    """

    method: str
    address: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


class RequestGenerator:
    """Draws requests of operations."""

    def __init__(self, openapi: Mapping[str, Any], names: Mapping[str, Sequence[str]]) -> None:
        """Create a generator.

        Args:
            openapi: The OpenAPI document.
            names: Parameter or field → real values.
        """
        self._openapi = openapi
        self._names = names

    def draw_request(self, method: str, path: str, seed: int) -> GeneratedRequest:
        """Return the request of a number."""
        rng = random.Random(f"{seed} {method} {path}")
        operation = self._openapi["paths"][path][method]
        parameters = operation.get("parameters", ())
        share = rng.choice((0.0, 0.0, 0.2, 0.6))
        values = {
            parameter["name"]: self._draw_text(rng, parameter["name"], parameter["schema"])
            for parameter in parameters
            if parameter.get("required") or rng.random() < share
        }
        of_kind = {
            kind: {
                one["name"]: values[one["name"]] for one in parameters if one["in"] == kind and one["name"] in values
            }
            for kind in ("path", "query", "header")
        }
        if rng.random() < 0.05:
            of_kind["query"][rng.choice(("x", "limit", "q", "__proto__", "version"))] = rng.choice(_TEXTS)
        address = path.format(
            **{name: quote(text, safe="", errors="surrogatepass") or "-" for name, text in of_kind["path"].items()}
        )
        if of_kind["query"]:
            address += "?" + urlencode(of_kind["query"], errors="surrogatepass")
        headers = {name: _encode_header(text) for name, text in of_kind["header"].items()}
        request = GeneratedRequest(method.upper(), address, headers)
        content = operation.get("requestBody", {}).get("content", {})
        if content:
            self._add_body(rng, request, content)
        return request

    def _add_body(self, rng: random.Random, request: GeneratedRequest, content: Mapping[str, Any]) -> None:
        kind = rng.choice([*content])
        value = self._draw_value(rng, "", content[kind]["schema"])
        if kind == "application/json":
            body = json.dumps(value).encode()
        elif isinstance(value, dict):
            kind, body = _encode_form(value)
        else:
            body = str(value).encode(errors="surrogatepass")
        if rng.random() < 0.05:
            body = body[: rng.randrange(len(body) + 1)]
        request.headers["Content-Type"] = kind
        request.body = body

    def _draw_text(self, rng: random.Random, name: str, schema: Mapping[str, Any]) -> str:
        """Return the text of a parameter: mostly a value that is real or fits the schema."""
        value = rng.choice(_TEXTS) if rng.random() < 0.15 else self._draw_value(rng, name, schema)
        return value if isinstance(value, str) else json.dumps(value)

    def _draw_value(self, rng: random.Random, name: str, schema: Mapping[str, Any], depth: int = 0) -> Any:
        """Return a value for a schema; one in twelve has another type."""
        schema = self._resolve(rng, schema)
        chance = rng.random()
        if chance < 0.08 and depth:
            return copy.deepcopy(rng.choice((*_OTHERS, *_NUMBERS)))
        if name in self._names and chance < 0.85:
            return rng.choice(self._names[name])
        if "enum" in schema:
            return rng.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        if schema.get("type") == "object":
            return self._draw_object(rng, schema, depth)
        if schema.get("type") == "array":
            n_items = rng.choice((0, 1, 1, 2, 5))
            return [self._draw_value(rng, name, schema.get("items", {}), depth + 1) for _ in range(n_items)]
        return _draw_scalar(rng, schema)

    def _draw_object(self, rng: random.Random, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        required = schema.get("required", ())
        found = {
            name: self._draw_value(rng, name, one, depth + 1)
            for name, one in schema.get("properties", {}).items()
            if rng.random() < (0.97 if name in required else 0.4)
        }
        if not schema.get("properties") or rng.random() < 0.05:
            found[rng.choice(_TEXTS)] = rng.choice(_TEXTS)
        return found

    def _resolve(self, rng: random.Random, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        while "$ref" in schema or "anyOf" in schema:
            if "anyOf" in schema:
                schema = rng.choice(schema["anyOf"])
            else:
                schema = self._openapi["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        return schema


def _draw_scalar(rng: random.Random, schema: Mapping[str, Any]) -> object:
    kind = schema.get("type")
    if kind == "integer":
        bounds = [schema[name] + step for name in ("minimum", "maximum") if name in schema for step in (-1, 0, 1)]
        return rng.choice((*bounds, schema.get("default", 1), 1, 10, *_NUMBERS[:6]))
    if kind == "number":
        return rng.choice(_NUMBERS)
    if kind == "boolean":
        return rng.choice((True, False))
    if kind == "null":
        return None
    examples = schema.get("examples", ())
    return rng.choice((*examples, *examples, rng.choice(_TEXTS), "x" * schema.get("maxLength", 10)))


def _encode_header(text: str) -> str:
    return "".join(letter for letter in text if " " <= letter <= "~").strip()


def _encode_form(fields: Mapping[str, Any]) -> tuple[str, bytes]:
    """Return content type and body of a form; the field `file` is a file."""
    parts = []
    for name, value in fields.items():
        text = value if isinstance(value, str) else json.dumps(value)
        shown = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        filename = '; filename="p.jsonl"' if name == "file" else ""
        head = f'--b0undary\r\nContent-Disposition: form-data; name="{shown}"{filename}\r\n\r\n'
        parts.append(f"{head}{text}\r\n".encode(errors="surrogatepass"))
    return "multipart/form-data; boundary=b0undary", b"".join((*parts, b"--b0undary--\r\n"))
