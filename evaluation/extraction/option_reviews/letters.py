"""Letters of options written apart, so that each stands by itself: "ACD" as "A and C and D", and lists left out.

Lists that only echo the options, or say again which "the others" are, name no answer.
"""

import re

from evaluation.extraction.claims.answer_lines import drop_explanation
from evaluation.extraction.option_reviews.remainders import NAMED
from evaluation.extraction.option_texts.options import PLACEHOLDER_BASE, Profile

_FIRST_TEXT = chr(PLACEHOLDER_BASE)
# "Q: …\nA: C", or "A: C" alone.
_ANSWER_MARKS = frozenset({"A:", "a:", "A ", "a "})
_ANSWER_MARK = re.compile(
    r"(?P<asked>\AQ(?:uestion)? ?: ?[^\n]{0,400}\n)?(?:\A|(?<=\n))A ?: ?(?P<said>[(<]?[A-Za-z](?![A-Za-z])[)>.]{0,2}\Z"
    r"|(?<=\nA: )[\ue000-\uf8ff].{0,200}\Z)",
    re.DOTALL,
)
# "The other options (A, C, D) do not match": the letters say again what "the other" are.
_OTHER_HINTS = ("ther", "est ", "aining", "其", "剩")
_OTHERS = re.compile(
    r"((?:other|others|rest|remaining|其他|其余|其它|剩余|剩下)(?: (?:two|three|four|five))?(?: (?:options?"
    r"|choices?|answers?|ones?))?(?:的?(?:[两二三四五几][个项条])?(?:选项)?)),? ?"
    r"[(\[][A-Za-z](?:(?:, ?|、|/| and |, and | & |和|与)[A-Za-z])*[)\]]",
    re.IGNORECASE,
)
# "Between B and C, B it is."
_IT_IS = re.compile(r"(?:, ?(?:so |then )?|^|(?<=[.!\n] ))([A-Z\ue000-\uf8ff]) it is(?=[ ,]?[.!\n]|$)", re.MULTILINE)
# "It could be A, or it might be B": an alternative, however it is hedged.
_OR_ELSE = re.compile(
    r"(?<![a-z])or(?: (?:else|maybe|perhaps|possibly|even))?(?: (?:it|that|this))? (?:could|might|may|can|would)"
    r"(?: (?:also|well|equally|just))?(?: as well)? be (?=[(]?(?:[A-Z](?![A-Za-z])|option |[\ue000-\uf8ff]))",
    re.IGNORECASE,
)
# "Among the given choices, …": nothing is weighed there.
_AMONG_ALL = re.compile(
    r"(?<![A-Za-z])(?:among|out of|of|from) (?:all )?the (?:given |available |provided |listed |possible |four )?"
    r"(?:options|choices)(?: given| provided| listed| available)?,? (?!(?:is|are|that|which|only)(?![a-z]))",
    re.IGNORECASE,
)
# "Of A and C, C fits better": what is weighed.
_OF_THESE = re.compile(
    rf"(?:^|(?<=[.!;:\n] ))(?:Of|Among|Out of|Between) (?:options |statements )?{NAMED}"
    r"(?:,| (?=I(?:'d| would| lean)? )) ?",
    re.MULTILINE,
)
# "…, leaving B and D. The right channel is louder, so D."
_LEAVING = re.compile(
    r"(?:, |(?<=[.\n] )|^)(?:[Ss]o |and |[Tt]hus )?"
    r"(?:(?:which |[Tt]hat |[Tt]his )?(?:leaves|leaving|narrows (?:it |things )?down to)"
    r"(?: us| me)?|(?:[Ww]e|I)(?:'re| are) left|(?:[Ww]e|I) have)(?: with| only| just)? ?(?:options? )?"
    r"[A-Z](?:, [A-Z])?,? (?:and|or) [A-Z](?: left| remaining| as candidates)?"
    r"(?=[.;,\n][^\n]{0,240}?(?<![A-Za-z])[B-Z](?:\.|$|\n))",
    re.MULTILINE,
)
_LISTED_LETTERS = re.compile("[A-Z\ue000-\uf8ff](?:、|,|和|与|及)(?:选项)?[A-Z\ue000-\uf8ff]")
# The same in Chinese: "A和C中，C更合理", "在B、D两项中".
_OF_THESE_IN_CHINESE = re.compile(
    r"(?:在|从)?(?:选项)?[A-Z\ue000-\uf8ff](?:(?:、|,|和|与|及)(?:选项)?[A-Z\ue000-\uf8ff]){1,25}(?:这)?(?:[两二三四五六几](?:个|项|条|者|种))?(?:选项"
    r"|说法|陈述|推断|结论)?(?:之中|当中|之间|中|里)(?=[,，]|只?有|至少|最多|我|选|更|哪|的)"
)
# "The flute and the oboe can be ruled out": the article does not end the list.
_THE_NEXT = re.compile("([\ue000-\uf8ff],? (?:and|or)) the (?=[\ue000-\uf8ff])")
# "… moved to 305,B is right": the comma is none of the number's.
_AFTER_NUMBER = re.compile("(?<=[0-9]),(?=[A-Z](?![A-Za-z0-9]))")
# "… and I reject the others": says no more than the choice itself.
_REST_HINTS = ("others", "rest", "remaining", "其余", "其他", "剩下")
_REJECTED_REST = re.compile(
    r",? ?(?:and |so )?(?:I |we )?(?:can |would |also )*(?:reject|exclude|rule out|eliminate|dismiss"
    r"|discard|rejecting|excluding)(?:s|ed)?"
    r" (?:all )?(?:of )?the (?:others?|rest|remaining)(?: (?:options|choices|ones|statements|two|three"
    r"|four))?(?= ?[.,;\n]|$)"
    r"|[,;，；]?(?:并|可)?(?:排除|不选)了?(?:其余|其他|其它|剩下)的?(?:选项|各项)?(?=[。.,;]|$)",
    re.IGNORECASE,
)
# "A被排除,B被排除。剩下C": what is left of an elimination.
_LEFT_OVER = re.compile(
    r"(?<=[。;,.\n:])( ?)(?:就|只|仅|那么|因此|所以|最后|于是)*剩下?了?(?:的?(?:就|只)?(?:有|是))?(?:选项)? ?"
    r"([A-Z])(?:项|选项)?了?(?=[。.\n]|$)"
)
_ELIMINATED = re.compile("排除|划|淘汰|剔除|不|没|错|否")
# "… should be brought in -> (C)": the arrow concludes, unless it stands between two letters.
_POINTS_TO = re.compile(
    r"(?<=[^\n]{4})(?<![^A-Za-z][A-Za-z])(?<![^A-Za-z][A-Za-z][)\]])(?<![\ue000-\uf8ff]) -> "
    r"(?=[(\[]?[A-Z][)\]]?(?:(?:, ?| and |、)[(\[]?[A-Z][)\]]?)*[.。]?(?:\n|$))"
)
# "Why not the others?" and what stands below it: reasons against all that was not chosen.
_WHY_NOT = re.compile(
    r"\n[^\w\n]{0,4}(?=[^\n]{0,60}(?:why|not|wrong|incorrect|ruled|reject|exclu|elimin))(?:[a-z']+ ){0,4}the (?:others?"
    r"|rest|remaining|other (?:options|choices|ones|answers|three|two))(?: [a-z']+){0,5}[^\w\n]{0,4}\n.*\Z"
    r"|\n[^\w\n]{0,4}(?:为什么|为何)?(?:不选|排除|不是)?(?:其他|其它|其余)的?(?:选项|答案|各项)?(?:为什么|为何)?"
    r"(?:不选|不对|不正确|错误|不合适|排除)?(?:的?(?:原因|理由))?[^\w\n]{0,4}\n.*\Z",
    re.IGNORECASE | re.DOTALL,
)
# A text without one of these has no such heading.
_HINTS_OF_WHY_NOT = ("the other", "the rest", "the remaining", "其他", "其它", "其余")
# "It's the woman who speaks first".
_CLEFT = re.compile(
    r"(?:^|(?<=[.!?\n] ))It(?:'s| is| was) (?:the |an? )?([\ue000-\uf8ff]) (?=(?:who|which) )",
    re.IGNORECASE | re.M,
)
_LETTER_OR_TEXT = re.compile(r"(?<![A-Za-z])[A-Z](?![A-Za-z])|[\ue000-\uf8ff]")


