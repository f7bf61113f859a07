"""Progress of packs: what happens, and how far it is."""

import io

from rich.console import Console

from submissions.cli.pack_progress import PackProgress


def test_lines_without_a_terminal_name_each_step_and_come_every_half_minute() -> None:
    file, times = io.StringIO(), [0.0]
    with PackProgress(Console(file=file), "Practice pack of mdar", lambda: times[-1]) as progress:
        for seconds in (1.0, 9.0, 32.0):
            times.append(seconds)
            progress.show_preparation("the server is rendering it")
        progress.show_preparation("rendering", 0.25)
        for n_done in (1_000_000, 2_000_000):
            progress.show_download(n_done, 4_000_000)
        times.append(70.0)
        progress.show_download(3_000_000, 4_000_000)
        progress.show_download(0, 0)
    assert file.getvalue().splitlines() == [
        "Practice pack of mdar: the server is rendering it, 1 s",
        "Practice pack of mdar: the server is rendering it, 32 s",
        "Practice pack of mdar: rendering, 25 %",
        "Practice pack of mdar: downloading, 1.0 of 4.0 MB",
        "Practice pack of mdar: downloading, 3.0 of 4.0 MB",
    ]


def test_terminal_has_a_bar_with_the_same_text() -> None:
    file = io.StringIO()
    with PackProgress(Console(file=file, force_terminal=True, width=120), "Edition e-[1]") as progress:
        progress.show_download(1_000_000, 4_000_000)
    assert "Edition e-[1]: downloading, 1.0 of 4.0 MB" in file.getvalue()
