"""An organiser's folder becomes an answer key.

`traces.jsonl` holds one JSON object a line and trace: `id`, `question_id`, `source`, `generator`, `question`,
`options`, `answer`, `final_answer`, `audio`, `steps`. `labels.jsonl` holds, again a line a trace, `id`, `erroneous` and
`error_types`. Both may stand in `traces.jsonl` together; then there is no `labels.jsonl`. Fields of other names are
passed over. `audio` is a path inside the folder.

What is checked, beside the types of all fields:

* A trace has as many verdicts and types as steps. The types are the six; every erroneous step has one and no other step
  has. (In the paper's Table 2 the six counts, 9,693 together, are all the erroneous steps.)
* `answer` is among the options. Texts are compared after trimming; what differed is reported.
* `final_answer` may be null or no option at all: the generator failed then, and its answer is a wrong one.
* Traces of one question agree in question, options, answer and audio.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from evaluation.answer_keys import TraceLabels
from evaluation.benchmarks.audio_process_bench.prompts import MOST_OPTIONS
from evaluation.benchmarks.imported import Count
from evaluation.errors import suggest

TRACES, LABELS = "traces.jsonl", "labels.jsonl"
ERROR_TYPES = ("existence", "semantic", "temporal", "acoustic-attribute", "cross-modal-binding", "reasoning")
GENERATORS = (
    "Qwen2.5-Omni-7B",
    "Gemma-3n-E4B",
    "Phi-4-Multimodal",
    "Gemma-4-E4B",
    "Qwen3-Omni-30B-A3B",
    "Step-Audio-R1",
)

# Source: the paper's Table 2 and section 3.4; 46.64 % of 3,872 final answers are right, which only 1,806 gives.
_TABLE = {
    "traces": 3_872,
    "steps": 23_497,
    "erroneous steps": 9_693,
    "existence errors": 3_132,
    "semantic errors": 1_147,
    "temporal errors": 526,
    "acoustic-attribute errors": 2_600,
    "cross-modal-binding errors": 1_455,
    "reasoning errors": 833,
    "right final answers": 1_806,
    "generators": 6,
    "generators of the paper": 6,
}
_ID = re.compile(r"[\x21-\x7e]{1,200}")  # what a prediction file can name
_PUBLIC = ("id", "question_id", "source", "generator", "question", "options", "final_answer", "audio", "steps")
_SHARED = ("question", "options", "answer", "audio")


class Importer:
    """Reads one folder; faults gather in `problems`, mended things in `mended`."""

    def __init__(self, folder: Path) -> None:
        """Read and check everything in a folder."""
        self.problems: list[str] = []
        self.questions: dict[str, dict[str, Any]] = {}
        self.answers: dict[str, TraceLabels] = {}
        self._trimmed: Counter[str] = Counter()
        self._of_question: dict[str, Mapping[str, Any]] = {}
        traces = self._read_lines(folder / TRACES)
        labels = self._read_lines(folder / LABELS) if (folder / LABELS).exists() else None
        for trace_id, (where, trace) in traces.items():
            self._take(where, trace if labels is None else self._join(where, trace, labels.pop(trace_id, None)))
        for where, _ in (labels or {}).values():
            self.problems.append(f"{where}: no trace has this id. Remove the line, or add the trace to {TRACES}.")

    @property
    def mended(self) -> tuple[str, ...]:
        """What was put right or is unusual, one sentence each."""
        strange = sum(question["final_answer"] not in question["options"] for question in self.questions.values())
        told = [f"Spaces around {n:,} texts in `{name}` were removed." for name, n in sorted(self._trimmed.items())]
        if strange:
            told.append(f"{strange:,} traces end in no option; their final answers count as wrong ones.")
        return tuple(told)

    def count(self, *, is_paper: bool) -> tuple[Count, ...]:
        """Return the numbers found beside those of the paper, or beside themselves for a set of another size."""
        found = _count(self.questions.values(), self.answers)
        return tuple(Count(name, n, _TABLE[name] if is_paper else n) for name, n in found.items())

    def _read_lines(self, path: Path) -> dict[str, tuple[str, dict[str, Any]]]:
        """Return id → (place, object) for every line of a file that holds one."""
        if not path.is_file():
            self.problems.append(f"{path} is not there. An organiser's folder holds {TRACES} and {LABELS}.")
            return {}
        found: dict[str, tuple[str, dict[str, Any]]] = {}
        for number, line in enumerate(path.read_bytes().splitlines(), start=1):
            row = self._parse(f"{path.name} line {number}", line)
            if row is None:
                continue
            where = f"{path.name} line {number}, id `{row['id']}`"
            if row["id"] in found:
                self.problems.append(f"{where}: this id was there before. Each trace stands once.")
            else:
                found[row["id"]] = (where, row)
        return found

    def _parse(self, where: str, line: bytes) -> dict[str, Any] | None:
        if not line.strip():
            return None
        try:
            row = json.loads(line.decode("utf-8-sig"))
            json.dumps(row, ensure_ascii=False).encode()  # half a surrogate pair could not be written into a key
        except (ValueError, RecursionError):
            self.problems.append(f"{where} is not JSON in UTF-8. Each line holds one object.")
            return None
        if not isinstance(row, dict) or not isinstance(row.get("id"), str) or not _ID.fullmatch(row["id"]):
            self.problems.append(f"{where} has no `id` of 1 to 200 letters, digits and signs without spaces.")
            return None
        return row

    def _join(
        self, where: str, trace: dict[str, Any], label: tuple[str, dict[str, Any]] | None
    ) -> dict[str, Any] | None:
        if label is None:
            self.problems.append(f"{where}: {LABELS} has no line for it. Every trace needs its labels.")
            return None
        differing = [name for name in label[1].keys() & trace.keys() if trace[name] != label[1][name]]
        if differing:
            self.problems.append(f"{label[0]}: `{sorted(differing)[0]}` is another one than in {TRACES}. Keep one.")
            return None
        return trace | label[1]

    def _take(self, where: str, row: dict[str, Any] | None) -> None:
        if row is None:
            return
        faults = [*_type_faults(row)] or [*_label_faults(row)]
        if not faults:
            row = self._trim(row)
            faults = [*_answer_faults(row), *self._question_faults(row)]
        self.problems += [f"{where}: {fault}" for fault in faults]
        if not faults:
            self.questions[row["id"]] = {name: row[name] for name in _PUBLIC}
            self.answers[row["id"]] = TraceLabels(tuple(row["erroneous"]), tuple(row["error_types"]), row["answer"])

    def _trim(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return the row with spaces around its answers and names removed."""
        trimmed = dict(row)
        for name in ("question_id", "generator", "answer", "final_answer"):
            trimmed[name] = row[name].strip() if row[name] is not None else None
        trimmed["options"] = [option.strip() for option in row["options"]]
        self._trimmed.update(name for name in trimmed if trimmed[name] != row[name])
        return trimmed

    def _question_faults(self, row: Mapping[str, Any]) -> Iterator[str]:
        first = self._of_question.setdefault(row["question_id"], row)
        for name in _SHARED:
            if row[name] != first[name]:
                yield f"`{name}` differs from that of `{first['id']}`, a trace of the same question. Make them agree."