# "Is A supported? Yes. Is B? No.", "A成立吗？成立。B成立吗？不成立。": questions that are answered.
_ASKED = re.compile(
    r"(?:(?<![A-Za-z])(?:Is|Does|Do|Did|Was|Can|Could) )?(?:[Oo]ption |[Ss]tatement |选项)?"
    r"(?<![A-Za-z])([A-Z\ue000-\uf8ff])(?![A-Za-z])[^?.。\n;]{0,40}\? ?"
    r"(?=(?:[Yy]es|[Nn]o|[Rr]ight|[Ww]rong|[Cc]orrect|[Tt]rue|[Ff]alse|成立|不成立|对|不对|错|是|不是|能|不能|符合|不符合|正确|错误)(?![a-z]))"
)


def _spread_letters(match: re.Match[str]) -> str:
    """Write "ACD" as "A and C and D" where the letters are in order, so that it is no word."""
    letters = match.group()
    return " and ".join(letters) if sorted(set(letters)) == list(letters) else letters


def _name_answer(match: re.Match[str]) -> str:
    """Write "A: B" as "answer: B": with a question before it, or another letter and nothing else behind it."""
    return f"answer: {match['said']}" if match["said"][0].lower() != "a" or match["asked"] else match.group()


def _drop_rejections(marked: str) -> str:
    """Leave out the heading "Why not the others?" and what stands below it, if an option is named above."""
    if not any(map(marked.lower().__contains__, _HINTS_OF_WHY_NOT)):
        return marked
    heading = _WHY_NOT.search(marked)
    return marked[: heading.start()] if heading and _LETTER_OR_TEXT.search(marked[: heading.start()]) else marked


