"""Parser for prose verdicts on the steps of a reasoning trace: tokens, sentences, statements, one verdict per step."""

from evaluation.extraction.critic.accounts import Verdicts, agrees_with, decide, read_flags
from evaluation.extraction.critic.critic_tokens import JSON_MARK, tokenize_critic
from evaluation.extraction.critic.labelled_lines import read_critique
from evaluation.extraction.critic.plain import read_plain

__all__ = [
    "JSON_MARK",
    "Verdicts",
    "agrees_with",
    "decide",
    "read_critique",
    "read_flags",
    "read_plain",
    "tokenize_critic",
]
