"""Reading the one option that a response chose."""

from collections.abc import Sequence
from functools import lru_cache

from evaluation.extraction.claims.answer_lines import drop_gloss, head_answer
from evaluation.extraction.claims.carried_verdicts import carry_in_response, carry_verdicts
from evaluation.extraction.claims.caution import stays_open
from evaluation.extraction.claims.conclusions import find_conclusion
from evaluation.extraction.claims.final_answers import settle_final
from evaluation.extraction.claims.joins import join_lists, join_pairs
from evaluation.extraction.claims.last_resorts import settle_last
from evaluation.extraction.claims.listed_texts import join_listed_texts
from evaluation.extraction.claims.mentions import EVERY, OUTSIDE, Mention, find_mentions
from evaluation.extraction.claims.polar import read_polar
from evaluation.extraction.claims.preambles import rewrite_preambles
from evaluation.extraction.claims.rejections import rejects_options
from evaluation.extraction.claims.shared_denials import drop_contrasts, drop_reasons, write_shared_denials
from evaluation.extraction.claims.statements import (
    BARE,
    CUED,
    FINAL,
    PROSE,
    Statement,
    Statements,
    collect_statements,
    keep_identified,
)
from evaluation.extraction.claims.step_claims import write_step_claims
from evaluation.extraction.claims.supposed import drop_hypotheses, drop_supposed, may_suppose, only_supposes
from evaluation.extraction.claims.transcripts import is_transcript
from evaluation.extraction.claims.unchosen import write_claims
from evaluation.extraction.language.normalize import clean, is_blank
from evaluation.extraction.language.spelling import lower
from evaluation.extraction.language.tokens import Token, tokenize
from evaluation.extraction.measures.clip_orders import write_clip_places
from evaluation.extraction.measures.sequence_words import write_metre, write_sequence
from evaluation.extraction.option_reviews.described_options import drop_descriptions
from evaluation.extraction.option_reviews.letters import spread_lists
from evaluation.extraction.option_reviews.reviews import Review, read_review
from evaluation.extraction.option_reviews.verdict_columns import keep_verdict_columns
from evaluation.extraction.option_texts.options import PreparedOptions, Profile, mark_texts, prepare
from evaluation.extraction.option_texts.pairs import OPEN, find_pair, is_one_of_two
from evaluation.extraction.option_texts.quantities import has_only_bounds
from evaluation.extraction.option_texts.reasoned import differs_in_reason
from evaluation.extraction.paraphrases.distinguished import offers_another
from evaluation.extraction.paraphrases.leftovers import has_rival, has_text_of_another, points_to_options
from evaluation.extraction.paraphrases.otherwise import read_otherwise
from evaluation.extraction.paraphrases.plainer import write_plainly
from evaluation.extraction.paraphrases.shared_words import write_comparisons, write_subjects
from evaluation.extraction.paraphrases.unable import list_unable
from evaluation.extraction.paraphrases.usual_wordings import names_two_places, write_usual
from evaluation.extraction.readings import EMPTY, UNREAD, chosen
from evaluation.extraction.shortcuts.answer_forms import Form, find_form
from evaluation.extraction.shortcuts.condense import condense, leave_out_asides
from evaluation.extraction.shortcuts.renaming import rename
from evaluation.types import Reading, UnreadableReason

MEMO_SIZE = 65_536
_SKELETON_MEMO_SIZE = 16_384
_LONGEST_REMEMBERED = 160
# An answer that names no option is compared with the options in many ways. Short ones, "I don't know.", recur.
_LONGEST_UNREAD, _UNREAD_MEMO_SIZE = 48, 32_768
_OPEN_REASONS = frozenset({"ambiguous", "outside-options"})
_CONDENSED_FROM, _CONDENSED_FROM_CHINESE = 32, 12


def account_for(tokens: list[Token], profile: Profile, *, commas: bool) -> Statements:
    """Return what a text with placeholders says of the options.

    Args:
        tokens: Of the text, without echoed lists.
        profile: The options.
        commas: Whether commas alone make a list, as they do where several options may be chosen.
    """
    items = find_mentions(tokens, profile)
    if sum([type(item) is Mention for item in items]) > 1:
        items = join_lists(join_pairs(items), commas=commas)
    return collect_statements(items)


def _target(statement: Statement) -> int | UnreadableReason:
    """The one option a statement names, or why it names none."""
    mention = statement.mention
    if mention.problem:
        return mention.problem
    if len(mention.targets) > 1:
        return "ambiguous"
    (target,) = mention.targets
    if target >= 0:
        return target
    return "outside-options" if target == OUTSIDE else "ambiguous"


