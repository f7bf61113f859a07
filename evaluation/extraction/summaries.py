"""Sentences that judge several steps of a trace at once: "Only step 2 is wrong", "There are no errors"."""

import re

from evaluation.extraction.lexicon import WORD_LISTS
from evaluation.extraction.verdicts import Verdicts, word_says

CHINESE_NUMBERS = "一二三四五六七八九十"

_WORDS = "|".join(
    re.escape(word).replace(r"\ ", "[ -]")
    for word in sorted(WORD_LISTS["ERRONEOUS_STEP"] | WORD_LISTS["CORRECT_STEP"], key=len, reverse=True)
)
_WORD = rf"(?P<word>{_WORDS})(?:的)?(?![A-Za-z])"
_NUMBER = rf"(?:steps? ?#?|步骤|第)? ?(?:[0-9]{{1,4}}|[{CHINESE_NUMBERS}](?=[步、，,和及与]))(?: ?步骤?)?"
_JOINT = r" ?(?:,? ?(?:and|&|和|及|以及|与)|[,，、]|-|–|~|to|through|至|到) ?"
_NUMBERS = rf"(?P<numbers>{_NUMBER}(?:{_JOINT}{_NUMBER}){{0,40}})"
_IS = r"(?:(?:is|are|was|were|has|have|contains?|be|都是|都|均为|均|是|为|存在|中?有|全部|全) ?){0,2}"
_STEPS = r"(?:steps?|ones?|reasoning|步骤|推理步骤|推理)"
_ADVERB = r"(?:(?:clearly|entirely|completely|all|also|fully|therefore|only|完全|也) ?)?"

# "Steps 2 and 3 are wrong"; "only step 2 is wrong"; "step 2 is the only wrong step".
_NUMBERS_FIRST = re.compile(
    rf"(?:and |but |then |while |而|但|其中|因此|so )?(?P<only>only |just |只有|仅有|仅"
    rf"|唯有)?(?:the )?{_NUMBERS} ?{_IS}"
    rf"(?P<sole>the only |唯一)?{_ADVERB}{_WORD}(?: {_STEPS})?",
    re.IGNORECASE,
)
# "Erroneous steps: 2, 3"; "the wrong step is 2"; "Errors: none"; "there is one error, in step 3".
_WORD_FIRST = re.compile(
    rf"(?:(?:there (?:is|are|was) |i (?:found|see|find) )?(?:exactly |only )?(?:an?|one|two|three) |the )?"
    rf"(?P<sole>only )?{_WORD} ?(?P<list>{_STEPS})? ?(?:numbers? )?(?::|=|is|are|包括|有|是|为)* ?(?:in )?"
    rf"(?:\[? ?{_NUMBERS} ?\]?|(?P<none>none|nothing|no steps?|n/a|无|没有|\[ ?\]))",
    re.IGNORECASE,
)
_REST = re.compile(
    rf"(?:and |but |while |而|但)?(?:all )?(?:the )?(?:(?:rest|others?|remaining|remainder|everything else"
    rf"|其余|其他|剩下|剩余)"
    rf"(?: of the)?(?:的|各)? ?{_STEPS}?) ?{_IS}{_ADVERB}{_WORD}",
    re.IGNORECASE,
)
_EXCEPT = (
    r"(?:,? ?(?:except|but|other than|apart from|aside from|besides|excluding|with the exception of)(?: for| of| in)?)"
)
_ALL = r"(?:everything(?: else)?|(?:all|every|each)(?: of)?(?: the)?(?: other)?)"
_ALL_BUT = re.compile(
    rf"{_ALL} ?{_STEPS}? ?(?:{_EXCEPT} {_NUMBERS},? {_IS}{_ADVERB}{_WORD}"
    rf"|{_IS}{_ADVERB}{_WORD}{_EXCEPT} {_NUMBERS.replace('numbers', 'left')})".replace("(?P<word>", "(?P<word2>", 1),
    re.IGNORECASE,
)
_CHINESE_ALL_BUT = re.compile(
    rf"除了?{_NUMBERS}(?:以外|之外|外)?[，,]? ?(?:其他|其余|所有|剩下)?的?(?:步骤)? ?{_IS}{_WORD}", re.IGNORECASE
)
_DIGITS = re.compile(rf"(?P<first>[0-9]{{1,4}}|[{CHINESE_NUMBERS}])|(?P<range>-|–|~|to|through|至|到)")
# "With the exception of step 1, everything is correct".
_EXCEPTION_FIRST = re.compile(
    rf"(?:except|other than|apart from|aside from|besides|excluding|with the exception of)(?: for)?"
    rf" {_NUMBERS}, {_ALL}(?: else)?"
    rf" ?{_STEPS}? ?{_IS}{_ADVERB}{_WORD}",
    re.IGNORECASE,
)
_LAST_OF_LIST = r"$|[.,;\n]"
_SENTENCE = re.compile(
    r"[.;!。；！\n]+(?![0-9])|,(?= ?(?:and |but |while )?(?:the |all )?"
    rf"(?:rest|others?|remaining|step(?!s? ?#?[0-9]+ ?(?:{_LAST_OF_LIST}"
    rf"| and (?:steps? ?)?#?[0-9]+ ?(?:{_LAST_OF_LIST})))))"
    r"|,(?=[\u4e00-\u9fff])"
)
_HAS_NUMBER = re.compile(rf"[0-9]|第[{CHINESE_NUMBERS}]")
_OPEN = re.compile(
    r"\b(?:if|might|may|maybe|perhaps|possibly|unclear|unsure|not sure|could|cannot|can't|whether|unable)\b"
    r"|如果|可能|也许|不确定|无法|是否|\?|？",
    re.IGNORECASE,
)
_DRESS = " \t*_`#>\"'|-•"
_EXCEPTED = re.compile(r"(除了?[^,，。\n]{1,40})[,，]")

