"""Reading answers: from what a system wrote to the option, the options or the truth value it meant, or to a reason.

One rule decides every case: an answer is returned only where two careful readers would agree on it. The readers
understand English and Chinese. They look at no more than `normalize.MAX_LENGTH` characters of a response.
"""

from evaluation.extraction.boolean import read_boolean
from evaluation.extraction.choice import read_choice
from evaluation.extraction.choices import read_choices
from evaluation.extraction.steps import read_steps

READER_VERSION = "7"

__all__ = ["READER_VERSION", "read_boolean", "read_choice", "read_choices", "read_steps"]
