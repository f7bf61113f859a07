"""Lists of options in another language than theirs: "可以听到打鼾声和时钟的滴答声", of "Snoring" and "A clock ticking".

A list with a member that is not understood chooses nothing: the member may be a further option.
"""

import re

from evaluation.extraction.language.glossary import CONCEPT, differs_in_script, translate
from evaluation.extraction.language.normalize import clean
from evaluation.extraction.language.spelling import lower
from evaluation.extraction.language.symbols import ARTICLE_OR_I, CAPITAL
from evaluation.extraction.language.units import is_negative
from evaluation.extraction.option_texts.options import PreparedOptions

_SENTENCE_END = re.compile(r"[.!?。;\n]+")
_MEMBER_END = re.compile(
    r"(、|和|与|以及|及|还有|[并而]?且|并|同时|(?:首先|先|然后|随后|接着|最后)是?|[,:] ?(?:and |but )?"
    r"|(?<![a-z])(?:and|or|nor|while|plus|as well as|together with)(?![a-z]))"
)
# What joins a further member to a denial, and what starts a claim behind it.
_JOINS = frozenset({"、", "和", "与", "以及", "及", "and", "or", "nor"})
_CLAIMS = re.compile(r"\s*(?:只?有|而是|但|是|可以|能|but|it is|it's|there (?:is|are)|(?:i|you|we) (?:can )?hear)")
# What introduces such a list, and what follows it.
_AUDIO, _OF_SOUNDS = r"(?:audio|recording|clip|background)", r"(?: the sounds? of)?"
_HEAD = re.compile(
    r"(?:答案(?:应该|就)?[是为:]|正确(?:答案|选项)[是为:]"
    r"|(?:在?(?:这段|该|整段)?(?:音频|录音|背景|片段|声音|歌曲|乐曲|音乐|歌)(?:中|里面?|当中)?)?"
    r"(?:我?(?:可以|能够?|主要|依次|同时|分别|一共|总共)*"
    r"(?:听[到见出]|出现|包含|包括|使用|用到|融合|传来|有|存在|是)了?)+(?:的?声音?有)?"
    r"|(?:the )?(?:(?:correct )?answers?|sounds?|options?|instruments?|animals?) (?:heard |present )?"
    rf"(?:are|is){_OF_SOUNDS}"
    rf"|(?:in (?:the|this) {_AUDIO},? )?(?:i|you|we) (?:can |could |clearly )*hear{_OF_SOUNDS}"
    rf"|(?:the |this )?(?:{_AUDIO}|song|music|it) (?:contains|includes|features|has){_OF_SOUNDS}"
    r"|there (?:is|are)|it is|it's|these are)[ :]*"
)
_TAIL = re.compile(
    r"(?:的(?:声音|声响|叫声|声)|声[音响]|[两二三四0-9几]?[种个类](?:声音|乐器|动物|风格)?"
    rf"|(?:can|could) be heard|(?:are|is) (?:heard|present)|in (?:the|this) {_AUDIO})[ 。.]*\Z"
)
_LIGHT = re.compile(
    r"\s|声音?|一[只个阵段声位名]|正在|可以听到|听到|有人|[的地着了在有个也都是]"
    r"|(?<![a-z])(?:the|an?|sounds?|of|is|are|someone|somebody|some|being|playing|heard)(?![a-z])"
)
# "The rain stops" says more than rain.
_STATED = re.compile(
    r"(?<![a-z])(?:not?|none|nobody|without|never|stop[a-z]*|start[a-z]*|falls?|fell|open[a-z]*|clos[a-z]*)(?![a-z])|n't"
    "|没|无|不|停|开始"
)
_OPEN = re.compile(
    r"(?<![a-z])(?:or|maybe|perhaps|might|may|if|whether|either|except|besides|apart)(?![a-z])|或|可能|也许|如果|除"
)
# A word with a character behind it that may make a longer one: "雨" in "雨伞".
_IN_WORD = re.compile(f"{CONCEPT.pattern} +(?![的声叫在了也都正是着很加响开进出])(?=[\u4e00-\u9fff])")


def _translate_words(words: str) -> frozenset[str]:
    return frozenset(map(translate, words.split()))


_CALL_CONCEPTS = _translate_words(
    "bark meow chirp honk quack croak neigh moo bleat crowing cluck grunt roar howl buzz hoot caw coo bray ring tick"
    " noise siren engine music alarm horn hum purr hiss"
)
_SOUND_CONCEPTS = _CALL_CONCEPTS | _translate_words(
    "cry laugh cough sneeze snore clap cheer speech sing footstep knock"
)
# Such options say what another one leaves out.
_LIMITED = re.compile(r"(?<![a-z])(?:only|both|neither|none|all|just)(?![a-z])|只有|仅|都|两者|全部")
_LONGEST, _FEWEST = 120, 2


