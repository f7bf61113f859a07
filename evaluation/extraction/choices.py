"""Reading the set of options that a response chose."""

import re
from collections.abc import Sequence
from functools import lru_cache

from evaluation.extraction.choice import MEMO_SIZE, account_for
from evaluation.extraction.claims.answer_lines import (
    agrees_with_count,
    answers_differ,
    drop_places,
    drop_restated,
    repeats_alphabet,
)
from evaluation.extraction.claims.carried_verdicts import carry_in_response
from evaluation.extraction.claims.caution import breaks_off, stays_open
from evaluation.extraction.claims.closings import settle_closing
from evaluation.extraction.claims.listed_texts import join_listed_texts
from evaluation.extraction.claims.other_subjects import drop_other_subjects
from evaluation.extraction.claims.pointers import points_beyond_words
from evaluation.extraction.claims.preambles import rewrite_preambles
from evaluation.extraction.claims.rejections import asks_for_more
from evaluation.extraction.claims.repetitions import drop_repetitions
from evaluation.extraction.claims.reported import drop_reports
from evaluation.extraction.claims.shared_denials import drop_compared
from evaluation.extraction.claims.supposed import drop_listening, drop_supposed
from evaluation.extraction.claims.transcripts import is_transcript
from evaluation.extraction.claims.unchosen import write_claims
from evaluation.extraction.claims.weighing import misses_one
from evaluation.extraction.decided_sets import decide_review, decide_set
from evaluation.extraction.language.lexicon import KIND
from evaluation.extraction.language.normalize import clean, is_blank
from evaluation.extraction.language.spelling import lower
from evaluation.extraction.language.symbols import CAPITAL
from evaluation.extraction.language.tokens import tokenize
from evaluation.extraction.language.units import is_negative, says_opposite
from evaluation.extraction.measures.chords import drop_chords
from evaluation.extraction.measures.counted_things import list_things, read_counts
from evaluation.extraction.option_reviews.absent_members import join_absences, read_rest
from evaluation.extraction.option_reviews.announced_sets import write_sets
from evaluation.extraction.option_reviews.bare_lists import drop_remarks, read_bare_list, sort_letters
from evaluation.extraction.option_reviews.bracketed import (
    has_bracketed,
    keep_only_heard,
    leaves_out_bracketed,
    read_bracketed,
    read_bracketed_lines,
)
from evaluation.extraction.option_reviews.cut_sets import breaks_off_in_list
from evaluation.extraction.option_reviews.denied_members import (
    deny_members,
    drop_letters_of_texts,
    drop_numbers_of_texts,
    join_bracketed_letters,
    leaves_denial_open,
)
from evaluation.extraction.option_reviews.denying_lines import write_denying_lines
from evaluation.extraction.option_reviews.described_members import drop_descriptions_of_members
from evaluation.extraction.option_reviews.enumerations import reject_undetermined, write_arrows, write_enumerations
from evaluation.extraction.option_reviews.groups import name_all, name_those, spell_places
from evaluation.extraction.option_reviews.guessed_members import leaves_guess
from evaluation.extraction.option_reviews.headed_sets import drop_denied_lists
from evaluation.extraction.option_reviews.letter_lists import spell_letter_lists
from evaluation.extraction.option_reviews.letters import spread_lists
from evaluation.extraction.option_reviews.lists import names_two_sets, repeats_prompt, spell_sets
from evaluation.extraction.option_reviews.phrasings import write_verdicts
from evaluation.extraction.option_reviews.reviews import read_review
from evaluation.extraction.option_reviews.revised_sets import write_revised_set
from evaluation.extraction.option_reviews.translated_lists import read_translated_list
from evaluation.extraction.option_reviews.verdict_columns import keep_verdict_columns
from evaluation.extraction.option_texts.options import PLACEHOLDER_BASE, PreparedOptions, Profile, mark_texts, prepare
from evaluation.extraction.paraphrases.completion import complete_named
from evaluation.extraction.paraphrases.counted import find_counted, tells_beyond
from evaluation.extraction.paraphrases.gist import read_gist
from evaluation.extraction.paraphrases.leftovers import leaves_unsaid, mentions_unnamed_person, says_more
from evaluation.extraction.paraphrases.named_members import settle_by_names
from evaluation.extraction.paraphrases.plainer import correct_words
from evaluation.extraction.paraphrases.pointing import find_all_pointed
from evaluation.extraction.paraphrases.resemblance import find_all_resembled
from evaluation.extraction.paraphrases.shared_words import write_numbered, write_objects
from evaluation.extraction.readings import EMPTY, UNREAD
from evaluation.extraction.shortcuts.answer_forms import find_form
from evaluation.extraction.shortcuts.condense import condense
from evaluation.types import Reading

