"""Repository ids on the Hub. Imports nothing of ours, so that client commands start quickly."""

import re

# The rule of huggingface_hub, whose import takes half a second; a test compares the two.
_REPO_ID = re.compile(r"\b[\w.-]{1,96}\b/\b[\w.-]{1,96}\b", re.ASCII)


def is_repo_id(text: str) -> bool:
    """Tell whether a text is a repository id with an owner."""
    return (
        bool(_REPO_ID.fullmatch(text)) and not any(part in text for part in ("--", "..")) and not text.endswith(".git")
    )
