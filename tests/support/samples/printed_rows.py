"""Files of rows that papers print."""

HEADER = (
    "benchmark,version,setting,source,model,slice,metric,value,paper,url,table,date,"
    "year,authors,row,organisation,kind,size_billions,open_weights,std,note,notes,data_version"
)
_USUAL = {
    "benchmark": "audio-motion-bench",
    "version": "1.0",
    "setting": "default",
    "source": "reported",
    "model": "New-3B",
    "slice": "sct",
    "metric": "accuracy",
    "value": "0.4",
    "paper": "New paper",
    "url": "https://paper.example/2",
    "table": "Table 4",
    "date": "2026-03",
}


def make_line(**cells: str) -> str:
    """Return a line of CSV: one score of a row, with some cells of its own."""
    return ",".join((_USUAL | cells).get(name, "") for name in HEADER.split(","))


def make_csv(*lines: str) -> bytes:
    """Return a file of such lines under their header."""
    return "\n".join((HEADER, *lines, "")).encode()
