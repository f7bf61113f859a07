"""Cutting what a critic wrote into tokens with one-letter codes, so that sentences can be matched by their codes.

Codes of subjects: S a step or several, m a bare number or several, L the number of a list item, A all steps, Z none of
them, R the others, T the trace as a whole, p some of them, I what refers back ("it", "the claim"), s the noun "step".
Codes of verdicts: G good, B bad, E a noun of error, g and b the signs ✓ and ✗, a and e their adverbs, N a negation, H
what leaves it open, P partly, W wholly, V a copula or light verb, t and u yes and no, z none.
Others: O only, X except, x after an exception, C a verb that carries a claim, K so, Q because, f if, F and n
prepositions, M a revision or a final answer, j "neither is", i first, c a count, d all or both as an adverb, y the name
of a judgement, U but, & and, / or, J a bracketed part, w any other word. In the list of words, q stands for the steps
after the one named last; its tokens are read as S. An o names the step that ends a statement: "until step 3".
"""

import re
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from evaluation.extraction.critic.numbers import (
    CHINESE_NUMBERS,
    DIGITS,
    NUMBER,
    ORDINAL,
    SPELLED,
    list_numbers,
)
from evaluation.extraction.critic.restatements import restate
from evaluation.extraction.critic.subjects import read_subject
from evaluation.extraction.critic.wording import state_plainly
from evaluation.extraction.language.symbols import CROSSES, ORDINALS, TICKS
from evaluation.extraction.language.tokens import write_trie

_FILLER = "D"
GOOD_SIGNS, BAD_SIGNS = f"{TICKS}🟢🟩👍⭕", f"{CROSSES}🔴🟥👎🚫"
JSON_MARK = "\ue000"
"""Stands in a text where a bracketed part was taken out."""


class CriticToken(NamedTuple):
    """One token: its code, the numbers of steps that it names (below zero from the end), its text."""

    code: str
    steps: tuple[int, ...]
    text: str


def _load() -> dict[str, str]:
    """Return phrase → code; the first code of a phrase counts."""
    codes: dict[str, str] = {}
    for line in Path(__file__).with_name("words.txt").read_text(encoding="utf-8").splitlines():
        code, colon, phrases = line.partition(": ")
        if len(code) == 1 and colon:
            for phrase in phrases.split(" | "):
                codes.setdefault(phrase.strip(), code)
    return codes