def _type_faults(row: Mapping[str, Any]) -> Iterator[str]:
    for name in ("question_id", "source", "generator", "question", "answer", "audio"):
        if not _is_text(row.get(name)):
            yield f"`{name}` is {row.get(name)!r:.60}; a text is needed."
    if "final_answer" not in row or not (row["final_answer"] is None or isinstance(row["final_answer"], str)):
        yield f"`final_answer` is {row.get('final_answer')!r:.60}; a text is needed, or null where there is none."
    for name in ("options", "steps"):
        if not _is_list_of(row.get(name), _is_text):
            yield f"`{name}` is {row.get(name)!r:.60}; a list of texts is needed."
    if not _is_list_of(row.get("erroneous"), lambda value: isinstance(value, bool)):
        yield f"`erroneous` is {row.get('erroneous')!r:.60}; a list of true and false is needed, one a step."
    if not _is_list_of(row.get("error_types"), lambda value: value is None or isinstance(value, str)):
        yield f"`error_types` is {row.get('error_types')!r:.60}; a list of error types and null is needed, one a step."


def _label_faults(row: Mapping[str, Any]) -> Iterator[str]:
    lengths = {name: len(row[name]) for name in ("steps", "erroneous", "error_types")}
    if len(set(lengths.values())) > 1:
        yield "there are " + ", ".join(f"{n} `{name}`" for name, n in lengths.items()) + "; the numbers must be equal."
        return
    for number, (erroneous, kind) in enumerate(zip(row["erroneous"], row["error_types"], strict=True), start=1):
        if kind is not None and kind not in ERROR_TYPES:
            allowed = ", ".join(ERROR_TYPES)
            yield f"step {number} has the error type `{kind:.40}`.{suggest(kind, ERROR_TYPES)} Allowed: {allowed}."
        elif erroneous and kind is None:
            yield f"step {number} is erroneous and has no error type. Every erroneous step has one."
        elif kind is not None and not erroneous:
            yield f"step {number} has the error type `{kind}` and is not erroneous. Only erroneous steps have one."


def _answer_faults(row: Mapping[str, Any]) -> Iterator[str]:
    options = row["options"]
    if not 2 <= len(options) <= MOST_OPTIONS or len(set(options)) < len(options):
        yield f"there are {len(options)} options; 2 to {MOST_OPTIONS} different ones are needed."
    elif row["answer"] not in options:
        yield f"the answer `{row['answer']:.60}` is not among the options. Write it as the option is written."


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_list_of(value: object, fits: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(fits(element) for element in value)


def _count(questions: Iterable[Mapping[str, Any]], answers: Mapping[str, TraceLabels]) -> dict[str, int]:
    generators, right = set(), 0
    for question in questions:
        generators.add(question["generator"])
        right += question["final_answer"] == answers[question["id"]].answer
    kinds = Counter(kind for labels in answers.values() for kind in labels.error_types)
    return {
        "traces": len(answers),
        "steps": kinds.total(),
        "erroneous steps": kinds.total() - kinds[None],
        **{f"{kind} errors": kinds[kind] for kind in ERROR_TYPES},
        "right final answers": right,
        "generators": len(generators),
        "generators of the paper": len(generators & set(GENERATORS)),
    }
