"""Settings as a process with some variables would load them."""

import pytest

from settings import Settings, SettingsError, load_settings


def load_with(monkeypatch: pytest.MonkeyPatch, **values: str) -> Settings:
    for name, value in values.items():
        monkeypatch.setenv(f"EARSHOT_{name}", value)
    return load_settings()


def expect_refusal(monkeypatch: pytest.MonkeyPatch, **values: str) -> str:
    with pytest.raises(SettingsError) as caught:
        load_with(monkeypatch, **values)
    return str(caught.value)


def run_on_space(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPACE_ID", "somebody/earshot")
