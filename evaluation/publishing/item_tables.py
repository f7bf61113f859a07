"""Items of a closed edition as a Parquet file: `python -m evaluation.publishing.item_tables` reads rows and writes it.

The web process starts this program for every file: pyarrow takes 50 MB of memory, and no page uses it.
"""

import io
import json
import sys

import pyarrow as pa
import pyarrow.parquet as pq

# One row per run, in the order of `COLUMNS` in `leaderboard/exports/answered_items_csv.py`.
SCHEMA = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("run", pa.int32(), nullable=False),
        pa.field("part", pa.string(), nullable=False),
        pa.field("task", pa.string(), nullable=False),
        pa.field("question", pa.string(), nullable=False),
        pa.field("options", pa.list_(pa.string()), nullable=False),
        pa.field("right", pa.string(), nullable=False),
        pa.field("parsed", pa.string()),
        pa.field("outcome", pa.string(), nullable=False),
        pa.field("reason", pa.string()),
        pa.field("response", pa.string()),
    ]
)


def main() -> None:
    """Convert JSON lines on standard input into a Parquet file on standard output."""
    rows = [json.loads(line) for line in sys.stdin.buffer]
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), file, compression="zstd")
    sys.stdout.buffer.write(file.getvalue())


if __name__ == "__main__":
    main()