def _settled(alternative: Statement, later: list[Statement]) -> bool:
    """Whether one of the options that were left open is chosen later: "either B or D, but nothing circles, so B"."""
    return any(
        s.rank >= max(alternative.rank, CUED)
        and len(s.mention.targets) == 1
        and s.mention.targets < alternative.mention.targets
        for s in later
    )


def said_and_kept(account: Statements) -> list[Statement]:
    """The statements that say an option is the answer and were not taken back."""
    said = [s for s in account.statements if not s.negated and not s.tentative]
    said = [s for s in said if s.rank > PROSE or not (s.mention.weak or s.mention.targets <= {OUTSIDE, EVERY})]
    said = [s for position, s in enumerate(said) if not (s.mention.alternative and _settled(s, said[position + 1 :]))]
    if said and account.statements:
        last = said[-1].section
        kept = [s for s in said if s.section == last]
        return kept if any(s.rank >= BARE for s in kept) else said
    return said


def _without_answer(account: Statements, profile: Profile, *, echoed: bool) -> Reading:
    """Name the reason, or the only option left where one sentence excluded all others."""
    if account.refused:
        return UNREAD["refusal"]
    statements = account.statements
    denied = {target for s in statements if s.negated and not s.tentative for target in s.mention.targets}
    left = set(range(profile.size)) - denied
    certain = all(s.negated and not s.tentative and not s.mention.problem for s in statements)
    if statements and certain and len(left) == 1 and min(denied) >= 0:
        return chosen(left.pop())
    return UNREAD["ambiguous" if echoed or statements else "outside-options"]


def _decide(account: Statements, profile: Profile, *, echoed: bool) -> Reading:
    standing = said_and_kept(account)
    if not standing:
        return _without_answer(account, profile, echoed=echoed)
    top = max(s.rank for s in standing)
    if account.retracted:
        return UNREAD["ambiguous"]
    if top == PROSE and account.refused:
        return UNREAD["refusal"]
    if top == PROSE:
        standing = keep_identified(standing, profile.size)
    targets = [_target(s) for s in standing if s.rank == top]
    if len(set(targets)) > 1:
        problems = {target for target in targets if isinstance(target, str)}
        return UNREAD["contradiction" if top >= CUED and not problems else "ambiguous"]
    target = targets[0]
    if isinstance(target, str):
        return UNREAD[target]
    if _opposed(standing, top, target, profile) or _denied_later(account, target):
        return UNREAD["contradiction"]
    return chosen(target)


def _denied_later(account: Statements, target: int) -> bool:
    """Whether the last thing said of the answer is that it is not: "My guess was a wolf. It is not a wolf."."""
    targets = {target}
    last = next(s for s in reversed(account.statements) if not s.tentative and s.mention.targets == targets)
    # "… is over sooner than the first" only compares.
    return last.negated and (last.rank > PROSE or last.mention.from_text)


def _opposed(standing: list[Statement], top: int, target: int, profile: Profile) -> bool:
    """Whether something of lower rank still speaks against the answer, so that careful readers would differ."""
    first = next(position for position, s in enumerate(standing) if s.rank == top)
    last = max(position for position, s in enumerate(standing) if s.rank == top)
    for position, statement in enumerate(standing):
        if statement.rank == top or statement.mention.targets == {target}:
            continue
        # After the answer stands a different one, by itself: "The answer is B. C."
        if statement.rank >= BARE and position > last and top < FINAL:
            return True
        # "Yes, the answer is B", where A is called "Yes"; a number may count sentences.
        if statement.rank == BARE and statement.mention.weak and position < first and not profile.numbered:
            return True
        # "The first tone is higher, so the answer is B", where that is the text of A.
        if statement.premise and statement.mention.from_text and not statement.mention.weak and position < first:
            return True
        # "In quarters it would be 3/4; in eighths, 6/8": two readings of one sentence, side by side.
        beside = statement.mention.from_text and standing[first].mention.from_text
        if top == BARE and position < first and beside and not standing[first].opens:
            return True
        # "B. The sound moves from left to right", where that is the text of A.
        if top == BARE and statement.mention.from_text and position > first:
            return True
    return False


def weigh(skeleton: str, profile: Profile, echoed: bool) -> Reading:
    """Read a cleaned text with placeholders, in which no list of all options is left.

    Args:
        skeleton: The text.
        profile: The options.
        echoed: Whether there was such a list.
    """
    tokens = tokenize(skeleton)
    review = read_review(skeleton, profile, tokens)
    if review is not None:
        return _decide_review(review, profile)
    return _decide(account_for(tokens, profile, commas=False), profile, echoed=echoed)


