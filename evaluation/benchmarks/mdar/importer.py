"""Importer of MDAR: reads an organiser's folder, and reports all errors with locations and all repairs."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluation.answer_keys import AnswerKey, AnswerValue
from evaluation.benchmarks.imported import Count, Imported
from evaluation.benchmarks.importing import JsonError, double_name_fault, parse_json, text_fault, texts_fault
from evaluation.benchmarks.mdar.design import CATEGORIES, FILES, Category
from evaluation.benchmarks.official import find_sounds
from evaluation.errors import ImportProblemsError, suggest
from evaluation.types import OPTION_LETTERS

RELEASED = "1.0"

_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")
DESCRIPTION_FIELDS = ("description", "audio_description", "meta_info")
"""Fields of an open question that may contain a description of its audio. The release has none."""
_FEWEST_OPTIONS = 2
_AUDIO_FIELDS = {"main": ("audio_path",), "multi": ("audio_path_1", "audio_path_2"), "open": ("audio_path",)}


@dataclass(slots=True)
class _Findings:
    """Findings in all files so far."""

    questions: list[Mapping[str, Any]] = field(default_factory=list)
    answers: dict[str, AnswerValue] = field(default_factory=dict)
    descriptions: dict[str, str] = field(default_factory=dict)
    labels: Counter[Category] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)


class _Entry:
    """An entry of a file. Collects the errors of all its fields."""

    def __init__(self, part: str, number: int, fields: dict[str, Any], findings: _Findings) -> None:
        self.part = part
        self.fields = fields
        self.place = f"{FILES[part]}, question {number}"
        if isinstance(fields.get("id"), str):
            self.place += f" (id {fields['id'][:64]!r})"
        self.findings = findings
        self.is_whole = True

    def fault(self, text: str) -> None:
        self.is_whole = False
        self.findings.problems.append(f"{self.place}: {text}")

    def check_names(self) -> None:
        fault = double_name_fault(self.fields)
        if fault is not None:
            self.fault(f"{fault}.")

    def text(self, name: str) -> str:
        """Return a stripped text, or an empty one after reporting an error."""
        value = self.fields.get(name)
        fault = text_fault(value)
        if fault is None:
            return str(value).strip()
        self.fault(f"`{name}` {fault}.")
        return ""

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of distinct stripped texts, or an empty one after reporting an error."""
        value = self.fields.get(name)
        fault = texts_fault(value)
        if fault is not None:
            self.fault(f"`{name}` {fault}.")
            return ()
        texts = tuple(text.strip() for text in value or ())
        if len(set(texts)) < len(texts):
            self.fault(f"`{name}` contains the same text twice. Remove the duplicate.")
            return ()
        return texts

    def id(self) -> str:
        value = self.fields.get("id")
        if not isinstance(value, str) or not _ID.fullmatch(value):
            self.fault("`id` must be a string of 1 to 64 letters, digits, dots, underscores and hyphens.")
            return ""
        item_id = f"{self.part}-{value}"
        if item_id in self.findings.answers:
            self.fault("duplicate id. Ids must be unique in this file.")
        return item_id

    def category(self) -> Category | None:
        label = self.text("category")
        categories = {category.label: category for category in CATEGORIES if category.part == self.part}
        if label and label not in categories:
            self.fault(f"unknown category `{label}`.{suggest(label, categories)} Categories: {', '.join(categories)}.")
        return categories.get(label)

    def options(self) -> tuple[str, ...]:
        options = self.texts("chosens")
        if options and not _FEWEST_OPTIONS <= len(options) <= len(OPTION_LETTERS):
            self.fault(
                f"there are {len(options)} options in `chosens`; {_FEWEST_OPTIONS} to {len(OPTION_LETTERS)} are "
                "allowed."
            )
        return options

    def answer(self, options: tuple[str, ...]) -> AnswerValue:
        """Return the position, the positions or the reference; after reported errors the value is undefined."""
        if self.part == "open":
            return self.text("answer")
        if self.part == "main":
            text = self.text("answer")
            return self._positions((text,) if text else (), options)[0]
        return tuple(sorted(self._positions(self.texts("answer"), options)))

    def _positions(self, texts: tuple[str, ...], options: tuple[str, ...]) -> list[int]:
        if options and any(text not in options for text in texts):
            self.fault("`answer` is not among the options in `chosens`. Copy the option exactly.")
        if not self.is_whole:
            return [0]
        self._note_repaired()
        return [options.index(text) for text in texts]

    def _note_repaired(self) -> None:
        answer = self.fields["answer"]
        answers = [answer] if isinstance(answer, str) else answer
        if any(text not in self.fields["chosens"] for text in answers):
            self.findings.repaired.append(
                f"{self.place}: the answer and its option differed only in surrounding spaces, which were removed."
            )

    def description(self) -> str:
        """Return the description of an open question's audio for the judge; empty if the file has none."""
        names = [name for name in DESCRIPTION_FIELDS if self.fields.get(name) not in (None, "")]
        if self.part != "open" or not names:
            return ""
        texts = {self.text(name) for name in names}
        if len(texts) > 1:
            self.fault(f"{' and '.join(f'`{name}`' for name in names)} differ; keep one of them.")
        return min(texts)

    def paths(self) -> list[str]:
        return [self.text(name) for name in _AUDIO_FIELDS[self.part]]