_THING = (
    r"(?:reasoning|trace|steps?|chain|solution|response|argument|any of (?:the|these) steps|any step"
    r"|this|推理|推理过程)"
)
_NO = r"(?:any )?(?:errors?|mistakes?|issues?|problems?|inaccurac(?:y|ies)|flaws?)"
_WHERE = (
    rf"(?: (?:in|among|with|within|across) (?:any of )?(?:the |this "
    rf"|these )?(?:reasoning )?{_THING}(?: steps| process| trace)?)?"
)
_SAYS_NO_ERROR = re.compile(
    rf"(?:(?:there (?:are|is)|i (?:found|find|see|detect(?:ed)?|identified|could find)|we found) )?no {_NO}"
    rf"(?: (?:were |are |was |is )?(?:found|present|detected|identified))?{_WHERE}(?: (?:were |are |was "
    rf"|is )?(?:found|present|detected))?"
    rf"|i (?:do not|don't|did not|didn't|could not|couldn't|can't|cannot) (?:find|see|detect) {_NO}{_WHERE}"
    rf"|(?:the |this |these )?(?:\w+ )?{_THING}(?: steps| trace| process)? (?:contains?|has|have|shows?) no {_NO}"
    rf"|(?:the |this )?{_THING}(?: steps| trace| process)? (?:does not|doesn't|do not|don't) (?:contain|have) {_NO}"
    rf"|(?:none|not one) of (?:the|these) (?:\w+ )?steps? (?:contains?|has|have|is|are) (?:an? )?(?:{_NO}"
    rf"|erroneous|wrong|incorrect|flawed|invalid|false)"
    rf"|no steps? (?:is|are|contains?|has|have) (?:an? )?(?:{_NO}|erroneous|wrong|incorrect|flawed|invalid|false)"
    rf"|(?:整个|这段|该)?(?:推理|推理过程|推理链|步骤|所有步骤|各步骤|每一步)?(?:都|均|中)?(?:没有|无|不存在|未发现)(?:发现)?(?:任何)?(?:步骤)?(?:错误|问题)"
    rf"|没有(?:任何)?步骤(?:是)?(?:错误|有误|错)的?",
    re.IGNORECASE,
)
_SAYS_OF_ALL = re.compile(
    rf"(?:{_ALL}|(?:all )?(?:two|three|four|five|six|seven|eight|nine|ten|[0-9]{{1,2}})(?: of the)?)? ?"
    rf"(?:the |these |single )?(?:reasoning )?(?:steps?|of them)(?: in (?:the|this) (?:trace|reasoning|chain))? "
    rf"(?:is|are|seems?|appears?|looks?|look)(?: to be)? {_ADVERB}(?:{_WORDS})(?: to me)?",
    re.IGNORECASE,
)
_NAMES_ALL = re.compile(r"\b(?:all|every|each)\b", re.IGNORECASE)
_SAYS_OF_TRACE = re.compile(
    rf"(?:the |this )(?:reasoning|trace|chain)(?: trace| chain| process)? is (?:(?:entirely|completely|fully"
    rf"|wholly|all) (?:{_WORDS})|(?:{_WORDS}) throughout)"
    rf"|(?:the |this )(?:whole|entire) (?:reasoning|trace|chain)(?: trace| chain| process)? is (?:{_WORDS})"
    rf"|(?:everything is|all(?: are)?|all steps) (?:{_WORDS})|[两二三四五六七八九十0-9]+个步骤(?:全部|都|均"
    rf"|全)(?:是|为)?(?:{_WORDS})的?"
    rf"|(?:所有|全部|每个|每一个|各个?|每)(?:的)?(?:一?步骤?|推理步骤)?(?:都|均|全)?(?:是|为)?(?:{_WORDS})的?"
    rf"|(?:步骤|推理|以上|以上步骤)?(?:全部|全都|均|都|全|皆|完全)(?:是|为)?(?:{_WORDS})的?",
    re.IGNORECASE,
)
_LAST_WORD = re.compile(rf"({_WORDS})(?:的)?(?: to me| throughout)?\Z", re.IGNORECASE)
_SHORTEST_SENTENCE, _MOST_CHARACTERS = 2, 3_000
_SPEAKS_OF_ERROR = re.compile(
    r"\b(?:incorrect|wrong|erroneous|error|errors|mistake|flawed|invalid|unsupported|but|except|however|although)\b"
    r"|错|误|不对|不正确|但|除",
    re.IGNORECASE,
)


