"""Verdicts on all steps, or on the claim of one, in other words: "the list of errors is empty"."""

import re

from evaluation.extraction.critic.numbers import SPELLED_NUMBERS, read_number
from evaluation.extraction.language.symbols import ORDINALS
from evaluation.extraction.step_lists.described_lists import describe_lists
from evaluation.extraction.step_lists.listed_errors import spell_listed_errors

_COUNT = "|".join(SPELLED_NUMBERS)
_BAD = r"(?:wrong|incorrect|erroneous|false|flawed|faulty|mistaken|inaccurate)"
_EMPTY = re.compile(
    rf"(?:(?:the|my) )?list of (?:all )?(?:the )?(?:{_BAD} steps|(?:steps with )?errors|mistakes)"
    r" (?:is|remains|stays) empty(?! ?\?)"
    rf"|(?:{_BAD} steps|errors) ?[:：] ?\(?(?:the )?(?:empty(?: list)?|list is empty)\)?(?= ?(?:[.\n]|\Z))",
    re.IGNORECASE,
)
# "Nothing is wrong with this reasoning: step 1 hears the kettle, …".
_NOTHING_WRONG = re.compile(
    r"\A\W{0,4}(?:(?:there is |there's )?nothing (?:is )?(?:wrong|amiss|to object to)"
    r"|(?:i (?:find|found|see) )?no (?:errors?|mistakes?)) (?:with|in|about)"
    r" (?:this|the|its) (?:reasoning|trace|chain|steps|analysis)(?: (?:trace|steps|chain))?(?=[:;,.] )",
    re.IGNORECASE,
)
_DISAGREES = re.compile(
    rf"(?<![a-z])(?:{_BAD}|errors?|mistakes?|but|however|except|although|though|unless|not|only|yet|still|should|mis[a-z]+"
    r"|confus[a-z]+|instead|overlook[a-z]*|omits?|swaps?|contradict[a-z]*|unsupported|questionable|doubt[a-z]*|actually"
    r"|well|rather|ignores?|invents?|aside|apart|other|save|bar|besides|exceptions?|outside|until|up to)(?![a-z])|n't",
    re.IGNORECASE,
)
_BARE_NUMBER = re.compile(r"[:;,.] ?#?[0-9]")
# "Two of the seven steps are erroneous, namely …".
_OF_ALL = re.compile(
    rf"(?<![a-z0-9])(?P<some>{_COUNT}|[1-9]) (?:out )?of (?:the|its|these) (?P<all>{_COUNT}|[1-9])"
    rf" (?=(?:reasoning )?steps (?:are|is|contain|have|has) (?:{_BAD}|an? (?:error|mistake)|errors|mistakes))",
    re.IGNORECASE,
)
# "Steps 1 and 3 don't contain any."
_NOT_ANY = re.compile(r"(?:do not|don't|does not|doesn't) (?P<verb>contain|have) any(?= ?(?:[.;\n]|\Z))", re.IGNORECASE)
_SPEAKS_OF_ERRORS = re.compile("error|mistake|flaw|slip|problem", re.IGNORECASE)
_SPEAKS_OF_SUPPORT = re.compile("evidence|support|basis|proof", re.IGNORECASE)
# "In step 4 the conclusion that she is happy can't be right".
_CLAIM_IN = re.compile(
    r"(?<![a-z])in (?P<step>step #?[0-9]{1,2}),? the (?:conclusion|claim|statement|description|inference|assertion)"
    r"(?: (?:that|of|about) [^.;,:\n]{1,80}?)? (?P<said>can't be right|cannot be right|doesn't follow|does not follow"
    rf"|is (?:{_BAD}|right|correct|accurate))(?= ?(?:[.,;:!\n]|\Z)| (?:because|since|as|given)(?![a-z]))",
    re.IGNORECASE,
)
# "The claim that there is no sound is correct": what is denied is a part of the claim.
_JUDGED = (
    r"(?:is|was)(?: (?:not|also|clearly|indeed|entirely|completely|perfectly))?"
    rf" (?:{_BAD}|right|correct|accurate|true|valid|sound|fine|supported|unsupported)(?![a-z])"
)
_UNJUDGED = rf"(?:(?!(?<![a-z]){_JUDGED})[^.;:\n])"
_CLAIM_OF_NONE = re.compile(
    r"(?<![a-z])(?<!but )(?<!and )(?P<claim>(?:the|this|that|its) (?:claim|statement|assertion|observation|conclusion"
    rf"|inference|idea|point|remark|description)) that (?:(?!, ){_UNJUDGED}){{0,120}}?"
    r"(?:(?<![a-z])(?:no|nothing|nobody|no one|none|not|never|without|neither)(?![a-z])|n't)"
    rf"{_UNJUDGED}{{0,100}}? (?P<verdict>{_JUDGED})"
    r"(?= ?(?:[.;:!\n]|\Z|,(?! (?:is|was|and that) ))| (?:because|since|as|given|but)(?![a-z])| and (?!that))",
    re.IGNORECASE,
)
# "Only one of the four steps is wrong, step 3."
_COUNT_OF_BAD = re.compile(
    r"(?<![a-z])(?<!more than )(?<!at most )(?<!if )(?<!when )(?<!because )(?<!since )(?<!that )"
    rf"(?P<count>(?:{_COUNT}|[1-9])(?: of (?:the|its|these)(?: (?:{_COUNT}|[1-9]))?)?(?: reasoning)? steps?"
    rf" (?:is|are) {_BAD}), (?=steps? #?[0-9]{{1,2}}(?:(?:, | and |, and )(?:step )?[0-9]{{1,2}}){{0,8}}"
    r"(?: ?[.;:\n]|,? (?:as|because|since|where)(?![a-z])|\Z|, the (?:others?|rest) ))",
    re.IGNORECASE,
)
# "I agree with steps 1 through 3. Step 4 says that it is a dryer when it's obviously a vacuum cleaner".
_SAYS_WHEN = re.compile(
    r"(?P<step>(?<![a-z])step #?[0-9]{1,2}) (?:says|claims|states|asserts) (?:that )?[^.;\n]{1,100}?"
    r" (?:when|while|although) (?:it|this|that|the [a-z]+|there)(?:'s| is| was| are)"
    r" (?:obviously|actually|clearly|in fact|really|plainly) (?:an?|the) [^.;,\n]{1,60}"
    r"(?!,? (?:which|that) is (?:right|correct|true))",
    re.IGNORECASE,
)
_REPEATS = re.compile(
    r"(?P<step>(?<![a-z])step #?[0-9]{1,2}) (?:repeats|inherits|adopts|builds on|relies on|carries over)"
    r" (?:this|that|the|its) (?:mistake|error|slip)(?![a-z])",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:^(?:[0-9]{1,2}[.)] ?)?[^\w\n]{0,8}|(?<=[.!?] ))step #?(?P<number>[0-9]{1,2})(?![0-9])",
    re.MULTILINE | re.IGNORECASE,
)
# "The step that is wrong is step 4."
_THAT_IS_BAD = re.compile(
    rf"(?<![a-z])(?P<the>the (?:only |one )?)(?P<step>steps?) (?:that|which) (?:is|are) (?P<bad>{_BAD})"
    r" (?=(?:is|are)(?![a-z])(?! the (?:one|step) (?:before|after|preceding|following)))",
    re.IGNORECASE,
)
_VERDICT = re.compile(
    rf"(?<![a-z])(?:{_BAD}|correct|right|fine|true|accurate|valid|invalid|sound)(?![a-z])", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[.!?](?= |\n|\Z)")
# "All steps are wrong except for one step: step 2."
_ONE_EXCEPTED = re.compile(
    rf"(?<![a-z])(?P<except>except(?: for)?|apart from|other than) (?:just |only )?(?:{_COUNT}|a single)"
    r"(?: (?:steps?|ones?))?"
    r" ?(?::|,|,? namely,?) (?=steps? #?[0-9])",
    re.IGNORECASE,
)
# "The can is opened": no verb.
_CAN = re.compile(
    r"(?<![a-z])(?P<article>an?|the|one|this) can (?=(?:is|was|of|opens?|falls|rolls)(?![a-z]))", re.IGNORECASE
)
# "| ✅ Correct |": the mark repeats the word.
_MARKED_WORD = re.compile(
    rf"(?<=\|) ?(?:[✓✔✅]\ufe0f? ?(?=(?:correct|right|accurate|valid)(?![a-z]))|[✗✘❌]\ufe0f? ?(?={_BAD}(?![a-z])))",
    re.IGNORECASE,
)
# "Identify the sound": no verdict.
_SOUND = re.compile(
    r"(?<![a-z])(?P<article>the|an?|each|that|any|of|no|first|second|third|last) sound(?= ?(?:[|,.;:\n]|\Z))",
    re.IGNORECASE,
)
# "So step 1, which names a piano, is incorrect."
_WHICH = re.compile(
    r"(?P<step>(?<=so )step #?[0-9]{1,2}), (?:which|where|whose) [^,.;\n]{1,100},"
    r" (?=(?:is|are|was|has|contains)(?![a-z]))",
    re.IGNORECASE,
)
# "Every step from 1 to 4 is correct."
_EVERY_FROM = re.compile(
    r"(?<![a-z])(?P<all>every step|each step|all (?:the )?steps) from (?:step )?1 (?:to|through) (?:step )?"
    r"(?P<last>[0-9]{1,2})(?= (?:is|are|was|were|looks?|holds?)(?![a-z])|,? (?:except|apart))",
    re.IGNORECASE,
)
# "I checked each step and found an error in step 2."
_CHECKED = re.compile(
    r"(?<![a-z])(?P<who>I|we)(?: have)? (?:carefully )?(?:checked|reviewed|examined|verified|went through|gone through)"
    r" (?:each|every|all)(?: of)?(?: the)? steps?(?: from 1 to [0-9]{1,2})?(?: against (?:the|this) [a-z]+)?,? and "
    r"(?=(?:have )?(?:found|noticed|identified|spotted|see|saw))",
    re.IGNORECASE,
)
# "Step 2: Incorrect".
_LABELLED_BAD = re.compile(
    rf"step #?[0-9]{{1,2}}(?![0-9])[^\w\n]{{0,12}}(?:(?:is|was) )?[*_]{{0,3}}{_BAD}(?![a-z])", re.IGNORECASE
)
# "Here's how each step holds up:".
_INTRODUCES = re.compile(
    r"(?:^|(?<=[.!] ))[*#_ ]{0,4}(?:here(?:'s| is) )?how (?:each|every|the|these) (?:reasoning )?steps? "
    r"(?:holds?|stands?) up(?: against (?:the|this) [a-z]+)?[*_]{0,2} ?:[*_]{0,2}(?=\s*\n)",
    re.IGNORECASE | re.MULTILINE,
)
# "Summary: 3 correct steps, 1 incorrect step."
_TALLY = re.compile(
    rf"^[*#_> -]{{0,6}}(?:(?:summary|total|overall|in total|result|tally)s?[*_]{{0,2}} ?: ?[*_]{{0,2}} ?)?"
    rf"(?P<right>[0-9]{{1,2}})(?: steps?)?(?: (?:is|are))? (?:correct|right)(?: steps?)?"
    rf"(?:,| and|, and|;) (?P<wrong>[0-9]{{1,2}})(?: steps?)?"
    rf"(?: (?:is|are))? {_BAD}(?: steps?)?[.!]?[*_]{{0,2}}$",
    re.IGNORECASE | re.MULTILINE,
)
# Next to a label for each step, "the first speaks faster" and "the third knock" are parts of claims.
_ORDINAL = re.compile(
    rf"(?<![a-z])the (?:{'|'.join(ORDINALS)}|last|final|second-last)(?! (?:[a-z]+ )?(?:steps?|claims?)(?![a-z]))",
    re.IGNORECASE,
)
_FEWEST = 2


def word_verdicts(text: str, n_steps: int) -> str:
    """Return a text with such verdicts in plain words.

    >>> word_verdicts("The list of erroneous steps is empty.", 3)
    'No step is erroneous.'
    >>> word_verdicts("Two of the seven steps are erroneous, namely steps 2 and 3.", 7)
    'Two steps are erroneous, namely steps 2 and 3.'
    """
    text = spell_listed_errors(describe_lists(text), n_steps)
    lowered = text.lower()
    if "empty" in lowered:
        text = _EMPTY.sub("No step is erroneous", text)
    if ("nothing " in lowered or "no " in lowered) and (opening := _NOTHING_WRONG.match(text)):
        is_all = not _DISAGREES.search(text, opening.end()) and not _BARE_NUMBER.match(text, opening.end())
        text = "All steps are correct." if is_all else text
    if "how " in lowered:
        text = _INTRODUCES.sub("", text)
    if " from " in lowered:
        text = _EVERY_FROM.sub(lambda match: match["all"] if int(match["last"]) == n_steps else match.group(), text)
    if "correct" in lowered and _labels_each(text, n_steps):
        text = _TALLY.sub(lambda match: _drop_tally(match, n_steps), text)
    if "and " in lowered:
        text = _CHECKED.sub(r"\g<who> ", text)
    if " that " in lowered:
        text = _CLAIM_OF_NONE.sub(r"\g<claim> \g<verdict>", text)
    if ", step" in lowered:
        text = _COUNT_OF_BAD.sub(r"\g<count>: ", text)
    if " of " in lowered:
        text = _OF_ALL.sub(lambda match: _write_some(match, n_steps), text)
    if " any" in lowered:
        text = _NOT_ANY.sub(_write_none, text)
    if "in step" in lowered:
        text = _CLAIM_IN.sub(_write_claim, text)
    if "step" in lowered and (" is" in lowered or " are" in lowered):
        text = _THAT_IS_BAD.sub(r"\g<the>\g<bad> \g<step> ", text)
    if "except" in lowered or "apart from" in lowered or "other than" in lowered:
        text = _ONE_EXCEPTED.sub(r"\g<except> ", text)
    if "|" in text:
        text = _MARKED_WORD.sub(" ", text)
    if " sound" in lowered:
        text = _SOUND.sub(r"\g<article> noise", text)
    if ", which " in lowered or ", where " in lowered or ", whose " in lowered:
        text = _WHICH.sub(r"\g<step> ", text)
    if " can " in lowered:
        text = _CAN.sub(r"\g<article> tin ", text)
    if " when " in lowered or " while " in lowered:
        text = _SAYS_WHEN.sub(r"\g<step> is wrong", text)
    if "mistake" in lowered or "error" in lowered or "slip" in lowered:
        text = _REPEATS.sub(r"\g<step> is wrong", text)
    return _ORDINAL.sub("the", text) if n_steps >= _FEWEST and _labels_each(text, n_steps) else text


def _labels_each(text: str, n_steps: int) -> bool:
    """Whether each step has its line, or its sentence with a verdict."""
    labels = list(_LABEL.finditer(text))
    if [int(label["number"]) for label in labels] != list(range(1, n_steps + 1)):
        return False
    ends = [label.start() for label in labels[1:]] + [len(text)]
    is_line = all(label.start() == 0 or "\n" in text[label.start() - 1 : label.end()] for label in labels)
    sentences = (_SENTENCE_END.split(text[label.end() : end])[0] for label, end in zip(labels, ends, strict=True))
    return is_line or all(map(_VERDICT.search, sentences))


def _drop_tally(match: re.Match[str], n_steps: int) -> str:
    wrong = len(_LABELLED_BAD.findall(match.string, 0, match.start()))
    agrees = int(match["wrong"]) == wrong and int(match["right"]) == n_steps - wrong
    return "" if agrees else match.group()


def _write_some(match: re.Match[str], n_steps: int) -> str:
    return f"{match['some']} " if read_number(match["all"].lower()) == n_steps else match.group()


def _write_none(match: re.Match[str]) -> str:
    before = match.string[: match.start()]
    is_of_errors = _SPEAKS_OF_ERRORS.search(before) and not _SPEAKS_OF_SUPPORT.search(match.string)
    return f"{match['verb']} no errors" if is_of_errors else match.group()


def _write_claim(match: re.Match[str]) -> str:
    said = match["said"].lower()
    return f"{match['step']} {said if said.startswith('is') else 'is wrong'}"
