"""Audio in endpoint requests: rendered once, concatenated where needed, and received unchanged."""

import tracemalloc

import pytest

from evaluation import get_benchmark
from evaluation.audio import read_sound
from evaluation.listeners import LISTENERS, Sound
from evaluation.types import AudioPart, TextPart
from submissions.endpoints.querying.engine import Means
from submissions.endpoints.querying.query_records import AudioForm, ItemQuery, describe_endpoint
from tests.support.endpoints.answering import EchoListener, make_wav, run_endpoint
from tests.support.endpoints.endpoint_runs import CANARY, RETRY_POLICY, Writer, make_endpoint, run
from tests.support.endpoints.misbehaving import ServedRequest, answer, run_server


def test_clip_is_rendered_once_for_all_its_questions() -> None:
    made: list[str] = []

    def load(name: str) -> bytes:
        made.append(name)
        return make_wav(seed=len(name))

    questions = [
        ItemQuery(f"q{number}", 0, (TextPart("x"), AudioPart("a" * (1 + number // 30)))) for number in range(90)
    ]
    with run_server(answer) as served:
        run(make_endpoint(served, concurrency=16), questions, load)
    assert made == ["a", "aa", "aaa"]


def test_memory_is_constant_in_the_number_of_clips() -> None:
    clip = make_wav(75_000)
    questions = [ItemQuery(f"q{number}", 0, (TextPart("x"), AudioPart(str(number)))) for number in range(200)]

    async def forget(asked: ServedRequest, writer: Writer) -> None:
        served.asked.clear()
        await answer(asked, writer)

    means = Means(retry_policy=RETRY_POLICY, cache_bytes=2_000_000)
    tracemalloc.start()
    try:
        with run_server(forget) as served:
            done = run(make_endpoint(served, concurrency=4), questions, lambda _name: bytes(clip), means)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(done.kept) == 200
    assert peak < 25_000_000, "all of them would be 80 MB"


@pytest.mark.parametrize("audio_form", ["input_audio", "data-url"])
@pytest.mark.parametrize("multi_audio", [True, False])
def test_clips_are_concatenated_for_an_endpoint_that_accepts_one(audio_form: AudioForm, multi_audio: bool) -> None:
    question = ItemQuery("q", 0, (TextPart("which?"), AudioPart("a"), TextPart("or"), AudioPart("b")))
    clips = {"a": make_wav(seed=1), "b": make_wav(seed=2)}
    with run_endpoint([EchoListener()]) as url:
        endpoint = describe_endpoint(
            f"{url}/v1", "echo", None, multi_audio=multi_audio, audio_form=audio_form, allows_loopback=True
        )
        (response,) = run(endpoint, [question], clips.__getitem__).kept
    heard = [piece for piece in response.reply.text.split(" | ") if piece.startswith("sound")]
    shapes = ["(441, 2)"] * 2 if multi_audio else [f"({441 + 2 * 44_100 + 441}, 2)"]
    assert [shape in piece for piece, shape in zip(heard, shapes, strict=True)] == [True] * len(shapes)


def test_listener_answers_over_its_endpoint_as_it_does_directly() -> None:
    benchmark = get_benchmark("audio-motion-bench")
    key = benchmark.make_key("practice")
    items = benchmark.content(key).items[:6]
    runs = [benchmark.run(item, number, "default") for item in items for number in item.runs]
    questions = [ItemQuery(run.id, run.run, run.prompt, seed=run.run) for run in runs]
    clips = {clip: benchmark.render_clip(key, clip) for question in questions for clip in question.clips}
    with run_endpoint(list(LISTENERS.values()), CANARY) as url:
        for name, listener in LISTENERS.items():
            endpoint = describe_endpoint(f"{url}/v1", name, CANARY, concurrency=4, allows_loopback=True)
            done = run(endpoint, questions, clips.__getitem__)
            asked = {(response.id, response.run): response.reply.text for response in done.kept}
            direct = {
                (question.id, question.run): listener.answer(
                    [
                        part.text if isinstance(part, TextPart) else Sound(*read_sound(clips[part.clip]))
                        for part in question.prompt
                    ],
                    question.run,
                )
                for question in questions
            }
            assert asked == direct
            assert all(response.reply.tokens_in for response in done.kept)