def read_translated_list(response: str, prepared: PreparedOptions) -> frozenset[int] | None:
    """Return the options that a response lists in another language than theirs.

    Args:
        response: As it was written.
        prepared: The options.

    Returns:
        Their positions, none where a member of the list is not understood; None where the response is no such list.

    >>> from evaluation.extraction.option_texts.options import prepare
    >>> sorted(read_translated_list("可以听到雨声和雷声。", prepare(("wind", "rain", "thunder"))))
    [1, 2]
    >>> read_translated_list("雨声和敲木鱼的声音", prepare(("wind", "rain", "thunder")))
    frozenset()
    """
    if len(response) > _LONGEST or prepared.profile.letters or CAPITAL.search(ARTICLE_OR_I.sub("", response)):
        return None
    lowered, texts = lower(clean(response)), prepared.texts
    if not differs_in_script(lowered, texts) or any(text in lowered or _LIMITED.search(text) for text in texts):
        return None
    known = [frozenset(CONCEPT.findall(translate(text))) for text in texts]
    sentences = [_drop_introduction(sentence.strip()) for sentence in _SENTENCE_END.split(lowered)]
    sentences = [each for each in sentences if each and (not is_negative(each) or _MEMBER_END.search(each))]
    if len(sentences) != 1:
        return None
    pieces = _list_claimed(sentences[0])
    if pieces is None:
        return frozenset()
    if len(pieces) < _FEWEST:
        return None
    said, edges = frozenset(CONCEPT.findall(translate(lowered))), {0, len(pieces) - 1}
    found = [_find_member(piece, known, said, at_edge=place in edges) for place, piece in enumerate(pieces)]
    places = frozenset(place for place in found if place is not None)
    if not places:
        return None
    claimed = frozenset(CONCEPT.findall(translate(" ; ".join(pieces))))
    others = [concepts for place, concepts in enumerate(known) if place not in places and concepts]
    if _OPEN.search(lowered) or any(concepts <= claimed for concepts in others):
        return frozenset()
    for piece, place in zip(pieces, found, strict=True):
        if place is None:
            return frozenset()
        missing, is_stated = known[place] - said, _STATED.search(texts[place]) is not None
        if len(missing) >= _FEWEST or (is_stated and missing) or (not is_stated and _STATED.search(piece)):
            return frozenset()
    return places if len(places) == len(pieces) else None


def _list_claimed(sentence: str) -> list[str] | None:
    """The members of a list that it does not deny; None where a denial may reach further than its member."""
    first, *others = _MEMBER_END.split(sentence)
    claimed: list[str] = []
    is_denied = False
    for joint, piece in [("", first), *zip(others[::2], others[1::2], strict=True)]:
        if not piece.strip():
            continue
        if is_negative(piece):
            is_denied = True
            continue
        if is_denied and _CLAIMS.match(piece) is None and "but" not in joint:
            if joint.strip() not in _JOINS:
                return None
            continue
        is_denied = False
        claimed.append(_TAIL.sub("", piece.strip()))
    return [piece for piece in claimed if piece]


def _drop_introduction(sentence: str) -> str:
    head = _HEAD.match(sentence)
    return sentence[head.end() :].strip() if head is not None else sentence


def _find_member(piece: str, known: list[frozenset[str]], said: frozenset[str], *, at_edge: bool) -> int | None:
    """The one option whose concepts a piece has, or that alone has those of the piece.

    At the edge of the list, the piece may have words of the sentence around it. The concepts that it shares with the
    other members, "男人和女人的说话声", are among all that is said.
    """
    written = translate(piece)
    named = frozenset(CONCEPT.findall(_IN_WORD.sub(" ", written)))
    if not named or (not at_edge and _LIGHT.sub("", CONCEPT.sub("", written))):
        return None
    whole = [place for place, concepts in enumerate(known) if concepts and concepts <= named]
    # "哭声" is "Baby crying", but "风扇" is not "Fans cheering".
    part = [
        place
        for place, concepts in enumerate(known)
        if named <= concepts and (named <= _SOUND_CONCEPTS or concepts - named <= _CALL_CONCEPTS)
    ]
    shared = [place for place, concepts in enumerate(known) if concepts & named and concepts <= said]
    places = whole or part or shared
    return places[0] if len(places) == 1 else None
