"""Judge verdicts, judge costs and held submissions."""

from collections.abc import Collection, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import and_, func, or_, select, update

from db.judge_records import PRICED_TOKENS, HoldRecord, JudgeBudget, JudgeSpend
from db.models import CachedVerdict, ItemMetadata, JudgeDay, JudgeHold, Submission
from db.repositories.changing import add_unless_there, count_changed
from db.session import Transaction

_LOOKED_UP_AT_ONCE = 500
STOPPED = "judge-stopped"
"""Reason code of a submission at which judging stopped; nothing is judged while one is held for this reason."""
UNREADABLE = "judge-error"
"""Reason code of a submission whose answers got no verdict although the judge gave verdicts on others."""


def find_judgement(transaction: Transaction, key: str) -> Mapping[str, Any] | None:
    """Return a cached verdict."""
    return transaction.scalar(select(CachedVerdict.value).where(CachedVerdict.key == key))


def keep_judgement(transaction: Transaction, key: str, value: Mapping[str, Any], now: datetime) -> None:
    """Cache a verdict; if another evaluator stored one for the same key, the first one stays."""
    add_unless_there(transaction, CachedVerdict(key=key, value=dict(value), at=now))


def count_judgements(transaction: Transaction, keys: Collection[str]) -> int:
    """Return how many of some verdicts are cached."""
    listed = sorted(keys)
    pages = (listed[at : at + _LOOKED_UP_AT_ONCE] for at in range(0, len(listed), _LOOKED_UP_AT_ONCE))
    counts = (
        transaction.scalar(select(func.count()).select_from(CachedVerdict).where(CachedVerdict.key.in_(page)))
        for page in pages
    )
    return sum(count or 0 for count in counts)


def take_call(transaction: Transaction, day: date, budget: JudgeBudget) -> bool:
    """Count one more call on a day; return False and count nothing if the day's budget is used up.

    The counting statement itself has the condition, so that evaluators together never exceed the budget.
    """
    statement = update(JudgeDay).where(JudgeDay.day == day.isoformat(), JudgeDay.calls < budget.max_calls)
    if budget.max_calls <= 0:
        return False
    if budget.max_cost is not None and budget.price is not None:
        if budget.max_cost <= 0:
            return False
        cost = JudgeDay.prompt_tokens * budget.price.prompt + JudgeDay.completion_tokens * budget.price.completion
        statement = statement.where(cost < budget.max_cost * PRICED_TOKENS)
    if count_changed(transaction, statement.values(calls=JudgeDay.calls + 1)):
        return True
    _add_day(transaction, day)
    return bool(count_changed(transaction, statement.values(calls=JudgeDay.calls + 1)))


def add_tokens(transaction: Transaction, day: date, prompt_tokens: int, completion_tokens: int) -> None:
    """Add the tokens of a call."""
    _add_day(transaction, day)
    transaction.execute(
        update(JudgeDay)
        .where(JudgeDay.day == day.isoformat())
        .values(
            prompt_tokens=JudgeDay.prompt_tokens + prompt_tokens,
            completion_tokens=JudgeDay.completion_tokens + completion_tokens,
        )
    )


def _add_day(transaction: Transaction, day: date) -> None:
    if transaction.get(JudgeDay, day.isoformat()) is None:
        add_unless_there(transaction, JudgeDay(day=day.isoformat(), calls=0, prompt_tokens=0, completion_tokens=0))


def find_spend(transaction: Transaction, last: date, n_days: int = 1) -> JudgeSpend:
    """Return the total usage of some days, up to the last one."""
    first = (last - timedelta(days=n_days - 1)).isoformat()
    sums = (
        func.coalesce(func.sum(column), 0)
        for column in (JudgeDay.calls, JudgeDay.prompt_tokens, JudgeDay.completion_tokens)
    )
    query = select(*sums).where(JudgeDay.day >= first, JudgeDay.day <= last.isoformat())
    return JudgeSpend(*(int(total) for total in transaction.execute(query).one()))


def hold_entry(transaction: Transaction, submission_id: str, hold: HoldRecord) -> None:
    """Store why a submission is held."""
    transaction.merge(
        JudgeHold(
            submission_id=submission_id,
            judging=hold.judging,
            answers=dict(hold.answers),
            faults=list(hold.faults),
            held_at=hold.held_at,
            released_at=hold.released_at,
        )
    )


def find_hold(transaction: Transaction, submission_id: str) -> HoldRecord | None:
    """Return why a submission is or was held."""
    row = transaction.get(JudgeHold, submission_id)
    if row is None:
        return None
    return HoldRecord(row.judging, dict(row.answers), tuple(row.faults), row.held_at, row.released_at)


def release_entry(transaction: Transaction, submission_id: str, now: datetime) -> None:
    """Record that a maintainer released a submission."""
    transaction.execute(update(JudgeHold).where(JudgeHold.submission_id == submission_id).values(released_at=now))


def list_stopped(transaction: Transaction) -> list[str]:
    """Return the submissions at which judging stopped; while there are any, evaluators do not call the judge."""
    query = select(Submission.id).where(
        Submission.state == "awaiting-judge", Submission.lane == "held", Submission.reason_code == STOPPED
    )
    return list(transaction.scalars(query.order_by(Submission.id)))


def count_open_items(transaction: Transaction) -> int:
    """Return the number of open questions of all submissions in the judge queue, summed over submissions."""
    is_waiting = and_(
        Submission.state == "awaiting-judge", or_(Submission.lane == "judge", Submission.reason_code == STOPPED)
    )
    is_same = and_(ItemMetadata.benchmark == Submission.benchmark, ItemMetadata.version == Submission.version)
    query = select(func.count()).select_from(Submission).join(ItemMetadata, is_same)
    return transaction.scalar(query.where(is_waiting, ItemMetadata.answer_format == "text")) or 0
