"""Lists of letters in other forms: ranges, denied combinations ("not ACD but AB"), and sets that stay open.

Only where several options may be right: there "A to C" is three options.
"""

import re

from evaluation.extraction.language.symbols import CAPITAL, LONE_CAPITAL
from evaluation.extraction.option_reviews.remainders import NAMED

_LETTER, _DIGIT = re.compile("[A-Z]"), re.compile("[1-8]")
# "A-C-D" is a list.
_DASHED = re.compile(r"[A-Z](?: ?- ?[A-Z]){2,}[.。]?")
# "A to C" and "A-C" are ranges beside words of a list or a verdict, "A through C" and "A至C" always.
_AFTER = re.compile(
    r",? ?(?:are|were|all|both|hold|can|do|does|apply|follow|fit|match|stand|seem|plus|except|excluding|but|only"
    r"|and (?:also )?[A-Z](?![A-Za-z])|[A-Z](?![A-Za-z])"
    r"|都|均|全|项|这|四|三|五|两|选项|成立|正确|错误|可|能|符合|不|除|和[A-Z]|、[A-Z])"
)
_RANGE = re.compile(
    r"(?<![A-Za-z0-9'])(?<![-~] )(?<![-~])(?:[Aa]ll (?:of )?)?"
    r"(?P<noun>(?:[Oo]ptions|[Ss]tatements|[Cc]hoices|[Ii]tems|选项) ?)?"
    r"(?P<first>[A-Z])(?: (?:through|thru) |(?P<weak> to | ?[-~] ?)|项?[至到])(?P<last>[A-Z])(?![A-Za-z])"
    r"(?! ?[-~] ?[A-Z](?![A-Za-z]))"
    r"(?P<but>(?:,? (?:but not|except(?: for)?|excluding|other than|minus|without)|,?除了?|,?但不(?:含|包括|选)) ?"
    rf"(?P<out>{NAMED}))?"
)
# Two letters or more; bounded, or a search that starts at every letter of a long list takes quadratic time.
_SET = r"(?:[A-Z]{2,10}|[A-Z](?:(?:, (?:and )?| and |、|,|和|与|及)[A-Z]){1,25})(?![A-Za-z])"
# "Not ACD but AB": a combination is denied, not each of its letters.
_NOT_BUT = re.compile(
    rf"(?<![A-Za-z])(?:[Nn]ot|n't(?: be)?) {_SET}[,;.]? (?:but(?: rather)?|it is|it's|rather|it should be)(?= )"
    rf"|(?:并不是|不是|不选|并非|不应是){_SET}[,;。]?(?:而是|是|而选|应该是|应为|应是|而应是|而应选)"
)
_AND_NOT = re.compile(
    rf"(?<=[A-Z]),? (?:and )?(?:not|rather than|instead of) {_SET}(?= ?[.!\n]|$)"
    rf"|(?<=[A-Z]),?(?:而不是|不是|而非|并非){_SET}(?=[。.!\n]|$)"
)
# "Two of A, B, C and D are correct": a number of them, but not which.
_COUNT = r"(?:(?:exactly|only|just|at least|at most) )?(?:one|two|three|four|five|some|most|several|[1-5])"
_SOME_OF = re.compile(
    rf"(?<![a-z]){_COUNT} (?:out )?of (?:the )?(?:options |statements )?(?-i:{_SET})"
    rf"|(?-i:{_SET}): (?={_COUNT} of (?:them|these))",
    re.IGNORECASE,
)
# "AB or AD", "答案：AB\n或者：AD": two answers.
_LETTERS = r"[A-Z](?:(?:, (?:and )?| and |、|,|和|与|及)?[A-Z]){0,25}(?![A-Za-z])"
_TWO_SETS = re.compile(
    rf"(?<![A-Za-z])(?:{_SET}[.,。;]?\s*(?:or|或者?(?:是)?|要么|抑或)(?: ?[:,] ?|\s*)"
    rf"(?:(?:the )?(?:answer|答案)(?: is|是)? ?:? ?)?{_LETTERS}"
    rf"|{_LETTERS}[.。;]?\n\W*(?:[Oo]r|[Aa]lternatively|或者?|或是|要么|备选(?:答案)?)(?: ?[:,] ?| ){_LETTERS})"
    r"[.。]?\s*\Z"
)
# "Either A and C are right, or B and D are": which of the sets is not said.
_MEMBERS = rf"(?:{_SET}|[\ue000-\uf8ff](?:(?:, (?:and )?| and |、|,|和|与|及)(?:the |an? )?[\ue000-\uf8ff]){{1,9}})"
_EITHER_SETS = re.compile(
    rf"(?<![A-Za-z])[Ee]ither (?:both )?(?:options |statements |the "
    rf"|an? )?{_MEMBERS}[^.\n]{{0,60}}?(?<![a-z])or (?:(?:both "
    rf"|options |statements |the |an? )?{_MEMBERS}|neither(?![a-z]))[^.\n]*[.\n]?"
    rf"|要么(?:选项|是)?{_MEMBERS}[^。\n]{{0,20}}?(?:要么|或者?)(?:选项|是)?{_MEMBERS}[^。\n]*[。\n]?"
)
_HINTS_OF_RANGE = ("-", "~", " to ", " thr", "至", "到")
_NAMED = re.compile(rf"{LONE_CAPITAL}|[\ue000-\uf8ff]")
_HINTS_OF_EITHER = ("ither ", "要么")
_SPEAKER = re.compile(r"(?<![A-Za-z])I(?= [a-z]|'[a-z])")
_HINTS_OF_TWO = ("or", "Or", "lternatively", "或", "要么", "备选")
_HINTS_OF_DENIAL = ("not", "Not", "n't", "rather", "instead", "不", "非")
# "AC(D)": whether the last one is meant stays open.
_IN_BRACKETS = re.compile(r"(?<![A-Za-z])[A-Z]{2,9}\([A-Z]\)")
# "Select all that apply: A, B, C, D" only repeats the question.
_PROMPT = re.compile(
    r"(?:select|choose) all (?:that apply|correct [a-z]+|of the correct [a-z]+)[^A-Za-z]{0,4}", re.IGNORECASE
)
_LONGEST_PROMPT = 80
# "1: true, 2: false": options by number.
_NUMBERED = re.compile(
    r"(?<![\w.])[(\"']?([1-8])[)\"']?(?: ?[:.)=-] ?| )?"
    r"(?=(?:true|false|yes|no|对|错|正确|错误|成立|不成立|[✓✔✗✘√×✅❌])(?![a-z]))",
    re.IGNORECASE,
)
_BELOW_VERDICT = re.compile(
    r"(?<![a-z])((?:yes|no|true|false|correct|incorrect|right|wrong): )([1-8](?:, ?[1-8])*)(?![0-9])", re.IGNORECASE
)
_TRUTH_VALUES = re.compile(r"\[? ?(?:true|false)(?: ?, ?(?:true|false))+ ?\]?\.?", re.IGNORECASE)
_ALONE = re.compile(rf"({NAMED}) alone(?: (?=(?:is|are|holds?|fails?)(?![a-z]))|(?=[.]?\Z))")
# "B/D" and nothing else but "Answer:".
_SLASHED = re.compile(
    r"(?:(?:(?:final|correct) )?answers?: ?|(?:正确|最终)?答案: ?|选择?:? ?)?"
    r"(?-i:\(?[A-Z]\)?(?: ?[/|] ?\(?[A-Z]\)?)+)[.。]?",
    re.IGNORECASE,
)


