"""Random guessing without listening: the lower bound of every score."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.listeners.answer_texts import Perception, phrase_answer
from evaluation.listeners.draws import make_generator
from evaluation.listeners.listener_types import Heard
from evaluation.listeners.prompt import PromptQuestion, parse_prompt
from evaluation.types import GUESSED_ERROR_RATE

_GUESSES = ("I hear something that I cannot name", "Something happens once, and then it is quiet", "It is hard to say")
_GUESSES_CHINESE = ("我听到了一些说不出名字的声音", "有什么事情发生了一次，然后安静下来", "很难说")


@dataclass(frozen=True, slots=True)
class ChanceListener:
    """Guesses uniformly among the offered answers; the same prompt and seed give the same guess."""

    id: str = "earshot-chance"
    title: str = "Earshot chance"

    def answer(self, heard: Sequence[Heard], seed: int = 0) -> str:
        """Answer a prompt with text.

        Args:
            heard: Texts and clips, in the order of the prompt.
            seed: Seed of the guess, combined with the whole prompt.
        """
        question = parse_prompt(heard)
        rng = make_generator(heard, seed)
        if question.form == "steps":
            flags = rng.random(question.n_steps) < GUESSED_ERROR_RATE
            return f"[{', '.join('true' if flag else 'false' for flag in flags)}]"
        if question.form == "choices":
            ticked = [place for place in range(len(question.options)) if rng.random() < 1 / 2]
            choices = tuple(ticked) or (int(rng.integers(len(question.options))),)
            return phrase_answer(question, Perception(_guess_of(question), choices))
        if question.form == "choice":
            return phrase_answer(question, Perception(_guess_of(question), (int(rng.integers(len(question.options))),)))
        if question.form == "boolean":
            return phrase_answer(question, Perception(_guess_of(question), truth=bool(rng.integers(2))))
        guesses = _GUESSES_CHINESE if question.is_chinese else _GUESSES
        return phrase_answer(question, Perception(guesses[int(rng.integers(len(guesses)))]))


def _guess_of(question: PromptQuestion) -> str:
    return "我是猜的" if question.is_chinese else "I am guessing"
