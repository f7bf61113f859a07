"""Every environment variable of Earshot, with its bounds. Nothing else reads the environment.

The web process and the evaluator read different settings: what only an evaluator may know is in `EvaluatorSettings`,
and `EVALUATOR_ONLY` names the variables that are taken out of a web process's environment.
"""

import difflib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

EVALUATOR_ONLY = (
    "EARSHOT_ANSWER_KEYS",
    "EARSHOT_JUDGE_BASE_URL",
    "EARSHOT_JUDGE_MODEL",
    "EARSHOT_JUDGE_API_KEY",
    "EARSHOT_JUDGE_REPEATS",
    "EARSHOT_JUDGE_CONCURRENCY",
    "EARSHOT_JUDGE_MAX_CALLS_PER_DAY",
    "EARSHOT_JUDGE_MAX_COST_PER_DAY",
    "EARSHOT_JUDGE_PRICE_INPUT",
    "EARSHOT_JUDGE_PRICE_OUTPUT",
    "EARSHOT_JUDGE_SORT_ERRORS",
)
# Prefixes of credentials that a web process keeps only where uploads are stored with this protocol.
_STORAGE_CREDENTIALS = {"hf": ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"), "s3": ("AWS_",)}
# Of the judge's client and of other programs; nothing in the web process uses them.
_OTHER_CREDENTIALS = ("OPENAI_", "ANTHROPIC_")
_TOKEN = "EARSHOT_TOKEN"  # noqa: S105 - the name of a variable
# Documented, and without effect in this release.
_LATER = ("EARSHOT_BACKUP_REPO",)
# A database in memory would be another one in each process.
_SQLITE_FILE = re.compile(r"sqlite(\+pysqlite)?:///(?!:memory:|file:)[^?]+(\?.*)?")
_HTTP_URL = re.compile(r"https?://[^\s/@?#]+(/[^\s?#]*)?")
# A name or a password with one of `@:/?#` in it has to have that written as `%40` and the like.
_POSTGRESQL = re.compile(
    r"postgresql(\+psycopg)?://([^@/?#]*@)?([^@/?#:]*|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?/[^/?#]+(\?[^#]*)?"
)
_MOST_SUBMISSIONS = 1_000_000
LEAST_SECRET = 32
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
    # Scored submissions a person and benchmark version; 0 is no limit.
    submissions_per_day: Annotated[int, Field(ge=0, le=_MOST_SUBMISSIONS)] = 2
    submissions_per_month: Annotated[int, Field(ge=0, le=_MOST_SUBMISSIONS)] = 10
    submissions_in_all: Annotated[int, Field(ge=0, le=_MOST_SUBMISSIONS)] = 60
    max_upload_mb: Annotated[int, Field(ge=1, le=2_000)] = 100
    storage_url: str | None = None
    # Seals the keys of endpoints; made on the first start where it is not set. The one in use, then earlier ones.
    secret_key: SecretStr | None = None
    # Development only: anybody who may register an endpoint could then reach whatever listens on this machine.
    allow_loopback_endpoints: bool = False
    host: str = Field(default_factory=lambda: "0.0.0.0" if on_space() else "127.0.0.1")  # noqa: S104 - a Space's proxy
    port: Annotated[int, Field(ge=0, le=65_535)] = 7860
    production: bool | None = None
    # The name that every client of the Hub reads; other sites can mirror it.
    hub_endpoint: str = Field(default="https://huggingface.co", validation_alias="HF_ENDPOINT")

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

    @model_validator(mode="after")
    def _refuse_odd_hub(self) -> Self:
        # The address is not shown: it may hold a password.
        if not _HTTP_URL.fullmatch(self.hub_endpoint):
            raise ValueError(
                "HF_ENDPOINT is no http or https address without user name, query and fragment. "
                "Leave it out, or set it as in https://huggingface.co."
            )
        return self

    @model_validator(mode="after")
    def _refuse_weak_secrets(self) -> Self:
        # The secret is not shown.
        text = self.secret_text
        if text is not None and not all(len(one) >= LEAST_SECRET for one in re.split(r"[\s,]+", text.strip(" ,"))):
            raise ValueError(
                f"EARSHOT_SECRET_KEY must have {LEAST_SECRET} characters or more, and so must earlier ones after it. "
                "Set it to the output of `openssl rand -hex 32`, or leave it out to have one made."
            )
        return self

    @model_validator(mode="after")
    def _refuse_other_databases(self) -> Self:
        # The URL is not shown: it may hold a password.
        url = self.database_url
        if url is not None and not _SQLITE_FILE.fullmatch(url) and not _POSTGRESQL.fullmatch(url):
            raise ValueError(
                "EARSHOT_DATABASE_URL names neither a SQLite file nor a PostgreSQL database. Leave it out, or set it "
                "to sqlite:////folder/earshot.db or postgresql://user:password@host:5432/database, with characters "
                "such as @ and / in a password written as %40 and %2F."
            )
        return self

    @property
    def url(self) -> str:
        """SQLAlchemy URL of the database."""
        return self.database_url or f"sqlite:///{(self.data_dir / 'earshot.db').absolute()}"

    @property
    def uses_server(self) -> bool:
        """Whether the database is a server's, PostgreSQL, which several machines can share."""
        return self.url.startswith("postgresql")

    @property
    def packs_dir(self) -> Path:
        """Where question packs are kept once they were made."""
        return self.data_dir / "packs"

    @property
    def artifacts_url(self) -> str:
        """Where uploads are kept."""
        return self.storage_url or str((self.data_dir / "artifacts").absolute())

    @property
    def secret_path(self) -> Path:
        """File of the secret that is used where EARSHOT_SECRET_KEY is not set."""
        return self.data_dir / "secret-key"

    @property
    def secret_text(self) -> str | None:
        """EARSHOT_SECRET_KEY; None where it is not set."""
        return None if self.secret_key is None else self.secret_key.get_secret_value()

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
        is_elsewhere = self.uses_server and self.storage_url is not None
        return not on_space() or self.data_dir.is_mount() or is_elsewhere

    def make_data_dir(self) -> None:
        """Make the data folder.

        Raises:
            SettingsError: It cannot be made, or nothing can be written there.
        """
        try:
            self.data_dir.mkdir(parents=True, exist_ok=True)
            reason = "" if os.access(self.data_dir, os.W_OK | os.X_OK) else "no permission"
        except OSError as error:
            reason = str(error.strerror)
        if reason:
            raise SettingsError(
                f"EARSHOT_DATA_DIR: {self.data_dir} cannot be written ({reason}). Set it to a folder that can be."
            )

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
                "Mount a volume there, set EARSHOT_DATA_DIR to where one is mounted, or keep rows in PostgreSQL "
                "(EARSHOT_DATABASE_URL) and uploads and answer keys elsewhere (EARSHOT_STORAGE_URL, "
                "EARSHOT_ANSWER_KEYS)."
            )
        if self.auth == "local":
            raise SettingsError("EARSHOT_PRODUCTION is on, and EARSHOT_AUTH is local. Set EARSHOT_AUTH=oidc.")
        if self.allow_loopback_endpoints:
            raise SettingsError(
                "EARSHOT_PRODUCTION is on, and EARSHOT_ALLOW_LOOPBACK_ENDPOINTS too: strangers could have this machine "
                "asked. Leave it out."
            )
        if self.secret_key is None and on_space() and not self.data_dir.is_mount():
            raise SettingsError(
                "EARSHOT_PRODUCTION is on, and a secret that is made here would not survive a restart. Set "
                "EARSHOT_SECRET_KEY to the output of `openssl rand -hex 32`."
            )