def may_list(marked: str, profile: Profile) -> bool:
    """Whether a text may have the list of all options: every text, or signs between all letters."""
    if _FIRST_TEXT in marked:
        return chr(PLACEHOLDER_BASE + profile.size - 1) in marked or "/" in marked or "|" in marked
    return ("/" in marked or "|" in marked) and marked.count("/") + marked.count("|") >= profile.size - 1


def spread_lists(marked: str, profile: Profile) -> tuple[str, bool]:
    """Write joined letters apart and leave the echoed list of all options out; tell whether there was one."""
    if not profile.letters and (marked[:2] in _ANSWER_MARKS or (marked[:1] in "qQ" and "\n" in marked)):
        marked = _ANSWER_MARK.sub(_name_answer, marked)
    if marked.count("?") > 1 and len(_ASKED.findall(marked)) > 1:
        marked = _ASKED.sub(r"\1: ", marked)
    if "," in marked:
        marked = _AFTER_NUMBER.sub(", ", marked)
    if "\n" in marked:
        marked = drop_explanation(_drop_rejections(marked))
    if " -> " in marked:
        marked = _POINTS_TO.sub(". The answer is ", marked)
    marked = profile.joined.sub(_spread_letters, marked)
    if ("(" in marked or "[" in marked) and any(map(marked.__contains__, _OTHER_HINTS)):
        marked = _OTHERS.sub(r"\1", marked)
    if "hoices" in marked or "ptions" in marked:
        marked = _AMONG_ALL.sub("", marked)
    if "Of " in marked or "Among " in marked or "Between " in marked or "Out of " in marked:
        marked = _OF_THESE.sub("", marked)
    if "leav" in marked or "left" in marked or "narrows" in marked:
        marked = _LEAVING.sub("", marked)
    if ("中" in marked or "里" in marked) and _LISTED_LETTERS.search(marked):
        marked = _OF_THESE_IN_CHINESE.sub("", marked)
    if "and the " in marked or "or the " in marked:
        marked = _THE_NEXT.sub(r"\1 ", marked)
    if " who " in marked or " which " in marked:
        marked = _CLEFT.sub(r"The answer is \1. One ", marked)
    if " it is" in marked:
        marked = _IT_IS.sub(r". The answer is \1", marked)
    if any(map(marked.__contains__, _REST_HINTS)):
        marked = _REJECTED_REST.sub("", marked)
    if "剩" in marked and _ELIMINATED.search(marked):
        marked = _LEFT_OVER.sub(r"\1答案是\2", marked)
    if "or " in marked and " be " in marked.lower():
        marked = _OR_ELSE.sub("or ", marked)
    n_listings = 0
    if may_list(marked, profile):
        marked, n_listings = profile.listing.subn("\n", marked)
    return marked, n_listings > 0
