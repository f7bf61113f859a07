"""Reading answers: from what a system wrote to the option, the options or the truth value it meant, or to a reason.

One rule decides every case: an answer is returned only where two careful readers would agree on it. The readers
understand English and Chinese. They look at no more than `normalize.MAX_LENGTH` characters of a response.

The parsers are imported when the first of them is used. Compiling their patterns takes a third of a second, and most
processes (the web process, most commands) parse no answer.
"""

from typing import TYPE_CHECKING, Any

READER_VERSION = "22"

__all__ = ["READER_VERSION", "read_boolean", "read_choice", "read_choices", "read_steps"]

if TYPE_CHECKING:
    from evaluation.extraction.boolean import read_boolean
    from evaluation.extraction.choice import read_choice
    from evaluation.extraction.choices import read_choices
    from evaluation.extraction.steps import read_steps
else:

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from evaluation.extraction.boolean import read_boolean
        from evaluation.extraction.choice import read_choice
        from evaluation.extraction.choices import read_choices
        from evaluation.extraction.steps import read_steps

        globals().update(
            read_boolean=read_boolean, read_choice=read_choice, read_choices=read_choices, read_steps=read_steps
        )
        return globals()[name]
