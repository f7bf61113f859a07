"""Prediction files in every format: round trip for any chunking, defined errors only, constant memory."""

import gzip
import io
import random
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import Prediction
from evaluation.predictions import Problem, Problems
from evaluation.predictions.formats import ROW_FIELDS, read_rows
from evaluation.predictions.rows import MAX_ROW_BYTES
from tests.support.samples.intake_files import FORMS, PACKINGS, RemoteFile, SlowFile, write_short_object, zip_of

ROOT = Path(__file__).parents[3]
# An object whose first id is the name of a field is parsed as a row.
IDS = st.from_regex(r"[\x21-\x7e]{1,30}", fullmatch=True).filter(lambda name: name not in ROW_FIELDS)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=60)
FLAGS = st.lists(st.booleans(), min_size=1, max_size=4)


def judge_steps(item_id: str, flags: list[bool]) -> dict[str, object]:
    return {"id": item_id, "run": 0, "erroneous": flags, "scores": [0.25] * len(flags)}


ANSWERS = st.one_of(
    st.fixed_dictionaries({"id": IDS, "run": st.integers(0, 1_000), "response": TEXTS}),
    st.fixed_dictionaries({"id": IDS, "run": st.integers(0, 1_000), "erroneous": FLAGS}),
    st.builds(judge_steps, IDS, FLAGS),
)
SIZES = st.lists(st.integers(1, 5_000), min_size=1, max_size=4)


def read(data: bytes, sizes: list[int] | None = None) -> tuple[list[Prediction], tuple[Problem, ...]]:
    problems = Problems()
    file = io.BytesIO(data) if sizes is None else io.BufferedReader(SlowFile(data, sizes), min(sizes))
    return list(read_rows(file, problems)), problems.shown


def to_prediction(row: dict[str, object]) -> tuple[object, ...]:
    flags, scores = row.get("erroneous"), row.get("scores")
    return (
        row["id"],
        row["run"],
        row.get("response"),
        None if flags is None else tuple(flags),  # type: ignore[arg-type]
        None if scores is None else tuple(scores),  # type: ignore[arg-type]
    )


@given(st.lists(ANSWERS, min_size=1, max_size=8), st.sampled_from([*FORMS]), st.sampled_from([*PACKINGS]), SIZES)
def test_predictions_in_every_format_are_read_back_from_any_chunks(
    rows: list[dict[str, object]], form: str, packing: str, sizes: list[int]
) -> None:
    predictions, problems = read(PACKINGS[packing](FORMS[form][0](rows)), sizes)
    assert problems == ()
    assert [(p.id, p.run, p.response, p.erroneous, p.scores) for p in predictions] == [
        to_prediction(row) for row in rows
    ]


@given(st.dictionaries(IDS, st.lists(TEXTS, min_size=1, max_size=4), min_size=1, max_size=5), SIZES)
def test_object_of_texts_is_read_as_runs(texts: dict[str, list[str]], sizes: list[int]) -> None:
    rows = [{"id": name, "response": text} for name, runs in texts.items() for text in runs]
    predictions, problems = read(write_short_object(rows), sizes)
    assert problems == ()
    assert [(p.id, p.run, p.response) for p in predictions] == [
        (name, run, text) for name, runs in texts.items() for run, text in enumerate(runs)
    ]


def test_file_of_every_format_is_read_in_bounded_chunks(subtests: pytest.Subtests) -> None:
    for form in FORMS:
        for packing in PACKINGS:
            with subtests.test(packing=packing, form=form):
                rows = [{"id": f"i{n}", "run": 0, "response": 'He said: "B",\n…'} for n in range(1_000)]
                problems = Problems()
                file = RemoteFile(PACKINGS[packing](FORMS[form][0](rows)), MAX_ROW_BYTES)
                assert sum(1 for _ in read_rows(cast("BinaryIO", file), problems)) == len(rows)
                assert problems.shown == ()


BEGINNINGS = [b"", b"\x1f\x8b\x08", b"PK\x03\x04", b"PK\x05\x06", b"id,response\n", b'{"']


def test_object_is_recognised_with_any_first_id(subtests: pytest.Subtests) -> None:
    for item_id in ('"', "\\", '\\"', "{", "a:b", "i" * 200):
        with subtests.test(item_id=item_id):
            predictions, problems = read(FORMS["object"][0]([{"id": item_id, "response": "A"}]))
            assert problems == ()
            assert [prediction.id for prediction in predictions] == [item_id]


SEEDS = [
    pack(write([{"id": f"i{n}", "run": n, "response": 'He said: "B",\n…'} for n in range(30)]))
    for write, _ in FORMS.values()
    for pack in PACKINGS.values()
]


