r"""Verdicts in everyday words: "nothing wrong with 1 and 2", "ok so 1 2 3 are fine", "correct for steps 1 and 2".

Each is written as the plain statement that it makes.
"""

import re

from evaluation.extraction.critic.numbers import list_numbers

_LIST = r"#?[0-9]{1,2}(?:(?:, (?:and )?| and | & | ?- ?)#?[0-9]{1,2}){0,20}"
_STEP = r"(?:steps? #?[0-9]{1,2}(?![0-9])|the (?:[a-z]+ )?step)"
_GOOD = r"(?:right|correct|good|fine|sound|accurate|solid|valid|ok|okay)"
_BAD = r"(?:wrong|incorrect|erroneous|flawed|faulty|mistaken|false|inaccurate|invalid)"
_OTHERS = r"(?:any of )?(?:the )?(?:others?|rest|remaining|other)(?: (?:steps?|ones?|two|three|four|five|six))?"
# "The speaker says 'step 2 is wrong'": heard in the audio.
_HEARD = re.compile(
    r"(?<![a-z])(?P<who>(?:speaker|voice|narrator|announcer|man|woman|child|person|someone) (?:says|said|sings),?"
    r" (?:that )?)'[^'\n]{0,60}(?<![a-z])steps? #?[0-9][^'\n]{0,60}'(?![a-z])",
    re.IGNORECASE,
)
# "I could not fault a single step": the trace has no error.
_NO_FAULT = re.compile(
    r"(?<![a-z])i (?:could not|couldn't|cannot|can't|can not|did not|didn't|do not|don't) (?:really )?"
    r"(?:fault|object to|find fault with|criti[cs]i[sz]e|quarrel with) (?:a single|any|one|even one)(?: one)?"
    r"(?: of (?:the|these|those))?(?: reasoning)? steps?(?= ?(?:[.,;:!\n]|\Z))",
    re.IGNORECASE,
)
# "I have no objection to the other steps".
_NO_OBJECTION = re.compile(
    rf"(?<![a-z])i (?:have|had|see|raise) no (?:objections?|issues?|problems?|complaints?|quarrel|concerns?)"
    rf" (?:to|with|about|regarding) (?P<what>{_OTHERS}|(?:steps? )?{_LIST})(?= ?(?:[.,;:!\n]|\Z))",
    re.IGNORECASE,
)
# "Nothing wrong with 1 and 2."
_NOTHING_WRONG = re.compile(
    rf"(?:(?<=[.!;\n] )|(?<=\n)|\A)(?:(?:there(?:'s| is) )?nothing (?:is )?(?:wrong|amiss)"
    rf"|no (?:errors?|problems?|issues?|mistakes?)) (?:with|in) (?:steps? )?(?P<list>{_LIST}(?:,? or #?[0-9]{{1,2}})?)"
    r"(?!,? (?:or )?#?[0-9])(?= ?(?:[.,;:!\n]|\Z))",
    re.IGNORECASE,
)
# "No errors in 1 and 2; 3 contains two."
_HOLDS_SOME = re.compile(
    r"(?<![0-9])[0-9]{1,2} (?:contains?|has|have) (?:one|two|three|four|some|several|a few)(?= ?(?:[.;,\n]|\Z))",
    re.IGNORECASE,
)
# "The trace is mostly good. The exception is step 3".
_MOSTLY = re.compile(
    r"(?<![a-z])(?:the |this )?(?:whole )?(?:trace|reasoning|chain|analysis|it|everything|rest) (?:is|looks|seems)"
    rf" (?:mostly|largely|generally|otherwise|almost (?:entirely|all)) {_GOOD}(?: \w{{1,12}})?[.;:,] ?-{{0,2}} ?"
    r"(?:but |though )?(?:the|with the|with) (?:only |one |sole |single )?exception(?: (?:is|of|being))+ ?"
    rf"(?P<step>{_STEP})",
    re.IGNORECASE,
)
# "Two steps need fixing: 1 (…) and 4 (…). 2 and 3 can stay as they are."
_NEED = re.compile(
    r"(?P<head>(?:(?<![a-z])(?:steps?|ones?|them|it)|[0-9])(?: #?[0-9]{1,2})? (?:also |both |all |still )?)"
    r"(?P<be>needs?|requires?) (?:fixing|correcting|correction|a correction"
    r"|to be (?:fixed|corrected))(?![a-z])",
    re.IGNORECASE,
)
_STAY = re.compile(
    rf"(?P<what>(?:steps? )?{_LIST}|{_OTHERS}) (?:can|may) (?:stay|remain|be left)(?: just)?"
    r" (?:as (?:they are|it is|is)|unchanged|alone)(?![a-z])(?! (?:if|unless|only))",
    re.IGNORECASE,
)
# "1, 3, 4 (3/4)", "steps 6 and 7 of 8 are".
_SHARE = re.compile(
    rf"(?P<head>[a-z] ?: ?)(?P<list>{_LIST}) \((?P<part>[0-9]{{1,2}})(?: ?/ ?| (?:out )?of )(?P<all>[0-9]{{1,2}})\)"
)
_OUT_OF = re.compile(
    rf"(?<![a-z])(?P<steps>steps? {_LIST}) (?:out )?of (?P<all>[0-9]{{1,2}}) (?=(?:is|are|has|have)(?![a-z]))",
    re.IGNORECASE,
)
# "Ok so 1 2 3 are fine".
_OPENING = re.compile(r"\A(?:ok(?:ay)?|alright|well|right),? so,? ", re.IGNORECASE)
_SPACED = re.compile(
    r"(?<![\w.,:/-])(?<![,:] )(?P<list>[1-9](?: [1-9]){1,8})"
    r" (?=(?:are|is|all|r|ok|fine|right|correct|wrong)(?![a-z]))",
    re.IGNORECASE,
)
# "Error flags by step: 1: no, 2: yes".
_FLAGS = re.compile(
    r"(?<![a-z])errors? (?:flags?|labels?|indicators?)(?: (?:by|per|for (?:each|every)) step)? ?:", re.IGNORECASE
)
# "All (1-5)".
_ALL_LISTED = re.compile(
    r"(?<=: )all(?: (?P<count>[0-9]{1,2}))?(?: steps)? ?\((?:steps? )?(?P<list>[0-9, -]{1,40})\)", re.IGNORECASE
)
# "Total errors: 1\nLocation: step 3".
_LOCATED = re.compile(
    r"^[^\w\n]{0,6}(?:total|number of)(?: (?:errors?|mistakes?)(?: found)?) ?[*_]{0,2}: ?[*_]{0,2} ?"
    r"(?P<count>[0-9]{1,2})[.;,]?[ \n][^\w\n]{0,6}(?:error )?"
    r"(?:locations?|positions?|found (?:in|at)|places?|where) ?[*_]{0,2}: ?[*_]{0,2} ?"
    rf"(?P<list>(?:steps? )?{_LIST})(?= ?(?:[.;\n]|\Z))",
    re.IGNORECASE | re.MULTILINE,
)
# "I can't say the same of step 3, which is wrong".
_NOT_THE_SAME = re.compile(
    rf"(?<![a-z])(?:but )?(?:i|one) (?:can't|cannot|couldn't|could not) say the same (?:of|about|for) (?P<step>{_STEP})"
    r",? (?:which|as it|because it|since it|it) (?=(?:is|isn't)(?![a-z]))",
    re.IGNORECASE,
)
# "Step 3 falls, as the door never opens".
_FALLS = re.compile(
    rf"(?<![a-z])(?<!in )(?<!of )(?<!at )(?<!on )(?<!from )(?<!to )(?P<step>{_STEP})"
    r" (?:falls|breaks down|collapses|crumbles)(?: apart| flat| down| short)?"
    r"(?= ?(?:[.;:!\n]|\Z)|,? (?:because|as|since|too)(?![a-z]))",
    re.IGNORECASE,
)
_BREAKS = re.compile(
    rf"(?P<step>{_STEP}) is where (?:the |this )?(?:trace|reasoning|chain|it|things?|everything)"
    r" (?:breaks?(?: down)?|fails?|goes wrong|go wrong|derails?|slips?(?: up)?|falls? apart)"
    r"(?= ?[:;.,][^:]{0,400}?(?:other|rest|remaining|[0-9]))",
    re.IGNORECASE,
)
# "Gets three things right (steps 1-3) and one thing wrong (step 4)".
_THINGS = re.compile(
    rf"(?:gets |has )?(?:one|two|three|four|five|six|[1-9]) (?:things?|points?|steps?) (?P<said>{_GOOD}|{_BAD})"
    rf" \(steps? (?P<list>{_LIST})\)",
    re.IGNORECASE,
)
# "Correct for steps 1 and 2; incorrect for step 3".
_FOR = re.compile(
    rf"(?:(?<=[.;,!\n] )|(?<=\n)|\A)(?:and |but )?(?!false|right (?:on|at|in) )"
    rf"(?P<said>(?:not )?(?:{_GOOD}|{_BAD})) (?:for|on|at|in) (?P<steps>steps? {_LIST})"
    r"(?= ?(?:[.;,\n]|\Z)| (?:and|but) )",
    re.IGNORECASE,
)
# "Only one slip: step two claims that …; actually …".
_ONLY_SLIP = re.compile(
    r"(?:(?<=[.!\n] )|(?<=\n)|\A)(?:(?:there(?:'s| is) )?(?:(?P<only>only|just|exactly) )?(?:one|a single))"
    r" (?:errors?|mistakes?|slips?|problem|issue|flaw) ?(?:: ?| ?-{1,2} ?)"
    r"(?P<step>step (?:#?[0-9]{1,2}|one|two|three|four|five|six|seven|eight))"
    r"(?= (?:claims?|says?|states?|mentions?|describes?|hears?|calls?|reports?|gives?|names?|puts?|treats?|assumes?"
    r"|concludes?|identifies|counts|places)(?![a-z]))",
    re.IGNORECASE,
)
# "Half-way through I thought the frogs in step 3 might be crickets; they are frogs, so step 3 stays correct".
_ONCE_THOUGHT = re.compile(
    r"(?<![a-z])(?:half-?way through|for a (?:moment|second|while)|briefly|at one point|while listening),? i"
    r" (?:thought|wondered|suspected|believed|doubted|was unsure)(?![a-z])[^.;\n]{0,80}?"
    r"(?P<step>step [0-9]{1,2})(?![0-9])[^.;\n0-9]{0,60}[;.,] ?"
    r"(?=[^.;\n]{0,80}?(?:so|thus|hence|therefore),? (?P=step) (?:stays|is|remains)(?![a-z]))",
    re.IGNORECASE,
)
_FORMER = re.compile(r"(?<![a-z])the (?:(?P<former>former)|latter)(?: step| one)?(?![a-z])", re.IGNORECASE)
_SPEAKS_OF_BOTH = re.compile(
    r"\A(?!.{0,400}steps? ?#?[0-9])"
    r"(?=.{0,400}(?:the (?:former|latter) step|former.{1,200}latter|latter.{1,200}former))",
    re.IGNORECASE | re.DOTALL,
)
_PAIR = 2
# "① loudness at start ......... correct".
_LEADER = re.compile(r"(?<=[\w)\"]) ?\.{4,80} ?(?=[A-Za-z\u4e00-\u9fff✓✗✔✘])")
_NUMBERED_LINE = re.compile(r"^(?P<number>[0-9]{1,2}) (?=[A-Za-z][^\n]{2,120}: ?[A-Za-z]{2})", re.MULTILINE)
_QUOTED_ROW = re.compile(r"^`(?P<row>[01]{4,})`$", re.MULTILINE)
# "Debatable whether this counts as \"distant\", but I judge it correct".
_WHETHER = re.compile(
    r"(?P<label>(?:^|\n)\W{0,4}(?:step )?[0-9]{1,2} ?[:.)] ?)it(?:'s| is) (?:a bit |somewhat |slightly |perhaps )?"
    r"(?:borderline|debatable|arguable|a close call|hard to say) (?:whether|if) [^.;\n]{2,80}, but "
    rf"(?=(?:i |it )[a-z' ]{{2,20}} ?(?:not )?(?:{_GOOD}|{_BAD})(?![a-z]))",
    re.IGNORECASE,
)