_FIRST_TEXT = chr(PLACEHOLDER_BASE)
# What introduces an answer, not the options of a question: "The answers are:", "正确的选项有：".
_CUE = re.compile(
    r"(?:^|\n)(?:(?:the |my |final )*(?:answers?|(?:correct|right) (?:answers?|options|choices))(?: is| are)?"
    r"|(?:因此|所以|故|我的|最终)*(?:答案|正确答案|正确的?选项)(?:是|为|有|包括)?) ?:?\s*\Z",
    re.IGNORECASE,
)
_ALTERNATIVES = re.compile(r"[/|?]|(?<![a-z])or(?![a-z])|或", re.IGNORECASE)
# "A (piano first, then drums) and C": what the letter says is told again.
_GLOSS = re.compile(r"(?<![A-Za-z(])([A-Z]) \(([^()\n]{2,80})\)(?=,? (?:and|but|as well)(?![a-z])|[,.]|、|和|与|$)")
# "D - not sure, I'd say no": a verdict after all.
_HEDGED_VERDICT = re.compile(
    r"(?:not sure|unsure|hard to say|不太?确定|不好说),? (?:but )?(?:I'd|I would) (?:say|go with) ", re.IGNORECASE
)
# "Statement 1 is false": option 1.
_STATEMENT = re.compile(r"(?<![A-Za-z])[Ss]tatement #?(?=[1-9](?![0-9.]))")
# "C、D无法从音频中确认": a verdict on both.
_LISTED = r"((?<![A-Za-z])[A-Z](?:(?:、|,|和|与|及)[A-Z]){0,25}(?:项|选项)?(?:均|都)?)"
_UNCONFIRMED = re.compile(
    rf"{_LISTED}(?:无法|不能|难以)从?[^,。;\n]{{0,8}}?(?:得到)?(?:确认|证实|印证|支持|支撑|推断|推导|得出|推出"
    rf"|推知|得知|听出|看出|验证)(?:出来)?"
)
_GROUNDED = re.compile(rf"{_LISTED}有[^,。;\n无没不]{{0,8}}(?:依据|佐证|支持|支撑)")
_NONE_OF_ALL = re.compile(
    r"none of (?:the above|the others?|these|them)|no other|(?:以上|上述)(?:都|均|皆)(?:不|非|没)"
)
_DENYING = frozenset({KIND.NEG, KIND.BAD, KIND.REFUSE, KIND.IF, KIND.BEFORE, KIND.NO})
_TELLING = _DENYING | {KIND.GOOD, KIND.TEXT, KIND.ORDINAL, KIND.YES, KIND.EVERY, KIND.NONE, KIND.REVISE}
_OPEN_REASONS, _SHORTEST_PROSE = frozenset({None, "outside-options"}), 8
# Where every option that is named is claimed or denied by its clause, a refusal is about what is not heard.
_DOUBTFUL_REASONS = frozenset({"ambiguous", "refusal"})
_ABOUT_ITSELF = re.compile(
    r"(?<![a-z])(?:sorry|unable|not sure|unsure|uncertain|as an ai)(?![a-z])|抱歉|对不起|无法|确定", re.IGNORECASE
)
_TEXTS = re.compile("[\ue000-\uf8ff]")
_SINGLE_LETTER, _LETTER = re.compile("(?<![A-Za-z])[A-Za-z](?![A-Za-z])"), re.compile(r"[^\W\d_]")


def _only_a_list(marked: str, profile: Profile) -> bool | None:
    """Whether a response is the list of all texts and nothing else: without letters it chooses, with them it echoes."""
    if _FIRST_TEXT not in marked and "/" not in marked and "|" not in marked:
        return None
    rest, n_listings = profile.listing.subn("", marked)
    if n_listings != 1 or any(map(str.isalnum, rest)):
        return None
    return not _LETTER.search(re.sub("[\ue000-\uf8ff]", "", marked))


def _answers_all(marked: str, profile: Profile) -> bool:
    """Whether the response ends in the list of all texts behind words that call it the answer."""
    listing = profile.listing.search(marked) if _FIRST_TEXT in marked else None
    # With letters it may be the echo of a question.
    if listing is None or _SINGLE_LETTER.search(listing.group()) or _ALTERNATIVES.search(marked, listing.start()):
        return False
    return not any(map(str.isalnum, marked[listing.end() :])) and _CUE.search(marked[: listing.start()]) is not None


def _drop_gloss(match: re.Match[str]) -> str:
    """Leave out what stands in brackets behind a letter, unless it judges or names something."""
    tokens = tokenize(match[2])
    tells = any(token.kind in _TELLING or (token.kind is KIND.LABEL and token.capital) for token in tokens)
    return match.group() if tells else match[1]


