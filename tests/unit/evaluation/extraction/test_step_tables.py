"""Tables of critics: every head and separator, verdicts that a head inverts, and cells that leave a step open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.extraction import read_steps

# Head of a column, its cell for a correct step, and for an erroneous one.
COLUMNS = (
    ("Verdict", "correct", "incorrect"),
    ("Assessment", "✅ Correct", "❌ Error"),
    ("Supported by audio?", "Yes", "No"),
    ("Matches the recording", "yes (heard)", "no: silence"),
    ("Has error", "no", "yes"),
    ("Erroneous?", "false", "true"),
    ("Error", "none", "wrong instrument"),
    ("Correct", "✓", "✗"),
    ("Status", "OK", "⚠️ Error (propagated)"),
    ("是否错误", "否", "是"),
    ("Fits the clip?", "Yes", "No (too low)"),
    ("Contradicts audio", "no", "yes"),
    ("与音频一致", "是", "否"),
    ("符合录音", "是(听得到)", "否"),
    ("Sound?", "yes", "no"),
)
CLAIMS = ("A dog barks", "The car stops", "The right channel fades", "No bell is heard")


def render(rows: list[list[str]], sign: str) -> str:
    """Return the rows of a table, in Markdown if `sign` is a bar."""
    if sign != "|":
        return "\n".join(sign.join(row) for row in rows)
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], f"|{'---|' * len(rows[0])}", *lines[1:]])


@given(
    st.lists(st.booleans(), min_size=2, max_size=6),
    st.sampled_from(COLUMNS),
    st.sampled_from(["|", "\t", ";", ","]),
    st.sampled_from(["", "Step {n}", "{n}."]),
    st.booleans(),
)
def test_read_steps_reads_a_table_with_a_row_for_each_step(
    verdicts: list[bool], column: tuple[str, str, str], sign: str, name: str, has_claims: bool
) -> None:
    head, right, wrong = column
    name = name or "{n}"
    rows = [["Step", "Claim", head] if has_claims else ["Step", head]]
    for n, erroneous in enumerate(verdicts, 1):
        claim = [CLAIMS[n % len(CLAIMS)]] if has_claims else []
        rows.append([name.format(n=n), *claim, wrong if erroneous else right])
    reading = read_steps(f"My assessment:\n\n{render(rows, sign)}\n", len(verdicts))
    assert reading.verdicts == tuple(verdicts)


@given(st.lists(st.booleans(), min_size=2, max_size=6), st.booleans())
def test_read_steps_reads_a_table_with_a_column_for_each_step(verdicts: list[bool], is_named: bool) -> None:
    lead = [["", "Verdict"], ["Verdict", "Verdict"]][is_named]
    head = [lead[0], *(f"Step {n}" for n in range(1, len(verdicts) + 1))]
    row = [lead[1], *("incorrect" if erroneous else "correct" for erroneous in verdicts)]
    assert read_steps(render([head, row], "|"), len(verdicts)).verdicts == tuple(verdicts)


def test_read_steps_does_not_read_a_table_that_leaves_a_step_open(subtests: pytest.Subtests) -> None:
    rows = [
        "| Step | Error |\n|---|---|\n| 1 | none |\n| 2 | possibly a timing slip |",
        "| Step | Verdict |\n|---|---|\n| 1 | correct |\n| 2 | unclear |",
        "| Step | Erroneous |\n|---|---|\n| 1 | ✗ |\n| 2 | ✓ |",
        "| Step | Verdict |\n|---|---|\n| 1 | correct |\n| 3 | incorrect |",
        "| Step | Claim |\n|---|---|\n| 1 | A dog barks |\n| 2 | The answer is wrong |",
        "Step,Verdict\n1,correct",
    ]
    for response in rows:
        with subtests.test(response):
            assert read_steps(response, 2).verdicts is None
