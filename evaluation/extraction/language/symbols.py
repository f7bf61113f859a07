"""Symbols that several parsers look for: letters of options, Chinese characters, marks, ordinals."""

import re

LONE_CAPITAL = r"(?<![A-Za-z])[A-Z](?![A-Za-z])"
"""A capital letter by itself, as options are named."""
CAPITAL = re.compile(LONE_CAPITAL)
ARTICLE_OR_I = re.compile(r"(?<![A-Za-z])(?:I(?= [a-z]|'[a-z])|A(?= [a-z]))")
"""A capital letter that is a word of English: "A dog barks and I hear it"."""
CHINESE_CHARACTER = re.compile("[\u4e00-\u9fff]")
TICKS, CROSSES = "✓✔✅☑√", "✗✘❌×"
"""Marks of what is right and of what is wrong, as cleaning leaves them."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
