"""Tables of model endpoints and their responses."""

from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, Float, ForeignKey, Integer, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import JSON

from db.column_types import UtcDateTime
from db.models.table_base import Base


class Endpoint(Base):
    """Endpoint of a submission. Its API key is encrypted, and deleted when the submission ends."""

    __tablename__ = "endpoints"
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), primary_key=True)
    base_url: Mapped[str] = mapped_column(String(500))
    model_name: Mapped[str] = mapped_column(String(200))
    sealed_key: Mapped[bytes | None] = mapped_column(LargeBinary)
    # Whether requests need an API key, which a retry must provide again.
    wants_key: Mapped[bool] = mapped_column(Boolean)
    concurrency: Mapped[int] = mapped_column(Integer)
    multi_audio: Mapped[bool] = mapped_column(Boolean)
    audio_form: Mapped[str] = mapped_column(String(20))
    # Parts of the benchmark to evaluate; None for all.
    parts: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    # Results of the first endpoint check and progress of the run; None before them.
    findings: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))
    progress: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class StoredResponse(Base):
    """The response of an endpoint to one run of an item, stored on arrival so that no request is repeated."""

    __tablename__ = "responses"
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), primary_key=True)
    item: Mapped[str] = mapped_column(String(200), primary_key=True)
    run: Mapped[int] = mapped_column(Integer, primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    finish: Mapped[str] = mapped_column(String(20))
    tokens_in: Mapped[int | None] = mapped_column(Integer)
    tokens_out: Mapped[int | None] = mapped_column(Integer)
    model: Mapped[str | None] = mapped_column(Text)
    # The column keeps its old name: a new one would need a migration.
    request_digest: Mapped[str] = mapped_column("sent", String(64), key="request_digest")
    n_calls: Mapped[int] = mapped_column(Integer)
    seconds: Mapped[float] = mapped_column(Float)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
