"""Missing predictions: one sentence for people, and the first items as details for programs."""

from collections.abc import Callable, Iterable, Sequence

from evaluation.predictions.problems import SHOWN_OF_A_KIND, Problem, Problems

ALLOW_MISSING_LABEL = "Score missing answers as wrong"
"""Label of the checkbox that allows missing predictions."""
_NAMED_IDS = 10
# Maximum number of missing predictions in details.
_FEWEST_GROUPED = 3
_OR_TICK = f"or tick “{ALLOW_MISSING_LABEL}”."


def report_missing(
    missing: Sequence[tuple[str, int]], problems: Problems, *, is_answered: Callable[[str], bool], has_runs: bool
) -> None:
    """Add the problems of missing predictions.

    Args:
        missing: Item and run of each missing prediction.
        problems: Collects the problems.
        is_answered: Whether any run of an item has a prediction.
        has_runs: Whether items have several runs.
    """
    if len(missing) <= _FEWEST_GROUPED:
        for item_id, run in missing:
            problems.add(_describe_item(item_id, [run]))
        return
    whole: dict[str, list[int]] = {}
    partly: dict[str, list[int]] = {}
    for item_id, run in missing:
        (partly if is_answered(item_id) else whole).setdefault(item_id, []).append(run)
    n_left = SHOWN_OF_A_KIND
    if whole:
        what = " (all runs)" if has_runs else ""
        problems.add(_describe_items(whole, what, whole, n_left, are_many=len(whole) > 1))
        n_left -= min(n_left, len(whole))
    if partly:
        names = (f"{item_id} ({_list_runs(runs)})" for item_id, runs in partly.items())
        n_runs = sum(map(len, partly.values()))
        problems.add(_describe_items(partly, " for some runs", names, n_left, are_many=n_runs > 1))
    problems.count("missing", len(missing) - bool(whole) - bool(partly))


def _describe_items(
    runs_of: dict[str, list[int]], what: str, names: Iterable[str], n_details: int, *, are_many: bool
) -> Problem:
    """Return one problem for several items, with the items in its details up to the limit."""
    items = "1 item has" if len(runs_of) == 1 else f"{len(runs_of):,} items have"
    first_names = [name for name, _ in zip(names, range(_NAMED_IDS), strict=False)]
    listed = ", ".join(first_names) + (", …" if len(runs_of) > _NAMED_IDS else ".")
    message = f"{items} no prediction{what}: {listed} Add {'them' if are_many else 'it'}, {_OR_TICK}"
    details = tuple(_describe_item(*entry) for entry in list(runs_of.items())[:n_details])
    return Problem("missing", message, None, next(iter(runs_of)), details=details)


def _describe_item(item_id: str, runs: Sequence[int]) -> Problem:
    runs_text, verb, them = _list_runs(runs), "has", "it"
    if len(runs) > 1:
        verb, them = "have", "them"
    message = f"{runs_text[0].upper()}{runs_text[1:]} of `{item_id}` {verb} no prediction. Add {them}, {_OR_TICK}"
    return Problem("missing", message, None, item_id)


def _list_runs(runs: Sequence[int]) -> str:
    if len(runs) == 1:
        return f"run {runs[0]}"
    return f"runs {', '.join(map(str, runs[:-1]))} and {runs[-1]}"
