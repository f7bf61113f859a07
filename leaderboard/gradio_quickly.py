"""Quick import of Gradio: without stub files for editors, and without garbage collection.

Gradio writes a stub file for each component's class, which takes half of its import. It looks for the file of the class
and skips classes that have none. The garbage collector would walk through everything that the import makes, again and
again, and find nothing: another fifth. Import this module before anything that imports Gradio.
"""

import gc
import inspect


def _find_no_file_of_components(thing: object) -> str:
    if type(thing).__name__ == "ComponentMeta":
        raise OSError("No stub is wanted.")
    return _getfile(thing)  # type: ignore[arg-type]


_getfile = inspect.getfile
inspect.getfile = _find_no_file_of_components  # type: ignore[assignment]
gc.disable()
try:
    import gradio  # noqa: F401 - imported here so that it need not be again
finally:
    inspect.getfile = _getfile
    gc.freeze()
    gc.enable()
