"""Endpoint routes: models that Earshot queries itself."""

from typing import Annotated

import orjson
from fastapi import APIRouter, Header
from pydantic import BaseModel, ConfigDict, Field, SecretStr
from starlette.responses import Response

from leaderboard.api.auth import CurrentUser, ServicesOfApp, SignedInRoute
from leaderboard.api.status_views import submission_url
from leaderboard.api.uploads import ModelFields, check_model_fields
from submissions.endpoints.endpoint_service import DEFAULT_CONCURRENCY, EndpointRequest
from submissions.endpoints.querying.query_records import MAX_CONCURRENCY, AudioForm
from submissions.endpoints.vault import Secret

router = APIRouter(prefix="/api/v1/endpoint-submissions", tags=["submissions"], route_class=SignedInRoute)


class EndpointFields(BaseModel):
    """A model on a server with the OpenAI protocol."""

    model_config = ConfigDict(
        extra="forbid",
        hide_input_in_errors=True,
        json_schema_extra={
            "example": {
                "benchmark": "audio-motion-bench",
                "setting": "default",
                "model": {"name": "My model"},
                "base_url": "https://models.example.com/v1",
                "model_name": "my-model",
                "api_key": "sk-0123456789",
                "concurrency": 8,
                "multi_audio": True,
            }
        },
    )

    benchmark: Annotated[str, Field(description="Benchmark ID")]
    version: Annotated[str | None, Field(description="Benchmark version; the first open one by default")] = None
    setting: Annotated[str | None, Field(description="Setting; the benchmark's first one by default")] = None
    model: Annotated[ModelFields, Field(description="The model's name on boards, and its metadata")]
    base_url: Annotated[str, Field(description="API base URL, without /chat/completions")]
    model_name: Annotated[str, Field(description="Model ID sent to the API")]
    api_key: Annotated[
        SecretStr | None, Field(description="API key: encrypted, never shown, deleted when the run ends")
    ] = None
    concurrency: Annotated[int, Field(description=f"Parallel requests, 1 to {MAX_CONCURRENCY}", strict=True)] = (
        DEFAULT_CONCURRENCY
    )
    multi_audio: Annotated[
        bool, Field(description="Whether the model accepts several audio inputs; otherwise clips are concatenated")
    ] = True
    audio_form: Annotated[AudioForm, Field(description="Audio format in the request")] = "input_audio"
    parts: Annotated[
        list[str] | None, Field(description="Parts of the benchmark to evaluate; all by default", max_length=20)
    ] = None
    allow_missing: Annotated[bool, Field(description="Score unanswered questions as wrong instead of failing")] = False
    publish: Annotated[bool, Field(description="Publish the result as soon as it is scored")] = False


@router.post("", status_code=201, summary="Evaluate an endpoint")
def register(
    fields: EndpointFields,
    services: ServicesOfApp,
    current_user: CurrentUser,
    idempotency_key: Annotated[
        str | None, Header(description="Requests with the same key return the same submission")
    ] = None,
) -> Response:
    """Register an endpoint. Evaluation starts once a maintainer approves it; its row is marked verified."""
    benchmark = services.catalogues.find_served(fields.benchmark, fields.version)
    request = EndpointRequest(
        benchmark=benchmark,
        setting=fields.setting or benchmark.settings[0],
        model=check_model_fields(fields.model),
        base_url=fields.base_url.strip(),
        model_name=fields.model_name.strip(),
        api_key=read_key(fields.api_key),
        concurrency=fields.concurrency,
        multi_audio=fields.multi_audio,
        audio_form=fields.audio_form,
        parts=tuple(fields.parts) if fields.parts is not None else None,
        allow_missing=fields.allow_missing,
        publish=fields.publish,
        idempotency_key=idempotency_key,
    )
    added = services.endpoints.register(current_user, request)
    url = submission_url(added.id)
    body = {"id": added.id, "state": added.state, "url": url}
    return Response(orjson.dumps(body), 201, {"Cache-Control": "no-store", "Location": url}, "application/json")


def read_key(sent: SecretStr | None) -> Secret | None:
    """Return an API key; None if it is empty.

    Raises:
        BadRequestError: The key is invalid.
    """
    text = sent.get_secret_value().strip() if sent is not None else ""
    return Secret(text) if text else None
