"""Content Security Policies: hashes of inline code, and what each kind of response allows."""

import base64
import hashlib
import re

import pytest

from leaderboard.http.content_policies import (
    DATA_POLICY,
    add_frame_ancestors,
    hash_source,
    replace_policy,
    write_document_policy,
    write_gallery_policy,
    write_gradio_policy,
)
from leaderboard.pages.shell.opening import list_inline_scripts

HTML = """<head><script>first()</script><script type="module" src="/x.js"></script>
<SCRIPT data-x>second("é")
</SCRIPT><script type="application/json" id="o">{"a": 1}</script><script>first()</script></head>"""


def read_directives(policy: str) -> dict[str, list[str]]:
    return {name: values for name, *values in (directive.split() for directive in policy.split("; "))}


def test_hash_is_the_one_that_browsers_compute() -> None:
    digest = base64.b64encode(hashlib.sha256(b"body { color: red; }").digest()).decode()
    assert hash_source("body { color: red; }") == f"'sha256-{digest}'"
    # The example of the specification, https://www.w3.org/TR/CSP3/#external-hash, computed by openssl.
    assert hash_source("alert('Hello, world.');") == "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"


def test_gradio_page_runs_exactly_its_own_inline_scripts() -> None:
    directives = read_directives(write_gradio_policy(list_inline_scripts(HTML)))
    inline = [hash_source("first()"), hash_source('second("é")\n')]
    assert directives["script-src"] == ["'self'", *inline, "'unsafe-eval'"]
    assert directives["script-src-attr"] == ["'none'"]
    assert directives["object-src"] == ["'none'"]


def test_gradio_page_without_inline_scripts_allows_none() -> None:
    assert read_directives(write_gradio_policy(list_inline_scripts("<p>No script</p>")))["script-src"] == [
        "'self'",
        "'unsafe-eval'",
    ]


@pytest.mark.parametrize("policy", [DATA_POLICY, write_document_policy("p{}"), write_gallery_policy("p{}")])
def test_responses_of_ours_allow_no_inline_code(policy: str) -> None:
    assert "unsafe" not in policy
    assert read_directives(policy)["default-src"] == ["'none'"]
    assert read_directives(policy)["base-uri"] == ["'none'"]


def test_pages_without_scripts_run_none() -> None:
    directives = read_directives(write_document_policy("p{}"))
    assert "script-src" not in directives
    assert directives["style-src"] == [hash_source("p{}")]
    assert directives["require-trusted-types-for"] == ["'script'"]
    assert directives["trusted-types"] == ["'none'"]


def test_another_policy_keeps_the_sites_that_may_frame() -> None:
    present = add_frame_ancestors(DATA_POLICY, ("'self'", "https://*.blog.example"))
    assert replace_policy(present, "default-src 'self'") == (
        "default-src 'self'; frame-ancestors 'self' https://*.blog.example"
    )
    assert replace_policy("", "default-src 'self'") == "default-src 'self'"
    assert not re.search("frame-ancestors.*frame-ancestors", replace_policy(present, DATA_POLICY))