def names_two_sets(marked: str) -> bool:
    r"""Whether a text leaves open which set it means, "Answer: AB\nor: AD", "AC(D)"."""
    if "(" in marked and _IN_BRACKETS.search(marked):
        return True
    either = _EITHER_SETS.search(marked) if any(map(marked.__contains__, _HINTS_OF_EITHER)) else None
    if either is not None and not _NAMED.search(_SPEAKER.sub(" ", marked[either.end() :])):
        return True
    return any(map(marked.__contains__, _HINTS_OF_TWO)) and _TWO_SETS.search(marked) is not None


def repeats_prompt(marked: str, size: int) -> bool:
    """Whether a text names all letters behind "select all that apply", and nothing else."""
    match = _PROMPT.match(marked) if " all " in marked else None
    if match is None or len(marked) > _LONGEST_PROMPT or "✓" in marked:  # "Select all that apply:\n✓ A"
        return False
    return len(set(_LETTER.findall(marked[match.end() :]))) == size


def spell_sets(marked: str, size: int) -> str:
    """Write ranges as lists, and leave out combinations that are denied and sets of which only a number is told.

    >>> spell_sets("A through C are right.", 4)
    'A and B and C are right.'
    >>> spell_sets("Not ACD but AB.", 4)
    ' AB.'
    """
    signs = marked.count("/") + marked.count("|")
    if signs and signs + 1 < size and _SLASHED.fullmatch(marked):
        return marked.replace("/", ",").replace("|", ",")
    if any(map(marked.__contains__, _HINTS_OF_EITHER)):
        marked = _EITHER_SETS.sub("", marked)
    if _DASHED.fullmatch(marked):
        return marked.replace("-", ", ")
    marked = _spell_numbers(marked, size)
    if " alone" in marked:
        marked = _ALONE.sub(r"only \1 ", marked)
    if any(map(marked.__contains__, _HINTS_OF_RANGE)):
        marked = _RANGE.sub(lambda match: _spell_range(match, size), marked)
    if any(map(marked.__contains__, _HINTS_OF_DENIAL)):
        marked = _AND_NOT.sub("", _NOT_BUT.sub(lambda match: "" if match.group().isascii() else "是", marked))
    if " of " in marked:
        marked = _SOME_OF.sub("some", marked)
    return marked


