"""A faster import of Gradio, which is most of what the web process does before it serves.

When Gradio 6 is imported, it compares the type stubs of its components with their sources and writes those that differ.
It parses 83 files twice for that, which takes a quarter of the CPU time of our imports. Only editors read the stubs.
Gradio has no setting for this, so we replace the function between its definition and its first use.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

_MODULE = "gradio.component_meta"


class _Loader(SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        vars(module)["create_or_modify_pyi"] = _write_no_stub


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _MODULE:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


def skip_type_stubs() -> None:
    """Let the next import of Gradio write no type stubs."""
    sys.meta_path.insert(0, _Finder())


def _write_no_stub(component_class: type, class_name: str, events: Sequence[object]) -> None:
    """Stand in for the function of Gradio that writes a component's stub."""
