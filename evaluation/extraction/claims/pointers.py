"""Letters and words by which a response points to options, instead of saying them."""

import re

from evaluation.extraction.option_texts.options import PreparedOptions

_POINTED = re.compile(
    r"(?<![A-Za-z])(?:[B-HJ]|I(?! [a-z]|'[a-z])|[A-J]{2,8})(?![A-Za-z])|(?<![A-Za-z])A(?! ?[a-z])(?![A-Za-z])"
    r"|(?i:answer|correct|option"
    r"|statement|choose|select)|选|答案|正确|错误|第[一二三四五六](?:个(?![音声片录])|[项、]|条(?=[、,和与]))"
    r"|陈述|说法|合理|成立|[前后][两二三四五]|[{<]",
)


def points_beyond_words(response: str, prepared: PreparedOptions) -> bool:
    """Whether a response points to options by more than their words; in these, an "answer" may be a reply.

    >>> from evaluation.extraction.option_texts.options import prepare
    >>> options = prepare(("she must answer by monday", "he is late"))
    >>> points_beyond_words("He wants an answer by Monday.", options), points_beyond_words("It is B.", options)
    (False, True)
    """
    found = map(re.Match.group, _POINTED.finditer(response))
    return any(word.isupper() or not any(word.lower() in text for text in prepared.texts) for word in found)
