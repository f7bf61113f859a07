"""Signatures of scores, one line each: scores with equal signatures may be ranked together."""

import re
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from evaluation.errors import EvaluationError

CODE_VERSION = "0.1.0"

_NAMES = {
    "content": "content_digest",
    "key": "key_digest",
    "setting": "setting",
    "runs": "runs",
    "missing": "missing_policy",
    "reader": "reader_version",
    "metric": "metric_version",
    "code": "code_version",
}
# Only in signatures of scores that use them.
_SOMETIMES = {"design": "design_digest", "edition": "edition", "judge": "judging", "asked": "asking"}
# Fields that may differ within one ranking. Judged scores are ranked among those of the same judge; the judge does not
# affect the other scores of a row.
_UNRANKED = tuple(f"{short}:" for short in ("runs", "code", "judge", "asked"))
# Editions of one design are ranked together, although questions and answers differ.
_OF_EDITION = tuple(f"{short}:" for short in ("content", "key", "edition"))
_COUNT = re.compile(r"0|[1-9][0-9]{0,8}")
_SAFE = re.compile(r"[A-Za-z0-9._+-]+")


class SignatureError(EvaluationError):
    """A text is not a signature."""


@dataclass(frozen=True, slots=True)
class Signature:
    """Everything that can change a score of the same predictions.

    Attributes:
        benchmark: Benchmark ID.
        version: Benchmark version.
        content_digest: First eight hexadecimal digits of the digest of questions and audio.
        key_digest: First eight hexadecimal digits of the digest of the answers.
        setting: Evaluation setting.
        runs: Number of scored runs (decoding seeds).
        missing_policy: How missing answers count.
        reader_version: Version of the parsers.
        metric_version: Version of the benchmark's metrics.
        code_version: Version of Earshot.
        judging: Judge and protocol of open answers; empty if none were judged.
        asking: Format of requests to an endpoint; empty for prediction files.
        design_digest: First eight hexadecimal digits of the digest of the design; empty without an edition.
        edition: Edition that was answered; empty if all systems answer the same questions.
    """

    benchmark: str
    version: str
    content_digest: str
    key_digest: str
    setting: str
    runs: int
    missing_policy: str
    reader_version: str
    metric_version: str
    code_version: str
    judging: str = ""
    asking: str = ""
    design_digest: str = ""
    edition: str = ""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = str(getattr(self, field.name))
            if field.name in _SOMETIMES.values() and not value:
                continue
            if not _SAFE.fullmatch(value):
                raise SignatureError(f"Signature field {field.name} is {value!r}; use only letters, digits and ._+-.")

        if not _COUNT.fullmatch(str(self.runs)):
            raise SignatureError(f"Signature field runs is {self.runs!r}; it must be a whole number from 0.")

    def __str__(self) -> str:
        """Return the one-line form.

        >>> print(Signature("amb", "1.0", "0a", "1b", "default", 3, "wrong", "1", "1", "0.1.0"))
        amb:1.0|content:0a|key:1b|setting:default|runs:3|missing:wrong|reader:1|metric:1|code:0.1.0
        """
        parts = [f"{self.benchmark}:{self.version}"]
        parts += [f"{short}:{getattr(self, name)}" for short, name in _NAMES.items()]
        parts += [f"{short}:{value}" for short, name in _SOMETIMES.items() if (value := getattr(self, name))]
        return "|".join(parts)

    @property
    def ranking(self) -> str:
        """The signature without fields that may differ within one ranking: seeds, code version, judge, requests.

        With an edition, the design replaces its questions and answers.

        The versions of parser and metric change whenever a score could; releases that keep both leave all scores
        unchanged.
        """
        return _drop_fields(str(self), (*_UNRANKED, *_OF_EDITION) if self.edition else _UNRANKED)

    @property
    def ranking_of_any_setting(self) -> str:
        """The part of the signature that a submission's rankings share in all settings."""
        return replace(self, setting="any").ranking

    @property
    def rules(self) -> str:
        """The signature with 0 runs, without judge and requests: the same for everything scored now."""
        return str(replace(self, runs=0, judging="", asking=""))

    @property
    def rules_of_design(self) -> str:
        """The rules without the questions and answers of an edition: the same for all editions of a design."""
        return _drop_fields(self.rules, _OF_EDITION if self.edition else ())


def drop_questions(ranking: str) -> str:
    """Return a ranking without questions, answers and design.

    >>> drop_questions("amb:1.0|content:0a|key:1b|setting:default|missing:wrong|reader:1|metric:1")
    'amb:1.0|setting:default|missing:wrong|reader:1|metric:1'
    """
    return _drop_fields(ranking, (*_OF_EDITION, "design:"))


def replace_setting(ranking: str, setting: str) -> str:
    """Return a ranking with another setting.

    >>> replace_setting("amb:1.0|setting:default|missing:wrong", "any")
    'amb:1.0|setting:any|missing:wrong'
    """
    return "|".join(f"setting:{setting}" if part.startswith("setting:") else part for part in ranking.split("|"))


def _drop_fields(text: str, prefixes: tuple[str, ...]) -> str:
    return "|".join(part for part in text.split("|") if not part.startswith(prefixes))


def parse_signature(text: str) -> Signature:
    """Parse the one-line form.

    Raises:
        SignatureError: The text is not a signature.
    """
    return _parse(text)


# The rows of a board share few signatures. The cache accepts arguments of any type, so the typed function wraps it.
@lru_cache(maxsize=1024)
def _parse(text: str) -> Signature:
    head, *rest = text.split("|")
    benchmark, colon, version = head.partition(":")
    pairs = [part.partition(":")[::2] for part in rest]
    names = [name for name, _ in pairs]
    sometimes = [name for name in _SOMETIMES if name in names]
    if not colon or names != [*_NAMES, *sometimes] or not all(value for _, value in pairs):
        raise SignatureError(f"{text!r} is not a signature: expected `<benchmark>:<version>` and {', '.join(_NAMES)}.")
    values = {(_NAMES | _SOMETIMES)[name]: value for name, value in pairs}
    if not _COUNT.fullmatch(values["runs"]):
        raise SignatureError(f"{text!r} is not a signature: runs is {values['runs']!r}, but must be a number.")
    return Signature(
        benchmark=benchmark,
        version=version,
        content_digest=values["content_digest"],
        key_digest=values["key_digest"],
        setting=values["setting"],
        runs=int(values["runs"]),
        missing_policy=values["missing_policy"],
        reader_version=values["reader_version"],
        metric_version=values["metric_version"],
        code_version=values["code_version"],
        design_digest=values.get("design_digest", ""),
        edition=values.get("edition", ""),
        judging=values.get("judging", ""),
        asking=values.get("asking", ""),
    )


def list_signature_changes(old: str, new: str) -> dict[str, tuple[str, str]]:
    """Return field → (old value, new value) for the fields in which two signatures differ.

    Raises:
        SignatureError: One of the texts is not a signature.
    """
    before, after = parse_signature(old), parse_signature(new)
    names = _NAMES | _SOMETIMES
    pairs = {short: (str(getattr(before, name)), str(getattr(after, name))) for short, name in names.items()}
    return {short: pair for short, pair in pairs.items() if pair[0] != pair[1]}
