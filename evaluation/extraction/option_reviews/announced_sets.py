"""Sets that are announced or confirmed as a whole, written as plain lists.

"可能的场景有会议室和咖啡厅" and "商场或医院，两个都可以选" give both options; "B and D, i.e. the student and the nurse"
names them twice.
"""

import re

from evaluation.extraction.option_texts.options import PLACEHOLDER_BASE

_SIGN = r"(?:(?<![A-Za-z])[A-Z](?![A-Za-z])|[\ue000-\uf8ff])"
_OR = r"(?:,? ?(?:或者?|还是|or (?:the )?)|,? ?(?:、|, ?))"
# "商场或者医院,这两个都可以选", "B or D, both fit".
_BOTH = re.compile(
    rf"(?P<list>{_SIGN}(?: ?{_OR} ?{_SIGN}){{1,4}})(?P<link>[,。;] ?(?:因为|而且|并且)?)"
    r"(?:(?:这|那)?(?:两|二|三|四)(?:个|项|者|种|处|条)(?:地点|地方|场景|选项|答案|说法)?(?:都|均)(?:是)?"
    r"(?:可以选|能选|应选|选|对的?|正确的?|成立|符合[^,。;\n]{0,6})"
    r"|(?:both|all three) (?:(?:of them )?(?:are (?:correct|right|answers)|can be (?:chosen|selected)|fit|apply)))"
    r"(?=[,。.;\n]|$)",
    re.IGNORECASE,
)
_OR_ONLY = re.compile(r",? ?(?:或者?|还是|(?<![a-z])or (?:the )?)", re.IGNORECASE)
# "可能的场景有…", "Possible settings are …": the question asks for what is possible.
_POSSIBLE = re.compile(
    r"(?:^|(?<=[。\n]))(?:最?(?:可能|合适|符合)的(?:[两三四]个|几个)?(?:场景|地点|地方|场所|人物|身份|情绪|原因|声音|来源|活动|事件|选项)"
    r"(?:包括|有|是|为|:)+ ?(?=[A-Z\ue000-\uf8ff])(?![^。\n]*(?:或|还是|也可能))"
    r"|(?:the )?(?:two |three )?(?:most )?(?:possible|likely|plausible|probable) (?:two |three )?[a-z]{3,14}s"
    r" (?:are|include|would be):? (?:the |an? )?(?=[A-Z](?![a-z])|[\ue000-\uf8ff])(?![^.\n]*(?<![a-z])or(?![a-z])))",
    re.IGNORECASE,
)
_LETTERS = r"(?<![A-Za-z])[A-Z](?:(?:, and |, | and |、|,|和|与|及)[A-Z](?![A-Za-z])){1,7}"
_TEXTS = r"[\ue000-\uf8ff](?:(?:, and |, | and |、|,|和|与|及)(?:the |an? )?[\ue000-\uf8ff]){1,7}"
# "B和D,即学生和校长", "B and D (the student and the principal)".
_TOLD_AGAIN = re.compile(
    rf"(?P<letters>{_LETTERS})(?P<gloss>,? ?(?:即|也就是说?|分别是|分别为|that is,?|i\.e\.,?|namely,?|meaning)[,:]? ?"
    rf"(?:the |an? )?{_TEXTS}"
    rf"| ?\((?!not |no |never |unlike |except |instead )(?:即|也就是)?(?:(?:the |an? )?(?:[a-z]+ )?)?{_TEXTS}\))"
)
_GLOSS_HINTS = ("(", "即", "也就是", "分别", "that is", "i.e.", "namely", "meaning")
# "The trembling voice (B) and the pauses (D)": the article does not end the list.
_ARTICLE_BEHIND_LETTER = re.compile(r"(?<=\([A-Z]\))(,? and|,) (?:the|an?) (?=[\ue000-\uf8ff])")
# "Both tense and eerie": two texts, not all options.
_BOTH_NAMED = re.compile(
    r"(?<![a-z])both (?:the |an? )?(?=[\ue000-\uf8ff],? and (?:the |an? )?[\ue000-\uf8ff])", re.IGNORECASE
)
# "It is louder. It comes from the left.": two texts of one subject.
_VERB = "(?:is|are|was|were|sounds?|comes?|lies|gets|becomes|plays)"
_SAME_SUBJECT = re.compile(
    rf"(?P<first>(?:^|(?<=[.\n] ))(?:It|They|He|She|The [a-z]+) {_VERB} [\ue000-\uf8ff])[.;] "
    rf"(?:It|They|He|She)(?: also)? {_VERB}(?: also)? (?=[\ue000-\uf8ff] ?(?:[.\n]|$))"
)
_LETTER, _TEXT = re.compile("[A-Z](?![a-z])"), re.compile("[\ue000-\uf8ff]")


def write_sets(marked: str) -> str:
    """Return a text with placeholders in which sets that are announced or told twice are plain lists.

    >>> write_sets("可能的地点是B或E,这两个都可以选。")
    '答案是B、E。'
    """
    if "都" in marked or "均" in marked or "oth " in marked or "ll three " in marked:
        marked = _BOTH_NAMED.sub("", marked)
        marked = _BOTH.sub(lambda match: _OR_ONLY.sub("、", match["list"]), marked)
    if "的" in marked:
        marked = _POSSIBLE.sub("答案是", marked)
    elif "likely" in marked or "ossible" in marked or "lausible" in marked or "robable" in marked:
        marked = _POSSIBLE.sub("The answers are ", marked)
    if ". It " in marked or ". They " in marked or ". He " in marked or ". She " in marked:
        marked = _SAME_SUBJECT.sub(r"\g<first> and ", marked)
    if any(map(marked.__contains__, _GLOSS_HINTS)):
        marked = _TOLD_AGAIN.sub(_drop_gloss, marked)
    return _ARTICLE_BEHIND_LETTER.sub(r"\1 ", marked) if ") and" in marked or ")," in marked else marked


def _drop_gloss(match: re.Match[str]) -> str:
    """Leave out the texts behind letters that say the same."""
    letters = {ord(letter) - 65 for letter in _LETTER.findall(match["letters"])}
    texts = {ord(sign) - PLACEHOLDER_BASE for sign in _TEXT.findall(match["gloss"])}
    if letters == texts:
        return match["letters"]
    # "A, C, E (beats 1, 3 and 6)": which of the two sets is meant stays open.
    differing = f"{match['letters']} or {' or '.join(_TEXT.findall(match['gloss']))}"
    return differing if len(letters) == len(texts) else match.group()