class EvaluatorSettings(Settings):
    """What only an evaluator may know."""

    answer_keys: str | None = None
    judge_base_url: str | None = None
    judge_model: str | None = None
    judge_api_key: SecretStr | None = None
    judge_repeats: Annotated[int, Field(ge=1, le=10)] = 1
    judge_concurrency: Annotated[int, Field(ge=1, le=256)] = 16
    # 0 asks nothing.
    judge_max_calls_per_day: Annotated[int, Field(ge=0, le=100_000_000)] = 20_000
    # Money, in any currency; the prices are per million tokens.
    judge_max_cost_per_day: Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)] | None = None
    judge_price_input: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] | None = None
    judge_price_output: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] | None = None
    # Wrong answers of a scored submission; 0 sorts none.
    judge_sort_errors: Annotated[int, Field(ge=0, le=1_000)] = 0

    @model_validator(mode="after")
    def _refuse_keys_elsewhere(self) -> Self:
        if self.answer_keys is not None and "://" in self.answer_keys:
            raise ValueError("EARSHOT_ANSWER_KEYS is an address, and this release reads keys from a folder only.")
        return self

    @model_validator(mode="after")
    def _refuse_half_a_judge(self) -> Self:
        if (self.judge_base_url is None) != (self.judge_model is None):
            lacking = "EARSHOT_JUDGE_MODEL" if self.judge_model is None else "EARSHOT_JUDGE_BASE_URL"
            raise ValueError(
                f"A judge needs its address and the name of its model, and {lacking} is not set. Set both."
            )
        # The address is not shown: it may hold a password.
        if self.judge_base_url is not None and not _HTTP_URL.fullmatch(self.judge_base_url):
            raise ValueError(
                "EARSHOT_JUDGE_BASE_URL is no http or https address without user name, query and fragment. "
                "Set it as in https://judge.example/v1."
            )
        return self

    @model_validator(mode="after")
    def _refuse_half_a_price(self) -> Self:
        if (self.judge_price_input is None) != (self.judge_price_output is None):
            lacking = "EARSHOT_JUDGE_PRICE_INPUT" if self.judge_price_input is None else "EARSHOT_JUDGE_PRICE_OUTPUT"
            raise ValueError(f"The price of the judge has two parts, and {lacking} is not set. Set both.")
        if self.judge_max_cost_per_day is not None and self.judge_price_input is None:
            raise ValueError(
                "EARSHOT_JUDGE_MAX_COST_PER_DAY needs the price of tokens. Set EARSHOT_JUDGE_PRICE_INPUT and "
                "EARSHOT_JUDGE_PRICE_OUTPUT."
            )
        return self

    @property
    def has_judge(self) -> bool:
        """Whether open answers can be judged here."""
        return self.judge_base_url is not None

    @property
    def is_durable(self) -> bool:
        """Whether answer keys survive a restart too."""
        keys_survive = not on_space() or self.data_dir.is_mount() or self.answer_keys is not None
        return super().is_durable and keys_survive

    @property
    def answer_keys_dir(self) -> Path:
        """Folder of the answer keys."""
        return Path(self.answer_keys) if self.answer_keys else self.data_dir / "answer-keys"


