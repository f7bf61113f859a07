"""Fast import of Gradio, through the functions that Gradio and Python actually call."""

import inspect
import sys

import gradio
from gradio import component_meta

from leaderboard import gradio_imports


def test_gradio_writes_no_type_stubs() -> None:
    assert inspect.getmodule(component_meta.create_or_modify_pyi) is gradio_imports
    assert "create_or_modify_pyi(component_class, name, events)" in inspect.getsource(component_meta.ComponentMeta)


def test_gradio_is_loaded_by_the_fast_loader_and_hides_no_library_afterwards() -> None:
    assert gradio.__spec__ is not None
    assert inspect.getmodule(type(gradio.__spec__.loader)) is gradio_imports
    assert sys.modules.get("pyarrow", gradio) is not None