def _decide_review(review: Review, profile: Profile) -> Reading:
    """Read the one option that a review calls right, or that a conclusion beside it names unless it is called wrong."""
    account = account_for(review.rest, profile, commas=False)
    good = [position for position, is_good in review.verdicts.items() if is_good]
    kept = said_and_kept(account)
    # A line without a verdict, and reasons behind verdicts, weigh less than the one option that is called right.
    firm = [s for s in kept if s.rank >= CUED or (s.rank == BARE and s.alone)]
    if (kept and (firm or len(good) != 1)) or account.retracted or account.refused:
        concluded = _decide(account, profile, echoed=False)
        denied = concluded.index is not None and review.verdicts.get(concluded.index) is False
        return UNREAD["contradiction"] if denied else concluded
    if review.contradictory:
        return UNREAD["contradiction"]
    if not good and len(review.verdicts) == profile.size - 1:
        good = [position for position in range(profile.size) if position not in review.verdicts]
    return chosen(good[0]) if len(good) == 1 else UNREAD["ambiguous"]


_remember_weighed = lru_cache(maxsize=_SKELETON_MEMO_SIZE)(weigh)


def _weigh_renamed(skeleton: str, profile: Profile, echoed: bool) -> Reading:
    renamed = rename(skeleton, profile)
    if renamed is None:
        return weigh(skeleton, profile, echoed)
    reading = _remember_weighed(renamed.text, profile, echoed)
    return reading if reading.index is None else chosen(renamed.places[reading.index])


def _read_uncached(marked: str, profile: Profile) -> Reading:
    if is_blank(marked):
        return EMPTY
    marked = drop_hypotheses(write_claims(carry_verdicts(marked)))
    marked = join_listed_texts(drop_reasons(drop_contrasts(write_shared_denials(marked))))
    skeleton, echoed = spread_lists(marked, profile)
    if len(skeleton) > (_CONDENSED_FROM if skeleton.isascii() else _CONDENSED_FROM_CHINESE):
        skeleton = condense(skeleton)
    read = _weigh_renamed if len(skeleton) <= _LONGEST_REMEMBERED else weigh
    return read(skeleton, profile, echoed)


_read_cached = lru_cache(maxsize=MEMO_SIZE)(_read_uncached)


def _read_marked(marked: str, profile: Profile) -> Reading:
    """Read a cleaned response in which placeholders stand for the option texts."""
    return (_read_cached if len(marked) <= _LONGEST_REMEMBERED else _read_uncached)(marked, profile)


def _read_form(form: Form, profile: Profile) -> Reading:
    reading = form.readings.get(profile)
    if reading is None:
        form.readings[profile] = reading = _read_marked(form.text, profile)
    return reading


def _read_long(response: str, prepared: PreparedOptions) -> Reading:
    """Read a response that has no sure form."""
    text = drop_gloss(write_clip_places(drop_supposed(clean(response)), prepared.texts), prepared.texts)
    text = write_metre(write_sequence(text, prepared.texts), prepared.texts)
    if len(text) > (_CONDENSED_FROM if text.isascii() else _CONDENSED_FROM_CHINESE):
        text = leave_out_asides(text, prepared)
        found = find_form(text, prepared, is_cleaned=True)
        if found is not None:
            return _read_form(found[0], prepared.profile)
    return _read_marked(mark_texts(text, prepared), prepared.profile)


def _read_fallback(response: str, prepared: PreparedOptions) -> Reading:
    """Read a response that names no option by the common words that its fallback families declare."""
    return _read_marked(mark_texts(clean(response), prepared, fallback=True), prepared.profile)


def _read_again(response: str, prepared: PreparedOptions, reading: Reading) -> Reading:
    """Read a response that names no option once more, without its introduction and with its words corrected."""
    plain = write_plainly(response, prepared.texts) if reading.reason == "outside-options" else None
    if plain is None or rejects_options(lower(clean(response))):
        return reading
    again = _read_long(plain, prepared)
    return read_otherwise(plain, prepared, again, _read_fallback) if again.index is None else again


def _read_conclusion(response: str, prepared: PreparedOptions, reading: Reading) -> Reading:
    """Read an unread response by the clause with which it concludes, if that tells an option by itself."""
    # "One at 0.4 s, two at 2.5 s. That makes five": of numbers, the last one counts.
    counted = reading.reason == "contradiction" and prepared.quantities and not points_to_options(response)
    if (reading.reason not in _OPEN_REASONS and not counted) or (conclusion := find_conclusion(response)) is None:
        return reading
    if rejects_options(lower(clean(response))):
        return reading
    concluded = _read_part(conclusion, prepared)
    return reading if concluded.index is None else concluded


def _read_part(part: str, prepared: PreparedOptions) -> Reading:
    """Read a part of a response by itself."""
    return settle(part, prepared, _read_long(part, prepared))


