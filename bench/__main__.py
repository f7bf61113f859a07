"""`python -m bench`: measures every number in the performance documents against its target, and writes results.json."""

import json
import platform
import sys
from pathlib import Path

from bench import (
    bench_asking,
    bench_board_browser,
    bench_board_pages,
    bench_comparisons,
    bench_edition_boards,
    bench_extraction,
    bench_hostile_clients,
    bench_intake,
    bench_listeners,
    bench_mixed_load,
    bench_model_runs,
    bench_package,
    bench_page,
    bench_process,
    bench_queue,
    bench_rendering,
    bench_scoring,
    bench_standings,
    bench_star_bench,
    bench_statistics,
)

_RESULTS = Path(__file__).parent / "results.json"


def main() -> int:
    """Run every benchmark and return the exit code; a missed target is shown, not a failure: machines are noisy."""
    modules = (
        bench_rendering,
        bench_extraction,
        bench_intake,
        bench_scoring,
        bench_star_bench,
        bench_process,
        bench_statistics,
        bench_listeners,
        bench_standings,
        bench_edition_boards,
        bench_comparisons,
        bench_board_pages,
        bench_page,
        bench_board_browser,
        bench_hostile_clients,
        bench_mixed_load,
        bench_queue,
        bench_asking,
        bench_model_runs,
        bench_package,
    )
    rows = [row for module in modules for row in module.measure()]
    width = max(len(str(row["what"])) for row in rows)
    for row in rows:
        print(f"{row['what']:<{width}}  {row['value']:>12} {row['unit']:<16} target {row['target']:<12} {row['note']}")
    _RESULTS.write_text(json.dumps({"machine": platform.platform(), "rows": rows}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
