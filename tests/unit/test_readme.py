"""README: front matter of a Space, links and commands."""

import re
from pathlib import Path

import yaml

import settings
from settings import Settings

ROOT = Path(settings.__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_front_matter_of_the_readme_configures_a_working_space() -> None:
    assert README.startswith("---\n")
    front = yaml.safe_load(README.split("---\n")[1])
    assert front["sdk"] == "docker"
    assert (ROOT / "Dockerfile").is_file()
    # For a duplicate with `sdk: gradio`.
    assert (ROOT / front["app_file"]).is_file()
    assert f"\ngradio=={front['sdk_version']}\n" in f"\n{(ROOT / 'requirements.txt').read_text()}"
    assert isinstance(front["python_version"], str), "3.10 without quotes is the number 3.1"
    assert front["app_port"] == Settings.model_fields["port"].default == 7860
    assert len(front["short_description"]) <= 60
    colours = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
    assert {front["colorFrom"], front["colorTo"]} <= colours


def test_readme_fits_on_two_screens() -> None:
    assert len(README.splitlines()) <= 120


def test_readme_has_no_placeholder_and_no_broken_link() -> None:
    assert not re.findall(r"\b[A-Z]+_TABLE\b|TODO|TBD", README)
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert target.startswith("https://") or (ROOT / target).is_file(), target
    assert (ROOT / "docs" / "board.png").stat().st_size < 400_000


def test_commands_of_the_readme_use_the_virtual_environment() -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if re.search(r"\bpython\b", line)]
    assert len(lines) >= 3
    assert [line for line in lines if not re.search(r"(^|\()\.venv/bin/python -m ", line)] == []