def _sentences(text: str) -> list[str]:
    found = (sentence.strip(_DRESS) for sentence in _SENTENCE.split(_EXCEPTED.sub(r"\1", text.replace("**", ""))))
    return [sentence for sentence in found if len(sentence) >= _SHORTEST_SENTENCE]


def _of_every_step(sentence: str) -> bool | None:
    """What one sentence says of all steps."""
    if _SAYS_NO_ERROR.fullmatch(sentence):
        return False
    named = _SAYS_OF_ALL.fullmatch(sentence)
    if named is not None and not _NAMES_ALL.search(sentence):
        named = None
    if named or _SAYS_OF_TRACE.fullmatch(sentence):
        word = _LAST_WORD.search(sentence)
        return word_says(word[1]) if word else None
    return None


def says_of_every_step(text: str) -> bool | None:
    """Whether a text that judges all steps at once calls them erroneous; None where it says something else.

    >>> says_of_every_step("All steps are correct."), says_of_every_step("Some steps are correct.")
    (False, None)
    >>> says_of_every_step("There are no errors in the reasoning. Each step follows from the audio.")
    False
    """
    sentences = _sentences(text[:_MOST_CHARACTERS])
    said = [(sentence, _of_every_step(sentence)) for sentence in sentences]
    values = {value for _, value in said if value is not None}
    others = [sentence for sentence, value in said if value is None]
    if len(values) != 1 or _OPEN.search(text):
        return None
    if any(_HAS_NUMBER.search(sentence) or _SPEAKS_OF_ERROR.search(sentence) for sentence in others):
        return None
    (value,) = values
    return value if not value or not others else None


