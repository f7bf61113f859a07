"""What is hosted, and the question packs."""

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import orjson
from fastapi import APIRouter, Header, Query
from starlette.responses import FileResponse, Response

from evaluation.benchmarks import Benchmark, Metric, all_benchmarks, get_benchmark
from evaluation.packs import pack_name
from leaderboard.api.auth import ServicesOfApp
from leaderboard.board_pages import describe_columns, matches
from leaderboard.services import Services
from submissions.errors import NotReadyError

router = APIRouter(prefix="/api/v1/benchmarks", tags=["benchmarks"])


class PackNotReadyError(NotReadyError):
    """A question pack that is still being rendered."""

    retry_after = 30


class _Pack(NamedTuple):
    path: Path
    digest: str


@router.get("", summary="Every benchmark")
def list_benchmarks(services: ServicesOfApp) -> Response:
    """Return every benchmark without its columns."""
    return _json({"benchmarks": [_describe(benchmark, services) for benchmark in all_benchmarks()]})


@router.get("/{benchmark_id}", summary="One benchmark: slices, metrics, settings, sizes, versions")
def show_benchmark(benchmark_id: str, services: ServicesOfApp) -> Response:
    """Return everything that is public of a benchmark."""
    benchmark = get_benchmark(benchmark_id)
    columns = describe_columns(benchmark, benchmark.columns)
    slices = list(dict.fromkeys(column.slice for column in benchmark.columns))
    return _json(_describe(benchmark, services) | {"slices": slices, "columns": columns})


@router.head("/{benchmark_id}/pack", include_in_schema=False)
@router.get("/{benchmark_id}/pack", summary="The question pack, a zip file")
def send_pack(
    benchmark_id: str,
    services: ServicesOfApp,
    split: Annotated[Literal["test", "practice"], Query()] = "test",
    if_none_match: Annotated[str | None, Header()] = None,
) -> Response:
    """Stream the pack; a part of it is sent for a Range header, so that a broken download can go on."""
    pack = _find_pack(get_benchmark(benchmark_id), split, services)
    headers = {"ETag": f'"{pack.digest}"', "Cache-Control": "no-cache"}
    if matches(if_none_match, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return FileResponse(pack.path, headers=headers, media_type="application/zip", filename=pack.path.name)


def _find_pack(benchmark: Benchmark, split: str, services: Services) -> _Pack:
    """Return where a pack lies.

    Raises:
        NotReadyError: It is not made yet.
    """
    pack = _practice_pack(benchmark.id, services.settings.packs_dir) if split == "practice" else None
    if split == "test" and (registered := services.catalogues.find_registered(benchmark)) is not None:
        # Only the last part of the name: a database that was tampered with must not name another folder.
        pack = _Pack(services.settings.packs_dir / Path(registered.pack).name, registered.content_digest)
    if pack is None or not pack.path.is_file():
        raise PackNotReadyError(
            f"The {split} pack of {benchmark.title} is still being made. Try again in half a minute."
        )
    return pack


@lru_cache(maxsize=64)
def _practice_pack(benchmark_id: str, packs_dir: Path) -> _Pack:
    benchmark = get_benchmark(benchmark_id)
    content = benchmark.content(benchmark.make_key("practice"))
    return _Pack(packs_dir / pack_name(content), content.digest)


def _describe(benchmark: Benchmark, services: Services) -> dict[str, Any]:
    registered = services.catalogues.find_registered(benchmark)
    return {
        "id": benchmark.id,
        "title": benchmark.title,
        "version": benchmark.version,
        "metric_version": benchmark.metric_version,
        "content_digest": registered.content_digest if registered else None,
        "summary": benchmark.summary,
        "licence": benchmark.licence,
        "citation": benchmark.citation,
        "settings": list(benchmark.settings),
        "parts": [{"id": part.id, "title": part.title} for part in benchmark.parts],
        "runs": benchmark.n_runs,
        "items": registered.n_items if registered else None,
        "clips": registered.n_clips if registered else None,
        "headline": benchmark.headline.key,
        "metrics": [_describe_metric(metric) for metric in benchmark.metrics],
        "chance": dict(benchmark.chance),
        "ready": registered is not None,
    }


def _describe_metric(metric: Metric) -> dict[str, Any]:
    return {
        "id": metric.id,
        "title": metric.title,
        "formula": metric.formula,
        "higher_is_better": metric.higher_is_better,
    }


def _json(value: dict[str, Any]) -> Response:
    return Response(orjson.dumps(value), media_type="application/json", headers={"Cache-Control": "no-cache"})
