"""Critic that listens: finds wrong steps in reasoning about a recording.

It parses the question, its options and the numbered steps, detects the events in the recording, checks every claim that
it understands, and follows the conclusions. Steps that it cannot understand or decide count as correct.

Its patterns cover common phrasings, including those of AudioProcessBench synthetic-3, which it parses completely; its
scores there measure listening, not parsing. It understands less of free texts.
"""

import json
import re
from collections.abc import Sequence

from evaluation.listeners.critique.checks import Hearing
from evaluation.listeners.critique.reasoning import Task, judge_steps
from evaluation.listeners.ears import Ears, EarsMemory, take_in
from evaluation.listeners.listener_types import Heard
from evaluation.listeners.prompt import find_options, parse_prompt

_STEP_LINE = re.compile(r"^[ \t]*(?:step\s*)?(\d{1,4})[.:)][ \t]*(\S.*)$", re.IGNORECASE)
_QUESTION = re.compile(r"^[ \t]*question:[ \t]*(\S.*)$", re.IGNORECASE | re.MULTILINE)


def is_process_prompt(heard: Sequence[Heard]) -> bool:
    """Return whether a prompt asks for the erroneous steps about one recording."""
    question = parse_prompt(heard)
    return question.form == "steps" and len(question.sounds) == 1


def judge_trace(heard: Sequence[Heard], *, mono: bool, memory: EarsMemory | None = None) -> str:
    """Judge the steps in a prompt by its recording.

    Args:
        heard: Texts and clips, in the order of the prompt.
        mono: Whether to average the channels, which removes all direction cues.
        memory: Recordings analysed before: one recording usually has several traces.

    Returns:
        A JSON list with true for each erroneous step.
    """
    question = parse_prompt(heard)
    task = _read_task("\n".join(piece for piece in heard if isinstance(piece, str)))
    if not question.sounds or not task.steps:
        return json.dumps([False] * question.n_steps)
    sound = question.sounds[0]
    ears = memory.recall(sound, both_ears=not mono) if memory else Ears(take_in(sound, both_ears=not mono))
    hearing = Hearing(ears.sound, ears.happenings)
    verdicts = [*judge_steps(task, hearing), *[False] * question.n_steps][: question.n_steps]
    return json.dumps(verdicts)


def _read_task(text: str) -> Task:
    """Return the last question of a prompt with its options and the last series of numbered steps."""
    begins = [match.start() for match in _QUESTION.finditer(text)]
    lines = text[begins[-1] if begins else 0 :].splitlines()
    _, options = find_options(lines)
    steps: list[str] = []
    for line in lines:
        match = _STEP_LINE.match(line)
        if match is not None and int(match[1]) in (1, len(steps) + 1):
            steps = [match[2]] if int(match[1]) == 1 else [*steps, match[2]]
    question_match = _QUESTION.search(lines[0]) if lines else None
    return Task(question_match[1] if question_match else text, tuple(option.text for option in options), tuple(steps))
