"""Counting questions: events with a sudden onset, counted."""

import re

import numpy as np

from evaluation.listeners.answer_texts import Perception
from evaluation.listeners.hearing.levels import THRESHOLD_OF_HEARING_DB, decibels, envelope
from evaluation.listeners.listener_types import Sound
from evaluation.listeners.questions.listening_task import ListeningTask, is_way_out
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


def answer_count(asked: ListeningTask) -> Perception | None:
    """Answer how many times something happens."""
    if len(asked.ears) != 1 or not _ASKS.found_in(asked.question.text):
        return None
    offered = {
        place: read_count(option.text)
        for place, option in enumerate(asked.question.options)
        if not is_way_out(option.text)
    }
    known = {place: count for place, count in offered.items() if count is not None}
    found = count_beginnings(asked.ears[0].sound)
    heard = f"我听到了{found}次" if asked.question.is_chinese else f"I count {found}"
    if not asked.question.options:
        return Perception(heard)
    if len(known) < 2:
        return None
    return Perception(heard, (min(known, key=lambda place: abs(known[place] - found)),))


def read_count(text: str) -> int | None:
    """Return the number that a text says."""
    words = re.findall(r"[a-z]+|\d+", plain(text))
    for word in words:
        if word.isdecimal():
            return int(word[:6])
        if word in _TIMES or word in NUMBER_WORDS:
            return _TIMES[word] if word in _TIMES else NUMBER_WORDS.index(word)
    match = _CHINESE_COUNT.search(text)
    if match is None:
        return None
    return 10 + _CHINESE_NUMBERS[match[1][1]] if len(match[1]) == 2 else _CHINESE_NUMBERS[match[1]]


def count_beginnings(sound: Sound) -> int:
    """Return how often a sound suddenly rises."""
    power, step = envelope(sound, _STEP_SECONDS, 2 * _STEP_SECONDS)
    level = decibels(power)
    if not len(level) or level.max() < THRESHOLD_OF_HEARING_DB:
        return 0
    loud = np.maximum(level, level.max() - _RANGE_DB - _RISE_DB)
    back = max(1, round(0.05 / step))
    before = np.concatenate([np.full(back, loud.min()), loud[:-back]])[: len(loud)]
    rising = (loud - before > _RISE_DB) & (loud > level.max() - _RANGE_DB)
    begins = np.flatnonzero(np.diff(np.concatenate([[0], rising.astype(np.int8)])) == 1)
    kept = 0
    last = -np.inf
    for begin in begins.tolist():
        kept, last = (kept + 1, begin) if (begin - last) * step > 0.12 else (kept, last)
    return kept
