r"""Lines with a mark for each step: a ticked box, Y or N, or the kind of its error, where a heading says what it means.

Each is written as the verdict that it stands for, "Step 2: erroneous", if all steps have such a line.
"""

import re

from evaluation.extraction.critic.critic_phrases import judge_phrase, list_of_key, plain_key
from evaluation.extraction.critic.numbers import list_numbers
from evaluation.extraction.step_lists.named_steps import read_types

_NUMBER = r"(?:steps? ?#?|步骤 ?|第 ?)?(?P<number>[0-9]{1,2}|[一二三四五六七八九十])(?: ?步)?"
_BOX = re.compile(
    rf"^[-*• ]{{0,4}}(?:(?P<ticked>\[ ?[xX✓✔√] ?\]|[☑☒])|\[ ?\]|☐) ?{_NUMBER}(?![0-9])(?P<rest>[^\n]{{0,200}})$",
    re.MULTILINE | re.IGNORECASE,
)
_LETTER = re.compile(rf"^[-*• ]{{0,4}}{_NUMBER} ?[:.)|=-]{{0,2}} ?(?P<letter>[YN])[.]?$", re.MULTILINE | re.IGNORECASE)
_KIND = re.compile(
    rf"^[-*• ]{{0,4}}{_NUMBER} ?[:.)|-]{{1,2}} ?(?P<kind>[^\n:;,()]{{2,40}})$", re.MULTILINE | re.IGNORECASE
)
_TICKED = re.compile(
    r"(?<![a-z])(?:checked|ticked|marked|crossed|a (?:check|tick|cross)|\[x\]|x|☑)(?: (?:box|step|item)(?:es|s)?)?"
    r" ?(?:=|:|means?|marks?|for|is|are|indicates?|denotes?) ?(?:an? |the )?(?P<meaning>[a-z]{2,16})"
    r"|(?:勾选|打勾|打叉|☑)(?:的)?(?:表示|代表|为|=)(?P<chinese>[\u4e00-\u9fff]{1,4})",
    re.IGNORECASE,
)
_ABOUT_ERRORS = re.compile(r"\A[^\n]{0,60}(?:errors?|mistakes?|错误)[^\n]{0,30}\n", re.IGNORECASE)


# "Step 4. [INCORRECT] The woman doesn't reply": behind a verdict in brackets stands what the step says, or why.
_BRACKETED = re.compile(
    rf"^[-*• ]{{0,4}}{_NUMBER} ?[:.)]?[*_]{{0,2}} ?[*_]{{0,2}}\[(?P<said>[A-Za-z]{{2,12}}"
    rf"|[\u4e00-\u9fff]{{1,3}})\][*_]{{0,2}}(?P<rest>[^\n]*)$",
    re.MULTILINE | re.IGNORECASE,
)
_TURN = re.compile(
    r"(?<![a-z])(?:wait|actually|however|on second thought|or rather)(?![a-z])|[?？]|等等|不对,|其实", re.IGNORECASE
)


def _write(number: str, *, erroneous: bool) -> str:
    return f"Step {number}: {'erroneous' if erroneous else 'correct'}"


def _are_all(lines: list[re.Match[str]], n_steps: int) -> bool:
    """Whether the lines name every step once."""
    return len(lines) == n_steps and {list_numbers(line["number"]) for line in lines} == {
        (step,) for step in range(1, n_steps + 1)
    }


def _say_ticked(text: str) -> bool | None:
    """Whether a ticked box says that its step is erroneous; None where nothing says so."""
    if told := _TICKED.search(text):
        return judge_phrase(told["meaning"] or told["chinese"])
    heading = next((line for line in text.split("\n") if line.strip()), "")
    return list_of_key(plain_key(heading.strip(" :#*.")))


def write_marks(text: str, n_steps: int) -> str:
    r"""Return a text with a mark for each step with the verdicts in their place; any other text as it is.

    >>> write_marks("Erroneous steps:\n[ ] Step 1\n[x] Step 2", 2)
    'Step 1: correct\nStep 2: erroneous'
    """
    if text.count("\n") + 1 < n_steps:
        return text
    if "]" in text and _are_all(lines := list(_BRACKETED.finditer(text)), n_steps):
        verdicts = [judge_phrase(line["said"].lower()) for line in lines]
        if None not in verdicts and not any(_TURN.search(line["rest"]) for line in lines):
            return "\n".join(
                _write(line["number"], erroneous=wrong is True) for line, wrong in zip(lines, verdicts, strict=True)
            )
    if "[" in text or "☐" in text:
        boxes = list(_BOX.finditer(text))
        rest = _BOX.sub("", text)
        ticked_is_wrong = _say_ticked(rest) if _are_all(boxes, n_steps) else None
        if ticked_is_wrong is not None:
            lines = sorted(boxes, key=lambda line: list_numbers(line["number"]))
            return "\n".join(
                _write(line["number"], erroneous=(line["ticked"] is not None) == ticked_is_wrong) for line in lines
            )
    if _are_all(list(_LETTER.finditer(text)), n_steps):
        return _LETTER.sub(lambda line: f"Step {line['number']}: {'yes' if line['letter'] in 'Yy' else 'no'}", text)
    if _ABOUT_ERRORS.match(text) and _are_all(kinds := list(_KIND.finditer(text)), n_steps):
        types = read_types([line["kind"].strip() for line in kinds])
        if types is not None:
            return "\n".join(_write(line["number"], erroneous=wrong) for line, wrong in zip(kinds, types, strict=True))
    return text
