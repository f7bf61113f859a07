r"""Questions that a critic asks of each step and answers: "Q: Is step 1 right? A: Yes.", or one question for all lines.

Each answer is written as the verdict that it gives: a yes means what the question asks.
"""

import re

from evaluation.extraction.critic.critic_tokens import tokenize_critic
from evaluation.extraction.critic.numbers import CHINESE_NUMBERS, list_numbers

_NUMBER = rf"(?:[0-9]{{1,2}}|[{CHINESE_NUMBERS}])"
_YES, _NO = (
    "yes|yeah|yep|yup|是的?|有|对的?|正确",
    "no|nope|nah|not(?= (?:really|quite))|不是|不对|没有|否|不正确|错误|错",
)
_SAID = rf"(?:(?P<no>{_NO})|(?P<yes>{_YES}))(?![a-z])(?= ?(?:[.,;:!。\n(-]|\Z| because| since| as ))"
# "Q1: Does step 1 hold? A: Yes, …": up to the next question, the rest of the line is the reason.
_QUESTION = re.compile(
    rf"(?:(?<=\n)|(?<=[.!?。;] )|(?<=[。!?;])|\A)(?P<lead>[-*• ]{{0,4}}(?:(?:q|question|问题?) ?{_NUMBER}? ?[:.)] ?)?)"
    rf"(?P<asked>[^\n?.!。]{{0,60}}?(?:step #?|步骤 ?|第 ?)(?P<number>{_NUMBER})(?![0-9])"
    rf"[^\n?.!。]{{0,80}})\?\s{{0,2}}[-> ]{{0,3}}"
    rf"(?:(?:a|answer|答案?) ?{_NUMBER}? ?[:.)] ?)?{_SAID}",
    re.IGNORECASE,
)
# "Does each step contain an error?", above a line for each step.
_HEADING = re.compile(r"\A(?P<asked>[^\n?:]{5,100}(?:\?|[:：](?=\n))):?\n+(?P<rows>.+)\Z", re.DOTALL)
_ROW = re.compile(
    rf"^[-*• ]{{0,4}}\(?(?:step #?|步骤 ?|第 ?)?(?P<number>{_NUMBER})\)? ?步? ?(?:[:.)]|-{{1,3}}>?|=) ?{_SAID}"
    r"(?P<reason>[^\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
_CORE = re.compile("(?P<negated>N?)[VPw]{0,2}(?P<core>[GBEae])")
_REVISING = re.compile(
    r"(?<![a-z])(?:wait|actually|scratch that|sorry|hmm+|on second|or (?:yes|no)|maybe|perhaps|unless|except|if|depends"
    r"|in part|part(?:ly|ially)|not sure)(?![a-z])|\?|等等|其实应|可能|也许|除非|如果|部分",
    re.IGNORECASE,
)
# A yes to "does step 1 avoid the mistake?" or "is it always right?" is no plain verdict.
_OTHER_QUESTION = re.compile(
    r"(?<![a-z])(?:avoid|rule|reject|ignore|claim|say|state|correct(?= [a-z])|spot|find|notice|miss|mention"
    r"|identify|fix|resolve|handle|address|always|obviously|entirely|completely|never)(?![a-z])|难道|总是|一直",
    re.IGNORECASE,
)
_WHETHER = re.compile("是不是|有没有|对不对|是否")
_WHETHER_VERDICTS = {"是不是": "是", "有没有": "有", "对不对": "对", "是否": "是"}
_FEWEST = 2


def _asks_for_errors(question: str) -> bool | None:
    """Whether a yes to a question calls a step erroneous; None where it asks something else."""
    if _OTHER_QUESTION.search(question):
        return None
    question = _WHETHER.sub(lambda match: _WHETHER_VERDICTS[match.group()], question)
    codes = "".join(token.code for token in tokenize_critic(question, 1))
    found = list(_CORE.finditer(codes))
    if len(found) != 1 or re.search("[H/M]", codes):
        return None
    return (found[0]["core"] in "BEe") != (found[0]["negated"] == "N")


def _say(number: str, *, erroneous: bool) -> str:
    return f"Step {list_numbers(number)[0]}: {'incorrect' if erroneous else 'correct'}"


def _are_all(matches: list[re.Match[str]], n_steps: int) -> bool:
    return [list_numbers(match["number"]) for match in matches] == [(step,) for step in range(1, n_steps + 1)]


def _write_asked(text: str, n_steps: int) -> str:
    questions = list(_QUESTION.finditer(text))
    if not _are_all(questions, n_steps):
        return text
    pieces = [text[: questions[0].start()]]
    ends = [*(each.start() for each in questions[1:]), len(text)]
    for question, end in zip(questions, ends, strict=True):
        polarity = _asks_for_errors(question["asked"])
        reason, _, rest = text[question.end() : end].partition("\n")
        if polarity is None or _REVISING.search(reason):
            return text
        pieces.append(f"{_say(question['number'], erroneous=(question['yes'] is not None) == polarity)}\n")
        if rest.strip():
            pieces.append(rest if end == len(text) else f"{rest.strip()}\n")
    return "".join(pieces)


def _write_headed(text: str, n_steps: int) -> str:
    heading = _HEADING.match(text.lstrip())
    rows = list(_ROW.finditer(heading["rows"])) if heading else []
    if heading is None or not _are_all(rows, n_steps) or any(_REVISING.search(row["reason"]) for row in rows):
        return text
    polarity = _asks_for_errors(heading["asked"])
    if polarity is None:
        return text
    return _ROW.sub(lambda row: _say(row["number"], erroneous=(row["yes"] is not None) == polarity), heading["rows"])


def answer_questions(text: str, n_steps: int) -> str:
    r"""Return a text that asks of every step whether it is right with the answers as verdicts; any other as it is.

    >>> answer_questions("Is step 1 right? Yes. Is step 2 right? No, nobody sings.", 2)
    'Step 1: correct\nStep 2: incorrect\n'
    """
    if "?" not in text and not ("\n" in text and ":" in text and "是否" in text):
        return text
    if n_steps >= _FEWEST and text.count("?") >= n_steps:
        text = _write_asked(text, n_steps)
    return _write_headed(text, n_steps) if text.count("\n") >= n_steps else text