def _is(numbers: str) -> str:
    return "are" if len(list_numbers(numbers)) > 1 else "is"


def _say(list_: str, said: str) -> str:
    return f"step{'s' if _is(list_) == 'are' else ''} {list_} {_is(list_)} {said}"


def _write_need(match: re.Match[str]) -> str:
    return f"{match['head']}{'is' if match['be'][-1] in 'sS' else 'are'} wrong"


def _write_listed(match: re.Match[str]) -> str:
    return _say(match["list"].replace(" or ", " and "), match["said"] if "said" in match.re.groupindex else "right")


def _write_good(match: re.Match[str]) -> str:
    what = match["what"]
    if any(map(str.isdecimal, what)):
        return _say(re.sub("^steps? ", "", what, flags=re.IGNORECASE), "right")
    return "the others are right"


def _write_share(match: re.Match[str], n_steps: int) -> str:
    is_share = len(list_numbers(match["list"])) == int(match["part"]) and int(match["all"]) == n_steps
    return f"{match['head']}{match['list']}" if is_share else match.group()


def _write_slip(match: re.Match[str]) -> str:
    return f"{'Only ' if match['only'] else ''}{match['step']} is wrong: it"


def _write_for(match: re.Match[str]) -> str:
    return f"{match['steps']} {_is(match['steps'][5:])} {match['said']}"