def settle(response: str, prepared: PreparedOptions, reading: Reading, *, is_open: bool | None = None) -> Reading:
    """Settle the reading of a response by what its letters and texts do not show.

    Args:
        response: As it was written.
        prepared: The options.
        reading: By letters and texts.
        is_open: Whether the response stays open, if that is known.
    """
    is_remembered = reading.index is None and len(response) <= _LONGEST_UNREAD
    settled = (_settle_cached if is_remembered else _settle_uncached)(response, prepared, reading, is_open)
    if settled.index is not None and is_transcript(response, prepared.texts):
        return UNREAD["outside-options"]
    return settled if settled.index is not None else settle_final(response, prepared, settled, _read_part)


def _settle_uncached(response: str, prepared: PreparedOptions, reading: Reading, is_open: bool | None) -> Reading:
    if prepared.is_polar and (polar := read_polar(response, prepared.texts)) is not None:
        return polar
    if prepared.has_pair and not points_to_options(response):
        pair = find_pair(lower(clean(response)), prepared.texts)
        if pair is not None and pair != OPEN:
            return chosen(pair)
        if pair == OPEN and reading.index is not None and is_one_of_two(reading.index, prepared.texts):
            return UNREAD["ambiguous"]
    if reading.reason == "ambiguous" and "\n" in response:
        conclusion = drop_descriptions(response, prepared.texts)
        reading = reading if conclusion is None else _read_long(conclusion, prepared)
    if reading.index is None:
        refused = reading.reason == "refusal"
        response = carry_in_response(drop_supposed(response), prepared)
        if may_suppose(response) and only_supposes(mark_texts(clean(response), prepared)):
            return reading
        if (usual := write_usual(response, prepared.texts)) != response:
            return _settle_uncached(usual, prepared, _read_long(usual, prepared), is_open)
        response = write_comparisons(response, prepared.texts)
        written = write_subjects(response, prepared.texts)
        reading = reading if written is None else _read_long(written, prepared)
        if reading.index is not None:
            return UNREAD["ambiguous"] if stays_open(response) else reading
        reading = _read_again(response, prepared, read_otherwise(response, prepared, reading, _read_fallback))
        if reading.index is not None and names_two_places(response, prepared.texts):
            return UNREAD["ambiguous"]
        if reading.index is None:
            reading = _read_conclusion(response, prepared, reading)
            reading = settle_last(response, prepared, reading, _read_part) if reading.index is None else reading
            return UNREAD["ambiguous"] if reading.index is not None and stays_open(response) else reading
        if refused:
            return reading
    if (stays_open(response) if is_open is None else is_open) and reading.index not in list_unable(prepared.texts):
        return UNREAD["ambiguous"]
    if " or " in response and offers_another(lower(clean(response)), prepared.texts, reading.index):
        return UNREAD["ambiguous"]
    if prepared.has_reasons and differs_in_reason(response, prepared.texts, reading.index):
        return UNREAD["contradiction"]
    counted = None if points_to_options(response) else prepared.quantities
    if counted is not None and has_only_bounds(lower(clean(response)), counted, reading.index):
        return UNREAD["ambiguous"]
    rivals = has_rival(response, prepared, reading.index) or has_text_of_another(response, prepared, reading.index)
    return UNREAD["ambiguous"] if rivals else reading


_settle_cached = lru_cache(maxsize=_UNREAD_MEMO_SIZE)(_settle_uncached)


def read_choice(response: str | None, options: Sequence[str]) -> Reading:
    """Read which single option a response chose.

    Args:
        response: What the system wrote; None where it gave nothing.
        options: The option texts in the order they were shown; letters A, B, … stand for positions.

    Returns:
        A reading with `index`, or with the `reason` why two careful readers would not agree on one.

    >>> read_choice("不是A，而是C。", ("left", "right", "ahead", "behind")).index
    2
    >>> read_choice("A or B", ("left", "right", "ahead", "behind")).reason
    'ambiguous'
    """
    if response is None:
        return EMPTY
    prepared = prepare(options if type(options) is tuple else tuple(options))
    response = rewrite_preambles(response, options)
    if "\n" in response:
        response = head_answer(keep_verdict_columns(response))
    if prepared.has_steps:
        response = write_step_claims(response, prepared.texts)
    if " would " in response or " might " in response or " could " in response or " may " in response:
        response = drop_supposed(response)
    found = find_form(response, prepared)
    if found is None:
        return settle(response, prepared, _read_long(response, prepared))
    form, is_open = found
    reading = form.readings.get(prepared.profile) or _read_form(form, prepared.profile)
    is_settled = is_open is False and reading.index is not None and prepared.has_plain_texts
    if is_settled and ". A" not in response and prepared.turning_words.isdisjoint(form.words):
        return reading
    return settle(response, prepared, reading, is_open=is_open)
