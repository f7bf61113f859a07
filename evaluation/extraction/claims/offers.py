"""Offers of help: "I'd be happy to help!" says nothing of a mood."""

import re

_OFFER = re.compile(
    r"(?P<i>(?<![A-Za-z])I(?:['’](?:d|ll|m)| would| will| am)(?: be)?(?: more than| very| always| really)*) "
    r"(?:happy|glad|pleased|delighted|eager|excited) (?=to (?:help|assist|answer|analy[sz]e|do|take|try|listen|describe"
    r"|provide|share|work|look|give|go|be)(?![a-z]))"
)


def drop_offers(response: str) -> str:
    """Return a response in which an offer of help has no word of a mood.

    >>> drop_offers("I'd be happy to help! Please upload the file.")
    "I'd be ready to help! Please upload the file."
    """
    return _OFFER.sub(r"\g<i> ready ", response) if " to " in response and "I" in response else response
