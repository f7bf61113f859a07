"""Listening-test routes: rounds of practice questions, their clips, correct answers, and stored results."""

from collections.abc import Mapping
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Header, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from evaluation.benchmarks import Benchmark
from evaluation.types import Item
from leaderboard.api.auth import ServicesOfApp
from leaderboard.api.listening_views import describe_group, describe_marks, describe_shares, describe_tasks
from leaderboard.http.caching.etags import matches
from leaderboard.http.problem_details import make_problem
from leaderboard.http.ranges import UnsatisfiableRangeError, read_range
from submissions.errors import NotFoundError
from submissions.listening_test.listening_tests import Answers, ListeningTest, Result, Round
from submissions.listening_test.marking import Given
from submissions.listening_test.rounds import LARGEST_SEED, LENGTHS

router = APIRouter(prefix="/api/v1/listening", tags=["listening"])
Version = Annotated[str | None, Query(description="Benchmark version; the first with practice questions by default")]
_SUFFIX = ".wav"


class RoundFields(BaseModel):
    """A listener's answers to a round."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "example": {"n": 10, "seed": 4821, "answers": {"amb-1": 2, "amb-2": True, "amb-3": None}, "seconds": 190.5}
        },
    )

    n: Annotated[int, Field(description="Number of questions in the round")]
    seed: Annotated[int, Field(description="Seed of the round")]
    version: Annotated[str | None, Field(description="Version of the round")] = None
    answers: Annotated[
        dict[str, int | bool | list[int] | None],
        Field(
            description="Question ID → position of an option, list of positions, true or false, or null if skipped",
            max_length=max(LENGTHS),
        ),
    ]
    seconds: Annotated[float, Field(description="Duration of the round in seconds")]
    consent: Annotated[bool, Field(description="Whether the result may be saved anonymously")] = False


@router.get("", summary="List listening tests")
def list_listening(services: ServicesOfApp) -> Response:
    """Return every version with practice questions, and its listeners' scores if they are public."""
    return _json({"benchmarks": [_describe_offer(offer) for offer in services.listening_tests.list_offers()]})


@router.get("/{benchmark_id}", summary="Draw a round of practice questions")
def show_round(
    benchmark_id: str,
    services: ServicesOfApp,
    version: Version = None,
    n: Annotated[int, Query(description="Number of questions: 10, 20 or 40")] = LENGTHS[0],
    seed: Annotated[int, Query(description=f"0 to {LARGEST_SEED}; the same seed draws the same questions")] = 0,
) -> Response:
    """Return questions with their options and clips. The correct answers follow when you submit the round."""
    tests = services.listening_tests
    return _json(_describe_round(tests.open_round(tests.find_version(benchmark_id, version), n, seed)))


