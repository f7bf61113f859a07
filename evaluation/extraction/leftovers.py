"""What an answer in prose says beside the options that were found in it: it may be another option in other words."""

import re

from evaluation.extraction.gist import MAX_GIST_LENGTH, OptionGist, list_clauses, list_units, make_gists

_ALIKE, _UNLIKE = 0.3, 0.15
_MOST_OPTIONS = 12
# Of a question with several recordings, the one that a clause is about.
_SEGMENT = re.compile(r"第[一二三](?=[段个])|(?:first|second|third)(?= (?:audio|clip|recording|segment|part))")


def says_more(lowered: str, texts: tuple[str, ...], named: frozenset[int], denied: frozenset[int]) -> bool:
    """Whether a clause may say an option that was neither found nor denied.

    Args:
        lowered: A cleaned response in lower case; a placeholder may stand for the text of an option.
        texts: Of the options, in lower case.
        named: Options that the response was found to say.
        denied: Options that it denies.
    """
    if len(texts) > _MOST_OPTIONS or len(lowered) > MAX_GIST_LENGTH:
        return False
    gists = make_gists(texts)
    open_gists = [gist for place, gist in enumerate(gists) if place not in named | denied]
    if not open_gists:
        return False
    found = [gists[place] for place in named]
    clauses = list_clauses(lowered)
    told = {segment for clause in clauses for segment in _SEGMENT.findall(clause)}
    if told:
        of_named = {segment for place in named for segment in _SEGMENT.findall(texts[place])}
        of_others = {segment for place in range(len(texts)) for segment in _SEGMENT.findall(texts[place])}
        if told & of_others - of_named:
            return True
    return any(_resembles(frozenset(list_units(clause)), open_gists, found) for clause in clauses)


def _resembles(units: frozenset[str], open_gists: list[OptionGist], found: list[OptionGist]) -> bool:
    if not units:
        return False
    best = max((_share(gist, units) for gist in found), default=0.0)
    for gist in open_gists:
        share = _share(gist, units)
        if share <= best or not gist.opposed.isdisjoint(units):
            continue
        telling = any(weight == 1.0 and unit in units for unit, weight in gist.weights.items())
        if share >= _ALIKE or (telling and share >= _UNLIKE):
            return True
    return False


def _share(gist: OptionGist, units: frozenset[str]) -> float:
    total = sum(gist.weights.values())
    return sum(weight for unit, weight in gist.weights.items() if unit in units) / total if total else 0.0
