"""Lines that describe each option, "Clip 1: about 440 Hz", above a conclusion that names one."""

import re

_LINE = r"^[^\w\n]{{0,6}}(?:\(?[A-Z][.):] ?)?(?:(?:the|an?) )?{text}[^\w\n]{{0,3}}(?:[:：]|(?<=[ *])[-–—])[^\n]*\n?"
# A description that calls its option the answer.
_JUDGED = re.compile(
    r"(?<![a-z])(?:answer|this one|correct|right one|match(?:es)?|fits)(?![a-z])|[✓✔✅→]", re.IGNORECASE
)
_ARTICLE = re.compile(r"\A(?:the|an?) ", re.IGNORECASE)


def drop_descriptions(response: str, texts: tuple[str, ...]) -> str | None:
    r"""Return what stands below the lines that describe all options one by one; None without such lines.

    >>> drop_descriptions("clip 1: 440 Hz\nclip 2: 330 Hz\n\nClip 1 is higher.", ("clip 1", "clip 2"))
    'Clip 1 is higher.'
    """
    if response.count("\n") < len(texts):
        return None
    end, lines = 0, []
    for text in texts:
        line = _LINE.format(text=re.escape(_ARTICLE.sub("", text)))
        found = re.findall(line, response, re.IGNORECASE | re.MULTILINE)
        if len(found) != 1:
            return None
        lines.append(found[0])
        end = max(end, response.index(found[0]) + len(found[0]))
    rest = response[end:].strip()
    return None if not rest or any(map(_JUDGED.search, lines)) else rest