def _numbers_of(text: str) -> list[int]:
    """The numbers of "1, 2 and 4", "1-3" or "第二步"."""
    numbers: list[int] = []
    through = False
    for match in _DIGITS.finditer(text):
        if match["range"]:
            through = True
            continue
        digits = match["first"]
        number = CHINESE_NUMBERS.index(digits) + 1 if digits in CHINESE_NUMBERS else int(digits)
        numbers += (
            range(numbers[-1] + 1, number + 1) if through and numbers and number - numbers[-1] < 100 else [number]
        )
        through = False
    return numbers


class _Sets:
    """Collects what sentences say of sets of steps."""

    def __init__(self, n_steps: int) -> None:
        self._n_steps = n_steps
        self.by_step: dict[int, bool] = {}
        self.rest: set[bool] = set()
        self.clash = self.outside = False

    def say(self, numbers: list[int], erroneous: bool) -> None:
        for number in numbers:
            self.outside = self.outside or not 1 <= number <= self._n_steps
            self.clash = self.clash or self.by_step.setdefault(number - 1, erroneous) != erroneous

    def add(self, sentence: str) -> bool:
        """Take a sentence in; False where it is none of the known forms."""
        if match := _REST.fullmatch(sentence):
            self._say_rest(match["word"])
            return True
        if (
            match := _CHINESE_ALL_BUT.fullmatch(sentence)
            or _EXCEPTION_FIRST.fullmatch(sentence)
            or _ALL_BUT.fullmatch(sentence)
        ):
            groups = match.groupdict()
            erroneous = word_says(groups.get("word2") or groups["word"])
            if erroneous is not None:
                self.say(_numbers_of(groups["numbers"] or groups["left"]), not erroneous)
                self.rest.add(erroneous)
            return erroneous is not None
        if match := _NUMBERS_FIRST.fullmatch(sentence) or _WORD_FIRST.fullmatch(sentence):
            groups = match.groupdict()
            erroneous = word_says(match["word"])
            if erroneous is None:
                return False
            self.say(_numbers_of(match["numbers"] or ""), erroneous)
            # "Incorrect: 3" lists what is incorrect; "Correct: 3" may be one remark of several.
            listed = groups.get("list") or groups.get("none") or (erroneous and ":" in sentence)
            if groups.get("only") or groups.get("sole") or listed:
                self.rest.add(not erroneous)
            return True
        return False

    def _say_rest(self, word: str) -> None:
        erroneous = word_says(word)
        if erroneous is not None:
            self.rest.add(erroneous)


def read_sets(text: str, n_steps: int) -> Verdicts | None:
    """Read sentences that judge sets of steps; None where a sentence names a step in another form.

    >>> read_sets("Steps 2 and 3 are incorrect; the rest are correct.", 4).by_step
    {0: False, 1: True, 2: True, 3: False}
    """
    text = text[:_MOST_CHARACTERS]
    sets = _Sets(n_steps)
    for sentence in _sentences(text):
        if not sets.add(sentence) and (_HAS_NUMBER.search(sentence) or _OPEN.search(sentence)):
            return None
    if not sets.by_step and not sets.rest:
        return None
    if sets.clash:
        return Verdicts({}, "contradiction", len(text))
    if sets.outside:
        return Verdicts({}, "outside-options", len(text))
    if len(sets.rest) == 1:
        (rest,) = sets.rest
        sets.by_step |= {step: rest for step in range(n_steps) if step not in sets.by_step}
    complete = len(sets.by_step) == n_steps
    by_step = dict(sorted(sets.by_step.items()))
    return Verdicts(by_step, None if complete else "ambiguous", len(text))
