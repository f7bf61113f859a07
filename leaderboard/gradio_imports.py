"""A faster import of Gradio, which is most of what the web process does before it serves.

* When Gradio 6 is imported, it compares the type stubs of its components with their sources and writes those that
  differ. It parses 83 files twice for that. Only editors read the stubs.
* The garbage collector would scan all new objects repeatedly and find nothing.
* pandas, which Gradio imports, loads pyarrow if it is installed: 50 MB that no page uses. pandas works without it, and
  pyarrow can be imported as usual afterwards.

Gradio has no settings for this, so an import hook changes how two of its modules are executed.
"""

import gc
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

_UNUSED_LIBRARY = "pyarrow"


class _PackageLoader(SourceFileLoader):
    """Loader of `gradio`, whose execution imports nearly everything else."""

    def exec_module(self, module: ModuleType) -> None:
        is_hidden = _UNUSED_LIBRARY not in sys.modules
        if is_hidden:
            # How Python marks a module that cannot be imported.
            sys.modules[_UNUSED_LIBRARY] = None  # type: ignore[assignment]
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            super().exec_module(module)
        finally:
            if is_hidden:
                del sys.modules[_UNUSED_LIBRARY]
            gc.freeze()
            if was_enabled:
                gc.enable()


class _StubModuleLoader(SourceFileLoader):
    """Loader of the module that writes type stubs."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        vars(module)["create_or_modify_pyi"] = _write_no_stub


_LOADERS: Mapping[str, type[SourceFileLoader]] = {
    "gradio": _PackageLoader,
    "gradio.component_meta": _StubModuleLoader,
}


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        loader = _LOADERS.get(fullname)
        if loader is None:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = loader(spec.loader.name, spec.loader.path)
        return spec


def import_gradio_quickly() -> None:
    """Let the next import of Gradio skip what nobody needs."""
    sys.meta_path.insert(0, _Finder())


def _write_no_stub(component_class: type, class_name: str, events: Sequence[object]) -> None:
    """Stand in for the function of Gradio that writes a component's stub."""
