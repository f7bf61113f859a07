"""Codes of a sentence: words whose part depends on their neighbours, concessions and first impressions taken out."""

import re
from typing import NamedTuple

from evaluation.extraction.critic.critic_tokens import CriticToken

CORE = "GBEgbae"
# "与音频内容一致": what is compared stands between the step and its verdict.
_COMPARED = re.compile(r"(?P<drop>F[wIyTs]{1,8}?)[NVd]*(?P<core>[GB])")
# "The only step that is wrong".
_ONLY_ONE_THAT = re.compile(r"O(?P<drop>[sc]?(?:[CI]V*|F)|[sc]w{0,3})(?=[NHPW]*[GBE])")
# "It's step 1 that is wrong".
_WHAT_IT_SAYS = re.compile("(?:^|[.,;:U&])w[SL](?P<drop>C)(?=V*[NHPW]*[GB]|V+N?(?:$|[.,;)&]))")
_IT_IS_THAT = re.compile("(?:^|[,:])IV?S(?P<drop>[CI])(?=V+[NHPW]*[GBE])")
# "I'd mark 1 and 2 as correct and 3 as incorrect".
_MARKED_AS = re.compile("m(?=Q[NHPWVd]*[GBE])")
# "Errors are present in steps 1 and 3".
_PRESENT = re.compile("(?<=E)G|(?<=EV)G|(?<=EVV)G")
_EXISTING = {"present", "real"}
# "Wrong, it should be a man", "不对，应该是男声".
_CORRECTED = re.compile("(?<=[BE],)H(?=V*[wV])|(?<=[BE],I)H(?=V*[wV])")
_SHOULD_BE = {"应该", "应当", "should be"}
# "Step 3 (step 1 is wrong): unsupported".
_CLAIM_IN_BRACKETS = re.compile(r"(?<=[SL])\([^()]{2,}\)(?=[:-]+[NVdW]*[GBEgb]$)")
# "后三步全部错误", "其余 steps 全部正确".
_ALL_OF_THEM = re.compile("(?:(?<=[SR])|(?<=Rs))A(?=[VN]*[GBE])")
_ALIKE_IN_CHINESE = {"全部", "所有", "一切"}
# "What is heard at 9 s is a brake", "能听到的是刹车声": what there is, not what agrees with it.
_FREE_RELATIVE = re.compile("(?:^|(?<=[,;:U&K(-]))G(?=[VGB]|(?:m:m|[^,;:.(VGBE]){1,12}[VGB])")
# "Only one voice can be heard": a reason, no verdict on a step.
_ONLY_HEARD = re.compile("^OV?(?P<core>G)")
_HEARD = {"audible", "heard", "present", "can be heard", "is to be heard"}
# "0 errors".
_ZERO = re.compile("m(?=w?[BE])")
# "Imprecise, but not erroneous".
_BUT_NOT = re.compile(f"X(?=[WPa]?[{CORE}H])")
# "It relies on the wrong step 3".
_WRONG_BASIS = re.compile("(?<=C)[BE](?=S)")
# "Neither right nor wrong"; "although step 2 sounds plausible, it is wrong".
_NEITHER = re.compile("NG[,&]?NB|N[BE][,&]?NG")
_CONCESSION = re.compile("U[SI]V*[NWP]?(?P<core>[GB])[^SLGBE]*,U?I")
# "At first I thought that step 2 was wrong, but …"; "it is not true that step 2 is wrong".
_AT_FIRST = re.compile("i(?![sV]*[EBs])[^U]*(?=,?U)")
_NOT_TRUE_THAT = re.compile("NtC?S[VN]*[GB]")
# "Step 4 looked suspicious, but it isn't wrong".
_IMPRESSIONS = {"looked", "sounded", "seemed", "appeared"}
# "The errors start in step 3"; "it starts to go wrong at step 3".
_STARTS = {"introduced", "start", "starts", "begin", "begins", "began", "started", "starting", "beginning", "开始"}
_START = re.compile("(?<=[EB])w(?=nS)|(?<=EV)w(?=nS)|w(?=F?w?[BE]w{0,2}n?S)")
# "Step 2 could be called imprecise, but it isn't wrong".
_SETTLED = re.compile("[^GBE]*H[^GBEU]*(?=U(?:I?V*N?[GBE]))")
_SEEMS = {"looks", "sounds", "seems", "appears", "look", "sound", "seem", "appear"}
_MIGHT = {"may", "might", "could"}
_AT_FIRST_SIGHT = {"at first", "at first glance", "at first sight", "on first listen", "initially", "on first hearing"}
# "It confuses the first and the second tone".
_OF_SOUND = re.compile("i(?:[&,/]|w(?![EBns]))")
_PLACES = {"place", "point", "thing", "time", "part", "sign", "spot"}
_BEFORE_NOW = {
    "at first", "initially", "originally", "first", "一开始", "起初", "最初", "原先", "原本", "本来", "先前", "起先",
}  # fmt: skip
_THOUGHT = {
    "thought", "believed", "assumed", "felt", "considered", "suspected", "wanted", "marked", "judged", "believe",
    "think", "marked as", "flagged", "flagged as", "认为", "以为", "觉得",
}  # fmt: skip
_COMPARISONS = {"一致", "相符", "不符", "吻合", "不吻合", "矛盾", "符合", "匹配"}


class Sentence(NamedTuple):
    """The tokens of a sentence, their codes in one string, and the sign that ends it."""

    codes: str
    tokens: list[CriticToken]
    end: str

    def steps_at(self, start: int, end: int) -> tuple[int, ...]:
        """The steps that the tokens from `start` to `end` name."""
        return tuple(step for token in self.tokens[start:end] for step in token.steps)


