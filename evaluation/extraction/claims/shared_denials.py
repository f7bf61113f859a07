"""What two options lack alike: "clip 1 has no cough and neither does clip 3" denies both."""

import re

_OPTION = "[\ue000-\uf8ff]"
_VERB = r"(?:is|are|was|were|has|have|had|do|does|did|can|could|will|would)"
_SHARED = re.compile(
    rf"(?P<first>{_OPTION}) (?:(?:{_VERB}|contains?|shows?|includes?) (?:not?|never)(?![a-z])|{_VERB}n't|lacks?)"
    rf"[^.,;\n\ue000-\uf8ff]{{0,80}},? (?:and )?(?:neither|nor) {_VERB} (?P<second>{_OPTION})"
)
_SHARED_IN_CHINESE = re.compile(
    rf"(?P<first>{_OPTION})(?:里|中)?(?:没有?|不)[^。,;\n\ue000-\uf8ff]{{1,30}},?(?P<second>{_OPTION})(?:里|中)?也(?:没有?|不)"
    r"[^。,;\n\ue000-\uf8ff]{0,30}"
)
_ARTICLED = rf"(?:(?:an?|the|most|any|even|normal) ){{0,2}}{_OPTION}"
_CONTRAST = re.compile(
    rf"(?<=[a-z\ue000-\uf8ff]),? (?:rather than|instead of|as opposed to) (?:an? |the )?{_OPTION}(?= ?(?:[.,;\n]|$))"
    # "It slows down rather than speeding up": what it is not is no option.
    rf"|(?<={_OPTION}),? (?:rather than|instead of|as opposed to) (?:an? |the )?[a-z]+(?: [a-z]+){{0,3}}"
    r"(?= ?(?:[.,;)\n]|$))"
    # "It is sad, and differs from angry": a clause that only compares, behind one that says what it is.
    rf"|(?<=[a-z\ue000-\uf8ff]), (?:which |and )?(?:(?:is|are|sounds?) )?(?:(?:quite |very |clearly )?(?:different"
    rf"|distinct) from|differ(?:s|ing|ent) from|(?:in|by) contrast (?:to|with)|compared (?:to|with)|[a-z]{{3,}}er than"
    rf"|(?:more|less) [a-z]+ than)"
    rf" (?:that of |those of |the sound of )?(?:an? |the )?{_OPTION}[^.,;\n\ue000-\uf8ff]{{0,30}}(?=[.,;\n]|$)"
    rf"|(?P<like>more like (?:an? |the )?{_OPTION}) than (?:like )?(?:an? |the )?{_OPTION}(?= ?(?:[.,;\n]|$))"
)
_CONTRAST_IN_CHINESE = re.compile(
    rf"(?:,|(?:^|(?<=[。;\n]))(?=[^比]))(?:并|而|这|它|也|明显|音色|声音)*(?:(?:区别于|不同于|有别于|不像)(?:是)?{_OPTION}[^,。;\n\ue000-\uf8ff]{{0,8}}"
    rf"|(?:与|和|跟|同){_OPTION}[^,。;\n\ue000-\uf8ff]{{0,8}}?(?:不同|有别|不一样|有区别|有所不同|形成对比)"
    rf"|比{_OPTION}[^,。;\n\ue000-\uf8ff]{{1,10}})(?=[,。;\n]|$)"
)
# "Too low for a tenor or an alto": what an option does not fit.
_TOO = re.compile(
    rf"(?:,? ?which (?:is|was) |,? )?(?:(?:far|much|way|a bit|slightly) )?too [a-z]+ (?:for|to be) (?P<list>{_ARTICLED}"
    rf"(?:(?:,? (?:and|or|nor) |, ){_ARTICLED}){{0,8}})(?= ?(?:[.,;:)\n]|$)| and (?:it|the)(?![a-z]))"
)
# "The second tone is shorter than the first": no option is meant.
_THAN_ORDINAL = re.compile(
    r"(?<= than )the (?:first|second|third|fourth|last|other)(?: (?:one|two|tone|sound|clip|note))?"
    r"(?= ?(?:[.,;:)\n]|$))"
)
# "Compared to the first sound, the second one is both louder and rougher".
_ORDINAL_SUBJECT = re.compile(
    r"(?<![a-z])(?:[Cc]ompared (?:to|with) )?the (?:first|second|third|other|last) (?:one|sound|clip|tone|note)"
    r"(?=, the (?:first|second|third|last) "
    rf"|,? (?:is|was|sounds|gets|becomes) (?:both |clearly |also |much |slightly ){{0,3}}{_OPTION})"
)
# "Answer: C … it rises by a fifth, while D is an octave".
_STANDS_FOR = re.compile(
    rf"(?<!is {_OPTION})(?<!means {_OPTION}),? (?:while|whereas) (?:option )?[A-Z]"
    rf" (?:is|was|means|names|says|would be) {_OPTION}(?= ?(?:[.,;\n]|$))"
)
_LETTER = re.compile("(?<![A-Za-z])[A-J](?![A-Za-z0-9'])")
# "Clip B, as clip A is much shorter": the reason names another one.
_REASON = re.compile(
    rf"(?:^|(?<=[.!\n] ))(?P<before>(?:(?:the (?:odd one out|[a-z]+ one|(?:[a-z]+ )?(?:answer|option)) is|it(?:'s| is)"
    rf"|(?:it )?must be|i(?:'d| would)? (?:choose|say|pick)|so|the|an?|option) )*)"
    rf"(?P<first>{_OPTION}|(?<![A-Za-z])[A-J]),? (?:as(?! well)|since|because|given that|considering)(?= )"
    rf"(?P<reason>[^.;\n]*)(?=[.;\n]|$)",
    re.IGNORECASE,
)
_FORMER = re.compile(
    rf"(?P<first>{_OPTION})(?P<between>[^.\n\ue000-\uf8ff]*)(?P<second>{_OPTION})(?P<behind>[^.\n\ue000-\uf8ff]*)"
    r"(?<![a-z])(?:the )?(?P<which>former|latter)(?: one)?(?![a-z])"
)
_TURN = re.compile(r"(?<![a-z])(?:but|although|though|however|yet)(?![a-z])")
_COMPARING = (
    " than ",
    "instead of",
    "opposed to",
    "ifferent from",
    "istinct from",
    "iffers from",
    "iffering from",
    "contrast",
    "compared ",
    " while ",
    " whereas ",
)
_REASONING = (" as ", " since ", " because ", " given ", " considering ")
# "It differs from a dog", "叫声不同于鸟": nothing but what it is not.
_DIFFERS = re.compile(
    rf"(?<![a-z])(?:(?:is|sounds?|are|was|very|quite|clearly|completely|entirely) )*(?:differs?|different|distinct"
    rf"|distinguishable|far|far removed) from (?:that of |the sound of )?(?:an? |the )?(?={_OPTION})",
    re.IGNORECASE,
)
_DIFFERS_IN_CHINESE = re.compile(
    rf"(?:(?:不同于|有别于|区别于|不像|不太像)(?:是|一[个只种])?(?P<one>{_OPTION})"
    rf"|(?:与|和|跟|同)(?P<other>{_OPTION})[^,。;\n\ue000-\uf8ff]{{0,4}}?(?:不同|有别|不一样|有区别|不太?像)"
    rf"|比(?P<less>{_OPTION})(?:[的要还更])[^,。;\n\ue000-\uf8ff]{{1,8}})"
)
_CLAUSE_END = re.compile(r"[,.;:。\n]")
_COMPARING_IN_CHINESE = ("不同", "有别", "不一样", "区别", "不像", "对比", "比")


