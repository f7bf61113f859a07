"""Weighing what a response says of each option: how firmly, for or against, and whether it was taken back."""

from dataclasses import dataclass
from typing import NamedTuple

from evaluation.extraction.claims.judgement import ends_line, has_figure, says_of, stands_alone
from evaluation.extraction.claims.mentions import OUTSIDE, Item, Mention
from evaluation.extraction.language.lexicon import KIND, WORD_LISTS, Kind
from evaluation.extraction.language.tokens import Token

PROSE, BARE, CUED, CONCLUDED, FINAL = range(5)


class Statement(NamedTuple):
    """One mention and what is said of it.

    Attributes:
        mention: The options.
        rank: PROSE (in passing), BARE (standing alone), CUED ("the answer is"), CONCLUDED ("therefore the answer
            is") or FINAL ("final answer").
        negated: It is said not to be these.
        tentative: It is supposed, asked or remembered, not said.
        section: How many times the response had taken something back before.
        alone: Nothing else follows on its line.
        opens: It is the first thing on its line.
        identified: It ends a sentence that says what something is: "The language is Portuguese."
        premise: It is a clause of its own from which the next one concludes: "Rain falls, so the answer is B".
    """

    mention: Mention
    rank: int
    negated: bool
    tentative: bool
    section: int
    alone: bool
    opens: bool = False
    premise: bool = False
    identified: bool = False


class Statements(NamedTuple):
    """All statements of a response.

    Attributes:
        statements: In order.
        refused: A refusal stands somewhere.
        retracted: Something was taken back and nothing put in its place.
    """

    statements: list[Statement]
    refused: bool
    retracted: bool


def keep_identified(standing: list[Statement], size: int) -> list[Statement]:
    """Return the statements that say what something is, if the last one does, or else all.

    A statement about all options but one is left out where only that one is named: "The instrument is a viola. The
    flute and the horn are winds."
    """
    single = {frozenset(s.mention.targets) for s in standing if len(s.mention.targets) == 1}
    if len(single) == 1 and any(s.identified and len(s.mention.targets) == 1 for s in standing):
        others = frozenset(range(size)) - single.pop()
        standing = [
            s
            for s in standing
            if s.mention.targets != others or len(others) == 1 or s.mention.problem or s.mention.alternative
        ]
    # "The background is a dog. The foreground is a wolf.": two things are said to be something.
    return [s for s in standing if s.identified] if standing[-1].identified else standing


_MILD_REVISIONS = frozenset({"actually", "其实", "实际上", "apologies"})
_SPEAKERS = frozenset({"i", "i'd", "i'll", "我"})
_OBJECTIONS = frozenset({"不对", "不"})
_ENDS = frozenset({KIND.STOP, KIND.LINE, KIND.QUESTION})
_CLOSES = _ENDS | {KIND.COMMA, KIND.COLON}
_OPEN_ENDS = frozenset({KIND.ANSWER, KIND.IS, KIND.COLON, KIND.CHOOSE, KIND.FINAL, KIND.THEREFORE})
_LIGHT = _OPEN_ENDS | {KIND.FILLER, KIND.NOUN, KIND.CLOSE, KIND.GOOD}
_TURNS = frozenset({KIND.BUT, KIND.THEREFORE, KIND.REVISE})
_CLAUSE_ENDS = _TURNS | {KIND.COMMA, KIND.BREAK}
_FULL = frozenset({KIND.SUBJECT, KIND.ANSWER, KIND.CHOOSE, KIND.GOOD, KIND.WHICH})
_CUES = frozenset({KIND.ANSWER, KIND.CHOOSE, KIND.GOOD, KIND.THEREFORE, KIND.FINAL})
_DOUBTS = frozenset({KIND.NEG, KIND.BAD, KIND.REFUSE, KIND.AMONG, KIND.IF, KIND.BEFORE, KIND.BECAUSE})
_ASIDES, _ASIDE_REACH = frozenset({"when", "until", "once", "whenever"}), 2
_BEFORE_CONCLUSION = frozenset({KIND.COMMA, KIND.BREAK, KIND.STOP, KIND.AND})
_AUXILIARIES = frozenset({"would", "has", "have", "could", "does", "did", "will", "should"})
_HEDGES = frozenset({"could", "might", "may", "perhaps", "maybe", "possibly", "可能", "也许", "或许"})
_INDEFINITE = frozenset({"a", "an"})
_IDENTIFYING_REACH = 4
_TOPIC_PREDICATES = frozenset({KIND.IS, KIND.WORD, KIND.SUBJECT})
_OF_SEVERAL = frozenset({"both", "all", "each", "都", "均"})
_BEFORE_OBJECT, _OBJECT_REACH = frozenset({KIND.FILLER, KIND.NOUN, KIND.COLON}), 4
_LEAVING = WORD_LISTS["LEAVING"]
_CLAIM_ENDS = _ENDS | {KIND.COMMA, KIND.BREAK, KIND.AND, KIND.BUT}
NEGATION_REACH = 5


