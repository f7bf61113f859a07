"""Target signatures of a re-evaluation: today's rules for the shared test split and for editions."""

from collections.abc import Callable, Mapping, Sequence

from db.admin_records import ScoredRecord
from db.records import SubmissionRecord
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark
from evaluation.signature import Signature
from submissions.ranking.current_rankings import sign_any_edition
from submissions.ranking.question_keys import find_question_key

_ANY_EDITION = "any"


def list_targets(benchmark: Benchmark, key: AnswerKey) -> dict[str, str]:
    """Return setting → the rules of everything scored today.

    Editions have one target for each setting, without their questions and answers, so that a new edition does not
    change the targets.
    """
    signatures = {setting: benchmark.sign(key, setting=setting, runs=0) for setting in benchmark.settings}
    targets = {setting: shared.rules for setting, shared in signatures.items()}
    if benchmark.has_editions:
        for setting, shared in signatures.items():
            targets[_name_target(setting, _ANY_EDITION)] = sign_any_edition(benchmark, shared).rules_of_design
    return targets


def list_edition_rules(
    benchmark: Benchmark,
    key: AnswerKey,
    scored: Sequence[ScoredRecord],
    seeds: Mapping[str, str],
    renew_lease: Callable[[], None],
) -> dict[str, str]:
    """Return today's rules of the editions that submissions answer, for `find_rules`.

    Args:
        benchmark: Benchmark version of the submissions.
        key: Answer key of the shared test split.
        scored: The submissions.
        seeds: Edition → its stored seed, for editions that were revealed.
        renew_lease: Called after each edition, because making its answers takes a tenth of a second.
    """
    settings: dict[str, set[str]] = {}
    for one in scored:
        if one.submission.edition is not None:
            settings.setdefault(one.submission.edition, set()).add(one.submission.setting)
    rules = {}
    for edition, used in settings.items():
        own = find_question_key(benchmark, key, edition, seeds.get(edition))
        for setting in used:
            rules[_name_target(setting, edition)] = benchmark.sign(own, setting=setting, runs=0).rules
        renew_lease()
    return rules


def find_rules(submission: SubmissionRecord, rules: Mapping[str, str]) -> str | None:
    """Return today's rules of a submission: those of its edition, or of its setting."""
    return rules.get(_name_target(submission.setting, submission.edition))


def is_on_target(submission: SubmissionRecord, signature: Signature, targets: Mapping[str, str]) -> bool:
    """Tell whether a score was computed by the rules of `list_targets`."""
    edition = submission.edition and _ANY_EDITION
    return signature.rules_of_design == targets.get(_name_target(submission.setting, edition))


def _name_target(setting: str, edition: str | None) -> str:
    return setting if edition is None else f"{setting}|{edition}"
