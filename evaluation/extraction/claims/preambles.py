"""Preambles, none of which is an answer: offers of help, the instruction repeated, and headings of a review."""

import re
from collections.abc import Sequence

_OFFER = re.compile(
    r"(?P<i>(?<![A-Za-z])I(?:['’](?:d|ll|m)| would| will| am)(?: be)?(?: more than| very| always| really)*) "
    r"(?:happy|glad|pleased|delighted|eager|excited) (?=to (?:help|assist|answer|analy[sz]e|do|take|try|listen|describe"
    r"|provide|share|work|look|give|go|be)(?![a-z]))"
)
# "Select all of the options that apply" does not choose all of them.
_ALL_THAT_APPLY = re.compile(
    r"(?<![a-z])all (?:(?:of )?the )?(?:(?:correct|right|relevant|applicable|possible|given) )?"
    r"(?:options?|answers?|choices?|statements?|items?|letters?) (?:that|which) (?:would |could |do |may |might )?"
    r"(?:appl(?:y|ies)|fits?|match(?:es)?|(?:are|is) (?:correct|right|true|present|applicable|heard|audible))(?![a-z])"
    r"(?: (?:to|with|in) (?:the|this|your) (?:audio|clip|recording|sound|file|question))?",
    re.IGNORECASE,
)
# "Here's how each statement holds up:" and "let's consider each option:" announce verdicts.
_OPTIONS = r"(?:statements?|options?|choices?|answers?|items?|candidates?)"
_ANNOUNCES_REVIEW = re.compile(
    r"(?<![a-z])(?:how (?:well )?(?:each|every|all|the|these|those)(?: one| of (?:the|these))?"
    rf"(?: (?:given|answer|possible))?(?: {_OPTIONS})? (?:holds?|stands?|fits?|fares?|match(?:es)?|compares?"
    r"|appl(?:y|ies))(?: up)?(?: (?:to|with|against) (?:the|this|your) [a-z]+)?"
    r"|(?:to (?:answer|determine|find|solve|decide) [^.:,\n]{3,80}, )?(?:let['’]s|let us|let me|I(?:['’]ll| will)"
    r"|we(?:['’]ll| will| can| need to| should| must)?) (?:now |first )?(?:look at|consider|evaluate|check|examine"
    r"|go through|analy[sz]e|assess|review|compare) (?:each|every|all)(?: of the| the)?(?: (?:given|possible))?"
    rf" {_OPTIONS}(?: (?:one by one|individually|in turn|carefully))?)(?=[*_ ]{{0,3}}:)",
    re.IGNORECASE,
)
_ANNOUNCING = ("how ", "How ", " each ", " every ", " all ", " Each ", " Every ", " All ", " EACH ", " ALL ")


def rewrite_preambles(response: str, options: Sequence[str]) -> str:
    r"""Rewrite offers of help, "all options that apply" and headings of a review, so that none is read as an answer.

    >>> rewrite_preambles("I'd be happy to help! Please upload the file.", ("happy", "sad"))
    "I'd be ready to help! Please upload the file."
    >>> rewrite_preambles("Upload it, and I can select all of the options that apply.", ("a dog", "a cat"))
    'Upload it, and I can select those that apply.'
    >>> rewrite_preambles("Here's how each option holds up:\nA: no", ("a dog", "a cat"))
    "Here's this review:\nA: no"
    """
    if " to " in response and "I" in response:
        response = _OFFER.sub(r"\g<i> ready ", response)
    if ":" in response and any(map(response.__contains__, _ANNOUNCING)):
        response = _ANNOUNCES_REVIEW.sub("this review", response)
    if (
        ("ll " in response or "LL " in response)
        and _ALL_THAT_APPLY.search(response)
        and not any(map(_ALL_THAT_APPLY.search, options))
    ):
        response = _ALL_THAT_APPLY.sub("those that apply", response)
    return response
