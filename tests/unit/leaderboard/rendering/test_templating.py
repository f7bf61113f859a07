"""Templates: values are escaped, missing ones are errors, and a source's whitespace is removed."""

import re
from pathlib import Path

import pytest
from jinja2 import TemplateSyntaxError, UndefinedError

import leaderboard
from leaderboard.rendering import templating
from leaderboard.rendering.templating import Markup, render_age, render_macro, render_table
from tests.support.pages.records import NOW

FOLDER = Path(leaderboard.__file__ or "").parent
TEMPLATES = sorted(FOLDER.rglob("*.html"))
HOSTILE = "<script>alert('x')</script> & \"quoted\""
# Constructs that bypass or change escaping.
UNSAFE = re.compile(r"\|\s*safe\b|\bautoescape\b|\bMarkup\b|\bforceescape\b")


def render(source: str, **values: object) -> str:
    """Render a standalone template in the same way as template files."""
    return templating._get_environment().from_string(source).render(values)


def test_values_are_escaped_in_text_and_attributes() -> None:
    page = render('<a title="{{ x }}">{{ x }}</a>', x=HOSTILE)
    assert "<script" not in page
    assert page.count("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &#34;quoted&#34;") == 2
    assert render("{{ x }}", x=Markup("<b>ours</b>")) == "<b>ours</b>"


def test_none_is_a_dash_and_an_undefined_value_is_an_error() -> None:
    assert render("{{ x }}", x=None) == "–"
    assert render("{{ x.y }}", x={"y": None}) == "–"
    for source in ("{{ x }}", "{{ y.x }}", "{% if x %}a{% endif %}", "{% for one in x %}a{% endfor %}"):
        with pytest.raises(UndefinedError):
            render(source, y=object())


@pytest.mark.parametrize(
    ("source", "page"),
    [
        ("<ul>\n  <li>a</li>\n  <li>b</li>\n</ul>\n", "<ul><li>a</li><li>b</li></ul>"),
        ("<p>\n  two\n  words\n</p>", "<p>two words</p>"),
        ("<p>a <b>b</b> c</p>", "<p>a <b>b</b> c</p>"),
        ("<p>a\n  {{ x }}\n  c</p>", "<p>a X c</p>"),
        ("<p>\n  {{ x }}\n  {{ x }}\n</p>", "<p>XX</p>"),
        ("<p>{{ x }} {{ x }}</p>", "<p>X X</p>"),
        ("<p>\n  {% if x %}\n  a\n  {% endif %}\n  b\n</p>", "<p>ab</p>"),
        ("<p>a{% if x %} b{% endif %}</p>", "<p>a b</p>"),
        ('<a href="/"\n   title="{{ x }}"\n   id="b">c</a>', '<a href="/" title="X" id="b">c</a>'),
        ('<a\n  {% if x %}\n  id="b"\n  {% endif %}\n  title="t">c</a>', '<a  id="b"  title="t">c</a>'),
        ("{# Comment. #}\n\n<p>a</p>\n", "<p>a</p>"),
    ],
)
def test_source_line_breaks_are_not_content(source: str, page: str) -> None:
    assert render(source, x="X") == page


@pytest.mark.parametrize(
    ("source", "line"),
    [("<p>word\n  <b>b</b></p>", 1), ("<p>\n<a href='/'>a</a>\n  word</p>", 2), ("<p>\n\n.\n<code>c</code>", 3)],
)
def test_line_break_between_a_word_and_an_inline_element_is_an_error_with_its_line(source: str, line: int) -> None:
    with pytest.raises(TemplateSyntaxError, match="Put the word and the element on one line") as raised:
        render(source)
    assert raised.value.lineno == line


def test_every_template_compiles_and_escapes_everything() -> None:
    assert len(TEMPLATES) > 2, "the search finds the templates"
    for path in TEMPLATES:
        name = path.relative_to(FOLDER).as_posix()
        templating._get_environment().get_template(name)
        assert UNSAFE.search(path.read_text(encoding="utf-8")) is None, name


def test_every_template_is_used() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (*FOLDER.rglob("*.py"), *TEMPLATES)]
    names = [path.relative_to(FOLDER).as_posix() for path in TEMPLATES]
    assert [name for name in names if not any(f'"{name}"' in source for source in sources)] == []


def test_render_table_aligns_numbers_and_escapes_cells() -> None:
    page = render_table(["Name", "Score"], [[HOSTILE, None], [Markup("<b>b</b>"), 1.5]], caption='"Scores"')
    assert "<script" not in page
    assert '<th scope="col">Name</th><th scope="col" class="es-number">Score</th>' in page
    assert '<td class="es-number">–</td></tr><tr><td><b>b</b></td><td class="es-number">1.5</td>' in page
    assert 'aria-label="&#34;Scores&#34;"' in page
    assert '<caption class="es-hidden">&#34;Scores&#34;</caption>' in page


@pytest.mark.parametrize(("numbers", "count"), [("", 0), (", numbers_from=0", 2), (", numbers_from=1", 1)])
def test_headings_are_aligned_as_numbers_only_if_a_table_requests_it(numbers: str, count: int) -> None:
    call = f'{{% call table(["A", "B"], "C"{numbers}) %}}{{% endcall %}}'
    assert render(f'{{% from "rendering/tables.html" import table %}}{call}').count("es-number") == count


def test_render_age_shows_the_exact_time() -> None:
    assert render_age(NOW.replace(tzinfo=None), NOW) == (
        '<time datetime="2026-01-01T00:00:00+00:00" title="2026-01-01 00:00:00 UTC">just now</time>'
    )


def test_render_age_of_an_unknown_time_is_a_dash() -> None:
    assert render_age(None, NOW) == "–"


def test_render_macro_returns_escaped_html() -> None:
    assert render_macro("pages/shared/notes.html", "note", HOSTILE) == (
        f'<p class="es-quiet">{Markup.escape(HOSTILE)}</p>'
    )