def _write_located(match: re.Match[str]) -> str:
    listed = re.sub("^steps? ", "", match["list"], flags=re.IGNORECASE)
    return f"Wrong steps: {listed}" if len(list_numbers(listed)) == int(match["count"]) else match.group()


def _write_spaced(match: re.Match[str]) -> str:
    numbers = list(map(int, match["list"].split()))
    return f"{', '.join(map(str, numbers))} " if numbers == sorted(set(numbers)) else match.group()


def _lay_out_rows(text: str, n_steps: int) -> str:
    """Write dots between a claim and its verdict as a colon, and number all lines alike."""
    if "...." in text:
        text = _LEADER.sub(": ", text)
    if "`" in text:
        text = _QUOTED_ROW.sub(r"\g<row>", text)
    found = [int(line["number"]) for line in _NUMBERED_LINE.finditer(text)]
    return _NUMBERED_LINE.sub(r"\g<number>. ", text) if found == list(range(1, n_steps + 1)) else text


def _write_sentences(text: str, lowered: str) -> str:
    if " 'step" in lowered:
        text = _HEARD.sub(r"\g<who>so", text)
    if " fault" in lowered or "quarrel" in lowered or "object" in lowered or "critici" in lowered:
        text = _NO_FAULT.sub("No step is wrong", text)
    if "i have no " in lowered or "i see no " in lowered or "i had no " in lowered or "i raise no " in lowered:
        text = _NO_OBJECTION.sub(_write_good, text)
    if (" with " in lowered or " in " in lowered) and not _HOLDS_SOME.search(text):
        text = _NOTHING_WRONG.sub(_write_listed, text)
    if "exception" in lowered:
        text = _MOSTLY.sub(r"only \g<step> is wrong", text)
    if "need" in lowered or "require" in lowered:
        text = _NEED.sub(_write_need, text)
    if "stay" in lowered or "remain" in lowered or " left" in lowered:
        text = _STAY.sub(_write_good, text)
    if "say the same" in lowered:
        text = _NOT_THE_SAME.sub(r"\g<step> ", text)
    if "falls" in lowered or "break" in lowered or "collapses" in lowered or "crumbles" in lowered:
        text = _FALLS.sub(r"\g<step> is wrong", text)
    if "is where " in lowered:
        text = _BREAKS.sub(r"\g<step> is wrong", text)
    if " (step" in lowered:
        text = _THINGS.sub(_write_listed, text)
    if "ne " in lowered or "single " in lowered:
        text = _ONLY_SLIP.sub(_write_slip, text)
    if "i thought" in lowered or "i wondered" in lowered or "i suspected" in lowered or "i doubted" in lowered:
        text = _ONCE_THOUGHT.sub("", text)
    return _WHETHER.sub(r"\g<label>", text) if ", but " in lowered else text


