"""All environment variables of Earshot with their bounds. Nothing else reads the environment.

The web process and the evaluator have different settings. `EvaluatorSettings` has the evaluator's secrets.
`EVALUATOR_ONLY` names the variables that web processes never receive, and `WEB_ONLY` those that evaluators never
receive, such as the sign-in secrets. `settings.environments` builds the environment of each process.
"""

import os
import re
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import Field, SecretStr, ValidationError, model_validator
from pydantic_settings import NoDecode, SettingsConfigDict

from settings.edge import EdgeSettings, split_lists
from settings.edge import on_space as on_space
from settings.sign_in import LOOPBACK_HOSTS as LOOPBACK_HOSTS
from settings.sign_in import SignInSettings, fill_in_space
from settings.sign_in import is_https_or_loopback as is_https_or_loopback

# Each process would have its own in-memory database.
_SQLITE_FILE = re.compile(r"sqlite(\+pysqlite)?:///(?!:memory:|file:)[^?]+(\?.*)?")
_HTTP_URL = re.compile(r"https?://[^\s/@?#]+(/[^\s?#]*)?")
# Characters `@:/?#` in a name or password must be percent-encoded, such as `%40`.
_POSTGRESQL = re.compile(
    r"postgresql(\+psycopg)?://([^@/?#]*@)?([^@/?#:]*|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?/[^/?#]+(\?[^#]*)?"
)
_REPLICA_URL = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[\w.-]+)*/?|file://(/[^?#]+)")
_KEYS_URL = re.compile(r"hf://datasets/[\w.-]+/[\w.-]+(@[\w.-]+)?(/[\w.-]+)*/?|s3://[a-z0-9.-]{3,63}(/[\w.-]+)*/?")
_MAX_SUBMISSIONS = 1_000_000
MIN_SECRET = 32


class SettingsError(Exception):
    """A variable has an invalid value. The message names the variable and the allowed values."""


