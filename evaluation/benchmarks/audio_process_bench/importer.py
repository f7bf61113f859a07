"""Importer of AudioProcessBench: an organiser's folder → answer key.

`traces.jsonl` has one JSON object per line and trace: `id`, `question_id`, `source`, `generator`, `question`,
`options`, `answer`, `final_answer`, `audio`, `steps`. `labels.jsonl` also has one line per trace: `id`, `erroneous` and
`error_types`. `traces.jsonl` may contain both; then there is no `labels.jsonl`. Other fields are ignored. `audio` is a
path within the folder.

Besides the types of all fields, it checks:

* A trace has as many verdicts and types as steps. The types are the six; every erroneous step has one and no other step
  does. (In the paper's Table 2 the six counts, 9,693 together, are all the erroneous steps.)
* `answer` is among the options. Texts are compared after trimming; differences are reported.
* `final_answer` may be null or not an option: the generator failed, and its answer is wrong.
* Traces of one question have the same question, options, answer and audio.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from evaluation.answer_keys import TraceLabels
from evaluation.benchmarks.audio_process_bench.generators import GENERATORS, generator_slice
from evaluation.benchmarks.audio_process_bench.prompts import MAX_OPTIONS
from evaluation.benchmarks.imported import Count
from evaluation.benchmarks.importing import (
    JsonError,
    double_name_fault,
    format_value,
    list_fault,
    parse_json,
    text_fault,
    texts_fault,
    unwritable_fault,
)
from evaluation.errors import suggest
from evaluation.types import ITEM_ID

TRACES, LABELS = "traces.jsonl", "labels.jsonl"
ERROR_TYPES = ("existence", "semantic", "temporal", "acoustic-attribute", "cross-modal-binding", "reasoning")

# Source: the paper's Table 2 and section 3.4; 46.64 % of 3,872 final answers are right, which only 1,806 gives.
TABLE = {
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
_PUBLIC = ("id", "question_id", "source", "generator", "question", "options", "final_answer", "audio", "steps")
_SHARED = ("question", "options", "answer", "audio")


class Importer:
    """Reads one folder and collects errors in `problems` and repairs in `repaired`."""

    def __init__(self, folder: Path) -> None:
        """Read and check everything in a folder."""
        self.problems: list[str] = []
        self.questions: dict[str, dict[str, Any]] = {}
        self.answers: dict[str, TraceLabels] = {}
        self._trimmed: Counter[str] = Counter()
        self._of_question: dict[str, Mapping[str, Any]] = {}
        self._of_slice: dict[str, Mapping[str, Any]] = {}
        traces = self._read_lines(folder / TRACES)
        labels = self._read_lines(folder / LABELS) if (folder / LABELS).exists() else None
        for trace_id, (where, trace) in traces.items():
            self._add_row(
                where, trace if labels is None else self._join_labels(where, trace, labels.pop(trace_id, None))
            )
        for where, _ in (labels or {}).values():
            self.problems.append(f"{where}: no trace has this id. Remove the line or add the trace to {TRACES}.")
        if not traces and not self.problems:
            self.problems.append(f"{folder / TRACES} has no traces. Write one trace per line.")

    @property
    def repaired(self) -> tuple[str, ...]:
        """Repairs and oddities, one sentence each."""
        strange = sum(question["final_answer"] not in question["options"] for question in self.questions.values())
        sentences = [
            f"Spaces around {n:,} texts in `{name}` were removed." for name, n in sorted(self._trimmed.items())
        ]
        if strange:
            sentences.append(f"{strange:,} traces have a final answer that is not an option; they count as wrong.")
        return tuple(sentences)

    def count(self, *, is_paper: bool) -> tuple[Count, ...]:
        """Return the counts next to those of the paper, or next to themselves for a set of another size."""
        counts = _count_kinds(self.questions.values(), self.answers)
        return tuple(Count(name, n, TABLE[name] if is_paper else n) for name, n in counts.items())

    def _read_lines(self, path: Path) -> dict[str, tuple[str, dict[str, Any]]]:
        """Return ID → (location, object) for every line that contains one."""
        if not path.is_file():
            self.problems.append(f"{path} is missing. The folder must contain {TRACES} and {LABELS}.")
            return {}
        rows: dict[str, tuple[str, dict[str, Any]]] = {}
        for number, line in enumerate(path.read_bytes().splitlines(), start=1):
            row = self._parse(f"{path.name} line {number}", line)
            if row is None:
                continue
            where = f"{path.name} line {number}, id `{row['id']}`"
            if row["id"] in rows:
                self.problems.append(f"{where}: duplicate id. Each trace may appear only once.")
            else:
                rows[row["id"]] = (where, row)
        return rows

    def _parse(self, where: str, line: bytes) -> dict[str, Any] | None:
        if not line.strip():
            return None
        try:
            row = parse_json(line)
        except JsonError as error:
            self.problems.append(f"{where} is not JSON in UTF-8 ({error}). Write one object per line.")
            return None
        if not isinstance(row, dict) or not isinstance(row.get("id"), str) or not ITEM_ID.fullmatch(row["id"]):
            self.problems.append(f"{where} has no valid `id`. Use 1 to 200 ASCII characters without spaces.")
            return None
        fault = double_name_fault(row)
        if fault is not None:
            self.problems.append(f"{where}, id `{row['id']}`: {fault}.")
        return row

    def _join_labels(
        self, where: str, trace: dict[str, Any], label: tuple[str, dict[str, Any]] | None
    ) -> dict[str, Any] | None:
        if label is None:
            self.problems.append(f"{where}: it has no line in {LABELS}. Every trace needs labels.")
            return None
        differing = [name for name in label[1].keys() & trace.keys() if trace[name] != label[1][name]]
        if differing:
            self.problems.append(
                f"{label[0]}: the field {format_value(min(differing))} differs from {TRACES}. Keep one."
            )
            return None
        return trace | label[1]

    def _add_row(self, where: str, row: dict[str, Any] | None) -> None:
        if row is None:
            return
        faults = [*_type_faults(row)] or [*_label_faults(row)]
        if not faults:
            row = self._trim(row)
            faults = [*_answer_faults(row), *self._question_faults(row), *self._generator_faults(row)]
        self.problems += [f"{where}: {fault}" for fault in faults]
        if not faults:
            self.questions[row["id"]] = {name: row[name] for name in _PUBLIC}
            self.answers[row["id"]] = TraceLabels(tuple(row["erroneous"]), tuple(row["error_types"]), row["answer"])

    def _trim(self, row: dict[str, Any]) -> dict[str, Any]:
        """Strip spaces around answers and names of a row."""
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
                yield f"`{name}` differs from that of `{first['id']}`, a trace of the same question. Make them equal."

    def _generator_faults(self, row: Mapping[str, Any]) -> Iterator[str]:
        """Yield problems that prevent separate scores of one generator."""
        name = row["generator"]
        slice_name = generator_slice(name)
        first = self._of_slice.setdefault(slice_name, row)
        if slice_name == generator_slice(""):
            yield (
                f"the generator {format_value(name)} needs a letter a to z or a digit, because score names use them. "
                "Add one."
            )
        elif name != first["generator"]:
            yield (
                f"the generators {format_value(name)} and {format_value(first['generator'])} of `{first['id']}` have "
                "the same letters and digits, so their scores would be merged. "
                "Use one spelling per generator and distinct names."
            )


def _type_faults(row: Mapping[str, Any]) -> Iterator[str]:
    checks = {
        **dict.fromkeys(("question_id", "source", "generator", "question", "answer", "audio"), text_fault),
        "final_answer": _final_answer_fault,
        **dict.fromkeys(("options", "steps"), texts_fault),
        "erroneous": _erroneous_fault,
        "error_types": _error_types_fault,
    }
    if "final_answer" not in row:
        yield "`final_answer` is missing; it must be a string, or null if there is none."
    faults = ((name, find_fault(row.get(name))) for name, find_fault in checks.items())
    yield from (f"`{name}` {fault}." for name, fault in faults if fault is not None)


def _final_answer_fault(value: object) -> str | None:
    if value is None:
        return None
    return (
        unwritable_fault(value) if isinstance(value, str) else f"is {format_value(value)}; it must be a string or null"
    )


def _erroneous_fault(value: object) -> str | None:
    return list_fault(value, "true and false, one per step", _truth_fault)


def _truth_fault(value: object) -> str | None:
    return None if isinstance(value, bool) else f"is {format_value(value)}; it must be true or false"


def _error_types_fault(value: object) -> str | None:
    return list_fault(value, "error types and null, one per step", _error_type_fault)


def _error_type_fault(value: object) -> str | None:
    return None if value is None else text_fault(value)


def _label_faults(row: Mapping[str, Any]) -> Iterator[str]:
    lengths = {name: len(row[name]) for name in ("steps", "erroneous", "error_types")}
    if len(set(lengths.values())) > 1:
        yield "there are " + ", ".join(f"{n} `{name}`" for name, n in lengths.items()) + "; these counts must be equal."
        return
    for number, (erroneous, kind) in enumerate(zip(row["erroneous"], row["error_types"], strict=True), start=1):
        if kind is not None and kind not in ERROR_TYPES:
            allowed = ", ".join(ERROR_TYPES)
            yield f"step {number} has the error type `{kind:.40}`.{suggest(kind, ERROR_TYPES)} Allowed: {allowed}."
        elif erroneous and kind is None:
            yield f"step {number} is erroneous but has no error type. Add one."
        elif kind is not None and not erroneous:
            yield f"step {number} has the error type `{kind}` but is not erroneous. Only erroneous steps may have one."


def _answer_faults(row: Mapping[str, Any]) -> Iterator[str]:
    options = row["options"]
    if not 2 <= len(options) <= MAX_OPTIONS or len(set(options)) < len(options):
        yield f"there are {len(options)} options; 2 to {MAX_OPTIONS} different options are required."
    elif row["answer"] not in options:
        yield f"the answer `{row['answer']:.60}` is not among the options. Copy the option exactly."


def _count_kinds(questions: Iterable[Mapping[str, Any]], answers: Mapping[str, TraceLabels]) -> dict[str, int]:
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
