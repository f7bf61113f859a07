"""Signs of other places and layouts, written as those that critics mostly use: rings, comments, traditional Chinese."""

import re

# "step1=true;step2=false // true: the step is correct".
_COMMENTED = re.compile(
    r"(?://+ ?|(?<![a-z] )#+ )(?P<value>true|false) ?(?:=|:|-|means?(?: that)?"
    r"|indicates(?: that)?) ?(?:(?:the|that|this) step is )?"
    r"(?P<meaning>correct|right|valid|erroneous|wrong|incorrect|an? error)(?![a-z])",
    re.IGNORECASE,
)
_CROSSES, _RING = "✗×✘❌", re.compile("[○◯]")
_KANA = re.compile("[\u3040-\u30ff]")
_TRADITIONAL = "驟錯誤確對題無與沒"
_UNUSUAL = re.compile(f"[○◯{_TRADITIONAL}]|//|# [tTfF]")
_SIMPLIFIED = str.maketrans(
    "驟錯誤確對題無與沒說聲這種餘應該條個總結論為實聽過還後們話講處問間來時認準關於誰點雙樂響現發開門車鳥貓",
    "骤错误确对题无与没说声这种余应该条个总结论为实听过还后们话讲处问间来时认准关于谁点双乐响现发开门车鸟猫",
)


def write_usual_signs(text: str) -> str:
    """Write rings beside crosses as ticks, comments as legends, and traditional Chinese in simplified characters.

    >>> write_usual_signs("第1步：錯誤"), write_usual_signs("1 ○, 2 ×")
    ('第1步：错误', '1 ✓, 2 ×')
    """
    if not _UNUSUAL.search(text):
        return text
    if any(map(text.__contains__, _CROSSES)):
        text = _RING.sub("✓", text)
    text = _COMMENTED.sub(r"(\g<value> = \g<meaning>)", text)
    is_traditional = any(map(text.__contains__, _TRADITIONAL)) and not _KANA.search(text)
    return text.translate(_SIMPLIFIED) if is_traditional else text
