"""Event bindings shared by all tabs."""

import json
from typing import Any

import gradio as gr

from leaderboard.assets import import_script
from leaderboard.pages.shared.bindings import QUIET
from leaderboard.pages.shell.opening import UNCOVER_LOADED

_FOLLOW_LINKS = f"() => {{ {import_script('page.js')}.then((page) => page.followLinks()); return []; }}"
_RELOAD = """() => {
  document.addEventListener("click", (event) => event.target.closest?.("[data-reload]") && location.reload());
  return [];
}"""
# The requested address: by now the first tab may have changed it.
_OPEN_TAB = """() => {
  const wanted = new URL(performance.getEntriesByType("navigation")[0].name).searchParams.get("tab");
  const names = %s;
  return { selected: names.includes(wanted) ? wanted : names[0], __type__: "update" };
}"""


def wire_tabs(page: gr.Blocks, tabs: Any, each: dict[str, Any]) -> None:
    """Keep the open tab in the address bar, in the visitor's browser only."""
    page.load(None, None, None, js=_FOLLOW_LINKS, **QUIET)
    page.load(None, None, None, js=_RELOAD, **QUIET)
    page.load(None, None, tabs, js=_OPEN_TAB % json.dumps([name for name, tab in each.items() if tab.visible]), **QUIET)
    page.load(None, None, None, js=UNCOVER_LOADED, **QUIET)
    for at, (name, tab) in enumerate(each.items()):
        known = f'"{name}", {json.dumps(tab.label)}, {"true" if at == 0 else "false"}'
        remember = f"() => {{ {import_script('page.js')}.then((page) => page.rememberTab({known})); return []; }}"
        tab.select(None, None, None, js=remember, **QUIET)