def import_questions(folder: Path, benchmark: str, version: str, seed: str) -> Imported:
    """Read the files of a folder: any of the three, at least one.

    Texts are stripped. The number of questions of each category is compared with the release.

    Raises:
        ImportProblemsError: There are errors, listed with file, question and fix.
    """
    findings = _Findings()
    present = [part for part, name in FILES.items() if (folder / name).is_file()]
    if not present:
        findings.problems.append(
            f"{folder} contains none of {', '.join(FILES.values())}. Pass the folder with these files."
        )
    for part in present:
        for number, entry in enumerate(_read_list(folder, part, findings), start=1):
            _read_entry(part, number, entry, findings)
    if findings.problems:
        raise ImportProblemsError(findings.problems)
    paths = frozenset(path for question in findings.questions for path in question["audio"])
    sounds, absent = find_sounds(folder, paths, seed)
    key = AnswerKey(
        benchmark,
        version,
        "test",
        seed,
        findings.answers,
        tuple(findings.questions),
        descriptions=findings.descriptions,
    )
    counts = tuple(
        Count(f"{category.part} {category.label}", findings.labels[category], category.size)
        for category in CATEGORIES
        if version == RELEASED and category.part in present
    )
    return Imported(key, sounds, absent, counts, tuple(findings.repaired))


def _read_list(folder: Path, part: str, findings: _Findings) -> list[Any]:
    try:
        entries = parse_json((folder / FILES[part]).read_bytes())
    except JsonError as error:
        findings.problems.append(f"{FILES[part]} is not JSON in UTF-8 ({error}). Use the released file.")
        return []
    if not isinstance(entries, list) or not entries:
        findings.problems.append(f"{FILES[part]} is not a list of questions. Use the released file.")
        return []
    return entries


def _read_entry(part: str, number: int, fields: object, findings: _Findings) -> None:
    if not isinstance(fields, dict):
        findings.problems.append(
            f"{FILES[part]}, question {number}: it must be an object with the fields of a question."
        )
        return
    entry = _Entry(part, number, fields, findings)
    entry.check_names()
    item_id, question, category = entry.id(), entry.text("question"), entry.category()
    options = () if part == "open" else entry.options()
    answer, paths, description = entry.answer(options), entry.paths(), entry.description()
    findings.answers.setdefault(item_id, answer)
    if description:
        findings.descriptions.setdefault(item_id, description)
    if not entry.is_whole or category is None:
        return
    findings.labels[category] += 1
    findings.questions.append(
        {
            "id": item_id,
            "part": part,
            "category": category.slug,
            **({"sub_task": category.sub_task} if category.sub_task else {}),
            "question": question,
            "options": list(options),
            "audio": paths,
        }
    )