class Settings(SignInSettings, EdgeSettings):
    """Settings of every process."""

    model_config = SettingsConfigDict(env_prefix="EARSHOT_", env_ignore_empty=True, extra="ignore", frozen=True)

    data_dir: Path = Field(default_factory=lambda: _default_data_dir())
    database_url: str | None = None
    auth: Literal["local", "oidc"] = Field(default_factory=lambda: "oidc" if on_space() else "local")
    maintainers: Annotated[tuple[str, ...], NoDecode] = ()
    # Limit of scored submissions per user and benchmark version; 0 is no limit.
    submissions_per_day: Annotated[int, Field(ge=0, le=_MAX_SUBMISSIONS)] = 2
    submissions_per_month: Annotated[int, Field(ge=0, le=_MAX_SUBMISSIONS)] = 10
    submissions_in_all: Annotated[int, Field(ge=0, le=_MAX_SUBMISSIONS)] = 60
    # Limits of editions per user and benchmark version; 0 is no limit.
    open_editions: Annotated[int, Field(ge=0, le=_MAX_SUBMISSIONS)] = 2
    editions_per_day: Annotated[int, Field(ge=0, le=_MAX_SUBMISSIONS)] = 5
    # Last day (UTC) on which files for the shared test splits of rendered benchmarks are accepted.
    shared_splits_until: date | None = None
    max_upload_mb: Annotated[int, Field(ge=1, le=2_000)] = 100
    storage_url: str | None = None
    # Where the rows of a SQLite database are replicated: s3://bucket/path or file:///folder.
    replica_url: str | None = None
    replica_lease_seconds: Annotated[int, Field(ge=2, le=300)] = 20
    # Encrypts the API keys of endpoints; generated on first start if not set. The current key first, then earlier ones.
    secret_key: SecretStr | None = None
    # For development only: anyone who may register an endpoint could reach every service on this machine.
    allow_loopback_endpoints: bool = False
    host: str = Field(default_factory=lambda: "0.0.0.0" if on_space() else "127.0.0.1")  # noqa: S104 - a Space's proxy
    port: Annotated[int, Field(ge=0, le=65_535)] = 7860
    production: bool | None = None
    # The name that every Hub client reads. Other sites can mirror the Hub.
    hub_endpoint: str = Field(default="https://huggingface.co", validation_alias="HF_ENDPOINT")

    @model_validator(mode="before")
    @classmethod
    def _prepare(cls, values: dict[str, object]) -> dict[str, object]:
        names = values.get("maintainers")
        if isinstance(names, str):
            values["maintainers"] = tuple(name.strip() for name in names.split(",") if name.strip())
        split_lists(values)
        if on_space():
            fill_in_space(values, os.environ)
        return values

    @model_validator(mode="after")
    def _refuse_open_local_sign_in(self) -> Self:
        # With local sign-in, anyone who reaches the port can sign in as anyone.
        if self.auth == "local" and self.host not in LOOPBACK_HOSTS:
            raise ValueError(
                f"EARSHOT_AUTH=local requires a loopback EARSHOT_HOST, but it is {self.host!r}. Set "
                f"EARSHOT_AUTH=oidc, or EARSHOT_HOST to one of {', '.join(LOOPBACK_HOSTS)}."
            )
        return self

    @model_validator(mode="after")
    def _refuse_odd_hub(self) -> Self:
        # Do not show the address: it may contain a password.
        if not _HTTP_URL.fullmatch(self.hub_endpoint):
            raise ValueError(
                "HF_ENDPOINT must be an http or https URL without user name, query or fragment. Unset it, or set it "
                "to a URL such as https://huggingface.co."
            )
        return self

    @model_validator(mode="after")
    def _refuse_tokens_of_another_hub(self) -> Self:
        # Users are identified by issuer and subject, so both ways to sign in must have the same issuer.
        if self.accept_hub_tokens and (not self.uses_provider or self.oidc_issuer != self.hub_endpoint.rstrip("/")):
            raise ValueError(
                "EARSHOT_ACCEPT_HUB_TOKENS requires sign-in with the Hub: EARSHOT_AUTH=oidc, and EARSHOT_OIDC_ISSUER "
                "must equal HF_ENDPOINT. Set them as on a Space, or unset EARSHOT_ACCEPT_HUB_TOKENS."
            )
        return self

    @model_validator(mode="after")
    def _refuse_weak_secrets(self) -> Self:
        # Do not show the secret.
        text = self.secret_text
        if text is not None and not all(len(one) >= MIN_SECRET for one in re.split(r"[\s,]+", text.strip(" ,"))):
            raise ValueError(
                f"Each secret in EARSHOT_SECRET_KEY must have at least {MIN_SECRET} characters. Set it to the "
                "output of `openssl rand -hex 32`, or unset it to have one generated."
            )
        return self

    @model_validator(mode="after")
    def _refuse_other_databases(self) -> Self:
        # Do not show the URL: it may contain a password.
        url = self.database_url
        if url is not None and not _SQLITE_FILE.fullmatch(url) and not _POSTGRESQL.fullmatch(url):
            raise ValueError(
                "EARSHOT_DATABASE_URL must name a SQLite file or a PostgreSQL database. Unset it, or set it to "
                "sqlite:////folder/earshot.db or postgresql://user:password@host:5432/database. Write @ and / in a "
                "password as %40 and %2F."
            )
        return self

    @model_validator(mode="after")
    def _refuse_other_replicas(self) -> Self:
        # Do not show the URL: it may contain a password.
        if self.replica_url is None:
            return self
        if self.uses_server:
            raise ValueError(
                "EARSHOT_REPLICA_URL works with SQLite only, but EARSHOT_DATABASE_URL names a server. Unset one of "
                "them."
            )
        if not _REPLICA_URL.fullmatch(self.replica_url) or ".." in self.replica_url:
            raise ValueError("EARSHOT_REPLICA_URL must be s3://bucket/path or file:///folder.")
        return self

    @property
    def url(self) -> str:
        """SQLAlchemy URL of the database."""
        return self.database_url or f"sqlite:///{(self.data_dir / 'earshot.db').absolute()}"

    @property
    def uses_server(self) -> bool:
        """Whether the database is a PostgreSQL server, which several machines can share."""
        return self.url.startswith("postgresql")

    @property
    def database_path(self) -> Path:
        """File of a SQLite database."""
        return Path(self.url.partition(":///")[2].partition("?")[0]).absolute()

    @property
    def packs_dir(self) -> Path:
        """Folder of built question packs."""
        return self.data_dir / "packs"

    @property
    def edition_packs_dir(self) -> Path:
        """Folder of the question packs of editions, each for its owner only."""
        return self.packs_dir / "editions"

    @property
    def accepts_shared_splits(self) -> bool:
        """Whether files for the shared test splits of rendered benchmarks, which have ended, are still accepted."""
        return self.shared_splits_until is not None and datetime.now(UTC).date() <= self.shared_splits_until

    @property
    def artifacts_url(self) -> str:
        """Storage URL of uploads."""
        return self.storage_url or str((self.data_dir / "artifacts").absolute())

    @property
    def secret_path(self) -> Path:
        """File of the generated secret, used if EARSHOT_SECRET_KEY is not set."""
        return self.data_dir / "secret-key"

    @property
    def secret_text(self) -> str | None:
        """EARSHOT_SECRET_KEY; None if not set."""
        return None if self.secret_key is None else self.secret_key.get_secret_value()

    @property
    def uses_provider(self) -> bool:
        """Whether users sign in with an OpenID provider."""
        return self.auth == "oidc" and self.oidc_issuer is not None

    @property
    def maintainer_names(self) -> tuple[str, ...]:
        """User names with the maintainer role; none with a provider, since user names can change there."""
        if self.uses_provider:
            return ()
        return self.maintainers or (("local",) if self.auth == "local" else ())

    @property
    def maintainer_subjects(self) -> tuple[str, ...]:
        """Provider subjects with the maintainer role."""
        return self.maintainers if self.uses_provider else ()

    @property
    def max_upload_bytes(self) -> int:
        """Maximum size of a request."""
        return self.max_upload_mb * 1_000_000

    @property
    def is_durable(self) -> bool:
        """Whether stored data survive a restart of the machine, except changes that a replica does not have yet."""
        keeps_rows = self.uses_server or (self.replica_url or "").startswith("s3://")
        return not on_space() or (keeps_rows and _is_remote(self.storage_url))

    def make_data_dir(self) -> None:
        """Create the data folder, or raise a SettingsError."""
        try:
            self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            reason = "" if os.access(self.data_dir, os.W_OK | os.X_OK) else "no permission"
        except OSError as error:
            reason = str(error.strerror)
        if reason:
            raise SettingsError(
                f"EARSHOT_DATA_DIR: cannot write to {self.data_dir} ({reason}). Set it to a writable folder."
            )

    def require_fit_for_production(self) -> None:
        """Raise a SettingsError if EARSHOT_PRODUCTION is set and the settings would lose or expose data."""
        if not (on_space() if self.production is None else self.production):
            return
        if not self.is_durable:
            raise SettingsError(
                "EARSHOT_PRODUCTION is on (the default on a Space), but a restart would lose data because the disk "
                "is ephemeral. Set EARSHOT_REPLICA_URL, EARSHOT_STORAGE_URL and EARSHOT_ANSWER_KEYS to remote "
                "storage (docs/space.md), or set EARSHOT_PRODUCTION=0 for a preview that may lose its data."
            )
        if self.auth == "local":
            raise SettingsError("EARSHOT_PRODUCTION is on, but EARSHOT_AUTH is local. Set EARSHOT_AUTH=oidc.")
        if self.allow_loopback_endpoints:
            raise SettingsError(
                "EARSHOT_PRODUCTION and EARSHOT_ALLOW_LOOPBACK_ENDPOINTS are both on, so strangers could send "
                "requests to this machine. Unset EARSHOT_ALLOW_LOOPBACK_ENDPOINTS."
            )
        if self.secret_key is None and on_space():
            raise SettingsError(
                "EARSHOT_PRODUCTION is on, but a generated secret would not survive a restart. Set "
                "EARSHOT_SECRET_KEY to the output of `openssl rand -hex 32`."
            )