@dataclass(slots=True)
class _Scope:
    """What is in force at one place of a sentence."""

    answer: bool = False
    therefore: bool = False
    final: bool = False
    negation: int = 0
    supposed: bool = False
    remembered: bool = False
    refused: bool = False
    weighed: bool = False
    reason: bool = False
    bare: bool = True
    named: bool = False
    light: bool = True
    hedged: bool = False
    recalled: bool = False
    first: int = 0
    last: Kind = KIND.LINE

    def end_clause(self, *, turn: bool) -> None:
        """Close a clause; a turn ("but", "therefore") also ends what was supposed or refused."""
        self.negation, self.reason, self.bare, self.named = 0, False, True, False
        self.refused = self.weighed = False
        if turn:
            self.supposed = self.remembered = False

    def rank(self) -> int:
        """How firmly a mention is said here."""
        if self.reason:
            return PROSE
        if self.final:
            return FINAL
        if self.answer:
            return CONCLUDED if self.therefore else CUED
        return CUED if self.therefore else BARE if self.bare else PROSE


class _Reader:
    """Walks once through the items of a response and collects its statements."""

    def __init__(self, items: list[Item], reach: int, judged: bool) -> None:
        self._items = items
        self._reach = reach
        self._judged = judged
        self._scope = _Scope()
        self.statements: list[Statement] = []
        self.section = 0
        self.refused = False
        self.retracted = False

    def read(self) -> Statements:
        for position, item in enumerate(self._items):
            if isinstance(item, Mention):
                self._say(position, item)
                continue
            kind = item.kind
            if kind is KIND.WORD:
                scope = self._scope
                scope.bare = scope.light = False
                scope.negation += scope.negation > 0
                scope.last = kind
            elif kind is KIND.FILLER:
                scope = self._scope
                scope.last = kind
                scope.hedged = scope.hedged or item.text in _HEDGES
                if scope.weighed and scope.named and item.text in _SPEAKERS:
                    scope.refused = scope.weighed = False  # "Out of B and D I would say D."
            elif kind in _ENDS:
                self._end_sentence(kind)
            else:
                self._note(position, item)
        return Statements(self.statements, self.refused, self.retracted)

    def _say(self, position: int, mention: Mention) -> None:
        scope = self._scope
        good, against = says_of(self._items, position) if self._judged else (False, False)
        rank = scope.rank()
        if rank == BARE and not (stands_alone(self._items, position) or (good and against)):
            passing = mention.from_text or mention.weak or good or against or self._is_topic(position)
            rank = PROSE if passing else BARE
        if good and not against and not scope.reason and OUTSIDE not in mention.targets:
            rank = max(rank, CUED)
        # A negation beyond its reach is too far away to deny and too near to ignore.
        far = scope.negation > self._reach
        tentative = scope.supposed or scope.remembered or scope.refused or far or (good and against)
        tentative = tentative or (rank == BARE and has_figure(self._items, position))
        negated = (0 < scope.negation <= self._reach) or (against and not good)
        tentative = tentative or bool(scope.negation and against) or (rank == PROSE and self._is_aside(position))
        self.statements.append(
            Statement(
                mention,
                rank,
                negated,
                tentative,
                self.section,
                ends_line(self._items, position),
                self._opens_line(position),
                self._is_premise(position, rank),
                rank == PROSE and self._is_identified(position),
            )
        )
        if not negated and not tentative:
            self.retracted = False
            if not scope.reason:
                scope.answer = scope.therefore = scope.final = False
        following = self._items[position + 1] if position + 1 < len(self._items) else None
        # "A B": the second letter stands as bare as the first.
        scope.bare = scope.bare and isinstance(following, Mention)
        scope.named, scope.light = True, False

    def _opens_line(self, position: int) -> bool:
        before = self._items[position - 1] if position else None
        return before is None or (isinstance(before, Token) and before.kind is KIND.LINE)

    def _is_identified(self, position: int) -> bool:
        following = self._items[position + 1] if position + 1 < len(self._items) else None
        if following is not None and not (
            isinstance(following, Token) and (following.kind in _CLAIM_ENDS or following.text == "first")
        ):
            return False
        for item in reversed(self._items[max(0, position - _IDENTIFYING_REACH) : position]):
            if isinstance(item, Mention) or not (item.kind is KIND.FILLER or item.text in _INDEFINITE):
                return isinstance(item, Token) and item.kind is KIND.IS
        return False

    def _is_premise(self, position: int, rank: int) -> bool:
        if rank != BARE:
            return False
        following = self._items[position + 1 : position + 3]
        if len(following) == 2 and isinstance(following[0], Token) and following[0].kind in _BEFORE_CONCLUSION:
            following = following[1:]
        return bool(following) and isinstance(following[0], Token) and following[0].kind is KIND.THEREFORE

    def _is_topic(self, position: int) -> bool:
        """Whether a sentence goes on about letters, "C is close, but …", "A and B both need …", and chooses none."""
        following = self._items[position + 1]
        if isinstance(following, Token) and following.text in _OF_SEVERAL and position + 2 < len(self._items):
            following = self._items[position + 2]
        return isinstance(following, Token) and (following.kind in _TOPIC_PREDICATES or following.text in _AUXILIARIES)

    def _is_aside(self, position: int) -> bool:
        """Whether a mention stands in a clause that only tells when: "it stops when the rain begins"."""
        for item in reversed(self._items[max(0, position - _ASIDE_REACH) : position]):
            if isinstance(item, Token) and item.kind in _ENDS:
                return False  # "It rings only once. C": the word belongs to the sentence before.
            if isinstance(item, Token) and item.text in _ASIDES:
                return True
        return False

    def _end_sentence(self, end: Kind) -> None:
        scope = self._scope
        if end is KIND.QUESTION:
            self._doubt_since(PROSE, CUED, CONCLUDED, FINAL)
        fresh = _Scope(first=len(self.statements), last=end)
        # "The answer is:" or "### Final answer" and then, on a line of its own, the answer.
        if scope.light or (end is KIND.LINE and scope.last in _OPEN_ENDS):
            fresh.answer, fresh.therefore, fresh.final = scope.answer, scope.therefore, scope.final
        self._scope = fresh

    def _doubt_since(self, *ranks: int) -> None:
        """Make the statements of this sentence that have one of these ranks tentative."""
        for position in range(self._scope.first, len(self.statements)):
            statement = self.statements[position]
            asked = statement.mention.alternative and len(ranks) > 2  # "C or D? … D."
            if statement.rank in ranks or asked:
                self.statements[position] = statement._replace(tentative=True)

    def _note(self, position: int, token: Token) -> None:
        scope, kind = self._scope, token.kind
        if kind is KIND.NO:
            kind = KIND.REVISE if self._opens(position) else KIND.NEG
        if kind is KIND.BAD and self._judged and scope.last is KIND.QUESTION and self._opens(position):
            kind = KIND.REVISE  # "D? Wrong, there are no wheels. A."
        if (kind is KIND.NEG or kind is KIND.BAD) and token.text in _OBJECTIONS and self._objects(position):
            kind = KIND.REVISE  # "选A。不对，应该是C。"
        if kind is KIND.NEG and self._takes_back(position):
            self.retracted = True
        if kind is KIND.BUT and scope.hedged:
            self._doubt_since(PROSE, BARE)  # "It could be B, but …".
            scope.hedged = False
        if kind is KIND.COLON and (scope.named or scope.negation > 1):
            scope.negation = 0  # "Not sad: angry".
        if kind in _CLAUSE_ENDS:
            weighed = scope.refused and kind is KIND.COMMA and scope.last is KIND.AMONG
            scope.end_clause(turn=kind in _TURNS or token.text == ";")
            scope.refused = scope.weighed = weighed  # "Two candidates, A and D".
        if kind in _CUES:
            if token.text == "right one" and any(type(item) is Token and item.text == "left" for item in self._items):
                scope.bare = False  # "The left one is a dog, the right one is a wolf."
            elif token.text not in _LEAVING or self._names_next(position):
                self._note_cue(kind, token)
        elif kind in _DOUBTS:
            self._note_doubt(kind)
            if token.text == "than":
                self._doubt_since(PROSE)
        elif kind is KIND.REVISE:
            self._note_revision(token)
        if kind in _FULL:
            scope.bare = False
        scope.light = scope.light and kind in _LIGHT
        scope.last = kind

    def _note_revision(self, token: Token) -> None:
        if self._scope.recalled and token.text in _MILD_REVISIONS:
            return  # "At first I took it for a violin, but it is actually a fiddle": no answer is taken back.
        self.section += 1
        self.retracted = self.retracted or (bool(self.statements) and token.text not in _MILD_REVISIONS)
        self._scope.answer = self._scope.therefore = self._scope.final = False

    def _opens(self, position: int) -> bool:
        """Whether a "no" stands alone at the start of a clause: it takes back, it does not deny a noun."""
        return self._scope.bare and self._ends_clause(position)

    def _objects(self, position: int) -> bool:
        """Whether a clause of one word objects to the option said before."""
        said = self._judged and bool(self.statements) and not self.statements[-1].negated
        return said and self._opens(position)

    def _names_next(self, position: int) -> bool:
        """Whether a verb such as "leaves" has a mention as its object."""
        for item in self._items[position + 1 : position + 1 + _OBJECT_REACH]:
            if isinstance(item, Mention):
                return True
            if item.kind not in _BEFORE_OBJECT and item.text != "us":
                return False
        return False

    def _ends_clause(self, position: int) -> bool:
        following = self._items[position + 1] if position + 1 < len(self._items) else None
        return following is None or (isinstance(following, Token) and following.kind in _CLOSES)

    def _takes_back(self, position: int) -> bool:
        """Whether a "not" is all that its clause says of the mention before: "B, but not really", "left? Hardly."."""
        scope = self._scope
        if not self._judged or not self.statements or self.statements[-1].negated or not scope.bare:
            return False
        if len(self.statements) > scope.first:
            return self._ends_clause(position)
        # A sentence with words of its own denies what they say.
        following = self._items[position + 1] if position + 1 < len(self._items) else None
        return scope.light and (following is None or (isinstance(following, Token) and following.kind in _ENDS))

    def _note_cue(self, kind: Kind, token: Token) -> None:
        scope = self._scope
        if kind is KIND.CHOOSE and scope.weighed:
            scope.refused = scope.weighed = False  # "Between B and C I lean towards C."
        if kind is KIND.THEREFORE:
            scope.therefore = True
        elif kind is KIND.FINAL:
            scope.final = True
        elif kind is not KIND.GOOD or (not scope.named and token.text != "right"):
            scope.answer = True
        if kind is KIND.ANSWER and not self._judged and scope.negation > 1:
            scope.negation = 0  # "It does not stop, and the statement is true": the denial was of something else.

    def _note_doubt(self, kind: Kind) -> None:
        scope = self._scope
        if kind is KIND.NEG or (kind is KIND.BAD and not scope.named):
            scope.negation = 1
        elif kind is KIND.REFUSE or kind is KIND.AMONG:
            scope.weighed = kind is KIND.AMONG and (scope.weighed or not scope.refused)
            scope.refused = True
            self.refused = self.refused or kind is KIND.REFUSE
        elif kind is KIND.IF:
            scope.supposed = True
        elif kind is KIND.BEFORE:
            scope.remembered = scope.recalled = True
        elif kind is KIND.BECAUSE:
            scope.reason = True


def collect_statements(items: list[Item], *, reach: int = NEGATION_REACH, judged: bool = True) -> Statements:
    """Read the items once, in order, and return what is said of everything mentioned.

    Args:
        items: Tokens and mentions.
        reach: How many ordinary words may stand between "not" and what it denies.
        judged: Whether words behind a mention ("B is wrong") speak for or against it; false where the mentions are
            such words themselves.
    """
    return _Reader(items, reach, judged).read()


def differ_in_part(statements: list[Statement]) -> bool:
    """Whether two sets differ and share members: "The answers are B and C. I choose B and D."."""
    sets = {statement.mention.targets for statement in statements if len(statement.mention.targets) > 1}
    return len(sets) > 1 and any(one & other and one - other and other - one for one in sets for other in sets)
