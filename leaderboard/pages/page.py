"""The page: all tabs and their event bindings."""

from collections.abc import Iterable, Mapping
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark, all_benchmarks
from leaderboard.assets import ASSETS_DIR, STATIC_PATH, import_script
from leaderboard.pages.about.events import wire_about
from leaderboard.pages.about.layout import build_about_tab
from leaderboard.pages.account.events import wire_account
from leaderboard.pages.account.layout import build_account_tab
from leaderboard.pages.admin.events import (
    wire_admin,
    wire_admin_models,
    wire_admin_rows,
    wire_admission,
    wire_approval,
    wire_competitions,
    wire_listeners,
)
from leaderboard.pages.admin.layout import Door, build_admin_tab
from leaderboard.pages.board.events import wire_charts
from leaderboard.pages.board.layout import build_benchmark_tab
from leaderboard.pages.board.markup import list_first_requests, render_board
from leaderboard.pages.compare.events import wire_compare
from leaderboard.pages.compare.layout import build_compare_tab
from leaderboard.pages.inputs.page_events import StrictBlocks
from leaderboard.pages.listen.layout import build_listen_tab
from leaderboard.pages.model.events import wire_model
from leaderboard.pages.model.layout import build_model_tab
from leaderboard.pages.overview.layout import build_overview_tab
from leaderboard.pages.overview.markup import render_overview
from leaderboard.pages.shell.masthead import render_durability, render_masthead
from leaderboard.pages.shell.opening import FirstView, Opening, render_opening
from leaderboard.pages.shell.sign_in_markup import SIGN_IN_SCRIPT
from leaderboard.pages.shell.tab_events import wire_tabs
from leaderboard.pages.submit.events import wire_submit
from leaderboard.pages.submit.layout import build_submit_tab
from leaderboard.services import Services

_FONT = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "Noto Sans", "DejaVu Sans", "sans-serif")
_PARTS_OF_THE_BOARD = (
    *(
        "card",
        "cells",
        "columns",
        "compare",
        "controls",
        "details",
        "embed",
        "export",
        "fetch",
        "filters",
        "focus",
        "format",
    ),
    *("grid", "head", "menu", "places", "requests", "rows", "state", "status", "table", "views"),
)
_SCRIPTS_OF_THE_BOARD = (
    "board.js",
    *(f"board-{part}.js" for part in _PARTS_OF_THE_BOARD),
    *("citing.js", "first-view.js", "overview-cards.js", "page.js", "papers.js"),
)
# Typing and choosing must work without a script that only the server has, while it is unavailable.
_SCRIPTS_OF_CHOICES = ("submit.js", "model-names.js", "compare.js")
# The first view's files come with the page; Gradio adds the rest once it has loaded.
_FIRST_STYLES = ("theme.css", "overview.css", "board.css")
_SCRIPTS_OF_THE_OVERVIEW = (
    *("overview.js", "overview-cards.js", "overview-matrix.js", "overview-parts.js", "first-view.js", "page.js"),
    *("board-details.js", "board-fetch.js", "board-format.js", "papers.js"),
)
_WATCH_DURABILITY = f"{import_script('durability.js')}.then((line) => line.watchDurability(element));"
_HEAD = "\n".join(
    [
        # theme.css has the tokens for all others, each of which styles one tab.
        *(f'<link rel="stylesheet" href="{STATIC_PATH}/{path.name}">' for path in sorted(ASSETS_DIR.glob("*.css"))),
        *(
            f'<link rel="modulepreload" href="{STATIC_PATH}/{name}">'
            for name in (*_SCRIPTS_OF_THE_BOARD, *_SCRIPTS_OF_CHOICES)
        ),
    ]
)
# Gradio's own components use the tokens of assets/theme.css, which distinguish light and dark.
_TOKENS = {
    "body_background_fill": "page",
    "body_text_color": "text",
    "body_text_color_subdued": "quiet",
    "background_fill_primary": "page",
    "background_fill_secondary": "raised",
    "border_color_primary": "line",
    "border_color_accent": "accent",
    "color_accent_soft": "sunken",
    "block_background_fill": "page",
    "block_border_color": "line",
    "block_label_background_fill": "page",
    "block_label_text_color": "quiet",
    "block_title_text_color": "quiet",
    "block_info_text_color": "quiet",
    "input_background_fill": "page",
    "input_background_fill_focus": "page",
    "input_border_color": "line-strong",
    "input_border_color_focus": "accent",
    "input_placeholder_color": "quiet",
    "button_primary_background_fill": "accent",
    "button_primary_background_fill_hover": "accent-strong",
    "button_primary_text_color": "on-accent",
    "button_secondary_background_fill": "page",
    "button_secondary_background_fill_hover": "raised",
    "button_secondary_border_color": "line-strong",
    "button_secondary_text_color": "accent",
    "checkbox_background_color": "page",
    "checkbox_background_color_selected": "accent",
    "checkbox_border_color": "line-strong",
    "checkbox_label_background_fill": "page",
    "checkbox_label_text_color": "text",
    "link_text_color": "accent",
    "link_text_color_hover": "accent-strong",
    "link_text_color_visited": "accent",
    "code_background_fill": "raised",
    "accordion_text_color": "accent",
    "table_border_color": "line",
}


