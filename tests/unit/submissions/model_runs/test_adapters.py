"""Adapters: prompts as arrays, errors that name the line, and the documented Transformers example on a stand-in."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from evaluation.types import AudioPart, TextPart
from submissions.endpoints.querying.query_records import ItemQuery, ItemResponse, Progress
from submissions.model_runs.adapters import load_adapter, query_adapter, read_parts
from submissions.model_runs.run_errors import ModelRunError
from tests.support.adapter_modules import forget_adapter_modules
from tests.support.documents.blocks import ROOT, read_blocks
from tests.support.endpoints.answering import make_wav

QUESTION = ItemQuery("q1", 2, (TextPart("Which is louder?"), AudioPart("a"), TextPart("or"), AudioPart("b")), seed=2)
CLIPS = {"a": make_wav(n_frames=441), "b": make_wav(n_frames=882, n_channels=1)}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(str(tmp_path))
    with forget_adapter_modules():
        yield tmp_path


def write(folder: Path, code: str) -> None:
    (folder / "my_model.py").write_text(code)


def ask(name: str) -> tuple[list[ItemResponse], list[Progress]]:
    kept: list[ItemResponse] = []
    reports: list[Progress] = []
    result = query_adapter(load_adapter(name), [QUESTION], CLIPS.__getitem__, kept.extend, reports.append)
    assert result.ending is None
    return kept, reports


def test_function_gets_texts_and_arrays_in_order_and_the_seed(folder: Path) -> None:
    write(
        folder,
        "def answer(parts, seed):\n"
        "    shapes = [(p['audio'].shape, str(p['audio'].dtype), p['sampling_rate']) if p['type'] == 'audio'"
        " else p['text'] for p in parts]\n"
        "    return f'{shapes} {seed}'\n",
    )
    kept, reports = ask("my_model:answer")
    shapes = ["Which is louder?", ((441, 2), "float32", 44_100), "or", ((882, 1), "float32", 44_100)]
    assert [(response.id, response.run, response.reply.text) for response in kept] == [("q1", 2, f"{shapes} 2")]
    assert (reports[-1].n_done, reports[-1].n_calls) == (1, 1)


def test_function_without_a_seed_is_called_without_one(folder: Path) -> None:
    write(folder, "def answer(parts):\n    return str(len(parts))\n")
    assert ask("my_model:answer")[0][0].reply.text == "4"


def test_samples_have_full_scale_one() -> None:
    audio = next(part["audio"] for part in read_parts(QUESTION, CLIPS.__getitem__) if part["type"] == "audio")
    assert 0.2 < np.abs(audio).max() <= 9_000 / 32_768


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("my_model", "Pass module:function"),
        ("my_model:", "Pass module:function"),
        ("absent_model:answer", "cannot be imported (No module named 'absent_model')"),
        ("my_model:other", "cannot be imported"),
        ("my model:answer", "cannot be imported"),
        ("my_model:NUMBER", "is no function"),
        ("my_model:answer_later", "is an async function"),
    ],
)
def test_adapter_that_is_not_there_is_named(folder: Path, name: str, said: str) -> None:
    code = "NUMBER = 3\n\n\ndef answer(parts):\n    return 'B'\n\n\nasync def answer_later(parts):\n    return 'B'\n"
    write(folder, code)
    with pytest.raises(ModelRunError) as caught:
        load_adapter(name)
    assert said in str(caught.value)


def test_error_of_the_function_names_question_file_and_line(folder: Path) -> None:
    write(folder, "def help(parts):\n    return parts[9]\n\n\ndef answer(parts):\n    return help(parts)\n")
    with pytest.raises(ModelRunError) as caught:
        ask("my_model:answer")
    assert "`my_model:answer` failed on q1: IndexError: list index out of range" in str(caught.value)
    assert "my_model.py, line 2)" in str(caught.value)


def test_result_that_is_no_text_is_refused(folder: Path) -> None:
    write(folder, "def answer(parts):\n    return ['B']\n")
    with pytest.raises(ModelRunError, match=r"returned list for q1\. Return the model's text as a str\."):
        ask("my_model:answer")


class Processor:
    """Stand-in for a processor of Transformers: it checks what it is given, and decodes what the model generates."""

    feature_extractor = SimpleNamespace(sampling_rate=16_000)

    @classmethod
    def from_pretrained(cls, name: str) -> "Processor":
        assert name
        return cls()

    def apply_chat_template(self, conversation: Any, **options: Any) -> str:
        assert options == {"add_generation_prompt": True, "tokenize": False}
        (message,) = conversation
        assert message["role"] == "user"
        return " ".join(part.get("text", "<audio>") for part in message["content"])

    def __call__(self, *, text: str, audio: Any, sampling_rate: int, return_tensors: str) -> Any:
        assert (sampling_rate, return_tensors) == (16_000, "pt")
        assert [sound.ndim for sound in audio] == [1] * text.count("<audio>")
        lengths = " ".join(str(len(sound)) for sound in audio)
        return Inputs(input_ids=np.zeros((1, 3), dtype=int), said=f"{text} | {lengths}")

    def batch_decode(self, tokens: Any, skip_special_tokens: bool) -> list[str]:
        assert skip_special_tokens
        assert tokens.shape == (1, 2)
        return [Model.said]


class Inputs(dict[str, Any]):
    """Stand-in for a batch of tensors."""

    def to(self, device: str) -> "Inputs":
        assert device == "cpu"
        return self


class Model:
    """Stand-in for a model: it generates two tokens after the prompt."""

    device = "cpu"
    said = ""

    @classmethod
    def from_pretrained(cls, _name: str, **options: Any) -> "Model":
        assert options == {"device_map": "auto", "torch_dtype": "auto"}
        return cls()

    def generate(self, *, input_ids: Any, said: str, **options: Any) -> Any:
        assert options == {"max_new_tokens": 512, "do_sample": False}
        Model.said = said
        return np.zeros((1, input_ids.shape[1] + 2), dtype=int)


def test_documented_transformers_example_answers_questions(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    transformers = ModuleType("transformers")
    transformers.__dict__.update(AutoProcessor=Processor, Qwen2AudioForConditionalGeneration=Model)
    monkeypatch.setitem(sys.modules, "transformers", transformers)
    blocks = read_blocks(ROOT / "docs" / "running-a-model.md")
    (code,) = [block.text for block in blocks if "transformers" in block.text and "def answer" in block.text]
    (folder / "my_adapter.py").write_text(code)
    text = ask("my_adapter:answer")[0][0].reply.text
    found = re.fullmatch(r"Which is louder\? <audio> or <audio> \| (\d+) (\d+)", text)
    assert found is not None, text
    assert (int(found[1]), int(found[2])) == (160, 320), "resampled to 16 kHz, and one channel"


@pytest.mark.parametrize("statement", ["import sys; sys.exit(3)", "1 / 0", "raise RuntimeError('no GPU')"])
def test_module_that_fails_is_named_with_its_line(folder: Path, statement: str) -> None:
    write(folder, f"LETTER = 'B'\n{statement}\n")
    with pytest.raises(ModelRunError, match=r"cannot be imported: \w+: .* \(\S+my_model\.py, line 2\)\. Fix it"):
        load_adapter("my_model:answer")


def test_compiled_function_is_called_without_a_seed() -> None:
    with pytest.raises(ModelRunError, match="returned int for q1"):
        ask("builtins:len")
    assert ask("builtins:str")[0][0].reply.text.startswith("[{")


def test_module_in_the_current_folder_is_found(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path_factory.mktemp("here")
    (here / "my_adapter.py").write_text("def answer(parts):\n    return 'C'\n")
    monkeypatch.chdir(here)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    assert ask("my_adapter:answer")[0][0].reply.text == "C"


def test_damaged_clip_is_named() -> None:
    with pytest.raises(ModelRunError, match="Clip a of the pack is damaged"):
        list(read_parts(QUESTION, {"a": b"no sound"}.__getitem__))