class EvaluatorSettings(Settings):
    """Settings of evaluators only."""

    answer_keys: str | None = None
    # Token for the private Hub dataset with the answer keys.
    keys_token: SecretStr | None = None
    # Address space of an evaluator, and of each process that it starts.
    evaluator_memory_mb: Annotated[int, Field(ge=1_024, le=1_048_576)] = 8_192
    judge_base_url: str | None = None
    judge_model: str | None = None
    judge_api_key: SecretStr | None = None
    judge_repeats: Annotated[int, Field(ge=1, le=10)] = 1
    judge_concurrency: Annotated[int, Field(ge=1, le=256)] = 16
    # 0 disables judge calls.
    judge_max_calls_per_day: Annotated[int, Field(ge=0, le=100_000_000)] = 20_000
    # Money in any currency; prices are per million tokens.
    judge_max_cost_per_day: Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)] | None = None
    judge_price_input: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] | None = None
    judge_price_output: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] | None = None
    # Maximum number of wrong answers to classify per submission; 0 disables it.
    judge_sort_errors: Annotated[int, Field(ge=0, le=1_000)] = 0

    @model_validator(mode="after")
    def _refuse_keys_elsewhere(self) -> Self:
        if self.answer_keys is not None and "://" in self.answer_keys and not _KEYS_URL.fullmatch(self.answer_keys):
            raise ValueError("EARSHOT_ANSWER_KEYS must be a folder, hf://datasets/NAMESPACE/NAME or s3://bucket/path.")
        return self

    @model_validator(mode="after")
    def _refuse_half_a_judge(self) -> Self:
        if (self.judge_base_url is None) != (self.judge_model is None):
            lacking = "EARSHOT_JUDGE_MODEL" if self.judge_model is None else "EARSHOT_JUDGE_BASE_URL"
            raise ValueError(f"The judge needs a base URL and a model, but {lacking} is not set. Set both.")
        # Do not show the address: it may contain a password.
        if self.judge_base_url is not None and not _HTTP_URL.fullmatch(self.judge_base_url):
            raise ValueError(
                "EARSHOT_JUDGE_BASE_URL must be an http or https URL without user name, query or fragment. Set it to "
                "a URL such as https://judge.example/v1."
            )
        return self

    @model_validator(mode="after")
    def _refuse_half_a_price(self) -> Self:
        if (self.judge_price_input is None) != (self.judge_price_output is None):
            lacking = "EARSHOT_JUDGE_PRICE_INPUT" if self.judge_price_input is None else "EARSHOT_JUDGE_PRICE_OUTPUT"
            raise ValueError(f"The judge's price has two parts, but {lacking} is not set. Set both.")
        if self.judge_max_cost_per_day is not None and self.judge_price_input is None:
            raise ValueError(
                "EARSHOT_JUDGE_MAX_COST_PER_DAY requires token prices. Set EARSHOT_JUDGE_PRICE_INPUT and "
                "EARSHOT_JUDGE_PRICE_OUTPUT."
            )
        return self

    @property
    def has_judge(self) -> bool:
        """Whether this evaluator has a judge of open answers."""
        return self.judge_base_url is not None

    @property
    def is_durable(self) -> bool:
        """Whether answer keys, too, survive a restart."""
        return super().is_durable and (not on_space() or _is_remote(self.answer_keys))

    @property
    def answer_keys_dir(self) -> Path:
        """Folder of the answer keys; keys from remote storage are copied there."""
        is_folder = self.answer_keys is not None and "://" not in self.answer_keys
        return Path(self.answer_keys or "") if is_folder else self.data_dir / "answer-keys"

    @property
    def keys_token_text(self) -> str | None:
        """EARSHOT_KEYS_TOKEN; None if not set."""
        return None if self.keys_token is None else self.keys_token.get_secret_value()


