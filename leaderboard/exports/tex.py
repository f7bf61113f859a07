"""Escaping of untrusted text for LaTeX and BibTeX: it cannot contain a command or end a cell, a line or a group."""

# Braces by name: BibTeX counts literal ones, escaped or not. Brackets and stars in braces: after the end of a line
# LaTeX would read them as its arguments.
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
    r"""Return a text that LaTeX prints literally, on one line; non-ASCII letters stay unchanged.

    >>> print(escape_tex("50 % of {a_b} & more"))
    50 \% of \textbraceleft{}a\_b\textbraceright{} \& more
    """
    return on_one_line(text).translate(_ESCAPED)


def on_one_line(text: object) -> str:
    """Return a text in which a space replaces each run of line breaks and control characters."""
    plain = "".join(letter if letter.isprintable() else " " for letter in str(text))
    return " ".join(plain.split())
