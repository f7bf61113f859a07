"""Fast import of Gradio: without stub files for editors, garbage collection, and the Parquet library.

Gradio writes a stub file for each component class, which takes half of its import. It looks for the class's file and
skips classes without one. The garbage collector would scan all new objects repeatedly and find nothing: another
fifth. Import this module before anything that imports Gradio.

Gradio imports pandas, and pandas loads pyarrow if it is installed: 50 MB that no page uses. pandas works without it.
Afterwards pyarrow can be imported as usual.
"""

import gc
import inspect
import sys


def _find_no_file_of_components(thing: object) -> str:
    if type(thing).__name__ == "ComponentMeta":
        raise OSError("No stub is wanted.")
    return _getfile(thing)  # type: ignore[arg-type]


_getfile = inspect.getfile
inspect.getfile = _find_no_file_of_components  # type: ignore[assignment]
_hides_pyarrow = "pyarrow" not in sys.modules
if _hides_pyarrow:
    # How Python marks a module that cannot be imported.
    sys.modules["pyarrow"] = None  # type: ignore[assignment]
gc.disable()
try:
    import gradio  # noqa: F401 - imported here so that it need not be again
finally:
    inspect.getfile = _getfile
    if _hides_pyarrow:
        del sys.modules["pyarrow"]
    gc.freeze()
    gc.enable()