def _read_marked(marked: str, profile: Profile) -> Reading:
    """Read a cleaned response in which placeholders stand for the option texts."""
    if is_blank(marked):
        return EMPTY
    marked = join_bracketed_letters(keep_only_heard(_STATEMENT.sub("option ", join_listed_texts(marked))))
    if "1" in marked or "2" in marked or "3" in marked:
        marked = drop_numbers_of_texts(marked)
    marked = drop_restated(drop_letters_of_texts(deny_members(write_revised_set(marked, profile.size))))
    marked = write_claims(write_enumerations(write_sets(drop_compared(join_listed_texts(marked)))))
    listed = _only_a_list(marked, profile)
    if listed is not None:
        return Reading(indices=frozenset(range(profile.size))) if listed else UNREAD["ambiguous"]
    if _answers_all(marked, profile):
        return Reading(indices=frozenset(range(profile.size)))
    if answers_differ(marked):
        return UNREAD["contradiction"]
    if repeats_alphabet(marked, profile.size) or names_two_sets(marked) or repeats_prompt(marked, profile.size):
        return UNREAD["ambiguous"]
    marked = spell_sets(marked, profile.size)
    marked = drop_places(_HEDGED_VERDICT.sub("", marked))
    if not marked.isascii():
        marked = _GROUNDED.sub(r"\1成立", _UNCONFIRMED.sub(r"\1不成立", marked))
    if not has_bracketed(marked):
        marked = write_verdicts(marked)
    skeleton, _ = spread_lists(name_those(name_all(spell_places(marked), profile.size)), profile)
    return weigh_set(condense(skeleton), profile)


def weigh_set(skeleton: str, profile: Profile) -> Reading:
    """Read a cleaned text with placeholders, in which no list of all options is left."""
    if "\n" in skeleton and (lines := read_bracketed_lines(skeleton, profile)) is not None:
        return lines
    review = read_review(skeleton, profile)
    if review is not None:
        return decide_review(review, profile)
    bracketed = read_bracketed(skeleton, profile)
    if bracketed is not None:
        return bracketed
    if leaves_guess(skeleton):
        return UNREAD["ambiguous"]
    skeleton = drop_reports(skeleton)
    if "(" in skeleton:
        skeleton = _GLOSS.sub(_drop_gloss, skeleton)
    return decide_set(account_for(tokenize(skeleton), profile, commas=True), profile)


_remember_marked = lru_cache(maxsize=MEMO_SIZE)(_read_marked)


def _read(response: str, options: tuple[str, ...]) -> Reading:
    prepared = prepare(options)
    response = drop_repetitions(rewrite_preambles(response, options), prepared.profile.size)
    response = spell_letter_lists(keep_verdict_columns(response), prepared)
    response = carry_in_response(drop_chords(response, prepared.texts), prepared)
    listed = read_bare_list(response, prepared)
    listed = read_translated_list(response, prepared) if listed is None else listed
    if listed is not None:
        return Reading(indices=listed) if listed else UNREAD["ambiguous"]
    rest = read_rest(response, prepared)
    if rest is not None:
        return Reading(indices=rest) if rest else UNREAD["ambiguous"]
    if list_things(prepared.texts) and (counted := read_counts(lower(clean(response)), prepared.texts)) is not None:
        return Reading(indices=counted) if counted else UNREAD["outside-options"]
    if breaks_off_in_list(response, prepared.texts):
        return UNREAD["ambiguous"]
    if " not " in response and leaves_denial_open(mark_texts(clean(response), prepared)):
        return UNREAD["ambiguous"]
    response = drop_listening(join_absences(response))
    response = drop_supposed(drop_descriptions_of_members(response, prepared.texts))
    response = drop_denied_lists(drop_remarks(response, prepared.profile))
    response = write_denying_lines(sort_letters(response, prepared), prepared.texts)
    response = write_objects(reject_undetermined(write_arrows(response)), prepared.texts)
    response = drop_other_subjects(write_numbered(response, prepared.texts), prepared.texts)
    found = find_form(response, prepared)
    if found is not None:
        reading = _remember_marked(found[0].text, prepared.profile)
    else:
        reading = _read_marked(mark_texts(clean(response), prepared), prepared.profile)
    if len(response) > _SHORTEST_PROSE:
        first, reading = reading, _add_gist(response, prepared, reading)
        if reading.indices and reading != first and not agrees_with_count(lower(response), len(reading.indices)):
            return UNREAD["ambiguous"]
        reading = settle_closing(response, prepared, settle_by_names(response, prepared, reading))
    is_open = reading.indices is not None and (
        stays_open(response)
        or is_transcript(response, prepared.texts)
        or (
            not points_beyond_words(response, prepared)
            and tells_beyond(lower(clean(response)), prepared.texts, reading.indices)
        )
        or misses_one(response, {chr(65 + position) for position in reading.indices})
        or (breaks_off(response) and breaks_off(mark_texts(clean(response), prepared)))
    )
    if is_open or (reading.indices and leaves_out_bracketed(response, reading.indices)):
        return UNREAD["ambiguous"]
    corrected = correct_words(response, prepared.texts) if reading.indices is None else response
    return reading if corrected == response else _read(corrected, options)


