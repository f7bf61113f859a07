"""Texts of strangers for LaTeX and BibTeX: nothing in them is a command, ends a cell, a line or a group."""

# Braces by name: BibTeX counts those that are written, escaped or not. Brackets and stars in braces: after the end of
# a line LaTeX would take them for its arguments.
_ESCAPED = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': "''",
        "[": "{[}",
        "]": "{]}",
        "*": "{*}",
    }
)


def escape_tex(text: object) -> str:
    r"""Return a text that LaTeX sets as it is read, on one line; letters beyond ASCII stay as they are.

    >>> print(escape_tex("50 % of {a_b} & more"))
    50 \% of \textbraceleft{}a\_b\textbraceright{} \& more
    """
    return on_one_line(text).translate(_ESCAPED)


def on_one_line(text: object) -> str:
    """Return a text with a space for every run of what cannot be printed: ends of lines, control characters."""
    plain = "".join(letter if letter.isprintable() else " " for letter in str(text))
    return " ".join(plain.split())
