"""Bare lists of steps, and a sentence below that says what they are: "2, 3. These steps contain errors."."""

import re

_NUMBERS = r"[0-9]{1,2}(?:(?: ?, ?(?:and )?| and | & |、|和|与)[0-9]{1,2}){0,20}"
_HEAD = (
    r"[*_`\s]*(?:(?:(?:my |the )?(?:final )?(?:answer|result|output|list|verdict)s?(?: is| are)?|答案|结果|结论)"
    r"[*_` ]*[:：]?[*_` ]*)?"
)
_ERRONEOUS = "(?:wrong|incorrect|erroneous|flawed|faulty|mistaken|bad)"
_NUMBERS_OF = r"(?:numbers?|indices|index) (?:of|for) (?:the )?"
_THESE = (
    r"(?:(?:these|those)(?: (?:two|three|four|five|[2-9]))?(?: of them)?(?: steps?)?|(?:this|that|both) steps?)"
    r"(?: both| all)?"
)
# "Answer: 1, 2 (these steps contain errors; 3 and 4 don't)".
_DESCRIBED = re.compile(
    rf"\A{_HEAD}(?:\\boxed)?[\[{{(]?(?:steps? )?(?P<list>{_NUMBERS})[\]}})]?[*_`.。]{{0,3}}\s{{0,3}}"
    rf"(?:\(|-{{1,2}} |, |: )?(?:where )?(?:{_THESE}"
    r" (?:(?P<verb>(?:are|is|contains?|has|have|fails?)"
    rf"(?= (?:[a-z]+ ){{0,2}}(?:{_ERRONEOUS}|in error|correct|right|errors?|mistakes?)))"
    rf"|(?:are|is) (?:the )?(?:{_NUMBERS_OF}|ones? )?(?P<kind>{_ERRONEOUS} (?:steps?|ones?)"
    r"|steps? (?:that|which|with|in) (?![a-z ]{0,20}(?:no|not|never|without|fewer|few|hardly|least|free) )"
    r"[a-z ]{0,20}(?:wrong|errors?|incorrect)))"
    rf"|(?P<again>{_NUMBERS}) (?:are|is) (?:the )?{_NUMBERS_OF}(?P<of>{_ERRONEOUS} steps?)"
    r"|(?:这|那|以上|上述)(?:[一二两三四五0-9]?个?步骤?|些步骤|[一二两三四五]者)(?=[都均]?(?:有|是?错|不|存在)))",
    re.IGNORECASE,
)
# "三个步骤的判断：正确、错误、正确".
_COUNTED_HEAD = re.compile(
    r"(?:\A|(?<=[\n。]))[*# ]{0,4}(?:这|全部|所有|以上|上述)?[一二两三四五六七八九十0-9]{1,2}个?(?:推理)?步骤?的?"
    r"(?=(?:判断|结论|结果|评判|评价|判定|标签)[^:。\n]{0,8}[:：])"
)
_DIGITS = re.compile("[0-9]+")
# "This step has a minor error in wording but is correct in substance."
_QUALIFIED = re.compile(r"[^.;\n]*?(?<![a-z])(?:but|not|though|although|only)(?![a-z])", re.IGNORECASE)


def _write(match: re.Match[str]) -> str:
    numbers = match["list"]
    if _QUALIFIED.match(match.string, match.end()):
        return match.group()
    if match["again"] and _DIGITS.findall(match["again"]) != _DIGITS.findall(numbers):
        return match.group()
    kind = match["kind"] or match["of"]
    if kind:
        return f"Erroneous steps: {numbers}"
    return f"Steps {numbers} {match['verb']}" if match["verb"] else f"第{numbers}步"


def describe_lists(text: str) -> str:
    r"""Return a text in which a list of steps stands in the sentence that describes it.

    >>> describe_lists("Answer: 1, 2\n(these steps contain errors; 3 and 4 don't)")
    "Steps 1, 2 contain errors; 3 and 4 don't)"
    >>> describe_lists("四个步骤的判断：正确、错误、正确、正确。")
    '判断：正确、错误、正确、正确。'
    """
    if "步" in text:
        text = _COUNTED_HEAD.sub("", text)
    return _DESCRIBED.sub(_write, text, count=1)
