"""What the routes that take a file have in common."""

from typing import Annotated, Any

from anyio import CapacityLimiter
from fastapi import File, Form, UploadFile
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from db.records import NewModel
from evaluation.errors import suggest
from submissions.errors import BadRequestError
from submissions.model_checks import check_model

# Reading a large file keeps a core busy for seconds: two at once. The others wait without holding a thread.
CHECKS = CapacityLimiter(2)

_FILE = File(description="Predictions: JSON Lines, a JSON list or object, or CSV; each also gzipped or zipped")
PredictionFile = Annotated[UploadFile, _FILE]
BenchmarkField = Annotated[str, Form(description="Id of the benchmark", examples=["audio-motion-bench"])]
VersionField = Annotated[str | None, Form(description="Version; the first whose questions are here unless named")]
SettingField = Annotated[str | None, Form(description="Setting; the benchmark's first one unless named")]
AllowMissingField = Annotated[bool, Form(description="Score a missing answer as wrong instead of refusing the file")]


class ModelFields(BaseModel):
    """A model as a submitter describes it."""

    model_config = ConfigDict(extra="forbid", strict=True, str_strip_whitespace=True)

    name: str
    organisation: str | None = None
    kind: str | None = None
    size_billions: Annotated[float | None, Field(allow_inf_nan=False)] = None
    open_weights: bool | None = None
    url: str | None = None
    links: list[str] = []


def parse_model(text: str) -> NewModel:
    """Return the model that a `model` field describes.

    Raises:
        BadRequestError: It is not JSON, or has a field that is unknown or not allowed.
    """
    try:
        fields = ModelFields.model_validate_json(text)
    except ValidationError as error:
        raise _explain(error) from None
    return check_model_fields(fields)


def check_model_fields(fields: ModelFields) -> NewModel:
    """Return the model that is described.

    Raises:
        BadRequestError: A field is not allowed.
    """
    described = fields.model_dump(exclude={"url", "links"})
    links = list(dict.fromkeys([*([fields.url] if fields.url is not None else []), *fields.links]))
    return check_model(NewModel(**described, url=links[0] if links else None, links=tuple(links[1:])))


def _explain(error: ValidationError) -> BadRequestError:
    fault: Any = error.errors(include_url=False, include_context=False, include_input=False)[0]
    known = list(ModelFields.model_fields)
    if not fault["loc"]:
        example = 'Expected: {"name": "My model"}'
        return BadRequestError("model", f"The model is not a JSON object. {example}; known fields: {_list(known)}.")
    name = str(fault["loc"][0])[:40]
    if fault["type"] == "extra_forbidden":
        shown = name if name.isprintable() else "?"
        return BadRequestError(
            "model", f"The model has a field `{shown}`, which is unknown.{suggest(name, known)} Known: {_list(known)}."
        )
    return BadRequestError(f"model.{name}", f"The model's {name}: {fault['msg']}.")


def _list(names: list[str]) -> str:
    return ", ".join(names)