_CODES = _load()
_ENGLISH = sorted(phrase for phrase in _CODES if phrase.isascii() and phrase[0].isalpha())
_CHINESE = sorted(phrase for phrase in _CODES if not phrase.isascii())
# No two ways to match one blank: a long list would be tried in exponentially many ways.
_AND = r"(?: ?,)? ?(?:and|&|plus|as well as) "
_AFTER_LIST = (
    r"(?= ?(?:$|[\n,&.:;)\]|\-、，]"
    r"|(?:and|is|are|were|was|both|all|have|has|contain|hold|only|do|does|fail|look|seem)\b))"
)
_JOIN_TO = r"(?: ?(?:to|through|thru|until|up to|~) ?| ?- ?)"
_STEP = r"(?:steps? ?#?|#)?"
# "The error is in step 4, and step 5 inherits it": step 5 has a verb of its own.
_OWN_VERB = r"(?! (?:is|was|has|does|isn't|wasn't|hasn't|doesn't|(?!al|th|pl|step|perh)[a-z]{2,11}[a-rt-z]s)(?![a-z']))"
_LIST = (
    rf"{NUMBER}(?: ?/ ?[0-9]{{1,3}}| of (?:[0-9]{{1,3}}))?"
    rf"(?:(?:{_AND}|{_JOIN_TO})"
    rf"(?:#?{NUMBER}(?![a-z0-9%])(?! (?:in|at|of) )|steps? ?#?{NUMBER}(?![a-z0-9%]){_OWN_VERB})(?!\.[0-9])"
    rf"| ?[,、] ?{_STEP}{NUMBER}{_AFTER_LIST}){{0,40}}"
)
_ZNUM = rf"(?:{DIGITS}|[{CHINESE_NUMBERS}两]{{1,3}})"
_ZJOIN = r" ?(?:、|和|及|与|以及|到|至|-|~|&|,(?= ?(?:第|步骤)))+ ?"
# A word that opens none of the forms below is taken at once; most words of a critic are of that kind.
_OPENERS = sorted(
    {match.group() for phrase in _ENGLISH if (match := re.match("[a-z]+", phrase))}
    | {*ORDINALS, "step", "steps", "this", "that", "reasoning", "all", "every", "each", "both", "any", "of", "the"}
    | {"other", "remaining", "rest", "would", "do", "don", "did", "didn", "could", "couldn", "can", "should", "shouldn"}
    | {
        "wouldn",
        "none",
        "not",
        "neither",
        "no",
        "these",
        "last",
        "final",
        "penultimate",
        "right",
        "up",
        "until",
        "till",
    }
    | {
        "on",
        "upon",
        "after",
        "even",
        "odd",
        "middle",
        "everything",
        "those",
        "anything",
        "through",
        "from",
        "what",
        "s",
    }
)
_ALTERNATIVES = rf"""(?P<plain>(?<![a-z0-9])(?!{write_trie(_OPENERS)}(?![a-z]))[a-z]+(?:['-][a-z]+)*(?![0-9]))
    |(?P<step>(?<![a-z])(?:(?:this|that|the)\ )?(?:reasoning\ )?steps?\ ?
        (?:[_\#-]|no\.?\ |numbers?\ )?\ ?{_LIST}(?:'s)?(?![a-z0-9]))
    |(?P<s_number>(?<![a-z0-9])s[0-9]{{1,3}}(?![a-z0-9]))
    |(?P<rest>(?<![a-z])(?:(?:all|every|each|both|any)\ )?(?:of\ )?(?:the\ )?(?:other|remaining|rest\ of\ the)
        \ (?:(?:{SPELLED}|[0-9])\ )?(?:steps?|ones?|reasoning|trace|chain|items)
        (?:\ +claims(?=\ (?:are|hold)))?(?![a-z])
        |(?<![a-z])(?:all\ )?(?:the\ )?(?:other|remaining)\ (?:{SPELLED}|[2-9])
        (?=\ (?:are|is|were|hold|do|don't|all|both|seem|can|have|check)(?![a-z])|\ ?[.,:;]))
    |(?P<chinese_rest>(?:其余|其他|其它|剩下|剩余|余下|另外|另)的?\ ?{_ZNUM}\ ?个?(?:推理)?
        (?:步骤|步(?!声|伐|行|骤)))
    |(?P<none_called>(?<![a-z])(?:would|do|did|could|can|should)(?:n't|\ not)\ (?:mark|label|flag|call|consider|classify
        |judge|deem|regard|rate|find|think|believe|say)(?:\ that)?\ (?:any|a\ single|even\ one)
        (?:\ of)?(?:\ the|\ these|\ those)?(?:\ (?:individual|single|reasoning|{SPELLED}|[0-9]))?
        \ (?:steps?|them)(?![a-z0-9]))
    |(?P<none>(?<![a-z])(?:none|not\ one|not\ a\ single\ one|neither|no)(?:\ of)?(?:\ the|\ these|\ those)?
        (?:\ (?:{SPELLED}|[0-9]|reasoning|single))?\ steps?(?![a-z])(?!\ [0-9]))
    |(?P<all>(?<![a-z])(?:all|each|every|both)(?:\ of)?(?:\ the|\ these|\ those)?
        (?:\ (?:its|their|(?:model|trace|author)'s))?
        (?:\ (?:{SPELLED}|[0-9]{{1,2}}|single|individual|reasoning|listed|above)){{0,4}}\ (?:steps?|of\ them
        |inferences?|claims?|statements?)(?:\ (?:listed\ |given\ |described\ |shown\ )?(?:above|below|here))?(?![a-z])
        (?!\ \#?[0-9])(?!\ (?:after|behind|from)\ (?:it|that|this|there)(?![a-z]))
        |(?:every|each|any)\ (?:single\ )?one\ of\ (?:the|these|its|those)\ (?:reasoning\ )?steps(?![a-z])
        |(?:the|these)\ (?:{SPELLED}|[0-9]{{1,2}})\ steps(?=\ (?:are|is|all|hold))
        |(?<![a-z])all\ (?:{SPELLED}|[0-9]{{1,2}})(?=\ (?:are|hold)))
    |(?P<several>(?<![a-z])(?:the\ )?(?P<side>first|last|final)\ (?P<count>{SPELLED}|[2-9])(?![a-z0-9])
        (?:\ steps|\ ones)?(?:'s)?)
    |(?P<until>(?<![a-z])(?:right\ )?(?:up\ )?(?:until|till)
        \ (?:(?:we|you|it)\ (?:gets?\ to|comes?\ to|reach(?:es)?)\ )?
        (?:step\ \#?(?P<edge3>{NUMBER})|the\ (?P<edge4>{ORDINAL})(?:\ step|(?=\ ?[,.;:\n]|\Z)))(?![a-z0-9])
        |直到(?:(?:第|步骤)\ ?(?P<zedge3>{_ZNUM})\ ?步?|最后一步)(?=才)
        |从?(?:第|步骤)\ ?(?P<zedge4>{_ZNUM})\ ?步?
        (?:开始就?|起就?|才)(?=出现|出错|有误|存在|产生|有错|有问题|偏离|犯错))
    |(?P<revision>(?<![a-z])(?:on|upon|after)\ (?:a\ |an\ |my\ |some\ )?(?:second|third|closer|another|further|careful
        |repeated|re-?)\ ?(?:listen(?:ing)?|hearing|look|pass|review|inspection|check|thoughts?
        |reflection|examination)(?![a-z]))
    |(?P<behind>(?<![a-z])after\ step\ \#?(?P<edge5>{NUMBER}),?(?=\ (?:nothing|everything|all|none|no\ step
        |the\ reasoning|the\ trace)(?![a-z])))
    |(?P<parity>(?<![a-z])(?:the\ |all\ )?(?:even|odd)(?:(?:-|\ )numbered\ (?:steps|ones)|\ steps)(?![a-z]))
    |(?P<middle>(?<![a-z])(?:the\ )?middle\ (?:(?P<mcount>two|three|four|five|six|[2-6])\ )?(?:steps?|ones?)(?![a-z])
        |中间(?:的)?(?P<zmcount>[一两二三四])?个?(?:步骤|步))
    |(?P<span>(?<![a-z])(?:(?:everything|all|(?:all\ )?(?:of\ )?(?:the\ )?steps|all\ those|anything)\ )?
        (?:(?P<upto>up\ to(?:\ and\ including)?|through)|(?P<since>from))\ (?:step\ |the\ )
        (?P<edge>{NUMBER}|{ORDINAL})(?:\ step)?
        (?(since)\ (?:on(?:wards?)?|forward)(?![a-z]))
        |(?:everything|all|(?:all\ )?(?:of\ )?(?:the\ )?steps|those|what\ comes)\ (?P<side2>before
        |preceding|prior\ to|after|following)
        \ (?:step\ |the\ )(?P<edge2>{NUMBER}|{ORDINAL})(?:\ step)?(?![a-z0-9]))
    |(?P<ordinal>(?<![a-z])(?:(?:the|its)\ )?{ORDINAL}(?:(?:{_AND}|,\ )(?:the\ )?{ORDINAL}){{0,9}}\ (?:reasoning\ )?
        (?:steps?|ones?|of\ the\ (?:{SPELLED}|[0-9]{{1,2}})\ (?:reasoning\ )?steps)(?![a-z])(?:'s)?
        |(?<![a-z0-9])(?:{"|".join(ORDINALS)}|[0-9]{{1,2}}(?:st|nd|rd|th))(?=:)
        |(?:(?<=\n)|(?<=[.;,]\ )|(?<=,\ and\ )|(?<=,\ but\ )|(?<=,\ while\ )|\A)the\ {ORDINAL}
        (?=(?:,\ which|\ (?:also|then|correctly|wrongly|incorrectly|rightly))?
        \ (?:says?|claims?|states?|notes?|tells|mentions?|describes?|asserts?|concludes?|infers?|argues?|reports?
        |(?!ha|is|was)[a-z]{3, 12}s\ (?:the|an?|that|his|her|its|it|he|she|no|two|how|both)
        |identifies|places|counts|hears|draws|gets|calls|adds|treats|assumes|attributes)(?![a-z]))
        |(?<![a-z])the\ {ORDINAL}(?:(?:{_AND}|,\ )(?:the\ )?{ORDINAL}){{0,9}}
        (?=\ (?:is|was|are|contains?|has|does|holds|isn't|doesn't|fails|looks|seems|remains|invents|fabricates
        |hallucinates|inherits|repeats|relies|builds|follows|depends|goes|contradicts|survives|withstands|misidentifies|misstates|mistakes|confuses|overstates|errs)(?![a-z])
        |\ ?(?:[,.;:)\n]|$)))
    |(?P<chinese_span>(?:从)?(?:第|步骤)\ ?(?P<zedge>{_ZNUM})\ ?步?
        (?P<zside2>之前|以前|之后|以后|开始|起)(?:的)?(?:各|所有|全部|几)?(?:步骤|步)?)
    |(?P<chinese_step>第\ ?{_ZNUM}(?:\ ?步骤?)?(?:{_ZJOIN}(?:(?:第|步骤)\ ?)?{_ZNUM}
        (?:\ ?步骤?)?){{0,40}}(?:\ ?(?:个步骤|步骤|步))?
        |步骤\ ?[\#_]?{_ZNUM}(?:{_ZJOIN}(?:(?:第|步骤)\ ?)?{_ZNUM}(?!个|次|秒|声|人)){{0,40}})
    |(?P<chinese_side>(?P<zside>前面?|头|最后|后面?|末)(?:的)?\ ?
        (?P<zcount>{_ZNUM})\ ?个?(?:推理)?步骤?|最后一?个?步骤?(?!答))
    |(?P<chinese_all>(?!这一步|一步|1步)(?:全部|所有|这|以上|上述|整个)?(?:的)?
        (?P<zall>{_ZNUM})\ ?个?(?:推理)?(?:步骤|步(?!声|伐|行|骤)))
    |(?P<phrase>{write_trie(_ENGLISH)}(?![a-z0-9]))
    |(?P<heading>(?:(?<=[\n。;])|\A)\(?[{CHINESE_NUMBERS}]{{1,3}}(?=[)、.:,]))
    |(?P<number>\#?(?<![a-z0-9.]){DIGITS}(?:
        (?:{_AND}|{_JOIN_TO}|\ ?[,、和及与到至]\ ?){DIGITS}){{0,40}}
        (?![a-z0-9%]|\.[0-9]|\ ?[个次声秒人点分年岁只号种段]))
    |(?P<word>[a-z]+(?:['-][a-z]+)*|[0-9]+(?:[.:][0-9]+)*[a-z%]*)
    |(?P<zh>{write_trie(_CHINESE)})
    |(?P<mark>->|\[\ \]|\[\]|[\n,、.。!?;:=()\[\]|/&>{GOOD_SIGNS}{BAD_SIGNS}⚠-])
    |(?P<other>[^\W_]|[\ue000])"""
