"""Container image: the Dockerfile, and the server on a file system with the layout of the image.

Images cannot be built without a container engine. So the command of the Dockerfile runs on a copy of the files that
`COPY` includes, as a user without write permission.
"""

import fnmatch
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from settings import Settings
from tests.support.secrets.canaries import AS_USER, can_inspect
from tests.support.servers.server import ROOT, Server

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")


def find_instruction(name: str) -> str:
    """Return the arguments of the last instruction of a name."""
    found: list[str] = re.findall(rf"^{name} (.*)$", DOCKERFILE, re.MULTILINE)
    return found[-1]


def list_ignored() -> list[str]:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def list_copied() -> Iterator[Path]:
    """Yield the files that `COPY` includes, relative to the repository, except those that git ignores."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    patterns = [pattern for pattern in list_ignored() if "/" not in pattern]
    for name in listed.splitlines():
        if not any(fnmatch.fnmatch(name.split("/")[0], pattern) for pattern in patterns):
            yield Path(name)


@pytest.fixture
def image(tmp_path: Path) -> Iterator[Path]:
    """A read-only copy of the code with a writable folder `data`."""
    folder = tmp_path / "app"
    for name in list_copied():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
        compiled = Path(cache_from_source(str(ROOT / name)))
        if compiled.is_file():  # the image compiles its code, too
            (folder / name).parent.joinpath("__pycache__").mkdir(exist_ok=True)
            shutil.copy2(compiled, cache_from_source(str(folder / name)))
    (folder / "data").mkdir(mode=0o700)
    set_permissions(folder, 0o555, 0o444)
    yield folder
    set_permissions(folder, 0o755, 0o644)


def set_permissions(folder: Path, of_folders: int, of_files: int) -> None:
    for path in [folder, *folder.rglob("*")]:
        if path != folder / "data" and folder / "data" not in path.parents:
            path.chmod(of_folders if path.is_dir() else of_files)


def run_as_user(*command: str) -> int:
    return subprocess.run([*AS_USER, *command], capture_output=True, check=False).returncode


def test_dockerfile_agrees_with_the_settings_and_the_lock() -> None:
    assert find_instruction("USER") == "1000"
    assert int(find_instruction("EXPOSE")) == Settings.model_fields["port"].default
    assert f"127.0.0.1:{Settings.model_fields['port'].default}/healthz" in find_instruction("HEALTHCHECK")
    assert "--require-hashes --requirement requirements.lock" in DOCKERFILE
    assert f"python:{sys.version_info.major}.{sys.version_info.minor}-" in find_instruction("FROM")
    version = re.search(r"^UV_VERSION := (\S+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert version is not None
    assert f" uv=={version[1]}" in DOCKERFILE


def test_image_excludes_data_keys_and_tests() -> None:
    copied = {path.parts[0] for path in list_copied()}
    assert {"app.py", "settings", "assets", "db", "evaluation", "leaderboard", "submissions"} <= copied
    assert not {"data", "tests", "bench", "docs", ".git", ".gitignore"} & copied
    assert {".*", "data"} <= set(list_ignored())


def test_server_in_the_image_cannot_modify_its_code_or_be_inspected_by_its_user(image: Path, tmp_path: Path) -> None:
    command = json.loads(find_instruction("CMD"))
    assert command[0] == "python"
    assert run_as_user("touch", str(image / "app.py.new")) != 0, "the code can be written"
    server = Server(tmp_path, {"EARSHOT_DATA_DIR": "data", "PYTHONDONTWRITEBYTECODE": "1"}, ("--no-packs",))
    server.start_command([*AS_USER, sys.executable, *command[1:], "--no-packs", "--no-references"], image)
    try:
        server.wait_until_ready(with_chance=False)
        status, body = server.get("/")
        assert status == 200
        assert b"Earshot" in body
        web, evaluator = server.child("leaderboard"), server.child("submissions")
        assert web is not None
        assert evaluator is not None
        assert server.process is not None
        assert not any(can_inspect(pid) for pid in (server.process.pid, web.pid, evaluator.pid))
    finally:
        server.stop()
    assert (image / "data" / "earshot.db").is_file()
