"""Counting questions: the number of events with a sudden onset."""

import re

import numpy as np

from evaluation.listeners.answer_texts import Perception
from evaluation.listeners.hearing.levels import THRESHOLD_OF_HEARING_DB, decibels, envelope
from evaluation.listeners.listener_types import Sound
from evaluation.listeners.questions.listening_task import ListeningTask, is_unknown_option
from evaluation.listeners.words import NUMBER_WORDS, Wording, plain

_ASKS = Wording(
    "how many | how often | number of | count | what time is it | o'clock | "
    "几次 | 几下 | 几声 | 几点 | 多少次 | 多少下 | 多少声 | 次数 | 个数"
)
_TIMES = {"never": 0, "once": 1, "twice": 2, "thrice": 3}
_CHINESE_NUMBERS = {"一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
_CHINESE_COUNT = re.compile(r"(十[一二]?|[一两二三四五六七八九])(?:次|下|声|点|个|位|遍)")
_RISE_DB, _RANGE_DB = 8.0, 25.0
_STEP_SECONDS = 0.01


def answer_count(task: ListeningTask) -> Perception | None:
    """Answer how often something happens."""
    if len(task.ears) != 1 or not _ASKS.found_in(task.question.text):
        return None
    offered = {
        place: read_count(option.text)
        for place, option in enumerate(task.question.options)
        if not is_unknown_option(option.text)
    }
    counts = {place: count for place, count in offered.items() if count is not None}
    n_beginnings = count_beginnings(task.ears[0].sound)
    heard = f"我听到了{n_beginnings}次" if task.question.is_chinese else f"I count {n_beginnings}"
    if not task.question.options:
        return Perception(heard)
    if len(counts) < 2:
        return None
    return Perception(heard, (min(counts, key=lambda place: abs(counts[place] - n_beginnings)),))


def read_count(text: str) -> int | None:
    """Return the number in a text."""
    tokens = re.findall(r"[a-z]+|\d+", plain(text))
    for word in tokens:
        if word.isdecimal():
            return int(word[:6])
        if word in _TIMES or word in NUMBER_WORDS:
            return _TIMES[word] if word in _TIMES else NUMBER_WORDS.index(word)
    match = _CHINESE_COUNT.search(text)
    if match is None:
        return None
    return 10 + _CHINESE_NUMBERS[match[1][1]] if len(match[1]) == 2 else _CHINESE_NUMBERS[match[1]]


def count_beginnings(sound: Sound) -> int:
    """Return the number of sudden rises in a clip."""
    power, step = envelope(sound, _STEP_SECONDS, 2 * _STEP_SECONDS)
    level = decibels(power)
    if not len(level) or level.max() < THRESHOLD_OF_HEARING_DB:
        return 0
    loud = np.maximum(level, level.max() - _RANGE_DB - _RISE_DB)
    back = max(1, round(0.05 / step))
    before = np.concatenate([np.full(back, loud.min()), loud[:-back]])[: len(loud)]
    rising = (loud - before > _RISE_DB) & (loud > level.max() - _RANGE_DB)
    begins = np.flatnonzero(np.diff(np.concatenate([[0], rising.astype(np.int8)])) == 1)
    n_rises = 0
    last = -np.inf
    for begin in begins.tolist():
        n_rises, last = (n_rises + 1, begin) if (begin - last) * step > 0.12 else (n_rises, last)
    return n_rises
