"""What the statements of a response, or of a review of the options, choose where several options may be right."""

from evaluation.extraction.choice import account_for, said_and_kept
from evaluation.extraction.claims.mentions import EVERY, OUTSIDE
from evaluation.extraction.claims.statements import BARE, CUED, PROSE, Statement, Statements, differ_in_part
from evaluation.extraction.option_reviews.reviews import Review
from evaluation.extraction.option_texts.options import Profile
from evaluation.extraction.readings import UNREAD
from evaluation.types import Reading, UnreadableReason

# Words behind which prose says more than reasons.
_TURNS = frozenset({"only", "just", "wait", "actually", "reflection", "其实", "只"})


def _chosen(standing: list[Statement]) -> list[Statement]:
    """The statements of the highest rank, and the lines that continue the last of them."""
    top = max(statement.rank for statement in standing)
    chosen = [statement for statement in standing if statement.rank == top]
    position = standing.index(chosen[-1]) + 1
    # "The answers are:" with one option a line: only the first line stands next to the cue.
    while top >= CUED and position < len(standing):
        listed = standing[position].alone and chosen[-1].alone
        enumerated = standing[position].opens and chosen[-1].opens
        if standing[position].rank != BARE or not (listed or enumerated):
            break
        chosen.append(standing[position])
        position += 1
    return chosen


def _problem(chosen: list[Statement], denied: set[int], profile: Profile) -> UnreadableReason | None:
    """Why a set of statements cannot be an answer."""
    targets = {target for statement in chosen for target in statement.mention.targets}
    if problems := [s.mention.problem for s in chosen if s.mention.problem]:
        return problems[0]
    if any(s.mention.alternative for s in chosen):
        return "ambiguous"
    if OUTSIDE in targets:
        return "outside-options"
    if targets & denied or differ_in_part(chosen):
        return "contradiction"
    if EVERY in targets:
        return "ambiguous" if profile.all_words else None
    return "ambiguous" if min(targets) < 0 else None


def decide_set(account: Statements, profile: Profile) -> Reading:
    """Read the options that the statements of a response choose."""
    standing = said_and_kept(account)
    if not standing or account.retracted:
        doubtful = bool(account.statements)
        return UNREAD["refusal" if account.refused else "ambiguous" if doubtful else "outside-options"]
    chosen = _chosen(standing)
    if chosen[0].rank == PROSE and account.refused:
        return UNREAD["refusal"]
    section = chosen[-1].section
    denials = [s for s in account.statements if s.negated and not s.tentative and s.section == section]
    denied = {target for s in denials for target in s.mention.targets}
    problem = _problem(chosen, denied, profile)
    if problem:
        return UNREAD[problem]
    targets = {target for s in chosen for target in s.mention.targets}
    return Reading(indices=frozenset(range(profile.size)) if EVERY in targets else frozenset(targets))


def decide_review(review: Review, profile: Profile) -> Reading:
    """Read the options that a review calls right; a conclusion beside it must say the same."""
    account = account_for(review.rest, profile, commas=True)
    good = frozenset(position for position, is_good in review.verdicts.items() if is_good)
    # Behind a verdict on every option, what is told of one in passing only gives the reasons.
    told = [s for s in said_and_kept(account) if s.rank >= CUED or len(review.verdicts) < profile.size]
    if told or account.retracted or account.refused:
        concluded = decide_set(account, profile)
        if concluded.indices is None:
            return concluded
        if (
            concluded.indices < good
            and _gives_reasons(account, told, good)
            and _TURNS.isdisjoint(token.text for token in review.rest)
        ):
            return Reading(indices=good)
        bad = frozenset(review.verdicts) - good
        differs = concluded.indices & bad or (good and not good <= concluded.indices)
        return UNREAD["contradiction"] if differs else concluded
    if review.contradictory:
        return UNREAD["contradiction"]
    return Reading(indices=good) if good and not review.undecided else UNREAD["ambiguous"]


def _gives_reasons(account: Statements, told: list[Statement], good: frozenset[int]) -> bool:
    """Whether prose only says why options are right: "A bell is struck twice. … Hence A, B and D are correct."."""
    denied = {target for s in account.statements if s.negated for target in s.mention.targets}
    return all(s.rank == PROSE for s in told) and good.isdisjoint(denied)
