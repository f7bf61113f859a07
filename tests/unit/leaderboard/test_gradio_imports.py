"""Import of Gradio without type stubs, through the function that Gradio actually calls."""

import inspect

from gradio import component_meta

from leaderboard import gradio_imports


def test_gradio_writes_no_type_stubs() -> None:
    assert inspect.getmodule(component_meta.create_or_modify_pyi) is gradio_imports
    assert "create_or_modify_pyi(component_class, name, events)" in inspect.getsource(component_meta.ComponentMeta)
