"""CSV files of published rows."""

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
    """Return a CSV line with one score of a row; keyword arguments replace cells."""
    return ",".join((_USUAL | cells).get(name, "") for name in HEADER.split(","))


def make_csv(*lines: str) -> bytes:
    """Return a CSV file of such lines with a header."""
    return "\n".join((HEADER, *lines, "")).encode()
