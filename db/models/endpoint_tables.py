"""Tables of models that are asked by us, and what they answered."""

from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, Float, ForeignKey, Integer, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import JSON

from db.column_types import UtcDateTime
from db.models.table_base import Base


class Endpoint(Base):
    """Where the model of a submission is asked. Its key is sealed, and gone when the submission has ended."""

    __tablename__ = "endpoints"
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), primary_key=True)
    base_url: Mapped[str] = mapped_column(String(500))
    model_name: Mapped[str] = mapped_column(String(200))
    sealed_key: Mapped[bytes | None] = mapped_column(LargeBinary)
    # Whether it is asked with a key: whoever retries it gives that again.
    wants_key: Mapped[bool] = mapped_column(Boolean)
    concurrency: Mapped[int] = mapped_column(Integer)
    multi_audio: Mapped[bool] = mapped_column(Boolean)
    audio_form: Mapped[str] = mapped_column(String(20))
    # Pieces of the benchmark that are asked; None for all.
    parts: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    # What the first look at it found, and how far asking it is; None before.
    findings: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))
    progress: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class StoredResponse(Base):
    """What an endpoint answered to one run of an item, written as it came: nothing is asked twice."""

    __tablename__ = "responses"
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), primary_key=True)
    item: Mapped[str] = mapped_column(String(200), primary_key=True)
    run: Mapped[int] = mapped_column(Integer, primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    finish: Mapped[str] = mapped_column(String(20))
    tokens_in: Mapped[int | None] = mapped_column(Integer)
    tokens_out: Mapped[int | None] = mapped_column(Integer)
    model: Mapped[str | None] = mapped_column(Text)
    sent: Mapped[str] = mapped_column(String(64))
    n_calls: Mapped[int] = mapped_column(Integer)
    seconds: Mapped[float] = mapped_column(Float)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