_MARKS = {
    "、": ",", "。": ".", "!": ".", "=": ":", "[": "(", "]": ")", "->": ":", ">": ":", "[]": "z", "[ ]": "z", "⚠": "H",
    **dict.fromkeys(GOOD_SIGNS, "g"), **dict.fromkeys(BAD_SIGNS, "b"),
}  # fmt: skip
_MARKUP = re.compile(r"[*`_\"]|~~|(?<![a-z0-9])'|'(?![a-z])|^ *(?:#{1,6} |> )", re.MULTILINE)
_BLANKS = re.compile("  +")
_QUOTED = re.compile(r"[\"]([^\"\n]{1,200})[\"](?P<ends>(?= ?[A-Z]| ?\n))?")
# "Doesn't" is a verb and a negation.
_DOES = CriticToken("V", (), "does")
_END = CriticToken("\n", (), "")
_ZERO_BASE = re.compile(
    r"(?<!not )[(]?(?<![a-z0-9.])(?:(?:0|zero)[- ](?:based|indexed)(?: (?:index(?:ing)?|numbering|counting|indices))?"
    r"|(?:count|index|number)(?:ed|ing|s)? (?:starts? |starting )?(?:from|at) (?:0|zero)"
    r"|(?:starting|starts?) (?:from|at|with) (?:step )?(?:0|zero)|从 ?[0零] ?(?:开始|起)(?:计数|编号|数|算)?)"
    "(?! (?:by mistake|in error|by accident|mistakenly|wrongly|earlier|before))(?![a-z0-9.])[)]?[,:]?",
    re.IGNORECASE,
)
# "All steps of the trace".
_OF_WHOLE = re.compile("(?<=[SAZRTs])[Fn]T(?!s)")
_WHOLES = ("chain", "trace", "reasoning", "argument", "response", "solution", "推理")
_COUNTS = ("based", "ndex", "ount", "umber", "tart", "开始", "起", "BASED", "NDEX")
_COUNTED = re.compile("[0-9](?!st|nd|rd|th)")
# "Misidentifies", "misattributed"; the name that is mispronounced was heard so.
_MISTAKES = re.compile("mis(?!pron|spel|sing|se[sd])[a-z]{4,}(?:s|ed)")
_ALIKE = CriticToken("K", (), "too")
_TOO = re.compile(r" (?:too|as well|likewise)(?= ?(?:[,.;\n]|\Z|because|since|and))")
_EARLIER = {
    "the earlier steps", "the previous steps", "the preceding steps", "all earlier steps", "all previous steps",
    "all preceding steps", "the steps before it", "the steps before that", "everything before it",
    "everything before that", "what comes before", "what precedes it", "all that precedes it", "up to that point",
    "up to there", "until then", "before that", "前面的步骤", "前面各步", "前面几步", "之前的步骤",
    "此前的步骤", "此前各步", "前面步骤", "在此之前的步骤", "在此之前",
}  # fmt: skip
_LAST_NAMED = re.compile("[SLo][SLo&,]*(?=[^SLo]*$)")
_LONE = {"对", "错"}


