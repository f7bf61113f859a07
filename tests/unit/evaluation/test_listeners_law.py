"""Import rule of the listeners: no access to questions, answers or renderers."""

import ast
from pathlib import Path

import pytest

from evaluation import listeners
from evaluation.listeners import LISTENERS, Listener, UnknownListenerError, get_listener

FOLDER = Path(listeners.__file__).parent
FORBIDDEN = ("evaluation.benchmarks", "evaluation.answer_keys", "evaluation.synthesis", "evaluation.packs", "scipy")
ALLOWED = ("evaluation.listeners", "evaluation.errors", "evaluation.types")


def imports_of(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


def test_listeners_import_neither_answers_nor_renderers(subtests: pytest.Subtests) -> None:
    for path in sorted(FOLDER.rglob("*.py")):
        with subtests.test(path=path):
            modules = imports_of(path)
            assert not [name for name in modules if name.startswith(FORBIDDEN)]
            # The HTTP server may import more of Earshot; the listeners may not.
            if path.relative_to(FOLDER).parts[0] != "server":
                ours = [name for name in modules if name.startswith("evaluation")]
                assert [name for name in ours if not name.startswith(ALLOWED)] == []


def test_search_for_imports_finds_every_form() -> None:
    assert imports_of(FOLDER / "__init__.py") >= {"collections.abc", "evaluation.listeners.random_listener"}


def test_three_listeners_are_registered_under_their_ids() -> None:
    assert list(LISTENERS) == ["earshot-chance", "earshot-mono", "earshot-binaural"]
    for name, listener in LISTENERS.items():
        known: Listener = get_listener(name)
        assert known is listener
        assert (known.id, known.title) == (name, name.replace("-", " ").capitalize())


def test_get_listener_of_an_unknown_id_names_the_known_ones() -> None:
    with pytest.raises(UnknownListenerError, match=r"Unknown listener `earshot`.*`earshot-mono`"):
        get_listener("earshot")
