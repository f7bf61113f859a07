"""Passwords in addresses that operators set: no process shows them, at `-v`, whatever is wrong with the address."""

import contextlib
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import pytest

from tests.support.secrets.canaries import Canaries
from tests.support.servers.server import ROOT, clean_environment
from tests.support.servers.warm_processes import WarmPython

# {} is the password. Nothing listens on port 1.
DATABASES = (
    "postgresql://earshot:{}@127.0.0.1:1/earshot",
    "postgresql+psycopg://earshot:{}@127.0.0.1:1/earshot?connect_timeout=1",
    "postgresql://127.0.0.1:1/earshot?user=earshot&password={}",
    "postgresql://127.0.0.1:1/earshot?user=earshot&passwd={}",
    "postgresql://127.0.0.1:1/earshot?{}",
    "postgresql://127.0.0.1:1/earshot?options={}&sslmode=nonsense",
    "postgresql://127.0.0.1:1/earshot?sslpassword={}&sslmode=verify-full",
    "postgresql://earshot:{}%ZZ@127.0.0.1:1/earshot",
    "postgresql://earshot:{}%00@127.0.0.1:1/earshot",
    "postgresql://earshot:{}@127.0.0.1:99999/earshot",
    "postgresql://earshot:{}@[::1]:1/earshot",
    "postgresql://earshot:{}@no-such-host.invalid/earshot",
    "postgresql://earshot:p@{}@127.0.0.1:1/earshot",
    "postgresql://earshot:a/{}@127.0.0.1:1/earshot",
    "postgres://earshot:{}@127.0.0.1:1/earshot",
    "mysql://earshot:{}@127.0.0.1:1/earshot",
    "sqlite://earshot:{}@/earshot.db",
    "{}",
)
OTHERS = {
    "EARSHOT_STORAGE_URL": (
        "s3://key:{}@bucket/uploads",
        "ftp://earshot:{}@127.0.0.1:1/uploads",
        "sftp://earshot:{}@127.0.0.1:1/uploads",
        "https://earshot:{}@127.0.0.1:1/uploads",
        "nonsense://earshot:{}@127.0.0.1:1/uploads",
    ),
    "EARSHOT_ANSWER_KEYS": ("s3://key:{}@bucket/keys", "hf://datasets/lab:{}@keys", "https://earshot:{}@host/keys"),
    "EARSHOT_REPLICA_URL": ("s3://key:{}@bucket/db", "https://earshot:{}@host/db", "file://earshot:{}@host/db?x"),
    "EARSHOT_JUDGE_BASE_URL": ("https://earshot:{}@judge.example/v1", "{}"),
    "EARSHOT_OIDC_ISSUER": ("https://earshot:{}@provider.example", "http://{}@provider.example/?x#y"),
    "EARSHOT_PUBLIC_URL": ("https://earshot:{}@earshot.example", "earshot:{}@earshot.example/x"),
    "HF_ENDPOINT": ("https://earshot:{}@huggingface.co", "{}"),
    "EARSHOT_SECRET_KEY": ("{:.20}", "{:.20},{:.20}"),
}
PROGRAMS: tuple[tuple[str, ...], ...] = (
    ("leaderboard", "-v"),
    ("submissions.worker", "-v", "--no-packs", "--no-references"),
    ("db", "-v", "check"),
    ("db", "-v", "tokens", "list", "ann"),
    ("submissions", "-v", "keys", "list"),
)
SHARE_IN_SUITE = 19
SECONDS = 20.0


def list_cases() -> list[tuple[str, str, tuple[str, ...]]]:
    """Return variable, address and program of each case."""
    addresses = [("EARSHOT_DATABASE_URL", address) for address in DATABASES]
    addresses += [(variable, address) for variable, several in OTHERS.items() for address in several]
    return [(variable, address, program) for variable, address in addresses for program in PROGRAMS]


def run_program(warm: WarmPython, program: Sequence[str], environment: dict[str, str], log: IO[bytes]) -> None:
    """Run a program until it ends; a server that starts nevertheless is stopped."""
    process = warm.start(["-m", *program], ROOT, environment, (0, log.fileno(), log.fileno()))
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(SECONDS)
    process.kill()
    process.wait()


def test_no_password_of_an_address_is_shown(
    warm_python: WarmPython, tmp_path: Path, soak: bool, subtests: pytest.Subtests
) -> None:
    cases = list_cases()
    for number, (variable, address, program) in enumerate(cases if soak else cases[::SHARE_IN_SUITE]):
        with subtests.test(variable=variable, address=address, program=program[0]):
            canaries = Canaries()
            value = canaries.make("password")
            folder = tmp_path / str(number)
            folder.mkdir()
            environment = clean_environment() | {
                "EARSHOT_DATA_DIR": str(folder / "data"),
                "EARSHOT_PORT": "0",
                "EARSHOT_AUTH": "oidc" if variable == "EARSHOT_OIDC_ISSUER" else "local",
                "EARSHOT_JUDGE_MODEL": "judge",
                variable: address.format(value, value),
            }
            with (tmp_path / f"{number}.log").open("wb+") as log:
                run_program(warm_python, program, environment, log)
                log.seek(0)
                shown = log.read()
            assert canaries.find(shown) == set(), shown.decode()[-2_000:]
            assert value[:20].encode() not in shown