def build_page(services: Services) -> gr.Blocks:
    """Return the page; pass `PAGE_OPTIONS` to `mount_gradio_app` with it."""
    hosted = group_versions(all_benchmarks())
    with StrictBlocks(title="Earshot", analytics_enabled=False, fill_width=True) as page:
        head = render_masthead()
        masthead = gr.HTML(head, js_on_load=SIGN_IN_SCRIPT, apply_default_css=False, elem_id="masthead")
        if (line := render_durability(services.settings)) is not None:
            watch = {"js_on_load": _WATCH_DURABILITY} if services.settings.replica_url is not None else {}
            gr.HTML(line, apply_default_css=False, elem_id="durability", **watch)
        notice = gr.HTML("", apply_default_css=False, elem_id="page-notice")
        each: dict[str, Any] = {}
        boards = {}
        with gr.Tabs(elem_id="tabs") as tabs:
            with gr.Tab("Overview", id="overview", elem_id="tab-overview") as each["overview"]:
                build_overview_tab(list(hosted.values()))
            for name, versions in hosted.items():
                with gr.Tab(versions[0].title, id=name, elem_id=f"tab-{name}") as each[name]:
                    boards[name] = build_benchmark_tab(versions)
            with gr.Tab("Model", id="model", elem_id="tab-model") as each["model"]:
                model = build_model_tab()
            with gr.Tab("Compare", id="compare", elem_id="tab-compare") as each["compare"]:
                compare = build_compare_tab(all_benchmarks())
            with gr.Tab("Submit", id="submit", elem_id="tab-submit") as each["submit"]:
                submit = build_submit_tab(all_benchmarks(), services.settings)
            with gr.Tab("Listen", id="listen", elem_id="tab-listen") as each["listen"]:
                build_listen_tab()
            with gr.Tab("About", id="about", elem_id="tab-about") as each["about"]:
                about = build_about_tab([versions[0] for versions in hosted.values()])
            with gr.Tab("Account", id="account", elem_id="tab-account") as each["account"]:
                account = build_account_tab()
            with gr.Tab("Admin", id="admin", elem_id="tab-admin", visible=False) as each["admin"]:
                admin = build_admin_tab(all_benchmarks())
        wire_tabs(page, tabs, each)
        for name, versions in hosted.items():
            wire_charts(services, versions, boards[name])
        wire_model(services, model)
        wire_compare(services, compare)
        # A sign-in or sign-out, in whatever part of the page.
        changed = (submit.account.submit, masthead.submit, account.who.submit, account.sessions.submit)
        wire_submit(services, submit, (page.load, each["submit"].select), changed)
        wire_account(services, account, (page.load, each["account"].select, *changed))
        wire_about(services, about, each["about"])
        wire_admission(services, Door(masthead, notice, tabs, each["admin"]), page.load, changed)
        wire_admin(services, admin, each["admin"])
        wire_approval(services, admin)
        wire_admin_models(services, admin)
        wire_admin_rows(services, admin, each["admin"])
        wire_listeners(services, admin, each["admin"])
        wire_competitions(services, admin, each["admin"])
    return page


def build_opening(services: Services, page: gr.Blocks) -> Opening:
    """Return the first view, shown until Gradio has loaded."""
    each = [tab for tab in page.blocks.values() if isinstance(tab, gr.Tab) and tab.elem_id == f"tab-{tab.id}"]
    tabs = [(str(tab.id), str(tab.label)) for tab in each if tab.visible]
    styles = "\n".join((ASSETS_DIR / name).read_text(encoding="utf-8") for name in _FIRST_STYLES)
    hosted = group_versions(all_benchmarks())
    overview = render_overview(list(hosted.values()))
    views = {"overview": FirstView(overview, _SCRIPTS_OF_THE_OVERVIEW, ("/api/v1/overview",))}
    for name, versions in hosted.items():
        views[name] = FirstView(render_board(tuple(versions)), _SCRIPTS_OF_THE_BOARD, list_first_requests(versions[0]))
    head = render_masthead() + (render_durability(services.settings) or "")
    return render_opening(STATIC_PATH, styles, head, tabs, views)


def group_versions(benchmarks: Iterable[Benchmark]) -> dict[str, list[Benchmark]]:
    """Return benchmark id → its versions, both in the order of the registry."""
    groups: dict[str, list[Benchmark]] = {}
    for benchmark in benchmarks:
        groups.setdefault(benchmark.id, []).append(benchmark)
    return groups


def _make_theme() -> Any:
    values = {name: f"var(--es-{token})" for name, token in _TOKENS.items()}
    theme = gr.themes.Base(
        primary_hue="teal",
        neutral_hue="slate",
        radius_size=gr.themes.sizes.radius_sm,
        font=_FONT,
        font_mono=("ui-monospace", "Menlo", "Consolas", "DejaVu Sans Mono", "monospace"),
    )
    dark = {f"{name}_dark": value for name, value in values.items() if hasattr(theme, f"{name}_dark")}
    return theme.set(
        **values,
        **dark,
        block_label_text_weight="400",
        block_title_text_weight="400",
        input_border_width="1px",
        input_shadow="none",
        input_shadow_focus="none",
        button_border_width="1px",
        button_large_text_weight="400",
        button_large_text_size="14px",
        button_large_padding="8px 16px",
        **dict.fromkeys(("block_radius", "input_radius"), "6px"),
        **dict.fromkeys(("button_large_radius", "button_medium_radius", "button_small_radius"), "6px"),
        block_border_width="0px",
        block_padding="0px",
        layout_gap="16px",
        form_gap_width="0px",
    )


PAGE_OPTIONS: Mapping[str, Any] = {
    "theme": _make_theme(),
    "head": _HEAD,
}
