"""Tone questions: presence and time of a tone; which of two tones is higher, louder or longer."""

import numpy as np

from evaluation.listeners.answer_texts import Perception
from evaluation.listeners.hearing.frames import cut_frames
from evaluation.listeners.hearing.levels import level_db
from evaluation.listeners.hearing.pitch import CLEAR, strongest_partial, track_pitch
from evaluation.listeners.hearing.segments import SoundEvent, cut, split_in_two
from evaluation.listeners.listener_types import Sound
from evaluation.listeners.questions.comparing import THRESHOLDS, choose_rank, find_attribute
from evaluation.listeners.questions.listening_task import ListeningTask, is_unknown_option
from evaluation.listeners.words import Wording

_HALVES = Wording("half | halves | 前半 | 后半 | 一半")
_IN_FIRST = Wording("first | 1st | earlier | beginning | 前半 | 前一半")
_IN_SECOND = Wording("second | 2nd | later | latter | 后半 | 后一半")
_NOWHERE = Wording(
    "neither | no half | not present | absent | not at all | nowhere | none | no sound | "
    "no tone | no beep | never | isn't | is not | not there | 没有 | 都没有 | 不存在"
)
_EVERYWHERE = Wording("both | throughout | 两半 | 都有")


def answer_half(task: ListeningTask) -> Perception | None:
    """Answer in which half of a recording something is audible."""
    question = task.question
    if len(task.ears) != 1 or not question.options or not _HALVES.found_in(question.all_words):
        return None
    sound = task.ears[0].sound
    events = task.ears[0].events
    middle = 0.5 * len(sound.samples) / sound.rate
    weights = [sum(_energy(event) for event in events if (event.middle >= middle) == late) for late in (False, True)]
    if not events:
        half, heard = _NOWHERE, "I hear nothing in either half"
    elif min(weights) > 0.25 * max(weights):
        half, heard = _EVERYWHERE, "I hear something in both halves"
    else:
        late = weights[1] > weights[0]
        half, heard = (_IN_SECOND if late else _IN_FIRST), f"I hear it in the {'second' if late else 'first'} half"
    for place, option in enumerate(question.options):
        if not is_unknown_option(option.text) and _part_of(option.text) is half:
            return Perception(heard, (place,))
    return None


def _part_of(option: str) -> Wording | None:
    kinds = (_NOWHERE, _EVERYWHERE, _IN_FIRST, _IN_SECOND)
    return next((wording for wording in kinds if wording.found_in(option)), None)


def _energy(event: SoundEvent) -> float:
    return float(event.seconds * 10.0 ** (event.level_db / 10.0))


def answer_comparison_within(task: ListeningTask) -> Perception | None:
    """Answer which of two sounds has more of an attribute: within one recording, or of two recordings."""
    attribute = find_attribute(task.question.text) or find_attribute(task.question.all_words)
    if attribute is None or attribute.name not in ("pitch", "loudness", "duration") or not task.question.options:
        return None
    pair = _find_pair(task)
    if pair is None:
        return None
    measure = {"pitch": _pitch_cents, "loudness": _loudness_db, "duration": _log_duration}[attribute.name]
    first, second = (measure(sound, events) for sound, events in pair)
    if first is None or second is None:
        return None
    threshold = THRESHOLDS[attribute.name]
    return choose_rank(
        task, attribute, first - second, np.log1p(threshold) if attribute.name == "duration" else threshold
    )


def _find_pair(
    task: ListeningTask,
) -> tuple[tuple[Sound, tuple[SoundEvent, ...]], tuple[Sound, tuple[SoundEvent, ...]]] | None:
    """Return two sounds with their events, or None if there are not two."""
    if len(task.ears) == 2:
        first, second = task.ears
        return ((first.sound, first.events), (second.sound, second.events)) if first.events and second.events else None
    if len(task.ears) != 1:
        return None
    before, after = split_in_two(task.ears[0].events)
    sound = task.ears[0].sound
    return ((sound, before), (sound, after)) if before and after else None


def _pitch_cents(sound: Sound, events: tuple[SoundEvent, ...]) -> float | None:
    """Return the pitch of the longest event, in cents above 1 Hz."""
    event = max(events, key=lambda event: event.seconds)
    piece = cut(sound, event.begin, event.end)
    partial, purity = strongest_partial(piece)
    if purity < 0.8:
        pitch, periodicity = track_pitch(cut_frames(piece))
        clear = periodicity > CLEAR
        partial = float(np.median(pitch[clear])) if clear.any() else partial
    return 1200.0 * float(np.log2(partial)) if partial > 0 else None


def _loudness_db(sound: Sound, events: tuple[SoundEvent, ...]) -> float | None:
    """Return the level of the loudest event without its edges."""
    event = max(events, key=lambda event: event.level_db)
    edge = 0.2 * event.seconds
    return level_db(cut(sound, event.begin + edge, event.end - edge).samples)


def _log_duration(sound: Sound, events: tuple[SoundEvent, ...]) -> float | None:  # noqa: ARG001 - measures have one form
    """Return the logarithm of the time from the first start to the last end."""
    seconds = events[-1].end - events[0].begin
    return float(np.log(seconds)) if seconds > 0 else None
