"""The two systems that analyse what they hear: with both ears, or with the average of all channels."""

from collections.abc import Callable, Sequence

from evaluation.listeners.answer_texts import Perception, give_up, say
from evaluation.listeners.critic import is_process_prompt, judge_trace
from evaluation.listeners.draws import draw
from evaluation.listeners.ears import EarsMemory
from evaluation.listeners.listener_types import Heard
from evaluation.listeners.prompt import understand
from evaluation.listeners.questions.counting import answer_count
from evaluation.listeners.questions.describing import answer_openly
from evaluation.listeners.questions.listening_task import ListeningTask, find_way_out
from evaluation.listeners.questions.motion_questions import answer_motion
from evaluation.listeners.questions.ordering import answer_order
from evaluation.listeners.questions.room_questions import answer_place, answer_two_places
from evaluation.listeners.questions.scene_questions import answer_approach, answer_nearer_of_two, answer_sides
from evaluation.listeners.questions.tone_questions import answer_comparison_within, answer_half

Family = Callable[[ListeningTask], Perception | None]

FAMILIES: tuple[Family, ...] = (
    answer_order,
    answer_motion,
    answer_half,
    answer_approach,
    answer_sides,
    answer_two_places,
    answer_comparison_within,
    answer_nearer_of_two,
    answer_place,
    answer_count,
    answer_openly,
)
"""Kinds of questions, in the order in which they are tried: the first that understands a prompt answers it."""

# Twenty clips of six seconds at 16 kHz, or forty seconds at 48 kHz.
_REMEMBERED_SAMPLES = 4_000_000


class AnalysingListener:
    """Understands the question by its words and answers it from an analysis of the samples.

    Attributes:
        id: Name under which it is asked.
        title: Name on the page.
        both_ears: Whether it hears with two ears; otherwise it hears the average of the channels.
    """

    def __init__(self, listener_id: str, title: str, *, both_ears: bool) -> None:
        self.id = listener_id
        self.title = title
        self.both_ears = both_ears
        self._memory = EarsMemory(_REMEMBERED_SAMPLES)

    def answer(self, heard: Sequence[Heard], seed: int = 0) -> str:
        """Answer a prompt in words.

        Args:
            heard: Texts and sounds, in the order of the prompt.
            seed: Decides between answers that cannot be told apart.
        """
        if is_process_prompt(heard):
            return judge_trace(heard, mono=not self.both_ears)
        question = understand(heard)
        ears = tuple(self._memory.recall(sound, both_ears=self.both_ears) for sound in question.sounds)
        asked = ListeningTask(question, ears, draw(heard, seed))
        for family in FAMILIES:
            finding = family(asked)
            if finding is not None:
                return say(question, finding)
        way_out = find_way_out(question.options)
        return give_up(question, None if way_out is None else question.options[way_out])
