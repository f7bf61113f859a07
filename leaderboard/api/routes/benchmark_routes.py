"""Routes of benchmarks and question packs."""

from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import orjson
from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response

from evaluation.benchmarks import Benchmark, Metric, all_benchmarks, get_benchmark, list_versions
from evaluation.benchmarks.baselines import Baseline
from evaluation.benchmarks.definition_specs import COMMON
from evaluation.packs import pack_name
from evaluation.types import Split
from leaderboard.api.auth import ServicesOfApp
from leaderboard.api.pack_files import send_pack_file
from leaderboard.api.routes.leaderboard_routes import get_board_pages
from leaderboard.boards.board_pages import describe_columns
from leaderboard.http.caching.page_cache import PageCache
from leaderboard.services import Services
from submissions.errors import NotReadyError, SplitEndedError
from submissions.intake.openness import has_questions

router = APIRouter(prefix="/api/v1/benchmarks", tags=["benchmarks"])
Version = Annotated[str | None, Query(description="Benchmark version; the current one by default", max_length=40)]


class QuestionPackNotReadyError(NotReadyError):
    """The question pack is still being rendered."""

    retry_after = 120


class _Pack(NamedTuple):
    path: Path
    digest: str


@router.get("", summary="List benchmarks and versions")
def list_benchmarks(request: Request, services: ServicesOfApp) -> Response:
    """Return every benchmark without its columns."""
    cache: PageCache = request.app.state.benchmark_pages
    # All that it depends on; shared splits end on a day.
    key = services.catalogues.read_state(), datetime.now(UTC).date()
    body = cache.find_page(key)
    if body is None:
        body = orjson.dumps({"benchmarks": [_describe(benchmark, services) for benchmark in all_benchmarks()]})
        if services.catalogues.read_state() == key[0]:  # it may have changed meanwhile
            cache.store_page(key, body)
    return _answer(body)


@router.get("/{benchmark_id}", summary="One benchmark: slices, metrics, settings, sizes, versions")
def show_benchmark(request: Request, benchmark_id: str, services: ServicesOfApp, version: Version = None) -> Response:
    """Return all public information on a benchmark; `columns` are the columns of its boards."""
    benchmark = get_benchmark(benchmark_id, version)
    columns = describe_columns(benchmark, get_board_pages(request).list_offered_columns(benchmark))
    slices = list(dict.fromkeys(column.slice for column in benchmark.columns))
    own = benchmark.definitions
    definitions = {
        "settings": dict(own.settings),
        "items": {one.term: one.text for one in own.items},
        "terms": {one.term: one.text for one in (*own.terms, *COMMON)},
    }
    described = _describe(benchmark, services)
    return _answer(orjson.dumps(described | {"slices": slices, "columns": columns, "definitions": definitions}))


@router.head("/{benchmark_id}/pack", include_in_schema=False)
@router.get("/{benchmark_id}/pack", summary="Download a question pack (zip)")
def send_pack(
    request: Request,
    benchmark_id: str,
    services: ServicesOfApp,
    split: Annotated[Split, Query(description="`test`, or `practice`, which includes the answers")] = "test",
    version: Annotated[str | None, Query(description="Benchmark version; one with this split by default")] = None,
    if_none_match: Annotated[str | None, Header(description="Entity tags of your cached copies")] = None,
    range_: Annotated[str | None, Header(alias="Range", description="bytes=from-to")] = None,
) -> Response:
    """Stream the pack. A Range header resumes an interrupted download."""
    pack = _find_pack(_choose_version(benchmark_id, version, split, services), split, services)
    return send_pack_file(request, pack.path, pack.digest, if_none_match, range_)


def _choose_version(benchmark_id: str, version: str | None, split: Split, services: Services) -> Benchmark:
    """Return the requested version; by default, the first with this split."""
    if version is None:
        for benchmark in list_versions(benchmark_id):
            if split in _list_packs(benchmark, services):
                return benchmark
    return get_benchmark(benchmark_id, version)


def _list_packs(benchmark: Benchmark, services: Services) -> list[Split]:
    """Return the splits whose packs are the same for everybody, and whose questions are installed."""
    catalogues = services.catalogues
    is_held = has_questions(benchmark, catalogues.find_registered(benchmark))
    has_test = is_held and catalogues.offers_shared_split(benchmark)
    return [split for split in benchmark.splits if split == "practice" or has_test]


