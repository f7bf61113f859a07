"""Result files of other tools with chosen predictions, and files that the tools themselves wrote.

`RESULTS` has files from made-up questions, by name: inspect_ai 0.3.285 with its mock model, EvalScope 1.14.1 with its
mock model, lmms-eval 0.7.3 with its dummy model, and tables as VLMEvalKit writes them, with pandas 3.1.1 and openpyxl
3.1.5 or XlsxWriter. The writers here follow these files, and for HELM and UltraEval-Audio the sources of the tools.
"""

import csv
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import zstandard

from evaluation.predictions.zip_archive import ZSTANDARD

RESULTS = Path(__file__).parent / "tool_results"
Row = Mapping[str, Any]
Write = Callable[[Sequence[Row]], bytes]
TRANSCRIPT = [{"role": "user", "content": [{"type": "audio", "audio": 'data:audio/wav;base64,AAAA\\"{[]}'}]}]


def _write_lines(rows: Sequence[object]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def _numbered(row: Row) -> str:
    return f"{row['id']}#{row['run']}" if row["run"] else str(row["id"])


def write_lmms_eval(rows: Sequence[Row]) -> bytes:
    """Return samples whose filtered responses differ from the raw ones in every second line."""
    lines: list[dict[str, Any]] = []
    for number, row in enumerate(rows):
        line: dict[str, Any] = {"doc_id": number, "target": _numbered(row)}
        if number % 2:
            line |= {"resps": [row["response"]], "filtered_resps": "Z"}
        else:
            line |= {"filtered_resps": row["response"]}
        lines.append(line | {"token_counts": [None], "doc_hash": "d", "answered": 1.0, "input": "Which bell?"})
    return _write_lines(lines)


def make_inspect_sample(row: Row) -> dict[str, Any]:
    """Return a sample of inspect_ai, whose own score is always of another answer."""
    return {
        "id": row["id"],
        "epoch": row["run"] + 1,
        "input": TRANSCRIPT,
        "target": "Z",
        "messages": TRANSCRIPT,
        "output": {
            "model": "mockllm/model",
            "choices": [{"message": {"role": "assistant", "content": "Z"}, "stop_reason": "stop"}],
            "completion": row["response"],
        },
        "scores": {"match": {"value": "C", "answer": "Z", "explanation": "Z"}},
        "events": [{"event": "model", "id": "other", "output": {"completion": "Z"}}],
    }


def write_inspect_json(rows: Sequence[Row]) -> bytes:
    """Return a log in JSON."""
    log = {"version": 2, "status": "success", "eval": {"task": "bells", "samples": []}, "plan": {}}
    samples = [make_inspect_sample(row) for row in rows]
    return json.dumps(log | {"samples": samples, "reductions": []}, indent=2, ensure_ascii=False).encode()


def write_inspect_log(rows: Sequence[Row]) -> bytes:
    """Return a binary log, with names that would leave the folder if they were used."""
    samples = {
        f"samples/..{number}_epoch_{row['run'] + 1}.json": json.dumps(make_inspect_sample(row)).encode()
        for number, row in enumerate(rows)
    }
    return zip_zstandard({"_journal/start.json": b'{"version": 2}', **samples, "header.json": b"{}"})


def zip_zstandard(files: Mapping[str, bytes]) -> bytes:
    """Return a zip whose entries are packed with Zstandard, in frames of at most a megabyte."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            pieces = [data[at : at + 1_000_000] for at in range(0, len(data), 1_000_000)] or [b""]
            packed = b"".join(zstandard.ZstdCompressor().compress(piece) for piece in pieces)
            archive.writestr(name, packed)
            entry = archive.filelist[-1]
            entry.compress_type, entry.file_size, entry.CRC = ZSTANDARD, len(data), zlib.crc32(data)
    return buffer.getvalue()


def write_evalscope_reviews(rows: Sequence[Row]) -> bytes:
    """Return reviews, whose extracted answers are wrong."""
    return _write_lines(
        [
            {
                "index": number,
                "target": "Z",
                "messages": TRANSCRIPT,
                "agent_trace": None,
                "sample_score": {
                    "score": {"value": {"acc": 1.0}, "extracted_prediction": "Z", "prediction": row["response"]},
                    "sample_id": number,
                    "group_id": number,
                    "generation_index": row["run"],
                    "sample_metadata": {"id": row["id"]},
                },
            }
            for number, row in enumerate(rows)
        ]
    )


def write_evalscope_predictions(rows: Sequence[Row]) -> bytes:
    """Return predictions, whose messages have several parts in every second line."""
    lines = []
    for number, row in enumerate(rows):
        parts = [{"type": "reasoning", "reasoning": "Z"}, {"type": "text", "text": row["response"]}]
        message = {"role": "assistant", "content": parts if number % 2 else row["response"]}
        output = {"model": "mock", "choices": [{"message": message}, {"message": {"content": "Z"}}]}
        line = {"index": number, "model": "mock", "model_output": output, "messages": TRANSCRIPT}
        lines.append(line | {"agent_trace": None, "metadata": {"id": _numbered(row)}})
    return _write_lines(lines)


def write_ultraeval(rows: Sequence[Row]) -> bytes:
    """Return records of UltraEval-Audio, with two rows that are asked at the same time."""
    records: list[dict[str, Any]] = []
    for first in range(0, len(rows), 2):
        pair = list(enumerate(rows[first : first + 2], first))
        for number, row in pair:
            records += [
                {"type": "prompt", "id": number, "data": {"content": TRANSCRIPT}},
                {"type": "inference", "id": number, "data": {"content": row["response"]}},
                {"type": "post_process", "id": number, "data": {"content": "Z"}},
            ]
        records += [
            {"type": "eval", "id": number, "data": {"match": 1, "pred": "Z", "ref": _numbered(row)}}
            for number, row in reversed(pair)
        ]
    return _write_lines(records)


def write_helm(rows: Sequence[Row]) -> bytes:
    """Return a scenario state of HELM, in which the run is the training trial."""
    states = [
        {
            "instance": {"input": {"text": "Which bell?"}, "references": [], "split": "test", "id": row["id"]},
            "train_trial_index": row["run"],
            "request": {"model": "m", "prompt": "Which bell?", "num_completions": 1},
            "result": {
                "success": True,
                "embedding": [],
                "completions": [{"text": row["response"], "logprob": 0, "tokens": [{"text": "Z", "logprob": 0}]}],
                "cached": False,
            },
            "num_train_instances": 0,
        }
        for row in rows
    ]
    state = {"adapter_spec": {"method": "generation"}, "request_states": states, "annotator_specs": []}
    return json.dumps(state, indent=2, ensure_ascii=False).encode()


def write_vlmevalkit_tsv(rows: Sequence[Row]) -> bytes:
    """Return a table with a numbered index next to the ID."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(["index", "id", "question", "answer", "prediction"])
    writer.writerows([n, _numbered(row), "Which bell?", "Z", row["response"]] for n, row in enumerate(rows))
    return text.getvalue().encode()


def write_vlmevalkit_xlsx(rows: Sequence[Row]) -> bytes:
    """Return a workbook in which every second response is a shared text."""
    shared = ["index", "prediction", *(row["response"] for row in rows)]
    cells = [("1", _share(0), _share(1))]
    for number, row in enumerate(rows):
        response = _share(number + 2) if number % 2 else _inline(row["response"])
        cells.append((str(number + 2), _inline(_numbered(row)), response))
    lines = "".join(
        f'<row r="{r}"><c r="A{r}" {a}</c><c r="B{r}" t="n"><v>0</v></c><c r="C{r}" {c}</c></row>' for r, a, c in cells
    )
    strings = "".join(f'<si><t xml:space="preserve">{_escape_cell(text)}</t></si>' for text in shared)
    return zip_workbook(f"<worksheet><sheetData>{lines}</sheetData></worksheet>", f"<sst>{strings}</sst>")


def zip_workbook(sheet: str | bytes, strings: str | bytes = "<sst></sst>") -> bytes:
    """Return a workbook with one sheet."""
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "xl/workbook.xml": f'<workbook xmlns:r="{kind}"><sheets><sheet name="S" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": (
            f'<Relationships><Relationship Id="rId1" Type="{kind}/worksheet" Target="/xl/worksheets/sheet1.xml"/>'
            f'<Relationship Id="rId2" Type="{kind}/sharedStrings" Target="sharedStrings.xml"/></Relationships>'
        ),
        "xl/worksheets/sheet1.xml": sheet,
        "xl/sharedStrings.xml": strings,
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def _share(number: int) -> str:
    return f't="s"><v>{number}</v>'


def _inline(text: str) -> str:
    return f't="inlineStr"><is><t xml:space="preserve">{_escape_cell(text)}</t></is>'


def _escape_cell(text: str) -> str:
    """Return a text as XML, with the escapes of workbooks for control characters."""
    return "".join(f"_x{ord(c):04X}_" if c < " " and c not in "\n\t" else c for c in escape(text))


TOOL_FORMS: Mapping[str, Write] = {
    "lmms-eval": write_lmms_eval,
    "inspect-json": write_inspect_json,
    "inspect-eval": write_inspect_log,
    "evalscope-predictions": write_evalscope_predictions,
    "evalscope-reviews": write_evalscope_reviews,
    "ultraeval": write_ultraeval,
    "helm": write_helm,
    "vlmevalkit-tsv": write_vlmevalkit_tsv,
    "vlmevalkit-xlsx": write_vlmevalkit_xlsx,
}