def _add_gist(response: str, prepared: PreparedOptions, reading: Reading) -> Reading:
    """Add the options that a response without letters or a cue says in other words than those of their texts."""
    if reading.indices is None and not CAPITAL.search(response):
        counted = find_counted(lower(clean(response)), prepared.texts)
        if counted:
            return Reading(indices=counted)
    if asks_for_more(response):
        return reading
    if reading.indices and len(reading.indices) == 1 and _NONE_OF_ALL.match(prepared.texts[min(reading.indices)]):
        return reading  # "None of the above: the only vehicle is a bicycle."
    doubtful = reading.reason in _DOUBTFUL_REASONS
    if (reading.reason not in _OPEN_REASONS and not doubtful) or points_beyond_words(response, prepared):
        return reading
    marked = write_claims(write_sets(deny_members(join_listed_texts(mark_texts(clean(response), prepared)))))
    if points_beyond_words(marked, prepared):
        return reading  # "可能的地点有…" is written as the answer.
    review = read_review(write_verdicts(marked), prepared.profile)
    if review is not None and any(review.verdicts.values()):
        return reading
    said = read_gist(lower(marked), prepared.texts)
    if review is not None:
        said = said._replace(denied=said.denied | review.verdicts.keys())  # "No rain, no thunder."
    claimed = {place for place, _ in said.claims} - said.denied
    claimed = {place for place in claimed if not says_opposite(lower(marked), prepared.texts[place])}
    named = reading.indices or frozenset()
    if doubtful and not _tells_of_all(marked, claimed, said.denied):
        return reading
    if reading.indices is None and not said.claims and not said.denied:
        resembled = _find_resembled(marked, prepared)
        resembled = resembled or find_all_pointed(lower(marked), prepared.texts)
        return Reading(indices=resembled) if resembled else reading
    if len(named | claimed) < prepared.profile.size and is_negative(lower(marked)) and mentions_unnamed_person(marked):
        return UNREAD["ambiguous"]
    if not named | claimed or named & said.denied:
        return reading
    if says_more(lower(marked), prepared.texts, named | claimed, said.denied):
        resembled = _find_resembled(marked, prepared)
        complete = resembled > named | claimed and resembled.isdisjoint(said.denied)
        complete = complete and not says_more(lower(marked), prepared.texts, resembled, said.denied)
        return Reading(indices=resembled) if complete else UNREAD["ambiguous"]
    if not named and leaves_unsaid(lower(marked), prepared.texts, claimed):
        return UNREAD["ambiguous"]
    complete_set = complete_named(lower(marked), prepared.texts, named | claimed, said.denied)
    if complete_set is None:
        return UNREAD["ambiguous"]
    return reading if complete_set == named else Reading(indices=complete_set)


def _find_resembled(marked: str, prepared: PreparedOptions) -> frozenset[int]:
    """The options that a response resembles, without those of which it says the opposite."""
    lowered = lower(marked)
    resembled = find_all_resembled(lowered, prepared.texts)
    return frozenset(place for place in resembled if not says_opposite(lowered, prepared.texts[place]))


def _tells_of_all(marked: str, claimed: set[int], denied: frozenset[int]) -> bool:
    named = {ord(sign) - PLACEHOLDER_BASE for sign in _TEXTS.findall(marked)}
    return (
        bool(named and denied)
        and named <= claimed | denied
        and claimed.isdisjoint(denied)
        and not _ABOUT_ITSELF.search(marked)
    )


def read_choices(response: str | None, options: Sequence[str]) -> Reading:
    """Read which options a response chose, where several may be right.

    Args:
        response: What the system wrote; None where it gave nothing.
        options: The option texts in the order they were shown; letters A, B, … stand for positions.

    Returns:
        A reading with `indices` (never empty), or with the `reason` why two careful readers would not agree on a set.

    >>> sorted(read_choices("A和C", ("rain", "wind", "thunder", "hail")).indices)
    [0, 2]
    """
    if response is None:
        return EMPTY
    choices = options if type(options) is tuple else tuple(options)
    return _read(response, choices)
