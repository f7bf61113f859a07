"""Reading what a critic wrote line by line: labelled items, headed groups, lists of verdicts without numbers."""

import re

from evaluation.extraction.critic.critic_tokens import CriticToken
from evaluation.extraction.critic.grammar import cut_sentences, mark_items
from evaluation.extraction.critic.sentence_codes import Sentence
from evaluation.extraction.critic.sentences import SentenceReader

_BARE_HEADING = re.compile("(?P<negated>[NV]*)(?P<core>[GB]|E(?=[s:])|(?<!N)E)(?P<of>[s:]*)")
# "Erroneous? 1: no, 2: yes, 3: no".
_QUESTION = re.compile("[fVIsw]{0,4}N?(?P<core>[GBE])s?[?:]+(?=[mS][:)-]*[tuNV](?:$|[,;.]))")
# "Step 1: The rain starts right away. → false".
_FLAG_AT_END = re.compile("[^SLRA(|-][(|-]*:(?P<flag>[tu])[.]?$")
# "Are the steps correct?", "Supported:", "which of the steps are correct".
_ASKS = re.compile("[?|f]|[:]$|^s[GBE]$|^I?Fs[VC]*N?[GBE]$|^I?sV*N?[GBE]$")
_RUN = re.compile(
    r"(?:(?:[yM]{1,2}|(?P<other>[wMysdnFI]{1,6}))[:V]++)?[(|:-]*"
    # Each verdict takes all that stands before it: an H may be either, and no text is parted in more ways than one.
    r"(?P<run>(?>[NVPH]*[GBEgbH][),;|./&:(-]*)+)(?:w[.]?)?"
)
_VERDICT_OF_RUN = re.compile("([NVPH]*)([GBEgbH])")


# "✘ Erroneous (temporal)".
_LONE_VERDICT = re.compile(r"[(|:-]*[gb]?(?P<denied>N?)(?P<core>[GBEgb])[)]?(?:\([^()]*\))?")
_JUDGES_OUTRIGHT = re.compile("[SL][(|:,-]*V?[NW]*[GBEgb]")
_UNSETTLED = re.compile("[MHfJ]")


