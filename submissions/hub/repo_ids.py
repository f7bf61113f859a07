"""Ids of repositories on the Hub. Imports nothing of ours, so that client commands start quickly."""

import re

# The rule of huggingface_hub, which takes half a second to import; a test compares the two.
_REPO_ID = re.compile(r"\b[\w.-]{1,96}\b/\b[\w.-]{1,96}\b", re.ASCII)


def is_repo_id(text: str) -> bool:
    """Tell whether a text is the id of a repository with its owner."""
    return (
        bool(_REPO_ID.fullmatch(text)) and not any(part in text for part in ("--", "..")) and not text.endswith(".git")
    )
