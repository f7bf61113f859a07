"""Tables as pandas DataFrames. pandas is optional, so it is imported on first use."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def make_frame(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> "pd.DataFrame":
    """Return rows as a DataFrame with these columns, also if there are no rows.

    Raises:
        ImportError: pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("DataFrames need pandas. Install it with `pip install pandas`.") from None
    return pd.DataFrame(list(rows), columns=list(columns))
