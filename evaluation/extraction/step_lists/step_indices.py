"""Lists of steps below a heading that says where it starts to count: "Wrong steps (1-based): [1, 2]"."""

import re

from evaluation.extraction.critic.critic_tokens import declares_zero_base, drop_zero_base

_BASE = (
    r"(?:(?P<zero>(?:0|zero)[- ](?:based|indexed)|(?:(?:count|index|number)(?:ed|ing) |start(?:s|ing) )(?:from|at|with)"
    r" (?:0|zero)(?![0-9.])|(?:counting|with|taking) the first (?:step )?as (?:0|zero)"
    r"|从 ?[0零] ?(?:开始|起)(?:计数|编号|数|算)?|下标从 ?0 ?(?:开始|起))"
    r"|(?:1|one)[- ](?:based|indexed)|(?:(?:count|index|number)(?:ed|ing) |start(?:s|ing) )(?:from|at|with)"
    r" (?:1|one)(?![0-9.])|从 ?[1一] ?(?:开始|起)(?:计数|编号|数|算)?)"
    r"(?: (?:index(?:ing)?|numbering|counting|indices))?"
)
_HEADED = re.compile(
    rf"^(?P<head>[^\n:()\[\]0-9]{{3,48}}?)(?: ?\({_BASE}\)|, {_BASE.replace('<zero>', '<later>')})"
    r" ?(?::|=|(?<![a-z])are) ?(?P<open>\[?) ?(?P<list>[0-9]{1,2}(?: ?(?:,|、|and|和) ?[0-9]{1,2}){0,40}) ?"
    r"(?P<close>\]?)(?P<end>[.。]?)$",
    re.IGNORECASE | re.MULTILINE,
)
# A line that says so, and below it a list: "Indices are zero-based (step 0 is the first step)."
_DECLARING = re.compile(
    r"^[^\n]{0,80}?(?:(?:0|zero)[- ]?(?:based|indexed)"
    r"|(?<![a-z])(?:count|index|indices|number|start|step|begin)(?:s|ed|ing|ning)?(?: (?!down)[a-z]+){0,3}"
    r" (?:from|at|with) (?:step |index )?(?:0|zero)(?!\.?[0-9])(?= ?(?:[,.;:)(\n]|\Z))"
    r"|从 ?[0零] ?(?:开始|起))[^\n\[\]]{0,120}\n+"
    r"(?P<head>[^\n:\[\]0-9]{0,40}(?:err|wrong|incorrect|flaw|fault|mistak|错|有误)[^\n:\[\]0-9]{0,24})[:：] ?"
    r"\[?(?P<list>[0-9]{1,2}(?: ?(?:,|、|and|和) ?[0-9]{1,2}){0,40})\]?[.。]?\s*\Z",
    re.IGNORECASE,
)
_JUDGES = re.compile(r"(?<![a-z])(?:in)?(?:correct|right|valid)|wrong|err|错|误|正确", re.IGNORECASE)
_INDICES = re.compile(r"(?:(?:steps?|步骤)的? ?)?(?:indices|indexes|index|numbers|索引|下标|编号|序号)", re.IGNORECASE)
_OF_STEPS = re.compile(r"step|ind(?:ex|ices)|步|索引|下标|^\W*(?:errors?|mistakes?) ?\Z", re.IGNORECASE)
_NUMBER = re.compile("[0-9]+")
# Steps count from 1 anyway: "using 1-based indices, the erroneous step is [2]".
_FROM_ONE = re.compile(
    r"(?:(?:using|with|in|given|assuming) )?(?:a )?(?:1|one)[- ](?:based|indexed) (?:step )?"
    r"(?:ind(?:ices|exes|ex|exing)|numbering|numbers|counting|positions?)[,:]? ?"
    r"|,? ?\((?:1|one)[- ](?:based|indexed)\)",
    re.IGNORECASE,
)
# "At indices 1 and 3, i.e. step 2 and step 4": the steps that are named count.
_INDICES_OF_LIST = r"\[?[0-9]{1,2}(?:(?:, ?| ?and |, and |、|和)[0-9]{1,2}){0,20}\]?"
_RESTATED = re.compile(
    r"(?:at |in |with )?(?:(?:0|zero)-based )?"
    r"(?:(?:step )?(?:indices|indexes|index|positions?) |(?:下标|索引)(?:为|是)? ?)"
    rf"{_INDICES_OF_LIST} ?(?P<joint>[,(]) ?"
    r"(?:(?:i\.?e\.?|that is|that means|which (?:is|are|means?)|meaning|namely|so|or|也就是|即),? ?)?"
    r"(?=steps? ?#?[0-9]|第 ?[0-9一二三四五六七八九十])",
    re.IGNORECASE,
)
_FIRST_INDEX = re.compile(
    r",? ?\(?(?:so that|so|where|i\.?e\.?,?|meaning(?: that)?) (?:the )?index 0 (?:is|=|means|stands for|denotes)"
    r" step 1\)?",
    re.IGNORECASE,
)
# "The erroneous steps are:" with the list in a line, or a code block, of its own.
_FAULTY = r"(?:wrong|incorrect|erroneous|flawed|faulty|mistaken|inaccurate|problematic)"
_BELOW = re.compile(
    r"^(?P<head>[*_#> -]{0,6}(?:(?:(?:so|thus|hence|therefore|finally|overall|in summary|as a result)[ ,]{1,2}){0,2}"
    r"(?:(?:here|below) (?:are|is) |these are |following are )?(?:the |my |a )?(?:final |complete |full )?"
    rf"(?:answer[:,] |list of )?(?:all )?(?:the )?{_FAULTY}[*_]{{0,2}}"
    r" (?:reasoning )?steps?[*_]{0,2}(?: (?:is|are))?(?: as follows| below)?"
    r"|(?:最终|因此|所以|其中),?(?:是|为)?(?:存在)?(?:错误|有误|不正确|有问题)的?步骤(?:如下|有|为|是|包括)?"
    r"|(?:存在)?(?:错误|有误|不正确|有问题)的?步骤(?:如下|有|为|是|包括)?)[*_]{0,2}) ?:[*_ ]{0,4}\n\s*"
    r"(?:(?P<fence>```[a-z]{0,12})\n\s*)?"
    r"(?P<list>\[? ?[1-9][0-9]?(?: ?(?:,|、|and|和) ?[1-9][0-9]?){0,40} ?\]?)[.。]?"
    # Numbers of further lines are members of the list as well.
    r"(?(fence)\n\s*```)[ \t]*(?=\n|\Z)(?!\s*[0-9])",
    re.IGNORECASE | re.MULTILINE,
)
# "Total erroneous steps: 2" says how many they are.
_TOTAL = re.compile(
    rf"(?P<count>(?<![a-z])(?:totals?|(?:total )?(?:number|count) of)) (?:the )?{_FAULTY} (?:reasoning )?steps"
    r"(?P<end>[*_]{0,2} ?(?:[:=]|is(?![a-z]))[*_:]{0,3})\s*"
    r"(?=[*_ ]{0,3}[0-9]{1,2}(?!\w|[*_]{0,2} ?(?:[(,:;&]|and |(?:out )?of )|[.)]? ?[^\n]{0,200}\n\s*[0-9]))",
    re.IGNORECASE,
)
_HINTS = ("ased", "ndex", "ount", "umber", "tart", "从")


