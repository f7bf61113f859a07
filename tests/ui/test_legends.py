"""Chart legends with eight models: below the axes, complete, at any page width."""

import json

import plotly.offline
import pytest
from playwright.sync_api import Browser

from leaderboard.charts.figures import draw_chart
from tests.support.pages.chart_samples import KINDS, make, stage

# The narrowest panel of a phone, one of several columns on a wide page, and one full-width panel.
_WIDTHS = (300, 366, 760)
# The longest names come first: the suite draws only those.
_NAMES = ("Extraordinarily-Long-Audio-Language-Model-{}", "Audio-Model-{}", "{}")
# The elements that a figure's legend covers at each width, and its overflow outside the figure; null without a legend.
_FIND_COVERED = """async ([figure, widths]) => {
  const find = async (width) => {
    const place = document.createElement("div");
    place.style.width = `${width}px`;
    document.body.replaceChildren(place);
    const { data, layout } = structuredClone(figure);
    await Plotly.newPlot(place, data, layout, { displayModeBar: false, responsive: false, staticPlot: true });
    const legend = place.querySelector("g.legend")?.getBoundingClientRect();
    if (!legend) return null;
    const frame = place.getBoundingClientRect();
    const { l, t, w, h } = place._fullLayout._size;
    const area = new DOMRect(frame.left + l, frame.top + t, w, h);
    const words = [...place.querySelectorAll(".xtick, .ytick, .g-xtitle, .g-ytitle, .annotation-text, .gtitle")];
    const boxes = [["plot area", area], ...words.map((one) => [one.textContent, one.getBoundingClientRect()])];
    const covers = (box) => box.width > 0 && box.left < legend.right && box.right > legend.left
      && box.top < legend.bottom && box.bottom > legend.top;
    const isCut = legend.top < frame.top || legend.bottom > frame.bottom + 1
      || place.querySelector("g.legend .scrollbar[width]:not([width='0'])") !== null;
    return [
      ...boxes.filter(([, box]) => covers(box)).map(([name]) => `${name} is covered`),
      ...(isCut ? ["the legend is cut off"] : []), ...(w < width / 5 ? [`axes of ${w} pixels`] : []),
    ];
  };
  const found = [];
  for (const width of widths) found.push(await find(width));
  return found;
}"""


def test_legends_of_eight_models_cover_nothing(browser: Browser, soak: bool, subtests: pytest.Subtests) -> None:
    n_legends = 0
    all_names = _NAMES if soak else _NAMES[:1]
    page = browser.new_page()
    page.set_content(f"<body style='margin: 0'><script>{plotly.offline.get_plotlyjs()}</script></body>")
    for name in all_names:
        models = [make(at, name=name.format(at)) for at in range(8)]
        scene = stage(*models, people=(make(9, name="Human", source="human"),))
        for chart in KINDS:
            for at, figure in enumerate(draw_chart(chart, scene)):
                with subtests.test(chart=chart.id, panel=at, name=name):
                    assert figure is not None
                    drawn = page.evaluate(_FIND_COVERED, [json.loads(figure.to_json()), _WIDTHS])
                    n_legends += sum(covered is not None for covered in drawn)
                    assert not {width: covered for width, covered in zip(_WIDTHS, drawn, strict=True) if covered}
    page.close()
    assert n_legends >= 5 * 3 * len(all_names)