@router.get("/{benchmark_id}/audio/{name}", summary="Download a practice clip")
def send_sound(
    benchmark_id: str,
    name: str,
    services: ServicesOfApp,
    version: Version = None,
    if_none_match: Annotated[str | None, Header(description="Entity tags of your cached copies")] = None,
    range_: Annotated[str | None, Header(alias="Range", description="Byte range, such as `bytes=0-999`")] = None,
    if_range: Annotated[str | None, Header(description="Entity tag of the copy that the range belongs to")] = None,
) -> Response:
    """Return a WAV file, or a byte range of it."""
    tests = services.listening_tests
    pack = tests.open_pack(tests.find_version(benchmark_id, version))
    if not name.endswith(_SUFFIX):
        raise NotFoundError("Not a WAV file. Use the audio paths that a round returns.")
    clip = pack.get_clip(name.removesuffix(_SUFFIX))
    headers = {
        "ETag": f'"{pack.digest[:16]}-{clip.checksum:08x}"',
        "Cache-Control": "no-cache",
        "Accept-Ranges": "bytes",
    }
    if matches(if_none_match, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    try:
        span = read_range(range_ if if_range in (None, headers["ETag"]) else None, clip.size)
    except UnsatisfiableRangeError:
        words = f"The clip has {clip.size} bytes, but the range begins after them."
        return make_problem(416, words, headers={"Content-Range": f"bytes */{clip.size}"})
    sound = pack.read_clip(clip)
    if span is None:
        return Response(sound, headers=headers, media_type="audio/wav")
    headers["Content-Range"] = f"bytes {span.begin}-{span.end - 1}/{clip.size}"
    return Response(sound[span.begin : span.end], 206, headers, "audio/wav")


@router.post("/{benchmark_id}/results", summary="Submit the answers of a round")
def take_round(benchmark_id: str, fields: RoundFields, services: ServicesOfApp) -> Response:
    """Score a round and return the correct answers.

    With `consent`, Earshot saves anonymous counts: benchmark and version, the day, the duration, and the number of
    correct answers per group of tasks. It then returns an ID, once, for withdrawing them. It saves no name, address,
    session or single answer. A round that was answered faster than its clips play, or with more than half of it
    skipped, is scored but not saved. Earshot saves at most 200 rounds per version and day.
    """
    tests = services.listening_tests
    benchmark = tests.find_version(benchmark_id, fields.version)
    given: Mapping[str, Given] = fields.answers
    answers = Answers(fields.n, fields.seed, given, fields.seconds, fields.consent)
    return _json(_describe_result(tests.mark_round(benchmark, answers)), store=False)


@router.delete("/{benchmark_id}/results/{result_id}", summary="Withdraw a saved result")
def withdraw_result(benchmark_id: str, result_id: str, services: ServicesOfApp, version: Version = None) -> Response:
    """Delete the counts saved under an ID. Only the listener knows the ID."""
    tests = services.listening_tests
    tests.withdraw(tests.find_version(benchmark_id, version), result_id)
    return _json({"withdrawn": True}, store=False)


def _describe_offer(offer: ListeningTest) -> dict[str, Any]:
    return _name(offer.benchmark) | {
        "summary": offer.benchmark.summary,
        "ready": offer.is_ready,
        "questions": offer.n_questions,
        "lengths": list(offer.lengths),
        "group": describe_group(offer.benchmark, offer.group),
    }


def _describe_round(asked: Round) -> dict[str, Any]:
    benchmark = asked.pack.benchmark
    titles = describe_tasks(asked.pack)
    return _name(benchmark) | {
        "n": asked.n,
        "seed": asked.seed,
        "seconds": round(asked.seconds, 1),
        "questions": [_describe_question(asked, item, titles[item.task]) for item in asked.items],
    }


def _describe_question(asked: Round, item: Item, title: str) -> dict[str, Any]:
    benchmark, pack = asked.pack.benchmark, asked.pack
    base = f"/api/v1/listening/{benchmark.id}/audio"
    return {
        "id": item.id,
        "run": 0,
        "task": item.task,
        "task_title": title,
        "question": item.question,
        "options": list(item.options),
        "answer_format": item.answer_format,
        "audio": [
            {
                "name": f"Audio {at}",
                "url": f"{base}/{clip}{_SUFFIX}?version={benchmark.version}",
                "seconds": round(pack.clips[clip].seconds, 3),
            }
            for at, clip in enumerate(item.clips, start=1)
        ],
    }


def _describe_result(result: Result) -> dict[str, Any]:
    benchmark = result.round.pack.benchmark
    whole, *tasks = describe_shares(benchmark, result.shares, result.beside)
    kept = result.kept
    return _name(benchmark) | {
        "n": result.round.n,
        "seed": result.round.seed,
        "same_questions": not benchmark.answers_are_secret,
        "score": whole,
        "tasks": tasks,
        "questions": describe_marks(result.marks),
        "kept": {"id": kept.id, "reason": kept.reason} if kept else None,
        "group": describe_group(benchmark, result.group),
    }


def _name(benchmark: Benchmark) -> dict[str, Any]:
    return {"benchmark": benchmark.id, "version": benchmark.version, "title": benchmark.title}


def _json(value: dict[str, Any], *, store: bool = True) -> Response:
    headers = {"Cache-Control": "no-cache" if store else "no-store"}
    return Response(orjson.dumps(value), headers=headers, media_type="application/json")