@given(st.sampled_from(SEEDS), st.randoms(use_true_random=False), st.integers(1, 6))
def test_file_with_random_changes_gives_predictions_or_problems_but_no_error(
    data: bytes, chance: random.Random, n_changes: int
) -> None:
    changed = bytearray(data)
    for _ in range(n_changes):
        at = chance.randrange(len(changed))
        piece = chance.choice([b"", b'"', b"\x00", b"\n", b"{", b"]", b",", chance.randbytes(3)])
        changed[at : at + chance.randrange(3)] = piece
    _, problems = read(bytes(changed))
    assert all(problem.message.isprintable() and len(problem.message) < 400 for problem in problems)


@given(
    st.binary(max_size=300),
    st.sampled_from(BEGINNINGS),
)
def test_any_bytes_after_any_beginning_never_raise(data: bytes, beginning: bytes) -> None:
    for packed in (beginning + data, gzip.compress(beginning + data), zip_of(beginning + data)):
        _, problems = read(packed)
        assert all(problem.message.isprintable() for problem in problems)


def test_longest_response_is_read_in_every_format(subtests: pytest.Subtests) -> None:
    for form in FORMS:
        with subtests.test(form=form):
            for letter in ("x", '"', "\n", "答", "\U0001f3bb"):
                predictions, problems = read(FORMS[form][0]([{"id": "a", "run": 0, "response": letter * 200_000}]))
                assert problems == ()
                assert [prediction.response for prediction in predictions] == [letter * 200_000]
            assert MAX_ROW_BYTES > 200_000 * 12


MEASURE = """
import contextlib, sys, zipfile, zlib
from evaluation.predictions import Catalogue, CatalogueItem, validate_predictions

ANSWER = "I listened to both clips, and the second gets louder on the right, so it is (B). " * 10
HEADS = {"list": "[\\n", "object": "{\\n", "csv": "id,response\\n"}
TAILS = {"list": "\\n]", "object": "\\n}"}
ENDS = {"list": ",\\n", "object": ",\\n"}

# getrusage includes the peak of the parent process.
def status(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name + ":"))

def line(form, n):
    if form == "csv":
        return f'i{n},"{ANSWER}"'
    if form == "object":
        return f'"i{n}": "{ANSWER}"'
    return f'{{"id": "i{n}", "run": 0, "response": "{ANSWER}"}}'

def pieces(form, N):
    end = ENDS.get(form, "\\n")
    yield HEADS.get(form, "").encode()
    for first in range(0, N, 1000):
        lines = end.join(line(form, n) for n in range(first, min(N, first + 1000)))
        yield (lines + (end if first + 1000 < N else TAILS.get(form, ""))).encode()

def packed(form, N):
    packer = zlib.compressobj(1, wbits=31)
    for piece in pieces(form, N):
        yield packer.compress(piece)
    yield packer.flush()

def write(form, N, path):
    with contextlib.ExitStack() as stack:
        if form == "zip":
            archive = stack.enter_context(zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1))
            file = stack.enter_context(archive.open("predictions.jsonl", "w"))
        else:
            file = stack.enter_context(open(path, "wb"))
        for piece in packed(form, N) if form == "gzip" else pieces(form, N):
            file.write(piece)

path, *forms = sys.argv[1:]
before = None
for form, n_megabytes in (pair.split(":") for pair in forms):
    N = int(n_megabytes) * 1_000_000 // len(ANSWER)
    write(form, N, path)
    known = Catalogue("B", {f"i{n}": CatalogueItem("p", "choice", (0,)) for n in range(N)})
    if before is None:
        before = status("VmRSS")
    with open(path, "rb") as file:
        verdict = validate_predictions(file, known)
    assert verdict.ok and verdict.predictions == N, verdict
print(status("VmHWM") - before)
"""


def measure(path: Path, *forms: str) -> int:
    """Return the peak memory, in kilobytes, of checking files of some formats and sizes."""
    process = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path), *forms],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, "")
    return int(process.stdout)


needs_proc_status = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Peak memory is read from /proc")


@needs_proc_status
def test_file_of_every_format_is_checked_in_less_memory_than_its_size(tmp_path: Path) -> None:
    forms = (f"{form}:24" for form in ("lines", "gzip", "zip", "list", "object", "csv"))
    assert measure(tmp_path / "predictions", *forms) < 20_000


@needs_proc_status
@pytest.mark.slow
@pytest.mark.parametrize("form", ["lines:200", "gzip:110", "zip:110", "list:70", "object:70", "csv:70"])
def test_large_file_is_checked_within_64_megabytes(form: str, tmp_path: Path) -> None:
    assert measure(tmp_path / "predictions", form) < 64_000