class Critique(SentenceReader):
    """Collects what a text says, line by line."""

    def __init__(self, n_steps: int) -> None:
        super().__init__()
        self._n_steps = n_steps
        self._run: list[bool | None] = []
        self._run_lines: list[list[CriticToken]] = []

    def add_line(self, tokens: list[CriticToken]) -> None:
        """Take in the tokens of one line: a verdict alone, or several, may be part of a list without numbers."""
        codes = "".join(token.code for token in tokens)
        if not codes:
            return
        bare = _RUN.fullmatch(codes)
        awaits = self._awaits_verdict()
        if bare and bare["other"] and len(_VERDICT_OF_RUN.findall(bare["run"])) == 1:
            bare = None
        if bare and not (awaits and len(_VERDICT_OF_RUN.findall(bare["run"])) == 1):
            for each in _VERDICT_OF_RUN.finditer(bare["run"]):
                self._run.append(None if each[2] in "HP" or "P" in each[1] else (each[2] in "BEb") != ("N" in each[1]))
            self._run_lines.append(tokens)
        else:
            self.close_run()
            self.read_line(tokens)

    def _awaits_verdict(self) -> bool:
        """Whether the label before has no verdict yet."""
        return bool(self._label) and self._label not in self._answered

    def close_run(self) -> None:
        """End a list of verdicts without numbers; one verdict that is no list is read as a sentence."""
        run, lines, self._run, self._run_lines = self._run, self._run_lines, [], []
        if len(run) == 1 and self._n_steps > 1:
            self.read_line(lines[0])
        elif run:
            self._is_labelled, self.is_worded = False, True
            self._epoch += any(token.code == "M" for token in lines[0])
            for step, erroneous in enumerate(run, 1):
                self._state((step,), erroneous)
            self._label = self._topic = (len(run),)

    def read_line(self, tokens: list[CriticToken]) -> None:
        """Read the tokens of one line."""
        if question := _QUESTION.match("".join(token.code for token in tokens)):
            self._label, self._question = (), (question["core"] != "G") != ("N" in question.group())
            tokens = tokens[question.end() :]
        tokens = mark_items(tokens)
        heading = _BARE_HEADING.fullmatch("".join(token.code for token in tokens))
        if (
            heading
            and not ("N" in heading["negated"] and heading["core"] in "EB" and ":" not in heading["of"])
            and not self._awaits_verdict()
        ):
            self._group = (heading["core"] in "BEb") != ("N" in heading["negated"])
            if self._group and heading["of"]:
                self._state((), False, scope="rest")
            return
        start = next((n for n, token in enumerate(tokens) if token.code not in "()-|:,gb"), len(tokens))
        leads = self._leads = start < len(tokens) and tokens[start].code in "SL"
        if leads:
            self._label = self._topic = tokens[start].steps
            self._is_labelled = tokens[start].code == "L" or _is_item(tokens, start)
        else:
            self._is_labelled = self._is_labelled and bool(self._label)
        self._read_question(tokens)
        flag = _FLAG_AT_END.search("".join(token.code for token in tokens)) if leads else None
        if flag and tokens[flag.start("flag")].text in {"true", "false"}:
            self.flags += [(step, flag["flag"] == "t") for step in self._label]
        before, group, self._paragraph = len(self.statements), self._group, ()
        sentences = list(cut_sentences(tokens))
        if leads and (alone := _find_lone_verdict(sentences)) is not None:
            self.is_worded = True
            self._state(self._label, alone)
            self._topic = self._label
            sentences = []
        for sentence in sentences:
            self.read_sentence(sentence, at_start=leads)
        if group is not None and self._group == group:
            self._read_group(tokens, leads=leads, is_said=len(self.statements) > before)

    def _read_group(self, tokens: list[CriticToken], *, leads: bool, is_said: bool) -> None:
        """Take a line below "Incorrect steps:" as one of the steps that it heads."""
        bare = [token for token in tokens if token.code not in "-,.&()|"]
        steps = [step for token in bare if token.code in "SLm" for step in token.steps]
        self.is_worded = True
        numbers_only = all(token.code in "SLm" for token in bare)
        if bare and not is_said and (_lead_step(bare) or numbers_only):
            self._state(tuple(steps) if numbers_only else bare[0].steps, self._group)
        elif not is_said and bare and bare[0].code == "L":
            self._state((), None)
            self._group = None
        elif bare and not leads:
            self._group = None

    def _read_question(self, tokens: list[CriticToken]) -> None:
        """Note what yes means in the lines below a question or the head of a table."""
        codes = "".join(token.code for token in tokens)
        cores = re.findall("N?[GBEae]", codes)
        codes = codes.replace("yA", "") if "f" in codes else codes  # "逐步判断每一步是否正确".
        if not re.search("[SLm]", codes) and len(cores) == 1 and _ASKS.search(codes):
            self._question = (cores[0][-1] in "BEe") != ("N" in cores[0])
        elif not codes.strip("|-:") or re.match("[(|:-]*[SL]", codes):
            return
        else:
            self._question = None


def _find_lone_verdict(sentences: list[Sentence]) -> bool | None:
    """Return what a sentence of nothing but a verdict says of the step that its line begins with.

    "Step 4: They disagree about the time. Correct." What the step claims may be worded as a verdict; nothing else in
    the line may ask, doubt or take back, or judge the step outright.
    """
    others = sentences[1:]
    if not others or _JUDGES_OUTRIGHT.match(sentences[0].codes) or sentences[0].end == "?":
        return None
    lone = [match for each in others if (match := _LONE_VERDICT.fullmatch(each.codes))]
    said = {(match["core"] in "BEb") != (match["denied"] == "N") for match in lone}
    rest = [each for each in sentences if not _LONE_VERDICT.fullmatch(each.codes)]
    if len(said) != 1 or any(_UNSETTLED.search(each.codes) or each.end == "?" for each in rest):
        return None
    return None if any(each.codes[:1] in "SL" for each in others) else said.pop()


def _lead_step(tokens: list[CriticToken]) -> bool:
    """Whether a line begins with a step."""
    return bool(tokens) and tokens[0].code == "S"


def _is_item(tokens: list[CriticToken], start: int) -> bool:
    """Whether a step at the start of a line is a label: a sign or a verdict follows, not a sentence about it."""
    return (
        tokens[start + 1 : start + 2] == []
        or tokens[start + 1].code in ":-(|gb.)"
        or tokens[start].text.startswith("s1")
    )


def read_critique(tokens: list[CriticToken], n_steps: int) -> Critique:
    """Read a text of a critic."""
    critique = Critique(n_steps)
    start = 0
    for n, token in enumerate(tokens):
        if token.code == "\n":
            critique.add_line(tokens[start:n])
            start = n + 1
    critique.add_line(tokens[start:])
    critique.close_run()
    return critique