def _find_pack(benchmark: Benchmark, split: Split, services: Services) -> _Pack:
    """Return the path of a pack.

    Raises:
        ClosedVersionError: It is the test split of a version that accepts no submissions.
        SplitEndedError: It is a shared test split that has ended.
        DataNotHeldError: There is no such split.
        NotReadyError: The pack has not been rendered yet.
    """
    registered = services.catalogues.find_registered(benchmark)
    if split not in _list_packs(benchmark, services):
        if split == "test":
            openness = services.catalogues.find_openness(benchmark)
            openness.require(openness.pack_refusal)
            if not services.catalogues.offers_shared_split(benchmark):
                raise SplitEndedError(_explain_end(benchmark))
        benchmark.check_split(split)
    pack = _practice_pack(benchmark.id, benchmark.version, services.settings.packs_dir) if split == "practice" else None
    if split == "test" and registered is not None:
        # Only the last part of the name: a manipulated database must not name another folder.
        pack = _Pack(services.settings.packs_dir / Path(registered.pack).name, registered.content_digest)
    if pack is None or not pack.path.is_file():
        raise QuestionPackNotReadyError(
            f"The {split} pack of {benchmark.title} {benchmark.version} is being prepared. Download it in about 2 "
            "minutes."
        )
    return pack


def _explain_end(benchmark: Benchmark) -> str:
    return (
        f"The shared test split of {benchmark.title} {benchmark.version} has ended. Request test questions of your "
        f"own: press Get test questions on the Submit tab, POST to /api/v1/benchmarks/{benchmark.id}/editions, or run "
        f"`python -m submissions pack --benchmark {benchmark.id} --out pack.zip`."
    )


@lru_cache(maxsize=64)
def _practice_pack(benchmark_id: str, version: str, packs_dir: Path) -> _Pack:
    benchmark = get_benchmark(benchmark_id, version)
    content = benchmark.content(benchmark.make_key("practice"))
    return _Pack(packs_dir / pack_name(content), content.digest)


def _describe(benchmark: Benchmark, services: Services) -> dict[str, Any]:
    registered = services.catalogues.find_registered(benchmark)
    openness = services.catalogues.find_openness(benchmark)
    held = openness.parts if registered else frozenset()
    return {
        "id": benchmark.id,
        "title": benchmark.title,
        "version": benchmark.version,
        "versions": [known.version for known in list_versions(benchmark.id)],
        "metric_version": benchmark.metric_version,
        "content_digest": registered.content_digest if registered else None,
        "summary": benchmark.summary,
        "licence": benchmark.licence,
        "citation": benchmark.citation,
        "settings": list(benchmark.settings),
        "parts": [{"id": part.id, "title": part.title, "held": part.id in held} for part in benchmark.parts],
        "packs": _list_packs(benchmark, services),
        "editions": benchmark.has_editions and openness.is_open,
        "open_version": openness.open_version.version if openness.open_version else None,
        "needs": openness.notice,
        "competition": openness.is_competition,
        "note": benchmark.note,
        "runs": benchmark.n_runs,
        "seeds": benchmark.n_runs if benchmark.runs_are_seeds else None,
        "items": registered.n_items if registered else None,
        "items_of_paper": benchmark.n_items_of_paper,
        "clips": registered.n_clips if registered else None,
        "headline": benchmark.headline.key,
        "metrics": [_describe_metric(metric) for metric in benchmark.metrics],
        "chance": dict(benchmark.chance),
        "baselines": [_describe_baseline(baseline) for baseline in benchmark.baselines if baseline.scores],
        "ready": registered is not None,
    }


def _describe_baseline(baseline: Baseline) -> dict[str, Any]:
    return {
        "id": baseline.id,
        "title": baseline.title,
        "description": baseline.description,
        "scores": dict(baseline.scores),
    }


def _describe_metric(metric: Metric) -> dict[str, Any]:
    return {
        "id": metric.id,
        "title": metric.title,
        "formula": metric.formula,
        "higher_is_better": metric.higher_is_better,
        "ranked": metric.ranked,
        "judged": metric.judged,
    }


def _answer(body: bytes) -> Response:
    return Response(body, media_type="application/json", headers={"Cache-Control": "no-cache"})