def _code_of_relative(tokens: list[CriticToken], match: re.Match[str]) -> str:
    text, follower = tokens[match.start()].text, tokens[match.start() + 1]
    return "w" if text.startswith("what") or (text.endswith("听到") and follower.text == "是") else "G"


def _drop_either(tokens: list[CriticToken]) -> list[CriticToken]:
    """Leave out the "either" that ends a negation, "step 4 is not wrong either": it opens no alternative."""
    enders = [*(token.code for token in tokens[1:]), "."]
    return [
        token
        for token, follower in zip(tokens, enders, strict=True)
        if token.text != "either" or follower not in ".,;:U)(-"
    ]


def _recalls(tokens: list[CriticToken]) -> bool:
    """Whether a sentence tells what was thought before: "I initially believed that all steps were correct"."""
    texts = {token.text for token in tokens}
    return not texts.isdisjoint(_BEFORE_NOW) and not texts.isdisjoint(_THOUGHT)


def _find_impression(tokens: list[CriticToken]) -> int | None:
    """The place of what tells of a first impression: "looked", "seems … at first glance"."""
    for n, token in enumerate(tokens[:-1]):
        if token.text in _MIGHT and tokens[n + 1].text in _SEEMS:
            return n
    firsts = _IMPRESSIONS | _SEEMS if any(token.text in _AT_FIRST_SIGHT for token in tokens) else _IMPRESSIONS
    return next((n for n, token in enumerate(tokens) if token.text in firsts), None)


def make_sentence(tokens: list[CriticToken], end: str) -> Sentence:
    """Return the tokens of a sentence with the codes that their words have in it."""
    tokens = _drop_either(tokens) if any(token.code == "H" and token.text == "either" for token in tokens) else tokens
    codes = "".join(token.code for token in tokens)
    for pattern in (_COMPARED, _ONLY_ONE_THAT, _IT_IS_THAT, _WHAT_IT_SAYS):
        for match in reversed(list(pattern.finditer(codes))):
            if pattern is not _COMPARED or tokens[match.end("core") - 1].text in _COMPARISONS:
                tokens = tokens[: match.start("drop")] + tokens[match.end("drop") :]
                codes = codes[: match.start("drop")] + codes[match.end("drop") :]
    if "m" in codes:
        codes = _MARKED_AS.sub(lambda match: "S" if tokens[match.end()].text == "as" else "m", codes)
        codes = _ZERO.sub(lambda match: "N" if tokens[match.start()].steps == (0,) else "m", codes)
    if "H" in codes:
        codes = _CORRECTED.sub(lambda match: "V" if tokens[match.start()].text in _SHOULD_BE else "H", codes)
    if "G" in codes:
        codes = _FREE_RELATIVE.sub(lambda match: _code_of_relative(tokens, match), codes)
        heard = _ONLY_HEARD.match(codes)
        if heard and tokens[heard.start("core")].text in _HEARD:
            codes = codes[: heard.start("core")] + "w" + codes[heard.end("core") :]
    if "E" in codes and "G" in codes:
        codes = _PRESENT.sub(lambda match: "V" if tokens[match.start()].text in _EXISTING else "G", codes)
    if "SA" in codes or "RA" in codes or "RsA" in codes:
        codes = _ALL_OF_THEM.sub(lambda match: "d" if tokens[match.start()].text in _ALIKE_IN_CHINESE else "A", codes)
    if "):" in codes or ")-" in codes:
        codes = _CLAIM_IN_BRACKETS.sub(lambda match: f"({'w' * (len(match.group()) - 2)})", codes)
    if "X" in codes:
        codes = _BUT_NOT.sub(lambda match: "N" if tokens[match.start()].text == "but not" else "X", codes)
    codes = _WRONG_BASIS.sub("w", codes) if "C" in codes else codes
    codes = _NEITHER.sub(lambda match: "H" + "w" * (len(match.group()) - 1), codes)
    if concession := _CONCESSION.match(codes):
        codes = f"{codes[: concession.start('core')]}w{codes[concession.end('core') :]}"
    for pattern in (_AT_FIRST, _NOT_TRUE_THAT):
        if taken_back := pattern.search(codes):
            held = re.sub(f"[{CORE}]", "w", taken_back.group())
            codes = f"{codes[: taken_back.start()]}{held}{codes[taken_back.end() :]}"
    if "i" in codes and _recalls(tokens):
        past, joint, rest = codes.partition("U")
        codes = re.sub(f"[{CORE}]", "w", past) + joint + rest
    if (but := codes.find("U")) > 0 and (start := _find_impression(tokens)) is not None:
        codes = codes[:start] + re.sub(f"[{CORE}H]", "w", codes[start:but]) + codes[max(start, but) :]
    if "H" in codes and (settled := _SETTLED.match(codes)):
        codes = settled.group().replace("H", "w") + codes[settled.end() :]
    if ("E" in codes or "B" in codes) and any(token.text in _STARTS for token in tokens):
        codes = _START.sub(lambda match: "i" if tokens[match.start()].text in _STARTS else "w", codes)
    for n, token in enumerate(tokens if "i" in codes else ()):
        if token.text in _AT_FIRST_SIGHT or (
            token.text == "first" and _OF_SOUND.match(codes, n) and tokens[n + 1].text not in _PLACES
        ):
            codes = f"{codes[:n]}w{codes[n + 1 :]}"
    # "No other error" speaks of the rest.
    return Sentence(re.sub(r"NR(?=E)", "Nr", codes).replace("Nr", "wr"), tokens, end)
