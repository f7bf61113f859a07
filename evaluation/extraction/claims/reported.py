"""Reports of what options say: "Option A says that …" chooses nothing, "…, which is right" is a verdict on A."""

import re

from evaluation.extraction.language.symbols import LONE_CAPITAL

_VERBS = (
    r"(?:says|states|claims|asserts|describes|mentions|argues|reads|talks about|speaks of|is about|refers to|concerns)"
)
_VERBS_IN_CHINESE = r"(?:认为|说的?是?|指出|提到|声称|称|讲的?是?|描述|涉及|指的是)"
_REPORT = re.compile(
    rf"(?<![A-Za-z])(?:[Oo]ption |[Ss]tatement |[Cc]hoice )?[A-Z] {_VERBS}(?![a-z])(?: that)?(?: (?:an?|the))?"
    r"(?: ?[\ue000-\uf8ff])?"
    rf"|(?:选项|陈述)[A-Z](?:项)?{_VERBS_IN_CHINESE}[\ue000-\uf8ff]?"
)
_REPORTING = re.compile(rf"{LONE_CAPITAL}(?: {_VERBS}(?![a-z])|项?{_VERBS_IN_CHINESE})")
_HINTS = (", which ", " that ", " this ", "; it ", ",这", ",那", ",但", ",而")
# What an option says, up to the verdict on it. It names no other option: the verdict could be on that one.
_CONTENT = r"(?:(?<![A-Za-z])I(?![A-Za-z])|(?!(?<![A-Za-z])[A-Z](?![A-Za-z]))[^.;\n]){1,200}?"
_CONTENT_IN_CHINESE = r"[^A-Z。;\n]{1,100}?"
_JUDGED = re.compile(
    rf"(?P<option>{LONE_CAPITAL}) {_VERBS}(?![a-z]){_CONTENT}"
    r"(?:, ?(?:and |but )?(?:which|that|this)|;? (?:and|but) (?:that|this)|; (?:that|this|it))"
    r"(?= (?:is|was|seems|does|matches|fits|agrees|contradicts|can(?:not|'t)?)"
    r"(?: also| clearly| indeed| not| exactly| be)*"
    r" ?(?:right|correct|true|accurate|supported|wrong|incorrect|false|inaccurate|unsupported|hold|match|fit"
    r"|the (?:audio|recording|clip)|with the|what (?:is|I))(?![a-z])(?!\. (?:But|However|Yet|Still))"
    r"(?![^.;\n]{0,80}(?<![a-z])(?:but|though|although|however|except|only)"
    r"(?! (?:option |statement |choice )?[A-Z](?![A-Za-z]))"
    r"(?![a-z])))"
    rf"|(?P<zh>(?:选项|陈述|(?<![A-Za-z]))[A-Z])项?{_VERBS_IN_CHINESE}{_CONTENT_IN_CHINESE},(?:但|而)?(?:这|那)(?:一点|个说法"
    r"|种说法|一说法)?(?=(?:也|都|就|并|确实|完全)?(?:是)?(?:不)?(?:对|正确|错|成立|合理|属实|符合|准确)"
    r"(?![^。;\n]{0,40}(?:但|不过|可是|然而|只是)))"
)


def drop_reports(text: str) -> str:
    """Write what an option says as an ordinary word, so that its letter is not taken for a choice."""
    return _REPORT.sub("xx", text)


def name_judged_options(text: str) -> str:
    """Name the options that verdicts behind reports are on, if each report has a verdict; else it may be cut off.

    >>> name_judged_options("Option A says that a bell rings, which is right.")
    'Option A is right.'
    """
    if not any(map(text.__contains__, _HINTS)):
        return text
    written, n_judged = _JUDGED.subn(_name_option, text)
    return written if n_judged and n_judged == len(_REPORTING.findall(text)) else text


def _name_option(match: re.Match[str]) -> str:
    return match["option"] or match["zh"]
