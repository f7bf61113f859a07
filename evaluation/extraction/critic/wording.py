"""Rewriting a critic's own words to the plain statement that they make: "I would call it wrong" says "it is wrong"."""

import re
from collections.abc import Callable

from evaluation.extraction.language.symbols import ORDINALS

_MODAL = (
    r"(?:would|will|shall|should|must|can|could|do|did|have to|need to|also|therefore|thus|hence|still|rather|simply"
    r"|personally|nevertheless|however|then|clearly|likewise|again|'d|'ll|'ve)"
)
_DENIAL = r"(?:not|never|cannot|can't|don't|do n't|didn't|won't|wouldn't|couldn't|shouldn't|would n't)"
_I = rf"(?<![a-z'])(?:i|we)(?:(?: (?=[a-z'])|(?='))(?:{_MODAL}(?![a-z'])))*(?P<not> {_DENIAL})?(?: {_MODAL}(?![a-z']))*"
_JUDGE = (
    r"(?:mark|label|call|consider|rate|judge|deem|find|declare|assess|score|grade"
    r"|classify|count|regard|treat|see|flag|view|class)"
)
NUMBERS = r"[0-9]{1,3}(?:(?:,| and| or|, and|,? (?:to|-))? ?(?:step )?#?[0-9]{1,3}(?![a-z0-9]))*"
_ORDINALS = "|".join((*ORDINALS, "last", "final"))
OBJECT = (
    r"(?:it|this step|that step|the step|this one|this|that|them|these"
    rf"|(?:the )?steps? #?{NUMBERS}|the (?:{_ORDINALS})(?: (?:step|one))?)"
)
_AS = r"(?: (?:as|to be|to have been|to contain))?"
_NEXT = (
    r"(?= (?:being )?(?:an? |any |the |clearly |plainly |simply |entirely |partly |fully |also |too )*"
    r"(?P<next>[a-z-]+))"
)
_WITH_OBJECT = re.compile(rf"{_I} {_JUDGE} (?P<object>{OBJECT}){_AS}{_NEXT}")
# "I don't think that step 2 is wrong".
_NOT_SAY = re.compile(
    r"(?<![a-z'])(?:i|we) (?:(?:would|do) (?:not|never)|don't|wouldn't) (?:say|think|believe|feel)(?: that)?"
    rf" (?P<object>{OBJECT}) (?P<be>is|are|contains?|has)(?![a-z'])"
)
_WITHOUT_OBJECT = re.compile(rf"(?<![a-z])(?P<object>which|what) {_I} {_JUDGE}{_AS}{_NEXT}")
# "Repeats the miscount", "carries over the wrong tempo".
_CARRIED = re.compile(
    r"(?<![a-z])(?:repeat|inherit|propagate|perpetuate|compound|retain"
    r"|carr(?=ies|y)(?:y|ie)|take(?=s? over|s? up)|keep)"
    r"(?P<s>s?)(?: over| forward| on| along| up)? (?:the|this|that|its|these|those|an|a|step [0-9]{1,2}'s)"
    r" (?:same |earlier |previous |above )?(?:[a-z]+ )??(?:errors?|mistakes?|flaws?|slips?|falsehoods?|blunders?"
    r"|mis(?!s|t)[a-z]{4,}|confusion|hallucinations?|fabrications?|(?:wrong|false|incorrect|mistaken|erroneous|faulty)"
    r" [a-z]+)(?![a-z])"
)
# "Names the wrong instrument".
_GOT_WRONG = re.compile(
    r"(?<![a-z])(?:names|gives|picks|selects|chooses|reports|states|identifies|uses|assigns|quotes|cites|reads|counts"
    r"|hears|places|puts|describes|provides|attributes|infers|gets|adopts|arrives at|comes to|lands on|settles on"
    r"|ends up with) (?:the|an?) (?:wrong|incorrect|mistaken)(?= [a-z])"
)
# "Gets the number right", "has the order of the sounds backwards".
_GETS = re.compile(
    r"(?<![a-z])(?:gets?|got|has|have|had) (?!been|to )(?:(?!right|wrong|not )[a-z']+ ){1,8}?"
    r"(?:(?P<right>right|correct)|wrong|incorrect|backwards?|reversed|(?:the wrong|the other) way (?:a?round))"
    r"(?= ?(?:$|[.,;:)\n]))"
)
_MISTAKES = re.compile(r"(?<![a-z])(?:mistakes|mistook) (?=(?:[a-z']+ ){1,8}for )")
_THE_ONE = re.compile(r"(?<![a-z])(is|are) the (?:one|step|ones|steps) (?:that|which) (?:(?:is|are|was|were) )?")
# "For step 3 I disagree".
_IN_FRONT = re.compile(
    r"(?<![a-z])(?P<front>(?:for|on|with|in|at|as for|regarding)"
    rf" (?:steps? #?{NUMBERS}|the (?:{_ORDINALS}) (?:step|one)))(?= (?:i|we|he|she|it|they|the model) )"
)
# "Is therefore off as well": a preposition elsewhere.
_OFF = re.compile(
    r"(?<![a-z])(is|are) (?:(?:also|too|therefore|thus|hence|likewise|clearly|slightly|a bit|way|then|so) )+off"
    r"(?= (?:as well|too|because|since|by)(?![a-z])| ?(?:[.,;:)\n]|\Z))"
)
# "Step 3: same mistake as step 2".
_SAME = re.compile(
    r"(?<=[:.)|-] )(?:again )?(?:the )?same (?:kind of )?"
    r"(?:error|mistake|problem|issue|flaw|slip|confusion|hallucination)s?"
    r"(?: (?:as|from|that) (?:(?:in|made|was|before|above|already) )*| again)?"
    r"(?:\(?(?:step )?#?[0-9]{1,2}\)?(?![a-z0-9]))?"
)
# "It is incorrect to say that it is a church bell (step 2)".
_TO_SAY = re.compile(
    r"(?<![a-z])it (?:is|'s|would be) (?P<verdict>(?:not )?(?:in)?(?:correct|right|wrong|accurate|true|false)) to"
    r" (?:say|claim|state|conclude|infer|assume|hear) [^.;\n()]{1,200} \((?P<step>steps? #?[0-9]{1,2})\)"
)
# "Step 3 mentions music, and there is indeed soft piano music".
_INDEED = re.compile(
    r",? and (?:(?:(?:there|it|he|she|they|i|we) (?:(?:is|are|was|were|can|could|do|does|did) )?)?indeed"
    r"|(?:it|he|she|they|i|we) (?:do|does|did) (?:in fact|really|actually))(?![a-z])"
    r"(?! (?:not|no|nothing|never)(?![a-z]))"
)
# "Builds on that hallucination", "draws a conclusion from this misreading".
_INHERITED = re.compile(
    r"(?<![a-z])(?<!not )(?<!n't )"
    r"(?:(?:builds?|rests?|rel(?:y|ies)|depends?|(?:is|are) (?:based|built)|goes on) (?:up)?on"
    r"|(?:draws?|takes|derives?|infers|concludes|follows|results|stems|comes|reasons)(?: [a-z]+){0,4}? from)"
    r" (?:that|this|its|the same|these|those) (?:same |earlier |wrong |false )?"
    r"(?:errors?|mistakes?|slips?|confusion|hallucinations?|fabrications?|inventions?|falsehoods?|mis[a-z]{4,})(?![a-z])"
)
# "It claims that four dogs bark, but only three can be heard": what is heard is less than what is claimed.
_ONLY_HEARD = re.compile(
    r"(?P<but>(?:,|;)? ?(?:but|yet|whereas|while|although|though|however),?) (?:only|just|no more than)"
    r" (?P<what>[^.;,\n]{1,80}?) (?:can be|could be|(?:is|are|was|were)(?: to be)?|seems? to be)"
    r" (?:heard|audible|present|made out|there)(?![a-z])"
)
# "Steps 2 and 3 describe the tap and the shower accurately": what is described, by nouns alone, stands before how.
_NOUNS = (
    r"(?:the|an?|its|their|his|her|both|both the)"
    r"(?: (?!(?:and|or|nor|not|no|never|neither|but|that|which|while|only|is|are|to|far|from|near|nowhere|almost|half"
    r"|more|less|than|[a-z]+ly)(?![a-z]))[a-z-]{2,20}){1,3}"
)
_HOW_LAST = re.compile(
    r"(?P<step>(?<![a-z])(?<!do )(?<!does )(?<!did )(?<!if )(?<!whether )steps? [0-9][0-9, and]{0,16}?)"
    r" (?P<verb>(?:describe|identif(?:y|ie)|capture|report"
    r"|characteri[sz]e|reflect|summari[sz]e|represent)s?)"
    rf"(?P<what> {_NOUNS}(?:, {_NOUNS}){{0,4}},? and {_NOUNS})"
    r" (?P<how>(?:in)?(?:accurately|correctly)|wrongly|faithfully|properly)(?=[.;\n]|\Z)"
)
_CARRIES = ("repeat", "inherit", "propagate", "perpetuate", "compound", "retain", "carr", "take", "keep")


