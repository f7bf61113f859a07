"""Requests generated from the OpenAPI document, with real identifiers: never our error, and every answer as described.

Four requests of each operation in the suite, 400 in the soak. A failure names the number of its request, from which
`RequestGenerator.draw_request` draws it again.
"""

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from leaderboard.api.description import ANSWERS
from tests.support.hostile.furnished_site import (
    API,
    MAINTAINER,
    OWNER,
    STRANGER,
    FurnishedSite,
    run_furnished_site,
)
from tests.support.hostile.generated_requests import GeneratedRequest, RequestGenerator
from tests.support.samples.printed_rows import make_csv, make_line
from tests.support.servers.live_site import BENCHMARK, predictions, problem_of

N_ROUNDS, N_ROUNDS_IN_SOAK = 4, 400
FIRST_SEED = 1
SENDERS = (MAINTAINER, OWNER, STRANGER, None)
# Answers that wait for an evaluator, which this server lacks, and the state of such a server.
WAITING = {
    ("get", "/readyz"),
    ("get", f"{API}/benchmarks/{{benchmark_id}}/pack"),
    ("get", f"{API}/editions/{{edition_id}}/pack"),
    ("get", f"{API}/editions/{{edition_id}}/audio/{{name}}"),
    ("get", f"{API}/editions/{{edition_id}}/items"),
}
MIN_ANSWERED = 0.65
MAX_DETAIL = 1_500


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FurnishedSite]:
    with run_furnished_site(tmp_path_factory.mktemp("generated")) as made, pytest.MonkeyPatch.context() as patch:
        patch.setattr("leaderboard.api.routes.comparison_routes.WAIT_SECONDS", 0.0)
        yield made


def collect_names(site: FurnishedSite) -> dict[str, list[str]]:
    """Return parameter or field → real values, several of each kind that requests use up."""
    makes = (
        *([site.make_public_row] * 8),
        *([site.make_private_row] * 4),
        *(site.make_hidden_row, site.make_failed_submission, site.make_held_submission),
        *([site.make_endpoint] * 3),
        *(site.make_open_edition, site.make_closed_edition, site.make_token, site.make_token, site.make_session),
        *(site.make_reported_row, site.make_reported_row, site.make_removed_row, site.make_reevaluation),
        *(site.make_model, site.make_listening_result, site.make_hub_model),
    )
    names: dict[str, list[str]] = {}
    for make in makes:
        for name, value in make().items():
            names.setdefault(name, []).append(str(value))
    names["benchmark_id"] = [BENCHMARK.id] * 6 + ["mdar"]
    names["benchmark"] = names["benchmark_id"]
    names["version"] = [BENCHMARK.version] * 4 + ["demo"]
    names["setting"] = list(BENCHMARK.settings)
    names["a"] = names["b"] = names["submission"] = names["submission_id"]
    names["model"] = ['{"name": "A model"}', '{"name": "B", "kind": "LALM", "url": "https://b.example"}']
    names["file"] = [predictions().decode(), make_csv(make_line()).decode(), "{"]
    names["reason"] = ["A doubt."]
    names["name"] = ["ada", "eve", "none.wav"]
    names["base_url"] = ["https://models.example.com/v1"]
    names["format"] = ["csv", "latex", "json", "markdown", "parquet"]
    return names


# Where a form ends in the middle of a file, Starlette leaves it to the interpreter to close it, which does so at once.
@pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <function SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning"
)
@pytest.mark.timeout(7_200)
def test_generated_request_is_answered_as_described(
    furnished: FurnishedSite, soak: bool, subtests: pytest.Subtests
) -> None:
    openapi = furnished.site.get(f"{API}/openapi.json").json()
    generator = RequestGenerator(openapi, collect_names(furnished))
    operations = [(method, path) for path, methods in openapi["paths"].items() for method in methods]
    answered = set()
    for seed in range(FIRST_SEED, FIRST_SEED + (N_ROUNDS_IN_SOAK if soak else N_ROUNDS)):
        for (method, path), sender in zip(operations, pick_senders(seed, len(operations)), strict=True):
            request = generator.draw_request(method, path, seed)
            with subtests.test(f"{method} {path}", seed=seed, sender=sender, request=request):
                response = send_request(furnished, request, sender)
                check_answer(openapi, method, path, response)
                if response.is_success or (method, path) in WAITING:
                    answered.add((method, path))
    # Requests that are all refused would try little.
    assert len(answered) >= MIN_ANSWERED * len(operations), set(operations) - answered


def pick_senders(seed: int, n_operations: int) -> list[str | None]:
    """Return a sender for each operation; over four rounds everyone sends each."""
    return [SENDERS[(seed + number) % len(SENDERS)] for number in range(n_operations)]


def send_request(furnished: FurnishedSite, request: GeneratedRequest, sender: str | None) -> httpx2.Response:
    headers = request.headers | ({"Authorization": f"Bearer {furnished.tokens[sender]}"} if sender else {})
    response = furnished.site.client.request(
        request.method, request.address, headers=headers, content=request.body or None
    )
    furnished.site.client.cookies.clear()
    return response


def check_answer(openapi: dict[str, Any], method: str, path: str, response: httpx2.Response) -> None:
    """Check the status, and the body against the schema of its status."""
    status = response.status_code
    is_waiting = status == 503 and ((method, path) in WAITING or "Retry-After" in response.headers)
    assert status < 500 or is_waiting, response.text
    assert str(status) in openapi["paths"][path][method]["responses"], response.text
    if status >= 400 and path != "/readyz":
        detail = problem_of(response, status)["detail"]
        assert detail.isprintable()
        assert len(detail) < MAX_DETAIL
    elif status < 300 and "application/json" in response.headers.get("content-type", ""):
        kind = ANSWERS.get((method, path))
        if kind is not None:
            kind.model_validate_json(response.content, strict=True)
        else:
            json.loads(response.content)
