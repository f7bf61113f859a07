"""Fixture of tests of settings: no variable of the machine has an effect."""

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Remove variables of the machine, and use a separate working directory."""
    for name in list(os.environ):
        if name.upper().startswith(("EARSHOT_", "SPACE_", "OAUTH_", "OPENID_", "HF_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