def _spell_numbers(marked: str, size: int) -> str:
    """Write "1: true, 2: false" and "[true, false]", one for each option, with the letters of the options."""
    if CAPITAL.search(marked):
        return marked
    if len(_NUMBERED.findall(marked)) > 1:
        return _NUMBERED.sub(lambda match: f"{chr(64 + int(match[1]))}: ", marked)
    if len(_BELOW_VERDICT.findall(marked)) > 1:
        return _BELOW_VERDICT.sub(lambda match: match[1] + _write_letters(match[2]), marked)
    if _TRUTH_VALUES.fullmatch(marked) and marked.count(",") + 1 == size:
        values = marked.strip("[] .").split(",")
        return ", ".join(f"{chr(65 + place)}: {value.strip()}" for place, value in enumerate(values))
    return marked


def _write_letters(numbers: str) -> str:
    return _DIGIT.sub(lambda match: chr(64 + int(match.group())), numbers)


def _spell_range(match: re.Match[str], size: int) -> str:
    first, last = ord(match["first"]) - 65, ord(match["last"]) - 65
    is_all = match.group()[:3].lower() == "all"
    beside = match["noun"] or match["but"] or is_all or _AFTER.match(match.string, match.end())
    if first < last < size and match["weak"] == " to " and not beside and "refer" not in match.string:
        return f"{match['first']} or {match['last']}"  # Whether what lies between is meant stays open.
    if not first < last < size or (match["weak"] and not beside):
        return match.group()
    out = _LETTER.findall(match["out"] or "")
    letters = [chr(65 + place) for place in range(first, last + 1) if chr(65 + place) not in out]
    joined = " and ".join(letters) if match.group().isascii() and match.string.isascii() else "、".join(letters)
    return (match["noun"] or "") + joined
