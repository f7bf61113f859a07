"""Scope of a re-evaluation: which scored submissions it affects, and when it is refused. Pure."""

from collections.abc import Mapping, Sequence

from db.admin_records import ReevaluationRecord, ScoredRecord
from db.records import EvaluationRecord
from evaluation.signature import parse_signature
from submissions.rescoring.target_rules import find_rules

JUDGE = "judge"
"""Key of a target beside the settings: today's judge of open answers."""


def _rules_of(evaluation: EvaluationRecord) -> str | None:
    return None if evaluation.signature is None else parse_signature(evaluation.signature).rules


def is_affected(one: ScoredRecord, target: Mapping[str, str]) -> bool:
    """Tell whether a row would be scored by other rules today, or by another judge if it is judged.

    Args:
        one: The row.
        target: Today's rules, those of the row's own edition included, and today's judge.
    """
    rules = _rules_of(one.evaluation)
    judge = "" if one.evaluation.signature is None else parse_signature(one.evaluation.signature).judging
    return rules != find_rules(one.submission, target) or (bool(judge) and judge != target.get(JUDGE, judge))


def find_lacking_judge(affected: Sequence[ScoredRecord]) -> str | None:
    """Return why an evaluator without a judge cannot score these; None if none of them is judged."""
    judged = [one for one in affected if one.evaluation.signature and parse_signature(one.evaluation.signature).judging]
    if not judged:
        return None
    some = "1 affected submission has" if len(judged) == 1 else f"{len(judged):,} affected submissions have"
    return (
        f"{some} open answers, but no evaluator has a judge. Set EARSHOT_JUDGE_BASE_URL and EARSHOT_JUDGE_MODEL for "
        "an evaluator, then try again."
    )


def find_refusal(
    asked: ReevaluationRecord, scored: Sequence[ScoredRecord], affected: Sequence[ScoredRecord], *, has_looked: bool
) -> str | None:
    """Return why a re-evaluation is refused; None if it is not."""
    if not scored:
        return "There is nothing to re-score: no scored submission has a stored file."
    if not affected:
        files = "The scored file carries" if len(scored) == 1 else f"All {len(scored):,} scored files carry"
        return f"Nothing would change: {files} the current signature already."
    if not asked.dry_run and not has_looked:
        return (
            "The answer key, the questions or the rules have changed since the last preview. Run a new dry run first."
        )
    return None
