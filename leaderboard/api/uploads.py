"""Shared parts of the routes that accept a file."""

from typing import Annotated, Any

from fastapi import File, Form, UploadFile
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from db.hub_records import HubModel
from db.records import NewModel
from evaluation.errors import suggest
from leaderboard.http.client_turns import ClientTurns
from submissions.errors import BadRequestError
from submissions.model_registry.descriptions import MAX_LINKS, check_model

# Each check runs in a process, and all share the cores: a short one overtakes long ones. Submissions have threads of
# their own, so that no number of checks, which anyone may request, delays one.
CHECKS = ClientTurns(n_threads=64, n_of_client=2)
SUBMISSIONS = ClientTurns(n_threads=16, n_of_client=2)

_FILE = File(
    description="Predictions: JSON Lines, a JSON list or object, CSV or XLSX, each also gzipped or zipped; or a result "
    "file of lmms-eval, inspect_ai, EvalScope, VLMEvalKit, UltraEval-Audio or HELM"
)
PredictionFile = Annotated[UploadFile, _FILE]
BenchmarkField = Annotated[str, Form(description="Benchmark ID", examples=["audio-motion-bench"])]
VersionField = Annotated[str | None, Form(description="Benchmark version; the first open one by default")]
SettingField = Annotated[str | None, Form(description="Setting; the benchmark's first one by default")]
AllowMissingField = Annotated[bool, Form(description="Score missing answers as wrong instead of rejecting the file")]
# Model metadata from submitters and maintainers; `Field` for JSON bodies.
OrganisationField = Annotated[str | None, Field(description="Organisation that made the model, at most 120 characters")]
KindField = Annotated[str | None, Field(description="LALM, OLM, cascaded, listener or other, at most 40 characters")]
SizeField = Annotated[float | None, Field(description="Billions of parameters, above 0", allow_inf_nan=False)]
WeightsField = Annotated[bool | None, Field(description="Whether anyone can download its weights")]


class HubFields(BaseModel):
    """A model's repository on the Hub, as `GET /api/v1/hub-models/…` describes it."""

    model_config = ConfigDict(extra="forbid", strict=True, str_strip_whitespace=True)

    id: Annotated[str, Field(description="`organisation/name`")]
    revision: Annotated[str | None, Field(description="Commit hash of the repository, 40 hexadecimal digits")] = None
    licence: Annotated[str | None, Field(description="License identifier, such as apache-2.0")] = None
    base_models: Annotated[list[str], Field(description="Hub IDs of the base models")] = []
    access: Annotated[str | None, Field(description="`open` or `gated`")] = None
    pipeline_tag: Annotated[str | None, Field(description="Its task on the Hub")] = None
    created_on: Annotated[str | None, Field(description="Creation date of the repository")] = None

    def to_record(self) -> HubModel:
        """Return the repository as an unvalidated record."""
        fields = self.model_dump(exclude={"id", "base_models"})
        return HubModel(repo_id=self.id, base_models=tuple(self.base_models), **fields)


class ModelFields(BaseModel):
    """A model as a submitter describes it."""

    model_config = ConfigDict(extra="forbid", strict=True, str_strip_whitespace=True)

    name: Annotated[str, Field(description="Model name on boards, at most 120 characters")]
    organisation: OrganisationField = None
    kind: KindField = None
    size_billions: SizeField = None
    open_weights: WeightsField = None
    url: Annotated[str | None, Field(description="Web page of the model, https:// or http://")] = None
    links: Annotated[list[str], Field(description=f"More links; at most {MAX_LINKS} with `url`")] = []
    hub: Annotated[HubFields | None, Field(description="The model's Hub repository")] = None


def parse_model(text: str) -> NewModel:
    """Return the model described by a `model` field.

    Raises:
        BadRequestError: The field is not JSON, or contains an unknown or invalid field.
    """
    try:
        fields = ModelFields.model_validate_json(text)
    except ValidationError as error:
        raise _explain(error) from None
    return check_model_fields(fields)


def check_model_fields(fields: ModelFields) -> NewModel:
    """Return the described model.

    Raises:
        BadRequestError: A field is invalid.
    """
    described = fields.model_dump(exclude={"url", "links", "hub"})
    hub = fields.hub.to_record() if fields.hub else None
    links = list(dict.fromkeys([*([fields.url] if fields.url is not None else []), *fields.links]))
    return check_model(NewModel(**described, url=links[0] if links else None, links=tuple(links[1:]), hub=hub))


def _explain(error: ValidationError) -> BadRequestError:
    fault: Any = error.errors(include_url=False, include_context=False, include_input=False)[0]
    known = list(ModelFields.model_fields)
    if not fault["loc"]:
        example = 'Expected: {"name": "My model"}'
        return BadRequestError("model", f"The model must be a JSON object. {example}; known fields: {_list(known)}.")
    name = str(fault["loc"][0])[:40]
    if fault["type"] == "extra_forbidden":
        shown = name if name.isprintable() else "?"
        return BadRequestError("model", f"Unknown model field `{shown}`.{suggest(name, known)} Known: {_list(known)}.")
    return BadRequestError(f"model.{name}", f"The model's {name}: {fault['msg']}.")


def _list(names: list[str]) -> str:
    return ", ".join(names)