def drop_compared(marked: str) -> str:
    """Leave out the ordinal of what something is compared with.

    >>> drop_compared("The second tone is shorter than the first.")
    'The second tone is shorter than that.'
    """
    if "the second " in marked or "the first " in marked:
        marked = _ORDINAL_SUBJECT.sub("that", marked)
    return _THAN_ORDINAL.sub("that", marked) if " than the " in marked else marked


def drop_contrasts(marked: str) -> str:
    r"""Leave out of a marked text what an answer is rather than, or is compared with: "it is sad rather than angry".

    >>> drop_contrasts("it is \ue001 rather than \ue002.") == "it is \ue001."
    True
    """
    if " too " in marked:
        marked = _TOO.sub(_write_misfits, marked)
    if any(map(marked.__contains__, _COMPARING)):
        without = _CONTRAST.sub(r"\g<like>", marked)
        if " while " in without or " whereas " in without:
            without = _STANDS_FOR.sub(_drop_meaning, without)
        return _DIFFERS.sub(_write_difference, without)
    if not marked.isascii() and any(map(marked.__contains__, _COMPARING_IN_CHINESE)):
        without = _CONTRAST_IN_CHINESE.sub("", marked)
        # Where it says no more than what it differs from, that is what it denies.
        without = without if any(map(str.isalnum, without)) or re.search(_OPTION, without) else marked
        return _DIFFERS_IN_CHINESE.sub(_write_difference, without)
    return marked


