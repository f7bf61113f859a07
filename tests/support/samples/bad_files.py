"""Common upload mistakes, each made from sixty valid rows, with the first error message to expect.

The questions have the ids `amb-0000` to `amb-0059`; each has three runs.
"""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evaluation.predictions import Catalogue, CatalogueItem

ITEMS: Sequence[str] = tuple(f"amb-{number:04}" for number in range(60))
RUNS = range(3)
CATALOGUE = Catalogue(
    "Bench 1.0", {item: CatalogueItem("p", "choice", (0, 1, 2)) for item in ITEMS}, runs_are_seeds=True
)
Row = dict[str, Any]
Change = Callable[[Row], Row]


class BadFile(NamedTuple):
    """A file, its first expected error message, and the number of problems shown."""

    name: str
    data: bytes
    first: str
    n_problems: int


def make_rows(runs: Iterable[int] = RUNS) -> list[Row]:
    """Return valid rows."""
    return [{"id": item, "run": run, "response": "The answer is (A)."} for item in ITEMS for run in runs]


def write_lines(rows: Iterable[object]) -> bytes:
    """Return rows as JSON Lines."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def change_lines(change: Change) -> bytes:
    """Apply a change to every valid row, and return JSON Lines."""
    return write_lines(change(row) for row in make_rows())


def change_texts(change: Callable[[str], str]) -> bytes:
    """Apply a change to the text of every valid row, and return JSON Lines."""
    return "".join(change(json.dumps(row)) + "\n" for row in make_rows()).encode()


def without(row: Row, *names: str) -> Row:
    """Return a row without some fields."""
    return {name: value for name, value in row.items() if name not in names}


def rename(row: Row, **names: str) -> Row:
    """Rename fields of a row: `ours="theirs"`."""
    return {names.get(name, name): value for name, value in row.items()}


def write_table(rows: Iterable[Mapping[str, object]], delimiter: str = ",") -> bytes:
    """Return rows as a table."""
    rows = list(rows)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def zip_files(*names: str) -> bytes:
    """Return a zip archive of files with these names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, "{}")
    return out.getvalue()


def with_text(row: Row, text: object) -> Row:
    return {**row, "response": text}


def shift(row: Row) -> Row:
    return {**row, "run": row["run"] + 1}


def with_id(pattern: str) -> Change:
    return lambda row: {**row, "id": pattern.format(id=row["id"], run=row["run"], number=row["id"][4:])}


def damage(data: bytes, *lines: int) -> bytes:
    """Truncate some of the lines."""
    rows = data.splitlines(keepends=True)
    for line in lines:
        rows[line - 1] = rows[line - 1][:20].rstrip() + b"\n"
    return b"".join(rows)


def batch(row: Row) -> Row:
    body = {"choices": [{"message": {"role": "assistant", "content": row["response"]}}]}
    return {
        "id": f"batch_{row['id']}",
        "custom_id": row["id"],
        "response": {"status_code": 200, "body": body},
        "error": None,
    }


def lmms_sample(row: Row) -> Row:
    return {
        "doc_id": 7, "doc": {"question": "…"}, "target": "A", "arguments": [], "resps": [[row["response"]]],
        "filtered_resps": [row["response"]], "doc_hash": "d",
    }  # fmt: skip


ROWS = make_rows()
GOOD = write_lines(ROWS)
PRETTY = json.dumps(ROWS, indent=2)
INSPECT_ROW = {
    "id": ITEMS[0],
    "epoch": 1,
    "input": "…",
    "target": "A",
    "output": {"completion": "A"},
    "scores": {"m": {}},
}