@lru_cache(maxsize=1)
def _compile_alternatives() -> re.Pattern[str]:
    """Compile at the first critic's text: most processes read none, and this takes a tenth of a second."""
    alternatives = re.sub(r"\n\s+", "", _ALTERNATIVES)
    return re.compile(f" *+(?:{alternatives})")  # Blanks are passed over without trying anything at them.


def _unquote(match: re.Match[str]) -> str:
    """A quotation without its quotes if it is a verdict, else one word: what is quoted judges nothing."""
    inside = match[1].strip()
    verdict = _CODES.get(inside.lower(), "w") in "GBEgbtuNH"
    if verdict or re.fullmatch(r"[\W\d_]*", inside):
        return f" {inside} "
    return " x. " if match["ends"] is not None and inside[-1] in ".!?" else " x "


def _lone_word(text: str, match: re.Match[str]) -> bool:
    """Whether 对 or 错 is part of a longer word that no list has: a Chinese character follows that ends no sentence."""
    follower = text[match.end() : match.end() + 1]
    return match["zh"] in _LONE and "\u4e00" <= follower <= "\u9fff" and follower not in "的了吗第步而但其"


def _read_token(text: str, match: re.Match[str], n_steps: int) -> CriticToken | None:
    kind = match.lastgroup or 0
    whole = match[kind]
    steps: tuple[int, ...] = ()
    if kind == "phrase" or kind == "zh":
        code = "w" if kind == "zh" and _lone_word(text, match) else _CODES[whole]
    elif whole == JSON_MARK:
        code = "J"
    elif kind in {"plain", "word", "other"}:
        code = "B" if _MISTAKES.fullmatch(whole) else "w"
    elif kind == "mark":
        code = _MARKS.get(whole, whole)
    else:
        code, steps = read_subject(match, n_steps)
        code = "w" if code == "m" and len(set(steps)) < len(steps) else code  # "0, 1, 1": values, no steps.
    return None if code == _FILLER else CriticToken(code, steps, whole)