# Fields that are variables of ours; the others are read by their own names.
_OURS = tuple(name for name, field in EvaluatorSettings.model_fields.items() if field.validation_alias is None)
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
    """Return this process's environment without what a web process may not know, or does not use."""
    storage = next((value for name, value in os.environ.items() if name.upper() == "EARSHOT_STORAGE_URL"), "")
    # Protocols may be chained, as in `simplecache::s3://`.
    protocol = storage.partition("://")[0].rpartition("::")[2].lower()
    unused = [prefixes for name, prefixes in _STORAGE_CREDENTIALS.items() if name != protocol]
    withheld = (*_OTHER_CREDENTIALS, *(prefix for prefixes in unused for prefix in prefixes))
    return {
        name: value
        for name, value in evaluator_environment().items()
        if name.upper() not in EVALUATOR_ONLY and not name.upper().startswith(withheld)
    }


def evaluator_environment() -> dict[str, str]:
    """Return this process's environment without variables of ours that mean nothing, which were warned of already.

    Matrix products run in one thread unless somebody says otherwise: several wait for each other wherever the machine
    has other work, and a board then takes ten times as long.
    """
    return {"OPENBLAS_NUM_THREADS": "1"} | {name: value for name, value in os.environ.items() if not _is_odd(name)}


def listener_environment() -> dict[str, str]:
    """Return what the process of our own listeners may know: where programs and languages are, and nothing of ours."""
    known = ("PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONPATH", "TMPDIR")
    return {"OPENBLAS_NUM_THREADS": "1"} | {name: os.environ[name] for name in known if name in os.environ}


def find_client_token() -> str | None:
    """Return the personal token that the command line sends, if one is set; no server reads it."""
    return os.environ.get(_TOKEN) or None


def find_hub_token() -> str | None:
    """Return the submitter's own token of the Hub, which `propose` sends to the Hub alone."""
    return os.environ.get("HF_TOKEN") or None


def list_odd_variables() -> Iterator[str]:
    """Yield a sentence for every variable of ours that is set and has no effect."""
    # Compared without what all of them begin with, or every one would look like another.
    known = [field.upper() for field in _OURS]
    known += [name.removeprefix("EARSHOT_") for name in (*_LATER, _TOKEN)]
    for name in sorted(name for name, value in os.environ.items() if value and _is_odd(name)):
        if name.upper() in _LATER:
            yield f"{name} is for a later release and has no effect yet."
            continue
        close = difflib.get_close_matches(name.upper().removeprefix("EARSHOT_"), known, n=1)
        hint = f" Did you mean EARSHOT_{close[0]}?" if close else ""
        yield f"{name} is no variable of Earshot and has no effect.{hint}"


def _is_odd(name: str) -> bool:
    is_ours = name.upper().startswith("EARSHOT_") and name.upper() != _TOKEN
    return is_ours and name.upper().removeprefix("EARSHOT_").lower() not in _OURS


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
