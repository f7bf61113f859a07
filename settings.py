"""Every environment variable of Earshot, with its bounds. Nothing else reads the environment.

The web process and the evaluator read different settings: what only an evaluator may know is in `EvaluatorSettings`,
and `EVALUATOR_ONLY` names the variables that are taken out of a web process's environment.
"""

import os
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

EVALUATOR_ONLY = (
    "EARSHOT_ANSWER_KEYS",
    "EARSHOT_JUDGE_BASE_URL",
    "EARSHOT_JUDGE_MODEL",
    "EARSHOT_JUDGE_API_KEY",
)
LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")


class SettingsError(Exception):
    """A variable with a value that is not allowed; the message names it and what is."""


class Settings(BaseSettings):
    """What every process may know."""

    model_config = SettingsConfigDict(env_prefix="EARSHOT_", env_ignore_empty=True, extra="ignore", frozen=True)

    data_dir: Path = Field(default_factory=lambda: _default_data_dir())
    database_url: str | None = None
    auth: Literal["local", "oidc"] = Field(default_factory=lambda: "oidc" if on_space() else "local")
    maintainers: Annotated[tuple[str, ...], NoDecode] = ()
    max_upload_mb: Annotated[int, Field(ge=1, le=2_000)] = 100
    storage_url: str | None = None
    host: str = Field(default_factory=lambda: "0.0.0.0" if on_space() else "127.0.0.1")  # noqa: S104 - a Space's proxy
    port: Annotated[int, Field(ge=0, le=65_535)] = 7860
    production: bool | None = None

    @model_validator(mode="before")
    @classmethod
    def _split_names(cls, values: dict[str, object]) -> dict[str, object]:
        names = values.get("maintainers")
        if isinstance(names, str):
            values["maintainers"] = tuple(name.strip() for name in names.split(",") if name.strip())
        return values

    @model_validator(mode="after")
    def _refuse_open_local_sign_in(self) -> Self:
        # Under local sign-in anyone who reaches the port can be anyone.
        if self.auth == "local" and self.host not in LOOPBACK_HOSTS:
            raise ValueError(
                f"EARSHOT_AUTH=local needs a loopback EARSHOT_HOST, and it is {self.host!r}. "
                f"Set EARSHOT_AUTH=oidc, or EARSHOT_HOST to one of {', '.join(LOOPBACK_HOSTS)}."
            )
        return self

    @property
    def url(self) -> str:
        """SQLAlchemy URL of the database."""
        return self.database_url or f"sqlite:///{(self.data_dir / 'earshot.db').absolute()}"

    @property
    def packs_dir(self) -> Path:
        """Where question packs are kept once they were made."""
        return self.data_dir / "packs"

    @property
    def artifacts_url(self) -> str:
        """Where uploads are kept."""
        return self.storage_url or str((self.data_dir / "artifacts").absolute())

    @property
    def maintainer_names(self) -> tuple[str, ...]:
        """User names with the maintainer role."""
        return self.maintainers or (("local",) if self.auth == "local" else ())

    @property
    def max_upload_bytes(self) -> int:
        """Largest whole request."""
        return self.max_upload_mb * 1_000_000

    @property
    def is_durable(self) -> bool:
        """Whether what is written here survives a restart of the machine, as far as can be told."""
        if not on_space():
            return True
        return self.url.startswith("postgresql") or self.data_dir.is_mount()

    def require_fit_for_production(self) -> None:
        """Refuse to serve, under EARSHOT_PRODUCTION, what would lose or open somebody's data.

        Raises:
            SettingsError: Something is missing; the message says what to set.
        """
        if not self.production:
            return
        if not self.is_durable:
            raise SettingsError(
                f"EARSHOT_PRODUCTION is on, and {self.data_dir} would not survive a restart. "
                "Mount a volume there, or set EARSHOT_DATABASE_URL to a PostgreSQL server."
            )
        if self.auth == "local":
            raise SettingsError("EARSHOT_PRODUCTION is on, and EARSHOT_AUTH is local. Set EARSHOT_AUTH=oidc.")


class EvaluatorSettings(Settings):
    """What only an evaluator may know."""

    answer_keys: str | None = None

    @property
    def answer_keys_dir(self) -> Path:
        """Folder of the answer keys."""
        return Path(self.answer_keys) if self.answer_keys else self.data_dir / "answer-keys"


_Kind = TypeVar("_Kind", bound=Settings)


def on_space() -> bool:
    """Tell whether this is a Hugging Face Space."""
    return "SPACE_ID" in os.environ


def _default_data_dir() -> Path:
    volume = Path("/data")
    return volume if on_space() and os.access(volume, os.W_OK) else Path("data")


def load_settings() -> Settings:
    """Read the settings of a web process.

    Raises:
        SettingsError: A variable is out of bounds.
    """
    return _load(Settings)


def load_evaluator_settings() -> EvaluatorSettings:
    """Read the settings of an evaluator.

    Raises:
        SettingsError: A variable is out of bounds.
    """
    return _load(EvaluatorSettings)


def web_environment() -> dict[str, str]:
    """Return this process's environment without what a web process may not know."""
    return {name: value for name, value in os.environ.items() if name.upper() not in EVALUATOR_ONLY}


def _load(kind: type[_Kind]) -> _Kind:
    try:
        return kind()
    except ValidationError as error:
        raise SettingsError("; ".join(_explain(fault) for fault in error.errors())) from None


def _explain(fault: Any) -> str:
    """Say which variable is wrong and why. Its value is shown only where it is no secret."""
    if not fault["loc"]:
        return str(fault["msg"]).removeprefix("Value error, ")
    name = f"EARSHOT_{str(fault['loc'][0]).upper()}"
    shown = "" if name.endswith("_KEY") else f" (it is {fault['input']!r})"
    return f"{name}: {fault['msg']}{shown}."
