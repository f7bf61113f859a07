"""The two analysing systems: one with both ears, one with the mean of all channels."""

from collections.abc import Callable, Sequence

from evaluation.listeners.answer_texts import Perception, phrase_answer, phrase_unknown
from evaluation.listeners.critic import is_process_prompt, judge_trace
from evaluation.listeners.draws import make_generator
from evaluation.listeners.ears import EarsMemory
from evaluation.listeners.listener_types import Heard
from evaluation.listeners.prompt import parse_prompt
from evaluation.listeners.questions.counting import answer_count
from evaluation.listeners.questions.describing import answer_openly
from evaluation.listeners.questions.listening_task import ListeningTask, find_unknown_option
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
"""Question families in the order of trial: the first that understands a prompt answers it."""

# Twenty clips of six seconds at 16 kHz, or forty seconds at 48 kHz.
_REMEMBERED_SAMPLES = 4_000_000


class AnalysingListener:
    """Interprets the question by its words and answers it from an analysis of the samples.

    Attributes:
        id: Model ID.
        title: Name on the page.
        both_ears: Whether it uses two channels; otherwise it uses their mean.
    """

    def __init__(self, listener_id: str, title: str, *, both_ears: bool) -> None:
        self.id = listener_id
        self.title = title
        self.both_ears = both_ears
        self._memory = EarsMemory(_REMEMBERED_SAMPLES)

    def answer(self, heard: Sequence[Heard], seed: int = 0) -> str:
        """Answer a prompt with text.

        Args:
            heard: Texts and clips, in the order of the prompt.
            seed: Breaks ties between equally good answers.
        """
        if is_process_prompt(heard):
            return judge_trace(heard, mono=not self.both_ears, memory=self._memory)
        question = parse_prompt(heard)
        ears = tuple(self._memory.recall(sound, both_ears=self.both_ears) for sound in question.sounds)
        task = ListeningTask(question, ears, make_generator(heard, seed))
        for family in FAMILIES:
            finding = family(task)
            if finding is not None:
                return phrase_answer(question, finding)
        unknown = find_unknown_option(question.options)
        return phrase_unknown(question, None if unknown is None else question.options[unknown])
