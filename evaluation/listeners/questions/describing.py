"""Open questions: a plain description of the events with time, duration, direction and pitch."""

from evaluation.listeners.answer_texts import Perception
from evaluation.listeners.hearing.onsets import hear_onsets
from evaluation.listeners.hearing.pitch import strongest_partial
from evaluation.listeners.hearing.segments import SoundEvent, cut
from evaluation.listeners.listener_types import Sound
from evaluation.listeners.questions.listening_task import ListeningTask

_MAX_EVENTS = 6
_PURE = 0.3
_SIDE_SECONDS, _SIDE_DB = 8e-5, 3.0


def answer_openly(task: ListeningTask) -> Perception | None:
    """Describe the audio, for questions without a measurable answer."""
    if task.question.form != "open" or len(task.ears) != 1:
        return None
    events, chinese = task.ears[0].events, task.question.is_chinese
    if not events:
        return Perception("我什么也没有听到" if chinese else "I hear nothing")
    sentences = [_describe_event(task.ears[0].sound, event, chinese=chinese) for event in events[:_MAX_EVENTS]]
    if chinese:
        return Perception(
            f"我只能描述听到的声音，共{len(events)}段：{'；'.join(sentences)}。它们意味着什么，我无法确定"
        )
    return Perception(
        f"I can only describe what I hear, {len(events)} in number: {'; '.join(sentences)}. "
        "What it means, I cannot tell"
    )


def _describe_event(sound: Sound, event: SoundEvent, *, chinese: bool) -> str:
    piece = cut(sound, event.begin, event.end)
    partial, purity = strongest_partial(piece)
    side = _side(piece)
    if chinese:
        pitch = f"音高约{partial:.0f}赫兹" if purity > _PURE else "没有明确的音高"
        where = {-1: "在左侧", 0: "在中间", 1: "在右侧", None: ""}[side]
        return f"第{event.begin:.1f}秒起持续{event.seconds:.1f}秒{where}，{pitch}"
    pitch = f"at about {partial:.0f} Hz" if purity > _PURE else "without a clear pitch"
    where = {-1: " on the left", 0: " in the middle", 1: " on the right", None: ""}[side]
    return f"from {event.begin:.1f} s for {event.seconds:.1f} s{where}, {pitch}"


def _side(piece: Sound) -> int | None:
    """Return −1 for left, 1 for right, 0 for the middle; None if unknown."""
    direct = hear_onsets(piece) if len(piece.samples) else None
    if direct is None or direct.delay is None or direct.level_differences is None:
        return None
    tendency = direct.delay / _SIDE_SECONDS + float(direct.level_differences[direct.heard_bands].mean()) / _SIDE_DB
    return 0 if abs(tendency) < 1.0 else 1 if tendency > 0 else -1
