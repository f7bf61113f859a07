"""Single phrases of a critic: what a value says of a step, and what the name of a field says of its value."""

import re
from functools import lru_cache

from evaluation.extraction.critic.critic_tokens import tokenize_critic
from evaluation.extraction.language.lexicon import WORD_LISTS

KEYS_OF_ERROR, KEYS_OF_CORRECTNESS = WORD_LISTS["KEYS_OF_ERROR"], WORD_LISTS["KEYS_OF_CORRECTNESS"]
_KEYS_OF_VERDICT, _KEYS_OF_NUMBER = WORD_LISTS["KEYS_OF_VERDICT"], WORD_LISTS["KEYS_OF_NUMBER"]
_LONGEST = 200
_SPLITS = re.compile(r"[\s_-]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PHRASE = re.compile(
    r"[(|:]*[sIyS]?(?P<pre>[NHPWVd]*)(?:w{1,3}(?=E))?(?P<core>[GBEgb])(?P<other>/[NVHP]*[GBEgb]?|[GBEgb])?(?P<rest>.*)",
    re.DOTALL,
)
_POLAR = re.compile(r"f?[VIs]*(?P<negated>N?)f?(?P<core>[GBEae])[?]?")
# "Supported by the audio", "matches the recording", "与音频一致"; but "is sound" judges.
_BY_AUDIO = re.compile(
    " (?:by|in|with|to|from)(?: the)? (?:audio|recording|clip|sound)$| (?:the )?(?:audio|recording|clip)$| the sound$"
    "|^(?:与|和)(?:音频|录音)|(?:音频|录音)$"
)
_LIST = re.compile(r"[Vdc]?(?P<core>[GBEae])sw?|s(?:F|w|V)(?:d)?(?P<late>[GBE])|(?P<only>[GBE])w?")
_FLAGS = {"true": True, "t": True, "false": False, "f": False}
_YES = {**_FLAGS, "yes": True, "y": True, "no": False, "n": False, "1": True, "0": False, "是": True, "否": False}


@lru_cache(maxsize=4096)
def _codes(text: str) -> str:
    return "".join(token.code for token in tokenize_critic(text[:_LONGEST], 1)).strip(".!")


@lru_cache(maxsize=4096)
def judge_phrase(text: str) -> bool | None:
    """Whether a phrase says that a step is erroneous; None where it says neither that nor the opposite.

    >>> judge_phrase("Incorrect"), judge_phrase("正确"), judge_phrase("true"), judge_phrase("Not supported by it")
    (True, False, None, True)
    """
    match = _PHRASE.fullmatch(_codes(text))
    if not match:
        return None
    erroneous = (match["core"] in "BEb") != ("N" in match["pre"])
    opens = (
        "H" in match["pre"]
        or ("P" in match["pre"] and match["core"] not in "BEb")
        or "W" in match["pre"].partition("N")[2]
    )
    second = match["other"]
    if second and (second[0] == "/" or (second in "BEb") != erroneous):
        return None
    plain = match["rest"][:1] in {*".,:;(QFn-)&", "", "y", "s", "C"} or not text.isascii()
    return erroneous if plain and not opens else None


def describes_error(text: str) -> bool:
    """Whether a cell below the head "Error" tells an error, "lower, not higher" or "wrong key", and leaves it sure."""
    codes = _codes(text)
    return judge_phrase(text) is True or (codes.startswith(("w", "Bw")) and "H" not in codes)


@lru_cache(maxsize=4096)
def plain_key(name: str) -> str:
    """The name of a field as the word lists have it: lower case, words apart."""
    return _SPLITS.sub(" ", _CAMEL.sub(" ", name).strip().lower())


def read_flag(value: object, *, is_polar: bool = False) -> bool | None:
    """Return the truth value that a value is, or spells out; "yes" and 1 are one only where the question is polar."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return (_YES if is_polar else _FLAGS).get(value.strip().lower())
    return bool(value) if is_polar and isinstance(value, int) and value in (0, 1) else None


@lru_cache(maxsize=1024)
def polarity_of_key(key: str) -> bool | None:
    """Whether true under a key says "erroneous" (True) or "correct" (False); None where the key says neither.

    >>> polarity_of_key("is correct"), polarity_of_key("has error"), polarity_of_key("label")
    (False, True, None)
    """
    key = _BY_AUDIO.sub("", key)
    bare = key.removeprefix("step ").removeprefix("steps ")
    if bare in KEYS_OF_CORRECTNESS or bare in KEYS_OF_ERROR:
        return bare in KEYS_OF_ERROR
    match = _POLAR.fullmatch(_codes(key))
    if not match or key in _KEYS_OF_VERDICT:
        return None
    return (match["core"] in "BEe") != bool(match["negated"])


@lru_cache(maxsize=1024)
def list_of_key(key: str) -> bool | None:
    """Whether a key names a list of erroneous steps (True) or of correct ones (False); None where it names neither.

    >>> list_of_key("erroneous steps"), list_of_key("correct"), list_of_key("first error")
    (True, False, None)
    """
    match = _LIST.fullmatch(_codes(key))
    if not match:
        return None
    return (match["core"] or match["late"] or match["only"]) in "BEe"


def names_verdict(key: str) -> bool:
    """Whether a key names a judgement without saying what true would mean."""
    return key.removeprefix("step ") in _KEYS_OF_VERDICT or _codes(key) in {"y", "sy", "My"}


def names_number(key: str) -> bool:
    """Whether a key names the number of a step."""
    return key in _KEYS_OF_NUMBER