def tokenize_critic(text: str, n_steps: int) -> list[CriticToken]:
    """Cut a laid-out text into tokens; words that add nothing are left out."""
    text = (_QUOTED.sub(_unquote, text) if '"' in text else text).lower()
    shift = declares_zero_base(text)
    if shift:
        text = drop_zero_base(text)
    if "(s)" in text:
        text = text.replace("(s)", "s")
    text = text.replace("they're", "they are")
    text = state_plainly(restate(_BLANKS.sub(" ", _MARKUP.sub(" ", text))), _opens_judgement)
    tokens: list[CriticToken] = []
    earlier: list[int] = []
    for match in _compile_alternatives().finditer(text):
        token = _read_token(text, match, n_steps)
        if token is not None and "," in token.text and (lists := _part_lists(token)):
            tokens += lists[:-1]
            token = lists[-1]
        if token is not None and token.code == "q" and token.text in _EARLIER:
            earlier.append(len(tokens))
        elif token is not None and token.code == "q":
            named = next((each.steps for each in reversed(tokens) if each.code in "SLmo"), ())
            token = CriticToken("S", tuple(range(named[-1] + 1, n_steps + 1)), token.text) if named else None
        if token is not None:
            if token.code == "S" and _TOO.match(text, match.end()):
                tokens.append(_ALIKE)  # "Step 3 too".
            tokens += [_DOES, token] if token.code == "N" and token.text.endswith("n't") else [token]
    for place in earlier:
        tokens[place] = _name_earlier(tokens, place, n_steps)
    if shift:
        tokens = [_count_from_one(token) for token in tokens]
    if "⚠" in text:
        tokens = [
            token for token, follower in pairwise([*tokens, _END]) if token.text != "⚠" or follower.code not in "GBE"
        ]
    tokens = _drop_whole(tokens) if any(word in text for word in _WHOLES) else tokens
    return _point_back(tokens) if "that" in text else tokens


