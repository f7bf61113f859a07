"""Prompt and clips of a run, in each setting.

`default`: the clip, then the question and one line per option; several clips are announced as `Audio 1:`. A temporal
item starts with question and options, then plays `clip 1:` to `clip 3:`. `channel-wise` plays the two ears one after
the other; `global-caption` and `uncut-audio` describe, or play, the whole scene before its clips; `caption-only`
replaces each clip by a caption. `pseudo-stereo` plays each clip as a signal and its inverse.
"""

from collections.abc import Sequence

from evaluation.benchmarks.star_bench.questions import (
    GLOBAL_CAPTION,
    PSEUDO_STEREO,
    UNCUT_AUDIO,
    caption_name,
    shown_clips,
    shown_options,
)
from evaluation.errors import SettingError
from evaluation.types import OPTION_LETTERS, AudioPart, Item, PromptPart, TextPart

CHANNEL_WISE, CAPTION_ONLY = "channel-wise", "caption-only"
EARS = ("@left", "@right")
INVERTED = "@pseudo-stereo"
_EARS_SENTENCE = "Audio 1 is what the left ear hears, and Audio 2 is what the right ear hears, of one recording."


def build_prompt(item: Item, run: int, setting: str) -> tuple[PromptPart, ...]:
    """Return the parts of a run's prompt.

    Raises:
        SettingError: The questions lack the data that the setting needs for this item.
    """
    sounds = _sounds(item, run, setting)
    text = TextPart(question_text(item, shown_options(item, run)))
    if item.part == "temporal":
        return (text, *_scene(item, setting), *_announce("clip", sounds))
    return (*(_announce("Audio", sounds) if len(sounds) > 1 else sounds), *_ears(setting), text)


def question_text(item: Item, options: Sequence[str]) -> str:
    """Return the question and one line per option."""
    lines = [f"<{letter}>: {option}" for letter, option in zip(OPTION_LETTERS, options, strict=False)]
    return "\n".join([item.question, *lines])


def _sounds(item: Item, run: int, setting: str) -> list[PromptPart]:
    if setting == CHANNEL_WISE:
        return [AudioPart(f"{item.clips[0]}{ear}") for ear in EARS]
    places = shown_clips(item, run)
    if setting == PSEUDO_STEREO:
        return [AudioPart(f"{item.clips[place]}{INVERTED}") for place in places]
    if setting == CAPTION_ONLY:
        return [TextPart(_need(item, caption_name(place), setting)) for place in places]
    return [AudioPart(item.clips[place]) for place in places]


def _announce(word: str, sounds: Sequence[PromptPart]) -> list[PromptPart]:
    """Put `Audio 1:` before each clip; captions follow on the same line."""
    parts: list[PromptPart] = []
    for number, sound in enumerate(sounds, start=1):
        if isinstance(sound, TextPart):
            parts.append(TextPart(f"{word} {number}: {sound.text}"))
        else:
            parts += [TextPart(f"{word} {number}:"), sound]
    return parts


def _ears(setting: str) -> list[PromptPart]:
    return [TextPart(_EARS_SENTENCE)] if setting == CHANNEL_WISE else []


def _scene(item: Item, setting: str) -> list[PromptPart]:
    if setting == GLOBAL_CAPTION:
        caption = _need(item, GLOBAL_CAPTION, setting)
        return [TextPart(f"The three clips are cut from one recording, which is described like this: {caption}")]
    if setting == UNCUT_AUDIO:
        clip = _need(item, UNCUT_AUDIO, setting)
        return [TextPart("The whole recording:"), AudioPart(clip), TextPart("The three clips that are cut from it:")]
    return []


def _need(item: Item, name: str, setting: str) -> str:
    value = item.context.get(name)
    if value is None:
        what = "the uncut recording" if name == UNCUT_AUDIO else "the caption"
        raise SettingError(
            f"The setting `{setting}` needs {what} of `{item.id}`, which is missing from the imported files. "
            "Import files that include it, or choose another setting."
        )
    return value