def state_plainly(text: str, judges: Callable[[str], bool]) -> str:
    """Return a text in lower case with what its author calls a step as what the step is.

    Args:
        text: The text, in lower case.
        judges: Tells whether a word opens a judgement, so that "I call it a day" stays as it is.

    >>> state_plainly("i would not call step 2 an error", {"error"}.__contains__)
    'step 2 is not an error'
    """
    if any(verb in text for verb in _CARRIES):
        text = _CARRIED.sub(r"inherit\g<s> the error", text)
    if " on th" in text or " from th" in text or " its " in text:
        text = _INHERITED.sub("inherits the error", text)
    if "wrong" in text or "incorrect" in text or "mistaken" in text:
        text = _GOT_WRONG.sub("is wrong about", text)
    if any(verb in text for verb in ("get", "got", "has ", "have ", "had ")):
        text = _GETS.sub(lambda match: "is right" if match["right"] else "is wrong", text)
    if " indeed" in text or " in fact" in text or "ally " in text:
        text = _INDEED.sub(", and it does.", text)
    if " only " in text or " just " in text or " no more than " in text:
        text = _ONLY_HEARD.sub(r"\g<but> i hear only \g<what>", text)
    if "只能听到" in text or "仅能听到" in text:
        text = text.replace("能听到", "听到")
    if " off" in text:
        text = _OFF.sub(r"\1 off", text)
    if "same " in text:
        text = _SAME.sub("wrong", text)
    if " to " in text and "(step" in text:
        text = _TO_SAY.sub(r"\g<step> is \g<verdict>", text)
    if "mist" in text:
        text = _MISTAKES.sub("misidentifies ", text)
    if " the one" in text or " the step" in text:
        text = _THE_ONE.sub(r"\1 ", text)
    if " step" in text or " one " in text:
        text = _IN_FRONT.sub(r"\g<front>,", text)
    if "ly" in text and " and " in text and "unlike" not in text:
        text = _HOW_LAST.sub(r"\g<step> \g<how> \g<verb>\g<what>", text)
    if "100%" in text:
        text = text.replace("100% ", "")
    if "i " not in text and "we " not in text and "i'" not in text:
        return text

    text = _NOT_SAY.sub(r"\g<object> \g<be> not", text)

    def rewrite(match: re.Match[str]) -> str:
        if not judges(match["next"]):
            return match[0]
        return f"{match['object']} is{' not' if match['not'] else ''}"

    return _WITHOUT_OBJECT.sub(rewrite, _WITH_OBJECT.sub(rewrite, text))
