"""Answers that choose the option "unable to determine"."""

import re
from functools import lru_cache

# The option that nothing can be determined, and a response that says so of the question, not of its own abilities.
_TELL = r"(?:determine|tell|say|decide|judge|identify|establish|infer|know|conclude|distinguish)"
_UNABLE = re.compile(
    rf"(?:unable|impossible|not possible|not able) to {_TELL}|(?:can ?not|can't|could not"
    rf"|couldn't) (?:be (?:{_TELL}e?d|told|said|known)|{_TELL})"
    r"|(?:not enough|insufficient) information|undetermined|indeterminate|not determinable"
    r"|(?:无法|不能|难以)(?:判断|确定|得知|分辨|辨别|判定)|不确定"
)
_IMPERSONAL = re.compile(
    rf"(?:(?:it|this|that|which|there)(?: is|'s| was) (?:simply |just |really )?(?:im|not )possible|(?:it|this"
    rf"|that|which) (?:isn't|wasn't) (?:really )?possible"
    rf"|(?<!i'm )(?<!i am )(?<![a-z])impossible) to {_TELL}"
    rf"|(?:can ?not|can't|could not|couldn't) be (?:reliably |clearly )?(?:{_TELL}e?d|told|said|known)"
    r"|(?:is|was|'s) no way (?:of (?:determin|tell|say|decid|judg|know|establish)ing|to (?:determine|tell|say|know))"
    r"|(?:is|are|was|were)(?:n't| not) (?:enough|sufficient|any) (?:[a-z]+ )?(?:information|evidence|cues?|data)"
    rf"(?: (?:here|available))? to {_TELL}"
    r"|(?:is|are) (?:no|not enough|insufficient) (?:[a-z]+ )?(?:information|evidence|cues?|clues?|data|basis)"
    rf" (?:(?:that|which) (?:would|could|might) (?:allow|let|enable|help) (?:me|us|anyone|one)(?: to)?|to) {_TELL}"
    r"|(?:is|are|'s) (?:not enough|insufficient|no) (?:information|evidence|way) (?:in|to|from)|(?:not"
    r"|n't) (?:contain|provide|give) enough (?:information|evidence)"
    r"|(?:无法|不能|难以)(?:判断|确定|得知|分辨|辨别|判定)(?!是?[a-z](?![a-z]))[\u4e00-\u9fff]{3}"
    r"|[\u4e00-\u9fff](?:无法|不能|难以)(?:被)?(?:判断|确定|得知|分辨|辨别|判定)"
)
# Without a subject, of the question.
_BARE = re.compile(
    rf"(?:can ?not|can't|unable to) (?:{_TELL}|be (?:{_TELL}e?d|told|known))(?: for (?:sure|certain))?"
    r"(?: from (?:the|this) [a-z]+)?[.!]?"
)
# An option that somebody says of themselves is chosen by saying so.
_PERSONAL = re.compile(rf"i (?:can ?not|can't|am unable to) {_TELL}")
_SAID_PERSONALLY = re.compile(
    rf"(?<![a-z])i (?:can ?not|can't|could not|couldn't|am unable to|'m unable to|am not able to) (?:really )?{_TELL}"
    r"(?! you| the file)"
)
_HEAD = re.compile("(?:不确定|无法确定|无法判断)[,，]")
_ABOUT_ITSELF = re.compile(
    r"(?<![a-z])(?:sorry|apologi[sz]e|as an ai|language model|i (?:can't|cannot|am unable to"
    r"|'m unable to|am not able to) "
    r"(?:listen|hear|process|access|play|analy[sz]e|open|help|assist)|no audio|no recording"
    r"|not? (?:receive|provided|attached)"
    r"|(?:have|having) access|listen to|please (?:provide|upload|share|send))(?![a-z])|抱歉|对不起"
    r"|听不到|没有音频|未提供|请提供|上传|模型"
)


@lru_cache(maxsize=4_096)
def list_unable(texts: tuple[str, ...]) -> tuple[int, ...]:
    """Return the positions of options that say that nothing can be determined."""
    return tuple(place for place, text in enumerate(texts) if _UNABLE.search(text))


def find_unable(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option "unable to determine", where a refused response says just that of the question."""
    places = list_unable(texts)
    if len(places) == 1 and _BARE.fullmatch(lowered):
        return places[0]
    if len(places) == 1 and (head := _HEAD.match(texts[places[0]])) and lowered.startswith(head.group()):
        return places[0]  # "不确定,因为…" for an option that begins so.
    if len(places) == 1 and _PERSONAL.match(texts[places[0]]) and not _ABOUT_ITSELF.search(lowered):
        return places[0] if _SAID_PERSONALLY.search(lowered) else None
    if (
        len(places) != 1
        or not (_IMPERSONAL.search(lowered) or f"{texts[places[0]]} which" in lowered)
        or _ABOUT_ITSELF.search(lowered)
    ):
        return None
    return places[0]