FILES: Mapping[str, bytes] = {
    "text": b"".join(f"The answer to question {n} is A.\n".encode() for n in range(60)),
    "text with colon": b"".join(f"{i}: A\n".encode() for i in ITEMS),
    "Python dicts": "".join(str(r) + "\n" for r in ROWS).encode(),
    "a Python list": str(ROWS).encode(),
    "a Python dict of ids": str(dict.fromkeys(ITEMS, "A")).encode(),
    "trailing comma in row": change_texts(lambda t: t[:-1] + ",}"),
    "comma behind": change_texts(lambda t: t + ","),
    "NaN": change_texts(lambda t: t[:-1] + ', "score": NaN}'),
    "NaN response": change_texts(lambda t: t.replace('"The answer is (A)."', "NaN")),
    "None": change_texts(lambda t: t[:-1] + ', "score": None}'),
    "True": change_texts(lambda t: t.replace('"The answer is (A)."', "True")),
    "unquoted names": change_texts(
        lambda t: t.replace('"id"', "id").replace('"run"', "run").replace('"response"', "response")
    ),
    "every line cut off": change_texts(lambda t: t[:-3]),
    "results within an indented object": json.dumps({"results": ROWS}, indent=2).encode(),
    "results within an object": json.dumps({"results": ROWS}).encode(),
    "predictions within an indented object": json.dumps({"model": "x", "predictions": ROWS}, indent=1).encode(),
    "an object within an object": json.dumps({"predictions": dict.fromkeys(ITEMS, "A")}).encode(),
    "results of ten megabytes within an object": json.dumps(
        {"meta": {"a": 1}, "results": [{**r, "response": "x" * 20000} for r in ROWS]}
    ).encode(),
    "pretty rows": "\n".join(json.dumps(r, indent=2) for r in ROWS).encode(),
    "pretty rows id missing": "\n".join(
        json.dumps(rename(r, id="question_id", response="prediction"), indent=2) for r in ROWS
    ).encode(),
    "objects without line ends": "".join(json.dumps(r) for r in ROWS).encode(),
    "objects without line ends, megabytes long": "".join(
        json.dumps({**r, "response": "x" * 20000}) for r in ROWS
    ).encode(),
    "two per line": "".join(
        json.dumps(a) + json.dumps(b) + "\n" for a, b in zip(ROWS[::2], ROWS[1::2], strict=True)
    ).encode(),
    "twice": GOOD * 2,
    "three times": GOOD * 3,
    "twice+damaged": damage(GOOD * 2, 7),
    "no run": change_lines(lambda r: without(r, "run")),
    "all run 0": change_lines(lambda r: {**r, "run": 0}),
    "csv no run": write_table(without(r, "run") for r in ROWS),
    "csv wrong cells": ("id,run,response\n" + "".join(f"{r['id']},{r['run']},Well, it is A\n" for r in ROWS)).encode(),
    "csv text run": write_table({**r, "run": "first"} for r in ROWS),
    "csv renamed": write_table(rename(r, id="question_id", response="prediction") for r in ROWS),
    "csv no header": write_table(ROWS).split(b"\n", 1)[1],
    "csv pipes": write_table(ROWS, "|"),
    "VLMEvalKit table": write_table([{"index": 1, "question": "q", "answer": "A", "prediction": "A"}] * 60, "\t"),
    "csv bad quotes": ("id,run,response\n" + "".join(f'{r["id"]},{r["run"]},He said "A" "\n' for r in ROWS)).encode(),
    "csv sep": b"sep=;\n" + write_table(ROWS, ";"),
    "numbers": change_lines(lambda r: with_text(r, 2)),
    "lists": change_lines(lambda r: with_text(r, ["A"])),
    "object numbers": json.dumps(dict.fromkeys(ITEMS, 2)).encode(),
    "object null": json.dumps(dict.fromkeys(ITEMS), indent=1).encode(),
    "object list numbers": json.dumps({i: [1, 2, 3] for i in ITEMS}, indent=1).encode(),
    "empty": change_lines(lambda r: with_text(r, "")),
    "blank": change_lines(lambda r: with_text(r, "  \n")),
    "prefix of ids": change_lines(with_id("test/{id}")),
    "suffix of ids": change_lines(with_id("{id}.wav")),
    "runs in the ids": change_lines(with_id("{id}_run{run}")),
    "runs in the ids, bare": change_lines(with_id("{id}-{run}")),
    "prefix and suffix of ids": change_lines(with_id("data/{id}.wav")),
    "numbers before the ids": write_lines({**r, "id": f"{n}_{r['id']}"} for n, r in enumerate(ROWS)),
    "ids in capitals": change_lines(lambda r: {**r, "id": r["id"].upper()}),
    "ids with underscores": change_lines(lambda r: {**r, "id": r["id"].replace("-", "_")}),
    "ids without zeros": change_lines(lambda r: {**r, "id": "amb-" + str(int(r["id"][4:]))}),
    "spaces": change_lines(with_id(" {id} ")),
    "newline id": change_lines(with_id("{id}\n")),
    "ids without their prefix": change_lines(with_id("{number}")),
    "line numbers as ids": change_lines(lambda r: {**r, "id": str(1000 + int(r["id"][4:]))}),
    "int ids": change_lines(lambda r: {**r, "id": int(r["id"][4:])}),
    "clip ids": change_lines(with_id("sounds/{number}.wav")),
    "other ids": change_lines(with_id("q{number}x")),
    "empty ids": change_lines(with_id("")),
    "question text ids": change_lines(with_id("Which one moves {number}?")),
    "runs from 1": change_lines(shift),
    "runs from 1, two damaged lines": damage(change_lines(shift), 5, 60),
    "runs from 1, three renamed fields": change_lines(
        lambda r: rename(shift(r), response="answer") if r["id"] == ITEMS[3] else shift(r)
    ),
    "run 42": change_lines(lambda r: {**r, "run": r["run"] + 42}),
    "run text": change_lines(lambda r: {**r, "run": str(r["run"])}),
    "run float": change_lines(lambda r: {**r, "run": r["run"] + 0.5}),
    "run negative": change_lines(lambda r: {**r, "run": -1}),
    "run 4 some": write_lines(make_rows(range(5))),
    "lmms-eval samples": change_lines(lmms_sample),
    "lmms results": json.dumps(
        {"results": {"t": {"acc": 1}}, "configs": {}, "versions": {}, "n-shot": {}}, indent=2
    ).encode(),
    "VLMEvalKit lines": change_lines(lambda r: {"index": 3, "question": "q", "answer": "A", "prediction": "A"}),
    "inspect": json.dumps(
        {"version": 2, "status": "success", "eval": {"task": "t"}, "plan": {}, "samples": [INSPECT_ROW | {"id": 1}]},
        indent=2,
    ).encode(),
    "inspect oneline": json.dumps(
        {"version": 2, "status": "success", "eval": {"task": "t"}, "plan": {}, "samples": [INSPECT_ROW | {"id": 1}]}
    ).encode(),
    "inspect eval": zip_files("header.json", "samples/a_epoch_1.json", "summaries.json", "_journal/start.json"),
    "inspect rows": json.dumps([INSPECT_ROW] * 60).encode(),
    "evalscope": change_lines(lambda r: {"index": 3, "model": "m", "model_output": {"choices": []}, "messages": []}),
    "evalscope review": change_lines(
        lambda r: {"index": 3, "input": "m", "target": "A", "sample_score": {"score": {}}}
    ),
    "opencompass": json.dumps(
        {str(n): {"origin_prompt": "q", "prediction": "A", "gold": "A"} for n in range(60)}, indent=1
    ).encode(),
    "OpenAI batch": change_lines(batch),
    "helm": json.dumps({"adapter_spec": {}, "request_states": []}).encode(),
    "promptfoo": json.dumps({"evalId": "x", "results": {"results": []}}).encode(),
    "both renamed": change_lines(lambda r: rename(r, id="question_id", response="prediction")),
    "both renamed2": change_lines(lambda r: rename(r, id="question_id", response="model_output")),
    "model_output": change_lines(lambda r: rename(r, response="model_output")),
    "gold beside": change_lines(lambda r: {"id": r["id"], "run": r["run"], "answer": "B", "prediction": "A"}),
    "case names": change_lines(lambda r: rename(r, id="ID", response="Response")),
    "no response": change_lines(lambda r: without(r, "response")),
    "strange names": change_lines(lambda r: {"a": r["id"], "b": "A"}),
    "chat no id": change_lines(lambda r: {"messages": []}),
    "encoded twice": "".join(json.dumps(json.dumps(r)) + "\n" for r in ROWS).encode(),
    "list of lists": json.dumps([[r["id"], "A"] for r in ROWS]).encode(),
    "list of strings": json.dumps([r["response"] for r in ROWS]).encode(),
    "lines of strings": write_lines(r["response"] for r in ROWS),
    "lines of lists": write_lines([r["id"], "A"] for r in ROWS),
    "columns dict": json.dumps(
        {k: {str(n): r[k] for n, r in enumerate(ROWS)} for k in ("id", "run", "response")}
    ).encode(),
    "columns list": json.dumps({k: [r[k] for r in ROWS] for k in ("id", "run", "response")}).encode(),
    "nested list": json.dumps([ROWS]).encode(),
    "list trailing": (json.dumps(ROWS)[:-1] + ",]").encode(),
    "list cut": json.dumps(ROWS)[:-30].encode(),
    "list no commas": ("[" + "\n".join(json.dumps(r) for r in ROWS) + "]").encode(),
    "list NaN": json.dumps([{**r, "s": float("nan")} for r in ROWS]).encode(),
    "fence": b"```json\n" + GOOD + b"```\n",
    "yaml": b"".join(f"- id: {r['id']}\n  response: A\n".encode() for r in ROWS),
    "sse": b"".join(b"data: " + line + b"\n" for line in GOOD.splitlines()),
    "logs": b"".join(b"INFO 12:00 " + line + b"\n" for line in GOOD.splitlines()),
    "tabs in text": change_texts(lambda t: t.replace("answer is", "answer\tis")),
    "latex": change_texts(lambda t: t.replace("(A)", "\\(A\\)")),
    "latin1": change_texts(lambda t: t.replace("answer", "\u00e9")).decode().encode("latin-1"),
    "dup field": change_texts(lambda t: t[:-1] + ', "response": "B"}'),
    "markdown table": b"| id | response |\n|---|---|\n" + b"".join(f"| {r['id']} | A |\n".encode() for r in ROWS),
    "questions": change_lines(
        lambda r: {
            "id": r["id"],
            "run": r["run"],
            "setting": "d",
            "prompt": [],
            "options": [],
            "answer_format": "choice",
        }
    ),
    "readme": b"# Results\n\nOur model is great.\n",
    "number lines": b"1\n2\n3\n4\n5\n",
    "verdicts": change_lines(lambda r: {"id": r["id"], "run": r["run"], "erroneous": [True]}),
    "long": change_lines(lambda r: with_text(r, "x" * 200001)),
}
_ANSWERS = Path(__file__).with_name("bad_files.txt")


def list_bad_files() -> list[BadFile]:
    """Return every file with its expected message; `bad_files.txt` has a line for each: name, number, message."""
    rows = [line.split("\t") for line in _ANSWERS.read_text().splitlines()]
    assert [name for name, _, _ in rows] == [*FILES]
    return [BadFile(name, FILES[name], first, int(n_problems)) for name, n_problems, first in rows]