def write_everyday_wordings(text: str, n_steps: int) -> str:
    """Return a text with such verdicts as plain statements.

    >>> write_everyday_wordings("Nothing wrong with 1 and 2. Step 3 falls, as no door opens.", 3)
    'steps 1 and 2 are right. Step 3 is wrong, as no door opens.'
    >>> write_everyday_wordings("ok so 1 2 are fine, 3 is wrong", 3)
    '1, 2 are fine, 3 is wrong'
    """
    lowered = text.lower()
    text = _lay_out_rows(_write_sentences(text, lowered), n_steps)
    if " for step" in lowered or " on step" in lowered or " in step" in lowered or " at step" in lowered:
        text = _FOR.sub(_write_for, text)
    if n_steps == _PAIR and ("former" in lowered or "latter" in lowered) and _SPEAKS_OF_BOTH.search(text):
        text = _FORMER.sub(lambda match: f"step {1 if match['former'] else 2}", text)
    if lowered.startswith(("ok", "alright", "well", "right")):
        text = _OPENING.sub("", text)
    if "rror flag" in text or "rror label" in text or "rror indicator" in text:
        text = _FLAGS.sub("Errors:", text)
    if "1 2" in text or "2 3" in text or "3 4" in text or "4 5" in text:
        text = _SPACED.sub(_write_spaced, text)
    if "/" in text or " of " in text:
        text = _SHARE.sub(lambda match: _write_share(match, n_steps), text)
        text = _OUT_OF.sub(lambda match: f"{match['steps']} " if int(match["all"]) == n_steps else match.group(), text)
    if ": all" in lowered:
        text = _ALL_LISTED.sub("all", text)
    return _LOCATED.sub(_write_located, text) if "\n" in text and ("otal" in text or "umber" in text) else text
