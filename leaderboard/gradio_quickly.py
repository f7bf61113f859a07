"""Imports Gradio without the stubs for editors that it writes for its components: they take it half of its import.

Gradio looks for the file of each component's class and leaves those alone that have none. It does so whenever it is
imported, so whoever wants a quick start imports this module before anything that imports Gradio.
"""

import inspect


def _find_no_file_of_components(thing: object) -> str:
    if type(thing).__name__ == "ComponentMeta":
        raise OSError("No stub is wanted.")
    return _getfile(thing)  # type: ignore[arg-type]


_getfile = inspect.getfile
inspect.getfile = _find_no_file_of_components  # type: ignore[assignment]
try:
    import gradio  # noqa: F401 - imported here so that it need not be again
finally:
    inspect.getfile = _getfile