def _part_lists(token: CriticToken) -> list[CriticToken]:
    """Part two lists of steps that a comma joins, "第2步和第4步，第1步没有错误": the numbers of one list ascend."""
    parts = token.text.split(",")
    numbers = [list_numbers(part) for part in parts]
    falls = (n for n in range(1, len(parts)) if numbers[n - 1] and numbers[n] and numbers[n][0] < numbers[n - 1][-1])
    cut = next(falls, 0)
    if cut == 0 or token.code != "S" or parts[cut - 1].strip().endswith("and"):
        return []
    lists = [",".join(parts[:cut]), ",".join(parts[cut:])]
    first, second = (token._replace(steps=list_numbers(part), text=part) for part in lists)
    return [first, CriticToken(",", (), ","), second]


def _name_earlier(tokens: list[CriticToken], place: int, n_steps: int) -> CriticToken:
    """Give "the earlier steps" the numbers of those before the step named last, or next where none is named before."""
    codes = "".join(each.code for each in tokens)
    before = _LAST_NAMED.search(codes, 0, place)
    at = before.start() if before else codes.find("S", place)
    named = tokens[at].steps[0] if at >= 0 and tokens[at].steps else 0
    named = n_steps + 1 + named if named < 0 else named
    return tokens[place]._replace(code="S" if named > 1 else "w", steps=tuple(range(1, named)))


def _opens_judgement(word: str) -> bool:
    return _CODES.get(word, "w") in "GBEHPN"


def _drop_whole(tokens: list[CriticToken]) -> list[CriticToken]:
    """Leave out what steps are part of: "every step of this chain"."""
    codes = "".join(token.code for token in tokens)
    for whole in reversed(list(_OF_WHOLE.finditer(codes))):
        del tokens[whole.start() : whole.end()]
    return tokens


def declares_zero_base(text: str) -> bool:
    """Whether a text says that it counts steps from 0.

    >>> declares_zero_base("Step 1 (0-based) is wrong."), declares_zero_base("Step 0 is wrong.")
    (True, False)
    """
    return any(word in text for word in _COUNTS) and _ZERO_BASE.search(text) is not None


def drop_zero_base(text: str) -> str:
    """Return a text without what says that it counts steps from 0."""
    return _ZERO_BASE.sub(" ", text)


def _count_from_one(token: CriticToken) -> CriticToken:
    """Return a token that counts steps from 0, "step 0", as one that counts from 1; ordinals always do."""
    if token.code not in "SLmo" or not _COUNTED.search(token.text):
        return token
    return token._replace(steps=tuple(step + 1 if step >= 0 else step for step in token.steps))


def _point_back(tokens: list[CriticToken]) -> list[CriticToken]:
    """Give "that" at the start of a clause, as in "so that is a mistake", the code of what refers back."""
    for n, token in enumerate(tokens[:-1]):
        if token.text == "that" and tokens[n + 1].code in "VH" and (n == 0 or tokens[n - 1].code in ".,;:\nKU&"):
            tokens[n] = token._replace(code="I")
    return tokens
