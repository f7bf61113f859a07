"""Mutations of prediction files: what a fuzzer, a broken disk or a hostile user makes of a valid file.

Everything is drawn from one number, so a failure is repeated by that number alone.
"""

import gzip
import json
import random
from collections.abc import Callable, Sequence
from functools import cache

from tests.support.samples.intake_files import FORMS, PACKINGS, write_short_object
from tests.support.samples.tool_writers import RESULTS, TOOL_FORMS

Mutate = Callable[[random.Random, bytes], bytes]
_MAX_BYTES = 60_000
_RESPONSES = ("A", "The answer is (B).", 'He said: "C",\nthen stopped.', "=1+1", "答案是 D", "Step 1: correct.")
# Pieces that parsers of JSON, tables, archives, XML and numbers have stumbled over.
_TOKENS: Sequence[bytes] = (
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\x1f\x8b\x08"),
    *(b"\\ud800", b"\\udfff\\ud800", b"\\u0000", b"\\u202e", b"\\x41", b"\\", b'"', b'""', b"'", b"`", b"\xe2\x80\xa8"),
    *(b"{", b"}", b"[", b"]", b"{}", b"[[]]", b",", b":", b";", b"\t", b"\r", b"\n", b"\r\n\r\n", b"\n\n\n", b"\x1a"),
    *(b"NaN", b"Infinity", b"-0", b"1e400", b"-1e-400", b"0x7f", b"1_000", b"9" * 400, b"1." + b"0" * 400, b"true"),
    *(b"9223372036854775808", b"-9223372036854775809", b"18446744073709551616", b"2147483648", b"null", b"-1"),
    *(b'"id":', b'"run":', b'"response":', b'"edition":', b'"scores":[', b'"erroneous":[', b'"id":"a","id":"b"'),
    *(b"id,response\n", b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07", b"BZh9", b"PAR1"),
    *(b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;", b"&#0;", b"]]>", b"<c t='s'><v>99999999999</v></c>", b"../../etc/x"),
    *(b"=cmd|' /C calc'!A0", b"__proto__", b"$where", b"' OR 1=1 --", b"{{7*7}}", b"%s%n", b"<script>", b"\x1b[2J"),
)
_ENCODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7", "latin-1", "cp037", "utf-8-sig", "shift_jis")


@cache
def list_valid_files(items: tuple[str, ...]) -> tuple[bytes, ...]:
    """Return a valid file of every format, of Earshot and of other tools, plain and packed, with answers to items."""
    rows = [
        {"id": item, "run": run, "response": _RESPONSES[(n + run) % len(_RESPONSES)]}
        for n, item in enumerate(items)
        for run in range(2)
    ]
    plain = [write(rows) for write, _ in FORMS.values()]
    tools = [write(rows) for write in TOOL_FORMS.values()]
    packed = [pack(file) for pack in PACKINGS.values() for file in (*plain, write_short_object(rows))]
    return (*packed, *tools)


@cache
def _list_files_to_mutate(items: tuple[str, ...]) -> tuple[bytes, ...]:
    """Return valid files, and those that other tools themselves wrote about other questions."""
    written = [path.read_bytes() for path in sorted(RESULTS.iterdir())]
    return (*list_valid_files(items), *(file for file in written if len(file) < _MAX_BYTES))


def make_mutated_file(seed: int, items: tuple[str, ...]) -> bytes:
    """Return the mutated file of a number: one valid file after up to four mutations, sometimes packed again."""
    rng = random.Random(seed)
    files = _list_files_to_mutate(items)
    data = rng.choice(files)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = rng.choice(_MUTATIONS)(rng, data) if data else rng.choice(_TOKENS)
        if rng.random() < 0.1:
            data = _splice(rng, data, rng.choice(files))
    pack = rng.choice([*PACKINGS.values(), *(3 * [PACKINGS["plain"]])])
    return pack(data[:_MAX_BYTES])


def _flip_bits(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8, 64))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _replace_bytes(rng: random.Random, data: bytes) -> bytes:
    start, end = _pick_span(rng, data)
    return data[:start] + rng.randbytes(end - start) + data[end:]


def _truncate(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _behead(rng: random.Random, data: bytes) -> bytes:
    return data[rng.randrange(len(data) + 1) :]


def _delete(rng: random.Random, data: bytes) -> bytes:
    start, end = _pick_span(rng, data)
    return data[:start] + data[end:]


def _repeat(rng: random.Random, data: bytes) -> bytes:
    start, end = _pick_span(rng, data)
    n_times = rng.choice((2, 3, 100))
    return data[:end] + (data[start:end] * n_times)[:_MAX_BYTES] + data[end:]


def _insert_token(rng: random.Random, data: bytes) -> bytes:
    for _ in range(rng.choice((1, 1, 3, 20))):
        at = rng.randrange(len(data) + 1)
        data = data[:at] + rng.choice(_TOKENS) + data[at:]
    return data


def _replace_value(rng: random.Random, data: bytes) -> bytes:
    """Replace what lies between two delimiters, which keeps the file well-formed more often than chance."""
    ends = [at for at, byte in enumerate(data) if byte in b',:"\n\t']
    if len(ends) < 2:
        return _insert_token(rng, data)
    at = rng.randrange(len(ends) - 1)
    return data[: ends[at] + 1] + rng.choice(_TOKENS) + data[ends[at + 1] :]


def _change_line(rng: random.Random, data: bytes) -> bytes:
    """Repeat, drop, swap or reverse a line."""
    lines = data.splitlines(keepends=True) or [data]
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    first, second = lines[a], lines[b]
    lines[a], lines[b] = rng.choice(((second, first), (first, first), (b"", second), (first[::-1], b"")))
    return b"".join(lines)


def _nest(rng: random.Random, data: bytes) -> bytes:
    """Insert brackets that open and perhaps close, deeper than a parser's stack."""
    depth = rng.choice((10, 600, 1_100, 20_000))
    opening, closing = rng.choice(((b"[", b"]"), (b'{"a":', b"}"), (b'{"id":', b"}"), (b"<a>", b"</a>")))
    inside = opening * depth + b"1" + (closing * depth if rng.random() < 0.5 else b"")
    at = rng.choice((0, len(data), rng.randrange(len(data) + 1)))
    return data[:at] + inside + data[at:]


def _repeat_keys(rng: random.Random, data: bytes) -> bytes:
    key = rng.choice((b"id", b"run", b"response", b"samples", b"edition", b"\\u0069d"))
    value = rng.choice((b'"amb-1"', b"0", b"null", b"1e999", b'["A"]', b"{}"))
    entry = b'"' + key + b'":' + value
    return data.replace(b"{", b"{" + (entry + b",") * rng.choice((1, 2, 200)), rng.choice((1, 3)))


def _encode_text(rng: random.Random, data: bytes) -> bytes:
    return data.decode("utf-8", "replace").encode(rng.choice(_ENCODINGS), "replace")


def _lengthen_line(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice((b"a", b"\\u0041", b" ", b'"', b"\xf0\x9f\x94\x8a", b",")) * 9_000 + data[at:]


def _pack_bomb(rng: random.Random, data: bytes) -> bytes:
    """Return gzip members that unpack to hundreds of times their size."""
    piece = rng.choice((b"\x00", b"\n", b" ", b"[", b'{"id":1}\n', b'"', b"id,response\n"))
    filling = (piece * 2_000_000)[: rng.choice((100_000, 400_000))]
    return gzip.compress(data[:_MAX_BYTES] + filling, 9) * rng.choice((1, 1, 2))


def _add_object_of_surrogates(rng: random.Random, data: bytes) -> bytes:
    row = {"id": rng.choice(("amb-1", "\ud800", "amb-\udfff")), "run": 0, "response": "\ud83d" * rng.randint(1, 5)}
    return data + json.dumps(row).encode() + b"\n"


def _splice(rng: random.Random, data: bytes, other: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def _pick_span(rng: random.Random, data: bytes) -> tuple[int, int]:
    start = rng.randrange(len(data))
    return start, min(len(data), start + rng.choice((1, 1, 4, 30, 500)))


_MUTATIONS: Sequence[Mutate] = (
    *(_flip_bits, _flip_bits, _replace_bytes, _truncate, _behead, _delete, _repeat, _insert_token, _insert_token),
    *(_replace_value, _replace_value, _replace_value, _change_line, _change_line, _nest, _repeat_keys, _encode_text),
    *(_lengthen_line, _add_object_of_surrogates, _pack_bomb),
)