def _write_misfits(match: re.Match[str]) -> str:
    """Leave out what the answer does not fit, or deny it where the text names no answer."""
    before, behind = match.string[: match.start()], match.string[match.end() :]
    is_answered = re.search(_OPTION, before + behind) or _LETTER.search(before) or _LETTER.search(behind)
    return "" if is_answered else ", ".join(f" not {sign}" for sign in re.findall(_OPTION, match["list"]))


def _drop_meaning(match: re.Match[str]) -> str:
    """Leave out what another letter stands for, behind an answer that is given by its letter."""
    return "" if _LETTER.search(match.string, 0, match.start()) else match.group()


def _write_difference(match: re.Match[str]) -> str:
    """Write a difference as a denial, unless two options are compared."""
    if re.search(_OPTION, _CLAUSE_END.split(match.string[: match.start()])[-1]):
        return match.group()
    return "is not " if match.re is _DIFFERS else f"不是{match['one'] or match['other'] or match['less']}"


def drop_reasons(marked: str) -> str:
    r"""Leave out of a marked text the reason behind an answer that opens it, and write which the former or latter is.

    >>> drop_reasons("\ue001, as \ue000 is shorter.") == "\ue001."
    True
    >>> drop_reasons("\ue000 is brighter than \ue001, so I choose the former.")[-2:] == "\ue000."
    True
    """
    if "former" in marked or "latter" in marked:
        marked = _FORMER.sub(
            lambda match: (
                match.group()[: match.start("which") - match.start()].removesuffix("the ")
                + match["first" if match["which"] == "former" else "second"]
            ),
            marked,
        )
    reason = _REASON.search(marked) if any(map(marked.__contains__, _REASONING)) else None
    if reason is None or re.search(_OPTION, marked[: reason.start()]) or _TURN.search(reason["reason"]):
        return marked
    others = set(re.findall(_OPTION, reason["reason"])) - {reason["first"]}
    return marked[: reason.end("first")] + marked[reason.end() :] if others else marked


def write_shared_denials(marked: str) -> str:
    r"""Write what a marked text says that two options lack as denials of both.

    >>> write_shared_denials("\ue000 has no cough and neither does \ue002.") == "not \ue000, not \ue002."
    True
    """
    if "either does" in marked or "either is" in marked or "either has" in marked or " nor " in marked:
        marked = _SHARED.sub(r"not \g<first>, not \g<second>", marked)
    return (
        _SHARED_IN_CHINESE.sub(r"不是\g<first>,不是\g<second>", marked)
        if "也没" in marked or "也不" in marked
        else marked
    )