EVALUATOR_ONLY = tuple(
    f"EARSHOT_{name.upper()}" for name in EvaluatorSettings.model_fields.keys() - Settings.model_fields
)
# Fields whose variables have the prefix EARSHOT_; the others have their own names.
OUR_FIELDS = tuple(name for name, field in EvaluatorSettings.model_fields.items() if field.validation_alias is None)
_Kind = TypeVar("_Kind", bound=Settings)


def _is_remote(address: str | None) -> bool:
    protocol, separator, _ = (address or "").rpartition("::")[2].partition("://")
    return bool(separator) and protocol.lower() not in ("file", "local", "memory")


def _default_data_dir() -> Path:
    volume = Path("/data")
    return volume if on_space() and os.access(volume, os.W_OK) else Path("data")


def load_settings() -> Settings:
    """Read the settings of a web process, or raise a SettingsError that names the invalid variable."""
    return _load_settings(Settings)


def load_evaluator_settings() -> EvaluatorSettings:
    """Read the settings of an evaluator, or raise a SettingsError that names the invalid variable."""
    return _load_settings(EvaluatorSettings)


def _load_settings(kind: type[_Kind]) -> _Kind:
    try:
        return kind()
    except ValidationError as error:
        raise SettingsError("; ".join(_explain(fault) for fault in error.errors())) from None


def _explain(fault: Any) -> str:
    """Explain which variable is invalid and why. Its value is included only if it is not secret."""
    if not fault["loc"]:
        return str(fault["msg"]).removeprefix("Value error, ")
    name = f"EARSHOT_{str(fault['loc'][0]).upper()}"
    # URLs may contain a password.
    is_secret = name.endswith(("_KEY", "_SECRET", "_TOKEN")) or "@" in str(fault["input"])
    value = "" if is_secret else f" (it is {fault['input']!r})"
    return f"{name}: {str(fault['msg']).removeprefix('Value error, ')}{value}."