def _write_list(match: re.Match[str], n_steps: int) -> str:
    shift = 1 if match["zero"] or match["later"] else 0
    numbers = [int(number) + shift for number in _NUMBER.findall(match["list"])]
    head, opens = match["head"], bool(match["open"])
    is_list = opens == bool(match["close"]) and len(set(numbers)) == len(numbers)
    if not _OF_STEPS.search(head) or not is_list or min(numbers) < 1 or max(numbers) > n_steps:
        return match.group()
    noun = "steps" if head.isascii() else "步骤"
    return f"{_INDICES.sub(noun, head)}: {', '.join(map(str, numbers))}{match['end']}"


def _write_declared(text: str, n_steps: int) -> str:
    """Write a list below a line that says that it counts from 0 as one that counts from 1."""
    declared = _DECLARING.match(text.lstrip())
    if declared is None or _JUDGES.search(declared.group()[: declared.start("head")]):
        return text
    numbers = [int(number) + 1 for number in _NUMBER.findall(declared["list"])]
    if max(numbers) > n_steps or len(set(numbers)) < len(numbers):
        return text
    noun = "steps" if declared["head"].isascii() else "步骤"
    return f"{_INDICES.sub(noun, declared['head'])}: {', '.join(map(str, numbers))}."


def _drop_indices(text: str) -> str:
    """Leave out the indices of steps that are named as well."""
    named, n_named = _RESTATED.subn(lambda match: "(" if match["joint"] == "(" else " ", text)
    return drop_zero_base(_FIRST_INDEX.sub("", named)) if n_named else text


def _head_list(match: re.Match[str]) -> str:
    return f"{'Erroneous steps' if match['head'].isascii() else '错误的步骤'}: {match['list']}"


def count_listed_steps(text: str, n_steps: int) -> str:
    r"""Return a text whose lists of steps count from 1 and do not say so.

    >>> count_listed_steps("Erroneous step indices (0-based): [0, 2]", 3)
    'Erroneous steps: 1, 3'
    >>> count_listed_steps("Steps are counted from 0.\nWrong steps: 1", 3)
    'Wrong steps: 2.'
    """
    text = _TOTAL.sub(r"\g<count> errors\g<end> ", text)
    if "\n" in text and ":" in text and not declares_zero_base(text):
        text = _BELOW.sub(_head_list, text)
    if "ndex" in text or "ndices" in text or "下标" in text or "索引" in text:
        text = _drop_indices(text)
    if any(map(text.__contains__, _HINTS)) and (":" in text or "=" in text or " are " in text):
        text = _write_declared(text, n_steps)
        text = _HEADED.sub(lambda match: _write_list(match, n_steps), text)
    return _FROM_ONE.sub("", text) if "ased" in text or "ndexed" in text else text
